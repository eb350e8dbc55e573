"""Observers of every level: principals, allies, the system; and the numbers that each of them sees."""

from __future__ import annotations

import json
import pickle
from array import array
from pathlib import Path
from typing import Any

import pytest

from negoplatform.core.events import EventType, Message
from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.features.observation_vectors import get_global_states, get_local_state
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin
from negoplatform.core.session_features import feature_states, observation_of
from negoplatform.core.visibility import (
    EXPERIMENTER,
    PUBLIC,
    can_see_preferences,
    observer_of,
    view_of,
    visible_game,
)
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.domain.game import Visibility
from negoplatform.domain.seat_map import SYSTEM
from negoplatform.formats.games import dump_game, load_game
from negoplatform.testing import TrialTable
from tests.core.test_numeric_features import BatteryCharge
from tests.games import commanded
from tests.proposers import issued

OBSERVERS = ("red", "green", "blue", "head", "chief", SYSTEM, None)
PRIVATE = {"Limits", "Worth", "PointsTable"}
"""Features of a bargaining seat that its owner alone sees unless the game declares more."""


def played(visibility: Visibility = Visibility.OWNER) -> TrialTable:
    """Return a table at which something of each kind has happened."""
    table = TrialTable(commanded(visibility))
    table.wait(1)
    session = table.session
    session.send_message("red", Message("Everyone."))
    session.send_message("red", Message("For green."), ActionOrigin(to=("green",)))
    session.send_message("red", Message("For blue."), ActionOrigin(to=("blue",)))
    session.send_message("blue", Message("For green too."), ActionOrigin(to=("green",)))
    with pytest.raises(Refused):
        session.formal_accept("green", 99)
    table.participant("green").offers(coins=(2, 1, 1), colour="blue")
    return table


def heard(table: TrialTable, name: str | None) -> list[str]:
    """Return the texts in the transcript of an observer."""
    observer = PUBLIC if name is None else observer_of(table.state.game, name)
    events = view_of(table.state, observer).state.transcript_of(name)
    return [event.payload.text for event in events if isinstance(event.payload, Message)]


# Events and states


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("green", ["Everyone.", "For green.", "For green too."]),
        ("blue", ["Everyone.", "For blue.", "For green too."]),
        ("head", ["Everyone.", "For green.", "For blue.", "For green too."]),
        ("chief", ["Everyone.", "For green.", "For blue.", "For green too."]),
        (SYSTEM, ["Everyone.", "For green.", "For blue.", "For green too."]),
        (None, ["Everyone."]),
    ],
)
def test_a_principal_hears_what_is_addressed_to_the_seats_below_it(
    name: str | None, texts: list[str]
) -> None:
    table = played()

    assert heard(table, name) == texts
    assert table.state.transcript_length(name) == len(table.state.transcript_of(name))


def test_a_principal_sees_the_refusals_of_the_seats_below_and_not_their_notes() -> None:
    table = played()
    green = issued(table.session, Proposer(ProposerKind.SEAT, "green"))
    table.session.propose_change(green, {"notes": {"green": {"plan": "wait"}}}, 0)

    seen = view_of(table.state, observer_of(table.state.game, "head")).state

    assert EventType.ACTION_REFUSED in [event.type for event in seen.transcript_of("head")]
    assert seen.record.notes.to_dict() == {}
    assert EventType.ACTION_REFUSED not in [event.type for event in table.state.transcript_of("red")]


@pytest.mark.parametrize("visibility", list(Visibility))
@pytest.mark.parametrize("name", OBSERVERS)
def test_each_observer_sees_the_preferences_that_its_level_allows(
    name: str | None, visibility: Visibility
) -> None:
    game = commanded(visibility)
    allowed: dict[Visibility, set[str | None]] = {
        Visibility.PUBLIC: set(OBSERVERS),
        Visibility.OWNER: {"green"},
        Visibility.UPPER_LEVEL: {"green", "head"},
        Visibility.TEAM: {"green", "blue"},
        Visibility.SYSTEM: {"green", "chief", SYSTEM},
    }
    seen_by = allowed[visibility]
    observer = PUBLIC if name is None else observer_of(game, name)

    shown = visible_game(game, observer)

    assert can_see_preferences(game, "green", observer) is (name in seen_by)
    assert ("green" in shown.preferences) is (name in seen_by)


def test_an_ally_reads_the_points_of_its_team_and_another_seat_does_not() -> None:
    table = played(Visibility.TEAM)

    described = table.state.game.describe("blue").to_dict()["points_of_others"]

    assert table.context("blue").get_opponent_utility(seat="green") == 2
    assert table.context("blue").are_preferences_visible("green")
    assert set(described) == {"green"}
    assert not table.context("red").are_preferences_visible("green")
    assert table.state.game.describe("red").to_dict()["points_of_others"] == {}
    assert "green" not in table.context("blue").game.preferences, "a game in a context has the own side alone"


# Numbers


@pytest.mark.parametrize("visibility", list(Visibility))
@pytest.mark.parametrize("name", OBSERVERS)
def test_the_state_and_a_view_of_it_give_every_observer_the_same_numbers(
    name: str | None, visibility: Visibility
) -> None:
    table = played(visibility)
    observer = PUBLIC if name is None else observer_of(table.state.game, name)
    view = view_of(table.state, observer)

    whole = observation_of(table.state, name, observer.level, 3.0)

    assert observation_of(view.state, name, observer.level, 3.0, shared=view.shared) == whole
    assert whole.global_info


def test_allies_see_the_features_that_their_team_shares_and_no_other_seat_does() -> None:
    table = played()

    ally, other = (table.context(seat).observation.global_info["green"] for seat in ("blue", "red"))

    assert set(ally) & PRIVATE == {"Limits"}
    assert list(ally["Limits"]) == [1, 1, 0, 0]
    assert not set(other) & PRIVATE
    assert not set(observation_of(table.state, "head", 2, 3.0).global_info["green"]) & PRIVATE


def test_the_registered_principal_sees_the_features_of_its_level() -> None:
    table = played(Visibility.UPPER_LEVEL)

    seen = {
        name: set(observation_of(table.state, name, level, 3.0).global_info["green"]) & PRIVATE
        for name, level in (("head", 2), ("chief", 3), (SYSTEM, 3), ("stranger", 2))
    }

    assert seen == {"head": PRIVATE, "chief": set(), SYSTEM: set(), "stranger": set()}


def test_principals_that_are_named_take_the_place_of_the_game_s() -> None:
    table = played(Visibility.UPPER_LEVEL)

    named = observation_of(table.state, "other", 2, 3.0, principals={"green": "other"})
    nobody = observation_of(table.state, "head", 2, 3.0, principals={})

    assert set(named.global_info["green"]) >= PRIVATE
    assert not set(nobody.global_info["green"]) & PRIVATE


def test_a_session_has_the_states_of_its_seats_and_of_the_platform() -> None:
    states = feature_states(played().state)

    assert [(state.owner_id, state.owner_level, state.upstream) for state in states.values()] == [
        ("red", 1, "head"),
        ("green", 1, "head"),
        ("blue", 1, ""),
        ("platform", 3, ""),
    ]
    assert states["green"].allies == ("blue",)
    assert set(get_local_state(states, "green", 1)) >= PRIVATE
    assert set(get_global_states(states, "green", 1)) == {"red", "blue", "platform"}


def test_a_snapshot_of_a_state_keeps_its_team_and_has_no_action() -> None:
    state = feature_states(played().state)["green"]

    snapshot = json.loads(json.dumps(state.to_dict(include_metadata=True)))

    assert set(snapshot) == {
        *("_owner_id", "_owner_level", "_state_type", "_upstream", "_allies", "_shared"),
        "features",
    }
    assert set(snapshot["features"]) == {"Presence", "LatestTerms", *PRIVATE}
    for again in (FeatureState.from_dict(snapshot), pickle.loads(pickle.dumps(state))):
        assert again == state
        assert again.observed_by("blue", 1) == state.observed_by("blue", 1)


def test_a_seat_one_charging_step_on_has_the_worked_number_in_its_state() -> None:
    state = FeatureState(
        "battery_1", 1, [BatteryCharge(soc=0.5)], allies=["battery_2"], shared=["BatteryCharge"]
    )

    charged = state.update_feature("BatteryCharge", soc=0.5 + 0.3 * 0.01)
    full = charged.update_feature("BatteryCharge", soc=1.7)

    assert charged.features["BatteryCharge"].to_dict()["soc"] == 0.503
    assert charged.observed_by("battery_2", 1)["BatteryCharge"] == array("f", [0.503, 100.0])
    assert full.features["BatteryCharge"].to_dict()["soc"] == 1.0


@pytest.mark.parametrize("body", [{"_allies": "blue"}, {"_shared": [1]}])
def test_a_snapshot_with_a_wrong_team_is_refused(body: dict[str, Any]) -> None:
    snapshot = FeatureState("green", 1).to_dict(include_metadata=True)

    with pytest.raises(Exception, match="is a list of names"):
        FeatureState.from_dict({**snapshot, **body})


# Rights


def test_the_system_sees_no_owner_s_part_and_only_the_raw_view_does() -> None:
    table = played(Visibility.OWNER)

    system = view_of(table.state, observer_of(table.state.game, SYSTEM))
    raw = view_of(table.state, EXPERIMENTER)

    assert not system.state.game.preferences
    assert set(raw.state.game.preferences) == {"red", "green", "blue"}


# The game's file


def test_a_shared_feature_that_does_not_exist_is_an_error_of_the_file(tmp_path: Path) -> None:
    document = dump_game(commanded())
    document["teams"][0]["share"] = ["Limit"]
    del document["assistants"]  # whose kinds are in logs alone
    file = tmp_path / "game.json"
    file.write_text(json.dumps(document), encoding="utf-8")

    with pytest.raises(
        InputFileError, match=r"teams\[0\].share: there is no feature 'Limit'; there is .*Limits"
    ):
        load_game(file)
