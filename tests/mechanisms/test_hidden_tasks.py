"""Tasks of acts that a seat does not see."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EventType
from negoplatform.core.notes_and_tasks_proposals import ProposerKind
from negoplatform.domain.errors import Refused
from negoplatform.formats.events import encode_event
from negoplatform.testing import TrialTable
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced
from tests.mechanisms.test_auction_sessions import AUCTION, build


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
