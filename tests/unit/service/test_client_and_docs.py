from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from claimscope.service.client import Client, ClientError

from .running import ASPIRIN, Running

RECORD = "TY  - JOUR\nTI  - Tea and iron\nAB  - Tea lowered iron.\nDO  - 10.1000/t\nER  - \n"


@pytest.fixture
def client(server: Running) -> Client:
    return Client(server.address)


def test_files_are_uploaded_and_their_papers_read_back(client: Client, tmp_path: Path) -> None:
    file = tmp_path / 'odd "name".ris'
    file.write_text(
        "TY  - JOUR\nTI  - Tea and iron\nAB  - Tea lowered iron.\nDO  - 10.1000/t\nER  - \n"
    )
    job = client.wait(client.upload(file, key="once").id, 20)
    assert (job.state, job.kind) == ("done", "import")
    assert client.upload(file, key="once").id == job.id
    found = client.document("doi:10.1000/t")
    assert (found.title, found.depth) == ("Tea and iron", "abstract")
    assert found in list(client.documents())
    client.remove("doi:10.1000/t")
    with pytest.raises(ClientError, match="There is no document") as raised:
        client.document("doi:10.1000/t")
    assert raised.value.status == 404
    with pytest.raises(ClientError, match="Cannot read"):
        client.upload(tmp_path / "missing.ris")


def test_saved_verdicts_are_the_history(client: Client) -> None:
    saved = client.save(ASPIRIN)
    assert next(each["number"] for each in client.history()) == saved["number"]


def test_the_documentation_names_every_address_and_loads_nothing_else(server: Running) -> None:
    text = httpx.get(f"{server.address}/docs", headers={"Accept": "text/html"}, timeout=20).text
    described = server.http.get("/openapi.json").json()
    for path, item in described["paths"].items():
        for method in item:
            assert f"{method.upper()} {path}" in text
    assert all(f'id="object-{name}"' in text for name in ("Problem", "CaseModel", "JobModel"))
    assert "http" not in text.replace(server.address, "").replace("http-", "")
