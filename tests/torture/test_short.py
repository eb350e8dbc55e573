"""Short trials of every promise; ``make torture`` runs long ones."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.torture.__main__ import part_named, try_part
from tests.torture.rows import Row, Tally, table

pytestmark = pytest.mark.timeout(400)

SHORT = [
    ("P1", 0.02),
    ("P2", 0.04),
    ("P3", 0.01),
    ("P4", 0.04),
    ("P5", 0.02),
    ("P6", 0.1),
    ("P7", 0.001),  # 16 sessions
    ("P12", 0.03),
]
SHORT_ON_WINDOWS = [("P1", 0.01), ("P5", 0.004), ("P12", 0.004)]
"""Promises that are tried there, with few programs: each of them is a new Python."""


@pytest.mark.parametrize(("promise", "scale"), SHORT if os.name == "posix" else SHORT_ON_WINDOWS)
def test_a_promise_is_kept_for_a_moment(promise: str, scale: float) -> None:
    row = try_part(part_named(promise), scale)

    assert row.faults == ()
    assert row.kept


@pytest.mark.window
@pytest.mark.skipif(os.name != "posix", reason="agents are limited by the system")
def test_no_misbehaving_agent_costs_an_event_or_sees_what_is_hidden() -> None:
    row = try_part(part_named("P10"), 0.01)

    assert row.faults == ()
    assert row.kept


@pytest.mark.window
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="attackers come from several addresses")
def test_no_stranger_at_a_hosts_port_gets_in_or_acts() -> None:
    row = try_part(part_named("P14"), 0.05)

    assert row.faults == ()
    assert row.kept


def test_a_promise_that_was_never_tried_is_not_kept() -> None:
    assert not Row("P1", "nothing", 0).kept


def test_a_harm_that_nobody_noticed_breaks_a_promise_and_is_told_below_the_table() -> None:
    tally = Tally(runs=2)
    tally.harm(True, "")
    tally.harm(False, "Bit 3 was read as if nothing had happened.")

    row = tally.row("P3", "bits", counts=["detected"])

    assert not row.kept
    assert "| 1 of 2 |" in table([row])
    assert "- P3: Bit 3 was read as if nothing had happened." in table([row])


def test_a_promise_to_notice_harm_is_not_kept_where_none_was_done() -> None:
    tally = Tally(runs=2)

    assert not tally.row("P3", "bits", counts=["detected"]).kept
    assert tally.row("P2", "power cuts", counts=["lost"]).kept


def test_what_breaks_in_a_trial_breaks_the_promise_and_not_the_trials() -> None:
    tally = Tally(runs=1)

    with tally.trying("run 1"):
        Path("/nowhere/at/all").write_text("x", encoding="utf-8")

    assert tally.row("P4", "disks").faults[0].startswith("run 1: it broke with FileNotFoundError(")
