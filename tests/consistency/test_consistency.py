"""No agent that talks contradicts itself, repeats a sentence, or leaves a question without an answer."""

from __future__ import annotations

import pytest

from negoplatform.strategies.dialogue import message_answers, offer_wording, talk_pace
from negoplatform.strategies.dialogue.sentences import Sentences
from negoplatform.strategies.expressive import ExpressiveAgent, agent, agent_state
from tests.consistency.play import GAMES, TALKERS, play_agents, play_person


@pytest.mark.parametrize("name", TALKERS)
def test_an_agent_does_not_contradict_itself_before_people(name: str) -> None:
    first = 100 * TALKERS.index(name)

    faults = [
        fault
        for seed in range(first, first + 8)
        for fault in play_person(name, GAMES[seed % len(GAMES)], seed)[1]
    ]

    assert faults == []


def test_the_next_answer_waits_for_words_that_are_sent_in_any_case() -> None:
    _, faults = play_person("favours_betraying", "practice", seed=481)

    assert faults == []


@pytest.mark.parametrize(
    ("name", "opponent"), list(zip(TALKERS, (*TALKERS[5:], *TALKERS[:5]), strict=True)), ids=" ".join
)
def test_two_agents_do_not_contradict_themselves(name: str, opponent: str) -> None:
    _, faults = play_agents(name, opponent, GAMES[len(name) % len(GAMES)], seed=7)

    assert faults == []


# The check itself


def is_broken(rule: str, name: str, seeds: range) -> bool:
    """Return whether an agent breaks a rule in one of some games against scripted people."""
    return any(
        fault.rule == rule for seed in seeds for fault in play_person(name, GAMES[seed % len(GAMES)], seed)[1]
    )


def test_a_repeated_sentence_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sentences, "add", lambda _self, _text: True)

    assert is_broken("repeated sentence", "conceding", range(6))


def test_a_question_without_an_answer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_answers, "answer_topics", lambda *_: [])

    assert is_broken("unanswered", "conceding", range(6))


def test_an_acceptance_in_words_alone_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ExpressiveAgent._accept
    monkeypatch.setattr(ExpressiveAgent, "_accept", lambda self, ctx: whole(self, ctx)[:-1])

    assert is_broken("acceptance denied", "conceding", range(12))


def test_a_concession_taken_back_without_a_word_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (offer_wording, agent_state, agent):
        monkeypatch.setattr(module, "takes_back", lambda *_: False)

    assert is_broken("concession taken back", "building", range(10))


def test_a_stated_limit_that_does_not_hold_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExpressiveAgent, "record_stated_limit", lambda _self, _limit: None)

    assert is_broken("limit contradicted", "lying", range(30))


def test_answers_that_come_too_fast_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk_pace, "TYPING_BOUNDS", (0.01, 0.02))

    assert is_broken("too fast", "conceding", range(6))
