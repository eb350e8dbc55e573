"""Derived files: complete or absent, under any name that the system allows."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from negoplatform.analysis.export_tables.columns import DataTable, build_table, text_column
from negoplatform.analysis.export_tables.export import write_tables
from negoplatform.cli.main import run
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog import atomic_write as module
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.disk_calls import Disk
from tests.golden.make import GOLDEN

DEAL = GOLDEN / "deal-2.jsonl"


class FullDisk(Disk):
    """Disk that turns out to be full only in the last call."""

    def fsync(self, file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def table(cell: str) -> DataTable:
    return build_table("sessions", (text_column("name", "A name."),), [{"name": cell}])


def test_a_file_that_cannot_be_kept_is_not_there_and_one_that_was_there_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    old.write_bytes(b"old")
    monkeypatch.setattr(module, "DISK", FullDisk())

    for path, replace in ((tmp_path / "new", False), (old, True)):
        with pytest.raises(NegoError, match=r"cannot be written \(No space left on device\)"):
            atomic_write(path, b"new", replace=replace)

    assert list(tmp_path.iterdir()) == [old]
    assert old.read_bytes() == b"old"


def test_a_table_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [path] = write_tables([table("before")], tmp_path)
    before = path.read_bytes()
    monkeypatch.setattr(module, "DISK", FullDisk())

    with pytest.raises(NegoError, match="No space left on device"):
        write_tables([table("after")], tmp_path, replace=True)

    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "args",
    [
        ["replay", str(DEAL), "--out", "out"],
        ["schema", "game", "--out", "out"],
        ["simulate", "--game", "resource_exchange", "--agents", "fair boulware", "--n", "1", "--csv", "out"],
    ],
    ids=lambda args: args[0],
)
def test_no_command_leaves_half_a_file(
    args: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "DISK", FullDisk())
    words = [word for arg in args for word in (arg.split() if arg == "fair boulware" else [arg])]

    code = run(words)

    assert code == 1
    assert "out cannot be written (No space left on device)" in capsys.readouterr().err
    assert not Path("out").exists()


@pytest.mark.skipif(os.name != "posix", reason="POSIX modes")
def test_a_log_is_for_its_owner_alone_and_a_table_for_whom_the_user_lets_see_it(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        atomic_write(tmp_path / "log", b"", private=True)
        atomic_write(tmp_path / "table", b"")
    finally:
        os.umask(mask)

    assert [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("log", "table")] == [0o600, 0o644]


@pytest.mark.parametrize("name", ["n" * 255, "é" * 127])
def test_a_name_may_be_as_long_as_a_name_can_be(tmp_path: Path, name: str) -> None:
    atomic_write(tmp_path / name, b"all of it")

    assert (tmp_path / name).read_bytes() == b"all of it"


def test_no_name_at_all_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["log", "export-clean", str(DEAL), ""])

    assert code == 1
    assert capsys.readouterr().err == "negoplatform: . is there already; name a new file.\n"
