"""Where things lie, from source and in the packaged program."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from negoplatform.app.folders import beside_program, system_environment
from negoplatform.app.unheard import keep_output

ENTRY = Path(__file__).parents[2] / "packaging" / "entry.py"


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The program as if it were packaged; its file."""
    program = tmp_path / "lab" / "NegoPlatform"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def test_a_checkout_has_no_folder_beside_it() -> None:
    assert beside_program("agents") is None


def test_agents_lie_beside_the_packaged_program(packaged: Path) -> None:
    assert beside_program("agents") == packaged.parent / "agents"


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


def test_without_streams_what_is_printed_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)

    keep_output(tmp_path / "crashes")
    print("Heard by nobody.")
    kept = sys.stdout
    assert kept is sys.stderr
    kept.close()

    assert (tmp_path / "crashes" / "output.txt").read_text(encoding="utf-8") == "Heard by nobody.\n"


def test_a_folder_that_cannot_be_made_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "crashes").write_text("a file", encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", None)

    keep_output(tmp_path / "crashes")
    print("Heard by nobody.")

    assert sys.stdout is not None
    sys.stdout.close()
