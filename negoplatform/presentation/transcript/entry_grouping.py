"""Grouping of transcript entries: consecutive entries of one seat with one face within a minute. No Tk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

GROUP_SECONDS = 60.0
"""Maximum time in seconds between two consecutive entries of a group."""


@dataclass(frozen=True, slots=True)
class GroupPosition:
    """Position of an entry in its group.

    Args:
        begins: Whether the entry is the first of its group.
        ends: Whether the entry is the last of its group.
        closes: Whether no bubble of the group follows; the portrait is shown at this entry.
    """

    begins: bool = True
    ends: bool = True
    closes: bool = True


ALONE = GroupPosition()
"""Position of an entry that is a group by itself."""


def is_same_group(above: TranscriptEntry, line: TranscriptEntry) -> bool:
    """Return whether an entry belongs to the group of the entry above it."""
    if not ((line.is_mine and above.is_mine) or (line.is_theirs and above.is_theirs)):
        return False
    if line.face.expression is not above.face.expression:
        return False  # the portrait of a group shows one face
    if (line.who, line.sender, line.address) != (above.who, above.sender, above.address):
        return False
    return line.t - above.t <= GROUP_SECONDS


def is_expression_only(line: TranscriptEntry) -> bool:
    """Return whether an entry only reports a change of expression."""
    return line.is_emotion


def group_position(
    lines: Sequence[TranscriptEntry],
    index: int,
    is_quiet: Callable[[TranscriptEntry], bool] = is_expression_only,
) -> GroupPosition:
    """Return the position of an entry in its group; ``is_quiet`` returns whether an entry is no bubble."""
    line, count = lines[index], len(lines)
    begins = index == 0 or not is_same_group(lines[index - 1], line)
    following = index + 1
    ends = following == count or not is_same_group(line, lines[following])
    closes = not is_quiet(line)
    while closes and following < count and is_same_group(lines[following - 1], lines[following]):
        closes = is_quiet(lines[following])
        following += 1
    return GroupPosition(begins, ends, closes)


def first_affected(
    lines: Sequence[TranscriptEntry],
    count: int,
    is_quiet: Callable[[TranscriptEntry], bool] = is_expression_only,
) -> int:
    """Return the index of the first entry whose position may change if those from ``count`` on are added."""
    if not 0 < count < len(lines) or not is_same_group(lines[count - 1], lines[count]):
        return count
    first = count - 1
    while first > 0 and is_quiet(lines[first]) and is_same_group(lines[first - 1], lines[first]):
        first -= 1
    return first
