"""Plans, insights and summaries of assistants in words. No Tk.

The record is data that any plug-in may have written: what has another shape than the shipped assistants give
it is left out, and a code that is not known is shown as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from negoplatform.agent_api.assistant import NEXT_STEPS, SUMMARY, TASK_STRUCTURE
from negoplatform.core.record.notes_and_tasks import TaskStatus
from negoplatform.core.state import State
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, localized_text, truncate

MOST_ITEMS = 40
"""Most items of one assistant that are shown."""

LONGEST_TEXT = 200
"""Most characters of a text that a plug-in has written; its line breaks are left out."""

LONGEST_TASK = 48
"""Most characters of a coach's task: the checklist is above the table, and must not cover it."""

NEXT_STEP_TEXTS: Mapping[str, str] = {
    "accept_offer": gettext_noop("The offer of {name} is good enough to accept."),
    "time_is_short": gettext_noop("The time is nearly up."),
    "give_on": gettext_noop("{issue} seems to matter most to {name}: a concession there is worth most."),
    "ask_for": gettext_noop("{issue} seems to matter least to {name}: ask for it."),
    "return_concession": gettext_noop("{name} has conceded. A concession in return keeps it going."),
    "hold_firm": gettext_noop("{name} has taken something back. Do not concede first."),
    "change_package": gettext_noop("{name} is not moving. Try another combination."),
    "learn_priorities": gettext_noop("Little is known about {name}. Ask what matters to them."),
}
"""Sentence of each next step, by its code."""

PATTERN_TEXTS: Mapping[str, str] = {
    "conceding": gettext_noop("{name} is conceding"),
    "firm": gettext_noop("{name} holds firm"),
    "hardening": gettext_noop("{name} is asking for more"),
}
"""Words for how another seat has moved so far."""


@dataclass(frozen=True, slots=True)
class PlanItem:
    """Item of a plan.

    Args:
        text: The task in words.
        status: Its status.
    """

    text: str
    status: TaskStatus

    @property
    def mark(self) -> str:
        """Sign of the status: an empty, a half and a ticked box."""
        return {TaskStatus.PENDING: "☐", TaskStatus.IN_PROGRESS: "◪", TaskStatus.DONE: "☑"}[self.status]


def plan_items(
    annotations: object, game: GameSpec, names: Mapping[Seat, str], translate: Language
) -> tuple[PlanItem, ...]:
    """Return the items of an agenda's plan: the subtasks, or the task itself where it has none.

    Args:
        annotations: The annotations of the agenda.
        game: The game.
        names: Display names of the other seats.
        translate: Translation into the window's language.
    """
    found = []
    for root in _objects(annotations, TASK_STRUCTURE):
        below = list(_objects(root, "subtasks"))
        for task in below or [root]:
            text, status = _task_text(task, game, names, translate), task.get("status")
            if text and status in list(TaskStatus):
                found.append(PlanItem(text, TaskStatus(status)))
    return tuple(found[:MOST_ITEMS])


def coach_items(
    state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[PlanItem, ...]:
    """Return the items of the agendas that coach the participant in a seat; none after the end."""
    items: list[PlanItem] = []
    if state.ending is not None:
        return ()
    for name, spec in state.game.assistants.items():
        if spec.coach and spec.seat == seat and spec.kind is AssistantKind.AGENDA:
            found = plan_items(state.record.annotations.get(name), state.game, names, translate)
            items += [replace(item, text=truncate(item.text, LONGEST_TASK)) for item in found]
    return tuple(items)


def _count(values: Mapping[str, Any]) -> int:
    count = values.get("count")
    return count if isinstance(count, int) else 1


def _task_text(
    task: Mapping[str, Any], game: GameSpec, names: Mapping[Seat, str], translate: Language
) -> str:
    metadata = task.get("metadata")
    values: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    match task.get("intent"):
        case "settle_deal":
            return translate("Agree on all issues")
        case "settle_issue":
            return _issue_title(values.get("issue"), game, translate)
        case "answer_offer":
            return translate("Answer the offer of {name}", name=_name(values.get("of"), names))
        case "confirm_offer":
            return translate("Finalise the deal")
        case "answer_questions":
            count = _count(values)
            return translate.plural("Answer a question", "Answer {n} questions", count, n=str(count))
        case "answer_proposals":
            count = _count(values)
            return translate.plural("Answer a proposal", "Answer {n} proposals", count, n=str(count))
        case "trade_goods":
            return translate("Trade")
        case "get_good":
            return translate("Get more {good}", good=_good_title(values.get("good"), game, translate))
        case "play_phase":
            return localized_text(_text(values.get("phase")), translate) or translate("Market")
        case "place_orders":
            return translate("Place orders")
        case "decide":
            return translate("Decide")
        case other:
            return _text(other).replace("_", " ")


def insight_lines(
    annotations: object, game: GameSpec, names: Mapping[Seat, str], translate: Language
) -> tuple[str, ...]:
    """Return what insights say about the other seats, and the next steps, each as a sentence."""
    lines = []
    others = annotations.get("others") if isinstance(annotations, Mapping) else None
    for seat, about in others.items() if isinstance(others, Mapping) else ():
        if isinstance(about, Mapping):
            pattern = PATTERN_TEXTS.get(_text(about.get("pattern")))
            if pattern:
                lines.append(translate(pattern, name=_name(seat, names)))
            if about.get("offers") and (priorities := _priorities(about, game, translate)):
                about_name = _name(seat, names)
                lines.append(
                    translate("Estimated priorities of {name}: {issues}", name=about_name, issues=priorities)
                )
    for step in _objects(annotations, NEXT_STEPS):
        code = _text(step.get("code"))
        issue = _issue_title(step.get("issue"), game, translate)
        values = {"name": _name(step.get("of"), names), "issue": issue}
        text = NEXT_STEP_TEXTS.get(code, "")
        # A step that does not name the seat or the issue of its sentence is shown as its code.
        complete = all(values[key] or f"{{{key}}}" not in text for key in values)
        known = translate(text, **values) if text and complete else ""
        lines.append(known or code.replace("_", " "))
    return tuple(line for line in lines if line)[:MOST_ITEMS]


def _priorities(about: Mapping[str, Any], game: GameSpec, translate: Language) -> str:
    found = []
    for each in _objects(about, "priorities"):
        weight = each.get("weight")
        if isinstance(weight, int | float) and not isinstance(weight, bool):
            title = _issue_title(each.get("issue"), game, translate)
            found.append(f"{title} {translate.localize_number(f'{100 * weight:.0f}')} %")
    return ", ".join(found)


def summary_facts(
    state: State, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[tuple[str, str], ...]:
    """Return the texts of debriefings for the participant in a seat, as pairs, besides the result itself."""
    rows: list[tuple[str, str]] = []
    for name, spec in state.game.assistants.items():
        if spec.seat == seat and spec.kind is AssistantKind.DEBRIEF:
            annotations = state.record.annotations.get(name)
            summary = annotations.get(SUMMARY) if isinstance(annotations, Mapping) else None
            items = list(_objects(summary, "items"))
            rows += [row for item in items if (row := _summary_row(item, seat, names, translate))]
            text = _text(summary.get("text")) if isinstance(summary, Mapping) and not items else ""
            rows += [(translate("Summary"), text)] if text else []
    return tuple(rows[:MOST_ITEMS])


def _summary_row(
    item: Mapping[str, Any], seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[str, str] | None:
    match item:
        case {"code": "deal", "of": str() as of}:
            who = translate("You") if of == seat else _name(of, names)
            return translate("Proposed by"), who
        case {"code": "offers", "own": int() as own, "others": int() as others}:
            text = translate("{own} of yours, {others} of others", own=str(own), others=str(others))
            return translate("Offers"), text
        case {"code": "messages", "own": int() as own, "others": int() as others}:
            text = translate("{own} of yours, {others} of others", own=str(own), others=str(others))
            return translate("Messages"), text
        case {"code": "trades", "count": int() as count}:
            return translate("Your trades"), str(count)
        case _:
            return None


def _objects(value: object, key: str) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a list under a key."""
    found = value.get(key) if isinstance(value, Mapping) else None
    return (one for one in (found if isinstance(found, list) else ()) if isinstance(one, Mapping))


def _text(value: object) -> str:
    return displayable(" ".join(value[:LONGEST_TEXT].split())) if isinstance(value, str) else ""


def _name(seat: object, names: Mapping[Seat, str]) -> str:
    return names.get(seat, _text(seat)) if isinstance(seat, str) else ""


def _issue_title(name: object, game: GameSpec, translate: Language) -> str:
    issue = next((one for one in game.issues if one.name == name), None)
    return _text(name) if issue is None else localized_text(issue.title, translate)


def _good_title(name: object, game: GameSpec, translate: Language) -> str:
    goods = () if game.economy is None else game.economy.goods
    good = next((one for one in goods if one.name == name), None)
    return _text(name) if good is None else localized_text(good.title, translate)
