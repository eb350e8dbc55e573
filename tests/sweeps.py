"""Sizes of tests with very many cases: small in the ordinary run, full in the long one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

EXAMPLES = int(os.environ.get("NEGOPLATFORM_EXAMPLES", "50"))
"""Examples of a property test that sets no number of its own; ``make torture`` sets more."""

requested = False
"""Whether every combination is run, and not a sample; set by ``--sweep``."""


def sampled(rows: Sequence[Any], columns: Sequence[Any], per_row: int = 1) -> list[Any]:
    """Return a sample of all combinations as test parameters, and the others, marked ``sweep``, if requested.

    The sample has ``per_row`` columns of each row, in turn, so that every row and every column is in it.
    """
    parameters = []
    for index, row in enumerate(rows):
        chosen = {(index * per_row + offset) % len(columns) for offset in range(per_row)}
        for place, column in enumerate(columns):
            if place not in chosen and not requested:
                continue
            name = " ".join(row) if isinstance(row, tuple) else getattr(row, "name", str(row))
            marks = () if place in chosen else (pytest.mark.sweep,)
            parameters.append(pytest.param(row, column, marks=marks, id=f"{name}-{column}"))
    return parameters
