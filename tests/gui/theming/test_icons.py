"""Icons: drawn inside their box, in one colour."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from negoplatform.gui.theming.icons import ICONS, icon

INK = "#161d2b"


@pytest.mark.parametrize("name", sorted(ICONS))
@pytest.mark.parametrize("size", [14, 16, 33])
def test_an_icon_is_drawn_within_its_box(name: str, size: int) -> None:
    drawn = icon(name, size, INK)
    cover = drawn.getchannel("A")

    assert (drawn.size, drawn.mode) == ((size, size), "RGBA")
    assert 0.03 < ImageStat.Stat(cover).mean[0] / 255 < 0.6
    edge = ImageChops.subtract(cover, _inside(size))
    assert edge.getextrema()[1] < 128  # type: ignore[operator]  # one channel: two numbers


def _inside(size: int) -> Image.Image:
    inside = Image.new("L", (size, size))
    inside.paste(255, (1, 1, size - 1, size - 1))
    return inside


@pytest.mark.parametrize("name", sorted(set(ICONS) - {"play", "minus", "chevron_down", "chevron_up", "next"}))
def test_an_icon_stands_in_the_middle(name: str) -> None:
    left, top, right, bottom = icon(name, 160, INK).getchannel("A").getbbox() or (0, 0, 0, 0)

    assert abs(left + right - 160) <= 12
    assert abs(top + bottom - 160) <= 12


def test_no_icon_looks_like_another() -> None:
    covers = {name: icon(name, 16, INK).getchannel("A") for name in ICONS}

    alike = {
        (a, b)
        for a, b in combinations(ICONS, 2)
        if ImageStat.Stat(ImageChops.difference(covers[a], covers[b])).mean[0] < 12
    }

    assert alike == set()


def test_an_icon_has_its_colour_where_it_covers() -> None:
    drawn = icon("plus", 32, "#00735c")

    assert drawn.getpixel((16, 16)) == (0x00, 0x73, 0x5C, 255)


def test_an_icon_that_there_is_not_is_an_error() -> None:
    with pytest.raises(KeyError):
        icon("unicorn", 16, INK)
