"""Reads papers from files: one reader per format, one stream of documents and failures."""

from claimscope.ingest.detect import FORMATS, detect, get_format
from claimscope.ingest.files import read
from claimscope.ingest.record import Failure, Format, Item, Skipped
from claimscope.ingest.supervisor import read_in_child

__all__ = [
    "FORMATS",
    "Failure",
    "Format",
    "Item",
    "Skipped",
    "detect",
    "get_format",
    "read",
    "read_in_child",
]
