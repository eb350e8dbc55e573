"""A paraphraser changes the words of a script, and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from negoplatform.agent_api.actions import (
    Action,
    FormalQuit,
    ProposeChange,
    Schedule,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import Event, EventType, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import DialogueAct, Interpretation
from negoplatform.language_model.endpoint import Attempt, AttemptOutcome
from negoplatform.language_model.model_notes import MAX_NOTES_BYTES
from negoplatform.language_model.paraphraser import (
    DEADLINE_MARGIN,
    MAX_PARAPHRASES,
    Paraphraser,
    merge_classification,
)
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import (
    ActClassification,
    ClassifiedAct,
    Paraphrase,
    StructuredResponse,
)
from negoplatform.testing import TrialTable

NICE = "What would you think of this, then?"


class Model:
    """Model with one rewording and one classification, which records its input."""

    def __init__(self, text: str = NICE, acts: tuple[str, ...] = ("GREETING",)) -> None:
        self.text, self.acts = text, acts
        self.given: list[dict[str, Any]] = []

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:
        self.given.append(json.loads(user))
        acts = {"acts": [{"act": act, "issue": None} for act in self.acts]}
        return Attempt(
            AttemptOutcome.ANSWERED, 0.1, json.dumps({"text": self.text} if shape is Paraphrase else acts)
        )


@pytest.fixture
def table(practice: GameSpec) -> TrialTable:
    return TrialTable(practice)


def typed(table: TrialTable, text: str) -> Event:
    return table.human.says(text)


def without_notes(script: list[Any]) -> list[Any]:
    return [action for action in script if not isinstance(action, ProposeChange)]


def voice(model: Model, **settings: Any) -> Paraphraser:
    return Paraphraser(ModelSettings(**settings), model)


def test_a_message_changes_its_words_and_nothing_else_changes(table: TrialTable) -> None:
    table.wait(1)
    ctx = table.agent.context()
    offer = SendOffer(ctx.make_offer(apples=3), delay_ms=700, flushable=True)
    message = SendMessage("How about this?", MessageSubtype.OFFER_PROPOSE, delay_ms=900, to=("human",))
    script: list[Action] = [ShowTyping(900), message, offer, FormalQuit()]

    answered = voice(Model()).answer(ctx, None, script)

    own = SendMessage(NICE, MessageSubtype.OFFER_PROPOSE, delay_ms=900, to=("human",))
    assert without_notes(answered) == [ShowTyping(900), own, offer, FormalQuit()]
    assert isinstance(answered[0], ProposeChange)


def test_the_model_is_told_the_offer_that_its_words_introduce(table: TrialTable) -> None:
    table.wait(1)
    ctx = table.agent.context()
    model = Model()

    voice(model).answer(ctx, None, [SendMessage("How about this?"), SendOffer(ctx.make_offer(apples=2))])

    assert model.given[0]["say"] == "How about this?"
    assert model.given[0]["with the offer"] == ["2 apples for me, 4 apples for you"]


def test_the_words_of_a_callback_are_found_when_it_is_called(table: TrialTable) -> None:
    table.wait(1)
    ctx = table.agent.context()
    model = Model()
    script = [
        Schedule(1000, lambda _ctx: [SendMessage("Still there?")]),
        Schedule(1000, SendMessage("Are you?")),
        Schedule(1000, lambda _ctx: None),
    ]

    answered = without_notes(voice(model).answer(ctx, None, script))

    assert model.given == []
    said = [without_notes(one.callback(ctx)) for one in answered]
    assert said == [[SendMessage(NICE)], [SendMessage(NICE)], []]


def test_so_many_messages_of_an_answer_are_worded_and_no_more(table: TrialTable) -> None:
    table.wait(1)
    script = [SendMessage(f"Well, {word}.") for word in ("yes", "no", "then")]

    answered = without_notes(voice(Model()).answer(table.agent.context(), None, script))

    assert answered == [*[SendMessage(NICE)] * MAX_PARAPHRASES, *script[MAX_PARAPHRASES:]]


def test_near_the_end_nobody_waits_for_a_model(table: TrialTable) -> None:
    deadline = table.state.game.rules.deadline_seconds
    assert deadline
    table.wait(deadline - DEADLINE_MARGIN)
    model = Model()

    answered = voice(model).answer(table.agent.context(), None, [SendMessage("Time is short.")])

    assert without_notes(answered) == [SendMessage("Time is short.")]
    assert model.given == []


def test_after_the_end_nobody_is_asked_and_nothing_is_noted(table: TrialTable) -> None:
    table.wait(1)
    table.human.quits()
    ended = next(event for event in table.events if event.type == EventType.GAME_END)
    model = Model()

    assert voice(model).answer(table.agent.context(), ended, [SendMessage("Bye.")]) == [SendMessage("Bye.")]
    assert model.given == []


def test_a_courtesy_that_the_agent_leaves_unanswered_is_answered(table: TrialTable) -> None:
    event = typed(table, "Hello there!")
    ctx = table.agent.context()

    answered = voice(Model("It is good to see you.")).answer(ctx, event, [])

    assert without_notes(answered) == [
        ShowTyping(900),
        SendMessage("It is good to see you.", MessageSubtype.GENERIC_POS, delay_ms=900),
    ]
    assert without_notes(voice(Model(), small_talk=False).answer(ctx, event, [])) == []


def test_where_the_agent_answers_or_will_nothing_is_added(table: TrialTable) -> None:
    event = typed(table, "Hello there!")
    ctx = table.agent.context()
    waiting: list[Action] = [Schedule(1000, lambda _ctx: None)]
    noting: list[Action] = [ProposeChange({"notes": {"agent": {"mood": "calm"}}})]

    assert len(without_notes(voice(Model()).answer(ctx, event, waiting))) == 1
    assert len(without_notes(voice(Model()).answer(ctx, event, noting))) == 2


def test_what_is_no_courtesy_alone_is_left_to_the_agent(table: TrialTable) -> None:
    event = typed(table, "Hello there!")

    answered = voice(Model(acts=("GREETING", "OFFER_PROPOSE"))).answer(table.agent.context(), event, [])

    assert without_notes(answered) == []


def test_the_model_reads_only_what_was_typed_and_only_if_it_is_to(table: TrialTable) -> None:
    model = Model()
    event = table.human.says("Hello!", MessageSubtype.GREETING)
    voice(model, small_talk=False).answer(table.agent.context(), event, [])
    assert model.given == []

    event = typed(table, "Hello!")
    voice(model, small_talk=False, reads=False).answer(table.agent.context(), event, [])
    assert model.given == []

    voice(model, small_talk=False).answer(table.agent.context(), event, [])
    assert [given["text"] for given in model.given] == ["Hello!"]


def test_what_a_model_hears_is_never_a_deal(practice: GameSpec) -> None:
    offer = Offer({"apples": Allocation({"human": 3, "agent": 3})})
    understood = Interpretation("x", (DialogueAct(MessageSubtype.PREF_INFO),), offers=(offer,), sure=0.4)
    heard = ActClassification(
        acts=[
            ClassifiedAct(act=MessageSubtype.OFFER_ACCEPT, issue="apples"),
            ClassifiedAct(act=MessageSubtype.PREF_INFO, issue="no such issue"),
        ]
    )

    both = merge_classification(understood, heard, practice)

    assert (both.offers, both.sure, both.accepts, both.offer) == ((offer,), 0.4, False, None)
    assert [(act.subtype, act.sure, act.issue) for act in both.acts] == [
        (MessageSubtype.PREF_INFO, 1.0, None),
        (MessageSubtype.OFFER_ACCEPT, 0.5, "apples"),
    ]


def test_notes_stay_small_whatever_was_said(table: TrialTable) -> None:
    event = typed(table, "é" * 4000)
    model = Model("é" * 3900)

    answered = voice(model, attempts=5, small_talk=False).answer(
        table.agent.context(), event, [SendMessage("é" * 5000), SendMessage("é" * 5000)]
    )

    (note,) = (action for action in answered if isinstance(action, ProposeChange))
    assert len(json.dumps(note.updates.to_dict())) < MAX_NOTES_BYTES + 1000  # type: ignore[attr-defined]


def test_the_record_keeps_the_newest_calls_and_the_log_all_of_them(table: TrialTable) -> None:
    table.wait(1)
    ctx, speaks = table.agent.context(), voice(Model())

    notes = [
        dict(action.updates)["notes"]["agent"]["model"]["calls"]
        for _ in range(2)
        for action in speaks.answer(ctx, None, [SendMessage("How about this?")])
        if isinstance(action, ProposeChange)
    ]

    assert [list(calls) for calls in notes] == [["1"], ["1", "2"]]
    assert notes[1]["1"] is None
    assert notes[1]["2"]["used"] == "model"
