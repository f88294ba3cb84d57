"""Shows what became of saved claims when a library changed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from claimscope.library.protocol import ManagedLibrary
    from claimscope.service.jobs.rechecking import Rechecked


def recheck(
    library: ManagedLibrary, concerned: Collection[str] | None = None, quiet: bool = False
) -> list[dict[str, Any]]:
    """Check saved claims again, say which verdicts change, and give those as plain values."""
    from claimscope._wording import counted
    from claimscope.cli.progress import counting
    from claimscope.service.jobs.rechecking import recheck_saved

    with counting("Checking again") as count:
        found = []
        for item in recheck_saved(library, concerned):
            count(item.claim[:40])
            found.append(item)
    told = [item for item in found if item.error or (item.change and item.change.is_changed)]
    if not quiet:
        for item in told:
            typer.echo(_line(item))
        if found:
            changed = sum(item.change is not None for item in told)
            typer.echo(f"{counted(len(found), 'saved claim')} checked again, {changed:,} changed.")
    return [_record(item) for item in told]


def _line(item: Rechecked) -> str:
    from claimscope.cli.styles import clean

    if item.change is None:
        return clean(f"  “{item.claim}” was not checked again: {item.error}")
    record = _record(item)
    papers = ", ".join((*item.change.left, *item.change.joined))
    because = f"  because of {papers}" if papers else ""
    return clean(f"  {record['before']} → {record['after']}  “{item.claim}”{because}")


def _record(item: Rechecked) -> dict[str, Any]:
    record: dict[str, Any] = {"claim": item.claim, "preset": item.preset, "error": item.error}
    if item.change is not None:
        labels = {"before": item.change.before, "after": item.change.after}
        record |= {name: label.verdict if label else None for name, label in labels.items()}
        record |= {"joined": list(item.change.joined), "left": list(item.change.left)}
    return record
