"""Commands for log files: log verify, log repair, log export-clean."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from negoplatform.app.session.log_proofs import LogProof, append_proof
from negoplatform.cli.main import run
from negoplatform.domain.errors import LogWriteError
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from tests.eventlog.logs import lines_of, rewrite
from tests.golden.make import GOLDEN

DEAL = GOLDEN / "deal-2.jsonl"
LAST = DEAL.read_bytes()[-67:-3].decode()
LINES = DEAL.read_bytes().splitlines(keepends=True)


class Said:
    """Output and exit code of a command."""

    def __init__(
        self, capsys: pytest.CaptureFixture[str], *words: object, before: Sequence[str] = ()
    ) -> None:
        self.code = run([*before, "log", *map(str, words)])
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """Return a session's folder with the golden log."""
    (tmp_path / "session").mkdir()
    shutil.copyfile(DEAL, tmp_path / "session" / "events.jsonl")
    return tmp_path / "session"


@pytest.fixture
def file(session: Path) -> Path:
    """Return the log of the session."""
    return session / "events.jsonl"


def is_one_sentence(err: str) -> bool:
    return err.startswith("negoplatform: ") and err.count("\n") == 1 and "Traceback" not in err


def test_a_sound_log_is_said_to_be_sound_with_its_last_hash(
    session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, "verify", session)

    assert said.code == 0
    assert said.out == (
        f"{session / 'events.jsonl'}: sound; 30 lines, 29 events, finished (agreement), last hash {LAST}, "
        "no proof found\n"
    )


def test_every_log_is_judged_and_one_that_is_not_sound_makes_the_exit_code_1(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(file.read_bytes().replace(b"Thank you!", b"Thank you?"))

    said = Said(capsys, "verify", DEAL, file, file.parent / "nowhere")

    assert said.code == 1
    assert said.out.count("sound") == 1
    assert f"{file} at line 30: its hash does not fit" in said.err
    assert "there is no such session log" in said.err
    assert said.err.count("\n") == 2


def test_every_session_in_a_folder_is_judged(
    tmp_path: Path, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(session, other)
    log = other / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b"Thank you!", b"Thank you?"))

    said = Said(capsys, "verify", tmp_path)

    assert said.code == 1
    assert said.out.startswith(f"{session / 'events.jsonl'}: sound")
    assert f"{log} at line 30: its hash does not fit" in said.err


def test_one_hash_is_not_held_against_many_logs(
    tmp_path: Path, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(session, tmp_path / "other")

    said = Said(capsys, "verify", tmp_path, "--last", LAST)

    assert said.code == 2
    assert "name that log alone" in said.err


def test_whole_lines_that_are_missing_at_the_end_are_found_by_the_last_hash(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Said(capsys, "verify", file, "--last", LAST.upper()).code == 0
    file.write_bytes(b"".join(LINES[:-2]))

    without, with_it = Said(capsys, "verify", file), Said(capsys, "verify", file, "--last", LAST)

    assert without.code == 0
    assert "28 lines, 27 events, not finished" in without.out
    assert with_it.code == 1
    assert "lines are missing at its end, or it is another log" in with_it.err
    assert is_one_sentence(with_it.err)


def test_lines_that_came_after_the_hash_was_noted_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "verify", DEAL, "--last", LINES[19][-67:-3].decode())

    assert said.code == 1
    assert "goes on after the hash that was noted: that is in line 20 of 30" in said.err


def test_proofs_are_met_by_the_logs_as_they_were_and_by_no_other(
    tmp_path: Path, session: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proofs = tmp_path / "proofs.txt"
    append_proof(tmp_path, LogProof(file, "P-031", len(LINES) - 1, LAST))

    untouched = Said(capsys, "verify", session, "--proofs", proofs)
    file.write_bytes(b"".join(LINES[:-2]))
    cut = Said(capsys, "verify", session, "--proofs", proofs)

    assert untouched.code == 0
    assert untouched.out.endswith(f"{proofs}: 1 proof, and the logs are here as they were then\n")
    assert cut.code == 1
    assert f"{proofs} at line 1 notes 29 events for it, and it has 27, so lines are missing" in cut.err
    assert is_one_sentence(cut.err)


def test_proofs_under_their_earlier_name_are_read_too(
    tmp_path: Path, session: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    append_proof(tmp_path, LogProof(file, "P-031", len(LINES) - 1, LAST))
    old = (tmp_path / "proofs.txt").rename(tmp_path / "receipts.txt")
    file.write_bytes(b"".join(LINES[:-2]))

    by_name = Said(capsys, "verify", session, "--receipts", old)
    in_folder = Said(capsys, "verify", session, "--proofs", tmp_path)
    by_default = Said(capsys, "verify", session)

    for said in (by_name, in_folder, by_default):
        assert said.code == 1
        assert (
            "receipts.txt at line 1 notes 29 events for it, and it has 27, so lines are missing" in said.err
        )


def test_proofs_of_a_folder_for_each_computer_are_all_met(
    tmp_path: Path, session: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for computer in ("pc01", "pc02"):
        (tmp_path / computer).mkdir()
        append_proof(tmp_path / computer, LogProof(file, "P-031", len(LINES) - 1, LAST))

    there = Said(capsys, "verify", session, "--proofs", tmp_path)
    (tmp_path / "pc02" / "proofs.txt").write_bytes(b"")
    empty = Said(capsys, "verify", session, "--proofs", tmp_path)
    none = Said(capsys, "verify", session, "--proofs", session)

    assert there.code == 0
    assert there.out.endswith(f"{tmp_path}: 2 proofs, and the logs are here as they were then\n")
    assert (empty.code, none.code) == (1, 1)
    assert f"{tmp_path / 'pc02' / 'proofs.txt'} holds no proof, so nothing was compared" in empty.err
    assert f"{session} holds no proof, so nothing was compared" in none.err


def test_a_file_without_proofs_proves_nothing(
    tmp_path: Path, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proofs = tmp_path / "proofs.txt"
    for content in (b"", b"code,agent\nP-031,fair\n", f"{LAST}\n".encode("utf-16")):
        proofs.write_bytes(content)

        said = Said(capsys, "verify", session, "--proofs", proofs)

        assert said.code == 1
        assert f"{proofs} holds no proof, so nothing was compared" in said.err
        assert is_one_sentence(said.err)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in the file system")
def test_proofs_that_are_nowhere_or_no_file_are_one_sentence(
    tmp_path: Path, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    nowhere = Said(capsys, "verify", session, "--proofs", tmp_path / "nowhere.txt")
    endless = Said(capsys, "verify", session, "--proofs", pipe)

    assert (nowhere.code, endless.code) == (1, 1)
    assert "nowhere.txt" in nowhere.err
    assert "this is no file but a folder or a device" in endless.err
    assert is_one_sentence(nowhere.err)
    assert is_one_sentence(endless.err)


def test_proofs_of_many_computers_are_all_read(
    tmp_path: Path, session: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    append_proof(tmp_path, LogProof(file, "P-031", len(LINES) - 1, LAST))
    line = (tmp_path / "proofs.txt").read_text(encoding="utf-8")
    many = tmp_path / "many.txt"
    many.write_text(line * 8000, encoding="utf-8")

    all_there = Said(capsys, "verify", session, "--proofs", many)
    many.write_text(line * 8000 + line.replace(LAST, "0" * 64), encoding="utf-8")
    one_more = Said(capsys, "verify", session, "--proofs", many)

    assert many.stat().st_size > 1_000_000
    assert all_there.code == 0
    assert all_there.out.endswith(f"{many}: 8,000 proofs, and the logs are here as they were then\n")
    assert one_more.code == 1
    assert f"{many} at line 8001 notes another last hash" in one_more.err
    assert is_one_sentence(one_more.err)


@pytest.fixture
def data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return a data folder with two finished sessions and their proofs."""
    folder = tmp_path / "data"
    for session_id, code in (("abcdef012345", "P01"), ("ba9876543210", "P02")):
        log = folder / "sessions" / f"20250131-120000-practice-{code}-{session_id}" / "events.jsonl"
        log.parent.mkdir(parents=True)
        lines = lines_of(DEAL)
        lines[0]["session_id"] = session_id
        rewrite(log, lines)
        append_proof(folder, LogProof(log, code, len(LINES) - 1, log.read_bytes()[-67:-3].decode()))
    return folder


def logs_of(data: Path) -> list[Path]:
    return sorted(data.rglob("events.jsonl"))


def test_a_log_is_compared_with_the_proof_in_its_data_folder_unasked(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = Said(capsys, "verify", data / "sessions")

    assert (said.code, said.err) == (0, "")
    first, second = said.out.splitlines()
    assert first.endswith(f", as its proof says ({data / 'proofs.txt'} at line 1)")
    assert second.endswith(f", as its proof says ({data / 'proofs.txt'} at line 2)")


def cut(log: Path) -> None:
    """Cut off the last two lines, the end of the game among them."""
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))


def forge(log: Path) -> None:
    """Change the text of a message, and recompute all hashes."""
    lines = lines_of(log)
    lines[-1]["payload"]["text"] = "Never mind!"
    rewrite(log, lines)


def forge_another_session(log: Path) -> None:
    """Change the log and its session's id, and recompute all hashes."""
    lines = lines_of(log)
    lines[0]["session_id"] = "f" * 12
    lines[-1]["payload"]["text"] = "Never mind!"
    rewrite(log, lines)


def lengthen(log: Path) -> None:
    """Append a note with a right hash."""
    lines = lines_of(log)
    note = {"type": "NOTE", "sender": "platform", "payload": {"kind": "words_left", "data": {}}}
    lines.append({**lines[-1], **note, "seq": len(lines), "decided_by": None, "decided_at": None})
    rewrite(log, lines)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (cut, "notes 29 events for it, and it has 27, so lines are missing at its end"),
        (forge, "notes another last hash for it, so it was changed and its hashes were recomputed"),
        (forge_another_session, "notes another last hash for it"),
        (lengthen, "notes 29 events for it, and it has 30, so lines were added at its end"),
    ],
)
@pytest.mark.parametrize("asked", ["the log", "its folder", "all sessions", "the data folder"])
def test_a_log_that_is_sound_and_not_as_its_proof_says_is_named(
    data: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], object], says: str, asked: str
) -> None:
    log = logs_of(data)[0]
    change(log)

    meant = {
        "the log": log,
        "its folder": log.parent,
        "all sessions": log.parents[1],
        "the data folder": data,
    }
    said = Said(capsys, "verify", meant[asked])

    assert said.code == 1
    assert f"{log}: {data / 'proofs.txt'} at line 1 {says}" in said.err
    assert is_one_sentence(said.err)


def test_two_logs_that_were_exchanged_are_both_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = logs_of(data)
    mine, theirs = one.read_bytes(), two.read_bytes()
    one.write_bytes(theirs)
    two.write_bytes(mine)

    said = Said(capsys, "verify", data / "sessions")

    assert said.code == 1
    assert said.out == ""
    assert [line.split(": ")[1] for line in said.err.splitlines()] == [str(one), str(two)]


@pytest.mark.parametrize("change", [forge, cut])
def test_a_changed_log_in_a_renamed_folder_is_known_by_its_session(
    data: Path, capsys: pytest.CaptureFixture[str], change: Callable[[Path], object]
) -> None:
    log = logs_of(data)[0]
    change(log)
    log.parent.rename(log.parent.with_name("renamed"))

    said = Said(capsys, "verify", data / "sessions" / "renamed")

    assert said.code == 1
    assert "proofs.txt at line 1 notes" in said.err


def test_a_computer_of_which_only_the_proofs_are_left_is_named(
    data: Path, tmp_path: Path, session: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(data / "sessions")

    said = Said(capsys, "verify", tmp_path)

    assert said.code == 1
    assert said.out.startswith(f"{session / 'events.jsonl'}: sound")
    assert "proofs.txt at line 1: no sound log here" in said.err
    assert "proofs.txt at line 2: no sound log here" in said.err
    assert said.err.count("\n") == 2


@pytest.mark.parametrize("way", ["deleted", "renamed and forged", "moved out"])
def test_a_proof_without_its_log_in_a_folder_is_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], way: str
) -> None:
    log = logs_of(data)[0]
    if way == "deleted":
        shutil.rmtree(log.parent)
    else:
        forge_another_session(log)
        target = tmp_path if way == "moved out" else log.parents[1]
        log.parent.rename(target / "renamed")

    said = Said(capsys, "verify", data / "sessions")

    assert said.code == 1
    assert "proofs.txt at line 1: no sound log here ends with the hash that was noted" in said.err
    assert is_one_sentence(said.err)


def test_a_damaged_log_with_a_proof_is_one_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = logs_of(data)[0]
    log.write_bytes(log.read_bytes().replace(b"Thank you!", b"Thank you?"))

    said = Said(capsys, "verify", data)

    assert said.code == 1
    assert f"{log} at line 30: its hash does not fit" in said.err
    assert is_one_sentence(said.err)


def test_a_log_that_was_copied_elsewhere_is_proved_by_the_users_own_folder(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "usb" / "a.jsonl"
    copy.parent.mkdir()
    shutil.copyfile(logs_of(data)[1], copy)

    with_it = Said(capsys, "verify", copy, before=["--data-dir", str(data)])
    without = Said(capsys, "verify", copy)

    assert with_it.out.endswith(f"as its proof says ({data / 'proofs.txt'} at line 2)\n")
    assert without.out.endswith("no proof found\n")


def test_a_log_that_went_on_elsewhere_is_not_measured_by_the_proof_of_the_other(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logs_of(data)[0]
    left = log.parents[1] / f"{log.parent.name}-2"
    shutil.copytree(log.parent, left)
    cut(left / "events.jsonl")
    (left / "moved.txt").write_text(f"The log goes on in\n{log}\n", encoding="utf-8")

    said = Said(capsys, "verify", data)

    assert (said.code, said.err) == (0, "")
    assert f"no proof found; the session's log goes on elsewhere: {log}" in said.out


def test_of_a_damaged_log_that_went_on_elsewhere_it_is_said_where(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(file.read_bytes().replace(b"Thank you!", b"Thank you?"))
    file.with_name("moved.txt").write_text("It goes on in\n/there/events.jsonl\n", encoding="utf-8")

    said = Said(capsys, "verify", file)

    assert said.code == 1
    assert said.err.endswith("; the session's log goes on elsewhere: /there/events.jsonl.\n")
    assert is_one_sentence(said.err)


def test_a_redirect_beside_a_cut_log_does_not_hide_its_proof(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logs_of(data)[0]
    cut(log)
    log.with_name("moved.txt").write_text("It goes on in\n/nowhere\n", encoding="utf-8")

    assert "lines are missing at its end" in Said(capsys, "verify", log).err


def test_a_hash_is_that_of_one_log(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "verify", DEAL, DEAL, "--last", LAST)

    assert said.code == 2
    assert is_one_sentence(said.err)


def test_a_log_with_right_hashes_that_could_not_have_happened_is_not_sound(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(file)
    lines[-1]["t"] = 3600.0
    rewrite(file, lines)

    said = Said(capsys, "verify", file)

    assert said.code == 1
    assert "at line 30: human could not do this: The session is over" in said.err


def test_a_cut_off_line_is_named_and_repaired_on_demand(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(b"".join(LINES)[:-9])

    before = Said(capsys, "verify", file)
    repaired = Said(capsys, "repair", file.parent)
    after = Said(capsys, "verify", file)
    again = Said(capsys, "repair", file)

    assert before.code == 1
    assert "the 29 lines before it are sound, and negoplatform log repair sets the rest aside" in before.err
    assert repaired.code == 0
    assert "is whole again, with 28 events" in repaired.out
    assert file.with_name("events.jsonl.torn-1").read_bytes() == LINES[-1][:-9]
    assert after.code == 0
    assert again.code == 0
    assert "nothing was changed" in again.out


def test_a_cut_off_line_of_a_log_that_is_being_written_is_no_damage_yet(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = LogWriter.reopen(file).writer
    with file.open("ab") as other:
        other.write(b'{"seq":30')

    said, repaired = Said(capsys, "verify", file), Said(capsys, "repair", file)
    with pytest.raises(LogWriteError, match="was changed by another program"):
        writer.close()

    assert "the log is being written: look again when the session is over" in said.err
    assert repaired.code == 1
    assert "is being written by another NegoPlatform" in repaired.err


def test_damage_inside_is_not_repaired_but_the_good_part_can_be_had(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = b"".join([*LINES[:10], *LINES[11:]])
    file.write_bytes(damaged)

    repaired = Said(capsys, "repair", file)
    exported = Said(capsys, "export-clean", file, tmp_path / "clean.jsonl")

    assert repaired.code == 1
    assert is_one_sentence(repaired.err)
    assert "at line 11" in repaired.err
    assert "negoplatform log export-clean writes the lines before" in repaired.err
    assert file.read_bytes() == damaged
    assert exported.code == 0
    assert "holds lines 1 to 10 of" in exported.out
    assert "(9 events); left out:" in exported.out
    assert "(line 11: its hash does not fit" in exported.out
    assert (tmp_path / "clean.jsonl").read_bytes() == b"".join(LINES[:10])
    assert Said(capsys, "verify", tmp_path / "clean.jsonl").code == 0


def test_the_good_part_ends_where_the_rules_end(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = lines_of(file)
    lines[20]["payload"] = {"offer_id": 99}
    rewrite(file, lines)

    said = Said(capsys, "export-clean", file, tmp_path / "clean.jsonl")

    assert said.code == 0
    assert len(read_log(tmp_path / "clean.jsonl").events) < 29
    assert Said(capsys, "verify", tmp_path / "clean.jsonl").code == 0


def test_a_sound_log_is_exported_in_full_and_a_cut_off_one_without_its_end(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = Said(capsys, "export-clean", file, tmp_path / "whole.jsonl")
    file.write_bytes(b"".join(LINES)[:-9])
    torn = Said(capsys, "export-clean", file, tmp_path / "torn.jsonl")

    assert "which is all of it" in whole.out
    assert (tmp_path / "whole.jsonl").read_bytes() == DEAL.read_bytes()
    assert "the last line is cut off" in torn.out
    assert (tmp_path / "torn.jsonl").read_bytes() == b"".join(LINES[:-1])


@pytest.mark.parametrize("out", ["there.jsonl", "gone/out.jsonl"])
def test_an_export_never_replaces_a_file_and_leaves_no_half_one(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str
) -> None:
    (tmp_path / "there.jsonl").write_bytes(b"mine")

    said = Said(capsys, "export-clean", file, tmp_path / out)

    assert said.code == 1
    assert is_one_sentence(said.err)
    assert (tmp_path / "there.jsonl").read_bytes() == b"mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["session", "there.jsonl"]


def test_where_files_cannot_be_linked_an_export_still_replaces_nothing(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(path: Path, to: Path) -> None:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(Path, "hardlink_to", no_links)

    first = Said(capsys, "export-clean", file, tmp_path / "out.jsonl")
    second = Said(capsys, "export-clean", file, tmp_path / "out.jsonl")

    assert (first.code, second.code) == (0, 1)
    assert (tmp_path / "out.jsonl").read_bytes() == DEAL.read_bytes()


@pytest.mark.parametrize("command", ["verify", "repair", "export-clean"])
@pytest.mark.parametrize("data", [b"", b"{", b"\x00" * 5000, b"{}\n", b'{"schema":"negoplatform.log/3"}\n'])
def test_what_is_no_log_is_refused_in_one_sentence_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, data: bytes
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(data)
    out = [tmp_path / "out.jsonl"] if command == "export-clean" else []

    said = Said(capsys, command, path, *out)

    assert said.code == 1
    assert is_one_sentence(said.err)
    assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_a_log_with_a_note_is_said_to_go_on_elsewhere(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    note = file.with_name("moved.txt")
    note.write_text(f"The log goes on in\n{tmp_path / 'there'}\n", encoding="utf-8")
    told = Said(capsys, "verify", file)
    note.write_text("", encoding="utf-8")
    empty = Said(capsys, "verify", file)

    assert f"goes on elsewhere: {tmp_path / 'there'}\n" in told.out
    assert "goes on elsewhere: moved.txt does not say where" in empty.out


@pytest.mark.parametrize("last", ["", "abc", LAST + "0", "g" * 64])
def test_what_is_no_hash_is_refused(capsys: pytest.CaptureFixture[str], last: str) -> None:
    said = Said(capsys, "verify", DEAL, "--last", last)

    assert said.code == 2
    assert is_one_sentence(said.err)
    assert "64 digits" in said.err


def test_of_damage_inside_it_is_said_what_can_be_done(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"".join([*LINES[:10], *LINES[11:]]))

    assert "negoplatform log export-clean" in Said(capsys, "verify", file).err
