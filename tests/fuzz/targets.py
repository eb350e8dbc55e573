"""Properties that hold for any bytes: each target takes some, and raises only where there is a bug."""

from __future__ import annotations

import contextlib
import json
import math
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from negoplatform.cli.render.transcript import replay_lines
from negoplatform.core.fold import initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.visible_text import reveal_invisible
from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.agent_actions import CallStep
from negoplatform.formats.agent_protocol import (
    AgentResponseModel,
    BadMessage,
    decode_reply,
    decode_request,
    encode_message,
)
from negoplatform.formats.games import GameModel, build_game, dump_game, load_game
from negoplatform.formats.strict_json import LONGEST_REASON
from tests.eventlog.logs import rehashed

LONGEST_SENTENCE = 3 * LONGEST_REASON
"""Most characters of a refusal with its file and place; a file may bring in names and values of its own."""


def read_any_log(data: bytes) -> None:
    """Check that a log is refused in a sentence, or replays or is refused, and is written again unchanged.

    It is read as it is, and with its hashes recomputed: a wrong hash hides what else is wrong with a line.
    """
    for version in (data, rehashed(data)):
        _read_log(version)


def _read_log(data: bytes) -> None:
    try:
        log = read_log(_file("fuzz.jsonl", data))
    except InputFileError as problem:
        _check_sentence(problem)
        return
    try:
        replay(log)
    except InputFileError as problem:
        _check_sentence(problem)
    else:
        for line in replay_lines(log, step=True):
            assert isinstance(line, str)
        for view in ("public", *log.header.game.seats):
            if log.header.view == "complete":
                _check_written_again(filter_log(log, view))
    _check_written_again(log)


def read_any_game(data: bytes) -> None:
    """Check that a game file is refused in a sentence, or the game is written as it was and resolved."""
    try:
        game = load_game(_file("fuzz.json", data))
    except InputFileError as problem:
        _check_sentence(problem)
        return
    document = dump_game(game)
    form = GameModel.model_validate_json(json.dumps(document, allow_nan=False))
    again = build_game(form, "the game written again")
    assert again == game
    assert dump_game(again) == document
    for seed in (0, 7, 2**53):
        try:
            settled = game.resolve_profiles(seed)
        except NegoError as error:
            _check_sentence(error)
            return
        assert settled.resolve_profiles(seed) == settled
        initial_state(settled, mechanism_of(settled.mechanism))


def read_any_message(data: bytes) -> None:
    """Check that a line of the agent protocol is refused in a sentence, or is a message and stays one."""
    for read in (decode_reply, decode_request):
        try:
            message = read(data)
        except BadMessage as bad:
            _check_sentence(bad)
            continue
        if isinstance(message, AgentResponseModel):
            for step in message.steps:
                assert math.isfinite(getattr(step, "delay_ms", 0))
                if not isinstance(step, CallStep):
                    with contextlib.suppress(NegoError):  # as at its origin: the offer itself refuses
                        step.value()
        line = encode_message(message)
        assert line.count(b"\n") == 1
        assert read(line) == message


PARTS_OF_SEQUENCES = {"\u200c", "\u200d", *map(chr, range(0xE0020, 0xE0080))}
"""Joiners and tags, which are fine in an emoji or a word; elsewhere they are shown as escapes."""

TARGETS: dict[str, Callable[[bytes], None]] = {
    "log": read_any_log,
    "game": read_any_game,
    "protocol": read_any_message,
}
"""The targets by the names of their folders in the corpus."""


def _check_sentence(error: NegoError) -> None:
    sentence = str(error)
    assert len(sentence) <= LONGEST_SENTENCE, f"a refusal has {len(sentence)} characters: {sentence[:200]}"
    odd = [char for char in sentence if not char.isprintable() and char not in PARTS_OF_SEQUENCES]
    assert not odd, f"a refusal would speak to the terminal: {sentence!r}"
    assert reveal_invisible(sentence) == sentence, f"a refusal has invisible characters: {sentence!r}"


def _check_written_again(log: SessionLog) -> None:
    again = read_log(_file("again.jsonl", encode_log(log)))
    assert replace(again, path=log.path) == log


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    memory = Path("/dev/shm")  # a file in memory: thousands of inputs a second go through it
    return tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None)


def _file(name: str, data: bytes) -> Path:
    path = Path(_folder().name) / name
    path.write_bytes(data)
    return path
