"""The panels of the participant's place: built together, shown together, and nothing decided here."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk

from PIL import ImageTk

from negoplatform.core.events import Expression, Message
from negoplatform.gui.avatars.avatars import Avatar
from negoplatform.gui.bargaining.compare_panel import ComparePanel
from negoplatform.gui.bargaining.offer_builder import OfferBuilder
from negoplatform.gui.bargaining.offer_card_buttons import CardActions, OfferControls
from negoplatform.gui.bargaining.offer_timeline_panel import TimelinePanel
from negoplatform.gui.bargaining.priorities_panel import sections_of
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.chat.interpretation_strip import Answers
from negoplatform.gui.chat.phrase_menu import PhraseMenu
from negoplatform.gui.pictures.issue_picture_cache import DrawnPictures
from negoplatform.gui.pictures.issue_pictures import IssuePictures
from negoplatform.gui.table.column_grid import place_columns
from negoplatform.gui.table.column_tabs import Tabs
from negoplatform.gui.table.emotion_bar import EmotionBar
from negoplatform.gui.table.header_bar import Header
from negoplatform.gui.table.keyboard_routing import ABOVE, Keyboard
from negoplatform.gui.table.practice_bar import GuideBar
from negoplatform.gui.table.result_panel import EndPanel
from negoplatform.gui.table.side_column import SideColumn
from negoplatform.gui.table.status_bar import Footer
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.garbage_collection import bind_tag
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.bargaining.draft_offer import OnChange
from negoplatform.presentation.bargaining.offer_builder_view import BuilderView
from negoplatform.presentation.bargaining.offer_card_states import Standing
from negoplatform.presentation.bargaining.offer_card_view import CardView
from negoplatform.presentation.bargaining.offer_comparison import CompareView
from negoplatform.presentation.chat.interpretation_view import StripView
from negoplatform.presentation.table.column_arrangement import Arrangement, Column, arranged
from negoplatform.presentation.table.practice_guide import Guide, GuideView
from negoplatform.presentation.table.table_view import EndView, OtherView, TableView
from negoplatform.presentation.transcript.transcript_entries import Line

LOW = 640
"""In a lower window, for 96 dpi, the strip of all offers is folded at first."""

SMALL_FACE = 34
"""Of the face beside the other side's lines, for 96 dpi."""


@dataclass(frozen=True, slots=True)
class Hands:
    """What happens when the participant does something."""

    say: Callable[[Message], None]
    write: Callable[[str], None]
    reading: Answers
    typing: Callable[[], object]
    words: Callable[[], object]
    express: Callable[[Expression, int], None]
    change: OnChange
    undo: Callable[[], None]
    redo: Callable[[], None]
    send_offer: Callable[[], None]
    accept: Callable[[], None]
    walk_away: Callable[[], None]
    rules: Callable[[], None]
    help: Callable[[], None]
    phrases: Callable[[bool], None]
    column: Callable[[Column], None]
    wear: Callable[[Appearance], None]
    done: Callable[[], None]
    card: CardActions
    see_offer: Callable[[int], None]
    compare_offers: Callable[[int, int], None]


class TablePanels:
    """Everything between the window's edges while a session runs.

    Args:
        parent: An empty frame, which they fill.
        theme: Its looks.
        hands: What happens when the participant does something.
        avatar: The other side's face.
        pictures: What issues look like.
        participant: The participant's code.
        again: Whether the next game follows at the end.
        guide: What leads through it, in the guided practice; else None.
    """

    def __init__(
        self,
        parent: tk.Frame,
        theme: Theme,
        hands: Hands,
        *,
        avatar: Avatar,
        pictures: IssuePictures,
        participant: str,
        again: bool = False,
        guide: Guide | None = None,
    ) -> None:
        self._parent, self._theme, self._hands = parent, theme, hands
        self._avatar = avatar
        self._pictures = DrawnPictures(theme, pictures)
        self._card_seq = 0
        self._faces: dict[Expression, ImageTk.PhotoImage] = {}
        self._arrangement: Arrangement | None = None
        self._chosen: Column = "talk"
        self._unread = 0
        parent.rowconfigure(2, weight=1)
        # In the order in which they are seen, for that is the order of Tab.
        self.header = Header(parent, theme, on_rules=hands.rules, on_walk_away=hands.walk_away)
        self.header.frame.grid(row=0, column=0, columnspan=3, sticky="ew")
        theme.in_sight = self.header.frame
        self._guide: GuideBar | None = None
        if guide is not None:
            self._guide = GuideBar(parent, theme, widgets=self.widgets, on_leave=guide.skip)
            self._guide.frame.grid(row=1, column=0, columnspan=3, sticky="ew")
        self._side = SideColumn(parent, theme, avatar, self._pictures)
        self._middle = theme.card(parent, 6)
        self.chat = self._build_chat(self._middle)
        self.phrases = PhraseMenu(
            self.chat.frame, theme, on_say=hands.say, on_close=lambda: hands.phrases(False)
        )
        self.chat.put_below_talk(self.phrases.frame)
        self.builder = OfferBuilder(
            parent,
            theme,
            pictures=self._pictures,
            on_change=hands.change,
            on_undo=hands.undo,
            on_redo=hands.redo,
            on_send=hands.send_offer,
            on_accept=hands.accept,
        )
        self.end = EndPanel(parent, theme, again=again, on_close=hands.done)
        self.chat.line.on_undo, self.chat.line.on_redo = hands.undo, hands.redo
        self.footer = Footer(parent, theme, participant=participant, on_wear=hands.wear, on_help=hands.help)
        self.footer.frame.grid(row=3, column=0, columnspan=3, sticky="ew")
        self._tabs = Tabs(self.footer.tabs, theme, on_choose=self.choose)
        self._ended = False
        self._name_tabs()
        self._arrange(theme.width, theme.height)
        if self._guide is not None:
            self._guide.lift()
        parent.bind("<Configure>", lambda event: self._resized(event))
        self._bind_keys()

    def show(self, view: TableView) -> None:
        """Shows everything but the end."""
        self.header.show(view.header)
        self._side.show(view.other, sections_of(view, self._theme), view.tracker)
        self.chat.show(view.can_talk, view.talk_hint, view.talk_note)
        self.phrases.show(view.phrases)
        if self.phrases.is_open and not view.can_talk:
            self.phrases.close()
        self.timeline.show(view.builder.bar.no_deal)
        if view.card is not None:
            self._show_card(view.card, view.builder)
        if view.end is None:
            self.builder.show(view.builder, view.accept)

    def _show_card(self, card: CardView, builder: BuilderView) -> None:
        talk, self._card_seq = self.chat.talk, card.seq
        room = self.card.show(card, builder.rows, talk.room_for_controls)
        counter = card.counter
        if counter is None:
            talk.stand(Standing(card.seq, card.status, room=room))
        else:
            talk.stand(Standing(card.seq, counter.theirs, counter.heading, room, editing=True))

    def see_offer(self, seq: int) -> None:
        """Scrolls the talk to an offer."""
        self._compared.set_open(False)
        self.chat.talk.see(seq)

    def show_compared(self, view: CompareView) -> None:
        """Shows two offers side by side, below the strip of all offers."""
        self._compared.show(view)
        self._compared.set_open(True)

    def see_card(self) -> None:
        """Scrolls to the newest offer."""
        if self._card_seq:
            self.chat.talk.see(self._card_seq)

    def show_reading(self, view: StripView | None) -> None:
        """Shows what typed words seem to be meant as; nothing lies over what a key would say yes to."""
        if view is not None and self.phrases.is_open and not self.chat.shows_reading:
            # Not for a moment elsewhere: a line that the keyboard comes back to knows of no held key.
            self.phrases.close(lead_back=self.phrases.has_keyboard())
        self.chat.show_reading(view)

    def show_emotion(self, view: TableView, now: float) -> None:
        """Marks the participant's own emotion, and how long it is still seen."""
        self.emotions.show(view.my_expression, view.expression_until, now, view.can_express)

    def show_typing(self, other: OtherView, now: float) -> None:
        """Shows in the talk that the other side is typing."""
        self.chat.show_typing(
            Line("typing", other.name, "", expression=other.expression, t=now) if other.typing else None
        )

    def show_guide(self, view: GuideView) -> bool:
        """Shows a step of the practice; whether it is another one."""
        return self._guide is not None and self._guide.show(view)

    def show_end(self, end: EndView) -> bool:
        """Puts the end in the builder's place; whether there was anything new to show."""
        if not self._ended:
            self._ended = True
            self.builder.close()
            self.builder.frame.grid_remove()
            self._chosen = "offer"
            self._arrange(self._theme.width, self._theme.height)
        return self.end.show(end)

    @property
    def end_shown(self) -> bool:
        """Whether the end has taken the builder's place."""
        return bool(self.end.frame.winfo_manager())

    def widgets(self) -> dict[str, tk.Misc]:
        """What can be pressed, written in and read, by name."""
        emotions = {
            f"emotion.{expression.value.lower()}": button
            for expression, button in self.emotions.buttons.items()
        }
        return {
            **self.builder.widgets(),
            **emotions,
            **self.chat.widgets(),
            **self.card.widgets(),
            **self.timeline.widgets(),
            "timeline.compare.close": self._compared.close_button,
            **(self.phrases.widgets() if self.phrases.is_open else {}),
            "emotion.duration": self.emotions.duration,
            "rules": self.header.rules,
            "help": self.footer.help,
            "walk_away": self.header.walk_away,
            "larger": self.footer.larger,
            "smaller": self.footer.smaller,
            "other_theme": self.footer.other_theme,
            **self._side.widgets(),
            **{f"tab.{column}": button for column, button in self._tabs.buttons.items()},
            "done": self.end.done,
            **({} if self._guide is None else {"guide.leave": self._guide.leave}),
        }

    def focused(self) -> str:
        """The name of what has the keyboard; empty if that has none."""
        # Asked of Tk itself: focus_get() fails while the list of a combobox has the focus.
        path = str(self._parent.tk.call("focus"))
        return next((name for name, widget in self.widgets().items() if str(widget) == path), "")

    def focus(self, *names: str) -> None:
        """Gives the keyboard to what bears the first of these names; where that cannot be, to the line."""
        named = self.widgets()
        widget = next((named[name] for name in names if name in named), self.chat.entry)
        off = isinstance(widget, ttk.Widget) and widget.instate(["disabled"])
        target = self.chat.entry if off else widget
        self._reveal(target)
        target.focus_set()

    def route_keys(self, is_covered: Callable[[], bool]) -> None:
        """Bind keys and clicks; ``is_covered`` tells whether a page or a question lies over the panels."""
        Keyboard(self._parent, self.chat.line, is_covered=is_covered, close=self._close_cards)

    def _close_cards(self) -> bool:
        """Close what lies over the talk, the newest first; whether there was anything."""
        if self.phrases.is_open:
            self.phrases.close(lead_back=False)
            return True
        compared = self._compared.open
        self._compared.set_open(False)
        return compared or self.timeline.close() or self.builder.close() or self.chat.close_text()

    def add(self, lines: Sequence[Line]) -> None:
        """Adds lines to the transcript."""
        self.chat.add(lines)
        self.timeline.add(lines)
        if not self._shows("talk"):
            self._unread += sum(line.theirs for line in lines)
            self._name_tabs()

    # Which columns are seen

    @property
    def chosen_column(self) -> Column:
        """The column that was asked for last."""
        return self._chosen

    def choose(self, column: Column) -> None:
        """Show a column, in place of another where there is no room for both."""
        self._chosen = column
        if self._arrangement is None or not self._arrangement.tabs:
            return
        self._arrange(self._theme.width, self._theme.height)
        if column == "talk":
            self.chat.entry.focus_set()
        else:
            self._leave_hidden(column)
        self._hands.column(column)

    def _leave_hidden(self, column: Column) -> None:
        """The keyboard can't stay with what isn't seen any more."""
        path = str(self._parent.tk.call("focus"))
        hidden = [frame for each, frame in self._frames().items() if not self._shows(each)]
        if any(path.startswith(f"{frame}.") for frame in hidden):
            self._tabs.buttons[column].focus_set()

    def _words_changed(self) -> None:
        """Whoever writes sees what they write."""
        if not self._shows("talk"):
            self.choose("talk")
        self._hands.words()

    def _bind_keys(self) -> None:
        for key, step in {"<Control-Next>": 1, "<Control-Prior>": -1}.items():
            bind_tag(self.header.frame, ABOVE, key, lambda _event, step=step: self._tabs.next(step))  # type: ignore[misc]

    def _shows(self, column: Column) -> bool:
        return self._arrangement is None or column in self._arrangement.shown

    def _reveal(self, widget: tk.Misc) -> None:
        """Show the column that a widget stands in."""
        path = str(widget)
        for column, frame in self._frames().items():
            if path.startswith(f"{frame}.") and not self._shows(column):
                self.choose(column)

    def _frames(self) -> dict[Column, tk.Widget]:
        return {
            "side": self._side.frame,
            "talk": self._middle,
            "offer": self.end.frame if self._ended else self.builder.frame,
        }

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is self._parent:
            self._arrange(event.width / self._theme.scale, event.height / self._theme.scale)
            self.footer.fit()
            if self.phrases.is_open:
                self._theme.root.update_idletasks()
                self.phrases.fit(self.chat.room)

    def _arrange(self, width: float, height: float) -> None:
        """Put the columns where a window of a size, for 96 dpi, has room for them."""
        arrangement = arranged(width, height, self._chosen)
        self._arrangement = arrangement
        px = self._theme.px
        if self._shows("talk"):
            self._unread = 0
        place_columns(self._parent, self._theme, self._frames(), arrangement, row=2)
        self._side.set_gap(px(arrangement.gap))
        self.header.fit(px(width), px(height))
        self.footer.show_narrow(narrow=bool(arrangement.tabs))
        self._name_tabs()
        self._tabs.show(arrangement.tabs, self._chosen_tab(arrangement))

    @staticmethod
    def _chosen_tab(arrangement: Arrangement) -> Column:
        return next((column for column in arrangement.shown if column in arrangement.tabs), "talk")

    def _name_tabs(self) -> None:
        say = self._theme.say
        talk = say("Chat ({n} new)", n=self._unread) if self._unread else say("Chat")
        offer = say("Result") if self._ended else say("Offer")
        self._tabs.write({"side": say("You and them"), "talk": talk, "offer": offer})

    def _build_chat(self, middle: tk.Misc) -> ChatPanel:
        chat = ChatPanel(
            middle,
            self._theme,
            on_send=self._hands.write,
            on_typing=self._hands.typing,
            on_words=self._words_changed,
            on_phrases=self._open_phrases,
            reading=self._hands.reading,
            face=self._face,
            pictures=self._pictures,
        )
        chat.frame.pack(fill="both", expand=True)
        self.card = OfferControls(
            chat.talk.frame,
            self._theme,
            pictures=self._pictures,
            actions=self._hands.card,
            on_wheel=lambda step: chat.talk.scroll(step, "units"),
            home=lambda: chat.entry,
        )
        chat.talk.embed(self.card.frame)
        self.timeline = TimelinePanel(
            middle,
            self._theme,
            above=chat.frame,
            on_pick=self._hands.see_offer,
            on_compare=self._hands.compare_offers,
        )
        if self._theme.height < LOW:
            self.timeline.turn()
        # Tab comes to it before the talk, as reading does.
        self.timeline.frame.lower(chat.frame)
        self._compared = ComparePanel(
            middle,
            self._theme,
            beside=self.timeline.frame,
            below=True,
            on_close=lambda: self._compared.set_open(False),
        )
        self.emotions = EmotionBar(chat.emotions_place, self._theme, on_express=self._hands.express)
        self.emotions.frame.pack(fill="x")
        return chat

    def _open_phrases(self) -> None:
        """Between the talk and the line for writing."""
        if self.phrases.is_open:
            self.phrases.close()
            return
        self.phrases.open(self.chat.room)
        self._hands.phrases(True)

    def _face(self, expression: Expression) -> ImageTk.PhotoImage | None:
        if expression not in self._faces:
            theme = self._theme
            image = self._avatar.draw(expression, theme.px(SMALL_FACE), theme.colours.card)
            self._faces[expression] = theme.picture(image)
        return self._faces[expression]
