"""Every set of labels, once, and the mappings between them.

The order of a set is part of it: a trained head's output `i` is the set's label `i`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from empathic.errors import UsageError, nearest

__all__ = [
    "ACTS",
    "ALL_INTENTS_TO_ACTS",
    "CONCEPTNET_TO_RELATIONS",
    "DAILY_ACTS",
    "DAILY_EMOTIONS",
    "EMOTIONS",
    "EMOTIONS_AND_INTENTS",
    "ESCONV_STRATEGIES",
    "GOEMOTIONS",
    "GOEMOTIONS_TO_EMOTIONS",
    "INTENTS",
    "LABEL_SETS",
    "LEVELS",
    "MECHANISMS",
    "MIXED_RELATIONS",
    "NEGATIVE",
    "NEUTRAL",
    "OTHERS_RELATIONS",
    "POSITIVE",
    "RELATIONS",
    "RELATION_GROUPS",
    "SITUATION_EMOTIONS",
    "LabelSet",
    "Polarity",
    "polarity",
]

Polarity = Literal["positive", "negative"]
NEUTRAL = "neutral"


@dataclass(frozen=True)
class LabelSet:
    """A named, ordered set of labels."""

    name: str
    labels: tuple[str, ...]
    source: str
    """Who defined the set."""

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {label: position for position, label in enumerate(self.labels)}

    def index(self, label: str) -> int:
        """The position of `label`, or a `UsageError` that names the nearest one."""
        position = self._positions.get(label)
        if position is None:
            raise UsageError(f"{label!r} is none of the {len(self)} labels of {self.name}; {nearest(label, self)}")
        return position

    def __contains__(self, label: object) -> bool:
        return label in self._positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.labels)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, position: int) -> str:
        return self.labels[position]


def _labels(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def _frozen(mapping: dict[str, str]) -> Mapping[str, str]:
    return MappingProxyType(mapping)


SITUATION_EMOTIONS = LabelSet(
    "situation emotions",
    _labels(
        "afraid angry annoyed anticipating anxious apprehensive ashamed caring confident content devastated "
        "disappointed disgusted embarrassed excited faithful furious grateful guilty hopeful impressed jealous "
        "joyful lonely nostalgic prepared proud sad sentimental surprised terrified trusting"
    ),
    "EmpatheticDialogues (Rashkin et al. 2019): the 32 emotions a conversation grows from",
)

# MIME, Table 1. Anticipating, nostalgic and sentimental stand among the negative ones there.
POSITIVE = LabelSet(
    "positive emotions",
    _labels(
        "confident joyful grateful impressed proud excited trusting hopeful faithful prepared content surprised caring"
    ),
    "MIME (Majumder et al. 2020), Table 1",
)
NEGATIVE = LabelSet(
    "negative emotions",
    _labels(
        "afraid angry annoyed anticipating anxious apprehensive ashamed devastated disappointed disgusted "
        "embarrassed furious guilty jealous lonely nostalgic sad sentimental terrified"
    ),
    "MIME (Majumder et al. 2020), Table 1",
)

INTENTS = LabelSet(
    "empathetic intents",
    _labels("agreeing acknowledging encouraging consoling sympathizing suggesting questioning wishing"),
    "EmpatheticIntents (Welivita & Pu 2020): what a listener does",
)

EMOTIONS_AND_INTENTS = LabelSet(
    "emotions and intents",
    (*SITUATION_EMOTIONS, *INTENTS, NEUTRAL),
    "MEED2 (Xie & Pu 2021): 32 emotions, 8 intents and neutral, in EmpatheticIntents' numbering",
)

ACTS = LabelSet(
    "dialog acts",
    _labels("acknowledging agreeing consoling encouraging questioning suggesting sympathizing wishing others"),
    "CoMAE (Zheng et al. 2021), Figure 5: the 8 intents and others",
)

GOEMOTIONS = LabelSet(
    "GoEmotions",
    _labels(
        "admiration amusement anger annoyance approval caring confusion curiosity desire disappointment disapproval "
        "disgust embarrassment excitement fear gratitude grief joy love nervousness optimism pride realization "
        "relief remorse sadness surprise neutral"
    ),
    "GoEmotions (Demszky et al. 2020): 27 emotions and neutral",
)

EMOTIONS = LabelSet(
    "emotions",
    _labels("admiration anger approval caring fear gratitude joy sadness surprise neutral"),
    "CoMAE (Zheng et al. 2021), Table 6: 9 emotions and neutral",
)

# CoMAE, Table 6, read from right to left.
GOEMOTIONS_TO_EMOTIONS = _frozen(
    {
        original: ours
        for ours, originals in {
            "admiration": "admiration pride",
            "anger": "anger annoyance disgust disapproval",
            "approval": "approval realization",
            "caring": "caring desire optimism",
            "fear": "fear nervousness",
            "gratitude": "gratitude relief",
            "joy": "joy amusement excitement love",
            "sadness": "sadness disappointment embarrassment grief remorse",
            "surprise": "surprise confusion curiosity",
            NEUTRAL: NEUTRAL,
        }.items()
        for original in originals.split()
    }
)

# EmpatheticIntents' manual annotation knows finer intents than the 8 that it kept; what it did not keep is "others".
ALL_INTENTS_TO_ACTS = _frozen(
    {intent: intent for intent in ACTS}
    | dict.fromkeys(
        _labels(
            "advising appreciating disapproving expressing_care_concern expressing_relief sharing_experience "
            "sharing_opinions neutral"
        ),
        "others",
    )
)

MECHANISMS = LabelSet(
    "communication mechanisms",
    _labels("emotional_reaction interpretation exploration"),
    "EPITOME (Sharma et al. 2020)",
)
LEVELS = LabelSet("levels of a mechanism", _labels("none weak strong"), "EPITOME (Sharma et al. 2020)")

# IMAGINE, section 3.2.2: eleven relations of ATOMIC-2020 that are centred on the speaker, in four groups.
RELATION_GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "affect": ("xReact",),
        "behaviour": ("xIntent", "xNeed", "xWant", "xEffect", "xAttr"),
        "physical": ("HasProperty", "CapableOf", "Desires"),
        "events": ("Causes", "xReason"),
    }
)
RELATIONS = LabelSet(
    "relations",
    tuple(relation for group in RELATION_GROUPS.values() for relation in group),
    "IMAGINE (Chen & Liang 2022), of ATOMIC-2020 (Hwang et al. 2021)",
)
OTHERS_RELATIONS = LabelSet(
    "relations of others", ("oReact", "oWant", "oEffect"), "ATOMIC (Sap et al. 2019): what the event means to others"
)
# Where a source asks about another person in a way that ATOMIC has no relation for.
MIXED_RELATIONS = LabelSet(
    "relations of others beyond ATOMIC", ("oIntent", "oNeed", "oAttr"), "Social IQa (Sap et al. 2019)"
)

CONCEPTNET_TO_RELATIONS = _frozen(
    {
        "HasProperty": "HasProperty",
        "CapableOf": "CapableOf",
        "Desires": "Desires",
        "Causes": "Causes",
        "MotivatedByGoal": "xReason",
    }
)

DAILY_EMOTIONS = LabelSet(
    "DailyDialog emotions",
    ("no emotion", "anger", "disgust", "fear", "happiness", "sadness", "surprise"),
    "DailyDialog (Li et al. 2017)",
)
DAILY_ACTS = LabelSet(
    "DailyDialog acts", _labels("inform question directive commissive"), "DailyDialog (Li et al. 2017)"
)

ESCONV_STRATEGIES = LabelSet(
    "support strategies",
    (
        "Question",
        "Restatement or Paraphrasing",
        "Reflection of feelings",
        "Self-disclosure",
        "Affirmation and Reassurance",
        "Providing Suggestions",
        "Information",
        "Others",
    ),
    "ESConv (Liu et al. 2021)",
)

LABEL_SETS: tuple[LabelSet, ...] = (
    SITUATION_EMOTIONS,
    POSITIVE,
    NEGATIVE,
    INTENTS,
    EMOTIONS_AND_INTENTS,
    ACTS,
    GOEMOTIONS,
    EMOTIONS,
    MECHANISMS,
    LEVELS,
    RELATIONS,
    OTHERS_RELATIONS,
    MIXED_RELATIONS,
    DAILY_EMOTIONS,
    DAILY_ACTS,
    ESCONV_STRATEGIES,
)


def polarity(emotion: str) -> Polarity:
    """MIME's group of one of the 32 emotions."""
    SITUATION_EMOTIONS.index(emotion)
    return "positive" if emotion in POSITIVE else "negative"
