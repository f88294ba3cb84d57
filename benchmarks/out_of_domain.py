"""How the verifier labels claims of data sets it was not made for, with the gold evidence given.

    python benchmarks/out_of_domain.py [--preset claimscope] [--model FOLDER] [--limit CLAIMS]
                                       [--threads N] [--output FILE]

Prints Markdown; with --output it is written to a file after every set, and the risk-coverage curves
beside it as SVG. Data sets that are not on this machine are left out, and the report says so.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from claimscope.datasets.registry import open_dataset
from claimscope.errors import ConfigurationError, MissingDataError
from claimscope.labels import Label
from claimscope.models.loader import Models
from claimscope.models.runtime import Settings
from claimscope.pipeline import preset as presets
from claimscope.pipeline.preset import Preset, StageSetting, with_max_error
from claimscope.pipeline.stage import Kind
from transfer import figures
from transfer.material import Material, covid_documents, gather
from transfer.page import ClaimRow, ConfidenceRow, PairRow, Report, write
from transfer.picture import Panel, draw
from transfer.reading import Reader, Reading, verdicts, with_model
from transfer.sets import CLIMATE_PUBLISHED, COVID_PUBLISHED, SETS, MeasuredSet

ANY_EVIDENCE = StageSetting(Kind.DECIDE, "any-evidence", {"threshold": 0.0})
TWO_LABELS = StageSetting(Kind.DECIDE, "covid-two-labels", {"threshold": 0.0})
TOLERATED = 0.2


@dataclass
class Measuring:
    """What has been measured so far."""

    reader: Reader
    limit: int | None
    threshold: float | None = None
    """Probability an abstract must reach where a share of errors is tolerated."""
    pairs: list[PairRow] = field(default_factory=list)
    confidence: list[ConfidenceRow] = field(default_factory=list)
    claims: list[ClaimRow] = field(default_factory=list)
    panels: list[Panel] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def measure(self, measured: MeasuredSet) -> None:
        """Read a data set's evidence and add its rows."""
        try:
            material = gather(measured, self.limit)
        except MissingDataError as error:
            self.missing.append(f"{measured.title}. {error}")
            return
        readings = self.reader.read(material.pairs)
        title = f"{measured.title} ({material.split})"
        if figures.decided(readings):
            self._add_pairs(measured, title, material, readings)
            self._add_confidence(title, readings, with_panel=True)
        if measured.name == "scifact":
            claims = figures.speakers(readings, material.verdicts)
            self._add_confidence(f"SciFact, claims ({material.split})", claims)
        if measured.name == "climate":
            self._add_climate(material, readings)

    def _add_pairs(
        self, measured: MeasuredSet, title: str, material: Material, readings: Sequence[Reading]
    ) -> None:
        answers, stances = figures.decided(readings), figures.stances(readings)
        marked = [pair.shortened for pair in material.pairs if pair.sentences]
        alone = figures.stances(self.reader.read(marked)) if marked else []
        free = [replace(each, labels=replace(each.labels, decided=None)) for each in readings]
        self.pairs.append(
            PairRow(
                title=title,
                about=measured.about,
                published=measured.published,
                pairs=len(answers),
                accuracy=figures.accuracy(answers),
                likeliest=figures.accuracy(figures.decided(free)),
                majority=figures.majority(answers),
                macro_f1=figures.macro_f1(answers),
                stance=figures.accuracy(stances),
                stance_alone=figures.accuracy(alone),
                stance_majority=figures.majority(stances),
            )
        )

    def _add_confidence(
        self, title: str, readings: Sequence[Reading], with_panel: bool = False
    ) -> None:
        answers, decisions = figures.decided(readings), figures.confidences(readings)
        sure = figures.sure(readings, self.threshold)
        row = ConfidenceRow(
            title=title,
            decisions=len(answers),
            error=figures.expected_error(decisions),
            likeliest_error=figures.expected_error(figures.likeliest(readings)),
            accuracy=figures.accuracy(answers),
            accuracy_at=figures.accuracy_at(decisions),
            sure=len(sure),
            sure_accuracy=figures.accuracy(sure),
        )
        self.confidence.append(row)
        commonest = figures.majority(answers)
        if with_panel and commonest:
            self.panels.append(Panel(title, decisions, 1 - commonest.value))

    def _add_climate(self, material: Material, readings: Sequence[Reading]) -> None:
        for rule, setting in (("any-evidence", ANY_EVIDENCE), ("the preset's own", None)):
            given = self.reader.decide(material.pairs, readings, setting)
            published = CLIMATE_PUBLISHED if setting else ""
            self._add_claims(
                f"Climate ({material.split})", rule, material.verdicts, given, published
            )
        self.notes.append(
            "Climate: four labels. Each gold passage is read alone and labelled with one of three; "
            "DISPUTED is never the verifier's label but the rule's: any supporting and any "
            "refuting passage make it, the rule by which CLIMATE-FEVER's claims got their labels. "
            "It counts as a fourth label like the others."
        )

    def measure_covid(self) -> None:
        """Check the claims of COVID-19 Scientific against the abstracts about it that are here."""
        try:
            labelled = list(open_dataset("covid19-scientific").claims("test"))[: self.limit]
        except MissingDataError as error:
            self.missing.append(f"COVID-19 Scientific. {error}")
            return
        claims = [each.claim for each in labelled]
        gold = {each.claim.id: each.label for each in labelled if each.label}
        size, cases = self.reader.check(claims, covid_documents(), TWO_LABELS)
        spoke = sum(
            any(
                each.labels is not None and each.labels.label is not Label.NOT_ENOUGH_INFO
                for each in case.candidates
            )
            for case in cases
        )
        given = verdicts(cases)
        self._add_claims(
            "COVID-19 Scientific", "VerT5erini's two labels", gold, given, COVID_PUBLISHED
        )
        self.notes.append(
            "COVID-19 Scientific: not comparable with the published figures, which search CORD-19 "
            "of 2020-06-17 (192,459 abstracts); that is not here. The preset searched the "
            f"{size:,} abstracts about COVID-19 of Check-COVID, HealthVer, COVID-Fact and PubMed "
            "that are. The paper's rules: SUPPORTED if any abstract supports the claim, otherwise "
            f"REFUTED, also where nothing was found. An abstract spoke on {spoke} of {len(cases)} "
            "claims; all others are REFUTED by the rule, right or wrong."
        )

    def _add_claims(
        self,
        title: str,
        rule: str,
        gold: Mapping[str, Label],
        given: Mapping[str, Label],
        published: str,
    ) -> None:
        answers = figures.of_claims(gold, given)
        self.claims.append(
            ClaimRow(
                title=title,
                rule=rule,
                claims=len(answers),
                accuracy=figures.accuracy(answers),
                majority=figures.majority(answers),
                macro_f1=figures.macro_f1(answers),
                binary_f1=figures.binary_f1(answers),
                published=published,
            )
        )


@contextmanager
def _showing_progress(models: Models) -> Iterator[Progress]:
    """Show on standard error how many texts the model has read of those it was given."""
    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading", total=None)
        models.progress = lambda done, total: shown.update(task, completed=done, total=total)
        yield shown


def main() -> None:
    """Measure everything and print the report."""
    options = _options()
    settings = Settings.from_environment()
    models = Models(settings=replace(settings, threads=options.threads or settings.threads))
    preset = presets.load(options.preset)
    reader = Reader(with_model(preset, options.model) if options.model else preset, models)
    measuring = Measuring(reader, options.limit, _threshold(preset))
    with _showing_progress(models) as shown:
        for measured in SETS:
            shown.update(shown.task_ids[0], description=measured.title, total=None)
            measuring.measure(measured)
            _write(measuring, options.output)
        shown.update(shown.task_ids[0], description="COVID-19 Scientific", total=None)
        measuring.measure_covid()
    print(_write(measuring, options.output))


def _write(measuring: Measuring, output: Path | None) -> str:
    """Write what has been measured so far, so that a run that is cut off leaves its figures."""
    picture = output.with_suffix(".svg") if output and measuring.panels else None
    page = write(_report(measuring, picture))
    if output:
        output.write_text(page, encoding="utf-8")
    if picture:
        picture.write_text(draw(measuring.panels), encoding="utf-8")
    return page


def _threshold(preset: Preset) -> float | None:
    try:
        return with_max_error(preset, TOLERATED)[1]
    except ConfigurationError:
        return None


def _report(measuring: Measuring, picture: Path | None) -> Report:
    reader = measuring.reader
    model = str(reader.judge.get("model", "none"))
    checksum = reader.models.sha256(model) or "unknown"
    system = f"Preset {reader.preset.name}, model {Path(model).name}, weights {checksum[:12]}."
    if measuring.limit:
        system += f" **Only the first {measuring.limit} claims of each set: a trial, no result.**"
    return Report(
        system=system,
        pairs=measuring.pairs,
        confidence=measuring.confidence,
        claims=measuring.claims,
        notes=measuring.notes,
        missing=measuring.missing,
        picture=picture.name if picture else None,
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default=presets.DEFAULT_PRESET, help="name or TOML file")
    parser.add_argument("--model", help="folder of another verifier for the preset's judge")
    parser.add_argument("--limit", type=int, help="only the first so many claims of each set")
    parser.add_argument("--threads", type=int, help="threads of the model; all cores otherwise")
    parser.add_argument("--output", type=Path, help="file for the Markdown; the SVG goes beside it")
    return parser.parse_args()


if __name__ == "__main__":
    main()
