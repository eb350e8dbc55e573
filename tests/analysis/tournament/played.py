"""Tournament games with chosen scores, for tests."""

from __future__ import annotations

from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.core.events import EndedBy


def played(
    first: str,
    second: str,
    advantages: tuple[float | None, float | None],
    *,
    game: str = "cake",
    seed: int = 1,
    points: tuple[float | None, float | None] | None = None,
    ended_by: EndedBy = EndedBy.AGREEMENT,
    failures: tuple[int, int] = (0, 0),
    refusals: tuple[int, int] = (0, 0),
    troubles: tuple[str, str] = ("", ""),
    measures: dict[str, float | bool | None] | None = None,
    welfare: float | None = None,
    seconds: float = 10.0,
) -> TournamentGame:
    """Return a game of two agents with these advantages."""
    return TournamentGame(
        game=game,
        seed=seed,
        seats=("human", "agent"),
        agents=(first, second),
        ended_by=ended_by,
        deal=None,
        points=points or advantages,
        advantages=advantages,
        welfare=welfare,
        seconds=seconds,
        offers=4,
        path="full",
        failures=failures,
        refusals=refusals,
        troubles=troubles,
        measures=measures or {},
    )
