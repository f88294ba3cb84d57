"""A verdict reads as a person would say it."""

from __future__ import annotations

import pytest

from claimscope.cli.answers import show_answer, show_decision, show_table
from claimscope.cli.render import console
from claimscope.render.camps import UNKNOWN, camps
from claimscope.render.exports import FORMATS
from claimscope.render.wording import answer, headline, shown_confidence
from claimscope.stages.decide.votes import Unjudged, WeightedVote
from claimscope.types import Case, Claim
from tests.unit.render.judged import AGAINST, FOR, SILENT, checked, paper, trial


@pytest.mark.parametrize(
    ("papers", "said"),
    [
        (
            [
                trial("a", FOR, 500),
                trial("b", FOR, 900),
                trial("c", FOR, 700),
                trial("d", AGAINST, 18624, 0.7),
            ],
            "Three of four randomised trials in your library support this; "
            "the largest (n = 18,624) found no effect.",
        ),
        (
            [
                *(trial(name, AGAINST, 100 + len(name)) for name in ("a", "bb", "ccc")),
                trial("d", FOR, 20),
            ],
            "Three of four randomised trials in your library contradict this; the largest "
            "(n = 103) is among them.",
        ),
        (
            [trial("a", FOR, 22071), trial("b", SILENT, 99000)],
            "One randomised trial in your library supports this (n = 22,071); none contradicts it.",
        ),
        (
            [trial("a", FOR, 300), paper("b", FOR, study_type="cohort study")],
            "Two studies in your library support this and none contradicts it.",
        ),
        (
            [trial("a", AGAINST, 300), trial("b", AGAINST, 400)],
            "Two randomised trials in your library contradict this and none supports it; the "
            "largest has n = 400.",
        ),
        (
            [trial("a", AGAINST, 300), paper("b", FOR, study_type="cohort study")],
            "The studies in your library disagree: one supports this and one contradicts it. The "
            "cohort study supports it; the randomised trial contradicts it.",
        ),
        (
            [
                paper("a", AGAINST, year=2010),
                paper("b", FOR, year=1990),
                paper("c", FOR, year=1995),
            ],
            "The studies in your library disagree: two support this and one contradicts it. The "
            "papers that contradict it are newer.",
        ),
        (
            [trial("a", SILENT, 300)],
            "No paper in your library says enough to support or contradict this.",
        ),
        ([], "No paper in your library is about this."),
        (
            [paper("a", FOR, retracted=True)],
            "Only retracted work in your library says something about this: one paper, which does "
            "not count.",
        ),
    ],
)
def test_answers(papers: list[object], said: str) -> None:
    assert answer(checked(*papers)).text == said  # type: ignore[arg-type]


def test_papers_that_nothing_judged_are_no_answer() -> None:
    case = Case(Claim("x"), (paper("a", FOR),))
    [undecided] = Unjudged().run([case])
    assert answer(undecided).text.endswith("does not judge whether they support it.")


@pytest.mark.parametrize(
    ("papers", "why"),
    [
        ([trial("a", FOR, 5000, sure=0.55)], "the reading is uncertain (confidence 0.55 of 1)"),
        ([trial("a", FOR, 24)], "it rests on one small study (n = 24)"),
        ([paper("a", AGAINST, study_type="case report")], "it rests on case reports only"),
        ([trial("a", FOR, 5000)], ""),
        ([trial("a", FOR, 24), trial("b", FOR, 24)], ""),
    ],
)
def test_weak_evidence_is_called_weak(papers: list[object], why: str) -> None:
    case = checked(*papers)  # type: ignore[arg-type]
    said = answer(case)
    assert said.weakness == (f"Weak evidence: {why}." if why else "")
    assert headline(case).startswith("Weakly ") is bool(why)
    page = FORMATS["html"].write(case)
    assert ('class="verdict for weak"' in page or 'class="verdict against weak"' in page) is bool(
        why
    )
    assert (">◔<" in page) is bool(why)


def test_a_leaning_is_called_one() -> None:
    case = checked(trial("a", FOR, 5000, sure=0.7), rule=WeightedVote(firm=0.8))
    assert headline(case) == "Leans towards supported"
    assert "confidence 0.70" in answer(case).weakness


def test_a_dispute_shows_both_camps_and_no_single_confidence() -> None:
    case = checked(
        paper(
            "a",
            FOR,
            "In all, 500 nurses were followed who took 20 mg a day. It helped.",
            year=1990,
            study_type="cohort study",
        ),
        trial("b", AGAINST, 29133, year=1994),
        trial("c", AGAINST, 18314, year=1996),
    )
    found = camps(case)
    assert found is not None
    told = {each.name: (each.supporting, each.refuting) for each in found.differences}
    assert told == {
        "Design": ("cohort study", "2 × randomised trial"),
        "Year": ("1990", "1994 to 1996"),
        "Sample size": ("n = 500", "n = 18,314 to 29,133"),
        "Population": ("nurses", "adults"),
        "Dose": ("20 mg a day", UNKNOWN),
    }
    assert [each.name for each in found.differences if not each.differs] == ["Dose"]
    assert shown_confidence(case) is None
    for name in ("markdown", "html"):
        text = FORMATS[name].write(case)
        assert "18,314 to 29,133" in text
        assert "confidence 0." not in text
        assert "confidence, of 1" not in text
    assert camps(checked(trial("a", FOR, 300))) is None


def test_people_are_named_only_where_words_tell_who_they_are() -> None:
    def told(*people: str) -> tuple[str, str] | None:
        texts = [
            f"We randomly assigned {300 + len(who)} {who} to walk. It ended." for who in people
        ]
        papers = [paper(text, side, text) for text, side in zip(texts, (FOR, AGAINST), strict=True)]
        found = camps(checked(*papers))
        assert found is not None
        assert any(each.name == "Sample size" for each in found.differences)
        rows = {each.name: (each.supporting, each.refuting) for each in found.differences}
        return rows.get("Population")

    assert told("patients", "people") is None
    assert told("patients", "older women") == (UNKNOWN, "older women")


def test_no_table_stands_without_papers(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(checked(), console())
    assert capsys.readouterr().out == ""


def test_the_terminal_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    case = checked(trial("a", FOR, 24), trial("b", SILENT, 99))
    show_answer(case, console())
    show_table(case, console())
    show_decision(case, console())
    shown = capsys.readouterr().out
    for words in (
        "◔ Weakly supported",
        "One randomised trial in your library",
        "24 adults",
        "How this",
    ):
        assert words in shown
    assert shown.index("Weak evidence") < shown.index("How this")
    both = checked(trial("a", FOR, 24), trial("b", AGAINST, 99))
    show_answer(both, console())
    shown = capsys.readouterr().out
    assert "n = 24" in shown
    assert "n = 99" in shown
    assert "confidence" not in shown
