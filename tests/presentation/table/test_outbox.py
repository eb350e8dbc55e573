"""What is prepared and not sent: what comes back after a refusal, and after an interruption."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import Event, EventType, Message, MessageSubtype, Refusal
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.presentation.table.outbox import Unsent
from negoplatform.testing import TrialTable

PHRASE = Message("What matters most to you?", MessageSubtype.PREF_REQUEST)


@pytest.fixture
def unsent(game: GameSpec) -> Unsent:
    """What has not been sent in a game that has just begun: nothing."""
    return Unsent("human", game, None, [])


def refusal(of: EventType = EventType.SEND_MESSAGE) -> Event:
    """What the participant is told when something of theirs was not possible."""
    return Event(7, 3.0, EventType.ACTION_REFUSED, "human", Refusal(of, "It is too late."))


def said(message: Message, sender: str = "human") -> Event:
    return Event(8, 3.0, EventType.SEND_MESSAGE, sender, message)


def test_typed_words_that_were_refused_come_back(unsent: Unsent) -> None:
    unsent.sent(Message("Wait!"))

    assert unsent.settle(refusal()) == (True, "Wait!")


def test_a_phrase_that_was_refused_does_not_come_back(unsent: Unsent) -> None:
    unsent.sent(PHRASE)

    assert unsent.settle(refusal()) == (True, "")


def test_words_that_were_said_do_not_come_back_and_are_kept_no_longer(unsent: Unsent) -> None:
    unsent.sent(Message("Hello."))
    before = unsent.document("")["sent"]

    settled = unsent.settle(said(Message("Hello.")))

    assert settled == (True, "")
    assert before == ["Hello."]
    assert unsent.document("")["sent"] == []


@pytest.mark.parametrize(
    "event", [said(Message("Hello."), "agent"), refusal(EventType.SEND_OFFER)], ids=["theirs", "an offer"]
)
def test_what_happens_to_others_and_to_offers_settles_no_words(unsent: Unsent, event: Event) -> None:
    unsent.sent(Message("Wait!"))

    assert unsent.settle(event) == (False, "")
    assert unsent.document("")["sent"] == ["Wait!"]


def test_what_was_not_on_its_way_is_not_given_back(unsent: Unsent) -> None:
    assert unsent.settle(refusal()) == (False, "")


def test_several_messages_are_settled_in_the_order_in_which_they_were_sent(unsent: Unsent) -> None:
    for text in ("One.", "Two.", "Three."):
        unsent.sent(Message(text))

    told = [unsent.settle(event)[1] for event in (said(Message("One.")), said(Message("Two.")), refusal())]

    assert told == ["", "", "Three."]


def test_what_the_session_itself_refuses_comes_back(table: TrialTable) -> None:
    table.start()
    table.human.quits()
    table.human.says("Goodbye.")
    unsent = Unsent("human", table.state.game, None, [])
    unsent.sent(Message("And another word."))

    with pytest.raises(Refused):
        table.human.says("And another word.")

    assert unsent.settle(table.events[-1]) == (True, "And another word.")


def test_what_was_kept_is_there_again_with_the_words_that_were_on_their_way(game: GameSpec) -> None:
    bananas = game.issue("bananas")
    assert isinstance(bananas, QuantityIssue)
    first = Unsent("human", game, None, [])
    first.history = first.history.changed(first.draft.give(bananas, "human", 3))
    first.sent(Message("Sent and lost."))

    again = Unsent("human", game, first.document("Half a sent"), [])

    assert again.draft == first.draft
    assert again.words == "Sent and lost. Half a sent"
    assert again.history.past == ()


def test_words_that_were_said_after_all_are_not_there_a_second_time(game: GameSpec) -> None:
    first = Unsent("human", game, None, [])
    first.sent(Message("Said after all."))
    kept = first.document("Half a sent")

    again = Unsent("human", game, kept, [said(Message("Said after all."))])

    assert again.words == "Half a sent"


def test_answers_of_before_are_counted_so_that_equal_words_stay_apart(game: GameSpec) -> None:
    earlier = [said(Message("Yes.")), refusal()]
    first = Unsent("human", game, None, earlier)
    first.sent(Message("Yes."))
    kept: dict[str, Any] = first.document("")

    assert kept["answered"] == 2
    assert Unsent("human", game, kept, earlier).words == "Yes."
    assert Unsent("human", game, kept, [*earlier, said(Message("Yes."))]).words == ""


def test_typed_words_on_their_way_at_the_end_come_back_and_phrases_do_not(game: GameSpec) -> None:
    unsent = Unsent("human", game, None, [])
    unsent.sent(Message("Goodbye!"))
    unsent.sent(Message("It was a pleasure.", MessageSubtype.FAREWELL))
    unsent.sent(Message("Really."))

    assert unsent.unsettled() == "Goodbye! Really."
    assert unsent.unsettled() == ""
