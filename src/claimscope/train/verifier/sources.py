"""The sets of pairs a verifier that is given to others may learn from, and their licences."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimscope.datasets.files import need_file, parse_label, read_json_lines, tidy
from claimscope.datasets.location import VARIABLE, data_folders
from claimscope.datasets.registry import open_dataset
from claimscope.errors import ConfigurationError, MissingDataError, UnknownNameError
from claimscope.train.verifier.pairs import Pair, Target, plain_words, target_of
from claimscope.train.weak.abstract_pairs import abstract_pairs
from claimscope.train.weak.papers import read_papers
from claimscope.train.weak.questions import question_pairs
from claimscope.train.weak.trials import trial_pairs
from claimscope.train.written.pairs import written_pairs
from claimscope.train.written.reading import LAY, LICENCES, PUBMED, SCIFACT, read_written

_SEED = 7
"""Of the sets that are made by chance; they are the same in every run."""


@dataclass(frozen=True, slots=True)
class PairSource:
    """A set of pairs: where it lies, what its licence is, how it is read."""

    name: str
    folder: str
    licence: str
    read: Callable[[Path], Iterable[Pair]]


def _target(spelling: object) -> Target:
    if spelling == "not_entailment":
        return Target.NOT_SUPPORTED
    return target_of(parse_label(spelling))


def _flat(file: str, group: Callable[[Any], object]) -> Callable[[Path], Iterator[Pair]]:
    """Give a reader of lines with a claim, evidence and a label."""

    def read(record: Any) -> Pair:
        claim, evidence = tidy(record["claim"]), tidy(record["evidence"])
        return Pair(claim, evidence, _target(record["label"]), str(group(record)))

    return lambda folder: read_json_lines(need_file(folder, file), read)


def _field(name: str) -> Callable[[Any], str]:
    return lambda record: plain_words(record[name])


def _fool_me_twice(folder: Path) -> Iterator[Pair]:
    """Read claims with their evidence; every second one also with a sentence that is none."""
    for part in ("dev", "test"):
        records = read_json_lines(need_file(folder, f"{part}.jsonl"), dict)
        for number, record in enumerate(records):
            claim, page = tidy(record["claim"]), str(record.get("wikipedia_page"))
            evidence = record["evidence_sentences"]
            yield Pair(claim, tidy(" ".join(evidence)), _target(record["label"]), page)
            known = set(map(plain_words, evidence))
            others = [
                text
                for text in record["retrieved_evidence"]
                if plain_words(text) not in known and len(text.split()) > 5
            ]
            if others and number % 2 == 0:
                silent = tidy(others[len(others) // 2])
                yield Pair(claim, silent, Target.NOT_ENOUGH_INFO, page)


def _trials(folder: Path) -> Iterator[Pair]:
    prompts = list(read_json_lines(need_file(folder, "v2_prompts.jsonl"), dict))
    return trial_pairs(prompts, random.Random(_SEED))


def _questions(folder: Path) -> Iterator[Pair]:
    records = read_json_lines(need_file(folder, "labelled.jsonl"), dict)
    return question_pairs(records, random.Random(_SEED))


def _written(name: str) -> Callable[[Path], Iterator[Pair]]:
    """Give a reader of the claims that come with the package; the folder holds their abstracts."""

    def read(folder: Path) -> Iterator[Pair]:
        papers = open_dataset("scifact").documents() if name == SCIFACT else read_papers(folder)
        documents = {paper.id: paper for paper in papers}
        return written_pairs(read_written(name), documents, random.Random(_SEED))

    return read


def _abstracts(folder: Path) -> Iterator[Pair]:
    return abstract_pairs(list(read_papers(folder)), random.Random(_SEED))


_SHARE_ALIKE_3, _SHARE_ALIKE_4 = "CC BY-SA 3.0", "CC BY-SA 4.0"

SOURCES = {
    source.name: source
    for source in (
        PairSource(
            "snli",
            "snli",
            _SHARE_ALIKE_4,
            _flat("train_subset.jsonl", lambda record: record["id"].split("#")[0]),
        ),
        PairSource("mnli", "mnli", "OANC and CC mix", _flat("dev.jsonl", _field("evidence"))),
        PairSource(
            "vitaminc-real",
            "vitaminc",
            _SHARE_ALIKE_3,
            _flat("real.jsonl", lambda record: record["page"]),
        ),
        PairSource(
            "vitaminc-synthetic",
            "vitaminc",
            _SHARE_ALIKE_3,
            _flat("synthetic.jsonl", _field("claim")),
        ),
        PairSource("fever", "fever", _SHARE_ALIKE_3, _flat("dev_pairs.jsonl", _field("claim"))),
        PairSource("fool-me-twice", "fool_me_twice", "Apache-2.0", _fool_me_twice),
        PairSource("scitail", "scitail", "Apache-2.0", _flat("dev.jsonl", _field("claim"))),
        PairSource(
            "semeval2013-task7",
            "semeval2013_task7",
            _SHARE_ALIKE_3,
            _flat("pairs_3way.jsonl", _field("question")),
        ),
        PairSource(
            "breaking-nli",
            "breaking_nli",
            _SHARE_ALIKE_4,
            _flat("pairs.jsonl", _field("evidence")),
        ),
        PairSource(
            "scone",
            "scone",
            "CC0",
            _flat("pairs.jsonl", lambda record: str(record["id"]).rsplit("-", 1)[-1]),
        ),
        PairSource(
            "evidence-inference",
            "evidence_inference",
            "MIT",
            _flat("v2_templated_pairs.jsonl", lambda record: record["pmcid"]),
        ),
        PairSource("evidence-inference-wordings", "evidence_inference", "MIT", _trials),
        PairSource("pubmedqa", "pubmedqa", "MIT", _questions),
        PairSource("pubmed-edits", "corpora", "NLM data; raw material only", _abstracts),
        PairSource(PUBMED, "corpora", LICENCES[PUBMED], _written(PUBMED)),
        PairSource(LAY, "corpora", LICENCES[LAY], _written(LAY)),
        PairSource(SCIFACT, "scifact", LICENCES[SCIFACT], _written(SCIFACT)),
    )
}
"""By name; `-wordings` and `-edits` are made by rules of our own."""

MEASURED_ONLY = frozenset(
    "healthver covidfact climate covid19_scientific scifact_covid36 nli4ct fever_symmetric "
    "claim_sentences".split()
)
"""Sets whose licence or use as a test forbids that weights given to others learn from them."""


def find_source(name: str) -> PairSource:
    """Find a set of pairs that may be learnt from."""
    if name.replace("-", "_") in MEASURED_ONLY:
        raise ConfigurationError(
            f"The data set {name!r} is for measuring only; a verifier that is given to others may "
            f"learn from: {', '.join(SOURCES)}."
        )
    if name not in SOURCES:
        raise UnknownNameError("set of training pairs", name, SOURCES)
    return SOURCES[name]


def read_source(name: str) -> list[Pair]:
    """Read a set, every pair once, without those that lack a side."""
    source = find_source(name)
    pairs = source.read(folder_of(source.name))
    unique = {(pair.claim, pair.evidence): pair for pair in reversed(list(pairs))}
    return [pair for pair in reversed(unique.values()) if pair.claim and pair.evidence]


def folder_of(name: str) -> Path:
    """Find the folder of a set of pairs."""
    source = find_source(name)
    for folder in data_folders():
        if (folder / source.folder).is_dir():
            return folder / source.folder
    raise MissingDataError(
        f"The training pairs {source.name!r} are not on this machine; put the folder "
        f"{source.folder} into a data folder and name that in {VARIABLE}."
    )
