"""Damage: the reader detects any change to a log."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.reader import LONGEST_LINE, read_log, read_sound_part, read_whole_part, scan
from negoplatform.testing import TrialTable
from tests.eventlog.logs import recorded
from tests.games import coins_only


def play(table: TrialTable) -> None:
    table.human.says("Grüße, “שלום” 🪙\nHm.")
    offer = table.agent.offers(Offer({"coins": Allocation({"human": 2, "agent": 2})}))
    table.human.accepts(offer)
    table.agent.accepts(offer)
    table.human.says("Bye")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Small valid log of 8 lines, as bytes."""
    return recorded(tmp_path_factory.mktemp("sound"), coins_only(), play).read_bytes()


def is_accepted(data: bytes) -> bool:
    """Return whether the reader finds nothing wrong."""
    try:
        part = scan(io.BytesIO(data), Path("log"))
    except InputFileError:
        return False
    return part.problem is None and not part.torn_bytes


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def joined(lines: list[bytes]) -> bytes:
    return b"".join(lines)


def test_the_log_is_sound(sound: bytes) -> None:
    assert is_accepted(sound)
    assert len(sound.splitlines()) == 8


def test_a_log_that_is_cut_anywhere_is_read_up_to_its_last_whole_line(sound: bytes) -> None:
    ends = [i + 1 for i, byte in enumerate(sound) if byte == ord("\n")]

    for cut in range(len(sound)):
        whole = [end for end in ends if end <= cut]
        if not whole:
            assert not is_accepted(sound[:cut])
            continue
        part = scan(io.BytesIO(sound[:cut]), Path("log"))
        assert part.problem is None
        assert (part.lines, part.length, part.torn_bytes) == (len(whole), whole[-1], cut - whole[-1])


def test_five_hundred_single_bits_that_are_flipped_are_noticed(sound: bytes) -> None:
    chance = Random(4)
    for _ in range(500):
        bit = chance.randrange(8 * len(sound))
        assert not is_accepted(flipped(sound, bit)), f"bit {bit}"


def test_every_bit_of_a_line_that_is_flipped_is_noticed(sound: bytes) -> None:
    start = sound.index(b"\n") + 1
    for bit in range(8 * start, 8 * (sound.index(b"\n", start) + 1)):
        assert not is_accepted(flipped(sound, bit)), f"bit {bit}"


def test_every_bit_of_a_hash_that_is_flipped_is_noticed(sound: bytes) -> None:
    ends = [len(sound), sound.index(b"\n") + 1]
    for end in ends:
        for bit in range(8 * (end - 70), 8 * end):
            assert not is_accepted(flipped(sound, bit)), f"bit {bit}"


def misplaced(lines: list[bytes]) -> Iterator[tuple[str, int, bytes]]:
    """Yield every swap of neighbours, removal and duplication of a line, with the line where it shows."""
    for i in range(len(lines)):
        if i + 1 < len(lines):
            yield (
                f"{i + 1} and {i + 2} swapped",
                i,
                joined([*lines[:i], lines[i + 1], lines[i], *lines[i + 2 :]]),
            )
            yield f"{i + 1} removed", i, joined([*lines[:i], *lines[i + 1 :]])
        yield f"{i + 1} doubled", i + 1, joined([*lines[: i + 1], *lines[i:]])


def test_lines_that_are_swapped_removed_or_doubled_are_noticed_where_it_was_done(
    sound: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "events.jsonl"
    for what, sound_lines, data in misplaced(sound.splitlines(keepends=True)):
        path.write_bytes(data)
        with pytest.raises(InputFileError) as caught:
            read_log(path)
        assert caught.value.where == f"line {sound_lines + 1}", what
        assert path.read_bytes() == data, "nothing is changed by looking"


def test_a_line_of_another_log_is_noticed(sound: bytes, tmp_path: Path) -> None:
    def talk(table: TrialTable) -> None:
        for _ in range(8):
            table.human.says("Hello?")

    other = recorded(tmp_path, coins_only(), talk).read_bytes().splitlines(keepends=True)
    lines = sound.splitlines(keepends=True)

    for i, line in enumerate(lines[1:], start=1):
        assert line == other[i] or not is_accepted(joined([*lines[:i], other[i], *lines[i + 1 :]]))


def test_only_the_last_hash_tells_that_whole_lines_are_missing_at_the_end(sound: bytes) -> None:
    shorter = joined(sound.splitlines(keepends=True)[:-2])

    part = scan(io.BytesIO(shorter), Path("log"))

    assert part.problem is None
    assert part.last_hash != scan(io.BytesIO(sound), Path("log")).last_hash


@pytest.mark.parametrize("hashes", ["kept", "removed"])
def test_a_log_whose_schema_is_set_back_to_that_without_hashes_is_refused(
    sound: bytes, tmp_path: Path, hashes: str
) -> None:
    old = sound.replace(b"negoplatform.log/2", b"negoplatform.log/1", 1)
    if hashes == "removed":
        old = re.sub(rb',"hash":"[0-9a-f]{64}"}', b"}", old)
    path = tmp_path / "events.jsonl"
    path.write_bytes(old)

    with pytest.raises(
        InputFileError, match=r"line 1: its schema is 'negoplatform\.log/1', a format without"
    ):
        read_whole_part(path)


def test_the_sound_part_of_a_damaged_log_is_what_stands_before_the_damage(
    sound: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "events.jsonl"
    lines = sound.splitlines(keepends=True)
    path.write_bytes(joined([*lines[:3], b"{}\n", *lines[3:]]))

    part = read_sound_part(path)

    assert [event.seq for event in part.events] == [1, 2]
    assert part.length == len(joined(lines[:3]))
    assert part.problem is not None
    assert part.problem.where == "line 4"
    with pytest.raises(InputFileError, match="line 4: its hash does not fit"):
        read_whole_part(path)


@pytest.mark.parametrize("size", [100, 5_000, LONGEST_LINE])
def test_zeros_at_the_end_of_a_log_count_as_a_line_that_was_cut_off(
    sound: bytes, tmp_path: Path, size: int
) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(sound + bytes(size))

    assert read_whole_part(path).torn_bytes == size


def test_a_huge_file_of_zeros_behind_a_log_is_not_read(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(sound)
    with path.open("r+b") as file:
        file.truncate(5_000_000_000)

    with pytest.raises(InputFileError, match="line 9: it is too long to be a line"):
        read_whole_part(path)


@pytest.mark.parametrize("data", [b"\0" * 5_000_000, b"x" * 5_000_000 + b"\n"])
def test_a_first_line_without_an_end_is_not_read_to_its_end(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(data)

    with pytest.raises(InputFileError, match="line 1: it is too long to be the first line"):
        read_log(path)
