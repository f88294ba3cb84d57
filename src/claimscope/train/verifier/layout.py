"""Token ids laid out as the verifier reads them, and padded into batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from claimscope.models.encoding import Special
from claimscope.models.runtime import padded


@dataclass(frozen=True, slots=True)
class Row:
    """One input: its tokens, where the claim's part ends, and where each sentence stands."""

    ids: tuple[int, ...]
    head: int
    spans: tuple[tuple[int, int], ...] = ()


def row_of_pair(claim: Sequence[int], evidence: Sequence[int], special: Special) -> Row:
    """Lay out `[CLS] claim [SEP] evidence [SEP]`."""
    head = (special.start, *claim, special.separator)
    return Row((*head, *evidence, special.separator), len(head))


def row_of_abstract(
    claim: Sequence[int], title: Sequence[int], sentences: Sequence[Sequence[int]], special: Special
) -> Row:
    """Lay out `[CLS] claim [SEP] title [SEP] sentence [SEP] …`, as the finished verifier does."""
    head = (special.start, *claim, special.separator)
    ids = [*head, *title, special.separator]
    spans = []
    for sentence in sentences:
        begin = len(ids)
        ids += [*sentence, special.separator]
        spans.append((begin, len(ids)))
    return Row(tuple(ids), len(head), tuple(spans))


@dataclass(frozen=True, slots=True)
class Inputs:
    """What the network is given; `pooling` averages the tokens of each sentence."""

    ids: Tensor
    segments: Tensor
    mask: Tensor
    pooling: Tensor


def inputs_of(rows: Sequence[Row], special: Special) -> Inputs:
    """Pad rows to one batch."""
    segments = [[0] * row.head + [1] * (len(row.ids) - row.head) for row in rows]
    most = max((len(row.spans) for row in rows), default=0)
    ids = padded([row.ids for row in rows], special.padding)
    pooling = np.zeros((len(rows), most, ids.shape[1]), dtype=np.float32)
    for place, row in enumerate(rows):
        for number, (start, end) in enumerate(row.spans):
            pooling[place, number, start:end] = 1.0 / (end - start)
    return Inputs(
        torch.from_numpy(ids),
        torch.from_numpy(padded(segments, 0)),
        torch.from_numpy(padded([[1] * len(row.ids) for row in rows], 0)),
        torch.from_numpy(pooling),
    )
