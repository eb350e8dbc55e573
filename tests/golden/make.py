"""Generator of a golden log and its transcript: ``python -m tests.golden.make``.

Only for a new version of the log format. The old files, which stay next to the new ones, are never written
again: they show that a recorded log can be read for ever.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from negoplatform.agent_api.actions import FormalAccept, SendExpression, SendMessage, SendOffer
from negoplatform.cli.render.transcript import replay_lines
from negoplatform.core.events import DecidedBy, Expression, Message, MessageSubtype, Preference, Relation
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.testing import Scripted, TrialTable
from tests.proposers import issued

GOLDEN = Path(__file__).parent
DEAL = Offer({"apples": Allocation({"human": 4, "agent": 2}), "day": "Sunday"})


def play(table: TrialTable, meanwhile: Callable[[TrialTable], None] = lambda _: None) -> None:
    """Play a short talk with a deal."""
    table.seat(
        Scripted(
            SendMessage(
                "Hello, I’m Robin. Shall we begin with the day?", MessageSubtype.GREETING, delay_ms=500
            ),
            SendExpression(Expression.HAPPY, duration_ms=1500, delay_ms=200),
            SendOffer(Offer({"day": "Sunday"}), delay_ms=1300),
            FormalAccept(delay_ms=30_000),
        )
    )
    table.wait(4)
    meanwhile(table)
    human = table.human
    human.types()
    table.session.send_message(
        "human",
        Message(
            'I like "apples" most 🍏\nand Sunday is fine.',
            MessageSubtype.PREF_INFO,
            Preference("apples", Relation.GREATER, "day"),
            batna=4,
        ),
    )
    try:
        human.accepts()
    except Refused:
        table.wait(2.25)
    human.drafts()
    human.offers(apples={"human": 4})
    table.wait(1)
    offer = human.offers(DEAL)
    table.session.note(NoteKind.WARNING_SHOWN, about="below_reservation_value", points=3.5)
    human.shows(Expression.SURPRISED)
    human.accepts(offer)
    table.wait(30)
    table.session.formal_accept("agent", offer.seq, ActionOrigin(DecidedBy.WIZARD, cause=offer.seq))
    human.says("Thank you!", MessageSubtype.THANKS)
    table.play_out()


def crash(table: TrialTable) -> None:
    """Add the events of an interrupted program and of the record."""
    session = table.session
    session.propose_change(
        issued(session, Proposer(ProposerKind.SEAT, "human")),
        {"notes": {"human": {"plan": "Sunday first"}}},
        0,
    )
    session.record_agent_failure("agent", "It raised ValueError.", cause=1)
    session.note(NoteKind.AGENT_RESTARTED, seat="agent", times=1)
    session.resume(torn_bytes=17)
    session.note(NoteKind.LOG_MOVED, old="a", new="b", reason="The disk is full.")


def play_with_a_crash(table: TrialTable) -> None:
    """Play the same talk with an interruption of the program."""
    play(table, crash)


def make(folder: Path) -> Path:
    """Write the log in a new folder, and return its path."""
    # As it was then: the shipped game may have been extended since.
    game = read_log(GOLDEN / "deal-2.jsonl").header.game
    at = "2025-01-31T12:00:00.000Z"
    header = Header(
        session_id="0123456789ab",
        created_at=at,
        app_version="0.1.0",
        seed=7,
        game=game,
        seats=SeatMap(
            {
                "human": Occupant("human", "Participant", participant="P01"),
                "agent": Occupant("agent", "Robin", agent="scripted", file="scripted.py", sha256="0" * 64),
            }
        ),
    )
    log = LogWriter(folder / "deal", header, at=lambda: at)
    play_with_a_crash(TrialTable(game, seed=7, log=log, agents_may_fail=True))
    return log.path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder))
        shutil.copyfile(made, GOLDEN / "deal-2.jsonl")
    lines = replay_lines(read_log(GOLDEN / "deal-2.jsonl"), step=False)
    (GOLDEN / "deal-2.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
