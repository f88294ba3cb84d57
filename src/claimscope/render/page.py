"""Pages that need nothing but a browser: one file, no network, all text escaped."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files

from jinja2 import ChoiceLoader, Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Asset:
    """A style or a script that stands inside a page, and the hash that lets only it run."""

    content: Markup
    hash: str


def asset(*names: str) -> Asset:
    """Read styles or scripts from the templates folder, as one."""
    text = "".join(template(name) for name in names)
    digest = base64.b64encode(sha256(text.encode()).digest()).decode()
    return Asset(Markup(text), f"sha256-{digest}")


def standalone(picture: Markup) -> str:
    """Give a picture as a file of its own, with the style it needs."""
    style = f"<style>{asset('colours.css', 'page.css').content}</style>"
    whole = str(picture).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return whole.replace("<title>", f"{style}<title>", 1)


def environment(package: str | None = None) -> Environment:
    """Make the environment that fills templates; an unknown name in one is an error.

    The templates of another package come first, and those of this one serve it as well.
    """
    loaders = [FunctionLoader(lambda name: _read("claimscope.render", name))]
    if package is not None:
        loaders.insert(0, FunctionLoader(lambda name: _read(package, name)))
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["words"] = lambda label: label.value.replace("_", " ").lower()
    return made


def template(name: str) -> str:
    """Read a file of the templates folder."""
    text = _read("claimscope.render", name)
    if text is None:
        raise FileNotFoundError(name)
    return text


def _read(package: str, name: str) -> str | None:
    file = files(package).joinpath("templates", name)
    return file.read_text("utf-8") if file.is_file() else None
