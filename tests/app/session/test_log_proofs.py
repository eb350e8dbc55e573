"""Proofs of finished sessions, by which their logs can be verified later."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.session.log_proofs import (
    PROOFS_FILE,
    LogProof,
    LogProofs,
    append_proof,
    proof_files,
    read_proofs,
)
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import read_whole_part
from tests.eventlog.disks import TestDisk
from tests.eventlog.logs import recorded

HASH = "ab" * 32


@pytest.fixture
def proof(tmp_path: Path) -> LogProof:
    """Proof of a session in the data folder."""
    return LogProof(tmp_path / "sessions" / "one" / "events.jsonl", "P02", 41, HASH)


def lines(data_dir: Path) -> list[list[str]]:
    """Return the fields of each line without the time."""
    text = (data_dir / PROOFS_FILE).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [line.split("\t")[1:] for line in text.splitlines()]


def test_each_session_has_a_line_and_the_lines_before_stay(tmp_path: Path, proof: LogProof) -> None:
    append_proof(tmp_path, proof)
    before = (tmp_path / PROOFS_FILE).read_bytes()

    append_proof(tmp_path, replace(proof, participant="P03"))

    assert (tmp_path / PROOFS_FILE).read_bytes().startswith(before)
    assert lines(tmp_path) == [
        ["sessions/one/events.jsonl", "P02", "41 events", HASH],
        ["sessions/one/events.jsonl", "P03", "41 events", HASH],
    ]


def test_a_log_that_had_to_move_is_named_in_full_on_one_line(tmp_path: Path, proof: LogProof) -> None:
    moved = Path("/other disk/a\nb/events.jsonl")

    append_proof(tmp_path, replace(proof, log=moved))

    assert lines(tmp_path)[0][0] == str(Path("/other disk/a b/events.jsonl"))


def test_a_line_that_was_torn_takes_no_other_with_it(tmp_path: Path, proof: LogProof) -> None:
    (tmp_path / PROOFS_FILE).write_bytes(b"2026-06-03T12:02:11.000Z\tsessio")

    append_proof(tmp_path, proof)

    assert lines(tmp_path) == [["sessio"], ["sessions/one/events.jsonl", "P02", "41 events", HASH]]


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in the file system")
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, proof: LogProof) -> None:
    os.mkfifo(tmp_path / PROOFS_FILE)

    with pytest.raises(OSError, match="this is no file"):
        append_proof(tmp_path, proof)


@pytest.mark.parametrize("is_first", [True, False], ids=["the first line", "a further line"])
def test_a_proof_is_on_the_disk_when_the_call_returns(
    tmp_path: Path, proof: LogProof, is_first: bool
) -> None:
    disk = TestDisk()
    data_dir = tmp_path / "data"
    data_dir.mkdir()
    disk.sync_folder(tmp_path)
    if not is_first:
        append_proof(data_dir, replace(proof, participant="P01"))

    append_proof(data_dir, proof, disk=disk)
    disk.cut_power()

    assert [fields[1] for fields in lines(data_dir)] == (["P02"] if is_first else ["P01", "P02"])


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_proof_that_may_not_be_on_the_disk_is_an_error(tmp_path: Path, proof: LogProof, call: str) -> None:
    disk = TestDisk(lambda _, name, __: name == call)

    with pytest.raises(OSError, match="No space left"):
        append_proof(tmp_path, proof, disk=disk)


def test_a_line_that_a_person_has_written_proves_a_log_and_names_none(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(f"sessions/one/events.jsonl was fine, {HASH.upper()}\n", encoding="utf-8")

    [entry] = read_proofs(notes)

    assert (entry.last_hash, entry.log, entry.events, entry.place) == (HASH, "", None, None)


@pytest.mark.parametrize("fill", [b"\0", b"\n", b"a"])
def test_a_file_that_is_too_large_for_proofs_is_refused_unread(tmp_path: Path, fill: bytes) -> None:
    path = tmp_path / "proofs.txt"
    path.write_bytes(fill * 1_000)
    os.truncate(path, 20_000_000_000)

    with pytest.raises(InputFileError, match="too large to hold proofs only"):
        list(read_proofs(path))


def test_a_line_as_long_as_a_file_hides_no_other(tmp_path: Path, proof: LogProof) -> None:
    (tmp_path / PROOFS_FILE).write_bytes(b"x" * 5_000_000)
    append_proof(tmp_path, proof)

    [entry] = read_proofs(tmp_path / PROOFS_FILE)

    assert (entry.line, entry.last_hash) == (2, HASH)


@pytest.mark.parametrize("name", ["a\0b", "../" * 2_000, "x" * 5_000, "\udcff", "C:\\a\\one\\events.jsonl"])
def test_a_path_that_can_be_none_stops_no_check(tmp_path: Path, game: GameSpec, name: str) -> None:
    log = recorded(tmp_path / "one", game, lambda table: table.human.says("Hello"))
    line = f"2025\t{name}\tP01\t3 events\t{HASH}\n"
    (tmp_path / PROOFS_FILE).write_bytes(line.encode("utf-8", "replace"))

    proofs = LogProofs.of_data_folder(tmp_path)

    assert len(proofs.entries) == 1
    assert proofs.check(read_whole_part(log)) is None


def test_files_of_proofs_are_found_above_a_log_and_in_the_users_folder(tmp_path: Path) -> None:
    places = [tmp_path / "data" / "sessions", tmp_path / "data", tmp_path, tmp_path / "user"]
    for place in places:
        place.mkdir(exist_ok=True, parents=True)
        (place / PROOFS_FILE).touch()

    found = proof_files(tmp_path / "data" / "sessions" / "one" / "events.jsonl", tmp_path / "user")

    assert found == [place / PROOFS_FILE for place in places]


def test_proofs_that_cannot_be_read_are_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputFileError, match="the file cannot be read"):
        list(read_proofs(tmp_path / "nowhere.txt"))
    with pytest.raises(InputFileError, match="this is no file but a folder"):
        list(read_proofs(tmp_path))


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights otherwise")
def test_only_their_owner_may_read_them(tmp_path: Path, proof: LogProof) -> None:
    append_proof(tmp_path, proof)

    assert (tmp_path / PROOFS_FILE).stat().st_mode & 0o077 == 0
