"""The table of models that presets name; a new model is a new row.

Sizes are about those of the published files in single precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from claimscope.errors import UnknownNameError
from claimscope.models.checkpoint import Checkpoint, Shape
from claimscope.models.systems import RELEVANCE, systems_of_papers

VERIFIER = "claimscope-verifier"
"""The verifier of our own."""
ACCURATE = "claimscope-accurate"
"""A larger one that reads the same abstracts after it."""
VECTORS = "claimscope-vectors"
"""Static vectors of our own, which rank what was found once more."""
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
    families = (systems_of_papers, _rerankers, _inference_models, _encoders, _bases, _own)
    return {row.name: row for family in families for row in family()}


CHECKPOINTS: Mapping[str, Checkpoint] = MappingProxyType(_table())
"""Every row by name."""
