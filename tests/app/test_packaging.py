"""What goes into the packaged program."""

from __future__ import annotations

import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

import negoplatform
from negoplatform.app.folders import bundled
from negoplatform.cli.commands import COMMANDS

PACKAGING = Path(__file__).parents[2] / "packaging"
CONTENTS: dict[str, Any] = runpy.run_path(str(PACKAGING / "contents.py"))


def test_every_command_comes_along_though_only_its_name_is_written_somewhere() -> None:
    modules = CONTENTS["own_modules"]()

    assert {f"negoplatform.cli.{place.split(':')[0]}" for place in COMMANDS.values()} <= set(modules)


def test_what_only_agents_import_comes_along() -> None:
    assert {"negoplatform.strategies.negochat", "negoplatform.agent_api.bidder"} <= set(
        CONTENTS["own_modules"]()
    )


def test_no_file_of_ours_is_forgotten() -> None:
    package = Path(negoplatform.__file__).parent
    modules = {name.replace(".", "/") for name in CONTENTS["own_modules"]()}
    data = {Path(source) for source, _folder in CONTENTS["own_data"]()}

    forgotten = [
        path
        for path in package.rglob("*")
        if path.is_file()
        and "__pycache__" not in path.parts
        and path not in data
        and str(path.relative_to(package.parent).with_suffix("")).removesuffix("/__init__") not in modules
    ]

    assert forgotten == []


def test_agents_and_games_lie_where_the_program_looks_for_them() -> None:
    folders = {Path(source).name: Path(folder).as_posix() for source, folder in CONTENTS["own_data"]()}

    assert folders["negochat.py"] == "negoplatform/_bundled/agents"
    assert folders["practice.json"] == "negoplatform/_bundled/games"


def test_a_plugin_finds_the_standard_library() -> None:
    names = set(CONTENTS["standard_library"]())

    assert {
        "sqlite3.dbapi2",
        "html.parser",
        "wave",
        "cmath",
        "colorsys",
        "xml.dom.minidom",
        "doctest",
    } <= names
    assert not [name for name in names if name.split(".")[0] in {"test", "idlelib"}]


@pytest.mark.parametrize("size", [16, 32, 64, 256])
def test_the_icon_is_what_its_script_draws(size: int) -> None:
    draw: Callable[[int], Image.Image] = runpy.run_path(str(PACKAGING / "icon.py"))["draw"]

    with Image.open(bundled("assets") / "icon" / f"{size}.png") as kept:
        off = ImageStat.Stat(ImageChops.difference(kept.convert("RGBA"), draw(size)))

    # Not to the last shade: how edges are smoothed differs from one Pillow to the next.
    assert max(off.mean) < 0.3


@pytest.mark.skipif(sys.platform == "win32", reason="a script for Linux")
def test_the_menu_names_the_program_where_it_lies_until_it_is_taken_out(tmp_path: Path) -> None:
    here, data = tmp_path / "my lab", tmp_path / "data"
    icons = here / "_internal/negoplatform/_bundled/assets/icon"
    icons.mkdir(parents=True)
    for path in (bundled("assets") / "icon").iterdir():
        (icons / path.name).write_bytes(path.read_bytes())
    for name in ("register.sh", "negoplatform.desktop", "negoplatform.xml"):
        (here / name).write_bytes((PACKAGING / "linux" / name).read_bytes())
    command = ["sh", str(here / "register.sh")]
    env = {"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(data)}

    subprocess.run(command, env=env, check=True, stdout=subprocess.DEVNULL)
    entry = (data / "applications" / "negoplatform.desktop").read_text(encoding="utf-8")
    subprocess.run([*command, "--remove"], env=env, check=True, stdout=subprocess.DEVNULL)

    assert f'Exec="{here}/NegoPlatform" %f\n' in entry
    assert "/opt/" not in entry
    assert not [path for path in data.rglob("negoplatform*") if path.is_file()]
