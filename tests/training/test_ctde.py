"""A chain of command in steps: any level is given actions, and the session decides what happens."""

from __future__ import annotations

import doctest
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import negoplatform.training.ctde
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.principal import Command, Instruct, PrincipalContext
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.cli.main import cli
from negoplatform.core.broker import ChannelManager
from negoplatform.core.events import EndedBy, Event
from negoplatform.core.record.commands import mandate_of
from negoplatform.domain.command_settings import ProtocolKind
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import Visibility
from negoplatform.domain.seat_map import PLATFORM, SeatMap
from negoplatform.eventlog.reader import read_log
from negoplatform.training import NegotiationParallelEnv
from negoplatform.training.ctde import CoordinatorAgent, FieldAgent, ProxyAgent, SystemAgent
from negoplatform.training.ctde.proxy_agent import ACTIVE, LocalState
from negoplatform.training.rewards import score_change
from tests.games import three_seats
from tests.training.chain_games import (
    ACCEPT,
    OFFER,
    QUIT,
    WAIT,
    Listed,
    agent_of,
    chain_game,
    log_lines,
    offered,
)


def begin(system: SystemAgent, seed: int = 1) -> list[Event]:
    """Begin an episode, and return the list in which its further events will be."""
    system.reset(seed)
    events: list[Event] = []
    system._joined._runner.subscribe(lambda published: events.append(published.event))
    return events


def acts(events: list[Event]) -> list[tuple[str, str, str | None]]:
    """Return the sender, the type and the decision maker of each act of a seat."""
    return [
        (event.sender, str(event.type), event.decided_by and event.decided_by.value)
        for event in events
        if event.sender != PLATFORM
    ]


# Actions at any level


def test_a_given_action_of_a_seat_is_its_own_act_in_the_session() -> None:
    system = SystemAgent(chain_game())
    events = begin(system)

    results = system.execute({"blue": (OFFER, 3, 2)}, system.proxy)

    assert acts(events) == [("blue", "SEND_OFFER", "agent")]
    assert results.infos["blue"]["refused"] == ""


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("head", offered(red=(OFFER, 3, 2))),
        ("chief", offered(red=(OFFER, 3, 2))),
        ("head", [Command("red", SendMessage("x")), Command("red", SendMessage("y"))]),
    ],
)
def test_the_action_of_a_principal_reaches_its_seat_as_a_command_through_the_broker(
    name: str, action: Any
) -> None:
    system = SystemAgent(chain_game())
    events = begin(system)

    results = system.execute({name: action}, system.proxy)

    (act,) = acts(events)
    assert (act[0], act[2]) == ("red", "principal")
    assert results.infos["red"]["commanded"] is True
    assert results.infos["head"]["commanded"] is (name == "chief")


def test_the_action_of_the_system_is_that_of_those_directly_below_it() -> None:
    system = SystemAgent(chain_game())
    events = begin(system)
    of_chief, of_blue = [OFFER, 1, 0, WAIT, 0, 0], [OFFER, 2, 2]

    system.execute({"system": [*of_chief, *of_blue], "blue": (QUIT, 0, 0)}, system.proxy)

    assert acts(events) == [("red", "SEND_OFFER", "principal"), ("blue", "SEND_OFFER", "agent")]


def test_actions_are_layered_as_the_chain_and_a_stranger_is_refused() -> None:
    system = SystemAgent(chain_game())

    layered = system.layer_actions({"head": 1, "blue": 2})

    head = {
        "self": 1,
        "subordinates": {seat: {"self": None, "subordinates": {}} for seat in ("red", "green")},
    }
    assert layered == {
        "self": None,
        "subordinates": {
            "chief": {"self": None, "subordinates": {"head": head}},
            "blue": {"self": 2, "subordinates": {}},
        },
    }
    with pytest.raises(NegoError, match="nowhere in the chain"):
        system.layer_actions({"stranger": 1})


def test_a_command_from_above_counts_before_the_own_action() -> None:
    system = SystemAgent(chain_game(), policies={"red": Listed((OFFER, 4, 1))})
    events = begin(system)

    system.execute({"head": offered(red=(OFFER, 0, 0)), "red": (OFFER, 4, 2)}, system.proxy)

    (act,) = [event for event in events if event.sender == "red"]
    assert act.decided_by == "principal"
    assert act.payload.offer.get("colour") == "red"


def test_a_command_of_chief_counts_before_the_own_action_of_head() -> None:
    system = SystemAgent(chain_game())
    events = begin(system)

    system.execute({"chief": offered(red=(OFFER, 0, 0)), "head": offered(green=(OFFER, 0, 0))}, system.proxy)

    assert acts(events) == [("red", "SEND_OFFER", "principal")]


def test_a_command_waits_for_a_turn_and_nothing_else_is_done_before_it() -> None:
    system = SystemAgent(chain_game(turns="alternating", deadline_seconds=60.0))
    events = begin(system)
    system.execute({"red": (OFFER, 0, 0)}, system.proxy)

    in_vain = system.execute(
        {"head": offered(red=(OFFER, 1, 1)), "red": (OFFER, 2, 2), "green": (OFFER, 1, 1)}, system.proxy
    )
    system.execute({"blue": (OFFER, 1, 1), "red": (OFFER, 3, 2)}, system.proxy)
    system.execute({"red": (OFFER, 3, 2)}, system.proxy)

    assert in_vain.infos["red"]["commanded"] is False
    assert acts(events) == [
        ("red", "SEND_OFFER", "agent"),
        ("green", "SEND_OFFER", "agent"),
        ("blue", "SEND_OFFER", "agent"),
        ("red", "SEND_OFFER", "principal"),
    ]


def test_a_seat_takes_one_command_at_a_turn() -> None:
    system = SystemAgent(chain_game())
    events = begin(system)
    two = [Command("red", SendMessage("One")), Command("red", SendMessage("Two"))]

    system.act({"head": two}, system.proxy)
    system._joined.perform()
    said_at_once = [event.payload.text for event in events if event.sender == "red"]
    system.simulate()
    system.execute({}, system.proxy)

    assert said_at_once == ["One"]
    assert [event.payload.text for event in events if event.sender == "red"] == ["One", "Two"]


def test_a_principal_hears_what_its_level_sees() -> None:
    class Hearing(CoordinatorAgent):
        heard: list[Event] = []  # noqa: RUF012 - of this test alone

        def hear(self, event: Event) -> None:
            super().hear(event)
            self.heard.append(event)

    head = Hearing("head", 2)
    system = SystemAgent(chain_game(), agents={"head": head})
    system.reset(1)

    system.execute({"blue": (OFFER, 0, 0), "chief": {"budget": 3}}, system.proxy)

    assert [event.sender for event in head.heard if event.type == "SEND_OFFER"] == ["blue"]
    assert "NOTE" not in {event.type for event in head.heard}


def test_an_agent_without_an_action_decides_by_its_policy() -> None:
    policy = Listed((OFFER, 0, 0), (OFFER, 1, 1))
    system = SystemAgent(chain_game(), policies={"red": policy})
    events = begin(system)
    obs = system.observe(system.proxy)

    system.execute({}, system.proxy)
    system.execute({"red": (WAIT, 0, 0)}, system.proxy)

    assert acts(events) == [("red", "SEND_OFFER", "agent")]
    assert len(policy.observed) == 1
    assert policy.observed[0].tolist() == np.asarray(obs["red"]).tolist()


def test_the_policy_of_a_principal_decides_too() -> None:
    system = SystemAgent(chain_game(), policies={"head": Listed(offered(red=(OFFER, 0, 0)))})
    events = begin(system)

    system.execute({}, system.proxy)

    assert acts(events) == [("red", "SEND_OFFER", "principal")]


def test_a_seat_with_an_agent_of_the_session_is_played_by_it_and_given_nothing() -> None:
    system = SystemAgent("practice", opponents={"agent": "boulware"}, step_seconds=10)
    events = begin(system)

    system.execute({}, system.proxy)

    assert {sender for sender, _, _ in acts(events)} == {"agent"}
    with pytest.raises(NegoError, match="An agent plays the seat 'agent'"):
        system.execute({"agent": system.subordinates["agent"].neutral()}, system.proxy)


# Decomposition


def test_a_budget_is_split_among_the_seats_as_their_mandates() -> None:
    system = SystemAgent(chain_game())
    system.reset(1)

    system.execute({"head": {"budget": 7, "reservation_value": 2}}, system.proxy)

    record = system._joined.session.state.record
    assert mandate_of(record, "head", "red") == {"budget": 4, "reservation_value": 2}
    assert mandate_of(record, "head", "green") == {"budget": 3, "reservation_value": 2}


def test_an_action_is_cut_into_those_of_the_seats_and_a_part_that_waits_leaves_the_seat_its_own() -> None:
    system = SystemAgent(chain_game())
    events = begin(system)

    system.execute(
        {"head": offered(red=(OFFER, 2, 1), green=(WAIT, 0, 0)), "green": (OFFER, 1, 1)}, system.proxy
    )

    assert acts(events) == [("red", "SEND_OFFER", "principal"), ("green", "SEND_OFFER", "agent")]


def test_a_protocol_that_decomposes_nothing_is_named_and_a_mandate_goes_out_as_it_is() -> None:
    system = SystemAgent(chain_game(ProtocolKind.NONE))
    system.reset(1)

    with pytest.raises(NegoError, match="protocol of head decomposes no action"):
        system.execute({"head": offered(red=(OFFER, 0, 0))}, system.proxy)
    system.execute({"head": {"budget": 7}}, system.proxy)

    record = system._joined.session.state.record
    assert mandate_of(record, "head", "green") == {"budget": 7}


def test_instructions_that_a_principal_cannot_give_are_refused_before_anything_happens() -> None:
    system = SystemAgent(chain_game())
    system.reset(1)

    with pytest.raises(NegoError, match="directly below"):
        system.execute({"head": [Instruct("red", {"x": 1}), Instruct("blue", {"x": 1})]}, system.proxy)

    assert system._joined.session.state.record.commands.to_dict() == {}


# Beginning


def test_all_agents_are_registered_with_their_levels_and_begin_neutral() -> None:
    system = SystemAgent(chain_game())

    obs, infos = system.reset(1)

    levels = {"system": 3, "chief": 3, "head": 2, "red": 1, "green": 1, "blue": 1}
    assert system.proxy.levels == levels
    assert set(obs) == set(infos) == set(levels)
    assert [agent.agent_id for agent in system] == list(levels)
    assert all(agent.action == agent.neutral() for agent in system)
    assert infos["red"]["action_mask"][0].tolist() == [1, 1, 0, 1]


def test_the_global_state_at_the_beginning_has_the_public_features_alone() -> None:
    system = SystemAgent(chain_game())
    system.reset(1)

    public = system.proxy.init_global_state()

    assert set(public["platform"]) == {"Clock", "TableOffer"}
    assert set(public["red"]) == {"Presence", "LatestTerms"}


def test_a_reset_clears_scheduler_broker_and_proxy_and_resets_all_agents() -> None:
    system = SystemAgent(chain_game(turns="alternating"))
    first, _ = system.reset(1)
    system.execute({"red": (OFFER, 0, 0)}, system.proxy)
    system.execute({"head": offered(red=(OFFER, 1, 1))}, system.proxy)
    old = system._joined
    channel = ChannelManager.action_channel("head", "red", old.session.state.session_id or "default")
    assert old.is_commanded("red")
    old._runner._broker.publish(channel, _message("head", "red", old))

    second, infos = system.reset(1)

    new = system._joined
    assert old._runner.scheduler.next_due() is None
    assert old._runner._broker.consume(channel, "red", old._runner._env_id) == []
    assert not new.is_commanded("red")
    assert not any(info["commanded"] or info["refused"] for info in infos.values())
    assert [agent.timestep for agent in system] == [0.0] * 6
    assert all(agent.action == agent.neutral() for agent in system)
    assert second == first
    with pytest.raises(NegoError, match="no results yet"):
        system.proxy.get_step_results()
    assert system.proxy.get_tick_results() == {}


def _message(sender: str, recipient: str, episode: Any) -> Any:
    from negoplatform.core.broker import AddressedMessage, MessageType

    return AddressedMessage(MessageType.ACTION, sender, recipient, {}, 0.0, episode._runner._env_id)


def test_without_a_reset_there_is_no_episode() -> None:
    system = SystemAgent(chain_game())

    with pytest.raises(NegoError, match=r"call reset\(seed\) first"):
        system.execute({}, system.proxy)


# Phases of a step


def test_commands_come_top_down_and_then_the_acts_in_the_order_of_seats() -> None:
    system = SystemAgent(chain_game())
    events = begin(system)

    system.execute(
        {
            "blue": (OFFER, 0, 0),
            "green": (OFFER, 0, 1),
            "head": {"budget": 1},
            "chief": {"budget": 2},
            "red": (OFFER, 0, 2),
        },
        system.proxy,
    )

    order = [
        event.payload.proposer.name if event.type == "STATE_PROPOSED" else event.sender
        for event in events
        if event.type in ("STATE_PROPOSED", "SEND_OFFER")
    ]
    assert order == ["chief", "head", "head", "red", "green", "blue"]
    # Nothing but time comes after them in a step.
    assert [str(event.type) for event in events[-1:]] == ["TIME"]


def test_the_session_resolves_the_step_and_all_are_told() -> None:
    system = SystemAgent(chain_game())
    system.reset(1)
    system.execute({"red": (OFFER, 0, 0)}, system.proxy)
    everyone = dict.fromkeys(("red", "green", "blue"), (ACCEPT, 0, 0))

    results = system.execute(everyone, system.proxy)

    assert all(results.terminateds.values())
    assert not any(results.truncateds.values())
    assert system._joined.ending.ended_by is EndedBy.AGREEMENT  # type: ignore[union-attr]  # it has ended
    with pytest.raises(NegoError, match="episode is over"):
        system.execute({}, system.proxy)


def test_an_episode_that_runs_out_of_time_is_truncated() -> None:
    system = SystemAgent(chain_game(deadline_seconds=10.0))
    system.reset(1)

    first = system.execute({}, system.proxy)
    last = system.execute({}, system.proxy)

    assert not any(first.truncateds.values())
    assert all(last.truncateds.values())
    assert not any(last.terminateds.values())


def test_results_are_keyed_by_agent_and_are_plain_numbers() -> None:
    system = SystemAgent(chain_game())
    obs, _ = system.reset(1)

    results = system.execute({"head": offered(red=(OFFER, 0, 0))}, system.proxy)

    names = list(obs)
    assert all(list(values) == names for values in results)
    for name in names:
        vector = results.obs[name]
        assert vector.dtype == np.float32
        assert vector.shape == np.asarray(obs[name]).shape
        assert type(results.rewards[name]) is float
        assert type(results.terminateds[name]) is type(results.truncateds[name]) is bool
    assert system.proxy.get_step_results().obs["red"].tolist() == results.obs["red"].tolist()


# Observations and rewards


def test_an_observation_is_that_of_an_agent_in_the_same_place() -> None:
    system = SystemAgent(chain_game(visibility=Visibility.UPPER_LEVEL))
    system.reset(1)
    system.execute({"red": (OFFER, 2, 1), "head": {"budget": 3}}, system.proxy)
    episode = system._joined

    for seat in ("red", "green", "blue"):
        assert system.proxy.get_observation(seat, 1) == episode.context(seat).observation
    for name, level in (("head", 2), ("chief", 3)):
        ctx = PrincipalContext(episode.view(name), episode.now, episode.learners["red"]._rng)
        assert system.proxy.get_observation(name, level) == ctx.observation


def test_time_goes_on_in_observations_where_nothing_happens() -> None:
    system = SystemAgent(three_seats(deadline_seconds=60.0), step_seconds=1)
    system.reset(1)

    clocks = []
    for _ in range(3):
        system.execute({}, system.proxy)
        clocks.append(system.proxy.get_global_states("red", 1)["platform"]["Clock"].tolist())

    assert clocks == [[1.0, 59.0], [2.0, 58.0], [3.0, 57.0]]


def test_each_level_sees_what_it_may_and_vectors_alone() -> None:
    system = SystemAgent(chain_game(visibility=Visibility.UPPER_LEVEL))
    system.reset(1)
    proxy = system.proxy

    assert set(proxy.get_local_state("green", 1)) == {
        "Presence",
        "LatestTerms",
        "Limits",
        "Worth",
        "PointsTable",
        "OwnResult",
    }
    assert "Worth" in proxy.get_global_states("head", 2)["green"]
    assert "Worth" not in proxy.get_global_states("head", 2)["red"]
    assert "Worth" not in proxy.get_global_states("red", 1)["green"]
    assert "Worth" not in proxy.get_global_states("chief", 3)["green"]
    assert set(proxy.get_local_state("head", 2)) == {"OwnResult"}
    for vectors in proxy.get_global_states("head", 2).values():
        assert all(vector.dtype == np.float32 for vector in vectors.values())


def test_an_agent_cannot_observe_above_its_level_or_without_being_registered() -> None:
    system = SystemAgent(chain_game())
    system.reset(1)

    for read in (
        system.proxy.get_observation,
        system.proxy.get_local_state,
        system.proxy.get_global_states,
    ):
        with pytest.raises(NegoError, match="red is on level 1"):
            read("red", 3)
        with pytest.raises(NegoError, match="No agent 'stranger'"):
            read("stranger", 1)
    with pytest.raises(NegoError, match="is registered with the level 1"):
        system.proxy.register_agent("red", 2)


@pytest.mark.parametrize(
    ("visibility", "seen"), [(Visibility.OWNER, 0), (Visibility.UPPER_LEVEL, 1), (Visibility.PUBLIC, 1)]
)
def test_a_reward_is_the_own_share_and_never_that_of_a_seat_whose_points_are_hidden(
    visibility: Visibility, seen: int
) -> None:
    system = SystemAgent(chain_game(visibility=visibility))
    system.reset(1)
    system.execute({"green": (OFFER, 14, 1)}, system.proxy)

    results = system.execute(dict.fromkeys(("red", "green", "blue"), (ACCEPT, 0, 0)), system.proxy)

    own = results.rewards["green"]
    assert own == pytest.approx(1.0)  # all coins and its colour
    assert results.rewards["red"] == results.rewards["blue"] == 0.0
    assert results.rewards["head"] == pytest.approx(own * seen)
    assert results.infos["green"]["points"] == 11.0


def test_the_reward_of_a_step_is_what_happened_in_it() -> None:
    system = SystemAgent("practice", opponents={"agent": "fair"}, reward="score_change")
    env = NegotiationParallelEnv("practice", opponents={"agent": "fair"}, reward=score_change)
    system.reset(5)
    env.reset(options={"game_seed": 5})

    for _ in range(6):
        mine = system.execute({}, system.proxy).rewards["human"]
        assert mine == pytest.approx(env.step({})[1]["human"], abs=1e-6)


def test_a_reward_counts_from_the_end_of_the_step_before() -> None:
    system = SystemAgent(
        chain_game(visibility=Visibility.UPPER_LEVEL),
        step_seconds=4,
        reward=lambda before, after: after.elapsed_time - before.elapsed_time,
    )
    system.reset(1)

    for _ in range(3):
        rewards = system.execute({}, system.proxy).rewards
        assert rewards["red"] == 4.0
        assert rewards["head"] == 4.0  # of green, whose points it may see


def test_a_reward_of_ones_own_reads_vectors_by_position_and_gets_nothing_else() -> None:
    given: list[LocalState] = []

    class Worthy(FieldAgent):
        def compute_local_reward(self, local_state: LocalState) -> float:
            given.append(local_state)
            return float(local_state["Worth"][1])

    system = SystemAgent(chain_game(), agents={"green": Worthy("green")})
    system.reset(1)

    results = system.execute({"green": (OFFER, 14, 1)}, system.proxy)

    assert results.rewards["green"] == 1.0
    assert all(type(vector) is np.ndarray for vector in given[-1].values())


def test_an_agent_of_a_class_of_ones_own_keeps_its_place_in_the_chain() -> None:
    class Counting(CoordinatorAgent):
        def compute_local_reward(self, local_state: LocalState) -> float:
            return 1.0 + float(local_state["OwnResult"][ACTIVE])

    system = SystemAgent(chain_game(), agents={"head": Counting("head", 2)})
    events = begin(system)

    results = system.execute({"head": offered(green=(OFFER, 0, 0))}, system.proxy)

    assert results.rewards["head"] == 2.0
    assert acts(events) == [("green", "SEND_OFFER", "principal")]
    with pytest.raises(NegoError, match="has the id 'other'"):
        SystemAgent(chain_game(), agents={"head": Counting("other", 2)})


@pytest.mark.parametrize("reward", [float("nan"), True, "1"])
def test_results_that_are_no_numbers_or_of_strangers_are_refused(reward: Any) -> None:
    proxy = ProxyAgent()
    proxy.register_agent("red", 1)

    with pytest.raises(NegoError, match="reward of red is a finite number"):
        proxy.set_step_result({}, {"red": reward}, {}, {}, {})
    with pytest.raises(NegoError, match="No agent 'blue'"):
        proxy.set_step_result({}, {"blue": 0.0}, {}, {}, {})


# Logs


def play(folder: Path, seed: int) -> None:
    """Play an episode in which every level acts."""
    system = SystemAgent(chain_game(), log=folder)
    system.reset(seed)
    system.execute({"head": offered(red=(OFFER, 1, 0), green=(OFFER, 2, 1))}, system.proxy)
    system.execute({"chief": offered(red=(OFFER, 3, 0)), "blue": (OFFER, 2, 2)}, system.proxy)
    system.execute({"chief": {"budget": 5}, "system": [WAIT] * 9}, system.proxy)
    system.execute(dict.fromkeys(("red", "green", "blue"), (ACCEPT, 0, 0)), system.proxy)
    system.close()


def test_equal_seeds_give_equal_logs(tmp_path: Path) -> None:
    play(tmp_path / "first", 4)
    play(tmp_path / "second", 4)

    assert log_lines(tmp_path / "first") == log_lines(tmp_path / "second")
    assert log_lines(tmp_path / "first")[-1]["type"] in ("GAME_END", "NOTE")


def test_the_log_of_an_episode_with_commands_is_an_ordinary_log(tmp_path: Path) -> None:
    play(tmp_path, 4)
    (folder,) = tmp_path.iterdir()
    runner = CliRunner()

    verified = runner.invoke(cli, ["log", "verify", str(folder)])
    replayed = runner.invoke(cli, ["replay", str(folder)])
    exported = runner.invoke(cli, ["export", str(folder), "--out", str(tmp_path / "tables")])

    assert verified.exit_code == 0, verified.output
    assert "takes command 1 of chief" in replayed.output
    assert exported.exit_code == 0, exported.output
    assert "reservation_value" in (tmp_path / "tables" / "mandates.csv").read_text(encoding="utf-8")


def test_an_episode_with_commands_is_run_again_with_the_agents_in_it_alone(tmp_path: Path) -> None:
    system = SystemAgent(chain_game(), opponents={"red": "boulware"}, log=tmp_path)
    system.reset(2)
    green = (OFFER, 1, 1)
    for _ in range(3):
        system.execute({"head": offered(red=(OFFER, 2, 1)), "green": green}, system.proxy)
    system.close()
    (folder,) = tmp_path.iterdir()
    log = read_log(folder)

    again = resimulate(log, tmp_path / "data")

    assert [str(one.decided_by) for one in log.events if one.sender == "red"].count("principal") >= 2
    assert (again.agents, again.learners, again.differences) == (1, 4, ())


@pytest.mark.parametrize("seconds", [1.0, 5.0])
def test_a_step_is_the_same_as_one_of_the_parallel_environment(seconds: float, tmp_path: Path) -> None:
    game = replace(three_seats(deadline_seconds=60.0), visibility=SeatMap({"green": Visibility.PUBLIC}))
    system = SystemAgent(game, log=tmp_path / "steps", step_seconds=seconds)
    env = NegotiationParallelEnv(game, log=tmp_path / "env", step_seconds=seconds)
    obs, _ = system.reset(9)
    same, _ = env.reset(options={"game_seed": 9})
    rng = np.random.default_rng(0)

    for step in range(8):
        assert all(np.asarray(obs[seat]).tolist() == same[seat].tolist() for seat in same)
        if not env.agents:
            break
        sizes = {seat: np.array(agent_of(system, seat).action.ncats) for seat in env.agents}
        chosen = {seat: rng.integers(sizes[seat]) for seat in env.agents}
        for action in chosen.values():
            action[0] = rng.integers(1 + (step > 3), 3)  # later on they rather accept
        results = system.execute(chosen, system.proxy)
        same, rewards, terminated, truncated, infos = env.step(chosen)
        obs = results.obs  # type: ignore[assignment]  # as arrays
        for seat in same:
            assert results.rewards[seat] == pytest.approx(rewards[seat], abs=1e-6)
            assert (results.terminateds[seat], results.truncateds[seat]) == (
                terminated[seat],
                truncated[seat],
            )
            assert results.infos[seat]["refused"] == infos[seat]["refused"]

    system.close()
    env.close()
    assert log_lines(tmp_path / "steps") == log_lines(tmp_path / "env")


# The package


def test_the_example_in_the_package_works() -> None:
    tried = doctest.testmod(negoplatform.training.ctde)

    assert (tried.failed, tried.attempted > 10) == (0, True)


def test_without_the_extra_the_package_says_what_to_install() -> None:
    code = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "from negoplatform.domain.errors import NegoError\n"
        "try:\n"
        "    import negoplatform.training.ctde\n"
        "except NegoError as error:\n"
        "    print(error)\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert "pip install '.[training]'" in done.stdout, done.stderr
