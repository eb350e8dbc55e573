"""The same agents in message mode: requests, answers, effects and results take their time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from negoplatform.cli.main import cli
from negoplatform.core.events import Event
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.strategies.learned.vector_action import VectorAction
from negoplatform.training.ctde import FieldAgent, SystemAgent
from negoplatform.training.ctde.proxy_agent import ProxyAgent
from tests.training.chain_games import ACCEPT, OFFER, WAIT, Listed, chain_game, log_lines, offered

LATE = AgentTiming(msg_delay=1, act_delay=2, tick_interval=10)


def late_game(**more: Any) -> Any:
    """Return the game of chief and head with messages that take 1 s, and effects that take 2 s."""
    timing = PrincipalTiming(tick_interval=10, msg_delay=1, act_delay=2)
    return chain_game(timing=timing, **{"deadline_seconds": 25.0, "time_tick_seconds": 10.0, **more})


def of(lines: list[dict[str, Any]], kind: str, **data: Any) -> list[float]:
    """Return the times of the events of a type, of notes those with some data."""
    return [
        line["t"]
        for line in lines
        if line["type"] == kind
        and data.items() <= {**line["payload"].get("data", {}), "by": line["sender"]}.items()
    ]


def test_a_decision_of_a_seat_is_asked_answered_performed_and_rewarded_at_the_worked_times(
    tmp_path: Path,
) -> None:
    policy = Listed((OFFER, 0, 0))
    system = SystemAgent(late_game(), policies={"blue": policy}, log=tmp_path)

    results = system.run_event_driven(1, LATE)

    lines = log_lines(tmp_path)
    # Request of t = 0: at the platform after msg_delay, the answer after 2, the effect act_delay later.
    assert of(lines, "NOTE", message="get_info", sender="blue")[0] == 1.0
    assert of(lines, "NOTE", message="get_obs_response", recipient="blue")[0] == 2.0
    assert of(lines, "SEND_OFFER", by="blue") == [4.0]
    # The local state is asked for at the effect, and the result is there three messages later.
    assert [result.timestamp for result in results["blue"]] == [7.0, 17.0, 25.0]
    assert policy.times == [2.0, 12.0, 22.0]


def test_a_principal_is_asked_answered_and_rewarded_at_its_own_times(tmp_path: Path) -> None:
    policy = Listed(offered(red=(OFFER, 0, 0)), wait=[WAIT] * 6)
    system = SystemAgent(late_game(), policies={"head": policy}, log=tmp_path)

    results = system.run_event_driven(1, LATE)

    lines = log_lines(tmp_path)
    assert of(lines, "NOTE", message="get_obs_response", recipient="head") == [2.0, 12.0, 22.0]
    (command,) = [line for line in lines if line["type"] == "STATE_PROPOSED"]
    assert command["t"] == 4.0
    # Red takes it at the next tick of the clock, and its act takes effect two seconds later.
    assert of(lines, "NOTE", seat="red", principal="head") == [10.0]
    (act,) = [line for line in lines if line["type"] == "SEND_OFFER"]
    assert (act["t"], act["sender"], act["decided_by"]) == (12.0, "red", "principal")
    assert [result.timestamp for result in results["head"]] == [7.0, 17.0, 25.0]
    assert [result.timestamp for result in results["red"]] == [15.0, 25.0]


def test_a_decision_whose_effect_is_due_after_the_end_has_no_effect_and_no_result(tmp_path: Path) -> None:
    system = SystemAgent(
        late_game(deadline_seconds=3.0), policies={"blue": Listed((OFFER, 0, 0))}, log=tmp_path
    )

    results = system.run_event_driven(1, LATE)

    assert of(log_lines(tmp_path), "SEND_OFFER") == []
    ((at, reward, terminated, truncated, _),) = results["blue"]
    assert (at, terminated, truncated) == (3.0, False, True)
    assert reward == pytest.approx(1 / 11)  # no deal is worth 1 point of 11


def test_results_that_are_under_way_at_the_end_arrive_and_rewards_add_up(tmp_path: Path) -> None:
    system = SystemAgent(
        late_game(deadline_seconds=16.0),
        policies={"blue": Listed((OFFER, 0, 0), (OFFER, 14, 2))},
        reward="score_change",
        log=tmp_path,
    )

    results = system.run_event_driven(1, LATE)["blue"]

    # The local state after the second offer, of second 14, was sent in second 15.
    assert [result.timestamp for result in results] == [7.0, 16.0, 16.0]
    assert [result.truncated for result in results] == [False, False, True]
    assert sum(result.reward for result in results) == pytest.approx(results[-1].info["points"] / 11 - 1 / 11)


def test_the_reward_of_a_tick_counts_from_the_local_state_before(tmp_path: Path) -> None:
    system = SystemAgent(
        late_game(),
        policies={"blue": Listed()},
        reward=lambda before, after: after.elapsed_time - before.elapsed_time,
        log=tmp_path,
    )

    results = system.run_event_driven(1, LATE)["blue"]

    # The local states were those of seconds 5 and 15, and of the end.
    assert [result.reward for result in results] == [5.0, 10.0, 10.0]


@pytest.mark.parametrize("timing", [AgentTiming(), LATE, AgentTiming(tick_interval=15)])
def test_the_codec_hears_each_event_once_and_in_order(timing: AgentTiming) -> None:
    heard: list[Event] = []

    class Hearing(FieldAgent):
        def init_action(self, game: GameSpec, codec: str | None) -> VectorAction:
            action = super().init_action(game, codec)
            self.codec.hear = heard.append  # type: ignore[method-assign, assignment]  # it records
            return action

    system = SystemAgent(
        late_game(),
        agents={"blue": Hearing("blue", Listed())},
        policies={"red": Listed((OFFER, 0, 0), (OFFER, 1, 1))},
    )
    system.run_event_driven(1, {"blue": timing, "red": AgentTiming()})

    numbers = [event.seq for event in heard if event.sender != "blue"]
    assert numbers == sorted(set(numbers))
    assert [event.sender for event in heard if event.type == "SEND_OFFER"] == ["red", "red"]
    assert [event.t for event in heard if event.type == "TIME"][:2] == [10.0, 20.0]


def test_a_deal_ends_it_for_all(tmp_path: Path) -> None:
    accept = (ACCEPT, 0, 0)
    policies = {
        "red": Listed((OFFER, 4, 0), accept),
        "green": Listed((WAIT, 0, 0), accept),
        "blue": Listed((WAIT, 0, 0), accept),
    }
    system = SystemAgent(late_game(), policies=policies, log=tmp_path)

    results = system.run_event_driven(1, LATE)

    assert log_lines(tmp_path)[-1]["type"] in ("GAME_END", "NOTE")
    last = {name: ticks[-1] for name, ticks in results.items()}
    assert all(result.terminated and not result.truncated for result in last.values())
    assert last["red"].reward > last["blue"].reward


def test_the_same_agents_decide_alike_in_steps_and_event_by_event(tmp_path: Path) -> None:
    first, second = (OFFER, 3, 1), (OFFER, 5, 2)
    in_steps, by_events = Listed(first, second), Listed(first, second)
    system = SystemAgent(chain_game(), policies={"blue": in_steps}, log=tmp_path / "steps")
    system.reset(1)
    for _ in range(2):
        system.execute({}, system.proxy)
    system.close()

    system.subordinates["blue"].policy = by_events
    system.settings = SystemAgent(chain_game(), log=tmp_path / "events").settings
    system.run_event_driven(1, AgentTiming(act_delay=0.001))

    def offers(folder: Path) -> list[Any]:
        return [
            (line["sender"], line["payload"]) for line in log_lines(folder) if line["type"] == "SEND_OFFER"
        ]

    assert offers(tmp_path / "steps") == offers(tmp_path / "events")
    assert len(offers(tmp_path / "steps")) == 2
    assert by_events.observed[0].tolist() == in_steps.observed[0].tolist()


def test_a_late_policy_observes_what_the_platform_saw(tmp_path: Path) -> None:
    quick, slow = Listed((OFFER, 0, 0)), Listed()
    system = SystemAgent(late_game(), policies={"red": quick, "blue": slow}, log=tmp_path)

    timing = {"red": AgentTiming(act_delay=1.5), "blue": AgentTiming(msg_delay=1, act_delay=1)}
    system.run_event_driven(1, timing)

    # Red's offer of second 1.5 came after the view of second 1, although blue was asked in second 2.
    (offer,) = [line for line in log_lines(tmp_path) if line["type"] == "SEND_OFFER"]
    assert offer["t"] == 1.5
    assert slow.times[0] == 2.0
    sender = _place_of_sender(system)
    assert slow.observed[0][sender] == -1.0
    assert slow.observed[1][sender] == 0.0


def _place_of_sender(system: SystemAgent) -> int:
    """Return the place of the sender of the offer on the table in blue's observation."""
    obs = system.reset(1)[0]["blue"]
    marked = obs.to_dict()
    table = marked["global_info"]["platform"]["TableOffer"]
    table[0] = 99.0
    system.close()
    return int(np.asarray(type(obs).from_dict(marked)).tolist().index(99.0))


def test_equal_seeds_give_equal_logs_and_jitter_is_drawn_from_the_seed(tmp_path: Path) -> None:
    def run(folder: str, seed: int) -> list[dict[str, Any]]:
        policies: dict[str, Any] = {
            "blue": Listed((OFFER, 0, 0)),
            "head": Listed(offered(red=(OFFER, 1, 1)), wait=[WAIT] * 6),
        }
        system = SystemAgent(late_game(), policies=policies, log=tmp_path / folder)
        system.run_event_driven(seed, AgentTiming(msg_delay=1, act_delay=1, jitter=0.5))
        return log_lines(tmp_path / folder)

    first, again, other = run("first", 1), run("again", 1), run("other", 2)

    assert first == again
    assert [line["t"] for line in first] != [line["t"] for line in other]


def test_the_log_of_message_mode_is_an_ordinary_log(tmp_path: Path) -> None:
    policies: dict[str, Any] = {
        "blue": Listed((OFFER, 0, 0)),
        "chief": Listed(offered(green=(OFFER, 1, 1)), wait=[WAIT] * 6),
    }
    system = SystemAgent(late_game(), policies=policies, log=tmp_path)
    system.run_event_driven(1, LATE)
    runner = CliRunner()

    verified = runner.invoke(cli, ["log", "verify", str(tmp_path)])
    replayed = runner.invoke(cli, ["replay", str(next(tmp_path.iterdir()))])

    assert verified.exit_code == 0, verified.output
    assert "green (Learner) sends offer" in replayed.output


def test_opponents_of_the_session_play_in_message_mode_too() -> None:
    policy = Listed()
    system = SystemAgent("practice", opponents={"agent": "boulware"}, policies={"human": policy})
    obs = system.reset(1)[0]["human"]
    policy.wait = [WAIT] * len(system.subordinates["human"].action.d)

    results = system.run_event_driven(1)

    assert len(results["agent"]) == 1  # at the end alone: it is no agent of this chain
    assert policy.observed[0].shape == np.asarray(obs).shape
    assert not np.array_equal(policy.observed[0], policy.observed[-1])


# Tick results


def registered() -> ProxyAgent:
    """Return a proxy with one agent, at the session time 3 s."""

    class Source:
        now = 3.0

    proxy = ProxyAgent()
    proxy.attach(Source())  # type: ignore[arg-type]  # no feature is asked for
    proxy.register_agent("red", 1)
    return proxy


def test_a_tick_result_arrives_as_a_message_and_is_the_live_one() -> None:
    proxy = registered()
    body = {"reward": 0.5, "terminated": False, "truncated": True, "info": {"points": 4}}

    answer = proxy.message_delivery_handler("red", {"set_tick_result": "local", "body": body})

    assert answer is None
    ((at, reward, terminated, truncated, info),) = proxy.get_tick_results()["red"]
    assert (at, reward, terminated, truncated, dict(info)) == (3.0, 0.5, False, True, {"points": 4})


@pytest.mark.parametrize(
    "body",
    [
        {"reward": 1.0},
        {"reward": float("inf"), "terminated": False, "truncated": False, "info": {}},
        {"reward": 1.0, "terminated": False, "truncated": False, "info": {"state": object()}},
        {"reward": 1.0, "terminated": False, "truncated": False, "info": {}, "state": {}},
    ],
)
def test_a_tick_result_of_another_form_is_refused_in_a_sentence(body: Any) -> None:
    proxy = registered()

    with pytest.raises(NegoError, match=r"\.$"):
        proxy.message_delivery_handler("red", {"set_tick_result": "local", "body": body})

    assert proxy.get_tick_results() == {}


def test_a_message_that_the_platform_does_not_know_is_refused() -> None:
    with pytest.raises(NegoError, match="takes no message"):
        registered().message_delivery_handler("red", {"get_info": "state"})


def test_a_timing_of_a_seat_without_a_learner_is_refused() -> None:
    system = SystemAgent("practice", opponents={"agent": "boulware"})

    with pytest.raises(NegoError, match="No learner takes the seat 'agent'"):
        system.run_event_driven(1, {"agent": LATE})


def test_all_that_is_sent_about_results_is_json(monkeypatch: pytest.MonkeyPatch) -> None:
    from negoplatform.training.ctde import message_mode

    sent: list[Any] = []
    real = message_mode._sent

    def send(sender: str, recipient: str, payload: Any) -> Any:
        sent.append(payload)
        return real(sender, recipient, payload)

    monkeypatch.setattr(message_mode, "_sent", send)
    bodies: list[Any] = []

    class Arriving(Observation):
        @classmethod
        def from_dict(cls, body: Any) -> Any:
            bodies.append(body)
            return Observation.from_dict(body)

    monkeypatch.setattr(message_mode, "Observation", Arriving)

    SystemAgent(late_game(), policies={"blue": Listed((OFFER, 0, 0))}).run_event_driven(1, LATE)

    assert {next(iter(payload)) for payload in sent} == {
        "get_info",
        "get_local_state_response",
        "set_tick_result",
    }
    assert [json.loads(json.dumps(payload)) for payload in (*sent, *bodies)] == [*sent, *bodies]
    assert len(bodies) == 3  # one for each tick
