"""Measures of replies have the values that their definitions give, worked out by hand or by others' code."""

from __future__ import annotations

import gzip
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU
from scipy import stats

from empathic.errors import DataError, UsageError
from empathic.metrics.diversity import distinct, repeats_itself
from empathic.metrics.overlap import rouge_l
from empathic.metrics.replies import MEASURES, Replies, Tools, chosen_measures
from empathic.metrics.significance import compare, mean_interval
from empathic.metrics.vectors import WordVectors, greedy_matching, read_vectors

SAID = [
    "I am so sorry to hear that!",
    "That is great news , congratulations .",
    "Oh no. What did the doctor say about your dog?",
    "I am so sorry to hear that!",
]
MEANT = [
    "I am sorry to hear that, are you ok?",
    "That is great! Congratulations on the new job .",
    "What did the doctor say?",
    "Why would he do that to you?",
]
REPLIES = Replies(SAID, MEANT)
words = st.lists(st.sampled_from("abcd"), max_size=7)


def value(name: str, **tools: object) -> float:
    return MEASURES[name].take(REPLIES, Tools(**tools)).value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("bleu", {}),
        ("bleu-2", {"max_ngram_order": 2}),
    ],
)
def test_bleu_is_what_sacrebleu_gives_for_the_whole_set(name: str, settings: dict[str, object]) -> None:
    expected = BLEU(lowercase=True, force=True, **settings).corpus_score(SAID, [MEANT]).score  # type: ignore[arg-type]
    assert value(name) == pytest.approx(expected)
    assert expected > 0


def test_multi_bleu_cuts_both_sides_as_the_arrays_of_moel_are_cut() -> None:
    replies = Replies(["That's a cat on the mat."], ["That is the cat on the mat ."])
    score = MEASURES["multi-bleu"].take(replies, Tools())
    expected = BLEU(force=True, tokenize="none", smooth_method="none").corpus_score(
        ["that is a cat on the mat ."], [["that is the cat on the mat ."]]
    )
    assert score.value == pytest.approx(expected.score)
    score = MEASURES["multi-bleu"].take(Replies(["the cat sat on the mat ."], ["The cat sat on a mat ."]), Tools())
    # 6 of 7 words, 4 of 6 bigrams, 2 of 5 trigrams, 1 of 4 4-grams, as long as the reference.
    assert score.value == pytest.approx(100 * (6 / 7 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25)


def test_rouge_l_by_hand() -> None:
    # the common subsequence "a c d" of a b c d and a c e d: P = R = 3/4, and so F
    assert rouge_l("abcd", "aced") == pytest.approx(0.75)
    # "a" of "a" and "a b": P = 1, R = 1/2; F = (1 + 1.44) / 2 / (1/2 + 1.44)
    assert rouge_l("a", "ab") == pytest.approx(2.44 * 0.5 / (0.5 + 1.44))
    assert rouge_l("ab", "cd") == 0
    assert rouge_l("", "ab") == 0


@given(words, words)
def test_the_longest_common_subsequence_is_the_longest(one: list[str], other: list[str]) -> None:
    def subsequences(of: list[str]) -> set[tuple[str, ...]]:
        return {each for size in range(len(of) + 1) for each in combinations(of, size)}

    longest = max(map(len, subsequences(one) & subsequences(other)))
    found = rouge_l(one, other, beta=1)
    assert found == pytest.approx(2 * longest / (len(one) + len(other)) if longest else 0)


def test_distinct_counts_over_all_replies_together() -> None:
    assert distinct([["a", "b"], ["a", "c"]], 1) == 3 / 4
    assert distinct([["a", "b"], ["a", "b"], ["c"]], 2) == 1 / 2
    assert distinct([[], ["a"]], 2) == 0
    assert value("distinct-1") == pytest.approx(100 * 25 / 35)


def test_a_reply_that_others_equal_is_not_unique_and_one_may_repeat_itself() -> None:
    assert value("unique") == 50
    assert repeats_itself("abcdxabcd", 4)
    assert not repeats_itself("abcdabc", 4)
    assert value("repeating") == 0
    assert value("words") == pytest.approx((8 + 7 + 12 + 8) / 4)


VECTORS = WordVectors({"sad": 0, "unhappy": 1, "dog": 2}, np.array([[2.0, 0.0], [3.0, 4.0], [0.0, 1.0]], np.float32))


def test_greedy_matching_by_hand() -> None:
    # sad is most like unhappy (0.6), and unhappy like sad; dog is like sad (0) and unhappy (0.8)
    assert greedy_matching(["sad", "dog"], ["unhappy"], VECTORS) == pytest.approx(((0.6 + 0.8) / 2 + 0.8) / 2)
    assert greedy_matching(["sad", "xyz"], ["sad"], VECTORS) == pytest.approx(1)
    assert greedy_matching(["xyz"], ["sad"], VECTORS) == 0


@pytest.mark.parametrize("heading", ["", "3 2\n"])
def test_word_vectors_are_read_packed_or_not(tmp_path: Path, heading: str) -> None:
    lines = f"{heading}sad 2 0\nunhappy 3 4\ndog 0 1\n"
    (tmp_path / "v.txt").write_text(lines)
    (tmp_path / "v.txt.gz").write_bytes(gzip.compress(lines.encode()))
    for name in ("v.txt", "v.txt.gz"):
        found = read_vectors(tmp_path / name)
        assert found.numbers == VECTORS.numbers
        assert np.allclose(found.matrix, VECTORS.matrix)
    assert read_vectors(tmp_path / "v.txt", {"dog"}).numbers == {"dog": 0}


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("sad 2 0\ndog 0\n", "v.txt:2: 1 numbers where the lines before have 2"),
        ("sad 2 x\n", "v.txt:1: not a word and"),
    ],
)
def test_damaged_word_vectors_are_named_with_their_line(tmp_path: Path, lines: str, what: str) -> None:
    (tmp_path / "v.txt").write_text(lines)
    with pytest.raises(DataError, match=what):
        read_vectors(tmp_path / "v.txt")


def test_an_interval_holds_the_figure_and_narrows_with_more_items() -> None:
    items = np.random.default_rng(0).normal(3, 1, 2_000)
    few, many = mean_interval(items[:100], samples=400), mean_interval(items, samples=400)
    assert few is not None
    assert many is not None
    assert few.low < 3 < few.high
    assert many.high - many.low == pytest.approx(2 * 1.96 / 2_000**0.5, rel=0.15)
    assert few.high - few.low > 3 * (many.high - many.low)
    assert mean_interval(items, samples=0) is None
    score = MEASURES["bleu"].take(REPLIES, Tools(samples=300))
    assert score.interval is not None
    assert score.interval.low <= score.value <= score.interval.high


def test_paired_tests_are_those_of_scipy_and_tell_a_difference_from_none() -> None:
    generator = np.random.default_rng(1)
    one = generator.normal(0, 1, 300)
    other = one + generator.normal(0.2, 0.5, 300)
    found = compare(other, one, samples=999)
    expected = stats.permutation_test(
        (other, one), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=999, rng=0
    ).pvalue
    assert found.mean == pytest.approx((other - one).mean())
    assert found.t_test == pytest.approx(stats.ttest_rel(other, one).pvalue)
    assert found.permutation_test == pytest.approx(expected, abs=0.01)
    assert max(found.t_test, found.sign_test, found.permutation_test) < 0.01
    assert found.interval.low > 0
    shuffled = compare(generator.normal(0, 1, 300), one, samples=999)
    assert min(shuffled.t_test, shuffled.sign_test, shuffled.permutation_test) > 0.01
    assert compare(one, one)[2:] == (1.0, 1.0, 1.0)


def test_measures_are_chosen_by_name_and_those_that_lack_something_say_so() -> None:
    assert [each.name for each in chosen_measures(["words", "bleu"])] == ["bleu", "words"]
    with pytest.raises(UsageError, match="there is no measure 'blue'; did you mean 'bleu'"):
        chosen_measures(["blue"])
    with pytest.raises(UsageError, match="greedy needs word vectors"):
        MEASURES["greedy"].take(REPLIES, Tools())
