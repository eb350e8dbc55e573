"""Facts of the rules of phases in words: declarations, signals, trades of plots, the condition that holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from negoplatform.core.events import Event
from negoplatform.core.mechanisms.double_auction_state import conditions_of, market_terms
from negoplatform.core.mechanisms.harberger import Harberger
from negoplatform.core.mechanisms.market_books import minor_of
from negoplatform.core.mechanisms.market_phase_facts import CONDITION_REALISED
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role
from negoplatform.presentation.market.amounts import Amounts

DECLARATIONS = "declarations"
"""Type of the fact that has what every plot was declared to be worth."""


def phase_rule_text(
    event: Event,
    game: GameSpec,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    earlier: Iterable[Event] = (),
) -> str:
    """Return a fact of the rules of phases in words, from its data; empty for any other event.

    Args:
        event: The event.
        game: The game.
        seat: The reader's seat; empty for an observer.
        names: Displayed names: of the other seats for a participant, of all seats for an observer.
        translate: The window's language, with the game's texts.
        earlier: Earlier events, newest first, of which the newest declarations are read.
    """
    texts = _PhaseRuleTexts(game, seat, names, translate)
    if event.type == CONDITION_REALISED:
        return texts.realised(event, earlier)
    return texts.text(event) if market_terms(game).rules == Harberger.name else ""


class _PhaseRuleTexts:
    """Words for the facts of a game's rules, as one reader reads them."""

    def __init__(self, game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._game, self._seat, self._names, self._translate = game, seat, names, translate
        self._amounts = Amounts(economy_of(game).currency, translate)

    def text(self, event: Event) -> str:
        """Return a fact of the rules ``harberger`` in words; empty for any other event."""
        translate = self._translate
        match event.type:
            case str() as kind if kind == DECLARATIONS:
                plots = [
                    translate(
                        "{name}: {values}",
                        name=self._name(plot["owner"]),
                        values=self._by_condition(plot["values"]),
                    )
                    for plot in event.data["plots"]
                ]
                return translate("Declared worth of the plots – {plots}.", plots="; ".join(plots))
            case "property-value":
                plot = event.data["property"]
                worth = self._by_condition(plot["values"])
                if plot["owner"] == self._seat:
                    return translate("Your plot is worth {worth}.", worth=worth)
                return translate(
                    "{name}’s plot is worth {worth}.", name=self._name(plot["owner"]), worth=worth
                )
            case "profit":
                return self._profit(event)
            case "public-signal":
                return translate(
                    "Public signal: a share may pay about {amount}.",
                    amount=self._signal(event.data["publicSignal"]),
                )
            case "signals":
                amount = self._signal(event.data["signals"])
                if self._seat in event.to:
                    return translate("Your private signal: a share may pay about {amount}.", amount=amount)
                name = self._name(event.to[0])
                return translate(
                    "Private signal for {name}: a share may pay about {amount}.", name=name, amount=amount
                )
            case _:
                return ""

    def realised(self, event: Event, earlier: Iterable[Event]) -> str:
        """Return which condition holds; after declarations, with their sum, which decided it."""
        translate, data = self._translate, event.data
        condition = localized_role(data["condition"], translate)
        declared = next((other for other in earlier if other.type == DECLARATIONS), None)
        if declared is None:
            return translate("{condition} holds.", condition=condition)
        total = sum(plot["values"][data["winningCondition"]] for plot in declared.data["plots"])
        return translate(
            "{condition} holds: its declarations add up to {amount}.",
            condition=condition,
            amount=self._amount(total),
        )

    def _profit(self, event: Event) -> str:
        translate, profit = self._translate, event.data["profit"]
        amount, mine = self._amount(abs(profit)), self._seat in event.to
        if mine and profit < 0:
            return translate("You lost {amount} in the speculation.", amount=amount)
        if mine:
            return translate("You gained {amount} in the speculation.", amount=amount)
        name = self._name(event.to[0])
        if profit < 0:
            return translate("{name} lost {amount} in the speculation.", name=name, amount=amount)
        return translate("{name} gained {amount} in the speculation.", name=name, amount=amount)

    def _by_condition(self, values: Sequence[float]) -> str:
        """Return the amounts with the conditions under which they count: ``€400 (wet), €300 (dry)``."""
        translate = self._translate
        return ", ".join(
            translate(
                "{amount} ({condition})",
                amount=self._amount(value),
                condition=localized_role(name, translate),
            )
            for name, value in zip(conditions_of(self._game), values, strict=True)
        )

    def _signal(self, by_condition: Sequence[float]) -> str:
        # Every condition but the one that holds has 0.
        return self._amount(max(by_condition))

    def _amount(self, amount: float) -> str:
        return self._amounts.text(minor_of(self._game, amount))

    def _name(self, seat: Seat) -> str:
        return self._translate("You") if seat == self._seat else self._names.get(seat, seat)
