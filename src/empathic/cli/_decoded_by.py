"""The options that say how replies are decoded, shared by every command that writes some."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

from cyclopts import Parameter

if TYPE_CHECKING:
    from empathic.decoding import Decoding

__all__ = ["DecodedBy"]


@Parameter(name="*")
@dataclass(frozen=True)
class DecodedBy:
    """What is to be other than the model's recipe has it."""

    strategy: Literal["greedy", "beam", "sample"] | None = None
    """The likeliest token each time, the best reply of a beam search, or tokens drawn by chance."""
    beams: int | None = None
    """Beam search: how many unfinished replies are kept."""
    length_norm: float | None = None
    """Beam search: a reply's log-probability is divided by its length to this power."""
    temperature: float | None = None
    """Sampling: 0 always says the likeliest; higher varies more."""
    top_k: int | None = None
    """Sampling: draw only from so many of the likeliest; 0 is all."""
    top_p: float | None = None
    """Sampling: draw only from the likeliest that together have this probability."""
    repetition_penalty: float | None = None
    """Scores of tokens that were said before are divided by this."""
    block: int | None = None
    """No sequence of so many tokens comes twice in a reply; 0 lets all repeat."""
    shortest: int | None = None
    """Tokens before which a reply does not end."""
    longest: int | None = None
    """Tokens after which a reply ends wherever it is."""

    def change(self, decoding: Decoding) -> Decoding:
        """The way of decoding with what was asked for; an impossible value is refused."""
        import msgspec

        from empathic.decoding import Decoding
        from empathic.errors import UsageError

        asked = {name: value for name, value in asdict(self).items() if value is not None}
        try:
            return msgspec.convert(msgspec.to_builtins(decoding) | asked, Decoding)
        except msgspec.ValidationError as error:
            what, _, where = str(error).partition(" - at `$.")
            option = where.rstrip("`").replace("_", "-")
            raise UsageError(f"--{option}: {what}" if option else what) from error
