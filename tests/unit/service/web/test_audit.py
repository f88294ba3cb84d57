from __future__ import annotations

from .conftest import HOSTILE, Browser

BIB = "@article{a, title={Aspirin and heart attack in adults}}"


def test_a_pasted_manuscript_is_audited(browser: Browser) -> None:
    assert "Audit a manuscript" in browser.text("/audit")
    text = f"Aspirin lowered the risk of heart attack [@a]. Nothing is known [@b]. {HOSTILE}"
    answer = browser.post("/audit", {"text": text, "references": BIB, "form": "md"})
    assert answer.status_code == 200, answer.text
    assert "The references have no entry “b”; add it, or correct the citation." in answer.text
    assert "2 citations" in answer.text
    assert "<script>alert" not in answer.text


def test_what_cannot_be_audited_is_told_in_one_sentence(browser: Browser) -> None:
    empty = browser.post("/audit", {"text": " ", "form": "md"})
    assert (empty.status_code, "The manuscript is empty" in empty.text) == (422, True)
    many = browser.post("/audit", {"text": "It helps [1-60] and heals [61-110].", "form": "tex"})
    assert (many.status_code, "110 citations" in many.text) == (422, True)


def test_a_form_without_its_token_is_refused(browser: Browser) -> None:
    assert browser.http.post("/audit", data={"text": "It helps [1]."}).status_code == 403
