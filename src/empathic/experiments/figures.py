"""Every figure that a run is known by: what it is, and which way is better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from empathic.errors import UsageError, nearest
from empathic.metrics.perplexity import PERPLEXITIES
from empathic.metrics.realization import REALIZATIONS
from empathic.metrics.replies import MEASURES

__all__ = ["AT_RANDOM", "FIGURES", "KINDS", "TOP", "Figure", "chosen_figures"]

Better = Literal["higher", "lower", "neither"]
Kind = Literal["likelihood", "labels", "replies", "realization"]

TOP = (1, 2, 5)
AT_RANDOM = "-at-random"
KINDS: dict[Kind, str] = {
    "likelihood": "How likely a run finds what people said",
    "labels": "What a run perceives, and decides to do",
    "replies": "What a run says",
    "realization": "Whether it says what it planned",
}


class Figure(NamedTuple):
    """A figure by its name."""

    name: str
    kind: Kind
    about: str
    better: Better = "higher"


def _all() -> Iterable[Figure]:
    for perplexity in PERPLEXITIES.values():
        yield Figure(perplexity.name, "likelihood", f"{perplexity.about} ({perplexity.protocol})", "lower")
    for k in TOP:
        among = "the likeliest" if k == 1 else f"among the {k} likeliest"
        yield Figure(f"emotion-top-{k}", "labels", f"per cent whose speaker's emotion is {among}")
    for ending, random in (("", ""), (AT_RANDOM, ", of random guesses")):
        for part in ("precision", "recall", "f1"):
            about = f"{part} of the response's predicted emotion or intent, weighted by label, x 100{random}"
            yield Figure(f"intent-{part}{ending}", "labels", about, "neither" if random else "higher")
    better: dict[str, Better] = {"repeating": "lower", "words": "neither"}
    for measure in MEASURES.values():
        yield Figure(measure.name, "replies", measure.about, better.get(measure.name, "higher"))
    for name, (about, _) in REALIZATIONS.items():
        yield Figure(name, "realization", about)


FIGURES = {figure.name: figure for figure in _all()}
"""All that are known, in the order in which they are shown."""


def chosen_figures(names: Sequence[str] | None, there: Iterable[str]) -> list[str]:
    """The figures that are to be shown, in the order in which they were named.

    Args:
        names: Those that are asked for; by default all that there are but what is random.
        there: Those that there are.
    """
    known = set(there)
    if names is None:
        return [name for name in FIGURES if name in known and not name.endswith(AT_RANDOM)]
    for name in names:
        if name not in FIGURES:
            raise UsageError(f"there is no figure {name!r}; {nearest(name, FIGURES)}")
        if name not in known:
            raise UsageError(f"no run has {name}; there are: {', '.join(each for each in FIGURES if each in known)}")
    return list(names)
