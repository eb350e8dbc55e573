"""Table with NegoChat or a relative as the candidate, and views of the candidate's actions."""

from __future__ import annotations

from typing import Any

from negoplatform.core.events import (
    Event,
    EventType,
    MessageSubtype,
)
from negoplatform.core.record.notes_and_tasks import get_state
from negoplatform.testing import TrialTable
from tests.agents.seating import load, of, shipped

FAMILY = ("negochat", "negochat_a", "kb_agent", "qo_agent")

ISSUES = {"salary", "job", "car", "pension", "promotion", "hours"}


def table_with(name: str = "negochat", *, seconds: float = 9.0, seed: int = 1, **config: Any) -> TrialTable:
    """Return a job candidate table after the opening; an agent is the candidate, a person the employer."""
    table = TrialTable(load("job_candidate").resolve_profiles(seed), seed=seed)
    table.seat(shipped(name, **config), "candidate")
    table.wait(seconds)
    return table


def offers(table: TrialTable) -> list[dict[str, Any]]:
    """Return the terms that the candidate sent, offer by offer."""
    return [dict(event.get_offer().terms) for event in of(table, EventType.SEND_OFFER, "candidate")]


def words(table: TrialTable) -> list[str]:
    """Return the texts of the candidate's messages."""
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "candidate")]


def last_words(table: TrialTable) -> Event:
    """Return the candidate's last message."""
    return of(table, EventType.SEND_MESSAGE, "candidate")[-1]


def accepts(table: TrialTable) -> list[Event]:
    """Return the candidate's formal accepts."""
    return of(table, EventType.FORMAL_ACCEPT, "candidate")


def says(table: TrialTable, subtype: MessageSubtype, text: str = "A phrase.", wait: float = 9.0) -> None:
    """Send a phrase of the employer, and give the candidate time to answer."""
    table.participant("employer").says(text, subtype)
    table.wait(wait)


def notes(table: TrialTable) -> dict[str, Any]:
    """Return the candidate's notes."""
    noted: dict[str, Any] = get_state(table.state.record)["notes"]["candidate"]
    return noted


def whole(**changes: str) -> dict[str, str]:
    """Return a complete offer: the best for the candidate, with changes."""
    best = {
        "salary": "120,000 USD",
        "job": "Project manager",
        "car": "With leased car",
        "pension": "20%",
        "promotion": "Fast promotion track",
        "hours": "8 hours",
    }
    return best | changes


def from_agent(table: TrialTable) -> list[str]:
    return [event.get_text() for event in of(table, EventType.SEND_MESSAGE, "agent")]
