"""Recorded moves of a seat, repeated in another course of the same session as long as they are legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.action_rules import validate_action
from negoplatform.core.events import Accepted, Event, EventType
from negoplatform.core.mechanisms.bargaining_state import bargaining_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.scheduler import TimerHandle
from negoplatform.core.session import ActionOrigin
from negoplatform.core.state import Phase
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import Seat

END_MARGIN = 0.001
"""Seconds after the recorded end at which the recorded moves are over."""


class RecordedMoves:
    """Moves of a seat after a fork, each at its recorded time.

    An acceptance is repeated if the offer on the table is the one that was accepted: of the same seat, with
    the same terms; so are the words and faces that introduce it: of an agent, those decided with it; of a
    participant, those since that offer. The first move that is not legal
    is left out, with all later ones.

    Args:
        seat: The seat.
        recorded: All events of the recorded session.
        after: The number of the last event before the fork.
        runner: The session in which they are repeated.
        on_end: Called once, when a move is not legal, or when the recorded session ended.
    """

    def __init__(
        self,
        seat: Seat,
        recorded: Sequence[Event],
        *,
        after: int,
        runner: SessionRunner,
        on_end: Callable[[], object],
    ) -> None:
        self._seat = seat
        self._runner = runner
        self._on_end = on_end
        self._offers = {e.seq: e for e in recorded if e.type == EventType.SEND_OFFER}
        self._mechanism = mechanism_of(runner.session.state.game.mechanism)
        self._timers: list[TimerHandle] = []
        moves = [e for e in recorded if e.seq > after and self._is_move(e)]
        self._introduced = {
            move.seq: acceptance
            for acceptance in moves
            if isinstance(acceptance.payload, Accepted)
            for move in moves
            if _introduces(move, acceptance, acceptance.payload.offer_id)
        }
        for move in self._before_the_end(moves, recorded):
            self._timers.append(runner.scheduler.call_at(move.t, partial(self._repeat, move)))
        ended = next((e.t for e in recorded if e.type == EventType.GAME_END), None)
        if ended is not None:
            # Later than what may end this session at the same time.
            self._timers.append(runner.scheduler.call_at(ended + END_MARGIN, self._end))

    def _is_move(self, event: Event) -> bool:
        return event.sender == self._seat and event.type in self._mechanism.all_acts

    @staticmethod
    def _before_the_end(moves: Iterable[Event], recorded: Sequence[Event]) -> list[Event]:
        """Return the moves without messages after the end, which answer that end."""
        last = next((e.seq for e in recorded if e.type == EventType.GAME_END), None)
        return [move for move in moves if last is None or move.seq < last]

    def _repeat(self, move: Event) -> None:
        session = self._runner.session
        if session.state.phase is not Phase.NEGOTIATING:
            return
        try:
            introduced = self._introduced.get(move.seq)
            if introduced is not None:
                self._present(introduced)
            payload = self._present(move)
            rule, now = self._mechanism.all_acts[move.type], session.now()
            validate_action(session.state, rule, self._seat, move.type, payload, move.to, now)
            self._mechanism.check(session.state, self._seat, payload, move.to)
        except Refused:
            self._end()
            return
        origin = ActionOrigin(decided_by=move.decided_by, decided_at=move.decided_at, to=move.to)
        session.act(self._seat, move.type, payload, origin)

    def _present(self, move: Event) -> Any:
        """Return the payload of a move in this session, in which offers have other numbers.

        Raises:
            Refused: If it accepts an offer that is not on the table here.
        """
        if not isinstance(move.payload, Accepted):
            return move.payload
        then, now = self._offers[move.payload.offer_id], bargaining_state(self._runner.session.state).on_table
        if now is None or (now.sender, now.offer) != (then.sender, then.get_offer()):
            raise Refused("That offer is not on the table.")
        return replace(move.payload, offer_id=now.offer_id)

    def _end(self) -> None:
        """Stop repeating, and say so."""
        for timer in self._timers:
            timer.cancel()
        if self._runner.session.state.phase is Phase.NEGOTIATING:
            self._on_end()


def _introduces(move: Event, acceptance: Event, offer_id: int) -> bool:
    """Return whether a seat's move belongs to its later acceptance of an offer."""
    if acceptance.decided_at is not None:
        return (move.cause, move.decided_at) == (acceptance.cause, acceptance.decided_at)
    return move.decided_at is None and offer_id < move.seq < acceptance.seq
