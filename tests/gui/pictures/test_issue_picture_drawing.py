"""Pictures of issues: drawn inside their box, and distinguishable on every ground."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import PICTURES as NAMES
from negoplatform.domain.issue import QuantityIssue
from negoplatform.gui.pictures.game_picture_set import STORED_SIDE, GamePictureSet, load_pictures
from negoplatform.gui.pictures.issue_picture_drawing import PICTURES, picture
from negoplatform.presentation.color_palette import PALETTES, contrast_ratio
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.issue_valuation_texts import priorities
from tests.games import coins_only

GROUNDS = sorted(
    {ground for p in PALETTES.values() for ground in (p.card, p.soft, p.mine_soft, p.theirs_soft)}
)


def pixels(drawn: Image.Image) -> list[tuple[int, ...]]:
    """Return red, green, blue and coverage of every pixel."""
    data = drawn.tobytes()
    return [tuple(data[i : i + 4]) for i in range(0, len(data), 4)]


def with_picture(name: str) -> GameSpec:
    game = coins_only()
    coins = QuantityIssue("coins", 4, picture=name)
    return type(game)(
        name=game.name, issues=(coins,), seats=game.seats, preferences=game.preferences, rules=game.rules
    )


def test_every_name_that_a_game_may_use_is_drawn_and_no_other() -> None:
    assert set(PICTURES) == set(NAMES)
    assert len(NAMES) == len(set(NAMES)) >= 24


@pytest.mark.parametrize("name", sorted(PICTURES))
@pytest.mark.parametrize("size", [12, 18, 40])
def test_a_picture_is_drawn_within_its_box(name: str, size: int) -> None:
    drawn = picture(name, size)
    cover = drawn.getchannel("A")

    assert (drawn.size, drawn.mode) == ((size, size), "RGBA")
    assert 0.15 < ImageStat.Stat(cover).mean[0] / 255 < 0.92
    left, top, right, bottom = cover.point(lambda alpha: 255 * (alpha > 160)).getbbox() or (0, 0, 0, 0)
    assert left + top + size - right + size - bottom >= 2, "it touches its box on every side"


def test_no_picture_looks_like_another() -> None:
    drawn = {
        name: Image.alpha_composite(Image.new("RGBA", (18, 18), "#fff"), picture(name, 18))
        for name in PICTURES
    }

    alike = {
        (a, b)
        for a, b in combinations(PICTURES, 2)
        if sum(ImageStat.Stat(ImageChops.difference(drawn[a].convert("RGB"), drawn[b].convert("RGB"))).mean)
        < 60
    }

    assert alike == set()


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", sorted(PICTURES))
def test_a_picture_stands_out_from_every_ground(name: str, ground: str) -> None:
    """Check that a good part of the covered pixels has the contrast that controls have."""
    drawn = picture(name, 40)
    covered = [colour[:3] for colour in pixels(drawn) if colour[3] > 250]

    clear = [rgb for rgb in covered if contrast_ratio("#{:02x}{:02x}{:02x}".format(*rgb), ground) >= 3]

    assert len(clear) / len(covered) > 0.15


def test_what_nobody_has_yet_has_the_same_shape_and_no_colour() -> None:
    whole, faded = picture("apple", 24), picture("apple", 24, faded=True)

    assert faded.getchannel("A").getbbox() == whole.getchannel("A").getbbox()
    assert all(r == g == b for r, g, b, _ in pixels(faded))


def test_a_games_own_picture_is_shown_whole_and_square(tmp_path: Path) -> None:
    Image.new("RGB", (300, 100), "#cc0000").save(tmp_path / "mine.png")

    found = load_pictures(with_picture("mine.png"), tmp_path)

    drawn = found.draw("mine.png", 30)
    assert found.problems == ()
    assert found.custom["mine.png"].size == (STORED_SIDE, STORED_SIDE)
    assert drawn is not None
    assert drawn.getpixel((15, 15)) == (0xCC, 0, 0, 255)
    assert drawn.getpixel((15, 2)) == (0, 0, 0, 0)


def test_a_picture_that_cannot_be_shown_costs_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"no picture")
    Image.new("RGB", (9, 9)).save(tmp_path.parent / "outside.png")
    (tmp_path / "link.png").symlink_to(tmp_path.parent / "outside.png")
    Image.new("1", (5000, 2)).save(tmp_path / "long.png")

    def problem(name: str, folder: Path | None = tmp_path) -> str:
        found = load_pictures(with_picture(name), folder)
        assert found.draw(name, 20) is None
        (sentence,) = found.problems
        return sentence

    assert problem("broken.png") == (
        "The game’s picture “broken.png” isn’t shown: broken.png isn’t a complete PNG picture."
    )
    assert "outside the game’s own folder" in problem("link.png")
    assert "more than 4096 pixels" in problem("long.png")
    assert "can’t be read" in problem("gone.png")
    assert "isn’t known" in problem("broken.png", None)


def test_an_issue_without_a_picture_has_none() -> None:
    assert GamePictureSet().draw("", 20) is None
    assert load_pictures(coins_only(), None).problems == ()


def test_what_matters_knows_the_picture_of_each_issue() -> None:
    game = with_picture("money")

    (worth,) = priorities(game, game.preferences["human"], ENGLISH).issues

    assert worth.picture == "money"
