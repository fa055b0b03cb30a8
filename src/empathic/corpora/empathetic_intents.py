"""EmpatheticIntents (Welivita & Pu 2020), in its four parts.

`labels.txt` of the published data numbers neutral 38, which is questioning; the files themselves use 40.
"""

from __future__ import annotations

from collections.abc import Iterator

from empathic.corpora._registry import Download, corpus
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Factors, Turn
from empathic.taxonomy import ALL_INTENTS_TO_ACTS, EMOTIONS_AND_INTENTS, INTENTS, SITUATION_EMOTIONS

NAME = "empathetic-intents"
REPOSITORY = "https://raw.githubusercontent.com/anuradha1992/EmpatheticIntents/"
DATA = REPOSITORY + "de8dc61e4b260f81b718e0a73e05b3928f620f2d/datasets/"
BY_HAND = REPOSITORY + "285621d0f4efc40d2a2b07b9d3e3ba71cbe0d19d/datasets/"
# As the files are called, with the misspelling of one of them and of a folder that was renamed since.
EXTENDED = ("acknowleding", *(intent for intent in INTENTS if intent != "acknowledging"), "neutral")
DOWNLOADS = (
    *(Download(f"{DATA}train_data/{name}.txt", to=f"train_data/{name}.txt") for name in ("train", "valid", "test")),
    *(
        Download(
            f"{DATA}lexically_extendedintent_data/{split}/{name}.txt",
            to=f"lexically_extended_intent_data/{split}/{name}.txt",
        )
        for split in ("train", "validation", "test")
        for name in EXTENDED
    ),
    *(
        Download(f"{BY_HAND}manual_annotations/{name}.txt", to=f"manual_annotations/{name}.txt")
        for name in ALL_INTENTS_TO_ACTS
        if name not in ("others", "neutral")
    ),
    *(
        Download(f"{DATA}empatheticdialogues_annotated/{name}.csv", to=f"empatheticdialogues_annotated/{name}.csv")
        for name in SITUATION_EMOTIONS
    ),
)
SEPARATOR = " <SEP> "


@corpus(
    name=NAME,
    title="EmpatheticIntents",
    holds="utterances of EmpatheticDialogues with one of 41 emotions and intents",
    licence="none stated",
    citation="Welivita & Pu. A Taxonomy of Empathetic Response Intents in Human Social Conversations. COLING 2020.",
    home="https://github.com/anuradha1992/EmpatheticIntents",
    folder="empathetic_intents",
    layout={
        None: {"train": "train_data/train.txt", "valid": "train_data/valid.txt", "test": "train_data/test.txt"},
        "lexical": {
            "train": "lexically_extended_intent_data/train/*.txt",
            "valid": "lexically_extended_intent_data/validation/*.txt",
            "test": "lexically_extended_intent_data/test/*.txt",
        },
        "manual": {"all": "manual_annotations/*.txt"},
        "annotated": {"all": "empatheticdialogues_annotated/*.csv"},
    },
    downloads=DOWNLOADS,
    parts={
        "lexical": "listener utterances found by the words of an intent, 8 intents and neutral",
        "manual": "506 listener utterances labelled by hand, with finer intents",
        "annotated": "all of EmpatheticDialogues with a predicted label on every utterance",
    },
)
def read(source: Source) -> Iterator[Dialogue]:
    if source.part == "annotated" or source.path.suffix == ".csv":
        return _annotated(source)
    if source.part == "manual":
        return _manual(source)
    return _labelled(source)


def _labelled(source: Source) -> Iterator[Dialogue]:
    for number, line in source.lines():
        label, separator, text = line.partition(SEPARATOR)
        text = text.strip()
        if not separator or not (label.isascii() and label.isdigit() and len(label) < 3) or not text:
            source.defect(number, "expected a line 'LABEL <SEP> TEXT'")
        elif int(label) >= len(EMOTIONS_AND_INTENTS):
            source.defect(number, f"there is no label {label}; they run from 0 to {len(EMOTIONS_AND_INTENTS) - 1}")
        else:
            intent = EMOTIONS_AND_INTENTS[int(label)]
            yield _single(source, number, text, Factors(act=ALL_INTENTS_TO_ACTS.get(intent), intent=intent))


def _manual(source: Source) -> Iterator[Dialogue]:
    intent = source.path.stem
    act = ALL_INTENTS_TO_ACTS.get(intent)
    if act is None:
        source.defect(None, f"{intent!r} is no intent of the manual annotation")
        return
    for number, line in source.lines():
        if text := line.strip():
            yield _single(source, number, text, Factors(act=act), {"intent": intent})
        else:
            source.defect(number, "an empty line")


def _single(source: Source, number: int, text: str, factors: Factors, labels: dict[str, str] | None = None) -> Dialogue:
    # The files of one intent are called the same in every split of the lexical part.
    where = ("lexical", source.split or "all") if source.part == "lexical" else ()
    identity = "-".join((*where, source.path.stem, str(number)))
    speaking = factors.act is None
    turn = Turn("speaker" if speaking else "listener", text, factors=factors, labels=labels or {})
    return Dialogue(identity, (turn,), NAME, source.split)


def _annotated(source: Source) -> Iterator[Dialogue]:
    emotion = source.path.stem
    conversation: str | None = None
    situation: str | None = None
    labels: dict[str, str] = {}
    turns: list[Turn] = []
    for number, (identity, kind, actor, text, label) in source.rows(("Dialog_ID", "Type", "Actor", "Text", "Label")):
        if label not in EMOTIONS_AND_INTENTS:
            source.defect(number, f"{label[:40]!r} is none of the 41 labels")
            continue
        if identity != conversation:
            if conversation is not None and turns:
                yield Dialogue(conversation, tuple(turns), NAME, None, emotion, situation, labels=labels)
            conversation, situation, labels, turns = identity, None, {}, []
        if kind == "situation":
            situation, labels = text, {"situation.intent": label}
        elif kind == "utterance" and actor in ("speaker", "listener") and text.strip():
            factors = Factors(act=ALL_INTENTS_TO_ACTS.get(label), intent=label)
            turns.append(Turn("speaker" if actor == "speaker" else "listener", text.strip(), factors=factors))
        else:
            source.defect(number, "expected a situation, or an utterance of the speaker or the listener")
    if conversation is not None and turns:
        yield Dialogue(conversation, tuple(turns), NAME, None, emotion, situation, labels=labels)
