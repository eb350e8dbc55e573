"""Attention at a table of several: which messages of others a seat answers, and how often in a row.

A message is answered by the seats for which it is meant: its recipients, those whom it names, or those whose
turn it is by what it says. What an answer says is not answered again, so that agents come to an end.
"""

from __future__ import annotations

from collections import Counter

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype as Subtype
from negoplatform.domain.seat_map import Seat
from negoplatform.language import Topic
from negoplatform.strategies.dialogue.conversation_memory import HeardMessage

RECENT_MESSAGES = 8
"""Messages among which the one is sought that a message answers."""

RECENT_SECONDS = 60.0
"""Greatest age of a message that another one answers, in seconds."""

MAX_EXCHANGES = 3
"""Answers in words to the same seat in a row, until there is an offer, an acceptance or a question."""

TO_ALL = frozenset({Subtype.PREF_REQUEST, Subtype.PREF_SPECIFIC_REQUEST, Subtype.BATNA_REQUEST})
"""Speech acts that each of the others answers."""

TOPICS_TO_ALL = frozenset(
    {
        *(Topic.WANTS, Topic.RATHER, Topic.LOWEST, Topic.PERSON, Topic.NAME, Topic.ABOUT_YOU),
        *(Topic.HOW_ARE_YOU, Topic.PRESENCE, Topic.HONEST),
    }
)
"""Topics of questions that each of the others answers."""

TO_MAKER = frozenset(
    {
        *(Subtype.OFFER_ACCEPT, Subtype.OFFER_REJECT, Subtype.OFFER_REQUEST_NEG),
        *(Subtype.THREAT, Subtype.THREAT_POS, Subtype.THREAT_NEG),
    }
)
"""Speech acts that the maker of the offer on the table answers."""

TOPICS_TO_MAKER = frozenset(
    {
        *(Topic.FAIRER, Topic.UNFAIR, Topic.ULTIMATUM, Topic.MEANING, Topic.CONTRADICTION, Topic.FINAL),
        *(Topic.PROMISE_BROKEN, Topic.NOT_AGREED, Topic.OPINION),
    }
)
"""Topics that the maker of the offer on the table answers."""

QUESTIONS = TO_ALL | {
    *(Subtype.OFFER_REQUEST_POS, Subtype.OFFER_REQUEST_NEG, Subtype.FAVOR_REQUEST),
    *(Subtype.TIMING_REQUEST, Subtype.CONFUSION),
}
"""Speech acts that ask for an answer."""

MOVES = frozenset(
    {
        *(Subtype.OFFER_PROPOSE, Subtype.OFFER_ACCEPT, Subtype.OFFER_REJECT),
        *(Subtype.FAVOR_ACCEPT, Subtype.FAVOR_REJECT, Subtype.FAVOR_RETURN),
    }
)
"""Speech acts that change what is offered, also where they are answers."""


class Attention:
    """Selection of the messages that one seat answers at a table of several."""

    def __init__(self) -> None:
        self._exchanges: Counter[Seat] = Counter()

    def is_meant(self, ctx: AgentContext, message: HeardMessage, *, greeted: bool) -> bool:
        """Return whether this seat answers a message, which is the last one of another seat.

        Args:
            ctx: The context.
            message: The message.
            greeted: Whether this seat has greeted.
        """
        to_some = message.to or message.address.seats
        if _act(message) is Subtype.GREETING and not greeted and not to_some:
            return True
        if ctx.seat not in seats_to_answer(ctx, message):
            return False
        if is_question(message):
            self._exchanges[message.sender] = 0
            return True
        if message.subtype is not Subtype.GENERIC and message.subtype not in MOVES:
            named = ctx.seat in (*message.to, *message.address.seats)
            if not named or _answers_me(ctx, message):
                return False  # a remark to nobody in particular, or an answer itself
        return self._exchanges[message.sender] < MAX_EXCHANGES

    def record_answer(self, seat: Seat) -> None:
        """Record an answer to a seat in words alone."""
        self._exchanges[seat] += 1

    def record_move(self) -> None:
        """Record an offer or an acceptance of any seat: there is something new to talk about."""
        self._exchanges.clear()


def _act(message: HeardMessage) -> Subtype:
    """Return the main speech act of a message: the chosen one, or that of typed text."""
    return message.reading.subtype if message.subtype is Subtype.GENERIC else message.subtype


def is_question(message: HeardMessage) -> bool:
    """Return whether a message asks for an answer."""
    if message.subtype is not Subtype.GENERIC:
        return message.subtype in QUESTIONS
    asks = any(mention.topic in TOPICS_TO_ALL | {Topic.QUESTION, Topic.WHY} for mention in message.topics)
    return asks or "?" in message.text or message.reading.has(*QUESTIONS)


def seats_to_answer(ctx: AgentContext, message: HeardMessage) -> tuple[Seat, ...]:
    """Return the seats that a message is meant for, and that answer it if they have an answer."""
    if message.to:
        return message.to
    if message.address.seats:
        return message.address.seats
    act, topics = _act(message), {mention.topic for mention in message.topics}
    to_all = act in TO_ALL or not topics.isdisjoint(TOPICS_TO_ALL)
    if to_all or (message.address.everyone and message.reading.offers):
        return ctx.game.others(message.sender)
    following, maker = seat_after(ctx, message.sender), ctx.current_offer_sender
    if act in TO_MAKER or not topics.isdisjoint(TOPICS_TO_MAKER):
        about = maker not in (None, message.sender) and not message.reading.offers
        return (maker,) if maker is not None and about else (following,)
    if act is Subtype.OFFER_PROPOSE or message.reading.offers or message.address.everyone:
        return (following,)
    return (partner_of(ctx, message) or _recent_maker(ctx, message.sender) or following,)


def seat_after(ctx: AgentContext, seat: Seat) -> Seat:
    """Return the next seat in the game's order."""
    seats = ctx.game.seats
    return seats[(seats.index(seat) + 1) % len(seats)]


def partner_of(ctx: AgentContext, message: HeardMessage) -> Seat | None:
    """Return the seat whose message a message answers: the last one to its sender; None if there is none."""
    recent = ctx.get_message_history()[-RECENT_MESSAGES:]
    for entry in reversed(recent):
        if entry["sender"] == message.sender or ctx.elapsed_time - entry["t"] > RECENT_SECONDS:
            continue
        to = entry["to"] or ctx.addressed_by(entry["text"], entry["sender"]).seats
        if message.sender in to:
            return str(entry["sender"])
    return None


def _answers_me(ctx: AgentContext, message: HeardMessage) -> bool:
    """Return whether a message is the first one to this seat since this seat has spoken to its sender."""
    for entry in reversed(ctx.get_message_history()[-RECENT_MESSAGES:-1]):
        to = entry["to"] or ctx.addressed_by(entry["text"], entry["sender"]).seats
        if entry["sender"] == message.sender and ctx.seat in to:
            return False
        if entry["sender"] == ctx.seat and message.sender in to:
            return True
    return False


def _recent_maker(ctx: AgentContext, sender: Seat) -> Seat | None:
    """Return the maker of the offer on the table, if that is another seat than the sender."""
    return ctx.current_offer_sender if ctx.current_offer_sender != sender else None
