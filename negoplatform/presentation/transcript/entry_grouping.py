"""Which lines of the transcript belong together: what one side says within a minute. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from negoplatform.presentation.transcript.transcript_entries import Line

GROUP_SECONDS = 60.0
"""Lines of one side that follow each other within this time form a group."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a line stands in its group.

    Args:
        begins: It is the first of its group.
        ends: It is the last of its group.
        closes: No bubble of its group follows; the portrait stands beside this one.
    """

    begins: bool = True
    ends: bool = True
    closes: bool = True


ALONE = Place()
"""The place of a line that is a group by itself."""


def joins(above: Line, line: Line) -> bool:
    """Return whether a line belongs to the group of the line above it."""
    if not ((line.mine and above.mine) or (line.theirs and above.theirs)):
        return False
    return line.who == above.who and line.t - above.t <= GROUP_SECONDS


def says_a_face(line: Line) -> bool:
    """Return whether a line says nothing but that a face changed."""
    return line.is_emotion


def place_of(lines: Sequence[Line], index: int, is_quiet: Callable[[Line], bool] = says_a_face) -> Place:
    """Return where a line stands in its group; ``is_quiet``: whether a line is no bubble."""
    line, count = lines[index], len(lines)
    begins = index == 0 or not joins(lines[index - 1], line)
    following = index + 1
    ends = following == count or not joins(line, lines[following])
    closes = not is_quiet(line)
    while closes and following < count and joins(lines[following - 1], lines[following]):
        closes = is_quiet(lines[following])
        following += 1
    return Place(begins, ends, closes)


def first_touched(lines: Sequence[Line], count: int, is_quiet: Callable[[Line], bool] = says_a_face) -> int:
    """Return the first line whose place may be another one with the lines from ``count`` on than without."""
    if not 0 < count < len(lines) or not joins(lines[count - 1], lines[count]):
        return count
    first = count - 1
    while first > 0 and is_quiet(lines[first]) and joins(lines[first - 1], lines[first]):
        first -= 1
    return first
