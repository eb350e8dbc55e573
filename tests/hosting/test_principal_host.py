"""Principals command seats through the record, at their own times, and a session is repeated exactly."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.principal import Command, Instruct, Instruction, PrincipalContext, SendInfo
from negoplatform.core.events import DecidedBy, Event, EventType
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.domain.command_settings import PrincipalTiming
from negoplatform.eventlog.command_validator import CommandValidator
from negoplatform.formats import sent_commands
from negoplatform.hosting.agent_script_timing import AgentTiming
from tests.hosting.principals import Commanded, Decide, commanded, given, notes


class Talker(NegotiationAgent):
    """Agent that says at every tick of the clock which mandate it has."""

    def on_time(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(f"own {ctx.elapsed_time:g} {ctx.mandate}")]

    def on_instruction(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(f"heard {ctx.mandate} {ctx.information}")]


class Silent(NegotiationAgent):
    """Agent that does nothing."""


def once(*instructions: Instruction, at: int = 1) -> Any:
    """Return the maker of a decision that is taken at one tick alone."""

    def make() -> Decide:
        ticks = 0

        def decide(_ctx: PrincipalContext) -> list[Instruction]:
            nonlocal ticks
            ticks += 1
            return list(instructions) if ticks == at else []

        return decide

    return make


def talk(events: list[Event]) -> list[tuple[float, str, DecidedBy | None]]:
    return [
        (event.t, event.payload.text, event.decided_by)
        for event in events
        if event.type == EventType.SEND_MESSAGE
    ]


def session(principals: dict[str, Any], timing: PrincipalTiming | None = None, **more: Any) -> Commanded:
    over = more.pop("over", None)
    return Commanded(
        commanded(timing=timing, over=over, time_tick_seconds=5.0),
        {"agent": Talker, "human": Silent},
        principals,
        **more,
    )


def test_a_mandate_is_advice_that_the_agent_reads_and_is_told_of() -> None:
    played = session({"head": once(Instruct("agent", {"reservation_value": 3}, "Be firm."))})

    said = talk(played.play())

    assert said[0] == (1.0, "heard {'reservation_value': 3} {'text': 'Be firm.'}", DecidedBy.AGENT)
    assert said[1] == (6.0, "own 5 {'reservation_value': 3}", DecidedBy.AGENT)


def test_a_later_mandate_changes_the_values_that_it_names() -> None:
    def make() -> Decide:
        mandates = iter([{"a": 1, "b": 1}, {"b": 2}])
        return lambda _ctx: [Instruct("agent", next(mandates, {"c": 3}))]

    said = talk(session({"head": make}).play())

    assert [text for _, text, _ in said if text.startswith("heard")] == [
        "heard {'a': 1, 'b': 1} {}",
        "heard {'a': 1, 'b': 2} {}",
        "heard {'a': 1, 'b': 2, 'c': 3} {}",
    ]


def test_a_command_takes_the_place_of_one_decision_of_the_agent() -> None:
    played = session({"head": once(Command("agent", SendMessage("On command.")))})

    events = played.play()

    assert [(t, text, by) for t, text, by in talk(events) if not text.startswith("heard")][:2] == [
        (6.0, "On command.", DecidedBy.PRINCIPAL),
        (11.0, "own 10 {}", DecidedBy.AGENT),
    ]
    (proposal,) = given(events)
    act = next(event for event in events if event.decided_by is DecidedBy.PRINCIPAL)
    assert act.cause == proposal.seq
    ((t, taken),) = notes(events, NoteKind.COMMAND_TAKEN)
    assert (t, taken) == (5.0, {"seat": "agent", "principal": "head", "number": "1"})


def test_commands_are_taken_one_a_turn_in_their_order() -> None:
    order = [Command("agent", SendMessage(text)) for text in ("One", "Two", "Three")]

    said = talk(session({"head": once(*order)}).play())

    assert [(t, text) for t, text, by in said if by is DecidedBy.PRINCIPAL] == [
        (6.0, "One"),
        (11.0, "Two"),
        (16.0, "Three"),
    ]


def test_a_command_that_replaces_drops_those_that_wait() -> None:
    order = [
        Command("agent", SendMessage("One")),
        Command("agent", SendMessage("Two"), replace_pending=True),
        Command("agent", SendMessage("Three")),
    ]

    said = talk(session({"head": once(*order)}).play())

    assert [text for _, text, by in said if by is DecidedBy.PRINCIPAL] == ["Two", "Three"]


def test_a_log_with_more_commands_than_may_wait_follows_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent_commands, "MOST_WAITING_COMMANDS", 20)
    batches = [15, 15, 15]

    def make() -> Decide:
        left = iter(batches)
        given = itertools.count(1)
        return lambda _ctx: [Command("agent", SendMessage(str(next(given)))) for _ in range(next(left, 0))]

    game = commanded(time_tick_seconds=1.0, deadline_seconds=150.0)
    played = Commanded(game, {"agent": Talker, "human": Silent}, {"head": make})
    events, validator = played.play(), CommandValidator()

    faults = []
    for event in events:
        faults.append(validator.find_violation(game, event))
        validator.advance(game, event)

    said = [text for _, text, by in talk(events) if by is DecidedBy.PRINCIPAL]
    assert 20 < len(said) < sum(batches)
    assert set(faults) == {""}
    assert played.reruns() == []


def test_a_command_that_only_replaces_leaves_the_agent_its_decision() -> None:
    order = [Command("agent", SendMessage("One")), Command("agent", replace_pending=True)]

    said = talk(session({"head": once(*order)}).play())

    assert [text for _, text, by in said if by is DecidedBy.PRINCIPAL] == []
    assert "own 5 {}" in [text for _, text, _ in said]


def test_a_seat_without_a_principal_is_never_commanded() -> None:
    played = session({"head": once(Command("agent", SendMessage("x")))})

    events = played.play()

    assert {event.sender for event in events if event.decided_by is DecidedBy.PRINCIPAL} == {"agent"}
    assert played.runner.upstream_of("human") is None


def test_request_answer_and_effect_come_after_one_two_and_four_seconds() -> None:
    timing = PrincipalTiming(tick_interval=20, msg_delay=1, act_delay=2)
    played = session({"head": once(Instruct("agent", {"x": 1}))}, timing)

    events = played.play()

    assert [
        (t, data["message"], data["number"]) for t, data in notes(events, NoteKind.MESSAGE_DELIVERED)
    ] == [
        (1.0, "get_info", 1),
        (2.0, "get_obs_response", 1),
        (21.0, "get_info", 2),
        (22.0, "get_obs_response", 2),
    ]
    (proposal,) = given(events)
    assert (proposal.t, proposal.decided_at) == (4.0, 2.0)


def test_a_principal_is_asked_with_the_view_of_the_platform_at_that_time() -> None:
    seen: list[tuple[float, float, int]] = []

    def make() -> Decide:
        def decide(ctx: PrincipalContext) -> list[Instruction]:
            seen.append((ctx.elapsed_time, ctx.observation.timestamp, len(ctx.get_message_history())))
            return []

        return decide

    timing = PrincipalTiming(tick_interval=10, msg_delay=3)
    session({"head": make}, timing).play()

    # The agent's first message is of second 6: the view of second 3 has none, that of second 13 has two.
    assert seen == [(6.0, 3.0, 0), (16.0, 13.0, 2), (26.0, 23.0, 4)]


def test_each_principal_has_its_own_timing_and_jitter_is_repeated() -> None:
    timing = PrincipalTiming(tick_interval=5, msg_delay=0.5, act_delay=1, jitter=0.4)
    played = session({"head": lambda: lambda ctx: [SendInfo("agent", {"t": ctx.elapsed_time})]}, timing)

    first = [(event.t, event.type) for event in played.play()]
    second = [(event.t, event.type) for event in played.again(()).play()]

    assert first == second
    times = [event.t for event in given(played.events)]
    assert all(2.0 <= t - 5 * n <= 3.2 for n, t in enumerate(times))
    assert len({round(t - 5 * n, 3) for n, t in enumerate(times)}) == len(times)


CHAIN = {"chief": ("head",), "head": ("agent",)}


def test_a_mandate_reaches_a_principal_from_the_one_above_it() -> None:
    def make_head() -> Decide:
        return lambda ctx: [Instruct("agent", ctx.mandate)] if ctx.mandate else []

    played = session({"chief": once(Instruct("head", {"budget": 8})), "head": make_head}, over=CHAIN)

    said = talk(played.play())

    assert "heard {'budget': 8} {}" in [text for _, text, _ in said]


def test_a_command_from_above_replaces_the_decision_of_one_tick() -> None:
    from_above = Command("head", Instruct("agent", {"from": "chief"}))

    played = session(
        {"chief": once(from_above), "head": lambda: lambda _ctx: [Instruct("agent", {"from": "head"})]},
        over=CHAIN,
    )
    said = [text for _, text, _ in talk(played.play()) if text.startswith("heard")]

    assert said[:2] == ["heard {'from': 'chief'} {}", "heard {'from': 'head'} {}"] or said[:3] == [
        "heard {'from': 'head'} {}",
        "heard {'from': 'chief'} {}",
        "heard {'from': 'head'} {}",
    ]


LATE = AgentTiming(act_delay=2, msg_delay=1)
MANY = {
    "mandates and commands": (
        {
            "head": once(
                Instruct("agent", {"x": 1}),
                Command("agent", SendMessage("One", delay_ms=3000), SendMessage("And", delay_ms=2500)),
                Command("agent", SendMessage("Two")),
            )
        },
        None,
        {},
    ),
    "delays": (
        {"head": lambda: lambda ctx: [Command("agent", SendMessage(f"at {ctx.elapsed_time}"))]},
        # No two of them fall into one instant, whose order a resumed session need not repeat.
        PrincipalTiming(tick_interval=4.11, msg_delay=1.53, act_delay=1.017),
        {"agent": AgentTiming(act_delay=1, msg_delay=0.7, tick_interval=7)},
    ),
    "jitter": (
        {"head": lambda: lambda ctx: [Command("agent", SendMessage(f"at {ctx.elapsed_time}"))]},
        PrincipalTiming(tick_interval=4, msg_delay=1.5, act_delay=1, jitter=0.3),
        {"agent": AgentTiming(act_delay=1, msg_delay=0.7, jitter=0.2, tick_interval=7)},
    ),
    "a late agent": ({"head": once(Instruct("agent", {"x": 1}))}, None, {"agent": LATE}),
}


@pytest.mark.parametrize("name", MANY)
def test_a_rerun_of_agents_and_principals_shows_no_difference(name: str) -> None:
    principals, timing, timings = MANY[name]
    played = session(principals, timing, timings=timings)

    played.play()

    assert played.reruns() == []


@pytest.mark.parametrize("name", MANY)
def test_a_session_that_is_resumed_after_any_event_goes_on_as_it_would_have(name: str) -> None:
    principals, timing, timings = MANY[name]
    whole = session(principals, timing, timings=timings)
    expected = acts_of(whole.play())
    last = next(i for i, event in enumerate(whole.events) if event.type == EventType.GAME_END)

    for count in range(1, last):
        again = whole.again(whole.events[:count])
        acts = acts_of(again.play())
        if name != "jitter":  # which an agent's seat draws by the numbers of events
            assert acts == expected, count
        assert again.reruns() == [], count


def acts_of(events: list[Event]) -> list[Any]:
    """Return events without those of a resume, and without the numbers that these shift."""
    return [
        (
            event.t,
            event.type,
            event.sender,
            event.payload.updates if isinstance(event.payload, StateProposal) else event.payload,
            event.decided_by,
            event.decided_at,
        )
        for event in events
        if event.type != EventType.RESUMED
    ]


def test_a_forged_proposal_shows_in_a_rerun() -> None:
    played = session({"head": once(Instruct("agent", {"x": 1}))})
    played.play()

    other = session({"head": once(Instruct("agent", {"x": 2}))}).reruns(played.events)

    assert [(one.seat, one.reason[:9]) for one in other][:1] == [("head", "it gave {")]
