"""How the factors of empathy hang together in annotated conversations (CoMAE, section 4.5 and appendix B)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import msgspec
import numpy as np
from numpy.typing import NDArray

from empathic.dialogue import Dialogue, Factors
from empathic.errors import DataError, UsageError
from empathic.metrics.association import information
from empathic.taxonomy import (
    ACTS,
    EMOTIONS,
    EMOTIONS_AND_INTENTS,
    MECHANISMS,
    SITUATION_EMOTIONS,
    polarity,
)

__all__ = [
    "ALL",
    "NO_MECHANISM",
    "WITH_A_MECHANISM",
    "FactorAnalysis",
    "Meeting",
    "Observed",
    "Selection",
    "analyse",
    "domain_of",
    "observe",
]

Labels = NDArray[np.int64]
NO_MECHANISM = "none"
ALL = "all"
WITH_A_MECHANISM = "with a mechanism"
MISSING = -1
LABELS: dict[str, tuple[str, ...]] = {
    "feeling": SITUATION_EMOTIONS.labels,
    "mechanisms": (*MECHANISMS.labels, NO_MECHANISM),
    "act": ACTS.labels,
    "emotion": EMOTIONS.labels,
    "intent": EMOTIONS_AND_INTENTS.labels,
    "polarity": ("positive", "negative", "even"),
}
"""What is known of a response, in the order in which one could decide the other: what the speaker felt before it, and
then what the response itself shows."""
SETS_OF_MECHANISMS = 2 ** len(MECHANISMS)


class Meeting(msgspec.Struct, frozen=True):
    """How two factors meet: counts by label of x and then of y, and what one says about the other."""

    x: str
    y: str
    counts: list[list[int]]
    bits: float
    """Mutual information, corrected for what chance adds."""
    low: float
    high: float
    """Its 95 % interval."""
    share_of_x: float
    share_of_y: float
    """Of all there is to know about each."""


class Selection(msgspec.Struct, frozen=True):
    """Some of the responses: those of a domain or of all, all of them or those that show a mechanism."""

    responses: str
    domain: str
    count: int
    counts: dict[str, list[int]]
    """How often each label of a factor was given; several mechanisms may show in one response."""
    meetings: list[Meeting]

    def share(self, factor: str, label: str) -> float:
        """The share of responses with that label."""
        return self.counts[factor][LABELS[factor].index(label)] / max(1, self.count)


class FactorAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """All that was counted, and how."""

    corpus: str
    dialogues: int
    responses: int
    left_out: int
    """Responses that nothing is known of."""
    domains_by: str
    annotators: dict[str, str]
    """The model of each reading; empty where the factors stood in the corpus."""
    samples: int
    seed: int
    labels: dict[str, tuple[str, ...]]
    selections: list[Selection]

    def selection(self, responses: str = ALL, domain: str = ALL) -> Selection:
        """That one of the selections."""
        return next(each for each in self.selections if (each.responses, each.domain) == (responses, domain))

    @property
    def domains(self) -> list[str]:
        """The domains that the responses fall into; none where there is but one."""
        return [each.domain for each in self.selections if each.responses == ALL and each.domain != ALL]


class Observed(msgspec.Struct):
    """Responses by number: their conversation, their domain, and the number of their label for each factor."""

    dialogues: list[int] = []
    domains: list[str] = []
    factors: dict[str, list[int]] = msgspec.field(default_factory=lambda: {name: [] for name in LABELS})
    """Mechanisms as a set: bit i stands for the i-th."""
    left_out: int = 0
    conversations: int = 0


BY_DEFAULT = "the speaker's feeling, or the label domain"


def domain_of(by: str | None) -> Callable[[Dialogue], str]:
    """What tells a conversation's domain: a field or label of that name.

    By default the label "domain", as PEC has it, and else whether the speaker's emotion is positive or negative.
    """

    def named(dialogue: Dialogue) -> str:
        if by is None:
            return dialogue.labels.get("domain") or _side(dialogue)
        if by == "polarity":
            return _side(dialogue)
        if by in ("split", "corpus", "emotion"):
            return str(getattr(dialogue, by) or "")
        return dialogue.labels.get(by, "")

    return named


def _side(dialogue: Dialogue) -> str:
    """Whether what the speaker feels is positive or negative, by the corpus or else as it was read at the beginning."""
    read = next((turn.factors.feeling for turn in dialogue.turns if turn.factors and turn.factors.feeling), None)
    emotion = dialogue.emotion if dialogue.emotion in SITUATION_EMOTIONS else read
    return polarity(emotion) if emotion else ""


def observe(dialogues: Iterable[Dialogue], domain: Callable[[Dialogue], str]) -> Observed:
    """Gathers what is known of every response that answers something."""
    observed = Observed()
    for number, dialogue in enumerate(dialogues):
        observed.conversations += 1
        where = domain(dialogue)
        for exchange in dialogue.exchanges():
            factors = exchange.response.factors
            if factors is None or (factors.mechanisms is None and factors.act is None and factors.emotion is None):
                observed.left_out += 1
                continue
            felt = next((turn.factors.feeling for turn in reversed(exchange.context) if turn.factors), None)
            observed.dialogues.append(number)
            observed.domains.append(where)
            for name, value in _labels_of(factors, felt):
                observed.factors[name].append(value)
    return observed


def _labels_of(factors: Factors, felt: str | None) -> Iterator[tuple[str, int]]:
    yield "feeling", MISSING if felt not in SITUATION_EMOTIONS else SITUATION_EMOTIONS.index(str(felt))
    shown = MISSING
    if factors.mechanisms is not None:
        levels = [getattr(factors.mechanisms, name) for name in MECHANISMS]
        shown = sum(bool(each and each.level) << position for position, each in enumerate(levels))
    yield "mechanisms", shown
    for name in ("act", "emotion", "intent"):
        label = getattr(factors, name)
        yield name, MISSING if label not in LABELS[name] else LABELS[name].index(label)
    tone = factors.polarity or ("even" if factors.valence is not None else None)
    yield "polarity", MISSING if tone is None else LABELS["polarity"].index(tone)


def analyse(
    observed: Observed,
    *,
    corpus: str,
    by: str | None,
    annotators: dict[str, str],
    samples: int = 1000,
    seed: int = 0,
    told: Callable[[int, int], None] = lambda _, __: None,
) -> FactorAnalysis:
    """Counts every factor and every pair of factors, for all responses and for those that show a mechanism.

    Args:
        observed: The responses.
        corpus: What they come from.
        by: What tells the domains apart, as `domain_of` takes it.
        annotators: The model of each reading that the factors were read by.
        samples: How often conversations are drawn anew for the intervals.
        seed: What is drawn follows from it.
        told: Told how many of how many pairs have been counted.
    """
    if not observed.dialogues:
        if not observed.left_out:
            raise DataError(f"{corpus}: no listener in it answers anybody, so that there is nothing to count")
        raise DataError(f"{corpus}: no response in it has factors", remedy="let them be read: leave out --given")
    if by is not None and not any(observed.domains):
        raise UsageError(f"no conversation of {corpus} has a label {by!r} to tell domains by")
    factors = {name: np.array(values) for name, values in observed.factors.items()}
    known = {name: values for name, values in factors.items() if (values != MISSING).any()}
    groups, domains = np.array(observed.dialogues), np.array(observed.domains)
    names = sorted(set(observed.domains) - {""})
    parts = [ALL, *(names if len(names) > 1 else [])]
    wanted = [ALL, WITH_A_MECHANISM] if "mechanisms" in known else [ALL]
    pairs = list(combinations(known, 2))
    selections: list[Selection] = []
    for responses in wanted:
        for domain in parts:
            chosen = np.full(len(groups), True) if domain == ALL else domains == domain
            if responses == WITH_A_MECHANISM:
                chosen = chosen & (factors["mechanisms"] > 0)
            here = {name: values[chosen] for name, values in known.items()}
            met = []
            for x, y in pairs:
                met.append(_meeting(x, y, here, groups[chosen], samples, seed))
                told(len(selections) * len(pairs) + len(met), len(wanted) * len(parts) * len(pairs))
            counts = {name: _counts(name, values) for name, values in here.items()}
            selections.append(Selection(responses, domain, int(chosen.sum()), counts, met))
    return FactorAnalysis(
        corpus=corpus,
        dialogues=observed.conversations,
        responses=len(groups),
        left_out=observed.left_out,
        domains_by=by or BY_DEFAULT,
        annotators=annotators,
        samples=samples,
        seed=seed,
        labels={name: LABELS[name] for name in known},
        selections=selections,
    )


def _counts(name: str, values: Labels) -> list[int]:
    return [int(column.sum()) for column in _shown(name, values).T]


def _meeting(x: str, y: str, factors: dict[str, Labels], groups: Labels, samples: int, seed: int) -> Meeting:
    known = (factors[x] != MISSING) & (factors[y] != MISSING)
    first, second = factors[x][known], factors[y][known]
    # What several mechanisms show together is one label here, so that the two are plain random variables.
    _, group = np.unique(groups[known], return_inverse=True)
    found = information(first, second, (_width(x), _width(y)), group, samples=samples, seed=seed)
    counts = _shown(x, first).T.astype(np.int64) @ _shown(y, second).astype(np.int64)
    rounded = (round(number, 4) for number in found)
    return Meeting(x, y, counts.tolist(), *rounded)


def _width(name: str) -> int:
    return SETS_OF_MECHANISMS if name == "mechanisms" else len(LABELS[name])


def _shown(name: str, values: Labels) -> NDArray[np.bool_]:
    """Which labels every response has: (responses, labels); a set of mechanisms is taken apart."""
    if name != "mechanisms":
        columns = [values == label for label in range(len(LABELS[name]))]
    else:
        known = values != MISSING
        columns = [known & ((values >> position) % 2 == 1) for position in range(len(MECHANISMS))]
        columns.append(values == 0)
    return np.stack(columns, axis=1)
