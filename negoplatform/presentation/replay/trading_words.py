"""Words for the acts and facts of recorded trading, as an observer of the whole log reads them. No Tk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.trading_facts import (
    GAME_DATA,
    TRADE_REPORTED,
    TRANSACTION_CONFIRMATION,
    TRANSACTION_ERROR,
)
from negoplatform.core.mechanisms.trading_state import (
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    TransactionRequested,
    trading_state,
)
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Quantities
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.market.amounts import Amounts
from negoplatform.presentation.replay.event_words import GoodsWords
from negoplatform.presentation.replay.seat_occupant_names import SEPARATOR
from negoplatform.presentation.trading.money_texts import good_title, units_text


class TradingWords(GoodsWords):
    """Words of trading."""

    def __init__(
        self,
        events: Iterable[Event],
        game: GameSpec,
        names: Mapping[Seat, str],
        translate: Language,
        seat: Seat = "",
    ) -> None:
        super().__init__(events, game, names, translate, seat)
        self._economy = economy_of(game)
        self._amounts = Amounts(self._economy.currency, translate)

    def own_text(self, event: Event) -> str:
        """Return an act or a fact in words; empty for any other event."""
        translate, name = self.translate, self.name(event.sender)
        other = self.name(event.to[0]) if event.to else ""
        match event.payload:
            case ProposalCall():
                return self._call(event.payload, name, other)
            case ProposalMade(buyer, amount, quantities):
                values = {"name": name, "other": other, **self._terms(amount, quantities)}
                if buyer:
                    return translate("{name} proposes to buy {goods} from {other} for {amount}", **values)
                return translate("{name} proposes to sell {goods} to {other} for {amount}", **values)
            case ProposalAccepted(proposal_id):
                if self._is_maker(event, proposal_id):
                    return translate("{name} confirms the trade with {other}", name=name, other=other)
                return translate("{name} accepts {other}’s proposal", name=name, other=other)
            case ProposalDeclined(proposal_id):
                if self._is_maker(event, proposal_id):
                    return translate("{name} withdraws the proposal to {other}", name=name, other=other)
                return translate("{name} declines {other}’s proposal", name=name, other=other)
            case TransactionRequested(buyer=buyer, counterparty=seat, amount=amount, quantities=quantities):
                values = {"name": name, "other": self.name(seat), **self._terms(amount, quantities)}
                if self.seat == event.sender and buyer:
                    return translate("You confirm buying {goods} from {other} for {amount}", **values)
                if self.seat == event.sender:
                    return translate("You confirm selling {goods} to {other} for {amount}", **values)
                if buyer:
                    return translate("{name} confirms buying {goods} from {other} for {amount}", **values)
                return translate("{name} confirms selling {goods} to {other} for {amount}", **values)
            case _:
                return self._fact(event)

    def has_line(self, event: Event) -> bool:
        """Return False for the report of a trade right after its confirmation, which says the same."""
        if event.type == TRADE_REPORTED:
            before = self.events.get(event.seq - 1)
            return before is None or before.type != TRANSACTION_CONFIRMATION
        return super().has_line(event)

    def state_text(self, state: State, now: float) -> str:  # noqa: ARG002 - the same call for every kind of game
        """Return how many proposals are open and requests wait, and the number of trades."""
        trading, translate = trading_state(state), self.translate
        live = {each for own in trading.proposals.values() for each in own}
        waiting = sum(len(own) for own in trading.requests.values())
        # A seat's view has its own trades, and all of them where the game shows them to everyone.
        own_trades = {
            (each.t, each.transaction_id, each.buyer) for own in trading.trades.values() for each in own
        }
        trades = max(len(own_trades), len(trading.tape))
        return SEPARATOR.join(
            (
                translate.plural("{n} open proposal", "{n} open proposals", len(live)),
                translate.plural("{n} request waits", "{n} requests wait", waiting),
                translate.plural("{n} trade", "{n} trades", trades),
            )
        )

    def trade_text(self, data: Mapping[str, Any]) -> str:
        """Return a settled trade in words; ``data`` of its confirmation or report."""
        return self.translate(
            "{buyer} bought {goods} from {seller} for {amount}",
            buyer=self.name(data["buyer"]),
            seller=self.name(data["seller"]),
            **self._terms(data["amount"], Quantities(data["quantities"])),
        )

    def amount_text(self, data: Mapping[str, Any]) -> str:
        """Return what was paid in a settled trade; ``data`` of its confirmation or report."""
        return self._terms(data["amount"], Quantities(data["quantities"]))["amount"]

    def pair_text(self, data: Mapping[str, Any]) -> str:
        """Return the goods of a settled trade, and who sold them to whom."""
        names = {"seller": self.name(data["seller"]), "buyer": self.name(data["buyer"])}
        goods = self._terms(data["amount"], Quantities(data["quantities"]))["goods"]
        return f"{goods}: {self.translate('{seller} sold to {buyer}', **names)}"

    def proposal_text(self, event: Event) -> str:
        """Return what a PROPOSE is about, with the goods first: ``2 × Wool for €12: Kim buys from Noa``."""
        made = event.payload
        assert isinstance(made, ProposalMade)
        values = {
            "name": self.name(event.sender),
            "other": self.name(event.to[0]),
            **self._terms(made.amount, made.quantities),
        }
        if made.buyer:
            return self.translate("{goods} for {amount}: {name} buys from {other}", **values)
        return self.translate("{goods} for {amount}: {name} sells to {other}", **values)

    def _fact(self, event: Event) -> str:
        if event.type in (TRANSACTION_CONFIRMATION, TRADE_REPORTED):
            return self.trade_text(event.data)
        if event.type == TRANSACTION_ERROR:
            return self._error(event.data)
        if event.type == GAME_DATA and self.seat in event.to:
            return self.translate("You get goods and money")
        if event.type == GAME_DATA:
            return self.translate("{name} gets goods and money", name=self.name(event.to[0]))
        return ""

    def _error(self, data: Mapping[str, Any]) -> str:
        """Return that a trade did not take place, and why."""
        translate, (buyer, seller) = self.translate, data["pair"]
        match data["error_code"]:
            case "TRANSACTION_EXPIRED":
                late = next((seat for seat in data["pair"] if seat not in data["dropped"]), "")
                why = translate("{name} didn’t confirm it in time.", name=self.name(late))
            case "TRANSACTION_NOT_MATCHING":
                why = translate("The two sides confirmed different terms.")
            case "TRANSACTION_NOT_VALID":
                why = translate("One side doesn’t have enough for it.")
            case _:
                why = translate("It was called off.")
        return translate(
            "{buyer} did not buy {goods} from {seller} for {amount}. {reason}",
            buyer=self.name(buyer),
            seller=self.name(seller),
            reason=why,
            **self._terms(data["amount"], Quantities(data["quantities"])),
        )

    def _call(self, call: ProposalCall, name: str, other: str) -> str:
        translate = self.translate
        titles = [good_title(good, translate) for good in self._economy.goods if good.name in call.goods]
        values = {"name": name, "other": other, "goods": ", ".join(titles) or translate("something")}
        if call.buyer:
            return translate("{name} asks {other} for an offer to buy: {goods}", **values)
        return translate("{name} asks {other} for an offer to sell: {goods}", **values)

    def _is_maker(self, event: Event, proposal_id: int) -> bool:
        made = self.events.get(proposal_id)
        return made is not None and made.sender == event.sender

    def _terms(self, amount: int | float, quantities: Quantities) -> dict[str, str]:
        economy = self._economy
        return {
            "goods": units_text(economy.units_of(quantities), economy.goods, self.translate),
            "amount": self._amounts.text(economy.currency.from_number(amount)),
        }
