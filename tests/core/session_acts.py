"""Actions tried at a session under test: valid and invalid messages, offers and changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from negoplatform.core.events import DecidedBy, Message, MessageSubtype, Preference, Relation
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import PLATFORM, Seat

SEATS = st.sampled_from([*range(3)] * 5 + [7, 8])
"""Numbers of the seats that act; now and then one that is not at the table."""

ORIGINS = st.builds(
    ActionOrigin,
    decided_by=st.sampled_from([by for by in DecidedBy if by is not DecidedBy.PRINCIPAL]),
    cause=st.sampled_from([None, 1]),
    decided_at=st.sampled_from([None, 0.0]),
    to=st.just(()),
)

MESSAGES = [
    (Message("Hello"), True),
    (Message("two\nlines \ud800 \x00", MessageSubtype.GREETING), True),
    (Message("Sunday!", MessageSubtype.PREF_INFO, Preference("day", Relation.BEST)), True),
    (Message("I need 3.", MessageSubtype.BATNA_INFO, batna=2.5), True),
    (Message(" \n", MessageSubtype.GENERIC_POS), False),
    (Message("x" * 4001), False),
    (Message("Gold?", MessageSubtype.PREF_REQUEST, Preference("gold", Relation.LESS, "day", True)), False),
    (Message("I need a lot.", MessageSubtype.BATNA_INFO, batna=float("inf")), False),
]
"""Messages, and whether they are valid."""


def crates(*units: int, undecided: int = 0) -> Callable[[tuple[Seat, ...]], Allocation]:
    return lambda seats: Allocation(dict(zip(seats, units, strict=False)), undecided)


TERMS: list[tuple[dict[str, Any], bool]] = [
    ({"crates": crates(1, 1), "day": "Sunday", "price": 1.5}, True),
    ({"crates": crates(0, 2), "day": "Friday", "price": 2}, True),
    ({"crates": crates(1, 1, undecided=0), "day": "Sunday", "price": 1}, True),
    ({"crates": crates(1, 0, undecided=1), "day": "Sunday", "price": 1}, True),
    ({"crates": crates(2, 0)}, True),
    ({"price": 2}, True),
    ({}, False),
    ({"crates": crates(2, 1)}, False),
    ({"crates": "all"}, False),
    ({"day": "Monday"}, False),
    ({"day": 2}, False),
    ({"price": 1.7}, False),
    ({"price": "2"}, False),
    ({"price": 3}, False),
    ({"gold": "x", "day": "Sunday"}, False),
]
"""Terms of offers, and whether they fit the game."""

TASK: dict[str, Any] = {"timestamp": 0.5, "intent": "propose", "status": "pending", "metadata": {}}


def commanded(seat: Seat) -> Seat:
    """Return a seat that the principal may command: its host gives no command to another one."""
    return "agent" if seat == "cook" else seat


CHANGES: list[Callable[[Seat], dict[str, Any]]] = [
    lambda seat: {"notes": {seat: {"mine": f"the note of {seat}"}}},
    lambda seat: {"notes": {seat: {"mine": None, "more": {"$append": [1]}}}},
    lambda seat: {"tasks": [{**TASK, "task_id": f"task of {seat}", "agent_origin": seat}]},
    lambda seat: {"tasks": [{"task_id": f"task of {seat}", "status": "done"}]},
    lambda seat: {"tasks": [{**TASK, "task_id": f"bad task of {seat}", "status": "nearly"}]},
    lambda seat: {"annotations": {"coach": {"seen": "a bluff", "next": "the day"}}},
    lambda seat: {"commands": {"head": {"1": {"to": commanded(seat), "mandate": {"budget": 5}}}}},
    lambda seat: {
        "commands": {
            "head": {
                "2": {"to": "agent", "info": {"mood": "calm"}},
                "3": {"to": commanded(seat), "mandate": {"budget": 4}, "replace_pending": True},
            }
        }
    },
    lambda seat: {"tasks": [{**TASK, "task_id": "task of coach", "agent_origin": "coach"}]},
    lambda seat: {"commands": {"do": "smile"}},
    lambda seat: {"deal": {"day": "Sunday"}},
    lambda seat: {"participant": {"age": 30}, "nonsense": {}},
    lambda seat: {"tasks": [{"task_id": "event-4", "status": "done", "metadata": {"by": seat}}]},
    lambda seat: {"participant": {"demographics": {seat: 30}, "public": {seat: "a student"}}},
    lambda seat: {},
]
"""Changes of the record, proposed for a seat."""

MAY_CHANGE = {
    ProposerKind.SEAT: {"notes", "tasks"},
    ProposerKind.ASSISTANT: {"annotations", "tasks"},
    ProposerKind.WIZARD: {"commands"},
    ProposerKind.PRINCIPAL: {"commands"},
}
"""Parts of the record that each kind of proposer may change, by the contract."""


PROPOSERS = [
    lambda seat: Proposer(ProposerKind.SEAT, seat),
    lambda seat: Proposer(ProposerKind.ASSISTANT, "coach"),
    lambda seat: Proposer(ProposerKind.WIZARD, "wizard"),
    lambda seat: Proposer(ProposerKind.PLATFORM, PLATFORM),
    lambda seat: Proposer(ProposerKind.PRINCIPAL, "head"),
]


def any_of(choices: Sequence[object]) -> st.SearchStrategy[int]:
    """Return a strategy for a choice's number, more readable in a failure; early ones come more often."""
    return st.sampled_from([*range(len(choices)), *range(len(choices) // 2), *range(4), *range(4)])


NOW_AND_THEN = st.sampled_from([False] * 9 + [True])
"""Strategy for actions that leave little to do afterwards: rarely true."""
