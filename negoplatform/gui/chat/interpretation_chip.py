"""Chip for an interpreted term, which can be corrected with mouse and keyboard."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from negoplatform.domain.offer import Term
from negoplatform.gui.theming.screen_reader_names import set_accessible_name
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.popup_list import PopupList
from negoplatform.gui.widgets.pressable_cell import MARGIN, Cell, CellImages
from negoplatform.presentation.color_palette import mix_colours
from negoplatform.presentation.interpretation.interpretation_chips import ChipView

HEIGHT = 36
"""Height of a chip with its margin, for 96 dpi."""

ACROSS, GAP, ZONE = 8, 4, 18
"""Padding at the sides, gap between the parts, and width of a small button, for 96 dpi."""

SIGN, PICTURE = 11, 16
"""Size of the small buttons' icons and of a unit's picture, for 96 dpi."""

LEAST_WORDS = 24
"""Least width of the text where a chip is too narrow, for 96 dpi."""

LIST_KEYS = ("space", "Return", "KP_Enter", "Down", "Alt-Down")
REMOVE_KEYS = ("Delete", "BackSpace")

OnCorrect = Callable[[str, Term | None], object]
"""Callback for a correction: an issue and its new term; None: no term."""


class InterpretationChip(Cell):
    """Chip that opens a list when pressed; its small buttons change the number or swap the sides.

    Keys: ← → one less or more, a digit sets the number, x swaps, Delete removes, Enter opens the list.

    Args:
        parent: The parent of the chip.
        theme: The window's theme.
        images: The pictures for drawing.
        chip: The initial view.
        on_correct: Called with a correction.
        on_leave: Called to return the focus to the message field.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        images: CellImages,
        chip: ChipView,
        *,
        on_correct: OnCorrect,
        on_leave: Callable[[], object],
    ) -> None:
        super().__init__(parent, theme, images, height=HEIGHT)
        self.configure(takefocus=1)
        self._chip, self._on_correct, self._on_leave = chip, on_correct, on_leave
        c = theme.colours
        self._parts: list[int] = []
        self.zones: dict[str, tk.Label] = {}
        self._missing = not chip.words
        self._make_zones(chip)
        self.bind("<ButtonPress-1>", lambda _event: self.set_pointer_state(down=True))
        self.bind("<ButtonRelease-1>", self._released)
        self._bind_keys()
        face = c.card if self._missing else c.mine_soft
        self.set_colours(face, c.edge if self._missing else c.mine, enabled=True)
        self.show(chip)

    def show(self, chip: ChipView) -> None:
        """Show another term of the same structure."""
        self._chip = chip
        self.configure(width=self._needed())
        set_accessible_name(self, "Button", " ".join((chip.title, *chip.words)))
        for name, term in (("less", chip.less), ("more", chip.more), ("swap", chip.swapped)):
            if name in self.zones:
                self._style_zone(name, usable=term is not None)
        if self._size[0]:
            self.arrange(*self._size)

    def arrange(self, width: int, height: int) -> None:
        """Arrange the parts in an area of a new size."""
        self.delete(*self._parts)
        self._parts.clear()
        px = self.theme.px
        spare = width - self._needed()
        x = px(MARGIN + ACROSS)
        picture = self._picture()
        if picture is not None:
            self._draw_item(
                self.create_image(self.x_from_start(x + px(PICTURE) // 2), height // 2, image=picture)
            )
            x += px(PICTURE + GAP)
        for kind, text in self._parts_to_draw():
            if kind == "zone":
                self._place_zone(text, x, height)
                x += px(ZONE)
                continue
            font = self.theme.font("small" if kind == "title" else "bold")
            room = font.measure(text)
            if spare < 0:
                cut = min(-spare, max(0, room - px(LEAST_WORDS)))
                room, spare = room - cut, spare + cut
            colour = self.theme.colours.muted if kind == "title" else self.theme.colours.ink
            words = self.truncate(text, font, room)
            item = self.create_text(
                self.x_from_start(x), height // 2, text=words, font=font, fill=colour, anchor=self.theme.west
            )
            self._draw_item(item)
            x += room + px(GAP)

    def on_recoloured(self) -> None:
        """Update the small buttons' background after a change of the chip's colour."""
        for zone in self.zones.values():
            if zone.cget("bg") != self.face:
                zone.configure(bg=self.face)

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the chip and its small buttons by name."""
        name = f"reading.{self._chip.issue}"
        return {name: self, **{f"{name}.{zone}": label for zone, label in self.zones.items()}}

    # Contents

    def _parts_to_draw(self) -> list[tuple[str, str]]:
        """Return the title, the texts and the small buttons in reading order."""
        chip, found = self._chip, []
        if chip.title:
            found.append(("title", chip.title))
        if not chip.words:
            return [*found, ("zone", "open")]
        first, *others = chip.words
        steps = "less" in self.zones
        if steps:
            found += [("zone", "less"), ("words", first), ("zone", "more")]
        else:
            found.append(("words", first))
        if "swap" in self.zones:
            found.append(("zone", "swap"))
        found += [("words", each) for each in others]
        if "open" in self.zones:
            found.append(("zone", "open"))
        return found

    def _needed(self) -> int:
        """Return the width in pixels that shows everything."""
        px = self.theme.px
        width = 2 * px(MARGIN) + px(ACROSS) + px(GAP)
        if self._picture() is not None:
            width += px(PICTURE + GAP)
        for kind, text in self._parts_to_draw():
            if kind == "zone":
                width += px(ZONE)
            else:
                font = self.theme.font("small" if kind == "title" else "bold")
                width += font.measure(text) + px(GAP)
        return width

    def _picture(self) -> object:
        return (
            self.images.issue_picture(self._chip.picture, self.theme.px(PICTURE))
            if self._chip.picture
            else None
        )

    def _draw_item(self, item: int) -> None:
        self._parts.append(item)

    def _make_zones(self, chip: ChipView) -> None:
        counted = bool(chip.words) and (chip.less is not None or chip.more is not None)
        if counted:
            self._make_zone("less", "minus", lambda: self._step(self._chip.less))
            self._make_zone("more", "plus", lambda: self._step(self._chip.more))
        if chip.words and len(chip.words) == 2 and chip.counts:
            self._make_zone("swap", "swap", lambda: self._step(self._chip.swapped))
        if not chip.counts or not chip.words:
            self._make_zone("open", "chevron_down", self.open)

    def _make_zone(self, name: str, icon: str, act: Callable[[], object]) -> None:
        label = tk.Label(self, bd=0, padx=0, pady=0, bg=self.face, cursor="hand2", takefocus=0)
        self._icons = {**getattr(self, "_icons", {}), name: icon}
        self.zones[name] = label
        self._style_zone(name, usable=True)

        def released(event: tk.Event[tk.Misc]) -> None:
            if 0 <= event.x < label.winfo_width() and 0 <= event.y < label.winfo_height():
                act()

        label.bind("<ButtonRelease-1>", released)
        label.bind(
            "<Enter>", lambda _event: label.configure(bg=mix_colours(self.face, self.theme.colours.ink, 0.12))
        )
        label.bind("<Leave>", lambda _event: label.configure(bg=self.face))

    def _style_zone(self, name: str, *, usable: bool) -> None:
        c = self.theme.colours
        colour = c.ink if usable else mix_colours(self.face, c.muted, 0.4)
        self.zones[name].configure(
            image=self.theme.icon(self._icons[name], colour, SIGN), cursor="hand2" if usable else ""
        )

    def _place_zone(self, name: str, x: int, height: int) -> None:
        px = self.theme.px
        inset = px(MARGIN + 3)
        left = self._size[0] - x - px(ZONE) if self.theme.rtl else x
        self.zones[name].place(x=left, y=inset, width=px(ZONE), height=height - 2 * inset)

    # Input

    def _bind_keys(self) -> None:
        less, more = ("Right", "Left") if self.theme.rtl else ("Left", "Right")
        for key, step in {
            less: "less",
            "minus": "less",
            more: "more",
            "plus": "more",
            "x": "swapped",
        }.items():
            self.bind(f"<{key}>", lambda _event, step=step: self._step(getattr(self._chip, step)))  # type: ignore[misc]
        for key in REMOVE_KEYS:
            self.bind(f"<{key}>", lambda _event: self._correct(None))
        for key in LIST_KEYS:
            self.bind(f"<{key}>", lambda _event: self.open())
        for figure in "0123456789":
            self.bind(f"<Key-{figure}>", lambda _event, n=int(figure): self._count(n))  # type: ignore[misc]
        self.bind("<Escape>", lambda _event: self._return_focus())

    def open(self) -> str:
        """Open the list of possible terms."""
        chip, theme = self._chip, self.theme
        lines = [theme.visual_order(option) for option in chip.options]
        if chip.words:
            lines.append(theme.visual_order(theme.translate("Leave this out")))
        terms = (*chip.terms, None)
        popup = PopupList(theme, self, lines, chip.chosen, on_choose=lambda at: self._correct(terms[at]))
        x, y = self.winfo_rootx() - theme.root.winfo_rootx(), self.winfo_rooty() - theme.root.winfo_rooty()
        right = x + self.winfo_width() if theme.rtl else x
        popup.open(right, y + self.winfo_height(), above=self.winfo_height())
        return "break"

    def _released(self, event: tk.Event[tk.Misc]) -> None:
        self.set_pointer_state(down=False)
        if self.has_point(event.x_root, event.y_root):
            self.open()

    def _step(self, term: Term | None) -> str:
        if term is not None:
            self._correct(term)
        return "break"

    def _count(self, number: int) -> str:
        if self._chip.counts and number < len(self._chip.terms):
            self._correct(self._chip.terms[number])
        return "break"

    def _correct(self, term: Term | None) -> str:
        if term is not None or self._chip.words:
            self._on_correct(self._chip.issue, term)
        return "break"

    def _return_focus(self) -> str:
        self._on_leave()
        return "break"
