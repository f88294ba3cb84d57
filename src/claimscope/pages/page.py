"""Pages that need nothing but a browser: one file, no network, all text escaped."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Asset:
    """A style or a script that stands inside a page, and the hash that lets only it run."""

    content: Markup
    hash: str


def asset(name: str) -> Asset:
    """Read a style or script from the templates folder."""
    text = _template(name)
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return Asset(Markup(text), f"sha256-{digest}")


def environment() -> Environment:
    """Make the environment that fills templates; an unknown name in one is an error."""
    made = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["words"] = lambda label: label.value.replace("_", " ").lower()
    return made


def _template(name: str) -> str:
    return files("claimscope.pages").joinpath("templates", name).read_text("utf-8")
