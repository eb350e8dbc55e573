"""Images and SVG files of plots."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from negoplatform.gui.plots.plot_image import marker_image, to_image
from negoplatform.presentation.color_palette import DARK
from negoplatform.presentation.plots.drawing import Axes, Drawing, Marker, Polyline
from negoplatform.presentation.plots.svg import to_svg
from tests.games import categorical_only
from tests.gui.plots.plotted import NAMES, Session, Whispering, dots, paper, talk, words

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path, categorical_only(), talk, NAMES)


def test_the_svg_is_sound_whatever_the_names_are(tmp_path: Path) -> None:
    names = {"human": '<b>&"Max"\u0000\ufffe', "agent": "Ro\nwan 🍏"}
    session = Session(tmp_path, categorical_only(), talk, names)
    drawing = session.outcomes(paper())

    root = ElementTree.fromstring(to_svg(drawing))

    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert '<b>&"Max"\\x00\\ufffe’s offers' in texts
    assert len(texts) == len(words(drawing))
    titles = [element.text for element in root.iter(f"{SVG}title")]
    assert titles[0] == "Possible deals and the offers made"
    assert len(titles) == 1 + len(dots(drawing))


def test_hebrew_in_svg_is_set_apart_in_reading_order(tmp_path: Path) -> None:
    session = Session(tmp_path, categorical_only(), talk, {"human": "רות", "agent": "Rowan"})

    svg = to_svg(session.utilities(paper(translate=Whispering("he"))))

    assert "\u2067~to רות\u2069" in svg
    assert "direction" not in svg


@pytest.mark.parametrize("scale", [1, 1.25, 2])
def test_a_picture_has_its_size_its_ground_and_its_marks(session: Session, scale: float) -> None:
    drawing = session.utilities(paper(DARK))
    first = dots(drawing)[0]

    image = to_image(drawing, scale)

    assert image.size == (round(560 * scale), round(340 * scale))
    assert near(image.getpixel((image.width - 2, image.height // 2)), DARK.card)
    assert near(image.getpixel((round(first.x * scale), round(first.y * scale))), DARK.mine)


def near(pixel: object, colour: str) -> bool:
    assert isinstance(pixel, tuple)
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return all(abs(have - want) <= 3 for have, want in zip(pixel, wanted, strict=True))


def test_words_can_be_left_to_the_window(session: Session) -> None:
    drawing = session.utilities(paper())

    with_words, without = to_image(drawing), to_image(drawing, words=False)

    title = (10, 10, 160, 26)
    assert len(without.crop(title).getcolors() or []) == 1
    assert len(with_words.crop(title).getcolors() or []) > 10


def test_a_dash_leaves_gaps() -> None:
    axes = Axes(0, 0, 100, 20, (0, 1), (0, 1))
    dashed = Polyline(((0, 10), (100, 10)), "#000000", 2, (10, 10))

    image = to_image(Drawing(100, 20, "#ffffff", "", (dashed,), axes))

    assert [near(image.getpixel((x, 10)), "#000000") for x in (5, 15, 25, 35)] == [True, False, True, False]


@pytest.mark.parametrize("form", ["circle", "square", "diamond", "triangle"])
def test_a_ring_can_be_seen_through(form: str) -> None:
    image: Image.Image = marker_image(Marker(40, 40, form, 10, edge="#0072b2", width=2), 2)  # type: ignore[arg-type]
    middle = image.width // 2

    assert image.getchannel("A").getpixel((middle, middle)) == 0
    assert image.getchannel("A").getpixel((0, 0)) == 0
    counted = image.getcolors(100_000)
    assert counted is not None
    seen = [(count, pixel) for count, pixel in counted if isinstance(pixel, tuple) and pixel[3] > 60]
    assert sum(count for count, _ in seen) > 100
    assert all(near(pixel[:3], "#0072b2") for _, pixel in seen)  # no dark rim
