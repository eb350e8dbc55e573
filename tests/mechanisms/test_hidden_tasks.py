"""Tasks of acts that a seat does not see."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EventType
from negoplatform.core.notes_and_tasks_proposals import ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.errors import Refused
from negoplatform.formats.events import encode_event
from negoplatform.testing import TrialTable
from tests.mechanisms.sealed_bid import GIVE_MONEY, PLACE_BID, BidPlaced, MoneyOffered
from tests.mechanisms.test_auction_sessions import AUCTION, build


def test_the_task_of_an_act_holds_its_payload_and_its_recipient() -> None:
    table = TrialTable(build(AUCTION))
    table.start()
    table.session.act("ann", PLACE_BID, BidPlaced(900))
    table.session.act("ben", GIVE_MONEY, MoneyOffered(5), ActionOrigin(to=("cho",)))

    bid, gift = (table.context(seat).get_state()["tasks"][0]["metadata"] for seat in ("ann", "cho"))

    assert bid == {"event": PLACE_BID, "seq": 3, "payload": {"price": 900}}
    assert gift == {"event": GIVE_MONEY, "seq": 4, "payload": {"amount": 5}, "to": ["cho"]}


def test_a_proposed_change_of_a_hidden_task_tells_nothing_about_it() -> None:
    table = TrialTable(build(AUCTION))
    table.start()
    bid = table.session.act("ann", PLACE_BID, BidPlaced(900))
    ben = table.session.issue_proposer(ProposerKind.SEAT, "ben")

    with pytest.raises(Refused) as refused:
        table.session.propose_change(ben, {"tasks": [{"task_id": f"event-{bid.seq}"}]}, 0)

    lines = [
        encode_event(event, "").decode() for event in table.events if event.type == EventType.STATE_PROPOSED
    ]
    assert lines
    assert not any("ann" in text or '"bid"' in text for text in (*lines, str(refused.value)))
