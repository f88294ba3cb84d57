"""The model card: what a verifier learnt from, how, how good it is, and where it fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimscope.models.fingerprint import sha256
from claimscope.train.verifier.calibrate import Calibration
from claimscope.train.verifier.pair_stage import PairScore
from claimscope.train.verifier.pictures import RELIABILITY, RISK


@dataclass(frozen=True, slots=True)
class CardFacts:
    """All that a card tells."""

    name: str
    encoder: str
    data: Mapping[str, str]
    """Name of each set that was learnt from, and its licence."""
    configuration: str
    """The text of the file that rebuilds the model."""
    pairs: Mapping[str, PairScore]
    calibrations: Mapping[str, Calibration]
    """By form of the model, such as fp32 and int8."""
    files: Sequence[Path]


_LIMITS = """\
- It reads English abstracts, mostly of biomedicine, and a claim of one sentence.
- It judges what an abstract says, not whether the study was sound or was later retracted.
- How it does on numbers, units and reasoning over several sentences was not measured apart.
- The figures below were measured on claims that the thresholds were fitted on, and so are a little
  too good; `claimscope evaluate` gives those of data that nothing was fitted on.
"""


def card(facts: CardFacts) -> str:
    """Write the card as Markdown with a YAML header."""
    return "\n".join(
        [
            *header(facts.name, facts.encoder, facts.data, "text-classification"),
            f"# {facts.name}",
            "",
            "A verifier of scientific claims: it reads a claim, a title and the sentences of an "
            "abstract, labels the abstract SUPPORTS, REFUTES or NOT_ENOUGH_INFO, and scores each "
            "sentence as evidence.",
            "",
            "## Data",
            "",
            "| set | licence |",
            "|---|---|",
            *(f"| {name} | {licence} |" for name, licence in facts.data.items()),
            "",
            "## Procedure",
            "",
            f"Trained from the encoder {facts.encoder} with `claimscope train verifier` and this "
            "configuration:",
            "",
            "```toml",
            facts.configuration.strip(),
            "```",
            "",
            "## Limits",
            "",
            _LIMITS,
            "## Measured",
            "",
            *_calibrated(facts.calibrations),
            *_pairs(facts.pairs),
            *checksums({f"{path.parent.name}/{path.name}": path for path in facts.files}),
            "",
        ]
    )


def header(name: str, encoder: str, data: Iterable[str], task: str = "") -> Iterator[str]:
    """Give the YAML header of a card."""
    yield from ("---", f"model_name: {name}", "language: en", "library_name: claimscope")
    if task:
        yield f"pipeline_tag: {task}"
    if encoder:
        yield f"base_model: {encoder}"
    yield from ("datasets:", *(f"  - {each}" for each in data), "---", "")


def checksums(files: Mapping[str, Path]) -> Iterator[str]:
    """Give the table of a model's files, by the names it shows."""
    yield from ("## Files", "", "| file | SHA-256 |", "|---|---|")
    yield from (f"| {name} | `{sha256(path)}` |" for name, path in files.items())


def _calibrated(calibrations: Mapping[str, Calibration]) -> Iterator[str]:
    for form, found in calibrations.items():
        yield f"### {form}: {found.claims} held-out claims, open setting"
        yield ""
        limits = found.thresholds
        biases = ", ".join(f"{each:.2f}" for each in found.scaling.bias)
        yield (
            f"Temperature {found.scaling.temperature:.3f}, biases {biases}. Relevance weighs "
            f"{found.prior.weight:.2f} beyond a share of {found.prior.typical:.3f}, a "
            f"named document having a share of {found.prior.named:.3f}. Of the first "
            f"{limits.candidates} candidates with a share of at least {limits.share:g} an abstract "
            f"is evidence from {limits.evidence:g}, a sentence from {limits.sentence:g} "
            f"and {limits.sentence_share:g} of the best one's probability."
        )
        yield from ("", "| measure | value | 95 % interval |", "|---|---|---|")
        for name, each in found.measured.items():
            low, high = 100 * each.low, 100 * each.high
            yield f"| {name} | {100 * each.value:.1f} | {low:.1f} – {high:.1f} |"
        yield ""
        yield f"![Accuracy over confidence]({form}/{RELIABILITY})"
        if found.risk:
            yield f"![Wrong labels over coverage]({form}/{RISK})"
            yield ""
            yield (
                "The probability that `--max-error` asks for comes from such a curve over all sets "
                "that held claims out, also those that nothing was fitted on."
            )
        yield ""


def _pairs(scores: Mapping[str, PairScore]) -> Iterator[str]:
    if scores:
        yield from ("### Held-out pairs after the first stage", "")
        yield from ("| set | pairs | accuracy | support against refutation |", "|---|---|---|---|")
        for name, score in scores.items():
            stance = "" if score.stance is None else f"{100 * score.stance:.1f}"
            yield f"| {name} | {score.pairs} | {100 * score.accuracy:.1f} | {stance} |"
        yield ""
