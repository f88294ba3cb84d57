"""An audit as Markdown: a list of comments to work through."""

from __future__ import annotations

from collections.abc import Iterator

from claimscope.audit.report import Audit, Level
from claimscope.audit.writers.view import AuditView, Finding, show
from claimscope.render.markdown import escape


def to_markdown(audit: Audit) -> str:
    """Write every sentence that calls for a look, with what was found; no markup of it survives."""
    return "\n".join(_lines(show(audit))) + "\n"


def _lines(view: AuditView) -> Iterator[str]:
    yield f"# Audit of {escape(view.name)}"
    yield ""
    yield view.totals
    yield ""
    yield from (f"- {name}: {count}" for _, name, count in view.counts)
    for note in view.notes:
        yield f"\n> {escape(note)}"
    for sentence in view.sentences:
        shown = [item for item in sentence.findings if item.level != Level.NONE]
        if shown:
            yield f"\n## {view.place_name.capitalize()} {sentence.place}\n"
            yield f"> {escape(sentence.text)}\n"
            for item in shown:
                yield from _finding(item)
    yield ""
    yield (
        f"Checked by Claimscope {view.version}, preset {escape(view.preset)}, library "
        f"{view.revision}; no person has reviewed it."
    )


def _finding(item: Finding) -> Iterator[str]:
    cited = f" {escape(item.citation)}" if item.citation else ""
    yield f"- **{item.headline}**{cited}: {escape(item.detail)}"
    yield from (f"    > {escape(quote)}" for quote in item.quotes)
