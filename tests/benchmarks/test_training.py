"""Benchmark of training: a bare environment that fits, and the printed report."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest

from benchmarks.training import NAME, BareAECEnv, BareEnv, aec_seconds, drawn_actions, main


def test_the_bare_environments_have_the_same_spaces_and_do_nothing() -> None:
    single: Any = gymnasium.make(NAME).unwrapped
    bare, bare_aec = BareEnv(single), BareAECEnv(single)
    actions = list(drawn_actions(single.action_space.nvec.tolist(), 4, 10))

    bare.reset()
    results = bare.step(actions[0])
    aec_seconds(bare_aec, actions, 30)

    assert bare.observation_space == single.observation_space == bare_aec.observation_space("seat")
    assert bare.action_space == single.action_space
    assert bare.observation_space.contains(results[0])
    assert not results[0].any()
    assert results[1:] == (0.0, False, False, {})
    assert bare_aec.agents == ["seat"]


def test_the_report_has_ratios(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--steps", "40", "--rounds", "1", "--envs", "4", "--train", "0"]) == 0

    out = capsys.readouterr().out
    assert out.count("x the single one") == 3
    assert out.count("of bare") == 12
