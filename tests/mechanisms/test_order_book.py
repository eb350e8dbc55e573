"""Versions of an order book: each stays what it was, whenever and wherever it is used or changed."""

from __future__ import annotations

import pickle
from copy import deepcopy
from queue import SimpleQueue
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.core.mechanisms.double_auction_state import double_auction_state
from negoplatform.core.mechanisms.order_book import BookOrder, OrderBook, OrderSide
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.seat_map import SeatMap
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder_executors import ThreadExecutor
from negoplatform.testing import Scripted, TrialTable
from tests.games import shipped_games
from tests.hosting.ledger import Ledger

BID, ASK = OrderSide.BID, OrderSide.ASK


def order(number: int, side: OrderSide = BID, price: int = 10, quantity: int = 1) -> BookOrder:
    """Return an order."""
    return BookOrder(number, "seat", side, price, quantity, float(number))


class Version(NamedTuple):
    """A version of a book, and the orders that it has."""

    book: OrderBook
    orders: dict[int, BookOrder]

    def changed(self, rng: Random) -> Version:
        """Return the version after a change drawn by chance."""
        book, orders = self.book, self.orders
        number = rng.randint(1, 12)
        if number not in orders:
            added = order(number, rng.choice((BID, ASK)), rng.randint(0, 5), rng.randint(1, 3))
            return Version(book.add(added), {**orders, number: added})
        if rng.random() < 0.5:
            quantity = rng.randint(1, 3)
            return Version(
                book.reduce(number, quantity), {**orders, number: orders[number]._replace(quantity=quantity)}
            )
        return Version(
            book.remove(number), {other: kept for other, kept in orders.items() if other != number}
        )

    def check(self) -> None:
        """Assert that everything that is asked of the book agrees with the orders."""
        book, orders = self.book, [self.orders[number] for number in sorted(self.orders)]
        assert book.orders == tuple(orders)
        assert (book.oldest, len(book)) == (orders[0] if orders else None, len(orders))
        assert [book.get(number) for number in range(13)] == [self.orders.get(number) for number in range(13)]
        bids = sorted((o for o in orders if o.side is BID), key=lambda o: (-o.price, o.order_id))
        asks = sorted((o for o in orders if o.side is ASK), key=lambda o: (o.price, o.order_id))
        assert (book.queue(BID), book.queue(ASK)) == (tuple(bids), tuple(asks))
        assert (book.best(BID), book.best(ASK)) == (next(iter(bids), None), next(iter(asks), None))
        for limit in range(-1, 7):
            cheap = [o for o in asks if o.price <= limit]
            dear = [o for o in bids if o.price >= limit]
            for side, met in ((BID, cheap), (ASK, dear)):
                fills = book.match(side, limit, 4)
                assert [fill.resting for fill in fills] == met[: len(fills)]
                assert sum(f.quantity for f in fills) == min(4, sum(o.quantity for o in met))
                assert all(f.quantity == f.resting.quantity for f in fills[:-1])


@given(seed=st.integers(0, 10**6))
def test_every_version_stays_what_it_was_wherever_the_next_change_is_made(seed: int) -> None:
    rng = Random(seed)
    versions = [Version(OrderBook(), {})]
    for _ in range(40):
        before = rng.choice(versions) if rng.random() < 0.2 else versions[-1]
        versions.append(before.changed(rng))
        if rng.random() < 0.3:
            rng.choice(versions).check()

    rng.shuffle(versions)
    for version in versions:
        version.check()


@given(seed=st.integers(0, 10**6))
def test_a_copy_is_equal_and_shares_no_later_change(seed: int) -> None:
    rng = Random(seed)
    version = Version(OrderBook(), {})
    for _ in range(10):
        version = version.changed(rng)

    for copied in (version.book.copy(), deepcopy(version.book), pickle.loads(pickle.dumps(version.book))):
        assert copied == version.book
        assert hash(copied) == hash(version.book)
        other = Version(copied, version.orders)
        for _ in range(5):
            other = other.changed(rng)
        other.check()
        version.check()


def test_an_order_is_added_once_and_only_what_is_there_is_changed() -> None:
    book = OrderBook([order(1), order(2, ASK, 12)])

    with pytest.raises(ValueError, match="1"):
        book.add(order(1))
    with pytest.raises(ValueError, match="3"):
        OrderBook([order(3), order(3)])
    with pytest.raises(KeyError):
        book.reduce(3, 1)
    with pytest.raises(KeyError):
        book.remove(3)
    assert book == OrderBook([order(2, ASK, 12), order(1)])
    assert book != book.remove(1)


class Asked(AgentRunner):
    """Responder that keeps the requests that it is given."""

    def __init__(self) -> None:
        super().__init__(Scripted(), Random(1))
        self.requests: list[AgentRequest] = []

    def respond(self, request: AgentRequest) -> AgentResponse:
        self.requests.append(request)
        return super().respond(request)


def test_what_leaves_the_session_for_another_thread_shares_no_book_with_it() -> None:
    game = shipped_games("market")[0]
    table, asked, answers = TrialTable(game), Asked(), SimpleQueue[AgentResponse]()
    window = LiveSession(
        SessionPlan(game, 1, game.seats[0], "", SeatMap()), log=Ledger(), report=table.errors.append
    )
    table.subscribe(window._on_published)
    table.start()
    table.wait(1)
    view = view_of(table.state, Observer(game.seats[0]))
    request = AgentRequest(view, 0.0, table.events[0])

    executor = ThreadExecutor(lambda: asked, answers.put, [request], "agent")
    executor.submit(request)
    answer = answers.get(timeout=10)
    executor.stop()

    given = [window.updates.get().view for _ in range(window.updates.qsize())]
    given += [each.view for each in asked.requests]
    assert answer.request is request, "the history of the seat's inputs finds it by identity"
    assert len(asked.requests) == 2
    assert len(given) > 3
    own = {id(book._containers) for book in double_auction_state(table.state).books}
    for each in given:
        for book in double_auction_state(each.state).books:
            assert id(book._containers) not in own
    assert double_auction_state(given[-1].state).books == double_auction_state(table.state).books
