"""Table with a trading game: the worked example of the competition's documentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.trading_state import (
    ProposalMade,
    TradingTerms,
    TransactionRequested,
)
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.trading.economy import Currency, Economy, Endowment, Good, Quantities
from negoplatform.domain.trading.worth import LogWorth
from negoplatform.testing import TrialTable

ONE, TWO, THREE = "agent_1", "agent_2", "agent_3"


def worked_example(fee: float = 0, seats: int = 2, **terms: Any) -> GameSpec:
    """Return the example of the competition's documentation; a third seat has what the first has."""
    money = {ONE: 20_000, TWO: 10_000, THREE: 20_000}
    units = {ONE: (1, 2), TWO: (4, 1), THREE: (1, 2)}
    parameters = {ONE: (8000.0, 2000.0), TWO: (3000.0, 7000.0), THREE: (8000.0, 2000.0)}
    names = (ONE, TWO, THREE)[:seats]
    return GameSpec(
        name="tac",
        issues=(),
        seats=names,
        preferences=SeatMap(),
        mechanism="trading",
        rules=Rules(),
        economy=Economy(
            (Good("good_1"), Good("good_2")),
            Currency("€", 2),
            SeatMap((seat, Endowment(money[seat], units[seat])) for seat in names),
            SeatMap((seat, LogWorth(parameters[seat])) for seat in names),
            TradingTerms(fee=fee, **terms),
        ),
    )


class Table(TrialTable):
    """Table with the acts of a trading game."""

    def do(self, seat: Seat, kind: str, payload: Any, *to: Seat) -> Event:
        """Perform an act."""
        self.start()
        return self.session.act(seat, kind, payload, ActionOrigin(to=to))

    def propose(self, seat: Seat, to: Seat, *, buyer: bool, amount: float = 10, **units: int) -> Event:
        """Make a proposal."""
        made = ProposalMade(buyer, amount, Quantities(units or {"good_1": 1}))
        return self.do(seat, "PROPOSE", made, to)

    def submit(
        self,
        seat: Seat,
        other: Seat,
        *,
        buyer: bool,
        amount: float = 10,
        its_id: str = "x",
        units: Mapping[str, int] = Quantities({"good_1": 1}),
    ) -> Event:
        """Request a transaction."""
        asked = TransactionRequested(its_id, buyer, other, amount, Quantities(units))
        return self.do(seat, "SUBMIT_TRANSACTION", asked)

    def facts(self, kind: str) -> list[Event]:
        """Return the facts of a type."""
        return [event for event in self.events if event.type == kind]

    def scores(self) -> list[float]:
        """Return the scores of the first two seats, rounded as in the documentation."""
        found = [self.context(seat).trading.score() for seat in self.state.game.seats[:2]]
        return [round(float(score), 2) for score in found]


def table(*, fee: float = 0, seats: int = 2, **terms: Any) -> Table:
    """Return a table with the worked example."""
    made = Table(worked_example(fee, seats, **terms))
    made.start()
    return made
