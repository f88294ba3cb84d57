"""The server for assistants, asked by the SDK's own client over both transports."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

import httpx2
from mcp import Client
from mcp.shared.exceptions import MCPError

from claimscope._version import __version__
from claimscope.checker import Checker
from claimscope.library.location import open_library
from claimscope.mcp.shaping import checked_claim
from claimscope.service.jobs.database import Database, state_folder
from claimscope.service.jobs.saved import Verdicts
from tests.conftest import TEXTS
from tests.unit.mcp.running import TRANSPORTS, Ask, Server, connected, serving
from tests.unit.service.running import ASPIRIN, make_library

TOOLS = ["check_claim", "search_library", "why_not", "get_document", "audit_text"]
ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    library = make_library(tmp_path_factory.mktemp("mcp") / "library")
    with open_library(library) as opened, closing(Database(state_folder(library))) as database:
        Verdicts(database).save(Checker(opened, "lexical-baseline").check(ASPIRIN))
    with serving(library) as started:
        yield started


@pytest.fixture(scope="module", params=list(TRANSPORTS))
def ask(request: pytest.FixtureRequest, server: Server) -> Iterator[Ask]:
    with connected(request.param, server) as asking:
        yield asking


def test_it_offers_five_tools_that_only_read(ask: Ask) -> None:
    listed = ask(lambda client: client.list_tools())
    assert [tool.name for tool in listed.tools] == TOOLS
    for tool in listed.tools:
        assert tool.annotations is not None
        assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)
        assert tool.output_schema
        assert tool.description
        assert "\n  " not in tool.description, "a docstring's indentation is no text"
        assert tool.input_schema["additionalProperties"] is False
    read = [tool.model_dump_json(exclude={"output_schema"}) for tool in listed.tools]
    assert sum(map(len, read)) < 6_000, "what an assistant reads of the tools is small"


def test_a_claim_is_checked_with_quotes_and_progress(server: Server, ask: Ask) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, words: str | None) -> None:
        told.append((done, total, words))

    async def work(client: Client) -> Any:
        arguments = {"claim": ASPIRIN, "papers": 2}
        return await client.call_tool("check_claim", arguments, progress_callback=note)

    result = ask(work)
    found = result.structured_content
    with open_library(server.library) as library:
        case = Checker(library).check(ASPIRIN)
        assert found["library_revision"] == library.revision
    assert case.verdict is not None
    assert found["verdict"] == case.verdict.label.verdict
    assert 0 < len(found["evidence"]) <= 2
    assert found["papers_left_out"] == len(case.candidates) - len(found["evidence"])
    for item in found["evidence"]:
        assert item["quotes"]
        assert all(quote in TEXTS[item["id"]][1] for quote in item["quotes"])
    assert [done for done, *_ in told] == list(range(1, len(case.trace) + 1))
    assert told[0][2] == "retrieve.bm25"
    assert json.loads(result.content[0].text) == found
    assert len(json.dumps(found)) < 4_000


def test_each_part_of_a_compound_claim_has_its_evidence(server: Server, ask: Ask) -> None:
    claim = "Aspirin lowers the risk of heart attack, and the MMR vaccine causes autism."

    async def work(client: Client) -> Any:
        return await client.call_tool("check_claim", {"claim": claim})

    found = ask(work).structured_content
    assert [part["claim"] for part in found["parts"]] == [
        "Aspirin lowers the risk of heart attack.",
        "The MMR vaccine causes autism.",
    ]
    with open_library(server.library) as library:
        parts = Checker(library).check(claim).parts
    for part, expected in zip(found["parts"], parts, strict=True):
        assert expected.verdict is not None
        assert part["verdict"] == expected.verdict.label.verdict
        assert len(part["evidence"]) + part["papers_left_out"] == len(expected.candidates)
    assert found["parts"][0]["evidence"][0]["quotes"]
    assert found["confidence"] is None
    assert found["evidence"] == []


def test_a_dispute_has_no_single_confidence() -> None:
    with open_library("demo") as library:
        case = Checker(library).check("Hormone therapy prevents heart disease")
    found = checked_claim(case, 5)
    assert (found.verdict, found.confidence) == ("DISPUTED", None)
    assert {item.stance for item in found.evidence} == {"SUPPORTS", "REFUTES"}


def test_papers_are_found_read_and_explained(ask: Ask) -> None:
    async def work(client: Client) -> list[Any]:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("search_library", {"query": "aspirin heart attack", "limit": 2, "to_year": 2007}),
            ("get_document", {"paper": "vitamin-d"}),
            ("why_not", {"claim": ASPIRIN, "paper": "coffee"}),
        ]
        return [(await client.call_tool(*call)).structured_content for call in calls]

    found, read, why = ask(work)
    assert [paper["id"] for paper in found["papers"]] == ["aspirin"]
    assert found["library_papers"] == len(TEXTS)
    assert (read["text"], read["next_offset"]) == (TEXTS["vitamin-d"][1], None)
    assert why["conclusion"].startswith("Dropped at rerank.cut")
    assert [step["kept"] for step in why["steps"]] == [True, True, False]


def test_a_text_is_audited(ask: Ask) -> None:
    text = (
        "Aspirin lowered the risk of heart attack by a third [@a].\n\n"
        "Measles vaccination is linked with autism [@b]. Unicorns sleep a lot [@c]."
    )
    references = "".join(
        f"@article{{{key}, title = {{{title}}}}}\n"
        for key, title in zip("ab", (TEXTS["aspirin"][0], TEXTS["measles-link"][0]), strict=True)
    )

    async def work(client: Client) -> Any:
        arguments = {"text": text, "references": references, "findings": 2}
        return (await client.call_tool("audit_text", arguments)).structured_content

    found = ask(work)
    assert found["citations"] == 3
    assert found["outcomes"]["retracted"] == 1
    assert found["findings"][0]["kind"] == "retracted"
    assert found["findings"][0]["paper"] == "measles-link"
    assert len(found["findings"]) == 2


def test_saved_verdicts_are_resources(ask: Ask) -> None:
    async def work(client: Client) -> tuple[Any, Any, str]:
        listed = await client.read_resource("claimscope://verdicts")
        rows = json.loads(listed.contents[0].text)  # type: ignore[union-attr]
        one = await client.read_resource(rows[0]["uri"])
        with pytest.raises(MCPError, match="no saved verdict 99"):
            await client.read_resource("claimscope://verdicts/99")
        return rows, json.loads(one.contents[0].text), rows[0]["uri"]  # type: ignore[union-attr]

    rows, one, uri = ask(work)
    assert [row["claim"] for row in rows] == [ASPIRIN]
    assert uri == "claimscope://verdicts/1"
    assert one["case"]["schema"] == "claimscope.case/1"
    assert one["case"]["claim"]["text"] == ASPIRIN


MALFORMED: list[tuple[str, dict[str, Any], str]] = [
    ("check_claim", {}, "Field required"),
    ("check_claim", {"claim": 7}, "valid string"),
    ("check_claim", {"claim": ASPIRIN, "papers": 0}, "greater than or equal to 1"),
    ("check_claim", {"claim": ASPIRIN, "verdict": "SUPPORTED"}, "Extra inputs are not permitted"),
    ("check_claim", {"claim": "x" * 2_001}, "at most 2000 characters"),
    ("check_claim", {"claim": "   "}, "The claim is empty"),
    ("check_claim", {"claim": "a\u0007b"}, "control character"),
    ("search_library", {"query": "tea", "from_year": 2020, "to_year": 2010}, "No year lies"),
    ("why_not", {"claim": ASPIRIN, "paper": "no such paper"}, "no document"),
    ("get_document", {"paper": "tea", "offset": -1}, "greater than or equal to 0"),
    ("audit_text", {"text": "  "}, "The manuscript is empty"),
    ("check_claim", {"clam": ASPIRIN}, "Its arguments are: claim, papers."),
    ("no_such_tool", {}, "no_such_tool"),
]


def test_malformed_calls_get_a_sentence_and_the_server_goes_on(ask: Ask) -> None:
    async def work(client: Client) -> list[tuple[bool, str]]:
        answers = []
        for name, arguments, _ in MALFORMED:
            try:
                result = await client.call_tool(name, arguments)
                answers.append((result.is_error, result.content[0].text))  # type: ignore[union-attr]
            except MCPError as error:
                answers.append((True, str(error)))
        last = await client.call_tool("search_library", {"query": "tea"})
        assert last.structured_content is not None
        assert last.structured_content["papers"][0]["id"] == "tea"
        return answers

    answers = ask(work)
    for (is_error, text), (name, arguments, expected) in zip(answers, MALFORMED, strict=True):
        assert is_error, (name, arguments)
        assert expected in text, (name, arguments)
        assert "\n" not in text, "one sentence, not a listing"
        assert "http" not in text
        assert "Traceback" not in text


def test_bytes_that_are_no_message_do_not_end_the_server(server: Server) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    hello["params"] = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    lines = ["not json", "[]", '{"jsonrpc": "2.0"}', json.dumps(hello)]
    done = subprocess.run(
        [sys.executable, "-m", "claimscope", "mcp", "--library", server.library],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert answers[-1]["result"]["serverInfo"]["version"] == __version__


@pytest.mark.parametrize("token", ["", "Bearer x", "Bearer claimscope_0_0", "Basic eDp5"])
def test_http_needs_a_valid_token(server: Server, token: str) -> None:
    answer = httpx2.post(server.address, json={}, headers={"Authorization": token} if token else {})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")


def test_a_foreign_host_name_is_refused(server: Server) -> None:
    headers = {"Authorization": f"Bearer {server.token}", "Host": "evil.example"}
    assert httpx2.post(server.address, json={}, headers=headers).status_code == 421


def test_http_without_any_token_does_not_start(tmp_path: Path) -> None:
    library = make_library(tmp_path / "library")
    done = subprocess.run(
        [sys.executable, "-m", "claimscope", "mcp", "-l", library, "--http", "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert "claimscope serve token create" in done.stderr


def test_the_manifests_describe_this_version_and_its_tools() -> None:
    folder = ROOT / "deploy" / "mcp"
    server = json.loads((folder / "server.json").read_text())
    bundle = json.loads((folder / "bundle" / "manifest.json").read_text())
    [package] = server["packages"]
    assert {server["version"], package["version"], bundle["version"]} == {__version__}
    assert package["runtimeArguments"][0]["value"] == f"claimscope[mcp]=={__version__}"
    assert f"claimscope[mcp]=={__version__}" in (folder / "bundle" / "pyproject.toml").read_text()
    assert [tool["name"] for tool in bundle["tools"]] == TOOLS
    assert len(server["description"]) <= 100
    assert f"mcp-name: {server['name']}" in (ROOT / "README.md").read_text()
