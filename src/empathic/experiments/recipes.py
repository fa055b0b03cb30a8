"""Recipes: TOML files that say what is trained, on what and how, read into typed settings.

A key that does not exist, a wrong type or an impossible value is refused with the file, the key and the nearest one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from empathic.errors import UsageError, nearest
from empathic.experiments.responder_recipe import ResponderRecipe
from empathic.training.settings import TrainingSettings

__all__ = ["AnnotatorRecipe", "Recipe", "Teacher", "load_recipe", "recipe_names"]


class Teacher(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table [teacher]: annotators of the same reading whose answers are learned as well."""

    models: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """Model folders; several are asked together, and the mean of their probabilities counts."""
    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    """Where an example has an answer of its own: how much of the target is the teacher's."""
    corpora: dict[str, str] = {}
    """Corpora without answers that the teacher answers for, each with the split that is read; "" is all of it."""


class AnnotatorRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A recipe of `kind = "annotator"`."""

    kind: Literal["annotator"]
    about: str
    """What it trains, in a sentence."""
    reading: str
    """What is read off a conversation (`annotators.READINGS`)."""
    licence: str
    """Of the trained weights, which the licences of the data decide."""
    encoder: str = "all-minilm-l6-v2"
    """Base weights by name, a folder in Hugging Face's layout, or a model of the hub."""
    adapter: Annotated[int, msgspec.Meta(ge=0, le=1024)] = 0
    """The rank of low-rank adapters; 0 lets all weights of the encoder's layers learn."""
    dropout: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.1
    """Of what the heads see."""
    smoothing: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.0
    """Probability that is spread over all labels of a single-label target."""
    sources: Annotated[dict[str, Annotated[int, msgspec.Meta(ge=1)]], msgspec.Meta(min_length=1)]
    """What is learned from (`annotators.SOURCES`), and how often an epoch sees each of its examples."""
    tested_on: tuple[str, ...] = ()
    """Sources beside those learned from whose test splits are measured on, and nothing of them learned either."""
    weights: dict[str, Annotated[float, msgspec.Meta(gt=0)]] = {}
    """How much a head's loss counts; 1 where nothing is said."""
    teacher: Teacher | None = None
    training: TrainingSettings = TrainingSettings()


Recipe = AnnotatorRecipe | ResponderRecipe
KINDS: dict[str, type[Recipe]] = {"annotator": AnnotatorRecipe, "responder": ResponderRecipe}


def recipe_names() -> list[str]:
    """The recipes that come with the package, by the names that `load_recipe` knows."""
    with as_file(files("empathic") / "recipes") as folder:
        return sorted(str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.toml"))


def load_recipe(name: str | Path, changes: Sequence[str] = ()) -> Recipe:
    """Reads a recipe of the package by its name, or a TOML file.

    Args:
        name: "annotators/utterance", say, or a path that ends in .toml.
        changes: Settings that are changed, as "training.epochs=2".
    """
    place, tables = _tables(name)
    for change in changes:
        _change(tables, change)
    kind = KINDS.get(str(tables.get("kind")))
    if kind is None:
        raise UsageError(f"{place}: kind = {tables.get('kind')!r} is none; {nearest(str(tables.get('kind')), KINDS)}")
    _require_known(tables, kind, place, ())
    try:
        return msgspec.convert(tables, kind)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        key = where.rstrip("`").lstrip(".").replace("[...]", "")
        raise UsageError(f"{place}: {key or 'the recipe'}: {what[0].lower()}{what[1:]}") from error


def _tables(name: str | Path, through: tuple[str, ...] = ()) -> tuple[str, dict[str, Any]]:
    """What a recipe says, and where it does not say it, what the one says that it is like."""
    place, text = _text(name)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{place}: not TOML: {error}") from error
    like = tables.pop("like", None)
    if like is None:
        return place, tables
    if place in through or not isinstance(like, str):
        raise UsageError(f"{place}: like = {like!r} leads to no recipe that stands by itself")
    if like.endswith(".toml"):
        like = str(Path(name).parent / like)
    below = _tables(like, (*through, place))[1]
    if "corpora" in tables.get("data", {}):
        below.pop("licence", None)  # which follows from what is learned
    return place, _joined(below, tables)


def _joined(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Both tables' keys; where both have one, what the upper says, table by table. Of another model nothing is kept."""
    joined = dict(below) if above.get("name", below.get("name")) == below.get("name") else {}
    for key, value in above.items():
        under = joined.get(key)
        joined[key] = _joined(under, value) if isinstance(under, dict) and isinstance(value, dict) else value
    return joined


def _text(name: str | Path) -> tuple[str, str]:
    path = Path(name)
    if path.suffix == ".toml":
        try:
            return str(path), path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise UsageError(f"there is no recipe {path}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{path}: cannot be read: {error}") from error
    if str(name) not in recipe_names():
        raise UsageError(f"there is no recipe {str(name)!r}; {nearest(str(name), recipe_names())}")
    return f"{name}.toml", (files("empathic") / "recipes" / f"{name}.toml").read_text(encoding="utf-8")


def _change(tables: dict[str, Any], change: str) -> None:
    """Sets one key, with the value read as TOML would read it, or else as plain text."""
    key, equals, written = change.partition("=")
    if not equals:
        raise UsageError(f"{change!r} changes nothing: write KEY=VALUE")
    try:
        value = tomllib.loads(f"value = {written}")["value"]
    except tomllib.TOMLDecodeError:
        value = written
    *above, last = key.strip().split(".")
    for part in above:
        tables = tables.setdefault(part, {})
        if not isinstance(tables, dict):
            raise UsageError(f"{change!r}: {part!r} is no table")
    tables[last] = value


def _require_known(table: Mapping[str, Any], kind: type[msgspec.Struct], place: str, above: tuple[str, ...]) -> None:
    """Refuses a key that the settings do not have, with the nearest that they do."""
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    tag = kind.__struct_config__.tag_field
    for key, value in table.items():
        if key == tag:
            continue
        if key not in fields:
            raise UsageError(f"{place}: there is no key {'.'.join((*above, key))!r}; {nearest(key, fields)}")
        if isinstance(value, dict):
            structs = list(_structs(fields[key]))
            inner = _tagged(structs, value, place, (*above, key)) if len(structs) > 1 else next(iter(structs), None)
            if inner is not None:
                _require_known(value, inner, place, (*above, key))


def _tagged(
    structs: Sequence[type[msgspec.Struct]], table: Mapping[str, Any], place: str, above: tuple[str, ...]
) -> type[msgspec.Struct]:
    """The one among several that a table names."""
    tags = {str(each.__struct_config__.tag): each for each in structs}
    field = str(structs[0].__struct_config__.tag_field)
    name = str(table.get(field))
    if name not in tags:
        raise UsageError(f"{place}: {'.'.join((*above, field))} = {name!r} is none; {nearest(name, tags)}")
    return tags[name]


def _structs(annotation: Any) -> Iterator[type[msgspec.Struct]]:
    if get_origin(annotation) in (Union, UnionType):
        for each in get_args(annotation):
            yield from _structs(each)
    elif isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        yield annotation
