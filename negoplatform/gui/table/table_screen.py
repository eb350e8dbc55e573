"""The negotiation: panels fed by the table's updates, and nothing decided here."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.app.session.live_session import Update
from negoplatform.app.session.participant_controller import Participant
from negoplatform.core.events import Event, Expression, Message, MessageSubtype
from negoplatform.domain.offer import Offer
from negoplatform.gui.avatars.avatars import Avatar
from negoplatform.gui.bargaining.offer_card_buttons import CardActions
from negoplatform.gui.table.confirmations import Commitments
from negoplatform.gui.table.message_interpreter import Reader, Waiting
from negoplatform.gui.table.pause_panel import PausePanel, ResumingPanel
from negoplatform.gui.table.rules_dialog import HELP, Rulebook
from negoplatform.gui.table.table_panels import Hands, TablePanels
from negoplatform.gui.table.table_setup import Place
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import Asker
from negoplatform.gui.widgets.test_announcer import Announcer
from negoplatform.gui.widgets.throttle import Throttle
from negoplatform.gui.widgets.ticker import Poller, Ticker
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.bargaining.confirmation_texts import leave_before_question
from negoplatform.presentation.bargaining.counter_offer import Countering
from negoplatform.presentation.bargaining.draft_offer import Change, DraftHistory
from negoplatform.presentation.characters import character_for
from negoplatform.presentation.chat.closing_message import Closing
from negoplatform.presentation.table.outbox import Unsent
from negoplatform.presentation.table.practice_guide import guide_view
from negoplatform.presentation.table.rules_text import rules_view
from negoplatform.presentation.table.session_feed import Feed
from negoplatform.presentation.table.table_presenter import Desk
from negoplatform.presentation.table.table_view import EndView, TableView, for_author, held, paused, stopped
from negoplatform.presentation.table.transcript_cursor import Told
from negoplatform.presentation.transcript.transcript_entries import Line

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
        on_leave: Is called when the participant leaves before the game begins.
    """

    def __init__(
        self,
        theme: Theme,
        place: Place,
        *,
        announcer: Announcer,
        on_wear: Callable[[Appearance], None],
        on_done: Callable[[], None],
        on_leave: Callable[[], None] = lambda: None,
    ) -> None:
        self._theme = theme
        self._place = place
        self._table = place.table
        self._participant = Participant(place.table)
        self._announcer = announcer
        self._on_wear = on_wear
        self._on_done, self._on_leave = on_done, on_leave
        self._unsent: Unsent | None = None
        self._counter = Countering(place.table.seat, on_change=self._change)
        self._feed = Feed(place.table)
        self._told = Told()
        self._closing = Closing(self._participant)
        self._begun = False
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._poller, self._clock = Poller(self.frame, self._poll), Ticker(self.frame, self._beat)
        # Before a yes does anything: it may close the window.
        self._asker = Asker(theme, announcer, before_yes=self._poller.sooner)
        self._tell_drafting = Throttle(theme.root, 1000 // DRAFTS_PER_SECOND, self._drafting)
        self._tell_typing = Throttle(theme.root, 1000 // TYPING_PER_SECOND, self._participant.show_typing)
        self._keep = Throttle(theme.root, 1000 // DRAFTS_PER_SECOND, self._keep_unsent)
        self._moment: object = None
        self._note = ""
        self._resuming: ResumingPanel | None = None
        self._build()
        if place.brief:
            self._brief()
        else:
            self._begin()

    @property
    def running(self) -> bool:
        """Whether closing the window now would end a game that counts."""
        return self._feed.running and self._place.guide is None

    def note(self, text: str) -> None:
        """Says something in passing, that is no part of the session; it stays until the next."""
        self._note = text
        self._panels.footer.note(text)
        self._announcer.tell("noted", text=text)

    def ask_to_leave(self, leave: Callable[[], None]) -> None:
        """Asks before a running game is left; one that is paused or not there yet is not ended by it."""

        def end_and_leave() -> None:
            self._participant.leave()
            leave()

        if not self._begun:
            self._asker.ask(leave_before_question(self._theme.say), leave)
            return
        self._commitments.leave(leave, end_and_leave, resuming=self._resuming is not None)

    def rebuild(self) -> None:
        """Builds everything anew in the looks that the theme wears by now; what was prepared stays."""
        words, cursor, focused = self._panels.chat.words, self._panels.chat.cursor, self._panels.focused()
        column = self._panels.chosen_column
        page = self._rulebook.page
        self._asker.close()
        for child in self.frame.winfo_children():
            child.destroy()
        self._resuming = None
        self.frame.configure(bg=self._theme.colours.ground)
        self._build(self._reader.waiting)
        if words:
            self._panels.chat.give_back(words, cursor)
        self._panels.choose(column)
        self._told.again()
        self._redraw()
        if not self._begun:
            self._brief()
        elif page == HELP:
            self._rulebook.open_help(running=self.running)
        elif page:
            self._rulebook.open(running=self.running)
        elif self._feed.running:
            self._panels.focus(focused)
        self._announcer.tell("rebuilt")

    # Building

    def _build(self, waiting: Waiting | None = None) -> None:
        theme, names = self._theme, self._place.names
        say = theme.say.of_game(self._table.game.name)
        self._desk = Desk(self._table.seat, names, say)
        self._commitments = Commitments(self._desk, self._feed, self._participant, self._asker)
        self._reader = self._make_reader(waiting)
        other = next(iter(names))
        avatar = self._place.avatars.get(other) or Avatar(character_for(names[other]))
        self._panels = TablePanels(
            self.frame,
            theme,
            self._hands(),
            avatar=avatar,
            pictures=self._place.pictures,
            participant=self._table.participant,
            again=self._place.again,
            guide=self._place.guide,
        )
        self._panels.footer.note(self._note)
        self._announcer.ask(self.frame, self._panels.widgets)
        self._rulebook = Rulebook(
            self.frame,
            theme,
            rules_view(self._table.game, self._table.seat, self._desk.names, say),
            header=self._panels.header.frame,
            pauses=self._table.game.rules.help_pauses,
            announcer=self._announcer,
            home=self._panels.chat.entry,
            on_page=self._read,
            practise=self._place.practise,
        )
        self._pause = PausePanel(
            self.frame,
            theme,
            home=self._panels.chat.entry,
            announcer=self._announcer,
            before=self._asker.close,
        )
        self._panels.route_keys(lambda: self._is_covered)
        if self._place.kept is not None and self._feed.newest is None:
            self._resuming = ResumingPanel(self.frame, theme)
            self._announcer.tell("resuming", once_drawn=self._resuming.frame)

    def _make_reader(self, waiting: Waiting | None) -> Reader:
        return Reader(
            desk=self._desk,
            feed=self._feed,
            participant=self._participant,
            commitments=self._commitments,
            on_show=lambda view: self._panels.show_reading(view),
            on_spoken=self._spoken,
            on_edit=self._edit,
            tell=self._announcer.tell,
            report=self._theme.report,
            waiting=waiting,
        )

    def _hands(self) -> Hands:
        return Hands(
            say=self._say,
            write=self._write,
            reading=self._reader,
            typing=self._tell_typing,
            words=self._words_changed,
            express=self._express,
            change=self._change,
            undo=lambda: self._go(DraftHistory.undone),
            redo=lambda: self._go(DraftHistory.redone),
            send_offer=self._send_offer,
            accept=lambda: self._commitments.accept(self._view().accept),
            walk_away=self._commitments.walk_away,
            rules=self._show_rules,
            help=self.show_help,
            phrases=lambda is_open: self._announcer.tell("phrases_open" if is_open else "phrases_closed"),
            column=lambda column: self._announcer.tell("column", shown=column),
            wear=self._on_wear,
            done=self._done,
            card=CardActions(
                accept=lambda: self._commitments.accept(self._view().accept),
                counter=self._open_counter,
                decline=self._decline,
                send=self._send_offer,
                cancel=self._cancel_counter,
                change=self._change,
            ),
            see_offer=self._see_offer,
            compare_offers=self._compare_offers,
        )

    @property
    def _is_covered(self) -> bool:
        """Whether a page, a question or a pause lies over the table."""
        over = self._rulebook.is_open or self._pause.shown or self._asker.is_open
        return over or self._resuming is not None

    def show_help(self) -> None:
        """Shows how everything works."""
        if not self._pause.shown and not self._asker.is_open:
            self._rulebook.open_help(running=self._begun and self.running, begun=self._begun)

    def _show_rules(self) -> None:
        """Not over the word that says why everything stands still."""
        if not self._pause.shown:
            self._rulebook.open(running=self.running)

    def _read(self, page: str) -> None:
        """The session stands still while a page is read, if the game wants that."""
        if not self._table.game.rules.help_pauses or not self._begun:
            return
        if page:
            # Nothing new happens meanwhile, not even that somebody was typing.
            self._tell_typing.forget()
            self._tell_drafting.forget()
            self._participant.hold(page)
        else:
            self._participant.release()
        self._poller.sooner()

    def _brief(self) -> None:
        """Shows the rules before the clock starts."""
        leave = self._place.leave
        self._rulebook.open_before(
            self._begin, leave=leave, on_leave=lambda: self.ask_to_leave(self._on_leave)
        )

    def _begin(self) -> None:
        self._begun = True
        self._table.start()
        self._poller.sooner()
        self._clock.again(CLOCK_MS)

    # What arrives

    def _poll(self) -> None:
        """Drains the table's queue; the screen is redrawn once, from the newest view."""
        # First of all: an error below must not be the last thing that this window shows.
        self._poller.again()
        if self._place.faults is not None and (fault := self._place.faults.told(self._theme.say)):
            self.note(fault)
            self._redraw()
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
                trouble = self._feed.newest.trouble if self._feed.newest else ""
                self._announcer.tell("finished", trouble=trouble)

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
        self._reader.prepare()
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
            if self._closing.is_due(self._feed.newest.view.state, self._feed.now):
                self._closing.settle(self._panels.chat.words)
                self._panels.chat.spoken()
            moment = self._desk.moment(self._feed.newest.view, self._feed.now)
            if moment != self._moment:
                self._moment = moment
                self._redraw()

    def _settle(self, event: Event) -> None:
        """What the participant sent has been recorded, or has been refused and comes back."""
        self._told.see(event)
        if self._unsent is not None:
            settled, back = self._unsent.settle(event)
            if back:
                self._panels.chat.give_back(back)
            if settled:
                self._keep()

    def _redraw(self) -> None:
        if self._feed.newest is not None and self._unsent is not None:
            self._counter.look(self._feed.newest.view.state)
            self._panels.add(self._told.fresh(self._feed.newest.view.state, self._desk))
            self._show(self._view())
            self._reader.look()

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
            left=self._feed.newest.left,
            can_undo=bool(history.past),
            can_redo=bool(history.future),
            counter=self._counter.began,
        )
        faults, trouble, say = self._place.faults, self._feed.newest.trouble, self._theme.say
        view = view if faults is None else for_author(view, faults.last, say)
        view = paused(view, say) if self._feed.paused else view
        view = held(view, say) if self._feed.held else view
        return stopped(view, trouble, say) if trouble else view

    def _show(self, view: TableView) -> None:
        assert self._feed.newest is not None
        self._panels.show(view)
        self._panels.show_emotion(view, self._feed.now)
        self._panels.show_typing(view.other, self._feed.now)
        self._panels.footer.show(saved=not self._feed.newest.frozen, counts=self._place.guide is None)
        self._show_guide(view)
        if view.end is not None:
            self._show_end(view.end)
        self._pause.follow(self._feed.stands_still)

    def _show_guide(self, view: TableView) -> None:
        """Says what to do next, in the guided practice."""
        guide, newest, other = self._place.guide, self._feed.newest, view.other.name
        if guide is None or newest is None:
            return
        state, can_send = newest.view.state, view.builder.can_send
        step = guide_view(state, self._table.seat, other, self._theme.say, can_send=can_send, guide=guide)
        if self._panels.show_guide(step):
            self._announcer.tell("guide", step=int(step.step))

    def _show_end(self, end: EndView) -> None:
        self._asker.close()
        if not self._panels.end_shown:
            self._closing.begin(self._panels.chat.words)
            if not self._rulebook.is_open:
                # A goodbye can be typed at once; no key reaches Done by itself.
                self._panels.chat.entry.focus_set()
        if self._panels.show_end(end):
            self._announcer.tell("ended", heading=end.heading, points=end.points, advice=end.advice)

    # What the participant does

    def _done(self) -> None:
        """Settles what stands in the line, and leaves."""
        self._closing.settle(self._panels.chat.words)
        self._on_done()

    def _say(self, message: Message) -> None:
        """Says a phrase; what stands in the line stays there."""
        self._participant.send_message(message)
        self._on_the_way(message)

    def _write(self, text: str) -> None:
        """Says what was typed, or shows what it seems to be meant as."""
        self._tell_typing.forget()
        self._reader.take(text)

    def _spoken(self, message: Message) -> None:
        """What stood in the line is on its way."""
        self._on_the_way(message)
        self._panels.chat.spoken()

    def _on_the_way(self, message: Message) -> None:
        self._tell_typing.forget()
        if self._unsent is not None:
            self._unsent.sent(message)
        self._poller.sooner()

    def _words_changed(self) -> None:
        self._reader.words_are(self._panels.chat.words)
        self._keep()

    def _edit(self, offer: Offer) -> None:
        """Puts terms into the draft, and leads to the first of them."""
        self._change(lambda draft: draft.with_terms(offer))
        issue = next(issue.name for issue in self._table.game.issues if issue.name in offer)
        self._panels.focus(f"{issue}.{offer.get(issue)}", issue, f"{issue}.{self._table.seat}.more")

    def _express(self, expression: Expression, duration_ms: int) -> None:
        self._participant.send_expression(expression, duration_ms)
        self._poller.sooner()

    def _change(self, change: Change, typed: str = "", /) -> None:
        """Changes the draft; what does not change it is nothing to tell."""
        self._go(lambda history: history.changed(change(history.draft), typed))

    def _go(self, step: Callable[[DraftHistory], DraftHistory]) -> None:
        newest = self._feed.newest
        if newest is None or self._unsent is None:
            return
        if (history := step(self._unsent.history)) == self._unsent.history:
            return
        self._unsent.history = history
        self._redraw()
        builder = self._view().builder
        decided = self._desk.decided(newest.view, self._feed.now, history.draft)
        self._announcer.tell(
            "draft", worth=decided, shown=builder.worth, note=builder.note, can_send=builder.can_send
        )
        self._tell_drafting()
        self._keep()

    def _keep_unsent(self) -> None:
        """Has the draft and the words kept, those on their way among them, in case the program ends."""
        if self._unsent is not None and self._feed.running and self.frame.winfo_exists():
            self._participant.keep_draft(self._unsent.document(self._panels.chat.words))

    def _drafting(self) -> None:
        if self._unsent is not None and self._feed.running:
            self._participant.show_drafting(self._unsent.draft.offer)

    def _open_counter(self) -> None:
        """Turns the newest offer's card into an editor, which begins with its terms."""
        if self._feed.newest is None or self._unsent is None:
            return
        if self._counter.open(self._feed.newest.view.state, self._unsent.draft):
            self._redraw()
            self._panels.see_card()
            self._announcer.tell("counter_open")

    def _see_offer(self, seq: int) -> None:
        self._panels.see_offer(seq)
        self._announcer.tell("offer_seen", seq=seq)

    def _compare_offers(self, first: int, second: int) -> None:
        if self._feed.newest is None:
            return
        view = self._desk.compared(self._feed.newest.view, self._feed.now, (first, second))
        if view is not None:
            self._panels.show_compared(view)
            self._announcer.tell("offers_compared", total=view.total.words)

    def _cancel_counter(self) -> None:
        if self._counter.cancel():
            self._redraw()
            self._announcer.tell("counter_closed")

    def _decline(self) -> None:
        """Says so, and nothing more: the offer stays on the table."""
        words = self._theme.say("That doesn’t work for me as it stands.")
        self._say(Message(words, MessageSubtype.OFFER_REJECT))

    def _send_offer(self) -> None:
        if self._unsent is not None and self._unsent.draft.ready:
            offer = self._unsent.draft.offer
            self._commitments.offer(offer, lambda: self._send(offer))

    def _send(self, offer: Offer) -> None:
        self._participant.send_offer(offer)
        self._poller.sooner()
