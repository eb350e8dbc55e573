"""Fixtures of the tests of the chat."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from negoplatform.presentation.appearance import Appearance
from tests.window.chat.chat_window import Chat
from tests.x_server import Screen


@pytest.fixture
def look(request: pytest.FixtureRequest) -> Appearance:
    return getattr(request, "param", Appearance())


@pytest.fixture
def chat(screen: Screen, monkeypatch: pytest.MonkeyPatch, look: Appearance) -> Iterator[Chat]:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    chat = Chat(look)
    yield chat
    chat.theme.root.update()
    chat.theme.root.destroy()
    assert chat.problems == []
