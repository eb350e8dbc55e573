"""Value of one finished game of a tournament, for its tables and its report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

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
        advantages: (u - r) / (M - r) of each seat; None where it has no value.
        seconds: Session time at the end.
        offers: The number of offers.
        path: ``fast`` or ``full``: how it was played.
        failures: The number of agents' failures.
        refusals: The number of refused actions.
        trouble: The sentence of the first failure, or of the first refusal; empty without any.
        measures: The measures of ``negoplatform.analysis.outcome_measures.as_row``; empty without any.
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
    seconds: float
    offers: int
    path: str
    failures: int
    refusals: int
    trouble: str = ""
    measures: Mapping[str, Points | bool | None] = field(default_factory=dict)

    @property
    def troubled_agent(self) -> str:
        """The agent that ``trouble`` names first, without its seat; empty if it names none."""
        return next((agent for agent in self.agents if self.trouble.startswith(f"{agent} as ")), "")

    @property
    def trouble_reason(self) -> str:
        """The sentence of ``trouble`` without the agent and its seat."""
        return self.trouble.partition(": ")[2] if self.troubled_agent else self.trouble


def games_by_trouble(games: Iterable[TournamentGame]) -> list[list[TournamentGame]]:
    """Return the games with failures or refusals, grouped by agent and reason; failures first.

    An agent with one fault often has it in every game.
    """
    groups: dict[tuple[bool, str, str], list[TournamentGame]] = {}
    for game in games:
        if game.failures or game.refusals:
            key = (not game.failures, game.troubled_agent, game.trouble_reason)
            groups.setdefault(key, []).append(game)
    return [groups[key] for key in sorted(groups, key=lambda key: key[0])]
