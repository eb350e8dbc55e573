"""Choice of who gets what the participant says."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import Event, EventType, Message, Refusal
from negoplatform.core.visibility import Observer, view_of
from negoplatform.presentation.bargaining.draft_codec import dump_draft
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.chat.address_view import EVERYONE, Address, AddressView, address_view
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.unsent_input import UnsentInput
from negoplatform.testing import TrialTable
from tests.presentation.bargaining_desk import BargainingDesk
from tests.several_seats import others_of, village

GAME = village(4)
NAMES = others_of(GAME)


def choice(address: Address = EVERYONE, *, running: bool = True) -> AddressView:
    view = address_view(address, NAMES, ENGLISH, running=running, can_talk=True)
    assert view is not None
    return view


def restored(kept: dict[str, Any], events: list[Event] | None = None) -> UnsentInput:
    return UnsentInput("mill", GAME, kept, events or [])


def said(text: str, *to: str) -> Event:
    return Event(8, 3.0, EventType.SEND_MESSAGE, "mill", Message(text), to=to)


def test_everyone_or_one_can_be_chosen() -> None:
    view = choice()

    assert [text for _address, text in view.options] == ["Everyone", "Robin", "Noa", "Jules"]
    assert (view.chosen, view.note, view.is_private, view.can_choose) == (0, "", False, True)


def test_while_one_is_chosen_it_says_so() -> None:
    view = choice(("inn",))

    assert view.options[view.chosen] == (("inn",), "Noa")
    assert (view.note, view.is_private) == ("Only Noa gets what you say", True)


def test_with_one_other_there_is_nothing_to_choose() -> None:
    assert address_view(EVERYONE, {"agent": "Rowan"}, ENGLISH, running=True, can_talk=True) is None


def test_a_last_word_is_for_everyone_and_a_text_for_one_keeps_its_recipient() -> None:
    assert not choice(running=False).can_choose
    kept = choice(("inn",), running=False)
    assert [text for _address, text in kept.options] == ["Everyone", "Noa"]
    assert (kept.chosen, kept.can_choose) == (1, True)


@pytest.mark.parametrize(
    ("address", "hint"), [(EVERYONE, "Message everyone"), (("farm",), "Message only Robin")]
)
def test_the_empty_field_says_who_gets_what_is_typed(address: Address, hint: str) -> None:
    table = TrialTable(GAME)
    table.start()

    view = BargainingDesk("mill", NAMES, ENGLISH).table(
        view_of(table.state, Observer("mill")), 0.0, Draft(GAME), address=address
    )

    assert view.talk_hint == hint


# Kept for a restart


def test_the_recipients_of_unsent_words_come_back() -> None:
    unsent = UnsentInput("mill", GAME, None, [])
    unsent.address = ("inn",)

    document = unsent.to_document("Between us", {})

    assert document["to"] == ["inn"]
    assert (restored(document).restored_text, restored(document).address) == ("Between us", ("inn",))


def test_a_draft_for_everyone_is_stored_as_before() -> None:
    unsent = UnsentInput("mill", GAME, None, [])
    unsent.add(Message("Hello."))

    assert set(unsent.to_document("Hi", dump_draft(Draft(GAME)))) == {
        "offer",
        "fields",
        "words",
        "sent",
        "answered",
    }


@pytest.mark.parametrize("to", [["nobody"], ["mill"], "inn", [["inn"]], [7]])
def test_recipients_that_do_not_fit_the_game_are_everyone(to: Any) -> None:
    document = UnsentInput("mill", GAME, None, []).to_document("Hi", {}) | {"to": to}

    assert restored(document).address == EVERYONE


def test_words_on_their_way_to_one_come_back_for_that_one() -> None:
    unsent = UnsentInput("mill", GAME, None, [])
    unsent.add(Message("Between us."), ("inn",))
    document = unsent.to_document("And to all:", {})

    assert restored(document).address == ("inn",)
    assert restored(document).restored_text == "Between us. And to all:"
    assert restored(document, [said("Between us.", "inn")]).address == EVERYONE


def test_words_for_one_that_were_refused_come_back_for_that_one() -> None:
    unsent = UnsentInput("mill", GAME, None, [])
    unsent.add(Message("Between us."), ("inn",))
    unsent.add(Message("Hello."))
    refusal = Event(7, 3.0, EventType.ACTION_REFUSED, "mill", Refusal(EventType.SEND_MESSAGE, "Too late."))

    back = unsent.resolve(refusal)

    assert (back, unsent.address) == ((True, "Between us."), ("inn",))


def test_words_that_were_said_leave_the_recipients_as_they_are() -> None:
    unsent = UnsentInput("mill", GAME, None, [])
    unsent.add(Message("Between us."), ("inn",))
    unsent.address = ("farm",)

    unsent.resolve(said("Between us.", "inn"))

    assert unsent.address == ("farm",)
