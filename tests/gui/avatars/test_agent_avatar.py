"""Pictures of agents: checked when they are read, with a drawn face in place of a refused one."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.agent_avatar import STORED_SIDE, Avatar, crop_to_circle, load_avatar
from negoplatform.gui.avatars.face_drawing import draw_portrait
from negoplatform.gui.pictures.picture_file_reader import LARGEST_FILE, LARGEST_SIDE
from negoplatform.presentation.agent_characters import CHARACTERS, character_for
from negoplatform.presentation.face_mood import ShownFace

RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Agent's folder, next to a file that the agent may not use."""
    place = tmp_path / "agents"
    place.mkdir()
    (place / "fox.py").write_text("# an agent\n", encoding="utf-8")
    Image.new("RGB", (40, 40), RED).save(tmp_path / "outside.png")
    return place


@pytest.fixture
def find(folder: Path) -> Callable[[str | None], Avatar]:
    return lambda avatar: load_avatar(avatar, folder / "fox.py", name="Fox")


def test_an_agent_that_says_nothing_looks_as_its_name_decides(find: Callable[[str | None], Avatar]) -> None:
    for nothing in (None, "", "  "):
        assert (find(nothing).character, find(nothing).problem) == (character_for("Fox"), "")


def test_an_agent_may_choose_who_it_looks_like(find: Callable[[str | None], Avatar]) -> None:
    assert find("Mika").character is CHARACTERS["mika"]
    assert load_avatar("mika", None, name="Fox").character is CHARACTERS["mika"]


def test_one_picture_serves_for_every_expression(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    Image.new("RGB", (60, 90), RED).save(folder / "fox.jpg", quality=95)

    found = find("fox.jpg")

    assert (found.problem, set(found.pictures)) == ("", {Expression.NEUTRAL})
    drawn = found.draw(ShownFace(Expression.ANGRY), 34, "#ffffff")
    assert drawn.getpixel((17, 17)) == pytest.approx(RED, abs=4)
    assert drawn.getpixel((0, 0)) == (255, 255, 255)


def test_a_folder_has_a_picture_for_each_expression(
    folder: Path, find: Callable[[str | None], Avatar]
) -> None:
    (folder / "looks").mkdir()
    Image.new("RGB", (40, 40), RED).save(folder / "looks" / "neutral.png")
    Image.new("RGB", (40, 40), BLUE).save(folder / "looks" / "happy.png")

    found = find("looks")

    middles = {e: found.draw(ShownFace(e), 34, "#ffffff").getpixel((17, 17)) for e in Expression}
    assert middles.pop(Expression.HAPPY) == BLUE
    assert set(middles.values()) == {RED}


def test_a_faint_mood_has_the_neutral_picture_and_a_clear_one_its_own(
    folder: Path, find: Callable[[str | None], Avatar]
) -> None:
    (folder / "looks").mkdir()
    Image.new("RGB", (40, 40), RED).save(folder / "looks" / "neutral.png")
    Image.new("RGB", (40, 40), BLUE).save(folder / "looks" / "sad.png")

    found = find("looks")

    middles = [
        found.draw(ShownFace(Expression.SAD, intensity), 34, "#ffffff").getpixel((17, 17))
        for intensity in (0.2, 0.4, 0.5, 0.8, 1.0)
    ]
    assert middles == [RED, RED, BLUE, BLUE, BLUE]


def test_without_a_neutral_picture_the_drawn_face_fills_the_gaps(
    folder: Path, find: Callable[[str | None], Avatar]
) -> None:
    (folder / "looks").mkdir()
    Image.new("RGB", (40, 40), BLUE).save(folder / "looks" / "happy.png")

    found = find("looks")

    drawn = draw_portrait(character_for("Fox"), Expression.SAD, 34, "#ffffff", 1.0)
    assert found.draw(ShownFace(Expression.SAD), 34, "#ffffff") is drawn
    assert found.draw(ShownFace(Expression.HAPPY), 34, "#ffffff").getpixel((17, 17)) == BLUE


def test_a_large_picture_is_kept_small(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    Image.new("RGB", (1600, 1200), RED).save(folder / "large.png")

    assert find("large.png").pictures[Expression.NEUTRAL].size == (STORED_SIDE, STORED_SIDE)


def refused(found: Avatar, reason: str) -> None:
    """Assert that the drawn face is shown, with the reason in one sentence."""
    assert (found.character, dict(found.pictures)) == (character_for("Fox"), {})
    assert found.problem.startswith("The agent’s picture “")
    assert reason in found.problem
    assert "\n" not in found.problem


@pytest.mark.parametrize("way", ["../outside.png", "looks/../../outside.png", ".."])
def test_no_path_leaves_the_agents_folder(find: Callable[[str | None], Avatar], way: str) -> None:
    refused(find(way), "outside the agent’s own folder")


def test_no_absolute_path_and_no_link_leaves_it_either(
    folder: Path, find: Callable[[str | None], Avatar]
) -> None:
    outside = folder.parent / "outside.png"
    (folder / "link.png").symlink_to(outside)
    (folder / "looks").mkdir()
    (folder / "looks" / "happy.png").symlink_to(outside)

    for way in (str(outside), "link.png", "looks"):
        refused(find(way), "outside the agent’s own folder")


@pytest.mark.parametrize("name", ["unicorn", "a" * 5000, "zero\0byte", "~", "fox.py\0.png"])
def test_a_name_that_leads_nowhere_is_said_so(find: Callable[[str | None], Avatar], name: str) -> None:
    found = find(name)

    assert found.pictures == {}
    assert "isn’t shown" in found.problem
    assert len(found.problem) < 200


def test_an_empty_folder_is_no_picture(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    (folder / "looks").mkdir()

    refused(find("looks"), "no picture such as neutral.png")


def test_what_is_no_picture_is_refused(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    whole = folder / "whole.png"
    Image.effect_noise((64, 64), 80).save(whole)
    (folder / "cut.png").write_bytes(whole.read_bytes()[:-800])
    (folder / "empty.png").write_bytes(b"")
    Image.new("RGB", (8, 8)).save(folder / "moving.gif")
    (folder / "moving.gif").rename(folder / "moving.png")

    for name in ("fox.py", "cut.png", "empty.png", "moving.png"):
        refused(find(name), f"{name} isn’t a complete PNG or JPEG picture")


def test_one_broken_picture_among_several_is_told(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    (folder / "looks").mkdir()
    Image.new("RGB", (40, 40), RED).save(folder / "looks" / "neutral.png")
    (folder / "looks" / "sad.png").write_bytes(b"no picture")

    refused(find("looks"), "sad.png isn’t a complete")


def test_a_picture_of_too_many_pixels_is_not_unpacked(
    folder: Path, find: Callable[[str | None], Avatar]
) -> None:
    for name, side in (("wide.png", LARGEST_SIDE + 1), ("bomb.png", 60_000)):
        (folder / name).write_bytes(empty_png(side))

    refused(find("wide.png"), f"more than {LARGEST_SIDE} pixels")
    # Pillow itself refuses a picture as large as this one.
    refused(find("bomb.png"), "bomb.png isn’t a complete PNG")


def empty_png(side: int) -> bytes:
    """Return a PNG whose header declares this size, and which holds no pixels."""

    def piece(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", header) + piece(b"IDAT", b"") + piece(b"IEND", b"")


def test_a_file_of_too_many_bytes_is_not_read(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    with (folder / "heavy.png").open("wb") as heavy:
        heavy.truncate(LARGEST_FILE + 1)

    refused(find("heavy.png"), "heavy.png is larger than 4 MB")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(folder: Path, find: Callable[[str | None], Avatar]) -> None:
    (folder / "looks").mkdir()
    os.mkfifo(folder / "looks" / "neutral.png")

    refused(find("looks"), "neutral.png isn’t a file")


def test_an_agent_without_a_file_has_no_pictures() -> None:
    refused(load_avatar("fox.png", None, name="Fox"), "no folder")


def test_what_is_transparent_in_a_picture_shows_the_ground() -> None:
    drawn = crop_to_circle(Image.new("RGBA", (80, 80), (0, 0, 0, 0)), 34, "#1a202c")

    assert drawn.getcolors() == [(34 * 34, (0x1A, 0x20, 0x2C))]
