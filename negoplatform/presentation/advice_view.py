"""Advice to the participant, as the table shows it. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    SendMessage,
    SendOffer,
)
from negoplatform.app.session.participant_seat import ShownAdvice
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import State
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import ScriptStep
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, truncate
from negoplatform.presentation.offers.term_texts import offer_line
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.time_and_points_text import points_text

MOST_LINES = 4
"""Most advised actions that the card lists; each can wrap."""

LONGEST_LINE = 240
"""Most characters of an advised action on the card."""


@dataclass(frozen=True, slots=True)
class AdviceView:
    """Advice in words.

    Args:
        number: Its number; 0: there is no advice now, which the only line says.
        title: The heading; empty where there is no advice.
        lines: The advised actions, in order; the rest of long ones is left out.
        use_label: The label of the button that takes it over; empty: there is nothing to take over.
        offer: The offer that is put into the offer builder; None: there is none.
        text: The text that is put into the message field; empty: there is none.
    """

    number: int
    title: str
    lines: tuple[str, ...]
    use_label: str
    offer: Offer | None = None
    text: str = ""


def no_advice_view(translate: Language, *, has_stopped: bool) -> AdviceView:
    """Return the words for an adviser that has no open advice.

    Args:
        translate: The window's language.
        has_stopped: Whether it is no longer asked.
    """
    if has_stopped:
        line = translate("Your adviser has stopped. There will be no more suggestions.")
    else:
        line = translate("Your adviser has no new suggestion.")
    return AdviceView(0, "", (line,), "")


def advice_view(
    advice: ShownAdvice,
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    has_text: bool,
) -> AdviceView:
    """Return a piece of advice in words.

    Args:
        advice: The advice.
        state: The session as the seat sees it.
        seat: The participant's seat.
        names: The names of the other seats.
        translate: The window's language, with the game's texts.
        has_text: Whether there is text in the message field, which is kept.
    """
    offer = next((step.offer for step in advice.steps if isinstance(step, SendOffer)), None)
    text = " ".join(step.text for step in advice.steps if isinstance(step, SendMessage))
    if offer is None and not text:
        use = ""
    elif has_text and text:
        use = translate("Add to my text")
    else:
        use = translate("Use")
    lines = [line for step in advice.steps if (line := _line(step, state, seat, names, translate))]
    shown = [truncate(line, LONGEST_LINE) for line in lines[:MOST_LINES]]
    return AdviceView(
        advice.number,
        translate("Your adviser suggests"),
        (*shown, *(["…"] if len(lines) > MOST_LINES else [])),
        use,
        offer,
        text,
    )


def _line(step: ScriptStep, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language) -> str:
    game = state.game
    match step:
        case SendMessage(text, to=to):
            # In one line: an agent's line breaks would make the card as high as it likes.
            said = translate("“{text}”", text=displayable(" ".join(text.split())))
            if not to:
                return said
            others = join_names([names.get(other, other) for other in to], translate)
            return f"{said} ({translate('only to {names}', names=others)})"
        case SendOffer(offer):
            terms = offer_line(offer, game, seat, names, translate)
            mine = game.preferences.get(seat)
            worth = "" if mine is None else f" ({points_text(mine.utility(offer), translate)})"
            return translate("Offer: {terms}", terms=terms) + worth
        case FormalAccept():
            on_table = bargaining_state(state).on_table
            if on_table is None:
                return translate("Accept the offer on the table.")
            if on_table.sender == seat:
                return translate("Finalise the deal")
            return translate("Accept {name}’s offer", name=names[on_table.sender])
        case FormalQuit():
            return translate("Walk away without a deal.")
        case MechanismAct(kind, payload, to):
            words = act_words((), game, {**names, seat: translate("You")}, translate, seat=seat)
            return words.text(Event(0, state.t, kind, seat, payload, to))
        case _:
            return ""
