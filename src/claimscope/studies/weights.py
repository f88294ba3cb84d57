"""How much a study's vote weighs by its design, for those who ask for it (`--weigh design`).

The order follows the levels of evidence of the Oxford Centre for Evidence-Based Medicine (2011).
The numbers are a convention of Claimscope and were not fitted to data.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from claimscope.studies.design import Design

DESIGN_WEIGHTS: Mapping[Design, float] = MappingProxyType(
    {
        Design.SYSTEMATIC_REVIEW: 1.0,
        Design.RANDOMISED_TRIAL: 0.9,
        Design.TRIAL: 0.6,
        Design.COHORT: 0.5,
        Design.OBSERVATIONAL: 0.4,
        Design.CASE_CONTROL: 0.4,
        Design.UNKNOWN: 0.4,
        Design.CROSS_SECTIONAL: 0.3,
        Design.REVIEW: 0.2,
        Design.ANIMAL: 0.15,
        Design.LABORATORY: 0.15,
        Design.CASE_REPORT: 0.1,
        Design.OPINION: 0.05,
    }
)
