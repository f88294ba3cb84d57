"""Scaling, prior and thresholds: fitted on what is known, found again, and drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from claimscope.models.verifier.joint import Abstract, Verified
from claimscope.models.verifier.settings import RelevancePrior, VerifierSettings
from claimscope.types import LabelProbabilities, Score
from tests.tiny_models import REASON
from tests.unit.train.small_data import own_folder

pytest.importorskip("torch", reason=REASON)

from recipe import calibrate as calibration
from recipe.pools import open_pool
from recipe.scaling import NO_PRIOR, Scaling, fit_named, fit_prior, fit_scaling
from recipe.thresholds import GRID, fit_thresholds, judge


def test_scaling_undoes_overconfidence_and_a_shifted_prior() -> None:
    generator = np.random.default_rng(0)
    logits = generator.normal(size=(6000, 3))
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    targets = [int(generator.choice(3, p=row)) for row in true]
    distorted = Scaling(1 / 3, (1.5, 0.0, -0.5)).apply(true)
    found = fit_scaling(distorted, targets)
    assert found.temperature == pytest.approx(3.0, rel=0.1)
    assert found.apply(distorted) == pytest.approx(true, abs=0.05)


def _drawn(seed: int, count: int) -> tuple[np.ndarray, list[int]]:
    """Draw probabilities, and classes by them."""
    generator = np.random.default_rng(seed)
    chances = generator.dirichlet((1.0, 1.0, 1.0), count)
    return chances, [int(generator.choice(3, p=row)) for row in chances]


def test_evidence_from_elsewhere_tells_support_from_refutation_alone() -> None:
    known, targets = _drawn(2, 300)
    others, said = _drawn(3, 4000)
    decided = np.array(said) < 2
    # There refutations are taken for supports, and evidence is rare.
    shifted = Scaling(1.0, (2.0, 0.0, 3.0)).apply(others[decided])
    stances = np.array(said)[decided].tolist()
    alone = fit_scaling(known, targets)
    found = fit_scaling(known, targets, shifted, stances)
    assert alone.bias[0] - alone.bias[1] == pytest.approx(0, abs=0.5)
    assert found.bias[0] - found.bias[1] < -1
    silence = 1 - found.apply(known)[:, 2].mean()
    assert silence == pytest.approx(1 - alone.apply(known)[:, 2].mean(), abs=0.05)
    # How silent the others are taken to be makes no difference.
    louder = Scaling(1.0, (0.0, 0.0, -5.0)).apply(shifted)
    assert fit_scaling(known, targets, louder, stances).bias == pytest.approx(found.bias, abs=1e-3)


def test_scaling_stays_finite_where_nothing_is_mistaken() -> None:
    sure = np.array([[0.98, 0.01, 0.01], [0.01, 0.98, 0.01], [0.01, 0.01, 0.98]])
    found = fit_scaling(sure, [0, 1, 2])
    assert np.isfinite(found.apply(sure)).all()
    assert found.temperature < 1


def test_the_prior_is_found_again_and_never_rewards_what_was_found_badly() -> None:
    generator = np.random.default_rng(1)
    evidence, shares = generator.uniform(0.02, 0.98, 8000), generator.uniform(0.2, 1, 8000)
    prior = RelevancePrior(5.0, 0.8)
    chances = [
        1 - prior.applied(LabelProbabilities(each, 0.0, 1 - each), share).not_enough_info
        for each, share in zip(evidence, shares, strict=True)
    ]
    is_evidence = generator.uniform(size=8000) < np.array(chances)
    found = fit_prior(evidence, shares, is_evidence.tolist())
    assert found.weight == pytest.approx(5.0, rel=0.1)
    assert found.typical == pytest.approx(0.8, abs=0.03)
    assert fit_prior(evidence, 1 - shares, is_evidence.tolist()).weight == 0


def test_named_documents_gain_what_their_share_of_evidence_asks_for() -> None:
    generator = np.random.default_rng(5)
    evidence = generator.uniform(0.02, 0.98, 4000)
    gained = 1 / (1 + (1 - evidence) / evidence * np.exp(-1.5))
    is_evidence = (generator.uniform(size=4000) < gained).tolist()
    found = fit_named(RelevancePrior(5.0, 0.8), evidence, is_evidence)
    assert found.weight * (found.named - found.typical) == pytest.approx(1.5, abs=0.15)
    assert fit_named(NO_PRIOR, evidence, is_evidence) == NO_PRIOR


class Knowing:
    """A verifier that knows the answers of the folder of five claims, and is sure at 0.6."""

    def verify(self, abstracts: Any) -> list[Verified]:
        return [self._one(each) for each in abstracts]

    def _one(self, abstract: Abstract) -> Verified:
        number = int(abstract.claim.split()[1])
        if abstract.title != f"trial {number}":
            return Verified(LabelProbabilities(0.3, 0.25, 0.45), (Score(0.2), Score(0.3)))
        supports = 0.6 if number % 2 == 0 else 0.15
        labels = LabelProbabilities(supports, 0.75 - supports, 0.25)
        return Verified(labels, (Score(0.6), Score(0.35)))


def test_thresholds_part_evidence_from_the_rest(tmp_path: Path) -> None:
    pool = open_pool(str(own_folder(tmp_path)), candidates=4)
    judged = judge(Knowing(), pool)
    thresholds = fit_thresholds(judged, judged.labels)
    assert 0.55 < thresholds.evidence <= 0.75
    cut = max(thresholds.sentence, thresholds.sentence_share * 0.6)
    assert 0.35 < cut <= 0.6
    found = calibration.calibrate(Knowing(), pool)
    assert found.measured["sentence-label F1"].value > 0.7
    assert found.scaling.temperature < 1
    assert found.risk[-1].coverage == 1
    assert found.risk[0].risk == 0


def test_errors_on_another_set_of_held_out_claims_count_for_abstention(
    tmp_path: Path,
) -> None:
    pool = open_pool(str(own_folder(tmp_path)), candidates=4)

    class Contrary(Knowing):
        """Takes what refutes for support, and the other way round."""

        def _one(self, abstract: Abstract) -> Verified:
            found = super()._one(abstract)
            said = found.labels
            turned = LabelProbabilities(said.refutes, said.supports, said.not_enough_info)
            return replace(found, labels=turned)

    class Both:
        """Knows the first set's answers, and errs on the second, whose claims are marked."""

        def verify(self, abstracts: Any) -> list[Verified]:
            return [
                (Contrary() if each.claim.endswith("!") else Knowing())._one(each)
                for each in abstracts
            ]

    marked = [
        replace(each, claim=replace(each.claim, text=f"{each.claim.text} !"))
        for each in pool.claims
    ]
    alone = calibration.calibrate(Both(), pool)
    beside = calibration.calibrate(Both(), pool, [replace(pool, claims=marked)])
    assert alone.tolerance == alone.risk
    assert alone.tolerance[-1].risk == 0
    assert beside.risk[-1].risk == 0
    assert beside.tolerance[-1].risk == 0.5
    assert beside.scaling.temperature > alone.scaling.temperature, "errors there make it less sure"


def test_where_many_thresholds_are_best_the_middle_one_is_taken(tmp_path: Path) -> None:
    pool = open_pool(str(own_folder(tmp_path)), candidates=4)
    judged = judge(Knowing(), pool)
    best = [
        each
        for each in GRID
        if 0.55 < each <= 0.75  # The surest of the others, and what is evidence.
    ]
    found = fit_thresholds(judged, judged.labels).evidence
    assert min(best) < found < max(best)
    assert found == pytest.approx(sum(best) / len(best), abs=0.02)


def test_the_rule_of_sentences_lies_between_those_that_parts_of_the_claims_ask_for(
    tmp_path: Path,
) -> None:
    pool = open_pool(str(own_folder(tmp_path)), candidates=4)

    class Divided(Knowing):
        """In one half of the abstracts takes the wrong sentence for the better one."""

        def _one(self, abstract: Abstract) -> Verified:
            found = super()._one(abstract)
            right, wrong = (0.9, 0.5) if found.labels.supports > 0.5 else (0.4, 0.45)
            return Verified(found.labels, (Score(right), Score(wrong)))

    judged = judge(Divided(), pool)
    found = fit_thresholds(judged, judged.labels)
    # One half asks for anything up to 0.4, so that both are taken, the other for more than 0.5.
    assert min(GRID) < found.sentence < 0.55


def test_sentences_are_cut_beside_the_best_one_where_that_tells_them_apart(tmp_path: Path) -> None:
    pool = open_pool(str(own_folder(tmp_path)), candidates=4)

    class Uneven(Knowing):
        """As sure of evidence in one abstract as of none in another."""

        def _one(self, abstract: Abstract) -> Verified:
            found = super()._one(abstract)
            if found.labels.not_enough_info > 0.4:
                return found
            best = 0.9 if found.labels.supports > 0.5 else 0.3
            return Verified(found.labels, (Score(best), Score(best * 0.38)))

    judged = judge(Uneven(), pool)
    thresholds = fit_thresholds(judged, judged.labels)
    # The worse sentence of one abstract scores above the better one of the other.
    assert thresholds.sentence <= 0.3
    assert thresholds.sentence_share >= 0.4


def test_the_pictures_of_a_card_are_files_a_browser_reads(tmp_path: Path) -> None:
    from xml.etree import ElementTree

    found = calibration.calibrate(Knowing(), open_pool(str(own_folder(tmp_path)), candidates=4))
    calibration.draw(found, tmp_path)
    for name in ("reliability.svg", "risk_coverage.svg"):
        root = ElementTree.fromstring((tmp_path / name).read_text("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "--blue" in (root.findtext("{http://www.w3.org/2000/svg}style") or "")


def test_what_was_fitted_goes_into_the_settings_of_the_folder(tmp_path: Path) -> None:
    found = calibration.calibrate(Knowing(), open_pool(str(own_folder(tmp_path)), candidates=4))
    settings = calibration.fitted(VerifierSettings(reread=6), found)
    assert (settings.reread, settings.temperature) == (6, found.scaling.temperature)
    assert (settings.evidence, settings.threshold) == (
        found.thresholds.evidence,
        found.thresholds.sentence,
    )
    assert settings.risk[-1] == (found.tolerance[-1].threshold, found.tolerance[-1].risk)
