"""Table with the column names of IAGO's logs, one row per game, for scripts that read such logs.

Names, order and counts are those of the programs of the IAGO family (Mell and Gratch, 2016): the user is side
h, VH (virtual human) is side a. There are two differences: a message whose subtype IAGO does not have counts
as the nearest subtype (see SUBTYPES) or as NONE, and the last two columns are additional.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Column,
    DataTable,
    Row,
    boolean_column,
    build_table,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import SESSION_ID, participant_of
from negoplatform.analysis.export_tables.message_rows import is_claim_true
from negoplatform.analysis.session_facts import SIDES, SessionFacts
from negoplatform.core.events import EndedBy, EventType, Message, MessageSubtype
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat

WHO = {"h": "User", "a": "VH"}
"""Words for the sides in column names."""

ISSUES = 5
"""Issues with columns of their own."""

IAGO_SUBTYPES = (
    "BATNA_INFO",
    "BATNA_REQUEST",
    "CONFUSION",
    "FAVOR_ACCEPT",
    "FAVOR_REJECT",
    "FAVOR_REQUEST",
    "FAVOR_RETURN",
    "GENERIC_NEG",
    "GENERIC_POS",
    "NONE",
    "OFFER_ACCEPT",
    "OFFER_PROPOSE",
    "OFFER_REJECT",
    "OFFER_REQUEST_NEG",
    "OFFER_REQUEST_POS",
    "PREF_INFO",
    "PREF_REQUEST",
    "PREF_SPECIFIC_REQUEST",
    "PREF_WITHHOLD",
    "THREAT_NEG",
    "THREAT_POS",
    "TIMING",
)

SUBTYPES = {
    MessageSubtype.THREAT: "THREAT_NEG",
    MessageSubtype.TIMING_INFO: "TIMING",
    MessageSubtype.TIMING_REQUEST: "TIMING",
    MessageSubtype.THANKS: "GENERIC_POS",
}
"""Nearest subtype of IAGO for each subtype that IAGO does not have."""

USER_EMOTIONS = {
    "Neutral": "NEUTRAL",
    "Happy": "HAPPY",
    "Angry": "ANGRY",
    "Sad": "SAD",
    "Surprised": "SURPRISED",
}
AGENT_EMOTIONS = {"Disgusted": "DISGUSTED", "Insincere": "", "Afraid": "SCARED"}
"""Emotions that only IAGO's agents show; an insincere smile does not exist here."""

COUNTS = {
    "Offers": "Number of offers",
    "Pref": "Number of stated preferences",
    "Query": "Number of questions about preferences",
    "Msg": "Number of messages",
    "Lie": "Number of stated preferences that are false",
}


def _pairs(names: Iterable[tuple[str, str]]) -> Iterator[Column]:
    for name, description in names:
        for word in WHO.values():
            yield integer_column(f"num{word}{name}", f"{description}, {word}.", "0 up")


def _allocations(when: str, word: str, description: str) -> Iterator[Column]:
    for n in range(1, ISSUES + 1):
        name = f"{when}Offer{word}Alloc{n}"
        yield integer_column(name, f"{description}: units of issue {n} for {word}; 0 if there is none.")


IAGO_COLUMNS = (
    text_column("id", "The participant's code."),
    text_column("agent0", "Always player."),
    text_column("agent1", "The agent's id, or else its name."),
    number_column("userPoints", "Points of the user.", "points"),
    number_column("vhPoints", "Points of the agent.", "points"),
    text_column("timedout", "Whether the time ran out.", ("true", "false")),
    text_column("formallyQuit", "Whether one side walked away.", ("true", "false")),
    *_pairs(COUNTS.items()),
    *_pairs((emotion, f"Times that {emotion} was shown") for emotion in USER_EMOTIONS),
    *(
        integer_column(f"numVH{emotion}", f"Times that {emotion} was shown, VH.", "0 up")
        for emotion in AGENT_EMOTIONS
    ),
    text_column("studyName", "Name of the study, or of the game outside of studies."),
    integer_column("currentGame", "Number of the round.", "0 up"),
    integer_column("gameEndTime", "Session time at the end.", "s"),
    integer_column("gameAllottedTime", "Time limit; empty without one.", "s"),
    *_pairs([("BATNALies", "Number of false statements of the value of no deal")]),
    *_allocations("initial", "User", "First offer of the game, -1 without one"),
    *_allocations("final", "User", "Deal, or else the last offer"),
    *_allocations("initial", "VH", "First offer of the game, -1 without one"),
    *_allocations("final", "VH", "Deal, or else the last offer"),
    *(
        integer_column(f"num{word}{kind}", f"Number of messages of the subtype {kind}, {word}.", "0 up")
        for word in WHO.values()
        for kind in IAGO_SUBTYPES
    ),
    SESSION_ID,
    boolean_column("counts", "Whether the session counts; practice does not. Empty outside of studies."),
)


def iago_table(sessions: Iterable[SessionFacts]) -> DataTable:
    """Return the table of the sessions with issues, two seats and an end, in their order."""
    games = (
        facts
        for facts in sessions
        if facts.game.issues and facts.end is not None and len(facts.sides) == len(SIDES)
    )
    return build_table("iago_wide", IAGO_COLUMNS, (_row(facts) for facts in games))


def _row(facts: SessionFacts) -> Row:
    assert facts.end is not None
    event, ending = facts.end
    study, deadline = facts.log.header.study, facts.game.rules.deadline_seconds
    agent = facts.log.header.seats.get(facts.seat_on("a") or "")
    row: dict[str, CellValue] = {
        "id": participant_of(facts),
        "agent0": "player",
        "agent1": None if agent is None else agent.agent or agent.name,
        "timedout": _true_or_false(ending.ended_by is EndedBy.TIMEOUT),
        "formallyQuit": _true_or_false(ending.ended_by is EndedBy.QUIT),
        "studyName": facts.game.name if study is None else study.name,
        "currentGame": max(0, study.round - 1) if study is not None else 0,
        "gameEndTime": int(event.t),
        "gameAllottedTime": None if deadline is None else int(deadline),
        "session_id": facts.session_id,
        "counts": None if study is None else study.counts,
    }
    offers = [e.get_offer() for e in facts.log.events if e.type == EventType.SEND_OFFER]
    first = offers[0] if offers else None
    last = ending.deal if ending.deal is not None else (offers[-1] if offers else None)
    for side, word in WHO.items():
        seat = facts.seat_on(side) or ""
        row["userPoints" if side == "h" else "vhPoints"] = facts.points.get(seat)
        row |= _counts(facts, seat, word)
        row |= _units(facts, first, seat, f"initialOffer{word}Alloc", missing=-1)
        row |= _units(facts, last, seat, f"finalOffer{word}Alloc", missing=0)
    return row


def _true_or_false(value: bool) -> str:
    return "true" if value else "false"


def _counts(facts: SessionFacts, seat: Seat, word: str) -> dict[str, CellValue]:
    events = [event for event in facts.log.events if event.sender == seat]
    said = [event.payload for event in events if isinstance(event.payload, Message)]
    stated = [m.preference for m in said if m.preference is not None and not m.preference.is_question]
    shown = [str(e.get_expression()) for e in events if e.type == EventType.SEND_EXPRESSION]
    kinds = [_iago_subtype(message.subtype) for message in said]
    preferences = facts.game.preferences.get(seat)
    emotions = USER_EMOTIONS if word == WHO["h"] else USER_EMOTIONS | AGENT_EMOTIONS
    counts: dict[str, CellValue] = {
        "Offers": sum(event.type == EventType.SEND_OFFER for event in events),
        "Pref": len(stated),
        "Query": sum(m.preference is not None and m.preference.is_question for m in said),
        "Msg": len(said),
        "Lie": None
        if preferences is None
        else sum(is_claim_true(facts, seat, preference) is False for preference in stated),
        "BATNALies": None
        if preferences is None
        else sum(m.batna is not None and m.batna != preferences.reservation_value for m in said),
        **{name: shown.count(value) for name, value in emotions.items()},
        **{kind: kinds.count(kind) for kind in IAGO_SUBTYPES},
    }
    return {f"num{word}{name}": value for name, value in counts.items()}


def _iago_subtype(subtype: MessageSubtype) -> str:
    if subtype.value in IAGO_SUBTYPES:
        return subtype.value
    return SUBTYPES.get(subtype, "NONE")


def _units(
    facts: SessionFacts, offer: Offer | None, seat: Seat, stem: str, *, missing: int
) -> dict[str, CellValue]:
    """Return a seat's units of the first issues; empty for issues that are not divided in units."""
    cells: dict[str, CellValue] = {f"{stem}{n}": 0 for n in range(1, ISSUES + 1)}
    terms = {} if offer is None else dict(offer.terms)
    for n, issue in enumerate(facts.game.issues[:ISSUES], start=1):
        term = terms.get(issue.name)
        if isinstance(term, Allocation):
            cells[f"{stem}{n}"] = term.of(seat)
        else:
            cells[f"{stem}{n}"] = missing if offer is None else (None if term is not None else 0)
    return cells
