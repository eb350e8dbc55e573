"""The mechanism of the tests, registered while these tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mechanisms.cases import auction_registered


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """Register the mechanism of the tests."""
    with auction_registered():
        yield
