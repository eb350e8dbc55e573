"""Random sessions in which every possible action occurs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from random import Random
from typing import Any

from negoplatform.core.events import (
    DecidedBy,
    EndedBy,
    Expression,
    Message,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.testing import TrialTable
from tests.proposers import issued

TASK = {"timestamp": 0.5, "intent": "propose", "status": "pending", "metadata": {}}


def walk(table: TrialTable, steps: int, rng: Random) -> None:
    """Act at random at a table; refusals are part of it."""
    seats = table.state.game.seats
    acts: tuple[Callable[[TrialTable, Seat, Random], object], ...] = (
        says,
        says,
        whispers,
        offers,
        offers,
        offers,
        accepts,
        shows,
        types,
        drafts,
        notes,
        other_notes,
    )
    if table.state.game.principals:
        acts = (*acts, commands)
    table.start()
    for _ in range(steps):
        act: Callable[[TrialTable, Seat, Random], object] = rng.choice((*acts, fails, waits))
        with contextlib.suppress(Refused):
            act(table, rng.choice(seats), rng)
    with contextlib.suppress(Refused):
        table.session.end(EndedBy.ABORTED, "That was long enough.")
    for seat in seats:
        with contextlib.suppress(Refused):
            says(table, seat, rng)
    table.wait(10)


def says(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Say something, with emoji, and a preference at times."""
    issue = table.state.game.issues[0].name
    stated = Preference(issue, rng.choice([Relation.BEST, Relation.WORST])) if rng.random() < 0.3 else None
    origin = ActionOrigin(rng.choice(list(DecidedBy)), cause=1, decided_at=0.0)
    text = rng.choice(["Hello", "¿Qué tal? 🙂", "שלום", 'a "quote"\nand \ud800 a line', " "])
    batna = rng.choice([None, 3, 2.5])
    message = Message(text, rng.choice(list(MessageSubtype)), stated, batna)
    table.session.send_message(seat, message, origin)


def whispers(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Send a message to one other seat."""
    to = (rng.choice(table.state.game.others(seat)),)
    table.session.send_message(seat, Message(f"Only for {to[0]}: {rng.random()}"), ActionOrigin(to=to))


def offers(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Make any offer, complete or partial."""
    outcomes = table.state.game.outcomes()
    chosen = Offer()
    for _ in range(rng.randrange(1, 60)):
        chosen = next(outcomes, chosen)
    terms = [term for term in chosen.terms if rng.random() < 0.9]
    table.session.send_offer(seat, Offer(terms))


def accepts(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Accept the offer on the table, seldom, or another one."""
    on_table = table.context(seat).current_offer_id or 0
    table.session.formal_accept(seat, on_table if rng.random() < 0.2 else 999)


def shows(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Show an emotion."""
    table.session.send_expression(seat, rng.choice(list(Expression)), rng.randrange(700_000))


def types(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Show that a message is being typed."""
    table.session.show_typing(seat, rng.randrange(3000))


def drafts(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Build an offer."""
    draft = next(table.state.game.outcomes()) if table.state.game.rules.share_drafts else None
    table.session.offer_in_progress(seat, draft)


def notes(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Keep a private note, and a task."""
    proposer = Proposer(ProposerKind.SEAT, seat)
    changes: list[dict[str, Any]] = [
        {"notes": {seat: {"mood": rng.random(), "list": [1, None, "x"]}}},
        {"notes": {seat: {"mood": None}}},
        {"tasks": [{**TASK, "task_id": f"task of {seat}", "agent_origin": seat}]},
        {"notes": {"nobody": {}}},
    ]
    table.session.propose_change(
        issued(table.session, proposer), rng.choice(changes), rng.choice([table.state.record.version, 0])
    )


def other_notes(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Have the other side keep a note about a seat."""
    proposer = rng.choice(
        [Proposer(ProposerKind.ASSISTANT, "assistant"), Proposer(ProposerKind.PLATFORM, "platform")]
    )
    changes: list[dict[str, Any]] = [
        {"annotations": {"assistant": {"seen": rng.random()}}},
        {"tasks": [{**TASK, "task_id": f"for {seat}", "agent_origin": seat}]},
        {"notes": {seat: {"told": rng.random()}}},
        {"deal": {"x": 1}},
    ]
    table.session.propose_change(
        issued(table.session, proposer), rng.choice(changes), table.state.record.version
    )


def commands(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Give a seat a command, if the game has a principal, and let its coach write something."""
    game = table.state.game
    for name in game.principals:
        given = {str(rng.randrange(100)): {"to": rng.choice([seat, "head"]), "info": {"mood": rng.random()}}}
        proposer = issued(table.session, Proposer(ProposerKind.PRINCIPAL, name))
        table.session.propose_change(proposer, {"commands": {name: given}}, table.state.record.version)
    for name in game.assistants:
        advice = {"annotations": {name: {"next": rng.random()}}, "tasks": [a_task_of(name)]}
        proposer = issued(table.session, Proposer(ProposerKind.ASSISTANT, name))
        table.session.propose_change(proposer, advice, table.state.record.version)


def a_task_of(name: str) -> dict[str, Any]:
    """Return a task of an assistant."""
    return {**TASK, "task_id": f"task of {name}", "agent_origin": name}


def fails(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Record an event that no seat may see."""
    table.session.note(NoteKind.WARNING_SHOWN, about="something", figure=rng.random())
    if rng.random() < 0.2:
        table.session.record_agent_failure(seat, "It stumbled.")


def waits(table: TrialTable, seat: Seat, rng: Random) -> None:
    """Let time pass: ticks, announcements, the deadline."""
    table.wait(rng.choice([0.0, 0.4, 6.0, 50.0]))
