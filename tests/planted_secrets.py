"""Sessions with secrets of one seat, and a search for them on every way out to another seat."""

from __future__ import annotations

import json
import pickle
import re
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from negoplatform.agent_api.actions import Action
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.analysis.export_tables.export import Export, csv_bytes
from negoplatform.app.playback.playback import Playback
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.cli.render.transcript import replay_lines
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event
from negoplatform.core.fold import initial_state
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.session import ActionOrigin
from negoplatform.core.session_features import observation_of
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import NotInThisGame, Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.observer_export import encode_log, filter_log, observer_named
from negoplatform.eventlog.reader import SessionLog
from negoplatform.testing import TrialTable
from tests.agent_api.test_hostile_plugin import walk
from tests.eventlog.logs import AT, SESSION_ID, header_for
from tests.hosting.ledger import Ledger

OWNER, SPY, FRIEND = SEATS = ("owner", "spy", "friend")
"""The seat with secrets, the one that looks for them, and one that some of them are told."""

QUESTIONS: tuple[Callable[[AgentContext], object], ...] = (
    lambda ctx: ctx.state,
    lambda ctx: ctx.get_state(),
    lambda ctx: ctx.get_proposed_state_diff({"notes": {}}),
    lambda ctx: ctx.get_message_history(),
    lambda ctx: ctx.legal,
    lambda ctx: ctx.standing,
    lambda ctx: ctx.mechanism_state,
    lambda ctx: ctx.get_offer_history(),
    lambda ctx: ctx.board,
    lambda ctx: list(ctx.outcomes()),
    lambda ctx: ctx.trading,
    lambda ctx: ctx.market,
)
"""Questions of an agent to its context, in any kind of game."""


class KeepingAgent(NegotiationAgent):
    """Agent that stores everything it is given, and everything it can ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.handed: list[object] = []

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        self.handed += [ctx, event, *(_answer(ask, ctx) for ask in QUESTIONS)]
        return []


def _answer(ask: Callable[[AgentContext], object], ctx: AgentContext) -> object:
    try:
        return ask(ctx)
    except NotInThisGame as error:
        return str(error)


class PlantedSession:
    """Session in which every kind of secret was used, and the ways out of it for some observers.

    Args:
        game: The game.
        play: What happens in it.
        watchers: The observers, by the names of their views. The agent and the window are always the spy's.
    """

    def __init__(
        self,
        game: GameSpec,
        play: Callable[[PlantedSession], None],
        watchers: tuple[str, ...] = (SPY, "public"),
    ) -> None:
        self.watchers = watchers
        self.table = table = TrialTable(game, agents_may_fail=True, session_id=SESSION_ID)
        self.agent = KeepingAgent()
        table.seat(self.agent, SPY)
        self.window = LiveSession(
            SessionPlan(table.state.game, 1, SPY, "", SeatMap()), log=Ledger(), report=table.errors.append
        )
        table.subscribe(self.window._on_published)
        self.happenings: list[PublishedEvent] = []
        table.subscribe(self.happenings.append)
        table.start()
        play(self)
        table.wait(3)

    def act(self, seat: Seat, kind: str, payload: Any, *to: Seat) -> Event:
        """Do something."""
        return self.table.session.act(seat, kind, payload, ActionOrigin(to=to))

    def refused(self, seat: Seat, kind: str, payload: Any, *to: Seat) -> str:
        """Try something that is refused; return the sentence."""
        with pytest.raises(Refused) as refusal:
            self.act(seat, kind, payload, *to)
        return str(refusal.value)

    @property
    def observers(self) -> list[Observer]:
        """The observers."""
        return [observer_named(name, self.table.state.game) for name in self.watchers]

    @property
    def log(self) -> SessionLog:
        """Complete log, with the occupants of the seats."""
        events = tuple(self.table.events)
        return SessionLog(Path("log"), header_for(self.table.state.game), events, (AT,) * len(events))


class Secrets(NamedTuple):
    """Planted numbers, each of which 64 bits hold exactly, and words."""

    numbers: frozenset[float]
    words: tuple[str, ...]

    def found_in(self, *held: object) -> tuple[set[float], set[str]]:
        """Return the numbers and words found in objects: by walking them, and in their texts."""
        reached = list(walk(*held))
        numbers = {n for n in reached if isinstance(n, int | float) and not isinstance(n, bool)}
        blobs = b"\n".join(each for each in reached if isinstance(each, bytes))
        texts = [text for text in reached if isinstance(text, str)] + [repr(each) for each in held]
        text = "\n".join([*texts, blobs.decode("utf-8", "replace")])
        text += re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)  # for people: 7,001.25
        pickled = {n for n in self.numbers if struct.pack(">d", n) in blobs}
        # As a whole number: a part of an address in memory, which a repr may show, does not count.
        written = {float(n) for n in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?!\w|\.\d)", text)}
        found = {n for n in self.numbers if n in numbers or float(n) in written} | pickled
        return found, {word for word in self.words if word in text}


# The ways out: each yields everything that one party can reach


def from_handlers(party: PlantedSession) -> Iterable[object]:
    """Yield contexts and events given to an agent's handlers, and the context's parts as they are pickled."""
    ctx = next(each for each in reversed(party.agent.handed) if isinstance(each, AgentContext))
    yield from party.agent.handed
    yield pickle.dumps(ctx._view)
    yield json.dumps(ctx.get_state())


def from_the_window(party: PlantedSession) -> Iterable[object]:
    """Yield everything in the queue of the participant's window."""
    while not party.window.updates.empty():
        yield party.window.updates.get()


def from_views(party: PlantedSession) -> Iterable[object]:
    """Yield the views that the one filter returns, at every moment."""
    for observer in party.observers:
        views = [view_of(happening.state, observer) for happening in party.happenings]
        yield from views
        yield pickle.dumps(views[-1])


def from_exports(party: PlantedSession) -> Iterable[object]:
    """Yield logs for the observers, as values and as bytes."""
    for name in party.watchers:
        log = filter_log(party.log, name)
        yield from (log.header, log.events, encode_log(log))


def from_observations(party: PlantedSession) -> Iterable[object]:
    """Yield vectors for the observers, and for a principal that the game does not have."""
    requestors = [(observer.seat, observer.level) for observer in party.observers]
    for happening in party.happenings:
        for requestor, level in [*requestors, ("stranger", 2)]:
            seen = observation_of(happening.state, requestor, level, happening.state.t)
            yield from (seen, list(seen.vector()), seen.to_dict())


def from_replay(party: PlantedSession) -> Iterable[object]:
    """Yield the output of ``replay --view`` for every step, for the observers."""
    for name in party.watchers:
        yield from replay_lines(filter_log(party.log, name), step=True)


def from_tables(party: PlantedSession) -> Iterable[object]:
    """Yield the tables made from the logs of the observers."""
    for name in party.watchers:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "log.jsonl"
            file.write_bytes(encode_log(filter_log(party.log, name)))
            export = Export()
            export.add(file)
            yield from (csv_bytes(table) for table in export.tables())


def from_playback(party: PlantedSession) -> Iterable[object]:
    """Yield what the replay viewer shows of a complete log when it is switched to the observers."""
    game = party.log.header.game
    start = initial_state(game, mechanism_of(game.mechanism), party.log.header.session_id)
    playback = Playback(party.log, None, [start])
    for observer in party.observers:
        if observer not in playback.observers:
            continue  # a public view is not offered there
        yield playback.header_for(observer)
        for position in range(len(playback.events) + 1):
            yield playback.view_at(position, observer)
        yield [moment.event for moment in playback.observed_events(observer)]


WayOut = Callable[[PlantedSession], Iterable[object]]

WAYS_OUT: tuple[WayOut, ...] = (
    from_handlers,
    from_the_window,
    from_views,
    from_exports,
    from_observations,
    from_replay,
    from_tables,
    from_playback,
)
