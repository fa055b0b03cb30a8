"""Whole corpora as Arrow: a schema for each kind of record, batches both ways, nothing lost between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec
import pyarrow as pa

from empathic.corpora._source import present
from empathic.dialogue import Dialogue, Factors, Inference, Record
from empathic.errors import DataError

__all__ = ["DIALOGUE_SCHEMA", "INFERENCE_SCHEMA", "factors_array", "from_batch", "schema_of", "to_batches"]

R = TypeVar("R", bound=Record)

_MAPS = ("labels", "probabilities")
_labels = pa.map_(pa.string(), pa.string())
_texts = pa.list_(pa.string())
_mechanism = pa.struct({"level": pa.int8(), "rationale": _texts})
_FACTORS = pa.struct(
    {
        "mechanisms": pa.struct(
            {"emotional_reaction": _mechanism, "interpretation": _mechanism, "exploration": _mechanism}
        ),
        "act": pa.string(),
        "emotion": pa.string(),
        "fine_emotions": _texts,
        "intent": pa.string(),
        "feeling": pa.string(),
        "causes": pa.list_(pa.struct({"turn": pa.int64(), "span": pa.string()})),
        "polarity": pa.string(),
        "valence": pa.float64(),
        "arousal": pa.float64(),
        "dominance": pa.float64(),
        "probabilities": pa.map_(pa.string(), pa.map_(pa.string(), pa.float64())),
    }
)
_turn = pa.struct(
    {"role": pa.string(), "text": pa.string(), "name": pa.string(), "factors": _FACTORS, "labels": _labels}
)

DIALOGUE_SCHEMA = pa.schema(
    {
        "id": pa.string(),
        "turns": pa.list_(_turn),
        "corpus": pa.string(),
        "split": pa.string(),
        "emotion": pa.string(),
        "situation": pa.string(),
        "persona": _texts,
        "speaker_persona": _texts,
        "labels": _labels,
    }
)
INFERENCE_SCHEMA = pa.schema(
    {
        "head": pa.string(),
        "relation": pa.string(),
        "tail": pa.string(),
        "corpus": pa.string(),
        "split": pa.string(),
        "weight": pa.float64(),
        "labels": _labels,
    }
)


def schema_of(kind: type[Record]) -> pa.Schema:
    return {Dialogue: DIALOGUE_SCHEMA, Inference: INFERENCE_SCHEMA}[kind]


def to_batches(records: Iterable[R], kind: type[R], *, size: int = 4096) -> Iterator[pa.RecordBatch]:
    """Batches of `size` records, made as they are asked for."""
    schema = schema_of(kind)
    rest = iter(records)
    while chunk := list(islice(rest, size)):
        try:
            yield pa.RecordBatch.from_pylist([_pairs(msgspec.to_builtins(record)) for record in chunk], schema=schema)
        except (pa.ArrowInvalid, OverflowError, UnicodeEncodeError) as error:
            raise DataError(f"a record holds what Arrow cannot: {error}") from error


def factors_array(factors: Sequence[Factors | None]) -> pa.Array:
    """Factors by themselves, as a column for a table of another make."""
    return pa.array([_pairs(msgspec.to_builtins(each)) for each in factors], type=_FACTORS)


def from_batch(batch: pa.RecordBatch, kind: type[R]) -> Iterator[R]:
    """The records of a batch; `msgspec.ValidationError` where a row is none."""
    for row in batch.to_pylist(maps_as_pydicts="strict"):
        yield msgspec.convert(present(row), kind)


def _pairs(value: Any, *, mapping: bool = False) -> Any:
    """What Arrow makes a map of, as pairs."""
    if isinstance(value, dict):
        inner = {key: _pairs(each, mapping=mapping or key in _MAPS) for key, each in value.items()}
        return list(inner.items()) if mapping else inner
    return [_pairs(each) for each in value] if isinstance(value, list | tuple) else value
