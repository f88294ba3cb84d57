"""A checked claim as one web page that needs no network and runs no script."""

from __future__ import annotations

from claimscope.render.case import show
from claimscope.render.evidence import Result
from claimscope.render.page import asset, environment


def to_html(result: Result) -> str:
    """Write the page; its policy lets only its own style stand in it."""
    style = asset("colours.css", "case.css")
    template = environment().get_template("case.html.j2")
    return template.render(style=style, view=show(result))
