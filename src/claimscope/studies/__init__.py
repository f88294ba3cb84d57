"""Reads from a paper what kind of study it reports, and which papers report the same study."""

from claimscope.studies.design import Design
from claimscope.studies.reading import Study, read_study
from claimscope.studies.size import SampleSize, find_sample_size

__all__ = ["Design", "SampleSize", "Study", "find_sample_size", "read_study"]
