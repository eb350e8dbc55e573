"""An expressive agent that is recreated during a session goes on as if it had not been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from negoplatform.core.events import Event, EventType, MessageSubtype
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse, AgentRunner
from negoplatform.hosting.responder import Responder, replayed_responder
from negoplatform.strategies.expressive import Behaviour, ConcedingOffers, Ledger, Policies
from negoplatform.testing import TrialTable
from tests.app.session.test_resume_live_sessions import played, resumed
from tests.hosting.processes import request_about
from tests.resumed_events import without_the_break
from tests.strategies.expressive.table import Mixed, game

FAVOURS = ("favours_fair", "favours_limited", "favours_betraying")


@pytest.mark.parametrize("name", [*FAVOURS, "conceding", "building", "lying"])
def test_a_session_that_is_cut_off_goes_on_the_same(name: str) -> None:
    campsite = game().resolve_profiles(3)
    whole = played(campsite, (name, "conceding"))
    cuts = range(2, len(whole) - 2, max(1, len(whole) // 5))

    for cut in cuts:
        again = resumed(campsite, (name, "conceding"), whole[:cut])

        assert notes_aside(without_the_break(again)) == notes_aside(whole), f"cut after event {cut}"


def notes_aside(events: Sequence[Event]) -> list[Event]:
    """Return the events without the base versions of proposed changes, which count the interruption too."""
    return [
        event._replace(payload=replace(event.payload, base_version=0))
        if event.type == EventType.STATE_PROPOSED
        else event
        for event in events
    ]


def fresh() -> Responder:
    """Return a responder for the agent with a fair ledger, without memory."""
    behaviour = Behaviour(opens_after=500, asks=False, prompts=0, ledger=Ledger("fair"))
    agent = Mixed(Policies(ConcedingOffers(start=0.7, step=0), behaviour=behaviour))
    agent.configure({})
    return AgentRunner(agent, Random(5))


CALLS_IN_A_ROUND = 3
"""Callbacks that the agent schedules in a round: for its first words, its first offer, and its answer."""


def a_round(rounds_before: int = 0) -> list[AgentRequest]:
    """Return the requests of a round in which the agent grants a favour and returns it."""
    table = TrialTable(game("resource_exchange"))
    table.start()
    questions = [request_about(table)]
    asked = table.human.says("Would you do me a favour?", MessageSubtype.FAVOR_REQUEST)
    questions.append(request_about(table))
    table.wait(6)
    questions.append(request_about(table, asked, call=(rounds_before + 1) * CALLS_IN_A_ROUND))
    least = table.state.game.preferences["agent"].reservation_value
    context = table.agent.context()
    poor = min(
        (offer for offer in context.outcomes() if context.utility(offer) >= least), key=context.utility
    )
    table.agent.offers(poor)
    table.human.accepts()
    questions.append(request_about(table))
    table.agent.accepts()
    return [*questions, request_about(table)]


def acts(answers: list[AgentResponse]) -> list[str]:
    """Return the message subtypes of the responses."""
    return [step.subtype for answer in answers for step in answer.steps if hasattr(step, "subtype")]


def test_one_that_is_made_again_in_a_second_round_and_hears_both_remembers_the_favour() -> None:
    questions = [*a_round(), *a_round(rounds_before=1)]
    cut = len(questions) // 2 + 1
    whole = fresh()
    expected = [whole.respond(question) for question in questions]

    again = replayed_responder(fresh, questions[:cut])
    rest = [again.respond(question) for question in questions[cut:]]

    assert [answer.steps for answer in rest] == [answer.steps for answer in expected[cut:]]
    assert MessageSubtype.FAVOR_ACCEPT in acts(expected[:cut])
    assert MessageSubtype.FAVOR_REJECT in acts(rest)


def test_one_that_hears_the_second_round_alone_has_forgotten_the_favour() -> None:
    second = a_round()

    again = replayed_responder(fresh, second[:1])

    assert MessageSubtype.FAVOR_ACCEPT in acts([again.respond(question) for question in second[1:]])
