"""Numbers with a unit, changed enough to matter."""

from __future__ import annotations

import random
import re

_NUMBER = re.compile(
    r"(?<![\w.,-])(\d{1,3}(?:\.\d+)?)"
    r"(?=%| %| percent|-fold| fold| years?| months?| weeks?| days?| patients| cases| hours?)"
)
_FACTORS = (0.25, 0.4, 0.5, 1.6, 2.0, 2.5, 3.0)
_LARGE, _SMALLER = 40, (0.2, 0.35, 0.5)


def shared_number(claim: str, evidence: str) -> str | None:
    """Find the first number of a claim that its evidence has too."""
    known = set(_NUMBER.findall(evidence))
    return next((number for number in _NUMBER.findall(claim) if number in known), None)


def replace_number(text: str, old: str, new: str) -> str:
    """Put another number wherever this one stands."""
    return _NUMBER.sub(lambda match: new if match[1] == old else match[0], text)


def changed_number(number: str, generator: random.Random) -> str:
    """Give a clearly different number with as many decimals; a large one becomes smaller."""
    value = float(number)
    factor = generator.choice(_FACTORS)
    if value > _LARGE and factor > 1:
        factor = generator.choice(_SMALLER)
    whole, _, decimals = number.partition(".")
    changed = f"{value * factor:.{len(decimals)}f}" if decimals else str(round(value * factor) or 1)
    return changed if changed != number else str(int(whole) + 7)
