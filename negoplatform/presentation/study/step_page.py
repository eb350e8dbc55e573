"""Page of a step of a visit, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from negoplatform.app.visit.visit_drafts import ELAPSED
from negoplatform.presentation.study.form_items import FormItem
from negoplatform.presentation.table.table_view import RulesView
from negoplatform.study.condition import Value
from negoplatform.study.study_text import TextBlock


def timing_key(name: str) -> str:
    """Return the key of an entry with the milliseconds of an answer's last change and the number of changes.

    No field has such a name, because names of fields are identifiers.
    """
    return f"{ELAPSED}{name}"


def unfinished_key(name: str) -> str:
    """Return the key of an unsent entry: the things of an order that have a place so far."""
    return f"{ELAPSED}unfinished:{name}"


TICKS, SIGNATURE, WORD, CHOSEN = "ms:ticks", "ms:signature", "ms:word", "ms:chosen"
"""Keys of unsent entries that are no answers of items."""


@dataclass(frozen=True, slots=True)
class ChoiceOptionView:
    """Option of a choice.

    Args:
        id: Its id.
        label: Its name.
        text: Sentence about it; empty: none.
    """

    id: str
    label: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class StepPage:
    """Page of a step.

    Args:
        kind: Kind of screen: ``consent``, ``page``, ``quiz``, ``form``, ``wait``, ``call``, ``choice``,
            ``briefing``, ``result``, ``payment`` or ``end``; ``over`` after the visit, without a button.
        step: Id of the step.
        page: Page within the step, from 0.
        pages: Number of pages of the step.
        title: Title.
        progress: Number of this step and of all steps; (0, 0): not shown.
        is_test: Whether the visit is a test.
        language: Language of the texts.
        blocks: Text, with the placeholders filled in.
        declined_blocks: Text for a person who declined.
        ticks: Ids of the statements to tick.
        wants_signature: Whether the participant's code has to be typed to consent.
        must_scroll: Whether the text has to be scrolled to its end.
        at_least_seconds: Seconds for which the page cannot be left.
        timeout_seconds: Seconds after which time is up; None: no limit.
        shows_time: Whether the time that is left is shown; not if its end is only flagged.
        wait_seconds: Seconds after which a wait is over; None: the experimenter ends it.
        elapsed_seconds: Seconds for which the step has been open already.
        items: Items of the page, in their order, also those whose conditions do not hold.
        known: Values of what the items' conditions refer to, outside of this page.
        answers: Recorded answers and unsent entries, by field.
        faults: What was wrong in the last attempt at a quiz, by question.
        tried: Answers of the last attempt at a quiz, by question; empty: it was not tried.
        attempts_left: Number of attempts at a quiz that are left; None: not a quiz.
        options: Options of a choice.
        rows: Rows of a table: label and value.
        amount: The amount of a payment, with its currency; empty: there is none.
        rules: Rules of a game, for a briefing.
        target: What a call opens: a web page or a program; ``page`` or ``program``.
        returns: What a call returns: ``word``, ``exit_code`` or ``none``.
        has_help: Whether the participant can ask the experimenter a question.
        help_is_open: Whether an experimenter has been called.
        withdrawal_code: Code for a withdrawal; empty: not shown.
        can_go_back: Whether there is an earlier page of this step to go back to.
    """

    kind: str
    step: str
    page: int = 0
    pages: int = 1
    title: str = ""
    progress: tuple[int, int] = (0, 0)
    is_test: bool = False
    language: str = "en"
    blocks: tuple[TextBlock, ...] = ()
    declined_blocks: tuple[TextBlock, ...] = ()
    ticks: tuple[str, ...] = ()
    wants_signature: bool = False
    must_scroll: bool = False
    at_least_seconds: int = 0
    timeout_seconds: int | None = None
    shows_time: bool = True
    wait_seconds: int | None = None
    elapsed_seconds: float = 0.0
    items: tuple[FormItem, ...] = ()
    known: Mapping[str, Value] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)
    tried: Mapping[str, Any] = field(default_factory=dict)
    attempts_left: int | None = None
    options: tuple[ChoiceOptionView, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    amount: str = ""
    rules: RulesView | None = None
    target: str = ""
    returns: str = ""
    has_help: bool = False
    help_is_open: bool = False
    withdrawal_code: str = ""
    can_go_back: bool = False


def declined_page(page: StepPage) -> StepPage:
    """Return the page that follows when a participant declines, given the page of the consent."""
    return StepPage(
        kind="over",
        step=page.step,
        title="" if page.declined_blocks else page.title,
        is_test=page.is_test,
        language=page.language,
        blocks=page.declined_blocks,
    )
