"""Self-assessed taxes on plots of land, with shares of their revenue (Harberger 1965).

Owners and developers declare what their plots are worth under each condition, which is taxed; the condition
with the highest sum of declarations holds. Speculators may buy plots at the declared value, at which
under-declared plots are a bargain. Shares of the final tax revenue are traded in between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from random import Random
from typing import Any, ClassVar

from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market_terms import DRAWN_CONDITION, LARGEST_NUMBER, DecisionKind
from negoplatform.core.mechanisms.phase_rules import PHASE_RULES, PhaseRules, PhaseTable
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.game_display_texts import display_name
from negoplatform.domain.seat_map import Seat

DECLARE, SPECULATE, MARKET = "declare", "speculate", "market"
FINAL_DECLARE, FINAL_SPECULATE = "final_declare", "final_speculate"
PHASES = (DECLARE, SPECULATE, MARKET, FINAL_DECLARE, FINAL_SPECULATE)
"""Names of the phases, in order; other phases may stand between them."""

PLOTS = "plots"
"""Name of the decision of speculators: the seats whose plots they buy."""

NOISE = 0.05
"""Largest share by which a signal of the revenue is off."""


@dataclass(frozen=True, slots=True)
class HarbergerParameters:
    """Parameters of the game, in its terms under ``parameters``.

    Args:
        initial_tax_rate: The tax on the first declaration, in per cent.
        final_tax_rate: The tax on the final declaration, in per cent, which the shares pay out.
        values: For each seat with a plot the least and the greatest worth of the plot under each condition,
            in the order of the conditions.
    """

    initial_tax_rate: float
    final_tax_rate: float
    values: Mapping[Seat, Sequence[tuple[float, float]]]


def harberger_parameters(game: GameSpec) -> HarbergerParameters:
    """Return the parameters of a game.

    Raises:
        NegoError: If one is missing or out of range.
    """
    found, conditions = market_terms(game).parameters.to_dict(), market_terms(game).conditions
    known = [field.name for field in fields(HarbergerParameters)]
    odd = [name for name in found if name not in known]
    if odd:
        raise NegoError(f"'terms.parameters' has no {odd[0]!r}; there is {', '.join(known)}")
    values = found.get("values")
    if not isinstance(values, dict) or not values or any(seat not in game.seats for seat in values):
        raise NegoError("'terms.parameters.values' has the range of a plot's worth by seat and by condition")
    ranges: dict[Seat, tuple[tuple[float, float], ...]] = {}
    for seat in (seat for seat in game.seats if seat in values):
        by_condition = values[seat]
        rows = [by_condition.get(name) if isinstance(by_condition, dict) else None for name in conditions]
        if not all(_is_range(row) for row in rows):
            raise NegoError(
                f"'terms.parameters.values.{seat}' has two whole numbers, the least and the "
                f"greatest, for each of {', '.join(conditions)}"
            )
        ranges[seat] = tuple((row[0], row[1]) for row in rows if row)
    return HarbergerParameters(_rate(found, "initial_tax_rate"), _rate(found, "final_tax_rate"), ranges)


def _rate(found: Mapping[str, Any], name: str) -> float:
    rate = found.get(name)
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 100:
        raise NegoError(f"'terms.parameters.{name}' is a tax rate, 0 to 100 per cent")
    return float(rate)


def _is_range(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) == 2
        and all(type(number) in (int, float) for number in row)
        and 0 <= row[0] <= row[1] <= LARGEST_NUMBER
        and all(number == round(number) for number in row)
    )


class Harberger(PhaseRules):
    """Declarations, speculation, a market of shares, and the same again."""

    name = "harberger"
    events: ClassVar[frozenset[str]] = frozenset(
        [
            "game-parameters",
            "property-value",
            "declarations",
            "declaration",
            "profit",
            "signals",
            "public-signal",
        ]
    )

    def check_game(self, game: GameSpec) -> None:
        """Raise NegoError unless the game has the five phases, the parameters and conditions."""
        terms = market_terms(game)
        names = [phase.name for phase in terms.phases if phase.name in PHASES]
        if tuple(names) != PHASES:
            raise NegoError(f"rules 'harberger' need the phases {', '.join(PHASES)}, in this order")
        if not terms.conditions:
            raise NegoError("rules 'harberger' need 'terms.conditions'")
        if terms.realised != DRAWN_CONDITION:
            raise NegoError("rules 'harberger' find the condition that holds; remove 'terms.realised'")
        plots = tuple(harberger_parameters(game).values)
        for phase in terms.phases:
            names = [field.name for field in phase.decide]
            kinds = {field.kind for field in phase.decide}
            if phase.name in (DECLARE, FINAL_DECLARE) and (
                tuple(names) != terms.conditions
                or kinds != {DecisionKind.NUMBER}
                or set(phase.by) != set(plots)
            ):
                raise NegoError(
                    f"in the phase {phase.name!r} decide {', '.join(plots)}, a number for each condition"
                )
            if phase.name in (SPECULATE, FINAL_SPECULATE) and (
                names != [PLOTS]
                or kinds != {DecisionKind.SOME_OF}
                or set(phase.decide[0].values) != set(plots)
                or not phase.by
                or set(phase.by) & set(plots)
            ):
                raise NegoError(
                    f"in the phase {phase.name!r} seats without a plot decide on {PLOTS!r}: "
                    f"some of {', '.join(plots)}"
                )

    def resolve(self, table: PhaseTable) -> None:
        """Tax, sell, signal and pay out."""
        match table.phase:
            case "start":
                self._begin(table)
            case "declare":
                self._tax_first(table)
            case "speculate":
                self._speculate(table, DECLARE)
                self._signal(table)
            case "market":
                # The rate in force while the owners declare once more.
                table.announce(
                    "game-parameters", {"taxRate": harberger_parameters(table.game).final_tax_rate}
                )
            case "final_declare":
                self._tax_finally(table)
            case "final_speculate":
                self._speculate(table, FINAL_DECLARE)
                self._pay_out(table)

    # What the rules know

    def _real_values(self, table: PhaseTable) -> dict[Seat, list[float]]:
        """Return what each plot is really worth under each condition: the same in every phase."""
        rng = Random(f"{economy_of(table.game).chance}/plots")
        parameters = harberger_parameters(table.game)
        return {
            seat: [float(rng.randint(*map(round, row))) for row in rows]
            for seat, rows in parameters.values.items()
        }

    def _declared(self, table: PhaseTable, phase: str) -> dict[Seat, list[float]]:
        """Return what each plot is declared to be worth; the least possible without a declaration."""
        made, parameters = table.decisions(phase), harberger_parameters(table.game)
        return {
            seat: [
                made[seat][condition] if seat in made else rows[i][0]
                for i, condition in enumerate(table.conditions)
            ]
            for seat, rows in parameters.values.items()
        }

    # What happens

    def _begin(self, table: PhaseTable) -> None:
        parameters = harberger_parameters(table.game)
        conditions = [{"id": i, "name": name} for i, name in enumerate(table.conditions)]
        boundaries = {
            seat: {
                name: {"min": row[0], "max": row[1]} for name, row in zip(table.conditions, rows, strict=True)
            }
            for seat, rows in parameters.values.items()
        }
        data = {
            "taxRate": parameters.initial_tax_rate,
            "initialTaxRate": parameters.initial_tax_rate,
            "finalTaxRate": parameters.final_tax_rate,
            "boundaries": boundaries,
            "conditions": conditions,
        }
        table.announce("game-parameters", data)
        for number, (seat, values) in enumerate(self._real_values(table).items(), start=1):
            worth = ", ".join(
                f"{table.format(value)} ({display_name(name)})"
                for name, value in zip(table.conditions, values, strict=True)
            )
            owned = {"id": number, "owner": seat, "values": values}
            table.announce("property-value", {"property": owned}, (seat,), f"Your plot is worth {worth}.")

    def _tax_first(self, table: PhaseTable) -> None:
        declared, parameters = self._declared(table, DECLARE), harberger_parameters(table.game)
        sums = [sum(values[i] for values in declared.values()) for i in range(len(table.conditions))]
        winner = sums.index(max(sums))
        name = table.conditions[winner]
        self._publish(table, declared)
        title, total = display_name(name), table.format(sums[winner])
        table.realise(name, f"{title} holds: its declarations add up to {total}.")
        # From here on only accounts under this condition matter, and a typed state may hold only these.
        for seat, values in declared.items():
            table.pay(seat, -values[winner] * parameters.initial_tax_rate / 100, name)

    def _tax_finally(self, table: PhaseTable) -> None:
        declared, parameters = self._declared(table, FINAL_DECLARE), harberger_parameters(table.game)
        winner = table.conditions.index(table.realised)
        for seat, values in declared.items():
            table.pay(seat, -values[winner] * parameters.final_tax_rate / 100, table.realised)
        self._publish(table, declared)

    def _publish(self, table: PhaseTable, declared: Mapping[Seat, Sequence[float]]) -> None:
        for seat, values in declared.items():
            own = [{"condition": i, "value": value} for i, value in enumerate(values)]
            table.announce("declaration", {"declarations": own}, (seat,))
        plots = [{"owner": seat, "values": list(values)} for seat, values in declared.items()]
        words = "; ".join(
            f"{table.name_of(seat)}: {', '.join(map(table.format, values))}"
            for seat, values in declared.items()
        )
        table.announce("declarations", {"plots": plots}, text=f"Declared values – {words}.")

    def _speculate(self, table: PhaseTable, declaration: str) -> None:
        """Sell the plots that speculators buy: half of what a plot is worth beyond its declaration moves."""
        winner = table.conditions.index(table.realised)
        declared, real = self._declared(table, declaration), self._real_values(table)
        buyers: dict[Seat, list[Seat]] = {}
        for seat, values in table.decisions(table.phase).items():
            for plot in values[PLOTS]:
                buyers.setdefault(plot, []).append(seat)
        profits: dict[Seat, float] = {}
        for plot in declared:
            if plot in buyers:
                buyer = table.rng.choice(buyers[plot])
                half = (real[plot][winner] - declared[plot][winner]) / 2
                table.pay(buyer, half, table.realised)
                table.pay(plot, -half, table.realised)
                profits[buyer] = profits.get(buyer, 0.0) + half
                profits[plot] = profits.get(plot, 0.0) - half
        for seat, profit in profits.items():
            words = "gained" if profit >= 0 else "lost"
            text = f"In the speculation you {words} {table.format(abs(profit))}."
            table.announce(
                "profit", {"phase_name": table.phase, "profit": profit, "property": {}}, (seat,), text
            )

    def _signal(self, table: PhaseTable) -> None:
        """Give everyone a noisy guess of what a share will pay, and each seat another one of its own."""
        winner = table.conditions.index(table.realised)
        real, parameters = self._real_values(table), harberger_parameters(table.game)
        shares = sum(table.units(seat) for seat in table.seats)
        expected = sum(values[winner] for values in real.values()) * parameters.final_tax_rate / 100
        per_share = expected / shares if shares else 0.0

        def noisy() -> list[float]:
            guess = table.round(per_share * (1 + table.rng.uniform(-NOISE, NOISE)))
            return [guess if i == winner else 0.0 for i in range(len(table.conditions))]

        public = noisy()
        text = f"Public signal: a share may pay about {table.format(public[winner])}."
        table.announce("public-signal", {"publicSignal": public}, text=text)
        for seat in table.seats:
            own = noisy()
            words = f"Your private signal: a share may pay about {table.format(own[winner])}."
            table.announce("signals", {"signals": own}, (seat,), words)

    def _pay_out(self, table: PhaseTable) -> None:
        """Pay each share its part of the final tax, and each owner what the plot is worth."""
        winner = table.conditions.index(table.realised)
        parameters = harberger_parameters(table.game)
        declared, real = self._declared(table, FINAL_DECLARE), self._real_values(table)
        taxes = [
            table.round(values[winner] * parameters.final_tax_rate / 100) for values in declared.values()
        ]
        revenue = table.round(sum(taxes))
        shares = {seat: table.units(seat, condition=table.realised) for seat in table.seats}
        total, counted, paid = sum(shares.values()), 0, 0.0
        for seat, count in shares.items():
            if count and total:
                # Rounded sums, not rounded parts: so all parts add up to what was collected.
                counted += count
                due = table.round(revenue * counted / total)
                table.pay(seat, due - paid, table.realised)
                paid = due
        for seat, values in real.items():
            table.pay(seat, values[winner], table.realised)


PHASE_RULES[Harberger.name] = Harberger()
