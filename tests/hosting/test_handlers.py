"""Every handler of a plugin is really called, and the minimal example reaches deals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.core.events import EndedBy, Event, EventType, Expression, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import make_agent
from negoplatform.testing import TrialTable
from tests.agents.seating import shipped
from tests.games import with_rules

MY_AGENT = Path(__file__).parents[1] / "plugin_files" / "my_agent.py"

GENEROUS = {"bananas": (1, 3), "grain": (1, 4), "wood": (1, 2), "spices": (1, 2)}
GREEDY = {"bananas": (4, 0), "grain": (5, 0), "wood": (3, 0), "spices": (3, 0)}


class Diary(NegotiationAgent):
    """Agent that logs the handlers that are called, and once requests an action that is not allowed."""

    def __init__(self) -> None:
        super().__init__()
        self.called: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("on_"):
            self.called.append(name)
        return super().__getattribute__(name)

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]

    def on_formal_accept(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("I hear you.")]


def my_agent() -> NegotiationAgent:
    return make_agent(find_agent(str(MY_AGENT), Path("no such folder")), "agent", {})


def test_every_handler_is_called_in_a_session_that_ends_in_a_deal(game: GameSpec) -> None:
    table = TrialTable(game)
    diary = Diary()
    table.seat(diary)
    table.wait(6)
    table.human.says("Hello.")
    table.human.shows(Expression.HAPPY)
    table.human.drafts()
    offer = table.human.offers(GENEROUS)
    table.human.accepts(offer)

    table.play_out()

    assert list(dict.fromkeys(diary.called)) == [
        "on_game_start",
        "on_action_refused",
        "on_time",
        "on_send_message",
        "on_send_expression",
        "on_offer_in_progress",
        "on_send_offer",
        "on_formal_accept",
        "on_game_end",
    ]
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_on_formal_quit_is_called_when_the_other_walks_away(game: GameSpec) -> None:
    table = TrialTable(game)
    diary = Diary()
    table.seat(diary)
    table.human.quits()

    table.play_out()

    assert diary.called == ["on_game_start", "on_formal_quit", "on_game_end"]


def test_in_that_session_every_stimulus_is_logged_before_its_response(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(Diary())
    table.human.says("Hello.")
    table.human.accepts(table.human.offers(GENEROUS))
    table.play_out()

    answers = [event for event in table.events if event.sender == "agent"]
    stimuli = {event.seq: event for event in table.events}

    assert [str(event.type) for event in answers] == ["SEND_MESSAGE", "FORMAL_ACCEPT"]
    for answer in answers:
        assert answer.cause is not None
        assert answer.cause < answer.seq
        assert stimuli[answer.cause].t < answer.t
    assert [str(stimuli[event.cause or 0].type) for event in answers] == ["SEND_MESSAGE", "FORMAL_ACCEPT"]


def test_an_agent_hears_everything_but_itself(game: GameSpec) -> None:
    heard: list[Event] = []

    class Listener(NegotiationAgent):
        def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
            heard.append(event)
            return [SendMessage("Mine.")] if event.type == EventType.SEND_MESSAGE else []

    table = TrialTable(game)
    table.seat(Listener())
    table.human.says("Yours.")
    table.human.types()

    table.wait(6)

    assert [(event.sender, str(event.type)) for event in heard] == [
        ("platform", "GAME_START"),
        ("human", "SEND_MESSAGE"),
        ("human", "TYPING"),
        ("platform", "TIME"),
    ]
    assert table.kinds().count("SEND_MESSAGE") == 2


def test_a_draft_is_heard_of_and_shown_only_where_the_game_shares_drafts(game: GameSpec) -> None:
    drafts = []
    for share in (False, True):
        table = TrialTable(with_rules(game, share_drafts=share))
        heard: list[Event] = []

        class Watcher(NegotiationAgent):
            seen = heard

            def on_offer_in_progress(self, ctx: AgentContext, event: Event) -> list[Action]:
                self.seen.append(event)
                return []

        table.seat(Watcher())
        table.human.drafts(table.context("human").make_offer(bananas=2))
        drafts.append([len(event.get_offer()) for event in heard])

    assert drafts == [[0], [1]]


def test_reset_is_called_before_the_game(game: GameSpec) -> None:
    calls: list[str] = []

    class Tidy(NegotiationAgent):
        def reset(self) -> None:
            calls.append("reset")

        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            calls.append("start")
            return []

    table = TrialTable(game)
    table.seat(Tidy())
    table.wait(20)

    assert calls == ["reset", "start"]


# The minimal example of the platform's own page


def test_the_minimal_example_loads_as_a_plugin_file() -> None:
    plugin = find_agent(str(MY_AGENT), Path("no such folder"))

    assert (plugin.name, plugin.class_name) == ("my_agent", "MyAgent")


def test_the_minimal_example_greets_refuses_and_deals_with_a_person(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(my_agent())
    table.wait(2)
    table.human.offers(GREEDY)
    table.wait(2)
    generous = table.human.offers(GENEROUS)
    table.wait(2)
    table.human.accepts(generous)

    table.play_out()

    agent = [event for event in table.events if event.sender == "agent"]
    assert [event.get_text() for event in agent if event.get_text()] == [
        "Hello! Let's negotiate.",
        "I need more.",
        "Deal!",
    ]
    assert [event.payload.subtype for event in agent if event.get_text()] == [
        MessageSubtype.GREETING,
        MessageSubtype.OFFER_REJECT,
        MessageSubtype.OFFER_ACCEPT,
    ]
    assert table.state.ending is not None
    assert table.state.ending.deal == generous.get_offer()
    assert EventType.AGENT_FAILED not in [event.type for event in table.events]


@pytest.mark.parametrize(
    ("name", "at"), [("conceder", "human"), ("linear", "human"), ("boulware", "human"), ("fair", "agent")]
)
def test_the_minimal_example_reaches_a_deal_with_a_shipped_agent(game: GameSpec, name: str, at: str) -> None:
    table = TrialTable(game)
    mine = game.others(at)[0]
    table.seat(shipped(name), at)
    table.seat(my_agent(), mine)

    table.play_out()

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT
    assert table.context(mine).get_agent_utility_percent() >= 0.5
    assert EventType.AGENT_FAILED not in [event.type for event in table.events]


def test_a_script_of_words_and_an_accept_is_performed_in_that_order(game: GameSpec) -> None:
    table = TrialTable(game)
    table.seat(my_agent())
    table.human.offers(GENEROUS)

    table.wait(2)

    assert table.kinds()[-2:] == ["SEND_MESSAGE", "FORMAL_ACCEPT"]


def test_an_agent_may_open_with_an_offer(game: GameSpec) -> None:
    class Opener(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendOffer(ctx.make_offer(GENEROUS))]

    table = TrialTable(game)
    table.seat(Opener())

    table.wait(2)

    assert table.kinds() == ["GAME_START", "SEND_OFFER"]
