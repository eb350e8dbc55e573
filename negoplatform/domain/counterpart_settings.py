"""Settings of a session for the agent at the table, whichever agent that is: its mood and its pace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression

LEAST_FACE_SECONDS, MOST_FACE_SECONDS = 0.1, 600.0
"""Limits of the time for which a face is shown, in seconds."""

LEAST_PACE, MOST_PACE = 0.25, 4.0
"""Limits of the factor for an agent's delays."""


@dataclass(frozen=True, slots=True)
class CounterpartSettings:
    """Mood and pace of the agents of a session, whichever agents they are.

    Args:
        mood: The expression of an agent's face while it shows no other.
        mood_intensity: How strongly the resting mood shows, 0 to 1.
        face_seconds: Seconds for which each expression of an agent is shown, 0.1 to 600; None: as long as
            the agent says.
        pace: Factor for an agent's ``act_delay`` and for the ``delay_ms`` in its scripts, 0.25 to 4. Above 1
            the agent is slower.

    Raises:
        NegoError: If a value is out of its range; with a sentence.
    """

    mood: Expression = Expression.NEUTRAL
    mood_intensity: float = 0.5
    face_seconds: float | None = None
    pace: float = 1.0

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "mood", Expression(self.mood))
        except ValueError:
            there = ", ".join(Expression)
            raise NegoError(f"The mood is one of {there}; not {self.mood!r}.") from None
        _check_range("mood_intensity", self.mood_intensity, 0, 1, "such as 0.4")
        if self.face_seconds is not None:
            _check_range(
                "face_seconds", self.face_seconds, LEAST_FACE_SECONDS, MOST_FACE_SECONDS, "in seconds"
            )
        _check_range("pace", self.pace, LEAST_PACE, MOST_PACE, "where 2 is half as fast")

    def with_values(self, values: Mapping[str, Any]) -> CounterpartSettings:
        """Return these settings with some values replaced.

        Args:
            values: New values by the name of the setting.

        Raises:
            NegoError: If there is no such setting, or a value is out of its range.
        """
        unknown = [name for name in values if name not in SETTING_NAMES]
        if unknown:
            raise NegoError(f"There is no setting {unknown[0]!r}; there is {', '.join(SETTING_NAMES)}.")
        return replace(self, **values)


def _check_range(name: str, value: object, least: float, most: float, hint: str) -> None:
    """Raise NegoError unless a value is a number of a range; NaN is in none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        shown = f"{value:g}" if isinstance(value, int | float) else repr(value)
        raise NegoError(f"{name} is a number from {least:g} to {most:g}, {hint}; not {shown}.")


SETTING_NAMES = ("mood", "mood_intensity", "face_seconds", "pace")
"""Names of the settings, in the order in which people read them."""

DEFAULT_COUNTERPART = CounterpartSettings()
"""Settings of a game that sets none."""
