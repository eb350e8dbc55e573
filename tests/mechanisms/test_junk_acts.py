"""Agents whose acts have payloads that no log can hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import MechanismAct
from negoplatform.domain.errors import AgentError
from negoplatform.formats.agent_actions import checked_act
from tests.mechanisms.auction_games import (
    AUCTION,
    BIDDER,
    HERE,
    build,
    logs_in_both_modes,
)
from tests.mechanisms.junk_sender import JUNK
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced

JUNK_SENDER = str(HERE / "junk_sender.py")


@pytest.mark.parametrize(("kind", "payload"), JUNK)
def test_a_payload_that_no_log_can_hold_is_the_failure_of_its_agent(kind: str, payload: Any) -> None:
    act = MechanismAct(kind, payload)

    with pytest.raises(AgentError, match=f"The payload of its {kind} has values of a wrong type"):
        checked_act(act)


def test_an_act_that_was_handed_over_cannot_be_changed_by_its_author() -> None:
    bid = BidPlaced(5)

    handed_over = checked_act(MechanismAct(PLACE_BID, bid))
    object.__setattr__(bid, "price", 900)

    assert handed_over.payload == BidPlaced(5)


@pytest.mark.usefixtures("sealed_bid_in_agent_processes")
def test_junk_has_the_same_outcome_in_this_process_and_in_others(tmp_path: Path) -> None:
    rules = {"deadline_seconds": 120, "agents": {"strikes": 9}}
    game = build({**AUCTION, "terms": {"rounds": len(JUNK), "seconds": 5.0}, "rules": rules})

    logs = logs_in_both_modes(game, [JUNK_SENDER, BIDDER, BIDDER], tmp_path)

    failures = [line for line in logs[0] if line.get("type") == "AGENT_FAILED"]
    assert "has values of a wrong type" in json.dumps(failures)
