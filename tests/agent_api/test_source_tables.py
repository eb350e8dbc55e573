"""Agent API, compared literally with the platform's own tables, and the contract's additions to them."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from negoplatform.agent_api import actions as actions_module
from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import (
    DecidedBy,
    EndedBy,
    Event,
    EventType,
    Expression,
    MessageSubtype,
    Preference,
    Relation,
)
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.testing import TrialTable
from tests.games import coins_only

SOURCE = Path(__file__).parents[1] / "plugin_files" / "my_agent.py"

HANDLERS = [
    "on_game_start",
    "on_send_message",
    "on_send_offer",
    "on_send_expression",
    "on_offer_in_progress",
    "on_time",
    "on_formal_accept",
    "on_game_end",
]

ADDED_HANDLERS = ["on_formal_quit", "on_instruction", "on_action_refused"]

REQUIRED = inspect.Parameter.empty


def parameters(function: Any) -> dict[str, Any]:
    """Return the positional parameters with their defaults, without self."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and name != "self"
    }


# NegotiationAgent


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("__init__", {"agent_id": "agent"}),
        ("configure", {"config": REQUIRED}),
        ("handle_event", {"ctx": REQUIRED, "event": REQUIRED}),
        ("reset", {}),
        ("get_name", {}),
        ("get_avatar", {}),
        ("get_description", {}),
        ("get_config", {"key": REQUIRED, "default": None}),
        *((handler, {"ctx": REQUIRED, "event": REQUIRED}) for handler in HANDLERS + ADDED_HANDLERS),
    ],
)
def test_an_agents_methods_take_what_the_tables_say(method: str, expected: dict[str, Any]) -> None:
    assert parameters(getattr(NegotiationAgent, method)) == expected


@pytest.mark.parametrize("handler", HANDLERS + ADDED_HANDLERS)
def test_a_handler_that_is_not_overridden_does_nothing(table: TrialTable, handler: str) -> None:
    event = table.human.says("Hello.")

    assert getattr(NegotiationAgent(), handler)(table.context("agent"), event) == []


def test_there_are_no_other_handlers() -> None:
    found = {name for name in vars(NegotiationAgent) if name.startswith("on_")}

    assert found == set(HANDLERS + ADDED_HANDLERS)


def test_an_agent_has_the_id_that_it_is_made_with() -> None:
    assert NegotiationAgent().agent_id == "agent"
    assert NegotiationAgent("rowan").agent_id == "rowan"


def test_an_agents_words_about_itself_have_the_types_of_the_tables() -> None:
    agent = NegotiationAgent("quick_fox")

    assert agent.get_name() == "Quick Fox"
    assert agent.get_avatar() is None
    assert isinstance(agent.get_description(), str)
    assert agent.configure({"name": "Reynard", "avatar": "fox"}) is None  # type: ignore[func-returns-value]  # tested
    assert (agent.get_name(), agent.get_avatar()) == ("Reynard", "fox")


def test_a_description_is_the_first_paragraph_of_the_docstring() -> None:
    class Patient(NegotiationAgent):
        """Waits,
        and waits.

        More about waiting.
        """

    assert Patient().get_description() == "Waits, and waits."


def test_a_configuration_is_read_back_by_name() -> None:
    agent = NegotiationAgent()
    agent.configure({"share": 0.4})

    assert agent.get_config("share") == 0.4
    assert agent.get_config("missing") is None
    assert agent.get_config("missing", 7) == 7


def test_a_configuration_is_a_copy() -> None:
    given = {"share": 0.4}
    agent = NegotiationAgent()
    agent.configure(given)

    given["share"] = 40

    assert agent.get_config("share") == 0.4


@pytest.mark.parametrize("config", [None, [], "x", {1: 2}])
def test_a_configuration_has_names(config: Any) -> None:
    with pytest.raises(AgentError, match="configured with named values"):
        NegotiationAgent().configure(config)


@pytest.mark.parametrize("value", [40, 1.01, -0.1, True, "0.4", None, float("nan")])
def test_a_share_above_one_is_rejected_with_a_sentence(value: Any) -> None:
    agent = NegotiationAgent()
    agent.configure({"share": value})

    with pytest.raises(
        AgentError, match=r"The setting 'share' is a share from 0 to 1 \(0\.4 for 40 %\), not"
    ):
        agent.get_fraction("share", 0.5)


@pytest.mark.parametrize("value", [0, 0.4, 1])
def test_a_share_from_zero_to_one_is_taken(value: float) -> None:
    agent = NegotiationAgent()
    agent.configure({"share": value})

    assert agent.get_fraction("share", 0.5) == value
    assert agent.get_fraction("other", 0.5) == 0.5


def test_an_agent_without_a_call_to_its_parents_init_still_has_a_name_and_a_config() -> None:
    class Forgetful(NegotiationAgent):
        def __init__(self, agent_id: str = "agent") -> None:
            pass

    assert Forgetful().get_name() == "Agent"
    assert Forgetful().get_config("anything", 3) == 3


# Actions


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (SendMessage, {"text": REQUIRED, "subtype": MessageSubtype.GENERIC, "delay_ms": 0}),
        (SendOffer, {"offer": REQUIRED, "delay_ms": 0}),
        (SendExpression, {"expression": REQUIRED, "duration_ms": 2000, "delay_ms": 0}),
        (FormalAccept, {"delay_ms": 0}),
        (FormalQuit, {"delay_ms": 0}),
        (Schedule, {"delay_ms": REQUIRED, "callback": REQUIRED}),
        (ShowTyping, {"duration_ms": 1000}),
    ],
)
def test_an_actions_constructor_is_the_one_of_the_tables(action: Any, expected: dict[str, Any]) -> None:
    assert parameters(action) == expected
    assert "flushable" in inspect.signature(action).parameters


def test_the_tables_positional_calls_work() -> None:
    offer = Offer({"colour": "red"})

    assert SendMessage("Hi.", MessageSubtype.GREETING, 5).delay_ms == 5
    assert SendOffer(offer, 5).offer == offer
    assert SendExpression(Expression.SAD, 10, 5).duration_ms == 10
    assert FormalAccept(5).delay_ms == 5
    assert Schedule(5, print).callback is print
    assert ShowTyping(5).duration_ms == 5


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: SendMessage(5), "SendMessage needs a text"),  # type: ignore[arg-type]  # each of these is wrong
        (lambda: SendMessage("x", "SHOUT"), "is no MessageSubtype"),  # type: ignore[arg-type]
        (lambda: SendMessage("x", delay_ms=-1), "delay_ms is a number of milliseconds"),
        (lambda: SendMessage("x", delay_ms=float("inf")), "delay_ms is a number of milliseconds"),
        (lambda: SendMessage("x", delay_ms=float("nan")), "delay_ms is a number of milliseconds"),
        (lambda: SendMessage("x", delay_ms="5"), "delay_ms is a number of milliseconds"),  # type: ignore[arg-type]
        (lambda: SendMessage("x", to=5), "for a list of seats"),  # type: ignore[arg-type]
        (lambda: SendOffer({"colour": "red"}), "SendOffer needs an Offer"),  # type: ignore[arg-type]
        (lambda: SendExpression("GRIM"), "is no Expression"),  # type: ignore[arg-type]
        (lambda: SendExpression(Expression.SAD, -5), "duration_ms is a number of milliseconds"),
        (lambda: ShowTyping(-5), "duration_ms is a number of milliseconds"),
        (lambda: FormalAccept(-5), "delay_ms is a number of milliseconds"),
        (lambda: FormalQuit(-5), "delay_ms is a number of milliseconds"),
        (lambda: Schedule(-5, print), "delay_ms is a number of milliseconds"),
        (lambda: Schedule(5, "later"), "Schedule needs something to call"),  # type: ignore[arg-type]
    ],
)
def test_an_action_that_makes_no_sense_cannot_be_made(make: Any, reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        make()


def test_an_action_may_be_written_with_the_words_of_its_vocabulary() -> None:
    assert SendMessage("x", "GREETING").subtype is MessageSubtype.GREETING  # type: ignore[arg-type]  # tolerated
    assert SendExpression("HAPPY").expression is Expression.HAPPY  # type: ignore[arg-type]  # tolerated


def test_an_action_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        SendMessage("Hello.").text = "Bye."  # type: ignore[misc]  # that it cannot be set is what is tested


def test_every_action_of_the_tables_is_an_action() -> None:
    names = {action.__name__ for action in actions_module.ACTIONS}

    assert names == {
        "SendMessage",
        "SendOffer",
        "SendExpression",
        "FormalAccept",
        "Schedule",
        "ShowTyping",
        "FormalQuit",
        "ProposeChange",
        "MechanismAct",
    }


# Events


def test_the_types_of_event_are_those_of_the_contract() -> None:
    assert {str(kind) for kind in EventType} == {
        "SEND_MESSAGE",
        "SEND_OFFER",
        "SEND_EXPRESSION",
        "OFFER_IN_PROGRESS",
        "TIME",
        "FORMAL_ACCEPT",
        "GAME_START",
        "GAME_END",
        "FORMAL_QUIT",
        "TYPING",
        "ACTION_REFUSED",
        "STATE_PROPOSED",
        "AGENT_FAILED",
        "RESUMED",
        "NOTE",
    }


def test_the_kinds_of_message_are_the_union_of_both_vocabularies() -> None:
    assert {str(subtype) for subtype in MessageSubtype} == {
        "GENERIC",
        "GREETING",
        "FAREWELL",
        "THANKS",
        "APOLOGY",
        "PROMISE",
        "CONFIRMATION",
        "CLARIFICATION",
        "CONFUSION",
        "GENERIC_POS",
        "GENERIC_NEG",
        "OFFER_PROPOSE",
        "OFFER_ACCEPT",
        "OFFER_REJECT",
        "OFFER_REQUEST_POS",
        "OFFER_REQUEST_NEG",
        "PREF_INFO",
        "PREF_REQUEST",
        "PREF_SPECIFIC_REQUEST",
        "PREF_WITHHOLD",
        "BATNA_REQUEST",
        "BATNA_INFO",
        "FAVOR_REQUEST",
        "FAVOR_ACCEPT",
        "FAVOR_REJECT",
        "FAVOR_RETURN",
        "THREAT",
        "THREAT_POS",
        "THREAT_NEG",
        "TIMING_REQUEST",
        "TIMING_INFO",
        "TIMING",
    }


def test_the_other_vocabularies_are_those_of_the_contract() -> None:
    assert list(Expression) == [
        "NEUTRAL",
        "HAPPY",
        "SAD",
        "ANGRY",
        "SURPRISED",
        "DISGUSTED",
        "SCARED",
        "CONTEMPT",
    ]
    assert set(Relation) == {"GREATER", "LESS", "EQUAL", "BEST", "WORST"}
    assert set(EndedBy) == {"agreement", "timeout", "quit", "agent_failure", "aborted", "completed"}
    assert set(DecidedBy) == {"human", "agent", "wizard", "principal", "fallback"}


def test_events_answer_what_they_hold_and_are_empty_about_the_rest(table: TrialTable) -> None:
    message = table.human.says("Hello.")
    offer = table.human.offers(bananas=(1, 3))
    expression = table.human.shows(Expression.SAD)

    assert (message.get_text(), offer.get_text()) == ("Hello.", "")
    assert offer.get_offer().units("bananas", "human") == 1
    assert message.get_offer() == Offer()
    assert (expression.get_expression(), message.get_expression()) == (Expression.SAD, None)
    assert message.get_preference() is None


def test_a_message_may_state_a_preference_and_the_value_of_no_deal(table: TrialTable) -> None:
    stated = Preference("bananas", Relation.GREATER, "grain", is_question=True)

    class Open(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> Any:
            return [
                SendMessage("Bananas or grain?", MessageSubtype.PREF_REQUEST, preference=stated, batna=10)
            ]

    table.seat(Open())
    table.wait(2)

    assert table.events[-1].get_preference() == stated
    history = table.context("human").get_message_history()
    assert (history[0]["preference"], history[0]["batna"]) == (stated, 10)


# AgentContext


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("game", GameSpec),
        ("issues", list[QuantityIssue | CategoricalIssue | NumberIssue]),
        ("current_offer", Offer),
        ("elapsed_time", float),
        ("remaining_time", float | None),
        ("get_agent_utility", float),
        ("get_agent_utility_percent", float),
        ("get_opponent_utility", float),
        ("can_formally_accept", bool),
        ("get_offer_history", list[dict[str, Any]]),
        ("get_message_history", list[dict[str, Any]]),
    ],
)
def test_the_contexts_rows_have_the_types_of_the_tables(name: str, hint: Any) -> None:
    member = inspect.getattr_static(AgentContext, name)

    function = member.fget if isinstance(member, property) else member
    is_slot = inspect.ismemberdescriptor(member)
    found = get_type_hints(AgentContext)[name] if is_slot else get_type_hints(function)["return"]

    assert found == hint
    assert (is_slot or isinstance(member, property)) is not name.startswith(("get_", "can_"))


@pytest.mark.parametrize(
    "name",
    ["get_agent_utility", "get_agent_utility_percent", "get_opponent_utility", "can_formally_accept"],
)
def test_the_contexts_questions_need_no_argument(name: str) -> None:
    assert REQUIRED not in parameters(getattr(AgentContext, name)).values()


@pytest.mark.parametrize(
    "name",
    [
        "seat",
        "board",
        "utility",
        "make_offer",
        "outcomes",
        "reservation_value",
        "rng",
        "reading",
        "opponent_preferences_visible",
    ],
)
def test_the_context_has_what_the_contract_adds(table: TrialTable, name: str) -> None:
    table.start()

    assert hasattr(table.context("agent"), name)


def test_before_any_offer_the_current_offer_is_the_empty_one(table: TrialTable) -> None:
    table.start()
    ctx = table.context("agent")

    assert ctx.current_offer == Offer()
    assert ctx.get_agent_utility() == 0
    assert ctx.get_agent_utility_percent() == 0
    assert ctx.get_opponent_utility() == 0
    assert ctx.get_offer_history() == []


def test_the_context_tells_the_time(table: TrialTable) -> None:
    table.wait(90)
    ctx = table.context("agent")

    assert (ctx.elapsed_time, ctx.remaining_time) == (90.0, 510.0)
    assert (ctx.elapsed_seconds, ctx.remaining_seconds) == (90.0, 510.0)
    assert TrialTable(coins_only()).context("agent").remaining_time is None


def test_offers_are_remembered_as_plain_dicts(table: TrialTable) -> None:
    table.wait(2)
    offer = table.human.offers(bananas=(1, 3))

    assert table.context("agent").get_offer_history() == [
        {"offer_id": offer.seq, "t": 2.0, "sender": "human", "offer": offer.get_offer(), "complete": False}
    ]


def test_messages_are_remembered_as_plain_dicts(table: TrialTable) -> None:
    table.wait(2)
    message = table.human.says("Hello.", MessageSubtype.GREETING)

    assert table.context("agent").get_message_history() == [
        {
            "seq": message.seq,
            "t": 2.0,
            "sender": "human",
            "to": [],
            "text": "Hello.",
            "subtype": MessageSubtype.GREETING,
            "preference": None,
            "batna": None,
        }
    ]


def test_ones_own_offers_and_words_are_in_the_histories_too(table: TrialTable) -> None:
    table.agent.offers(bananas=(1, 3))
    table.agent.says("Look.")
    ctx = table.context("agent")

    assert [entry["sender"] for entry in ctx.get_offer_history() + ctx.get_message_history()] == ["agent"] * 2


def test_outcomes_come_one_at_a_time(table: TrialTable) -> None:
    outcomes = table.context("agent").outcomes()

    assert iter(outcomes) is outcomes
    assert len({next(outcomes), *outcomes}) == 5 * 6 * 4 * 4


# The minimal example, byte for byte


def test_the_minimal_example_is_the_one_of_the_page() -> None:
    text = SOURCE.read_text(encoding="utf-8")

    assert text == MINIMAL_EXAMPLE


MINIMAL_EXAMPLE = """from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.actions import SendMessage, SendOffer, FormalAccept
from negoplatform.core.events import MessageSubtype

class MyAgent(NegotiationAgent):
    def on_game_start(self, ctx, event):
        return [SendMessage("Hello! Let's negotiate.", subtype=MessageSubtype.GREETING)]
BLANK
    def on_send_offer(self, ctx, event):
        if ctx.get_agent_utility_percent() >= 0.5:
            if ctx.can_formally_accept():
                return [
                    SendMessage("Deal!", subtype=MessageSubtype.OFFER_ACCEPT),
                    FormalAccept()
                ]
        return [SendMessage("I need more.", subtype=MessageSubtype.OFFER_REJECT)]
""".replace("BLANK", " " * 4)
