"""Announcement that the platform sends at a set time."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from negoplatform.domain.seat_map import Seat


@dataclass(frozen=True, slots=True)
class Announcement:
    """Information that the platform sends to seats at a set time: a price, a tax, a private signal.

    Args:
        at_seconds: Session time, 0 or more.
        type: The type of its event: small letters, digits and hyphens, such as ``tax-announced``.
        json: Its data, a JSON object as text, and so immutable.
        text: The same for people; empty: they are shown nothing.
        to: The seats that receive it; empty: all of them.
    """

    at_seconds: float
    type: str
    json: str = "{}"
    text: str = ""
    to: tuple[Seat, ...] = ()

    @property
    def data(self) -> dict[str, Any]:
        """The data, a new copy each time."""
        found: dict[str, Any] = json.loads(self.json)
        return found
