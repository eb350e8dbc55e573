"""Times of logs in the reader's time zone, also those that a system cannot convert."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from negoplatform.formats.local_time import local_time


def test_a_time_is_converted_and_stays_the_same_instant() -> None:
    converted = local_time("2026-03-01T23:30:00+05:00")

    assert converted == datetime(2026, 3, 1, 18, 30, tzinfo=UTC)
    assert converted.utcoffset() == datetime(2026, 3, 1, 18, 30, tzinfo=UTC).astimezone().utcoffset()


@pytest.mark.parametrize("year", ["0001", "1960", "3500", "9999"])
def test_a_year_far_away_is_a_time_on_every_system(year: str) -> None:
    text = f"{year}-06-01T12:00:00+00:00"

    assert local_time(text) == datetime.fromisoformat(text)


def test_a_time_without_a_local_one_is_kept_as_written() -> None:
    assert f"{local_time('0001-01-01T00:30:00+14:00'):%H:%M}" == "00:30"


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(ValueError, match="Invalid isoformat"):
        local_time("yesterday")
