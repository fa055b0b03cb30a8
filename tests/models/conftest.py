"""What tests of the models share: conversations laid out, and every model that is trained to reply, made small."""

from __future__ import annotations

import pytest

from empathic import corpora
from empathic.models.backbone import Backbone, load_backbone
from empathic.models.layout import Layout, Said, Table
from empathic.models.vocabulary import Vocabulary, learn_words


@pytest.fixture(scope="session")
def backbone() -> Backbone:
    return load_backbone("smollm2-135m-instruct")


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return learn_words(turn.text for dialogue in corpora.read_dialogues("sample") for turn in dialogue.turns)


@pytest.fixture(scope="session")
def table(vocabulary: Vocabulary) -> Table:
    """Exchanges of the sample, with an intent for some responses."""
    exchanges = [each for dialogue in corpora.read_dialogues("sample") for each in dialogue.exchanges()][:40]
    intents = ("questioning", "consoling", None)
    said = [
        Said(each.context, each.response.text, each.emotion, intents[number % 3])
        for number, each in enumerate(exchanges)
    ]
    return Layout(vocabulary).lay_out(said)
