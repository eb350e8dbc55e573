"""The wizard's side of a table screen: it reads the feed, places the panel and sends the wizard's answers."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from tkinter import ttk

from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    FeedItem,
    FeedRawEvent,
    FeedRawHeader,
    FeedSuggestion,
    FeedSuggestionClosed,
    HoldSuggestion,
    OpenWholeState,
    WizardEntry,
)
from negoplatform.core.state import State
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.gui.table.table_side import TableSideHost
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag
from negoplatform.gui.wizard.suggestion_card import SuggestionCallbacks
from negoplatform.gui.wizard.whole_state_page import WholeStatePage
from negoplatform.gui.wizard.wizard_panel import WIDTH, WizardPanel, WizardPanelCallbacks
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.wizard.edited_script import EditedScript
from negoplatform.presentation.wizard.step_views import StepView, step_view
from negoplatform.presentation.wizard.whole_state import WholeState
from negoplatform.presentation.wizard.wizard_state import WizardState
from negoplatform.presentation.wizard.wizard_view import (
    MODE_NAMES,
    MODE_SENTENCES,
    can_act,
    leave_wizard_question,
    open_state_question,
    wizard_view,
)

LEAST_TABLE = 748
"""Width of the table, for 96 dpi, below which the panel is folded out over it."""

GONE_OUT = (SuggestionVerdict.TIMED_OUT_SENT, SuggestionVerdict.AUTONOMOUS)
"""Ends of a suggestion's wait after which it is performed without the wizard's changes."""

WINDOW_TAG = "."


@dataclass(frozen=True, slots=True)
class WizardPanelInputs:
    """Inputs of the panel of a wizard who operates the seat of a table.

    Args:
        items: The feed of the session, without what belongs to the table itself.
        send: Called with the wizard's entries other than scripts.
    """

    items: SimpleQueue[FeedItem]
    send: Callable[[WizardEntry], object]

    def make_side(self) -> WizardSide:
        """Return the panel for a new table screen."""
        return WizardSide(self)


class WizardSide:
    """The wizard's side of one table screen; it is built again with each appearance.

    Args:
        inputs: The feed, and the way back.
    """

    _host: TableSideHost
    _area: tk.Frame
    _panel: WizardPanel
    _bar: tk.Frame
    _bar_text: BidiLabel
    fold: ttk.Button

    def __init__(self, inputs: WizardPanelInputs) -> None:
        self._inputs = inputs
        self._wizard = WizardState()
        self._whole: WholeState | None = None
        self._page: WholeStatePage | None = None
        self._page_count = 0
        self._wants_page = False
        self._edited: dict[int, EditedScript] = {}
        self._note = ""
        self._is_wide = True
        self._is_folded_out = False

    # Construction

    def make_area(self, parent: tk.Frame, theme: Theme) -> tk.Frame:
        """Return the frame in which the table itself is built, before :meth:`build`."""
        self._area = theme.frame(parent, theme.colours.ground)
        return self._area

    def build(self, parent: tk.Frame, host: TableSideHost) -> None:
        """Build the panel of an appearance, after the table."""
        self._host, self._page = host, None
        theme = host.theme
        callbacks = WizardPanelCallbacks(
            suggestions=SuggestionCallbacks(
                send=self._send,
                drop=lambda number: self._answer(AnswerSuggestion(number, send=False)),
                edit=self._edit,
                on_edit=self._on_edit,
                prepare_offer=host.prepare_offer,
                prepared_offer=host.prepared_offer,
                view_step=self._step_view,
            ),
            change_mode=self._change_mode,
            choose_line=self._choose_line,
            open_state=self._ask_to_open,
            leave=host.focus_home,
        )
        self._build_bar(parent)
        self._panel = WizardPanel(parent, theme, callbacks, talks=host.game.rules.talk)
        self._panel.show_note(self._note)
        parent.rowconfigure((0, 2, 3), weight=0)
        parent.rowconfigure(1, weight=1)
        parent.columnconfigure(theme.column(0, 2), weight=1)
        parent.columnconfigure(theme.column(1, 2), weight=0)
        self._area.grid(row=1, column=theme.column(0, 2), sticky="nsew")
        self._place(theme.width)
        parent.bind("<Configure>", lambda event: self._resized(event, parent))
        bind_tag(self._area, WINDOW_TAG, "<F6>", lambda _event: self._take_keyboard())
        self.show()
        for card in self._panel.cards:
            if card.number in self._edited:
                card.edit()
        self._edited = {}
        if self._wants_page:
            self._open_page()

    def keep_edits(self) -> None:
        """Keep what is being edited for the next appearance; its widgets are destroyed afterwards."""
        scripts = ((card.number, card.script) for card in self._panel.cards)
        self._edited = {number: script for number, script in scripts if script is not None}

    def _build_bar(self, parent: tk.Frame) -> None:
        """Build the bar of a small window: the mode, the suggestions that wait, and the way to the panel."""
        theme, px = self._host.theme, self._host.theme.px
        self._bar = theme.frame(parent)
        inside = theme.frame(self._bar)
        inside.pack(fill="x", padx=px(12), pady=px(3))
        self._bar_text = theme.label(inside, "", "small_bold")
        self._bar_text.pack(side=theme.start)
        self.fold = theme.button(inside, theme.translate("Wizard’s panel"), "Toggle.TButton", self._toggle)
        self.fold.pack(side=theme.end)

    def _resized(self, event: tk.Event[tk.Misc], parent: tk.Frame) -> None:
        if event.widget is parent:
            self._place(event.width / self._host.theme.scale)

    def _place(self, width: float) -> None:
        """Place the panel for a width of the window, for 96 dpi."""
        theme, px, panel = self._host.theme, self._host.theme.px, self._panel.frame
        self._is_wide = width >= LEAST_TABLE + WIDTH
        if self._is_wide:
            self._bar.grid_remove()
            panel.place_forget()
            panel.grid(
                row=1,
                column=theme.column(1, 2),
                sticky="ns",
                padx=theme.padx(0, 8),
                pady=px(8),
            )
            return
        panel.grid_remove()
        self._bar.grid(row=0, column=0, columnspan=2, sticky="ew")
        self._show_folded()

    def _show_folded(self) -> None:
        theme, px, panel = self._host.theme, self._host.theme.px, self._panel.frame
        if not self._is_folded_out:
            panel.place_forget()
            return
        edge = 0.0 if theme.rtl else 1.0
        panel.place(
            in_=self._area,
            relx=edge,
            rely=0,
            anchor="nw" if theme.rtl else "ne",
            width=px(WIDTH),
            relheight=1,
        )
        panel.tkraise()

    def _toggle(self) -> None:
        self._is_folded_out = not self._is_folded_out
        if not self._is_folded_out and self._panel.has_focus:
            self._host.focus_home()
        self._show_folded()
        self._host.announce("wizard_panel", is_open=self._is_folded_out)

    def _take_keyboard(self) -> None:
        if self._host.is_covered():
            return
        if not self._is_wide and not self._is_folded_out:
            self._toggle()
        self._panel.focus()

    # The feed

    @property
    def can_act(self) -> bool:
        """Whether the wizard acts at the table."""
        return can_act(self._wizard)

    @property
    def watching_note(self) -> str:
        """Sentence below the message field while the agent acts; empty until the mode is known."""
        mode = self._wizard.mode
        return "" if mode is None else self._host.theme.translate(MODE_SENTENCES[mode])

    def poll(self) -> None:
        """Take the queued items of the feed, and show the result."""
        before, changed = self._wizard, False
        while True:
            try:
                item = self._inputs.items.get_nowait()
            except Empty:
                break
            changed = True
            self._take(item)
        if not changed:
            return
        self.show()
        self._update_page()
        if self._wizard.mode is not before.mode:
            self._host.redraw()
            self._host.announce("wizard_mode", mode=str(self._wizard.mode))

    def _take(self, item: FeedItem) -> None:
        before, self._wizard = self._wizard, self._wizard.after(item, self._host.updates.now)
        match item:
            case FeedSuggestion(number):
                self._host.announce("suggestion", number=number)
            case FeedSuggestionClosed(number, verdict) if number not in before.closed:
                self._close_card(number, verdict)
            case FeedRawHeader(header):
                self._whole, self._page_count = WholeState(header, self._host.theme.translate), 0
                self._close_page()
            case FeedRawEvent(event):
                if self._whole is not None:
                    self._whole.add(event)
            case _:
                pass

    def _close_card(self, number: int, verdict: SuggestionVerdict) -> None:
        """Remove the card of a suggestion; texts that were being edited are kept in the message field."""
        card = self._panel.find(number)
        # Read before its fields are destroyed; what the wizard has answered needs no keeping.
        script = None if card is None or card.is_answered else card.script
        self._panel.remove(number)
        self._host.announce("suggestion_closed", number=number, verdict=verdict.value)
        if script is not None:
            self._keep_texts(script, gone_out=verdict in GONE_OUT)

    def _keep_texts(self, script: EditedScript, *, gone_out: bool) -> None:
        number, translate = script.number, self._host.theme.translate
        text = " ".join(filter(None, (text.strip() for text in script.texts)))
        if text:
            self._host.keep_text(text)
        if gone_out:
            note = translate(
                "Suggestion {n} was sent without your changes. Your text is in the message field.",
                n=str(number),
            )
        else:
            note = translate(
                "Suggestion {n} is no longer waiting. Your text is in the message field.", n=str(number)
            )
        self._show_note(note)

    @property
    def _state(self) -> State | None:
        newest = self._host.updates.newest
        return None if newest is None else newest.view.state

    def show(self) -> None:
        """Show the present state and the time that is left."""
        host, updates = self._host, self._host.updates
        translate = host.theme.translate.for_game(host.game.name)
        view = wizard_view(self._wizard, self._state, updates.now, host.seat, host.names, translate)
        # Words and faces of the agent can follow the end of the game, and wait for the wizard as any other.
        usable = not (updates.finished or updates.paused)
        self._panel.show(view, host.phrases(), can_act=self.can_act and usable, can_answer=usable)
        mode = "" if view.mode is None else translate(MODE_NAMES[view.mode])
        c = host.theme.colours
        text = " · ".join(filter(None, (mode, view.heading)))
        self._bar_text.write(text, c.primary if view.suggestions else c.ink)

    def leave_question(self, translate: Language) -> ConfirmationQuestion:
        """Return the question before the window is closed in a running game, which goes on."""
        return leave_wizard_question(translate)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        page = {} if self._page is None else {"whole_state.close": self._page.close_button}
        return {**self._panel.widgets(), "wizard.fold": self.fold, **page}

    # Acts of the wizard

    def _answer(self, answer: AnswerSuggestion) -> None:
        self._show_note("")
        self._inputs.send(answer)

    def _send(self, number: int, edited: EditedScript | None) -> None:
        steps = None if edited is None else edited.performed()
        if steps == ():
            # Every step was left out.
            self._answer(AnswerSuggestion(number, send=False))
        else:
            self._answer(AnswerSuggestion(number, send=True, steps=steps))

    def _edit(self, number: int) -> tuple[EditedScript, EditedScript] | None:
        waiting = self._wizard.find(number)
        if waiting is None:
            return None
        suggested = EditedScript.of(waiting)
        return self._edited.get(number, suggested), suggested

    def _on_edit(self, number: int, is_editing: bool) -> None:
        waiting = self._wizard.find(number)
        has_countdown = waiting is not None and waiting.suggestion.expires_at is not None
        if is_editing == has_countdown and self._wizard.mode is WizardMode.ASSISTED:
            self._inputs.send(HoldSuggestion(number, is_editing))
        for card in self._panel.cards:
            self._panel.bind_card(card)

    def _step_view(self, script: EditedScript, index: int) -> StepView:
        host, state = self._host, self._state
        assert state is not None, "a suggestion is edited in a session that has begun"
        translate = host.theme.translate.for_game(host.game.name)
        return step_view(script.steps[index], state, host.seat, host.names, translate)

    def _change_mode(self, mode: WizardMode) -> None:
        if mode is not self._wizard.mode:
            self._inputs.send(ChangeWizardMode(mode))

    def _choose_line(self, line: str) -> None:
        self._host.type_text(line)
        self._host.announce("line_chosen", text=line)

    def _show_note(self, text: str) -> None:
        self._note = text
        self._panel.show_note(text)

    # The whole state

    def _ask_to_open(self) -> None:
        if self._page is not None:
            return
        if self._wizard.is_raw_open:
            self._request_page()
        else:
            question = open_state_question(self._host.theme.translate)
            self._host.dialogs.ask(question, self._request_state)

    def _request_state(self) -> None:
        self._inputs.send(OpenWholeState())
        self._request_page()

    def _request_page(self) -> None:
        self._wants_page = True
        self._update_page()

    def _update_page(self) -> None:
        """Open the page once the header has arrived, and add what is new."""
        if self._whole is None or not self._wants_page:
            return
        if self._page is None:
            self._open_page()
            return
        self._fill_page()

    def _open_page(self) -> None:
        if self._whole is None:
            return
        self._page = WholeStatePage(self._area, self._host.theme, on_close=self._leave_page)
        self._page_count = 0
        self._fill_page()
        self._host.announce("whole_state_open")

    def _fill_page(self) -> None:
        whole, page, host = self._whole, self._page, self._host
        if whole is None or page is None:
            return
        translate = host.theme.translate.for_game(host.game.name)
        page.show(whole.summary(host.updates.now, translate), whole.event_lines(translate, self._page_count))
        self._page_count = whole.count

    def _leave_page(self) -> None:
        self._wants_page = False
        self._close_page()
        self._host.focus_home()
        self._host.announce("whole_state_closed")

    def _close_page(self) -> None:
        if self._page is not None:
            self._page.close()
            self._page = None
