"""The table [decoding]."""

import tomllib

import msgspec
import pytest

from empathic.decoding import Decoding


def test_a_table_of_a_recipe_is_read() -> None:
    table = tomllib.loads('strategy = "beam"\nbeams = 32\nlength_norm = 1.0\nblock = 4\nlongest = 100')
    assert msgspec.convert(table, Decoding) == Decoding(
        strategy="beam", beams=32, length_norm=1.0, block=4, longest=100
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("strategy", "contrastive"),
        ("beams", 0),
        ("length_norm", -0.1),
        ("temperature", -1),
        ("top_k", -1),
        ("top_p", 0),
        ("top_p", 1.1),
        ("repetition_penalty", 0.5),
        ("block", -1),
        ("shortest", -1),
        ("shortest", 51),
        ("longest", 0),
        ("nucleus", 0.9),
    ],
)
def test_what_is_out_of_range_or_unknown_is_refused(key: str, value: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({key: value}, Decoding)
