"""The official form of every data set, in tiny files written here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from claimscope.datasets import MissingDataError, find_definition, open_dataset
from claimscope.datasets.record import Dataset, LabelledClaim
from claimscope.errors import FormatError, UnknownNameError
from claimscope.labels import Label
from claimscope.types import GoldEvidence


def _lines(path: Path, *records: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(record) + "\n" for record in records)
    path.write_text(text, encoding="utf-8")


def _open(name: str, folder: Path) -> Dataset:
    return Dataset(find_definition(name), folder)


def _only(dataset: Dataset, split: str) -> LabelledClaim:
    (claim,) = dataset.claims(split)
    return claim


_CORPUS = {"doc_id": 7, "title": "Title", "abstract": ["One.", "Two."], "structured": False}
_CLAIM = {
    "id": 3,
    "claim": "A claim.",
    "evidence": {"7": [{"sentences": [1], "label": "CONTRADICT"}]},
    "cited_doc_ids": [7],
}


def test_scifact(tmp_path: Path) -> None:
    _lines(tmp_path / "claims_dev.jsonl", _CLAIM)
    _lines(tmp_path / "corpus.jsonl", _CORPUS)
    dataset = _open("scifact", tmp_path)
    claim = _only(dataset, "dev")
    assert claim.evidence == {"7": GoldEvidence(Label.REFUTES, (frozenset({1}),))}
    (document,) = dataset.documents()
    assert (document.id, document.sentences) == ("7", ("One.", "Two."))


def test_compressed_files_read_alike(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "claims_dev.jsonl.gz", "wt") as file:
        file.write(json.dumps(_CLAIM))
    assert _only(_open("scifact", tmp_path), "dev").claim.id == "3"


def test_scifact_open(tmp_path: Path) -> None:
    evidence = {
        "7": {"provenance": "citation", "label": "SUPPORT", "sentences": [0], "model_ranks": None},
        "8": {"provenance": "pooling", "label": "CONTRADICT", "sentences": [1, 2]},
    }
    _lines(tmp_path / "claims.jsonl", {"id": 8, "claim": "A claim.", "evidence": evidence})
    _lines(tmp_path / "corpus_candidates.jsonl", {**_CORPUS, "scifact_orig": True})
    dataset = _open("scifact-open-candidates", tmp_path)
    assert _only(dataset, "test").verdict is Label.DISPUTED
    assert list(_only(dataset, "citation").evidence or ()) == ["7"]
    assert list(_only(dataset, "pooling").evidence or ()) == ["8"]
    assert [document.id for document in dataset.documents()] == ["7"]


def test_check_covid_in_two_files_with_indented_lines(tmp_path: Path) -> None:
    record = {
        "id": "a_0",
        "claim": "A claim. ",
        "cord_id": "xyz",
        "label": "REFUTE",
        "evidence_set": [
            {"sent_index": 0, "type": "SUPPLEMENTARY"},
            {"sent_index": 3, "type": "PRIMARY"},
        ],
        "is_auth": False,
    }
    (tmp_path / "covidCheck_dev_composed.json").write_text("    " + json.dumps(record) + "\n")
    _lines(tmp_path / "covidCheck_dev_extracted.json", {**record, "id": "b_0", "is_auth": True})
    _lines(tmp_path / "corpus.json", {"cord_id": "xyz", "title": "T", "abstract": ["One."]})
    dataset = _open("check-covid", tmp_path)
    first, second = dataset.claims("dev")
    assert first.evidence == {"xyz": GoldEvidence(Label.REFUTES, (frozenset({3}),))}
    assert first.claim.text == "A claim."
    assert _only(dataset, "dev-extracted") == second
    assert [document.id for document in dataset.documents()] == ["xyz"]


def test_covid19_scientific_from_big_bench(tmp_path: Path) -> None:
    examples = [
        {"input": "Masks help.", "target_scores": {"true": 1, "false": 0}},
        {"input": "Claim: Bleach helps.", "target_scores": {"true": 0, "false": 1}},
    ]
    (tmp_path / "task.json").write_text(json.dumps({"examples": examples}))
    claims = list(_open("covid19-scientific", tmp_path).claims("test"))
    assert [(c.claim.id, c.claim.text, c.label) for c in claims] == [
        ("1", "Masks help.", Label.SUPPORTS),
        ("2", "Bleach helps.", Label.REFUTES),
    ]


def test_scifact_covid36_from_plain_lines(tmp_path: Path) -> None:
    (tmp_path / "claims.txt").write_text("First claim.\nSecond claim.\n")
    claims = list(_open("scifact-covid36", tmp_path).claims("test"))
    assert [(c.claim.id, c.claim.text, c.verdict) for c in claims] == [
        ("0", "First claim.", None),
        ("1", "Second claim.", None),
    ]


def test_climate_task(tmp_path: Path) -> None:
    train = {
        "claim-1": {
            "claim_text": "It warms.",
            "claim_label": "DISPUTED",
            "evidences": ["evidence-2", "evidence-9"],
        }
    }
    (tmp_path / "train-claims.json").write_text(json.dumps(train))
    test = {"claim-5": {"claim_text": "It cools."}}
    (tmp_path / "test-claims-unlabelled.json").write_text(json.dumps(test))
    (tmp_path / "evidence.json").write_text(json.dumps({"evidence-2": "Text.", "evidence-9": "X."}))
    dataset = _open("climate", tmp_path)
    claim = _only(dataset, "train")
    assert (claim.label, list(claim.evidence or ())) == (
        Label.DISPUTED,
        ["evidence-2", "evidence-9"],
    )
    assert dataset.qrels("train") == {"claim-1": {"evidence-2": 1, "evidence-9": 1}}
    assert _only(dataset, "test").evidence is None
    assert [document.abstract for document in dataset.documents()] == ["Text.", "X."]


def test_climate_fever(tmp_path: Path) -> None:
    passage = {"evidence_id": "Arctic:3", "evidence_label": "REFUTES", "article": "Arctic"}
    passage |= {"evidence": "Ice melts.", "entropy": 0.5, "votes": ["REFUTES", None]}
    record = {"claim_id": "0", "claim": "Ice grows.", "claim_label": "REFUTES"}
    record["evidences"] = [passage]
    _lines(tmp_path / "climate-fever-dataset-r1.jsonl", record)
    dataset = _open("climate-fever", tmp_path)
    assert _only(dataset, "all").evidence == {"Arctic:3": GoldEvidence(Label.REFUTES)}
    (document,) = dataset.documents()
    assert (document.title, document.abstract) == ("Arctic", "Ice melts.")


def test_climate_fever_with_numbers_for_labels_is_refused(tmp_path: Path) -> None:
    record = {"claim_id": "0", "claim": "Ice grows.", "claim_label": 1, "evidences": []}
    _lines(tmp_path / "climate-fever-dataset-r1.jsonl", record)
    with pytest.raises(FormatError, match=r"line 1 .*label 1 is not a word"):
        _only(_open("climate-fever", tmp_path), "all")


@pytest.mark.parametrize("name", ["healthver", "covidfact"])
def test_multivers_files(name: str, tmp_path: Path) -> None:
    claim = {**_CLAIM, "doc_ids": [7, 9]}
    del claim["cited_doc_ids"]
    _lines(tmp_path / "claims_test.jsonl", claim)
    _lines(tmp_path / "corpus.jsonl", _CORPUS)
    dataset = _open(name, tmp_path)
    labelled = _only(dataset, "test")
    assert labelled.cited == ("7", "9")
    assert {d: gold.label for d, gold in (labelled.evidence or {}).items()} == {
        "7": Label.REFUTES,
        "9": Label.NOT_ENOUGH_INFO,
    }
    assert len(list(dataset.documents())) == 1


def test_healthver_as_its_authors_give_it(tmp_path: Path) -> None:
    (tmp_path / "healthver_dev.csv").write_text(
        "id,evidence,claim,label,topic_ip,question\n"
        '224,"It began\nin Wuhan, in 2019.",It is natural ,Neutral,1,where\n'
        '225,"It began\nin Wuhan, in 2019.",It began in Wuhan,Supports,1,where\n',
        encoding="utf-8",
    )
    dataset = _open("healthver", tmp_path)
    first, second = dataset.claims("dev")
    assert (first.claim.id, first.claim.text) == ("224", "It is natural")
    assert [each.verdict for each in (first, second)] == [Label.NOT_ENOUGH_INFO, Label.SUPPORTS]
    (document,) = dataset.documents()
    assert first.cited == second.cited == (document.id,)
    assert document.sentences == ("It began\nin Wuhan, in 2019.",)


def test_covidfact_as_its_authors_give_it(tmp_path: Path) -> None:
    record = {"claim": "Masks help", "label": "SUPPORTED", "evidence": ["One.", "Two."]}
    record |= {"gold_source": "https://example.org/paper", "flair": "Preprint"}
    altered = {**record, "claim": "Masks harm", "label": "REFUTED"}
    _lines(tmp_path / "COVIDFACT_dataset.jsonl", record, altered)
    dataset = _open("covidfact", tmp_path)
    claims = list(dataset.claims("all"))
    assert [(c.claim.id, c.label) for c in claims] == [("0", Label.SUPPORTS), ("1", Label.REFUTES)]
    (document,) = dataset.documents()
    assert document.meta.url == "https://example.org/paper"
    assert claims[0].evidence == {document.id: GoldEvidence(Label.SUPPORTS, (frozenset({0, 1}),))}


def test_covert(tmp_path: Path) -> None:
    snippets = [["SUPPORTS", "https://example.org", "A snippet."], ["SUPPORTS", None, None]]
    record = {"claim": "@username Masks help", "label": "SUPPORTS", "evidence": snippets}
    _lines(tmp_path / "CoVERT_FC_annotations.jsonl", record)
    dataset = _open("covert", tmp_path)
    claim = _only(dataset, "all")
    assert (claim.label, claim.cited) == (Label.SUPPORTS, ("0-0",))
    (document,) = dataset.documents()
    assert (document.abstract, document.meta.url) == ("A snippet.", "https://example.org")


def test_pubhealth_with_and_without_a_number_column(tmp_path: Path) -> None:
    header = "claim_id\tclaim\tdate_published\texplanation\tfact_checkers\tmain_text\tsources"
    header += "\tlabel\tsubjects\n"
    article = "It was tested. It failed."
    row = f"15661\tTea cures.\tMay 2020\tNo.\tA\t{article}\t\tfalse\tHealth\n"
    stray = f"15662\tCoffee cures.\t\t\t\t{article}\t\tNational, Candidate Biography\t\n"
    for split in ("train", "dev"):
        (tmp_path / f"{split}.tsv").write_text(header + row + stray)
    (tmp_path / "test.tsv").write_text("\t" + header + "0\t" + row)
    dataset = _open("pubhealth", tmp_path)
    assert [c.label for c in dataset.claims("train")] == [Label.REFUTES, None]
    claim = _only(dataset, "test")
    assert (claim.claim.id, claim.label, claim.cited) == ("15661", Label.REFUTES, ("15661",))
    assert [(d.id, len(d.spans)) for d in dataset.documents()] == [("15661", 2), ("15662", 2)]


def test_citation_integrity(tmp_path: Path) -> None:
    labels = ["ACCURATE", "NOT_ACCURATE", "IRRELEVANT", "MISQUOTE", "SUPPORT"]
    records = [
        {**_CLAIM, "id": i, "evidence": {"7": [{"sentences": [1], "label": label}]}}
        for i, label in enumerate(labels)
    ]
    twice = [{"sentences": [0], "label": "MISQUOTE"}] * 2
    records.append({**_CLAIM, "evidence": {"7": twice}})
    _lines(tmp_path / "claims_dev.jsonl", *records)
    _lines(tmp_path / "corpus.jsonl", _CORPUS)
    claims = list(_open("citation-integrity", tmp_path).claims("dev"))
    assert [c.verdict for c in claims] == [
        Label.SUPPORTS,
        Label.REFUTES,
        Label.NOT_ENOUGH_INFO,
        Label.REFUTES,
        Label.SUPPORTS,
        Label.REFUTES,
    ]
    assert (claims[-1].evidence or {})["7"].rationales == (frozenset({0}),)


def _beir(folder: Path) -> None:
    _lines(folder / "corpus.jsonl", {"_id": "d1", "title": "T", "text": "One thing. Two things."})
    queries = [{"_id": "q1", "text": "First"}, {"_id": "q2", "text": "Unjudged"}]
    _lines(folder / "queries.jsonl", *queries, {"_id": "q3", "text": "Judged, none relevant"})
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq3\td1\t0\n"
    )


def test_any_beir_folder(tmp_path: Path) -> None:
    _beir(tmp_path)
    dataset = open_dataset(f"beir:{tmp_path}")
    assert dataset.qrels("test") == {"q1": {"d1": 2}, "q3": {}}
    (document,) = dataset.documents()
    assert document.sentences == ("One thing.", "Two things.")
    with pytest.raises(UnknownNameError, match="choose one of: test"):
        dataset.claims("dev")


def test_the_named_beir_set_reads_the_same_way(tmp_path: Path) -> None:
    _beir(tmp_path)
    assert len(list(open_dataset("beir-scifact", tmp_path).claims("test"))) == 2


def test_a_folder_that_is_not_beir(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match="is no BEIR folder"):
        open_dataset(f"beir:{tmp_path}")


def test_a_beir_line_without_tabs_is_refused(tmp_path: Path) -> None:
    _beir(tmp_path)
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1 d1 1\n")
    with pytest.raises(FormatError, match=r"test\.tsv, line 2"):
        list(open_dataset(f"beir:{tmp_path}").claims("test"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2 is not JSON"),
        ('{"id": 4}', "line 2 does not have the form of this data set \\(no field 'claim'\\)"),
        ("[1]", "line 2 does not have the form"),
        (
            '{"id": 4, "claim": "x", "evidence": {"7": [{"label": "MAYBE", "sentences": []}]}}',
            "MAYBE",
        ),
        (
            '{"id": 4, "claim": "x", "evidence": {"7": [{"label": "SUPPORT", "sentences": [0]}, '
            '{"label": "CONTRADICT", "sentences": [1]}]}}',
            "document 7 has 2 labels",
        ),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "claims_dev.jsonl"
    path.write_text(json.dumps(_CLAIM) + "\n" + line + "\n")
    with pytest.raises(FormatError, match=message):
        list(_open("scifact", tmp_path).claims("dev"))


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(
        MissingDataError, match=r"claims_dev\.jsonl is not in .*claimscope data get"
    ):
        list(_open("scifact", tmp_path).claims("dev"))


def test_cord19_and_the_covid_claims_that_are_checked_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAIMSCOPE_DATA", str(tmp_path))
    claims = tmp_path / "covid19_scientific"
    _lines(claims / "claims.jsonl", {"id": 1, "claim": "Masks help.", "label": "SUPPORTS"})
    assert list(_open("covid19-scientific", claims).documents()) == []
    table = tmp_path / "cord19" / "metadata.csv"
    table.parent.mkdir()
    head = "cord_uid,title,doi,pubmed_id,abstract,publish_time,authors,journal"
    rows = [
        'a1,Masks,10.1/x,7,"Masks help. They, too,\nare cheap.",2020-04-01,"Ng, A; Li, B",Lancet',
        "a1,Masks again,,,Another row of the same paper.,2020,,",
        "b2,No abstract,,,,2020-05-02,,",
    ]
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    [document] = _open("cord-19", table.parent).documents()
    assert (document.id, document.title) == ("a1", "Masks")
    assert document.sentences == ("Masks help.", "They, too, are cheap.")
    meta = document.meta
    assert (meta.doi, meta.pmid, meta.year, meta.venue) == ("10.1/x", "7", 2020, "Lancet")
    assert meta.authors == ("Ng, A", "Li, B")
    for name in ("covid19-scientific", "scifact-covid36"):
        assert [each.id for each in _open(name, claims).documents()] == ["a1"]
