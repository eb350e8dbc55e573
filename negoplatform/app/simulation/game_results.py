"""Results of simulated games, and their summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import fmean

from negoplatform.analysis.bidding_measures import SentOffer
from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.analysis.outcome_measures import MeasuredGame, SessionMeasures, as_row
from negoplatform.analysis.tournament.utility_curves import UtilityCurve
from negoplatform.analysis.trade_session_measures import TradeSessionMeasures, trade_row
from negoplatform.core.events import EndedBy, Ending
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points


class GamePath(StrEnum):
    """Way in which a game was played; the results are the same."""

    FULL = "full"
    """A session with its events, its state and its agents' hosts."""
    FAST = "fast"
    """Two bidders without a session (``bidder_engine.py``)."""
    INDEXED = "indexed"
    """The same by indices of outcomes, without offers and contexts (``index_engine.py``)."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of one simulated game.

    Args:
        seed: Its seed.
        agents: The agents' names, by seat.
        ended_by: Why it ended.
        points: Each seat's points; None where the end gives none.
        seconds: Session time at the end.
        offers: The number of offers.
        failures_by_seat: The number of failures of each seat's agent, and of each assistant and principal by
            its name; those without any are left out.
        refusals_by_seat: The number of an agent's refused actions, and of an assistant's refused changes of
            the record, in the same way.
        first_failures: By seat, the reason of the first failure.
        first_refusals: By seat, the type of the first refused action and the reason.
        profiles: The name of each seat's profile, where it has several.
        measures: Measures of the end and of the bidding; None where the game cannot be measured.
        trades: Measures of a trading or market game; None for every other.
        why_unmeasured: Why some or all measures are missing, in a sentence; empty where none are, and where
            none were wanted.
        path: The way in which it was played.
        deal: The agreement; None without one.
        models: The accuracy of the agents' opponent models, where they were asked.
        curves: The utilities of both seats' proposals in the course of the game, where they were wanted.
    """

    seed: int
    agents: SeatMap[str]
    ended_by: EndedBy
    points: SeatMap[Points | None]
    seconds: float
    offers: int
    failures_by_seat: Mapping[Seat, int] = field(default_factory=dict)
    refusals_by_seat: Mapping[Seat, int] = field(default_factory=dict)
    first_failures: Mapping[Seat, str] = field(default_factory=dict)
    first_refusals: Mapping[Seat, str] = field(default_factory=dict)
    profiles: SeatMap[str] = field(default_factory=SeatMap)
    measures: SessionMeasures | None = None
    trades: TradeSessionMeasures | None = None
    why_unmeasured: str = ""
    path: GamePath = GamePath.FULL
    deal: Offer | None = None
    models: tuple[ModelRow, ...] = ()
    curves: tuple[UtilityCurve, UtilityCurve] | None = None

    @property
    def failures(self) -> int:
        """Number of agents' failures."""
        return sum(self.failures_by_seat.values())

    @property
    def refusals(self) -> int:
        """Number of refused actions."""
        return sum(self.refusals_by_seat.values())

    def measures_row(self) -> Mapping[str, Points | bool | None]:
        """Return the measures as one flat row; empty where there are none."""
        if self.trades is not None:
            return trade_row(self.trades)
        return {} if self.measures is None else as_row(self.measures)


@dataclass(frozen=True, slots=True)
class Summary:
    """Results of many games of one seating.

    Args:
        agents: The agents' names, by seat.
        games: The number of games.
        agreements: The number that ended in agreement.
        points: Mean points by seat over the games that gave points; None if none did.
        scored: The number of games that gave points, by seat.
        seconds: Mean session time.
        offers: Mean number of offers.
        ends: The number of games by the way they ended.
        failures: Agents' failures in all.
        refusals: Refused actions in all.
        first_failures: By agent, the agent, the seat, the reason and the seed of its first failure.
        first_refusals: By agent, the same of its first refused action.
        means: The mean of every measure over the games that have it, by the names of
            ``negoplatform.analysis.outcome_measures.as_row``, or of
            ``negoplatform.analysis.trade_session_measures.trade_row`` in a trading or market game; of a
            boolean measure, the share of games, 0 to 1.
        traded: Whether the game is one of trading or a market.
        fast: The number of games that were played on the fast path, by index or not.
    """

    agents: SeatMap[str]
    games: int
    agreements: int
    points: SeatMap[float | None]
    scored: SeatMap[int]
    seconds: float
    offers: float
    ends: Mapping[EndedBy, int]
    failures: int
    refusals: int
    first_failures: Mapping[str, str] = field(default_factory=dict)
    first_refusals: Mapping[str, str] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)
    traded: bool = False
    fast: int = 0


@dataclass(frozen=True, slots=True)
class GameCourse:
    """Course of a game, from which its result follows.

    Args:
        ending: Its end.
        ended_at: The session time of the end in seconds.
        points: Each seat's points; None where the end gives none.
        offers: The offers, in order.
        failures: By seat, the number of the agent's failures.
        refusals: By seat, the number of its refused actions.
        first_failures: By seat, the reason of the first failure.
        first_refusals: By seat, the type of the first refused action and the reason.
        trades: Measures of a trading or market game.
        models: The accuracy of the agents' opponent models, where they were asked.
        path: The way in which it was played.
    """

    ending: Ending
    ended_at: float
    points: SeatMap[Points | None]
    offers: Sequence[SentOffer]
    failures: Mapping[Seat, int] = field(default_factory=dict)
    refusals: Mapping[Seat, int] = field(default_factory=dict)
    first_failures: Mapping[Seat, str] = field(default_factory=dict)
    first_refusals: Mapping[Seat, str] = field(default_factory=dict)
    trades: TradeSessionMeasures | None = None
    models: tuple[ModelRow, ...] = ()
    path: GamePath = GamePath.FULL


def result_of(
    game: GameSpec,
    course: GameCourse,
    *,
    seed: int,
    agents: SeatMap[str],
    measured: MeasuredGame | str | None,
    with_curves: bool = False,
) -> Result:
    """Return the result of a game.

    Args:
        game: The game, with resolved profiles.
        course: Its course.
        seed: Its seed.
        agents: The agents' names, by seat.
        measured: The game for its measures, or a sentence that says why it cannot be measured; None: no
            measures are wanted.
        with_curves: Whether curves of utilities are wanted too.
    """
    ending, measures, why, curves = course.ending, None, "", None
    if isinstance(measured, MeasuredGame):
        why = measured.solutions_error
        measures = measured.measure_session(
            deal=ending.deal,
            ended_by=ending.ended_by,
            points=course.points,
            offers=course.offers,
            left_out=left_out_seats(game, ending),
        )
        if with_curves:
            curves = measured.utility_curves(course.offers, course.ended_at)
    elif measured is not None and course.trades is None:
        why = measured
    return Result(
        seed=seed,
        agents=agents,
        ended_by=ending.ended_by,
        points=course.points,
        seconds=course.ended_at,
        offers=len(course.offers),
        failures_by_seat=course.failures,
        refusals_by_seat=course.refusals,
        first_failures=course.first_failures,
        first_refusals=course.first_refusals,
        profiles=game.chosen,
        measures=measures,
        trades=course.trades,
        why_unmeasured=why,
        path=course.path,
        deal=ending.deal,
        models=course.models,
        curves=curves,
    )


def _named(agents: SeatMap[str], by_seat: Mapping[Seat, str]) -> dict[str, str]:
    """Return sentences by the agent, the first one of each; of a plug-in without a seat, by its own name."""
    return {
        agents.get(seat, seat): f"{agents[seat]} as {seat}: {sentence}"
        if seat in agents
        else f"{seat}: {sentence}"
        for seat, sentence in reversed([*by_seat.items()])
    }


def summarize(results: Sequence[Result]) -> list[Summary]:
    """Return a summary per seating, in the order of play."""
    by_seating: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        by_seating.setdefault(tuple(result.agents.values()), []).append(result)
    return [_summary(group) for group in by_seating.values()]


def _summary(group: list[Result]) -> Summary:
    def points_of(seat: Seat) -> list[Points]:
        return [points for result in group if (points := result.points[seat]) is not None]

    first = group[0]
    return Summary(
        agents=first.agents,
        games=len(group),
        agreements=sum(result.ended_by is EndedBy.AGREEMENT for result in group),
        points=SeatMap((seat, fmean(known) if (known := points_of(seat)) else None) for seat in first.agents),
        scored=SeatMap((seat, len(points_of(seat))) for seat in first.agents),
        seconds=fmean(result.seconds for result in group),
        offers=fmean(result.offers for result in group),
        ends=Counter(result.ended_by for result in group),
        failures=sum(result.failures for result in group),
        refusals=sum(result.refusals for result in group),
        first_failures={
            agent: f"{failure} (seed {result.seed})"
            for result in reversed(group)
            for agent, failure in _named(result.agents, result.first_failures).items()
        },
        first_refusals={
            agent: f"{refusal} (seed {result.seed})"
            for result in reversed(group)
            for agent, refusal in _named(result.agents, result.first_refusals).items()
        },
        traded=first.trades is not None,
        fast=sum(result.path is not GamePath.FULL for result in group),
        means=_means([row for result in group if (row := result.measures_row())]),
    )


def _means(rows: Sequence[Mapping[str, Points | bool | None]]) -> dict[str, float]:
    known = {
        name: [value for row in rows if (value := row[name]) is not None]
        for name in (rows[0] if rows else ())
    }
    return {name: fmean(values) for name, values in known.items() if values}
