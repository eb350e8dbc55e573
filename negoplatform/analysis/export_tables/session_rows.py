"""Rows of the table of sessions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from fractions import Fraction
from math import prod

from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Column,
    ColumnType,
    Row,
    boolean_column,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import PARTICIPANT, SESSION_ID, participant_of
from negoplatform.analysis.export_tables.seat_rows import MEASURE_COLUMNS, OCCUPANT_COLUMNS
from negoplatform.analysis.export_tables.study_links import STUDY_COLUMNS, study_cells
from negoplatform.analysis.session_facts import SEAT_SEPARATOR, SIDE_NAMES, SIDES, SessionFacts
from negoplatform.analysis.trade_session_measures import GoodMeasures
from negoplatform.core.events import Accepted, EndedBy, Ending, EventType, Expression, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.bargaining import left_out_seats
from negoplatform.domain.agreement_rules import Outvoted, Turns
from negoplatform.domain.game import Acceptance
from negoplatform.formats.log_header import Header, StudySession

SPELLED_OUT_MEASURES = frozenset({"points", "u", "batna"})
"""Measures of a seat whose columns end in _human and _agent in the table of sessions."""

END_REASONS = (
    "agreed",
    "timeout",
    "walkaway_human",
    "walkaway_agent",
    "walkaway",
    "completed",
    "agent_failure",
    "aborted",
)

LEADING_COLUMNS = (
    SESSION_ID,
    PARTICIPANT,
    text_column(
        "second_participant", "Code of the second person in a session of a study; seats.csv has the seats."
    ),
    text_column("view", "View that the log holds: complete, or the observer for whom it was exported."),
    *STUDY_COLUMNS,
    text_column("step", "Step of the visit: the stage, and in rounds the number of the round."),
    integer_column("n_rounds", "Number of rounds that were planned; 0 outside of rounds.", "0 up"),
    text_column("partner", "Id of the partner in the study."),
    integer_column(
        "rounds_remembered", "Number of earlier rounds that the partner's agent remembers.", "0 up"
    ),
    text_column("app_version", "Version of the program that wrote the log."),
    integer_column("seed", "Seed for everything random in the session; complete logs only."),
    text_column("game_id", "Name of the game."),
    text_column("game_sha256", "SHA-256 of the game as the log holds it."),
    text_column("mechanism", "Mechanism of the game."),
    text_column("acceptance", "Whether the maker of an offer has to accept it formally, too.", Acceptance),
    integer_column(
        "n_needed", "Number of seats that have to accept the same offer to make it a deal.", "2 up"
    ),
    text_column("outvoted", "Consequence of a deal for the seats that have not accepted it.", Outvoted),
    text_column("turns", "Order in which the seats act.", Turns),
    boolean_column("allow_partial", "Whether a partial offer may be accepted."),
    number_column("deadline_s", "Session time of the deadline; empty without one.", "s"),
    integer_column(
        "deadline_offers", "Number of offers, of all seats, after which none can be made; empty without one."
    ),
    text_column("mood", "Resting mood of the agents' faces.", Expression),
    number_column("mood_intensity", "How strongly the resting mood shows.", "0 to 1"),
    number_column("face_seconds", "Time for which every face is shown; empty: as the agents say.", "s"),
    number_column("pace", "Factor for the agents' delays; above 1 they are slower.", "0.25 to 4"),
    boolean_column("offer_requests", "Whether a participant's window has the buttons that ask for an offer."),
    integer_column("n_seats", "Number of seats.", "2 up"),
    integer_column("n_issues", "Number of issues.", "1 up"),
    text_column("seat_h", "Seat on side h: the human's, or the first. Games with two seats."),
    text_column("seat_a", "Seat on side a: the other one."),
    Column("created", ColumnType.DATETIME, "Time at which the log was created.", "UTC"),
    Column("started", ColumnType.DATETIME, "Time at which the game started.", "UTC"),
    Column("ended", ColumnType.DATETIME, "Time at which the game ended; empty for an unfinished log.", "UTC"),
    number_column("duration_s", "Session time at the end.", "s"),
    boolean_column(
        "agreement", "Whether there was a deal; empty for an unfinished log and for games without issues."
    ),
    text_column("end_reason", "Kind of ending; empty for an unfinished log.", END_REASONS),
    text_column("ended_by_seat", "Seat that ended it, if one did."),
    text_column(
        "formally_accepted_by", "Seats that formally accepted the deal, in order, separated by semicolons."
    ),
    text_column(
        "signed_by",
        "Seats that have accepted the deal, its maker included, in the game's order, with semicolons.",
    ),
    integer_column("deal_id", "The offer_id of the deal."),
    boolean_column("deal_full", "Whether the deal decides everything."),
    number_column("joint", "Sum of all seats' final points, before time costs.", "points"),
    number_column("joint_max", "Highest sum of points of any outcome of the game.", "points"),
    number_column("joint_share", "joint as a share of joint_max.", "up to 1"),
    number_column(
        "relative_welfare",
        "Sum of gains over no deal, as a share of the highest possible sum (NegMAS).",
        "up to 1",
    ),
    boolean_column("pareto", "Whether no outcome is better for one seat and worse for none; deals only."),
    number_column("dist_pareto", "Distance of the outcome to the Pareto frontier.", "shares, 0 up"),
    number_column("dist_nash", "Distance to the Nash point.", "shares, 0 up"),
    number_column("dist_kalai", "Distance to the Kalai-Smorodinsky point.", "shares, 0 up"),
    number_column("dist_egalitarian", "Distance to the egalitarian point.", "shares, 0 up"),
    number_column(
        "fairness",
        "1 minus the shortest of the last three distances, as a share of the longest possible.",
        "0 to 1",
    ),
    number_column(
        "nash_product", "Product of the seats' gains over no deal; 0 if one lost; deals only.", "points"
    ),
    number_column(
        "share_of_joint_human", "u_human as a share of joint; empty unless that is above 0.", "share"
    ),
    number_column(
        "integrative_potential",
        "Integrative potential: 0 for a fixed pie, 1 if all seats can have their best.",
        "0 to 1",
    ),
    number_column(
        "opposition", "Distance from all seats' best points to the nearest outcome.", "shares, 0 up"
    ),
    integer_column("n_events", "Number of events in the log.", "0 up"),
    integer_column("n_offers", "Number of offers sent.", "0 up"),
    integer_column("n_msgs", "Number of messages sent.", "0 up"),
    integer_column("time_to_first_offer_ms", "Session time of the first offer.", "ms"),
    integer_column("n_warnings", "Number of warnings shown to a participant; complete logs only.", "0 up"),
    boolean_column(
        "window_closed", "Whether the participant closed the window of the running game; complete logs only."
    ),
)

_TRADE = "trading and market games"

TRADE_SESSION_COLUMNS = (
    number_column("surplus_max", f"Most that all seats can gain together by trade; {_TRADE}.", "money"),
    number_column("surplus", f"Gain of all seats together, fees not taken off; {_TRADE}.", "money"),
    number_column("efficiency", "Allocative efficiency: surplus as a share of surplus_max.", "up to 1"),
    integer_column("n_trades", f"Number of trades; {_TRADE}.", "0 up"),
    integer_column("volume", "Units that were traded.", "0 up"),
    number_column("turnover", "Money paid for them, without fees.", "money"),
    number_column("fees", "Fees of all trades.", "money"),
    number_column("mean_price", "Mean price of a unit; games with one good and no conditions.", "money"),
    number_column("eq_price_low", "Lowest equilibrium price of a unit; the same games.", "money"),
    number_column("eq_price_high", "Highest equilibrium price of a unit; the same games.", "money"),
    integer_column("eq_quantity", "Units that change hands in equilibrium, at most; the same games.", "0 up"),
    number_column(
        "alpha",
        "Smith's coefficient of convergence: root mean squared distance of the prices from the equilibrium "
        "price, in per cent of that (Smith 1962); the same games.",
        "per cent",
    ),
    number_column(
        "dist_eq_price",
        "Mean distance of prices from the equilibrium price, as a share of that; trades of one good.",
        "share, 0 up",
    ),
    number_column("mean_spread", "Best ask less best bid, mean over the time with both; markets.", "money"),
    number_column(
        "profit_dispersion",
        "Root mean squared difference between the seats' gains and those at equilibrium prices (Gode & "
        "Sunder 1993).",
        "money",
    ),
    Column(
        "market_periods",
        ColumnType.JSON,
        "Each trading period: number, trades, volume, mean_price, alpha and efficiency; markets.",
    ),
    Column(
        "market_goods",
        ColumnType.JSON,
        "Each good, under each condition: trades, volume, mean_price, equilibrium and Walras price, alpha, "
        "distance.",
    ),
)
"""Columns of sessions in which goods are traded; empty for all others."""


def _for_side(column: Column, side: str) -> Column:
    name = _name(column.name, side)
    return replace(column, name=name, description=f"Side {side}: {column.description}")


def _name(column: str, side: str) -> str:
    return f"{column}_{SIDE_NAMES[side] if column in SPELLED_OUT_MEASURES else side}"


PER_SIDE_COLUMNS = (*OCCUPANT_COLUMNS, *MEASURE_COLUMNS)

SESSION_COLUMNS = (
    *LEADING_COLUMNS,
    *TRADE_SESSION_COLUMNS,
    *(_for_side(column, side) for column in PER_SIDE_COLUMNS for side in SIDES),
)


def session_row(facts: SessionFacts, seats: Iterable[Row], offers: Iterable[Row]) -> Row:
    """Return the row of a session.

    Args:
        facts: The session.
        seats: Its rows in the table of seats.
        offers: Its rows in the table of offers.
    """
    offers, events = list(offers), facts.log.events
    row: dict[str, CellValue] = {
        **_of_header(facts),
        "n_events": len(events),
        "n_offers": len(offers) if facts.game.issues else None,
        "n_msgs": sum(event.type == EventType.SEND_MESSAGE for event in events),
        "time_to_first_offer_ms": offers[0]["t_ms"] if offers else None,
        **_end(facts),
        **_measures(facts),
        **_notes(facts),
        **_trades(facts),
        **_of_seats(seats),
    }
    joint, own = row.get("joint"), row.get("u_human")
    if isinstance(joint, int | float) and isinstance(own, int | float) and joint > 0:
        row["share_of_joint_human"] = own / joint
    return row


def _of_step(study: StudySession | None) -> dict[str, CellValue]:
    """Return the cells about a session's step of a visit."""
    if study is None:
        return {}
    return {
        "step": study.step,
        "n_rounds": study.of,
        "partner": study.partner,
        "rounds_remembered": len(study.earlier),
    }


def _second_participant(header: Header) -> str | None:
    codes = [header.seats[seat].participant for seat in header.people]
    return codes[1] if header.study is not None and len(codes) > 1 else None


def _of_header(facts: SessionFacts) -> dict[str, CellValue]:
    """Return the cells about the game, the players and the time."""
    header, game = facts.log.header, facts.game
    counterpart = game.rules.counterpart
    # Rules of bargaining, which mean nothing in other kinds of game.
    bargains = bool(game.issues)
    times = {event.type: at for event, at in zip(facts.log.events, facts.log.times, strict=True)}
    return {
        "session_id": header.session_id,
        "participant": participant_of(facts),
        "second_participant": _second_participant(header),
        "view": header.view,
        **study_cells(header.study),
        **_of_step(header.study),
        "app_version": header.app_version,
        "seed": header.seed,
        "game_id": game.name,
        "game_sha256": facts.figures.sha256,
        "mechanism": game.mechanism,
        "acceptance": game.rules.acceptance.value if bargains else None,
        "n_needed": game.acceptances_needed if bargains else None,
        "outvoted": game.rules.outvoted.value if bargains else None,
        "turns": game.rules.turns.value if bargains else None,
        "allow_partial": game.rules.allow_partial if bargains else None,
        "deadline_s": game.rules.deadline_seconds,
        "deadline_offers": game.rules.deadline_offers,
        "mood": counterpart.mood.value,
        "mood_intensity": counterpart.mood_intensity,
        "face_seconds": counterpart.face_seconds,
        "pace": counterpart.pace,
        "offer_requests": game.rules.offer_requests if bargains else None,
        "n_seats": len(game.seats),
        "n_issues": len(game.issues) if bargains else None,
        "seat_h": facts.seat_on("h"),
        "seat_a": facts.seat_on("a"),
        "created": header.created_at,
        "started": times.get(EventType.GAME_START),
        "ended": times.get(EventType.GAME_END),
        "joint_max": facts.figures.joint_max,
        "integrative_potential": facts.figures.integrative_potential,
        "opposition": facts.figures.opposition,
    }


def _end(facts: SessionFacts) -> dict[str, CellValue]:
    if facts.end is None:
        return {}
    event, ending = facts.end
    accepted = [
        e.sender
        for e in facts.log.events
        if isinstance(e.payload, Accepted)
        and ending.deal_id is not None
        and e.payload.offer_id == ending.deal_id
    ]
    return {
        "duration_s": event.t,
        "agreement": ending.ended_by is EndedBy.AGREEMENT if facts.game.issues else None,
        "end_reason": _reason(facts, ending),
        "ended_by_seat": ending.by,
        "formally_accepted_by": SEAT_SEPARATOR.join(accepted),
        "signed_by": SEAT_SEPARATOR.join(s for s in facts.game.seats if ending.is_signed_by(s)),
        "deal_id": ending.deal_id,
        "deal_full": None if ending.deal is None else facts.game.is_complete(ending.deal),
    }


def _reason(facts: SessionFacts, ending: Ending) -> str:
    match ending.ended_by:
        case EndedBy.AGREEMENT:
            return "agreed"
        case EndedBy.QUIT:
            side = facts.sides.get(ending.by or "")
            return f"walkaway_{SIDE_NAMES[side]}" if side else "walkaway"
        case other:
            return other.value


def _measures(facts: SessionFacts) -> dict[str, CellValue]:
    measures = facts.measures
    if measures is None:
        return {}
    return {
        "joint": measures.joint_points,
        "joint_share": measures.joint_share,
        "relative_welfare": measures.relative_welfare,
        "pareto": measures.pareto_optimal,
        "dist_pareto": measures.pareto_distance,
        "dist_nash": measures.nash_distance,
        "dist_kalai": measures.kalai_smorodinsky_distance,
        "dist_egalitarian": measures.egalitarian_distance,
        "fairness": measures.fairness,
        "nash_product": _nash_product(facts),
    }


def _nash_product(facts: SessionFacts) -> float | None:
    measured = facts.figures.measured
    if measured is None or facts.end is None or facts.end[1].deal is None:
        return None
    exact = measured.exact
    worth = exact.integer_points(facts.end[1].deal)
    left_out = left_out_seats(facts.game, facts.end[1])
    gains = [
        0 if seat in left_out else own - exact.reservation[seat]
        for seat, own in zip(facts.game.seats, worth, strict=True)
    ]
    # Two losses would multiply to a gain.
    product = Fraction(prod(max(0, gain) for gain in gains), prod([exact.factor] * len(gains)))
    return int(product) if product.denominator == 1 else float(product)


def _trades(facts: SessionFacts) -> dict[str, CellValue]:
    """Return the cells of a trading or market session."""
    found = facts.trade_measures
    if found is None:
        return {}
    one = found.goods[0] if len(found.goods) == 1 else None
    scale = 10**facts.game.economy.currency.decimals if facts.game.economy else 1
    prices = one.equilibrium if one else None
    return {
        "surplus_max": found.surplus_max,
        "surplus": found.surplus,
        "efficiency": found.efficiency,
        "n_trades": found.trades,
        "volume": found.volume,
        "turnover": found.turnover,
        "fees": found.fees,
        "mean_price": found.mean_price,
        "eq_price_low": prices.lowest / scale if prices else None,
        "eq_price_high": prices.highest / scale if prices else None,
        "eq_quantity": prices.quantity if prices else None,
        "alpha": found.alpha,
        "dist_eq_price": found.distance,
        "mean_spread": found.mean_spread,
        "profit_dispersion": found.profit_dispersion,
        "market_periods": json.dumps([asdict(each) for each in found.periods]) if found.periods else None,
        "market_goods": json.dumps([_good(each, scale) for each in found.goods], ensure_ascii=False),
    }


def _good(found: GoodMeasures, scale: int) -> dict[str, CellValue]:
    prices = found.equilibrium
    return {
        "good": found.good,
        "condition": found.condition,
        "trades": found.trades,
        "volume": found.volume,
        "mean_price": found.mean_price,
        "eq_price_low": prices.lowest / scale if prices else None,
        "eq_price_high": prices.highest / scale if prices else None,
        "eq_quantity": prices.quantity if prices else None,
        "walras_price": found.walras,
        "alpha": found.alpha,
        "distance": found.distance,
    }


def _notes(facts: SessionFacts) -> dict[str, CellValue]:
    if facts.log.header.view != "complete":
        return {}
    kinds = Counter(e.payload.kind for e in facts.log.events if isinstance(e.payload, Note))
    return {
        "n_warnings": kinds[NoteKind.WARNING_SHOWN],
        "window_closed": kinds[NoteKind.WINDOW_CLOSED] > 0,
    }


def _of_seats(seats: Iterable[Row]) -> dict[str, CellValue]:
    """Return the cells of both sides' rows."""
    return {
        _name(column.name, str(row["side"])): row.get(column.name)
        for row in seats
        if row["side"] is not None
        for column in PER_SIDE_COLUMNS
    }
