"""Locations of files, from source and in the packaged program."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

import negoplatform
from negoplatform.app.session.session_start import fallback_folders
from negoplatform.app.support.console_fallback import OUTPUT_FILE, ensure_stdio
from negoplatform.cli.main import run
from negoplatform.plugins.code_file_trust_hash import code_file
from negoplatform.plugins.program_and_user_folders import beside_program, system_environment
from tests.app.catalogue.test_agent_manifests import lay
from tests.links import needs_links

ENTRY = Path(__file__).parents[2] / "packaging" / "entry.py"


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Path of the program, as if it were packaged."""
    program = tmp_path / "lab" / "NegoPlatform"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def test_a_checkout_has_no_folder_beside_it() -> None:
    assert beside_program("agents") is None


def test_agents_lie_beside_the_packaged_program(packaged: Path) -> None:
    assert beside_program("agents") == packaged.parent / "agents"


@needs_links
def test_a_link_to_the_program_is_not_the_program(packaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged.parent.mkdir()
    packaged.touch()
    link = packaged.parent.parent / "bin"
    link.symlink_to(packaged)
    monkeypatch.setattr(sys, "executable", str(link))

    assert beside_program("games") == packaged.parent / "games"


def test_on_macos_they_lie_beside_what_is_signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "NegoPlatform.app" / "Contents" / "MacOS" / "NegoPlatform"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(inside))

    assert beside_program("agents") == tmp_path / "agents"


@pytest.mark.usefixtures("packaged")
def test_other_programs_find_their_own_tk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TCL_LIBRARY", "/inside/tcl")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "/inside")
    monkeypatch.setenv("HOME", "/home/somebody")

    environment = system_environment()

    assert {"TCL_LIBRARY", "_PYI_ARCHIVE_FILE"}.isdisjoint(environment)
    assert environment["HOME"] == "/home/somebody"


def test_from_source_the_environment_is_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TCL_LIBRARY", "/my/tcl")

    assert system_environment()["TCL_LIBRARY"] == "/my/tcl"


@pytest.mark.parametrize(("before", "after"), [("/my/libraries", "/my/libraries"), (None, None)])
def test_the_packaged_program_gives_back_where_libraries_are(
    before: str | None, after: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/inside")
    monkeypatch.delenv("LD_LIBRARY_PATH_ORIG", raising=False)
    if before is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)

    runpy.run_path(str(ENTRY))["_give_back_library_path"]()

    assert (system_environment().get("LD_LIBRARY_PATH")) == after


def take_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the standard streams, as Windows does when there is no terminal."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)


def printed(*texts: str) -> None:
    """Print lines, and close the stream that received them."""
    for text in texts:
        print(text)
    assert sys.stdout is not None
    sys.stdout.close()


def test_the_packaged_program_looks_for_its_own_tcl_alone(tmp_path: Path) -> None:
    started = tmp_path / "negoplatform"
    started.mkdir()
    (started / "__init__.py").touch()
    (started / "__main__.py").write_text(
        "def main():\n    import tkinter\n    tkinter.Tcl()\n    print('Tcl')\n"
    )

    ran = subprocess.run(
        [sys.executable, str(ENTRY)],
        env={**os.environ, "TCLLIBPATH": "{", "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "Tcl\n", "")


def test_without_streams_what_is_printed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_streams(monkeypatch)
    ensure_stdio(lambda: tmp_path / "crashes")
    assert sys.stderr is not None
    assert sys.stderr is sys.stdout
    assert not (tmp_path / "crashes").exists()
    printed("Heard by nobody.", "By nobody at all.")

    when, *lines = (tmp_path / "crashes" / OUTPUT_FILE).read_text(encoding="utf-8").splitlines()
    assert when.startswith(f"NegoPlatform {negoplatform.__version__}, 20")
    assert lines == ["Heard by nobody.", "By nobody at all."]


def test_a_second_window_takes_nothing_from_what_the_first_one_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("The first.", "The second."):
        take_streams(monkeypatch)
        ensure_stdio(lambda: tmp_path)
        printed(text)

    lines = (tmp_path / OUTPUT_FILE).read_text(encoding="utf-8").splitlines()
    assert lines[1::2] == ["The first.", "The second."]


def test_what_was_printed_long_ago_is_dropped_before_it_fills_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_streams(monkeypatch)
    (tmp_path / OUTPUT_FILE).write_text("x" * 1_000_001)

    ensure_stdio(lambda: tmp_path)
    printed("Heard by nobody.")

    assert (tmp_path / OUTPUT_FILE).read_text(encoding="utf-8").splitlines()[1:] == ["Heard by nobody."]


def test_a_folder_that_cannot_be_made_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take_streams(monkeypatch)
    (tmp_path / "crashes").write_text("a file", encoding="utf-8")

    ensure_stdio(lambda: tmp_path / "crashes")
    printed("Heard by nobody.")

    assert (tmp_path / "crashes").read_text(encoding="utf-8") == "a file"


def test_what_is_printed_is_kept_where_the_command_line_says_that_all_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_streams(monkeypatch)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    assert run(["list", "games", "--plain", "--data-dir", str(tmp_path / "data")]) == 0
    assert sys.stdout is not None
    sys.stdout.close()

    assert (
        "practice" in (tmp_path / "data" / "crashes" / OUTPUT_FILE).read_text(encoding="utf-8").splitlines()
    )
    assert not (tmp_path / "home").exists()


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """User unknown to the system, as in a container that is started with an arbitrary user number."""
    if os.name == "nt":
        pytest.skip("Windows has a home for every user, whatever the environment says")

    def unknown(uid: int) -> NoReturn:
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    for name in ("HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize("command", ["list games", "", "play --game practice --agent fair"])
def test_who_has_no_home_is_told_so_in_a_sentence(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)

    assert run(command.split()) == 1

    told = capsys.readouterr().err
    assert told.startswith("negoplatform: Nobody can tell where your home folder is: HOME is not set")
    assert told.count("\n") == 1


@pytest.mark.usefixtures("homeless")
@pytest.mark.parametrize("line", ["{} list games --plain", "list games --plain {}"])
def test_who_has_no_home_says_where_their_data_goes(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    added = lay(tmp_path / "agents" / "mine")

    assert run(line.format(f"--data-dir {tmp_path}").split()) == 0

    assert "practice" in capsys.readouterr().out.splitlines()
    assert code_file(added).trust_command(tmp_path).endswith(f"--data-dir {tmp_path}")
    assert [folder.name for folder in fallback_folders(tmp_path)] == ["NegoPlatform-sessions"]


@pytest.mark.usefixtures("homeless")
def test_who_has_no_home_can_ask_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert (run(["--version"]), run(["list", "--help"])) == (0, 0)

    assert "--data-dir" in capsys.readouterr().out
