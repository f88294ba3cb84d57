"""The models of the papers' systems, as rows of the table: published ones and those to train."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.models.checkpoint import Checkpoint, Shape

MONOT5 = "Query: {claim} Document: {evidence} Relevant:"
"""Nogueira et al., 2020; VerT5erini, section 3.1."""
HYPOTHESIS = "hypothesis: {claim} {evidence}"
"""VerT5erini, section 3.3; the evidence is the numbered sentences."""

RELEVANCE = ("irrelevant", "relevant")
SCIFACT_LABELS = ("CONTRADICT", "NEI", "SUPPORT")
"""The order in VeriSci's, SciFCheX's and MultiVerS's code."""

_VERISCI = "https://scifact.s3-us-west-2.amazonaws.com/release/latest/models"
_MULTIVERS = "https://scifact.s3.us-west-2.amazonaws.com/longchecker/latest/checkpoints"
_APACHE, _MIT = "Apache-2.0", "MIT"


def systems_of_papers() -> Iterator[Checkpoint]:
    """Give the rows of every paper."""
    for family in (
        _verisci,
        _scifchex,
        _monot5,
        _vert5erini,
        _bert_of_the_study,
        _multivers,
        _verirel,
        _climate,
    ):
        yield from family()


def _verisci() -> Iterator[Checkpoint]:
    yield Checkpoint(
        "verisci-rationale",
        Shape.PAIR,
        "VeriSci's sentence selector, RoBERTa-large on SciFact",
        source=f"{_VERISCI}/rationale_roberta_large_scifact.tar.gz",
        base="FacebookAI/roberta-large",
        licence=_APACHE,
        megabytes=1420,
        labels=RELEVANCE,
    )
    yield Checkpoint(
        "verisci-label",
        Shape.PAIR,
        "VeriSci's label predictor, RoBERTa-large on FEVER, then SciFact",
        source=f"{_VERISCI}/label_roberta_large_fever_scifact.tar.gz",
        base="FacebookAI/roberta-large",
        licence=_APACHE,
        megabytes=1420,
        labels=SCIFACT_LABELS,
    )


def _scifchex() -> Iterator[Checkpoint]:
    bases = {
        "bert": ("google-bert/bert-base-uncased", 440),
        "scibert": ("allenai/scibert_scivocab_uncased", 440),
        "biobert": ("dmis-lab/biobert-base-cased-v1.1", 430),
        "biobert-large": ("dmis-lab/biobert-large-cased-v1.1", 1460),
        "roberta-large": ("FacebookAI/roberta-large", 1420),
    }
    parts = {
        "title": ("title classifier", RELEVANCE, ("bert", "scibert", "biobert")),
        "rationale": ("selector", RELEVANCE, ("scibert", "biobert-large", "roberta-large")),
        "label": ("label predictor", SCIFACT_LABELS, ("roberta-large", "biobert-large")),
    }
    for part, (words, labels, encoders) in parts.items():
        for encoder in encoders:
            base, megabytes = bases[encoder]
            name = f"scifchex-{part}-{encoder}"
            about = f"SciFCheX's {words} from {encoder}, on SciFact"
            yield Checkpoint(name, Shape.PAIR, about, base=base, megabytes=megabytes, labels=labels)


def _monot5() -> Iterator[Checkpoint]:
    sizes = {"base": 892, "large": 2950, "3b": 11400}
    variants = ("base-msmarco", "base-msmarco-10k", "large-msmarco-10k", "3b-msmarco")
    for variant in (*variants, "3b-msmarco-10k", "base-med-msmarco", "3b-med-msmarco"):
        yield Checkpoint(
            f"monot5-{variant}",
            Shape.PROMPT,
            "monoT5, relevance of a passage to a query",
            source=f"castorini/monot5-{variant}",
            base="google-t5/t5-" + variant.split("-")[0],
            licence=_APACHE,
            megabytes=sizes[variant.split("-")[0]],
            template=MONOT5,
            targets=("false", "true"),
        )


def _vert5erini() -> Iterator[Checkpoint]:
    selector = ("sentence selector, monoT5 trained on SciFact", MONOT5, ("false", "true"))
    predictor = ("label predictor, T5 trained on SciFact", HYPOTHESIS, ("true", "weak", "false"))
    for name, base, megabytes, (about, template, targets) in (
        ("vert5erini-sentence", "castorini/monot5-3b-msmarco", 11400, selector),
        ("bert-t5-sentence-monot5", "castorini/monot5-large-msmarco-10k", 2950, selector),
        ("vert5erini-label", "google-t5/t5-3b", 11400, predictor),
        ("bert-t5-label-t5", "google-t5/t5-large", 2950, predictor),
    ):
        yield Checkpoint(
            name,
            Shape.PROMPT,
            about,
            base=base,
            megabytes=megabytes,
            template=template,
            targets=targets,
        )


def _bert_of_the_study() -> Iterator[Checkpoint]:
    yield Checkpoint(
        "bert-t5-sentence-monobert",
        Shape.PAIR,
        "sentence selector of the BERT-T5 study, monoBERT trained on SciFact",
        base="castorini/monobert-large-msmarco",
        megabytes=1340,
        evidence_first=False,
        labels=RELEVANCE,
    )
    yield Checkpoint(
        "bert-t5-label-bert",
        Shape.PAIR,
        "label predictor of the BERT-T5 study, BERT-large trained on SciFact",
        base="google-bert/bert-large-uncased",
        megabytes=1340,
        evidence_first=False,
        labels=("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"),
    )


def _multivers() -> Iterator[Checkpoint]:
    for training in ("fever", "fever_sci", "scifact", "covidfact", "healthver"):
        yield Checkpoint(
            f"multivers-{training.replace('_', '-')}",
            Shape.JOINT,
            f"MultiVerS, Longformer-large, published checkpoint {training}",
            source=f"{_MULTIVERS}/{training}.ckpt",
            base="allenai/longformer-large-4096",
            licence=_MIT,
            megabytes=1760,
            max_length=4096,
            labels=SCIFACT_LABELS,
        )


def _verirel() -> Iterator[Checkpoint]:
    for negatives in (5, 10, 20):
        yield Checkpoint(
            f"verirel-verifier-{negatives}",
            Shape.JOINT,
            f"V-MultiVerS of +VeriRel, trained on SciFact with {negatives} negatives a claim",
            base="allenai/longformer-large-4096",
            megabytes=1760,
            max_length=4096,
            labels=SCIFACT_LABELS,
        )
    yield Checkpoint(
        "verirel-student",
        Shape.PAIR,
        "+VeriRel's student, SciBERT with one output, on ComboScorer's scores",
        base="allenai/scibert_scivocab_uncased",
        megabytes=440,
        evidence_first=False,
    )


def _climate() -> Iterator[Checkpoint]:
    yield Checkpoint(
        "climate-cross-encoder",
        Shape.PAIR,
        "the climate system's cross-encoder, two layers from scratch, one output",
        megabytes=130,
        evidence_first=False,
        max_length=96,
    )
    yield Checkpoint(
        "climate-label",
        Shape.PAIR,
        "the climate system's four-label classifier of a claim and its passages",
        megabytes=130,
        evidence_first=False,
        max_length=256,
        labels=("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", "DISPUTED"),
    )
