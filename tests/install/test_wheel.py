"""``pip install`` gives the same program as a checkout, with the same agents and games."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import negoplatform
from tests.app.simulation.test_simulate import without_wall_clock
from tests.install.installed import ROOT, Installed, build, contents
from tests.window.conftest import Program, accept_at_last
from tests.window.conftest import build as build_offer
from tests.x_server import Screen

GAMES = [
    "simulate",
    "--game",
    "practice",
    "--agents",
    "fair",
    "negochat",
    "--n",
    "1",
    "--seed",
    "11",
    "--logs",
    "logs",
]
LATER = ("3.12", "3.13", "3.14")
NEED_AN_EXTRA = ("negoplatform.strategies.negmas.session_mechanism", "negoplatform.training.")
"""Beginnings of the names of modules that are imported only with an extra."""


def pythons() -> list[str]:
    """Return the later Pythons installed here, except the one that runs the tests."""
    found = [find_python(version) for version in LATER if not sys.version.startswith(version)]
    return [python for python in found if python]


def find_python(version: str) -> str:
    script = ["sh", str(ROOT / "scripts" / "find-python.sh"), version]
    return subprocess.run(script, capture_output=True, text=True).stdout.strip()


def test_the_wheel_holds_every_file_of_the_program(wheel: Path) -> None:
    inside = {"negoplatform": "negoplatform"}
    kinds = ("agents", "games", "instruments", "studies", "assets")
    inside |= {kind: f"negoplatform/_bundled/{kind}" for kind in kinds}
    expected = {
        f"{target}/{path.relative_to(ROOT / source).as_posix()}": path.read_bytes()
        for source, target in inside.items()
        for path in (ROOT / source).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    found = {name: data for name, data in contents(wheel).items() if ".dist-info/" not in name}

    assert found.keys() == expected.keys()
    assert found == expected


def test_the_source_archive_gives_the_same_wheel(built: Path, wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()

    build(source, tmp_path, "wheel")

    again = next(tmp_path.glob("*.whl"))
    assert again.name == wheel.name
    assert contents(again) == contents(wheel)


def test_the_source_archive_holds_every_file_of_the_repository(built: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no git checkout, so what belongs to it is not known")
    # A file that is deleted and not yet committed is no file of the repository any more.
    tracked = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}

    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}

    assert tracked - held == set()


def test_the_installed_program_knows_the_same_agents_games_and_schema(
    elsewhere: Installed, said_here: Callable[..., str]
) -> None:
    assert elsewhere.run("--version").split()[-1] == negoplatform.__version__
    for asked in (("list", "agents", "--plain"), ("list", "games", "--plain"), ("schema", "game")):
        told = elsewhere.run(*asked)
        assert told == said_here(*asked)
        assert len(told.splitlines()) > 4


def test_the_same_seed_gives_the_same_logs_as_in_the_checkout(
    elsewhere: Installed, here: Installed, said_here: Callable[..., str]
) -> None:
    assert elsewhere.run(*GAMES) == said_here(*GAMES)

    logs = without_wall_clock(elsewhere.home / "logs")
    assert len(logs) == 2
    assert logs == without_wall_clock(here.home / "logs")


def test_an_agent_is_written_checked_and_played_in_the_installed_program(elsewhere: Installed) -> None:
    elsewhere.run("new-agent", "mine", "--dir", ".")
    told = elsewhere.run("check", "mine/agent.py", "--game", "practice")

    assert "Nothing to complain about." in told
    assert elsewhere.run(
        "simulate", "--game", "practice", "--agents", "mine/agent.py", "fair", "--n", "1", "--isolated"
    )


def test_every_module_can_be_imported_from_what_the_wheel_names(elsewhere: Installed) -> None:
    """Fail if the program needs a package that the wheel does not name."""
    script = (
        "import importlib, pkgutil, negoplatform\n"
        "found = pkgutil.walk_packages(negoplatform.__path__, 'negoplatform.', lambda _without_extra: None)\n"
        "for module in found:\n"
        f"    if not module.name.endswith('__main__') and not module.name.startswith({NEED_AN_EXTRA!r}):\n"
        "        importlib.import_module(module.name)\n"
        "print(negoplatform.__file__)\n"
    )
    python = str(Path(elsewhere.command[0]).with_name("python"))

    told = Installed((python, "-I", "-c", script), elsewhere.home).run()

    assert not Path(told.strip()).is_relative_to(ROOT)


@pytest.mark.parametrize("python", pythons(), ids=lambda path: Path(path).resolve().name)
def test_other_pythons_play_the_same_games(
    installed_for: Callable[[str], Path],
    here: Installed,
    said_here: Callable[..., str],
    tmp_path: Path,
    python: str,
) -> None:
    elsewhere = Installed((str(installed_for(python)),), tmp_path)

    assert elsewhere.run("list", "agents", "--plain") == said_here("list", "agents", "--plain")
    assert elsewhere.run(*GAMES) == said_here(*GAMES)
    assert without_wall_clock(elsewhere.home / "logs") == without_wall_clock(here.home / "logs")


@pytest.mark.window
def test_the_installed_window_speaks_german_and_plays_to_a_deal(elsewhere: Installed) -> None:
    with Screen() as screen:
        screen.env.pop("PYTHONPATH", None)
        program = Program(
            screen,
            elsewhere.home / "data",
            *("--game", "resource_exchange", "--agent", "fair", "--seed", "7", "--language", "de"),
            "--no-offer-requests",  # so that all rows of the builder are in view
            command=elsewhere.command,
        )
        program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
        build_offer(program, bananas__human=4, grain__agent=5, wood__agent=3, spices__agent=3)
        program.click("send_offer")
        program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
        accept_at_last(program)
        ended = program.wait_for("ended")
        assert program.stop() == ""

    assert ended["heading"] == "Sie haben sich geeinigt"
    assert program.events()[-1]["type"] == "GAME_END"
    assert "agreement" in elsewhere.run("replay", str(program.log()))
