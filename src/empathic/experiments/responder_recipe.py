"""What a recipe of `kind = "responder"` says: what learns to reply, from what, how, and how it then decodes."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from empathic.decoding import Decoding
from empathic.models.kinds import ModelSettings
from empathic.models.rounding import Stored
from empathic.models.vocabulary import Units
from empathic.training.settings import TrainingSettings

__all__ = ["DataSettings", "Examples", "ResponderRecipe", "VocabularySettings"]

Count = Annotated[int, msgspec.Meta(ge=1)]
Weight = Annotated[float, msgspec.Meta(ge=0)]
Examples = Literal["moel", "listener", "every"]


class DataSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [data]."""

    corpora: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)] = ("empathetic-dialogues",)
    """What is learned from, by name, or files of your own; what has no splits is learned from whole."""
    measured_on: str = "empathetic-dialogues"
    """The corpus whose validation and test splits are measured on; nothing that stands in them is learned."""
    examples: Examples = "listener"
    """Which turns are responses: as the arrays of MoEL have them, every listener's, or every one but the first."""
    turns: Count = 32
    """Turns of a context at most; of a longer one the latest count."""
    longest: Count = 512
    """Tokens of a context at most."""
    longest_response: Count = 128
    """Tokens of a response at most, its end included."""
    intents: Literal["none", "released", "annotated"] = "none"
    """Where the emotions and intents of turns come from: nowhere, the labels that EmpatheticIntents publishes for
    EmpatheticDialogues, or the annotators."""


class VocabularySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [vocabulary]."""

    units: Units = "words"
    size: Annotated[int, msgspec.Meta(ge=300)] = 16_000
    """Of byte-pair pieces; words are as many as there are."""
    fewest: Count = 1
    """Words that come less often are unknown."""
    over: Literal["all splits", "training"] = "training"
    """What it is learned from. All splits, with their situations, is the protocol of MoEL and those after it."""
    vectors: str = ""
    """Word vectors in GloVe's text layout that words begin with: a file, or "found" for those in the data folder."""


class ResponderRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recipe of `kind = "responder"`."""

    kind: Literal["responder"]
    about: str
    """What it trains, in a sentence."""
    licence: str
    """Of the trained weights, which the licences of the data decide."""
    model: ModelSettings
    """`name` says which; the other keys are that model's."""
    data: DataSettings = DataSettings()
    vocabulary: VocabularySettings = VocabularySettings()
    begin_from: str = ""
    """A run, or a model folder, whose vocabulary and weights are begun with."""
    stored: Stored = "fp16"
    """How weights are saved, and measured: in half precision, or in eight bits with a scale a row."""
    smoothing: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.0
    """Probability that is spread over all tokens when a response is learned; never when it is measured."""
    weights: dict[str, Weight] = {}
    """How much each loss counts beside the mean over response tokens; 1 where nothing is said."""
    training: TrainingSettings = TrainingSettings()
    predictor: TrainingSettings = TrainingSettings()
    """How a part that is trained apart is."""
    decoding: Decoding = Decoding()
    """How replies are decoded where nothing else is asked for."""
