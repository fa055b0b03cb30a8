"""Recipes are read into typed settings; what is wrong with one is named with its file, its key and the right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from empathic.annotators.examples import SOURCES
from empathic.annotators.factors import READINGS, reading
from empathic.errors import UsageError
from empathic.experiments.recipes import load_recipe, recipe_names

NAMES = recipe_names()


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_of_the_package_names_what_there_is(name: str) -> None:
    recipe = load_recipe(name)
    heads = {head.name for head in reading(recipe.reading).heads}
    assert set(recipe.sources) | set(recipe.tested_on) <= set(SOURCES)
    assert set(recipe.weights) <= heads
    assert recipe.about
    assert "CC BY-NC" in recipe.licence or "academic" in recipe.licence


def test_every_reading_has_a_recipe_for_each_encoder_and_one_for_what_is_shipped() -> None:
    wanted = {f"annotators/{each.name}{ending}" for each in READINGS for ending in ("", "-minilm", "-mpnet")}
    assert wanted <= set(NAMES)


def test_a_recipe_whose_annotator_will_label_test_replies_keeps_all_of_them_out() -> None:
    for name in NAMES:
        assert "conversations" in load_recipe(name).tested_on, name


def test_settings_can_be_changed_from_outside() -> None:
    recipe = load_recipe("annotators/cause-mpnet", ["training.epochs=2", "encoder=some/folder", "sources.causes=3"])
    assert (recipe.training.epochs, recipe.encoder, recipe.sources) == (2, "some/folder", {"causes": 3})


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("epochs=2", "there is no key 'epochs'"),
        ("training.epoch=2", r"there is no key 'training\.epoch'; did you mean 'epochs'\?"),
        ("teacher.model=[]", r"there is no key 'teacher\.model'; did you mean 'models'\?"),
        ("training.epochs=two", "training.epochs: expected `int`, got `str`"),
        ("training.rate=-1.0", "training.rate: expected `float` > 0"),
        ("adapter=-1", "adapter: expected `int` >= 0"),
        ("sources={}", "sources: expected `object` of length >= 1"),
        ("kind=comae", "kind: invalid enum value 'comae'"),
        ("training.epochs", "'training.epochs' changes nothing: write KEY=VALUE"),
        ("about.short=2", "'about' is no table"),
    ],
)
def test_what_is_wrong_is_named(recipe: Path, change: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        load_recipe(recipe, [change])


def test_a_file_that_is_no_toml_or_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text("kind = ")
    with pytest.raises(UsageError, match=r"broken\.toml: not TOML"):
        load_recipe(tmp_path / "broken.toml")
    with pytest.raises(UsageError, match=r"there is no recipe .*none\.toml"):
        load_recipe(tmp_path / "none.toml")
    with pytest.raises(UsageError, match="did you mean 'annotators/cause'"):
        load_recipe("annotators/causes")
