"""Rows of the table of offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from negoplatform.analysis.bidding_measures import ProposedOffer, changed_terms, is_logrolling
from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Column,
    ColumnType,
    Row,
    boolean_column,
    integer_column,
    legal_stems,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import ACTOR, SEAT, SESSION_ID, SIDE, T_MS
from negoplatform.analysis.session_facts import (
    SIDE_NAMES,
    SessionFacts,
    milliseconds,
    outcome_measures,
)
from negoplatform.core.events import (
    Accepted,
    DecidedBy,
    Event,
    EventType,
    Expression,
    Message,
    MessageSubtype,
    OfferMade,
)
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.solutions.integer_scaling import IntegerGame
from negoplatform.domain.step_analysis import StepClass
from negoplatform.domain.utility import fraction

MAX_STEM_LENGTH = 27
"""Maximum number of characters of an issue in a column's name, which leaves space for open_ and gets_."""

_TWO_SEATS = "games with two seats, others see offer_seats"

LEADING_COLUMNS = (
    SESSION_ID,
    integer_column("offer_id", "The seq of the offer in the events."),
    integer_column("offer_no", "Number of the offer in its session.", "1 up"),
    integer_column("offer_no_actor", "Number of the offer among those of its seat.", "1 up"),
    ACTOR,
    SEAT,
    SIDE,
    T_MS,
    number_column("t_rel", "Session time as a share of the deadline; empty without a deadline.", "0 to 1"),
    text_column("decided_by", "Kind of decision maker; complete logs only.", DecidedBy),
    boolean_column("is_full", "Whether it decides every issue and every unit."),
    text_column(
        "kind",
        "initial: the first offer of the session; counter: another seat's offer was on the table; "
        "revision: the seat's own offer was.",
        ("initial", "counter", "revision"),
    ),
    boolean_column(
        "is_final", "Whether it is the last offer of its seat; empty while the session has no end."
    ),
    boolean_column("is_deal", "Whether it became the deal; empty while the session has no end."),
)

TRAILING_COLUMNS = (
    number_column(
        "u_human", f"Points of the offer for side h, with 0 for undecided terms; {_TWO_SEATS}.", "points"
    ),
    number_column("u_agent", f"Points of the offer for side a; {_TWO_SEATS}.", "points"),
    number_column(
        "u_human_01",
        "u_human as a share of side h's range of points, from its worst outcome to its best.",
        "0 to 1",
    ),
    number_column(
        "u_agent_01",
        "u_agent as a share of side a's range of points, from its worst outcome to its best.",
        "0 to 1",
    ),
    number_column(
        "u_own", "Points of the offer for the seat that made it; games with any number of seats.", "points"
    ),
    number_column("joint", "Sum of all seats' points of the offer.", "points"),
    number_column("joint_max", "Highest sum of points of any outcome of the game.", "points"),
    boolean_column(
        "pareto", "Whether no outcome is better for one seat and worse for none; full offers only."
    ),
    number_column("dist_pareto", "Distance to the Pareto frontier; full offers only.", "shares, 0 up"),
    number_column("dist_nash", "Distance to the Nash point; full offers only.", "shares, 0 up"),
    number_column("dist_kalai", "Distance to the Kalai-Smorodinsky point; full offers only.", "shares, 0 up"),
    number_column("dist_egalitarian", "Distance to the egalitarian point; full offers only.", "shares, 0 up"),
    number_column(
        "d_own", "Change of its maker's points by the step from the maker's previous proposal.", "points"
    ),
    number_column(
        "d_other", "Change of the other side's points by the step; games with two seats.", "points"
    ),
    text_column("step", "Class of the step (Hindriks, Jonker & Tykhonov 2007).", StepClass),
    integer_column("n_issues_changed", "Number of issues that the step changes.", "0 up"),
    boolean_column(
        "logroll_step",
        "Whether its maker's points fall at one issue and rise at another with more weight for it.",
    ),
    text_column(
        "response",
        "First response: another seat accepted it, rejected it in a message, or made an offer; or its "
        "maker replaced it (withdrawn); or none of these (none).",
        ("accept", "reject", "counter", "withdrawn", "none"),
    ),
    text_column("response_seat", "Seat that accepted, rejected or countered."),
    integer_column("response_ms", "Time from the offer to that response.", "ms"),
    text_column("emotion_at_offer", "Expression of its maker's face at that time.", Expression),
    integer_column(
        "message_id",
        "Last message of its maker before it, if no offer and no message of another sender came between.",
    ),
)


OFFER_SEAT_COLUMNS = (
    SESSION_ID,
    integer_column("offer_id", "The seq of the offer in the events."),
    text_column("seat", "Seat that the row is about; every offer has a row for each seat of the game."),
    SIDE,
    boolean_column("is_maker", "Whether this seat made the offer."),
    number_column("u", "Points of the offer for this seat, with 0 for undecided terms.", "points"),
    number_column(
        "u_01", "u as a share of this seat's range of points, from its worst outcome to its best.", "0 to 1"
    ),
)


@dataclass(frozen=True, slots=True)
class IssueColumns:
    """Columns for the issues of all exported games.

    Args:
        stems: The part of a column's name for each issue, by the issue's name.
        columns: The columns of an offer, in the order in which the issues occur.
        seat_columns: The columns of a seat's units in an offer, in the same order.
    """

    stems: Mapping[str, str]
    columns: tuple[Column, ...]
    seat_columns: tuple[Column, ...]


def issue_columns(games: Iterable[GameSpec]) -> IssueColumns:
    """Return columns for the issues of several games; issues with the same name and kind share theirs."""
    games = list(games)
    stems = legal_stems((issue.name for game in games for issue in game.issues), MAX_STEM_LENGTH)
    columns: dict[str, Column] = {}
    for game in games:
        for issue in game.issues:
            for column in _columns_of(issue, stems[issue.name]):
                columns[column.name] = _merge_columns(columns.get(column.name, column), column)
    divided = dict.fromkeys(
        issue.name for game in games for issue in game.issues if isinstance(issue, QuantityIssue)
    )
    units = (
        integer_column(
            f"gets_{stems[name]}",
            f"Units of the issue '{name}' for this seat; empty if the offer does not name it.",
            "units",
        )
        for name in divided
    )
    return IssueColumns(stems, tuple(columns.values()), tuple(units))


def _merge_columns(known: Column, column: Column) -> Column:
    """Merge two columns for issues with one name but different values in two games."""
    kind = known.kind if known.kind is column.kind else ColumnType.TEXT
    unit = known.unit if known.unit == column.unit else ""
    values = tuple(dict.fromkeys((*known.values, *column.values)))
    return replace(known, kind=kind, unit=unit, values=values)


def _columns_of(issue: Issue, stem: str) -> list[Column]:
    about = f"the issue '{issue.name}'"
    rest = "empty if the offer does not name it."
    if isinstance(issue, QuantityIssue):
        return [
            integer_column(f"h_{stem}", f"Units of {about} for side h; {_TWO_SEATS}; {rest}", "units"),
            integer_column(f"a_{stem}", f"Units of {about} for side a; {_TWO_SEATS}; {rest}", "units"),
            integer_column(f"open_{stem}", f"Units of {about} that are undecided; {rest}", "units"),
        ]
    if isinstance(issue, NumberIssue):
        return [number_column(f"v_{stem}", f"The number offered for {about}; {rest}", issue.unit)]
    return [text_column(f"v_{stem}", f"The value offered for {about}; {rest}", issue.values)]


def offer_rows(facts: SessionFacts, issues: IssueColumns) -> Iterator[Row]:
    """Yield a row for each offer sent, partial ones too."""
    answers = _offer_responses(facts)
    ended = facts.end
    made = [moment for moment in facts.replayed_events if isinstance(moment.event.payload, OfferMade)]
    last = {moment.event.sender: moment.event.seq for moment in made}
    number_of: Counter[Seat] = Counter()
    latest: dict[Seat, ProposedOffer] = {}
    previous: Event | None = None
    for moment, proposal in zip(made, facts.proposals, strict=True):
        event = moment.event
        number_of[event.sender] += 1
        offer = event.get_offer()
        yield {
            "session_id": facts.session_id,
            "offer_id": event.seq,
            "offer_no": number_of.total(),
            "offer_no_actor": number_of[event.sender],
            **facts.sender_cells(event.sender),
            "t_ms": milliseconds(event.t),
            "t_rel": _share_of_time(facts, event),
            "decided_by": event.decided_by and event.decided_by.value,
            "is_full": facts.game.is_complete(offer),
            "kind": _kind(event, previous),
            "is_final": None if ended is None else last[event.sender] == event.seq,
            "is_deal": None if ended is None else ended[1].deal_id == event.seq,
            **_terms(facts, offer, issues),
            **_worth(facts, event.sender, offer),
            **_step(facts, latest.get(event.sender), proposal),
            **answers[event.seq].cells(event),
            "emotion_at_offer": moment.emotion and moment.emotion.value,
        }
        previous = event
        if proposal is not None:
            latest[event.sender] = proposal


def offer_seat_rows(facts: SessionFacts, issues: IssueColumns) -> Iterator[Row]:
    """Yield a row for each seat of each offer sent."""
    for moment in facts.replayed_events:
        event = moment.event
        if not isinstance(event.payload, OfferMade):
            continue
        offer = event.get_offer()
        units = {
            f"gets_{issues.stems[name]}": term for name, term in offer.terms if isinstance(term, Allocation)
        }
        for seat in facts.game.seats:
            preferences = facts.game.preferences.get(seat)
            yield {
                "session_id": facts.session_id,
                "offer_id": event.seq,
                "seat": seat,
                "side": facts.sides.get(seat),
                "is_maker": seat == event.sender,
                "u": facts.utility(seat, offer),
                "u_01": None if preferences is None else fraction(preferences.utility, offer),
                **{column: term.of(seat) for column, term in units.items()},
            }


def _share_of_time(facts: SessionFacts, event: Event) -> float | None:
    deadline = facts.game.rules.deadline_seconds
    return event.t / deadline if deadline else None


def _kind(event: Event, previous: Event | None) -> str:
    if previous is None:
        return "initial"
    return "revision" if previous.sender == event.sender else "counter"


def _terms(facts: SessionFacts, offer: Offer, issues: IssueColumns) -> dict[str, CellValue]:
    cells: dict[str, CellValue] = {}
    for name, term in offer.terms:
        stem = issues.stems[name]
        if not isinstance(term, Allocation):
            cells[f"v_{stem}"] = term
            continue
        cells[f"open_{stem}"] = term.undecided
        for seat, side in facts.sides.items():
            cells[f"{side}_{stem}"] = term.of(seat)
    return cells


def _worth(facts: SessionFacts, sender: Seat, offer: Offer) -> dict[str, CellValue]:
    cells: dict[str, CellValue] = {
        "u_own": facts.utility(sender, offer),
        "joint_max": facts.figures.joint_max,
    }
    for side, word in SIDE_NAMES.items():
        seat = facts.seat_on(side)
        if seat is not None and seat in facts.game.preferences:
            cells[f"u_{word}"] = facts.utility(seat, offer)
            cells[f"u_{word}_01"] = fraction(facts.game.preferences[seat].utility, offer)
    if facts.figures.measured is not None:
        exact = facts.figures.measured.exact
        cells["joint"] = exact.to_points(sum(exact.integer_points(offer)))
    measures = outcome_measures(facts, offer)
    if measures is not None:
        cells |= {
            "pareto": measures.pareto_optimal,
            "dist_pareto": measures.pareto_distance,
            "dist_nash": measures.nash_distance,
            "dist_kalai": measures.kalai_smorodinsky_distance,
            "dist_egalitarian": measures.egalitarian_distance,
        }
    return cells


def _step(
    facts: SessionFacts, before: ProposedOffer | None, after: ProposedOffer | None
) -> dict[str, CellValue]:
    measured = facts.figures.measured
    if measured is None or before is None or after is None:
        return {}
    exact, seat = measured.exact, after.seat
    cells: dict[str, CellValue] = {
        "d_own": _change(exact, before, after, seat),
        "step": after.step and after.step.value,
        "n_issues_changed": len(changed_terms(before.offer, after.offer)),
        "logroll_step": is_logrolling(exact.utilities[seat], before.offer, after.offer),
    }
    others = facts.game.others(seat)
    if len(others) == 1:
        cells["d_other"] = _change(exact, before, after, others[0])
    return cells


def _change(exact: IntegerGame, before: ProposedOffer, after: ProposedOffer, seat: Seat) -> float:
    i = exact.game.seats.index(seat)
    return exact.to_points(after.worth[i] - before.worth[i])


@dataclass(slots=True)
class _OfferResponse:
    """Response to an offer, and the message before the offer."""

    response: str = "none"
    event: Event | None = None
    message_id: int | None = None

    def cells(self, offer: Event) -> dict[str, CellValue]:
        answered = self.event if self.response != "withdrawn" else None
        return {
            "response": self.response,
            "response_seat": answered and answered.sender,
            "response_ms": answered and milliseconds(answered.t - offer.t),
            "message_id": self.message_id,
        }


def _offer_responses(facts: SessionFacts) -> dict[int, _OfferResponse]:
    """Return the first response to each offer while it was on the table, and its message; by offer_id."""
    found: dict[int, _OfferResponse] = {}
    on_table: Event | None = None
    message: Event | None = None
    for event in facts.log.events:
        response = _response(event, on_table)
        if on_table is not None and response and found[on_table.seq].response == "none":
            found[on_table.seq] = _OfferResponse(response, event, found[on_table.seq].message_id)
        if event.type == EventType.GAME_END:
            on_table = None
        elif isinstance(event.payload, Message):
            message = event
        elif isinstance(event.payload, OfferMade):
            own = message is not None and message.sender == event.sender
            found[event.seq] = _OfferResponse(message_id=message.seq if own and message is not None else None)
            on_table, message = event, None
    return found


def response_times(facts: SessionFacts) -> dict[Seat, list[int]]:
    """Return how long each seat took for its first response to each offer of others, in ms of session time.

    A response that is not the first of all seats counts too: with several others, the second acceptance.
    """
    found: dict[Seat, list[int]] = {seat: [] for seat in facts.game.seats}
    on_table: Event | None = None
    answered: set[Seat] = set()
    for event in facts.log.events:
        response = _response(event, on_table)
        if on_table is not None and response not in ("", "withdrawn") and event.sender not in answered:
            answered.add(event.sender)
            found[event.sender].append(milliseconds(event.t - on_table.t) or 0)
        if event.type == EventType.GAME_END:
            on_table = None
        elif isinstance(event.payload, OfferMade):
            on_table, answered = event, set()
    return found


def _response(event: Event, offer: Event | None) -> str:
    """Return the kind of response of an event to the offer on the table; empty if it is none."""
    if offer is None:
        return ""
    own = event.sender == offer.sender
    match event.payload:
        case OfferMade():
            return "withdrawn" if own else "counter"
        case Accepted(offer_id) if not own and offer_id == offer.seq:
            return "accept"
        case Message(subtype=MessageSubtype.OFFER_REJECT) if not own:
            return "reject" if not event.to or offer.sender in event.to else ""
        case _:
            return ""
