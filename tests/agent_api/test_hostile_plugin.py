"""Plugin that searches every object that it is given."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from enum import Enum
from random import Random
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import EventBus
from negoplatform.core.events import Event, Expression
from negoplatform.core.scheduler import Scheduler, TimerHandle
from negoplatform.core.session import Session
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.games import load_game
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import Scripted, TrialTable
from tests.games import COINS, COLOURS, make_game, three_seats

pytestmark = pytest.mark.timeout(30)

WAY_BACK = (
    Session,
    Scheduler,
    TimerHandle,
    SessionRunner,
    TrialTable,
    EventBus,
    AgentHost,
    AgentRunner,
    LogWriter,
    GameSpec,
)
"""Types that only the table may hold; GameSpec is checked more closely below."""

ATOMS = (str, bytes, int, float, bool, type(None), Enum)

SECRET = 7919
"""Number of points that occurs only in the other side's preferences."""


def walk(*roots: object) -> Iterator[object]:
    """Yield everything that attributes, slots, closures, bound methods and containers lead to.

    Modules, classes and a function's globals are left out: every Python program can import those.
    """
    seen: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, type | types.ModuleType):
            continue
        seen[id(found)] = found  # held, so that no two objects have one id
        yield found
        if not isinstance(found, ATOMS):
            waiting.extend(neighbours(found))


def neighbours(found: object) -> Iterator[object]:
    if isinstance(found, Mapping):
        yield from found.keys()
        yield from found.values()
    elif isinstance(found, list | tuple | set | frozenset):
        yield from found
    if isinstance(found, types.FunctionType):
        yield from (cell.cell_contents for cell in found.__closure__ or ())
        yield from found.__defaults__ or ()
        yield from (found.__kwdefaults__ or {}).values()
    elif isinstance(found, types.MethodType | types.BuiltinMethodType | types.MethodWrapperType):
        yield found.__self__
        yield getattr(found, "__func__", None)
        return
    if isinstance(found, types.GeneratorType):
        yield from found.gi_frame.f_locals.values() if found.gi_frame else ()
    for name in (*dir(found), *getattr(found, "__dict__", {})):
        if name.startswith("__") and (name != "__dict__" or isinstance(found, types.FunctionType)):
            continue
        if name == "_field_defaults":
            continue  # kept by a named tuple's class for people to read; nothing is made from it
        try:
            yield getattr(found, name)
        except Exception:  # noqa: BLE001 - a property may raise what it likes
            continue


class Spy(NegotiationAgent):
    """Agent that stores every context and event that it is given, callbacks' contexts included."""

    def __init__(self) -> None:
        super().__init__()
        self.handed: list[object] = []

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.handed += [ctx, event, ctx.outcomes(), ctx.get_offer_history(), ctx.get_message_history()]
        return [Schedule(100, self.handed.append)]


def spied(game: GameSpec, seat: str = "agent") -> tuple[TrialTable, Spy]:
    """Return a session in which an event of every kind happens, and the spy in one seat."""
    table = TrialTable(game)
    spy = Spy()
    table.seat(spy, seat)
    other = table.participant(next(name for name in game.seats if name != seat))
    table.wait(6)
    other.says("Hello.")
    other.shows(Expression.HAPPY)
    other.drafts()
    other.types()
    other.offers(next(game.outcomes()))
    other.accepts()
    table.wait(1)
    table.participant(seat).offers(next(game.outcomes()))
    other.quits()
    table.wait(1)
    return table, spy


@pytest.fixture(scope="module")
def everything() -> tuple[TrialTable, list[object]]:
    """Table, and all that a spy in the human's seat of resource_exchange gets; the agent's side is hidden."""
    table, spy = spied(load_game(bundled("games") / "resource_exchange.json"), "human")
    assert len(spy.handed) > 20
    return table, list(walk(*spy.handed))


def test_the_walk_goes_where_a_spy_would_go() -> None:
    inner = object()
    holder = types.SimpleNamespace(inner=inner)

    assert inner in list(walk(holder))
    assert inner in list(walk([{"key": (inner,)}]))
    assert inner in list(walk(lambda: inner))
    assert inner in list(walk(lambda ready=inner: ready))
    assert holder in list(walk({"method": Offer().get, "more": types.MethodType(lambda self: 1, holder)}))
    assert "bananas" in list(walk(Offer({"bananas": "all"})))


def test_nothing_leads_back_to_the_session(everything: tuple[TrialTable, list[object]]) -> None:
    _, reached = everything

    found = {type(thing) for thing in reached if isinstance(thing, WAY_BACK)}

    assert found == {GameSpec}


def test_every_game_that_is_reached_lacks_the_other_sides_preferences(
    everything: tuple[TrialTable, list[object]],
) -> None:
    _, reached = everything

    games = [thing for thing in reached if isinstance(thing, GameSpec)]

    assert games
    assert all(set(game.preferences) == {"human"} for game in games)
    assert all(set(game.stories) <= {"human"} for game in games)


def test_the_hidden_preferences_are_reached_by_no_path(everything: tuple[TrialTable, list[object]]) -> None:
    table, reached = everything
    hidden = table.state.game.preferences["agent"]
    secret = [hidden, hidden.utility, *walk_values(hidden.utility)]

    ids = {id(thing) for thing in reached}

    assert not [thing for thing in secret if id(thing) in ids]


def walk_values(utility: Any) -> list[object]:
    return [utility.tables, *utility.tables.values()]


def test_no_number_of_the_other_sides_tables_is_reached() -> None:
    secret = {
        "red": {
            "coins": [SECRET + units for units in range(5)],
            "colour": dict.fromkeys(("red", "green", "blue"), 0),
        },
    }
    open_ = {"coins": [0, 1, 2, 3, 4], "colour": dict.fromkeys(("red", "green", "blue"), 1)}
    game = make_game({**secret, "green": open_, "blue": open_}, issues=(COINS, COLOURS), reservation=1)
    _, spy = spied(game, "green")

    numbers = {thing for thing in walk(*spy.handed) if type(thing) in (int, float)}

    assert numbers
    assert not numbers & {SECRET + units for units in range(5)}


def test_words_between_others_and_their_refusals_are_reached_by_no_path() -> None:
    game = three_seats()
    table, spy = TrialTable(game), Spy()
    table.seat(spy, "green")
    table.seat(Scripted(SendMessage("Between us two.", to=("blue",)), SendMessage("For all.")), "red")
    table.wait(2)
    with pytest.raises(Refused, match="no offer on the table"):
        table.participant("blue").accepts(1)
    table.wait(6)

    texts = {thing for thing in walk(*spy.handed) if isinstance(thing, str)}

    assert "For all." in texts
    assert "Between us two." not in texts
    assert not [text for text in texts if "no offer on the table" in text]


def test_a_number_that_may_be_seen_is_found_by_the_same_walk() -> None:
    tables = {"human": {"coins": [SECRET] * 5}, "agent": {"coins": [0] * 5}}
    _, spy = spied(make_game(tables, issues=(COINS,), visible=("human",)))

    assert SECRET in list(walk(*spy.handed))


def test_what_is_reached_and_can_be_changed_is_no_part_of_the_session(
    everything: tuple[TrialTable, list[object]],
) -> None:
    table, reached = everything
    held = {id(thing) for thing in walk(table.state)}

    mutable = [thing for thing in reached if isinstance(thing, list | dict | set | bytearray)]
    shared = [thing for thing in mutable if id(thing) in held]

    assert mutable, "the context hands out lists, as copies"
    assert not shared


def test_the_only_thing_with_a_life_of_its_own_is_the_seats_own_chance(
    everything: tuple[TrialTable, list[object]],
) -> None:
    _, reached = everything

    chances = {id(thing) for thing in reached if isinstance(thing, Random)}

    assert len(chances) == 1


def test_changing_what_the_context_hands_out_changes_nothing(game: GameSpec) -> None:
    table = TrialTable(game)
    table.human.offers(bananas=(1, 3))
    table.human.says("Hello.")
    before = table.state
    ctx = table.context("agent")

    ctx.issues.clear()
    ctx.get_offer_history().clear()
    ctx.get_offer_history()[0]["offer"] = None
    ctx.get_message_history()[0]["to"].append("nobody")

    assert table.state == before
    assert len(ctx.issues) == 4
    assert ctx.get_offer_history()[0]["offer"] == ctx.current_offer
    assert ctx.get_message_history()[0]["to"] == []


def test_a_context_stays_as_it_was_when_the_session_moves_on(table: TrialTable) -> None:
    table.human.offers(bananas=(1, 3))
    ctx = table.context("agent")

    table.human.offers(bananas=(4, 0))
    table.human.says("Better?")
    table.human.quits()

    assert ctx.current_offer.units("bananas", "human") == 1
    assert ctx.get_message_history() == []
    assert ctx.can_formally_accept() is False
    assert len(ctx.get_offer_history()) == 1


@pytest.mark.parametrize(
    "name", ["game", "seat", "current_offer", "elapsed_time", "rng", "_view", "_seat", "anything"]
)
def test_the_context_can_be_neither_set_nor_deleted(table: TrialTable, name: str) -> None:
    table.start()
    ctx = table.context("agent")

    with pytest.raises(AttributeError, match=f"The context is read-only; '{name}' cannot be set"):
        setattr(ctx, name, None)
    with pytest.raises(AttributeError, match=f"The context is read-only; '{name}' cannot be deleted"):
        delattr(ctx, name)


@pytest.mark.parametrize("path", ["game", "board", "current_offer", "game.rules", "game.preferences"])
def test_what_the_context_shows_cannot_be_set_either(table: TrialTable, path: str) -> None:
    table.human.offers(bananas=(1, 3))
    value: Any = table.context("agent")
    for name in path.split("."):
        value = getattr(value, name)

    with pytest.raises((AttributeError, TypeError)):
        value.anything = 1
    with pytest.raises((AttributeError, TypeError)):
        value._terms = ()
