"""Acts and messages for seats that are not there, twice there, or too many."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import MechanismAct, SendMessage
from negoplatform.domain.errors import AgentError
from tests.mechanisms.auction_games import (
    AUCTION,
    BIDDER,
    HERE,
    build,
    logs_in_both_modes,
)
from tests.mechanisms.sealed_bid import GIVE_MONEY, MoneyOffered
from tests.mechanisms.wide_sender import RECIPIENTS


@pytest.mark.parametrize("to", [("ben",) * 101, ("b" * 101,), ("be\ud800n",), ("b\x00",), [3], 3])
def test_recipients_that_no_session_could_name_are_the_failure_of_the_agent(to: Any) -> None:
    with pytest.raises(AgentError, match=r"is for (a list of |100 )?seats"):
        SendMessage("Hello", to=to)
    with pytest.raises(AgentError, match=r"is for (a list of |100 )?seats"):
        MechanismAct(GIVE_MONEY, MoneyOffered(1), to=to)


@pytest.mark.usefixtures("sealed_bid_in_agent_processes")
def test_recipients_have_the_same_outcome_in_this_process_and_in_others(tmp_path: Path) -> None:
    rules = {"deadline_seconds": 60, "agents": {"strikes": 99}}
    game = build({**AUCTION, "terms": {"rounds": len(RECIPIENTS), "seconds": 3.0}, "rules": rules})

    logs = logs_in_both_modes(game, [str(HERE / "wide_sender.py"), BIDDER, BIDDER], tmp_path)

    events = [line for log in logs for line in log[1:]]
    reasons = [line["payload"]["reason"] for line in events if line["type"] == "ACTION_REFUSED"]
    assert "A message cannot be sent to 'cook'." in reasons
    assert "This is addressed to one seat twice; name each seat once." in reasons
    assert sum(line["type"] == "AGENT_FAILED" for line in events) >= 2
