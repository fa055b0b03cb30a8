"""Every model that is trained to reply, made small."""

from __future__ import annotations

import torch

from empathic.models.encoder_decoder import Sizes
from empathic.models.kinds import ModelSettings, build
from empathic.models.meed2 import MEED2Settings, MEED2Sizes
from empathic.models.mime import MIMESettings
from empathic.models.moel import MoELSettings
from empathic.models.reply_model import ReplyModel
from empathic.models.transformer import TransformerSettings
from empathic.models.vocabulary import Vocabulary

SMALL = Sizes(width=16, depth=8, heads=2, inner=12)
DEEP = Sizes(width=16, depth=16, heads=4, inner=24, layers=2, between="linear", tied=True)
SMALL_MEED2 = MEED2Sizes(width=16, layers=2, heads=2, inner=24, dropout=0.0)

SETTINGS: dict[str, ModelSettings] = {
    "transformer": TransformerSettings(sizes=SMALL),
    "multi-trs": TransformerSettings(sizes=SMALL, emotion=True),
    "deep": TransformerSettings(sizes=DEEP, emotion=True),
    "moel": MoELSettings(sizes=SMALL),
    "mime": MIMESettings(sizes=SMALL),
    "mime-code": MIMESettings(
        sizes=SMALL,
        encoders="two",
        decoder_sees="prior",
        posterior_given="context",
        reconstruction=False,
        spread="shared",
        polarity="gold",
    ),
    "mime-no-mimicry": MIMESettings(sizes=SMALL, mimicry=False),
    "mime-no-grouping": MIMESettings(sizes=SMALL, grouping=False, mimicry=False),
    "mime-no-stochasticity": MIMESettings(sizes=SMALL, stochastic=False),
    "meed2": MEED2Settings(sizes=SMALL_MEED2),
    "meed2-joint": MEED2Settings(sizes=SMALL_MEED2, predictor="joint"),
    "meed2-transformer": MEED2Settings(sizes=SMALL_MEED2, intents=False),
}


def made(name: str, vocabulary: Vocabulary) -> ReplyModel:
    """A model that has learned nothing; one that is not training."""
    torch.manual_seed(0)
    return build(SETTINGS[name], vocabulary.size).eval()
