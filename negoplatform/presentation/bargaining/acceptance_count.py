"""Seats that have accepted the offer on the table, and their number in words; computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.bargaining_state import BargainingState
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names


def has_accepted(state: State, seat: Seat) -> bool:
    """Return whether a seat has accepted the offer on the table; False in other kinds of game."""
    play = state.mechanism_state
    return isinstance(play, BargainingState) and play.on_table is not None and seat in play.accepted_by


def acceptance_count_text(state: State, names: Mapping[Seat, str], translate: Language) -> str:
    """Return who has accepted the offer on the table: ``2 of 4 have accepted: you and Kim.``

    Where not all have to accept it, it says how many have to: ``2 of 3 needed have accepted``.
    ``names`` are those of the other seats.
    """
    accepted = bargaining_state(state).accepted_by
    if not accepted:
        return translate("Nobody has accepted it yet.")
    who = [names.get(seat, translate("you")) for seat in state.game.seats if seat in accepted]
    needed, listed = state.game.acceptances_needed, join_names(who, translate)
    if needed < len(state.game.seats):
        return translate.plural(
            "{n} of {all} needed has accepted: {names}.",
            "{n} of {all} needed have accepted: {names}.",
            len(who),
            all=needed,
            names=listed,
        )
    return translate.plural(
        "{n} of {all} has accepted: {names}.",
        "{n} of {all} have accepted: {names}.",
        len(who),
        all=needed,
        names=listed,
    )


def short_acceptance_count_text(state: State, translate: Language) -> str:
    """Return how many have accepted the offer on the table: ``2 of 4 accepted``."""
    needed, accepted = state.game.acceptances_needed, len(bargaining_state(state).accepted_by)
    if needed < len(state.game.seats):
        return translate("{n} of {all} needed accepted", n=accepted, all=needed)
    return translate("{n} of {all} accepted", n=accepted, all=needed)
