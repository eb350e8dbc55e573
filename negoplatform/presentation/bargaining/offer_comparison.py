"""Comparison of two offers, issue by issue, such as the draft and the offer on the table. No Tk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining_state, offers_made
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points, UtilityFunction
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import number_text
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.offers.offer_valuation import (
    NoDealComparison,
    OfferValuation,
    offer_valuation,
    valuation_text,
)
from negoplatform.presentation.offers.term_texts import MANY_SEATS
from negoplatform.presentation.time_and_points_text import format_difference, points_text


@dataclass(frozen=True, slots=True)
class CompareRow:
    """Row of one issue, or of the total.

    Args:
        title: Title of the issue.
        first: Terms of the first offer, on one or more lines.
        second: Terms of the second offer.
        better: Points by which the first is better for the participant; None if unknown.
        words: The difference in words.
        is_part: Whether it is the row of one seat, below that of its issue.
    """

    title: str
    first: str
    second: str
    better: Points | None
    words: str
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class CompareView:
    """Comparison of two offers.

    Args:
        title: Title of the comparison.
        first: Heading of the first offer.
        second: Heading of the second offer.
        rows: A row per issue, and one for combinations if these matter.
        total: Row of the total.
        no_deal: Row that compares each offer with no deal.
    """

    title: str
    first: str
    second: str
    rows: tuple[CompareRow, ...]
    total: CompareRow
    no_deal: CompareRow


def compare_draft(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, draft: Offer, translate: Language
) -> CompareView | None:
    """Return the comparison of a draft with the offer on the table; None if there is none.

    Args:
        state: State of the session, as visible to the participant.
        seat: Seat of the participant.
        names: Display names of the other seats.
        now: Session time in seconds.
        draft: Current draft.
        translate: Translation into the window's language.
    """
    on_table = bargaining_state(state).on_table
    if on_table is None:
        return None
    own = on_table.sender == seat
    other = translate("Your offer") if own else translate("{name}’s offer", name=names[on_table.sender])
    heads = translate("Your draft and the offer on the table"), translate("Your draft"), other
    return compare_offers(state, seat, names, now, (draft, on_table.offer), heads, translate)


def compare_sent_offers(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    seqs: tuple[int, int],
    translate: Language,
) -> CompareView | None:
    """Return the comparison of two sent offers, the later one first; None if either ``seq`` has no offer."""
    found = {event.seq: event for event in state.transcript.iter_backwards() if event.seq in seqs}
    if len(found) < 2:
        return None
    earlier, later = (found[seq] for seq in sorted(found))
    if earlier.sender != later.sender:
        headings = [
            translate("Your offer")
            if event.sender == seat
            else translate("{name}’s offer", name=names[event.sender])
            for event in (later, earlier)
        ]
    else:
        headings = [translate("The later offer"), translate("The earlier offer")]
    heads = translate("Two offers side by side"), headings[0], headings[1]
    offers = later.get_offer(), earlier.get_offer()
    return compare_offers(state, seat, names, now, offers, heads, translate)


def compare_offers(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    offers: tuple[Offer, Offer],
    heads: tuple[str, str, str],
    translate: Language,
) -> CompareView:
    """Return the comparison of two offers; ``heads``: its title, and a heading for each offer."""
    game, made = state.game, offers_made(state)
    mine = game.preferences[seat]
    ours, theirs = (offer_valuation(game, mine, offer, now, made) for offer in offers)
    if ours.is_range or theirs.is_range:
        difference: tuple[Points | None, str] = None, translate("depends on the rest")
    else:
        difference = _difference(ours.low, theirs.low, translate)
    total = CompareRow(
        translate("Total"), valuation_text(ours, translate), valuation_text(theirs, translate), *difference
    )
    against = CompareRow(
        translate("Compared with no deal"),
        _no_deal_text(ours, translate),
        _no_deal_text(theirs, translate),
        None,
        "",
    )
    return CompareView(*heads, compare_rows(game, seat, names, *offers, translate), total, against)


def _no_deal_text(worth: OfferValuation, translate: Language) -> str:
    """Return the comparison of an offer with no deal, short enough for a column."""
    match worth.versus:
        case NoDealComparison.OPEN:
            return translate("depends")
        case NoDealComparison.EQUAL:
            return translate("same")
        case _ if worth.is_range:
            return translate("better") if worth.versus is NoDealComparison.BETTER else translate("worse")
        case _:
            return _difference(worth.low, worth.no_deal.best, translate)[1]


def compare_rows(
    game: GameSpec, seat: Seat, names: Mapping[Seat, str], first: Offer, second: Offer, translate: Language
) -> tuple[CompareRow, ...]:
    """Return the rows of two offers, in the game's order of issues."""
    utility = game.preferences[seat].utility
    seat_names = {seat: translate("You"), **{other: names[other] for other in game.others(seat)}}
    rows: list[CompareRow] = []
    for issue in game.issues:
        title = localized_text(issue.title, translate)
        difference = _issue_difference(issue, (first, second), utility, translate)
        if isinstance(issue, QuantityIssue) and len(game.seats) >= MANY_SEATS:
            rows.append(CompareRow(title, "", "", *difference))
            rows += _seat_rows(issue, (first, second), seat_names, translate)
        else:
            texts = [_term_text(issue, offer, seat_names, translate) for offer in (first, second)]
            rows.append(CompareRow(title, texts[0], texts[1], *difference))
    if isinstance(utility, InteractionUtility):
        ours, theirs = (utility(offer) - utility.additive(offer) for offer in (first, second))
        if ours or theirs:
            rows.append(
                CompareRow(
                    translate("Combinations"),
                    format_difference(ours, translate),
                    format_difference(theirs, translate),
                    *_difference(ours, theirs, translate),
                )
            )
    return tuple(rows)


def _seat_rows(
    issue: QuantityIssue, offers: tuple[Offer, Offer], seat_names: Mapping[Seat, str], translate: Language
) -> Iterator[CompareRow]:
    """Yield a row for each seat that gets units in either offer, and one for undecided units."""
    terms = [term if isinstance(term := offer.get(issue.name), Allocation) else None for offer in offers]
    shares = [
        (name, [None if term is None else term.of(seat) for term in terms])
        for seat, name in seat_names.items()
    ]
    shares.append(
        (translate("Undecided"), [issue.quantity if term is None else term.undecided for term in terms])
    )
    for name, units in shares:
        if any(units):
            first, second = ("–" if n is None else str(n) for n in units)
            yield CompareRow(name, first, second, None, "", is_part=True)


def _issue_difference(
    issue: Issue, offers: tuple[Offer, Offer], utility: UtilityFunction, translate: Language
) -> tuple[Points | None, str]:
    """Return by how many points the first offer is better on one issue; None if units are undecided."""
    terms = [offer.get(issue.name) for offer in offers]
    if None not in terms and any(isinstance(term, Allocation) and not term.complete for term in terms):
        return None, translate("depends")
    first, second = (_worth_alone(issue, offer, utility) for offer in offers)
    return _difference(first, second, translate)


def _worth_alone(issue: Issue, offer: Offer, utility: UtilityFunction) -> Points | None:
    """Return the points of an offer's term by itself; None for a utility function of an unknown type."""
    term = offer.get(issue.name)
    if term is None or not isinstance(utility, AdditiveUtility | InteractionUtility):
        return None
    return utility.additive(Offer({issue.name: term}))


def _difference(ours: Points | None, theirs: Points | None, translate: Language) -> tuple[Points | None, str]:
    if ours is None or theirs is None:
        return None, ""
    better = round(ours - theirs, 9)
    if not better:
        return 0, translate("same")
    points = points_text(abs(better), translate)
    return better, translate("{points} better", points=points) if better > 0 else translate(
        "{points} worse", points=points
    )


def _term_text(issue: Issue, offer: Offer, seat_names: Mapping[Seat, str], translate: Language) -> str:
    term = offer.get(issue.name)
    if term is None:
        return translate("Undecided")
    if not isinstance(term, Allocation):
        unit = issue.unit if isinstance(issue, NumberIssue) else ""
        return displayable(
            translate.translate_plugin_text(term)
            if isinstance(term, str)
            else number_text(term, translate, unit)
        )
    lines = [f"{name} {term.of(seat)}" for seat, name in seat_names.items()]
    return "\n".join([*lines, translate("Undecided {n}", n=term.undecided)] if term.undecided else lines)
