"""Proofs of finished sessions, by which their logs can be verified later."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.session.log_proofs import PROOFS_FILE, LogProof, append_proof

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


@pytest.mark.skipif(os.name != "posix", reason="Windows keeps rights otherwise")
def test_only_their_owner_may_read_them(tmp_path: Path, proof: LogProof) -> None:
    append_proof(tmp_path, proof)

    assert (tmp_path / PROOFS_FILE).stat().st_mode & 0o077 == 0
