"""P3: a damaged log is never silently accepted and never silently changed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, zip_longest
from pathlib import Path
from random import Random
from typing import TypeVar

from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.observer_export import encode_log
from negoplatform.eventlog.reader import read_log, read_sound_part, read_whole_part
from negoplatform.eventlog.writer import LogWriter
from tests.golden.make import make
from tests.torture.rows import Row, Tally

T = TypeVar("T")

FLIPS = 4000
"""Single bits that are flipped, at random places."""

MOVES = 2000
"""Maximum number of swapped pairs of lines, and of deleted or doubled lines."""


def run(scale: float) -> Row:
    """Cut the log at every byte; flip bits; swap, delete and double lines."""
    random = Random("P3")
    with tempfile.TemporaryDirectory() as folder:
        good = Good(make(Path(folder)))
        cuts = _some(range(len(good.data)), scale, random)
        trial = Trial(good, Path(folder) / "damaged")
        for length in cuts:
            trial.cut(length)
        flips = [random.randrange(8 * len(good.data)) for _ in range(max(50, round(FLIPS * scale)))]
        for bit in flips:
            trial.damage(*_flipped(good.data, bit))
        moved = list(_moved(good.data))
        moves = random.sample(moved, min(len(moved), max(30, round(MOVES * scale))))
        for what, bad in moves:
            trial.damage(what, bad)
        trial.forget_the_end()
    trial.tally.remarks.append(
        f"{len(cuts):,} cuts, {len(flips):,} bits turned over, {len(moves):,} times lines swapped, deleted "
        f"or doubled in a log of {len(good.data):,} bytes; the first bad line has to be named. "
        "Whole lines that are missing at the end are noticed by the last hash alone, which has to be kept "
        "elsewhere."
    )
    return trial.tally.row("P3", "cut at every byte, bits turned over, lines moved", counts=["detected"])


class Good:
    """Sound log.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.part = read_whole_part(path)


class Trial:
    """Repeated damage to a log, and the program's response to it.

    Args:
        good: The log.
        folder: The folder of the damaged logs.
    """

    def __init__(self, good: Good, folder: Path) -> None:
        self.tally = Tally()
        self._good = good
        self._folder = folder
        self._path = folder / LOG_NAME

    def cut(self, length: int) -> None:
        """Cut the file as a crash does: it ends too early. It can be continued."""
        data = self._good.data[:length]
        name = f"cut after {length} bytes"
        whole = data.rfind(b"\n") + 1
        line = data.count(b"\n") + 1
        with self._placed(data, name):
            if 0 < whole == length:  # the end of a line: only the last hash tells
                noticed = read_whole_part(self._path).last_hash != self._good.part.last_hash
            else:
                noticed = _refused(lambda: read_log(self._path), self._path, line)
            self.tally.harm(noticed, f"{name}: it was read as if nothing had happened.")
            self._unchanged(data, name)
            if whole == 0:
                refused = _refused(lambda: LogWriter.reopen(self._path), self._path, line)
                self.tally.expect(refused, f"{name}: it was reopened without a header.")
                self._unchanged(data, name)
                return
            opened = LogWriter.reopen(self._path)
            opened.writer.close()
            kept = [path.read_bytes() for path in sorted(self._folder.glob(f"{LOG_NAME}.torn-*"))]
            self.tally.expect(
                kept == ([data[whole:]] if data[whole:] else []), f"{name}: torn bytes: {kept!r}."
            )
            self.tally.expect(self._path.read_bytes() == data[:whole], f"{name}: what is whole was changed.")
            events = read_log(self._path).events
            self.tally.expect(events == self._good.part.events[: len(events)], f"{name}: other events.")

    def damage(self, what: str, data: bytes) -> None:
        """Damage the file as a failing disk or a text editor does: it is not continued."""
        line = _first_changed(self._good.data, data)
        with self._placed(data, what):
            noticed = _refused(lambda: read_log(self._path), self._path, line)
            self.tally.harm(noticed, f"{what}: it was read, or another line than {line} was named.")
            self._unchanged(data, what)
            if not data.endswith(b"\n"):
                return  # to the program it is a torn tail, which is set aside: tried with the cuts
            refused = _refused(lambda: LogWriter.reopen(self._path), self._path, line)
            self.tally.expect(refused, f"{what}: it was reopened, or another line than {line} was named.")
            self._unchanged(data, what)
            self._good_part(what, line)

    def forget_the_end(self) -> None:
        """Drop whole lines from the end, which only the hash stored elsewhere can reveal."""
        lines = self._good.data.splitlines(keepends=True)
        for count in range(1, len(lines)):
            with self._placed(b"".join(lines[:count]), f"{len(lines) - count} lines less"):
                self.tally.harm(
                    read_whole_part(self._path).last_hash != self._good.part.last_hash,
                    f"{len(lines) - count} lines less: the last hash is the same.",
                )

    def _good_part(self, what: str, line: int) -> None:
        """Check that all lines above the damage can still be recovered, as a separate sound log."""
        try:
            sound = read_sound_part(self._path)
        except InputFileError as problem:
            self.tally.expect(line == 1, f"{what}: nothing can be exported ({problem}).")
            return
        self.tally.expect(sound.problem is not None, f"{what}: the good part knows of no damage.")
        original = self._good.part.events[: line - 2]
        self.tally.expect(sound.events == original, f"{what}: the good part is another one.")
        copy = self._folder / "good-part.jsonl"
        copy.write_bytes(encode_log(sound))
        self.tally.expect(read_log(copy).events == original, f"{what}: the exported part is no sound log.")

    def _unchanged(self, data: bytes, what: str) -> None:
        self.tally.expect(self._path.read_bytes() == data, f"{what}: the file was changed.")
        files = [path.name for path in self._folder.iterdir()]
        self.tally.expect(files == [LOG_NAME], f"{what}: files were left: {files}.")

    @contextmanager
    def _placed(self, data: bytes, name: str) -> Iterator[None]:
        self.tally.runs += 1
        self._folder.mkdir()
        self._path.write_bytes(data)
        with self.tally.trying(name):
            yield
        for path in self._folder.iterdir():
            path.unlink()
        self._folder.rmdir()


def _refused(look: Callable[[], object], path: Path, line: int) -> bool:
    """Return whether a log is refused in one sentence that names the file and this line."""
    try:
        look()
    except InputFileError as problem:
        text = str(problem)
        return text.startswith(f"{path} at line {line}: ") and text.endswith(".") and "\n" not in text
    return False


def _first_changed(good: bytes, bad: bytes) -> int:
    """Return the number of the first line that has changed."""
    lines = zip_longest(good.splitlines(keepends=True), bad.splitlines(keepends=True))
    return next(number for number, (one, other) in enumerate(lines, start=1) if one != other)


def _flipped(data: bytes, bit: int) -> tuple[str, bytes]:
    place = bit // 8
    bad = bytearray(data)
    bad[place] ^= 1 << bit % 8
    return f"bit {bit % 8} of byte {place} turned over", bytes(bad)


def _moved(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield every swapped pair of lines, and every deleted or doubled line, but no missing last line."""
    lines = data.splitlines(keepends=True)
    for one, other in combinations(range(len(lines)), 2):
        swapped = list(lines)
        swapped[one], swapped[other] = lines[other], lines[one]
        yield f"lines {one + 1} and {other + 1} swapped", b"".join(swapped)
    for number, line in enumerate(lines):
        if number < len(lines) - 1:
            yield f"line {number + 1} deleted", b"".join([*lines[:number], *lines[number + 1 :]])
        yield f"line {number + 1} doubled", b"".join([*lines[: number + 1], line, *lines[number + 1 :]])


def _some(choices: Sequence[T], scale: float, random: Random) -> Sequence[T]:
    if scale >= 1:
        return choices
    return random.sample(choices, max(30, min(len(choices), round(len(choices) * scale))))
