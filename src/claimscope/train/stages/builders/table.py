"""The builders by the names configurations give them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from claimscope.train.stages.builders.combo import Combo
from claimscope.train.stages.builders.documents import Abstracts, Candidates
from claimscope.train.stages.builders.labels import Labels
from claimscope.train.stages.builders.sentences import Sentences
from claimscope.train.stages.builders.source import Builder
from claimscope.train.stages.builders.verdicts import Verdicts

BUILDERS: Mapping[str, type[Builder]] = MappingProxyType(
    {
        "candidates": Candidates,
        "abstracts": Abstracts,
        "sentences": Sentences,
        "labels": Labels,
        "combo": Combo,
        "verdicts": Verdicts,
    }
)
