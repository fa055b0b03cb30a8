"""The annotator: dialogues in, the same dialogues out with what was read off them."""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from empathic.annotators.answers import labels_chosen, likeliest, several_chosen, strongest_run, words_shown, yes_levels
from empathic.annotators.factors import FACTORS, READINGS, TONE, chosen_factors
from empathic.annotators.finding import annotators_in, the_one
from empathic.annotators.folder import TrainedReading, load_reading
from empathic.annotators.lexicon import Lexicon, find_lexicon, read_lexicon
from empathic.annotators.readings import Text, lay_out
from empathic.annotators.scoring import Scores, score
from empathic.annotators.scripts import EMOTION, ToRead, to_read
from empathic.artifacts import read_manifest, shipped_folder
from empathic.compute import choose_device
from empathic.dialogue import Cause, Dialogue, Factors, Mechanism, Mechanisms, Turn
from empathic.errors import ArtifactError, UsageError
from empathic.taxonomy import MECHANISMS
from empathic.text import tidy

__all__ = ["Annotator", "annotate", "factors_there"]

SHIPPED = "annotators"
TURNS_AT_ONCE = 4096
CHARACTERS_AT_ONCE = 2_000_000
NOTHING = Factors()

Fields = dict[str, Any]
"""What was read off a turn, by the names of `Factors`."""


def annotate(
    dialogues: Iterable[Dialogue | str] | Dialogue | str,
    *,
    factors: Collection[str] | None = None,
    top: int = 1,
    models: Path | None = None,
    lexicon: Path | None = None,
    device: str | None = None,
) -> Iterator[Dialogue]:
    """Reads factors off dialogues, as they come.

    Args:
        dialogues: What is read; a text by itself is a dialogue of one turn.
        factors: Which ones, of `annotators.FACTORS`; by default all that there are models for.
        top: How many labels are given with their probabilities.
        models: A trained model or the run that made it, or a folder with such for each reading; those that come with
            the package by default.
        lexicon: A lexicon in the layout of NRC-VAD; by default the one among the data, if there is one.
        device: What to compute on; a GPU where there is one by default.
    """
    annotator = Annotator(factors, top=top, models=models, lexicon=lexicon, device=device)
    return annotator.annotate([dialogues] if isinstance(dialogues, Dialogue | str) else dialogues)


class Annotator:
    """Reads factors off dialogues; loads its models once."""

    def __init__(
        self,
        factors: Collection[str] | None = None,
        *,
        top: int = 1,
        models: Path | None = None,
        lexicon: Path | None = None,
        device: str | None = None,
    ) -> None:
        """Loads what is needed; see `annotate` for the arguments."""
        if top < 1:
            raise UsageError(f"{top} labels cannot be given: ask for one at least")
        self.top = top
        self.device = choose_device(device)
        there = _models_there(models)
        if lexicon is None:
            lexicon = find_lexicon()
        self.factors = chosen_factors(factors_there(models, lexicon) if factors is None else factors)
        needed = {reading for name in self.factors if (reading := FACTORS[name])}
        if "cause" in needed:
            needed.add("context")  # a cause is the cause of a feeling
        if missing := sorted(needed - there.keys()):
            raise ArtifactError(
                f"there is no trained model for the reading {missing[0]!r} in {models or shipped_folder() / SHIPPED}",
                remedy=f"empathic train annotators/{missing[0]}, and name the folder with --models",
            )
        if not self.factors:
            raise ArtifactError(
                f"there are no trained models in {models or shipped_folder() / SHIPPED}", remedy="empathic train"
            )
        self.lexicon: Lexicon | None = None
        if TONE in self.factors:
            if lexicon is None:
                raise UsageError("tone needs a lexicon in the layout of NRC-VAD", remedy="name it with --lexicon")
            self.lexicon = read_lexicon(lexicon)
        root = models or shipped_folder() / SHIPPED
        self.folders = {
            each.name: the_one(there[each.name], each.name, root) for each in READINGS if each.name in needed
        }
        self.readings = {name: self._load(folder) for name, folder in self.folders.items()}

    def annotate(self, dialogues: Iterable[Dialogue | str]) -> Iterator[Dialogue]:
        """The same dialogues with factors, in their order; a bounded number of turns is held at a time."""
        for chunk in _chunks(dialogues):
            with _uncollected():
                annotated = self._annotate(chunk)
            yield from annotated

    @property
    def identity(self) -> tuple[Any, ...]:
        """What changes when the answers may."""
        manifests = [read_manifest(folder) for folder in self.folders.values()]
        trained = [(sorted(manifest.sha256.items()), manifest.settings) for manifest in manifests]
        tones = None if self.lexicon is None else len(self.lexicon.tones)
        return (self.factors, self.top, trained, tones)

    @property
    def models(self) -> dict[str, str]:
        """By reading: the name of the model, and the beginning of its checksum."""
        manifests = {name: read_manifest(folder) for name, folder in self.folders.items()}
        return {
            name: f"{manifest.name} ({min(manifest.sha256.values(), default='')[:8]})"
            for name, manifest in manifests.items()
        }

    def _load(self, folder: Path) -> TrainedReading:
        trained = load_reading(folder)
        trained.model.to(self.device)
        return trained

    def _annotate(self, dialogues: Sequence[Dialogue]) -> list[Dialogue]:
        read: list[list[Fields]] = [[{"probabilities": {}} for _ in dialogue.turns] for dialogue in dialogues]
        if "utterance" in self.readings:
            self._read_utterances(dialogues, read)
        if "exchange" in self.readings:
            self._read_exchanges(dialogues, read)
        if "context" in self.readings:
            self._read_contexts(dialogues, read)
        if "cause" in self.readings:
            self._read_causes(dialogues, read)
        return [
            msgspec.structs.replace(dialogue, turns=tuple(map(self._turn, dialogue.turns, found)))
            for dialogue, found in zip(dialogues, read, strict=True)
        ]

    def _read_utterances(self, dialogues: Sequence[Dialogue], read: list[list[Fields]]) -> None:
        targets, _, _, scores = self._score("utterance", dialogues, read)
        trained = self.readings["utterance"]
        for head in trained.reading.heads:
            if head.name not in self.factors or not targets:
                continue
            said = trained.probabilities(head, np.asarray(scores[head.name]))
            for target, found in zip(targets, likeliest(head.labels, said, self.top), strict=True):
                target["probabilities"][head.name] = found
                target[head.name] = next(iter(found))
            if head.kind == "several":
                chosen = labels_chosen(head.labels, several_chosen(said, trained.threshold(head)))
                for target, labels in zip(targets, chosen, strict=True):
                    target[head.name] = labels

    def _read_exchanges(self, dialogues: Sequence[Dialogue], read: list[list[Fields]]) -> None:
        targets, entries, texts, scores = self._score("exchange", dialogues, read, offsets=True)
        trained = self.readings["exchange"]
        levels = {}
        for name in MECHANISMS if targets else ():
            head = trained.reading.head(name)
            said = trained.probabilities(head, np.asarray(scores[name]))
            levels[name] = yes_levels(said).tolist()
            for target, found in zip(targets, likeliest(head.labels, said, len(head.labels)), strict=True):
                target["probabilities"][name] = found
        words = trained.reading.head("rationale")
        enough = trained.threshold(words)
        for number, (target, entry, text) in enumerate(zip(targets, entries, texts, strict=True)):
            marked = trained.probabilities(words, scores["rationale"][number])
            response = tidy(entry.script[1].text)
            target["mechanisms"] = Mechanisms(
                *(
                    Mechanism(level, words_shown(text, 1, response, marked[:, column], enough) if level else ())
                    for column, name in enumerate(MECHANISMS)
                    for level in (levels[name][number],)
                )
            )

    def _read_contexts(self, dialogues: Sequence[Dialogue], read: list[list[Fields]]) -> None:
        targets, _, _, scores = self._score("context", dialogues, read)
        trained = self.readings["context"]
        if targets:
            head = trained.reading.head("feeling")
            said = trained.probabilities(head, np.asarray(scores["feeling"]))
            for target, found in zip(targets, likeliest(head.labels, said, self.top), strict=True):
                target["probabilities"]["feeling"] = found
                target["feeling"] = next(iter(found))

    def _read_causes(self, dialogues: Sequence[Dialogue], read: list[list[Fields]]) -> None:
        targets, entries, texts, scores = self._score("cause", dialogues, read, offsets=True)
        trained = self.readings["cause"]
        holds, words = trained.reading.head("cause"), trained.reading.head("cause_span")
        for number, (target, entry, text) in enumerate(zip(targets, entries, texts, strict=True)):
            turns = trained.probabilities(holds, scores["cause"][number])[:, 0]
            marked = trained.probabilities(words, scores["cause_span"][number])[:, 0]
            causes = {}
            for line, (place, sure) in enumerate(zip(entry.places, turns.tolist(), strict=True)):
                if place != EMOTION and sure >= trained.threshold(holds):
                    said = tidy(entry.script[line].text)
                    cause = Cause(place, strongest_run(text, line, said, marked, trained.threshold(words)))
                    causes[cause] = round(sure, 4)
            target["causes"] = tuple(causes)
            target["probabilities"]["causes"] = {str(cause.turn): sure for cause, sure in causes.items()}

    def _score(
        self, name: str, dialogues: Sequence[Dialogue], read: list[list[Fields]], *, offsets: bool = False
    ) -> tuple[list[Fields], list[ToRead], list[Text], Scores]:
        """Where the answers of a reading go, what was read for each, and the scores."""
        trained = self.readings[name]
        targets, entries = [], []
        for dialogue, found in zip(dialogues, read, strict=True):
            feelings = {turn: each["feeling"] for turn, each in enumerate(found) if "feeling" in each}
            for entry in to_read(dialogue.turns, name, feelings):
                targets.append(found[entry.turn])
                entries.append(entry)
        longest = trained.reading.longest
        texts = lay_out(trained.encoder, [entry.script for entry in entries], longest=longest, offsets=offsets)
        return targets, entries, texts, score(trained.model, texts, pad=trained.encoder.pad, device=self.device)

    def _turn(self, turn: Turn, found: Fields) -> Turn:
        """The turn with what was found; what was not asked for stays as it was."""
        if "feeling" in found and "feeling" not in self.factors:
            del found["feeling"], found["probabilities"]["feeling"]
        if self.lexicon is not None:
            found |= self._tone(self.lexicon, turn.text)
        before = turn.factors or NOTHING
        if before.probabilities:
            found["probabilities"] = before.probabilities | found["probabilities"]
        return msgspec.structs.replace(turn, factors=msgspec.structs.replace(before, **found))

    def _tone(self, lexicon: Lexicon, text: str) -> Fields:
        tone = lexicon.tone(text)
        if tone is None:
            return dict.fromkeys(("polarity", "valence", "arousal", "dominance"))
        return {"polarity": tone.polarity} | {name: round(number, 4) for name, number in tone._asdict().items()}


def factors_there(models: Path | None = None, lexicon: Path | None = None) -> list[str]:
    """What can be read: the factors that there is a trained model or a lexicon for."""
    there = _models_there(models)
    tone = lexicon or find_lexicon()
    return [name for name, reading in FACTORS.items() if (tone if reading is None else reading in there)]


def _models_there(models: Path | None) -> dict[str, list[Path]]:
    """By reading: the trained models that there are for it. A folder that was named holds one at least."""
    if models is None:
        return annotators_in(shipped_folder() / SHIPPED)
    if not models.is_dir():
        raise ArtifactError(f"there is no folder {models}")
    there = annotators_in(models)
    if not there:
        raise ArtifactError(
            f"{models} holds no trained annotator", remedy="name a model folder, a run, or a folder with some of these"
        )
    return there


@contextmanager
def _uncollected() -> Iterator[None]:
    """Looks for no garbage inside: among the thousands of small things of a chunk, that would take half of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _chunks(dialogues: Iterable[Dialogue | str]) -> Iterator[list[Dialogue]]:
    """Dialogues, as many as are read at once."""
    chunk: list[Dialogue] = []
    turns = characters = 0
    for number, given in enumerate(dialogues):
        dialogue = Dialogue(str(number), (Turn("speaker", given),)) if isinstance(given, str) else given
        chunk.append(dialogue)
        turns += len(dialogue.turns)
        characters += sum(len(turn.text) for turn in dialogue.turns)
        if turns >= TURNS_AT_ONCE or characters >= CHARACTERS_AT_ONCE:
            yield chunk
            chunk, turns, characters = [], 0, 0
    if chunk:
        yield chunk
