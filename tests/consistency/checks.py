"""Checks of an agent's own moves in a session: what it says may not contradict what it has said or done."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from negoplatform.core.events import Event, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Offer, Term
from negoplatform.language.generation import templates
from negoplatform.strategies import Orderings
from negoplatform.strategies.dialogue.sentences import normalized_sentences
from negoplatform.strategies.dialogue.talking_agent import HURRIED_SECONDS

EXPLAINING_KINDS = frozenset(
    {
        *("trade", "take_back", "favor_used", "take_for", "swap_yes", "take_yours", "changed_admit"),
        *("all_agreed", "took_terms", "took_last"),
    }
)
"""Kinds of message that say why a concession is taken back, or that the offer is not the agent's own."""

NO_ACCEPT = "(no formal accept)"
"""Mark of an acceptance in words alone."""

ANSWER_SECONDS = 16.0
"""Seconds within which a question has to be answered, unless the person acts again before."""

INTRODUCTION_SECONDS = 6.0
"""Seconds before an offer in which its words are looked for."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A contradiction.

    Args:
        rule: The rule that it breaks.
        t: The session time.
        text: What happened.
    """

    rule: str
    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the person, or an offer.

    Args:
        t: The session time.
        kind: The kind of question; ``OFFER`` for an offer.
        text: What was said; empty for an offer that was sent as one.
        offer: The terms of an offer in words.
    """

    t: float
    kind: str
    text: str
    offer: Offer = EMPTY_OFFER


OFFER = "offer"
"""Kind of an entry that is no question but an offer."""


@cache
def _patterns(language: str, voice: str) -> list[tuple[str, str, re.Pattern[str]]]:
    """Return the kind, the longest fixed part and the pattern of each template."""
    found = []
    for kind, texts in templates(language, voice).items():
        for text in texts:
            parts = re.split(r"\{\w+\}", text)
            pattern = re.compile("(?is)" + ".+?".join(map(re.escape, parts)))
            found.append((kind, max(parts, key=len).lower(), pattern))
    return found


def kinds_in(text: str, voice: str, language: str = "en") -> set[str]:
    """Return the kinds of message that a text contains."""
    small = text.lower()
    patterns = _patterns(language, voice)
    return {kind for kind, part, pattern in patterns if part in small and pattern.search(text)}


def faults(
    events: Sequence[Event], game: GameSpec, seat: str, voice: str, *, betrays: bool = False
) -> list[Fault]:
    """Return the contradictions in the moves of a seat.

    Args:
        events: The session.
        game: Its game.
        seat: The agent's seat.
        voice: Its voice.
        betrays: Whether it is an agent that breaks its promises on purpose.
    """
    return [
        *_repetitions(events, seat),
        *_refused_offers(events, game, seat, voice),
        *_taken_back(events, game, seat, voice),
        *_acceptances(events, seat),
        *([] if betrays else _promises(events, game, seat)),
        *_limits(events, game, seat),
        *_preferences(events, game, seat),
        *_pace(events, seat),
        *_requests(events, seat, voice),
    ]


def _own(events: Sequence[Event], seat: str, *kinds: EventType) -> Iterator[Event]:
    return (event for event in events if event.sender == seat and event.type in kinds)


def _repetitions(events: Sequence[Event], seat: str) -> Iterator[Fault]:
    said: set[str] = set()
    for event in _own(events, seat, EventType.SEND_MESSAGE):
        for sentence in normalized_sentences(event.get_text()):
            if sentence in said:
                yield Fault("repeated sentence", event.t, sentence)
            said.add(sentence)


def _words_before(events: Sequence[Event], seat: str, index: int) -> str:
    offer = events[index]
    texts = [
        event.get_text()
        for event in events[max(0, index - 30) : index]
        if event.sender == seat
        and event.type == EventType.SEND_MESSAGE
        and offer.t - event.t <= INTRODUCTION_SECONDS
    ]
    return texts[-1] if texts else ""


LEAST_READING_SECONDS = 1.5
"""An offer of the other side that came later before an own one was not known when that was worded."""


def _refused_offers(events: Sequence[Event], game: GameSpec, seat: str, voice: str) -> Iterator[Fault]:
    """Yield refused offers that are proposed as own ones."""
    refused: set[Offer] = set()
    pending: list[Offer] = []
    for i, event in enumerate(events):
        if event.type == EventType.SEND_OFFER and event.sender != seat:
            pending.append(event.get_offer())
        if event.type == EventType.FORMAL_ACCEPT and event.sender == seat:
            pending.clear()
        if event.type != EventType.SEND_OFFER or event.sender != seat:
            continue
        offer = event.get_offer()
        words = _words_before(events, seat, i)
        kinds = kinds_in(words, voice)
        if offer in refused and words and not kinds & EXPLAINING_KINDS:
            yield Fault("refused offer proposed", event.t, f"{words} {offer!r}")
        if "take_yours" in kinds:
            refused.discard(offer)  # from now on it is its own as well
        refused.update(each for each in pending if game.is_complete(each) and each != offer)
        pending.clear()


def _taken_back(events: Sequence[Event], game: GameSpec, seat: str, voice: str) -> Iterator[Fault]:
    """Yield concessions that are taken back in silence."""
    utility = game.preferences[seat].utility
    latest: dict[str, Term] = {}
    unread: list[Event] = []
    theirs: set[tuple[str, Term]] = set()
    for i, event in enumerate(events):
        if event.type != EventType.SEND_OFFER:
            continue
        if event.sender != seat:
            unread.append(event)
            continue
        read = [each for each in unread if each.t <= event.t - LEAST_READING_SECONDS]
        unread = [each for each in unread if each not in read]
        theirs.update(pair for each in read for pair in each.get_offer().terms)
        offer = event.get_offer()
        words = _words_before(events, seat, i)
        # What the other has offered itself is not taken back from it.
        gains = [
            (issue, term)
            for issue, term in offer.terms
            if (before := latest.get(issue)) is not None
            and utility(Offer({issue: term})) > utility(Offer({issue: before})) + 1e-6
        ]
        before_it = Offer(latest | dict(gain for gain in gains if gain in theirs))
        latest.update(dict(offer.terms))
        if kinds_in(words, voice) & EXPLAINING_KINDS:
            continue
        if not game.is_complete(offer):
            lost = [gain for gain in gains if gain not in theirs]
        else:
            more = game.is_complete(before_it) and utility(offer) > utility(before_it) + 1e-6
            lost = gains if more else []
        if lost:
            yield Fault("concession taken back", event.t, f"{words} {before_it!r} -> {offer!r}")


def _acceptances(events: Sequence[Event], seat: str) -> Iterator[Fault]:
    """Yield acceptances in words that no formal accept follows, and formal ones that are denied."""
    accepted = False
    makers = {event.seq: event.sender for event in events if event.type == EventType.SEND_OFFER}
    for i, event in enumerate(events):
        if event.type == EventType.SEND_OFFER and event.sender != seat:
            accepted = False
        if event.type == EventType.FORMAL_ACCEPT and event.sender == seat:
            accepted = makers[event.payload.offer_id] != seat
        if event.sender != seat:
            continue
        if accepted and event.type == EventType.SEND_OFFER:
            yield Fault("acceptance denied", event.t, f"proposes {event.get_offer()!r} after it has accepted")
            accepted = False
        if event.type == EventType.SEND_MESSAGE:
            subtype = event.payload.subtype
            if accepted and subtype is MessageSubtype.OFFER_REJECT:
                yield Fault("acceptance denied", event.t, event.get_text())
            if subtype is MessageSubtype.OFFER_ACCEPT and not _accepts_soon(events, seat, i):
                yield Fault("acceptance denied", event.t, f"{event.get_text()} {NO_ACCEPT}")


def _accepts_soon(events: Sequence[Event], seat: str, index: int) -> bool:
    for event in events[index:]:
        if event.t > events[index].t + 8:
            return False
        if event.sender == seat and event.type == EventType.FORMAL_ACCEPT:
            return True
        if event.type == EventType.GAME_END or (
            event.sender not in (seat,) and event.type == EventType.SEND_OFFER
        ):
            return True
    return True


def _promises(events: Sequence[Event], game: GameSpec, seat: str) -> Iterator[Fault]:
    utility = game.preferences[seat].utility
    last: Offer | None = None
    promised = False
    theirs: set[tuple[str, Term]] = set()
    for event in events:
        if event.type == EventType.SEND_OFFER and event.sender != seat:
            theirs.update(event.get_offer().terms)
        if event.sender != seat or event.type not in (EventType.SEND_MESSAGE, EventType.SEND_OFFER):
            continue
        if event.type == EventType.SEND_MESSAGE:
            promised = promised or event.payload.subtype in (
                MessageSubtype.FAVOR_ACCEPT,
                MessageSubtype.FAVOR_RETURN,
            )
            continue
        offer = event.get_offer()
        if not game.is_complete(offer):
            continue
        # What the other has offered itself is none of its demands.
        own = EMPTY_OFFER if last is None else last
        granted = {
            (issue, term)
            for issue, term in set(offer.terms) & theirs
            if utility(own.with_terms_of(Offer({issue: term}))) > utility(own)
        }
        if promised and own.terms and utility(offer) > utility(own.with_terms_of(Offer(granted))) + 1e-6:
            yield Fault("promise broken", event.t, f"{last!r} -> {offer!r}")
        promised, last = False, offer


def _limits(events: Sequence[Event], game: GameSpec, seat: str) -> Iterator[Fault]:
    utility = game.preferences[seat].utility
    limit: float | None = None
    offers = {event.seq: event.get_offer() for event in events if event.type == EventType.SEND_OFFER}
    for event in _own(events, seat, EventType.SEND_MESSAGE, EventType.SEND_OFFER, EventType.FORMAL_ACCEPT):
        if event.type == EventType.SEND_MESSAGE:
            if event.payload.subtype is MessageSubtype.BATNA_INFO and event.payload.batna is not None:
                if limit is not None and abs(limit - event.payload.batna) > 1e-6:
                    yield Fault("limit contradicted", event.t, event.get_text())
                limit = event.payload.batna
            continue
        offer = offers[event.seq if event.type == EventType.SEND_OFFER else event.payload.offer_id]
        if limit is not None and game.is_complete(offer) and utility(offer) < limit - 1e-6:
            yield Fault("limit contradicted", event.t, f"{event.type} worth {utility(offer)} < {limit}")


def _preferences(events: Sequence[Event], game: GameSpec, seat: str) -> Iterator[Fault]:
    stated = Orderings(issue.name for issue in game.issues)
    for event in _own(events, seat, EventType.SEND_MESSAGE):
        fact = event.get_preference()
        if fact is None or fact.is_question:
            continue
        if stated.conflict(fact) is not None:
            yield Fault("preferences contradicted", event.t, event.get_text())
        stated.add(fact)


def _pace(events: Sequence[Event], seat: str) -> Iterator[Fault]:
    """Yield messages less than 1.5 s after the person's last act, and two messages and an offer in 2 s."""
    last_act = 0.0
    crossing = False
    own: list[tuple[float, str]] = []
    end = next((event.t for event in events if event.type == EventType.GAME_END), float("inf"))
    for event in events:
        over = event.t > end - HURRIED_SECONDS
        if event.sender != seat:
            if event.type in (EventType.SEND_MESSAGE, EventType.SEND_OFFER):
                last_act = event.t
                crossing = True  # what is being typed was begun before
            continue
        if event.type == EventType.TYPING:
            crossing = False
        if over or event.type not in (EventType.SEND_MESSAGE, EventType.SEND_OFFER):
            continue
        if event.type == EventType.SEND_MESSAGE and 0 < event.t - last_act < 1.4999 and not crossing:
            yield Fault("too fast", event.t, f"{event.get_text()} {event.t - last_act:.2f} s after")
        own = [(t, kind) for t, kind in own if event.t - t <= 2.0 - 1e-9] + [(event.t, event.type)]
        kinds = [kind for _, kind in own]
        if kinds.count(EventType.SEND_MESSAGE) >= 2 and EventType.SEND_OFFER in kinds:
            yield Fault("two messages and an offer within 2 s", event.t, str(own))


def _requests(events: Sequence[Event], seat: str, voice: str) -> Iterator[Fault]:
    """Yield requests for an offer that follow an offer of its own without an answer."""
    offered = -1e9
    for event in events:
        if event.sender != seat:
            offered = -1e9 if event.type in (EventType.SEND_MESSAGE, EventType.SEND_OFFER) else offered
        elif event.type == EventType.SEND_OFFER:
            offered = event.t
        elif (
            event.type == EventType.SEND_MESSAGE
            and event.t - offered < 5
            and "ask_for_offer" in kinds_in(event.get_text(), voice)
        ):
            yield Fault("offer asked for after its own", event.t, event.get_text())


PREFERENCE_KINDS = frozenset(
    {
        *("pref_info_best", "pref_info_worst", "pref_info_greater", "pref_info_equal"),
        *("pref_withhold", "pref_all_told", "wish"),
    }
)
OFFER_KINDS = frozenset(
    {
        *("offer_asked", "concede", "concede_back", "trade", "take_back", "same_again", "reshuffle"),
        *("cannot_move", "take_told", "take_for", "take_not_for_sale", "swap_yes", "swap_no", "swap_ask"),
        *("open_whole", "open_terms", "next_terms", "counter_terms", "counter_whole", "stand_by"),
        *(
            "take_yours",
            "no_deal_here",
            "think_it_over",
            "ask_what_to_change",
            "send_as_offer_open",
            "send_as_offer_look",
        ),
        *("took_terms", "took_last", "ask_rest", "accept_offer", "offer_agreed", "yours_missing"),
        *("final_whole", "hurry_standing", "refuse_plain", "all_agreed", "favor_used", "refuse_issue"),
        *("send_as_offer_no", "send_as_offer_yes", "take_first", "rest_too_little"),
    }
)
ANSWER_KINDS = {
    "why": frozenset({"why_told", "why_little", "why_own", "why_refused", "why_withheld", "why_all_told"})
    | PREFERENCE_KINDS,
    "matters": PREFERENCE_KINDS,
    "take": OFFER_KINDS,
    "person": frozenset({"person_program", "person_evade"}),
    "meaning": frozenset({"meaning_offer", "meaning_none"}),
    "swap": OFFER_KINDS,
    # "Meet me halfway" may name the value between two.
    "fairer": OFFER_KINDS
    | {"send_as_offer_yes", "send_as_offer_no", "refuse_issue", "final_no", "final_yes"},
    "lowest": frozenset({"batna_info", "batna_request_answer"}),
    "name": frozenset({"name_told"}),
    "presence": frozenset({"present"}),
    "rather": PREFERENCE_KINDS,
    "time": frozenset({"timing_answer", "timing_no_deadline"}),
    "status": frozenset({"deal_open", "yours_missing", "not_agreed_told"}),
    "opinion": frozenset({"meaning_offer", "meaning_none", "refuse_issue", "reason"}) | PREFERENCE_KINDS,
    "turns": frozenset({"rules_turns"}),
}
"""Kinds of message that answer a question, by its kind."""


def unanswered(events: Sequence[Event], seat: str, questions: Sequence[Question], voice: str) -> list[Fault]:
    """Return the questions without an answer to the point: the first two of each kind need one.

    A request for an offer needs none where the person goes on to make an offer.
    """
    asked: dict[str, int] = {}
    found = []
    end = next((event.t for event in events if event.type == EventType.GAME_END), float("inf"))
    for i, question in enumerate(questions):
        if question.kind == OFFER:
            continue
        asked[question.kind] = asked.get(question.kind, 0) + 1
        moves = question.kind in ("take", "swap", "fairer", "opinion")
        later = (each.t for each in questions[i + 1 :] if moves or each.kind != OFFER)
        until = min(question.t + ANSWER_SECONDS, next(later, end))
        if _has_accepted(events, seat, question.t):
            continue  # it waits for the other's acceptance, and has said so
        if asked[question.kind] > 2 or until >= end or until - question.t < ANSWER_SECONDS - 1:
            continue
        own = [
            event
            for event in _own(events, seat, EventType.SEND_MESSAGE, EventType.SEND_OFFER)
            if question.t < event.t <= question.t + 2 * ANSWER_SECONDS
        ]
        # Where the person goes on to act, the first answer comes later.
        acts = [event for event in own if event.t <= max(until, own[0].t)]
        answers = [event.get_text() for event in acts if event.type == EventType.SEND_MESSAGE]
        if moves and len(answers) < len(acts):
            continue  # the offer is the answer
        accepts = any(question.t < each.t <= until for each in _own(events, seat, EventType.FORMAL_ACCEPT))
        if accepts and question.kind in ("meaning", "status"):
            continue  # so is the acceptance
        wanted = ANSWER_KINDS[question.kind]
        if moves and not _has_offered(events, seat, question.t):
            wanted |= {"ask_for_offer"}  # there is nothing yet to do better than
        if not any(kinds_in(text, voice) & wanted for text in answers):
            found.append(Fault("unanswered", question.t, f"{question.kind}: {question.text} -> {answers}"))
    return found


def own_terms_refused(
    events: Sequence[Event], game: GameSpec, seat: str, questions: Sequence[Question], voice: str
) -> Iterator[Fault]:
    """Yield refusals of offers in words whose terms are in the agent's own last complete offer."""
    own = [each for each in _own(events, seat, EventType.SEND_OFFER) if game.is_complete(each.get_offer())]
    for i, asked in enumerate(questions):
        before = [each for each in own if each.t < asked.t]
        # An answer soon after an earlier offer may be to that one.
        alone = all(each.kind != OFFER or each.t < asked.t - ANSWER_SECONDS for each in questions[:i])
        if asked.kind != OFFER or not asked.offer.terms or not before or not alone:
            continue
        last = before[-1].get_offer()
        until = min([asked.t + ANSWER_SECONDS, *(each.t for each in questions[i + 1 : i + 2])])
        if any(last.get(issue) != term for issue, term in asked.offer.terms):
            continue
        for event in _own(events, seat, EventType.SEND_MESSAGE):
            if asked.t < event.t < until and "send_as_offer_no" in kinds_in(event.get_text(), voice):
                yield Fault("own terms refused", event.t, f"{asked.text} -> {event.get_text()}")


def _has_offered(events: Sequence[Event], seat: str, t: float) -> bool:
    """Return whether a seat has made an offer before a time."""
    return any(event.t < t for event in _own(events, seat, EventType.SEND_OFFER))


def _has_accepted(events: Sequence[Event], seat: str, t: float) -> bool:
    """Return whether a seat has accepted the offer on the table at a time."""
    accepted = False
    for event in events:
        if event.t > t:
            break
        if event.type == EventType.SEND_OFFER:
            accepted = False
        elif event.type == EventType.FORMAL_ACCEPT and event.sender == seat:
            accepted = True
    return accepted


def faces(events: Sequence[Event], seat: str) -> set[Expression]:
    """Return the faces that a seat has shown."""
    return {event.payload.expression for event in _own(events, seat, EventType.SEND_EXPRESSION)}
