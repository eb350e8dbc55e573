"""The root window with its colours, fonts, lengths and direction, and factories for the common widgets."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any, Literal

from PIL import Image, ImageTk

from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.font_registration import FAMILY, register_fonts
from negoplatform.gui.theming.icons import icon as draw_icon
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.ttk_styles import TtkTheme, button_text_colour
from negoplatform.gui.theming.windows_dpi import set_dpi_aware
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.bidi import drawn_text, to_visual_order
from negoplatform.presentation.color_palette import PALETTES, Palette
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.text_size_fitting import ROOM, larger, largest_that_fits, size_note, smaller

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
"""The font of widgets that keep their size at every text size."""

FIXED_SIZE = 17

FIELD_FONT = "field"
"""Font of fields in which people write words; as large as ``body``."""

FIRST_TK_WITH_BIDI = 9.1
"""The first version of Tk that draws Hebrew and Arabic in the right order on X11."""

ICON_SIZE = 16

WINDOW_ICON_SIZES = (64, 32, 16)
"""Sizes of the program's icon in pixels, the largest first as Windows requires."""

TITLE_BAR = 24

WINDOW_SIZE = (1440, 900)
"""The window's size on a screen with enough room, for 96 dpi."""


class Theme:
    """The root window and its appearance.

    The values read from here (colours, lengths, translations) are valid until :meth:`apply_appearance`, after
    which screens have to be rebuilt.

    Args:
        title: The window's title.
        appearance: The appearance to apply.
        on_error: Called with an exception raised in a callback, which Tk would only print.
        sparse: Whether to style only labels and cards at first, for a window that opens sooner.
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
        self.root.title(drawn_text(title))
        self._set_window_icon()
        self.root.report_callback_exception = lambda _kind, error, _trace: on_error(error)
        self._density = self.root.winfo_fpixels("1i") / 96
        system = self.root.tk.call("tk", "windowingsystem")
        self.keeps_runs = system == "win32" and FAMILY in tkfont.families(self.root)
        """Whether Tk draws adjacent right-to-left letters itself, but the words of a line from left to right.

        On Windows it passes text to the system in pieces, one per font; and the bundled font has no Hebrew,
        which therefore comes from another font, but for the spaces between the words.
        """
        self._needs_reordering = self.keeps_runs or (system == "x11" and tk.TkVersion < FIRST_TK_WITH_BIDI)
        self._fonts: dict[str, tkfont.Font] = {}
        self._icons: dict[tuple[str, int, str], ImageTk.PhotoImage] = {}
        self._ttk_theme_count = 0
        self._fitted, self._least = (0, 0), ROOM
        self.text_size = 1.0
        """The text size in use: the chosen one, or the largest that fits."""
        self.uncovered_widget: tk.Misc | None = None
        """The widget at the top of the window that dialogs do not cover."""
        self.appearance = appearance
        self.colours: Palette = PALETTES[appearance.theme]
        self.translate = Language.load(appearance.language)
        # Return presses a button too, as users expect. Tk's own binding of Space pauses the whole window
        # for a tenth of a second at each press, again and again while the key is held down.
        for key in ("<Return>", "<space>"):
            self.root.bind_class("TButton", key, _press)
        self._bind_select_all()
        self._apply(appearance)
        if not sparse:
            self.finish()

    def apply_appearance(self, appearance: Appearance) -> None:
        """Change the appearance of all widgets built from now on."""
        self._apply(appearance)
        self.finish()
        self._limit()

    def finish(self) -> None:
        """Make the styles left out of a sparse theme, if any."""
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
        """Set the program's icon for taskbars and window lists."""
        folder = bundled("assets") / "icon"
        # The system takes the nearest size. An unreadable icon is no reason not to open the window.
        with suppress(tk.TclError):
            self.root.iconphoto(
                True, *(tk.PhotoImage(file=folder / f"{size}.png") for size in WINDOW_ICON_SIZES)
            )

    def report(self, error: BaseException) -> None:
        """Report a handled exception as if a callback had raised it."""
        self.root.report_callback_exception(type(error), error, error.__traceback__)

    # Lengths and directions

    @property
    def rtl(self) -> bool:
        """Whether the window is laid out from right to left."""
        return self.translate.rtl

    @property
    def reduce_motion(self) -> bool:
        """Whether animations are switched off."""
        return self.appearance.reduce_motion

    @property
    def scale(self) -> float:
        """Pixels per length for 96 dpi and a text size of 100 %."""
        return self._density * self.text_size

    @property
    def largest_text_size(self) -> float:
        """The largest text size that fits the window, or the screen while the window isn't shown."""
        across, down = (size / self._density for size in self._shown_size)
        return largest_that_fits(across, down)

    @property
    def size_note(self) -> str:
        """The sentence that explains why the text is smaller than chosen; empty if it is not."""
        across, down = (size / self._density for size in self._screen)
        fills_screen = largest_that_fits(across, down) <= self.largest_text_size
        return size_note(
            self.appearance.text_size, self.text_size, fills_screen=fills_screen, translate=self.translate
        )

    @property
    def _screen(self) -> tuple[int, int]:
        """The size in pixels that is available to a window."""
        bar = round(TITLE_BAR * self._density)
        return self.root.winfo_screenwidth(), self.root.winfo_screenheight() - bar

    def larger(self) -> Appearance | None:
        """Return the appearance with the next larger text size, or None if there is none."""
        size = larger(self.appearance.text_size, self.text_size, self.largest_text_size)
        return None if size is None else replace(self.appearance, text_size=size)

    def smaller(self) -> Appearance | None:
        """Return the appearance with the next smaller text size, or None if there is none."""
        size = smaller(self.text_size)
        return None if size is None else replace(self.appearance, text_size=size)

    def dpi_px(self, length: float) -> int:
        """Return a length for 96 dpi in pixels of the screen, independent of the text size."""
        return round(length * self._density)

    def px(self, length: float) -> int:
        """Return a length for 96 dpi in pixels of the screen, at the text size in use."""
        return round(length * self.scale)

    @property
    def start(self) -> Side:
        """The side where a line of text begins."""
        return "right" if self.rtl else "left"

    @property
    def end(self) -> Side:
        """The side where a line of text ends."""
        return "left" if self.rtl else "right"

    @property
    def justify(self) -> Side:
        """The justification of text."""
        return self.start

    @property
    def west(self) -> Literal["e", "w"]:
        """The anchor of the side where a line of text begins."""
        return "e" if self.rtl else "w"

    @property
    def east(self) -> Literal["e", "w"]:
        """The anchor of the side where a line of text ends."""
        return "w" if self.rtl else "e"

    def column(self, index: int, columns: int) -> int:
        """Return the index of a grid column that is counted in reading direction."""
        return columns - 1 - index if self.rtl else index

    def padx(self, before: float, after: float) -> tuple[int, int]:
        """Return ``padx`` for the starting side and the other side; lengths for 96 dpi."""
        return (self.px(after), self.px(before)) if self.rtl else (self.px(before), self.px(after))

    # Text

    def font(self, name: str) -> tkfont.Font:
        """Return a font by its name: a key of :data:`FONTS`, :data:`FIXED_FONT` or :data:`FIELD_FONT`."""
        return self._fonts[name]

    def visual_order(self, text: str) -> str:
        """Return one line of text in the order in which Tk needs it, with nothing in it hidden."""
        text = drawn_text(text)
        if not self._needs_reordering:
            return text
        return to_visual_order(text, rtl=self.rtl, keeps_runs=self.keeps_runs)

    @property
    def needs_reordering(self) -> bool:
        """Whether Tk needs Hebrew and Arabic in visual order, line by line."""
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
        """Return a label, by default on a card; lines wrap at ``wrap`` (for 96 dpi) unless it is 0."""
        return BidiLabel(
            parent,
            text,
            font=self.font(font),
            colour=colour or self.colours.ink,
            ground=ground or self.colours.card,
            wrap=self.px(wrap),
            rtl=self.rtl,
            reorders=self._needs_reordering,
            keeps_runs=self.keeps_runs,
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
        """Return a button in a style of ``ttk_styles``, with an icon before its text if one is named."""
        button = ttk.Button(parent, text=self.visual_order(text), style=style, command=command)
        if icon:
            enabled, disabled = button_text_colour(self.colours, style), self.colours.on_off
            # The icon of an enabled button, and the same for a disabled one.
            images: Any = (self.icon(icon, enabled), "disabled", self.icon(icon, disabled))
            button.configure(image=images, compound=self.start if text else "image")
            if text:
                self.set_button_text(button, text)
        # The button's text may be in visual order, and an icon has no text.
        set_accessible_name(button, "Button", text or icon)
        return button

    def set_button_text(self, button: ttk.Button, text: str) -> None:
        """Change a button's text; an unchanged text costs nothing."""
        drawn = self.visual_order(text)
        if button.cget("image"):
            drawn = f"{drawn}  " if self.rtl else f"  {drawn}"
        if button.cget("text") != drawn:
            button.configure(text=drawn)

    def icon(self, name: str, colour: str = "", size: float = ICON_SIZE) -> ImageTk.PhotoImage:
        """Return an icon, cached until the appearance changes; ``size`` for 96 dpi."""
        key = name, self.px(size), colour or self.colours.ink
        if key not in self._icons:
            self._icons[key] = self.picture(draw_icon(name, key[1], key[2]))
        return self._icons[key]

    # Containers

    def card(self, parent: tk.Misc, padding: float = 14) -> ttk.Frame:
        """Return a card with rounded corners on the window's ground."""
        return ttk.Frame(parent, style="Card.TFrame", padding=self.px(padding))

    def frame(self, parent: tk.Misc, ground: str = "") -> tk.Frame:
        """Return a plain frame, in the colour of a card unless ``ground`` is given."""
        return tk.Frame(parent, bg=ground or self.colours.card, bd=0, highlightthickness=0)

    def rule(self, parent: tk.Misc, *, upright: bool = False) -> tk.Frame:
        """Return a thin separator line, horizontal unless ``upright``."""
        thin = max(1, self.px(1))
        if upright:
            return tk.Frame(parent, bg=self.colours.line, bd=0, width=thin)
        return tk.Frame(parent, bg=self.colours.line, bd=0, height=thin)

    def picture(self, image: Image.Image) -> ImageTk.PhotoImage:
        """Return an image for Tk; the caller keeps a reference as long as it is shown."""
        return ImageTk.PhotoImage(image, master=self.root)

    def fit(self, width: int, height: int, least: tuple[int, int] = ROOM) -> None:
        """Size the window within the screen, put it at the top left and show it.

        Args:
            width: The width if the screen has room for it, for 96 dpi.
            height: The height, likewise.
            least: The minimum width and height, for 96 dpi.
        """
        screen = self._screen
        # Small text does not make the window smaller: a larger size chosen later would not fit.
        wanted = (max(self.px(length), self.dpi_px(length)) for length in (width, height))
        across, down = (min(length, most) for length, most in zip(wanted, screen, strict=True))
        self._fitted, self._least = (across, down), least
        self._limit()
        self.root.geometry(f"{across}x{down}+0+0")
        self.root.deiconify()

    def _limit(self) -> None:
        """Set the window's minimum size to what its contents need."""
        if self._fitted != (0, 0):
            least = (
                min(self.px(length), most) for length, most in zip(self._least, self._screen, strict=True)
            )
            self.root.minsize(*least)

    @property
    def _shown_size(self) -> tuple[int, int]:
        """The window's size in pixels, or the screen's while no window is shown."""
        if self._fitted == (0, 0):
            return self._screen
        # Tk knows the size once the window is mapped.
        across, down = self.root.winfo_width(), self.root.winfo_height()
        return (across, down) if across > 1 else self._fitted

    @property
    def dialog_top(self) -> int:
        """The y coordinate in pixels from which dialogs may cover the window."""
        widget = self.uncovered_widget
        if widget is None or not widget.winfo_exists() or not widget.winfo_viewable():
            return 0
        return widget.winfo_rooty() - self.root.winfo_rooty() + widget.winfo_height()

    @property
    def width(self) -> float:
        """The window's width, for 96 dpi at the text size in use."""
        return self._shown_size[0] / self.scale

    @property
    def height(self) -> float:
        """The window's height, for 96 dpi at the text size in use."""
        return self._shown_size[1] / self.scale

    def _bind_select_all(self) -> None:
        """Let Ctrl+A select all; on X11, Tk would move to the beginning of the line."""
        if self.root.tk.call("tk", "windowingsystem") == "x11":
            self.root.event_delete("<<LineStart>>", "<Control-a>")
            self.root.event_add("<<SelectAll>>", "<Control-a>")

    def _make_fonts(self) -> None:
        families = tkfont.families(self.root)
        system = tkfont.nametofont("TkDefaultFont", self.root).actual("family")
        family = FAMILY if FAMILY in families else system
        sizes = {name: (self.px(size), weight) for name, (size, weight) in FONTS.items()}
        sizes[FIXED_FONT] = self.dpi_px(FIXED_SIZE), "bold"
        sizes[FIELD_FONT] = sizes["body"]
        for name, (pixels, weight) in sizes.items():
            # Negative sizes are pixels, which scale like all other lengths.
            size = -max(1, pixels)
            if name in self._fonts:
                self._fonts[name].configure(size=size)
            else:
                self._fonts[name] = tkfont.Font(self.root, family=family, size=size, weight=weight)
        # The text of a field cannot be reordered, but with the system's font Tk draws whole lines of Hebrew.
        self._fonts[FIELD_FONT].configure(family=system if self.keeps_runs and self.rtl else family)


def _press(event: tk.Event[tk.Misc]) -> None:
    if isinstance(event.widget, ttk.Button):
        event.widget.invoke()
