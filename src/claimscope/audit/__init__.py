"""Audits manuscripts: whether each cited paper says what the sentence that cites it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from claimscope._lazy import lazy

if TYPE_CHECKING:
    from claimscope.audit.auditing import Options, audit, bibliographies
    from claimscope.audit.bibliography import read_bibliography
    from claimscope.audit.judging import Answers, CacheFolder
    from claimscope.audit.readers import read_manuscript
    from claimscope.audit.report import Audit, Checked, Level, Outcome, Remark

__all__ = [
    "Answers",
    "Audit",
    "CacheFolder",
    "Checked",
    "Level",
    "Options",
    "Outcome",
    "Remark",
    "audit",
    "bibliographies",
    "read_bibliography",
    "read_manuscript",
]

_HOMES = {
    **dict.fromkeys(("Options", "audit", "bibliographies"), "auditing"),
    "read_bibliography": "bibliography",
    **dict.fromkeys(("Answers", "CacheFolder"), "judging"),
    "read_manuscript": "readers",
    **dict.fromkeys(("Audit", "Checked", "Level", "Outcome", "Remark"), "report"),
}
__getattr__, __dir__ = lazy(__name__, _HOMES)
