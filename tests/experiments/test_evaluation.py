"""A run's figures are those of its lines, worked out by hand, for all items and by polarity."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from empathic.dialogue import Factors, Plan, Turn
from empathic.errors import UsageError
from empathic.experiments.evaluation import evaluate, gather, write_measures
from empathic.experiments.figures import FIGURES, chosen_figures
from empathic.experiments.outputs import Likelihood, Outputs, SaidReply, write_likelihood, write_replies
from empathic.experiments.run_scores import likelihood_scores
from empathic.metrics.replies import Tools, chosen_measures
from made_up_runs import exchanges, make_run

NO_SAMPLES = Tools(samples=0)
ITEMS = [
    Likelihood(
        id=str(number),
        emotion=emotion,
        loss=4.0 + number,
        tokens=2,
        words=2,
        characters=8,
        emotions=emotions,
        intent=intent,
        intents=(said, "neutral"),
    )
    for number, (emotion, emotions, intent, said) in enumerate(
        [
            ("sad", ("sad", "lonely", "afraid", "angry", "proud"), "consoling", "consoling"),
            ("joyful", ("proud", "joyful", "afraid", "angry", "sad"), "questioning", "consoling"),
            ("proud", ("sad", "lonely", "afraid", "angry", "proud"), "questioning", "questioning"),
            (None, ("sad", "lonely", "afraid", "angry", "proud"), "wishing", "consoling"),
        ]
    )
]
SAID = [
    SaidReply(
        id=item.id,
        emotion=item.emotion,
        context=(Turn("speaker", "So."),),
        reply="Oh no." if item.emotion == "sad" else "Oh.",
        reference="Oh.",
        plan=Plan(act="consoling"),
    )
    for item in ITEMS
]


@pytest.fixture
def run(tmp_path: Path) -> Outputs:
    folder = make_run(tmp_path / "mime", among=exchanges(2))
    write_likelihood(folder, "valid", ITEMS)
    write_replies(folder, "greedy", "valid", SAID)
    return Outputs(folder)


def test_every_figure_of_a_likelihood_by_hand() -> None:
    values = {name: score.value for name, score in likelihood_scores(ITEMS, NO_SAMPLES).items()}
    third = 100 / 3
    assert values == pytest.approx(
        {
            "ppl-moel": math.exp((4 + 5 + 6 + 7) / 8),
            "ppl-token": math.exp(22 / 8),
            "ppl-word": math.exp(22 / 8),
            "ppl-character": math.exp(22 / 32),
            "emotion-top-1": third,
            "emotion-top-2": 2 * third,
            "emotion-top-5": 100,
            # consoling: said three times, once right; questioning: said once, right, true twice; wishing: never said
            "intent-precision": 100 * (1 / 4 * 1 / 3 + 2 / 4 * 1),
            "intent-recall": 50,
            "intent-f1": 100 * (1 / 4 * 2 / 4 + 2 / 4 * 2 / 3),
            "intent-precision-at-random": 100 * (1 / 16 + 4 / 16 + 1 / 16),
            "intent-recall-at-random": 100 / 41,
            "intent-f1-at-random": 100 * (2 * 1 / 4 * 2 / (4 + 41) + 2 / 4 * 4 / (4 + 82)),
        }
    )


def test_an_item_whose_emotion_is_not_told_does_not_count_among_those_recognised() -> None:
    items = likelihood_scores(ITEMS, NO_SAMPLES)["emotion-top-1"].items
    assert items is not None
    assert items[:3].tolist() == [100, 0, 0]
    assert np.isnan(items[3])


def test_a_run_that_perceives_nothing_has_perplexities_alone(tmp_path: Path) -> None:
    lines = Outputs(make_run(tmp_path / "trs", perceives=False)).likelihood("test")
    assert set(likelihood_scores(lines, NO_SAMPLES)) == {"ppl-moel", "ppl-token", "ppl-word", "ppl-character"}


def test_the_share_among_the_five_likeliest_is_left_out_where_fewer_were_told() -> None:
    two = [Likelihood(id="a", emotion="sad", loss=1, tokens=1, words=1, characters=1, emotions=("sad", "proud"))]
    assert {"emotion-top-1", "emotion-top-2"} == {
        name for name in likelihood_scores(two, NO_SAMPLES) if name.startswith("emotion")
    }


def test_all_is_measured_by_polarity_as_well(run: Outputs) -> None:
    found = evaluate(gather(run, "valid"), "valid", chosen_measures(["words"]), NO_SAMPLES, polarity=True)
    assert {name: group.count for name, group in found.likelihood.items()} == {"all": 4, "positive": 2, "negative": 1}
    assert found.likelihood["negative"].figures["ppl-moel"].value == pytest.approx(math.exp(2))
    words = {name: group.figures["words"].value for name, group in found.replies["greedy"].items()}
    assert words == {"all": 2.25, "positive": 2.0, "negative": 3.0}


def test_plans_are_held_against_what_is_read_of_the_replies(run: Outputs) -> None:
    def read(said: object) -> list[Factors]:
        return [Factors(act="consoling")] * 3 + [Factors(act="wishing")]

    found = evaluate(
        gather(run, "valid"), "valid", [], NO_SAMPLES, polarity=True, read=read, annotators={"utterance": "x"}
    )
    groups = found.replies["greedy"]
    assert groups["all"].figures["realized-act"].value == 75
    assert groups["positive"].figures["realized-act"].value == 100
    assert found.annotators == {"utterance": "x"}


def test_measures_are_written_with_their_definitions_their_count_and_their_seed(run: Outputs) -> None:
    material = gather(run, "valid")
    tools = Tools(samples=50, seed=3)
    measures = evaluate(material, "valid", chosen_measures(["words"]), tools, made_with={"empathic": "0"})
    path = write_measures(material, measures)
    assert path == run.folder / "measures" / "valid.json"
    written = json.loads(path.read_text())
    assert (written["seed"], written["samples"], written["split"]) == (3, 50, "valid")
    assert written["made with"] == {"empathic": "0"}
    assert written["likelihood"]["all"]["count"] == 4
    figures = written["likelihood"]["all"]["figures"] | written["replies"]["greedy"]["all"]["figures"]
    assert figures.keys() == written["definitions"].keys()
    assert figures["ppl-moel"]["low"] < figures["ppl-moel"]["value"] < figures["ppl-moel"]["high"]


def test_the_same_seed_gives_the_same_intervals(run: Outputs) -> None:
    material = gather(run, "valid")
    first, again, other = (
        evaluate(material, "valid", chosen_measures(["words"]), Tools(samples=50, seed=seed)) for seed in (0, 0, 1)
    )
    assert first == again
    assert first.likelihood != other.likelihood


def test_what_is_not_there_to_measure_is_refused_with_the_command_that_makes_it(run: Outputs) -> None:
    with pytest.raises(UsageError, match=r"has nothing of train that could be measured \(empathic generate"):
        gather(run, "train")
    with pytest.raises(UsageError, match="has no replies 'gredy' of valid; did you mean 'greedy'"):
        gather(run, "valid", "gredy")


def test_figures_are_chosen_by_name() -> None:
    assert chosen_figures(["words", "bleu"], FIGURES) == ["words", "bleu"]
    assert chosen_figures(None, ["words", "intent-f1-at-random", "bleu"]) == ["bleu", "words"]
    with pytest.raises(UsageError, match="there is no figure 'blue'; did you mean 'bleu'"):
        chosen_figures(["blue"], FIGURES)
    with pytest.raises(UsageError, match="no run has bleu; there are: words"):
        chosen_figures(["bleu"], ["words"])
