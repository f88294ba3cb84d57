"""Writes docs/reference/ from the code; with --check it only says which pages are stale."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import typer

from claimscope.cli.app import app
from claimscope.datasets.registry import DATASETS
from claimscope.ingest.detect import FORMATS
from claimscope.ingest.limits import LONGEST, LONGEST_OTHER, MOST_VALUES
from claimscope.ingest.record import RECORD_LIMIT
from claimscope.measures import DEFINITIONS
from claimscope.models.catalogue import CHECKPOINTS
from claimscope.pipeline import preset, registry
from claimscope.pipeline.stage import Kind

FOLDER = Path(__file__).parent / "reference"
NOTE = "<!-- Written by docs/generate.py; edit the code instead. -->\n"


def commands() -> str:
    """Give the help of every command."""
    parts = [f"{NOTE}\n# Commands\n"]
    for words in _verbs():
        shown = subprocess.run(
            [sys.executable, "-m", "claimscope", *words, "--help"],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "COLUMNS": "90", "TERMINAL_WIDTH": "90", "NO_COLOR": "1"},
        ).stdout
        plain = shown.replace("python -m claimscope", "claimscope").strip()
        lines = "\n".join(line.rstrip() for line in plain.splitlines())
        parts.append(f"## `{' '.join(('claimscope', *words))}`\n\n```text\n{lines}\n```\n")
    return "\n".join(parts)


def _verbs() -> Iterator[tuple[str, ...]]:
    yield from _below(typer.main.get_command(app), ())


def _below(group: Any, words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for name, command in group.commands.items():
        if not hasattr(command, "commands"):
            yield (*words, name)
            continue
        if command.invoke_without_command:
            yield (*words, name)
        yield from _below(command, (*words, name))


def stages() -> str:
    """Give every registered stage with its parameters."""
    parts = [f"{NOTE}\n# Stages\n"]
    for kind in Kind:
        parts.append(f"## {kind}\n")
        for name, point in registry.available(kind).items():
            stage = point.load()
            parts.append(f"### `{name}`\n\n{inspect.getdoc(stage)}\n")
            parts.extend(_parameters(stage))
    return "\n".join(parts)


def _parameters(stage: type) -> Iterator[str]:
    rows = [
        f"| `{item.name}` | {item.type} | {_default(item)} |"
        for item in fields(stage)
        if item.init and item.name not in {"library", "gold", "models"}
    ]
    if rows:
        yield "\n".join(["| parameter | type | default |", "|---|---|---|", *rows]) + "\n"


def _default(item: Field[Any]) -> str:
    if item.default_factory is not MISSING:
        return f"`{item.default_factory()!r}`"
    return "required" if item.default is MISSING else f"`{item.default!r}`"


def presets() -> str:
    """Give every preset with its stages."""
    parts = [f"{NOTE}\n# Presets\n"]
    for name in preset.names():
        chosen = preset.load(name)
        default = " (default)" if name == preset.DEFAULT_PRESET else ""
        parts.append(f"## `{name}`{default}\n\n{chosen.summary}\n")
        if chosen.paper:
            parts.append(f"Paper: {chosen.paper}\n")
        parts.extend(_stage_list(chosen))
        parts.extend(_needed(chosen))
        parts.extend(_reported(chosen))
        parts.append("")
    return "\n".join(parts)


def _stage_list(chosen: preset.Preset) -> Iterator[str]:
    """List the stages in the order they run, with their parameters."""
    for number, stage in enumerate(chosen.stages, start=1):
        values = ", ".join(f"`{key} = {value!r}`" for key, value in stage.parameters.items())
        yield f"{number}. **`{stage.kind}.{stage.name}`** {values}".rstrip()


def _needed(chosen: preset.Preset) -> Iterator[str]:
    """Name the models of a preset, their size and where they come from."""
    models = [str(each.parameters.get("model", "")) for each in chosen.stages]
    rows = [CHECKPOINTS[name] for name in dict.fromkeys(models) if name in CHECKPOINTS]
    if rows:
        yield from ("", "| needs | MB | where from |", "|---|--:|---|")
    for row in rows:
        yield f"| `{row.name}`: {row.about} | {row.megabytes or '?'} | {row.origin} |"


def _reported(chosen: preset.Preset) -> Iterator[str]:
    if chosen.reported:
        yield from ("", "| reported by the paper | value |", "|---|--:|")
        yield from (f"| {name} | {value} |" for name, value in chosen.reported.items())


def training() -> str:
    """Give every configuration that trains a stage, as its file has it."""
    head = (
        "`claimscope train --stage NAME [--preset PRESET]` takes its settings from one of these, "
        "and `claimscope train verifier` from `verifier`; `--set KEY=VALUE` changes any.\n"
    )
    parts = [f"{NOTE}\n# Training configurations\n", head]
    folder = files("claimscope.train") / "configs"
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        name = entry.name.removesuffix(".toml")
        parts.append(f"## `{name}`\n\n```toml\n{entry.read_text('utf-8').strip()}\n```\n")
    return "\n".join(parts)


LIMITS = f"""## Limits

A record over {RECORD_LIMIT // 1_000_000} MB, a list of over {MOST_VALUES:,} values, or a field that
is longer than the table says is refused, with a reason that names it. Of authors and publication
types, the limit is that of one name. A cell of a CSV table has at most 131,072 characters.

Languages are stored as ISO 639-1 codes, whatever code or English name the file gives.
"""


def formats() -> str:
    """Give every file format that can be read, and how long the fields of a record may be."""
    rows = [f"| `{item.name}` | {item.label} |" for item in FORMATS.values()]
    limits = [f"| {field} | {most:,} |" for field, most in LONGEST.items()]
    limits.append(f"| any other | {LONGEST_OTHER:,} |")
    parts = [f"{NOTE}\n# File formats\n", "| name | format |", "|---|---|", *rows, ""]
    parts += [LIMITS, "| field | characters |", "|---|--:|", *limits, ""]
    return "\n".join(parts)


def measures() -> str:
    """Give every measure with its meaning."""
    rows = [
        f"| `{item.example.replace('|', chr(92) + '|')}` | {item.meaning} |"
        for item in DEFINITIONS.values()
    ]
    head = [f"{NOTE}\n# Measures\n", "One spelling in code, commands and tables.\n"]
    return "\n".join([*head, "| name | meaning |", "|---|---|", *rows, ""])


def datasets() -> str:
    """Give every data set's card."""
    parts = [f"{NOTE}\n# Data sets\n"]
    for definition in DATASETS.values():
        card = definition.card
        counts = [
            f"{split}: {'unknown' if size.claims is None else f'{size.claims:,}'}"
            for split, size in card.splits.items()
        ]
        labels = ", ".join(f"{label.value} as `{word}`" for label, word in card.labels.items())
        parts.append(
            f"## `{card.name}`\n\n{card.title}. {card.about} {card.paper}.\n\n"
            f"- source: <{card.homepage}>\n- licence: {card.licence}\n"
            f"- claims: {', '.join(counts)}\n- labels: {labels or 'none'}"
        )
        parts.extend(f"- note: {note}" for note in card.notes)
        parts.append("")
    return "\n".join(parts)


def models() -> str:
    """Give every model of the table."""
    rows = [
        f"| `{row.name}` | {row.about} | {row.shape} | {row.megabytes or '?'} | {row.licence} | "
        f"{row.origin} |"
        for row in CHECKPOINTS.values()
    ]
    head = ["| name | what | shape | MB | licence | source |", "|---|---|---|---|---|---|"]
    return "\n".join([f"{NOTE}\n# Models\n", *head, *rows, ""])


def main() -> None:
    """Write the pages, or with --check fail if one is stale."""
    pages = {
        "commands.md": commands(),
        "stages.md": stages(),
        "presets.md": presets(),
        "formats.md": formats(),
        "measures.md": measures(),
        "datasets.md": datasets(),
        "models.md": models(),
        "training.md": training(),
    }
    stale = [
        name
        for name, text in pages.items()
        if not (FOLDER / name).is_file() or (FOLDER / name).read_text("utf-8") != text
    ]
    if "--check" not in sys.argv:
        for name in stale:
            (FOLDER / name).write_text(pages[name], encoding="utf-8")
    elif stale:
        sys.exit(f"Stale: {', '.join(stale)}; run 'python docs/generate.py'.")


if __name__ == "__main__":
    main()
