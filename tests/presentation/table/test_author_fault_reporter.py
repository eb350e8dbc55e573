"""Faults of agents, reported to the author of one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.core.events import EndedBy, Ending, Event, EventType, Failure, Note, Refusal
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.author_fault_reporter import AuthorFaultReporter

FILES = {"green": "mine.py", "blue": "fair.py"}


def failed(seat: str) -> Event:
    payload = Failure(seat, "It raised ValueError.", 1)
    return Event(1, 0.0, EventType.AGENT_FAILED, PLATFORM, payload)


def restarted(seat: str) -> Event:
    note = Note(NoteKind.AGENT_RESTARTED, {"seat": seat, "times": 1})
    return Event(2, 0.0, EventType.NOTE, PLATFORM, note)


def reporter(tmp_path: Path) -> AuthorFaultReporter:
    return AuthorFaultReporter(FILES, lambda: tmp_path, lambda _error: None)


def test_a_fault_is_that_of_the_agent_in_its_seat(tmp_path: Path) -> None:
    faults = reporter(tmp_path)

    faults.on_event(failed("blue"))

    assert faults.poll_message(ENGLISH) == "fair.py: It raised ValueError."


def test_a_fault_of_an_assistant_has_its_name(tmp_path: Path) -> None:
    faults = reporter(tmp_path)

    faults.on_event(failed("reminder"))

    assert faults.poll_message(ENGLISH) == "reminder: It raised ValueError."


def test_the_restart_of_another_agent_is_none_of_the_one_that_failed(tmp_path: Path) -> None:
    faults = reporter(tmp_path)

    faults.on_event(failed("green"))
    faults.on_event(restarted("blue"))

    assert faults.poll_message(ENGLISH) == "mine.py: It raised ValueError."


def test_a_restart_is_told_with_the_fault(tmp_path: Path) -> None:
    faults = reporter(tmp_path)

    faults.on_event(failed("green"))
    faults.on_event(restarted("green"))

    assert faults.poll_message(ENGLISH) == "mine.py: It raised ValueError. It was restarted."


def refused(seat: str, reason: str = "It’s not your turn yet.") -> Event:
    payload = Refusal(EventType.SEND_OFFER, reason)
    return Event(3, 0.0, EventType.ACTION_REFUSED, PLATFORM, payload, (seat,))


def test_the_first_refused_actions_are_printed_and_all_counted_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = reporter(tmp_path)
    for _ in range(5):
        faults.on_event(refused("green"))
    faults.on_event(refused("red"))  # a person, whose refusals are shown where they act
    faults.on_event(Event(9, 1.0, EventType.GAME_END, PLATFORM, Ending(EndedBy.TIMEOUT)))

    shown = faults.poll_message(ENGLISH)

    assert shown == ""
    assert capsys.readouterr().out.splitlines() == [
        *["mine.py: SEND_OFFER was refused: It’s not your turn yet."] * 3,
        "mine.py: 5 actions were refused in this session.",
    ]
