"""A root window, dressed: colours, fonts, sizes, direction, and the pieces that every screen is made of."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any, Literal

from PIL import Image, ImageTk

from negoplatform.gui.theming.accessibility import set_accessible_name
from negoplatform.gui.theming.caption import BidiLabel
from negoplatform.gui.theming.fonts import FAMILY, register_fonts
from negoplatform.gui.theming.icons import icon as draw_icon
from negoplatform.gui.theming.ttk_styles import TtkTheme, button_text_colour
from negoplatform.gui.theming.windows_dpi import set_dpi_aware
from negoplatform.plugins.paths import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.bidi import to_visual_order
from negoplatform.presentation.color_palette import PALETTES, Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.text_size import ROOM, larger, largest_that_fits, size_note, smaller

Side = Literal["left", "right"]

FONTS: dict[str, tuple[int, Literal["normal", "bold"]]] = {
    "small": (12, "normal"),
    "small_bold": (12, "bold"),
    "body": (13, "normal"),
    "bold": (13, "bold"),
    "heading": (16, "bold"),
    "big": (22, "bold"),
}
"""Sizes for 96 dpi, and weights."""

FIXED_FONT = "fixed"
"""The font of what is as large at every text size."""

FIXED_SIZE = 17

FIRST_TK_WITH_BIDI = 9.1
"""From this Tk on, Hebrew and Arabic are drawn in the right order on X11."""

ICON_SIZE = 16

WINDOW_ICON_SIZES = (64, 32, 16)
"""Pixels of the program's own icon, the largest first as Windows wants it."""

TITLE_BAR = 24

WINDOW_SIZE = (1440, 900)
"""The window's size on a screen that has room for it, for 96 dpi."""


class Theme:
    """The window, and how it looks to whoever sits at it.

    What is read from here (colours, lengths, words) holds until :meth:`apply_appearance`; then screens are built anew.

    Args:
        title: The window's title.
        appearance: How it shall look.
        on_error: Is given an error in a callback; Tk would print it and go on.
        sparse: Whether only words and cards are dressed at first, for a window that is there sooner.
    """

    def __init__(
        self,
        title: str,
        appearance: Appearance,
        on_error: Callable[[BaseException], None],
        *,
        sparse: bool = False,
    ) -> None:
        set_dpi_aware()
        register_fonts()
        self.root = tk.Tk(className="NegoPlatform")
        self.root.withdraw()
        self.root.title(title)
        self._set_window_icon()
        self.root.report_callback_exception = lambda _kind, error, _trace: on_error(error)
        self._density = self.root.winfo_fpixels("1i") / 96
        self._needs_reordering = (
            self.root.tk.call("tk", "windowingsystem") == "x11" and tk.TkVersion < FIRST_TK_WITH_BIDI
        )
        self._fonts: dict[str, tkfont.Font] = {}
        self._icons: dict[tuple[str, int, str], ImageTk.PhotoImage] = {}
        self._ttk_theme_count = 0
        self._fitted, self._least = (0, 0), ROOM
        self.text_size = 1.0
        """The text size that is drawn: the chosen one, or the largest that fits."""
        self.uncovered_widget: tk.Misc | None = None
        """What no dialog covers: it stands at the window's top."""
        self.appearance = appearance
        self.colours: Palette = PALETTES[appearance.theme]
        self.translate = Language.load(appearance.language)
        # Everybody expects Return to press a button too. For Space Tk has a way of its own, which stops the
        # whole window for a tenth of a second: whoever leans on the key would stop it for many of them.
        for key in ("<Return>", "<space>"):
            self.root.bind_class("TButton", key, _press)
        self._bind_select_all()
        self._apply(appearance)
        if not sparse:
            self.finish()

    def apply_appearance(self, appearance: Appearance) -> None:
        """Changes the looks of everything that is built from now on."""
        self._apply(appearance)
        self.finish()
        self._limit()

    def finish(self) -> None:
        """Makes what was left out of a sparse theme; nothing if nothing was."""
        self._styles.finish()

    def _apply(self, appearance: Appearance) -> None:
        self.appearance = appearance
        self.colours = PALETTES[appearance.theme]
        self.translate = Language.load(appearance.language)
        self.text_size = min(appearance.text_size, self.largest_text_size)
        self._make_fonts()
        self._icons.clear()
        self._ttk_theme_count += 1
        self._styles = TtkTheme(self, f"negoplatform{self._ttk_theme_count}")

    def _set_window_icon(self) -> None:
        """The program's icon, for whatever lists windows."""
        folder = bundled("assets") / "icon"
        # Whoever shows it takes the nearest size. What cannot be read is no reason to have no window.
        with suppress(tk.TclError):
            self.root.iconphoto(
                True, *(tk.PhotoImage(file=folder / f"{size}.png") for size in WINDOW_ICON_SIZES)
            )

    def report(self, error: BaseException) -> None:
        """An error that was dealt with and shall be known all the same, as if a callback had raised it."""
        self.root.report_callback_exception(type(error), error, error.__traceback__)

    # Measures and directions

    @property
    def rtl(self) -> bool:
        """Whether the window is read from right to left."""
        return self.translate.rtl

    @property
    def reduce_motion(self) -> bool:
        """Whether nothing may move by itself."""
        return self.appearance.reduce_motion

    @property
    def scale(self) -> float:
        """Pixels per length for 96 dpi and ordinary text size."""
        return self._density * self.text_size

    @property
    def largest_text_size(self) -> float:
        """The largest text size that fits the window, or the screen while the window isn't shown."""
        across, down = (size / self._density for size in self._shown_size)
        return largest_that_fits(across, down)

    @property
    def size_note(self) -> str:
        """Why the text isn't as large as chosen; empty if it is."""
        across, down = (size / self._density for size in self._screen)
        fills = largest_that_fits(across, down) <= self.largest_text_size
        return size_note(
            self.appearance.text_size, self.text_size, fills_screen=fills, translate=self.translate
        )

    @property
    def _screen(self) -> tuple[int, int]:
        """Pixels that a window may take."""
        bar = round(TITLE_BAR * self._density)
        return self.root.winfo_screenwidth(), self.root.winfo_screenheight() - bar

    def larger(self) -> Appearance | None:
        """The looks with the next text size up; None if there is none to ask for."""
        size = larger(self.appearance.text_size, self.text_size, self.largest_text_size)
        return None if size is None else replace(self.appearance, text_size=size)

    def smaller(self) -> Appearance | None:
        """The looks with the next text size down; None if there is none."""
        size = smaller(self.text_size)
        return None if size is None else replace(self.appearance, text_size=size)

    def dpi_px(self, length: float) -> int:
        """A length for 96 dpi in the screen's own pixels, whatever the text size."""
        return round(length * self._density)

    def px(self, length: float) -> int:
        """A length for 96 dpi in the screen's own pixels, at the chosen text size."""
        return round(length * self.scale)

    @property
    def start(self) -> Side:
        """The side where reading starts."""
        return "right" if self.rtl else "left"

    @property
    def end(self) -> Side:
        """The side where lines end."""
        return "left" if self.rtl else "right"

    @property
    def justify(self) -> Side:
        """To which side lines of words are set."""
        return self.start

    @property
    def west(self) -> Literal["e", "w"]:
        """The anchor of the side where reading starts."""
        return "e" if self.rtl else "w"

    @property
    def east(self) -> Literal["e", "w"]:
        """The anchor of the side where lines end."""
        return "w" if self.rtl else "e"

    def column(self, index: int, columns: int) -> int:
        """A grid's column, counted from where reading starts."""
        return columns - 1 - index if self.rtl else index

    def padx(self, before: float, after: float) -> tuple[int, int]:
        """Room at the starting side and at the other, for ``padx``; lengths for 96 dpi."""
        return (self.px(after), self.px(before)) if self.rtl else (self.px(before), self.px(after))

    # Words

    def font(self, name: str) -> tkfont.Font:
        """One of :data:`FONTS`."""
        return self._fonts[name]

    def visual_order(self, text: str) -> str:
        """One line as Tk has to be given it."""
        return to_visual_order(text, rtl=self.rtl) if self._needs_reordering else text

    @property
    def needs_reordering(self) -> bool:
        """Whether Tk needs Hebrew and Arabic in drawing order, line by line."""
        return self._needs_reordering

    def label(
        self,
        parent: tk.Misc,
        text: str = "",
        font: str = "body",
        colour: str = "",
        *,
        wrap: float = 0,
        ground: str = "",
    ) -> BidiLabel:
        """Words on a card, or on another ground; lines break at ``wrap`` (for 96 dpi) unless it is 0."""
        return BidiLabel(
            parent,
            text,
            font=self.font(font),
            colour=colour or self.colours.ink,
            ground=ground or self.colours.card,
            wrap=self.px(wrap),
            rtl=self.rtl,
            reorders=self._needs_reordering,
        )

    def button(
        self,
        parent: tk.Misc,
        text: str,
        style: str,
        command: Callable[[], object],
        *,
        icon: str = "",
    ) -> ttk.Button:
        """A button in a style of ``ttk_styles``, with an icon before its text if one is named."""
        button = ttk.Button(parent, text=self.visual_order(text), style=style, command=command)
        if icon:
            words, off = button_text_colour(self.colours, style), self.colours.on_off
            # The picture of what can be pressed, and the same greyed.
            images: Any = (self.icon(icon, words), "disabled", self.icon(icon, off))
            button.configure(image=images, compound=self.start if text else "image")
            if text:
                self.set_button_text(button, text)
        # The words on a button may be in drawing order, and an icon says nothing.
        set_accessible_name(button, "Button", text or icon)
        return button

    def set_button_text(self, button: ttk.Button, text: str) -> None:
        """Other words on a button; the same words cost nothing."""
        drawn = self.visual_order(text)
        if button.cget("image"):
            drawn = f"{drawn}  " if self.rtl else f"  {drawn}"
        if button.cget("text") != drawn:
            button.configure(text=drawn)

    def icon(self, name: str, colour: str = "", size: float = ICON_SIZE) -> ImageTk.PhotoImage:
        """An icon, kept as long as the looks are worn; ``size`` for 96 dpi."""
        key = name, self.px(size), colour or self.colours.ink
        if key not in self._icons:
            self._icons[key] = self.picture(draw_icon(name, key[1], key[2]))
        return self._icons[key]

    # Areas

    def card(self, parent: tk.Misc, padding: float = 14) -> ttk.Frame:
        """A card with rounded corners on the window's ground."""
        return ttk.Frame(parent, style="Card.TFrame", padding=self.px(padding))

    def frame(self, parent: tk.Misc, ground: str = "") -> tk.Frame:
        """A plain area, on a card unless said otherwise."""
        return tk.Frame(parent, bg=ground or self.colours.card, bd=0, highlightthickness=0)

    def rule(self, parent: tk.Misc, *, upright: bool = False) -> tk.Frame:
        """A thin line between things."""
        thin = max(1, self.px(1))
        if upright:
            return tk.Frame(parent, bg=self.colours.line, bd=0, width=thin)
        return tk.Frame(parent, bg=self.colours.line, bd=0, height=thin)

    def picture(self, image: Image.Image) -> ImageTk.PhotoImage:
        """A picture that Tk can draw; the caller keeps it as long as it is shown."""
        return ImageTk.PhotoImage(image, master=self.root)

    def fit(self, width: int, height: int, least: tuple[int, int] = ROOM) -> None:
        """Size the window within the screen, put it at the top left and show it.

        Args:
            width: The width where the screen has room for it, for 96 dpi.
            height: The height, likewise.
            least: The least width and height, for 96 dpi.
        """
        screen = self._screen
        # Smaller letters are no reason for a smaller window, in which larger ones would not fit later.
        wanted = (max(self.px(length), self.dpi_px(length)) for length in (width, height))
        across, down = (min(length, most) for length, most in zip(wanted, screen, strict=True))
        self._fitted, self._least = (across, down), least
        self._limit()
        self.root.geometry(f"{across}x{down}+0+0")
        self.root.deiconify()

    def _limit(self) -> None:
        """Keep the window as large as what is drawn in it needs."""
        if self._fitted != (0, 0):
            least = (
                min(self.px(length), most) for length, most in zip(self._least, self._screen, strict=True)
            )
            self.root.minsize(*least)

    @property
    def _shown_size(self) -> tuple[int, int]:
        """The window's size in pixels; the screen's, while no window is shown."""
        if self._fitted == (0, 0):
            return self._screen
        # Tk knows the size once the window is mapped.
        across, down = self.root.winfo_width(), self.root.winfo_height()
        return (across, down) if across > 1 else self._fitted

    @property
    def dialog_top(self) -> int:
        """How far down in pixels the window begins that a dialog may cover."""
        seen = self.uncovered_widget
        if seen is None or not seen.winfo_exists() or not seen.winfo_viewable():
            return 0
        return seen.winfo_rooty() - self.root.winfo_rooty() + seen.winfo_height()

    @property
    def width(self) -> float:
        """The window's width, for 96 dpi at the text size that is drawn."""
        return self._shown_size[0] / self.scale

    @property
    def height(self) -> float:
        """The window's height, for 96 dpi at the text size that is drawn."""
        return self._shown_size[1] / self.scale

    def _bind_select_all(self) -> None:
        """As everywhere else; Tk on X11 would go to the beginning of the line."""
        if self.root.tk.call("tk", "windowingsystem") == "x11":
            self.root.event_delete("<<LineStart>>", "<Control-a>")
            self.root.event_add("<<SelectAll>>", "<Control-a>")

    def _make_fonts(self) -> None:
        families = tkfont.families(self.root)
        family = (
            FAMILY if FAMILY in families else tkfont.nametofont("TkDefaultFont", self.root).actual("family")
        )
        sizes = {name: (self.px(size), weight) for name, (size, weight) in FONTS.items()}
        sizes[FIXED_FONT] = self.dpi_px(FIXED_SIZE), "bold"
        for name, (pixels, weight) in sizes.items():
            # Negative: pixels, so that words and lengths grow alike.
            size = -max(1, pixels)
            if name in self._fonts:
                self._fonts[name].configure(size=size)
            else:
                self._fonts[name] = tkfont.Font(self.root, family=family, size=size, weight=weight)


def _press(event: tk.Event[tk.Misc]) -> None:
    if isinstance(event.widget, ttk.Button):
        event.widget.invoke()
