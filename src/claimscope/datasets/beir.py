"""Any folder in BEIR's format: `corpus.jsonl`, `queries.jsonl` and `qrels/<split>.tsv`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from claimscope._download import Source
from claimscope._files import numbered_lines
from claimscope.datasets.files import find_file, need_file, read_json_lines
from claimscope.datasets.record import Card, Dataset, Definition, Expected, LabelledClaim
from claimscope.errors import FormatError, MissingDataError
from claimscope.text import split_sentences
from claimscope.types import Claim, Document, GoldEvidence

_PAPER = (
    "Thakur et al. 2021, BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information "
    "Retrieval Models"
)

SCIFACT = Card(
    name="beir-scifact",
    title="SciFact in BEIR",
    about="SciFact's claims as queries; relevant are the documents a claim cites.",
    homepage="https://github.com/beir-cellar/beir",
    paper=_PAPER,
    licence="as SciFact: claims CC BY 4.0, abstracts ODC-By 1.0",
    folder="beir-scifact",
    labels={},
    splits={"train": Expected(809, pairs=919), "test": Expected(300, pairs=339)},
    documents=5_183,
    sources=(
        Source(
            "https://public.ukp.informatik.tu-darmstadt.de/thakur/BEIR/datasets/scifact.zip",
            {
                f"scifact/{name}": name
                for name in ("corpus.jsonl", "queries.jsonl", "qrels/train.tsv", "qrels/test.tsv")
            },
            size=2_816_079,
            sha256="536e14446a0ba56ed1398ab1055f39fe852686ecad24a6306c80c490fa8e0165",
        ),
    ),
    notes=(
        "'test' is the dev split of SciFact, not its test split.",
        "Relevant are the 339 cited documents, not the 209 evidence abstracts, so nDCG here is no "
        "recall of evidence.",
    ),
)


def beir_folder(folder: Path) -> Dataset:
    """Open any folder in BEIR's format; its splits are the files of `qrels/`."""
    splits = sorted(path.name.split(".tsv")[0] for path in (folder / "qrels").glob("*.tsv*"))
    if not splits or find_file(folder, "queries.jsonl") is None:
        raise MissingDataError(
            f"{folder} is no BEIR folder; it needs corpus.jsonl, queries.jsonl and qrels/*.tsv."
        )
    card = Card(
        name=f"beir:{folder}",
        title=f"BEIR folder {folder.name}",
        about="Queries with relevant documents.",
        homepage="https://github.com/beir-cellar/beir",
        paper=_PAPER,
        licence="see its source",
        folder=str(folder),
        labels={},
        splits={split: Expected() for split in splits},
        documents=None,
    )
    return Dataset(Definition(card, _claims, _documents), folder)


def _claims(folder: Path, split: str) -> Iterator[LabelledClaim]:
    qrels = _qrels(need_file(folder / "qrels", f"{split}.tsv"))
    queries = read_json_lines(
        need_file(folder, "queries.jsonl"), lambda record: Claim(record["text"], record["_id"])
    )
    for claim in queries:
        judged = qrels.get(claim.id)
        if judged is not None:
            yield LabelledClaim(claim, judged, cited=tuple(judged))


def _qrels(path: Path) -> dict[str, dict[str, GoldEvidence]]:
    """Read judgements after a header line; a query judged without any relevant document stays."""
    qrels: dict[str, dict[str, GoldEvidence]] = {}
    for number, line in numbered_lines(path):
        fields = line.split("\t")
        if number == 1 and not fields[-1].strip().isdecimal():
            continue
        if len(fields) != 3 or not fields[2].strip().lstrip("-").isdecimal():
            raise FormatError(
                f"{path.name}, line {number} is not 'query-id corpus-id score' with tabs between; "
                "check that it is BEIR's."
            )
        relevance = int(fields[2])
        judged = qrels.setdefault(fields[0], {})
        if relevance > 0:
            judged[fields[1]] = GoldEvidence(None, relevance=relevance)
    return qrels


def _documents(folder: Path) -> Iterator[Document]:
    return read_json_lines(
        need_file(folder, "corpus.jsonl"),
        lambda record: Document(
            str(record["_id"]),
            record.get("title", ""),
            record["text"],
            split_sentences(record["text"]),
        ),
    )


DEFINITION = Definition(SCIFACT, _claims, _documents)
