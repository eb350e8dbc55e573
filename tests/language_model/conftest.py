"""A local HTTP service, shared by all tests that only change its answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.language_model.service import Service, completion


@pytest.fixture(scope="session")
def _service() -> Iterator[Service]:
    service = Service(lambda _request: completion("{}"))
    yield service
    service.close()


@pytest.fixture
def service(_service: Service) -> Service:
    """Service without recorded requests."""
    _service.requests.clear()
    _service.headers.clear()
    return _service
