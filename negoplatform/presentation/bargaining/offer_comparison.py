"""Two offers side by side, issue by issue, such as the draft and the offer on the table. No Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points, UtilityFunction
from negoplatform.presentation.formatting import displayable, format_difference, localized_text, points_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.number_format import number_text
from negoplatform.presentation.offers.batna_comparison import NoDealComparison
from negoplatform.presentation.offers.offer_valuation import OfferValuation, offer_valuation, valuation_text


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One issue, or everything together.

    Args:
        title: The issue.
        first: What the first offer says, in a line or a few.
        second: What the second one says.
        better: By how many points the first is better for the participant; None if that is not known.
        words: The same in words.
    """

    title: str
    first: str
    second: str
    better: Points | None
    words: str


@dataclass(frozen=True, slots=True)
class CompareView:
    """Two offers side by side.

    Args:
        title: What is compared.
        first: The heading of the first offer.
        second: The heading of the second one.
        rows: A row per issue, and one for what goes together where that makes a difference.
        total: Everything together.
        no_deal: How each of them compares with no deal.
    """

    title: str
    first: str
    second: str
    rows: tuple[CompareRow, ...]
    total: CompareRow
    no_deal: CompareRow


def compare_draft(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, draft: Offer, say: Language
) -> CompareView | None:
    """Return a draft beside the offer on the table; None if there is none.

    Args:
        state: The session as the participant sees it.
        seat: The participant's seat.
        names: The other seats' names, as they are shown.
        now: Session time (s).
        draft: The draft.
        say: The window's language.
    """
    on_table = bargaining_state(state).on_table
    if on_table is None:
        return None
    own = on_table.sender == seat
    whose = say("Your offer") if own else say("{name}’s offer", name=names[on_table.sender])
    heads = say("Your draft and the offer on the table"), say("Your draft"), whose
    return compare_offers(state.game, seat, names, now, (draft, on_table.offer), heads, say)


def compare_sent_offers(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    seqs: tuple[int, int],
    say: Language,
) -> CompareView | None:
    """Return two offers that were made, the later one first; None if there are none of these seqs."""
    found = {event.seq: event for event in state.transcript.iter_backwards() if event.seq in seqs}
    if len(found) < 2:
        return None
    earlier, later = (found[seq] for seq in sorted(found))
    if earlier.sender != later.sender:
        calls = [
            say("Your offer") if event.sender == seat else say("{name}’s offer", name=names[event.sender])
            for event in (later, earlier)
        ]
    else:
        calls = [say("The later offer"), say("The earlier offer")]
    heads = say("Two offers side by side"), calls[0], calls[1]
    return compare_offers(state.game, seat, names, now, (later.get_offer(), earlier.get_offer()), heads, say)


def compare_offers(
    game: GameSpec,
    seat: Seat,
    names: Mapping[Seat, str],
    now: float,
    offers: tuple[Offer, Offer],
    heads: tuple[str, str, str],
    say: Language,
) -> CompareView:
    """Return two offers side by side; ``heads``: the title, and what each of them is called."""
    mine = game.preferences[seat]
    ours, theirs = (offer_valuation(game, mine, offer, now) for offer in offers)
    if ours.is_range or theirs.is_range:
        difference: tuple[Points | None, str] = None, say("depends on the rest")
    else:
        difference = _difference(ours.low, theirs.low, say)
    total = CompareRow(say("Total"), valuation_text(ours, say), valuation_text(theirs, say), *difference)
    against = CompareRow(
        say("Compared with no deal"), _no_deal_text(ours, say), _no_deal_text(theirs, say), None, ""
    )
    return CompareView(*heads, compare_rows(game, seat, names, *offers, say), total, against)


def _no_deal_text(worth: OfferValuation, say: Language) -> str:
    """How an offer compares with no deal, in as few words as a column holds."""
    match worth.versus:
        case NoDealComparison.OPEN:
            return say("depends")
        case NoDealComparison.EQUAL:
            return say("same")
        case _ if worth.is_range:
            return say("better") if worth.versus is NoDealComparison.BETTER else say("worse")
        case _:
            return _difference(worth.low, worth.no_deal.best, say)[1]


def compare_rows(
    game: GameSpec, seat: Seat, names: Mapping[Seat, str], first: Offer, second: Offer, say: Language
) -> tuple[CompareRow, ...]:
    """Two offers issue by issue, in the game's order."""
    utility = game.preferences[seat].utility
    called = {seat: say("You"), **{other: names[other] for other in game.others(seat)}}
    rows = [
        CompareRow(
            localized_text(issue.title, say),
            _term_text(issue, first, called, say),
            _term_text(issue, second, called, say),
            *_issue_difference(issue, (first, second), utility, say),
        )
        for issue in game.issues
    ]
    if isinstance(utility, InteractionUtility):
        ours, theirs = (utility(offer) - utility.additive(offer) for offer in (first, second))
        if ours or theirs:
            difference = _difference(ours, theirs, say)
            rows.append(
                CompareRow(
                    say("Combinations"),
                    format_difference(ours, say),
                    format_difference(theirs, say),
                    *difference,
                )
            )
    return tuple(rows)


def _issue_difference(
    issue: Issue, offers: tuple[Offer, Offer], utility: UtilityFunction, say: Language
) -> tuple[Points | None, str]:
    """By how much the first offer is better on one issue; not known where units are still undecided."""
    terms = [offer.get(issue.name) for offer in offers]
    if None not in terms and any(isinstance(term, Allocation) and not term.complete for term in terms):
        return None, say("depends")
    first, second = (_worth_alone(issue, offer, utility) for offer in offers)
    return _difference(first, second, say)


def _worth_alone(issue: Issue, offer: Offer, utility: UtilityFunction) -> Points | None:
    """What an offer says about an issue is worth by itself; None for a utility of somebody else's making."""
    term = offer.get(issue.name)
    if term is None or not isinstance(utility, AdditiveUtility | InteractionUtility):
        return None
    return utility.additive(Offer({issue.name: term}))


def _difference(ours: Points | None, theirs: Points | None, say: Language) -> tuple[Points | None, str]:
    if ours is None or theirs is None:
        return None, ""
    better = round(ours - theirs, 9)
    if not better:
        return 0, say("same")
    points = points_text(abs(better), say)
    return better, say("{points} better", points=points) if better > 0 else say(
        "{points} worse", points=points
    )


def _term_text(issue: Issue, offer: Offer, called: Mapping[Seat, str], say: Language) -> str:
    term = offer.get(issue.name)
    if term is None:
        return say("Undecided")
    if not isinstance(term, Allocation):
        unit = issue.unit if isinstance(issue, NumberIssue) else ""
        return displayable(
            say.translate_plugin_text(term) if isinstance(term, str) else number_text(term, say, unit)
        )
    lines = [f"{name} {term.of(seat)}" for seat, name in called.items()]
    return "\n".join([*lines, say("Undecided {n}", n=term.undecided)] if term.undecided else lines)
