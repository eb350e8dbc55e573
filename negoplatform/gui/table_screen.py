"""The negotiation: panels put together, fed by the table's updates, and nothing decided here."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from queue import Empty
from typing import Any

from negoplatform.app.live import LiveTable, Update
from negoplatform.app.participant import Participant
from negoplatform.core.events import Event, EventType, Expression, Message
from negoplatform.core.state import Phase, State
from negoplatform.domain.seat import Seat
from negoplatform.gui.announce import Announcer
from negoplatform.gui.chat_panel import ChatPanel
from negoplatform.gui.desk import Desk
from negoplatform.gui.dialogs import Confirmation, Question
from negoplatform.gui.draft import Draft
from negoplatform.gui.emotion_bar import EmotionBar
from negoplatform.gui.end_panel import EndPanel
from negoplatform.gui.keeping import kept_document, kept_draft, kept_words
from negoplatform.gui.offer_builder import OfferBuilder
from negoplatform.gui.other_panel import OtherPanel, PrioritiesPanel
from negoplatform.gui.pause_panel import PausePanel, ResumingPanel
from negoplatform.gui.questions import (
    LEAVE,
    LEAVE_PAUSED,
    LEAVE_RESUMING,
    accept_question,
    walk_away_question,
)
from negoplatform.gui.status_bar import StatusBar
from negoplatform.gui.texts import RESUMED
from negoplatform.gui.theme import BACKGROUND, Theme
from negoplatform.gui.throttle import Throttle
from negoplatform.gui.view import EndView, Line, TableView, paused

POLL_MS = 16
CLOCK_MS = 200
DRAFTS_PER_SECOND = 4
TYPING_PER_SECOND = 1


class TableScreen:
    """The participant's place at a live table.

    Args:
        theme: Its looks.
        table: The table; it is started here.
        names: What the participant calls the other seats.
        announcer: Is told what is shown.
        on_done: Is called when the participant is done with the end.
        kept: What the participant had not sent when the session was interrupted.
    """

    def __init__(
        self,
        theme: Theme,
        table: LiveTable,
        names: Mapping[Seat, str],
        *,
        announcer: Announcer,
        on_done: Callable[[], None],
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        self._theme = theme
        self._table = table
        self._participant = Participant(table)
        self._desk = Desk(table.seat, names)
        self._announcer = announcer
        self._on_done = on_done
        self._kept = kept
        self._draft: Draft | None = None
        self._update: Update | None = None
        self._standing_still_at: float | None = None
        self._lines = 0
        self._unconfirmed: list[str] = []
        self._answered = 0
        self._dialog: Confirmation | None = None
        self._tell_drafting = Throttle(theme.root, 1000 // DRAFTS_PER_SECOND, self._drafting)
        self._tell_typing = Throttle(theme.root, 1000 // TYPING_PER_SECOND, self._participant.show_typing)
        self._keep = Throttle(theme.root, 1000 // DRAFTS_PER_SECOND, self._keep_unsent)
        self.frame = theme.frame(theme.root, BACKGROUND)
        self._build()
        self._resuming = ResumingPanel(self.frame, theme) if kept is not None else None
        if self._resuming is not None:
            announcer.say("resuming", once_drawn=self._resuming.frame)
        table.start()
        theme.root.after(POLL_MS, self._poll)
        theme.root.after(CLOCK_MS, self._beat)

    @property
    def running(self) -> bool:
        """Whether closing the window now would end a game."""
        return self._update is None or not (self._over or self._update.view.state.phase is Phase.CLOSING)

    @property
    def _over(self) -> bool:
        """Whether nothing more will arrive."""
        return self._update is not None and self._update.finished

    @property
    def _paused(self) -> bool:
        """Whether the session stands still."""
        return self._update is not None and bool(self._update.frozen) and not self._over

    def ask_to_leave(self, leave: Callable[[], None]) -> None:
        """Asks before a running game is left; one that is paused or not there yet is not ended by it."""

        def end_and_leave() -> None:
            self._participant.leave()
            leave()

        if self._resuming is not None:
            self._ask(LEAVE_RESUMING, leave)
        elif self._paused:
            self._ask(LEAVE_PAUSED, leave)
        else:
            self._ask(LEAVE, end_and_leave)

    # Building

    def _build(self) -> None:
        px, frame = self._theme.px, self.frame
        frame.columnconfigure(1, weight=1)
        frame.rowconfigure(1, weight=1)
        self._status = StatusBar(frame, self._theme, on_walk_away=self._ask_to_walk_away)
        self._status.frame.grid(row=0, column=0, columnspan=3, sticky="ew")
        left = self._theme.frame(frame, BACKGROUND)
        left.grid(row=1, column=0, sticky="ns", padx=(px(12), 0), pady=px(12))
        self._other = OtherPanel(left, self._theme)
        self._other.frame.pack(fill="x")
        self._priorities = PrioritiesPanel(left, self._theme)
        self._priorities.frame.pack(fill="both", expand=True, pady=(px(12), 0))
        middle = self._theme.card(frame, 8)
        middle.grid(row=1, column=1, sticky="nsew", padx=px(12), pady=px(12))
        middle.columnconfigure(0, weight=1)
        middle.rowconfigure(0, weight=1)
        self._chat = ChatPanel(
            middle, self._theme, on_send=self._say, on_typing=self._tell_typing, on_words=self._keep
        )
        self._chat.frame.grid(row=0, column=0, sticky="nsew")
        self._emotions = EmotionBar(self._chat.frame, self._theme, on_express=self._express)
        self._emotions.frame.grid(row=1, column=0, columnspan=3, sticky="w", pady=px(6), padx=px(4))
        self._chat.place_composer(row=2)
        self._builder = OfferBuilder(
            frame,
            self._theme,
            on_give=lambda issue, seat: self._change(lambda draft: draft.give(issue, seat)),
            on_take=lambda issue, seat: self._change(lambda draft: draft.take(issue, seat)),
            on_choose=lambda issue, value: self._change(lambda draft: draft.choose(issue, value)),
            on_write=lambda issue, text: self._change(lambda draft: draft.write(issue, text)),
            on_step=lambda issue, steps: self._change(lambda draft: draft.step(issue, steps)),
            on_clear=lambda: self._change(Draft.cleared),
            on_send=self._send_offer,
            on_accept=self._ask_to_accept,
        )
        self._builder.frame.grid(row=1, column=2, sticky="ns", padx=(0, px(12)), pady=px(12))
        self._end = EndPanel(frame, self._theme, on_close=self._on_done)
        self._pause = PausePanel(frame, self._theme, home=self._chat.entry)

    def _name_widgets(self) -> None:
        for name, widget in self._builder.widgets().items():
            self._announcer.name(name, widget)
        for expression, button in self._emotions.buttons.items():
            self._announcer.name(f"emotion.{expression.value.lower()}", button)
        self._announcer.name("entry", self._chat.entry)
        self._announcer.name("transcript", self._chat.transcript)
        self._announcer.name("send", self._chat.button)
        self._announcer.name("walk_away", self._status.walk_away)
        self._announcer.name("done", self._end.done)

    # What arrives

    def _poll(self) -> None:
        """Drains the table's queue; the screen is redrawn once, from the newest view."""
        if not self.frame.winfo_exists():
            return
        # First of all: an error below must not be the last thing that this window shows.
        self._theme.root.after(POLL_MS, self._poll)
        events: list[Event] = []
        fresh = False
        while True:
            try:
                update = self._table.updates.get_nowait()
            except Empty:
                break
            fresh = True
            self._take_in(update)
            if update.event is not None:
                events.append(update.event)
        if fresh:
            self._redraw()
            for event in events:
                self._announcer.say("shown", type=str(event.type), seq=event.seq, sender=event.sender)
            if self._over:
                self._announcer.say("finished", trouble=self._update.trouble if self._update else "")

    def _take_in(self, update: Update) -> None:
        """One update: what it says about the time, about the draft at first, and about what was sent."""
        first, self._update = self._update is None, update
        if not update.frozen:
            self._standing_still_at = None
        elif self._standing_still_at is None:
            self._standing_still_at = time.monotonic() - update.zero
        if first:
            self._take_up(update)
        if update.event is not None:
            self._settle(update.event)

    def _take_up(self, update: Update) -> None:
        """The beginning, or where an interrupted session goes on: with what had not been sent."""
        state = update.view.state
        if self._resuming is not None:
            self._resuming.close()
            self._resuming = None
            self._close_dialog()
        events = state.transcript_of(self._table.seat)
        answers = [
            event.get_text() if self._said(event) else None for event in events if self._answers(event)
        ]
        self._answered = len(answers)
        self._draft = kept_draft(self._kept, state.game)
        words = kept_words(self._kept, answers)
        if words:
            self._chat.give_back(words)
        if self._kept is not None:
            self._announcer.say("taken_up", words=words, note=self._view().builder.note)
        self._chat.entry.focus_set()

    def _said(self, event: Event) -> bool:
        """Whether these are words of the participant."""
        return event.type == EventType.SEND_MESSAGE and event.sender == self._table.seat

    def _answers(self, event: Event) -> bool:
        """Whether this is what has become of words of the participant: they were said, or refused."""
        refused = event.type == EventType.ACTION_REFUSED and event.payload.action == EventType.SEND_MESSAGE
        return refused or self._said(event)

    def _beat(self) -> None:
        """Shows the clock, and takes back expressions and typing signs whose time is over."""
        if self.frame.winfo_exists() and not self._over:
            self._theme.root.after(CLOCK_MS, self._beat)
            self._redraw()

    def _settle(self, event: Event) -> None:
        """What the participant sent has been recorded, or has been refused and comes back."""
        if event.type == EventType.RESUMED and self._update is not None:
            self._add_lines(self._update.view.state)
            self._chat.add([Line("note", "", RESUMED)])
        if self._answers(event) and self._unconfirmed:
            text = self._unconfirmed.pop(0)
            self._answered += 1
            if not self._said(event):
                self._chat.give_back(text)
            self._keep()

    def _redraw(self) -> None:
        if self._update is None or self._draft is None:
            return
        self._add_lines(self._update.view.state)
        self._show(self._view())

    def _add_lines(self, state: State) -> None:
        fresh = state.transcript_of(self._table.seat, after=self._lines)
        self._lines += len(fresh)
        self._chat.add(self._desk.lines(state, fresh))

    def _now(self, update: Update) -> float:
        """Session time; it does not move while the session stands still."""
        still = self._standing_still_at
        return time.monotonic() - update.zero if still is None else still

    def _view(self) -> TableView:
        assert self._update is not None
        assert self._draft is not None
        now = self._now(self._update)
        view = self._desk.view(self._update.view, now, self._draft, finished=self._update.finished)
        return paused(view) if self._paused else view

    def _show(self, view: TableView) -> None:
        update = self._update
        if update is not None and update.trouble:
            view = replace(
                view,
                status=replace(view.status, can_walk_away=False, clock_words="negotiation stopped"),
                can_talk=False,
                talk_hint="",
                can_express=False,
                end=EndView("The session had to stop", (), "", update.trouble),
            )
        self._status.show(view.status)
        self._other.show(view.other)
        self._priorities.show(view)
        self._emotions.show(view.my_expression, view.can_express)
        self._chat.show(view.can_talk, view.talk_hint)
        if view.end is None:
            self._builder.show(view.builder, view.accept)
        else:
            self._show_end(view.end)
        self._show_pause()
        self._name_widgets()

    def _show_pause(self) -> None:
        if self._paused != self._pause.shown:
            self._close_dialog()
        if self._paused:
            assert self._update is not None
            if self._pause.show(self._update.frozen):
                self._announcer.say("paused", reason=self._update.frozen)
        elif self._pause.shown:
            self._pause.hide()
            self._announcer.say("unpaused")

    def _close_dialog(self) -> None:
        """What was being asked no longer stands so; the answer is no."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None

    def _show_end(self, end: EndView) -> None:
        self._close_dialog()
        if self._builder.frame.winfo_ismapped():
            self._builder.frame.grid_remove()
            px = self._theme.px
            self._end.frame.grid(row=1, column=2, sticky="ns", padx=(0, px(12)), pady=px(12))
        if self._end.show(end):
            self._announcer.say("ended", heading=end.heading, points=end.points, advice=end.advice)

    # What the participant does

    def _say(self, text: str) -> None:
        self._tell_typing.forget()  # what was typed is on its way
        self._unconfirmed.append(text)
        self._participant.send_message(Message(text))

    def _express(self, expression: Expression) -> None:
        self._participant.send_expression(expression)

    def _change(self, change: Callable[[Draft], Draft]) -> None:
        """Changes the draft; what does not change it is nothing to tell."""
        if self._draft is None or (draft := change(self._draft)) == self._draft:
            return
        self._draft = draft
        self._redraw()
        builder = self._view().builder
        self._announcer.say("draft", worth=builder.worth, note=builder.note, can_send=builder.can_send)
        self._tell_drafting()
        self._keep()

    def _keep_unsent(self) -> None:
        """Has the draft and the words kept, those on their way among them, in case the program ends."""
        if self._draft is not None and self.running and self.frame.winfo_exists():
            kept = kept_document(self._draft, self._chat.words, self._unconfirmed, self._answered)
            self._participant.keep_draft(kept)

    def _drafting(self) -> None:
        if self._draft is not None and self.running:
            self._participant.show_drafting(self._draft.offer)

    def _send_offer(self) -> None:
        if self._draft is not None and self._draft.ready:
            self._participant.send_offer(self._draft.offer)

    def _ask_to_accept(self) -> None:
        """Shows exactly what would bind, and binds that offer and no other."""
        accept = self._view().accept
        if accept.offer_id is None:
            return
        offer_id = accept.offer_id
        if accept.worse_than_no_deal:
            self._participant.note_warning(
                "below_reservation_value", offer_id=offer_id, points=accept.points, no_deal=accept.no_deal
            )
        self._ask(accept_question(accept), lambda: self._participant.formal_accept(offer_id))

    def _ask_to_walk_away(self) -> None:
        if self._update is None:
            return
        mine = self._update.view.state.game.preferences[self._table.seat]
        pays = mine.quit_value - mine.cost_at(self._now(self._update))
        self._ask(walk_away_question(pays), self._participant.formal_quit)

    def _ask(self, question: Question, on_yes: Callable[[], None]) -> None:
        self._close_dialog()
        self._dialog = Confirmation(self._theme, question, on_yes=on_yes, announcer=self._announcer)
        self._dialog.open()
