"""The mechanism of the tests, registered while these tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mechanisms.cases import sealed_bid_registered


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """Register the mechanism of the tests."""
    with sealed_bid_registered():
        yield
