"""Value of one finished game of a tournament, for its tables and its report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from negoplatform.analysis.tournament.utility_curves import UtilityCurve
from negoplatform.core.events import EndedBy
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import Points


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentGame:
    """Finished game between two agents. Tuples have two entries, in the order of the game's seats.

    Args:
        game: The game's name.
        seed: The game's seed.
        seats: The names of the seats.
        agents: The agents' names in the tournament.
        profiles: The names of the seats' profiles; empty where a seat has one only.
        ended_by: The reason of the end.
        deal: The agreement; None without one.
        points: Final points; None where the end gives none.
        advantages: (points - r) / (M - r) of each seat; see
            ``negoplatform.analysis.outcome_measures.advantages_paid``.
        welfare: The sum of both seats' points as a share of the highest sum of any outcome; None without
            measures, and where it has no value.
        seconds: Session time at the end.
        offers: The number of offers.
        path: ``fast`` or ``full``: how it was played.
        failures: The number of failures of each seat's agent.
        refusals: The number of its refused actions.
        troubles: The sentence of its first failure, else of its first refusal, in one line; or empty.
        measures: The measures of ``negoplatform.analysis.outcome_measures.as_row``; empty without any.
        curves: The utilities of both seats' proposals in the course of the game; None without measures.
    """

    game: str
    seed: int
    seats: tuple[str, str]
    agents: tuple[str, str]
    profiles: tuple[str, str] = ("", "")
    ended_by: EndedBy
    deal: Offer | None
    points: tuple[Points | None, Points | None]
    advantages: tuple[float | None, float | None]
    welfare: float | None = None
    seconds: float
    offers: int
    path: str
    failures: tuple[int, int] = (0, 0)
    refusals: tuple[int, int] = (0, 0)
    troubles: tuple[str, str] = ("", "")
    measures: Mapping[str, Points | bool | None] = field(default_factory=dict)
    curves: tuple[UtilityCurve, UtilityCurve] | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """Failures or refusals of an agent with one sentence: an agent with a fault often has it in every game.

    Args:
        agent: The agent.
        sentence: The first sentence of these games; empty where none is known.
        places: The games and the agent's seat in each, 0 or 1.
    """

    agent: str
    sentence: str
    places: Sequence[tuple[TournamentGame, int]]

    @property
    def games(self) -> int:
        """Number of these games; one in which the agent has both seats counts once."""
        return len({(game.game, game.seed, game.agents) for game, _ in self.places})

    @property
    def failures(self) -> int:
        """Number of the agent's failures in these games."""
        return sum(game.failures[seat] for game, seat in self.places)

    @property
    def refusals(self) -> int:
        """Number of the agent's refused actions in these games."""
        return sum(game.refusals[seat] for game, seat in self.places)


def troubles_of(games: Iterable[TournamentGame]) -> list[Trouble]:
    """Return the failures and refusals in games by agent and sentence, failures first."""
    groups: dict[tuple[bool, str, str], list[tuple[TournamentGame, int]]] = {}
    for game in games:
        for seat in (0, 1):
            if game.failures[seat] or game.refusals[seat]:
                key = (not game.failures[seat], game.agents[seat], game.troubles[seat])
                groups.setdefault(key, []).append((game, seat))
    ordered = sorted(groups.items(), key=lambda group: group[0][0])
    return [Trouble(agent, sentence, places) for (_, agent, sentence), places in ordered]
