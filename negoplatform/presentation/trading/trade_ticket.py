"""Trade ticket: the proposal that a participant prepares, its effect, and why it cannot be sent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.mechanisms.trading_accounts import account_after, score, trade_side
from negoplatform.core.mechanisms.trading_state import Proposal, fee_shares, trading_state, trading_terms
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.domain.utility import Points
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.plots.seat_styles import NamedSeats, SeatMark
from negoplatform.presentation.trading.account_view import locked_text
from negoplatform.presentation.trading.dialogue_history import DialogueCall
from negoplatform.presentation.trading.money_texts import (
    MAX_TYPED_LENGTH,
    TypedAmount,
    change_between,
    change_colour,
    change_text,
    good_title,
    money_text,
    plain_amount,
    score_text,
    typed_amount,
)

MOST_UNITS_ASKED = 999
"""Most units of a good that a ticket asks for."""

AMOUNT_STEP = 1
"""Currency units by which the arrow keys change the amount."""


@dataclass(frozen=True, slots=True)
class TradeTicketDraft:
    """Proposal that is being prepared.

    Args:
        other: The seat to which it would be made; empty: none is chosen.
        buys: Whether the participant would buy.
        units: Units by the names of goods; a good that is missing has none.
        amount: The amount as typed.
        answers: Id of the call or the proposal that it answers; None: of none.
    """

    other: Seat = ""
    buys: bool = True
    units: tuple[tuple[str, int], ...] = ()
    amount: str = ""
    answers: int | None = None

    def units_of(self, good: str) -> int:
        """Return the units of a good."""
        return dict(self.units).get(good, 0)

    def with_other(self, seat: Seat) -> Self:
        """Return the draft for another seat; it then answers nothing."""
        return self if seat == self.other else replace(self, other=seat, answers=None)

    def with_side(self, *, buys: bool) -> Self:
        """Return the draft as a purchase or a sale."""
        return replace(self, buys=buys)

    def with_units(self, good: str, units: int) -> Self:
        """Return the draft with another number of units of a good, 0 or more."""
        kept = {name: count for name, count in self.units if name != good}
        count = max(0, min(MOST_UNITS_ASKED, units))
        return replace(self, units=tuple(sorted((kept | ({good: count} if count else {})).items())))

    def with_amount(self, text: str) -> Self:
        """Return the draft with another typed amount."""
        return replace(self, amount=text[:MAX_TYPED_LENGTH])

    def cleared(self) -> Self:
        """Return an empty draft for the same seat."""
        return type(self)(other=self.other, buys=self.buys)

    def to_document(self) -> dict[str, Any]:
        """Return the draft as JSON values."""
        return {
            "other": self.other,
            "buys": self.buys,
            "units": dict(self.units),
            "amount": self.amount,
            "answers": self.answers,
        }


EMPTY_TICKET = TradeTicketDraft()
"""Ticket with which a game begins."""


def ticket_from_document(document: object, game: GameSpec, seat: Seat) -> TradeTicketDraft:
    """Return a stored draft; what does not fit the game is left out."""
    if not isinstance(document, dict):
        return EMPTY_TICKET
    other, units, amount = document.get("other"), document.get("units"), document.get("amount")
    answers = document.get("answers")
    draft = TradeTicketDraft(
        other=other if isinstance(other, str) and other in game.others(seat) else "",
        buys=document.get("buys") is not False,
        answers=answers if type(answers) is int and answers > 0 else None,
    ).with_amount(amount if isinstance(amount, str) else "")
    for name in economy_of(game).good_names:
        count = units.get(name) if isinstance(units, dict) else None
        if type(count) is int:
            draft = draft.with_units(name, count)
    return draft


def counter_draft(state: State, seat: Seat, proposal: Proposal) -> TradeTicketDraft:
    """Return a draft that begins with the terms of a proposal that it answers."""
    economy = economy_of(state.game)
    draft = TradeTicketDraft(
        other=proposal.other(seat),
        buys=proposal.buying_seat == seat,
        amount=plain_amount(proposal.amount, economy.currency),
        answers=proposal.proposal_id,
    )
    for good, count in zip(economy.good_names, proposal.units, strict=True):
        draft = draft.with_units(good, count)
    return draft


def answer_draft(call: DialogueCall) -> TradeTicketDraft:
    """Return a draft that answers a call for proposals, with one unit of each good that it names."""
    draft = TradeTicketDraft(other=call.caller, buys=not call.buyer, answers=call.call_id)
    for good in call.goods:
        draft = draft.with_units(good, 1)
    return draft


@dataclass(frozen=True, slots=True)
class TicketGoodView:
    """Row of a good on the ticket.

    Args:
        name: Name of the good in the game's file.
        title: Its name for people.
        units: Units on the ticket.
        held: What the participant has, in words; or has and would have: ``1 → 2``.
        can_add: Whether one more can be put on the ticket.
    """

    name: str
    title: str
    units: int
    held: str
    can_add: bool


@dataclass(frozen=True, slots=True)
class TradeTicketView:
    """View of the trade ticket.

    Args:
        others: The other seats with names and marks; only those who have not left can be chosen.
        other: The chosen seat; empty: none.
        buys: Whether the participant would buy.
        goods: The goods, in the game's order.
        amount: The amount as typed.
        unit: The currency's unit.
        step_amounts: The amounts as typed one step less and one step more than now.
        score: The score now and after the trade; the score now alone where nothing is on the ticket.
        change: The difference; empty where nothing is on the ticket.
        versus: The same as a value.
        fee: The participant's share of the fee, in words; empty without a fee.
        locked: What waiting requests would cost, in words; empty if nothing.
        answering: What the ticket answers, in words; empty: nothing.
        reason: Why it cannot be proposed; empty if it can.
        problem: Why the last act from the ticket was not possible; empty if it was.
        can_edit: Whether it can be changed.
        can_propose: Whether it can be proposed.
        can_ask: Whether the chosen seat can be asked for an offer.
        can_clear: Whether there is something to clear.
        can_cancel: Whether clearing brings back the ticket that a counter-proposal has replaced.
    """

    others: tuple[tuple[Seat, str, SeatMark | None, bool], ...]
    other: Seat
    buys: bool
    goods: tuple[TicketGoodView, ...]
    amount: str
    unit: str
    step_amounts: tuple[str, str]
    score: str
    change: str
    versus: NoDealComparison
    fee: str
    locked: str
    answering: str
    reason: str
    problem: str
    can_edit: bool
    can_propose: bool
    can_ask: bool
    can_clear: bool
    can_cancel: bool

    def disabled(self) -> Self:
        """Return the ticket with everything disabled."""
        return replace(self, can_edit=False, can_propose=False, can_ask=False, can_clear=False, reason="")


@dataclass(frozen=True, slots=True)
class TicketEffect:
    """Effect of the trade on a ticket.

    Args:
        now: The score now.
        after: The score after the trade.
        amount: The amount in minor units.
        units: The units of each good, in the order of the game's goods.
    """

    now: Points
    after: Points
    amount: Money
    units: tuple[int, ...]


class TradeTicket:
    """Maker of the ticket's view for one seat.

    Args:
        seats: Seat of the participant, and the others with their names and marks.
        translate: Translation into the window's language.
    """

    def __init__(self, seats: NamedSeats, translate: Language) -> None:
        self._seat, self._names, self._marks = seats
        self._translate = translate

    def effect(self, state: State, draft: TradeTicketDraft) -> TicketEffect | None:
        """Return what the trade on the ticket would change; None while it is incomplete."""
        economy = economy_of(state.game)
        units = economy.units_of(dict(draft.units))
        typed = typed_amount(draft.amount, economy.currency, self._translate)
        if typed.amount is None or not any(units):
            return None
        side = trade_side(state.game, buys=draft.buys, amount=typed.amount, units=units)
        after = account_after(trading_state(state).accounts[self._seat], side)
        counted = after._replace(units=tuple(max(0, count) for count in after.units))
        scored = score(state.game, self._seat, counted)
        now = TradingView(state, self._seat).score()
        return None if scored is None else TicketEffect(now, scored, typed.amount, units)

    def view(
        self, state: State, draft: TradeTicketDraft, problem: str, *, can_cancel: bool = False
    ) -> TradeTicketView:
        """Return the view of a draft.

        Args:
            state: The session as visible to the seat.
            draft: The draft.
            problem: Why the last act from the ticket was not possible; empty if it was.
            can_cancel: Whether a counter-proposal can be given up for the ticket before it.
        """
        economy, translate = economy_of(state.game), self._translate
        draft = self.completed(draft)
        effect = self.effect(state, draft)
        left = trading_state(state).left
        running = state.phase is Phase.NEGOTIATING and self._seat not in left
        reason = self._reason(state, draft) if running else ""
        if self._seat in left:
            reason = translate("You have left the game. It ends when time is up.")
        here = draft.other in self._names and draft.other not in left
        now = score_text(TradingView(state, self._seat).score(), economy.currency, translate)
        share = fee_shares(state.game)[0 if draft.buys else 1]
        has_fee = bool(trading_terms(state.game).fee)
        change = 0 if effect is None else change_between(effect.now, effect.after, economy.currency)
        return TradeTicketView(
            others=tuple(
                (seat, name, self._marks.get(seat), seat not in left) for seat, name in self._names.items()
            ),
            other=draft.other,
            buys=draft.buys,
            goods=self._goods(state, draft),
            amount=draft.amount,
            unit=economy.currency.unit,
            step_amounts=self._step_amounts(state, draft),
            score=now
            if effect is None
            else f"{now} → {score_text(effect.after, economy.currency, translate)}",
            change="" if effect is None else change_text(change, economy.currency, translate),
            versus=NoDealComparison.OPEN if effect is None else change_colour(change, economy.currency),
            fee=translate(
                "Includes {fee}, your share of the fee", fee=money_text(share, economy.currency, translate)
            )
            if has_fee
            else "",
            locked=locked_text(state, self._seat, translate),
            answering=self._answering(state, draft),
            reason=reason,
            problem=problem,
            can_edit=running,
            can_propose=running and not reason,
            can_ask=running and here,
            can_clear=running and draft != draft.cleared(),
            can_cancel=can_cancel,
        )

    def completed(self, draft: TradeTicketDraft) -> TradeTicketDraft:
        """Return the draft with the only other seat chosen, where there is only one."""
        return draft if draft.other or len(self._names) > 1 else draft.with_other(next(iter(self._names)))

    def typed(self, state: State, draft: TradeTicketDraft) -> TypedAmount:
        """Return the amount on a ticket."""
        return typed_amount(draft.amount, economy_of(state.game).currency, self._translate)

    def _goods(self, state: State, draft: TradeTicketDraft) -> tuple[TicketGoodView, ...]:
        translate, held = self._translate, trading_state(state).accounts[self._seat].units
        rows = []
        for good, has in zip(economy_of(state.game).goods, held, strict=True):
            units = draft.units_of(good.name)
            after = has + units if draft.buys else has - units
            rows.append(
                TicketGoodView(
                    good.name,
                    good_title(good, translate),
                    units,
                    # Without words: an arrow between words of Hebrew would point the wrong way.
                    f"{has} → {max(0, after)}" if units else translate("you have {n}", n=has),
                    can_add=units < (MOST_UNITS_ASKED if draft.buys else has),
                )
            )
        return tuple(rows)

    def _step_amounts(self, state: State, draft: TradeTicketDraft) -> tuple[str, str]:
        currency = economy_of(state.game).currency
        amount = self.typed(state, draft).amount or 0
        step = AMOUNT_STEP * 10**currency.decimals
        return plain_amount(max(0, amount - step), currency), plain_amount(amount + step, currency)

    def _reason(self, state: State, draft: TradeTicketDraft) -> str:
        """Return why a ticket cannot be proposed; empty if it can."""
        translate, economy = self._translate, economy_of(state.game)
        name = self._names.get(draft.other, "")
        typed = self.typed(state, draft)
        if draft.other in trading_state(state).left:
            return translate("{name} has left.", name=name)
        if not draft.units:
            return (
                translate("Choose what you would like to buy.")
                if draft.buys
                else translate("Choose what you would like to sell.")
            )
        if typed.problem or typed.amount is None:
            return typed.problem or translate("Enter a price for all of it.")
        if not draft.other:
            return translate("Choose with whom you would like to trade.")
        units = economy.units_of(dict(draft.units))
        side = trade_side(state.game, buys=draft.buys, amount=typed.amount, units=units)
        account = trading_state(state).accounts[self._seat]
        after = account_after(account, side)
        if min(after.units) < 0:
            return translate("You don’t have that much to sell.")
        if after.money < 0 and draft.buys:
            return translate(
                "You don’t have enough money: you have {amount}.",
                amount=money_text(account.money, economy.currency, translate),
            )
        return translate("The price does not cover your share of the fee.") if after.money < 0 else ""

    def _answering(self, state: State, draft: TradeTicketDraft) -> str:
        """Return what a ticket answers, in words."""
        if draft.answers is None:
            return ""
        translate, trading = self._translate, trading_state(state)
        name = self._names.get(draft.other, "")
        if draft.answers in trading.calls[self._seat]:
            return translate("Answers what {name} asked for", name=name)
        if draft.answers in trading.proposals[self._seat]:
            return translate("Replaces {name}’s proposal", name=name)
        return translate("The proposal you’re answering is no longer open; this will be a new one.")


def answered_id(state: State, seat: Seat, draft: TradeTicketDraft) -> int | None:
    """Return the id of what a draft answers, if that is still open; else None."""
    if draft.answers is None:
        return None
    trading = trading_state(state)
    is_open = draft.answers in trading.calls[seat] or draft.answers in trading.proposals[seat]
    return draft.answers if is_open else None
