"""Several services over one library on a server: papers are shared, jobs are each one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimscope.errors import InputError, LibraryLockedError
from claimscope.library.location import open_library
from claimscope.service.settings import Settings
from claimscope.service.state import open_service
from tests.conftest import TEXTS, document
from tests.qdrant import Node, emptied

from .running import ASPIRIN, running


def test_two_services_share_the_papers_of_a_server(qdrant: Node, tmp_path: Path) -> None:
    url = emptied(qdrant, "served")
    with open_library(url) as library:
        library.add(document(name) for name in TEXTS)
    first, second = (Settings(url, state=str(tmp_path / name)) for name in "ab")
    with running(first) as one, running(second) as two:
        answers = [each.http.post("/check", json={"claim": ASPIRIN}).json() for each in (one, two)]
        assert answers[0] == answers[1]
        assert answers[0]["candidates"]
        assert one.http.delete("/documents/tea").status_code in (200, 204)
        assert two.http.get("/documents/tea").status_code == 404
        found = two.http.get("/documents", params={"limit": 4}).json()
        assert (found["total"], len(found["documents"])) == (9, 4)
        with pytest.raises(LibraryLockedError, match="--state"), open_service(first):
            pass


def test_a_folder_of_jobs_is_for_libraries_on_a_server(tmp_path: Path) -> None:
    settings = Settings(str(tmp_path / "library"), state=str(tmp_path / "state"))
    with (
        pytest.raises(InputError, match="--state is for libraries on a server"),
        open_service(settings),
    ):
        pass
