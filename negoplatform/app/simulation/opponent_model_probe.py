"""Questions to agents' opponent models during a simulated game, and the accuracy of the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

from negoplatform.analysis.opponent_model_accuracy import ModelAccuracy, ModelRow, TruePreferences
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import EventType
from negoplatform.domain.errors import NegoError, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.responder import Responder, SeatAssignment
from negoplatform.plugins.agent_loader import AgentPlugin, load_agent_class
from negoplatform.plugins.agent_team import AgentTeam


class TruePreferencesCache:
    """Cache of the true preferences of one game, by the chosen profiles and the seats."""

    def __init__(self) -> None:
        self._cache: dict[tuple[SeatMap[str], Seat, Seat], TruePreferences | str] = {}

    def get(self, game: GameSpec, agent: Seat, other: Seat) -> TruePreferences | str:
        """Return the true preferences of a seat, or a sentence that says why no model is compared with them.

        Args:
            game: The game, with resolved profiles.
            agent: The seat of the agent that has the model.
            other: The seat whose preferences are estimated.
        """
        key = (game.chosen, agent, other)
        if key not in self._cache:
            try:
                self._cache[key] = TruePreferences(game, agent, other)
            except NegoError as error:
                self._cache[key] = str(error)
        return self._cache[key]


class OpponentModelProbe:
    """Comparison of the agents' opponent models with the truth, at given points of one game's progress.

    An agent with a method ``opponent_model(seat)`` is asked for its model of the other seat. It has then
    processed every event before that point, and none at it or after it; what happens in a game that ends
    earlier is not asked. Its random numbers are put back after each question.

    Args:
        game: The game, with resolved profiles and two seats.
        seed: The game's seed.
        names: The agents' names by seat.
        at: The points of progress, above 0 and up to 1.
        truths: The true preferences, for all games of one kind.

    Raises:
        NegoError: If the game does not have two seats, or a point is out of range.
    """

    def __init__(
        self,
        game: GameSpec,
        seed: int,
        names: Mapping[Seat, str],
        at: Sequence[float],
        truths: TruePreferencesCache,
    ) -> None:
        check_points(at)
        if len(game.seats) != 2:
            raise NegoError(f"Opponent models are compared in games with two seats; {game.name} has more.")
        self._game, self._seed, self._names, self._truths = game, seed, names, truths
        self._left = sorted(set(at))
        self._agents: dict[Seat, tuple[Any, Random]] = {}
        self._offers = 0
        self.rows: list[ModelRow] = []
        """Results so far, in the order of the game."""

    def add_agent(self, seat: Seat, agent: Any, rng: Random) -> None:
        """Set the agent of a seat, with the seat's random numbers."""
        self._agents[seat] = agent, rng

    def observe(self, seat: Seat, assignment: SeatAssignment) -> SeatAssignment:
        """Return the same assignment, which sets the agent of the seat whenever it makes one."""

        def make() -> Responder:
            responder = assignment.make()
            if isinstance(responder, AgentRunner):
                self.add_agent(seat, responder.agent, responder.rng)
            return responder

        return replace(assignment, make=make)

    def on_published(self, published: PublishedEvent) -> None:
        """Ask the models if an event is at a point of progress or after it.

        To be subscribed before the agents are: they may not have processed the event.
        """
        event = published.event
        if not self._left:
            return
        self._offers += event.type == EventType.SEND_OFFER
        self.ask_until(self._progress(event.t))
        if event.type == EventType.GAME_END:
            self._left.clear()

    def ask_until(self, progress: float) -> None:
        """Ask the models for every point up to some progress (0 to 1) that they have not been asked for."""
        while self._left and self._left[0] <= progress:
            at = self._left.pop(0)
            for seat in self._game.seats:
                self._ask(seat, at)

    def _progress(self, t: float) -> float:
        return self._game.rules.progress(t, self._offers)

    def _ask(self, seat: Seat, at: float) -> None:
        agent, rng = self._agents.get(seat, (None, None))
        if agent is None or rng is None:
            return
        (other,) = self._game.others(seat)
        before = rng.getstate()
        found = _compare(self._truths.get(self._game, seat, other), agent, other)
        rng.setstate(before)
        if found is None:
            return
        self.rows.append(
            ModelRow(
                game=self._game.name,
                seed=self._seed,
                seat=seat,
                agent=self._names[seat],
                opponent=self._names[other],
                at=at,
                **asdict(found),
            )
        )


def has_opponent_model(plugin: AgentPlugin) -> bool:
    """Return whether an agent's class has a model of the other side that can be asked for."""
    if isinstance(plugin, AgentTeam):
        return False
    return hasattr(load_agent_class(plugin.file, plugin.class_name, plugin.sha256), "opponent_model")


def check_points(at: Sequence[float]) -> None:
    """Check points of progress at which models are asked.

    Raises:
        NegoError: If one is not above 0 and up to 1.
    """
    for point in at:
        if isinstance(point, bool) or not isinstance(point, int | float) or not 0 < point <= 1:
            raise NegoError(f"Opponent models are asked at a progress above 0 and up to 1, not at {point!r}.")


def _compare(truth: TruePreferences | str, agent: Any, other: Seat) -> ModelAccuracy | None:
    """Return the accuracy of an agent's model of another seat; None if it has no ``opponent_model``."""
    try:
        ask = getattr(agent, "opponent_model", None)
        if ask is None:
            return None
        model = None if isinstance(truth, str) else ask(other)
        has_evidence = getattr(model, "has_evidence", True)
    except KeyboardInterrupt:
        raise  # Ctrl-C was pressed
    except BaseException as error:  # noqa: BLE001 - whatever the author's code raises, SystemExit included
        return _without_measures(truth, f"The agent has no model of {other}: {text_of(error)}")
    if isinstance(truth, str) or model is None:
        return _without_measures(truth, f"The agent has no model of {other} yet.")
    if not has_evidence:
        note = f"The agent has heard nothing yet from which it learns about {other}."
        return _without_measures(truth, note)
    return truth.compare(model)


def _without_measures(truth: TruePreferences | str, note: str) -> ModelAccuracy:
    if isinstance(truth, str):
        return ModelAccuracy(outcomes=0, sampled=False, note=truth)
    return truth.without_measures(note)
