"""Registration of the window's typeface; a file in its place does not prevent the start."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from negoplatform.gui.theming.font_registration import register_fonts

pytestmark = pytest.mark.skipif(
    sys.platform in ("win32", "darwin"), reason="elsewhere fonts are offered in another way"
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the file that registers the fonts."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    return tmp_path / f"negoplatform-fonts-{os.getuid()}"


def test_fonts_are_offered_besides_those_of_the_system(place: Path) -> None:
    register_fonts()

    text = (place / "fonts.conf").read_text(encoding="utf-8")
    assert "/etc/fonts/fonts.conf" in text
    assert os.environ["FONTCONFIG_FILE"] == str(place / "fonts.conf")


def test_fonts_that_are_offered_again_leave_those_of_the_system(place: Path) -> None:
    register_fonts()

    register_fonts()

    assert "/etc/fonts/fonts.conf" in (place / "fonts.conf").read_text(encoding="utf-8")


def test_a_torn_file_is_written_anew(place: Path) -> None:
    place.mkdir()
    (place / "fonts.conf").write_bytes(b"\xff\xfe\x00")

    register_fonts()

    assert (place / "fonts.conf").read_bytes().startswith(b"<?xml")


def test_a_folder_in_its_place_stops_nothing(place: Path) -> None:
    (place / "fonts.conf").mkdir(parents=True)

    register_fonts()

    assert os.environ["FONTCONFIG_FILE"] == "/etc/fonts/fonts.conf"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give a link to somebody else")
def test_a_link_that_somebody_else_put_there_is_not_followed(place: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    place.symlink_to(mine)
    os.chown(place, 12345, 12345, follow_symlinks=False)

    register_fonts()

    assert list(mine.iterdir()) == []
