"""The negotiation: panels fed by the table's updates, and nothing decided here."""

from __future__ import annotations

import time
from collections.abc import Callable
from tkinter import ttk

from negoplatform.app.live import Update
from negoplatform.app.participant import Participant
from negoplatform.core.events import Event, EventType, Expression, Message
from negoplatform.gui.announce import Announcer
from negoplatform.gui.appearance import Appearance
from negoplatform.gui.avatars import Avatar
from negoplatform.gui.builder_view import AcceptView
from negoplatform.gui.characters import character_for
from negoplatform.gui.desk import Desk
from negoplatform.gui.dialogs import Asker
from negoplatform.gui.draft import Change, DraftHistory
from negoplatform.gui.feed import Feed
from negoplatform.gui.lines import Line
from negoplatform.gui.pause_panel import PausePanel, ResumingPanel
from negoplatform.gui.place import Place
from negoplatform.gui.questions import (
    accept_question,
    binding_question,
    leave_paused_question,
    leave_question,
    leave_resuming_question,
    walk_away_question,
)
from negoplatform.gui.rules import rules_view
from negoplatform.gui.rules_panel import Rulebook
from negoplatform.gui.table_panels import Hands, TablePanels
from negoplatform.gui.theme import Theme
from negoplatform.gui.throttle import Throttle
from negoplatform.gui.ticker import Ticker
from negoplatform.gui.unsent import Unsent
from negoplatform.gui.view import EndView, TableView, paused, stopped

POLL_MS = 16
QUIET_POLL_MS = 33
"""While nobody waits for an answer to what they did: half the wakeups, and still before anybody notices."""

WAITING_SECONDS = 3.0
"""For so long after something was done an answer is waited for."""

CLOCK_MS = 200
DRAFTS_PER_SECOND = 4
TYPING_PER_SECOND = 1


class TableScreen:
    """The participant's place at a live table.

    Args:
        theme: Its looks.
        place: The table, and what is known beforehand; the table is started here.
        announcer: Is told what is shown.
        on_wear: Is given other looks when the participant asks for them; :meth:`rebuild` follows.
        on_done: Is called when the participant is done with the end.
    """

    def __init__(
        self,
        theme: Theme,
        place: Place,
        *,
        announcer: Announcer,
        on_wear: Callable[[Appearance], None],
        on_done: Callable[[], None],
    ) -> None:
        self._theme = theme
        self._place = place
        self._table = place.table
        self._participant = Participant(place.table)
        self._announcer = announcer
        self._on_wear = on_wear
        self._on_done = on_done
        self._unsent: Unsent | None = None
        self._feed = Feed(place.table)
        self._lines = self._resumed_shown = 0
        self._resumed: list[Event] = []
        self._begun = False
        # Before a yes does anything: it may close the window.
        self._asker = Asker(theme, announcer, before_yes=self._look_sooner)
        self._tell_drafting = Throttle(theme.root, 1000 // DRAFTS_PER_SECOND, self._drafting)
        self._tell_typing = Throttle(theme.root, 1000 // TYPING_PER_SECOND, self._participant.show_typing)
        self._keep = Throttle(theme.root, 1000 // DRAFTS_PER_SECOND, self._keep_unsent)
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._poller, self._clock = Ticker(self.frame, self._poll), Ticker(self.frame, self._beat)
        self._acted_at = 0.0
        self._moment: object = None
        self._resuming: ResumingPanel | None = None
        self._build()
        if place.brief:
            self._rulebook.open_before(self._begin)
        else:
            self._begin()

    @property
    def running(self) -> bool:
        """Whether closing the window now would end a game."""
        return self._feed.running

    def ask_to_leave(self, leave: Callable[[], None]) -> None:
        """Asks before a running game is left; one that is paused or not there yet is not ended by it."""
        say = self._theme.say

        def end_and_leave() -> None:
            if not self._begun:
                self._begin()
            self._participant.leave()
            leave()

        if self._resuming is not None:
            self._asker.ask(leave_resuming_question(say), leave)
        elif self._feed.paused:
            self._asker.ask(leave_paused_question(say), leave)
        else:
            self._asker.ask(leave_question(say), end_and_leave)

    def rebuild(self) -> None:
        """Builds everything anew in the looks that the theme wears by now; what was prepared stays."""
        words, focused = self._panels.chat.words, self._focused()
        reading = self._rulebook.is_open
        self._asker.close()
        for child in self.frame.winfo_children():
            child.destroy()
        self._resuming = None
        self.frame.configure(bg=self._theme.colours.ground)
        self._build()
        if words:
            self._panels.chat.give_back(words)
        self._lines = self._resumed_shown = 0
        self._redraw()
        if not self._begun:
            self._rulebook.open_before(self._begin)
        elif reading:
            self._rulebook.open(running=self.running)
        elif self._feed.running:
            self._focus(focused)
        self._announcer.tell("rebuilt")

    def _focused(self) -> str:
        """The name of what has the keyboard; empty if that has none."""
        # Asked of Tk itself: focus_get() fails while the list of a combobox has the focus.
        path = str(self._theme.root.tk.call("focus"))
        return next((name for name, widget in self._panels.widgets().items() if str(widget) == path), "")

    def _focus(self, name: str) -> None:
        """Gives the keyboard to what bears a name, or to the line for writing if that cannot have it."""
        widget = self._panels.widgets().get(name, self._panels.chat.entry)
        off = isinstance(widget, ttk.Widget) and widget.instate(["disabled"])
        (self._panels.chat.entry if off else widget).focus_set()

    # Building

    def _build(self) -> None:
        theme, names = self._theme, self._place.names
        self._desk = Desk(self._table.seat, names, theme.say)
        other = next(iter(names))
        avatar = self._place.avatars.get(other) or Avatar(character_for(names[other]))
        self._panels = TablePanels(
            self.frame, theme, self._hands(), avatar=avatar, participant=self._table.participant
        )
        self._announcer.ask(self.frame, self._panels.widgets)
        self._rulebook = Rulebook(
            self.frame,
            theme,
            rules_view(self._table.game, self._table.seat, self._desk.names, theme.say),
            announcer=self._announcer,
            home=self._panels.chat.entry,
        )
        self._pause = PausePanel(self.frame, theme, home=self._panels.chat.entry)
        if self._place.kept is not None and self._feed.newest is None:
            self._resuming = ResumingPanel(self.frame, theme)
            self._announcer.tell("resuming", once_drawn=self._resuming.frame)

    def _hands(self) -> Hands:
        return Hands(
            say=self._say,
            typing=self._tell_typing,
            words=self._keep,
            express=self._express,
            change=self._change,
            undo=lambda: self._go(DraftHistory.undone),
            redo=lambda: self._go(DraftHistory.redone),
            send_offer=self._send_offer,
            accept=self._ask_to_accept,
            walk_away=self._ask_to_walk_away,
            rules=self._show_rules,
            phrases=self._phrases_turned,
            wear=self._on_wear,
            done=self._on_done,
        )

    def _show_rules(self) -> None:
        """Not over the word that says why everything stands still."""
        if not self._pause.shown:
            self._rulebook.open(running=self.running)

    def _begin(self) -> None:
        self._begun = True
        self._table.start()
        self._poller.again(POLL_MS)
        self._clock.again(CLOCK_MS)

    # What arrives

    def _poll(self) -> None:
        """Drains the table's queue; the screen is redrawn once, from the newest view."""
        # First of all: an error below must not be the last thing that this window shows.
        waiting = time.monotonic() - self._acted_at < WAITING_SECONDS
        self._poller.again(POLL_MS if waiting else QUIET_POLL_MS)
        events: list[Event] = []
        fresh = False
        while True:
            first = self._feed.newest is None
            update = self._feed.take()
            if update is None:
                break
            fresh = True
            if first:
                self._take_up(update)
            if update.event is not None:
                self._settle(update.event)
                events.append(update.event)
        if fresh:
            self._redraw()
            for event in events:
                self._announcer.tell("shown", type=str(event.type), seq=event.seq, sender=event.sender)
            if self._feed.over:
                self._say_what_was_not_said()
                self._panels.lead_out()
                self._announcer.tell(
                    "finished", trouble=self._feed.newest.trouble if self._feed.newest else ""
                )

    def _take_up(self, update: Update) -> None:
        """The beginning, or where an interrupted session goes on: with what had not been sent."""
        state, kept = update.view.state, self._place.kept
        if self._resuming is not None:
            self._resuming.close()
            self._resuming = None
            self._asker.close()
        self._unsent = Unsent(self._table.seat, state.game, kept, state.transcript_of(self._table.seat))
        if self._unsent.words:
            self._panels.chat.give_back(self._unsent.words)
        if kept is not None:
            self._announcer.tell("taken_up", words=self._unsent.words, note=self._view().builder.note)
        if not self._rulebook.is_open:
            self._panels.chat.entry.focus_set()

    def _beat(self) -> None:
        """Shows the clock, and takes back expressions and typing signs whose time is over."""
        if self._feed.over:
            return
        self._clock.again(CLOCK_MS)
        if self._feed.newest is not None:
            moment = self._desk.moment(self._feed.newest.view, self._feed.now)
            if moment != self._moment:
                self._moment = moment
                self._redraw()

    def _settle(self, event: Event) -> None:
        """What the participant sent has been recorded, or has been refused and comes back."""
        if event.type == EventType.RESUMED:
            self._resumed.append(event)
        if self._unsent is not None:
            settled, back = self._unsent.settle(event)
            if back:
                self._panels.chat.give_back(back)
            if settled:
                self._keep()

    def _redraw(self) -> None:
        if self._feed.newest is not None and self._unsent is not None:
            self._add_lines()
            self._show(self._view())

    def _add_lines(self) -> None:
        assert self._feed.newest is not None
        state = self._feed.newest.view.state
        fresh = state.transcript_of(self._table.seat, after=self._lines)
        if fresh or self._resumed_shown < len(self._resumed):
            self._panels.add(self._desk.lines(state, fresh, self._resumed[self._resumed_shown :]))
            self._lines += len(fresh)
            self._resumed_shown = len(self._resumed)

    def _say_what_was_not_said(self) -> None:
        """Words that were still on their way when the session ended come back, with a word about it."""
        words = "" if self._unsent is None else self._unsent.unsettled()
        if words:
            self._panels.chat.give_back(words)
            self._panels.add([Line("refusal", "", self._theme.say("The session is over."))])

    def _view(self) -> TableView:
        assert self._feed.newest is not None
        assert self._unsent is not None
        history = self._unsent.history
        view = self._desk.view(
            self._feed.newest.view,
            self._feed.now,
            history.draft,
            finished=self._feed.over,
            can_undo=bool(history.past),
            can_redo=bool(history.future),
        )
        if self._feed.paused:
            view = paused(view, self._theme.say)
        return (
            stopped(view, self._feed.newest.trouble, self._theme.say) if self._feed.newest.trouble else view
        )

    def _show(self, view: TableView) -> None:
        assert self._feed.newest is not None
        self._panels.show(view)
        self._panels.show_emotion(view, self._feed.now)
        self._panels.footer.show(
            saved=not self._feed.newest.frozen, events=self._feed.newest.view.state.version
        )
        if view.end is not None:
            self._show_end(view.end)
        self._show_pause()

    def _show_pause(self) -> None:
        if self._feed.paused != self._pause.shown:
            self._asker.close()
        if self._feed.paused:
            assert self._feed.newest is not None
            if self._pause.show(self._feed.newest.frozen):
                self._announcer.tell("paused", reason=self._feed.newest.frozen)
        elif self._pause.shown:
            self._pause.hide()
            self._announcer.tell("unpaused")

    def _show_end(self, end: EndView) -> None:
        self._asker.close()
        if self._panels.show_end(end):
            self._announcer.tell("ended", heading=end.heading, points=end.points, advice=end.advice)

    def _phrases_turned(self, is_open: bool) -> None:
        self._announcer.tell("phrases_open" if is_open else "phrases_closed")

    # What the participant does

    def _say(self, message: Message) -> None:
        self._tell_typing.forget()  # what was typed is on its way
        if self._unsent is not None:
            self._unsent.sent(message)
        self._participant.send_message(message)
        self._look_sooner()

    def _express(self, expression: Expression, duration_ms: int) -> None:
        self._participant.send_expression(expression, duration_ms)
        self._look_sooner()

    def _look_sooner(self) -> None:
        """Something was done: what comes of it is waited for."""
        self._acted_at = time.monotonic()
        self._poller.again(POLL_MS)

    def _change(self, change: Change, typed: str = "", /) -> None:
        """Changes the draft; what does not change it is nothing to tell."""
        self._go(lambda history: history.changed(change(history.draft), typed))

    def _go(self, step: Callable[[DraftHistory], DraftHistory]) -> None:
        if self._unsent is None or (history := step(self._unsent.history)) == self._unsent.history:
            return
        self._unsent.history = history
        self._redraw()
        builder = self._view().builder
        self._announcer.tell("draft", worth=builder.worth, note=builder.note, can_send=builder.can_send)
        self._tell_drafting()
        self._keep()

    def _keep_unsent(self) -> None:
        """Has the draft and the words kept, those on their way among them, in case the program ends."""
        if self._unsent is not None and self._feed.running and self.frame.winfo_exists():
            self._participant.keep_draft(self._unsent.document(self._panels.chat.words))

    def _drafting(self) -> None:
        if self._unsent is not None and self._feed.running:
            self._participant.show_drafting(self._unsent.draft.offer)

    def _send_offer(self) -> None:
        if self._unsent is None or self._feed.newest is None or not self._unsent.draft.ready:
            return
        offer = self._unsent.draft.offer
        binding = self._desk.binding(self._feed.newest.view, self._feed.now, offer)
        if binding is not None:
            self._note_warning(binding)
            question = binding_question(binding, self._theme.say)
            self._asker.ask(question, lambda: self._participant.send_offer(offer))
            return
        self._participant.send_offer(offer)
        self._look_sooner()

    def _ask_to_accept(self) -> None:
        """Shows exactly what would bind, and binds that offer and no other."""
        accept = self._view().accept
        if accept.offer_id is None:
            return
        offer_id = accept.offer_id
        self._note_warning(accept)
        question = accept_question(accept, self._theme.say)
        self._asker.ask(question, lambda: self._participant.formal_accept(offer_id))

    def _note_warning(self, what: AcceptView) -> None:
        if what.worse_than_no_deal:
            figures = {"points": what.points, "no_deal": what.no_deal}
            self._participant.note_warning("below_reservation_value", offer_id=what.offer_id or 0, **figures)

    def _ask_to_walk_away(self) -> None:
        if self._feed.newest is None:
            return
        mine = self._feed.newest.view.state.game.preferences[self._table.seat]
        pays = mine.quit_value - mine.cost_at(self._feed.now)
        self._asker.ask(walk_away_question(pays, self._theme.say), self._participant.formal_quit)
