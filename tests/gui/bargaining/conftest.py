"""Fixtures of the tests of bargaining at the table."""

from __future__ import annotations

import pytest

from negoplatform.testing import TrialTable
from tests.presentation.interpretation.typed_text import TypedAt


@pytest.fixture
def typed(table: TrialTable) -> TypedAt:
    """Participant who types in a game that has begun."""
    return TypedAt(table)
