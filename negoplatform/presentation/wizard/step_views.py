"""Steps of an agent's script in words, as the wizard of its seat reads them. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import Event
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import ScriptStep
from negoplatform.presentation.expression_words import EXPRESSION_WORDS
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names
from negoplatform.presentation.offers.term_texts import offer_rows
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.time_and_points_text import points_text

StepKind = Literal["message", "offer", "act", "silent"]
"""Kind of a step: words, an offer, another act that others see, or one that has no effect at the table."""


@dataclass(frozen=True, slots=True)
class StepView:
    """Step of a script in words.

    Args:
        kind: Its kind.
        title: The kind of act, and for whom it is.
        text: Its contents.
        rows: Rows of an offer: issue and terms.
        pause: Seconds of the pause before it, in words; empty without one.
    """

    kind: StepKind
    title: str
    text: str
    rows: tuple[tuple[str, str], ...] = ()
    pause: str = ""


def step_view(
    step: ScriptStep, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> StepView:
    """Return a step in words.

    Args:
        step: The step.
        state: The session as the seat sees it.
        seat: The wizard's seat.
        names: The names of the other seats.
        translate: The window's language, with the game's texts.
    """
    pause = _pause_text(step, translate)
    match step:
        case SendMessage(text, to=to):
            return StepView("message", _message_title(to, names, translate), displayable(text), (), pause)
        case SendOffer(offer):
            rows = offer_rows(offer, state.game, seat, names, translate)
            mine = state.game.preferences.get(seat)
            worth = "" if mine is None else points_text(mine.utility(offer), translate)
            return StepView("offer", translate("Offer"), worth, rows, pause)
        case SendExpression(expression, duration_ms):
            looks = translate(
                "{looks}, for {s} s",
                looks=translate(EXPRESSION_WORDS[expression]),
                s=f"{duration_ms / 1000:g}",
            )
            return StepView("act", translate("Expression"), looks, (), pause)
        case FormalAccept():
            text = translate("Accepts the offer on the table")
            return StepView("act", translate("Acceptance"), text, (), pause)
        case FormalQuit():
            text = translate("Leaves, which ends the game for this seat")
            return StepView("act", translate("Walking away"), text, (), pause)
        case MechanismAct(kind, payload, to):
            named = {**names, seat: translate("You")}
            words = act_words((), state.game, named, translate, seat=seat)
            text = words.text(Event(0, state.t, kind, seat, payload, to))
            return StepView("act", translate("Act"), text, (), pause)
        case ShowTyping(duration_ms):
            text = translate("Shows the typing sign, for {s} s", s=f"{duration_ms / 1000:g}")
            return StepView("silent", "", text, (), pause)
        case _:
            return StepView("silent", "", translate("Internal step of the agent: notes, or a later decision"))


def _message_title(to: tuple[Seat, ...], names: Mapping[Seat, str], translate: Language) -> str:
    if not to:
        return translate("Message")
    recipients = join_names([names.get(seat, seat) for seat in to], translate)
    return translate("Message only {names}", names=recipients)


def _pause_text(step: ScriptStep, translate: Language) -> str:
    delay = getattr(step, "delay_ms", 0) / 1000
    return translate("after {s} s", s=f"{delay:.1f}".rstrip("0").rstrip(".")) if delay >= 0.1 else ""
