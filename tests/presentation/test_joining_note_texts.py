"""Notes about wizards and windows in other processes, in words."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.joining_note_texts import (
    JOINED_SENTENCES,
    LEFT_SENTENCES,
    MODE_SENTENCES,
    VERDICT_SENTENCES,
    joining_note_text,
)

NAMES = {"human": "P01", "agent": "Robin"}

HELLO = {"do": "message", "text": "Hello", "delay_ms": 0}


def text(kind: NoteKind, **data: Any) -> str:
    return joining_note_text(Note(kind, data), NAMES, ENGLISH)


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (
            NoteKind.SUGGESTED,
            {"seat": "agent", "number": 2, "steps": [HELLO, {"do": "offer", "offer": {}}]},
            "Suggestion 2 for Robin: “Hello”; an offer",
        ),
        (
            NoteKind.SUGGESTION_ANSWERED,
            {"seat": "agent", "number": 2, "verdict": "sent", "seconds": 3.25},
            "Suggestion 2 was sent as it was, after 3.2 s",
        ),
        (
            NoteKind.SUGGESTION_ANSWERED,
            {"seat": "agent", "number": 3, "verdict": "edited", "seconds": 4, "steps": [HELLO]},
            "Suggestion 3 was changed and sent, after 4.0 s: “Hello”",
        ),
        (NoteKind.WIZARD_MODE, {"seat": "agent", "mode": "manual"}, "The wizard acts for Robin"),
        (NoteKind.SEAT_JOINED, {"role": "seat", "seat": "human"}, "P01’s window has joined"),
        (NoteKind.SEAT_LEFT, {"role": "public", "reason": "lost"}, "A spectator is gone (lost)"),
        (
            NoteKind.SEAT_TAKEN_OVER,
            {"seat": "human", "agent": "fair"},
            "The agent fair has taken the seat of P01",
        ),
    ],
)
def test_what_happened_is_said_in_a_sentence(kind: NoteKind, data: dict[str, Any], sentence: str) -> None:
    assert text(kind, **data) == sentence


def test_every_mode_verdict_and_role_has_its_sentence() -> None:
    assert set(MODE_SENTENCES) == set(WizardMode)
    assert set(VERDICT_SENTENCES) == set(SuggestionVerdict)
    assert set(JOINED_SENTENCES) == set(LEFT_SENTENCES) == {"seat", "wizard", "experimenter", "public"}


def test_other_notes_and_malformed_ones_of_another_version_are_left_to_their_data() -> None:
    assert text(NoteKind.CLOCK_JUMP, seconds=3) == ""
    assert text(NoteKind.WIZARD_MODE, seat="agent", mode="unheard of") == ""
    assert text(NoteKind.SUGGESTION_ANSWERED, number="two", verdict="sent", seconds="soon") == (
        "Suggestion two was sent as it was, after – s"
    )
    assert text(NoteKind.SUGGESTED, seat=3, number=None, steps="none").startswith("Suggestion None for 3")
