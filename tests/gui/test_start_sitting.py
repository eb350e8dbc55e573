"""What an experimenter is told when somebody is seated."""

from __future__ import annotations

from pathlib import Path

from negoplatform.gui.start_sitting import SittingMaker
from negoplatform.gui.wish import Wish


def test_where_no_model_will_speak_for_an_agent_it_is_said(tmp_path: Path) -> None:
    notes: list[str] = []
    for agent in ("language_model", "fair"):
        maker = SittingMaker(tmp_path, Wish(game="practice", agent=agent), notes.append)
        sitting = maker.direct()
        assert sitting is not None
        sitting.dismiss()

    assert notes == ["language_model: No endpoint is set, so the agent speaks in its own words."]
