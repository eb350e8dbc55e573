"""Wall-clock times of logs in the reader's time zone."""

from __future__ import annotations

from datetime import datetime


def local_time(text: str) -> datetime:
    """Return a time in the reader's time zone; as written, where the system has no local time for it.

    Windows has none before 1970 and after the year 3000.

    Args:
        text: The time in ISO 8601.

    Raises:
        ValueError: If it is no time.
    """
    when = datetime.fromisoformat(text)
    try:
        return when.astimezone()
    except (OverflowError, OSError):
        return when
