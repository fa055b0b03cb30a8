"""Training: one loop for everything that learns; it knows models by an interface only."""

from empathic.training.batches import Batches
from empathic.training.checkpoint import Progress
from empathic.training.loop import Tell, Term, Trainee, train
from empathic.training.overlap import Overlap, TestTexts
from empathic.training.parallel import Workers, join
from empathic.training.settings import TrainingSettings

__all__ = [
    "Batches",
    "Overlap",
    "Progress",
    "Tell",
    "Term",
    "TestTexts",
    "Trainee",
    "TrainingSettings",
    "Workers",
    "join",
    "train",
]
