"""Facts about the phases of a market, from the data at the start to the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from negoplatform.core.events import EndedBy, Ending, Event, EventType
from negoplatform.core.mechanisms.base import Fact, fact, game_end
from negoplatform.core.mechanisms.double_auction_state import (
    conditions_of,
    current_phase,
    double_auction_state,
    market_terms,
    period_of,
)
from negoplatform.core.mechanisms.market_books import gain, minor_of, number_of
from negoplatform.core.mechanisms.market_checks import all_have_decided, deciders
from negoplatform.core.mechanisms.market_order_facts import deleted, movement, order_facts
from negoplatform.core.mechanisms.market_terms import DRAWN_CONDITION, CarryOver
from negoplatform.core.mechanisms.phase_rules import START, resolved_facts
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat

SEATED, PHASE_TRANSITION, PERIOD_RESULT = "seated", "phase-transition", "period-result"
DECISIONS_MADE, CONDITION_REALISED = "decisions-made", "condition-realised"


def market_facts_behind(state: State, event: Event) -> tuple[Fact, ...]:
    """Return what follows from the start, an order, a cancellation, a decision or a seat's leaving."""
    match event.type:
        case EventType.GAME_START:
            seated = [_seated(state, seat) for seat in state.game.seats]
            return (*seated, *resolved_facts(state, START), *_begin_phase(state, 1))
        case "PLACE_ORDER":
            return tuple(order_facts(state, event))
        case "CANCEL_ORDER":
            return (deleted(event.payload.order_id),)
        case "DECIDE" if all_have_decided(state):
            return tuple(end_phase(state))
        case EventType.FORMAL_QUIT:
            return tuple(_after_leaving(state, event.sender))
        case _:
            return ()


def _seated(state: State, seat: Seat) -> Fact:
    """Return who is who, and what a seat begins with."""
    game, economy = state.game, economy_of(state.game)
    names = [game.names.get(each, each) for each in game.seats]
    endowment = economy.endowments[seat]
    units = dict(zip(economy.good_names, endowment.units, strict=True))
    wallet = [
        {
            "condition": condition,
            "balance": number_of(game, endowment.money),
            "shares": endowment.units[0],
            "units": units,
        }
        for condition in range(len(conditions_of(game)))
    ]
    number = game.seats.index(seat) + 1
    data = {
        "name": names[number - 1],
        "number": number,
        "players": [{"number": i, "name": name} for i, name in enumerate(names, start=1)],
        "wallet": wallet,
    }
    return fact(SEATED, data, to=(seat,))


def _after_leaving(state: State, leaver: Seat) -> Iterator[Fact]:
    """Yield what follows when a seat leaves: its orders go, and with the last pair the game ends."""
    market = double_auction_state(state)
    for order_id in market.own_orders[leaver]:
        yield deleted(order_id)
    if len(state.game.seats) - len(market.left) < 2:
        yield from _end_game(state, by=leaver)
    elif all_have_decided(state):
        yield from end_phase(state)


def _begin_phase(state: State, number: int) -> Iterator[Fact]:
    game, terms = state.game, market_terms(state.game)
    phase = terms.all_phases[number - 1]
    data = {
        "phase": number,
        "phase_name": phase.name,
        "period": period_of(game, number),
        "seconds": phase.seconds,
        "trade": phase.trade,
        "deciders": list(phase.by or game.seats) if phase.decide else [],
    }
    yield fact(PHASE_TRANSITION, data, text=_phase_text(game, number))


def _phase_text(game: GameSpec, number: int) -> str:
    """Return that a phase begins, for people."""
    terms = market_terms(game)
    phase = terms.all_phases[number - 1]
    if terms.phases:
        return f"{phase.title} begins."
    if not phase.trade:
        return "The market is closed for a break."
    return f"Period {period_of(game, number)} begins." if terms.periods.count > 1 else "The market opens."


def _endow(state: State) -> Iterator[Fact]:
    game, economy = state.game, economy_of(state.game)
    for seat, endowment in economy.endowments.items():
        for condition in range(len(conditions_of(game))):
            for good, units in enumerate(endowment.units):
                yield movement(game, seat, condition, good, endowment.money, units)


def end_phase(state: State) -> Iterator[Fact]:
    """Yield what follows at the end of a phase: orders go, decisions count, and the next one begins."""
    market, phase = double_auction_state(state), current_phase(state)
    terms = market_terms(state.game)
    assert phase is not None
    if phase.trade:
        for book in market.books:
            for order in book.orders:
                yield deleted(order.order_id)
        yield from _period_results(state)
    if phase.decide:
        decided = [seat for seat in deciders(state) if market.decision_of(seat, phase) is not None]
        yield fact(
            DECISIONS_MADE, {"phase_name": phase.name, "seats": decided}, text="The decisions are made."
        )
    ruled = resolved_facts(state, phase.name)
    yield from ruled
    if market.phase < len(terms.all_phases):
        yield from _begin_phase(state, market.phase + 1)
    else:
        yield from _end_game(state, known=any(each.type == CONDITION_REALISED for each in ruled))


def _period_results(state: State) -> Iterator[Fact]:
    """Yield each seat's gain in a trading period that ends; none where it depends on a condition."""
    market, terms = double_auction_state(state), market_terms(state.game)
    if terms.conditions:
        return
    reset = terms.periods.carry is CarryOver.RESET
    anew = reset and any(phase.trade for phase in terms.all_phases[market.phase :])
    for seat, account in market.accounts.items():
        total = gain(state, seat, account)
        if total is None:
            continue
        data = {
            "seat": seat,
            "period": period_of(state.game, market.phase),
            "total": total,
            "gain": number_of(state.game, minor_of(state.game, total) - account.earned) if reset else total,
            "begins_anew": anew,
        }
        yield fact(PERIOD_RESULT, data, to=(seat,))
    if anew:
        yield from _endow(state)


def _end_game(state: State, by: Seat | None = None, *, known: bool = False) -> Iterator[Fact]:
    """Yield the end of the game, after the condition that holds unless that is known already."""
    terms, economy = market_terms(state.game), economy_of(state.game)
    if terms.conditions and not known and not double_auction_state(state).realised:
        realised = terms.realised
        if realised == DRAWN_CONDITION:
            realised = Random(f"{economy.chance}/condition").choice(terms.conditions)
        data = {"condition": realised, "winningCondition": terms.conditions.index(realised)}
        yield fact(CONDITION_REALISED, data, text=f"{realised} holds.")
    yield game_end(Ending(EndedBy.COMPLETED, by=by))
