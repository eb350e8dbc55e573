"""A session's measures in words, for the printed transcript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from negoplatform.analysis.bidding_measures import BiddingMeasures, offers_sent, trace_proposals
from negoplatform.analysis.games.game_measures import integrative_potential, joint_max
from negoplatform.analysis.outcome_measures import MeasuredGame, SeatMeasures, SessionMeasures
from negoplatform.analysis.trade_recorder import TradeRecorder
from negoplatform.analysis.trade_session_measures import (
    GoodMeasures,
    SeatTradeMeasures,
    TradeSessionMeasures,
    measure_trades,
)
from negoplatform.core.events import EndedBy, OfferMade
from negoplatform.core.fold import initial_state
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.errors import NegoError, NotVisible
from negoplatform.domain.step_analysis import StepClass
from negoplatform.domain.trading.economy import Currency
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import Replay, steps


def measured_game(log: SessionLog) -> MeasuredGame | str:
    """Return the measures of a log's game, or a sentence that says why there are none.

    The sentence is empty if the log does not hold every seat's preferences: they were hidden from its reader.
    """
    try:
        return MeasuredGame(log.header.game)
    except NotVisible:
        return ""
    except NegoError as error:
        return str(error)


def steps_by_offer(game: MeasuredGame, log: SessionLog) -> Mapping[int, StepClass]:
    """Return the step class of each offer by the offer's id."""
    ids = [event.seq for event in log.events if isinstance(event.payload, OfferMade)]
    made = trace_proposals(game.exact, offers_sent(log.events))
    return {
        offer_id: proposal.step
        for offer_id, proposal in zip(ids, made, strict=True)
        if proposal is not None and proposal.step is not None
    }


def measure_lines(game: MeasuredGame, played: Replay) -> Iterator[str]:
    """Yield a short block: the quality of the outcome, and each seat's result and bidding."""
    ending = played.state.ending
    found = game.measure_session(
        deal=ending.deal if ending else None,
        # A session without an end yet has no outcome to measure, like an aborted one.
        ended_by=ending.ended_by if ending else EndedBy.ABORTED,
        points=played.points,
        offers=offers_sent(played.log.events),
        left_out=left_out_seats(played.state.game, ending) if ending else (),
    )
    yield f"Measures: {'; '.join(_joint(game, found)) or 'none of the outcome'}."
    for seat, of_seat in found.seats.items():
        yield f"  {seat}: {'; '.join(_of_seat(of_seat))}."


def _joint(game: MeasuredGame, found: SessionMeasures) -> Iterator[str]:
    points = game.solutions
    if found.joint_points is not None:
        most = "" if points is None else f" of at most {game.exact.to_points(joint_max(points)):.12g}"
        yield f"joint points {found.joint_points:.12g}{most}"
    if found.pareto_optimal is not None:
        yield "Pareto efficient" if found.pareto_optimal else "not Pareto efficient"
    if found.pareto_distance and found.pareto_optimal is not True:
        yield f"distance to the Pareto frontier {found.pareto_distance:.3f}"
    if found.nash_distance is not None:
        yield f"to the Nash point {found.nash_distance:.3f}"
    if points is None:
        yield game.solutions_error.rstrip(".")
    else:
        yield f"integrative potential {integrative_potential(points):.2f}"


def _of_seat(found: SeatMeasures) -> Iterator[str]:
    if found.advantage is not None:
        yield f"advantage {found.advantage:.2f}"
    if found.surplus_share is not None:
        yield f"share of the surplus {100 * found.surplus_share:.0f} %"
    if found.exploited:
        yield "exploited"
    yield from _bidding(found.bidding)


def _bidding(found: BiddingMeasures) -> Iterator[str]:
    if found.concession is None or found.mean_concession is None:
        count = f"{found.proposals} complete proposal{'' if found.proposals == 1 else 's'}"
        yield count if found.proposals else "no complete proposal"
        return
    share = f"{100 * abs(found.concession):.0f} % of its range"
    if found.concession >= 0:
        yield f"gave up {share} in {found.proposals} proposals"
    else:
        yield f"asked for {share} more in the last of {found.proposals} proposals than in the first"
    if found.steps is not None:
        yield ", ".join(f"{count} {step.value}" for step, count in found.steps.items() if count)


# Trading and market games


def trade_measure_lines(played: Replay) -> Iterator[str]:
    """Yield a short block: the gains and the prices, each period, and each seat's trades."""
    log = played.log
    game = log.header.game
    recorder = TradeRecorder(initial_state(game, mechanism_of(game.mechanism), log.header.session_id))
    for step in steps(log):
        recorder.add(step.event, step.state)
    records = recorder.records()
    found, currency = measure_trades(records, played.points), records.economy.currency
    yield f"Measures: {'; '.join(_of_session(found, currency))}."
    for good in found.goods:
        if good.trades:
            name = f"{good.good}, {good.condition}" if good.condition else good.good
            yield f"  {name}: {_of_good(good, currency)}."
    for period in found.periods if len(found.periods) > 1 else ():
        parts = [f"{period.trades} trades"]
        if period.mean_price is not None:
            parts.append(f"mean price {_written(currency, period.mean_price)}")
        parts += [f"alpha {period.alpha:.1f} %"] if period.alpha is not None else []
        parts += [f"efficiency {100 * period.efficiency:.0f} %"] if period.efficiency is not None else []
        yield f"  period {period.period}: {'; '.join(parts)}."
    for seat, of_seat in found.seats.items():
        yield f"  {seat}: {'; '.join(_of_trader(of_seat, currency))}."


def _of_session(found: TradeSessionMeasures, currency: Currency) -> Iterator[str]:
    if found.surplus is not None and found.surplus_max is not None:
        most = _written(currency, found.surplus_max)
        yield f"gains of trade {_written(currency, found.surplus)} of at most {most}"
    if found.efficiency is not None:
        yield f"efficiency {100 * found.efficiency:.0f} %"
    yield f"{found.trades} trade{'s' * (found.trades != 1)}, {found.volume} unit{'s' * (found.volume != 1)}"
    if found.mean_spread is not None:
        yield f"mean spread {_written(currency, found.mean_spread)}"


def _of_good(found: GoodMeasures, currency: Currency) -> str:
    parts = [] if found.mean_price is None else [f"mean price {_written(currency, found.mean_price)}"]
    if found.reference is not None:
        parts.append(f"equilibrium price {_written(currency, found.reference)}")
    if found.alpha is not None:
        parts.append(f"alpha {found.alpha:.1f} %")
    return "; ".join(parts) or f"{found.trades} trades in bundles"


def _of_trader(found: SeatTradeMeasures, currency: Currency) -> Iterator[str]:
    if found.gain is not None:
        yield f"gain {_written(currency, found.gain)}"
    if found.equilibrium_gain is not None:
        yield f"at equilibrium prices {_written(currency, found.equilibrium_gain)}"
    yield f"bought {found.bought}, sold {found.sold}"


def _written(currency: Currency, amount: float) -> str:
    """Return an amount in the game's money for people, rounded to what the money can express."""
    return currency.format(round(amount * 10**currency.decimals))
