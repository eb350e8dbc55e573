"""Each value that crosses a boundary: objects inside, JSON in messages, vectors for policies and rewards."""

from __future__ import annotations

import json
from array import array
from typing import Any

import numpy as np
import pytest

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.broker import AddressedMessage, InMemoryBroker, MessageType
from negoplatform.core.events import DecidedBy
from negoplatform.core.features.numeric_feature_set import FeatureState
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.state import State
from negoplatform.domain.errors import NegoError
from negoplatform.domain.offer import Offer
from negoplatform.formats.sent_commands import command_actions, dump_instruction
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.ctde import CoordinatorAgent, FieldAgent, SystemAgent
from negoplatform.training.ctde.proxy_agent import local_state_of
from tests.training.chain_games import OFFER, WAIT, Listed, agent_of, chain_game, offered

GAMES = ["practice", "three_way", "tac_trading", "grain_market"]
"""Games of each kind."""


@pytest.fixture(params=GAMES)
def system(request: pytest.FixtureRequest) -> Any:
    """Return the system of a game one step on, in which its first seat has done something."""
    made = SystemAgent(request.param)
    made.reset(2)
    seat = made.settings.learners[0]
    action = made.subordinates[seat].neutral()
    action.set_values({"d": [1, *action.d[1:]]})
    made.execute({seat: action}, made.proxy)
    yield made
    made.close()


def through_json(value: Any) -> Any:
    """Return a value as it arrives when it is sent as JSON."""
    return json.loads(json.dumps(value, allow_nan=False))


# Each crossing


def test_a_state_crosses_as_a_dict_with_metadata_and_comes_back(system: SystemAgent) -> None:
    for owner, state in system._joined.features().items():
        body = state.to_dict(include_metadata=True)

        restored = FeatureState.from_dict(through_json(body))

        assert body["_owner_id"] == owner
        assert {"_owner_id", "_owner_level", "_state_type", "features"} <= set(body)
        assert type(restored) is type(state)
        assert restored.vector() == state.vector()
        for level in (1, 2, 3):
            assert restored.observed_by("someone", level) == state.observed_by("someone", level)
        assert [type(feature) for feature in restored] == [type(feature) for feature in state]


def test_an_observation_crosses_as_a_dict_and_comes_back(system: SystemAgent) -> None:
    for agent in system:
        sent = system.proxy.message_delivery_handler(agent.agent_id, {"get_info": "obs"})

        assert sent is not None
        restored = Observation.from_dict(through_json(sent)["get_obs_response"]["body"])

        own = system.proxy.get_observation(agent.agent_id, agent.level)
        assert restored == own
        assert restored.vector() == own.vector()


def test_a_local_state_crosses_as_lists_and_comes_back_as_vectors(system: SystemAgent) -> None:
    for agent in system:
        sent = system.proxy.message_delivery_handler(agent.agent_id, {"get_info": "local_state"})

        assert sent is not None
        restored = local_state_of(through_json(sent)["get_local_state_response"]["body"])

        own = system.proxy.get_local_state(agent.agent_id, agent.level)
        assert restored.keys() == own.keys()
        for name in own:
            assert restored[name].dtype == own[name].dtype == np.float32
            assert restored[name].tolist() == own[name].tolist()


def test_an_observation_reaches_a_policy_as_an_object_that_is_an_array(system: SystemAgent) -> None:
    seat = system.settings.learners[0]
    obs = system.proxy.get_observation(seat, 1)

    assert np.asarray(obs).dtype == np.float32
    assert np.asarray(obs).tolist() == obs.vector().tolist()


def test_an_action_crosses_as_a_dict_and_comes_back(system: SystemAgent) -> None:
    for seat in system.settings.learners:
        action = agent_of(system, seat).neutral()
        action.set_values({"d": [count - 1 for count in action.ncats], "c": [0.25] * action.dim_c})
        restored = agent_of(system, seat).neutral()

        restored.set_values(through_json(action.to_dict()))

        assert restored == action


def test_a_commanded_act_crosses_as_json_and_comes_back() -> None:
    system = SystemAgent(chain_game())
    system.reset(1)
    head = agent_of(system, "head")
    assert isinstance(head, CoordinatorAgent)
    head.set_action(offered(red=(OFFER, 2, 1)))
    (command,) = head.instructions(system._joined.view("head"), 0.0)

    form = through_json(dump_instruction(command))

    assert command_actions(form["actions"]) == command.actions  # type: ignore[union-attr]  # it is a Command


# Rules that are enforced


@pytest.mark.parametrize(
    "payload",
    [{"state": object()}, {"vector": np.zeros(2)}, {"vector": array("f", [1.0])}, {"x": float("nan")}],
)
def test_a_broker_takes_no_objects(payload: Any) -> None:
    with pytest.raises(NegoError, match="holds what JSON cannot"):
        InMemoryBroker().publish("c", AddressedMessage(MessageType.INFO, "red", "platform", payload))


def test_no_state_of_the_session_is_sent_in_a_message(system: SystemAgent) -> None:
    with pytest.raises(NegoError, match="holds what JSON cannot"):
        AddressedMessage(MessageType.INFO, "a", "b", {"state": system._joined.session.state})


def test_a_reward_gets_the_view_of_its_seat_and_no_state() -> None:
    seen: list[tuple[AgentContext, AgentContext]] = []

    def reward(before: AgentContext, after: AgentContext) -> float:
        seen.append((before, after))
        return 0.0

    system = SystemAgent(chain_game(), reward=reward)
    system.reset(1)
    system.execute({"red": (OFFER, 0, 0)}, system.proxy)

    assert {ctx.seat for pair in seen for ctx in pair} == {"red", "green", "blue"}
    for ctx in (ctx for pair in seen for ctx in pair):
        assert set(ctx.game.preferences) == {ctx.seat}
        assert set(ctx._view.state.game.preferences) == {ctx.seat}
    before, after = seen[-1]
    assert (before.elapsed_time, after.elapsed_time) == (0.0, 5.0)


def test_nothing_that_the_proxy_returns_leads_to_a_state(system: SystemAgent) -> None:
    proxy = system.proxy
    returned = [
        proxy.init_global_state(),
        proxy.get_step_results(),
        proxy.get_tick_results(),
        *(
            read(agent.agent_id, agent.level)
            for agent in system
            for read in (proxy.get_observation, proxy.get_local_state, proxy.get_global_states)
        ),
    ]

    leaves = {type(leaf) for value in returned for leaf in _leaves(value)}

    assert leaves <= {np.ndarray, array, float, int, bool, str, type(None)}
    assert not [
        name
        for name in dir(proxy)
        if not name.startswith("_") and isinstance(getattr(proxy, name), State | FeatureState)
    ]


def _leaves(value: Any) -> Any:
    if isinstance(value, Observation):
        value = {"local": value.local, "global": value.global_info, "t": value.timestamp}
    if hasattr(value, "keys"):
        value = [value[key] for key in value]
    if isinstance(value, list | tuple):
        for one in value:
            yield from _leaves(one)
    else:
        yield value


@pytest.mark.parametrize("own", [{"red": (OFFER, 4, 2)}, {"red": (WAIT, 0, 0)}, {}])
def test_an_override_cannot_be_skipped(own: dict[str, Any]) -> None:
    class Stubborn(FieldAgent):
        def _follow_command(self) -> bool:
            return False  # whatever an agent does, the session's episode performs the command

    policy = Listed((OFFER, 4, 2), wait=(OFFER, 4, 2))
    system = SystemAgent(chain_game(), agents={"red": Stubborn("red", policy)})
    system.reset(1)
    events: list[Any] = []
    system._joined._runner.subscribe(lambda published: events.append(published.event))

    system.execute({"head": offered(red=(OFFER, 0, 0)), **own}, system.proxy)

    (act,) = [event for event in events if event.sender == "red"]
    assert act.decided_by is DecidedBy.PRINCIPAL
    assert act.payload.offer.get("colour") == "red"


# The trace of a whole step


def test_the_trace_of_a_single_step_with_the_types_of_each_stage() -> None:
    # Initialisation: neutral actions, features in the session, everything registered.
    system = SystemAgent(chain_game())
    obs, infos = system.reset(42)
    green = agent_of(system, "green")
    state = system._joined.features()["green"]
    assert isinstance(state, FeatureState)
    assert type(green.action) is VectorAction
    assert type(obs["green"]) is Observation
    assert type(infos["green"]) is dict
    assert state.features["Worth"].to_dict() == {"points": 0, "fraction": 0.0}

    # Action: numbers, then an action within its ranges, then an act, then an event of the session.
    green.handle_self_action({"d": [OFFER, 99, 1]}, system.proxy)
    assert green.action.d.tolist() == [OFFER, 14, 1]
    script = system._joined._script("green")
    assert type(script[0].offer) is Offer
    results = system.execute({"green": green.action}, system.proxy)
    assert isinstance(system._joined.session.state, State)
    play: Any = system._joined.session.state.mechanism_state
    on_table = play.on_table
    assert (on_table.sender, on_table.offer) == ("green", script[0].offer)

    # State: 2 points for each of 4 coins and 3 for the own colour are 11, all that there is.
    state = system._joined.features()["green"]
    assert state.features["Worth"].to_dict() == {"points": 11, "fraction": 1.0}

    # Observation: vectors of what green may see, with its own worth and without red's.
    seen = system.proxy.get_observation("green", 1)
    assert seen.local["Worth"].tolist() == [11.0, 1.0]
    assert set(seen.global_info) == {"red", "blue", "platform"}
    assert "Worth" not in seen.global_info["red"]
    assert seen.timestamp == 5.0

    # Reward: from vectors, by position.
    local_state = system.proxy.get_local_state("green", 1)
    assert type(local_state["Worth"]) is np.ndarray
    assert local_state["Worth"][0] == 11.0
    assert green.compute_local_reward(local_state) == 0.0

    # Results: arrays of float32 and plain numbers.
    assert results.obs["green"].tolist() == np.asarray(seen).tolist()
    assert results.obs["green"].dtype == np.float32
    assert [type(values["green"]) for values in results[1:]] == [float, bool, bool, dict]
    assert system.proxy.get_step_results().rewards == results.rewards
