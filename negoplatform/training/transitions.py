"""Transitions of recorded sessions: what each seat observed, did and got, for learning without playing.

From any log, also of people. Nothing of it is in the log: it is computed from the seat's own view at each
moment. Needs none of the packages of the extra.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from negoplatform.agent_api.context import AgentContext
from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    DataTable,
    Row,
    boolean_column,
    build_table,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import ACTOR, SESSION_ID, T_MS
from negoplatform.analysis.session_facts import milliseconds
from negoplatform.core.events import DecidedBy, EndedBy, Event, EventType
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import steps
from negoplatform.formats.event_payloads import encode_payload
from negoplatform.training.rewards import Reward, final_points

WAIT = "wait"
"""Act of a seat before its first one."""

TRANSITION_COLUMNS = (
    SESSION_ID,
    text_column("seat", "Seat whose view this is, named by its role in the game."),
    ACTOR,
    integer_column(
        "step", "Number of the act among those of the seat; 0 is the time before the first.", "0 up"
    ),
    integer_column("seq", "The seq of the event of the act; empty for the time before the first."),
    T_MS,
    text_column("decided_by", "Kind of decision maker; complete logs only.", DecidedBy),
    text_column("act", "Type of the act, or wait before the first one."),
    Column("payload", ColumnType.JSON, "Contents of the act; docs/log.md has the keys of every type."),
    Column(
        "observation",
        ColumnType.JSON,
        "Numbers that the seat could see just before the act, as ctx.observation.vector() of an agent.",
    ),
    number_column(
        "reward",
        "Reward from the act to the next one, or to the end: the points at the end, in games with issues as "
        "a share of the own range; 0 before it.",
    ),
    boolean_column("terminated", "Whether the game ended then, other than by the deadline."),
    boolean_column("truncated", "Whether the game ended then by the deadline."),
    Column("next_observation", ColumnType.JSON, "The same numbers just before the next act, or at the end."),
)


class SeatTransitions:
    """Transitions of one seat, from one event of a log after the other.

    Args:
        game: The game, as the log holds it.
        seat: The seat.
        reward: The reward, from the seat's own view before and after.
    """

    def __init__(self, game: GameSpec, seat: Seat, reward: Reward = final_points) -> None:
        observer = observer_of(game, seat)
        self._projector = ViewProjector(observer, visible_game(game, observer))
        self._seat = seat
        self._reward = reward
        mechanism = mechanism_of(game.mechanism)
        acts = {kind for kind, rule in mechanism.acts.items() if rule.in_transcript}
        self._acts = acts | {EventType.FORMAL_QUIT}
        self._act: Event | None = None
        self._before: AgentContext | None = None
        """The context just before the act of the step that goes on; None: the game does not run."""
        self._number = 0

    def add(self, before: State, event: Event, after: State) -> Iterator[Row]:
        """Take the next event, and yield the row of the step that ends with it, if one does.

        Args:
            before: The state before the event.
            event: The event.
            after: The state after it.
        """
        if event.type == EventType.GAME_START:
            self._before = self._context(after, event.t)
        elif self._before is None:
            return
        elif event.sender == self._seat and event.type in self._acts and before.phase is NEGOTIATING:
            now = self._context(before, event.t)
            yield self._row(self._before, now)
            self._act, self._before = event, now
        if self._before is not None and after.ending is not None:
            yield self._row(self._before, self._context(after, event.t))
            self._before = None

    def _context(self, state: State, t: float) -> AgentContext:
        return AgentContext(self._projector.view(state), t, Random(0))

    def _row(self, before: AgentContext, now: AgentContext) -> Row:
        act, ending = self._act, now.ending
        out_of_time = ending is not None and ending.ended_by is EndedBy.TIMEOUT
        row: dict[str, Any] = {
            "seat": self._seat,
            "step": self._number,
            "seq": act and act.seq,
            "t_ms": milliseconds(before.elapsed_time),
            "decided_by": act and act.decided_by and act.decided_by.value,
            "act": WAIT if act is None else str(act.type),
            "payload": None if act is None else encode_payload(act.payload),
            "observation": _numbers(before),
            "reward": float(self._reward(before, now)),
            "terminated": ending is not None and not out_of_time,
            "truncated": out_of_time,
            "next_observation": _numbers(now),
        }
        self._number += 1
        return row


def transition_rows(log: SessionLog, reward: Reward = final_points) -> Iterator[Row]:
    """Yield a row for each act of each seat whose own view the log holds, in the order in which steps end.

    Acts are those that the rules of the game know, such as offers, acceptances, orders and quitting; talk is
    none. An act that the session refused, and one that was decided and never performed, has no row. Of a
    session without an end, the last act of each seat has none either.

    Args:
        log: The log.
        reward: The reward of a step, from the seat's own view before and after.

    Raises:
        InputFileError: At the first event that the rules do not allow.
    """
    header, before = log.header, None
    seats = [SeatTransitions(header.game, seat, reward) for seat in own_views(log)]
    for event, after in ((step.event, step.state) for step in steps(log)):
        for seat in seats:
            for row in seat.add(before or after, event, after):
                who = header.seats[str(row["seat"])]
                yield {"session_id": header.session_id, "actor": who.kind, **row}
        before = after


def own_views(log: SessionLog) -> tuple[Seat, ...]:
    """Return the seats whose whole view a log holds: all in a complete log, else the one it was made for."""
    seats = log.header.game.seats
    if log.header.view == "complete":
        return seats
    return tuple(seat for seat in seats if seat == log.header.view)


def transitions_table(logs: Iterable[SessionLog]) -> DataTable:
    """Return the transitions of several sessions as a table."""
    return build_table(
        "transitions", TRANSITION_COLUMNS, (row for log in logs for row in transition_rows(log))
    )


def _numbers(ctx: AgentContext) -> str:
    return json.dumps(ctx.observation.vector().tolist())
