"""New lines of a live window's transcript, each delivered once."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.transcript_cursor import TranscriptCursor
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from negoplatform.testing import TrialTable
from tests.presentation.bargaining_desk import BargainingDesk

DESK = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)


def told_at(table: TrialTable) -> list[TranscriptEntry]:
    """Return the lines for a window that has received none so far."""
    return TranscriptCursor().new_lines(view_of(table.state, Observer("human")).state, DESK)


def test_a_line_knows_what_the_clock_showed_when_it_was_said(game: GameSpec) -> None:
    table = TrialTable(replace(game, rules=replace(game.rules, deadline_seconds=60.0)))
    table.wait(12)
    table.human.says("Hello.")
    table.agent.quits()
    table.wait(3)
    table.human.says("Goodbye.")

    clocks = {line.text: line.clock for line in told_at(table)}

    assert clocks["Hello."] == "00:48"
    assert clocks["Goodbye."] == "00:48"  # it stands still at the end


def test_without_a_limit_nothing_counts_down(game: GameSpec) -> None:
    table = TrialTable(replace(game, rules=replace(game.rules, deadline_seconds=None)))
    table.human.says("Hello.")

    assert {line.clock for line in told_at(table)} == {""}
