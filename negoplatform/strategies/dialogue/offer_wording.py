"""Words that go with an agent's offers, from what changed since its last one and what the other has moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from negoplatform.agent_api.bids import keeps
from negoplatform.agent_api.context import AgentContext
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language.generation import list_in_words
from negoplatform.strategies.dialogue.dialogue import Dialogue, Script
from negoplatform.strategies.dialogue.offer_changes import (
    MAX_PHRASE_TERMS,
    TOLERANCE,
    OfferChanges,
    level_points,
    offer_changes,
)

NEAR_RATIO = 0.85
"""Share of its demand from which an offer of another seat is close."""

FAR_RATIO = 0.5
"""Share of its demand below which it is far away."""

EXPLAINING_KINDS = frozenset({"take_yours", "favor_used", "take_for", "all_agreed"})
"""Kinds of message that explain why an offer asks for more than the one before, or is not its own."""

MAX_NAMED_TERMS = 3
"""Terms of an offer that are said in full; a longer offer is only shown."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The move of another seat that an offer answers.

    Args:
        sender: The seat.
        offer: Its offer; empty if it made none.
        ratio: The offer's share of what the agent demands, 0 to 1; None if that is unknown.
    """

    sender: Seat
    offer: Offer = EMPTY_OFFER
    ratio: float | None = None


def introduce(
    dialogue: Dialogue,
    ctx: AgentContext,
    offer: Offer,
    *,
    answers: Reply | None = None,
    kind: str = "",
) -> Script:
    """Return the words for an offer: what it changes, and now and then why.

    Args:
        dialogue: The dialogue.
        ctx: The context.
        offer: The offer.
        answers: The move that it answers.
        kind: A kind of message for a special occasion, such as ``final_whole``. It comes first if it has
            something left to say, and if the offer takes nothing back that needs an explanation.
    """
    before = Offer(
        {name: term for name, term in dialogue.offered_terms(ctx).terms if offer.get(name) is not None}
    )
    if len(before) < len(offer) and not (before.terms and ctx.game.is_complete(offer)):
        before = before if takes_back(dialogue, ctx, offer) else EMPTY_OFFER
    explained = kind in EXPLAINING_KINDS or not takes_back(dialogue, ctx, offer)
    if kind and explained:
        slots = {"terms": named_terms(dialogue, ctx, offer), "offer": offer}
        if special := dialogue.message(ctx, kind, slots):
            return special
    if not before.terms:
        return _first_words(dialogue, ctx, offer, answers)
    changes = offer_changes(dialogue.points, ctx.seat, before, offer)
    words = _change_words(dialogue, ctx, before, offer, changes, answers)
    if changes.gives and not changes.takes:
        return words  # a reason for what it keeps would not fit what it gives
    if before == offer and answers is not None and keeps(answers.offer, offer):
        return words  # it has got what it asks for: a reason for that would not fit
    held = next(iter(changes.takes), None) or _most_important(dialogue, ctx, offer)
    return [*words, *(dialogue.give_reason(ctx, *held) if words and held else [])]


def takes_back(dialogue: Dialogue, ctx: AgentContext, offer: Offer) -> bool:
    """Return whether an offer takes back a concession: a part of one term, a whole one in its points."""
    before = dialogue.offered_terms(ctx)
    changes = offer_changes(dialogue.points, ctx.seat, before, offer)
    # What another seat has offered is not taken back from it.
    received = dialogue.memory.received.values()
    given = {pair for offers in received for offer in offers for pair in offer.terms}
    given |= {pair for seat in ctx.game.others(ctx.seat) for pair in _latest(ctx, seat).terms}
    if given.issuperset(changes.takes):
        return False
    if not ctx.game.is_complete(offer):
        return True
    if not ctx.game.is_complete(before):
        return True
    free = before.with_terms_of(
        Offer({issue: term for issue, term in changes.takes if (issue, term) in given})
    )
    return ctx.utility(offer) > ctx.utility(free) + TOLERANCE


def _latest(ctx: AgentContext, seat: Seat) -> Offer:
    return ctx.board.latest.get(seat, EMPTY_OFFER)


def _first_words(dialogue: Dialogue, ctx: AgentContext, offer: Offer, answers: Reply | None) -> Script:
    """Return the words for a first offer, or for the next terms of one that grows."""
    countering = answers is not None and bool(answers.offer.terms)
    kept = dialogue.offered_terms(ctx)
    added = Offer({issue: term for issue, term in offer.terms if kept.get(issue) != term})
    proposed = offer
    if ctx.game.is_complete(offer):
        words = dialogue.say(ctx, "counter_whole" if countering else "open_whole")
    elif kept.terms and added.terms and not countering:
        proposed = added
        words = dialogue.say(ctx, "next_terms", terms=dialogue.offer_text(ctx, added))
    else:
        kind = "counter_terms" if countering else "open_terms"
        words = dialogue.say(ctx, kind, terms=dialogue.offer_text(ctx, offer))
    held = _most_important(dialogue, ctx, proposed)
    return [*words, *(dialogue.give_reason(ctx, *held) if words and held else [])]


def _change_words(
    dialogue: Dialogue,
    ctx: AgentContext,
    before: Offer,
    offer: Offer,
    changes: OfferChanges,
    answers: Reply | None,
) -> Script:
    """Return the sentence about the difference from the agent's last offer."""
    other = answers.sender if answers is not None else ctx.game.others(ctx.seat)[0]
    with dialogue.speaking_to(dialogue.listener or _gainer(ctx, before, changes.gives[:MAX_PHRASE_TERMS])):
        return _words_for_changes(dialogue, ctx, before, offer, changes, answers, other)


def _words_for_changes(
    dialogue: Dialogue,
    ctx: AgentContext,
    before: Offer,
    offer: Offer,
    changes: OfferChanges,
    answers: Reply | None,
    other: Seat,
) -> Script:
    gives = _given_text(dialogue, ctx, before, changes.gives[:MAX_PHRASE_TERMS], other)
    wants = dialogue.terms(ctx, dict(changes.takes[:MAX_PHRASE_TERMS]))
    if gives and wants:
        return dialogue.say(ctx, "trade", give=gives, want=wants)
    if gives and _helps_others(dialogue, before, offer):
        gain = _gain_text(dialogue, ctx, answers, {issue for issue, _ in changes.gives})
        with dialogue.speaking_to(other):
            returned = dialogue.say(ctx, "concede_back", gain=gain, give=gives) if gain else []
        return returned or dialogue.say(ctx, "concede", give=gives)
    if wants:
        dialogue.memory.took_back = True
        return dialogue.say(ctx, "take_back", want=wants)
    if before == offer and answers is not None and keeps(answers.offer, offer):
        with dialogue.speaking_to(answers.sender):
            return _refuse_rest(dialogue, ctx, offer, answers.offer)
    if before == offer:
        return dialogue.say(ctx, "same_again", terms=named_terms(dialogue, ctx, offer))
    return dialogue.first_of(ctx, "reshuffle", "counter_whole")


def _given_text(
    dialogue: Dialogue, ctx: AgentContext, before: Offer, gives: Sequence[tuple[str, Term]], other: Seat
) -> str:
    """Return what an offer gives as a noun phrase: of several seats, with the share of the one that gains."""
    if len(ctx.game.seats) == 2:
        return dialogue.terms(ctx, dict(gives), to=other)
    parts = [
        dialogue.terms(ctx, {issue: term}, to=_receiver(ctx, before.get(issue), term) or other)
        for issue, term in gives
    ]
    return list_in_words(parts, dialogue.manner.language) if parts else ""


def _gainer(ctx: AgentContext, before: Offer, gives: Sequence[tuple[str, Term]]) -> Seat | None:
    """Return the one of several seats that gets all that an offer gives; None if there is none."""
    gainers = {_receiver(ctx, before.get(issue), term) for issue, term in gives}
    return gainers.pop() if len(ctx.game.seats) > 2 and len(gainers) == 1 else None


def _receiver(ctx: AgentContext, before: Term | None, term: Term) -> Seat | None:
    """Return the other seat whose units grow most by a change; None where no units change hands."""
    if not isinstance(term, Allocation) or not isinstance(before, Allocation):
        return None
    return max(ctx.game.others(ctx.seat), key=lambda seat: term.of(seat) - before.of(seat))


def _refuse_rest(dialogue: Dialogue, ctx: AgentContext, offer: Offer, theirs: Offer) -> Script:
    """Return what is missing in an offer that has all terms for which the agent has asked."""
    named = named_terms(dialogue, ctx, offer)
    words = dialogue.first_of(ctx, "rest_too_little", "same_again", terms=named)
    rest = {issue: term for issue, term in theirs.terms if offer.get(issue) != term}
    if not rest:
        return words
    issue = costliest_issues(dialogue, ctx, rest)[0]
    return [*words, *dialogue.say(ctx, "refuse_issue", issue=dialogue.title(ctx, issue))]


def _helps_others(dialogue: Dialogue, before: Offer, offer: Offer) -> bool:
    """Return whether an offer is worth more to the others than the one before, as far as is known."""
    worth = dialogue.worth_to_others
    return worth is None or before.issues != offer.issues or worth(offer) > worth(before) + TOLERANCE


def _gain_text(dialogue: Dialogue, ctx: AgentContext, answers: Reply | None, leave_out: set[str]) -> str:
    """Return what the other has just given on other issues, as a noun phrase; empty if nothing."""
    if answers is None or not answers.offer.terms:
        return ""
    before = dialogue.memory.offer_before(answers.sender)
    if before is None or before.issues != answers.offer.issues:
        return ""
    changes = offer_changes(dialogue.points, ctx.seat, before, answers.offer)
    gains = [pair for pair in changes.takes if pair[0] not in leave_out]
    if not gains or ctx.utility(answers.offer) <= ctx.utility(before):
        return ""
    return dialogue.terms(ctx, dict(gains[:1]))


def named_terms(dialogue: Dialogue, ctx: AgentContext, offer: Offer) -> str:
    """Return the terms of an offer that are said: those that matter most to the agent."""
    order = [issue for issue in dialogue.importance() if offer.get(issue) is not None]
    named = set(order[:MAX_NAMED_TERMS])
    return dialogue.terms(ctx, {issue: term for issue, term in offer.terms if issue in named})


def costliest_issues(dialogue: Dialogue, ctx: AgentContext, terms: Mapping[str, Term]) -> list[str]:
    """Return the issues of terms, that whose term is the most points below its best for the agent first."""

    costs = {
        issue: max(dialogue.points[issue].values()) - level_points(dialogue.points, ctx.seat, issue, term)
        for issue, term in terms.items()
    }
    return sorted(costs, key=costs.__getitem__, reverse=True)


def _most_important(dialogue: Dialogue, ctx: AgentContext, offer: Offer) -> tuple[str, Term] | None:
    """Return the term of an offer that is worth most to the agent, compared with its worst level."""
    worth = {
        issue: level_points(dialogue.points, ctx.seat, issue, term) - min(dialogue.points[issue].values())
        for issue, term in offer.terms
    }
    best = max(worth, key=worth.__getitem__, default=None)
    term = None if best is None else offer.get(best)
    return None if best is None or term is None else (best, term)


def react(
    dialogue: Dialogue, ctx: AgentContext, answers: Reply, *, wanted: Offer | None, conceding: bool
) -> Script:
    """Return a short reaction to an offer that is not accepted, before the answer; now and then none.

    Args:
        dialogue: The dialogue.
        ctx: The context.
        answers: The other's offer.
        wanted: The offer that the agent would like instead; None if it has none.
        conceding: Whether it is about to concede: then a plain no would not fit.
    """
    with dialogue.speaking_to(answers.sender):
        return _reaction(dialogue, ctx, answers, wanted=wanted, conceding=conceding)


def _reaction(
    dialogue: Dialogue, ctx: AgentContext, answers: Reply, *, wanted: Offer | None, conceding: bool
) -> Script:
    manner, rng = dialogue.manner, ctx.rng
    if rng.random() < 0.5 * (manner.politeness - 0.5) and (thanks := dialogue.say(ctx, "thanks_offer")):
        return thanks
    if not answers.offer.terms or not dialogue.happens(ctx, 0.7):
        return []
    kinds = _reaction_kinds(dialogue, ctx, answers)
    if conceding:
        kinds = [kind for kind in kinds if not kind.startswith(("refuse", "react_same"))]
        return dialogue.first_of(ctx, *kinds)
    issue = None if wanted is None else shortfall(dialogue, ctx, answers.offer, wanted)
    if issue is not None and rng.random() < 0.5:
        words = dialogue.say(ctx, "refuse_issue", issue=dialogue.title(ctx, issue))
        return [*words, *dialogue.give_reason(ctx, issue)]
    return dialogue.first_of(ctx, *kinds)


def _reaction_kinds(dialogue: Dialogue, ctx: AgentContext, answers: Reply) -> list[str]:
    """Return the kinds of reaction that fit an offer, the most telling first."""
    politeness = dialogue.manner.politeness
    refusal = "refuse_polite" if politeness > 0.7 else "refuse_blunt" if politeness < 0.3 else "refuse_plain"
    kinds: list[str] = []
    before = dialogue.memory.offer_before(answers.sender)
    if before is not None and before == answers.offer:
        kinds.append("react_same")
    elif before is not None and ctx.game.is_complete(answers.offer) and ctx.game.is_complete(before):
        change = ctx.utility(answers.offer) - ctx.utility(before)
        kinds += ["react_better"] if change > 0 else ["react_worse"] if change < 0 else []
    if answers.ratio is not None and answers.ratio >= NEAR_RATIO:
        kinds.append("react_near")
    elif answers.ratio is not None and answers.ratio < FAR_RATIO and "react_better" not in kinds:
        kinds.append("react_far")
    return [*kinds, refusal, "refuse_plain"]


def shortfall(dialogue: Dialogue, ctx: AgentContext, theirs: Offer, wanted: Offer) -> str | None:
    """Return the issue on which an offer falls short of the wanted one most; None if it does on none."""
    changes = offer_changes(dialogue.points, ctx.seat, theirs, wanted)
    return changes.takes[0][0] if changes.takes else None
