"""The label sets hold what their sources say, in the order that trained heads rely on."""

from __future__ import annotations

import pytest

from empathic import taxonomy
from empathic.errors import UsageError
from empathic.taxonomy import LabelSet

# CoMAE (Zheng et al. 2021), Table 6.
TABLE_6 = {
    "admiration": "admiration, pride",
    "anger": "anger, annoyance, disgust, disapproval",
    "approval": "approval, realization",
    "caring": "caring, desire, optimism",
    "fear": "fear, nervousness",
    "gratitude": "gratitude, relief",
    "joy": "joy, amusement, excitement, love",
    "sadness": "sadness, disappointment, embarrassment, grief, remorse",
    "surprise": "surprise, confusion, curiosity",
}


@pytest.mark.parametrize(
    ("labels", "size"),
    [
        (taxonomy.SITUATION_EMOTIONS, 32),
        (taxonomy.POSITIVE, 13),
        (taxonomy.NEGATIVE, 19),
        (taxonomy.INTENTS, 8),
        (taxonomy.EMOTIONS_AND_INTENTS, 41),
        (taxonomy.ACTS, 9),
        (taxonomy.GOEMOTIONS, 28),
        (taxonomy.EMOTIONS, 10),
        (taxonomy.MECHANISMS, 3),
        (taxonomy.LEVELS, 3),
        (taxonomy.RELATIONS, 11),
        (taxonomy.OTHERS_RELATIONS, 3),
        (taxonomy.MIXED_RELATIONS, 3),
        (taxonomy.DAILY_EMOTIONS, 7),
        (taxonomy.DAILY_ACTS, 4),
        (taxonomy.ESCONV_STRATEGIES, 8),
    ],
    ids=lambda value: value.name if isinstance(value, LabelSet) else None,
)
def test_a_set_has_the_published_number_of_labels_each_once(labels: LabelSet, size: int) -> None:
    assert len(labels) == size
    assert len(set(labels)) == size
    assert labels in taxonomy.LABEL_SETS


@pytest.mark.parametrize("labels", taxonomy.LABEL_SETS, ids=lambda labels: labels.name)
def test_index_and_position_are_each_other_s_inverse(labels: LabelSet) -> None:
    assert [labels[labels.index(label)] for label in labels] == list(labels)


def test_positive_and_negative_divide_the_32_emotions_between_them() -> None:
    positive, negative = set(taxonomy.POSITIVE), set(taxonomy.NEGATIVE)
    assert not positive & negative
    assert positive | negative == set(taxonomy.SITUATION_EMOTIONS)


@pytest.mark.parametrize(
    ("emotion", "group"),
    [
        ("surprised", "positive"),
        ("caring", "positive"),
        ("anticipating", "negative"),
        ("nostalgic", "negative"),
        ("sentimental", "negative"),
    ],
)
def test_polarity_is_that_of_table_1_of_mime(emotion: str, group: str) -> None:
    assert taxonomy.polarity(emotion) == group


def test_polarity_of_a_word_that_is_no_emotion_is_refused() -> None:
    with pytest.raises(UsageError, match="'neutral' is none of the 32 labels"):
        taxonomy.polarity("neutral")


def test_the_41_labels_stand_in_the_numbering_of_empathetic_intents() -> None:
    labels = taxonomy.EMOTIONS_AND_INTENTS
    assert list(labels)[:32] == sorted(taxonomy.SITUATION_EMOTIONS)
    assert {label: labels.index(label) for label in list(labels)[32:]} == {
        "agreeing": 32,
        "acknowledging": 33,
        "encouraging": 34,
        "consoling": 35,
        "sympathizing": 36,
        "suggesting": 37,
        "questioning": 38,
        "wishing": 39,
        "neutral": 40,
    }


def test_the_9_acts_are_the_8_intents_and_others() -> None:
    assert set(taxonomy.ACTS) == {*taxonomy.INTENTS, "others"}


def test_goemotions_map_to_the_emotions_of_comae_as_in_its_table_6() -> None:
    expected = {original: ours for ours, originals in TABLE_6.items() for original in originals.split(", ")}
    assert dict(taxonomy.GOEMOTIONS_TO_EMOTIONS) == expected | {"neutral": "neutral"}


def test_every_goemotion_maps_and_every_emotion_is_mapped_to() -> None:
    assert set(taxonomy.GOEMOTIONS_TO_EMOTIONS) == set(taxonomy.GOEMOTIONS)
    assert set(taxonomy.GOEMOTIONS_TO_EMOTIONS.values()) == set(taxonomy.EMOTIONS)


@pytest.mark.parametrize(
    ("intent", "act"),
    [("consoling", "consoling"), ("sharing_experience", "others"), ("expressing_relief", "others")],
)
def test_finer_intents_map_to_an_act(intent: str, act: str) -> None:
    assert taxonomy.ALL_INTENTS_TO_ACTS[intent] == act


def test_the_15_intents_of_the_manual_annotation_and_neutral_all_map_to_an_act() -> None:
    manual = set(taxonomy.ALL_INTENTS_TO_ACTS) - {"neutral", "others"}
    assert len(manual) == 15
    assert set(taxonomy.ALL_INTENTS_TO_ACTS.values()) == set(taxonomy.ACTS)


def test_the_11_relations_stand_in_the_four_groups_of_imagine() -> None:
    assert dict(taxonomy.RELATION_GROUPS) == {
        "affect": ("xReact",),
        "behaviour": ("xIntent", "xNeed", "xWant", "xEffect", "xAttr"),
        "physical": ("HasProperty", "CapableOf", "Desires"),
        "events": ("Causes", "xReason"),
    }
    assert tuple(taxonomy.RELATIONS) == tuple(
        relation for group in taxonomy.RELATION_GROUPS.values() for relation in group
    )


def test_conceptnet_s_relations_map_to_relations_of_imagine() -> None:
    assert set(taxonomy.CONCEPTNET_TO_RELATIONS.values()) <= set(taxonomy.RELATIONS)
    assert taxonomy.CONCEPTNET_TO_RELATIONS["MotivatedByGoal"] == "xReason"


def test_an_unknown_label_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(UsageError, match=r"'joyfull' is none of the 32 labels of .*; did you mean 'joyful'\?"):
        taxonomy.SITUATION_EMOTIONS.index("joyfull")


def test_an_unknown_label_near_none_is_refused_with_all_of_them() -> None:
    with pytest.raises(UsageError, match="known: none, weak, strong"):
        taxonomy.LEVELS.index("zzz")


@pytest.mark.parametrize(
    "mapping",
    [
        taxonomy.GOEMOTIONS_TO_EMOTIONS,
        taxonomy.ALL_INTENTS_TO_ACTS,
        taxonomy.CONCEPTNET_TO_RELATIONS,
        taxonomy.RELATION_GROUPS,
    ],
)
def test_a_mapping_cannot_be_changed(mapping: dict[str, str]) -> None:
    with pytest.raises(TypeError):
        mapping["new"] = "joy"
