"""Items apart by what the speaker feels, as MIME's Table 4 tells positive emotions from negative ones."""

from __future__ import annotations

from collections.abc import Sequence

from empathic.taxonomy import SITUATION_EMOTIONS, polarity

__all__ = ["by_polarity"]


def by_polarity(emotions: Sequence[str | None]) -> dict[str, list[int]]:
    """The items whose speaker feels something positive, and those with something negative.

    One whose emotion is not told, or none of the 32, belongs to neither; a group without items is not there.
    """
    groups: dict[str, list[int]] = {"positive": [], "negative": []}
    for item, emotion in enumerate(emotions):
        if emotion is not None and emotion in SITUATION_EMOTIONS:
            groups[polarity(emotion)].append(item)
    return {name: items for name, items in groups.items() if items}
