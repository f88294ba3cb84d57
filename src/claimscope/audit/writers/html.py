"""An audit as one web page that needs no network: sentences beside their evidence."""

from __future__ import annotations

from claimscope.audit.report import Audit
from claimscope.audit.writers.view import show
from claimscope.render.page import asset, environment


def to_html(audit: Audit) -> str:
    """Write the page; its policy lets only its own style stand in it."""
    style = asset("colours.css", "audit.css")
    template = environment().get_template("audit.html.j2")
    return template.render(style=style, view=show(audit))
