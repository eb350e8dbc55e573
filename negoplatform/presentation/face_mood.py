"""Face of an agent at a session time: the expression that it shows, or else its mood.

An agent has a resting mood, a setting of the session. Every expression that it shows leaves a mood of the
same kind, which fades: after two seconds of anger the face frowns for about a minute. Everything follows from
the logged events and the time, so the window and a replay show the same face.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from negoplatform.core.events import Event, EventType, Expression, ExpressionShown
from negoplatform.core.state import State
from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.seat_map import Seat

MOOD_HALF_LIFE = 25.0
"""Seconds after which half of a mood that an expression left is gone."""

MOOD_GAIN = 0.4
"""Intensity that an expression adds to the mood of its kind."""

MOOD_LIMIT = 0.8
"""Highest intensity of the mood that expressions leave, however many there are."""

OTHER_SHARE = 0.5
"""Share of the moods of other kinds that is left after an expression, and by which a second mood weakens the
first."""

RESTING_WEIGHT = 0.5
"""Share of the resting mood's intensity above which a mood that an expression left is shown in its place."""

INTENSITY_STEP = 0.1
"""Step of intensities: a mood that fades is drawn a few times, and not at every moment."""

PASSING = frozenset({Expression.SURPRISED})
"""Expressions that leave no mood: a surprise is over within seconds."""


@dataclass(frozen=True, slots=True)
class ShownFace:
    """Face to draw.

    Args:
        expression: The expression.
        intensity: How strongly it shows, 0 to 1; 1 for NEUTRAL.
    """

    expression: Expression = Expression.NEUTRAL
    intensity: float = 1.0


NEUTRAL_FACE = ShownFace()


@dataclass(frozen=True, slots=True)
class LoggedExpression:
    """Expression that a seat showed.

    Args:
        seq: The number of its event.
        t: Session time in seconds from which it was shown.
        until: Session time until which it was shown, unless another one followed.
        expression: The expression.
    """

    seq: int
    t: float
    until: float
    expression: Expression


def logged_expressions(events: Iterable[Event], seat: Seat) -> tuple[LoggedExpression, ...]:
    """Return the expressions that a seat showed, in the order of the events."""
    return tuple(
        LoggedExpression(
            event.seq, event.t, event.t + event.payload.duration_ms / 1000, event.payload.expression
        )
        for event in events
        if event.sender == seat and isinstance(event.payload, ExpressionShown)
    )


def face_at(shown: Sequence[LoggedExpression], settings: CounterpartSettings, t: float) -> ShownFace:
    """Return the face of an agent at a session time.

    Args:
        shown: The agent's expressions until then, in order.
        settings: The session's settings of the resting mood.
        t: The session time in seconds.
    """
    if shown and t < shown[-1].until:
        return ShownFace(shown[-1].expression)
    left = _left_moods(shown, t)
    resting = 0.0
    if settings.mood is not Expression.NEUTRAL:
        resting = min(1.0, left.pop(settings.mood, 0.0) + settings.mood_intensity)
    first, second, *_ = [*sorted(left, key=lambda kind: -left[kind]), None, None]
    strongest = 0.0 if first is None else left[first]
    if first is None or strongest <= RESTING_WEIGHT * resting:
        return _mood_face(settings.mood, resting - OTHER_SHARE * strongest)
    return _mood_face(first, strongest - OTHER_SHARE * (0.0 if second is None else left[second]))


def _mood_face(expression: Expression, intensity: float) -> ShownFace:
    """Return the face of a mood, in steps of its intensity."""
    rounded = round(round(intensity / INTENSITY_STEP) * INTENSITY_STEP, 3)
    return ShownFace(expression, rounded) if rounded > 0 else NEUTRAL_FACE


class FaceReader:
    """Reader of faces from states of a session; it remembers the expressions of the transcript read last.

    Args:
        people: The seats of people, whose faces go back to neutral and not, as an agent's, to a mood.
    """

    def __init__(self, people: Collection[Seat] = ()) -> None:
        self._people = people
        self._transcript: object = None
        self._shown: dict[Seat, tuple[LoggedExpression, ...]] = {}
        self._offered: dict[Seat, float] = {}

    def face(self, state: State, seat: Seat, t: float, *, before: int | None = None) -> ShownFace:
        """Return the face of a seat at a session time in seconds.

        Args:
            state: A state at that time or later.
            seat: The seat.
            t: The time.
            before: ``seq`` of an event at that time, after which expressions do not count; None: all count.
        """
        self._read(state)
        shown = self._shown.get(seat, ())
        if before is not None:
            shown = shown[: bisect_right(shown, before, key=lambda one: one.seq)]
        if seat not in self._people:
            return face_at(shown, state.game.rules.counterpart, t)
        return ShownFace(shown[-1].expression) if shown and t < shown[-1].until else NEUTRAL_FACE

    def last_offer_at(self, state: State, seat: Seat) -> float | None:
        """Return the session time of a seat's newest offer in a state; None if there is none."""
        self._read(state)
        return self._offered.get(seat)

    def _read(self, state: State) -> None:
        if state.transcript is self._transcript:
            return
        events = list(state.transcript.iter_backwards())[::-1]
        self._shown = {seat: logged_expressions(events, seat) for seat in state.game.seats}
        self._offered = {event.sender: event.t for event in events if event.type == EventType.SEND_OFFER}
        self._transcript = state.transcript


def _left_moods(shown: Sequence[LoggedExpression], t: float) -> dict[Expression, float]:
    """Return the intensity of each mood that expressions have left at a session time.

    A mood fades from the end of its expression on. A neutral expression ends all of them.
    """
    levels: dict[Expression, float] = {}
    at = 0.0
    for index, one in enumerate(shown):
        end = min(one.until, shown[index + 1].t) if index + 1 < len(shown) else one.until
        faded = 0.5 ** (max(0.0, one.t - at) / MOOD_HALF_LIFE)
        at = max(at, end)
        if one.expression is Expression.NEUTRAL:
            levels = {}
            continue
        levels = {
            kind: level * faded * OTHER_SHARE for kind, level in levels.items() if kind is not one.expression
        } | {one.expression: levels.get(one.expression, 0.0) * faded}
        if one.expression not in PASSING:
            levels[one.expression] = min(MOOD_LIMIT, levels[one.expression] + MOOD_GAIN)
    faded = 0.5 ** (max(0.0, t - at) / MOOD_HALF_LIFE)
    return {kind: level * faded for kind, level in levels.items() if level > 0}
