"""Advice at the participant's table: shown, taken over and closed; nothing of it is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.core.state import Phase
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.presentation.advice_view import AdviceView, advice_view, no_advice_view
from negoplatform.presentation.i18n import Language


@dataclass(frozen=True, slots=True)
class AdviceHost:
    """Parts of the table screen that advice needs; each appearance has a new one.

    Args:
        table: The participant's seat.
        names: The displayed names of the other seats.
        chat: The chat panel, which shows the card.
        translate: The window's language.
        prepare_offer: Put an offer into the offer builder; the draft can be restored by undo.
        redraw: Show the table again.
        announce: Report to UI tests what is shown.
    """

    table: ParticipantSeat
    names: Mapping[Seat, str]
    chat: ChatPanel
    translate: Language
    prepare_offer: Callable[[Offer], object]
    redraw: Callable[[], None]
    announce: Callable[..., None]


class AdviceController:
    """Controller of the advice on one table screen."""

    def __init__(self) -> None:
        self._answered = 0
        self._shown = 0

    def build(self, host: AdviceHost) -> None:
        """Connect the card of an appearance."""
        self._host = host
        card = host.chat.advice
        card.on_use, card.on_dismiss = self._use, self._dismiss

    def show(self, update: SessionUpdate) -> None:
        """Show the open advice of an update, or that the adviser has none."""
        host, advice, state = self._host, update.advice, update.view.state
        if advice is None or update.finished or state.phase is not Phase.NEGOTIATING:
            host.chat.show_advice(None)
            return
        if advice.number <= self._answered:
            view = no_advice_view(host.translate, has_stopped=advice.has_stopped)
            if host.chat.show_advice(view):
                host.announce("no_advice", text=view.lines[0])
            return
        translate = host.translate.for_game(host.table.game.name)
        has_text = bool(host.chat.text.strip())
        view = advice_view(advice, state, host.table.seat, host.names, translate, has_text=has_text)
        host.chat.show_advice(view)
        if advice.number != self._shown:
            self._shown = advice.number
            host.announce("advice", number=advice.number, text=" ".join(view.lines))

    def _use(self, view: AdviceView) -> None:
        """Put the advice into the offer builder and the message field."""
        host = self._host
        self._answer(view, used=True)
        if view.offer is not None:
            host.prepare_offer(view.offer)
        if view.text:
            host.chat.append_text(view.text)
        host.chat.home.focus_set()
        host.redraw()

    def _dismiss(self, view: AdviceView) -> None:
        self._answer(view, used=False)
        self._host.redraw()

    def _answer(self, view: AdviceView, *, used: bool) -> None:
        self._answered = view.number
        self._host.table.answer_advice(view.number, used=used)
        self._host.announce("advice_answered", number=view.number, used=used)
