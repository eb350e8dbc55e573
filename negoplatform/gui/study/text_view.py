"""Text of a study in the window: headings, paragraphs, lists, emphasis and pictures."""

from __future__ import annotations

import re
import tkinter as tk
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from tkinter import font as tkfont
from typing import NamedTuple

from PIL import Image, ImageTk

from negoplatform.app.study.text_check import PICTURE_FORMATS
from negoplatform.domain.errors import NegoError
from negoplatform.gui.pictures.picture_file_reader import read_picture
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bidi import RIGHT_TO_LEFT
from negoplatform.presentation.localized_names import displayable
from negoplatform.study.study_text import Span, TextBlock

SPACES = re.compile(r"([^\S\N{NO-BREAK SPACE}]+)")
"""Spaces at which a line can end."""

INDENT = 20
"""Indentation of a list, for 96 dpi."""

MOST_HEIGHT = 320
"""Maximum height of a picture, for 96 dpi."""


class _Piece(NamedTuple):
    text: str
    bold: bool
    italic: bool


class StyledLabel(tk.Canvas):
    """Wrapped paragraph with words in bold or italic, in either writing direction.

    Args:
        parent: Parent widget, on a card.
        theme: Theme of the window.
        spans: Parts of the paragraph.
        fonts: Returns the font of a part, bold and italic or not.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        spans: Sequence[Span],
        fonts: Callable[[bool, bool], tkfont.Font],
    ) -> None:
        super().__init__(parent, bg=theme.colours.card, bd=0, highlightthickness=0, takefocus=0, height=1)
        self._theme, self._fonts = theme, fonts
        pieces = [_Piece(displayable(span.text), span.bold, span.italic) for span in spans]
        self._lines = _words_by_line(pieces)
        self._width = 0
        set_accessible_name(self, "Label", "".join(piece.text for piece in pieces))

    def wrap_to(self, width: int) -> None:
        """Wrap the words at a width in pixels."""
        if width == self._width:
            return
        self._width = width
        self.delete("all")
        height = max(self._fonts(bold, False).metrics("linespace") for bold in (False, True))
        y = 0
        for words in self._lines:
            for line in self._wrapped(words):
                self._draw(line, y)
                y += height
        self.configure(width=width, height=max(height, y))

    def _measure(self, word: Sequence[_Piece]) -> int:
        return sum(self._fonts(piece.bold, piece.italic).measure(piece.text) for piece in word)

    def _wrapped(self, words: Sequence[Sequence[_Piece]]) -> list[list[Sequence[_Piece]]]:
        lines: list[list[Sequence[_Piece]]] = [[]]
        room = 0
        space = self._fonts(False, False).measure(" ")
        for word in words:
            needed = self._measure(word)
            if lines[-1] and needed > room:
                lines.append([])
            room = (self._width if not lines[-1] else room) - needed - space
            lines[-1].append(word)
        return lines

    def _draw(self, words: Sequence[Sequence[_Piece]], y: int) -> None:
        theme = self._theme
        pieces = [piece for word in words for piece in (*word, _Piece(" ", word[-1].bold, word[-1].italic))]
        x = 0
        for (bold, italic), run in groupby(pieces, key=lambda piece: (piece.bold, piece.italic)):
            text, font = "".join(piece.text for piece in run), self._fonts(bold, italic)
            across = font.measure(text)
            body = text.rstrip()
            at = self._width - x if theme.rtl else x
            self.create_text(
                at,
                y,
                text=theme.visual_order(body),
                font=font,
                fill=theme.colours.ink,
                anchor="ne" if theme.rtl else "nw",
            )
            x += across


def _words_by_line(pieces: Sequence[_Piece]) -> list[list[list[_Piece]]]:
    """Return the words of each line; a word whose parts differ in style has several pieces."""
    lines: list[list[list[_Piece]]] = [[]]
    continues = False
    for piece in pieces:
        for part in SPACES.split(piece.text):
            if not part:
                continue
            if SPACES.fullmatch(part):
                lines += [[] for _ in range(part.count("\n"))]
                continues = False
                continue
            if continues and lines[-1]:
                lines[-1][-1].append(piece._replace(text=part))
            else:
                lines[-1].append([piece._replace(text=part)])
            continues = True
    return lines


class TextView:
    """Blocks of a text below each other, packed into their parent.

    Args:
        parent: Parent widget, on a card.
        theme: Theme of the window.
        picture: Returns the file of a picture; None if there is none.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, picture: Callable[[str], Path | None]) -> None:
        self._parent, self._theme, self._picture = parent, theme, picture
        self._wraps: list[tuple[BidiLabel | StyledLabel, int]] = []
        self._images: list[ImageTk.PhotoImage] = []
        self._pictures: list[tuple[tk.Label, Image.Image]] = []
        self._fonts: dict[tuple[bool, bool], tkfont.Font] = {}

    def add(self, block: TextBlock) -> None:
        """Add a block; a statement to tick is drawn as an item of a list."""
        theme, px = self._theme, self._theme.px
        match block.kind:
            case "heading":
                font = "heading" if block.level <= 1 else "bold"
                label = theme.label(self._parent, displayable(block.plain), font)
                label.pack(anchor=theme.west, pady=(px(12), px(4)))
                self._wraps.append((label, 0))
            case "picture":
                self._add_picture(block)
            case "item" | "tick":
                self._add_item(block)
            case _:
                words = self._words(self._parent, block.spans)
                words.pack(anchor=theme.west, pady=(0, px(9)))
                self._wraps.append((words, 0))

    def wrap_to(self, width: int) -> None:
        """Wrap the text at a width in pixels."""
        for label, indent in self._wraps:
            label.wrap_to(max(self._theme.px(60), width - indent))
        self._images.clear()
        for shown, image in self._pictures:
            self._show_picture(shown, image, width)

    def _words(self, parent: tk.Misc, spans: Sequence[Span]) -> BidiLabel | StyledLabel:
        styles = {(span.bold, span.italic) for span in spans if span.text.strip()}
        if styles <= {(False, False)} or styles == {(True, False)}:
            font = "bold" if (True, False) in styles else "body"
            return self._theme.label(parent, displayable("".join(span.text for span in spans)), font)
        return StyledLabel(parent, self._theme, spans, self._font)

    def _font(self, bold: bool, italic: bool) -> tkfont.Font:
        key = bold, italic
        if key not in self._fonts:
            usual = self._theme.font("bold" if bold else "body")
            if italic:
                usual = usual.copy()
                usual.configure(slant="italic")
            self._fonts[key] = usual
        return self._fonts[key]

    def _add_item(self, block: TextBlock) -> None:
        theme, px = self._theme, self._theme.px
        row = theme.frame(self._parent)
        before = INDENT * max(0, block.level - 1)
        row.pack(anchor=theme.west, fill="x", pady=(0, px(5)))
        marker = self._marker(block)
        mark = theme.label(row, marker, "body", theme.colours.muted)
        # A second paragraph of an item has no marker, but the same indentation.
        wide = max(px(INDENT), mark.winfo_reqwidth() + px(7))
        mark.place(x=0, y=0)
        indent = px(before) + wide
        if theme.rtl:
            mark.place(relx=1.0, x=-px(before) - px(4), anchor="ne")
        else:
            mark.place(x=px(before) + px(4), anchor="nw")
        words = self._words(row, block.spans)
        words.pack(anchor=theme.west, padx=(0, indent) if theme.rtl else (indent, 0))
        self._wraps.append((words, indent))

    def _marker(self, block: TextBlock) -> str:
        """Return the marker of an item; a number with its full stop at the left in a right-to-left text."""
        if block.kind == "tick":
            return "•"
        number = block.marker.removesuffix(".")
        if not (self._theme.rtl and number.isdigit()):
            return block.marker
        return f".{number}" if self._theme.needs_reordering else f"{RIGHT_TO_LEFT}{block.marker}"

    def _add_picture(self, block: TextBlock) -> None:
        path = self._picture(block.marker)
        if path is None:
            return
        try:
            image = read_picture(path, self._theme.translate, formats=PICTURE_FORMATS, longest=2048)
        except NegoError as error:
            # The check reports it to the experimenter; the participant goes on without the picture.
            self._theme.report(error)
            return
        label = tk.Label(self._parent, bg=self._theme.colours.card, bd=0)
        label.pack(anchor=self._theme.west, pady=(0, self._theme.px(9)))
        set_accessible_name(label, "Image", displayable(block.plain))
        self._pictures.append((label, image))

    def _show_picture(self, label: tk.Label, image: Image.Image, width: int) -> None:
        """Show a picture in its own size, at most as wide as the text."""
        px = self._theme.px
        scale = min(self._theme.scale, width / image.width, px(MOST_HEIGHT) / image.height)
        size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
        ground = Image.new("RGBA", size, self._theme.colours.card)
        ground.alpha_composite(image.resize(size, Image.Resampling.LANCZOS))
        self._images.append(self._theme.picture(ground))
        label.configure(image=self._images[-1])
