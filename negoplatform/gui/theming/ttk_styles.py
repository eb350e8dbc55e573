"""Ttk styles of buttons, fields, lists, bars and cards, made of drawn pictures."""

from __future__ import annotations

import tkinter as tk
from dataclasses import dataclass
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any, Literal, Protocol

from PIL import Image, ImageTk

from negoplatform.gui.theming.rounded_shapes import check_mark, chevron, rounded, stretched
from negoplatform.presentation.color_palette import Palette, mix_colours

LEAST = 34
"""The least width and height of a drawn card or button, for 96 dpi."""

CORNER, CARD_CORNER = 12, 13
"""The size of the corners in a button's and in a card's picture, for 96 dpi."""


class StyleMetrics(Protocol):
    """Inputs of the styles: the theme's colours, lengths, fonts and direction."""

    root: tk.Tk
    colours: Palette

    @property
    def scale(self) -> float: ...
    @property
    def rtl(self) -> bool: ...
    @property
    def start(self) -> Literal["left", "right"]: ...
    @property
    def end(self) -> Literal["left", "right"]: ...
    def px(self, length: float) -> int: ...
    def dpi_px(self, length: float) -> int: ...
    def font(self, name: str) -> tkfont.Font: ...
    def picture(self, image: Image.Image) -> ImageTk.PhotoImage: ...


@dataclass(frozen=True, slots=True)
class ButtonStyle:
    """A button's colours (face, text, edge, and the ground behind it), padding and font.

    A ``fixed`` button has the same size at every text size.
    """

    face: str
    text: str
    edge: str
    ground: str
    tight: bool = False
    font: str = "bold"
    fixed: bool = False


def button_styles(c: Palette) -> dict[str, ButtonStyle]:
    """Return the styles of buttons: one colour per kind of action."""
    return {
        "Primary.TButton": ButtonStyle(c.primary, c.on_primary, c.primary, c.card),
        "Accept.TButton": ButtonStyle(c.accept, c.on_accept, c.accept, c.card),
        "Danger.TButton": ButtonStyle(c.danger, c.on_danger, c.danger, c.card),
        "Outline.Accept.TButton": ButtonStyle(c.card, c.ink, c.accept, c.card),
        "Outline.Danger.TButton": ButtonStyle(c.card, c.ink, c.danger, c.card),
        "Card.Primary.TButton": ButtonStyle(c.primary, c.on_primary, c.primary, c.card, tight=True),
        "Card.Accept.TButton": ButtonStyle(c.accept, c.on_accept, c.accept, c.card, tight=True),
        "Card.Danger.TButton": ButtonStyle(c.danger, c.on_danger, c.danger, c.card, tight=True),
        "Plain.TButton": ButtonStyle(c.card, c.ink, c.edge, c.card),
        "Quiet.TButton": ButtonStyle(c.card, c.ink, c.card, c.card),
        "Small.Quiet.TButton": ButtonStyle(c.card, c.muted, c.card, c.card, tight=True, font="small"),
        "Fixed.Quiet.TButton": ButtonStyle(
            c.card, c.ink, c.card, c.card, tight=True, font="fixed", fixed=True
        ),
        "Ground.Quiet.TButton": ButtonStyle(c.ground, c.ink, c.ground, c.ground, tight=True),
        "Toggle.TButton": ButtonStyle(c.card, c.ink, c.edge, c.card, tight=True, font="body"),
        "Chosen.Toggle.TButton": ButtonStyle(c.mine_soft, c.ink, c.mine, c.card, tight=True, font="body"),
        "Small.Toggle.TButton": ButtonStyle(c.card, c.ink, c.edge, c.card, tight=True, font="small"),
        "Chosen.Small.Toggle.TButton": ButtonStyle(
            c.mine_soft, c.ink, c.mine, c.card, tight=True, font="small"
        ),
        "Step.TButton": ButtonStyle(c.card, c.ink, c.edge, c.card, tight=True),
    }


def button_text_colour(colours: Palette, style: str) -> str:
    """Return the colour of the text on a button of a style."""
    return button_styles(colours)[style].text


class TtkTheme:
    """Ttk theme that is used at once; it holds the styles' pictures, so keep it while it is in use.

    Cards are styled from the beginning, all controls after :meth:`finish`.

    Args:
        theme: The lengths, colours and fonts of the styles.
        name: A unique name.
    """

    def __init__(self, theme: StyleMetrics, name: str) -> None:
        self._theme = theme
        self._colours = theme.colours
        self._style = ttk.Style(theme.root)
        self._pictures: list[ImageTk.PhotoImage] = []
        self._style.theme_create(name, parent="clam")
        self._style.theme_use(name)
        c = self._colours
        theme.root.configure(background=c.ground)
        self._style.configure(
            ".",
            background=c.card,
            foreground=c.ink,
            font=theme.font("body"),
            focuscolor=c.focus,
            bordercolor=c.edge,
        )
        self._make_card()
        self._finished = False

    def finish(self) -> None:
        """Make the remaining styles; do nothing if they are made already."""
        if self._finished:
            return
        self._finished = True
        for style, style_def in button_styles(self._colours).items():
            self._make_button(style, style_def)
        self._make_fields()
        self._make_checks()
        self._make_bars()

    def _keep(self, image: Image.Image) -> ImageTk.PhotoImage:
        picture = self._theme.picture(image)
        self._pictures.append(picture)
        return picture

    def _area(
        self,
        face: str,
        edge: str,
        *,
        ground: str,
        ring: str = "",
        radius: float = 8,
        corner: float = CORNER,
        middle: tuple[float, float] = (120, 14),
        fixed: bool = False,
    ) -> ImageTk.PhotoImage:
        """Return a rounded area with fixed corners and a repeated middle; ``ring`` marks the focus.

        Tk repeats the middle as often as there is room, and makes a call to the screen for each piece: a
        card made of pieces of 8 pixels takes thousands of calls. The middle is therefore about as large as
        the widgets drawn with it; ``middle`` is for 96 dpi.
        """
        theme = self._theme
        px, density = theme.dpi_px if fixed else theme.px, max(1.0, theme.scale)
        n = 2 * px(corner) + 1  # the one pixel between the corners is stretched
        image = rounded(
            (n, n),
            px(radius),
            face=face,
            edge=edge,
            width=density,
            ground=ground,
            ring=ring,
            ring_width=2 * density if ring else 0,
            gap=density if ring else 2 * density,
        )
        return self._keep(stretched(image, px(corner), (px(middle[0]), px(middle[1]))))

    def _make_card(self) -> None:
        c, px = self._colours, self._theme.px
        image = rounded(
            (2 * px(CARD_CORNER) + 1,) * 2,
            px(12),
            face=c.card,
            # A card needs no edge, as its controls have them, unless it is as black as its ground.
            edge=c.line if c.card == c.ground else "",
            width=max(1, px(1)),
            ground=c.ground,
        )
        picture = self._keep(stretched(image, px(CARD_CORNER), (px(200), px(200))))
        self._style.element_create(
            "Card.face", "image", picture, border=px(CARD_CORNER), width=px(LEAST), height=px(LEAST)
        )
        self._style.layout("Card.TFrame", [("Card.face", {"sticky": "nsew"})])

    def _make_button(self, name: str, style_def: ButtonStyle) -> None:
        c, px = self._colours, self._theme.dpi_px if style_def.fixed else self._theme.px
        quiet = style_def.face == style_def.edge == style_def.ground
        hover = (
            mix_colours(style_def.face, c.ink, 0.07)
            if style_def.face in (c.card, c.ground)
            else mix_colours(style_def.face, c.card, 0.12)
        )
        down = mix_colours(style_def.face, c.ink, 0.16)
        off = style_def.ground if quiet else c.off

        def area(face: str, edge: str, ring: str = "") -> ImageTk.PhotoImage:
            return self._area(face, edge, ground=style_def.ground, ring=ring, fixed=style_def.fixed)

        self._style.element_create(
            f"{name}.face",
            "image",
            area(style_def.face, style_def.edge),
            ("disabled", area(off, off if quiet else c.line)),
            ("pressed", "focus", area(down, style_def.edge, c.focus)),
            ("pressed", area(down, style_def.edge)),
            ("focus", area(style_def.face, style_def.edge, c.focus)),
            ("active", area(hover, style_def.edge if not quiet else hover)),
            border=px(CORNER),
            padding=px(3),
            width=px(28 if style_def.tight else LEAST),
            height=px(28 if style_def.tight else LEAST),
            sticky="nsew",
        )
        label: Any = ("Button.label", {"sticky": ""})
        padding: Any = ("Button.padding", {"sticky": "nsew", "children": [label]})
        self._style.layout(name, [(f"{name}.face", {"sticky": "nsew", "children": [padding]})])
        self._style.configure(
            name,
            foreground=style_def.text,
            background=style_def.ground,
            font=self._theme.font(style_def.font),
            padding=(px(6 if style_def.tight else 10), px(2 if style_def.tight else 5)),
            anchor="center",
        )
        self._style.map(name, foreground=[("disabled", c.on_off)], background=[])

    def _make_fields(self) -> None:
        c, px = self._colours, self._theme.px

        def area(face: str, edge: str, ring: str = "") -> ImageTk.PhotoImage:
            return self._area(face, edge, ground=c.card, ring=ring)

        self._style.element_create(
            "Field.face",
            "image",
            area(c.card, c.edge),
            ("disabled", area(c.off, c.line)),
            ("focus", area(c.card, c.focus, c.focus)),
            border=px(CORNER),
            padding=px(4),
            width=px(LEAST),
            height=px(LEAST),
            sticky="nsew",
        )
        # The message field has the focus nearly always, so its edge and the cursor mark it discreetly.
        self._style.element_create(
            "Line.face",
            "image",
            area(c.card, c.edge),
            ("disabled", area(c.off, c.line)),
            ("alternate", area(c.mine_soft, c.focus)),  # what is typed does not go to everyone
            ("focus", area(c.card, c.focus)),
            border=px(CORNER),
            width=px(LEAST),
            height=px(LEAST),
            sticky="nsew",
        )
        arrow = chevron(px(14), colour=c.muted, ground=c.card)
        self._style.element_create(
            "Combobox.arrow",
            "image",
            self._keep(arrow),
            ("disabled", self._keep(chevron(px(14), colour=c.line, ground=c.off))),
            sticky="",
        )
        self._lay_out_fields()
        for style in ("TEntry", "TCombobox"):
            self._colour_field(style, marks=style == "TEntry")
        self._colour_lists()

    def _lay_out_fields(self) -> None:
        area_of_text: Any = ("Entry.textarea", {"sticky": "nsew"})
        padding: Any = ("Entry.padding", {"sticky": "nsew", "children": [area_of_text]})
        self._style.layout("TEntry", [("Field.face", {"sticky": "nsew", "children": [padding]})])
        self._style.layout("Line.TFrame", [("Line.face", {"sticky": "nsew"})])
        of_list: Any = ("Combobox.textarea", {"sticky": "nsew"})
        inside: Any = [
            ("Combobox.arrow", {"side": self._theme.end, "sticky": ""}),
            ("Combobox.padding", {"sticky": "nsew", "children": [of_list]}),
        ]
        self._style.layout("TCombobox", [("Field.face", {"sticky": "nsew", "children": inside})])

    def _colour_field(self, style: str, *, marks: bool) -> None:
        """Colour a field; ``marks``: whether its selection is visible while it has the focus."""
        c, px = self._colours, self._theme.px
        self._style.configure(
            style,
            foreground=c.ink,
            fieldbackground=c.card,
            background=c.card,
            insertcolor=c.ink,
            insertwidth=max(1, px(1.5)),
            selectbackground=c.primary if marks else c.card,
            selectforeground=c.on_primary if marks else c.ink,
            padding=(px(6), px(3)),
        )
        self._style.map(
            style,
            foreground=[("disabled", c.on_off)],
            fieldbackground=[("disabled", c.off)],
            selectbackground=[("!focus", c.card)] if marks else [],
            selectforeground=[("!focus", c.ink)] if marks else [],
        )

    def _colour_lists(self) -> None:
        """Colour the list that opens below a field, which is no ttk widget and uses the option database."""
        c, theme = self._colours, self._theme
        for option, value in (
            ("background", c.card),
            ("foreground", c.ink),
            ("selectBackground", c.primary),
            ("selectForeground", c.on_primary),
            ("font", str(theme.font("body"))),
            ("justify", theme.start),
            ("borderWidth", 0),
            ("highlightThickness", max(1, theme.px(1))),
            ("highlightBackground", c.edge),
            ("highlightColor", c.edge),
        ):
            theme.root.option_add(f"*TCombobox*Listbox.{option}", value)

    def _make_checks(self) -> None:
        c, px = self._colours, self._theme.px
        for style, round_box in (("TCheckbutton", False), ("TRadiobutton", True)):

            def box(colour: str, face: str, edge: str, *, round_box: bool = round_box) -> ImageTk.PhotoImage:
                mark = check_mark(
                    px(18), colour=colour, face=face, edge=edge, ground=c.card, round_box=round_box
                )
                padded = Image.new("RGB", (px(26), px(18)), c.card)
                padded.paste(mark, (px(8) if self._theme.rtl else 0, 0))
                return self._keep(padded)

            chosen = box(c.on_primary, c.primary, c.primary)
            self._style.element_create(
                f"{style}.box",
                "image",
                box("", c.card, c.edge),
                ("disabled", "selected", box(c.on_off, c.off, c.line)),
                ("disabled", box("", c.off, c.line)),
                ("selected", chosen),
                sticky="",
            )
            label: Any = (f"{style[1:]}.label", {"side": self._theme.start, "sticky": ""})
            focus: Any = (
                f"{style[1:]}.focus",
                {"side": self._theme.start, "sticky": "", "children": [label]},
            )
            mark: Any = (f"{style}.box", {"side": self._theme.start, "sticky": ""})
            self._style.layout(
                style, [(f"{style[1:]}.padding", {"sticky": "nsew", "children": [mark, focus]})]
            )
            self._style.configure(
                style, background=c.card, foreground=c.ink, padding=px(3), focusthickness=px(2)
            )
            self._style.map(style, background=[("active", c.card)], foreground=[("disabled", c.on_off)])

    def _make_bars(self) -> None:
        c, px = self._colours, self._theme.px
        for orientation in ("Vertical", "Horizontal"):
            upright = orientation == "Vertical"
            n = px(10) | 1  # odd: the one pixel between the ends is stretched

            def thumb(face: str, *, n: int = n, upright: bool = upright) -> ImageTk.PhotoImage:
                image = rounded((n, n), px(3), face=face, ground=c.card, gap=px(2))
                long = (1, px(300)) if upright else (px(300), 1)
                return self._keep(stretched(image, n // 2, long))

            trough = self._keep(Image.new("RGB", (n, n), c.card))
            self._style.element_create(f"{orientation}.Plain.trough", "image", trough, sticky="nsew")
            self._style.element_create(
                f"{orientation}.Plain.thumb",
                "image",
                thumb(c.edge),
                ("pressed", thumb(c.ink)),
                ("active", thumb(c.muted)),
                border=n // 2,
                width=n,
                height=n,
                sticky="nsew",
            )
            thumb_layout: Any = (f"{orientation}.Plain.thumb", {"expand": "1", "sticky": "nswe"})
            trough_layout: Any = {"sticky": "ns" if upright else "we", "children": [thumb_layout]}
            self._style.layout(f"{orientation}.TScrollbar", [(f"{orientation}.Plain.trough", trough_layout)])
