"""Votes of allied seats: an agent's acceptance waits until enough members of its team want the same offer.

Votes for the offer on the table are the acceptances that wait, those that are in the log, also of people, and
the offer itself, if a member has made it. When another offer is on the table, the wait is over without a
refusal. People, wizards and principals are never held back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from negoplatform.agent_api.actions import FormalAccept
from negoplatform.agent_api.protocols import enough_agree
from negoplatform.core.bus import EventBus, PublishedEvent
from negoplatform.core.events import GAME_END, SEND_OFFER, EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.bargaining_state import bargaining_state
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.session import Session
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.domain.command_settings import TeamAcceptance, TeamSpec
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import AgentResponse


class WaitingVote(NamedTuple):
    """Acceptance of an agent that waits for the votes of its team.

    Args:
        response: The response that it is of.
        step: The acceptance.
        decided_at: The session time (s) at which it was decided.
        offer_id: The offer.
    """

    response: AgentResponse
    step: FormalAccept
    decided_at: float
    offer_id: int | None


def offer_on_table(state: State) -> int | None:
    """Return the number of the offer on the table of a bargaining game; None: there is none."""
    on_table = bargaining_state(state).on_table
    return None if on_table is None else on_table.offer_id


class TeamVotes:
    """Votes of one team. Runs on the session's thread.

    Args:
        team: The team.
        session: The session, of a bargaining game.
    """

    def __init__(self, team: TeamSpec, session: Session) -> None:
        self._team, self._session = team, session
        self._waiting: dict[Seat, Callable[[], object]] = {}

    def holds(self, seat: Seat, offer_id: int | None, cause: int, perform: Callable[[], object]) -> bool:
        """Return whether the acceptance of a member's agent waits; otherwise it is performed by the caller.

        Acceptances of other members that have waited for this one are performed first.

        Args:
            seat: The member.
            offer_id: The offer that was on the table when its agent decided; None: there was none.
            cause: The number of the event that its agent answered.
            perform: Performs the acceptance later.
        """
        if offer_id is None or offer_on_table(self._session.state) != offer_id:
            return False  # the rules refuse it
        if self._has_enough(also=seat):
            self._release()
            return self._session.state.phase is not NEGOTIATING
        self._waiting[seat] = perform
        self._session.note(NoteKind.VOTE_WAITING, cause, seat=seat, offer=offer_id)
        return True

    def restore(self, seat: Seat, perform: Callable[[], object]) -> None:
        """Let an acceptance wait that waits in the log of a resumed session."""
        self._waiting[seat] = perform

    def withdraw(self, seat: Seat) -> None:
        """Drop the vote of a member whose agent was replaced."""
        self._waiting.pop(seat, None)

    def follow(self, published: PublishedEvent) -> None:
        """End the wait after another offer; perform what waits once enough members agree."""
        kind, sender = published.event.type, published.event.sender
        if kind in (SEND_OFFER, GAME_END):
            self._waiting.clear()
        elif kind == EventType.FORMAL_ACCEPT and sender in self._team.members:
            self._waiting.pop(sender, None)
            if self._waiting and self._has_enough():
                self._release()

    def _has_enough(self, also: Seat | None = None) -> bool:
        play = bargaining_state(self._session.state)
        agreeing = {*self._waiting, *play.accepted_by}
        if play.on_table is not None:
            agreeing.add(play.on_table.sender)
        if also is not None:
            agreeing.add(also)
        members = self._team.members
        return enough_agree(self._team.accept, len(agreeing & set(members)), len(members))

    def _release(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for perform in waiting.values():
            if self._session.state.phase is NEGOTIATING:
                perform()


def team_votes(game: GameSpec, session: Session, bus: EventBus) -> Mapping[Seat, TeamVotes]:
    """Return the votes by seat, for the members of teams in which one member does not decide alone.

    Args:
        game: The game.
        session: Its session.
        bus: The bus of its events.
    """
    found: dict[Seat, TeamVotes] = {}
    teams: Iterable[TeamSpec] = game.teams if game.mechanism == BARGAINING else ()
    for team in teams:
        if team.accept is not TeamAcceptance.ANY:
            votes = TeamVotes(team, session)
            bus.subscribe(votes.follow, (SEND_OFFER, EventType.FORMAL_ACCEPT, GAME_END))
            found |= dict.fromkeys(team.members, votes)
    return found
