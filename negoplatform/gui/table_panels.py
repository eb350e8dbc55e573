"""The panels of the participant's place: built together, shown together, and nothing decided here."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk

from PIL import ImageTk

from negoplatform.core.events import Expression, Message
from negoplatform.gui.appearance import Appearance
from negoplatform.gui.avatars import Avatar
from negoplatform.gui.builder_view import BuilderView
from negoplatform.gui.card_view import CardView
from negoplatform.gui.chat_panel import ChatPanel
from negoplatform.gui.compare_panel import ComparePanel
from negoplatform.gui.compare_view import CompareView
from negoplatform.gui.draft import OnChange
from negoplatform.gui.drawn_pictures import DrawnPictures
from negoplatform.gui.emotion_bar import EmotionBar
from negoplatform.gui.end_panel import EndPanel
from negoplatform.gui.footer import Footer
from negoplatform.gui.header import Header
from negoplatform.gui.issue_pictures import IssuePictures
from negoplatform.gui.keyboard import Keyboard
from negoplatform.gui.lines import Line
from negoplatform.gui.offer_builder import OfferBuilder
from negoplatform.gui.offer_cards import Standing
from negoplatform.gui.offer_controls import CardActions, OfferControls
from negoplatform.gui.other_panel import OtherPanel
from negoplatform.gui.phrase_menu import PhraseMenu
from negoplatform.gui.priorities_panel import PrioritiesPanel
from negoplatform.gui.reading_strip import Answers
from negoplatform.gui.reading_view import StripView
from negoplatform.gui.theme import Theme
from negoplatform.gui.timeline_panel import TimelinePanel
from negoplatform.gui.tracker_panel import TrackerPanel
from negoplatform.gui.view import EndView, OtherView, TableView

SMALL_FACE = 34
"""Of the face beside the other side's lines, for 96 dpi."""

LOW = 700
"""A window lower than this (for 96 dpi) gets a smaller face."""


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
    ) -> None:
        self._parent, self._theme, self._hands = parent, theme, hands
        self._avatar = avatar
        self._pictures = DrawnPictures(theme, pictures)
        self._card_seq = 0
        self._faces: dict[Expression, ImageTk.PhotoImage] = {}
        px = theme.px
        parent.columnconfigure(theme.column(1, 3), weight=1)
        parent.rowconfigure(1, weight=1)
        # In the order in which they are seen, for that is the order of Tab.
        self.header = Header(parent, theme, on_rules=hands.rules, on_walk_away=hands.walk_away)
        self.header.frame.grid(row=0, column=0, columnspan=3, sticky="ew")
        self._build_left(parent)
        middle = theme.card(parent, 6)
        middle.grid(row=1, column=theme.column(1, 3), sticky="nsew", padx=px(12), pady=px(12))
        self.chat = self._build_chat(middle)
        self.phrases = PhraseMenu(middle, theme, on_say=hands.say, on_close=lambda: hands.phrases(False))
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
        self._place_right(self.builder.frame)
        self.end = EndPanel(parent, theme, again=again, on_close=hands.done)
        self.chat.line.on_undo, self.chat.line.on_redo = hands.undo, hands.redo
        self.footer = Footer(parent, theme, participant=participant, on_wear=hands.wear, on_help=hands.help)
        self.footer.frame.grid(row=2, column=0, columnspan=3, sticky="ew")

    def show(self, view: TableView) -> None:
        """Shows everything but the end."""
        self.header.show(view.header)
        self._other.show(view.other)
        self._priorities.show(view)
        self._tracker.show(view.tracker)
        self.chat.show(view.can_talk, view.talk_hint)
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

    def show_end(self, end: EndView) -> bool:
        """Puts the end in the builder's place; whether there was anything new to show."""
        # Whether it has its place: it is not drawn yet where other looks were asked for after the end.
        if self.builder.frame.winfo_manager():
            self.builder.close()
            self.builder.frame.grid_remove()
            self._place_right(self.end.frame)
        return self.end.show(end)

    def lead_out(self) -> None:
        """Gives the keyboard to the way out unless it is in use: a Space in a last word would press that."""
        call, entry = self._parent.tk.call, str(self.chat.entry)
        path = str(call("focus"))
        used = bool(self.chat.words) if path == entry else path and call("winfo", "viewable", path)
        if not used:
            self.end.done.focus_set()

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
            "done": self.end.done,
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
        (self.chat.entry if off else widget).focus_set()

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

    def _build_left(self, parent: tk.Misc) -> None:
        theme, px = self._theme, self._theme.px
        left = theme.frame(parent, theme.colours.ground)
        left.grid(row=1, column=theme.column(0, 3), sticky="ns", padx=theme.beside(12, 0), pady=px(12))
        small = theme.height < LOW
        self._other = OtherPanel(left, theme, self._avatar, small=small)
        self._other.frame.pack(side="top", fill="x")
        self._tracker = TrackerPanel(left, theme)
        self._tracker.frame.pack(side="bottom", fill="x")
        self._priorities = PrioritiesPanel(left, theme)
        self._priorities.frame.pack(side="top", fill="both", expand=True, pady=px(12))

    def _build_chat(self, middle: tk.Misc) -> ChatPanel:
        chat = ChatPanel(
            middle,
            self._theme,
            on_send=self._hands.write,
            on_typing=self._hands.typing,
            on_words=self._hands.words,
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
        """Over the transcript's lower part, above the line for writing and what is asked about its words."""
        if self.phrases.is_open:
            self.phrases.close()
            return
        above = self.chat.foot - self.chat.frame.master.winfo_rooty() - self._theme.px(12)
        wanted = self.phrases.frame.winfo_reqheight()
        self.phrases.frame.place(x=0, y=above, anchor="sw", relwidth=1, height=min(wanted, above))
        self.phrases.open()
        self._hands.phrases(True)

    def _place_right(self, frame: tk.Misc) -> None:
        theme = self._theme
        frame.grid(  # type: ignore[attr-defined]  # every frame can be put on a grid
            row=1, column=theme.column(2, 3), sticky="ns", padx=theme.beside(0, 12), pady=theme.px(12)
        )

    def _face(self, expression: Expression) -> ImageTk.PhotoImage | None:
        if expression not in self._faces:
            theme = self._theme
            image = self._avatar.draw(expression, theme.px(SMALL_FACE), theme.colours.card)
            self._faces[expression] = theme.picture(image)
        return self._faces[expression]
