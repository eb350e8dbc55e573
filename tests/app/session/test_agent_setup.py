"""Preparation of agents, which leaves nothing behind if it fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_shipped_agent
from negoplatform.app.session.agent_setup import (
    agent_budget,
    prepare_in_process,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.domain.agent_limits import DEFAULT_BUDGET
from negoplatform.domain.errors import AgentError, InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.game_files.game_rules import RulesModel
from negoplatform.hosting.agent_process_proxy import AgentProcess

PICKY = """
from negoplatform.agent_api.base import NegotiationAgent

class Picky(NegotiationAgent):
    def configure(self, config):
        print("I am picky", flush=True)
        raise ValueError("no")
"""


HARMLESS = """
from negoplatform.agent_api.base import NegotiationAgent

class Harmless(NegotiationAgent):
    pass
"""


@pytest.mark.parametrize(
    ("source", "config", "error", "words"),
    [
        (PICKY, {}, AgentError, r"it raised ValueError \(no\)"),
        (
            HARMLESS,
            {"timing": {"sleep": 1}},
            AgentError,
            "may set act_delay, interrupt, opening_delay, msg_delay",
        ),
        (HARMLESS, {"timing": {"act_delay": "x"}}, AgentError, "act_delay is a number of seconds .* not 'x'"),
        (
            HARMLESS,
            {"budget": {"strikes": 0}},
            InputFileError,
            "budget, strikes: the number must be at least 1",
        ),
    ],
)
def test_an_agent_that_cannot_be_seated_leaves_no_file_and_no_process(
    tmp_path: Path,
    game: GameSpec,
    source: str,
    config: dict[str, Any],
    error: type[NegoError],
    words: str,
) -> None:
    (tmp_path / "agent.py").write_text(source)
    plugin = find_agent(str(tmp_path / "agent.py"), tmp_path / "data")
    output, spare = starting_output_path(tmp_path / "sessions", "agent"), AgentProcess.spawn()
    try:
        with pytest.raises(error, match=words):
            prepare_in_subprocess(
                plugin, "agent", config, game=game, seed=1, output=output, warm_process=spare
            )

        assert not spare.alive
        assert not list((tmp_path / "sessions").glob("*"))
        assert not list((tmp_path / "sessions").glob(".*"))
    finally:
        spare.stop()


def test_what_an_earlier_sitting_printed_outlives_an_agent_that_cannot_be_had_again(
    tmp_path: Path, game: GameSpec
) -> None:
    (tmp_path / "picky.py").write_text(PICKY)
    (tmp_path / "agent-agent.txt").write_text("Before.\n")
    plugin = find_agent(str(tmp_path / "picky.py"), tmp_path / "data")

    with pytest.raises(NegoError, match="no"):
        prepare_in_subprocess(plugin, "agent", {}, game=game, seed=1, output=tmp_path / "agent-agent.txt")

    assert (tmp_path / "agent-agent.txt").read_text().startswith("Before.\n")


def test_a_hard_limit_alone_lowers_the_soft_one_too() -> None:
    settings = agent_budget({"budget": {"hard_seconds": 1}}, DEFAULT_BUDGET)
    in_a_game = RulesModel.model_validate({"agents": {"hard_seconds": 1}}).agents.with_defaults(
        DEFAULT_BUDGET
    )
    over_a_games = agent_budget({"budget": {"hard_seconds": 0.5}}, in_a_game)

    assert (settings.soft_seconds, settings.hard_seconds) == (1, 1)
    assert (in_a_game.soft_seconds, in_a_game.hard_seconds) == (1, 1)
    assert (over_a_games.soft_seconds, over_a_games.hard_seconds) == (0.5, 0.5)


def test_an_agent_gives_itself_no_more_than_its_game_but_some_time_to_answer() -> None:
    declared = {
        "load_seconds": 600,
        "soft_seconds": 20,
        "hard_seconds": 600,
        "strikes": 1000,
        "restarts": 100,
        "memory_mb": 1_000_000,
        "cpu_seconds": 1_000_000,
        "file_mb": 100_000,
        "fallback": "fair",
    }
    options = {"properties": {"budget": {"default": declared}}}
    modest = {"properties": {"budget": {"default": {"memory_mb": 256}}}}

    greedy = agent_budget({}, DEFAULT_BUDGET, options)

    assert greedy == replace(DEFAULT_BUDGET, load_seconds=60, soft_seconds=20, hard_seconds=60)
    assert agent_budget({}, DEFAULT_BUDGET, modest).memory_mb == 256
    assert agent_budget({"budget": {"memory_mb": 4096}}, DEFAULT_BUDGET, options).memory_mb == 4096


def test_the_header_tells_how_an_agent_talks_also_where_nothing_was_set(practice: GameSpec) -> None:
    plugin = find_shipped_agent("fair")

    usual = prepare_in_process(plugin, "agent", {}, game=practice).occupant().config
    chosen = prepare_in_process(plugin, "agent", {"politeness": 0.9}, game=practice).occupant().config

    assert usual == {"persona": "neutral", "talkativeness": 0.5, "politeness": 0.5, "honesty": "honest"}
    assert chosen == {**usual, "politeness": 0.9}
