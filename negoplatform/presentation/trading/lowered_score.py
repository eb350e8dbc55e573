"""Trades that lower the score, by themselves or after the trades that wait, and the question before them."""

from __future__ import annotations

from typing import NamedTuple

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.mechanisms.trading_accounts import account_after, score, trade_side
from negoplatform.core.mechanisms.trading_state import Proposal, trading_state, transaction_id_of
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.trading.money_texts import score_text, sign_of


class LoweredScore(NamedTuple):
    """Effect of a trade that lowers the score.

    Args:
        now: The score before it.
        after: The score after it.
        with_waiting: Whether both are those after the trades that wait.
    """

    now: Points
    after: Points
    with_waiting: bool


def lowered_score(state: State, seat: Seat, proposal: Proposal) -> LoweredScore | None:
    """Return the effect of a trade on a seat's score if it lowers the score; else None.

    A trade counts, too, that lowers the score only once the trades that wait have taken place.
    """
    currency = economy_of(state.game).currency
    view = TradingView(state, seat)
    gain = view.gain(proposal)
    if sign_of(gain, currency) < 0:
        return LoweredScore(view.score(), view.score() + gain, with_waiting=False)
    with_waiting = scores_with_waiting(state, seat, proposal)
    if with_waiting is None or sign_of(with_waiting[1] - with_waiting[0], currency) >= 0:
        return None
    return LoweredScore(*with_waiting, with_waiting=True)


def lowered_score_question(
    state: State, terms: str, lowered: LoweredScore, translate: Language
) -> ConfirmationQuestion:
    """Return the question before a trade that lowers the score; ``terms``: the trade in words."""
    currency = economy_of(state.game).currency
    scores = {
        "now": score_text(lowered.now, currency, translate),
        "after": score_text(lowered.after, currency, translate),
    }
    return ConfirmationQuestion(
        title=translate("Confirm this trade?"),
        text=terms,
        warning=translate(
            "After the trades that wait, this lowers your score from {now} to {after}.", **scores
        )
        if lowered.with_waiting
        else translate("This lowers your score from {now} to {after}.", **scores),
        yes_label=translate("Trade anyway"),
        no_label=translate("Go back"),
        style="Danger.TButton",
    )


def scores_with_waiting(state: State, seat: Seat, proposal: Proposal) -> tuple[Points, Points] | None:
    """Return the scores before and after a trade once a seat's waiting trades have taken place.

    None if no others wait.
    """
    own_id = transaction_id_of(proposal.proposal_id)
    waiting = [
        request
        for request in trading_state(state).requests[seat]
        if (request.transaction_id, request.counterparty) != (own_id, proposal.other(seat))
    ]
    if not waiting:
        return None
    account = trading_state(state).accounts[seat]
    sides = [
        *(trade_side(state.game, buys=each.buyer, amount=each.amount, units=each.units) for each in waiting),
        trade_side(
            state.game,
            buys=proposal.buying_seat == seat,
            amount=proposal.amount,
            units=proposal.units,
        ),
    ]
    before = now = score(state.game, seat, account)
    for side in sides:
        account = account_after(account, side)
        # Not all of them can take place if there is not enough for all.
        counted = account._replace(units=tuple(max(0, units) for units in account.units))
        before, now = now, score(state.game, seat, counted)
    return None if before is None or now is None else (before, now)
