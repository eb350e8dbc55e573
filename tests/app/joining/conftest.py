"""Fixtures with a hosted session."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from negoplatform.testing import TrialTable
from tests.app.joining.hosted import Hosting, until


@pytest.fixture
def hosting(table: TrialTable, tmp_path: Path) -> Iterator[Hosting]:
    """Server with a session; afterwards there are no errors, and its threads have ended."""
    before = set(threading.enumerate())
    found = Hosting(table, tmp_path)
    yield found
    found.close()
    assert found.errors == []
    until(lambda: set(threading.enumerate()) <= before, "the end of the threads")
