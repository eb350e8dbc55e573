"""Timing of an agent's scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from negoplatform.agent_api.actions import SendExpression, SendMessage, ShowTyping
from negoplatform.core.action_rules import MAX_DISPLAY_MS
from negoplatform.core.events import GAME_START, Event, EventType
from negoplatform.domain.command_settings import check_seconds
from negoplatform.domain.counterpart_settings import CounterpartSettings
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.hosting.agent_runner import AgentResponse, ScheduledCall, ScriptStep
from negoplatform.hosting.command.event_scheduler import Delays, drawn_delays

LEAST_ACT_DELAY = 0.001
"""Shortest time in seconds from a stimulus to the first action of the response."""


TALK_ACTIONS = (SendMessage, SendExpression, ShowTyping)
"""Actions that agents do not perform in a game without talk."""


@dataclass(frozen=True, slots=True)
class AgentTiming:
    """Timing of an agent's scripts.

    Args:
        act_delay: Seconds from a stimulus to the first action of the response; above 0.
        interrupt: Whether a new script cancels the waiting steps of older ones.
        opening_delay: Seconds after the start before which the response to it does not begin, unless another
            seat acts earlier.
        msg_delay: Seconds that a message between the platform and the agent takes: the agent is asked after
            twice as long, with the view of the middle, and acts ``act_delay`` after that.
        tick_interval: Shortest time in seconds between two ticks of the clock that the agent is asked about.
        jitter: Largest number of seconds that chance adds to each of these delays.
        jitter_seed: The seed of that chance, from the session's seed and the seat.

    Raises:
        AgentError: If one is out of its range.
    """

    act_delay: float = 1.0
    interrupt: bool = False
    opening_delay: float = 0.0
    msg_delay: float = 0.0
    tick_interval: float = 0.0
    jitter: float = 0.0
    jitter_seed: str = ""

    def __post_init__(self) -> None:
        value, least = self.act_delay, LEAST_ACT_DELAY
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 3600:
            raise AgentError(f"timing.act_delay is a number of seconds from 0.001 to 3600, not {value!r}.")
        for name in ("opening_delay", "msg_delay", "tick_interval", "jitter"):
            try:
                check_seconds(name, getattr(self, name))
            except NegoError as error:
                raise AgentError(str(error)) from None
        if not isinstance(self.interrupt, bool):
            raise AgentError(f"timing.interrupt is true or false, not {self.interrupt!r}.")

    @property
    def is_delayed(self) -> bool:
        """Whether messages to and from the agent take their time."""
        return bool(self.msg_delay or self.jitter)

    def seeded(self, seed: str) -> AgentTiming:
        """Return the timing with the seed of its jitter."""
        return replace(self, jitter_seed=seed) if self.jitter else self

    def delays_of(self, about: int, pace: float = 1.0) -> Delays:
        """Return the delays of the request about the event with a number, the same whenever it is asked."""
        source = f"{self.jitter_seed}/jitter/{about}"
        return drawn_delays(self.msg_delay, self.act_delay_at(pace), self.jitter, source)

    def act_delay_at(self, pace: float) -> float:
        """Return the seconds from a stimulus to the response at a pace; above 0 at any pace."""
        return max(LEAST_ACT_DELAY, self.act_delay * pace)


class Opening:
    """Session time at which a seat's response to the start may begin.

    That is ``opening_delay`` after the start, or ``act_delay`` after the first action of another seat,
    whichever is earlier: a person reads first, and an agent does not keep them waiting once they act.

    Args:
        seat: The seat.
        timing: Timing of its scripts.
        pace: The game's factor for the agent's delays.
    """

    def __init__(self, seat: Seat, timing: AgentTiming, pace: float = 1.0) -> None:
        self.at = 0.0
        self._pace = pace
        self._seat = seat
        self._timing = timing

    def update(self, event: Event) -> float:
        """Take an event into account; return by how many seconds the opening is due earlier than before."""
        before = self.at
        if before <= event.t and event.type != GAME_START:
            return 0.0  # it has begun; asked about every event, so this comes first
        if event.type == GAME_START:
            self.at = round(event.t + self._timing.opening_delay, 3)
        elif event.sender not in (PLATFORM, self._seat):
            self.at = min(self.at, round(event.t + self._timing.act_delay_at(self._pace), 3))
        return max(0.0, before - self.at)


class TickFilter:
    """Filter of the ticks of the clock about which an agent is asked.

    Args:
        interval: Shortest session time in seconds between two of them; 0: it is asked about all.
    """

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._next = 0.0

    def skips(self, event: Event) -> bool:
        """Return whether an agent is not asked about an event: a tick too soon after the last one."""
        if not self._interval or event.type != EventType.TIME:
            return False
        if event.t < self._next:
            return True
        self._next = round(event.t + self._interval, 3)
        return False


def is_opening(response: AgentResponse) -> bool:
    """Return whether a response is the one to the start of the game."""
    return response.request.call is None and response.request.stimulus.type == GAME_START


def steps_with_due_times(
    response: AgentResponse, decided_at: float, timing: AgentTiming, opens_at: float = 0.0
) -> list[tuple[ScriptStep, float]]:
    """Return every step of a response with the session time at which it is due.

    A script begins ``act_delay`` after its stimulus; a scheduled callback counts from the decision and delays
    no step of the script. Neither begins before the opening where they answer the start. The game's pace
    multiplies ``act_delay`` and the pauses of the script, and not the delays of callbacks. In a game without
    talk what an agent would say and show is left out, and everything else comes at the same time as with it.

    Args:
        response: The response.
        decided_at: Session time at which the response arrived.
        timing: Timing of the agent's scripts.
        opens_at: Session time before which no response to the start begins.
    """
    (view, asked_at, stimulus, call, _), steps, _, _, _ = response
    rules = view[2].rules
    pace, talks = rules.counterpart.pace, rules.talk
    base, at = _beginning(stimulus, call, decided_at, pace, timing, opens_at, asked_at)
    found: list[tuple[ScriptStep, float]] = []
    for step in steps:
        kind = type(step)
        if isinstance(step, ScheduledCall):
            found.append((step, base + step.delay_ms / 1000))
        else:
            at += getattr(step, "delay_ms", 0) / 1000 * pace
            if talks or kind not in TALK_ACTIONS:
                found.append((step, at))
    return found


def _beginning(
    stimulus: Event,
    call: int | None,
    decided_at: float,
    pace: float,
    timing: AgentTiming,
    opens_at: float,
    asked_at: float,
) -> tuple[float, float]:
    """Return the session times from which callbacks are counted, and at which a script begins."""
    if call is not None:
        return decided_at, decided_at
    base = max(decided_at, opens_at) if stimulus[2] == GAME_START else decided_at
    if timing.msg_delay or timing.jitter:  # as is_delayed; asked about every response
        return base, max(asked_at + timing.delays_of(stimulus[0], pace).effect, base)
    at = stimulus[1] + (timing.act_delay if pace == 1 else timing.act_delay_at(pace))
    return base, max(at, base)


def suggested_steps_with_due_times(
    response: AgentResponse,
    steps: Sequence[ScriptStep],
    decided_at: float,
    begins: float,
    timing: AgentTiming,
    opens_at: float,
) -> list[tuple[ScriptStep, float]]:
    """Return steps that waited for a wizard with the session times at which they are due.

    They are timed like a script of the agent that was decided when the wizard has decided, so none is
    quicker than the agent. Where the agent shows that it types, a typing sign fills the pause before each
    message. One fills the wizard's own delay too.

    Args:
        response: The response that the steps are of, or were made from.
        steps: The steps, without typing signs.
        decided_at: Session time of the decision.
        begins: Session time before which the first step is not due.
        timing: Timing of the agent's scripts.
        opens_at: Session time before which no response to the start begins.
    """
    request = response.request
    rules = request.view.game.rules
    pace = rules.counterpart.pace
    _, at = _beginning(request.stimulus, request.call, decided_at, pace, timing, opens_at, request.now)
    shows_typing = any(isinstance(step, ShowTyping) for step in response.steps)
    found: list[tuple[ScriptStep, float]] = []
    for number, step in enumerate(steps):
        before, is_delayed = at, number == 0 and begins > decided_at
        at += getattr(step, "delay_ms", 0) / 1000 * pace
        if is_delayed:
            at = max(at, begins)
        if rules.talk and at > before and (is_delayed or (shows_typing and isinstance(step, SendMessage))):
            seconds = (at - before) / pace  # which the pace multiplies again
            found.append((ShowTyping(min(MAX_DISPLAY_MS, round(seconds * 1000))), before))
        found.append((step, at))
    return found


def with_set_durations(step: ScriptStep, settings: CounterpartSettings) -> ScriptStep:
    """Return a step as it is proposed under a game's settings of mood and pace.

    An expression is shown for the set time, if one is set. A typing sign lasts as long as the pause that it
    fills, so the pace multiplies it too.
    """
    if isinstance(step, SendExpression) and settings.face_seconds is not None:
        return replace(step, duration_ms=round(settings.face_seconds * 1000))
    if isinstance(step, ShowTyping) and settings.pace != 1:
        return replace(step, duration_ms=min(MAX_DISPLAY_MS, round(step.duration_ms * settings.pace)))
    return step
