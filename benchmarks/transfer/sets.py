"""The data sets of the report: which split is read, how, and what others have published."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MeasuredSet:
    """A data set whose claims come with the evidence to read."""

    name: str
    """As the table of data sets names it; NLI4CT is not there and has a reader of its own."""
    title: str
    splits: tuple[str, ...]
    """The first of these that is on this machine is read."""
    about: str
    """What a reader of the figures has to know."""
    published: str = ""
    """Others' figures in per cent, each with the number of its source."""


SETS = (
    MeasuredSet(
        "healthver",
        "HealthVer",
        ("dev",),
        "Whole abstracts. Never trained on.",
        "zero-shot from SciFact: F1 48 [1], F1 36 [2]; trained on it: accuracy 80.7, F1 79.6 [2]",
    ),
    MeasuredSet(
        "covidfact",
        "COVID-Fact",
        ("test", "train"),
        "Whole abstracts, two labels. Never trained on, so that any split serves; refuted claims "
        "are true ones with a word replaced by machine.",
        "trained on it: F1 82.0 [3]",
    ),
    MeasuredSet(
        "check-covid",
        "Check-COVID",
        ("dev",),
        "Whole abstracts. Not zero-shot for a verifier that learnt from its train split, as the "
        "shipped one did; no abstract and no claim of dev is in train.",
        "trained on it: F1 77.0 and 69.9 [4]",
    ),
    MeasuredSet(
        "climate",
        "Climate, passages",
        ("dev",),
        "Each gold passage alone, with CLIMATE-FEVER's three labels of passages. Never trained on; "
        "Wikipedia, not abstracts.",
    ),
    MeasuredSet(
        "nli4ct",
        "NLI4CT",
        ("dev",),
        "The gold sentences of clinical trial reports as one text, two labels. Never trained on; "
        "tables, eligibility lists and arithmetic rather than prose.",
        "trained on it: F1 83.4 [5]",
    ),
    MeasuredSet(
        "scifact",
        "SciFact, cited abstracts",
        ("dev",),
        "In domain, for comparison: every abstract a claim cites; one that is no evidence is "
        "NOT_ENOUGH_INFO.",
    ),
)

CLIMATE_PUBLISHED = "trained on it, gold passages: accuracy 62.3 [6]"
COVID_PUBLISHED = (
    "VerT5erini (3 × 3 B) on CORD-19: 78.2 / 73.2 / 83.8; LM Debunker 75.4 / 69.8 / 83.1; "
    "LiarMisinfo 61.5 / 59.2 / 82.8 [7]"
)

SOURCES = (
    "Košprdić et al. 2024, Scientific Claim Verification with Fine-Tuned NLI Models, "
    "doi:10.5220/0012900000003838: DeBERTa trained on SciFact, read on HealthVer.",
    "Sarrouti et al. 2021, Evidence-based Fact-Checking of Health-related Claims: T5-base on the "
    "test split, claims with snippets rather than whole abstracts; BERT-base trained on SciFact as "
    "[1] quotes it.",
    "Saakyan et al. 2021, COVID-Fact, as SciFCheX (table 2.2) quotes it: RoBERTa; split and "
    "average are not said.",
    "Wang et al. 2023, Check-COVID. The abstract gives the figures to a trained system and to "
    "GPT-3.5, the repository's README to the trained system on extracted and on composed claims; "
    "neither names the split.",
    "Kanakarajan and Sankarasubbu 2023 (SemEval-2023, task 7): test split, from the reports "
    "themselves rather than their gold sentences; Flan-T5.",
    "Zhao, Qiao and Liu, Automated Verification of Climate Science Claims, table 3: dev, a "
    "classifier of four labels that was trained on the train split.",
    "Pradeep et al. 2021, Scientific Claim Verification with VerT5erini, table 12: accuracy / "
    "macro F1 / binary F1, which is the F1 of REFUTES. LM Debunker's threshold was tuned by "
    "cross-validation on this set.",
)
