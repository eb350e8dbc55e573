"""Printed text from a log: always one line, in logical order."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from negoplatform.cli.main import run
from tests.eventlog.logs import lines_of, rewrite
from tests.golden.make import GOLDEN

SPOOF = "nobody\nnegoplatform: all is well \u202egnorw\x1b[2J"


@pytest.mark.skipif(sys.platform == "win32", reason="no name of a file has such characters on Windows")
@pytest.mark.parametrize("command", ["verify", "export-clean"])
def test_what_a_log_says_cannot_pass_for_a_line_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    log = tmp_path / SPOOF / "events.jsonl"
    log.parent.mkdir()
    log.write_bytes((GOLDEN / "deal-2.jsonl").read_bytes())
    lines = lines_of(log)
    lines[2]["payload"] = {**lines[2]["payload"], SPOOF: 1}
    rewrite(log, lines)

    run(["log", command, str(log), *(["out"] if command == "export-clean" else [])])

    said = capsys.readouterr()
    assert "nobody\\nnegoplatform: all is well \\u202egnorw\\x1b[2J" in said.out + said.err
    assert len((said.out + said.err).splitlines()) == 1


def test_a_long_path_and_the_last_hash_are_told_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path
    for _ in range(6):
        folder /= "n" * 200
    folder.mkdir(parents=True)
    data = (GOLDEN / "deal-2.jsonl").read_bytes()
    (folder / "events.jsonl").write_bytes(data)

    run(["log", "verify", str(folder)])

    said = capsys.readouterr().out
    assert said.startswith(f"{folder / 'events.jsonl'}: sound")
    assert said.endswith(f"last hash {data[-67:-3].decode()}, no proof found\n")


def test_what_is_invisible_in_a_message_is_shown_and_no_text_passes_for_a_line_of_the_transcript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "events.jsonl"
    log.write_bytes((GOLDEN / "deal-2.jsonl").read_bytes())
    lines = lines_of(log)
    message = next(line for line in lines if line.get("type") == "SEND_MESSAGE")
    message["payload"]["text"] = "yes\u202eon\u200b 🏳\ufe0f\u200d🌈\n  1.000 agent accepts"
    lines[0]["seats"]["agent"]["name"] = "Ali\u202ecexe\nVALID"
    rewrite(log, lines)

    run(["replay", str(log)])

    said = capsys.readouterr().out
    assert "yes\\u202eon\\u200b 🏳\ufe0f\u200d🌈\n               " in said
    assert not {"\u202e", "\u200b"} & set(said)
    assert "\nVALID" not in said
