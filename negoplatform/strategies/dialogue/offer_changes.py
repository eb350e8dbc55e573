"""Differences between two offers from one seat's point of view, and terms as noun phrases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import Level
from negoplatform.domain.game_display_texts import spoken_name
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.language.generation import forms, list_in_words, offer_in_words

TOLERANCE = 1e-9
"""Difference in points that counts as none."""

MAX_PHRASE_TERMS = 2
"""Terms of a difference that are put into words, those first that change the points most."""

LEAST_GOODS = 3
"""Kinds of goods from which a whole division is said as one side's share and the rest."""

Points = Mapping[str, Mapping[Level, float]]
"""Own points by issue and level."""


@dataclass(frozen=True, slots=True)
class OfferChanges:
    """Differences between two offers, by the points of one seat.

    Args:
        gives: The changed terms that are worth less to the seat than before, the greatest difference first.
        takes: The changed terms that are worth more to it, likewise.
        others: The changed terms that are worth the same to it.
    """

    gives: tuple[tuple[str, Term], ...] = ()
    takes: tuple[tuple[str, Term], ...] = ()
    others: tuple[tuple[str, Term], ...] = ()


def offer_changes(points: Points, seat: Seat, before: Offer, after: Offer) -> OfferChanges:
    """Return the differences between two offers on the issues that both decide.

    Args:
        points: The seat's own points by issue and level.
        seat: The seat.
        before: The earlier offer.
        after: The later offer.
    """
    found: list[tuple[float, str, Term]] = []
    for issue, term in after.terms:
        earlier = before.get(issue)
        if earlier is None or earlier == term:
            continue
        change = level_points(points, seat, issue, term) - level_points(points, seat, issue, earlier)
        found.append((change, issue, term))
    found.sort(key=lambda each: -abs(each[0]))
    return OfferChanges(
        gives=tuple((issue, term) for change, issue, term in found if change < -TOLERANCE),
        takes=tuple((issue, term) for change, issue, term in found if change > TOLERANCE),
        others=tuple((issue, term) for change, issue, term in found if abs(change) <= TOLERANCE),
    )


def level_points(points: Points, seat: Seat, issue: str, term: Term) -> float:
    """Return a seat's own points of a term; a level that is not in its table counts 0."""
    level: Level = term.of(seat) if isinstance(term, Allocation) else term
    return points[issue].get(level, 0.0)


def terms_in_words(
    ctx: AgentContext,
    terms: Mapping[str, Term],
    language: str,
    *,
    to: Seat | None = None,
    spoken_to: Seat | None = None,
) -> str:
    """Return terms as a noun phrase: "2 apples for me and a leased car".

    Of units, only the share of one seat is said, since the rest follows from it.

    Args:
        ctx: The context of the speaker.
        terms: The terms by issue.
        language: The language.
        to: The seat whose units are said; the speaker's own unless given. Where it gets none, the units of
            another seat are said.
        spoken_to: The seat that is "you", in a game of more than two.
    """
    names = called_names(ctx, language, spoken_to)
    if division := _division_in_words(ctx, terms, language):
        return division
    shares: dict[Seat, dict[str, Term]] = {}
    values: list[str] = []
    for issue, term in terms.items():
        if not isinstance(term, Allocation):
            values.append(offer_in_words(Offer({issue: term}), ctx.game, ctx.seat, language=language))
            continue
        seat = _receiver(ctx, term, to or ctx.seat)
        units = term.of(seat)
        shares.setdefault(seat, {})[issue] = Allocation({seat: units}, term.total - units)
    parts = [
        offer_in_words(Offer(share), ctx.game, ctx.seat, language=language, names=names)
        for share in shares.values()
    ]
    found = [part for part in (*parts, *values) if part]
    return list_in_words(found, language) if found else ""


def called_names(ctx: AgentContext, language: str, spoken_to: Seat | None) -> dict[Seat, str]:
    """Return how the other seats are called: by their names, and "you" the one that is spoken to."""
    names = {seat: spoken_name(ctx.game, seat) for seat in ctx.game.others(ctx.seat)}
    return names if spoken_to not in names else {**names, spoken_to: forms(language).other}


def _division_in_words(ctx: AgentContext, terms: Mapping[str, Term], language: str) -> str:
    """Return a division of all goods as one side's share and the rest: "4 apples for you, the rest for me".

    Empty unless the game has nothing but goods for two seats, at least three kinds, and all are divided.
    """
    goods = [term for term in terms.values() if isinstance(term, Allocation) and not term.undecided]
    others = ctx.game.others(ctx.seat)
    if len(goods) < LEAST_GOODS or len(goods) < len(ctx.issues) or len(others) != 1:
        return ""
    named, rest = sorted((others[0], ctx.seat), key=lambda seat: sum(term.of(seat) > 0 for term in goods))
    form = forms(language)
    pronouns = {ctx.seat: form.speaker, others[0]: form.other}
    left = form.share.format(things=form.rest, who=pronouns[rest])
    share = Offer(
        {
            issue: Allocation({named: term.of(named)}, term.total - term.of(named))
            for issue, term in terms.items()
            if isinstance(term, Allocation) and term.of(named)
        }
    )
    own_words = offer_in_words(share, ctx.game, ctx.seat, language=language)
    return (
        list_in_words([own_words, left], language)
        if own_words
        else form.share.format(things=form.all, who=pronouns[rest])
    )


def _receiver(ctx: AgentContext, term: Allocation, preferred: Seat) -> Seat:
    """Return the seat whose units are said: the preferred one if it gets any."""
    if term.of(preferred):
        return preferred
    return max(ctx.game.seats, key=term.of)
