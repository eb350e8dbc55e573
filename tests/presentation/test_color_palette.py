"""Contrast of all text and controls with their background."""

from __future__ import annotations

from dataclasses import fields

import pytest

from negoplatform.gui.theming.ttk_styles import button_styles
from negoplatform.presentation.color_palette import PALETTES, Palette, contrast_ratio, mix_colours

FOR_WORDS, FOR_SHAPES = 4.5, 3.0
"""Minimum contrast of text, and of edges, rings and marks (WCAG 2.2 AA)."""

WORDS = {
    "ink": ("card", "ground", "soft", "mine_soft", "theirs_soft"),
    "muted": ("card", "ground", "soft", "mine_soft", "theirs_soft"),
    "primary": ("card",),
    "accept": ("card",),
    "danger": ("card",),
    "warning": ("card", "mine_soft"),
    "theirs_words": ("card",),
    "seat_5": ("card", "soft"),
    "seat_6": ("card", "soft"),
    "seat_7": ("card", "soft"),
    "seat_8": ("card", "soft"),
    "on_primary": ("primary",),
    "on_accept": ("accept",),
    "on_danger": ("danger",),
    "on_bubble": ("bubble",),
    "on_off": ("off", "card", "ground"),
}
"""Every text colour with every background on which the window uses it."""

SHAPES = {
    "edge": ("card", "ground", "soft", "mine_soft"),
    "focus": ("card", "ground", "soft"),
    "mine": ("card", "soft", "mine_soft", "track"),
    "theirs": ("card", "theirs_soft", "track"),
    "theirs_words": ("theirs_soft",),
    "muted": ("card", "soft"),
    "primary": ("card", "mine_soft", "track"),
    "danger": ("track",),
    "accept": ("card",),
    "warning": ("card",),
    "ink": ("card", "track"),
    "card": ("primary", "ink"),
    "on_primary": ("primary",),
    "on_accept": ("accept",),
    "on_off": ("off",),
}
"""Colours of control edges, focus rings, pieces, bars, marks and icons, with their backgrounds."""

EVERY_PALETTE = pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)


def too_close(
    palette: Palette, pairs: dict[str, tuple[str, ...]], least: float
) -> list[tuple[str, str, float]]:
    """Return the pairs of colours with too little contrast."""
    told = [
        (front, ground, contrast_ratio(getattr(palette, front), getattr(palette, ground)))
        for front, grounds in pairs.items()
        for ground in grounds
    ]
    return [pair for pair in told if pair[2] < least]


@EVERY_PALETTE
def test_words_can_be_read_on_whatever_they_stand(palette: Palette) -> None:
    assert too_close(palette, WORDS, FOR_WORDS) == []


@EVERY_PALETTE
def test_controls_and_shapes_can_be_told_from_what_they_stand_on(palette: Palette) -> None:
    assert too_close(palette, SHAPES, FOR_SHAPES) == []


@EVERY_PALETTE
def test_the_words_on_a_button_can_be_read_whatever_is_done_to_it(palette: Palette) -> None:
    """Mix the colours as the styles do: under the pointer, and pressed."""
    for name, look in button_styles(palette).items():
        on_paper = look.face in (palette.card, palette.ground)
        hover = (
            mix_colours(look.face, palette.ink, 0.07)
            if on_paper
            else mix_colours(look.face, palette.card, 0.12)
        )
        pressed = mix_colours(look.face, palette.ink, 0.16)

        assert min(contrast_ratio(look.text, face) for face in (look.face, hover, pressed)) >= FOR_WORDS, name


@EVERY_PALETTE
def test_a_button_has_an_edge_that_is_seen_unless_it_is_a_quiet_one(palette: Palette) -> None:
    seen = {
        name: contrast_ratio(look.edge, look.ground)
        for name, look in button_styles(palette).items()
        if look.edge != look.ground
    }

    assert len(seen) >= 6
    assert min(seen.values()) >= FOR_SHAPES


def test_who_needs_high_contrast_gets_more_of_it_than_anybody_else() -> None:
    least = {
        name: min(
            contrast_ratio(getattr(palette, front), getattr(palette, ground))
            for front, grounds in WORDS.items()
            for ground in grounds
        )
        for name, palette in PALETTES.items()
    }

    assert least["high_contrast"] >= 7 > max(least["light"], least["dark"])


def test_black_and_white_are_as_far_apart_as_colours_can_be() -> None:
    assert contrast_ratio("#000000", "#ffffff") == pytest.approx(21)
    assert contrast_ratio("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast_ratio("#0b5cad", "#0b5cad") == 1


def test_every_colour_of_a_palette_is_one_that_tk_and_pillow_understand() -> None:
    for palette in PALETTES.values():
        colours = [getattr(palette, field.name) for field in fields(Palette) if field.type in ("str", str)]

        assert len(colours) > 20
        assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour in colours)


def test_a_mixed_colour_lies_between_two() -> None:
    assert mix_colours("#000000", "#ffffff", 0.5) == "#808080"
    assert (mix_colours("#102030", "#ffffff", 0), mix_colours("#102030", "#ffffff", 1)) == (
        "#102030",
        "#ffffff",
    )
