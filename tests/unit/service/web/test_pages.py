from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from claimscope.service.jobs.queue import Kind
from claimscope.service.settings import Settings
from claimscope.types import Document, Metadata
from tests.unit.service.running import ASPIRIN, gated, make_library, running, until

from .conftest import HOSTILE, Browser
from .judging import judged

RIS = f"""TY  - JOUR
TI  - Walking and heart attack {HOSTILE}
AB  - We followed walkers. Walking lowered the risk of heart attack in adults.
PY  - 2024
DO  - 10.1000/walking
ER  -
"""
BROKEN = "TY  - JOUR\nPY  - 2024\nER  - \n"
WALKING = "Walking lowered the risk of heart attack in adults."


def _jobs_done(browser: Browser) -> None:
    until(lambda: not browser.running.service.jobs.all_open())


def _upload(browser: Browser, *files: tuple[str, str]) -> str:
    sent = [("files", (name, text.encode(), "text/plain")) for name, text in files]
    answer = browser.post("/library/imports", files=sent)
    assert answer.status_code == 200, answer.text
    _jobs_done(browser)
    return browser.get(answer.url.path).text


def test_files_are_added_and_failures_are_told_with_reasons(browser: Browser) -> None:
    page = _upload(browser, ("good.ris", RIS), ("bad<b>.ris", BROKEN), ("worse.json", "{"))
    assert "1 added" in page
    assert "What could not be read" in page
    assert "bad&lt;b&gt;.ris" in page
    found = browser.text("/library", params={"q": "walking"})
    assert "Walking and heart attack &lt;script&gt;" in found
    assert "1 found" in found or "found</h2>" in found


def test_exports_are_taken_under_the_endings_that_programs_give_them(browser: Browser) -> None:
    enw = "%0 Journal Article\n%A Berg, A.\n%T Swimming and sleep in adults\n%D 2018\n\n"
    wos = "FN Clarivate\nVR 1.0\nPT J\nAU Lind, T\nTI Rowing and back pain\nPY 2017\nER\n\nEF\n"
    assert "2 added" in _upload(browser, ("one.enw", enw), ("savedrecs.ciw", wos))
    assert "Rowing and back pain" in browser.text("/library", params={"q": "rowing"})


def test_what_cannot_be_added_is_told_on_the_library_page(browser: Browser) -> None:
    none = browser.post("/library/imports")
    assert (none.status_code, "No file was chosen" in none.text) == (422, True)
    odd = browser.post("/library/imports", files=[("files", ("a.exe", b"MZ"))])
    assert (odd.status_code, "unsupported format" in odd.text) == (422, True)


def test_a_form_sent_twice_makes_one_import(browser: Browser) -> None:
    for _ in range(2):
        file = [("files", ("good.ris", RIS.encode()))]
        browser.post("/library/imports", {"key": "once"}, files=file)
    assert len(browser.running.service.jobs.latest(None, 9, Kind.IMPORT)) == 1
    other = [("files", ("other.ris", RIS.encode()))]
    assert browser.post("/library/imports", {"key": "once"}, files=other).status_code == 200
    assert len(browser.running.service.jobs.latest(None, 9, Kind.IMPORT)) == 2


def test_a_paper_is_shown_and_removed_after_a_question(browser: Browser) -> None:
    assert "Drinking tea with meals" in browser.text("/library/papers/tea")
    assert "Remove this paper?" in browser.text("/library/remove?document=tea")
    assert browser.post("/library/remove", {"document": "tea"}).status_code == 422
    sure = {"document": "tea", "sure": "yes"}
    assert browser.post("/library/remove", sure).url.path == "/library"
    assert browser.get("/library/papers/tea").status_code == 404


def test_a_paper_is_shown_with_what_is_known_of_its_study(browser: Browser) -> None:
    meta = Metadata(study_type="trial", sample_size=1204, population="Adults", authors=("A", "B"))
    browser.running.service.library.add([Document("new", "A trial", meta=meta)])
    text = browser.text("/library/papers/new")
    assert "trial · n = 1,204 · Adults" in text
    for name, value in {"Sample size": "1204", "Population": "Adults", "Authors": "A; B"}.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in text


def test_the_library_is_counted_and_listed_in_pages(browser: Browser) -> None:
    text = browser.text("/library")
    assert "<dt>Papers</dt><dd>10</dd>" in text
    assert "Papers by decade" in text
    assert text.count('href="/library/papers/') == 10
    assert browser.text("/library?after=statins").count('href="/library/papers/') == 2


def test_the_demonstration_library_shows_no_way_to_change_it() -> None:
    with running(Settings("demo")) as started:
        browser = Browser(started, started.http)
        text = started.http.get(f"{started.address}/library").text
        assert "demonstration library" in text
        assert 'action="/library/imports"' not in text
        assert browser.running.service.settings.library == "demo"


def test_a_batch_from_a_table_with_results_in_both_formats(browser: Browser) -> None:
    table = f"id,claim\na,{ASPIRIN}\nb,\nc,=Statins lowered cholesterol.\n"
    answer = browser.post("/batch/jobs", files=[("file", ("claims.csv", table.encode()))])
    _jobs_done(browser)
    page = browser.text(answer.url.path)
    assert "3 of 3 claims checked" in page
    assert "≷</span> Disputed" in page
    assert "The claim is empty" in page
    lines = browser.get(f"{answer.url.path}/results.jsonl").text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["a", "", "c"]
    rows = list(csv.DictReader(io.StringIO(browser.get(f"{answer.url.path}/results.csv").text)))
    assert rows[0]["verdict"] == "DISPUTED"
    assert "empty" in rows[1]["error"]
    assert rows[2]["claim"].startswith("'="), "a spreadsheet runs no claim as a formula"
    assert browser.get(f"{answer.url.path}/results.xlsx").status_code == 404


def test_a_batch_is_written_followed_and_cancelled(browser: Browser) -> None:
    with gated(browser.running.service) as gate:
        answer = browser.post("/batch/jobs", {"claims": "Tea lowers iron.\n" * 40})
        job = answer.url.path.rpartition("/")[2]
        panel = browser.text(f"/jobs/{job}/panel")
        assert "0 of 40 claims checked" in panel
        assert "<progress" in panel
        assert browser.post(f"/jobs/{job}/cancel").url.path == answer.url.path
        gate.opened.set()
    assert "Cancelled" in browser.text(answer.url.path)


def test_no_claims_and_no_table_are_told_on_the_page(browser: Browser) -> None:
    assert "There are no claims" in browser.post("/batch/jobs").text
    wrong = browser.post("/batch/jobs", files=[("file", ("a.csv", b"x,y\n1,2\n"))])
    assert (wrong.status_code, "no column" in wrong.text) == (422, True)


def test_a_saved_claim_is_rechecked_and_shows_which_paper_changed_it(
    browser: Browser,
) -> None:
    claim = "Walking lowered the risk of heart attack."
    saved = browser.post("/history", {"claim": claim})
    assert saved.url.path == "/history/1"
    again = browser.post("/history", {"claim": claim})
    assert again.url.path == "/history/1", "nothing changed, so there is no second version"
    service = browser.running.service
    before = service.verdicts.get(1)
    assert before is not None
    _upload(browser, ("good.ris", RIS))
    [recheck] = service.jobs.latest(None, 9, Kind.RECHECK)
    assert (recheck.state.value, recheck.finished) == ("done", 1)
    newest = service.verdicts.history(claim)[-1]
    assert newest.number > 1
    assert "doi:10.1000/walking" in newest.case.verdict.supporting
    page = browser.text("/history")
    assert "Walking and heart attack &lt;script&gt;" in page
    assert 'class="because"' in page
    assert "2 versions" in page
    old = browser.text("/history/1")
    assert "the newest is here" in old
    assert "What changed" in browser.text(f"/history/{newest.number}")


def test_a_claim_that_stays_the_same_is_confirmed_and_not_repeated(browser: Browser) -> None:
    browser.post("/history", {"claim": "Tea lowered the absorption of iron."})
    _upload(browser, ("good.ris", RIS))
    service = browser.running.service
    [only] = service.verdicts.history("Tea lowered the absorption of iron.")
    assert only.revision != service.library.revision
    assert only.holds_at(service.library.revision)
    assert "the library has changed since" not in browser.text("/history")


def test_claims_are_checked_again_on_demand_after_a_removal(browser: Browser) -> None:
    browser.post("/history", {"claim": ASPIRIN})
    with gated(browser.running.service):
        # Held here, the recheck that follows any change cannot be done yet.
        browser.post("/library/remove", {"document": "aspirin-old", "sure": "yes"})
        assert "the library has changed since" in browser.text("/history")
    browser.post("/history/rechecks")
    _jobs_done(browser)
    text = browser.text("/history")
    assert "Disputed</span>" in text
    assert "Supported</span>" in text
    assert "no longer in the library" in text


def test_a_label_is_corrected_and_leaves_as_scifact_data(browser: Browser) -> None:
    browser.post("/history", {"claim": ASPIRIN})
    given = {"document": "aspirin", "label": "REFUTES", "note": HOSTILE, "rank": "1"}
    answer = browser.post("/history/1/corrections", given)
    assert "A person says: Refutes the claim" in answer.text
    assert HOSTILE not in answer.text
    [line] = browser.get("/history/corrections.jsonl").text.splitlines()
    assert json.loads(line)["evidence"]["aspirin"][0]["label"] == "CONTRADICT"
    for wrong in ({"label": "DISPUTED"}, {"document": "unknown"}, {"note": "x" * 2001}):
        assert browser.post("/history/1/corrections", given | wrong).status_code == 422
    assert browser.get("/history/1/download/markdown").text.startswith("# Aspirin lowers")


def test_a_forgotten_claim_is_gone(browser: Browser) -> None:
    browser.post("/history", {"claim": ASPIRIN})
    assert "None yet" in browser.post("/history/1/forget").text
    assert browser.get("/history/1").status_code == 404


def test_a_text_is_checked_sentence_by_sentence(browser: Browser) -> None:
    text = (
        f"I like <b>tea</b>. {ASPIRIN} Does it really help? Statins lowered cholesterol in a trial."
    )
    page = browser.post("/text", {"text": text}).text
    assert "2 of 4 sentences state a claim" in page
    assert "&lt;b&gt;tea&lt;/b&gt;" in page
    assert "It asks a question." in page
    assert "confidence 0." in page
    assert "pending" not in page
    assert browser.post("/text", {"text": " "}).status_code == 422


def test_the_results_of_a_text_are_one_file(browser: Browser) -> None:
    answer = browser.post("/text/results.json", {"text": f"{ASPIRIN} Does it really help?"})
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert [each["is_checked"] for each in found["sentences"]] == [True, False]
    assert [each["claim"] for each in found["results"]] == [{"id": "0", "text": ASPIRIN}]
    assert browser.post("/text/results.json", {"text": " "}).status_code == 422


def test_the_claims_of_a_text_arrive_one_after_the_other_and_escaped(browser: Browser) -> None:
    text = f"I like <b>tea</b>.\r\n{ASPIRIN} Statins lowered cholesterol in a trial."
    answer = browser.post("/text/stream", {"text": text}, headers={"Accept": "text/event-stream"})
    events = [event.split("\ndata: ") for event in answer.text.split("\n\n")[:-1]]
    assert [name.removeprefix("event: ") for name, _ in events] == [
        "sentences",
        *("candidates", "verdict") * 2,
    ]
    first, reading, verdict, *_ = [json.loads(data) for _, data in events]
    assert first["html"].count("Waiting…") == 2
    assert "&lt;b&gt;tea&lt;/b&gt;" in first["html"]
    assert (reading["number"], reading["tone"]) == (1, "reading")
    assert (verdict["number"], verdict["tone"]) == (1, "dispute")
    assert 'id="claim-1"' in verdict["html"]
    assert verdict["said"].startswith("Claim 1 of 2: Disputed. The studies in your library")
    forged = browser.http.post("/text/stream", data={"text": text, "csrf": "0" * 64})
    assert forged.status_code == 403


def test_a_recheck_survives_a_server_that_stops(tmp_path: Path) -> None:
    folder = make_library(tmp_path / "library")
    with running(Settings(folder)) as first:
        judged(first.service)
        first.http.post("/verdicts", json={"claim": ASPIRIN})
        with gated(first.service) as gate:
            first.http.post("/imports", files={"files": ("good.ris", RIS.encode())})
            until(lambda: first.service.jobs.latest(None, 9, Kind.RECHECK))
            gate.opened.set()
    with running(Settings(folder)) as second:
        until(lambda: not second.service.jobs.all_open())
        assert len(second.service.jobs.latest(None, 9, Kind.RECHECK)) == 1


def test_batches_are_numbered_among_themselves(browser: Browser) -> None:
    _upload(browser, ("good.ris", RIS))
    first = browser.post("/batch/jobs", {"claims": ASPIRIN})
    assert "<h1>Batch 1</h1>" in browser.text(first.url.path)
    _upload(browser, ("good.ris", RIS))
    second = browser.post("/batch/jobs", {"claims": ASPIRIN})
    assert "<h1>Batch 2</h1>" in browser.text(second.url.path)
    assert "Import 2" in browser.text("/library")


def test_the_history_says_how_sure_a_verdict_was(browser: Browser) -> None:
    statins = "Statins lowered cholesterol in a trial."
    browser.post("/history", {"claim": statins})
    [verdict] = browser.running.service.verdicts.history(statins)
    assert verdict.case.verdict is not None
    assert f"confidence {verdict.case.verdict.confidence:.2f}" in browser.text("/history")


def test_the_history_gives_a_dispute_no_single_confidence(browser: Browser) -> None:
    saved = browser.post("/history", {"claim": ASPIRIN})
    service = browser.running.service
    assert "confidence" not in browser.text("/history")
    _upload(browser, ("good.ris", RIS))
    until(lambda: len(service.verdicts.history(ASPIRIN)) > 1)
    changes = browser.text(saved.url.path).partition("What changed")[2]
    assert "Disputed" in changes
    assert "confidence" not in changes
