"""Text left in the message field when a session closes."""

from __future__ import annotations

from typing import cast

import pytest

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.presentation.chat.unsent_text_at_close import FinalMessageFlusher
from negoplatform.testing import TrialTable


class Recorded:
    """Replacement of the participant that records the final texts."""

    def __init__(self) -> None:
        self.settled: list[tuple[str, bool]] = []

    def send_or_note_unsent(self, text: str, *, send: bool) -> None:
        self.settled.append((text, send))


@pytest.fixture
def participant() -> Recorded:
    return Recorded()


@pytest.fixture
def closing(participant: Recorded) -> FinalMessageFlusher:
    """Closing that began with an empty message field."""
    closing = FinalMessageFlusher(cast("ParticipantController", participant))
    closing.on_game_end("")
    return closing


def test_what_was_typed_after_the_end_is_the_last_message(
    closing: FinalMessageFlusher, participant: Recorded
) -> None:
    closing.flush("Bye!")

    assert participant.settled == [("Bye!", True)]


def test_what_stood_there_before_the_end_is_kept_and_not_said(participant: Recorded) -> None:
    closing = FinalMessageFlusher(cast("ParticipantController", participant))
    closing.on_game_end("I could give you ")
    closing.on_game_end("")  # the screen is rebuilt

    closing.flush("I could give you")

    assert participant.settled == [("I could give you", False)]


def test_the_line_is_settled_once_shortly_before_the_log_is_closed(
    closing: FinalMessageFlusher, participant: Recorded, table: TrialTable
) -> None:
    table.human.quits()

    assert not closing.is_due(table.state, 3.9)
    assert closing.is_due(table.state, 4.0)
    closing.flush("Bye!")
    assert not closing.is_due(table.state, 4.2)
    closing.flush("Bye!")

    assert participant.settled == [("Bye!", True)]


def test_a_game_that_runs_closes_nothing(closing: FinalMessageFlusher, table: TrialTable) -> None:
    table.human.says("Hello.")

    assert not closing.is_due(table.state, 10_000.0)


def test_what_was_meant_for_one_person_is_kept_and_not_said_to_everyone(
    closing: FinalMessageFlusher, participant: Recorded
) -> None:
    closing.flush("Between us: well done.", is_private=True)

    assert participant.settled == [("Between us: well done.", False)]
