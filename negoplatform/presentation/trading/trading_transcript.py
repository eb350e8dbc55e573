"""Acts and facts of a trading game as lines of the transcript."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.trading_facts import (
    TRADE_REPORTED,
    TRANSACTION_CONFIRMATION,
    TRANSACTION_ERROR,
)
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
)
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.trading.money_texts import good_title, money_text, units_text
from negoplatform.presentation.trading.proposal_cards import error_text
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


def trading_entry(
    state: State, event: Event, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> TranscriptEntry | None:
    """Return the line of an act or a fact as a seat reads it; None: it is none of trading.

    A line without text stands for an event that the window does not tell.

    Args:
        state: The session as visible to the seat.
        event: The event.
        seat: Seat of the participant.
        names: Displayed names of the other seats.
        translate: Translation into the window's language.
    """
    words = _Words(state, seat, names, translate)
    text = words.act(event) or words.fact(event)
    if not text and event.type != TRADE_REPORTED:
        return None
    return TranscriptEntry("note", "", text, seq=event.seq, t=event.t)


class _Words:
    """Words for events, as one seat reads them."""

    def __init__(self, state: State, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._state, self._seat, self._names, self._translate = state, seat, names, translate
        self._economy = economy_of(state.game)

    def act(self, event: Event) -> str:
        """Return an act in words; empty if it leaves no line."""
        translate, mine = self._translate, event.sender == self._seat
        name = self._name((event.to[0] if event.to else "") if mine else event.sender)
        match event.payload:
            case ProposalCall():
                return self._call(event.payload, name, mine=mine)
            case ProposalMade():
                return self._proposal(event.payload, name, mine=mine)
            case ProposalAccepted(proposal_id):
                maker, what = self._made(proposal_id)
                if maker == event.sender:
                    return (
                        translate("You confirmed the trade with {name}: {what}", name=name, what=what)
                        if mine
                        else translate("{name} confirms the trade with you: {what}", name=name, what=what)
                    )
                return (
                    translate("You accepted {name}’s proposal: {what}", name=name, what=what)
                    if mine
                    else translate("{name} accepts your proposal: {what}", name=name, what=what)
                )
            case ProposalDeclined(proposal_id):
                maker, what = self._made(proposal_id)
                return self._declined(name, what, mine=mine, by_maker=maker == event.sender)
            case _:
                return ""

    def _declined(self, name: str, what: str, *, mine: bool, by_maker: bool) -> str:
        translate, values = self._translate, {"name": name, "what": what}
        if mine and by_maker:
            return translate("You withdrew your proposal to {name}: {what}", **values)
        if mine:
            return translate("You declined {name}’s proposal: {what}", **values)
        if by_maker:
            return translate("{name} withdraws the proposal to you: {what}", **values)
        return translate("{name} declines your proposal: {what}", **values)

    def _made(self, proposal_id: int) -> tuple[Seat, str]:
        """Return the seat that made a proposal, and its terms; empty if the state does not show it."""
        for event in self._state.iter_transcript_backwards(self._seat):
            if event.seq == proposal_id and isinstance(event.payload, ProposalMade):
                made = event.payload
                units = self._economy.units_of(made.quantities)
                amount = self._economy.currency.from_number(made.amount)
                return event.sender, self._terms(units, amount)
        return "", ""

    def _terms(self, units: tuple[int, ...], amount: Money) -> str:
        """Return goods and their price in words."""
        translate = self._translate
        return translate(
            "{goods} for {amount}",
            goods=units_text(units, self._economy.goods, translate),
            amount=money_text(amount, self._economy.currency, translate),
        )

    def _call(self, call: ProposalCall, name: str, *, mine: bool) -> str:
        translate = self._translate
        goods = ", ".join(
            good_title(good, translate) for good in self._economy.goods if good.name in call.goods
        )
        values = {"name": name, "goods": goods or translate("something")}
        if mine and call.buyer:
            return translate("You asked {name} for an offer to buy: {goods}", **values)
        if mine:
            return translate("You asked {name} for an offer to sell: {goods}", **values)
        if call.buyer:
            return translate("{name} would like to buy: {goods}", **values)
        return translate("{name} would like to sell: {goods}", **values)

    def _proposal(self, made: ProposalMade, name: str, *, mine: bool) -> str:
        economy, translate = self._economy, self._translate
        amount = economy.currency.from_number(made.amount)
        values = {
            "name": name,
            "goods": units_text(economy.units_of(made.quantities), economy.goods, translate),
            "amount": money_text(amount, economy.currency, translate),
        }
        if mine and made.buyer:
            return translate("You proposed to buy {goods} from {name} for {amount}", **values)
        if mine:
            return translate("You proposed to sell {goods} to {name} for {amount}", **values)
        if made.buyer:
            return translate("{name} proposes to buy {goods} from you for {amount}", **values)
        return translate("{name} proposes to sell you {goods} for {amount}", **values)

    def fact(self, event: Event) -> str:
        """Return a fact in words; empty if it leaves no line."""
        translate = self._translate
        if event.type == TRANSACTION_ERROR:
            reason = error_text(event.data, self._state, self._seat, self._names, translate)
            data = event.data
            other = next((each for each in data["pair"] if each != self._seat), "")
            amount = self._economy.currency.from_number(data["amount"])
            return translate(
                "No trade with {name} ({what}). {reason}",
                name=self._name(other),
                what=self._terms(self._economy.units_of(data["quantities"]), amount),
                reason=reason,
            )
        if event.type not in (TRANSACTION_CONFIRMATION, TRADE_REPORTED):
            return ""
        data = event.data
        pair = (data["buyer"], data["seller"])
        if event.type == TRADE_REPORTED and self._seat in pair:
            return ""  # its confirmation has said so already
        economy = self._economy
        values = {
            "buyer": self._name(pair[0]),
            "seller": self._name(pair[1]),
            "goods": units_text(economy.units_of(data["quantities"]), economy.goods, translate),
            "amount": money_text(economy.currency.from_number(data["amount"]), economy.currency, translate),
        }
        if pair[0] == self._seat:
            return translate("You bought {goods} from {seller} for {amount}", **values)
        if pair[1] == self._seat:
            return translate("You sold {goods} to {buyer} for {amount}", **values)
        return translate("{buyer} bought {goods} from {seller} for {amount}", **values)

    def _name(self, seat: Seat) -> str:
        return self._names.get(seat, seat)
