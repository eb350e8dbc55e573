"""How many of several seats have accepted the offer on the table, in words; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names


def acceptance_count_text(state: State, names: Mapping[Seat, str], translate: Language) -> str:
    """Return who has accepted the offer on the table: ``2 of 4 have accepted: you and Kim.``

    ``names`` are those of the other seats.
    """
    accepted = bargaining_state(state).accepted_by
    if not accepted:
        return translate("Nobody has accepted it yet.")
    who = [names.get(seat, translate("you")) for seat in state.game.seats if seat in accepted]
    needed, listed = _acceptances_of_a_deal(state), join_names(who, translate)
    return translate.plural(
        "{n} of {all} has accepted: {names}.",
        "{n} of {all} have accepted: {names}.",
        len(who),
        all=needed,
        names=listed,
    )


def short_acceptance_count_text(state: State, translate: Language) -> str:
    """Return how many have accepted the offer on the table: ``2 of 4 accepted``."""
    return translate(
        "{n} of {all} accepted", n=len(bargaining_state(state).accepted_by), all=_acceptances_of_a_deal(state)
    )


def _acceptances_of_a_deal(state: State) -> int:
    """Return the number of seats whose acceptance makes a deal."""
    return len(state.game.seats)
