"""Tasks of acts that a seat does not see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.events import EventType
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.errors import Refused
from negoplatform.formats.events import encode_event
from negoplatform.testing import TrialTable
from tests.mechanisms.auction_games import AUCTION, build
from tests.mechanisms.sealed_bid import GIVE_MONEY, PLACE_BID, BidPlaced, MoneyOffered
from tests.mechanisms.test_laws import violation
from tests.proposers import issued


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
    ben = issued(table.session, Proposer(ProposerKind.SEAT, "ben"))

    with pytest.raises(Refused) as refused:
        table.session.propose_change(ben, {"tasks": [{"task_id": f"event-{bid.seq}"}]}, 0)

    lines = [
        encode_event(event, "").decode() for event in table.events if event.type == EventType.STATE_PROPOSED
    ]
    assert lines
    assert not any("ann" in text or '"bid"' in text for text in (*lines, str(refused.value)))


def claim(seq: int) -> dict[str, Any]:
    """Return the change with which a seat would take the task of an event for its own."""
    task = {"task_id": f"event-{seq}", "timestamp": 0.0, "agent_origin": "ben", "intent": "bid"}
    return {"tasks": [{**task, "status": "done"}]}


def test_a_hidden_task_and_one_to_come_cannot_be_taken_and_are_refused_alike() -> None:
    table = TrialTable(build(AUCTION))
    table.start()
    bid = table.session.act("ann", PLACE_BID, BidPlaced(900))
    ann, ben = (issued(table.session, Proposer(ProposerKind.SEAT, seat)) for seat in ("ann", "ben"))

    refusals = []
    for seq in (bid.seq, 99):
        with pytest.raises(Refused) as refused:
            table.session.propose_change(ben, claim(seq), 0)
        refusals.append(str(refused.value).replace(str(seq), "N"))

    assert set(refusals) == {
        "tasks/event-N is a name that only the task of an event has, and you see no such event."
    }
    # The owner of the hidden one can still change it.
    table.session.propose_change(ann, {"tasks": [{"task_id": f"event-{bid.seq}", "intent": "bluff"}]}, 0)
    assert violation(table.state.game, table.events) == ""


def test_a_log_in_which_a_seat_took_a_hidden_task_is_refused() -> None:
    table = TrialTable(build(AUCTION))
    table.start()
    table.session.act("ann", PLACE_BID, BidPlaced(900))
    ben = issued(table.session, Proposer(ProposerKind.SEAT, "ben"))
    table.session.propose_change(ben, {"notes": {"ben": {"mood": "calm"}}}, 0)

    *before, proposed = table.events
    taken = replace(proposed.payload, updates=FrozenJson(claim(3)))
    forged = [*before, proposed._replace(payload=taken)]

    assert violation(table.state.game, table.events) == ""
    assert "is a name that only the task of an event has" in violation(table.state.game, forged)
