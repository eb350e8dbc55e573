"""Rows of the table of seats: the measures of one seat in one session."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from statistics import fmean

from negoplatform.agent_api.settings_validation import TALK_SETTINGS
from negoplatform.analysis.bidding_measures import BiddingMeasures
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
from negoplatform.analysis.export_tables.event_rows import SESSION_ID, SIDE
from negoplatform.analysis.export_tables.message_rows import is_claim_true
from negoplatform.analysis.export_tables.offer_rows import response_times
from negoplatform.analysis.session_facts import SessionFacts
from negoplatform.core.events import (
    Expression,
    Failure,
    Message,
    MessageSubtype,
    Refusal,
)
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.step_analysis import StepClass
from negoplatform.eventlog.observer_export import represented_seats

OCCUPANT_COLUMNS = (
    text_column("kind", "Kind of occupant.", ("human", "agent")),
    text_column("name", "Name that the other seats see."),
    text_column("participant", "The participant's code, for a person; complete logs only."),
    text_column("agent_id", "The agent's id in the catalogue, for an agent; complete logs only."),
    text_column("agent_file", "File of the agent; complete logs only."),
    text_column("agent_sha256", "SHA-256 of the agent's file; complete logs only."),
    text_column("agent_version", "Version in its agent.json, if there is one; complete logs only."),
    text_column(
        "agent_sandbox",
        "Sandbox of its process: full, partial or none; empty if it ran inside the program; complete logs "
        "only.",
    ),
    Column(
        "agent_permissions",
        ColumnType.JSON,
        "What its process was allowed beyond its seat: network, read and write; {} if nothing; complete logs "
        "only.",
    ),
    Column("agent_config", ColumnType.JSON, "The agent's settings; complete logs only."),
    *(
        text_column(name, f"The setting {name} in agent_config; empty where it is not set.")
        for name in TALK_SETTINGS
    ),
    text_column("profile", "Profile of the seat, if the game has several."),
)
"""Columns about a seat's occupant."""

MEASURE_COLUMNS = (
    number_column("points", "Final points of the seat, after time costs.", "points"),
    number_column("u", "Final points of the seat, before time costs.", "points"),
    number_column("batna", "Points for no deal: the seat's reservation value.", "points"),
    number_column("opt_out", "Points for walking away.", "points"),
    number_column("u_min", "Lowest points of an outcome for the seat.", "points"),
    number_column("u_max", "Highest points of an outcome for the seat.", "points"),
    number_column(
        "advantage", "Gain over no deal as a share of the highest possible gain (NegMAS).", "up to 1"
    ),
    number_column("surplus_share", "Share of the seat in all seats' gains over no deal.", "share"),
    boolean_column("rational", "Whether the seat's points are at least those for no deal."),
    boolean_column(
        "exploited", "Whether the seat's points are below those for no deal, while another seat gained."
    ),
    integer_column(
        "dominance", "1: highest advantage of all; 0: tied for the highest; -1: below it.", "-1 to 1"
    ),
    integer_column("n_offers", "Number of offers that the seat sent.", "0 up"),
    integer_column("n_full", "Number of its offers that decide everything.", "0 up"),
    integer_column("n_partial", "Number of its offers that leave something undecided.", "0 up"),
    integer_column("n_proposals", "Number of its offers after which it has a full proposal.", "0 up"),
    number_column("first_offer_u", "Points of the seat's first offer for itself.", "points"),
    number_column("last_offer_u", "Points of the seat's last offer for itself.", "points"),
    number_column(
        "total_concession",
        "Concession from its first proposal to its last, as a share of its range of points.",
        "-1 to 1",
    ),
    number_column("mean_concession", "Concession per step.", "-1 to 1"),
    number_column("concession_rate", "Concession per minute.", "per minute"),
    number_column("patience", "Share of its proposals before its first concession.", "0 to 1"),
    number_column("monotonic", "Share of its steps that do not raise its own demand.", "0 to 1"),
    integer_column("n_unique", "Number of different proposals that it made.", "0 up"),
    number_column("novelty", "Different proposals per proposal.", "0 to 1"),
    number_column("explored", "Different proposals per outcome of the game.", "0 to 1"),
    number_column("coupling", "Gain of the other side by its steps, per change of its own points.", "0 up"),
    *(
        integer_column(f"n_steps_{step.value}", f"Number of steps of the class {step.value}.", "0 up")
        for step in StepClass
    ),
    *(
        integer_column(
            f"n_moved_{step.value}",
            f"Number of steps of the class {step.value} that changed a side's points by 3 % of their range.",
            "0 up",
        )
        for step in StepClass
        if step is not StepClass.SILENT
    ),
    integer_column("n_multi_issue", "Number of steps that changed two issues or more.", "0 up"),
    integer_column(
        "n_logroll", "Number of steps that gave at one issue and took at another with more weight.", "0 up"
    ),
    number_column("sensitivity", "Steps towards the other side per other step.", "0 up"),
    number_column(
        "awareness",
        "Share of its changes of direction that the other side meets with one of its own.",
        "0 to 1",
    ),
    number_column("correlation", "Agreement of the two sides' directions at these changes.", "-1 to 1"),
    integer_column("n_msgs", "Number of messages that the seat sent.", "0 up"),
    *(
        integer_column(
            f"n_msg_{kind.value.lower()}", f"Number of messages of the subtype {kind.value}.", "0 up"
        )
        for kind in MessageSubtype
    ),
    *(
        integer_column(
            f"n_emotion_{shown.value.lower()}", f"Number of times that it showed {shown.value}.", "0 up"
        )
        for shown in Expression
    ),
    integer_column("n_pref_statements", "Number of preferences that it stated.", "0 up"),
    integer_column("n_pref_true", "Number of these that are true (claim_true in messages.csv).", "0 up"),
    integer_column("n_pref_false", "Number of these that are false.", "0 up"),
    integer_column(
        "n_questions", "Number of messages that ask for preferences, a BATNA, timing or an offer.", "0 up"
    ),
    integer_column("n_refused", "Number of its actions that were refused.", "0 up"),
    integer_column("n_failures", "Number of failures of its agent; complete logs only.", "0 up"),
    integer_column("t_first_offer_ms", "Session time of its first offer.", "ms"),
    number_column(
        "mean_response_ms", "Mean time from an offer of another seat to its own first response.", "ms"
    ),
)
"""Columns about one seat in one session; the table of sessions has them twice, for h and for a."""

TRADE_SEAT_COLUMNS = (
    number_column(
        "score",
        "Money and worth of goods at the end; trading and market games, like all that follow.",
        "money",
    ),
    number_column(
        "gain", "Score less that at the start, of all periods together: the seat's profit.", "money"
    ),
    number_column(
        "gain_eq",
        "Gain if everything were traded at the equilibrium prices; empty without such prices.",
        "money",
    ),
    integer_column("n_orders", "Number of orders or proposals that it made.", "0 up"),
    integer_column("n_trades", "Number of its trades.", "0 up"),
    integer_column("n_bought", "Units that it bought.", "0 up"),
    integer_column("n_sold", "Units that it sold.", "0 up"),
    number_column("mean_price_bought", "Mean price of the units that it bought.", "money"),
    number_column("mean_price_sold", "Mean price of the units that it sold.", "money"),
    number_column("fees", "Fees that it paid.", "money"),
)
"""Columns about one seat's trades; empty in other kinds of game."""

SEAT_COLUMNS = (
    SESSION_ID,
    text_column("seat", "The seat, by its role in the game."),
    integer_column("seat_no", "Number of the seat in the game.", "1 up"),
    SIDE,
    boolean_column("signed", "Whether the seat has accepted the deal; empty without one."),
    *OCCUPANT_COLUMNS,
    *MEASURE_COLUMNS,
    *TRADE_SEAT_COLUMNS,
)

M = MessageSubtype
QUESTION_SUBTYPES = frozenset(
    {
        M.OFFER_REQUEST_POS,
        M.OFFER_REQUEST_NEG,
        M.PREF_REQUEST,
        M.PREF_SPECIFIC_REQUEST,
        M.BATNA_REQUEST,
        M.TIMING_REQUEST,
    }
)
"""Subtypes of messages that ask a question."""


def seat_rows(facts: SessionFacts, offers: Iterable[Row]) -> Iterator[Row]:
    """Yield a row for each seat.

    Args:
        facts: The session.
        offers: The session's rows in the table of offers.
    """
    offers = list(offers)
    times = response_times(facts)
    for place, seat in enumerate(facts.game.seats, start=1):
        yield {
            "session_id": facts.session_id,
            "seat": seat,
            "seat_no": place,
            "side": facts.sides.get(seat),
            "signed": _signed(facts, seat),
            **_occupant(facts, seat),
            **_outcome(facts, seat),
            **_bids(facts, seat, [row for row in offers if row["seat"] == seat]),
            **_talk(facts, seat),
            **_trades(facts, seat),
            "mean_response_ms": fmean(times[seat]) if times[seat] else None,
        }


def _signed(facts: SessionFacts, seat: Seat) -> bool | None:
    ending = None if facts.end is None else facts.end[1]
    return None if ending is None or ending.deal is None else ending.is_signed_by(seat)


def _occupant(facts: SessionFacts, seat: Seat) -> dict[str, CellValue]:
    who = facts.log.header.seats.get(seat)
    cells: dict[str, CellValue] = {"profile": facts.game.chosen.get(seat)}
    if who is None:
        return cells
    config = json.dumps(dict(who.config), ensure_ascii=False, sort_keys=True) if who.agent else None
    isolation = facts.log.header.isolation.get(seat)
    allowed = None if isolation is None else json.dumps(dict(isolation.permissions), sort_keys=True)
    return cells | {
        "kind": who.kind,
        "name": who.name,
        "participant": who.participant,
        "agent_id": who.agent,
        "agent_file": who.file,
        "agent_sha256": who.sha256,
        "agent_version": who.version,
        "agent_sandbox": None if isolation is None else isolation.sandbox,
        "agent_permissions": allowed,
        "agent_config": config,
        **{name: _setting_text(who.config[name]) for name in TALK_SETTINGS if name in who.config},
    }


def _setting_text(value: object) -> str | None:
    """Return a setting as a cell; None for null."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _outcome(facts: SessionFacts, seat: Seat) -> dict[str, CellValue]:
    preferences = facts.game.preferences.get(seat)
    if preferences is None:
        return {"points": facts.points.get(seat)}
    cells: dict[str, CellValue] = {
        "points": facts.points.get(seat),
        "batna": preferences.reservation_value,
        "opt_out": preferences.quit_value,
        "u_min": preferences.utility.lowest,
        "u_max": preferences.utility.highest,
    }
    if facts.measures is not None:
        measures = facts.measures.seats[seat]
        cells |= {
            "u": measures.utility,
            "advantage": measures.advantage,
            "surplus_share": measures.surplus_share,
            "rational": measures.rational,
            "exploited": measures.exploited,
            "dominance": measures.dominance,
        }
    return cells


def _bids(facts: SessionFacts, seat: Seat, own: list[Row]) -> dict[str, CellValue]:
    if not facts.game.issues:
        return {}
    full = sum(bool(row["is_full"]) for row in own)
    cells: dict[str, CellValue] = {"n_offers": len(own), "n_full": full, "n_partial": len(own) - full}
    if own:
        cells["first_offer_u"] = own[0]["u_own"]
        cells["last_offer_u"] = own[-1]["u_own"]
        cells["t_first_offer_ms"] = own[0]["t_ms"]
    return cells if facts.bidding is None else cells | _bidding_cells(facts.bidding[seat])


def _bidding_cells(bids: BiddingMeasures) -> dict[str, CellValue]:
    steps = {} if bids.steps is None else bids.steps
    moved = {} if bids.moved_steps is None else bids.moved_steps
    return {
        "n_proposals": bids.proposals,
        "total_concession": bids.concession,
        "mean_concession": bids.mean_concession,
        "concession_rate": bids.concession_per_minute,
        "patience": bids.patience,
        "monotonic": bids.monotonic,
        "n_unique": bids.unique,
        "novelty": bids.novelty,
        "explored": bids.explored,
        "coupling": bids.coupling,
        "n_multi_issue": bids.several_issues,
        "n_logroll": bids.logrolling,
        "sensitivity": bids.sensitivity,
        "awareness": bids.awareness,
        "correlation": bids.correlation,
        **{f"n_steps_{step.value}": count for step, count in steps.items()},
        **{f"n_moved_{step.value}": count for step, count in moved.items() if step is not StepClass.SILENT},
    }


def _trades(facts: SessionFacts, seat: Seat) -> dict[str, CellValue]:
    if facts.trade_measures is None:
        return {}
    found = facts.trade_measures.seats[seat]
    # What a log of one view does not show is missing, in place of 0.
    seen = seat in represented_seats(facts.log.header)
    return {
        "score": found.score,
        "gain": found.gain,
        "gain_eq": found.equilibrium_gain,
        "n_orders": found.orders if seen else None,
        "n_trades": found.trades if seen else None,
        "n_bought": found.bought if seen else None,
        "n_sold": found.sold if seen else None,
        "mean_price_bought": found.mean_price_bought if seen else None,
        "mean_price_sold": found.mean_price_sold if seen else None,
        "fees": found.fees if seen else None,
    }


def _talk(facts: SessionFacts, seat: Seat) -> dict[str, CellValue]:
    events = facts.log.events
    complete = facts.log.header.view == "complete"
    said = [e.payload for e in events if e.sender == seat and isinstance(e.payload, Message)]
    stated = [m.preference for m in said if m.preference is not None and not m.preference.is_question]
    true = Counter(is_claim_true(facts, seat, preference) for preference in stated)
    known = seat in facts.game.preferences
    kinds = Counter(message.subtype for message in said)
    shown = Counter(e.get_expression() for e in events if e.sender == seat)
    asked = sum(
        m.subtype in QUESTION_SUBTYPES or (m.preference is not None and m.preference.is_question)
        for m in said
    )
    return {
        "n_msgs": len(said),
        **{f"n_msg_{kind.value.lower()}": kinds[kind] for kind in MessageSubtype},
        **{f"n_emotion_{emotion.value.lower()}": shown[emotion] for emotion in Expression},
        "n_pref_statements": len(stated),
        "n_pref_true": true[True] if known else None,
        "n_pref_false": true[False] if known else None,
        "n_questions": asked,
        "n_refused": sum(isinstance(e.payload, Refusal) and seat in (*e.to, e.sender) for e in events)
        if seat in represented_seats(facts.log.header)
        else None,
        "n_failures": sum(isinstance(e.payload, Failure) and e.payload.seat == seat for e in events)
        if complete
        else None,
    }
