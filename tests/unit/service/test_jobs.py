from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from starlette.datastructures import UploadFile

from claimscope.datasets.scifact_format import read_claims
from claimscope.labels import Label
from claimscope.pipeline.pipeline import Pipeline
from claimscope.service.client import Client, ClientError
from claimscope.service.jobs import imports
from claimscope.service.jobs.queue import Kind, Order
from claimscope.service.settings import Settings
from claimscope.service.state import open_service

from .running import ASPIRIN, Broken, Running, gated, make_library, running, until

RIS = (
    b"TY  - JOUR\nTI  - Ginger and nausea\nAB  - Ginger lowered nausea in a trial.\n"
    b"DO  - 10.1000/ginger\nER  - \n"
)


def test_a_job_checks_every_line_and_says_what_cannot_be_checked(fresh: Running) -> None:
    lines = [ASPIRIN, '{"id": "tea", "claim": "Tea lowers iron."}', '{"id": 3}', "Coffee."]
    kind = {"Content-Type": "application/x-ndjson"}
    accepted = fresh.http.post("/jobs", content="\n".join(lines), headers=kind)
    assert accepted.status_code == 202
    job = _ended(fresh, accepted.json()["id"])
    assert (job["state"], job["finished"], job["total"]) == ("done", 4, 4)
    results = fresh.http.get(f"/jobs/{job['id']}/results", params={"limit": 3}).json()
    assert [item["line"] for item in results["results"]] == [1, 2, 3]
    assert results["results"][1]["result"]["claim"] == {"id": "tea", "text": "Tea lowers iron."}
    assert "Line 3" in results["results"][2]["error"]
    text = fresh.http.get(f"/jobs/{job['id']}/results.jsonl").text
    assert [json.loads(line)["line"] for line in text.splitlines()] == [1, 2, 3, 4]


def test_a_table_of_claims_is_a_job(fresh: Running) -> None:
    table = 'id,Claim\nx,"Tea, with meals, lowers iron."\n,Coffee.\n'
    accepted = fresh.http.post("/jobs", content=table, headers={"Content-Type": "text/csv"})
    job = _ended(fresh, accepted.json()["id"])
    results = fresh.http.get(f"/jobs/{job['id']}/results").json()["results"]
    assert [(item["id"], item["claim"]) for item in results] == [
        ("x", "Tea, with meals, lowers iron."),
        ("2", "Coffee."),
    ]


def test_a_cancelled_job_stops_and_keeps_what_is_finished(fresh: Running) -> None:
    with gated(fresh.service) as gate:
        job = fresh.http.post("/jobs", json={"claims": ["Tea."] * 100}).json()
        until(lambda: fresh.service.batcher.waiting > 0)
        assert fresh.http.post(f"/jobs/{job['id']}/cancel").json()["state"] == "cancelled"
        gate.opened.set()
        until(lambda: fresh.service.batcher.waiting == 0)
    after = fresh.http.post("/jobs", json={"claims": ["Tea."]}).json()
    assert _ended(fresh, after["id"])["state"] == "done"
    stopped = fresh.http.get(f"/jobs/{job['id']}").json()
    assert stopped["state"] == "cancelled"
    assert stopped["finished"] < 100
    assert [item["id"] for item in fresh.http.get("/jobs").json()["jobs"]] == [
        after["id"],
        job["id"],
    ]


def test_the_same_key_makes_one_job_and_another_request_is_refused(fresh: Running) -> None:
    key = {"Idempotency-Key": "monday"}
    first = fresh.http.post("/jobs", json={"claims": ["Tea."]}, headers=key).json()
    again = fresh.http.post("/jobs", json={"claims": ["Tea."]}, headers=key).json()
    assert again["id"] == first["id"]
    other = fresh.http.post("/jobs", json={"claims": ["Coffee."]}, headers=key)
    assert other.status_code == 422
    assert len(fresh.http.get("/jobs").json()["jobs"]) == 1


def test_an_uploaded_file_is_imported_found_and_removed(fresh: Running) -> None:
    key = {"Idempotency-Key": "upload"}
    files = {"files": ("../../my refs.ris", RIS)}
    accepted = fresh.http.post("/imports", files=files, headers=key)
    assert accepted.status_code == 202
    assert (
        fresh.http.post("/imports", files=files, headers=key).json()["id"]
        == (accepted.json()["id"])
    )
    job = _ended(fresh, accepted.json()["id"])
    assert job["state"] == "done"
    assert (job["result"]["added"], job["finished"]) == (1, 1)
    [found] = fresh.http.get("/search", params={"q": "ginger"}).json()["results"]
    shown = fresh.http.get(f"/documents/{found['id']}").json()
    assert shown["metadata"]["source"] == "my refs.ris"
    until(lambda: not list((fresh.service.database.folder / "uploads").iterdir()))
    assert fresh.http.delete(f"/documents/{found['id']}").status_code == 204
    assert fresh.http.get("/search", params={"q": "ginger"}).json()["results"] == []


def test_a_file_that_cannot_be_read_is_told_by_its_owners_name(fresh: Running) -> None:
    accepted = fresh.http.post("/imports", files={"files": ("notes.txt", b"no records here")})
    job = _ended(fresh, accepted.json()["id"])
    [failure] = job["result"]["failed"]
    assert failure["file"] == "notes.txt"
    assert str(fresh.service.database.folder) not in json.dumps(job)


def test_a_cancelled_import_adds_nothing_and_leaves_no_files(fresh: Running) -> None:
    with gated(fresh.service):
        fresh.http.post("/jobs", json={"claims": ["Tea."]})
        job = fresh.http.post("/imports", files={"files": ("a.ris", RIS)}).json()
        assert job["state"] == "queued"
        fresh.http.post(f"/jobs/{job['id']}/cancel")
        assert not list((fresh.service.database.folder / "uploads").iterdir())
    assert _ended(fresh, job["id"])["state"] == "cancelled"
    assert fresh.http.get("/search", params={"q": "ginger"}).json()["results"] == []


def test_a_running_import_that_is_cancelled_stops_between_records(fresh: Running) -> None:
    total = 60_000
    lines = "".join(f'{{"id": "many-{number}", "title": "T"}}\n' for number in range(total))
    job = fresh.http.post("/imports", files={"files": ("many.jsonl", lines)}).json()
    until(lambda: fresh.http.get(f"/jobs/{job['id']}").json()["finished"] > 0)
    fresh.http.post(f"/jobs/{job['id']}/cancel")
    until(lambda: not fresh.service.worker.is_importing)
    assert _ended(fresh, job["id"])["state"] == "cancelled"
    assert 0 < len(fresh.service.library) < total


def test_verdicts_are_saved_corrected_and_known_to_be_old(fresh: Running, tmp_path: Path) -> None:
    saved = fresh.http.post("/verdicts", json={"claim": ASPIRIN}).json()
    assert fresh.http.post("/verdicts", json={"claim": ASPIRIN}).json()["number"] == saved["number"]
    path = f"/verdicts/{saved['number']}"
    correction = {"label": "SUPPORTS", "document": "aspirin", "note": "read it"}
    corrected = fresh.http.put(f"{path}/correction", json=correction).json()
    assert corrected["corrections"] == [correction]
    silent = {"label": "NOT_ENOUGH_INFO", "document": "aspirin-old", "note": ""}
    fresh.http.put(f"{path}/correction", json=silent)
    exported = tmp_path / "corrections.jsonl"
    exported.write_text(fresh.http.get("/verdicts/corrections.jsonl").text)
    [labelled] = read_claims(exported)
    assert labelled.claim.text == ASPIRIN
    assert labelled.evidence is not None
    assert labelled.evidence["aspirin"].label is Label.SUPPORTS
    assert labelled.evidence["aspirin"].rationales[0] >= {1}
    assert labelled.cited == ("aspirin", "aspirin-old")
    for wrong in (("SUPPORTS", "unknown"), ("DISPUTED", "aspirin")):
        body = {"label": wrong[0], "document": wrong[1]}
        assert fresh.http.put(f"{path}/correction", json=body).status_code == 422
    assert saved["is_current"]
    fresh.http.delete("/documents/tea")
    [old] = fresh.http.get("/verdicts", params={"claim": ASPIRIN}).json()["verdicts"]
    assert not old["is_current"]
    assert fresh.http.delete(path).status_code == 204
    assert fresh.http.get("/verdicts").json()["verdicts"] == []


def test_the_python_client(fresh: Running) -> None:
    client = Client(fresh.address)
    assert client.check(ASPIRIN)["claim"]["text"] == ASPIRIN
    assert len(client.check_many([ASPIRIN, "Tea."])) == 2
    assert client.search("aspirin heart", limit=1)[0].rank == 1
    assert client.why(ASPIRIN, "aspirin")["steps"][0]["kept"]
    job = client.submit(["Tea."] * 60, key="k")
    assert client.wait(job.id, 15, pause=0.02).state == "done"
    assert [item["line"] for item in client.results(job.id)] == list(range(1, 61))
    assert client.cancel(job.id).state == "done"
    with pytest.raises(ClientError, match="no document") as caught:
        client.why(ASPIRIN, "unknown")
    assert caught.value.status == 404


def test_the_python_client_streams(fresh: Running) -> None:
    client = Client(fresh.address)
    events = list(client.stream(ASPIRIN))
    assert [name for name, _ in events] == ["candidates", "verdict"]
    assert events[-1][1]["claim"]["text"] == ASPIRIN
    names = [name for name, _ in client.stream_text(f"We met. {ASPIRIN}")]
    assert names[0] == "sentences"
    assert names[-1] == "verdict"
    with pytest.raises(ClientError) as caught:
        list(client.stream(ASPIRIN, preset="nowhere"))
    assert caught.value.status >= 400


def _ended(started: Running, job_id: str) -> dict[str, object]:
    def shown() -> dict[str, object]:
        job: dict[str, object] = started.http.get(f"/jobs/{job_id}").json()
        return job

    until(lambda: shown()["state"] not in {"queued", "running"})
    return shown()


def test_a_job_that_fails_unforeseen_does_not_stop_the_next(fresh: Running) -> None:
    checker = fresh.service.batcher.checker
    before = checker.pipeline
    checker.pipeline = Pipeline((before.stages[0], Broken()))
    failed = _ended(fresh, fresh.http.post("/jobs", json={"claims": ["Tea."]}).json()["id"])
    assert failed["state"] == "failed"
    assert "unexpected error" in str(failed["error"])
    answer = fresh.http.post("/check", json={"claim": ASPIRIN})
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    checker.pipeline = before
    following = fresh.http.post("/jobs", json={"claims": ["Tea."]}).json()
    assert _ended(fresh, following["id"])["state"] == "done"


def test_an_import_accepted_before_a_crash_is_done_after_it(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    settings = Settings(make_library(folder))
    with open_service(settings) as service:
        file = UploadFile(io.BytesIO(RIS), filename="refs.ris")
        kept = imports.keep(folder, [file])
        imports.keep(folder, [file])
        given = {"folder": kept.folder, "files": list(kept.files)}
        job = service.jobs.accept_import(Order(Kind.IMPORT, 1, given))
    with running(settings) as started:
        assert _ended(started, job.id)["result"]["added"] == 1  # type: ignore[index]
        until(lambda: not list((folder / imports.FOLDER_NAME).iterdir()))
