"""Bad files that are too large or too irregular to be kept: each is created when a test needs it."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.eventlog.logs import rehashed

HEAD = '{"schema": "negoplatform.game/1", "name": "x", "issues": '
APPLES = '[{"kind": "quantity", "name": "apples", "quantity": 1}]'
SOUND_LOG = Path(__file__).parent.parent / "golden" / "deal-2.jsonl"
EMPTY = '""'
POSIX = os.name == "posix"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Recipe for a bad file.

    Args:
        kind: The kind of file that it imitates, one of ``KINDS``.
        name: The file's name.
        make: The function that creates it at a path.
        reason: A part of the sentence that refuses it.
    """

    kind: str
    name: str
    make: Callable[[Path], object]
    reason: str


def _text(text: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(text, encoding="utf-8")


def _preferences(issues: str, more: str = "") -> str:
    """Return a game whose human has these points for its issues."""
    preferences = f'{{"issues": {issues}, "reservation_value": 1{more}}}'
    return f'{HEAD}{APPLES}, "seats": {{"human": {{"preferences": {preferences}}}, "agent": {{}}}}}}'


def _when(value: str) -> str:
    return _preferences("{}", f', "interactions": [{{"points": 1, "when": {value}}}]')


def _object(count: int, value: str) -> str:
    return "{" + ",".join(f'"{i}":{value}' for i in range(count)) + "}"


def _list(count: int, value: str) -> str:
    return "[" + ",".join([value] * count) + "]"


def _bomb(path: Path) -> None:
    """Write twenty megabytes of blanks, compressed to twenty kilobytes."""
    path.write_bytes(gzip.compress(b" " * 20_000_000, mtime=0))


def _sparse(path: Path) -> None:
    """Write ten gigabytes that take no space on the disk."""
    with path.open("wb") as file:
        file.truncate(10_000_000_000)


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _log(change: Callable[[list[bytes]], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(rehashed(change(SOUND_LOG.read_bytes().splitlines(keepends=True))))


def _message(words: bytes) -> bytes:
    return (
        b'{"seq":2,"t":0.0,"at":"2025-01-31T12:00:00.000Z","type":"SEND_MESSAGE","sender":"human","to":[],'
        b'"payload":{"text":"' + words + b'","subtype":"GENERIC","preference":null,"batna":null},'
        b'"cause":null,"decided_by":"human","decided_at":null}\n'
    )


ODD_FILES = [
    Recipe(kind, f"{name}{suffix}", make, reason)
    for kind, suffix in (("games", ".json"), ("configs", ".json"), ("agents", ".py"), ("logs", ".jsonl"))
    for name, make, reason in (
        (
            "folder",
            Path.mkdir,
            {"agents": "cannot be read", "logs": "there is no"}.get(kind, "no file but a folder"),
        ),
        ("pipe", getattr(os, "mkfifo", None), "no file but" if kind != "logs" else "no such session log"),
        ("loop", _loop, "cannot be read (Too many levels" if kind != "logs" else "no such session log"),
        (
            "zeros_without_end",
            lambda path: path.symlink_to("/dev/zero"),
            "no file but" if kind != "logs" else "no such",
        ),
        (
            "not_there",
            lambda path: None,
            "cannot be read (" if kind != "logs" else "no such session log",
        ),
        ("ten_gigabytes", _sparse, "larger than 1 MB" if kind != "logs" else "at line 1: "),
        ("two_megabytes", _text(" " * 2_000_000), "larger than 1 MB" if kind != "logs" else "at line 1: "),
    )
    if make is not None and (POSIX or name in ("folder", "not_there", "two_megabytes"))
]

RECIPES = [
    *ODD_FILES,
    Recipe("games", "nested_100000.json", _text("[" * 100_000 + "]" * 100_000), "nested too deeply"),
    Recipe("games", "never_closed.json", _text('{"a":' * 100_000), "nested too deeply"),
    Recipe(
        "games",
        "many_lists_deep_down.json",
        _text("[" * 900 + "[]," * 300_000 + "[]" + "]" * 900),
        "nested too deeply",
    ),
    Recipe(
        "games",
        "many_lists_at_the_limit.json",
        _text("[" * 99 + "[]," * 330_000 + "[]" + "]" * 99),
        "more than 20,000 keys and lists",
    ),
    Recipe("games", "many_keys.json", _text(_object(70_000, "1")), "more than 20,000 keys and lists"),
    Recipe("games", "keys_to_the_limit.json", _text(_object(19_999, "1")), "this key is not known here"),
    Recipe(
        "games",
        "seats_to_the_limit.json",
        _text(f'{HEAD}[], "seats": {_object(19_900, "1")}}}'),
        "a name begins",
    ),
    Recipe(
        "games",
        "values_to_the_limit.json",
        _text(_preferences(f'{{"apples": {{"values": {_object(9_900, "[]")}}}}}')),
        "a number belongs here, not a list",
    ),
    Recipe(
        "games",
        "ranges_to_the_limit.json",
        _text(_when(_object(6_600, "[{}]"))),
        "a text in quotes belongs here",
    ),
    Recipe("games", "many_terms.json", _text(_when(f'{{"apples": {_list(180_000, "null")}}}')), "a text"),
    Recipe(
        "games",
        "many_issues.json",
        _text(f'{HEAD}{_list(300_000, "1")}, "seats": {{}}}}'),
        "an object in braces",
    ),
    Recipe(
        "games",
        "many_units.json",
        _text(_preferences(f'{{"apples": {{"by_units": {_list(300_000, EMPTY)}}}}}')),
        'a number belongs here, not ""',
    ),
    Recipe("games", "many_nan.json", _text(_list(240_000, "NaN")), "NaN is no number"),
    Recipe("games", "many_keys_twice.json", _text(_list(70_000, '{"x":1,"x":2}')), "appears twice"),
    Recipe("games", "digits_900000.json", _text("9" * 900_000), "too many digits"),
    Recipe(
        "games", "fraction_900000.json", _text("0." + "9" * 900_000), "has too many digits to be kept exactly"
    ),
    Recipe("games", "long_key.json", _text('{"' + "x" * 900_000 + '": 1}'), "this key is not known here"),
    Recipe(
        "games",
        "long_kind.json",
        _text(f'{HEAD}[{{"kind": "{"x" * 900_000}"}}], "seats": {{}}}}'),
        "is not known",
    ),
    Recipe("games", "bomb.json", _bomb, "no UTF-8 text"),
    Recipe("configs", "bomb.json", _bomb, "no UTF-8 text"),
    Recipe("configs", "nested_100000.json", _text('{"a":' + "[" * 100_000), "nested too deeply"),
    Recipe("configs", "nested_300.json", _text('{"a":' + "[" * 300 + "]" * 300 + "}"), "nested too deeply"),
    Recipe("configs", "many_keys.json", _text(_object(70_000, "1")), "more than 20,000 keys and lists"),
    Recipe("agents", "five_megabytes.py", _text("x = 1\n" * 850_000), "larger than 1 MB"),
    Recipe("agents", "many_parentheses.py", _text("(" * 400_000), "too many nested parentheses"),
    Recipe("logs", "bomb.jsonl", _bomb, "line 1"),
    Recipe("logs", "nul_50_megabytes.jsonl", lambda path: path.write_bytes(b"\0" * 50_000_000), "line 1"),
    Recipe(
        "logs",
        "line_of_5_megabytes.jsonl",
        _log(lambda lines: lines[0] + lines[1] + _message(b"x" * 5_000_000)),
        "line 3",
    ),
    Recipe(
        "logs",
        "header_of_5_megabytes.jsonl",
        _log(lambda lines: lines[0].replace(b'"P01"', b'"' + b"x" * 5_000_000 + b'"')),
        "line 1",
    ),
    Recipe(
        "logs",
        "long_type.jsonl",
        _log(lambda lines: lines[0] + lines[1].replace(b"GAME_START", b"X" * 900_000)),
        "no event of a kind",
    ),
    Recipe(
        "logs",
        "to_many.jsonl",
        _log(lambda lines: lines[0] + lines[1].replace(b'"to":[]', b'"to":' + _list(90_000, "[]").encode())),
        "line 2",
    ),
    Recipe(
        "logs",
        "offer_of_many.jsonl",
        _log(
            lambda lines: (
                b"".join(lines[:4]) + lines[4].replace(b'{"day":"Sunday"}', _object(70_000, "[]").encode())
            )
        ),
        "line 5",
    ),
    Recipe("logs", "nested_100000.jsonl", _log(lambda lines: lines[0] + b"[" * 100_000 + b"\n"), "line 2"),
    Recipe("logs", "newlines_5_megabytes.jsonl", lambda path: path.write_bytes(b"\n" * 5_000_000), "line 1"),
]
