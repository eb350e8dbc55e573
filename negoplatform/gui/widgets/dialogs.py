"""Dialogs for confirmations, as cards over the dimmed window, and the focus trap that keeps the keyboard."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any

from PIL import Image, ImageTk

from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialog_backdrop_pictures import (
    dim_colour,
    dim_picture,
    draw_raised_card,
    grab_window,
)
from negoplatform.gui.widgets.label_pairs import build_pair_rows
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.gui.widgets.widget_bound_callbacks import bind_tag
from negoplatform.presentation.confirmation_question import ConfirmationQuestion

WIDTH, WINDOW_MARGIN = 420, 100
"""Text width of a dialog, and the least by which the window is wider, in pixels at 96 dpi."""

PADDING, EDGE, RADIUS, BLUR = 24, 6, 14, 24
"""Padding, distance to the window's edges, corner radius and shadow size of a card, in pixels at 96 dpi."""

UNARMED_KEYS, UNARMED_CLICKS = 1.0, 0.4
"""Seconds for which a new question ignores keys (except Escape) and clicks: it cannot have been read yet."""


class Dialog:
    """Card over the dimmed window, which takes no input meanwhile.

    The area above ``theme.dialog_top`` stays visible. Contents go into ``body``. Escape means no. The focus
    stays within the card until it is closed, and then returns to where it was.

    Args:
        theme: Theme; the widget is placed over its root window.
        title: Heading of the card.
        announcer: Test announcer for opening and closing.
        unarmed: Whether keys and clicks are ignored at first.
    """

    def __init__(
        self, theme: Theme, title: str, *, announcer: UiTestAnnouncer, unarmed: bool = False
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._unarmed = unarmed
        self._announced_text = title
        self._opened_at = float("-inf")
        self._click_rejected = False
        self._previous_focus = ""
        self._below: Image.Image | None = None
        self._drawn: tuple[int, ...] = ()
        self._pictures: list[ImageTk.PhotoImage] = []
        self._width = min(WIDTH, round(theme.width) - WINDOW_MARGIN)
        px, c = theme.px, theme.colours
        self._overlay = tk.Canvas(theme.root, bg=dim_colour(c), bd=0, highlightthickness=0, takefocus=0)
        self._ground = self._overlay.create_image(0, 0, anchor="nw")
        self._raised = self._overlay.create_image(0, 0, anchor="nw")
        self._card = tk.Frame(self._overlay, bg=c.card, padx=px(PADDING - RADIUS), pady=px(PADDING - RADIUS))
        # Indented like the scrolled area, which has a focus ring around it.
        theme.label(self._card, title, "heading", wrap=self._width).pack(anchor=theme.west, padx=px(2))
        # Packed from the bottom, so that the buttons stay visible however much text is above them.
        self._button_bar = theme.frame(self._card)
        self._button_bar.pack(side="bottom", fill="x")
        self._scrolled = ScrolledFrame(self._card, theme, width=self._width, height=2000)
        self._scrolled.frame.pack(fill="both", expand=True, pady=(px(4), 0))
        self.body = self._scrolled.inside
        self._focus_trap = FocusTrap(self._overlay)
        self._focus_trap.bind("<Escape>", lambda _event: self.close())
        for sequence in ("<Key>", "<Button>"):
            self._focus_trap.bind(sequence, self._reject_early_input)
        self._focus_trap.bind("<ButtonRelease>", self._reject_early_release)

    def open(self) -> None:
        """Show the dialog."""
        theme, root = self._theme, self._theme.root
        root.update_idletasks()
        self._previous_focus = str(root.tk.call("focus"))
        top = theme.dialog_top
        size = root.winfo_width(), root.winfo_height() - top
        picture = grab_window(theme, (0, top, size[0], top + size[1]))
        if picture is not None:
            self._below = dim_picture(picture, theme.colours)
            self._pictures.append(theme.picture(self._below))
            self._overlay.itemconfigure(self._ground, image=self._pictures[0])
        del picture  # 16 MB on a high-resolution screen
        self._scrolled.bind_scrolling(self.body)
        self._overlay.place(x=0, y=top, relwidth=1, relheight=1, height=-top)
        # Canvas.tkraise raises canvas items, not the widget.
        tk.Misc.tkraise(self._overlay)
        self._overlay.create_window(0, 0, anchor="nw", window=self._card, tags="card")
        self._lay_out(*size)
        for widget in (self._overlay, self._card):
            widget.bind("<Configure>", lambda _event: self._lay_out_again(), add="+")
        self._focus_trap.add_widgets()
        root.update_idletasks()
        self._overlay.grab_set()
        self.initial_focus().focus_force()
        self._opened_at = time.monotonic()
        self._overlay.after(round(1000 * UNARMED_KEYS) if self._unarmed else 0, self._announce_open)

    @property
    def is_open(self) -> bool:
        """Whether the dialog is still shown."""
        return bool(self._overlay.winfo_exists())

    def close(self) -> None:
        """Close the dialog; as an answer, this means no."""
        if not self.is_open:
            return
        call, before = self._overlay.tk.call, self._previous_focus
        self._overlay.grab_release()
        self._overlay.destroy()
        self._below = None
        self._pictures.clear()
        if before and int(call("winfo", "exists", before)):
            call("focus", before)
        self._announcer.announce("dialog_closed")

    def add_paragraph(self, text: str, colour: str, font: str = "body") -> tk.Label:
        """Add a paragraph and return its label."""
        label = self._theme.label(self.body, text, font, colour, wrap=self._width)
        label.pack(anchor=self._theme.west, pady=self._theme.px(4))
        return label

    def add_buttons(self, yes: str, no: str, style: str, on_yes: Callable[[], None]) -> tk.Widget:
        """Add the confirming and the safe button; return the safe one."""
        theme, foot = self._theme, self._button_bar
        # Created in Tab order, which is the reading order.
        safe = theme.button(foot, no, "Plain.TButton", self.close)
        confirm = theme.button(foot, yes, style, on_yes)
        across = safe.winfo_reqwidth() + theme.px(8) + confirm.winfo_reqwidth()
        if across <= theme.px(self._width):
            confirm.pack(side=theme.end, pady=(theme.px(16), 0))
            safe.pack(side=theme.end, padx=theme.px(8), pady=(theme.px(16), 0))
        else:
            safe.pack(fill="x", pady=(theme.px(16), 0))
            confirm.pack(fill="x", pady=(theme.px(8), 0))
        self._announcer.register("dialog.yes", confirm)
        self._announcer.register("dialog.no", safe)
        return safe

    def add_further_button(self, text: str, on_press: Callable[[], None]) -> None:
        """Add a button for something else, in a row above the other two; call it after them."""
        theme = self._theme
        button = theme.button(self._button_bar, text, "Quiet.TButton", on_press)
        first = self._button_bar.pack_slaves()[0]
        button.pack(side="top", before=first, anchor=theme.west, pady=(theme.px(10), 0))
        self._announcer.register("dialog.further", button)

    def initial_focus(self) -> tk.Misc:
        """Return the widget that has the focus at first."""
        return self._overlay

    def _announce_open(self) -> None:
        self._announcer.announce("dialog_open", text=self._announced_text)

    def _reject_early_input(self, event: tk.Event[tk.Misc]) -> str | None:
        """Reject input that came before the dialog can have been read: it was meant for something else."""
        is_click = event.type is tk.EventType.ButtonPress
        needed = UNARMED_CLICKS if is_click else UNARMED_KEYS
        refused = self._unarmed and time.monotonic() - self._opened_at < needed
        if is_click:
            self._click_rejected = refused
        return "break" if refused else None

    def _reject_early_release(self, event: tk.Event[tk.Misc]) -> str | None:
        # A button that came under the pointer while the pointer was held down counts as pressed.
        if self._click_rejected and isinstance(event.widget, ttk.Button):
            event.widget.state(["!pressed"])
        return "break" if self._click_rejected else None

    def _lay_out_again(self) -> None:
        if self.is_open:
            self._lay_out(self._overlay.winfo_width(), self._overlay.winfo_height())

    def _lay_out(self, across: int, down: int) -> None:
        """Place the card in an area of a size in pixels, and draw the backdrop."""
        px = self._theme.px
        around, edge = px(RADIUS), px(EDGE)
        self._scrolled.set_max_height(10_000)
        self._card.update_idletasks()
        over = self._card.winfo_reqheight() + 2 * (around + edge) - down
        if over > 0:
            self._scrolled.set_max_height(max(px(40), self.body.winfo_reqheight() - over))
            self._card.update_idletasks()
        width, height = self._card.winfo_reqwidth(), self._card.winfo_reqheight()
        x = max(0, (across - width) // 2)
        y = max(around, (down - height) // 3)
        self._overlay.coords("card", x, y)
        self._overlay.itemconfigure("card", width=width, height=height)
        if (across, down, x, y, width, height) != self._drawn:
            self._drawn = across, down, x, y, width, height
            self._draw((x - around, y - around, x + width + around, y + height + around))

    def _draw(self, card: tuple[int, int, int, int]) -> None:
        """Draw the card's rounded corners and its shadow on the backdrop."""
        theme = self._theme
        radius, blur = theme.px(RADIUS), theme.px(BLUR)
        left, top = max(0, card[0] - 2 * blur), max(0, card[1] - 2 * blur)
        box = left, top, card[2] + 2 * blur, card[3] + 2 * blur
        below = Image.new("RGB", (box[2] - left, box[3] - top), dim_colour(theme.colours))
        if self._below is not None:
            right, bottom = min(box[2], self._below.width), min(box[3], self._below.height)
            below.paste(self._below.crop((left, top, right, bottom)))
        inside = card[0] - left, card[1] - top, card[2] - left, card[3] - top
        image = draw_raised_card(below, inside, radius=radius, blur=blur, colours=theme.colours)
        del self._pictures[self._below is not None :]
        self._pictures.append(theme.picture(image))
        self._overlay.itemconfigure(self._raised, image=self._pictures[-1])
        self._overlay.coords(self._raised, left, top)


class ConfirmationDialog(Dialog):
    """Dialog for a question with the answers yes and no.

    Args:
        theme: Theme; the widget is placed over its root window.
        question: Question to ask.
        on_yes: Called once if the answer is yes.
        announcer: Test announcer, which reports the buttons' positions.
        further: Text and action of a further button; None: there is none.
    """

    def __init__(
        self,
        theme: Theme,
        question: ConfirmationQuestion,
        *,
        on_yes: Callable[[], None],
        announcer: UiTestAnnouncer,
        further: tuple[str, Callable[[], None]] | None = None,
    ) -> None:
        super().__init__(theme, question.title, announcer=announcer, unarmed=True)
        self._announced_text = question.text
        self.add_paragraph(question.text, theme.colours.muted)
        if question.rows:
            rows = theme.frame(self.body)
            rows.pack(fill="x", pady=theme.px(4))
            build_pair_rows(theme, rows, question.rows, width=self._width)
        if question.warning:
            self.add_paragraph(question.warning, theme.colours.danger, "bold")
        self._no_button = self.add_buttons(
            question.yes_label, question.no_label, question.style, lambda: self._answer(on_yes)
        )
        if further is not None:
            self.add_further_button(further[0], lambda: self._answer(further[1]))

    def initial_focus(self) -> tk.Misc:
        """Return the safe button: a key pressed by accident must not be binding."""
        return self._no_button

    def _answer(self, then: Callable[[], None]) -> None:
        self.close()
        then()


class ModalHost:
    """Host of at most one confirmation dialog.

    Args:
        theme: Theme of the window.
        announcer: Test announcer of the dialogs.
        before_confirm: Called before an answer of yes takes effect.
    """

    def __init__(
        self, theme: Theme, announcer: UiTestAnnouncer, *, before_confirm: Callable[[], None]
    ) -> None:
        self._theme = theme
        self._announcer = announcer
        self._before_confirm = before_confirm
        self._dialog: ConfirmationDialog | None = None

    def ask(self, question: ConfirmationQuestion, on_yes: Callable[[], None]) -> None:
        """Ask a question; an open one is closed first."""

        def answer() -> None:
            self._before_confirm()
            on_yes()

        self.close()
        self._dialog = ConfirmationDialog(self._theme, question, on_yes=answer, announcer=self._announcer)
        self._dialog.open()

    @property
    def is_open(self) -> bool:
        """Whether a question is open."""
        return self._dialog is not None and self._dialog.is_open

    def close(self) -> None:
        """Close the open question; as an answer, this means no."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog = None


class FocusTrap:
    """Focus trap: Tab cycles within an area, and keys have no effect outside it.

    Args:
        area: Area that keeps the focus.
    """

    def __init__(self, area: tk.Misc) -> None:
        self._area = area
        self._tag = f"Loop{area}"
        self.bind("<<NextWindow>>", lambda _event: self._move_focus(1))
        self.bind("<<PrevWindow>>", lambda _event: self._move_focus(-1))

    def bind(self, sequence: str, call: Callable[[tk.Event[tk.Misc]], Any]) -> None:
        """Bind an event at all widgets of the area, ahead of all other bindings."""
        bind_tag(self._area, self._tag, sequence, call)

    def add_widgets(self) -> None:
        """Add all current widgets of the area."""
        self._add_widget(self._area)

    def _add_widget(self, widget: tk.Misc) -> None:
        root = str(widget.winfo_toplevel())
        # Without the root: its key bindings act on what is below the area.
        tags = [tag for tag in widget.bindtags() if tag not in (root, self._tag)]
        widget.bindtags((self._tag, *tags))
        for child in widget.winfo_children():
            self._add_widget(child)

    def _move_focus(self, step: int) -> str:
        stops = self._focusable_widgets(self._area)
        if stops:
            now = str(self._area.tk.call("focus"))
            at = next((index for index, stop in enumerate(stops) if str(stop) == now), -1 if step > 0 else 0)
            stops[(at + step) % len(stops)].focus_set()
        return "break"

    def _focusable_widgets(self, widget: tk.Misc) -> list[tk.Misc]:
        """Return the widgets that take the focus, in stacking order, which is the reading order."""
        found: list[tk.Misc] = []
        for path in widget.tk.splitlist(widget.tk.call("winfo", "children", widget)):
            child = widget.nametowidget(path)
            if self._area.tk.getboolean(self._area.tk.call("tk::FocusOK", path)):
                found.append(child)
            found += self._focusable_widgets(child)
        return found
