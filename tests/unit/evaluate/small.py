"""A data set of five claims and eight documents, small enough to score by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope.datasets.files import document_of
from claimscope.datasets.record import Card, Dataset, Definition, Expected, LabelledClaim
from claimscope.labels import Label
from claimscope.types import Claim, Document, GoldEvidence

DOCUMENTS = {
    "aspirin": (
        "Aspirin and heart attack",
        ["We gave aspirin to adults.", "Aspirin lowered heart attack risk.", "Bleeding rose."],
    ),
    "aspirin-old": (
        "Aspirin in older adults",
        ["Older adults took aspirin.", "Aspirin did not lower heart attack risk."],
    ),
    "statins": (
        "Statins and cholesterol",
        ["Statins were given.", "Cholesterol fell.", "Muscle pain was rare.", "Statins are cheap."],
    ),
    "coffee": ("Coffee and sleep", ["Coffee delayed sleep.", "Tea did not."]),
    "tea": ("Tea and iron", ["Tea lowered iron.", "Iron matters."]),
    "vitamin": ("Vitamin D and falls", ["Vitamin D did not prevent falls."]),
    "ice": ("Ice sheets", ["The ice sheets lost mass."]),
    "hidden": ("Zinc", ["Nothing here shares a word with any claim."]),
}

S, R = Label.SUPPORTS, Label.REFUTES


def _gold(label: Label, *rationales: set[int]) -> GoldEvidence:
    return GoldEvidence(label, tuple(map(frozenset, rationales)))


CLAIMS = [
    LabelledClaim(
        Claim("Aspirin lowers heart attack risk.", "1"),
        {"aspirin": _gold(S, {1}), "aspirin-old": _gold(R, {1})},
    ),
    LabelledClaim(Claim("Statins make cholesterol fall.", "2"), {"statins": _gold(S, {0, 1}, {3})}),
    LabelledClaim(Claim("Coffee helps sleep.", "3"), {"coffee": _gold(R, {0})}),
    LabelledClaim(Claim("Ice sheets gained mass.", "4"), {"hidden": _gold(R, {0})}),
    LabelledClaim(Claim("Tea cures a cold.", "5"), {}),
]

CARD = Card(
    name="small",
    title="Small",
    about="Five claims.",
    homepage="",
    paper="",
    licence="",
    folder="small",
    labels={S: "SUPPORT", R: "CONTRADICT"},
    splits={"dev": Expected(5), "test": Expected(5), "many": Expected(60)},
    documents=8,
)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    if split == "many":
        for number in range(60):
            yield LabelledClaim(
                Claim(CLAIMS[number % 5].claim.text, str(number)), CLAIMS[number % 5].evidence
            )
        return
    for each in CLAIMS:
        yield LabelledClaim(each.claim) if split == "test" else each


def _documents(folder: Path) -> Iterator[Document]:
    return (document_of(name, title, text) for name, (title, text) in DOCUMENTS.items())


DATASET = Dataset(Definition(CARD, _claims, _documents), Path())

MAJORITY = """
summary = "Says yes to everything."
[[stages]]
kind = "retrieve"
name = "bm25"
k = 3
[[stages]]
kind = "rerank"
name = "cut"
k = 1
[[stages]]
kind = "select"
name = "lead"
n = 2
[[stages]]
kind = "judge"
name = "majority"
[[stages]]
kind = "decide"
name = "any-evidence"
"""

PERFECT = MAJORITY.replace('name = "majority"', 'name = "oracle"').replace(
    'name = "lead"\nn = 2', 'name = "oracle"'
)
SEARCH = MAJORITY.split('[[stages]]\nkind = "judge"')[0]
