"""Sentences of a market for the page of rules and the help page, without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market_terms import CarryOver, Identities
from negoplatform.domain.game import GameSpec, Rules, economy_of
from negoplatform.domain.game_display_texts import names_role
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import localized_role, localized_text
from negoplatform.presentation.market.amounts import Amounts, NumberScale
from negoplatform.presentation.market.harberger_texts import harberger_rules, is_harberger
from negoplatform.presentation.table.who_sees_text import goods_sentences, sentences_about_principals
from negoplatform.presentation.table.work_presenter import USUAL_RULES, WorkHelp, WorkRules
from negoplatform.presentation.time_and_points_text import duration_text


def market_rules(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> WorkRules:
    """Return the sentences on the page of rules; ``game`` as visible to the seat."""
    terms = market_terms(game)
    trades = any(phase.trade for phase in terms.all_phases)
    decides = any(phase.decide for phase in terms.all_phases)
    return WorkRules(
        how=(
            *(_trading(game, translate) if trades else ()),
            *(_deciding(translate) if decides else ()),
            *(harberger_rules(game, seat, translate) if is_harberger(game) else ()),
        ),
        ends_when=_phases(game, translate),
        without=_gain(game, translate),
        who_sees=_who_sees(game, seat, names, translate),
        matters=_worths(game, seat, translate),
        has_own_clock=True,
        subtitle=market_subtitle(game, seat, translate),
        who_heading=translate("Who is in the market"),
        how_heading=translate("How you trade"),
    )


def market_subtitle(game: GameSpec, seat: Seat, translate: Language) -> str:
    """Return the number of the others and, in games with roles, the participant's role."""
    others = len(game.seats) - 1
    if not names_role(seat, game):
        return translate.plural(
            "You’re in a market with {n} other", "You’re in a market with {n} others", others
        )
    role = localized_role(seat, translate)  # within the next calls, its comma would hide the plural
    if role[-1:].isdigit():
        return translate.plural(
            "You’re {role}, in a market with {n} other",
            "You’re {role}, in a market with {n} others",
            others,
            role=role,
        )
    return translate.plural(
        "You’re the {role}, in a market with {n} other",
        "You’re the {role}, in a market with {n} others",
        others,
        role=role,
    )


def _trading(game: GameSpec, translate: Language) -> tuple[str, ...]:
    terms = market_terms(game)
    amounts = Amounts(economy_of(game).currency, translate)
    scale = NumberScale(terms.lowest, terms.highest, terms.tick, amounts.unit)
    limit = (
        translate("You can have one order in the book at a time.")
        if terms.orders_per_seat == 1
        else translate("You can have up to {n} orders in the books at a time.", n=terms.orders_per_seat)
    )
    if terms.order_lifetime_seconds is not None:
        time = duration_text(float(terms.order_lifetime_seconds), translate)
        limit += " " + translate("An order leaves the book by itself after {time}.", time=time)
    return (
        translate(
            "A bid is an order to buy, an ask is an order to sell. Every order names a price for one unit: "
            "{range}.",
            range=scale.range_text(translate),
        ),
        translate(
            "An order that meets one of the other side trades at once, at the price of the order that was "
            "there first. Otherwise it waits in the book until somebody meets it, or until you cancel it."
        ),
        limit,
    )


def _deciding(translate: Language) -> tuple[str, ...]:
    return (
        translate(
            "In some phases you decide something, all of you at the same time. You decide once; the phase "
            "ends when everyone has decided, or when its time is up."
        ),
    )


def _phases(game: GameSpec, translate: Language) -> tuple[str, ...]:
    terms = market_terms(game)
    if not terms.phases:
        periods = terms.periods
        time = duration_text(float(periods.seconds), translate)
        if periods.count == 1:
            return (translate("The market is open for {time}.", time=time),)
        anew = (
            translate("Each period begins with the same money and goods, and what you gain adds up.")
            if periods.carry is CarryOver.RESET
            else translate("You keep your money and goods from one period to the next.")
        )
        return (translate("There are {n} periods of {time} each.", n=periods.count, time=time) + " " + anew,)
    lines = [
        translate(
            "{n}. {name}, up to {time}. {text}",
            n=number,
            name=localized_text(phase.label, translate) or localized_role(phase.name, translate),
            time=duration_text(float(phase.seconds), translate),
            text=localized_text(phase.text, translate),
        ).strip()
        for number, phase in enumerate(terms.phases, start=1)
    ]
    return tuple(lines)


def _gain(game: GameSpec, translate: Language) -> tuple[str, ...]:
    conditions = market_terms(game).conditions
    gain = translate(
        "What you gain is what you have at the end, money and the worth of your units, less what you began "
        "with."
    )
    if not conditions:
        return (gain,)
    names = [localized_role(name, translate) for name in conditions]
    return (
        gain,
        translate(
            "One of these will hold: {names}. Until it is known, you have money and goods under each of "
            "them, and only those of the one that holds count in the end.",
            # No sentence has "or" for any number of names.
            names=" / ".join(names),
        ),
    )


def _who_sees(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    terms = market_terms(game)
    sentences = [
        *goods_sentences(game, seat, translate),
        translate("Everyone sees the orders in the book and the trades, and whose they are.")
        if terms.identities is Identities.SHOWN
        else translate("Everyone sees the orders in the book and the trades, but not whose they are."),
    ]
    if any(phase.decide for phase in terms.phases):
        sentences.append(
            # Rules of phases may announce what was decided; without them, nothing does.
            translate("Nobody sees what you decide before the phase is over.")
            if terms.rules
            else translate("Only you see what you decide.")
        )
    return (*sentences, *sentences_about_principals(game, seat, names, translate))


def _worths(game: GameSpec, seat: Seat, translate: Language) -> tuple[str, ...]:
    """Return what each unit is worth, where the game says so unit by unit."""
    economy = economy_of(game)
    worth, amounts = economy.worths.get(seat), Amounts(economy.currency, translate)
    by_good = getattr(worth, "by_good", ())
    lines = []
    for good, values in zip(economy.goods, by_good, strict=False):
        if any(values):
            each = ", ".join(amounts.text(value) for value in values)
            title = localized_text(good.title, translate)
            lines.append(translate("{good}, unit by unit: {worths}.", good=title, worths=each))
    return tuple(lines)


def market_help(translate: Language, *, several: bool = False, rules: Rules = USUAL_RULES) -> WorkHelp:  # noqa: ARG001 - as every game's
    """Return the sentences on the help page; ``rules``: the game's."""
    talks = rules.talk
    return WorkHelp(
        reading=(),
        places=(
            translate("At the top: the time left in this phase, and what you’ve gained so far."),
            translate(
                "On the left: who else is in the market; your money and goods; and what each unit is worth "
                "to you, with a tick at those you’ve traded."
            ),
            translate(
                "In the middle: the prices of all trades as a chart and as a list, your own ones marked; and "
                "the messages below."
            )
            if talks
            else translate(
                "In the middle: the prices of all trades as a chart and as a list, your own ones marked; and "
                "what has happened below."
            ),
            translate(
                "On the right: the order book, with the offers to sell above and the offers to buy below; "
                "your ticket for the next order; and your orders in the book."
            ),
        ),
        sections=(
            (
                translate("How you trade"),
                (
                    translate(
                        "Choose Buy or Sell, a price and a quantity. The ticket tells you what you’d gain, "
                        "and warns you of a loss. Clicking a price in the book puts it into the ticket and "
                        "does nothing else."
                    ),
                    translate(
                        "Place bid and Place ask put your order into the book; one that meets an order there "
                        "trades at once, at the price of that order, and the ticket says so before. Buy at "
                        "… and Sell at … trade at once, at the price on the button and never at a worse one: "
                        "if somebody was faster, nothing is traded. An order at a loss asks first."
                    ),
                    translate("The cross at one of your orders cancels it at once."),
                ),
            ),
            (
                translate("How you decide"),
                (
                    translate(
                        "In a phase with decisions a form takes the place of the book. What you’ve decided "
                        "stays; the others decide at the same time."
                    ),
                ),
            ),
        ),
        ends=(translate("The market ends by itself after the last phase. Then you see what you’ve gained."),),
        recorded=translate(
            "Everything is saved as it happens: orders, trades, decisions and messages. Drafts you don’t "
            "send are saved too. You’re identified by a code, not your name."
        )
        if talks
        else translate(
            "Everything is saved as it happens: orders, trades and decisions. Drafts you don’t send are "
            "saved too. You’re identified by a code, not your name."
        ),
        for_everyone=translate("Faces are always for everyone."),
        seen=translate(
            "The others see your orders and your messages, but not your money and your goods. Rules tells "
            "you whether they see who has placed an order, and what you decide."
        )
        if talks
        else translate(
            "The others see your orders, but not your money and your goods. Rules tells you whether they see "
            "who has placed an order, and what you decide."
        ),
        keys=(
            translate(
                "F4 goes to the ticket. In it: B to buy, S to sell; ↑ and ↓ change a number by one step, "
                "Page Up and Page Down by ten; Enter places the order, and Ctrl+Enter trades at once."
            ),
            translate(
                "In the book: ↑ and ↓ choose a price, Enter puts it into the ticket, and Delete cancels your "
                "order at it."
            ),
        ),
    )
