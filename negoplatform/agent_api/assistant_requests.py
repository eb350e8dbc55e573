"""Requests to assistants: the events after which each kind is asked.

They follow from the log alone, so a resumed session and a rerun ask the same, and a log that says otherwise
is invalid. The order within one event:

===========================  =======================================================
event                        assistants, each answer committed before the next
===========================  =======================================================
GAME_START                   agenda
act that a person decided    agenda; then the agents get the event
any other act                insights, agenda
GAME_END                     agenda, debrief; then the participant gets the summary
===========================  =======================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.core.events import GAME_END, GAME_START, DecidedBy, Event, EventType
from negoplatform.core.immutable.frozen_json import canonical_json
from negoplatform.core.record.notes_and_tasks import Record, get_state
from negoplatform.core.record.notes_and_tasks_update_merge import deep_merge
from negoplatform.core.state import NEGOTIATING, State
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import PLATFORM

SIGNS = frozenset({EventType.TYPING, EventType.OFFER_IN_PROGRESS, EventType.STATE_PROPOSED})
"""Events of seats after which no assistant is asked: they change nothing that a plan is about."""


def asked_kinds(event: Event, state: State) -> tuple[AssistantKind, ...]:
    """Return the kinds of assistants that are asked after an event, in order; none after the end.

    Args:
        event: The event, with the experimenter's part: it says who decided an act.
        state: The state right after it.
    """
    if event.type == GAME_START:
        return (AssistantKind.AGENDA,)
    if event.type == GAME_END:
        return (AssistantKind.AGENDA, AssistantKind.DEBRIEF)
    if event.sender == PLATFORM or event.type in SIGNS or state.phase is not NEGOTIATING:
        return ()
    if event.decided_by is DecidedBy.HUMAN:
        return (AssistantKind.AGENDA,)
    return (AssistantKind.INSIGHTS, AssistantKind.AGENDA)


def changes_record(record: Record, updates: Mapping[str, Any]) -> bool:
    """Return whether updates would change a record; true for those that cannot even be merged."""
    present = get_state(record)
    try:
        return canonical_json(deep_merge(present, updates)) != canonical_json(present)
    except Refused:
        return True
