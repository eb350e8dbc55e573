"""Log of a session with typed and interpreted messages and the answers to them."""

from __future__ import annotations

from pathlib import Path

from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.games import load_game
from negoplatform.formats.interpretations import InterpretationVerdict
from negoplatform.language import Ambiguity, DialogueAct, Interpretation
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from tests.eventlog.logs import AT, header_for
from tests.inline_participant import AtOnce, participant_at

SOME = Offer({"apples": Allocation({"human": 4, "agent": 2}), "day": "Sunday"})
OTHER = Offer({"apples": Allocation({"human": 2, "agent": 4})})


def read_session(folder: Path) -> Path:
    """Write a log of practice: a greeting, an offer in words that was sent, one taken back, and a phrase."""
    game = load_game(bundled("games") / "practice.json")
    log = LogWriter(folder / "s1", header_for(game), at=lambda: AT)
    table = TrialTable(game, log=log, agents_may_fail=True)
    participant = participant_at(AtOnce(table))
    hello = Interpretation("Hello", (DialogueAct(MessageSubtype.GREETING, 0.9),))
    participant.send_with_interpretation(Message("Hello"), hello, "en")
    proposed = Interpretation(
        "4 apples if Sunday", (DialogueAct(MessageSubtype.OFFER_PROPOSE),), (SOME,), 0.95, conditional=True
    )
    participant.send_message_and_offer(
        participant.show_interpretation(proposed, "en", [SOME]), Message("4 apples if Sunday"), SOME
    )
    unclear = Interpretation("4 and 2", offers=(SOME, OTHER), sure=0.5, doubt=Ambiguity.EITHER)
    participant.dismiss_interpretation(
        participant.show_interpretation(unclear, "en", unclear.offers), InterpretationVerdict.WITHDRAWN
    )
    table.human.says("Thank you.", MessageSubtype.THANKS)
    log.close()
    return folder / "s1" / LOG_NAME
