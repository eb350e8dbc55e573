"""Responder of a team of agents behind one seat: it asks its members and joins their scripts.

Every living member is asked about every request, in order. What the seat does follows from their scripts:

* FormalAccept is a vote for the offer on the table. A member's vote counts until another offer is on the
  table, or the member offers or quits instead. FormalQuit is a vote in the same way.
* An offer is made where there are not enough votes: the offers of the member whose turn it is, or their
  average.
* Messages, expressions and other acts are the speaker's. They are left out where the speaker decided
  otherwise than the team, because they would announce that decision.
* Changes of the record and scheduled callbacks are every member's. A callback is that of one member; what the
  member decides in it waits for callbacks of other members that answer the same event at about that time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    ProposeChange,
    SendOffer,
)
from negoplatform.agent_api.protocols import enough_agree
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.bargaining_state import bargaining_state
from negoplatform.core.state import State
from negoplatform.domain.agent_team_settings import (
    AgentTeamSettings,
    JoinedOffers,
    TeamMemberError,
)
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_permissions import SandboxLevel
from negoplatform.hosting.agent_runner import (
    LONGEST_FAILURE,
    AgentGame,
    AgentRequest,
    AgentResponse,
    ScheduledCall,
    ScriptStep,
    failure_response,
)
from negoplatform.hosting.responder import LastingResponder
from negoplatform.hosting.teams.averaged_offer import average_offer

Scripts = Mapping[int, tuple[ScriptStep, ...]]
"""Scripts by the index of the member, in the order of members."""

JOIN_SECONDS = 3.0
"""Seconds of session time within which callbacks of several members are joined."""

_INTERNAL = (ProposeChange, ScheduledCall)
_DECISIONS = (FormalAccept, FormalQuit, SendOffer)


class _Call(NamedTuple):
    """Scheduled callback: the member and its own number, the event that it answers, and when it is due."""

    member: int
    number: int
    stimulus: int
    due: float


class TeamMember:
    """Member of a team of agents.

    Args:
        name: Its name in the log.
        responder: Its responder.
        strikes: Failures after which it is no longer asked.
    """

    def __init__(self, name: str, responder: LastingResponder, strikes: int) -> None:
        self.name = name
        self.responder = responder
        self.is_out = False
        """Whether it is no longer asked."""
        self._strikes = strikes

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return its response; after a loss, or its last strike, it is out."""
        try:
            response = self.responder.respond(request)
        except Exception as error:  # noqa: BLE001 - one member's fault is not the team's
            response = failure_response(request, error)._replace(lost=True)
        if response.failure:
            self._strikes -= 1
            if response.lost or self._strikes <= 0:
                self._retire()
        return response

    def notify(self, event: Event) -> None:
        """Pass on an event that needs no response."""
        try:
            self.responder.notify(event)
        except Exception:  # noqa: BLE001 - as above; its next response would have been a loss
            self._retire()

    def _retire(self) -> None:
        self.is_out = True
        self.responder.stop()


class TeamResponder:
    """Responder of a team.

    Args:
        members: The members.
        settings: The way in which their scripts are joined.
    """

    def __init__(self, members: Sequence[TeamMember], settings: AgentTeamSettings) -> None:
        self.members = tuple(members)
        self._settings = settings
        self._begin()

    def _begin(self) -> None:
        self._calls: dict[int, _Call] = {}
        self._held: dict[int, tuple[ScriptStep, ...]] = {}
        self._count = 0
        self._turn = 0
        self._voted_on: int | None = None
        self._for_accepting: set[int] = set()
        self._for_quitting: set[int] = set()

    @property
    def speaker(self) -> LastingResponder:
        """Responder of the speaker."""
        return self.members[self._settings.speaker].responder

    @property
    def sandboxes(self) -> tuple[SandboxLevel, ...]:
        """The sandboxes of the members that have processes."""
        levels = (getattr(member.responder, "sandbox", None) for member in self.members)
        return tuple(level for level in levels if isinstance(level, SandboxLevel))

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the team's response; it is lost once no member is left."""
        asked, scripts, failures = self._asked(request), {}, []
        for i, theirs in asked.items():
            member = self.members[i]
            response = member.respond(theirs)
            scripts[i] = response.steps
            if response.failure:
                left = f" {member.name} is no longer asked." if member.is_out else ""
                failures.append(f"{member.name}: {response.failure}{left}")
        failure = " ".join(failures)[:LONGEST_FAILURE]
        if not self._living():
            failure = failure or "No member of the team is left."
            return AgentResponse(request, failure=failure, error=TeamMemberError(failure), lost=True)
        error = TeamMemberError(failure) if failure else None
        return AgentResponse(request, self._join(request, self._with_held(request, scripts)), failure, error)

    def notify(self, event: Event) -> None:
        """Pass on an event that needs no response, to every member."""
        for i in self._living():
            self.members[i].notify(event)

    def begin_next(self, following: AgentGame) -> None:
        """Have the members play another game.

        Raises:
            NegoError: If one cannot, or is no longer in the team.
        """
        games = member_games(following, len(self.members))
        for member, game in zip(self.members, games, strict=True):
            if member.is_out:
                raise NegoError(f"{member.name} is no longer in the team.")
            member.responder.begin_next(game)
        self._begin()

    def stop(self) -> None:
        """Stop all members; from any thread."""
        for member in self.members:
            member.responder.stop()

    def _living(self) -> tuple[int, ...]:
        return tuple(i for i, member in enumerate(self.members) if not member.is_out)

    def _asked(self, request: AgentRequest) -> dict[int, AgentRequest]:
        """Return the requests by member: to all of them, or to the one whose callback is due."""
        if request.call is None:
            return dict.fromkeys(self._living(), request)
        i, number, _, _ = self._calls.pop(request.call)
        return {} if self.members[i].is_out else {i: request._replace(call=number)}

    def _with_held(self, request: AgentRequest, scripts: Scripts) -> Scripts:
        """Return the scripts without those that wait for other callbacks, and with those that have waited."""
        if request.call is None:
            self._held.clear()  # every member was asked again
            return scripts
        if any(self._is_joined(call, request) for call in self._calls.values()):
            for i, steps in scripts.items():
                kept = tuple(step for step in steps if not isinstance(step, _INTERNAL))
                self._held[i] = self._held.get(i, ()) + kept
            return {
                i: tuple(step for step in steps if isinstance(step, _INTERNAL))
                for i, steps in scripts.items()
            }
        held, self._held = self._held, {}
        return {i: held.get(i, ()) + scripts.get(i, ()) for i in sorted({*held, *scripts})}

    def _is_joined(self, call: _Call, request: AgentRequest) -> bool:
        """Return whether a callback of another member is joined with the one that is requested."""
        same = call.stimulus == request.stimulus.seq and not self.members[call.member].is_out
        return same and call.due <= request.now + JOIN_SECONDS

    # The joined script

    def _join(self, request: AgentRequest, scripts: Scripts) -> tuple[ScriptStep, ...]:
        living = self._living()
        decided = self._decide(request.view.state, scripts)
        speaker = self._settings.speaker if self._settings.speaker in living else living[0]
        joined: list[ScriptStep] = []
        own = scripts.get(speaker, ())
        place = next((i for i, step in enumerate(own) if isinstance(step, _DECISIONS)), len(own))
        talks = _agrees(own, decided)
        for i, step in enumerate((*own, None)):
            if i == place:
                joined += decided
            if step is None or isinstance(step, _DECISIONS):
                continue
            if isinstance(step, ScheduledCall):
                joined.append(self._renumbered(speaker, step, request))
            elif talks or isinstance(step, ProposeChange):
                joined.append(step)
        for i, steps in scripts.items():
            if i == speaker:
                continue
            joined += [step for step in steps if isinstance(step, ProposeChange)]
            joined += [
                self._renumbered(i, step, request) for step in steps if isinstance(step, ScheduledCall)
            ]
        return tuple(joined)

    def _renumbered(self, member: int, step: ScheduledCall, request: AgentRequest) -> ScheduledCall:
        """Return a member's callback under a number of the team."""
        self._count += 1
        due = request.now + step.delay_ms / 1000
        self._calls[self._count] = _Call(member, step.number, request.stimulus.seq, due)
        return replace(step, number=self._count)

    def _decide(self, state: State, scripts: Scripts) -> list[ScriptStep]:
        """Return the acceptance, the quitting or the offers of the team; none: its members do not agree."""
        self._count_votes(state, scripts)
        votes = {
            FormalAccept: self._for_accepting,
            FormalQuit: self._for_quitting,
        }
        living = set(self._living())
        for kind, voters in votes.items():
            now = [step for steps in scripts.values() for step in steps if isinstance(step, kind)]
            if now and enough_agree(self._settings.accept, len(voters & living), len(living)):
                return [now[0]]
        return self._offers(state, scripts)

    def _count_votes(self, state: State, scripts: Scripts) -> None:
        standing = bargaining_state(state).on_table
        on_table = None if standing is None else standing.offer_id
        if on_table != self._voted_on:
            self._voted_on = on_table
            self._for_accepting.clear()
        for i, steps in scripts.items():
            for step in steps:
                if isinstance(step, _DECISIONS):
                    self._for_accepting.discard(i)
                    self._for_quitting.discard(i)
                if isinstance(step, FormalAccept):
                    self._for_accepting.add(i)
                elif isinstance(step, FormalQuit):
                    self._for_quitting.add(i)

    def _offers(self, state: State, scripts: Scripts) -> list[ScriptStep]:
        wanted = {i: [step for step in steps if isinstance(step, SendOffer)] for i, steps in scripts.items()}
        makers = [i for i, offers in wanted.items() if offers]
        if not makers:
            return []
        count = len(self.members)
        maker = min(makers, key=lambda i: (i - self._turn) % count)
        if self._settings.offers is JoinedOffers.AVERAGE:
            average = average_offer(state.game, [wanted[i][0].offer for i in makers])
            if average is not None:
                first = wanted[maker][0]
                return [SendOffer(average, first.delay_ms, flushable=first.flushable)]
        self._turn = (maker + 1) % count
        return [*wanted[maker]]


def _agrees(script: Sequence[ScriptStep], decided: Sequence[ScriptStep]) -> bool:
    """Return whether a script has no decision, or the same decisions as the team's."""
    own = [step for step in script if isinstance(step, _DECISIONS)]
    if not own:
        return True
    return [_decision_key(step) for step in own] == [_decision_key(step) for step in decided]


def _decision_key(step: ScriptStep) -> object:
    return (SendOffer, step.offer) if isinstance(step, SendOffer) else type(step)


def member_games(played: AgentGame, members: int) -> list[AgentGame]:
    """Return a team's game as each of its members plays it: with its own settings and random numbers.

    Args:
        played: The team's game; its settings are complete.
        members: The number of members.
    """
    rng = Random()
    rng.setstate(played.rng_state)
    states = [Random(rng.getrandbits(64)).getstate() for _ in range(members)]
    configs = (
        [None] * members if played.config is None else [one["config"] for one in played.config["members"]]
    )
    return [
        replace(played, rng_state=state, config=config) for state, config in zip(states, configs, strict=True)
    ]
