"""Writes the golden log and its transcript anew: ``python -m tests.golden.make``.

Only for a new version of the log format, and then beside the old ones: the old logs are there to show that
what was recorded once can be read for ever.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from negoplatform.agent_api.actions import FormalAccept, SendExpression, SendMessage, SendOffer
from negoplatform.app.folders import bundled
from negoplatform.cli.transcript import replay_lines
from negoplatform.core.events import DecidedBy, Expression, Message, MessageSubtype, Preference, Relation
from negoplatform.core.notes import NoteKind
from negoplatform.core.session import Origin
from negoplatform.domain.errors import Refused
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat import BySeat
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.games import load_game
from negoplatform.formats.header import Header, Occupant
from negoplatform.testing import Scripted, TrialTable

GOLDEN = Path(__file__).parent
DEAL = Offer({"apples": Allocation({"human": 4, "agent": 2}), "day": "Sunday"})


def play(table: TrialTable) -> None:
    """A short talk with everything that a log can hold, and a deal."""
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
    table.session.formal_accept("agent", offer.seq, Origin(DecidedBy.WIZARD, cause=offer.seq))
    human.says("Thank you!", MessageSubtype.THANKS)
    table.play_out()


def make(folder: Path) -> Path:
    """The log's file, in a new folder."""
    game = load_game(bundled("games") / "practice.json")
    at = "2025-01-31T12:00:00.000Z"
    header = Header(
        session_id="0123456789ab",
        created_at=at,
        app_version="0.1.0",
        seed=7,
        game=game,
        seats=BySeat(
            {
                "human": Occupant("human", "Participant", participant="P01"),
                "agent": Occupant("agent", "Robin", agent="scripted", file="scripted.py", sha256="0" * 64),
            }
        ),
    )
    log = LogWriter(folder / "deal", header, at=lambda: at)
    play(TrialTable(game, seed=7, log=log))
    return log.path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder))
        shutil.copyfile(made, GOLDEN / "deal.jsonl")
    lines = replay_lines(read_log(GOLDEN / "deal.jsonl"), step=False)
    (GOLDEN / "deal.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
