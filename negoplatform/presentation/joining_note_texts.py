"""Notes about wizards and windows in other processes in words, for an observer of everything. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.core.events import Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, role_name, truncate

LONGEST_STEP = 80
"""Maximum number of characters shown of one step of a suggestion."""

STEP_WORDS: Mapping[str, str] = {
    "offer": gettext_noop("an offer"),
    "accept": gettext_noop("an acceptance"),
    "quit": gettext_noop("walking away"),
    "expression": gettext_noop("an expression"),
}
"""Steps without words of their own, by their kind in the log."""

MODE_SENTENCES: Mapping[str, str] = {
    WizardMode.AUTONOMOUS: gettext_noop("The wizard lets {name}’s agent act by itself"),
    WizardMode.ASSISTED: gettext_noop("The wizard decides on the suggestions of {name}’s agent"),
    WizardMode.MANUAL: gettext_noop("The wizard acts for {name}"),
}

VERDICT_SENTENCES: Mapping[str, str] = {
    SuggestionVerdict.SENT: gettext_noop("Suggestion {n} was sent as it was, after {s} s"),
    SuggestionVerdict.EDITED: gettext_noop("Suggestion {n} was changed and sent, after {s} s"),
    SuggestionVerdict.DROPPED: gettext_noop("Suggestion {n} was dropped, after {s} s"),
    SuggestionVerdict.TIMED_OUT_SENT: gettext_noop("Suggestion {n} was sent without an answer, after {s} s"),
    SuggestionVerdict.TIMED_OUT_DROPPED: gettext_noop(
        "Suggestion {n} was dropped without an answer, after {s} s"
    ),
    SuggestionVerdict.AUTONOMOUS: gettext_noop("Suggestion {n} was left to the agent, after {s} s"),
    SuggestionVerdict.SUPERSEDED: gettext_noop("Suggestion {n} was replaced by the agent, after {s} s"),
    SuggestionVerdict.GAME_ENDED: gettext_noop("Suggestion {n} waited at the end of the game, {s} s"),
}

JOINED_SENTENCES: Mapping[str, str] = {
    "seat": gettext_noop("{name}’s window has joined"),
    "wizard": gettext_noop("The wizard of {name} has joined"),
    "experimenter": gettext_noop("An experimenter’s console has joined"),
    "public": gettext_noop("A spectator has joined"),
}

LEFT_SENTENCES: Mapping[str, str] = {
    "seat": gettext_noop("{name}’s window is gone ({reason})"),
    "wizard": gettext_noop("The wizard of {name} is gone ({reason})"),
    "experimenter": gettext_noop("An experimenter’s console is gone ({reason})"),
    "public": gettext_noop("A spectator is gone ({reason})"),
}


def joining_note_text(note: Note, names: Mapping[Seat, str], translate: Language) -> str:
    """Return a note about a wizard or a window in another process in words; empty for any other note.

    Args:
        note: The note.
        names: The names of all seats.
        translate: The window's language.
    """
    data = note.data
    seat = str(data.get("seat", ""))
    name = names.get(seat) or displayable(seat)
    match note.kind:
        case NoteKind.SUGGESTED:
            steps = "; ".join(_step_text(step, translate) for step in _steps(data))
            return translate(
                "Suggestion {n} for {name}: {steps}", n=data.get("number"), name=name, steps=steps
            )
        case NoteKind.SUGGESTION_ANSWERED:
            sentence = VERDICT_SENTENCES.get(str(data.get("verdict")), "")
            said = sentence and translate(sentence, n=data.get("number"), s=_seconds(data))
            steps = "; ".join(_step_text(step, translate) for step in _steps(data))
            return translate("{what}: {steps}", what=said, steps=steps) if steps else said
        case NoteKind.WIZARD_MODE:
            sentence = MODE_SENTENCES.get(str(data.get("mode")), "")
        case NoteKind.SEAT_JOINED:
            sentence = JOINED_SENTENCES.get(str(data.get("role")), "")
        case NoteKind.SEAT_LEFT:
            sentence = LEFT_SENTENCES.get(str(data.get("role")), "")
        case NoteKind.SEAT_TAKEN_OVER:
            sentence = gettext_noop("The agent {agent} has taken the seat of {name}")
        case NoteKind.RAW_VIEW_OPENED if data.get("role") == "wizard":
            sentence = gettext_noop("The wizard of {name} has opened the whole state")
        case _:
            return ""
    values = {
        "name": name,
        "reason": displayable(str(data.get("reason", ""))),
        "agent": data.get("agent", ""),
    }
    return sentence and translate(sentence, **values)


def _steps(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    steps = data.get("steps", [])
    return [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list | tuple) else []


def _step_text(step: Mapping[str, Any], translate: Language) -> str:
    """Return a step of a script in a few words: what is said, or its kind."""
    if isinstance(step.get("text"), str):
        return translate("“{words}”", words=truncate(displayable(step["text"]), LONGEST_STEP))
    kind = str(step.get("type") or step.get("do") or "")
    return translate(STEP_WORDS[kind]) if kind in STEP_WORDS else role_name(kind.lower())


def _seconds(data: Mapping[str, Any]) -> str:
    seconds = data.get("seconds")
    return f"{seconds:.1f}" if isinstance(seconds, int | float) else "–"
