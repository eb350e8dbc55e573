"""Command export, which turns logs into tables."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from negoplatform.cli.main import run

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""

FILES = {
    "codebook.csv",
    "events.csv",
    "iago_wide.csv",
    "messages.csv",
    "offers.csv",
    "offer_seats.csv",
    "seats.csv",
    "sessions.csv",
    "tasks.csv",
}
SCRIPTS = {"import_tables.py", "import.R", "import.sps", "dataset_description.json"}


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Return a function that runs a command in a folder with the logs of four practice games."""
    monkeypatch.chdir(tmp_path)
    games = ["--game", "practice", "--agents", "fair", "boulware", "--n", "2", "--logs", "logs"]
    assert run(["simulate", *games, "--data-dir", "data"]) == 0
    capsys.readouterr()

    def typed(*args: str) -> Said:
        code = run(["export", *args])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


def table(path: str) -> list[dict[str, str]]:
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def logs() -> list[Path]:
    return sorted(Path("logs").rglob("events.jsonl"))


def test_every_log_below_a_folder_is_exported(command: Callable[..., Said]) -> None:
    code, out, err = command("logs", "--out", "tables")

    assert (code, err) == (0, "")
    assert out == "4 sessions in 9 tables: tables.\n"
    assert {path.name for path in Path("tables").iterdir()} == FILES | SCRIPTS
    assert len(table("tables/sessions.csv")) == 4
    assert len(table("tables/seats.csv")) == 8


def test_a_log_that_is_named_twice_is_exported_once(command: Callable[..., Said]) -> None:
    code, out, _ = command(str(logs()[0]), str(logs()[0].parent), "--out", "tables")

    assert (code, out) == (0, "1 session in 9 tables: tables.\n")


def test_a_damaged_log_is_named_and_the_others_are_exported(command: Callable[..., Said]) -> None:
    damaged = logs()[1]
    damaged.write_bytes(damaged.read_bytes()[:-20])

    code, out, err = command("logs", "--out", "tables")

    assert code == 1
    assert out == "3 sessions in 9 tables; 1 left out: tables.\n"
    assert err.startswith(f"negoplatform: {damaged} at line ")
    assert len(err.splitlines()) == 1
    assert len(table("tables/sessions.csv")) == 3


def test_strict_stops_at_a_damaged_log_and_writes_nothing(command: Callable[..., Said]) -> None:
    damaged = logs()[1]
    damaged.write_bytes(damaged.read_bytes()[:-20])

    code, out, err = command("logs", "--out", "tables", "--strict")

    assert (code, out) == (1, "")
    assert "is cut off" in err
    assert not Path("tables").exists()


def test_tables_that_are_there_are_replaced_only_by_force(command: Callable[..., Said]) -> None:
    Path("tables").mkdir()
    Path("tables/offers.csv").write_text("mine", encoding="utf-8")

    code, _, err = command("logs", "--out", "tables")

    assert code == 1
    assert "offers.csv is there already; name another folder, or replace it with --force." in err
    assert [path.name for path in Path("tables").iterdir()] == ["offers.csv"]
    assert Path("tables/offers.csv").read_text(encoding="utf-8") == "mine"
    assert command("logs", "--out", "tables", "--force")[0] == 0
    assert table("tables/offers.csv")[0]["offer_no"] == "1"


def test_tables_for_spreadsheets_begin_with_a_byte_order_mark(command: Callable[..., Said]) -> None:
    command("logs", "--out", "plain")
    command("logs", "--out", "excel", "--excel")

    for name in FILES:
        assert (Path("excel") / name).read_bytes().startswith(b"\xef\xbb\xbf")
        assert not (Path("plain") / name).read_bytes().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["logs"], "Missing option '--out'"),
        (["--out", "tables"], "Missing argument 'LOG"),
        (["gone", "--out", "tables"], "gone: there is no such session log"),
        (["data", "--out", "tables"], "there is no"),
        (["logs", "--out", "mine/tables"], " cannot be written ("),
        (["logs", "--out", "mine"], "mine"),
    ],
)
def test_what_cannot_be_done_gets_one_line_and_an_exit_code(
    command: Callable[..., Said], args: list[str], reason: str
) -> None:
    Path("data").mkdir(exist_ok=True)
    Path("mine").write_text("a file", encoding="utf-8")

    code, out, err = command(*args)

    assert code in (1, 2)
    assert out == ""
    assert reason in err
    assert len(err.splitlines()) == 1


def test_logs_that_can_none_of_them_be_read_give_no_tables(command: Callable[..., Said]) -> None:
    for log in logs():
        log.write_bytes(b"{}\n")

    code, out, err = command("logs", "--out", "tables")

    assert (code, out) == (1, "")
    assert err.splitlines()[-1].endswith("None of these logs can be read, so nothing was written.")
    assert not Path("tables").exists()
