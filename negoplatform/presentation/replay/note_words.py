"""Words for the notes about windows in other processes and about wizards. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.core.events import Event, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import AdviceVerdict, SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_actions import load_step
from negoplatform.presentation.event_texts import LONGEST, displayed_name
from negoplatform.presentation.expression_words import EXPRESSION_WORDS
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, join_names, truncate
from negoplatform.presentation.offers.term_texts import offer_line

LONGEST_MESSAGE = 80
"""Maximum number of characters shown of a suggested message in a sentence."""

STEP_SEPARATOR = " · "

JOINED: Mapping[str, tuple[str, str]] = {
    "principal": (
        gettext_noop("A window with the view of the principal {name} has joined"),
        gettext_noop("A window with the view of the principal {name} is back"),
    ),
    "system": (
        gettext_noop("A window with the view of the system has joined"),
        gettext_noop("A window with the view of the system is back"),
    ),
    "seat": (gettext_noop("{name} has joined"), gettext_noop("{name} is back")),
    "wizard": (
        gettext_noop("The wizard of {name} has joined"),
        gettext_noop("The wizard of {name} is back"),
    ),
    "experimenter": (
        gettext_noop("An experimenter’s window has joined"),
        gettext_noop("An experimenter’s window is back"),
    ),
    "public": (gettext_noop("A spectator’s window has joined"), gettext_noop("A spectator’s window is back")),
}
"""Windows that join, by their roles: for the first time, and again."""

LEFT: Mapping[str, tuple[str, str]] = {
    "principal": (
        gettext_noop("A window with the view of the principal {name} is closed"),
        gettext_noop("The connection of a window with the view of the principal {name} is lost"),
    ),
    "system": (
        gettext_noop("A window with the view of the system is closed"),
        gettext_noop("The connection of a window with the view of the system is lost"),
    ),
    "seat": (gettext_noop("{name} has closed the window"), gettext_noop("The connection of {name} is lost")),
    "wizard": (
        gettext_noop("The wizard of {name} has closed the window"),
        gettext_noop("The connection of the wizard of {name} is lost"),
    ),
    "experimenter": (
        gettext_noop("An experimenter’s window is closed"),
        gettext_noop("The connection of an experimenter’s window is lost"),
    ),
    "public": (
        gettext_noop("A spectator’s window is closed"),
        gettext_noop("The connection of a spectator’s window is lost"),
    ),
}
"""Windows that leave, by their roles: that were closed, and whose connections ended otherwise."""

WHOLE_STATE: Mapping[str, str] = {
    "wizard": gettext_noop("The wizard of {name} has opened the whole state"),
    "experimenter": gettext_noop("An experimenter’s window shows everything"),
}
"""Windows that show the whole state, by their roles."""

NEW_MODE: Mapping[str, str] = {
    WizardMode.AUTONOMOUS: gettext_noop("The wizard of {name} changes to autonomous mode"),
    WizardMode.ASSISTED: gettext_noop("The wizard of {name} changes to assisted mode"),
    WizardMode.MANUAL: gettext_noop("The wizard of {name} changes to manual mode"),
}
"""Changes of a wizard's mode."""

ANSWERED: Mapping[str, str] = {
    SuggestionVerdict.SENT: gettext_noop("Suggestion {n} was sent after {s} s"),
    SuggestionVerdict.EDITED: gettext_noop("Suggestion {n} was edited, and sent after {s} s"),
    SuggestionVerdict.DROPPED: gettext_noop("Suggestion {n} was dropped after {s} s"),
    SuggestionVerdict.TIMED_OUT_SENT: gettext_noop("Suggestion {n} timed out after {s} s and was sent"),
    SuggestionVerdict.TIMED_OUT_DROPPED: gettext_noop("Suggestion {n} timed out after {s} s and was dropped"),
    SuggestionVerdict.AUTONOMOUS: gettext_noop(
        "Suggestion {n} was sent after {s} s, because the agent now acts by itself"
    ),
    SuggestionVerdict.SUPERSEDED: gettext_noop("Suggestion {n} was replaced by a newer one after {s} s"),
    SuggestionVerdict.GAME_ENDED: gettext_noop("Suggestion {n} ended with the game, after {s} s"),
}
"""Ends of a suggestion's wait."""

ADVICE_ANSWERED: Mapping[str, str] = {
    AdviceVerdict.USED: gettext_noop("{name} used advice {n} after {s} s"),
    AdviceVerdict.DISMISSED: gettext_noop("{name} dismissed advice {n} after {s} s"),
    AdviceVerdict.SUPERSEDED: gettext_noop("Advice {n} to {name} was outdated after {s} s"),
    AdviceVerdict.GAME_ENDED: gettext_noop("Advice {n} to {name} ended with the game, after {s} s"),
}
"""Ends of advice to a person."""


DELIVERED: Mapping[str, str] = {
    "get_info": gettext_noop("The request of {name} for an observation arrives"),
    "get_obs_response": gettext_noop("The observation arrives at {name}"),
}
"""Messages that arrive, by their names."""


class NoteReader(NamedTuple):
    """Context in which notes are put into words.

    Args:
        game: The game.
        names: The names of all seats.
        translate: The window's language, with the game's texts.
        act_text: Returns an act of the game's mechanism in words.
    """

    game: GameSpec
    names: Mapping[Seat, str]
    translate: Language
    act_text: Callable[[Event], str]

    def text(self, note: Note) -> str:
        """Return a note in one sentence; empty for a kind that has none, or for other data than it has."""
        data = note.data
        name = displayed_name(str(data.get("seat", "")), self.names, self.translate)
        role, mode = str(data.get("role", "")), str(data.get("mode", ""))
        match note.kind:
            case NoteKind.SEAT_JOINED if role in JOINED:
                sentence, name = JOINED[role][bool(data.get("back"))], _who_joined(data, name)
            case NoteKind.SEAT_LEFT if role in LEFT:
                sentence, name = LEFT[role][data.get("reason") != "closed"], _who_joined(data, name)
            case NoteKind.RAW_VIEW_OPENED if role in WHOLE_STATE:
                sentence = WHOLE_STATE[role]
            case NoteKind.WIZARD_MODE if mode in NEW_MODE:
                sentence = NEW_MODE[mode]
            case NoteKind.SEAT_TAKEN_OVER:
                agent = displayable(str(data.get("agent", "")))
                return self.translate("The agent {agent} takes the seat of {name}", agent=agent, name=name)
            case NoteKind.ADVISED | NoteKind.ADVICE_ANSWERED:
                return truncate(self._advice(note, name), LONGEST)
            case NoteKind.VOTE_WAITING:
                sentence = gettext_noop("{name}’s agent wants to accept, and waits for its team")
            case NoteKind.COMMAND_TAKEN:
                return self.translate(
                    "{name} takes command {n} of {principal}",
                    name=self._shown(data.get("seat")),
                    n=displayable(str(data.get("number", ""))),
                    principal=displayable(str(data.get("principal", ""))),
                )
            case NoteKind.MESSAGE_DELIVERED if data.get("message") in DELIVERED:
                asker = data.get("sender" if data.get("message") == "get_info" else "recipient")
                return self.translate(DELIVERED[str(data["message"])], name=self._shown(asker))
            case NoteKind.SUGGESTED | NoteKind.SUGGESTION_ANSWERED:
                return truncate(self._suggestion(note, name), LONGEST)
            case _:
                return ""
        return self.translate(sentence, name=name)

    def steps(self, note: Note, longest_message: int | None = None) -> tuple[str, ...]:
        """Return the steps of a suggestion that others would see, in words.

        Args:
            note: A note about a suggestion, or about an answer to one, which has steps if it was edited.
            longest_message: The maximum number of characters of a message; None: all.
        """
        seat, found = str(note.data.get("seat", "")), note.data.get("steps")
        steps = found if isinstance(found, list | tuple) else ()
        phrases = []
        for step in steps:
            # A log may hold anything in a note: what is no action of the game is left out.
            with suppress(NegoError, LookupError, TypeError, ValueError):
                phrases.append(self._step(load_step(step), seat, longest_message))
        return tuple(filter(None, phrases))

    def _shown(self, name: object) -> str:
        """Return the displayed name of a seat, or the name of a principal."""
        return self.names.get(str(name)) or displayable(str(name))

    def _suggestion(self, note: Note, name: str) -> str:
        data, translate = note.data, self.translate
        number, steps = str(data.get("number", "")), STEP_SEPARATOR.join(self.steps(note, LONGEST_MESSAGE))
        if note.kind is NoteKind.SUGGESTED:
            sentence = translate("Suggestion {n} of {name}’s agent", n=number, name=name)
        else:
            verdict, seconds = str(data.get("verdict", "")), data.get("seconds")
            if verdict not in ANSWERED or not isinstance(seconds, int | float):
                return ""
            sentence = translate(ANSWERED[verdict], n=number, s=f"{seconds:.1f}")
        return translate("{sentence}: {steps}", sentence=sentence, steps=steps) if steps else sentence

    def _advice(self, note: Note, name: str) -> str:
        data, translate = note.data, self.translate
        number = str(data.get("number", ""))
        if note.kind is NoteKind.ADVICE_ANSWERED:
            verdict, seconds = str(data.get("verdict", "")), data.get("seconds")
            if verdict not in ADVICE_ANSWERED or not isinstance(seconds, int | float):
                return ""
            return translate(ADVICE_ANSWERED[verdict], n=number, name=name, s=f"{seconds:.1f}")
        sentence = translate("Advice {n} to {name}", n=number, name=name)
        steps = STEP_SEPARATOR.join(self.steps(note, LONGEST_MESSAGE))
        return translate("{sentence}: {steps}", sentence=sentence, steps=steps) if steps else sentence

    def _step(self, step: Any, seat: Seat, longest_message: int | None) -> str:
        translate, names = self.translate, self.names
        match step:
            case SendMessage(text, to=to):
                words = displayable(" ".join(text.split()) if longest_message else text)
                said = translate("“{text}”", text=truncate(words, longest_message or len(words)))
                if not to:
                    return said
                others = join_names([displayed_name(each, names, translate) for each in to], translate)
                return f"{said} ({translate('only to {names}', names=others)})"
            case SendOffer(offer):
                terms = offer_line(offer, self.game, None, names, translate)
                return translate("{sentence}: {steps}", sentence=translate("Offer"), steps=terms)
            case SendExpression(expression, duration_ms):
                return translate(
                    "{looks}, for {s} s",
                    looks=translate(EXPRESSION_WORDS[expression]),
                    s=f"{duration_ms / 1000:g}",
                )
            case FormalAccept():
                return translate("Accepts the offer on the table")
            case FormalQuit():
                return translate("Leaves, which ends the game for this seat")
            case MechanismAct(kind, payload, to):
                return self.act_text(Event(0, 0.0, kind, seat, payload, to))
            case _:
                return ""


def _who_joined(data: Mapping[str, Any], name: str) -> str:
    """Return the principal whose view a window has, or else the name of the seat."""
    return displayable(str(data["principal"])) if "principal" in data else name
