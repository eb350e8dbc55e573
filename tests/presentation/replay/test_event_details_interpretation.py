"""Interpretations of typed words in the replay viewer."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.playback.playback import Playback
from negoplatform.core.visibility import EXPERIMENTER
from negoplatform.gui.replay.session_plots import SessionPlots
from negoplatform.presentation.event_texts import event_text
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.replay_presenter import ReplayPresenter
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from tests.interpreted_session import read_session


@pytest.fixture
def study(tmp_path: Path) -> SessionPlots:
    playback = Playback.open(read_session(tmp_path))
    return SessionPlots(playback, participants_of(playback.header, ENGLISH))


def told(study: SessionPlots, seq: int) -> dict[str, str]:
    """Return the contents of an event as the event tab shows them."""
    moment = next(m for m in study.playback.observed_events(EXPERIMENTER) if m.event.seq == seq)
    return dict(
        event_details(moment, study.game, study.participants, ENGLISH, study.interpretation_of(moment))[1]
    )


def test_a_message_is_told_with_what_was_understood_of_it_and_answered(study: SessionPlots) -> None:
    pairs = told(study, 5)

    assert pairs["Words"] == "4 apples if Sunday"
    assert pairs["Understood as"] == "OFFER_PROPOSE"
    assert pairs["Offer in the words"].startswith("Apples: ")
    assert pairs["Certainty"] == "95%"
    assert pairs["Also"] == "on a condition"
    assert pairs["Speaker’s answer"] == "Sent as an offer"


def test_a_message_that_was_said_at_once_has_no_answer(study: SessionPlots) -> None:
    pairs = told(study, 3)

    assert pairs["Understood as"] == "GREETING"
    assert "Speaker’s answer" not in pairs


def test_a_phrase_was_not_read(study: SessionPlots) -> None:
    assert "Understood as" not in told(study, 10)


def test_the_note_itself_tells_what_was_understood(study: SessionPlots) -> None:
    pairs = told(study, 8)
    moment = next(m for m in study.playback.observed_events(EXPERIMENTER) if m.event.seq == 8)

    assert pairs["In doubt"] == "Which of several offers"
    words = event_text(moment.event, None, study.participants.names, ENGLISH)
    assert words == "Typed, and asked what it means: 4 and 2"


def test_the_whole_transcript_shows_what_was_asked_and_answered_but_no_words_twice(
    study: SessionPlots,
) -> None:
    shown = ReplayPresenter(study.playback, EXPERIMENTER, study.participants, ENGLISH)

    assert [line.text for line in shown.lines] == [
        "The negotiation starts",
        "Hello",
        "Typed, and asked what it means: 4 apples if Sunday",
        "4 apples if Sunday",
        f"{study.participants.names['human']}’s offer",
        "What it means: Sent as an offer",
        "Typed, and asked what it means: 4 and 2",
        "What it means: Taken back",
        "Thank you.",
    ]
