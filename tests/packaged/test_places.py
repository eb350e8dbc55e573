"""The program's folder may be anywhere, owned by any user, and is started from any environment."""

from __future__ import annotations

import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from tests.docs.pages import ROOT
from tests.packaged.hands import close, ending, read_and_close, say, verified
from tests.packaged.installed import PLAINEST, Installed
from tests.packaged.installed_under_wine import InstalledUnderWine
from tests.unprivileged_user import NOBODY, can_be_ordinary, ordinary_command
from tests.window.conftest import LONGEST, Program

pytestmark = pytest.mark.window

NO_VERSION = re.compile(r"-?\d.*")
"""Version in the name of one of Debian's packages."""

START = Callable[..., Program]

ONE_SESSION = ("--game", "practice", "--agent", "fair", "--participant", "P05")

NEEDS_SOMEBODY_ELSE = pytest.mark.skipif(
    not can_be_ordinary(), reason="permissions do not bind root, and there is no setpriv"
)


@pytest.fixture
def stick(app: Installed, tmp_path: Path) -> Installed:
    """Copy of the program under a path that some programs cannot handle."""
    return app.moved_to(tmp_path / "Labor é 2" / "Nego  Platform (neu)")


@pytest.fixture
def somebody(app: Installed) -> Iterator[Installed]:
    """User bound by permissions, with a separate home, and with the program in a read-only folder."""
    if isinstance(app, InstalledUnderWine):
        pytest.skip("under Wine permissions are those of the one Linux user of the prefix")
    # Not in the folder of this test, which no other user may enter.
    place = Path(tempfile.mkdtemp(prefix="negoplatform-"))
    place.chmod(0o755)
    theirs = app.moved_to(place / "opt")
    for path in (theirs.executable.parent, *theirs.executable.parent.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222 | 0o444)
    home = place / "home"
    for folder in (home, home / ".local", home / ".local" / "share"):
        folder.mkdir()
        if ordinary_command():
            shutil.chown(folder, NOBODY, NOBODY)
    yield replace(theirs, home=home, before=tuple(ordinary_command()))
    for path in (place, *place.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(place)


def play_a_little(program: Program, text: str) -> None:
    """Send a message and walk away, to the end of the session."""
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    say(program, text)
    program.walk_away()
    program.wait_for("finished")


def test_a_renamed_folder_with_blanks_and_an_accent_works_with_the_plainest_environment(
    start: START, stick: Installed
) -> None:
    # Wine reads the names of files in the encoding that these variables tell; Windows has none of them.
    plain = stick if isinstance(stick, InstalledUnderWine) else replace(stick, more=PLAINEST)
    program = start(*ONE_SESSION, of=plain)
    play_a_little(program, "Grüße – déjà vu")
    close(program)

    assert ending(program.log())["ended_by"] == "quit"
    assert "Grüße – déjà vu" in plain.says("replay", program.log())
    assert "finished (quit)" in verified(plain, program.log())


@NEEDS_SOMEBODY_ELSE
def test_a_folder_that_nobody_may_write_is_enough(start: START, somebody: Installed) -> None:
    program = start(*ONE_SESSION, of=somebody)
    play_a_little(program, "Hello")
    close(program)

    assert "finished (quit)" in verified(somebody, program.log())
    written = [
        path
        for path in somebody.executable.parent.rglob("*")
        if not path.is_symlink() and path.stat().st_mode & stat.S_IWUSR
    ]
    assert written == []


@NEEDS_SOMEBODY_ELSE
def test_a_home_that_cannot_be_written_is_said_in_one_sentence(begin: START, somebody: Installed) -> None:
    somebody.data_dir.parent.chmod(0o555)

    sentence, errors = read_and_close(begin(*ONE_SESSION, of=somebody))

    assert sentence == f"{somebody.data_dir}: this cannot be used (Permission denied)."
    assert errors == f"negoplatform: {sentence}\n"


@NEEDS_SOMEBODY_ELSE
def test_from_the_start_window_too_a_home_that_cannot_be_written_is_said_and_nothing_is_lost(
    start: START, somebody: Installed
) -> None:
    somebody.data_dir.parent.chmod(0o555)
    program = start("--participant", "P05", of=somebody)
    program.wait_for("start_screen")
    program.click("start")
    sentence = program.wait_for("problem")["text"]

    assert str(somebody.data_dir) in sentence
    assert "Permission denied" in sentence
    assert program.process.poll() is None


def test_two_copies_at_once_keep_their_sessions_apart(start: START, stick: Installed) -> None:
    one, other = start(*ONE_SESSION), start("--game", "campsite", "--agent", "conceder", of=stick)
    one.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    other.wait_for("table_screen")
    logs = {
        stick.path_of(told["log"])
        for program in (one, other)
        for told in program.told
        if told["ev"] == "table_screen"
    }
    for program in (one, other):
        program.kill()

    assert len(logs) == 2
    for log in logs:
        assert "not finished" in verified(stick, log)


def test_a_double_click_opens_the_start_window_and_keeps_to_the_users_own_folder(app: Installed) -> None:
    before = sorted(app.executable.parent.rglob("*"))
    program = subprocess.Popen(
        app.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    app.wait_for_window()
    program.terminate()

    assert program.communicate(timeout=LONGEST) == (b"", b"")
    assert sorted(app.executable.parent.rglob("*")) == before
    assert not list(app.data_dir.rglob("crash-*"))
    assert [path.name for path in app.home.iterdir()] in ([], [".local"])


def test_the_licences_of_all_that_is_included_are_in_one_file_and_on_the_page(app: Installed) -> None:
    file = app.executable.parent / "_internal" / "LICENCES.txt"
    head, _, rest = file.read_text(encoding="utf-8").partition("\n\n=====")
    listed = dict(re.findall(r"^(.+): ([\d, ]+)$", head, re.MULTILINE))
    page = (ROOT / "docs" / "licences.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([^`]+)`", page))

    unnamed = [
        component
        for component in listed
        if not component.startswith(("Common licence ", "Libraries of Python for Windows"))
        and not {component, canonicalize_name(component), NO_VERSION.sub("", component)} & named
    ]

    assert {"NegoPlatform", "Inter, the font", "Python", "pillow", "pyinstaller"} <= listed.keys()
    assert unnamed == []
    for number in {number for numbers in listed.values() for number in numbers.split(", ")}:
        assert f"\n{number}: " in rest
