"""PEC (Zhong et al. 2020), persona-based empathetic conversations, in the layout it is handed on in.

A folder a domain (`happy`, `offmychest`). In `train.txt`, `valid.txt` and `test.txt` each turn is a line
`SPEAKER---+---TEXT`, whose text may run on over further lines; a line of asterisks ends a conversation, and its last
turn is the response. `persona.txt` holds, between such lines, a name and then that person's sentences.
"""

from __future__ import annotations

from collections.abc import Iterator

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Turn
from empathic.errors import DataError

END = "*" * 20
BETWEEN = "---+---"


def _layout(*domains: str) -> dict[str, tuple[str, ...]]:
    return {split: tuple(f"{domain}/{split}.txt" for domain in domains) for split in ("train", "valid", "test")}


@corpus(
    name="pec",
    title="PEC",
    holds="350k conversations of two Reddit forums, happy and offmychest, with sentences about each person",
    licence="GPL-3.0 or later",
    citation="Zhong et al. Towards Persona-Based Empathetic Conversational Models. EMNLP 2020.",
    home="https://github.com/zhongpeixiang/PEC",
    folder="hf_pec",
    layout={
        None: _layout("happy", "offmychest"),
        "happy": _layout("happy"),
        "offmychest": _layout("offmychest"),
    },
    parts={"happy": "the forum of good news", "offmychest": "the forum of burdens"},
    downloads=(
        Download(
            "https://dl.dropboxusercontent.com/s/u04fzuhsnxd0uvw/hf_pec.zip",
            to="",
            unpack=tuple(
                f"{domain}/{name}.txt"
                for domain in ("happy", "offmychest")
                for name in ("train", "valid", "test", "persona")
            ),
        ),
    ),
)
def read(source: Source) -> Iterator[Dialogue]:
    personas = _personas(source)
    domain = source.path.parent.name
    turns: list[list[str]] = []
    begun = 1
    for number, line in source.lines():
        if END in line:
            if len(turns) > 1:
                yield _conversation(source, domain, begun, turns, personas)
            else:
                source.defect(begun, "a conversation without a response")
            turns, begun = [], number + 1
        elif BETWEEN in line:
            name, _, text = line.partition(BETWEEN)
            turns.append([name.strip(), text.strip()])
        elif line.strip():
            if turns:
                turns[-1][1] = f"{turns[-1][1]} {line.strip()}".strip()
            else:
                source.defect(number, f"expected SPEAKER{BETWEEN}TEXT")
    if turns:
        source.defect(begun, "the conversation does not end")


def _conversation(
    source: Source, domain: str, begun: int, turns: list[list[str]], personas: dict[str, tuple[str, ...]]
) -> Dialogue:
    listener = turns[-1][0]
    return Dialogue(
        f"{domain}-{source.path.stem}-{begun}",
        tuple(Turn("listener" if name == listener else "speaker", text, name=name) for name, text in turns),
        "pec",
        source.split,
        persona=personas.get(listener, ()),
        labels={"domain": domain},
    )


def _personas(source: Source) -> dict[str, tuple[str, ...]]:
    personas: dict[str, tuple[str, ...]] = {}
    sentences: list[str] = []
    try:
        for _, line in source.companion("persona.txt").lines():
            if END not in line:
                sentences.append(line.strip())
            elif sentences:
                personas[sentences[0]] = tuple(filter(None, sentences[1:]))
                sentences = []
    except DataError as error:
        source.defect(None, f"read without personas: {error.message}")
    return personas
