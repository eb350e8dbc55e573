"""The chain of command, the messages to the platform, and agents whose messages take their time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import Command, Instruct, Instruction, PrincipalContext
from negoplatform.core.broker import InMemoryBroker, MessageType
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import Event, EventType
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.command.chain import Chain, Upstream, layer_actions
from negoplatform.hosting.principals.platform_requests import PlatformRequests
from tests.games import coins_only
from tests.hosting.principals import Commanded, Decide, commanded, given, notes
from tests.hosting.test_principal_host import Silent, once, session

TREE = {"system_agent": ("coord_1",), "coord_1": ("field_1", "field_2")}


def test_actions_are_layered_recursively() -> None:
    flat = {"system_agent": 1, "field_2": 3}

    assert layer_actions(flat, TREE) == {
        "self": 1,
        "subordinates": {
            "coord_1": {
                "self": None,
                "subordinates": {
                    "field_1": {"self": None, "subordinates": {}},
                    "field_2": {"self": 3, "subordinates": {}},
                },
            }
        },
    }


@pytest.mark.parametrize(
    ("flat", "tree"),
    [({"stranger": 1}, TREE), ({}, {"a": ("b",), "b": ("a",)}), ({}, {"a": ("b",), "c": ("d",)})],
)
def test_a_tree_with_a_loop_a_second_top_or_a_stranger_is_refused(flat: Any, tree: Any) -> None:
    with pytest.raises(NegoError, match=r"\.$"):
        layer_actions(flat, tree)


def test_a_game_has_three_levels_below_the_system() -> None:
    chain = Chain.of(commanded(over={"chief": ("head",), "head": ("agent",)}))

    assert chain.levels == {"system": 3, "chief": 3, "head": 2, "agent": 1, "human": 1}
    assert chain.upstream == {"chief": "system", "human": "system", "head": "chief", "agent": "head"}
    assert chain.layer({"agent": "act"})["subordinates"]["chief"]["subordinates"]["head"] == {
        "self": None,
        "subordinates": {"agent": {"self": "act", "subordinates": {}}},
    }


def test_a_name_without_a_principal_receives_nothing() -> None:
    upstream = Upstream("human", None, InMemoryBroker(), "default")

    assert upstream.receive_upstream_actions() == []
    assert upstream.take() is None


def test_a_commanded_act_is_no_part_of_the_game_until_it_is_performed() -> None:
    moments: list[tuple[bool, bool]] = []
    played = session({"head": once(Command("agent", SendOffer(next(coins_only().outcomes()))))})

    def observe(one: PublishedEvent) -> None:
        play: Any = one.state.mechanism_state
        moments.append((bool(one.state.record.commands.to_dict()), play.on_table is not None))

    played.runner.subscribe(observe)

    played.play()

    given_only, performed = (True, False), (True, True)
    assert list(dict.fromkeys(moments)) == [(False, False), given_only, performed]


# Messages to the platform


@pytest.fixture
def requests() -> PlatformRequests:
    played = Commanded(commanded(), {"agent": Silent, "human": Silent}, {})
    played.runner.start()
    session_ = played.runner.session
    made = PlatformRequests(session_, InMemoryBroker(), "default")
    made.attach("head", played.runner._proposers.issue(ProposerKind.PRINCIPAL, "head"))
    return made


def ask(requests: PlatformRequests, question: dict[str, Any]) -> Any:
    requests.send(MessageType.INFO, "head", "platform", question)
    requests.answer_questions("head")
    (answer,) = requests.take_answers("head")
    return answer


def test_a_question_for_an_observation_is_answered_with_what_its_sender_may_see(
    requests: PlatformRequests,
) -> None:
    answer = ask(requests, {"get_info": "obs"})

    observed = Observation.from_dict(answer["get_obs_response"]["body"])
    assert observed.timestamp == 0
    assert {"agent", "human", "platform"} <= set(observed.global_info)


def test_a_question_for_the_local_state_is_answered_with_the_own_features(requests: PlatformRequests) -> None:
    assert ask(requests, {"get_info": "local_state"}) == {"get_local_state_response": {"body": {}}}


def test_an_unknown_question_is_answered_with_a_sentence(requests: PlatformRequests) -> None:
    assert "get_info is 'obs' or 'local_state'" in ask(requests, {"get_info": "everything"})["error"]


def update(requests: PlatformRequests, body: Any, version: Any = 0) -> list[Event]:
    requests.send(
        MessageType.STATE_UPDATE,
        "head",
        "platform",
        {"set_state": "local", "body": body, "base_version": version},
    )
    return requests.take_proposals("head")


def test_a_state_update_is_a_proposal_of_its_sender(requests: PlatformRequests) -> None:
    (event,) = update(requests, {"commands": {"head": {"1": {"to": "agent", "mandate": {"x": 1}}}}})

    assert (event.type, event.payload.proposer.name) == (EventType.STATE_PROPOSED, "head")


@pytest.mark.parametrize(
    "body", [{"commands": {"chief": {"1": {"to": "agent"}}}}, {"notes": {"agent": {"x": 1}}}, {}]
)
def test_a_state_update_of_what_is_not_the_senders_own_is_refused(
    requests: PlatformRequests, body: Any
) -> None:
    assert update(requests, body) == []


def test_a_state_update_of_a_stranger_is_dropped(requests: PlatformRequests) -> None:
    requests.send(MessageType.STATE_UPDATE, "boss", "platform", {"set_state": "local", "body": {}})

    assert requests.take_proposals("boss") == []


# Order of a principal's tick


def test_a_principal_observes_collects_coordinates_sends_messages_and_then_acts() -> None:
    told: list[str] = []

    def make() -> Decide:
        def decide(ctx: PrincipalContext) -> list[Instruction]:
            told.append(f"observed {sorted(ctx.observation.global_info)}")
            told.append(f"collected {sorted(ctx.get_info())}")
            messages, actions = ctx.coordinate({"budget": 3})
            told.append(f"coordinated {messages} {actions}")
            return [Instruct("agent", {"budget": 3})] if len(told) == 3 else []

        return decide

    played = session({"head": make})

    played.play()

    assert told[:3] == [
        "observed ['agent', 'human', 'platform']",
        "collected ['agent']",
        "coordinated {} {}",
    ]
    assert len(given(played.events)) == 1


# Agents whose messages take their time


class Answers(NegotiationAgent):
    """Agent that answers the first tick of the clock by how many messages it has seen."""

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        seen = len(ctx.get_message_history())
        return [SendMessage(f"tick {event.t:g}, asked {ctx.elapsed_time:g}, seen {seen}")]


class Chatter(NegotiationAgent):
    """Agent that speaks half a second after every tick."""

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("Hm.")]


def late(timing: AgentTiming, **rules: Any) -> Commanded:
    game = replace(commanded(**rules), principals=commanded().principals.restricted_to(()))
    return Commanded(
        game,
        {"agent": Answers, "human": Chatter},
        {},
        {"agent": timing, "human": AgentTiming(act_delay=0.5)},
    )


def test_request_answer_and_act_of_an_agent_come_one_two_and_four_seconds_later() -> None:
    played = late(AgentTiming(act_delay=2, msg_delay=1, tick_interval=100), time_tick_seconds=5.0)

    events = played.play()

    of_tick = next(event.seq for event in events if event.type == EventType.TIME)
    arrivals = [
        (event.t, event.payload.data["message"])
        for event in events
        if event.type == EventType.NOTE and event.cause == of_tick
    ]
    assert arrivals == [(6.0, "get_info"), (7.0, "get_obs_response")]
    said = [event for event in events if event.sender == "agent"]
    assert [(event.t, event.payload.text) for event in said] == [(9.0, "tick 5, asked 7, seen 1")]
    assert said[0].decided_at == 7.0
    assert played.reruns() == []


def test_an_agent_is_asked_about_ticks_no_more_often_than_its_interval() -> None:
    played = late(AgentTiming(act_delay=1, tick_interval=12), time_tick_seconds=5.0)

    said = [event.payload.text for event in played.play() if event.sender == "agent"]

    assert [text.split(",")[0] for text in said] == ["tick 5", "tick 20"]
    assert notes(played.events, NoteKind.MESSAGE_DELIVERED) == []


def test_a_callback_of_a_late_agent_is_called_with_a_late_view() -> None:
    class Later(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [Schedule(3000, lambda late: [SendMessage(f"asked {late.elapsed_time:g}")])]

    played = replace(late(AgentTiming(act_delay=1, msg_delay=1)), agents={"agent": Later, "human": Silent})

    said = [(event.t, event.payload.text) for event in played.play() if event.sender == "agent"]

    assert said == [(7.0, "asked 7")]
    assert played.reruns() == []


@pytest.mark.parametrize("name", ["msg_delay", "tick_interval", "jitter"])
@pytest.mark.parametrize("value", [-1, 3601, "1", True])
def test_a_timing_out_of_its_range_is_refused_in_a_sentence(name: str, value: Any) -> None:
    with pytest.raises(AgentError, match=rf"^timing\.{name} is a number of seconds .*\.$"):
        AgentTiming(**{name: value})
