"""The table screen: it feeds the panels from the session's updates and makes no decisions."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection, Mapping

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.core.events import Event
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.chat.advice_controller import AdviceController, AdviceHost
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.confirmation_controller import ConfirmationController
from negoplatform.gui.table.covering_panels import CoveringPanels
from negoplatform.gui.table.rules_controller import HELP, RulesController
from negoplatform.gui.table.table_panels import TableCallbacks, TablePanels
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.table.table_side import TableSideHost
from negoplatform.gui.table.talk_controller import TalkController
from negoplatform.gui.table.workbench import WorkbenchHost
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ModalHost
from negoplatform.gui.widgets.retired_widgets import retire_widgets
from negoplatform.gui.widgets.timers import Poller, Ticker
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.agent_characters import character_for
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.chat.address_view import EVERYONE
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.chat.unsent_text_at_close import FinalMessageFlusher
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.localized_names import localized_occupant
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.table.leaving_questions import (
    leave_before_question,
    leave_without_link_question,
)
from negoplatform.presentation.table.practice_guide import guide_view
from negoplatform.presentation.table.session_update_reader import SessionUpdateReader
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.table.table_view import (
    LinkState,
    ResultView,
    TableView,
    absence_note,
    held_while_reading,
    paused,
    stopped,
    watched,
    with_author_feedback,
    without_absent,
)
from negoplatform.presentation.table.transcript_cursor import TranscriptCursor
from negoplatform.presentation.table.work_presenter import WorkPresenterFactory, WorkView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from negoplatform.presentation.work_presenters import WORK_PRESENTERS

CLOCK_MS = 200


class TableScreen:
    """The participant's screen of a live session.

    Args:
        theme: The window's theme.
        inputs: The session and the inputs of the screen; the screen starts the session.
        announcer: Reports to UI tests what is shown.
        on_appearance: Called with an appearance that the participant chose; :meth:`rebuild` has to follow.
        on_done: Called when the participant closes the result.
        on_leave: Called when the participant leaves before the game begins.
    """

    def __init__(
        self,
        theme: Theme,
        inputs: TableScreenInputs,
        *,
        announcer: UiTestAnnouncer,
        on_appearance: Callable[[Appearance], None],
        on_done: Callable[[], None],
        on_leave: Callable[[], None] = lambda: None,
    ) -> None:
        self._theme = theme
        self._inputs = inputs
        self._table = inputs.table
        self._words = game_words(inputs.table.game.mechanism)
        self._participant = ParticipantController(inputs.table)
        self._announcer = announcer
        self._on_appearance = on_appearance
        self._on_done, self._on_leave = on_done, on_leave
        self._workbench = inputs.workbench
        self._updates = SessionUpdateReader(inputs.table)
        self._transcript_cursor = TranscriptCursor()
        self._closing = FinalMessageFlusher(self._participant)
        self._begun = False
        self._result_text = ""
        self.frame = theme.frame(theme.root, theme.colours.ground)
        self._wizard = None if inputs.wizard is None else inputs.wizard.make_side()
        self._poller, self._clock = Poller(self.frame, self._poll), Ticker(self.frame, self._tick)
        # Before a confirmation takes effect: that may close the window.
        self._modals = ModalHost(theme, announcer, before_confirm=self._poller.poll_soon)
        self._talk = TalkController(
            theme,
            inputs.table,
            self._participant,
            inputs.workbench,
            announcer=announcer,
            chat=lambda: self._panels.chat,
            redraw=self._redraw,
            poll_soon=self._poller.poll_soon,
            can_save=lambda: self._can_save,
        )
        self._advice = AdviceController()
        self._clock_key: object = None
        self._note = ""
        self._absence_note = ""
        self._phrases: PhrasesView | None = None
        self._link = LinkState()
        self._build()
        if inputs.shows_briefing:
            self._show_briefing()
        else:
            self._begin()

    @property
    def result_text(self) -> str:
        """The participant's result in words; empty until it is shown, or without a result."""
        return self._result_text

    @property
    def running(self) -> bool:
        """Whether closing the window now would end a game that counts."""
        return self._updates.running and self._inputs.guide is None

    def show_note(self, text: str) -> None:
        """Show a note that is not part of the session; it stays until the next one."""
        self._note = text
        self._panels.footer.show_note(self._absence_note or text)
        self._rules.show_note(text)
        self._announcer.announce("noted", text=text)

    def show_link(self, link: LinkState) -> None:
        """Cover the screen while the connection to the session is lost; the unsent input stays."""
        self._link = link
        if link.is_lost:
            self._talk.hold()
        self._covers.show_link(link)

    def ask_to_leave(self, leave: Callable[[], None]) -> None:
        """Ask for confirmation before leaving; a paused or unstarted session is not ended by it."""

        def end_and_leave() -> None:
            self._participant.leave()
            leave()

        translate, covers = self._theme.translate, self._covers
        if covers.is_link_lost:
            self._modals.ask(leave_without_link_question(translate), leave)
            return
        if self._wizard is not None:
            if self._updates.running:
                self._modals.ask(self._wizard.leave_question(translate), leave)
            else:
                leave()
            return
        if not self._begun or covers.is_waiting:
            self._modals.ask(leave_before_question(translate), leave)
            return
        self._confirmations.leave(leave, end_and_leave, resuming=self._covers.is_resuming)

    def rebuild(self) -> None:
        """Rebuild the screen with the theme's present appearance; the input is preserved."""
        words, cursor, focused = self._panels.chat.text, self._panels.chat.cursor, self._panels.focused()
        column = self._panels.chosen_column
        page = self._rules.page
        self._modals.close()
        self._covers.close()
        if self._wizard is not None:
            self._wizard.keep_edits()
        retire_widgets(self._theme.root, self.frame.winfo_children())
        self.frame.configure(bg=self._theme.colours.ground)
        self._build()
        if words:
            self._panels.chat.restore_text(words, cursor)
        self._panels.show_column(column)
        self._transcript_cursor.reset()
        self._redraw()
        if not self._begun:
            self._show_briefing()
        elif self._updates.newest is None:
            self._covers.show_waiting()
        elif page == HELP:
            self._rules.open_help(running=self.running)
        elif page:
            self._rules.open(running=self.running)
        elif self._updates.running:
            self._panels.focus(focused)
        self._covers.show_link(self._link)
        self._announcer.announce("rebuilt")

    # Construction

    def _build(self) -> None:
        theme = self._theme
        game = self._table.game
        translate = theme.translate.for_game(game.name)
        names = {
            seat: localized_occupant(self._inputs.names[seat], seat, game, translate)
            for seat in game.others(self._table.seat)
        }
        make_work = WORK_PRESENTERS[game.mechanism]()
        self._presenter = TablePresenter(self._table.seat, names, translate, make_work)
        self._confirmations = ConfirmationController(
            self._presenter, self._updates, self._participant, self._modals, self._words
        )
        self._area = self.frame if self._wizard is None else self._wizard.make_area(self.frame, theme)
        pictures = IssuePhotoCache(theme, self._inputs.pictures)
        self._workbench.build(self._make_host(pictures))
        self._panels = self._make_panels(names, pictures)
        self._panels.footer.show_note(self._absence_note or self._note)
        self._advice.build(self._make_advice_host())
        self._announcer.set_screen_widgets(self.frame, self._widgets)
        self._rules = self._make_rules(make_work, pictures, several=len(names) > 1)
        if self._wizard is not None:
            self._wizard.build(self.frame, self._make_wizard_host())
        self._covers = CoveringPanels(
            self._area,
            self.frame,
            theme,
            self._words,
            focus_home=self._panels.chat.home,
            announcer=self._announcer,
            on_before_show=self._modals.close,
            is_resuming=self._inputs.saved_draft is not None and self._updates.newest is None,
        )
        self._panels.route_keys(lambda: self._is_covered)

    def _make_panels(self, names: Mapping[Seat, str], pictures: IssuePhotoCache) -> TablePanels:
        return TablePanels(
            self._area,
            self._theme,
            self._make_callbacks(),
            self._workbench,
            avatars={
                seat: self._inputs.avatars.get(seat) or Avatar(character_for(name))
                for seat, name in names.items()
            },
            pictures=pictures,
            participant=self._table.participant,
            words=self._words,
            has_next_game=self._inputs.has_next_game,
            talks=self._table.game.rules.talk,
            guide=self._inputs.guide,
            on_ask=self._ask if self._inputs.on_ask is not None else None,
        )

    def _make_rules(
        self, make_work: WorkPresenterFactory, pictures: IssuePhotoCache, *, several: bool
    ) -> RulesController:
        translate, talks = self._theme.translate, self._table.game.rules.talk
        return RulesController(
            self._area,
            self._theme,
            self._presenter.rules(self._table.game),
            help_view(
                translate,
                make_work.help(translate, several=several, rules=self._table.game.rules),
                several=several,
                talks=talks,
            ),
            header=self._panels.header.frame,
            pauses=self._pauses_for_pages,
            announcer=self._announcer,
            focus_home=self._panels.chat.home,
            on_page=self._on_page,
            pictures=pictures,
            on_practise=self._inputs.on_practise,
        )

    def _make_host(self, pictures: IssuePhotoCache) -> WorkbenchHost:
        return WorkbenchHost(
            theme=self._theme,
            seat=self._table.seat,
            game=self._table.game,
            presenter=self._presenter,
            participant=self._participant,
            updates=self._updates,
            dialogs=self._modals,
            pictures=pictures,
            redraw=self._redraw,
            save=self._talk.save_soon,
            poll_soon=self._poller.poll_soon,
            announce=self._announcer.announce,
            address=lambda: self._talk.address,
            choose_address=self._talk.choose_address,
            say=self._talk.send_message,
            on_said=self._talk.on_message_sent,
            clear_sent=lambda: self._panels.chat.clear_sent(),
            close_phrases=lambda: self._panels.close_phrases(),
            focus=lambda *names: self._panels.focus(*names),
        )

    def _make_callbacks(self) -> TableCallbacks:
        return TableCallbacks(
            send_phrase=self._talk.send_phrase,
            choose_address=self._talk.choose_address,
            submit_text=self._talk.submit_text,
            on_typing=self._talk.show_typing,
            on_text_changed=self._talk.on_text_changed,
            send_expression=self._talk.send_expression,
            walk_away=self._confirmations.walk_away,
            open_rules=self._show_rules,
            open_help=self.show_help,
            on_phrases_toggled=lambda is_open: self._announcer.announce(
                "phrases_open" if is_open else "phrases_closed"
            ),
            on_column_shown=lambda column: self._announcer.announce("column", shown=column),
            change_appearance=self._on_appearance,
            on_done=self._done,
        )

    def _make_advice_host(self) -> AdviceHost:
        return AdviceHost(
            table=self._table,
            names=self._presenter.names,
            chat=self._panels.chat,
            translate=self._theme.translate,
            prepare_offer=self._workbench.prepare_offer,
            redraw=self._redraw,
            announce=self._announcer.announce,
        )

    def _make_wizard_host(self) -> TableSideHost:
        return TableSideHost(
            theme=self._theme,
            seat=self._table.seat,
            game=self._table.game,
            names=self._presenter.names,
            updates=self._updates,
            dialogs=self._modals,
            announce=self._announcer.announce,
            redraw=self._redraw,
            phrases=lambda: self._phrases,
            type_text=self._panels.chat.line.type,
            keep_text=self._panels.chat.restore_text,
            prepare_offer=self._workbench.prepare_offer,
            prepared_offer=self._workbench.prepared_offer,
            focus_home=self._panels.chat.home.focus_set,
            is_covered=lambda: self._is_covered,
        )

    def _widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {**self._panels.widgets(), **({} if self._wizard is None else self._wizard.widgets())}

    @property
    def _pauses_for_pages(self) -> bool:
        """Whether the session is paused while a page is open: never by a wizard."""
        return self._table.game.rules.help_pauses and self._wizard is None

    @property
    def _is_covered(self) -> bool:
        """Whether a page, a dialog or a pause covers the table."""
        return self._rules.is_open or self._covers.is_shown or self._modals.is_open

    def show_help(self) -> None:
        """Show the help page."""
        if not self._covers.is_paused and not self._modals.is_open:
            self._rules.open_help(running=self._begun and self.running, begun=self._begun)

    def _ask(self) -> None:
        """Let the participant ask the experimenter, unless something else is asked or shown."""
        if self._inputs.on_ask is not None and not self._covers.is_paused and not self._modals.is_open:
            self._inputs.on_ask()

    def _show_rules(self) -> None:
        """Show the rules, unless the pause panel, which they would cover, is shown."""
        if not self._covers.is_paused:
            self._rules.open(running=self.running)

    def _on_page(self, page: str) -> None:
        """Pause the session while a page is open, if the game has that rule."""
        if not self._pauses_for_pages or not self._begun:
            return
        if page:
            # Nothing is sent meanwhile, not even a typing indicator.
            self._talk.hold()
            self._participant.pause(page)
        else:
            self._participant.unpause()
        self._poller.poll_soon()

    def _show_briefing(self) -> None:
        """Show the rules before the clock starts."""
        leave = self._inputs.leave_label
        self._rules.open_before_game(
            self._begin,
            leave=leave,
            on_leave=lambda: self.ask_to_leave(self._on_leave),
            on_ask=self._inputs.on_ask,
        )
        self._rules.show_note(self._note)

    def _begin(self) -> None:
        self._begun = True
        if self._wizard is None:
            self._table.start()
        self._covers.expect_update()
        self._poller.poll_soon()
        self._clock.schedule(CLOCK_MS)

    # Updates

    def _poll(self) -> None:
        """Process all queued updates; the screen is redrawn once, from the newest view."""
        # First of all: an error below must not stop the polling.
        self._poller.schedule()
        if self._inputs.fault_reporter is not None and (
            fault := self._inputs.fault_reporter.poll_message(self._theme.translate)
        ):
            self.show_note(fault)
            self._redraw()
        events: list[Event] = []
        fresh = False
        while True:
            first = self._updates.newest is None
            update = self._updates.next_update()
            if update is None:
                break
            fresh = True
            if first:
                self._on_first_update(update)
            if update.event is not None:
                self._on_event(update.event)
                events.append(update.event)
        if self._wizard is not None:
            self._wizard.poll()
        if fresh:
            self._redraw()
            for event in events:
                self._announcer.announce("shown", type=str(event.type), seq=event.seq, sender=event.sender)
            if self._updates.finished:
                self._restore_undelivered()
                trouble = self._updates.newest.error_message if self._updates.newest else ""
                self._announcer.announce("finished", trouble=trouble)

    def _on_first_update(self, update: SessionUpdate) -> None:
        """Prepare the screen at the start of a session, or where one is resumed, with the unsent input."""
        state, kept = update.view.state, self._inputs.saved_draft
        self._covers.begin()
        # First of all: text that is restored below is saved with what the workbench keeps.
        self._workbench.begin(state, kept)
        restored = self._talk.begin(state, kept)
        if kept is not None:
            self._announcer.announce(
                "taken_up",
                words=restored,
                note=self._view().work.note,
                to=list(self._talk.address),
            )
        if not self._rules.is_open:
            self._panels.chat.home.focus_set()

    def _tick(self) -> None:
        """Update the clock, and remove expired expressions and typing indicators."""
        if self._updates.finished:
            return
        self._clock.schedule(CLOCK_MS)
        if self._updates.newest is not None:
            if self._closing.is_due(self._updates.newest.view.state, self._updates.now):
                self._flush_closing_text()
                self._panels.chat.clear_sent()
            moment = self._presenter.time_key(self._updates.newest.view, self._updates.now)
            if moment != self._clock_key:
                self._clock_key = moment
                self._redraw()
            if self._wizard is not None:
                self._wizard.show()

    def _on_event(self, event: Event) -> None:
        """Process an event: text of the participant that was recorded, or refused and restored."""
        self._transcript_cursor.on_event(event)
        self._talk.on_event(event)

    def _redraw(self) -> None:
        if self._updates.newest is not None and self._talk.has_begun:
            self._workbench.update(self._updates.newest.view.state)
            self._panels.add(
                self._transcript_cursor.new_lines(self._updates.newest.view.state, self._presenter)
            )
            self._show(self._view())
            if (reader := self._workbench.reader) is not None:
                reader.refresh()

    def _restore_undelivered(self) -> None:
        """Restore text that was not delivered before the session ended, with an explanation."""
        words = self._talk.take_undelivered()
        if words:
            self._panels.chat.restore_text(words)
            self._panels.add([TranscriptEntry("refusal", "", self._theme.translate("The session is over."))])

    def _view(self) -> TableView[WorkView]:
        assert self._updates.newest is not None
        now = self._updates.now
        view = self._presenter.view(
            self._updates.newest.view,
            now,
            self._workbench.view(self._updates.newest.view.state, now),
            finished=self._updates.finished,
            left_on_table=self._updates.newest.improvement,
            address=self._talk.address,
        )
        faults, trouble, translate = (
            self._inputs.fault_reporter,
            self._updates.newest.error_message,
            self._theme.translate,
        )
        view = view if faults is None else with_author_feedback(view, faults.last_message, translate)
        view = without_absent(view, self._updates.newest.absent, translate)
        if self._wizard is not None and not self._wizard.can_act:
            view = watched(view, self._wizard.watching_note)
        view = paused(view, translate) if self._updates.paused else view
        view = held_while_reading(view, translate) if self._updates.held else view
        return stopped(view, trouble, self._words, translate) if trouble else view

    def _show(self, view: TableView[WorkView]) -> None:
        assert self._updates.newest is not None
        self._panels.show(view)
        self._advice.show(self._updates.newest)
        self._panels.show_emotion(view, self._updates.now)
        self._panels.show_typing(view.others, self._updates.now)
        self._panels.footer.show(saved=not self._updates.newest.frozen, counts=self._inputs.guide is None)
        self._show_guide(view)
        self._phrases = view.phrases
        self._show_absence(self._updates.newest.absent)
        if view.end is not None:
            self._show_end(view.end)
        self._covers.set_pause_reason(self._updates.pause_reason)

    def _show_absence(self, absent: Collection[Seat]) -> None:
        """Show whose connection is lost, in place of other notes."""
        translate = self._theme.translate
        note = absence_note(absent, self._presenter.names, translate) if self._updates.running else ""
        if note != self._absence_note:
            self._absence_note = note
            self._panels.footer.show_note(note or self._note)
            self._announcer.announce("absent", seats=list(absent), text=note)

    def _show_guide(self, view: TableView[WorkView]) -> None:
        """Show the next step of the guided practice."""
        guide, newest, other = self._inputs.guide, self._updates.newest, view.others[0].name
        if guide is None or newest is None:
            return
        state, can_send = newest.view.state, view.work.can_send
        step = guide_view(
            state, self._table.seat, other, self._theme.translate, can_send=can_send, guide=guide
        )
        if self._panels.show_guide(step):
            self._announcer.announce("guide", step=int(step.step))

    def _show_end(self, end: ResultView) -> None:
        self._result_text = end.points
        self._modals.close()
        if not self._panels.is_end_shown:
            self._closing.on_game_end(self._panels.chat.text)
            if not self._panels.chat.text:
                # A last word is for everyone; a text that was meant for some keeps its recipients.
                self._talk.choose_address(EVERYONE)
            if not self._rules.is_open:
                # A goodbye can be typed at once; no key presses Done.
                self._panels.chat.home.focus_set()
        if self._panels.show_end(end):
            self._announcer.announce("ended", heading=end.heading, points=end.points, advice=end.advice)

    # Acts of the participant

    def _done(self) -> None:
        """Send or keep the text in the message field, and close the screen."""
        self._flush_closing_text()
        self._on_done()

    def _flush_closing_text(self) -> None:
        if self._wizard is None:
            self._closing.flush(self._panels.chat.text, is_private=bool(self._talk.address))

    @property
    def _can_save(self) -> bool:
        """Whether what is unsent is saved; the drafts of a wizard are kept by the window alone."""
        return self._wizard is None and self.frame.winfo_exists() == 1 and self._updates.running
