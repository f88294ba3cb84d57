"""Abstention: from a tolerated share of errors to the probability an abstract must reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimscope.errors import ConfigurationError
from claimscope.models.locate import Locator
from claimscope.models.verifier.settings import read_verifier
from claimscope.pipeline.preset import Preset, StageSetting
from claimscope.pipeline.stage import Kind


def with_max_error(preset: Preset, max_error: float) -> tuple[Preset, float]:
    """Give the preset with the threshold its verifier's risk curve names, and that threshold.

    The curve was measured on held-out claims when the verifier was calibrated.
    """
    if not 0 < max_error < 1:
        raise ConfigurationError(
            f"A tolerated share of errors lies between 0 and 1, not at {max_error:g}; write 10% or "
            "0.1."
        )
    threshold = least_probability(_curve(preset), max_error)
    if threshold is None:
        raise ConfigurationError(
            f"The verifier of preset {preset.name} was never as sure as {max_error:.0%} errors ask "
            "for on the claims it was calibrated on; tolerate more."
        )
    stages = tuple(_with_threshold(each, threshold) for each in preset.stages)
    return replace(preset, stages=stages), threshold


def least_probability(curve: Sequence[tuple[float, float]], max_error: float) -> float | None:
    """Give the lowest probability from which on no more than so many labels were wrong."""
    fitting = [probability for probability, wrong in curve if wrong <= max_error]
    return min(fitting, default=None)


def _curve(preset: Preset) -> tuple[tuple[float, float], ...]:
    locator = Locator()
    for setting in preset.stages:
        model = setting.parameters.get("model")
        if setting.kind is Kind.JUDGE and model is not None:
            curve = read_verifier(locator.find(str(model)).folder).risk
            if curve:
                return curve
    raise ConfigurationError(
        f"Preset {preset.name} has no verifier that was calibrated, so nobody knows how often it "
        "errs; choose another preset or leave out the tolerated share of errors."
    )


def _with_threshold(setting: StageSetting, threshold: float) -> StageSetting:
    if setting.kind is not Kind.DECIDE:
        return setting
    return replace(setting, parameters={**setting.parameters, "threshold": threshold})
