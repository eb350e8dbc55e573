"""The kinds of note that a log may hold, in one place."""

from enum import StrEnum


class NoteKind(StrEnum):
    """What a NOTE event is about."""

    WARNING_SHOWN = "warning_shown"
    """A participant was warned; ``about`` and the figures say of what."""
    SCHEDULED_CALL = "scheduled_call"
    """A callback that an agent scheduled was called; ``number`` counts them per seat."""
    WINDOW_CLOSED = "window_closed"
    """The participant closed the window of a running game and confirmed it."""
    ANNOUNCEMENT_REFUSED = "announcement_refused"
    """An announcement did not fit the typed state of the game, so nobody was told; ``reason`` says why."""
