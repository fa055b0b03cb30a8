"""Measures how many replies a second are decoded, beside the same models decoded as MoEL's and MIME's public code does.

    EMPATHIC_DATA=... python bench/decoding.py docs/results/decoding [--model RUN] [--contexts N] [--device cuda]

Writes decoding.json and .md, on a GPU decoding-cuda. The peer understands each context alone and once; for every token
it then runs the decoder over all that was said, keeps nothing, and scores every position. Both are timed from turns to
text, the best of several runs, peer and subject taking turns. Without models to measure, the recipes mime and moel are
built with weights of chance, made to say replies of a usual length.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor

from empathic import corpora
from empathic.cli._responder import load_named
from empathic.compute import choose_device
from empathic.decoding import Decoding
from empathic.dialogue import Request
from empathic.experiments.generation import write_replies_to
from empathic.experiments.recipes import load_recipe
from empathic.experiments.responder_data import Item, learned_from, measured_on
from empathic.experiments.responder_recipe import DataSettings, ResponderRecipe
from empathic.experiments.responders import begun
from empathic.models.encoder_decoder import EncoderDecoder, Sizes, decoder_of
from empathic.models.kinds import Trained, TrainedSettings
from empathic.models.layout import Batch, Layout, Said
from empathic.models.mime import MIME
from empathic.models.moel import MoEL, MoELSettings
from empathic.models.stacks import Decoder
from empathic.models.trained_responder import NEVER_SAID, TrainedResponder
from timing import best, machine

RECIPES = ("mime", "moel")
RUNS = 3
SEED = 0
LONGEST = 50
BEAMS = 5
HEARD = 1e-4
"""The public code of MoEL runs the listeners that weigh more than this."""
SURE, USUAL = 25.0, 10.0
"""What makes scores of chance as far apart as a trained model's, and how many tokens a reply then has on average."""
SAMPLE = ('data.corpora=["sample"]', 'data.measured_on="sample"', 'vocabulary.vectors=""')
Strategy = Literal["greedy", "beam"]
BARS: dict[Strategy, int] = {"greedy": 60, "beam": 40}
Scores = Callable[[Tensor], Tensor]
"""Log-probabilities of what follows (rows, vocabulary) from all that was said so far (rows, length)."""


def main() -> None:
    """Measures and writes the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--model", action="append", default=[], help="a run or a model folder; may come several times")
    parser.add_argument("--contexts", type=int, default=512)
    parser.add_argument("--peer-contexts", type=int, default=16)
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    device = choose_device(given.device)
    before = os.getloadavg()[0]
    changes = () if corpora.find("empathetic-dialogues").is_here() else SAMPLE
    data = _recipe("mime", changes).data
    items = measured_on(data, "test")[: given.contexts]
    heard = items[:: max(1, len(items) // given.peer_contexts)][: given.peer_contexts]
    rows = [
        speed(trained, strategy, items, heard, usual=not given.model)
        for trained in _models(given.model, changes, device)
        for strategy in BARS
    ]
    found = {
        "machine": machine(device),
        "load": [round(load, 1) for load in (before, os.getloadavg()[0])],
        "versions": {name: version(name) for name in ("torch", "tokenizers")},
        "data": f"the first {len(items):,} contexts of the test split of {data.measured_on}; the peer answers "
        f"{len(heard)} of them, evenly spread",
        "protocol": f"from turns to text, {LONGEST} tokens at most; best of {RUNS} runs each, peer and subject taking "
        f"turns; seed {SEED}",
        "models": "as trained" if given.model else _chance_in_words(),
        "rows": rows,
    }
    target = given.target if device.type == "cpu" else given.target.with_name(f"{given.target.name}-{device.type}")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    target.with_suffix(".md").write_text(page(found), encoding="utf-8")
    print(page(found))


def _recipe(name: str, changes: Sequence[str]) -> ResponderRecipe:
    recipe = load_recipe(name, changes)
    assert isinstance(recipe, ResponderRecipe)
    return recipe


def _models(named: Sequence[str], changes: Sequence[str], device: torch.device) -> Iterable[Trained]:
    """Those that are named, or else one of each recipe that has learned nothing."""
    if named:
        yield from (load_named(name, device) for name in named)
        return
    learned, _ = learned_from(_recipe(RECIPES[0], changes).data)
    for name in RECIPES:
        recipe = _recipe(name, changes)
        torch.manual_seed(SEED)
        model, vocabulary = begun(recipe, learned)
        assert isinstance(model, EncoderDecoder)
        model.requires_grad_(False).train(mode=False).to(device)
        model.output.weight *= SURE
        data: DataSettings = recipe.data
        settings = TrainedSettings(
            model=recipe.model,
            units=vocabulary.units,
            longest=data.longest,
            longest_response=data.longest_response,
            measured_on="empathetic-dialogues",
            turns=data.turns,
            intents=False,
            decoding=recipe.decoding,
        )
        layout = Layout(vocabulary, longest=data.longest, longest_response=data.longest_response)
        yield Trained(name, model, layout, settings, "chance")


def _chance_in_words() -> str:
    return (
        f"the recipes' sizes and vocabulary, weights of chance; those that score the vocabulary made {SURE:.0f} times "
        "as large, so that the likeliest word is about as sure as a trained model's, and the end's bias sought at "
        f"which replies have about {USUAL:.0f} tokens on average"
    )


def speed(
    trained: Trained, strategy: Strategy, items: Sequence[Item], heard: Sequence[Item], *, usual: bool
) -> dict[str, Any]:
    """Replies a second of both, and whether they say the same."""
    responder = TrainedResponder(trained, Decoding(strategy=strategy, beams=BEAMS, longest=LONGEST))
    if usual:
        make_usual(responder, items)
    peer = Peer(trained)
    seeds = {item.exchange.id: number for number, item in enumerate(items)}
    said: dict[str, str] = {}
    peer_said: dict[str, str] = {}

    def answer() -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = write_replies_to(Path(folder, "replies.jsonl"), responder, items, seed=SEED)
            for line in file.read_text(encoding="utf-8").splitlines():
                fields = json.loads(line)
                said[fields["id"]] = fields["reply"]

    def peer_answers() -> None:
        for item in heard:
            peer_said[item.exchange.id] = peer.reply(item, strategy, seeds[item.exchange.id])

    seconds = best(answer, peer_answers, runs=RUNS)
    rate, peer_rate = len(items) / seconds[0], len(heard) / seconds[1]
    return {
        "model": trained.name,
        "strategy": strategy,
        "contexts": len(items),
        "peer contexts": len(heard),
        "tokens": round(sum(map(len, trained.layout.vocabulary.encode(list(said.values())))) / len(said), 1),
        "same": sum(said[name] == reply for name, reply in peer_said.items()),
        "replies a second": round(rate, 1),
        "ratio": round(rate / peer_rate, 1),
        "bar": BARS[strategy],
    }


@torch.inference_mode()
def make_usual(responder: TrainedResponder, items: Sequence[Item], count: int = 32) -> None:
    """Seeks the bias of the end at which replies have the usual length."""
    trained = responder.trained
    assert isinstance(trained.model, EncoderDecoder)
    assert trained.model.output.bias is not None
    requests = [Request(item.exchange.context) for item in items[:count]]
    low, high = -SURE, SURE
    for _ in range(10):
        trained.model.output.bias[trained.model.end] = bias = (low + high) / 2
        replies = responder.replies(requests, seeds=range(len(requests)))
        tokens = sum(map(len, trained.layout.vocabulary.encode(replies)))
        low, high = (bias, high) if tokens > USUAL * len(replies) else (low, bias)


class Peer:
    """The same model, decoded as the public code does."""

    def __init__(self, trained: Trained) -> None:
        self.trained = trained
        model = trained.model
        settings = trained.settings.model
        moel = isinstance(model, MoEL) and isinstance(settings, MoELSettings)
        self.listeners = _apart(model, settings.sizes) if moel else []

    @torch.inference_mode()
    def reply(self, item: Item, strategy: Strategy, seed: int) -> str:
        """What is replied to one context."""
        layout = self.trained.layout
        turns = item.exchange.context[-self.trained.settings.turns :]
        batch = layout.lay_out([Said(turns)]).to(self.trained.model.device).batch([0])
        scores = self._understood(batch, seed)
        return layout.vocabulary.decode(self._greedy(scores) if strategy == "greedy" else self._beam(scores))

    def _greedy(self, scores: Scores) -> list[int]:
        """One step more than there may be tokens, whether or not the reply has ended; then cut at the end."""
        model = self.trained.model
        said = torch.full((1, 1), model.begin, device=model.device)
        for _ in range(LONGEST + 1):
            said = torch.cat((said, scores(said).argmax(1, keepdim=True)), 1)
        return self._cut(said[0, 1 : LONGEST + 1].tolist())

    def _beam(self, scores: Scores) -> list[int]:
        """Until the likeliest beam ends; others go on behind their end."""
        model = self.trained.model
        said = torch.full((BEAMS, 1), model.begin, device=model.device)
        totals = torch.full((BEAMS, 1), -torch.inf, device=model.device)
        totals[0] = 0  # at first all are the same
        for _ in range(LONGEST):
            each = totals + scores(said)
            likeliest, places = each.flatten().topk(BEAMS)
            totals = likeliest[:, None]
            said = torch.cat((said[places // each.shape[1]], (places % each.shape[1])[:, None]), 1)
            if said[0, -1].item() == model.end:
                break
        return self._cut(said[0, 1:].tolist())

    def _cut(self, tokens: list[int]) -> list[int]:
        end = self.trained.model.end
        return tokens[: tokens.index(end)] if end in tokens else tokens

    def _understood(self, batch: Batch, seed: int) -> Scores:
        """The context is encoded once."""
        model = self.trained.model
        assert isinstance(model, EncoderDecoder)
        never = [mark for mark in NEVER_SAID if mark != model.end]
        refine = self._decoder(model, batch, seed)

        def scores(said: Tensor) -> Tensor:
            scored = model.scored(refine(model.said(said))).log_softmax(-1)[:, -1]
            return scored.index_fill(1, torch.tensor(never, device=scored.device), -torch.inf)

        return scores

    def _decoder(self, model: EncoderDecoder, batch: Batch, seed: int) -> Callable[[Tensor], Tensor]:
        """What makes of all that was said what is scored, beside the context."""
        context = model.understood(batch)
        if isinstance(model, MIME):
            felt = model._felt(context[:, 0]).argmax(1)
            context, _ = model._fused(context, batch.mask, model.positive[felt], [seed])
            return _beside(model.decoder, context, batch.mask[:, 1:])
        if not isinstance(model, MoEL):
            return _beside(model.decoder, context, batch.mask)
        weights = model._chosen(model.keys(context[:, 0]))[0].tolist()
        shared, meta = (_beside(decoder, context, batch.mask) for decoder in (model.shared, model.meta))
        heard = [
            (weight, _beside(listener, context, batch.mask))
            for weight, listener in zip(weights, self.listeners, strict=True)
            if weight > HEARD
        ]

        def refine(said: Tensor) -> Tensor:
            return meta(shared(said) + torch.stack([weight * listener(said) for weight, listener in heard]).sum(0))

        return refine


def _beside(decoder: Decoder, memory: Tensor, mask: Tensor) -> Callable[[Tensor], Tensor]:
    """A decoder beside one context, for as many replies to it as there are."""
    return lambda said: decoder(said, memory.expand(len(said), -1, -1), mask.expand(len(said), -1))


def _apart(model: MoEL, sizes: Sizes) -> list[Decoder]:
    """The listeners one by one, as the public code holds them."""
    apart = []
    for number in range(model.keys.weight.shape[0]):
        listener = decoder_of(sizes).to(model.device).requires_grad_(False)
        weights = {name: weight[number].squeeze() for name, weight in model.listeners.state_dict().items()}
        listener.load_state_dict({name: weight.T if weight.dim() == 2 else weight for name, weight in weights.items()})
        apart.append(listener.train(mode=False))
    return apart


def page(found: dict[str, Any]) -> str:
    """The same as a page."""
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    before, after = found["load"]
    lines = [
        f"# Decoding replies on {found['machine']}",
        "",
        f"Written by `python bench/decoding.py`. {versions}; the machine's load before and after: "
        f"{before} and {after}. Data: {found['data']}. Protocol: {found['protocol']}. "
        f"Models: {found['models']}.",
        "",
        "Subject: `write_replies_to`, 64 contexts at once, with what was said kept; a reply that has ended leaves. "
        "Peer: the same model as the public code of MoEL and MIME decodes: one context at a time, encoded once; for "
        "every token the decoder runs over all that was said and every position is scored, nothing is kept; of MoEL's "
        f"listeners one after the other runs that is heard. Greedily it takes {LONGEST + 1} steps always, with "
        f"{BEAMS} beams until the likeliest ends.",
        "",
        "| model | decoding | contexts, peer's | tokens a reply | replies a second | bar | the same reply |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    on_gpu = " thread" not in found["machine"]
    for row in found["rows"]:
        absolute = f"; {row['replies a second']:,} a second" if on_gpu else ""
        decoding = "greedy" if row["strategy"] == "greedy" else f"beam {BEAMS}"
        lines.append(
            f"| {row['model']} | {decoding} | {row['contexts']:,}, {row['peer contexts']} | {row['tokens']} "
            f"| {row['ratio']} × the peer's{absolute} | {row['bar']} × | {row['same']} of {row['peer contexts']} |"
        )
    lines += [
        "",
        "Greedy replies must be the same. Those of a beam search may differ: the peer stops when its likeliest beam "
        "ends, the subject once no open reply can be likelier than its best.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
