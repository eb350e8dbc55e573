"""Rows of the table of messages, and the truth of the claims in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Row,
    boolean_column,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import ACTOR, SEAT, SESSION_ID, SIDE, T_MS
from negoplatform.analysis.export_tables.offer_text import offer_text
from negoplatform.analysis.session_facts import SEAT_SEPARATOR, SessionFacts, milliseconds
from negoplatform.core.events import (
    DecidedBy,
    EventType,
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
    Typing,
)
from negoplatform.core.state import LOGGED_PHASES
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility
from negoplatform.formats.interpretations import (
    InterpretationVerdict,
    RecordedInterpretation,
    interpretations_by_message,
)

MESSAGE_COLUMNS = (
    SESSION_ID,
    integer_column("message_id", "The seq of the message in the events."),
    integer_column("message_no", "Number of the message in its session.", "1 up"),
    integer_column("message_no_actor", "Number of the message among those of its seat.", "1 up"),
    ACTOR,
    SEAT,
    SIDE,
    text_column("to_seats", "Seats that it was addressed to, separated by semicolons; empty for all."),
    T_MS,
    text_column("phase", "Phase of the session.", LOGGED_PHASES),
    text_column("subtype", "Speech act of the message.", MessageSubtype),
    text_column("text", "Text, unaltered."),
    text_column("pref_claim", "Stated preference in short, such as 'grain > wood'; empty for questions."),
    text_column("pref_issue1", "Issue that the preference is about."),
    text_column("pref_relation", "Relation to the second issue; BEST and WORST have none.", Relation),
    text_column("pref_issue2", "Second issue, which the first is compared with."),
    boolean_column("pref_question", "Whether the message asks for a preference instead of stating one."),
    boolean_column(
        "claim_true",
        "Whether the stated preference is true of the sender, with the sender's range of points at an issue "
        "as its weight (best minus worst, without interactions).",
    ),
    boolean_column(
        "claim_true_per_unit",
        "The same with the average points for one unit of an issue as its weight; only if all compared "
        "issues are divided in units.",
    ),
    number_column("batna_claim", "Stated points for no deal.", "points"),
    boolean_column(
        "batna_true",
        "Whether these are the sender's reservation value, or the best that no deal could still give then.",
    ),
    text_column("reading_subtype", "Main speech act understood from typed words.", MessageSubtype),
    text_column(
        "reading_offers",
        "Offers understood from typed words, the most likely first, separated by |; none is formal.",
    ),
    text_column(
        "reading_held_out",
        "Offers shown for confirmation: those understood, with the terms that stand already.",
    ),
    number_column("reading_sure", "Confidence in the first of these offers.", "0 to 1"),
    text_column(
        "reading_verdict",
        "The sender's answer to the interpretation, if it was shown.",
        InterpretationVerdict,
    ),
    text_column("emotion", "Expression of the sender's face at that time.", Expression),
    integer_column(
        "typing_ms", "Time from the first typing after the sender's previous message to this one.", "ms"
    ),
    text_column("decided_by", "Kind of decision maker; complete logs only.", DecidedBy),
)


def message_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield a row for each message sent."""
    number_of: Counter[Seat] = Counter()
    began: dict[Seat, float] = {}
    offers = 0
    read = interpretations_by_message(moment.event for moment in facts.replayed_events)
    for moment in facts.replayed_events:
        event, said = moment.event, moment.event.payload
        offers += event.type == EventType.SEND_OFFER
        if isinstance(said, Typing):
            began.setdefault(event.sender, event.t)
        if isinstance(said, Message):
            number_of[event.sender] += 1
            typed_from = began.pop(event.sender, None)
            yield {
                "session_id": facts.session_id,
                "message_id": event.seq,
                "message_no": number_of.total(),
                "message_no_actor": number_of[event.sender],
                **facts.sender_cells(event.sender),
                "to_seats": SEAT_SEPARATOR.join(event.to),
                "t_ms": milliseconds(event.t),
                "phase": moment.phase.value,
                "subtype": said.subtype.value,
                "text": said.text,
                **_claims(facts, event.sender, said, event.t, offers),
                **_reading(facts, read.get(event.seq)),
                "emotion": moment.emotion and moment.emotion.value,
                "typing_ms": None if typed_from is None else milliseconds(event.t - typed_from),
                "decided_by": event.decided_by and event.decided_by.value,
            }


def _claims(facts: SessionFacts, seat: Seat, said: Message, at: float, offers: int) -> dict[str, CellValue]:
    found: dict[str, CellValue] = {"batna_claim": said.batna}
    preferences = facts.game.preferences.get(seat)
    if said.batna is not None and preferences is not None:
        shown = no_deal_value(facts.game, preferences, at, offers).best  # as shown in a participant's window
        found["batna_true"] = said.batna in (preferences.reservation_value, shown)
    stated = said.preference
    if stated is None:
        return found
    found |= {
        "pref_issue1": stated.issue1,
        "pref_relation": stated.relation.value,
        "pref_issue2": stated.issue2,
        "pref_question": stated.is_question,
    }
    if not stated.is_question:
        found["pref_claim"] = summarize_preference(stated)
        found["claim_true"] = is_claim_true(facts, seat, stated)
        found["claim_true_per_unit"] = is_claim_true(facts, seat, stated, per_unit=True)
    return found


def _reading(facts: SessionFacts, read: RecordedInterpretation | None) -> dict[str, CellValue]:
    if read is None:
        return {}
    reading = read.interpretation.value()
    return {
        "reading_subtype": reading.subtype.value,
        "reading_offers": " | ".join(offer_text(offer, facts.game) for offer in reading.offers),
        "reading_held_out": " | ".join(
            offer_text(offer, facts.game) for offer in read.interpretation.shown_offers()
        ),
        "reading_sure": reading.sure if reading.offers else None,
        "reading_verdict": None if read.answer is None else read.answer.verdict.value,
    }


def summarize_preference(stated: Preference) -> str:
    """Return a stated preference as a short text."""
    signs = {Relation.GREATER: ">", Relation.LESS: "<", Relation.EQUAL: "="}
    if stated.relation in signs:
        return f"{stated.issue1} {signs[stated.relation]} {stated.issue2 or '?'}"
    return f"{stated.issue1} {stated.relation.value.lower()}"


def is_claim_true(
    facts: SessionFacts, seat: Seat, stated: Preference, *, per_unit: bool = False
) -> bool | None:
    """Return whether a stated preference is true of its sender.

    Args:
        facts: The session.
        seat: The sender's seat.
        stated: The stated preference.
        per_unit: Whether an issue's weight is the average utility of one unit of it, instead of the range of
            the seat's points at it.

    Returns:
        None if the log does not hold the seat's preferences, or an issue is unknown or has no units.
    """
    weights = issue_weights(facts, seat, per_unit=per_unit)
    alone = stated.relation in (Relation.BEST, Relation.WORST)
    compared = [issue.name for issue in facts.game.issues] if alone else [stated.issue1, stated.issue2 or ""]
    if stated.issue1 not in weights or any(name not in weights for name in compared):
        return None
    own, others = weights[stated.issue1], [weights[name] for name in compared]
    match stated.relation:
        case Relation.GREATER:
            return own > others[1]
        case Relation.LESS:
            return own < others[1]
        case Relation.EQUAL:
            return own == others[1]
        case Relation.BEST:
            return own == max(others)
        case Relation.WORST:
            return own == min(others)


def issue_weights(facts: SessionFacts, seat: Seat, *, per_unit: bool = False) -> dict[str, Fraction]:
    """Return the weight of each issue for a seat: the range of its points, or its points per unit.

    Issues without units have no points per unit. Nothing is returned without the seat's preferences.
    """
    preferences = facts.game.preferences.get(seat)
    utility = preferences.utility if preferences is not None else None
    if not isinstance(utility, AdditiveUtility | InteractionUtility):
        return {}
    # Computed with the decimal numbers as written: 0.3 - 0.1 and 0.2 - 0 are the same range.
    ranges = {
        name: Fraction(str(max(table.values()))) - Fraction(str(min(table.values())))
        for name, table in utility.additive.tables.items()
    }
    if not per_unit:
        return ranges
    units = {issue.name: issue.quantity for issue in facts.game.issues if isinstance(issue, QuantityIssue)}
    return {name: ranges[name] / quantity for name, quantity in units.items()}
