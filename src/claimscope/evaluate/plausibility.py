"""A page on which a person marks predicted evidence as plausible, for claims without labels.

VerT5erini's protocol for the 36 COVID-19 claims of SciFact (section 4.6): a claim counts if at
least half of the abstracts found for it have reasonable sentences and a reasonable label. A claim
for which nothing was found does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from claimscope._files import written_whole
from claimscope.errors import InputError
from claimscope.evaluate.cases import has_judge, predictions_of
from claimscope.evaluate.folder import RunFolder
from claimscope.labels import Label
from claimscope.render.page import asset, environment
from claimscope.types import Candidate, Case


@dataclass(frozen=True, slots=True)
class Found:
    """An abstract that the system calls evidence, as it is shown."""

    id: str
    title: str
    label: Label
    sentences: tuple[tuple[str, bool], ...]
    """Each sentence, and whether it was chosen."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim with what is to be marked."""

    id: str
    text: str
    found: tuple[Found, ...]


def write_plausibility(path: Path, folder: RunFolder) -> int:
    """Write the page of a saved run and give the number of abstracts to be marked."""
    claims = list(_asked(folder))
    info = folder.info()
    page = (
        environment()
        .get_template("plausibility.html.j2")
        .render(
            info=info,
            key=f"claimscope {info.fingerprint}",
            claims=claims,
            style=asset("colours.css", "page.css", "plausibility.css"),
            script=asset("plausibility.js"),
        )
    )
    with written_whole(path) as fresh:
        fresh.write_text(page, encoding="utf-8")
    return sum(len(claim.found) for claim in claims)


def _asked(folder: RunFolder) -> Iterator[Asked]:
    for claim, case in folder.pairs():
        if not has_judge(case):
            raise InputError(
                "This run has no stage that judges abstracts, so there is nothing to mark; "
                "evaluate a whole pipeline."
            )
        yield Asked(claim.id, claim.text, tuple(_found(case)))


def _found(case: Case) -> Iterator[Found]:
    predicted = predictions_of(case)
    for item in case.candidates:
        said = predicted.get(item.document.id)
        if said is not None:
            yield Found(item.document.id, item.document.title, said.label, _sentences(item))


def _sentences(item: Candidate) -> tuple[tuple[str, bool], ...]:
    chosen = {sentence.index for sentence in item.rationale}
    return tuple((text, index in chosen) for index, text in enumerate(item.document.sentences))
