"""Settings of a market game: prices, orders, conditions, and the phases in which it is played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game_display_texts import display_name
from negoplatform.domain.seat_map import Seat

MOST_PHASES = 200
"""Most phases of a game."""

MOST_CONDITIONS = 20
"""Most conditions of a game."""

MOST_FIELDS = 50
"""Most values that a seat decides in one phase."""

MOST_VALUES = 1000
"""Most values from which a decision chooses."""

MOST_NUMBERS = 1_000_000
"""Most numbers from which a decision chooses."""

LARGEST_NUMBER = 10**9
"""Largest number that a decision can have."""

LONGEST_PHASES = 86_400
"""Longest time that all phases together can take, in seconds."""

DRAWN_CONDITION = "drawn"
"""Setting for a condition that is drawn by chance."""


def _check_name(what: str, name: str) -> None:
    if not re.fullmatch(r"[^\W\d][\w -]{0,59}", name):
        raise NegoError(
            f"{what} {name[:60]!r}: a name begins with a letter and goes on with letters, digits, spaces, "
            "- or _, 60 characters at most"
        )


def _check_text(what: str, text: str, longest: int) -> None:
    if len(text) > longest:
        raise NegoError(f"{what} is too long; at most {longest:,} characters belong there")


class Identities(StrEnum):
    """Whether the seats see who has placed an order, and who has traded."""

    SHOWN = "shown"
    HIDDEN = "hidden"


class CarryOver(StrEnum):
    """Handling of money and goods at the end of a trading period."""

    RESET = "reset"
    """Every period begins with the endowment; the gains of all periods add up."""
    KEEP = "keep"
    """The next period begins with what the seats have."""


@dataclass(frozen=True, slots=True)
class MarketPeriods:
    """Trading periods, with breaks between them.

    Args:
        count: The number of periods.
        seconds: The length of each, in seconds.
        break_seconds: The time between two periods, in seconds; 0: none.
        carry: What becomes of money and goods between two periods.
    """

    count: int = 1
    seconds: int | float = 120
    break_seconds: int | float = 0
    carry: CarryOver = CarryOver.KEEP

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_PHASES // 2:
            raise NegoError(f"'count' is 1 to {MOST_PHASES // 2} periods")
        pause = self.break_seconds
        if not 1 <= self.seconds <= 86_400 or not (pause == 0 or 1 <= pause <= 86_400):
            raise NegoError("a period has 1 to 86,400 seconds, and a break 0, or 1 to 86,400")


class DecisionKind(StrEnum):
    """Kind of a decision's value."""

    NUMBER = "number"
    """A number from ``low`` to ``high`` in steps of ``step``."""
    ONE_OF = "one_of"
    """A single one of ``values``."""
    SOME_OF = "some_of"
    """Any of ``values``, up to ``most`` of them."""


DecisionValue = int | float | str | tuple[str, ...]
"""Value of one field of a decision."""


@dataclass(frozen=True, slots=True)
class DecisionField:
    """Value that a seat decides in a phase.

    Args:
        name: Its name for agents and in logs.
        kind: Its kind.
        label: Its name for people; empty: the name.
        low: The least number.
        high: The greatest number.
        step: The step between numbers.
        values: The values to choose from.
        most: The most values that may be chosen; 0: all.
    """

    name: str
    kind: DecisionKind = DecisionKind.NUMBER
    label: str = ""
    low: int | float = 0
    high: int | float = 100
    step: int | float = 1
    values: tuple[str, ...] = ()
    most: int = 0

    def __post_init__(self) -> None:
        _check_name("the decision", self.name)
        _check_text(f"the label of the decision {self.name!r}", self.label, 80)
        if self.kind is DecisionKind.NUMBER:
            self._check_numbers()
        else:
            self._check_values()

    def _check_numbers(self) -> None:
        if self.values or self.most:
            raise NegoError(f"the decision {self.name!r} is a number, so it has no 'values' and no 'most'")
        if not -LARGEST_NUMBER <= self.low <= self.high <= LARGEST_NUMBER or not self.step > 0:
            raise NegoError(
                f"the decision {self.name!r} has no number from 'low' to 'high' by 'step'; "
                f"the largest is {LARGEST_NUMBER:,}"
            )
        if self.high - self.low > self.step * MOST_NUMBERS:
            raise NegoError(
                f"the decision {self.name!r} has more than {MOST_NUMBERS:,} numbers; take a longer 'step'"
            )

    def _check_values(self) -> None:
        values = self.values
        if not values or len(set(values)) < len(values) or len(values) > MOST_VALUES:
            raise NegoError(
                f"the decision {self.name!r} needs 'values', 1 to {MOST_VALUES:,}, each of them once"
            )
        if not all(value.strip() and len(value) <= 80 for value in values):
            raise NegoError(f"the 'values' of the decision {self.name!r} have 1 to 80 characters")
        highest = len(values) if self.kind is DecisionKind.SOME_OF else 0
        if not 0 <= self.most <= highest:
            raise NegoError(
                f"'most' of the decision {self.name!r} is 0 to {highest}"
                if highest
                else f"'most' of the decision {self.name!r} belongs to 'some_of'; remove it"
            )

    @property
    def title(self) -> str:
        """Name for people."""
        return self.label or self.name

    def fault_of(self, value: object) -> str:
        """Return what is wrong with a value, a sentence for the player; empty: nothing."""
        match self.kind:
            case DecisionKind.NUMBER:
                if type(value) not in (int, float) or not self.low <= value <= self.high:  # type: ignore[operator]
                    return f"{self.title}: choose a number from {self.low:,} to {self.high:,}."
                steps = (value - self.low) / self.step  # type: ignore[operator]
                if abs(steps - round(steps)) > 1e-9 * max(1.0, abs(steps)):
                    return f"{self.title}: choose a number in steps of {self.step}."
            case DecisionKind.ONE_OF:
                if value not in self.values:
                    return f"{self.title}: choose one of {', '.join(self.values)}."
            case DecisionKind.SOME_OF:
                chosen = value if isinstance(value, tuple) else ()
                if not isinstance(value, tuple) or any(each not in self.values for each in chosen):
                    return f"{self.title}: choose some of {', '.join(self.values)}, or none."
                if len(set(chosen)) < len(chosen) or (self.most and len(chosen) > self.most):
                    return f"{self.title}: choose each once, and up to {self.most or len(self.values)}."
        return ""


@dataclass(frozen=True, slots=True)
class MarketPhase:
    """Timed phase of a market game.

    Args:
        name: Its name for agents, in logs and in the game's rules.
        seconds: Its length at most, in seconds; it ends earlier once everyone has decided.
        label: Its name for people; empty: the name.
        text: What the participant is told about it.
        trade: Whether orders may be placed.
        decide: What the seats decide, all at the same time; decisions of others are hidden before the end.
        by: The seats that decide; none means all.
    """

    name: str
    seconds: int | float
    label: str = ""
    text: str = ""
    trade: bool = False
    decide: tuple[DecisionField, ...] = ()
    by: tuple[Seat, ...] = ()

    def __post_init__(self) -> None:
        _check_name("the phase", self.name)
        if not 1 <= self.seconds <= 86_400:
            raise NegoError(f"the phase {self.name!r} has 1 to 86,400 'seconds'")
        _check_text(f"the label of the phase {self.name!r}", self.label, 80)
        _check_text(f"the text of the phase {self.name!r}", self.text, 4000)
        if len(self.decide) > MOST_FIELDS:
            raise NegoError(f"in the phase {self.name!r} up to {MOST_FIELDS} values are decided")
        if self.by and not self.decide:
            raise NegoError(f"in the phase {self.name!r} nothing is decided, so it has no 'by'")
        if len(set(self.by)) < len(self.by):
            raise NegoError(f"in the phase {self.name!r} 'by' names each seat once")
        names = [each.name for each in self.decide]
        if len(set(names)) < len(names):
            raise NegoError(f"the phase {self.name!r} has two decisions of one name")
        if self.trade and self.decide:
            raise NegoError(f"in the phase {self.name!r} seats either trade or decide; make two phases")

    @property
    def title(self) -> str:
        """Name for people."""
        return self.label or self.name


NO_PARAMETERS = FrozenJson({})


@dataclass(frozen=True, slots=True)
class MarketTerms:
    """Settings of a market game, in its file under ``terms``. Prices are in the game's money.

    Args:
        tick: The step between prices.
        lowest: The lowest price of a unit.
        highest: The highest price of a unit.
        orders_per_seat: The most orders that a seat may have in the books at a time.
        order_lifetime_seconds: Seconds after which an order leaves the book by itself; None: at the end of
            the period.
        identities: Whether the seats see whose an order is, and who has traded.
        conditions: Conditions of which one will hold at the end; goods are traded, and paid for, under each
            of them separately. None: there are none.
        realised: The condition that will hold; ``drawn``: by chance. No seat sees it before the end.
        periods: The trading periods, unless ``phases`` are given.
        phases: The phases, in order; none: those of ``periods``.
        rules: The name of the rules of what is decided in the phases, such as ``harberger``; empty: decisions
            have no consequences of their own.
        parameters: The parameters of these rules, by name.
    """

    tick: int | float = 1
    lowest: int | float = 1
    highest: int | float = 200
    orders_per_seat: int = 1
    order_lifetime_seconds: int | float | None = None
    identities: Identities = Identities.SHOWN
    conditions: tuple[str, ...] = ()
    realised: str = DRAWN_CONDITION
    periods: MarketPeriods = MarketPeriods()
    phases: tuple[MarketPhase, ...] = ()
    rules: str = ""
    parameters: FrozenJson = NO_PARAMETERS

    def __post_init__(self) -> None:
        if not self.tick > 0 or not 0 <= self.lowest <= self.highest <= 10**9:
            raise NegoError("prices go from 'lowest' to 'highest' in steps of 'tick', which is more than 0")
        if not 1 <= self.orders_per_seat <= 1_000_000:
            raise NegoError("'orders_per_seat' is 1 to 1,000,000")
        if self.order_lifetime_seconds is not None and not 0.1 <= self.order_lifetime_seconds <= 86_400:
            raise NegoError("'order_lifetime_seconds' is 0.1 to 86,400")
        if len(set(self.conditions)) < len(self.conditions) or len(self.conditions) > MOST_CONDITIONS:
            raise NegoError(f"there are up to {MOST_CONDITIONS} 'conditions', each named once")
        for name in self.conditions:
            _check_name("the condition", name)
        if DRAWN_CONDITION in self.conditions:
            raise NegoError(f"no condition is named {DRAWN_CONDITION!r}, which means one of them by chance")
        if not self.conditions and self.realised != DRAWN_CONDITION:
            raise NegoError("'realised' belongs to a game with 'conditions'; remove it")
        if self.realised not in (*self.conditions, DRAWN_CONDITION):
            raise NegoError(f"'realised' is one of {', '.join((*self.conditions, DRAWN_CONDITION))}")
        if not self.rules and self.parameters != NO_PARAMETERS:
            raise NegoError("'parameters' belongs to a game with 'rules'; remove it")
        if len(self.phases) > MOST_PHASES:
            raise NegoError(f"there are up to {MOST_PHASES} 'phases'")
        if self.phases and self.periods != MarketPeriods():
            raise NegoError("give either 'periods' or 'phases', not both")
        names = [phase.name for phase in self.phases]
        if len(set(names)) < len(names):
            raise NegoError("two 'phases' have the same name; name each differently")
        if self.total_seconds > LONGEST_PHASES:
            raise NegoError(
                f"all phases take up to {LONGEST_PHASES:,} seconds, and these {self.total_seconds:,g}"
            )

    def without_secrets(self) -> MarketTerms:
        """Return the settings as every seat may see them: not the condition that will hold."""
        return replace(self, realised=DRAWN_CONDITION)

    def shown_texts(self) -> Iterator[str]:
        """Yield the names of the conditions and the texts of the phases, each as a window shows it."""
        yield from map(display_name, self.conditions)
        for phase in self.phases:
            yield from (phase.label or display_name(phase.name), phase.text)
            yield from (each.label or display_name(each.name) for each in phase.decide)

    @property
    def all_phases(self) -> tuple[MarketPhase, ...]:
        """The phases: those that are given, or the periods with their breaks."""
        periods = self.periods
        return self.phases or _phases_of(periods.count, periods.seconds, periods.break_seconds)

    @property
    def total_seconds(self) -> float:
        """The length of all phases, in seconds, if none ends early."""
        return sum(phase.seconds for phase in self.all_phases)


@lru_cache(maxsize=16, typed=True)  # typed: 60 and 60.0 are written differently
def _phases_of(count: int, seconds: float, break_seconds: float) -> tuple[MarketPhase, ...]:
    """Return the phases of trading periods with their breaks; they are asked for at every event."""
    trading = MarketPhase("market", seconds, trade=True)
    if not break_seconds:
        return (trading,) * count
    pause = MarketPhase("break", break_seconds)
    return ((trading, pause) * count)[:-1]
