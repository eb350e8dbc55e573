"""Rows of the table of offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from negoplatform.analysis.bidding import Proposal, changed, logrolls
from negoplatform.analysis.columns import (
    Column,
    Kind,
    Row,
    Value,
    integer,
    legal_stems,
    number,
    words,
    yes_no,
)
from negoplatform.analysis.event_rows import ACTOR, SEAT, SESSION_ID, SIDE, T_MS
from negoplatform.analysis.session_facts import (
    SIDE_WORDS,
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
from negoplatform.domain.integer_scaling import WholeGame
from negoplatform.domain.issue import Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.step_analysis import Step as MoveClass
from negoplatform.domain.utility import fraction

LONGEST_STEM = 27
"""Characters of an issue's part in a column's name, so that open_ has its place before it."""

HEAD = (
    SESSION_ID,
    integer("offer_id", "The seq of the offer in the events."),
    integer("offer_no", "The offer's number in its session.", "1 up"),
    integer("offer_no_actor", "Its number among the offers of its seat.", "1 up"),
    ACTOR,
    SEAT,
    SIDE,
    T_MS,
    number("t_rel", "Session time as a share of the deadline; empty without a deadline.", "0 to 1"),
    words("decided_by", "Who decided to send it; complete logs only.", DecidedBy),
    yes_no("is_full", "Whether it decides every issue and every unit."),
    words(
        "kind",
        "initial: the first offer of the session; counter: another seat's offer was on the table; "
        "revision: the own one was.",
        ("initial", "counter", "revision"),
    ),
    yes_no("is_final", "Whether it is the last offer of its seat; empty while the session has no end."),
    yes_no("is_deal", "Whether it became the deal; empty while the session has no end."),
)

TAIL = (
    number("u_human", "What the offer is worth to side h, what is undecided counting 0.", "points"),
    number("u_agent", "What it is worth to side a.", "points"),
    number("u_human_01", "Where u_human lies from the worst outcome for side h to its best.", "0 to 1"),
    number("u_agent_01", "Where u_agent lies from the worst outcome for side a to its best.", "0 to 1"),
    number("u_own", "What it is worth to the seat that made it; games of any number of seats.", "points"),
    number("joint", "What it is worth to all seats together.", "points"),
    number("joint_max", "The highest joint of all outcomes of the game.", "points"),
    yes_no("pareto", "Whether no outcome is better for one seat and worse for none; full offers."),
    number("dist_pareto", "Distance to the Pareto frontier; full offers.", "shares, 0 up"),
    number("dist_nash", "Distance to the Nash point; full offers.", "shares, 0 up"),
    number("dist_kalai", "Distance to the Kalai-Smorodinsky point; full offers.", "shares, 0 up"),
    number("dist_egalitarian", "Distance to the egalitarian point; full offers.", "shares, 0 up"),
    number("d_own", "What the step changes for its maker; a step leads from proposal to proposal.", "points"),
    number("d_other", "What the step changes for the other side; games of two seats.", "points"),
    words("step", "The class of the step (Hindriks, Jonker & Tykhonov 2007).", MoveClass),
    integer("n_issues_changed", "How many issues the step changes.", "0 up"),
    yes_no(
        "logroll_step",
        "Whether its maker's points fall at one issue and rise at another that weighs more for it.",
    ),
    words(
        "response",
        "What came first: another seat accepted it, rejected it in a message, made an offer; or its maker "
        "replaced it (withdrawn); or nothing of this (none).",
        ("accept", "reject", "counter", "withdrawn", "none"),
    ),
    words("response_seat", "The seat that accepted, rejected or countered."),
    integer("response_ms", "From the offer to that response.", "ms"),
    words("emotion_at_offer", "What its maker's face showed at that moment.", Expression),
    integer(
        "message_id",
        "The last message of its maker before it, if no offer, and no message of anybody else, came between.",
    ),
)


@dataclass(frozen=True, slots=True)
class IssueColumns:
    """The columns in which the issues of all exported games stand.

    Args:
        stems: The part of a column's name that stands for an issue, by the issue's name.
        columns: The columns, in the order in which the issues came up.
    """

    stems: Mapping[str, str]
    columns: tuple[Column, ...]


def issue_columns(games: Iterable[GameSpec]) -> IssueColumns:
    """Columns for the issues of several games; issues of one name and kind share theirs."""
    games = list(games)
    stems = legal_stems((issue.name for game in games for issue in game.issues), LONGEST_STEM)
    columns: dict[str, Column] = {}
    for game in games:
        for issue in game.issues:
            for column in _columns_of(issue, stems[issue.name]):
                columns[column.name] = _joined(columns.get(column.name, column), column)
    return IssueColumns(stems, tuple(columns.values()))


def _joined(known: Column, column: Column) -> Column:
    """A column for an issue that has one name, but not the same values, in two games."""
    kind = known.kind if known.kind is column.kind else Kind.TEXT
    unit = known.unit if known.unit == column.unit else ""
    values = tuple(dict.fromkeys((*known.values, *column.values)))
    return replace(known, kind=kind, unit=unit, values=values)


def _columns_of(issue: Issue, stem: str) -> list[Column]:
    about = f"the issue '{issue.name}'"
    rest = "empty if the offer does not name it."
    if isinstance(issue, QuantityIssue):
        return [
            integer(f"h_{stem}", f"Units of {about} for side h; {rest}", "units"),
            integer(f"a_{stem}", f"Units of {about} for side a; {rest}", "units"),
            integer(f"open_{stem}", f"Units of {about} that are undecided; {rest}", "units"),
        ]
    if isinstance(issue, NumberIssue):
        return [number(f"v_{stem}", f"The number offered for {about}; {rest}", issue.unit)]
    return [words(f"v_{stem}", f"The value offered for {about}; {rest}", issue.values)]


def offer_rows(facts: SessionFacts, issues: IssueColumns) -> Iterator[Row]:
    """One row for each offer that was sent, partial ones too."""
    answers = _answers(facts)
    ended = facts.end
    made = [moment for moment in facts.moments if isinstance(moment.event.payload, OfferMade)]
    last = {moment.event.sender: moment.event.seq for moment in made}
    number_of: Counter[Seat] = Counter()
    latest: dict[Seat, Proposal] = {}
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
            **facts.who(event.sender),
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


def _share_of_time(facts: SessionFacts, event: Event) -> float | None:
    deadline = facts.game.rules.deadline_seconds
    return event.t / deadline if deadline else None


def _kind(event: Event, previous: Event | None) -> str:
    if previous is None:
        return "initial"
    return "revision" if previous.sender == event.sender else "counter"


def _terms(facts: SessionFacts, offer: Offer, issues: IssueColumns) -> dict[str, Value]:
    cells: dict[str, Value] = {}
    for name, term in offer.terms:
        stem = issues.stems[name]
        if not isinstance(term, Allocation):
            cells[f"v_{stem}"] = term
            continue
        cells[f"open_{stem}"] = term.undecided
        for seat, side in facts.sides.items():
            cells[f"{side}_{stem}"] = term.of(seat)
    return cells


def _worth(facts: SessionFacts, sender: Seat, offer: Offer) -> dict[str, Value]:
    cells: dict[str, Value] = {"u_own": facts.utility(sender, offer), "joint_max": facts.figures.joint_max}
    for side, word in SIDE_WORDS.items():
        seat = facts.seat_on(side)
        if seat is not None and seat in facts.game.preferences:
            cells[f"u_{word}"] = facts.utility(seat, offer)
            cells[f"u_{word}_01"] = fraction(facts.game.preferences[seat].utility, offer)
    if facts.figures.measured is not None:
        exact = facts.figures.measured.exact
        cells["joint"] = exact.points(sum(exact.of(offer)))
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


def _step(facts: SessionFacts, before: Proposal | None, after: Proposal | None) -> dict[str, Value]:
    measured = facts.figures.measured
    if measured is None or before is None or after is None:
        return {}
    exact, seat = measured.exact, after.seat
    cells: dict[str, Value] = {
        "d_own": _change(exact, before, after, seat),
        "step": after.step and after.step.value,
        "n_issues_changed": len(changed(before.offer, after.offer)),
        "logroll_step": logrolls(exact.utilities[seat], before.offer, after.offer),
    }
    others = facts.game.others(seat)
    if len(others) == 1:
        cells["d_other"] = _change(exact, before, after, others[0])
    return cells


def _change(exact: WholeGame, before: Proposal, after: Proposal, seat: Seat) -> float:
    i = exact.game.seats.index(seat)
    return exact.points(after.worth[i] - before.worth[i])


@dataclass(slots=True)
class _Answer:
    """What came after an offer, and the message that came with it."""

    response: str = "none"
    by: Event | None = None
    message_id: int | None = None

    def cells(self, offer: Event) -> dict[str, Value]:
        answered = self.by if self.response != "withdrawn" else None
        return {
            "response": self.response,
            "response_seat": answered and answered.sender,
            "response_ms": answered and milliseconds(answered.t - offer.t),
            "message_id": self.message_id,
        }


def _answers(facts: SessionFacts) -> dict[int, _Answer]:
    """The first response to each offer while it was on the table, and its message; by offer_id."""
    found: dict[int, _Answer] = {}
    on_table: Event | None = None
    message: Event | None = None
    for event in facts.log.events:
        response = _response(event, on_table)
        if on_table is not None and response and found[on_table.seq].response == "none":
            found[on_table.seq] = _Answer(response, event, found[on_table.seq].message_id)
        if event.type == EventType.GAME_END:
            on_table = None
        elif isinstance(event.payload, Message):
            message = event
        elif isinstance(event.payload, OfferMade):
            own = message is not None and message.sender == event.sender
            found[event.seq] = _Answer(message_id=message.seq if own and message is not None else None)
            on_table, message = event, None
    return found


def _response(event: Event, offer: Event | None) -> str:
    """What an event is to the offer on the table; empty if it is no response."""
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
