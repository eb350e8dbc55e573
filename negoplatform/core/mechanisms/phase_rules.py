"""Rules of the phases of a market game: what follows from what the seats have decided.

A game names its rules in its terms. They are asked at the start of the game and at the end of every phase,
and have to give the same answer whenever a log is verified, resumed or run again, so they use nothing but the
table that they are given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar

from negoplatform.core.mechanisms.base import Fact, fact
from negoplatform.core.mechanisms.double_auction_state import (
    MarketAccount,
    conditions_of,
    double_auction_state,
    market_terms,
)
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.game_display_texts import display_name
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money

START = "start"
"""Name of the moment before the first phase."""

ASSET_MOVEMENT, CONDITION_REALISED = "asset-movement", "condition-realised"


class PhaseTable:
    """Access of the rules of phases to the game at the end of a phase.

    Amounts of money are in the game's money, such as 12.5, and are rounded to what the money can express.

    Args:
        state: The state at the end of the phase.
        phase: The name of the phase that ends; ``start`` before the first.
    """

    def __init__(self, state: State, phase: str) -> None:
        self._state = state
        self._market = double_auction_state(state)
        self._economy = economy_of(state.game)
        self._accounts: dict[Seat, MarketAccount] = dict(self._market.accounts)
        self.facts: list[Fact] = []
        """Effects of the rules so far, in order."""
        self.phase = phase
        """Name of the phase that ends; ``start`` before the first."""
        self.rng = Random(f"{self._economy.chance}/{phase}")
        """Random numbers, the same whenever this phase of this session is resolved."""

    # What there is

    @property
    def game(self) -> GameSpec:
        """The game, with everything that is hidden from seats."""
        return self._state.game

    def name_of(self, seat: Seat) -> str:
        """Return the name by which a seat is called, or else its role."""
        return self._state.game.names.get(seat, display_name(seat))

    def format(self, amount: float) -> str:
        """Return an amount of money for people."""
        return self._economy.currency.format(round(amount * self._scale))

    def round(self, amount: float) -> float:
        """Return an amount rounded to what the money can express."""
        return round(amount * self._scale) / self._scale

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, in the game's order."""
        return self._state.game.seats

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions; none where the game has none."""
        return market_terms(self._state.game).conditions

    @property
    def realised(self) -> str:
        """The condition that holds; empty while it is not known."""
        return self._market.realised

    def decisions(self, phase: str) -> Mapping[Seat, Mapping[str, Any]]:
        """Return what seats have decided in a phase, this or an earlier one, by seat and field."""
        found = {
            seat: MappingProxyType(values.to_dict())
            for seat, made in self._market.decisions.items()
            for name, values in made
            if name == phase
        }
        return MappingProxyType(found)

    def units(self, seat: Seat, good: str = "", condition: str = "") -> int:
        """Return a seat's units of a good now; of the first good unless named."""
        return self._accounts[seat].units[self._condition(condition)][self._good(good)]

    # What the rules may do

    def pay(self, seat: Seat, amount: float, condition: str | None = None) -> None:
        """Give a seat money, or take it where the amount is negative.

        Args:
            seat: The seat.
            amount: The amount.
            condition: The condition under which it counts; None: under every one.
        """
        minor = round(amount * self._scale)
        for index, name in enumerate(conditions_of(self._state.game)):
            if condition in (None, name):
                self._move(seat, index, minor)

    def announce(
        self, event_type: str, data: Mapping[str, Any], to: tuple[Seat, ...] = (), text: str = ""
    ) -> None:
        """Tell the seats something, which typed states take up by its type and keys.

        Args:
            event_type: Its type, one of the rules' ``events``.
            data: JSON values.
            to: The seats that receive it; none means all.
            text: The same in words, for people; empty: they are shown nothing.
        """
        self.facts.append(fact(event_type, data, to=to, text=text))

    def realise(self, condition: str, text: str = "") -> None:
        """Say which condition holds, once."""
        index = self.conditions.index(condition)
        data = {"condition": condition, "winningCondition": index}
        self.facts.append(fact(CONDITION_REALISED, data, text=text or f"{condition} holds."))

    @property
    def _scale(self) -> int:
        return int(10**self._economy.currency.decimals)

    def _condition(self, name: str) -> int:
        return conditions_of(self._state.game).index(name) if name else 0

    def _good(self, name: str) -> int:
        return self._economy.good_names.index(name) if name else 0

    def _move(self, seat: Seat, condition: int, money: Money) -> None:
        """Add money to a seat's account; the fact is about the first good, as every movement names one."""
        account = self._accounts[seat]
        balance, shares = account.money[condition] + money, account.units[condition][0]
        self._accounts[seat] = account.with_holding(condition, 0, balance, shares)
        scale = self._scale
        data = {
            "seat": seat,
            "balance": balance // scale if balance % scale == 0 else balance / scale,
            "shares": shares,
            "condition": condition,
            "good": self._economy.good_names[0],
        }
        self.facts.append(fact(ASSET_MOVEMENT, data, to=(seat,)))


class PhaseRules(ABC):
    """Rules of what is decided in phases; stateless.

    Class attributes:
        name: The name that game files use.
        events: The types of event that they announce, in small letters.
    """

    name: ClassVar[str]
    events: ClassVar[frozenset[str]]

    @abstractmethod
    def check_game(self, game: GameSpec) -> None:
        """Check that a game has the phases and the conditions that the rules are about.

        Raises:
            NegoError: If it has not; a sentence.
        """

    @abstractmethod
    def resolve(self, table: PhaseTable) -> None:
        """Do what follows at the start, or at the end of a phase."""


PHASE_RULES: dict[str, PhaseRules] = {}
"""The rules by the names that game files use."""


@cache
def announced_types(rules: str) -> frozenset[str]:
    """Return the types of event that rules announce; none for a game without rules of this kind."""
    return PHASE_RULES[rules].events if rules else frozenset()


def check_phase_rules(game: GameSpec) -> None:
    """Check the rules of a game's phases.

    Raises:
        NegoError: If there are no such rules, or the game does not fit them.
    """
    name = market_terms(game).rules
    if not name:
        return
    if name not in PHASE_RULES:
        raise NegoError(f"there are no rules {name!r} for phases; there is {', '.join(PHASE_RULES)}")
    if any(phase.name == START for phase in market_terms(game).phases):
        raise NegoError(
            f"rules {name!r} know {START!r} as the moment before the first phase; rename the phase"
        )
    PHASE_RULES[name].check_game(game)


def resolved_facts(state: State, phase: str) -> tuple[Fact, ...]:
    """Return what follows at the end of a phase; nothing for a game without rules of this kind."""
    name = market_terms(state.game).rules
    if not name:
        return ()
    table = PhaseTable(state, phase)
    PHASE_RULES[name].resolve(table)
    return tuple(table.facts)
