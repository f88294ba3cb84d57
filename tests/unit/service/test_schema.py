"""The service keeps to its own description, whatever it is asked (schemathesis)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable

pytest.importorskip("schemathesis", reason="schemathesis is not installed")

import schemathesis
from schemathesis import checks

from claimscope.service.jobs.tokens import Scope
from claimscope.service.settings import Settings
from claimscope.service.state import open_service

from .running import make_library, running

FEW = settings(
    max_examples=8, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)
MODES = schemathesis.GenerationMode


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A service that asks for tokens, as it describes itself."""
    folder = make_library(tmp_path_factory.mktemp("described") / "library")
    with open_service(Settings(folder)) as service:
        token = service.tokens.create("admin", Scope.ADMIN)
    with running(Settings(folder, host="0.0.0.0")) as started:
        given = {"auth": {"openapi": {"HTTPBearer": {"bearer": token}}}}
        config = schemathesis.Config.from_dict(given)
        yield schemathesis.openapi.from_url(f"{started.address}/api/v1/openapi.json", config=config)


@pytest.mark.parametrize("mode", [MODES.POSITIVE, MODES.NEGATIVE])
def test_every_answer_is_a_documented_one(described: Any, mode: Any) -> None:
    answers: Counter[tuple[str, int]] = Counter()
    for found in described.get_all_operations():
        operation = found.ok()
        try:
            _ask(operation, mode, answers)
        except Unsatisfiable:
            # Where nothing is asked for, nothing can be asked for wrongly.
            assert mode is MODES.NEGATIVE, operation.label
    answered = {label for label, status in answers if status < 300}
    refused = {label for label, status in answers if status == 422}
    assert len(answered if mode is MODES.POSITIVE else refused) > 10, answers


def _ask(operation: Any, mode: Any, answers: Counter[tuple[str, int]]) -> None:
    @FEW
    @given(case=operation.as_strategy(generation_mode=mode))
    def check(case: Any) -> None:
        # What a claim may hold is told in words: a text that fits the schema can be refused.
        answer = case.call()
        if (
            answer.status_code != 431
        ):  # Addresses that are too long are refused before they are read.
            case.validate_response(answer, excluded_checks=[checks.positive_data_acceptance])
        answers[operation.label, answer.status_code] += 1

    check()
