"""What a classifier's outputs mean: by its config, and by the table only where that is silent."""

from __future__ import annotations

import re
from collections.abc import Mapping

from claimscope.errors import ConfigurationError
from claimscope.models.checkpoint import Checkpoint

_UNNAMED = re.compile(r"LABEL_\d+")
"""What transformers writes when nobody named the classes."""


def class_names(
    id2label: Mapping[int, str] | Mapping[str, str], count: int, checkpoint: Checkpoint
) -> tuple[str, ...]:
    """Name every output, in the order of the outputs."""
    by_number = {int(number): name for number, name in id2label.items()}
    names = tuple(by_number.get(number, f"LABEL_{number}") for number in range(count))
    if count == 1 or not all(map(_UNNAMED.fullmatch, names)):
        return names
    if len(checkpoint.labels) != count:
        raise ConfigurationError(
            f"The model {checkpoint.name} has {count} outputs and does not say what they mean; "
            "set id2label in its config.json."
        )
    return checkpoint.labels
