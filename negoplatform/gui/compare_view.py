"""The draft beside the offer on the table, issue by issue: computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import Issue, NumberIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility, Points, UtilityFunction
from negoplatform.gui.draft import Draft
from negoplatform.gui.language import Language
from negoplatform.gui.numbers import number_text
from negoplatform.gui.texts import drawable, points_text, signed


@dataclass(frozen=True, slots=True)
class CompareRow:
    """One issue, or everything together.

    Args:
        title: The issue.
        draft: What the draft says, in a line or a few.
        table: What the offer on the table says.
        better: By how many points the draft is better for the participant; None if that is not known.
        words: The same in words.
    """

    title: str
    draft: str
    table: str
    better: Points | None
    words: str


@dataclass(frozen=True, slots=True)
class CompareView:
    """The draft beside the offer on the table.

    Args:
        whose: Whose offer is on the table, as a heading.
        rows: A row per issue, and one for what goes together where that makes a difference.
        total: Everything together.
    """

    whose: str
    rows: tuple[CompareRow, ...]
    total: CompareRow


def compare_view(
    state: State, seat: Seat, names: Mapping[Seat, str], now: float, draft: Draft, say: Language
) -> CompareView:
    """Compares a draft with the offer on the table, or with an empty one if there is none.

    Args:
        state: The session as the participant sees it.
        seat: The participant's seat.
        names: The other seats' names, as they are shown.
        now: Session time (s).
        draft: The draft.
        say: The window's language.
    """
    mine, on_table = state.game.preferences[seat], bargaining(state).on_table
    table = EMPTY_OFFER if on_table is None else on_table.offer
    if on_table is None or on_table.sender == seat:
        whose = say("Your offer")
    else:
        whose = say("{name}’s offer", name=names[on_table.sender])
    ours, theirs = (mine.utility(offer) - mine.cost_at(now) for offer in (draft.offer, table))
    whole = draft.undecided == 0 and state.game.is_complete(table)
    difference = _difference(ours, theirs, say) if whole else (None, say("so far"))
    total = CompareRow(say("In all"), points_text(ours, say), points_text(theirs, say), *difference)
    return CompareView(whose, compare_rows(state.game, seat, names, draft.offer, table, say), total)


def compare_rows(
    game: GameSpec, seat: Seat, names: Mapping[Seat, str], draft: Offer, table: Offer, say: Language
) -> tuple[CompareRow, ...]:
    """Two offers issue by issue, in the game's order."""
    utility = game.preferences[seat].utility
    called = {seat: say("You"), **{other: names[other] for other in game.others(seat)}}
    rows = [
        CompareRow(
            drawable(issue.title),
            _term_text(issue, draft, called, say),
            _term_text(issue, table, called, say),
            *_difference(_worth_alone(issue, draft, utility), _worth_alone(issue, table, utility), say),
        )
        for issue in game.issues
    ]
    if isinstance(utility, InteractionUtility):
        ours, theirs = (utility(offer) - utility.additive(offer) for offer in (draft, table))
        if ours or theirs:
            difference = _difference(ours, theirs, say)
            rows.append(
                CompareRow(say("What goes together"), signed(ours, say), signed(theirs, say), *difference)
            )
    return tuple(rows)


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
        return drawable(term if isinstance(term, str) else number_text(term, say, unit))
    lines = [f"{name} {term.of(seat)}" for seat, name in called.items()]
    return "\n".join([*lines, say("Undecided {n}", n=term.undecided)] if term.undecided else lines)
