"""Text, handled in one way everywhere: tidied, cut into words, folded for comparison."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["fold", "plain_words", "tidy", "treebank_words", "words"]

# A word keeps its inner apostrophes and hyphens ("don't", "well-being"); every other mark stands alone.
_WORD = re.compile(r"\w+(?:['’\-]\w+)*|[^\w\s]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f​﻿\ud800-\udfff]")
_SPACE = re.compile(r"\s+")


def tidy(text: str) -> str:
    """Composed Unicode, nothing that is no character, one space between words: how text enters a model."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # as most text is: what follows would find nothing to do
    return _SPACE.sub(" ", _CONTROL.sub(" ", unicodedata.normalize("NFC", text))).strip()


def words(text: str) -> list[str]:
    """Words and punctuation marks, in order, as written."""
    return _WORD.findall(text)


def fold(text: str) -> str:
    """What two texts have in common when they say the same: words alone, without case, marks or accents."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.findall(r"\w+", "".join(c for c in decomposed if not unicodedata.combining(c))))


# The Penn Treebank's way of cutting words, for text in lower case.
_TREEBANK = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"([:,])(?=\D|$)", r" \1 "),
        (r"\.{2,}", r" \g<0> "),
        (r"[;@#$%&?!()\[\]{}<>\"“”«»]|--+", r" \g<0> "),
        (r"(?<=\w)\.(?=['’)\]]*(?:\s|$))", r" ."),
        (r"(?<![\w'’])(['’])(?!(?:s|m|d|ll|re|ve|t)\b)", r"\1 "),
        (r"(?<=[^\s'’])(['’](?:s|m|d|ll|re|ve)?)(?=\s|$)", r" \1"),
        (r"(?<=\w)(n['’]t)(?=\s|$)", r" \1"),
        (r"\b(can)(not)\b|\b(gim|lem)(me)\b|\b(gon|wan)(na)\b|\b(got)(ta)\b", r" \1\3\5\7 \2\4\6\8 "),
    )
)
_ABBREVIATED = re.compile(r"(?<![\w'’])(mr|mrs|ms|dr|st|jr|sr|vs|etc|prof|[a-z]) \.(?=\s+\S)")

# What MoEL's authors write out before they cut, and so everybody who trains on their arrays.
_WRITTEN_OUT = {
    "it's": "it is", "don't": "do not", "doesn't": "does not", "didn't": "did not", "you'd": "you would",
    "you're": "you are", "you'll": "you will", "i'm": "i am", "they're": "they are", "that's": "that is",
    "what's": "what is", "couldn't": "could not", "i've": "i have", "we've": "we have", "can't": "cannot",
    "i'd": "i would", "aren't": "are not", "isn't": "is not", "wasn't": "was not", "weren't": "were not",
    "won't": "will not", "there's": "there is", "there're": "there are",
}  # fmt: skip


def treebank_words(text: str) -> list[str]:
    """Words and marks of a text in lower case, cut as the Penn Treebank cuts them: "did n't", "mum 's", "wait ..."."""
    for pattern, put in _TREEBANK:
        text = pattern.sub(put, text)
    return _ABBREVIATED.sub(r"\1.", text).split()


def plain_words(text: str) -> list[str]:
    """The words of the systems that were trained on MoEL's arrays: lower case, contractions written out, Treebank."""
    text = tidy(text).lower()
    for short, long in _WRITTEN_OUT.items():
        text = text.replace(short, long)
    return treebank_words(text)
