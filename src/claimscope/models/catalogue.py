"""The table of models that presets name; a new model is a new row.

Sizes are about those of the published files in single precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from claimscope.errors import UnknownNameError
from claimscope.models.checkpoint import Checkpoint, Shape

MONOT5 = "Query: {claim} Document: {evidence} Relevant:"
"""Nogueira et al., 2020; VerT5erini, section 3.1."""
HYPOTHESIS = "hypothesis: {claim} {evidence}"
"""VerT5erini, section 3.3; the evidence is the numbered sentences."""

VERIFIER = "claimscope-verifier"
"""The verifier of our own."""
ACCURATE = "claimscope-accurate"
"""A larger one that reads the same abstracts after it."""
VECTORS = "claimscope-vectors"
"""Static vectors of our own, which rank what was found once more."""
RELEVANCE = ("irrelevant", "relevant")
SCIFACT_LABELS = ("CONTRADICT", "NEI", "SUPPORT")
"""The order in VeriSci's, SciFCheX's and MultiVerS's code."""

_VERISCI = "https://scifact.s3-us-west-2.amazonaws.com/release/latest/models"
_MULTIVERS = "https://scifact.s3.us-west-2.amazonaws.com/longchecker/latest/checkpoints"
_APACHE, _MIT = "Apache-2.0", "MIT"


def find_checkpoint(name: str) -> Checkpoint:
    """Give the row of a name; an unknown one raises `UnknownNameError`."""
    try:
        return CHECKPOINTS[name]
    except KeyError:
        raise UnknownNameError("model", name, CHECKPOINTS) from None


def named(name: str) -> Checkpoint | None:
    """Give the row of a name or a hub id; None for any other."""
    if name in CHECKPOINTS:
        return CHECKPOINTS[name]
    return next((row for row in CHECKPOINTS.values() if row.source == name), None)


def told_by_name(*names: str) -> Checkpoint | None:
    """Give a row that reads prompts as the model behind one of some names or paths does."""
    for name in names:
        row = named(name)
        if row is not None and row.shape is Shape.PROMPT:
            return row
        if "monot5" in name.casefold():
            return CHECKPOINTS["monot5-base-msmarco"]
    return None


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


def _rerankers() -> Iterator[Checkpoint]:
    published = {
        "bge-reranker-v2-m3": ("BAAI/bge-reranker-v2-m3", 2270, _APACHE, ()),
        "ms-marco-minilm-l6": ("cross-encoder/ms-marco-MiniLM-L6-v2", 91, _APACHE, ()),
        "ms-marco-minilm-l12": ("cross-encoder/ms-marco-MiniLM-L12-v2", 134, _APACHE, ()),
        "monobert-large-msmarco": ("castorini/monobert-large-msmarco", 1340, _APACHE, RELEVANCE),
    }
    for name, (source, megabytes, licence, labels) in published.items():
        yield Checkpoint(
            name,
            Shape.PAIR,
            "cross-encoder of claim and passage",
            source=source,
            base="google-bert/bert-large-uncased" if name.startswith("monobert") else None,
            licence=licence,
            megabytes=megabytes,
            evidence_first=False,
            labels=labels,
        )
    yield Checkpoint(
        "verirel-student",
        Shape.PAIR,
        "+VeriRel's student, SciBERT with one output, on ComboScorer's scores",
        base="allenai/scibert_scivocab_uncased",
        megabytes=440,
        evidence_first=False,
    )


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


def _inference_models() -> Iterator[Checkpoint]:
    for name, source, licence in (
        ("nli-deberta", "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli", _MIT),
        (
            "nli-deberta-scifact",
            "jedick/DeBERTa-v3-base-mnli-fever-anli-scifact-citint",
            "not stated",
        ),
    ):
        yield Checkpoint(
            name,
            Shape.PAIR,
            "inference model: premise evidence, hypothesis claim",
            source=source,
            licence=licence,
            megabytes=740,
        )


def _own() -> Iterator[Checkpoint]:
    yield Checkpoint(
        VERIFIER,
        Shape.JOINT,
        "the verifier that comes with the package",
        base="sentence-transformers/all-mpnet-base-v2",
        licence=_APACHE,
        megabytes=85,
    )
    yield Checkpoint(
        VECTORS,
        Shape.ENCODER,
        "the static vectors that come with the package",
        base="sentence-transformers/all-MiniLM-L6-v2",
        licence=_APACHE,
        megabytes=4,
        max_length=256,
    )
    yield Checkpoint(
        ACCURATE,
        Shape.JOINT,
        "a larger verifier of our own, which reads the same abstracts after the one in the package",
        in_repository=True,
        base="sentence-transformers/all-mpnet-base-v2",
        licence=_APACHE,
        megabytes=114,
    )


def _encoders() -> Iterator[Checkpoint]:
    published = {
        "all-minilm-l6-v2": ("sentence-transformers/all-MiniLM-L6-v2", 91, 256),
        "all-mpnet-base-v2": ("sentence-transformers/all-mpnet-base-v2", 438, 384),
    }
    for name, (source, megabytes, max_length) in published.items():
        yield Checkpoint(
            name,
            Shape.ENCODER,
            "bi-encoder of sentences, mean of the token states",
            source=source,
            licence=_APACHE,
            megabytes=megabytes,
            max_length=max_length,
        )


def _bases() -> Iterator[Checkpoint]:
    """Pretrained networks that the papers' models start from."""
    for name, source, megabytes, licence in (
        ("bert-base", "google-bert/bert-base-uncased", 440, _APACHE),
        ("bert-large", "google-bert/bert-large-uncased", 1340, _APACHE),
        ("roberta-base", "FacebookAI/roberta-base", None, _MIT),
        ("roberta-large", "FacebookAI/roberta-large", 1420, _MIT),
        ("scibert", "allenai/scibert_scivocab_uncased", 440, _APACHE),
        ("biobert", "dmis-lab/biobert-base-cased-v1.1", 430, _APACHE),
        ("biobert-large", "dmis-lab/biobert-large-cased-v1.1", 1460, _APACHE),
        ("biomed-roberta", "allenai/biomed_roberta_base", None, "not stated"),
        (
            "pubmedbert",
            "microsoft/BiomedNLP-BiomedBERT-base-uncased-abstract-fulltext",
            440,
            _MIT,
        ),
        ("longformer-large", "allenai/longformer-large-4096", None, "not stated"),
        ("clinical-longformer", "yikuan8/Clinical-Longformer", None, "not stated"),
        ("t5-base", "google-t5/t5-base", 892, _APACHE),
        ("t5-large", "google-t5/t5-large", 2950, _APACHE),
        ("t5-3b", "google-t5/t5-3b", 11400, _APACHE),
    ):
        long = 4096 if "longformer" in name else 512
        yield Checkpoint(
            name,
            Shape.BASE,
            "pretrained network to train from",
            source=source,
            licence=licence,
            megabytes=megabytes,
            max_length=long,
        )


def _table() -> dict[str, Checkpoint]:
    families = (_verisci, _scifchex, _rerankers, _monot5, _vert5erini, _bert_of_the_study)
    more = (_multivers, _climate, _inference_models, _encoders, _bases, _own)
    return {row.name: row for family in (*families, *more) for row in family()}


CHECKPOINTS: Mapping[str, Checkpoint] = MappingProxyType(_table())
"""Every row by name."""
