"""Panel with the draft's worth to the participant: points, a bar, and a comparison with no deal."""

from __future__ import annotations

import tkinter as tk

from PIL import Image

from negoplatform.gui.theming.rounded_shapes import rounded
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bargaining.offer_builder_view import BuilderView, WorthBar
from negoplatform.presentation.color_palette import mix_colours
from negoplatform.presentation.offers.offer_valuation import comparison_colour

WIDTH, HEIGHT = 350, 8
"""Size of the bar, in pixels at 96 dpi."""

GAP = 3
"""Gap between the bar and the labels below it, in pixels at 96 dpi."""


class ValuationPanel:
    """Points, bar and note; labels below the bar mark the value of no deal and the best possible result.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
    """

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._theme = theme
        c, px = theme.colours, theme.px
        self.frame = theme.frame(parent)
        line = theme.frame(self.frame)
        line.pack(fill="x")
        theme.label(line, theme.translate("Worth to you")).pack(side=theme.start, anchor="s", pady=(0, px(2)))
        self._figure = theme.label(line, "", "big")
        self._figure.pack(side=theme.end)
        below = px(HEIGHT + GAP) + theme.font("small").metrics("linespace")
        self._bar = tk.Canvas(
            self.frame, width=px(WIDTH), height=below, bg=c.card, bd=0, highlightthickness=0
        )
        self._bar.pack(fill="x", pady=(px(2), px(3)))
        self._picture = theme.picture(Image.new("RGB", (1, 1)))
        self._item = self._bar.create_image(0, 0, anchor="nw")
        self._no_deal = self._bar.create_text(0, 0, anchor="n", font=theme.font("small"), fill=c.muted)
        self._best = self._bar.create_text(0, 0, anchor="n", font=theme.font("small"), fill=c.muted)
        self._shown: WorthBar | None = None
        self._width = 0
        self._bar.bind("<Configure>", self._sized)
        self._note_area = theme.frame(self.frame)
        self._note_area.pack(fill="x")
        self._note_area.pack_propagate(False)
        self._note = theme.label(self._note_area, "", "small", c.muted, wrap=WIDTH)
        self._note.pack(anchor=theme.west)
        self._reserve(1)

    def show(self, view: BuilderView) -> None:
        """Show the draft's worth."""
        c = self._theme.colours
        colour = comparison_colour(view.versus, c)
        self._figure.write(view.worth, colour or c.ink)
        self._note.write(view.note, colour or c.muted)
        self._reserve(view.note_lines)
        if self._shown != view.bar:
            self._shown = view.bar
            self._draw()

    def _reserve(self, lines: int) -> None:
        """Reserve the height of the longest note, so that nothing moves when the note grows."""
        height = lines * self._theme.font("small").metrics("linespace")
        if int(str(self._note_area.cget("height"))) != height:
            self._note_area.configure(height=height)

    def _sized(self, event: tk.Event[tk.Canvas]) -> None:
        if event.width != self._width:
            self._width = event.width
            self._note.wrap_to(event.width)
            self._draw()

    def _draw(self) -> None:
        if not self._width or self._shown is None:
            return
        self._picture = self._theme.picture(self._image(self._shown))
        self._bar.itemconfigure(self._item, image=self._picture)
        self._place_labels(self._shown)

    def _place_labels(self, bar: WorthBar) -> None:
        """Place the best result's label at the bar's end, and no deal's as near its line as there is room."""
        theme, gap = self._theme, self._theme.px(10)
        # The last letter is drawn slightly beyond its measured width.
        measure, more = theme.font("small").measure, theme.px(2)
        wide = [measure(words) + more for words in (bar.no_deal_words, bar.best_words)]
        room = self._width - wide[1] - gap
        left = max(0, min(round(self._width * bar.no_deal) - wide[0] // 2, room - wide[0]))
        places = (left + wide[0] / 2, self._width - wide[1] / 2)
        for item, words, x in zip(
            (self._no_deal, self._best), (bar.no_deal_words, bar.best_words), places, strict=True
        ):
            self._bar.coords(item, self._width - x if theme.rtl else x, theme.px(HEIGHT + GAP))
            self._bar.itemconfigure(item, text=theme.visual_order(words))

    def _image(self, bar: WorthBar) -> Image.Image:
        """Return the bar, with a line at no deal and the range of undecided issues in a softer colour."""
        c, n = self._theme.colours, self._theme.px(HEIGHT)
        image = self._rounded(self._width, c.track, c.card)
        soft = mix_colours(c.primary, c.track, 0.6)
        if bar.high > bar.low:
            self._fill(image, bar.high, soft, c.track)
        self._fill(image, bar.low, c.primary, soft if bar.high > bar.low else c.track)
        if 0 < bar.no_deal < 1:
            thick = max(2, self._theme.px(2))
            left = round(self._width * bar.no_deal) - thick // 2
            image.paste(c.card, (left - thick, 0, left + 2 * thick, n))
            image.paste(c.ink, (left, 0, left + thick, n))
        return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if self._theme.rtl else image

    def _fill(self, image: Image.Image, share: float, colour: str, ground: str) -> None:
        n, long = self._theme.px(HEIGHT), round(self._width * share)
        if long < n:
            return
        fill = self._rounded(long, colour, ground)
        # At the start of the bar, the card is visible around the round end.
        fill.paste(self._rounded(n, colour, self._theme.colours.card).crop((0, 0, n // 2, n)), (0, 0))
        image.paste(fill, (0, 0))

    def _rounded(self, width: int, face: str, ground: str) -> Image.Image:
        n = self._theme.px(HEIGHT)
        ends = rounded((n + n % 2, n), n / 2, face=face, ground=ground)
        corner = ends.width // 2
        return _wide(ends, corner, max(0, width - 2 * corner), n)


def _wide(ends: Image.Image, corner: int, middle: int, height: int) -> Image.Image:
    """Return the two round ends with a filled middle between them."""
    image = Image.new("RGB", (2 * corner + middle, height), ends.getpixel((corner, height // 2)))
    image.paste(ends.crop((0, 0, corner, height)), (0, 0))
    image.paste(ends.crop((corner, 0, 2 * corner, height)), (corner + middle, 0))
    return image
