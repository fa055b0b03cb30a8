"""MIME: MIMicking Emotions for empathetic response generation (Majumder et al. 2020).

A response mimics the speaker's emotion to a degree: emotions of both polarities are drawn for it, one refines the
context as mimicry and the other as its opposite, and a gate fuses the two. Equations are numbered as in the paper.
Where the paper's text and the authors' code differ, the text is the default and an option gives the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
import torch
from torch import Tensor, nn

from empathic.models.encoder_decoder import EncoderDecoder, Sizes, decoder_of, encoder_of
from empathic.models.layers import Linear, State
from empathic.models.layout import Batch
from empathic.models.reply_model import Loss, Outcome
from empathic.taxonomy import NEGATIVE, POSITIVE, SITUATION_EMOTIONS

__all__ = ["MIME", "MIMESettings"]


class MIMESettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="name", tag="mime"):
    """The table [model] of a recipe."""

    sizes: Sizes = Sizes()
    mimicry: bool = True
    """Whether the speaker's polarity decides which emotions are mimicked (section 5.2); without, nothing is swapped."""
    grouping: bool = True
    """Whether positive and negative emotions are drawn apart; without, one distribution over all 32, and no mimicry."""
    stochastic: bool = True
    """Whether emotions are drawn; without, the means are taken, and there is no divergence to make small."""
    encoders: Literal["one", "two"] = "one"
    """Text: the same emotion encoder refines the context for both; code: one for each."""
    decoder_sees: Literal["posterior", "prior"] = "posterior"
    """What training decodes from. Text: draws from the posterior; code: from the prior, always."""
    posterior_given: Literal["emotion", "context"] = "emotion"
    """What the posterior knows beside the context. Text: the emotion e_g; code: the mean of the refined context."""
    reconstruction: bool = True
    """Text: equation 16 asks that the drawn z tells e_g; code: it is left out."""
    spread: Literal["each", "shared"] = "each"
    """Text: each group has a deviation of its own; code: both have the positive one's."""
    polarity: Literal["predicted", "gold"] = "predicted"
    """Whose polarity decides what is mimicked outside training. Text: the prediction's; the code's perplexity: the true
    emotion's. Replies always go by the prediction."""


class Normals(nn.Module):
    """Normal distributions, one a group of emotions: equations 11 to 13."""

    def __init__(self, inputs: int, width: int, groups: int, deviations: int) -> None:
        super().__init__()
        self.sample = Linear(inputs, width)
        self.means = nn.ModuleList(Linear(width, width) for _ in range(groups))
        self.deviations = nn.ModuleList(Linear(width, width) for _ in range(deviations))

    def forward(self, given: list[Tensor]) -> list[tuple[Tensor, Tensor]]:
        """Mean and logarithm of the variance (B, W), by group, from what each group is given (B, inputs).

        Of fewer deviations than groups the last one is shared; without any, all are certain.
        """
        found = []
        for number, (mean, x) in enumerate(zip(self.means, given, strict=True)):
            hidden = torch.relu(self.sample(x))
            which = min(number, len(self.deviations) - 1)
            found.append(
                (mean(hidden), self.deviations[which](hidden) if self.deviations else torch.zeros_like(hidden))
            )
        return found


class MIME(EncoderDecoder):
    """Section 3 of the paper."""

    positive: Tensor

    def __init__(self, settings: MIMESettings, size: int) -> None:
        super().__init__(size, settings.sizes)
        self.settings = settings
        self.told = settings.polarity == "gold"
        width = settings.sizes.width
        sets = (POSITIVE.labels, NEGATIVE.labels) if settings.grouping else (SITUATION_EMOTIONS.labels,)
        for number, labels in enumerate(sets):
            members = torch.tensor([SITUATION_EMOTIONS.index(label) for label in labels])
            self.register_buffer(f"group{number}", members, persistent=False)
        polarities = torch.tensor([label in POSITIVE for label in SITUATION_EMOTIONS])
        self.register_buffer("positive", polarities, persistent=False)
        self.emotions = nn.Embedding(len(SITUATION_EMOTIONS), width)
        nn.init.normal_(self.emotions.weight, std=width**-0.5)
        self.similarity = Linear(width, width, bias=False)  # W_E of equation 4
        deviations = 0 if not settings.stochastic else 1 if settings.spread == "shared" else len(sets)
        self.prior = Normals(width, width, len(sets), deviations)
        self.posterior = Normals(2 * width, width, len(sets), deviations) if settings.stochastic else None
        self.distributions = nn.ModuleList(Linear(width, len(labels)) for labels in sets)  # FC of equation 9
        self.joins = nn.ModuleList(
            Linear(2 * width, width, bias=False) for _ in range(2 if settings.encoders == "two" else 1)
        )
        self.refiners = nn.ModuleList(encoder_of(settings.sizes) for _ in self.joins)
        self.contribution = Linear(len(sets) * width, len(sets) * width)  # equation 25
        self.fusion = Linear(len(sets) * width, width)  # equation 27
        self.decoder = decoder_of(settings.sizes)

    def forward(self, batch: Batch) -> Outcome:
        context = self.understood(batch)
        whole = context[:, 0]  # c, equation 3
        emotion = self._felt(whole)
        told = self.training or self.settings.polarity == "gold"
        known = torch.where(batch.emotion >= 0, batch.emotion, emotion.argmax(1)) if told else emotion.argmax(1)
        memory, further = self._fused(context, batch.mask, self.positive[known])
        said = self.said(batch.so_far)
        refined = self.decoder(said, memory, batch.mask[:, 1:])
        return Outcome(refined, self.scored, emotion, further=further)

    def _felt(self, whole: Tensor) -> Tensor:
        """S (B, 32), equation 4: how alike the context is to every emotion."""
        return nn.functional.linear(self.similarity(whole), self.emotions.weight)

    def _fused(
        self, context: Tensor, mask: Tensor, positive: Tensor, seeds: Sequence[int] = ()
    ) -> tuple[Tensor, dict[str, Loss]]:
        """The memory that is decoded from (B, T - 1, W), and what drawing emotions costs."""
        whole, words, mask = context[:, 0], context[:, 1:], mask[:, 1:]
        prior = self.prior([whole] * len(self.distributions))
        if seeds:
            chances = [each.to(whole) for each in _chances(seeds, len(prior), whole.shape[1])]
        else:
            chances = [torch.randn_like(whole) for _ in prior]
        drawn = [self._drawn(mean, spread, by) for (mean, spread), by in zip(prior, chances, strict=True)]
        emotions = self._emotions(drawn)
        further: dict[str, Loss] = {}
        if self.posterior is not None and self.training:
            if self.settings.posterior_given == "emotion":
                given = emotions
            else:
                there = mask[:, :, None].to(words.dtype)
                given = [
                    (each * there).sum(1) / there.sum(1) for each in self._refined(words, mask, emotions, positive)
                ]
            posterior = self.posterior([torch.cat((whole, each), 1) for each in given])
            count = len(whole)
            further["divergence"] = Loss(_divergence(posterior, prior), count)
            seen = self._emotions([self._drawn(mean, spread, torch.randn_like(mean)) for mean, spread in posterior])
            if self.settings.reconstruction:
                # Of a normal distribution around what z tells, up to a constant: the squared distance.
                apart = [0.5 * (told - true.detach()).square().sum() for told, true in zip(seen, emotions, strict=True)]
                further["reconstruction"] = Loss(torch.stack(apart).sum(), count)
            if self.settings.decoder_sees == "posterior":
                emotions = seen
        refined = torch.cat(self._refined(words, mask, emotions, positive), 2)  # M', equation 24
        adjusted = torch.sigmoid(self.contribution(refined)) * refined  # equations 25 and 26
        return self.fusion(adjusted), further  # equation 27

    def _drawn(self, mean: Tensor, log_variance: Tensor, chance: Tensor) -> Tensor:
        """z, equations 14 and 15."""
        return mean + chance * torch.exp(0.5 * log_variance) if self.settings.stochastic else mean

    def _emotions(self, drawn: list[Tensor]) -> list[Tensor]:
        """e_g (B, W), by group: equations 9 and 10."""
        return [
            torch.softmax(distribution(z), 1) @ self.emotions(getattr(self, f"group{number}"))
            for number, (distribution, z) in enumerate(zip(self.distributions, drawn, strict=True))
        ]

    def _refined(self, words: Tensor, mask: Tensor, emotions: list[Tensor], positive: Tensor) -> list[Tensor]:
        """M and M~ (B, T - 1, W): equations 18 to 23."""
        if self.settings.grouping and self.settings.mimicry:
            pleasant, unpleasant = emotions
            emotions = [
                torch.where(positive[:, None], pleasant, unpleasant),
                torch.where(positive[:, None], unpleasant, pleasant),
            ]
        refined = []
        for number, emotion in enumerate(emotions):
            which = min(number, len(self.joins) - 1)
            beside = emotion[:, None, :].expand_as(words)
            refined.append(self.refiners[which](self.joins[which](torch.cat((words, beside), 2)), mask))
        return refined

    def encode(self, batch: Batch, *, seeds: Sequence[int] = ()) -> State:
        state = State(len(batch.context))
        context = self.understood(batch)
        likeliest = self._felt(context[:, 0]).argmax(1)
        memory, _ = self._fused(context, batch.mask, self.positive[likeliest], seeds)
        self.decoder.remember(state, "decoder", memory, batch.mask[:, 1:])
        return state

    def step(self, tokens: Tensor, state: State) -> Tensor:
        return self.scored(self.decoder.step(self.newest(tokens, state), state, "decoder"))[:, 0]


def _chances(seeds: Sequence[int], groups: int, width: int) -> list[Tensor]:
    """R of equation 14 (B, W), by group: each row's follows from its own seed."""
    rows = [torch.randn(groups, width, generator=torch.Generator().manual_seed(seed)) for seed in seeds]
    return list(torch.stack(rows, 1))


def _divergence(posterior: list[tuple[Tensor, Tensor]], prior: list[tuple[Tensor, Tensor]]) -> Tensor:
    """KL[Q || P] of normal distributions, summed over groups, items and dimensions: equation 16."""
    parts = []
    for (mean, log_variance), (prior_mean, prior_log_variance) in zip(posterior, prior, strict=True):
        apart = (mean - prior_mean).square() / prior_log_variance.exp()
        ratio = log_variance - prior_log_variance
        parts.append(0.5 * (ratio.exp() + apart - 1 - ratio).sum())
    return torch.stack(parts).sum()
