from claimscope.evaluate.explain import Cause, ClaimReport, explain, explain_run, ordinal
from claimscope.evaluate.folder import RunFolder
from claimscope.evaluate.gold import GoldClaim, GoldDocument
from claimscope.labels import Label
from claimscope.types import (
    Candidate,
    Case,
    Claim,
    Document,
    GoldEvidence,
    LabelProbabilities,
    RationaleSentence,
    Score,
    StageTrace,
    TraceEntry,
)

from .conftest import MakeRun
from .small import SEARCH


def _reports(folder: RunFolder) -> dict[str, ClaimReport]:
    return {report.id: report for report in explain_run(folder)}


def _words(report: ClaimReport, document: str) -> list[str]:
    [found] = [each for each in report.documents if each.id == document]
    return [finding.words for finding in found.findings]


def _predicted(label: Label, sentences: tuple[int, ...], *rationales: set[int]) -> list[str]:
    """Explain one document of a claim that SUPPORTS it."""
    evidence = GoldEvidence(Label.SUPPORTS, tuple(map(frozenset, rationales)))
    gold = GoldClaim(
        "1", "c", Label.SUPPORTS, {"d": GoldDocument(evidence, True, True, "t", "a", ())}
    )
    candidate = Candidate(
        Document("d", "t", "a"),
        rationale=tuple(RationaleSentence(index, Score(1.0)) for index in sentences),
        labels=LabelProbabilities(0.3, 0.3, 0.4, label),
    )
    return _words(explain(gold, Case(Claim("c", "1"), (candidate,))), "d")


def test_what_was_found_is_said(majority: RunFolder) -> None:
    report = _reports(majority)["2"]
    assert _words(report, "statins") == [
        "found and rightly labelled SUPPORTS, with a whole rationale",
        "sentence 3 not selected",
    ]


def test_a_dropped_document_names_stage_and_rank(majority: RunFolder) -> None:
    report = _reports(majority)["1"]
    assert _words(report, "aspirin-old") == ["dropped at rank 2 by rerank.cut, which kept 1"]


def test_a_document_never_found_names_the_retriever(majority: RunFolder) -> None:
    report = _reports(majority)["4"]
    [words] = _words(report, "hidden")
    assert words.startswith("not retrieved: beyond the first")
    assert words.endswith("of retrieve.bm25")


def test_wrong_labels_and_false_evidence_are_told_apart(majority: RunFolder) -> None:
    reports = _reports(majority)
    assert _words(reports["3"], "coffee")[0] == (
        "label wrong: SUPPORTS predicted, REFUTES is right"
    )
    [mistaken] = reports["5"].documents
    assert [each.words for each in mistaken.findings] == ["predicted SUPPORTS, but not evidence"]
    assert reports["5"].causes == [Cause.NOT_EVIDENCE]


def test_a_sentence_is_lost_with_its_partner() -> None:
    assert "sentence 4 lost: its partner 5 was not selected" in _predicted(
        Label.SUPPORTS, (4,), {4, 5}
    )
    assert "sentence 4 lost: its partners 5 and 6 were not selected" in _predicted(
        Label.SUPPORTS, (4,), {4, 5, 6}
    )


def test_a_sentence_listed_too_late_is_ignored() -> None:
    words = _predicted(Label.SUPPORTS, (0, 1, 2, 7), {7})
    assert "4th sentence ignored (sentence 7): only the first 3 are read" in words
    assert "sentence 0 selected, but in no rationale" in words
    late_but_enough = _predicted(Label.SUPPORTS, (0, 1, 2, 7), {7}, {1})
    assert not [each for each in late_but_enough if "ignored" in each]


def test_silence_about_evidence_is_a_loss() -> None:
    assert _predicted(Label.NOT_ENOUGH_INFO, (), {1}) == [
        "judged to say too little: SUPPORTS is right"
    ]


def test_search_alone_is_explained_without_labels(make_run: MakeRun) -> None:
    unjudged = SEARCH + '[[stages]]\nkind = "decide"\nname = "unjudged"\n'
    report = _reports(make_run(unjudged))["1"]
    assert report.verdict is None, "NOT_ENOUGH_INFO would be nobody's judgement"
    assert _words(report, "aspirin") == ["retrieved"]
    assert _words(report, "aspirin-old") == ["dropped at rank 2 by rerank.cut, which kept 1"]


def test_a_document_the_library_lacks_is_nobodys_fault() -> None:
    evidence = GoldEvidence(Label.SUPPORTS)
    gold = GoldClaim(
        "1", "c", Label.SUPPORTS, {"d": GoldDocument(evidence, True, False, "", "", ())}
    )
    trace = StageTrace("retrieve.bm25", (), (TraceEntry("x", 1, 1.0),), 0.0)
    report = explain(gold, Case(Claim("c", "1"), trace=(trace,)))
    assert report.causes == [Cause.NOT_IN_LIBRARY]


def test_ordinals_are_english() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102)] == (
        "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd".split()
    )
