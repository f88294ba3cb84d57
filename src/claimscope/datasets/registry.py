"""The table of data sets."""

from __future__ import annotations

from pathlib import Path

from claimscope.datasets import (
    beir,
    check_covid,
    citation_integrity,
    climate,
    climate_fever,
    cord19,
    covert,
    covid19_scientific,
    covidfact,
    fever,
    healthver,
    pubhealth,
    scifact,
    scifact_covid36,
    scifact_open,
)
from claimscope.datasets.location import need_folder
from claimscope.datasets.record import Dataset, Definition
from claimscope.errors import UnknownNameError

DATASETS: dict[str, Definition] = {
    definition.card.name: definition
    for definition in (
        scifact.DEFINITION,
        scifact_open.DEFINITION,
        scifact_open.CANDIDATES_DEFINITION,
        check_covid.DEFINITION,
        covid19_scientific.DEFINITION,
        scifact_covid36.DEFINITION,
        climate.DEFINITION,
        climate_fever.DEFINITION,
        cord19.DEFINITION,
        healthver.DEFINITION,
        covidfact.DEFINITION,
        covert.DEFINITION,
        pubhealth.DEFINITION,
        citation_integrity.DEFINITION,
        fever.DEFINITION,
        beir.DEFINITION,
    )
}
"""Every data set by name; any further BEIR folder opens as `beir:FOLDER`."""

_BEIR = "beir:"


def find_definition(name: str) -> Definition:
    """Find a data set by name."""
    try:
        return DATASETS[name]
    except KeyError:
        raise UnknownNameError("data set", name, [*DATASETS, f"{_BEIR}FOLDER"]) from None


def open_dataset(name: str, folder: Path | None = None) -> Dataset:
    """Open a data set from its usual place on this machine, or from a given folder."""
    if name.startswith(_BEIR):
        return beir.beir_folder(Path(name.removeprefix(_BEIR)))
    definition = find_definition(name)
    return Dataset(definition, folder or need_folder(definition.card))
