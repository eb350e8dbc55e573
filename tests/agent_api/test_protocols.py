"""Protocols turn one decision into instructions: parts add up, and enough members have to agree."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.agent_api.protocols import (
    HorizontalProtocol,
    NoProtocol,
    VerticalProtocol,
    protocol_of,
    split_exactly,
)
from negoplatform.domain.command_settings import ProtocolKind, ProtocolSettings, Split
from negoplatform.domain.errors import NegoError

THREE: dict[str, dict[str, Any]] = {"a": {}, "b": {}, "c": {}}


def test_without_a_protocol_the_members_are_told_nothing() -> None:
    assert NoProtocol().coordinate(None, {"budget": 9}, THREE, {}) == ({}, {})


def test_a_budget_is_split_equally_and_the_rest_of_the_mandate_goes_to_everyone() -> None:
    messages, actions = VerticalProtocol().coordinate(None, {"budget": 10, "tough": True}, THREE, {})

    assert messages == {
        "a": {"budget": 4, "tough": True},
        "b": {"budget": 3, "tough": True},
        "c": {"budget": 3, "tough": True},
    }
    assert actions == {}


def test_a_budget_is_split_in_proportion_to_the_members_weights() -> None:
    members = {"a": {"weight": 1}, "b": {"budget": 2}, "c": {"action_size": 1}}

    messages, _ = VerticalProtocol("proportional").coordinate(None, {"budget": 8}, members, {})

    assert [messages[name]["budget"] for name in members] == [2, 4, 2]


def test_a_budget_is_split_by_an_own_rule() -> None:
    split = VerticalProtocol(lambda _total, members: {name: ord(name) - 96 for name in members})

    messages, _ = split.coordinate(None, {"budget": 12.0}, THREE, {})

    assert [messages[name]["budget"] for name in THREE] == [2.0, 4.0, 6.0]


def test_a_list_is_cut_by_the_sizes_of_the_members_actions() -> None:
    members = {"a": {"action_size": 2}, "b": {}, "c": {"action_size": 0}}

    messages, actions = VerticalProtocol().coordinate(None, [0.1, 0.2, 0.3], members, {})

    assert (messages, actions) == ({}, {"a": [0.1, 0.2], "b": [0.3], "c": []})


@pytest.mark.parametrize("decision", [[1, 2], "ab", 7, {"budget": "much"}, {"budget": True}])
def test_a_decision_that_does_not_fit_is_refused_in_a_sentence(decision: Any) -> None:
    with pytest.raises(NegoError, match=r"\.$"):
        VerticalProtocol().coordinate(None, decision, THREE, {})


def test_no_decision_tells_nothing() -> None:
    assert VerticalProtocol().coordinate(None, None, THREE, {}) == ({}, {})


SHARES = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(0, 1e6), min_size=1)


@given(st.integers(-(10**9), 10**9), SHARES)
def test_the_parts_of_a_whole_number_are_whole_and_add_up(total: int, shares: dict[str, float]) -> None:
    parts = split_exactly(total, shares)

    assert sum(parts.values()) == total
    assert all(isinstance(part, int) for part in parts.values())


@given(st.decimals(-1000, 1000, places=4), SHARES)
def test_the_parts_of_any_other_number_add_up_in_decimals(total: Decimal, shares: dict[str, float]) -> None:
    parts = split_exactly(float(total), shares)

    assert sum(Decimal(repr(part)) for part in parts.values()) == total


def test_a_share_below_nothing_is_refused() -> None:
    with pytest.raises(NegoError, match="from 0 up"):
        split_exactly(10, {"a": -1.0, "b": 2.0})


def test_members_share_the_named_values_along_the_topology() -> None:
    known = {name: {"offer": name.upper(), "secret": 1} for name in THREE}
    ring = {"a": ("b",), "b": ("c",), "c": ()}

    messages, actions = HorizontalProtocol(["offer"], ring).coordinate(None, None, known, {})

    assert messages == {"a": {"b": {"offer": "B"}}, "b": {"c": {"offer": "C"}}}
    assert actions == {}


@pytest.mark.parametrize(
    ("rule", "votes", "agreed"),
    [
        ("any", {"a": True}, True),
        ("any", {}, False),
        ("majority", {"a": True, "b": True}, True),
        ("majority", {"a": True, "b": False}, False),
        ("unanimous", {"a": True, "b": True}, False),
        ("unanimous", {"a": True, "b": True, "c": True}, True),
        ("majority", {"a": True, "stranger": True}, False),
    ],
)
def test_an_action_is_common_once_enough_agree(rule: str, votes: dict[str, bool], agreed: bool) -> None:
    _, actions = HorizontalProtocol(accept=rule).coordinate(None, "accept", THREE, {"votes": votes})

    assert actions == (dict.fromkeys(THREE, "accept") if agreed else {})


def test_a_game_names_its_protocol() -> None:
    assert isinstance(protocol_of(ProtocolSettings()), NoProtocol)
    assert isinstance(protocol_of(ProtocolSettings(ProtocolKind.HORIZONTAL)), HorizontalProtocol)
    vertical = protocol_of(ProtocolSettings(ProtocolKind.VERTICAL, Split.PROPORTIONAL))
    messages, _ = vertical.coordinate(None, {"budget": 4}, {"a": {"weight": 3}, "b": {"weight": 1}}, {})
    assert messages == {"a": {"budget": 3}, "b": {"budget": 1}}
