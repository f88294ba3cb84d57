"""The field's data sets: where they come from, what to expect, and the records they all yield."""

from claimscope.datasets.describe import Description, Finding, check, describe
from claimscope.datasets.location import data_folders, download_folder, find_folder, get
from claimscope.datasets.record import (
    Card,
    Dataset,
    LabelledClaim,
    Relevant,
    answers_of,
    gold_of,
    qrels_of,
)
from claimscope.datasets.registry import DATASETS, find_definition, open_dataset
from claimscope.errors import MissingDataError

__all__ = [
    "DATASETS",
    "Card",
    "Dataset",
    "Description",
    "Finding",
    "LabelledClaim",
    "MissingDataError",
    "Relevant",
    "answers_of",
    "check",
    "data_folders",
    "describe",
    "download_folder",
    "find_definition",
    "find_folder",
    "get",
    "gold_of",
    "open_dataset",
    "qrels_of",
]
