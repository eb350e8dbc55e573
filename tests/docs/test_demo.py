"""Animated picture in the README, as ``make demo`` created it."""

from __future__ import annotations

from PIL import Image

from scripts.demo import LARGEST, PICTURE


def test_it_loads_at_once_and_is_seen_in_some_twenty_seconds() -> None:
    with Image.open(PICTURE) as picture:
        lengths = []
        for number in range(getattr(picture, "n_frames", 1)):
            picture.seek(number)
            lengths.append(picture.info["duration"])

    assert PICTURE.stat().st_size < LARGEST
    assert 12_000 <= sum(lengths) <= 21_000
    assert sum(length >= 1_000 for length in lengths) >= 6, "what there is to read is gone too soon"
