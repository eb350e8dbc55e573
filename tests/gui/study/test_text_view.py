"""Texts of studies as they are drawn, and pictures of screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from negoplatform.domain.errors import NegoError
from negoplatform.gui.study.screen_pictures import save_screens
from negoplatform.gui.study.text_view import StyledLabel, TextView
from negoplatform.presentation.study.step_page import StepPage
from negoplatform.study.study_text import parse_text
from tests.gui.study.conftest import Desk
from tests.gui.study.sample_pages import CONSENT, pages

pytestmark = pytest.mark.window

MIXED = "Words in **bold and** in *italics*, **ma**ny of them. " * 6


def styled(desk: Desk, text: str, width: int) -> StyledLabel:
    """Return the label of a paragraph with several styles."""
    frame = desk.theme.frame(desk.theme.root)
    view = TextView(frame, desk.theme, lambda _name: None)
    for block in parse_text(text):
        view.add(block)
    view.wrap_to(width)
    (label,) = frame.winfo_children()
    assert isinstance(label, StyledLabel)
    return label


def lines(label: StyledLabel) -> list[str]:
    """Return the lines of a label."""
    found: dict[float, list[tuple[float, str]]] = {}
    for item in label.find_all():
        x, y = label.coords(item)
        found.setdefault(y, []).append((x, str(label.tk.call(label, "itemcget", item, "-text"))))
    return [" ".join(" ".join(text for _x, text in sorted(parts)).split()) for parts in found.values()]


def test_words_of_several_styles_are_wrapped_within_the_width(desk: Desk) -> None:
    label = styled(desk, MIXED, 300)

    assert len(lines(label)) > 2
    for item in label.find_all():
        left, _top, right, _bottom = label.bbox(item)
        assert left >= -1
        assert right <= 301
    assert label.winfo_reqheight() >= len(lines(label)) * desk.theme.font("body").metrics("linespace")


def test_a_word_with_two_styles_stays_in_one_piece(desk: Desk) -> None:
    label = styled(desk, MIXED, 300)

    assert not any(line.endswith("ma") or line.startswith("ny") for line in lines(label))


def test_no_word_is_lost_or_doubled(desk: Desk) -> None:
    label = styled(desk, MIXED, 300)

    words = " ".join(lines(label)).replace("ma ny", "many").replace(" ,", ",").split()
    assert words == MIXED.replace("*", "").split()


def test_in_hebrew_a_styled_paragraph_begins_at_the_right(desk: Desk) -> None:
    desk.appear(language="he")
    paragraph = CONSENT["he"].split("\n")[0]

    label = styled(desk, paragraph, 500)

    first = label.find_all()[0]
    assert label.bbox(first)[2] >= 499


def test_a_picture_is_at_most_as_wide_as_the_text(desk: Desk, tmp_path: Path) -> None:
    Image.new("RGB", (1200, 300), "#3366aa").save(tmp_path / "wide.png")
    frame = desk.theme.frame(desk.theme.root)
    view = TextView(frame, desk.theme, lambda name: tmp_path / name)

    for block in parse_text("![A wide one](wide.png)"):
        view.add(block)
    view.wrap_to(400)

    (label,) = frame.winfo_children()
    assert (label.winfo_reqwidth(), label.winfo_reqheight()) == (400, 100)


def test_a_missing_picture_leaves_the_rest_of_the_text(desk: Desk) -> None:
    frame = desk.theme.frame(desk.theme.root)
    view = TextView(frame, desk.theme, lambda _name: None)

    for block in parse_text("Before\n\n![None](none.png)\n\nAfter"):
        view.add(block)

    assert len(frame.winfo_children()) == 2


def test_screens_are_saved_as_pictures(desk: Desk, tmp_path: Path) -> None:
    shown = pages(desk.theme.translate)
    chosen: list[tuple[str, StepPage]] = [(name, shown[name]) for name in ("form", "payment")]

    files = save_screens(desk.theme, chosen, tmp_path / "pictures", lambda _name: None)

    assert [file.name for file in files] == ["form.png", "payment.png"]
    size = desk.theme.root.winfo_width(), desk.theme.root.winfo_height()
    for file in files:
        with Image.open(file) as image:
            assert image.size == size
            assert len(image.getcolors(1_000_000) or []) > 10


def test_a_folder_that_cannot_be_written_is_named(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    chosen = [("payment", pages(desk.theme.translate)["payment"])]

    with pytest.raises(NegoError, match=r"The picture .*payment\.png cannot be saved"):
        save_screens(desk.theme, chosen, tmp_path / "file", lambda _name: None)
