"""Sizes of tests with very many cases: small in the ordinary run, full in the long one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

EXAMPLES = int(os.environ.get("NEGOPLATFORM_EXAMPLES", "50"))
"""Examples of a property test that sets no number of its own; ``make torture`` sets more."""


def sampled(rows: Sequence[Any], columns: Sequence[Any], per_row: int = 1) -> list[Any]:
    """Return every combination as test parameters; all but a sample are marked ``sweep``.

    The sample has ``per_row`` columns of each row, in turn, so that every row and every column is in it.
    """
    parameters = []
    for index, row in enumerate(rows):
        chosen = {(index * per_row + offset) % len(columns) for offset in range(per_row)}
        for place, column in enumerate(columns):
            name = " ".join(row) if isinstance(row, tuple) else getattr(row, "name", str(row))
            marks = () if place in chosen else (pytest.mark.sweep,)
            parameters.append(pytest.param(row, column, marks=marks, id=f"{name}-{column}"))
    return parameters
