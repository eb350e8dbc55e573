"""Agents that play several games in a row, and what is left running of them."""

from __future__ import annotations

from random import Random

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.core.events import Event
from negoplatform.core.rounds import SINGLE_ROUND
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.hosting.agent_runner import AgentGame, AgentRequest, AgentResponse
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.kept_responder import KeptResponder
from negoplatform.hosting.staying_agent import EarlierGames, ReplayableGame
from tests.games import coins_only
from tests.hosting.processes import request_about, started
from tests.hosting.test_seat_supervisor import Counting, Mortal, Played, mortal

NO_RESTART = AgentBudget(restarts=0)


class Lasting(Mortal):
    """Responder that plays further games; it notes what happens to it."""

    def __init__(self, *, dies_at: str = "Die!", follows: bool = True) -> None:
        super().__init__(Counting())
        self.answers: list[str] = []
        self.begun = 0
        self.stopped = False
        self._dies_at = dies_at
        self._follows = follows

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Answer, and note how."""
        self.lost = self.lost or request.stimulus.get_text() == self._dies_at
        answer = super().respond(request)
        self.answers += [step.text for step in answer.steps if isinstance(step, SendMessage)]
        return answer

    def begin_next(self, following: AgentGame) -> None:
        """Begin another game, or fail to."""
        if not self._follows:
            raise NegoError("It cannot play that.")
        self.begun += 1

    def stop(self) -> None:
        """Note the end."""
        self.stopped = True


def game_of(session_id: str = "") -> AgentGame:
    return AgentGame(
        seat="agent",
        game=coins_only(deadline_seconds=60.0),
        rng_state=Random(1).getstate(),
        round=SINGLE_ROUND,
        session_id=session_id,
    )


def played(*texts: str) -> ReplayableGame:
    """Return a game in which a person said this, and the agent answered."""
    table = Played(mortal(), NO_RESTART, None)
    table.says(*texts)
    table.to_the_end()
    events: tuple[Event, ...] = tuple(table.events)
    return ReplayableGame(game_of("first"), events, AgentTiming(), NO_RESTART)


def test_an_agent_that_is_lost_in_a_replay_is_stopped_before_another_remembers_the_game() -> None:
    made = [Lasting(dies_at="Two"), Lasting()]
    waiting = iter(made)
    earlier = EarlierGames([played("One", "Two")], lambda _game: next(waiting))

    following = earlier.replay_into(game_of("second"))

    assert following is made[1]
    assert [each.stopped for each in made] == [True, False]
    assert [each.begun for each in made] == [0, 1]
    assert made[1].answers == ["1 heard"]


def test_an_agent_that_cannot_play_the_next_game_is_stopped() -> None:
    made = Lasting(follows=False)

    with pytest.raises(NegoError, match="cannot play that"):
        EarlierGames([played("One")], lambda _game: made).replay_into(game_of("second"))

    assert made.stopped


def test_an_agent_stays_after_a_game_unless_it_was_lost_in_it() -> None:
    table = started(coins_only(deadline_seconds=60.0))
    staying, lost = Lasting(), Lasting(dies_at="Die!")
    kept = [KeptResponder(staying), KeptResponder(lost)]
    for text, responder in zip(("One", "Die!"), kept, strict=True):
        table.human.says(text)
        responder.respond(request_about(table))
    table.human.says("Two")
    lost.lost = False  # an answer after its loss does not undo that
    kept[1].respond(request_about(table))

    for responder in kept:
        responder.stop()

    assert (staying.stopped, lost.stopped) == (False, True)
