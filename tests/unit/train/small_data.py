"""Six claims and seven abstracts in SciFact's format, small enough to check by hand."""

from __future__ import annotations

import json
from pathlib import Path

CORPUS = {
    1: ("Aspirin and the heart", ["We gave aspirin.", "Aspirin lowered risk.", "Adults took it."]),
    2: ("Aspirin in adults", ["Adults took aspirin.", "The trial was long."]),
    3: ("Statins", ["Statins lowered cholesterol.", "The risk fell with statins."]),
    4: ("Statins and the heart", ["A trial of statins.", "Heart attack was rare."]),
    5: ("Cholesterol", ["Cholesterol and risk.", "Nothing was found."]),
    6: ("Heart attack", ["Heart attack in adults.", "The risk of heart attack."]),
    7: ("Coffee", ["Coffee delays sleep."]),
}


def _evidence(label: str, *sets: list[int]) -> list[dict[str, object]]:
    return [{"sentences": each, "label": label} for each in sets]


CLAIMS = [
    # Two gold sets in one abstract; the second abstract is cited and says nothing.
    (1, "Aspirin lowers the risk", {"1": _evidence("SUPPORT", [1], [0, 2])}, [1, 2]),
    (2, "Statins raise cholesterol", {"3": _evidence("CONTRADICT", [0])}, [3]),
    (3, "Heart attack is rare with statins", {"4": _evidence("SUPPORT", [1])}, [4]),
    (4, "Cholesterol lowers heart risk", {}, [5]),
    (5, "Adults have a heart attack", {"6": _evidence("SUPPORT", [0], [1])}, [6]),
    # The evidence shares no word with the claim, so no search by words finds it.
    (6, "Caffeine keeps people awake", {"7": _evidence("SUPPORT", [0])}, [7]),
]


def small_folder(folder: Path) -> Path:
    """Write the corpus and the claims."""
    folder.mkdir(parents=True, exist_ok=True)
    corpus = [
        {"doc_id": name, "title": title, "abstract": sentences, "structured": False}
        for name, (title, sentences) in CORPUS.items()
    ]
    claims = [
        {"id": name, "claim": text, "evidence": evidence, "cited_doc_ids": cited}
        for name, text, evidence, cited in CLAIMS
    ]
    for name, records in (("corpus", corpus), ("claims_train", claims), ("claims_dev", claims)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines)
    return folder


FEVER = [
    ("Aspirin is a drug.", "Aspirin is a drug . Adults took it .", "SUPPORTS"),
    ("Aspirin is a plant.", "Aspirin is a drug .", "REFUTES"),
    ("Statins are drugs.", "Statins lowered risk . The trial was long .", "SUPPORTS"),
    ("Statins raise risk.", "Statins lowered risk .", "REFUTES"),
    ("The trial was short.", "The trial was long .", "REFUTES"),
]
"""Two pages: what the second and the last two claims do not use of theirs says nothing of them."""


def fever_folder(folder: Path) -> Path:
    """Write pairs of claim and evidence as FEVER's."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"id": f"fever-{number}", "claim": claim, "evidence": text, "label": label})
        for number, (claim, text, label) in enumerate(FEVER)
    ]
    (folder / "dev_pairs.jsonl").write_text("\n".join(lines))
    return folder


def own_folder(folder: Path) -> Path:
    """Write five claims, each with an abstract of its own, and one more abstract."""
    documents = [
        {"doc_id": n, "title": f"trial {n}", "abstract": [f"aspirin trial {n}", "heart attack"]}
        for n in range(6)
    ]
    claims = [
        {
            "id": n,
            "claim": f"aspirin {n}",
            "evidence": {str(n): [{"sentences": [0], "label": ("SUPPORT", "CONTRADICT")[n % 2]}]},
            "cited_doc_ids": [n],
        }
        for n in range(5)
    ]
    for name, rows in (("corpus", documents), ("claims_train", claims)):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text)
    return folder
