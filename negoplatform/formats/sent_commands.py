"""Commands with actions, as an event of a log gives them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import Action, MechanismAction, ProposeChange, Schedule
from negoplatform.agent_api.principal import INSTRUCTIONS, Instruct, Instruction, SendInfo
from negoplatform.core.events import GAME_END, Event, EventType
from negoplatform.core.record.commands import check_command
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_actions import dump_step, load_step

MOST_WAITING_COMMANDS = 100
"""Commands that may wait for one name; later ones are dropped."""

UNANSWERED_TYPES = frozenset({EventType.STATE_PROPOSED, EventType.ACTION_REFUSED, GAME_END})
"""Types of event about which an agent is asked, and which are no turns: no command is taken at one."""


class SentCommand(NamedTuple):
    """Command with actions.

    Args:
        principal: Its giver.
        number: Its number among those of its giver.
        seq: The number of its STATE_PROPOSED.
        to: The seat or the principal that takes it.
        forms: The actions, JSON values: of a seat, or commands that a principal gives in turn.
        replace_pending: Whether the earlier ones that still wait are dropped.
    """

    principal: str
    number: str
    seq: int
    to: str
    forms: tuple[Mapping[str, Any], ...]
    replace_pending: bool


class WaitingCommands:
    """Commands that wait for one name, oldest first, at most `MOST_WAITING_COMMANDS` of them.

    Args:
        waiting: Those that wait at first.
    """

    def __init__(self, waiting: Iterable[SentCommand] = ()) -> None:
        self._waiting = deque(waiting)

    def __iter__(self) -> Iterator[SentCommand]:
        return iter(self._waiting)

    def add(self, command: SentCommand) -> None:
        """Add a command, after those that it replaces are dropped; without actions, it only replaces them."""
        if command.replace_pending:
            self._waiting.clear()
        if command.forms and len(self._waiting) < MOST_WAITING_COMMANDS:
            self._waiting.append(command)

    def take(self) -> SentCommand | None:
        """Take the oldest command; None: none waits."""
        return self._waiting.popleft() if self._waiting else None


def sent_commands(event: Event, game: GameSpec) -> list[SentCommand]:
    """Return the commands with actions that an event gives to names directly below its principal.

    A log may hold anything: what is no command that could have been given is left out.

    Args:
        event: The event, as the session has recorded it.
        game: The game.
    """
    proposal = event.payload
    if not isinstance(proposal, StateProposal) or not proposal.accepted:
        return []
    giver = proposal.proposer
    if giver.kind is not ProposerKind.PRINCIPAL or giver.name not in game.principals:
        return []
    given = proposal.updates.to_dict().get("commands")
    own = given.get(giver.name) if isinstance(given, dict) else None
    found = []
    for number, form in (own if isinstance(own, dict) else {}).items():
        try:
            check_given(form, giver.name, game)
        except NegoError:
            continue
        if form.get("actions") or form.get("replace_pending"):
            replaces = form.get("replace_pending") is True
            forms = tuple(form.get("actions", ()))
            found.append(SentCommand(giver.name, number, event.seq, form["to"], forms, replaces))
    return found


def check_given(form: Any, principal: str, game: GameSpec) -> None:
    """Check a command with its actions: those of a seat, or commands that a principal below gives in turn.

    Raises:
        NegoError: If the principal cannot give it; a sentence.
    """
    check_command(form, game.principals[principal].over)
    to, forms = form["to"], form.get("actions", [])
    if to not in game.principals:
        command_actions(forms)
        return
    for inner in forms:
        check_given(inner, to, game)


def dump_instruction(instruction: Instruction) -> dict[str, Any]:
    """Return an instruction of a principal as a command, JSON values."""
    if isinstance(instruction, Instruct):
        info = {"info": {"text": instruction.text}} if instruction.text else {}
        mandate = {"mandate": dict(instruction.mandate)} if instruction.mandate or not info else {}
        return {"to": instruction.to, **mandate, **info}
    if isinstance(instruction, SendInfo):
        return {"to": instruction.to, "info": dict(instruction.data)}
    replaces = {"replace_pending": True} if instruction.replace_pending else {}
    return {"to": instruction.to, "actions": [*map(_dump_commanded, instruction.actions)], **replaces}


def _dump_commanded(action: Any) -> dict[str, Any]:
    if isinstance(action, INSTRUCTIONS):
        return dump_instruction(action)
    return dump_step(action.as_act() if isinstance(action, MechanismAction) else action)


def command_actions(forms: Iterable[Any]) -> tuple[Action, ...]:
    """Return the actions of a command for a seat.

    Raises:
        NegoError: If one is nothing that a seat can be commanded to do; a sentence.
    """
    actions: list[Action] = []
    for form in forms:
        try:
            action = load_step(form)
        except (ValueError, TypeError, AttributeError, NegoError) as error:
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise NegoError(f"A command has what is no action of a seat ({first:.200}).") from None
        if isinstance(action, ProposeChange | Schedule):
            raise NegoError(f"A command performs acts, and {type(action).__name__} is none.")
        actions.append(action)
    return tuple(actions)
