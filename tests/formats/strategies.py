"""Strategies for games, offers and events as files and logs may hold them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from negoplatform.core.events import (
    NOTHING,
    Accepted,
    DecidedBy,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Failure,
    Message,
    MessageSubtype,
    Note,
    OfferMade,
    Preference,
    Refusal,
    Relation,
    Resumed,
    Tick,
    Typing,
    announced,
)
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.double_auction_state import DecisionMade, OrderCancelled, OrderPlaced
from negoplatform.core.mechanisms.order_book import OrderSide
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    TransactionRequested,
)
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind, StateProposal
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.briefing import Briefing
from negoplatform.domain.game import Acceptance, GameSpec, Preferences, Rules, TimeCost, Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.trading.economy import Quantities
from negoplatform.domain.utility import AdditiveUtility

SEATS = st.sampled_from([("human", "agent"), ("buyer", "seller"), ("Käufer", "seller", "go-between 2")])

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
"""Any text that UTF-8 can hold: quotes, line breaks, separators, emoji."""

labels = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
names = st.from_regex(r"[A-Za-zäé][A-Za-z0-9 _-]{0,12}", fullmatch=True)
phrases = st.from_regex(r"[a-zäé][a-z ]{0,12}", fullmatch=True)
points = st.one_of(
    st.integers(-1000, 1000),
    st.floats(-1000, 1000).map(lambda x: round(x, 6) or 0).filter(lambda x: x % 1 != 0),
)
seconds = st.floats(0.001, 86_400).map(lambda x: round(x, 3))


@st.composite
def games(draw: DrawFn) -> GameSpec:
    """Draw a game that a file could describe."""
    seats = draw(SEATS)
    issues = tuple(draw(issue(name)) for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)))
    deadline = draw(st.none() | seconds)
    return GameSpec(
        name=draw(st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True)),
        issues=issues,
        seats=seats,
        preferences=SeatMap((seat, draw(preferences(seat, issues))) for seat in seats),
        visibility=SeatMap((seat, draw(st.sampled_from(Visibility))) for seat in seats),
        rules=Rules(
            draw(st.sampled_from(Acceptance)),
            draw(st.booleans()),
            deadline,
            draw(st.none() | st.integers(1, 1_000_000)),
            draw(seconds),
            draw(st.booleans()),
            agreement=draw(st.sampled_from([*Agreement, *map(Quota, range(2, len(seats) + 1))])),
            outvoted=draw(st.sampled_from(Outvoted)),
            turns=draw(st.sampled_from(Turns)),
        ),
        title=draw(labels),
        description=draw(texts),
        stories=SeatMap((seat, story) for seat in seats if (story := draw(texts))),
        briefings=SeatMap((seat, briefing) for seat in seats if (briefing := draw(briefings(issues)))),
        names=SeatMap((seat, name) for seat in seats if (name := draw(st.sampled_from(("", "Dana", "Zoë"))))),
    )


sentences = st.lists(labels.filter(str.strip), min_size=1, max_size=3).map(tuple)


@st.composite
def briefings(draw: DrawFn, issues: tuple[Issue, ...]) -> Briefing:
    """Draw a briefing about issues."""
    concerned = [item for item in issues if draw(st.booleans())]
    levels = {
        item.name: range(item.quantity + 1) if isinstance(item, QuantityIssue) else item.values
        for item in concerned
    }
    return Briefing(
        draw(st.just(()) | sentences),
        tuple((item.name, draw(sentences)) for item in concerned),
        tuple((name, ((draw(st.sampled_from(there)), draw(sentences)),)) for name, there in levels.items()),
    )


@st.composite
def issue(draw: DrawFn, name: str) -> Issue:
    """Draw an issue of either kind."""
    label = draw(st.just("") | labels)
    if draw(st.booleans()):
        spoken = draw(st.just(()) | st.tuples(phrases, phrases))
        return QuantityIssue(name, draw(st.integers(1, 5)), label, spoken=spoken)
    values = tuple(draw(st.lists(labels, min_size=1, max_size=4, unique=True)))
    said = draw(st.just(()) | st.just(tuple(f"the {n} of {name}" for n in range(len(values)))))
    return CategoricalIssue(name, values, label, spoken=said)


@st.composite
def preferences(draw: DrawFn, seat: str, issues: tuple[Issue, ...]) -> Preferences:
    """Draw a seat's preferences for issues."""
    tables: dict[str, Any] = {}
    for item in issues:
        terms = range(item.quantity + 1) if isinstance(item, QuantityIssue) else item.values
        tables[item.name] = {term: draw(points) for term in terms}
    cost = st.builds(TimeCost, points.map(abs), seconds)
    return Preferences(
        AdditiveUtility(seat, tables), draw(points), draw(st.none() | points), draw(st.none() | cost)
    )


@st.composite
def offers(draw: DrawFn) -> Offer:
    """Draw an offer about any issues, of any game."""
    allocations = st.builds(
        Allocation,
        st.dictionaries(names, st.integers(0, 10**20), max_size=3),
        st.integers(0, 9),
    )
    terms: SearchStrategy[Term] = st.one_of(allocations, texts)
    return Offer(draw(st.dictionaries(texts, terms, max_size=4)))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
stated = st.builds(Preference, texts, st.sampled_from(Relation), st.none() | texts, st.booleans())
numbers = st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)

amounts = st.integers(0, 10**6) | st.integers(0, 10**8).map(lambda cents: cents / 100)
quantities = st.dictionaries(names, st.integers(1, 1000), min_size=1, max_size=3).map(Quantities)
ids = st.integers(1, 10**6)

ACTS_OF_TRADE: dict[str, SearchStrategy[Any]] = {
    "CALL_FOR_PROPOSALS": st.builds(
        ProposalCall, st.booleans(), st.lists(names, max_size=3, unique=True).map(tuple)
    ),
    "PROPOSE": st.builds(ProposalMade, st.booleans(), amounts, quantities, st.none() | ids),
    "ACCEPT_PROPOSAL": st.builds(ProposalAccepted, ids),
    "DECLINE_PROPOSAL": st.builds(ProposalDeclined, ids),
    "SUBMIT_TRANSACTION": st.builds(
        TransactionRequested, ids.map(lambda seq: f"t-{seq}"), st.booleans(), names, amounts, quantities
    ),
    "PLACE_ORDER": st.builds(
        OrderPlaced,
        st.sampled_from(OrderSide),
        amounts,
        st.integers(1, 1000),
        st.none() | names,
        st.none() | names,
        st.booleans(),
    ),
    "CANCEL_ORDER": st.builds(OrderCancelled, ids),
    "DECIDE": st.builds(DecisionMade, json_objects.map(FrozenJson)),
}

PAYLOADS: dict[str, SearchStrategy[Any]] = {
    **ACTS_OF_TRADE,
    "tax-announced": st.builds(announced, json_objects, texts),
    EventType.STATE_PROPOSED: st.builds(
        StateProposal,
        st.builds(Proposer, st.sampled_from(ProposerKind), names),
        st.integers(0, 10**6),
        json_objects.map(FrozenJson),
        st.booleans(),
        texts,
    ),
    EventType.SEND_MESSAGE: st.builds(
        Message, texts, st.sampled_from(MessageSubtype), st.none() | stated, st.none() | numbers
    ),
    EventType.SEND_OFFER: st.builds(OfferMade, offers()),
    EventType.SEND_EXPRESSION: st.builds(
        ExpressionShown, st.sampled_from(Expression), st.integers(1, 600_000)
    ),
    EventType.OFFER_IN_PROGRESS: st.builds(Drafting, st.none() | offers()),
    EventType.TIME: st.builds(Tick, seconds, st.none() | seconds),
    EventType.FORMAL_ACCEPT: st.builds(Accepted, st.integers(1, 10**6)),
    EventType.FORMAL_QUIT: st.just(NOTHING),
    EventType.GAME_START: st.just(NOTHING),
    EventType.GAME_END: st.builds(
        Ending,
        st.sampled_from(EndedBy),
        st.none() | names,
        st.none() | offers(),
        st.none() | st.integers(1, 10**6),
        texts,
        st.just(()) | st.lists(names, max_size=3).map(tuple),
    ),
    EventType.TYPING: st.builds(Typing, st.integers(1, 600_000)),
    EventType.ACTION_REFUSED: st.builds(Refusal, st.sampled_from(EventType).map(str), texts),
    EventType.AGENT_FAILED: st.builds(Failure, names, texts, st.integers(1, 3)),
    EventType.RESUMED: st.builds(Resumed, st.integers(0, 10**6)),
    EventType.NOTE: st.builds(
        Note, st.sampled_from(NoteKind), st.dictionaries(texts, json_values, max_size=3)
    ),
}


@st.composite
def events(draw: DrawFn, kind: str) -> Event:
    """Draw an event of a type, with any payload of that type."""
    return Event(
        seq=draw(st.integers(1, 10**9)),
        t=draw(st.floats(0, 86_400).map(lambda t: round(t, 3))),
        type=kind,
        sender=draw(names),
        payload=draw(PAYLOADS[kind]),
        to=tuple(draw(st.lists(names, max_size=2))),
        cause=draw(st.none() | st.integers(1, 10**9)),
        decided_by=draw(st.none() | st.sampled_from(DecidedBy)),
        decided_at=draw(st.none() | seconds),
    )
