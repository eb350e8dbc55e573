"""Chain of command: the commands that are addressed to a name, and the order in which it takes them.

A principal writes only to the record: a command is an accepted STATE_PROPOSED of its own. Those with actions
wait in the broker for the next turn of the seat, whose host takes one a turn, oldest first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, cast

from negoplatform.agent_api.actions import Action, MechanismAct
from negoplatform.core.broker import (
    AddressedMessage,
    ChannelManager,
    InMemoryBroker,
    MessageBroker,
    MessageType,
)
from negoplatform.core.events import Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.bargaining import BargainingState, turn_of
from negoplatform.core.session import Session
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.core.visibility import View
from negoplatform.core.visibility_rule import SYSTEM_LEVEL
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.formats.agent_actions import checked_act
from negoplatform.formats.sent_commands import (
    UNANSWERED_TYPES,
    SentCommand,
    WaitingCommands,
    command_actions,
    sent_commands,
)
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, ScriptStep


class Chain:
    """Chain of command: who is above whom, from the system (3) down to the seats (1).

    Args:
        below: The names directly below each name that has some.
    """

    def __init__(self, below: Mapping[str, tuple[str, ...]]) -> None:
        self.below = dict(below)
        self.upstream = {member: above for above, members in below.items() for member in members}
        """The name directly above each name that has one."""

    @classmethod
    def of(cls, game: GameSpec) -> Chain:
        """Return the chain of a game; the system is above all names that have no principal."""
        below = {name: spec.over for name, spec in game.principals.items()}
        commanded = {member for members in below.values() for member in members}
        top = tuple(name for name in (*game.principals, *game.seats) if name not in commanded)
        return cls({SYSTEM: top, **below})

    @property
    def levels(self) -> dict[str, int]:
        """The level of every name: 1 for a seat, 2 or 3 for a principal, 3 for the system."""
        names = dict.fromkeys((*self.below, *self.upstream))
        return {name: SYSTEM_LEVEL if name == SYSTEM else self._height(name) for name in names}

    def layer(self, flat: Mapping[str, Any]) -> dict[str, Any]:
        """Return actions by name as the tree of this chain; see :func:`layer_actions`."""
        return layer_actions(flat, self.below)

    def _height(self, name: str) -> int:
        return 1 + max((self._height(member) for member in self.below.get(name, ())), default=0)


def layer_actions(
    flat: Mapping[str, Any], tree: Mapping[str, tuple[str, ...]], root: str | None = None
) -> dict[str, Any]:
    """Return actions by name as a tree: ``{"self": …, "subordinates": {name: {…}}}``.

    Args:
        flat: The actions by name; a name without one has None.
        tree: The names directly below each name.
        root: The name at the top; the only one that is below no other, unless given.

    Raises:
        NegoError: If the tree has no single top or a loop, or an action is of a name that is not in it.
    """
    members = {member for below in tree.values() for member in below}
    tops = [name for name in tree if name not in members] if root is None else [root]
    if len(tops) != 1:
        raise NegoError(f"A chain of command has one top, and here are {len(tops)}.")
    seen: set[str] = set()

    def layer(name: str) -> dict[str, Any]:
        if name in seen:
            raise NegoError(f"{name!r} is in the chain of command twice.")
        seen.add(name)
        return {"self": flat.get(name), "subordinates": {one: layer(one) for one in tree.get(name, ())}}

    layered = layer(tops[0])
    if strange := [name for name in flat if name not in seen]:
        raise NegoError(f"{strange[0]!r} is nowhere in the chain of command.")
    return layered


class CommandSender:
    """Sender of a session's commands: it puts those of the log into the channels of their recipients.

    Args:
        game: The game.
        broker: The broker.
        env_id: The session's id.
    """

    def __init__(self, game: GameSpec, broker: MessageBroker, env_id: str) -> None:
        self._game = game
        self._broker = broker
        self._env_id = env_id

    def send_commands(self, event: Event) -> None:
        """Send the commands of an event; one that finds its channel full is lost."""
        for command in sent_commands(event, self._game):
            channel = ChannelManager.action_channel(command.principal, command.to, self._env_id)
            payload = {
                "action": list(command.forms),
                "number": command.number,
                "seq": command.seq,
                "replace_pending": command.replace_pending,
            }
            message = AddressedMessage(
                MessageType.ACTION, command.principal, command.to, payload, event.t, self._env_id
            )
            with suppress(NegoError):
                self._broker.publish(channel, message)


class Upstream:
    """Commands that wait for one name, from the principal directly above it.

    Args:
        name: The seat or the principal.
        upstream: The name of the principal above it; None: there is none, so no command ever waits.
        broker: The broker.
        env_id: The session's id.
    """

    def __init__(self, name: str, upstream: str | None, broker: MessageBroker, env_id: str) -> None:
        self._name = name
        self._upstream = upstream
        self._broker = broker
        self._env_id = env_id
        self._waiting = WaitingCommands()

    def receive_upstream_actions(self) -> list[SentCommand]:
        """Take what has arrived out of the broker; return all commands that wait, oldest first."""
        if self._upstream is None:
            return []
        channel = ChannelManager.action_channel(self._upstream, self._name, self._env_id)
        for message in self._broker.consume(channel, self._name, self._env_id):
            held = message.payload
            forms = tuple(held["action"])
            self._waiting.add(
                SentCommand(
                    message.sender_id,
                    held["number"],
                    held["seq"],
                    self._name,
                    forms,
                    held["replace_pending"],
                )
            )
        return list(self._waiting)

    def take(self) -> SentCommand | None:
        """Take the oldest command that waits; None: there is none, so the own decision counts."""
        self.receive_upstream_actions()
        return self._waiting.take()

    def restore(self, waiting: Iterable[SentCommand]) -> None:
        """Continue with the commands that waited when a session was interrupted."""
        self._waiting = WaitingCommands(waiting)


class LoggedUpstream:
    """Commands that wait for one name, as the events of a log give them.

    Args:
        name: The seat or the principal.
        game: The game.
    """

    def __init__(self, name: str, game: GameSpec) -> None:
        broker = InMemoryBroker()
        self._sender = CommandSender(game, broker, "log")
        self._upstream = Upstream(name, game.upstream_of(name), broker, "log")
        self.unnoted: list[tuple[int, SentCommand]] = []
        """The commands that were taken, each at the event with a number, and of which no note came."""

    def follow(self, event: Event) -> None:
        """Take the commands of the next event into account."""
        self._sender.send_commands(event)
        self._upstream.receive_upstream_actions()

    def take(self, cause: int) -> SentCommand | None:
        """Take the oldest command that waits, as it was taken then at the event with a number."""
        command = self._upstream.take()
        if command is not None:
            self.unnoted.append((cause, command))
        return command

    def match_note(self, data: Mapping[str, Any]) -> bool:
        """Match a note that the log has of a command that was taken; return whether it was taken."""
        for place, (_, command) in enumerate(self.unnoted):
            if (command.principal, command.number) == (data.get("principal"), data.get("number")):
                del self.unnoted[place]
                return True
        return False

    @property
    def waiting(self) -> list[SentCommand]:
        """The commands that wait, oldest first."""
        return self._upstream.receive_upstream_actions()


def note_taken(session: Session, name: str, cause: int, command: SentCommand) -> None:
    """Note that a name has taken a command, at the event with a number."""
    session.note(NoteKind.COMMAND_TAKEN, cause, seat=name, principal=command.principal, number=command.number)


def is_turn(kind: str, state: State, seat: Seat) -> bool:
    """Return whether a seat takes a command at an event about which its agent would be asked.

    Args:
        kind: The type of the event.
        state: The state after it.
        seat: The seat.
    """
    if kind in UNANSWERED_TYPES or state.phase is not NEGOTIATING:
        return False
    if not isinstance(state.mechanism_state, BargainingState):
        return True
    return turn_of(state) in (None, seat)


def command_response(command: SentCommand, view: View, event: Event) -> AgentResponse:
    """Return the acts of a command as if they were the response to the event at which it is taken."""
    try:
        steps = command_actions(command.forms)
    except NegoError:
        steps = ()  # only in a log that no session has written
    return AgentResponse(AgentRequest(view, event.t, event), steps=tuple(map(_as_step, steps)))


def _as_step(action: Action) -> ScriptStep:
    step: Any = checked_act(action) if isinstance(action, MechanismAct) else action
    return cast("ScriptStep", step)
