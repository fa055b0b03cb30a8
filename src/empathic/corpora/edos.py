"""EDOS (Welivita, Xie & Pu 2021): the labelled dialogues of film subtitles that its classifier was trained on.

Four files, each of another make: labelled by three workers; found by likeness to those; labelled by the classifier
itself with high confidence; found by likeness to those. The label is that of the last turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from empathic.corpora._registry import Download, corpus, is_called
from empathic.corpora._source import Source
from empathic.dialogue import Dialogue, Factors, Role, Turn
from empathic.taxonomy import ALL_INTENTS_TO_ACTS, EMOTIONS_AND_INTENTS

FILES = {
    "workers": "1. MTurk_groundtruth_labels_9K.csv",
    "similar": "2. Similar_dialogs_3K.csv",
    "self-labelled": "3. Self-labeled_dialogs_4K.csv",
    "similar-self": "4. Similar_self-labeled_dialogs_2K.csv",
}
BY_WORKERS = ("DialogID", "Dialog", "Agreed emotion (2/3 vote)")
BY_MACHINE = ("os_dialog_id", "os_dialog", "emotion")
DISAGREED = "-"
HOME = "https://github.com/anuradha1992/EDOS"
RAW = (
    "https://raw.githubusercontent.com/anuradha1992/EDOS/7f1c42a89e1c77f80dd7da6db79d76e3613c62f2/Data/"
    "Training%20data%20for%20the%20dialogue%20emotion%20classifier/"
)


@corpus(
    name="edos",
    title="EDOS, the classifier's data",
    holds="19,659 dialogues of film subtitles, the last turn with one of 41 emotions and intents",
    licence="CC BY 4.0",
    citation="Welivita, Xie & Pu. A Large-Scale Dataset for Empathetic Response Generation. EMNLP 2021.",
    home=HOME,
    folder="edos_classifier",
    layout={None: {"all": tuple(FILES.values())}} | {part: {"all": file} for part, file in FILES.items()},
    downloads=tuple(Download(RAW + quote(file), to=file) for file in FILES.values()),
    parts={
        "workers": "10,245 dialogues labelled by three workers each",
        "similar": "3,196 dialogues most like those",
        "self-labelled": "4,100 dialogues labelled by the classifier with high confidence",
        "similar-self": "2,118 dialogues most like those",
    },
)
def read(source: Source) -> Iterator[Dialogue]:
    make = next((make for make, file in FILES.items() if is_called(source.path, file)), source.part or "workers")
    columns = BY_WORKERS if make == "workers" else BY_MACHINE
    for number, (identity, text, written) in source.rows(columns):
        utterances = [line.removeprefix("- ").strip() for line in text.strip().splitlines()]
        utterances = [utterance for utterance in utterances if utterance]
        if not utterances:
            source.defect(number, "an empty dialogue")
            continue
        label = written.strip().lower().removesuffix(" (other)")
        if label in EMOTIONS_AND_INTENTS:
            factors = Factors(act=ALL_INTENTS_TO_ACTS.get(label), intent=label)
        elif label in (DISAGREED, "disagreeing"):
            factors = None
        else:
            source.defect(
                number, f"{written[:40]!r} is none of the 41 labels, nor {DISAGREED!r} for raters who disagreed"
            )
            continue
        last = len(utterances) - 1
        turns = tuple(
            Turn(_role(position), utterance, factors=factors if position == last else None)
            for position, utterance in enumerate(utterances)
        )
        labels = {"label": written.strip(), "made": make}
        yield Dialogue(f"{make}-{number}-{identity}", turns, "edos", None, labels=labels)


def _role(position: int) -> Role:
    return "listener" if position % 2 else "speaker"
