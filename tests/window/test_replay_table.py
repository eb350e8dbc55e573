"""Tables of rows whose texts are longer than their columns."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from negoplatform.gui.replay.replay_table import ReplayTable, ReplayTableColumn
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from tests.x_server import Screen

pytestmark = pytest.mark.window

LONG = "Suggestion 1 of an agent: a long sentence that no narrow column has room for"

LONGEST = 20.0
"""Seconds until a table must have drawn a text."""


@pytest.fixture
def theme(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[Theme]:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    theme = Theme("Table", Appearance(), print)
    theme.root.geometry("1000x300")
    theme.root.deiconify()
    theme.root.update()
    yield theme
    theme.root.destroy()


@pytest.fixture
def table(theme: Theme) -> ReplayTable:
    columns = [
        ReplayTableColumn("number", "No.", 40),
        ReplayTableColumn("text", "Event", 120, stretches=True),
    ]
    table = ReplayTable(theme.root, theme, columns, on_choose=lambda _number: None)
    table.frame.place(width=theme.px(260), height=theme.px(200))
    return table


def text_of(table: ReplayTable, row: int) -> str:
    return str(table.widget.set(str(row), "text"))


def wait_for_ellipsis(theme: Theme, table: ReplayTable, row: int, *, has_one: bool) -> str:
    """Return the text of a row once it ends with an ellipsis, or does not."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        theme.root.update()
        if text_of(table, row).endswith("…") is has_one:
            return text_of(table, row)
        time.sleep(0.01)
    raise AssertionError(text_of(table, row))


def test_a_text_that_is_too_long_ends_with_an_ellipsis_until_there_is_room(
    theme: Theme, table: ReplayTable
) -> None:
    table.add(["1", LONG])

    short = wait_for_ellipsis(theme, table, 1, has_one=True)
    table.frame.place(width=theme.px(900))
    whole = wait_for_ellipsis(theme, table, 1, has_one=False)

    assert LONG.startswith(short[:-1])
    assert whole == LONG


def test_a_row_is_shortened_when_it_comes_into_view(theme: Theme, table: ReplayTable) -> None:
    for number in range(1, 201):
        table.add([str(number), f"{number} {LONG}"])
    wait_for_ellipsis(theme, table, 1, has_one=True)
    before = text_of(table, 200)

    table.scroll_to_end()

    assert before == f"200 {LONG}"
    assert wait_for_ellipsis(theme, table, 200, has_one=True).startswith("200 Sugg")


def test_a_row_with_another_text_is_shortened_again(theme: Theme, table: ReplayTable) -> None:
    table.add(["1", "Short"])
    wait_for_ellipsis(theme, table, 1, has_one=False)

    table.change(1, ["1", LONG])

    assert wait_for_ellipsis(theme, table, 1, has_one=True).startswith("Sugg")
