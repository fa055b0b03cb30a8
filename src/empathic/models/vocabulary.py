"""What a model trained from nothing reads and writes: whole words, or byte-pair pieces, as numbers and back.

Both are a `tokenizers.Tokenizer`, so that a model folder holds either as its `tokenizer.json`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from empathic.errors import ArtifactError
from empathic.text import plain_words, tidy

__all__ = ["MARKS", "Units", "Vocabulary", "learn_pieces", "learn_words", "load_vocabulary"]

Units = Literal["words", "pieces"]
MARKS = ("<pad>", "<unknown>", "<begin>", "<end>", "<speaker>", "<listener>", "<context>")
"""The first tokens of every vocabulary, in this order."""
PAD, UNKNOWN, BEGIN, END, SPEAKER, LISTENER, CONTEXT = range(len(MARKS))
BEGINS_A_SENTENCE = re.compile(r"(?:^|(?<!\.)[.!?]\s+)([a-z])")


@dataclass(frozen=True)
class Vocabulary:
    """Text to numbers and back."""

    tokenizer: Tokenizer
    units: Units

    def __post_init__(self) -> None:
        # A user who types "<end>" has typed five signs, and ended nothing.
        self.tokenizer.encode_special_tokens = True

    @cached_property
    def size(self) -> int:
        return self.tokenizer.get_vocab_size()

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Each text's tokens, without marks; a word that is not known is `UNKNOWN`."""
        if self.units == "words":
            texts = [" ".join(plain_words(text)) for text in texts]
        else:
            # A piece that begins a word looks the same wherever the word stands.
            texts = [f" {tidy(text)}" for text in texts]
        return [encoded.ids for encoded in self.tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def decode(self, tokens: Sequence[int]) -> str:
        """The text as a person would write it."""
        if self.units == "pieces":
            return self.tokenizer.decode([token for token in tokens if token >= len(MARKS)]).strip()
        return _written([self.tokenizer.id_to_token(token) or "" for token in tokens if token >= len(MARKS)])

    def rows(self) -> dict[str, int]:
        """Every token that is no mark, with its number."""
        return {token: number for token, number in self.tokenizer.get_vocab().items() if number >= len(MARKS)}

    def dumped(self) -> str:
        """What `tokenizer.json` holds."""
        return str(self.tokenizer.to_str())


def learn_words(texts: Iterable[str], *, fewest: int = 1) -> Vocabulary:
    """All words that come at least so often, the most frequent first."""
    counted = Counter(word for text in texts for word in plain_words(text))
    ranked = sorted(
        (word for word, times in counted.items() if times >= fewest), key=lambda word: (-counted[word], word)
    )
    words = {word: number for number, word in enumerate((*MARKS, *ranked))}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token=MARKS[UNKNOWN]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return Vocabulary(tokenizer, "words")


def learn_pieces(texts: Iterable[str], size: int) -> Vocabulary:
    """So many byte-pair pieces, learned from the texts; any text can be written with them."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=list(MARKS), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator((f" {tidy(text)}" for text in texts), trainer)
    return Vocabulary(tokenizer, "pieces")


def load_vocabulary(file: Path, units: Units) -> Vocabulary:
    """Reads a `tokenizer.json`."""
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise ArtifactError(f"{file}: no vocabulary can be read from it: {error}") from error
    if [tokenizer.id_to_token(number) for number in range(len(MARKS))] != list(MARKS):
        raise ArtifactError(f"{file}: the vocabulary of another sort of model: it does not begin with {MARKS[0]}")
    return Vocabulary(tokenizer, units)


def _written(words: Sequence[str]) -> str:
    """Words set as a text: no space before a mark, a capital where a sentence begins."""
    text = " ".join(words)
    text = re.sub(r"\s+([.,!?;:%)\]]|\.\.+|n't|'(?:s|m|d|ll|re|ve)\b)", r"\1", text)
    text = re.sub(r"([($\[])\s+", r"\1", text)
    text = re.sub(r"\bi\b", "I", text)
    return BEGINS_A_SENTENCE.sub(lambda found: found.group().upper(), text)
