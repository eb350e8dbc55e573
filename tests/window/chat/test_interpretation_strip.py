"""The strip above the message field, in a real window: its contents, and the keys that it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from negoplatform.domain.offer import Allocation, Offer
from negoplatform.gui.chat.interpretation_chip import InterpretationChip
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.interpretation.interpretation_chips import ChipView
from negoplatform.presentation.interpretation.interpretation_marks import MarkedSpan, SpanKind
from negoplatform.presentation.interpretation.interpretation_view import InterpretationView
from tests.window.chat.chat_window import Chat
from tests.x_server import Screen

pytestmark = pytest.mark.window

FOOD = Offer({"food": Allocation({"human": 2, "agent": 1})})


def food(mine: int) -> ChipView:
    """Return the chip of three units of food."""
    terms = tuple(Allocation({"human": n, "agent": 3 - n}) for n in range(4))
    return ChipView(
        "food",
        "food",
        (f"you {mine}", f"Rowan {3 - mine}"),
        terms,
        tuple(f"{n} for you, {3 - n} for Rowan" for n in range(4)),
        mine,
        less=terms[mine - 1] if mine else None,
        more=terms[mine + 1] if mine < 3 else None,
        swapped=terms[3 - mine],
        counts=True,
    )


PROPOSAL = InterpretationView(
    "Send this as an offer?",
    "8 points for you",
    chips=(food(2),),
    confirm_label="Send as offer",
    offers=(FOOD,),
    confirms_on_enter=True,
    can_edit=True,
)
UNSURE = replace(
    PROPOSAL,
    confirms_on_enter=False,
    words=(MarkedSpan("can I have "), MarkedSpan("2 food", SpanKind.TERM), MarkedSpan("?", SpanKind.AGAINST)),
    notes="This sounds like a question.",
)
CHOICE = InterpretationView(
    "Do you mean one of these offers?",
    "Click one to send it, or press Alt and its number.",
    offers=(FOOD, FOOD),
    choices=(("2 food for you", "8 points"), ("1 food for you", "4 points")),
    can_send_text_only=False,
    is_sent=True,
)
GONE = InterpretationView(
    "That offer is no longer on the table.", "Nothing was sent.", can_send_text_only=False
)
WISH = replace(UNSURE, can_send_text_only=False, is_sent=True)
LONG = replace(
    UNSURE,
    words=tuple(MarkedSpan(f"{n} something long and unread, ", SpanKind.UNREAD) for n in range(12)),
    notes="Not read: " + ", ".join(f"“{n} something long”" for n in range(12)) + ".",
    chips=tuple(replace(food(2), issue=f"food{n}", title="something long") for n in range(6)),
)

Open = Callable[..., Chat]


@pytest.fixture
def open_chat(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Function that opens a chat panel with some appearance; the panel must report no problem."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    opened: list[Chat] = []

    def begin(appearance: Appearance | None = None) -> Chat:
        opened.append(Chat(appearance or Appearance()))
        return opened[-1]

    yield begin
    for chat in opened:
        chat.theme.root.update()
        chat.theme.root.destroy()
        assert chat.problems == []


def shown(chat: Chat, view: InterpretationView | None) -> dict[str, object]:
    """Show a view and focus the message field; return the strip's buttons by name."""
    chat.panel.show_interpretation(view)
    chat.focus(chat.panel.entry)
    return {name: each for name, each in chat.panel.widgets().items() if name.startswith("reading.")}


def read_long_ago(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that the strip has been shown for a minute."""
    monkeypatch.setattr("negoplatform.presentation.key_debounce.MIN_VISIBLE_SECONDS", -60.0)


def test_each_view_has_the_buttons_that_it_needs(open_chat: Open) -> None:
    chat = open_chat()

    chip = ["reading.food", "reading.food.less", "reading.food.more", "reading.food.swap"]
    assert [*shown(chat, PROPOSAL)] == [
        *chip,
        "reading.yes",
        "reading.edit",
        "reading.only_say",
        "reading.back",
    ]
    assert [*shown(chat, CHOICE)] == ["reading.choice.1", "reading.choice.2", "reading.back"]
    assert [*shown(chat, GONE)] == ["reading.back"]
    assert [*shown(chat, WISH)] == [*chip, "reading.yes", "reading.edit", "reading.back"]
    assert [*shown(chat, None)] == []


def test_enter_says_yes_only_to_what_was_there_long_enough(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    chat.panel.restore_text("2 food for me")
    shown(chat, PROPOSAL)

    chat.press("Return", "KeyRelease-Return")
    too_soon = list(chat.answers.given)
    read_long_ago(chat, monkeypatch)
    chat.panel.entry.event_generate("<Return>", time=5000)

    assert too_soon == []
    assert chat.answers.given == ["yes 0"]
    assert chat.sent == []


def enter(chat: Chat, ms: int, sequence: str = "<Return>") -> None:
    """Press and release Enter at a time."""
    chat.panel.entry.event_generate(sequence, time=ms)
    chat.panel.entry.event_generate("<KeyRelease-Return>", time=ms + 50)


def test_what_is_said_already_is_never_sent_by_enter_but_by_control_and_enter(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    read_long_ago(chat, monkeypatch)
    shown(chat, WISH)

    enter(chat, 5000)
    by_enter = list(chat.answers.given)
    enter(chat, 6000, "<Control-Return>")

    assert by_enter == []
    assert (chat.answers.given, chat.sent) == (["yes 0"], [])


def test_what_is_not_plain_is_only_said_by_enter(open_chat: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = open_chat()
    chat.panel.restore_text("can I have 2 food?")
    shown(chat, UNSURE)
    enter(chat, 4000)
    too_soon = list(chat.answers.given)
    read_long_ago(chat, monkeypatch)
    shown(chat, None)
    shown(chat, UNSURE)

    enter(chat, 5000)
    enter(chat, 6000, "<Control-Return>")

    assert too_soon == []
    assert chat.answers.given == ["only say", "yes 0"]


def test_in_the_first_second_nothing_can_be_sent_in_any_way(open_chat: Open) -> None:
    chat = open_chat()
    chat.panel.restore_text("2 food for me")
    buttons = shown(chat, PROPOSAL)
    off = buttons["reading.yes"].instate(["disabled"])  # type: ignore[attr-defined]

    enter(chat, 4000)
    enter(chat, 4200, "<Control-Return>")
    buttons["reading.yes"].invoke()  # type: ignore[attr-defined]

    assert (chat.answers.given, chat.sent, off) == ([], [], True)
    assert chat.panel.text == "2 food for me"


def test_after_a_correction_of_a_plain_offer_a_click_sends_at_once_and_enter_after_a_second(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    chat.panel.restore_text("2 food for me")
    read_long_ago(chat, monkeypatch)
    shown(chat, PROPOSAL)
    monkeypatch.setattr("negoplatform.presentation.key_debounce.MIN_VISIBLE_SECONDS", 60.0)
    one = Offer({"food": Allocation({"human": 1, "agent": 2})})
    corrected = replace(PROPOSAL, chips=(food(1),), offers=(one,), is_corrected=True)

    buttons = shown(chat, corrected)
    enter(chat, 5000)
    by_enter = list(chat.answers.given)
    buttons["reading.yes"].invoke()  # type: ignore[attr-defined]

    assert by_enter == []
    assert chat.answers.given == ["yes 0"]


@pytest.mark.parametrize(("view", "by_enter"), [(UNSURE, ["only say"]), (WISH, [])])
def test_after_a_correction_enter_does_what_it_did_before(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch, view: InterpretationView, by_enter: list[str]
) -> None:
    chat = open_chat()
    chat.panel.restore_text("" if view.is_sent else "can I have 2 food?")
    read_long_ago(chat, monkeypatch)
    shown(chat, view)
    one = Offer({"food": Allocation({"human": 1, "agent": 2})})
    shown(chat, replace(view, chips=(food(1),), offers=(one,), is_corrected=True, notes=""))

    enter(chat, 5000)
    enter(chat, 6000, "<Control-Return>")

    assert chat.answers.given == [*by_enter, "yes 0"]


def test_a_chip_takes_keys_and_none_of_them_is_written(open_chat: Open) -> None:
    chat = open_chat()
    chat.widgets = chat.panel.widgets()
    controls = shown(chat, WISH)
    chip = controls["reading.food"]
    assert isinstance(chip, InterpretationChip)
    chat.focus(chip)

    for key in ("Left", "Right", "minus", "plus", "x", "3", "Delete"):
        chip.event_generate(f"<Key-{key}>")

    shares = [Allocation({"human": n, "agent": 3 - n}) for n in range(4)]
    wanted = [shares[1], shares[3], shares[1], shares[3], shares[1], shares[3], None]
    assert chat.answers.given == [f"correct food {term}" for term in wanted]
    assert chat.panel.text == ""


def test_of_many_chips_some_rows_are_seen_and_the_keyboard_reaches_the_others(open_chat: Open) -> None:
    chat = open_chat()
    chat.theme.root.geometry("420x700")
    chat.theme.root.update()
    controls = shown(chat, LONG)
    chat.theme.root.update()
    last = controls["reading.food5"]
    assert isinstance(last, InterpretationChip)

    hidden = last.winfo_rooty() > chat.panel.entry.winfo_rooty() - 60
    chat.focus(last)
    chat.theme.root.update()

    assert hidden
    assert last.winfo_rooty() + last.winfo_height() < chat.panel.entry.winfo_rooty()


def test_alt_and_a_figure_choose_and_a_figure_alone_is_written(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    read_long_ago(chat, monkeypatch)
    shown(chat, CHOICE)

    chat.press("Key-2", "Alt-Key-2", "Key-3")
    shown(chat, PROPOSAL)
    chat.press("Key-1")

    assert chat.answers.given == ["yes 1"]
    assert chat.panel.text == "231"


def test_enter_chooses_nothing_among_several(open_chat: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    chat = open_chat()
    read_long_ago(chat, monkeypatch)
    shown(chat, CHOICE)

    chat.press("Return")

    assert (chat.answers.given, chat.sent) == ([], [])


def test_after_what_is_gone_enter_reads_the_words_again(
    open_chat: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat()
    chat.panel.restore_text("Deal!")
    read_long_ago(chat, monkeypatch)
    shown(chat, GONE)

    chat.press("Return")

    assert chat.answers.given == []
    assert chat.sent == ["Deal!|Deal!"]


def test_keys_edit_and_lead_back_only_while_something_is_shown(open_chat: Open) -> None:
    chat = open_chat()
    shown(chat, None)
    chat.press("F2", "Escape")
    before = list(chat.answers.given)
    shown(chat, PROPOSAL)

    chat.press("F2", "Escape")

    assert before == []
    assert chat.answers.given == ["edit", "back"]


def test_the_keyboard_goes_back_to_the_line_when_the_strip_goes(open_chat: Open) -> None:
    chat = open_chat()
    shown(chat, PROPOSAL)
    chat.widgets = chat.panel.widgets()
    chat.focus(chat.widgets["reading.edit"])

    chat.panel.show_interpretation(None)
    chat.theme.root.update()

    assert chat.at("entry")


@pytest.mark.parametrize("width", [340, 420, 700])
@pytest.mark.parametrize("language", ["en", "de", "he"])
def test_words_and_buttons_stay_within_the_width_that_there_is(
    open_chat: Open, width: int, language: str
) -> None:
    chat = open_chat(Appearance(language=language))
    chat.theme.root.geometry(f"{width}x600")
    chat.theme.root.update()
    shown(chat, LONG)
    chat.theme.root.update()

    left = chat.theme.root.winfo_rootx()
    for name, button in chat.panel.widgets().items():
        # Chips scroll; the others are seen all the time.
        if name.startswith("reading.") and "food" not in name:
            assert button.winfo_rootx() >= left
            assert button.winfo_rootx() + button.winfo_reqwidth() <= left + width
            assert button.winfo_rooty() + button.winfo_height() < chat.panel.entry.winfo_rooty()


def test_a_change_of_figures_alone_leaves_the_buttons_as_they_are(open_chat: Open) -> None:
    chat = open_chat()
    before = shown(chat, PROPOSAL)

    after = shown(
        chat,
        replace(PROPOSAL, detail="7 points"),
    )

    assert after == before
