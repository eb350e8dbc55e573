"""Recorder of a trading or market session, event by event."""

from __future__ import annotations

from negoplatform.analysis.trade_records import (
    MARKET,
    AccountRecord,
    Moment,
    OrderEnd,
    OrderRecord,
    ProposalAnswer,
    ProposalRecord,
    TradeRecord,
    TradeRecords,
)
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.double_auction_state import (
    DoubleAuctionState,
    conditions_of,
    current_phase,
    double_auction_state,
)
from negoplatform.core.mechanisms.market_books import book_number, find_book, minor_of
from negoplatform.core.mechanisms.order_book import OrderBook, OrderSide
from negoplatform.core.mechanisms.trading_state import fee_shares, trading_state, transaction_id_of
from negoplatform.core.state import State
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import PLATFORM, Seat
from negoplatform.domain.trading.economy import Money


class TradeRecorder:
    """Recorder of one session: it is given every event with the state after it.

    Args:
        state: The state before the first event.
    """

    def __init__(self, state: State) -> None:
        self._game = state.game
        self._state = state
        self._orders: dict[int, OrderRecord] = {}
        self._proposals: dict[int, ProposalRecord] = {}
        self._trades: list[TradeRecord] = []
        self._accounts: list[AccountRecord] = []
        self._last_act: Event | None = None
        self._cancelled: dict[tuple[object, ...], OrderRecord] = {}
        self._period = self._periods_over = 0
        self._trading_phase = False
        self._since = self._spread_sum = self._spread_seconds = 0.0
        self._spreads: tuple[Money, ...] = ()
        self._books: tuple[OrderBook, ...] = ()

    def add(self, event: Event, state: State) -> None:
        """Record an event."""
        before, self._state = self._state, state
        is_market = self._game.mechanism == MARKET
        if is_market:
            self._follow_spread(event.t, double_auction_state(state))
        if event.sender != PLATFORM:
            self._last_act = event
        match event.type:
            case EventType.GAME_START:
                self._keep_accounts(Moment.START, 0, state)
            case EventType.GAME_END:
                self._end_period(before)
                self._keep_accounts(Moment.END, 0, state)
            case "PLACE_ORDER":
                self._place(event, state)
            case "add-order":
                self._add(event, before)
            case "delete-order":
                self._delete(event, before)
            case "contract-fulfilled":
                self._trade_in_market(event)
            case "period-result":
                self._end_period(before)
            case "phase-transition":
                self._end_period(before)
                self._period, self._trading_phase = event.data["period"], event.data["trade"]
            case "PROPOSE":
                self._propose(event, state)
            case "ACCEPT_PROPOSAL" | "DECLINE_PROPOSAL":
                self._answer(event)
            case "transaction-confirmation" | "trade-reported":
                self._settle(event)
            case _:
                pass

    def records(self) -> TradeRecords:
        """Return everything that was recorded so far."""
        ended = self._state.ending is not None
        orders = [
            _ended(order, OrderEnd.GAME_END, self._state.t) if ended else order
            for order in self._orders.values()
        ]
        realised = double_auction_state(self._state).realised if self._game.mechanism == MARKET else ""
        return TradeRecords(
            self._game,
            tuple(orders),
            tuple(self._proposals.values()),
            tuple(self._trades),
            tuple(self._accounts),
            realised,
            self._spread_sum / self._spread_seconds if self._spread_seconds else None,
            self._periods_over,
        )

    # Accounts and periods

    def _keep_accounts(self, moment: Moment, period: int, state: State) -> None:
        if self._game.mechanism == MARKET:
            accounts = double_auction_state(state).accounts
            self._accounts += [
                AccountRecord(
                    seat, moment, period, condition, account.money[condition], account.units[condition]
                )
                for condition in range(len(conditions_of(self._game)))
                for seat, account in accounts.items()
            ]
        else:
            self._accounts += [
                AccountRecord(seat, moment, period, 0, account.money, account.units)
                for seat, account in trading_state(state).accounts.items()
            ]

    def _end_period(self, before: State) -> None:
        """Keep the accounts at the end of a trading period, once: the next period may start over."""
        if not self._trading_phase:
            return
        self._trading_phase = False
        self._periods_over += 1
        self._keep_accounts(Moment.PERIOD, self._period, before)

    def _follow_spread(self, t: float, market: DoubleAuctionState) -> None:
        """Add the time since the last event to the mean spread, and see what the spreads are now."""
        seconds = t - self._since
        if seconds > 0:
            self._since = t
            if self._trading_phase:
                self._spread_sum += seconds * sum(self._spreads)
                self._spread_seconds += seconds * len(self._spreads)
        if market.books is not self._books:
            self._books = market.books
            best = [(book.best(OrderSide.BID), book.best(OrderSide.ASK)) for book in market.books]
            self._spreads = tuple(ask.price - bid.price for bid, ask in best if bid and ask)

    # Orders

    def _place(self, event: Event, state: State) -> None:
        asked, market = event.payload, double_auction_state(state)
        try:
            number = find_book(self._game, asked.good, asked.condition or market.realised or None)
        except Refused:  # never in a log that follows the rules
            return
        condition, good = divmod(number, len(economy_of(self._game).goods))
        self._orders[event.seq] = OrderRecord(
            event.seq,
            event.t,
            event.sender,
            asked.side,
            minor_of(self._game, asked.price),
            asked.quantity,
            good,
            condition,
            self._period,
            *_best_prices(market.books[number]),
            _held_units(market, event.sender, condition, good),
        )
        order = self._orders[event.seq]
        cancelled = self._cancelled.pop(_queue_of(order), None)
        if cancelled is not None and cancelled.ended_at == event.t:
            self._orders[cancelled.order_id] = cancelled._replace(end=OrderEnd.REPLACED)
        if asked.now:
            # What it trades follows at once, and the rest never goes into the book.
            self._orders[event.seq] = order._replace(end=OrderEnd.DROPPED, ended_at=event.t)

    def _add(self, event: Event, before: State) -> None:
        """Record an order that goes into the book, if its placing was not seen."""
        found = event.data["order"]
        if found["id"] in self._orders:
            return
        economy = economy_of(self._game)
        good, condition = economy.good_names.index(found["good"]), found["condition"]
        number = book_number(self._game, condition, good)
        self._orders[found["id"]] = OrderRecord(
            found["id"],
            event.t,
            found["sender"] or "",
            OrderSide(found["type"]),
            minor_of(self._game, found["price"]),
            found["quantity"],
            good,
            condition,
            self._period,
            *_best_prices(double_auction_state(before).books[number]),
        )

    def _delete(self, event: Event, before: State) -> None:
        order = self._orders.get(event.data["order"]["id"])
        if order is not None and order.end is None:
            order = _ended(order, self._why_deleted(order, event, before), event.t)
            self._orders[order.order_id] = order
            if order.end is OrderEnd.CANCELLED:
                self._cancelled[_queue_of(order)] = order

    def _why_deleted(self, order: OrderRecord, event: Event, before: State) -> OrderEnd:
        act = self._last_act
        if act is not None and act.t == event.t:
            if act.type == "CANCEL_ORDER" and act.payload.order_id == order.order_id:
                return OrderEnd.CANCELLED
            if act.type == EventType.FORMAL_QUIT and order.seat in ("", act.sender):
                return OrderEnd.LEFT
        phase = current_phase(before)
        ends = double_auction_state(before).phase_began + (phase.seconds if phase else 0)
        if event.t >= round(ends, 3):
            return OrderEnd.PERIOD_END
        if _lifetime_over(self._game, order, event.t):
            return OrderEnd.EXPIRED
        # The cancellation of another seat's order is not in this seat's view.
        return OrderEnd.CANCELLED

    # Trades

    def _trade_in_market(self, event: Event) -> None:
        data, economy = event.data, economy_of(self._game)
        good = economy.good_names.index(data["good"])
        price, quantity = minor_of(self._game, data["price"]), data["quantity"]
        bid, ask = (self._orders.get(data[name]) for name in ("bid_id", "ask_id"))
        self._trades.append(
            TradeRecord(
                event.seq,
                event.t,
                data["to"] or (bid.seat if bid else ""),
                data["from"] or (ask.seat if ask else ""),
                tuple(quantity if i == good else 0 for i in range(len(economy.goods))),
                price * quantity,
                condition=data["condition"],
                period=self._period,
                bid_id=data["bid_id"],
                ask_id=data["ask_id"],
            )
        )
        for order in (bid, ask):
            if order is not None:
                filled = order._replace(filled=order.filled + quantity)
                if filled.filled >= order.quantity:
                    filled = filled._replace(end=OrderEnd.FILLED, ended_at=event.t)
                self._orders[order.order_id] = filled

    def _settle(self, event: Event) -> None:
        """Record a settled transaction; of a reported one only what the observer does not know already."""
        data, economy = event.data, economy_of(self._game)
        units, amount = economy.units_of(data["quantities"]), economy.currency.from_number(data["amount"])
        known = self._trades[-1] if self._trades else None
        same = (event.t, data["buyer"], data["seller"], units, amount)
        if (
            event.type == "trade-reported"
            and known is not None
            and known.transaction_id
            and same == (known.t, known.buyer, known.seller, known.units, known.amount)
        ):
            return
        its_id = data.get("transaction_id", "")
        self._trades.append(
            TradeRecord(
                event.seq,
                event.t,
                data["buyer"],
                data["seller"],
                units,
                amount,
                fee_shares(self._game),
                transaction_id=its_id,
            )
        )
        for proposal in self._proposals.values():
            pair = {proposal.maker, proposal.recipient}
            if transaction_id_of(proposal.proposal_id) == its_id and pair == {data["buyer"], data["seller"]}:
                self._proposals[proposal.proposal_id] = proposal._replace(settled=True)

    # Proposals

    def _propose(self, event: Event, state: State) -> None:
        made, economy, accounts = event.payload, economy_of(self._game), trading_state(state).accounts
        (recipient,) = event.to
        known = event.sender in accounts and recipient in accounts
        self._proposals[event.seq] = ProposalRecord(
            event.seq,
            event.t,
            event.sender,
            recipient,
            made.buyer,
            economy.units_of(made.quantities),
            economy.currency.from_number(made.amount),
            made.answers,
            (accounts[event.sender].units, accounts[recipient].units) if known else ((), ()),
        )
        answered = self._proposals.get(made.answers or 0)
        if answered is not None and answered.recipient == event.sender:
            self._answered(answered, ProposalAnswer.COUNTERED, event.t)

    def _answer(self, event: Event) -> None:
        proposal = self._proposals.get(event.payload.proposal_id)
        if proposal is None:
            return
        by_maker = event.sender == proposal.maker
        if event.type == "DECLINE_PROPOSAL":
            answer = ProposalAnswer.WITHDRAWN if by_maker else ProposalAnswer.DECLINED
            self._answered(proposal, answer, event.t)
        elif by_maker:
            self._proposals[proposal.proposal_id] = proposal._replace(confirmed=True)
        else:
            self._answered(proposal, ProposalAnswer.ACCEPTED, event.t)

    def _answered(self, proposal: ProposalRecord, answer: ProposalAnswer, t: float) -> None:
        if proposal.answer is ProposalAnswer.NONE:
            self._proposals[proposal.proposal_id] = proposal._replace(answer=answer, answered_at=t)


def _held_units(market: DoubleAuctionState, seat: Seat, condition: int, good: int) -> int | None:
    account = market.accounts.get(seat)
    return None if account is None else account.units[condition][good]


def _queue_of(order: OrderRecord) -> tuple[object, ...]:
    return order.seat, order.side, order.good, order.condition


def _ended(order: OrderRecord, end: OrderEnd, t: float) -> OrderRecord:
    return order if order.end is not None else order._replace(end=end, ended_at=t)


def _best_prices(book: OrderBook) -> tuple[Money | None, Money | None]:
    bid, ask = book.best(OrderSide.BID), book.best(OrderSide.ASK)
    return bid.price if bid else None, ask.price if ask else None


def _lifetime_over(game: GameSpec, order: OrderRecord, t: float) -> bool:
    lifetime = economy_of(game).terms.order_lifetime_seconds
    return lifetime is not None and t >= round(order.t + lifetime, 3)
