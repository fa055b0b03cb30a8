"""The card of a trained model: what a person should know before using it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from empathic.annotators.factors import Reading
from empathic.experiments.recipes import AnnotatorRecipe
from empathic.experiments.responder_recipe import ResponderRecipe

__all__ = ["annotator_card", "responder_card"]


def annotator_card(
    name: str, recipe: AnnotatorRecipe, reading: Reading, figures: Mapping[str, Mapping[str, Any]]
) -> str:
    """Markdown: what it reads, what it learned from, what was measured, what it is not for."""
    heads = "\n".join(f"- `{head.name}`: {len(head.labels)} labels ({head.kind})" for head in reading.heads)
    learned = ", ".join(f"{source} × {times}" if times > 1 else source for source, times in recipe.sources.items())
    rows = "\n".join(
        f"| {source} | {figure} | {value:,.0f} |"
        if figure.endswith("count")
        else f"| {source} | {figure} | {value:.4f} |"
        for source, found in figures.items()
        for figure, value in found.items()
    )
    return f"""# {name}

{recipe.about}

Reads {reading.about}.

{heads}

- Encoder: {recipe.encoder}, {f"low-rank adapters of rank {recipe.adapter}" if recipe.adapter else "all layers trained"}
- Learned from: {learned}{f", and from a teacher: {', '.join(recipe.teacher.models)}" if recipe.teacher else ""}
- Licence of the weights: {recipe.licence}
- Made anew by: `empathic train {name}`, with the settings that the run's `recipe.json` holds

## Measured

On test splits; nothing of six or more words that stands in them was learned.

| source | figure | value |
|---|---|---:|
{rows}

## Limits

It labels what words show, in English, as the people labelled them whose data it learned from. It does not know what
anybody feels, is no diagnosis, and must not decide about a person.
"""


def responder_card(name: str, recipe: ResponderRecipe, figures: Mapping[str, float], weights: int) -> str:
    """Markdown: what it learned from, what was measured, what it is not for."""
    rows = "\n".join(
        f"| {figure} | {value:,.0f} |" if figure == "count" else f"| {figure} | {value:.4f} |"
        for figure, value in figures.items()
    )
    return f"""# {name}

{recipe.about}

- Weights: {weights / 1e6:.2f} million
- Learned from: {", ".join(recipe.data.corpora)}{f", begun from {recipe.begin_from}" if recipe.begin_from else ""}
- Licence of the weights: {recipe.licence}
- Made anew by: `empathic train {name}`, with the settings that the run's `recipe.json` holds

## Measured

On the test split of {recipe.data.measured_on}; nothing of six or more words that stands in it was learned.

| figure | value |
|---|---:|
{rows}

## Limits

It answers in the manner of the conversations it learned from, in English, in a sentence or two. It understands nobody,
remembers nothing beyond the conversation, knows no facts, and is no help in need.
"""
