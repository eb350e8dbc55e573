"""View of the panel with which a wizard operates a seat. No Tk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.state import State
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.assistant_texts import insight_lines, plan_items
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.time_and_points_text import format_number
from negoplatform.presentation.wizard.step_views import StepView, step_view
from negoplatform.presentation.wizard.wizard_state import WaitingSuggestion, WizardState

MODE_NAMES: Mapping[WizardMode, str] = {
    WizardMode.AUTONOMOUS: gettext_noop("Autonomous"),
    WizardMode.ASSISTED: gettext_noop("Assisted"),
    WizardMode.MANUAL: gettext_noop("Manual"),
}

MODE_SENTENCES: Mapping[WizardMode, str] = {
    WizardMode.AUTONOMOUS: gettext_noop(
        "The agent acts by itself. Choose Assisted or Manual to act in its place."
    ),
    WizardMode.ASSISTED: gettext_noop(
        "The agent makes suggestions. When the time of one is up, it is sent or dropped, as set. "
        "You can act at any time."
    ),
    WizardMode.MANUAL: gettext_noop(
        "Only you act. The agent’s suggestions are performed only if you send them."
    ),
}

COUNTED: tuple[tuple[str, tuple[SuggestionVerdict, ...]], ...] = (
    (gettext_noop("Sent"), (SuggestionVerdict.SENT,)),
    (gettext_noop("Edited"), (SuggestionVerdict.EDITED,)),
    (gettext_noop("Dropped"), (SuggestionVerdict.DROPPED,)),
    (
        gettext_noop("Timed out"),
        (SuggestionVerdict.TIMED_OUT_SENT, SuggestionVerdict.TIMED_OUT_DROPPED),
    ),
)
"""Counts of answered suggestions, with the verdicts that belong to each."""


@dataclass(frozen=True, slots=True)
class SuggestionView:
    """Card of a suggestion.

    Args:
        number: Its number.
        title: The heading.
        steps: Its steps in words.
        remaining: The time left in words; empty without a limit.
        share: The share of its time that is left, 0 to 1; None without a limit.
        is_urgent: Whether it times out within five seconds.
        held: A sentence while its time-out is stopped; otherwise empty.
    """

    number: int
    title: str
    steps: tuple[StepView, ...]
    remaining: str
    share: float | None
    is_urgent: bool
    held: str = ""


@dataclass(frozen=True, slots=True)
class WizardView:
    """View of the panel.

    Args:
        mode: The mode; None: it is not known yet.
        mode_text: What the mode means, in one sentence.
        heading: The number of suggestions that wait, in words.
        suggestions: The suggestions that wait, the oldest first.
        points_title: What the points are about.
        points: Rows of names and points.
        counts: Rows of answers and their numbers.
        notes: Lines of the seat's agendas and insights.
    """

    mode: WizardMode | None
    mode_text: str
    heading: str
    suggestions: tuple[SuggestionView, ...]
    points_title: str
    points: tuple[tuple[str, str], ...]
    counts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()


def wizard_view(
    wizard: WizardState,
    state: State | None,
    now: float,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> WizardView:
    """Return the panel's view.

    Args:
        wizard: The state of the wizard's seat.
        state: The session as the seat sees it; None: it has not begun.
        now: Session time in seconds.
        seat: The wizard's seat.
        names: The names of the other seats.
        translate: The window's language, with the game's texts.
    """
    waiting = () if state is None else wizard.waiting
    return WizardView(
        mode=wizard.mode,
        mode_text="" if wizard.mode is None else translate(MODE_SENTENCES[wizard.mode]),
        heading=_heading(len(waiting), translate),
        suggestions=tuple(
            _suggestion_view(each, wizard.mode, state, now, seat, names, translate)
            for each in waiting
            if state is not None
        ),
        points_title=_points_title(state, translate),
        points=tuple(
            (
                translate("You (this seat)") if owner == seat else names.get(owner, owner),
                "–" if points is None else format_number(points, translate),
            )
            for owner, points in wizard.points.items()
        ),
        counts=tuple(
            (translate(label), str(sum(verdict in verdicts for verdict in wizard.closed.values())))
            for label, verdicts in COUNTED
        ),
        notes=() if state is None else _assistants_lines(wizard, state.game, names, translate),
    )


def _assistants_lines(
    wizard: WizardState, game: GameSpec, names: Mapping[Seat, str], translate: Language
) -> tuple[str, ...]:
    """Return the lines of the agendas, and then those of the insights."""
    plans: list[str] = []
    insights: list[str] = []
    for one in wizard.assistants.values():
        if one.kind is AssistantKind.AGENDA:
            items = plan_items(one.annotations, game, names, translate)
            plans += [f"{item.mark} {item.text}" for item in items]
        else:
            insights += insight_lines(one.annotations, game, names, translate)
    return (*plans, *insights)


def can_act(wizard: WizardState) -> bool:
    """Return whether the wizard acts at the table: in every mode but the autonomous one."""
    return wizard.mode is not None and wizard.mode is not WizardMode.AUTONOMOUS


def open_state_question(translate: Language) -> ConfirmationQuestion:
    """Return the question before the whole state is opened."""
    return ConfirmationQuestion(
        title=translate("Show the whole state?"),
        text=translate(
            "You will see everything that is recorded, from all sides. The log keeps a note that you have "
            "opened it."
        ),
        yes_label=translate("Show it"),
        no_label=translate("Go back"),
    )


def leave_wizard_question(translate: Language) -> ConfirmationQuestion:
    """Return the question before a wizard's window is closed in a running game."""
    return ConfirmationQuestion(
        title=translate("Close the window?"),
        text=translate("The session continues without you, and you can join it again."),
        yes_label=translate("Close"),
        no_label=translate("Stay"),
    )


def _heading(count: int, translate: Language) -> str:
    if not count:
        return translate("No suggestion is waiting")
    return translate.plural("One suggestion is waiting", "{n} suggestions are waiting", count, n=str(count))


def _points_title(state: State | None, translate: Language) -> str:
    """Return what the points are about."""
    if state is None:
        return translate("Points of all sides")
    if state.ending is not None:
        return translate("Points of the result")
    if state.game.mechanism != BARGAINING:
        return translate("Points if it ended now")
    on_table = bargaining_state(state).on_table
    if on_table is None:
        return translate("Points if there is no deal")
    if not state.game.is_complete(on_table.offer):
        return translate("Points of the offer on the table so far")
    return translate("Points of the offer on the table")


def _suggestion_view(
    waiting: WaitingSuggestion,
    mode: WizardMode | None,
    state: State,
    now: float,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> SuggestionView:
    suggestion = waiting.suggestion
    left = None if suggestion.expires_at is None else max(0.0, suggestion.expires_at - now)
    whole = 0.0 if suggestion.expires_at is None else suggestion.expires_at - waiting.arrived_at
    steps = [step_view(step, state, seat, names, translate) for step in suggestion.steps]
    is_held = mode is WizardMode.ASSISTED and left is None
    return SuggestionView(
        number=suggestion.number,
        title=translate("Suggestion {n}", n=str(suggestion.number)),
        steps=tuple(steps),
        remaining="" if left is None else translate("{n} s left", n=str(math.ceil(left))),
        share=None if left is None else min(1.0, left / whole) if whole > 0 else 0.0,
        is_urgent=left is not None and left <= 5,
        held=translate("No time-out while you edit.") if is_held else "",
    )
