"""The panels of the table screen, built and updated together without any decisions."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from tkinter import ttk

from negoplatform.core.events import Expression, Message
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.avatars.small_portraits import SmallPortraits
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.chat.coach_bar import CoachBar
from negoplatform.gui.chat.phrase_menu import PhraseMenu
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.columns import Tabs, place_columns
from negoplatform.gui.table.emotion_bar import EmotionBar
from negoplatform.gui.table.header_bar import HeaderBar
from negoplatform.gui.table.keyboard_to_message_field import WINDOW_TAG, KeyboardBindings
from negoplatform.gui.table.practice_bar import PracticeBar
from negoplatform.gui.table.result_panel import ResultPanel
from negoplatform.gui.table.side_column import SideColumn
from negoplatform.gui.table.status_and_appearance_bar import StatusAndAppearanceBar
from negoplatform.gui.table.workbench import Workbench
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.chat.address_view import Address
from negoplatform.presentation.game_words import GameWords
from negoplatform.presentation.localized_names import join_names
from negoplatform.presentation.offers.offer_sentence import RIGHT_TO_LEFT_MARK
from negoplatform.presentation.table.column_arrangement import Arrangement, TableColumn, arrange_columns
from negoplatform.presentation.table.practice_guide import GuideOptions, GuideView
from negoplatform.presentation.table.table_view import Gaze, OtherView, ResultView, TableView
from negoplatform.presentation.table.work_presenter import WorkView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


@dataclass(frozen=True, slots=True)
class TableCallbacks:
    """Callbacks for the participant's actions."""

    send_phrase: Callable[[Message], None]
    choose_address: Callable[[Address], None]
    submit_text: Callable[[str], None]
    on_typing: Callable[[], object]
    on_text_changed: Callable[[], object]
    send_expression: Callable[[Expression, int], None]
    walk_away: Callable[[], None]
    open_rules: Callable[[], None]
    open_help: Callable[[], None]
    on_phrases_toggled: Callable[[bool], None]
    on_column_shown: Callable[[TableColumn], None]
    change_appearance: Callable[[Appearance], None]
    on_done: Callable[[], None]


class TablePanels:
    """All widgets of the window during a session.

    Args:
        parent: An empty frame that the panels fill.
        theme: The window's theme.
        callbacks: The callbacks for the participant's actions.
        workbench: Builds and updates what differs by mechanism.
        avatars: The portraits of the others, by seat.
        pictures: The pictures of the game.
        participant: The participant's code.
        words: Words for the kind of game.
        has_next_game: Whether another game follows at the end.
        talks: Whether there is talk in the game; without it, nothing to talk with is shown.
        guide: The options of the guided practice; None in a session.
        on_ask: Called for a question to the experimenter; None: it is not offered.
    """

    def __init__(
        self,
        parent: tk.Frame,
        theme: Theme,
        callbacks: TableCallbacks,
        workbench: Workbench,
        *,
        avatars: Mapping[Seat, Avatar],
        pictures: IssuePhotoCache,
        participant: str,
        words: GameWords,
        has_next_game: bool = False,
        talks: bool = True,
        guide: GuideOptions | None = None,
        on_ask: Callable[[], None] | None = None,
    ) -> None:
        self._parent, self._theme, self._callbacks = parent, theme, callbacks
        self._workbench, self._pictures, self._talks = workbench, pictures, talks
        self._portraits, self._others_count = SmallPortraits(theme, avatars), len(avatars)
        self._arrangement: Arrangement | None = None
        self._chosen: TableColumn = "talk"
        self._unread = 0
        parent.rowconfigure(2, weight=1)
        # In visual order, which is the order of Tab.
        self.header = HeaderBar(
            parent,
            theme,
            on_rules=callbacks.open_rules,
            on_walk_away=callbacks.walk_away,
            leave=words.leave,
            on_ask=on_ask,
        )
        self.header.frame.grid(row=0, column=0, columnspan=3, sticky="ew")
        theme.uncovered_widget = self.header.frame
        self._guide: PracticeBar | None = None
        if guide is not None:
            self._guide = PracticeBar(parent, theme, widgets=self.widgets, on_leave=guide.on_leave)
            self._guide.frame.grid(row=1, column=0, columnspan=3, sticky="ew")
        self._coach = CoachBar(parent, theme)
        self._side = SideColumn(parent, theme, avatars, workbench.build_side, gaze_target=self._gaze_target)
        self._middle = theme.card(parent, 6)
        self.chat = self._build_chat(self._middle)
        self.phrases = self._build_phrases()
        self.chat.add_below_transcript(self.phrases.frame)
        self._column = workbench.build_column(parent)
        self.end = ResultPanel(parent, theme, again=has_next_game, on_close=callbacks.on_done)
        self.chat.line.on_undo, self.chat.line.on_redo = workbench.undo, workbench.redo
        self.footer = StatusAndAppearanceBar(
            parent,
            theme,
            participant=participant,
            on_appearance=callbacks.change_appearance,
            on_help=callbacks.open_help,
        )
        self.footer.frame.grid(row=3, column=0, columnspan=3, sticky="ew")
        self._tabs = Tabs(self.footer.tabs, theme, on_choose=self.show_column)
        self._ended = False
        self._name_tabs()
        self._arrange(*self._room)
        if self._guide is not None:
            self._guide.lift()
        parent.bind("<Configure>", lambda event: self._resized(event))
        self._bind_keys()

    def _build_phrases(self) -> PhraseMenu:
        callbacks = self._callbacks
        return PhraseMenu(
            self.chat.frame,
            self._theme,
            on_send=callbacks.send_phrase,
            on_close=lambda: callbacks.on_phrases_toggled(False),
        )

    def show(self, view: TableView[WorkView]) -> None:
        """Update all panels except the result."""
        self.header.show(view.header)
        if self._coach.show(view.coach):
            if self._coach.has_items:
                self._coach.frame.grid(row=1, column=0, columnspan=3, sticky="ew")
            else:
                self._coach.frame.grid_remove()
        self.chat.show(view.can_talk, view.talk_hint, view.talk_note)
        self.chat.show_address(view.address)
        self.phrases.show(view.phrases)
        if self.phrases.is_open and not view.can_talk:
            self.phrases.close()
        changed = self._workbench.show(view)
        # After what the workbench shows, at which the eyes may look.
        self._side.show(view.others, view.last_speaker)
        if changed:
            self._side.rearrange()

    def close_phrases(self) -> None:
        """Close the phrases, if they are open."""
        if self.phrases.is_open:
            # Not by way of another widget: a message field that regains the focus forgets which key is held.
            self.phrases.close(restore_focus=self.phrases.has_focus())

    def show_emotion(self, view: TableView[WorkView], now: float) -> None:
        """Mark the participant's own emotion and its remaining time."""
        self.emotions.show(view.my_expression, view.expression_until, now, view.can_express)

    def show_typing(self, others: Sequence[OtherView], now: float) -> None:
        """Show in the chat that others are typing: one portrait, and all their names."""
        typing = [other for other in others if other.typing]
        if not typing:
            self.chat.transcript_view.show_typing(None)
            return
        first = typing[0]
        names = join_names([other.name for other in typing], self._theme.translate)
        if self._theme.rtl and len(typing) > 1:
            # A line that begins with a Latin name is in reading order all the same.
            names = RIGHT_TO_LEFT_MARK + names
        line = TranscriptEntry(
            "typing",
            names,
            "",
            expression=first.expression,
            intensity=first.intensity,
            t=now,
            sender=first.seat,
            mark=first.mark,
        )
        self.chat.transcript_view.show_typing(line)

    def show_guide(self, view: GuideView) -> bool:
        """Show a step of the practice; return whether it is a new one."""
        return self._guide is not None and self._guide.show(view)

    def show_end(self, end: ResultView) -> bool:
        """Show the result in place of the right column; return whether it has changed."""
        if not self._ended:
            self._ended = True
            self._workbench.close()
            self._column.grid_remove()
            self._chosen = "offer"
            self._arrange(*self._room)
        return self.end.show(end)

    @property
    def is_end_shown(self) -> bool:
        """Whether the result has replaced the right column."""
        return bool(self.end.frame.winfo_manager())

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        emotions = {
            f"emotion.{expression.value.lower()}": button
            for expression, button in self.emotions.buttons.items()
        }
        return {
            **self._workbench.widgets(),
            **(emotions if self._talks else {}),
            **self.chat.widgets(),
            **(self.phrases.widgets() if self.phrases.is_open else {}),
            **({"emotion.duration": self.emotions.duration} if self._talks else {}),
            "rules": self.header.rules,
            "help": self.footer.help,
            "walk_away": self.header.walk_away,
            "larger": self.footer.larger,
            "smaller": self.footer.smaller,
            "other_theme": self.footer.theme_button,
            **{f"tab.{column}": button for column, button in self._tabs.buttons.items()},
            "done": self.end.done,
            **self._coach.widgets(),
            **({} if self._guide is None else {"guide.leave": self._guide.leave_button}),
        }

    def focused(self) -> str:
        """Return the name of the focused control, or an empty string."""
        # Asked of Tk itself: focus_get() fails while the list of a combobox has the focus.
        path = str(self._parent.tk.call("focus"))
        return next((name for name, widget in self.widgets().items() if str(widget) == path), "")

    def focus(self, *names: str) -> None:
        """Focus the first of the named controls that exists; if that is disabled, the message field."""
        named = self.widgets()
        widget = next((named[name] for name in names if name in named), self.chat.home)
        off = isinstance(widget, ttk.Widget) and widget.instate(["disabled"])
        target = self.chat.home if off else widget
        self._reveal(target)
        target.focus_set()

    def route_keys(self, is_covered: Callable[[], bool]) -> None:
        """Bind keys and clicks; ``is_covered`` returns whether a page or a dialog covers the panels."""
        KeyboardBindings(
            self._parent,
            self.chat.line,
            is_covered=is_covered,
            close=self._close_cards,
            work=self._column,
            click_home=self._workbench.click_home,
        )
        # Wherever the focus is, as the help says.
        bind_tag(
            self.chat.entry,
            WINDOW_TAG,
            "<F3>",
            lambda _event: None if is_covered() else self.chat.open_address(),
        )

    def _gaze_target(self, gaze: Gaze) -> tuple[int, int] | None:
        """Return the place of the message field, or of the newest offer, in pixels of the screen."""
        if not self._is_column_shown("talk"):
            return None
        if gaze == "card":
            return self._workbench.newest_act_place()
        entry = self.chat.entry
        return entry.winfo_rootx() + entry.winfo_width() // 2, entry.winfo_rooty() + entry.winfo_height() // 2

    def _close_cards(self) -> bool:
        """Close the topmost card over the chat; return whether there was one."""
        if self.phrases.is_open:
            self.phrases.close(restore_focus=False)
            return True
        return self._workbench.close_cards() or self.chat.close_plain_view()

    def add(self, lines: Sequence[TranscriptEntry]) -> None:
        """Add lines to the transcript."""
        self.chat.transcript_view.add(lines)
        self._workbench.add_lines(lines)
        if not self._is_column_shown("talk"):
            self._unread += sum(line.is_theirs for line in lines)
            self._name_tabs()

    # Visible columns

    @property
    def chosen_column(self) -> TableColumn:
        """The column that was requested last."""
        return self._chosen

    def show_column(self, column: TableColumn) -> None:
        """Show a column, in place of another one if they do not both fit."""
        self._chosen = column
        if self._arrangement is None or not self._arrangement.tabs:
            return
        self._arrange(*self._room)
        if column == "talk":
            self.chat.home.focus_set()
        else:
            self._leave_hidden(column)
        self._callbacks.on_column_shown(column)

    def _leave_hidden(self, column: TableColumn) -> None:
        """Move the focus out of a hidden column."""
        path = str(self._parent.tk.call("focus"))
        hidden = [frame for each, frame in self._frames().items() if not self._is_column_shown(each)]
        if any(path.startswith(f"{frame}.") for frame in hidden):
            self._tabs.buttons[column].focus_set()

    def _on_text_changed(self) -> None:
        """Show the column in which the participant is writing."""
        if not self._is_column_shown("talk"):
            self.show_column("talk")
        self._callbacks.on_text_changed()

    def _bind_keys(self) -> None:
        for key, step in {"<Control-Next>": 1, "<Control-Prior>": -1}.items():
            bind_tag(self.header.frame, WINDOW_TAG, key, lambda _event, step=step: self._tabs.next(step))  # type: ignore[misc]

    def _is_column_shown(self, column: TableColumn) -> bool:
        return self._arrangement is None or column in self._arrangement.shown

    def _reveal(self, widget: tk.Misc) -> None:
        """Show the column that contains a widget."""
        path = str(widget)
        for column, frame in self._frames().items():
            if path.startswith(f"{frame}.") and not self._is_column_shown(column):
                self.show_column(column)

    def _frames(self) -> dict[TableColumn, tk.Widget]:
        return {
            "side": self._side.frame,
            "talk": self._middle,
            "offer": self.end.frame if self._ended else self._column,
        }

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._parent:
            self._arrange(event.width / self._theme.scale, event.height / self._theme.scale)
            self.footer.fit()
            if self.phrases.is_open:
                self._theme.root.update_idletasks()
                self.phrases.fit(self.chat.room)

    @property
    def _room(self) -> tuple[float, float]:
        """The width and height of the panels, for 96 dpi; those of the window until they are shown."""
        theme, parent = self._theme, self._parent
        if parent.winfo_width() <= 1:
            return theme.width, theme.height
        return parent.winfo_width() / theme.scale, parent.winfo_height() / theme.scale

    def _arrange(self, width: float, height: float) -> None:
        """Arrange the columns for a window of this size, for 96 dpi."""
        arrangement = arrange_columns(width, height, self._chosen)
        self._arrangement = arrangement
        px = self._theme.px
        if self._is_column_shown("talk"):
            self._unread = 0
        place_columns(self._parent, self._theme, self._frames(), arrangement, row=2)
        self._side.set_gap(px(arrangement.gap))
        self.header.fit(px(width), px(height))
        self.footer.show_narrow(narrow=bool(arrangement.tabs))
        self._name_tabs()
        self._tabs.show(arrangement.tabs, self._chosen_tab(arrangement))

    @staticmethod
    def _chosen_tab(arrangement: Arrangement) -> TableColumn:
        return next((column for column in arrangement.shown if column in arrangement.tabs), "talk")

    def _name_tabs(self) -> None:
        translate = self._theme.translate
        if not self._talks:
            talk = translate("What happened")
        else:
            talk = translate("Chat ({n} new)", n=self._unread) if self._unread else translate("Chat")
        offer = translate("Result") if self._ended else self._workbench.tab_name(translate)
        self._tabs.write({"side": translate("You and them"), "talk": talk, "offer": offer})

    def _build_chat(self, middle: tk.Widget) -> ChatPanel:
        chat = ChatPanel(
            middle,
            self._theme,
            on_send=self._callbacks.submit_text,
            on_typing=self._callbacks.on_typing,
            on_words=self._on_text_changed,
            on_phrases=self._open_phrases,
            on_address=self._callbacks.choose_address,
            reading=self._workbench.reader,
            talks=self._talks,
            face=self._portraits.get,
            pictures=self._pictures,
        )
        chat.frame.pack(fill="both", expand=True)
        self._workbench.build_in_talk(middle, chat)
        self.emotions = EmotionBar(
            chat.emotion_area,
            self._theme,
            several=self._others_count > 1,
            on_express=self._callbacks.send_expression,
        )
        self.emotions.frame.pack(fill="x")
        return chat

    def _open_phrases(self) -> None:
        """Show or hide the phrases, between the chat and the message field."""
        if self.phrases.is_open:
            self.phrases.close()
            return
        self.phrases.open(self.chat.room)
        self._callbacks.on_phrases_toggled(True)
