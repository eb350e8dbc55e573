"""Items of a form and questions of a quiz in the participant's language, and what is wrong with answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable, localized_text
from negoplatform.presentation.time_and_points_text import format_number
from negoplatform.study.answers import (
    LARGEST_ANSWER,
    MISSING,
    NO_NUMBER,
    NO_WHOLE_NUMBER,
    answer_fault,
    shown_items,
)
from negoplatform.study.condition import Value
from negoplatform.study.instrument import ItemModel, LikertModel
from negoplatform.study.local_text import text_in
from negoplatform.study.quiz import given_offer
from negoplatform.study.stages import GameAnswer, QuestionModel
from negoplatform.study.study_text import fill

FAULTS = (
    gettext_noop("Please answer this question."),
    gettext_noop("Please type a number."),
    gettext_noop("Please type a whole number."),
    gettext_noop("Please shorten your answer."),
)
"""The sentences of :func:`negoplatform.study.answers.answer_fault` that have no number."""

_SAYS_OPTIONAL = re.compile(
    r"\boptional|\bleave\b.*\b(?:empty|blank)\b|\bskip\b"
    r"|\bleer\b.*\blassen\b|\blassen\b.*\bleer\b|\bfreiwillig|\büberspring"
    r"|להשאיר.*ריק|רשות|לדלג",
    re.IGNORECASE,
)
"""Words with which a question says that it may be skipped, in the languages of the window."""

_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([.,]\d{3})+")


@dataclass(frozen=True, slots=True)
class FormItem:
    """Item of a form or question of a quiz, as it is shown.

    Args:
        id: Its id.
        kind: Its kind: one of ``negoplatform.study.instrument.KINDS``.
        ask: The question.
        fields: Names of its answers: one, or one for each row of a matrix.
        options: What can be chosen or put in order; of a matrix, its statements.
        points: Number of points of its rating scale.
        ends: Names of the first, the middle and the last point; of a slider, without a middle.
        bounds: Minimum and maximum of a number; None where there is none.
        step: Distance of two positions of a slider.
        whole: Whether a number has to be whole.
        unit: Unit of a number.
        lines: Lines of a text field.
        longest: Maximum number of characters of a text.
        divisions: Points for oneself and for the other, by division.
        details: Rows of a table above the answer, such as the terms of an offer.
        may_skip: Whether an answer may be missing.
        model: The item in its file; None: a question of a quiz.
    """

    id: str
    kind: str
    ask: str
    fields: tuple[str, ...]
    options: tuple[str, ...] = ()
    points: int = 0
    ends: tuple[str, str, str] = ("", "", "")
    bounds: tuple[Decimal | None, Decimal | None] = (None, None)
    step: Decimal = Decimal(1)
    whole: bool = True
    unit: str = ""
    lines: int = 1
    longest: int = 2000
    divisions: tuple[tuple[str, str], ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    may_skip: bool = False
    model: ItemModel | None = None

    @property
    def says_optional(self) -> bool:
        """Whether the question itself says that it need not be answered."""
        return _SAYS_OPTIONAL.search(self.ask) is not None


def form_item(
    model: ItemModel, *, values: Mapping[str, str], translate: Language, issues: Sequence[str] = ()
) -> FormItem:
    """Return an item as it is shown.

    Args:
        model: The item.
        values: Values of the placeholders in its texts.
        translate: The participant's language.
        issues: The issues of the game that a ``points_guess`` is about.
    """

    def local(text: str | Mapping[str, str] | None) -> str:
        return "" if text is None else displayable(fill(text_in(text, translate.code), values))

    def ends(scale: LikertModel) -> tuple[str, str, str]:
        return local(scale.from_), local(scale.middle), local(scale.to)

    item = FormItem(
        model.id, model.kind, local(model.ask), model.fields, may_skip=model.may_skip, model=model
    )
    if model.likert is not None:
        return replace(item, points=model.likert.points, ends=ends(model.likert))
    if model.matrix is not None:
        rows = tuple(local(row.ask) for row in model.matrix.rows)
        scale = model.matrix.likert
        return replace(item, options=rows, points=scale.points, ends=ends(scale))
    if model.number is not None:
        number = model.number
        bounds = number.least, number.most
        return replace(item, bounds=bounds, whole=number.whole, unit=local(number.unit))
    if model.slider is not None:
        slider = model.slider
        names = local(slider.from_), "", local(slider.to)
        return replace(item, bounds=(slider.least, slider.most), step=slider.step, ends=names)
    if model.text is not None:
        return replace(item, lines=model.text.lines, longest=model.text.longest)
    if model.allocation is not None:
        divisions = model.allocation.divisions
        return replace(item, divisions=tuple((_plain(own), _plain(other)) for own, other in divisions))
    if model.points_guess is not None:
        return replace(item, options=tuple(issues))
    options = model.choices or model.many or (model.rank.things if model.rank is not None else [])
    return replace(item, options=tuple(local(option) for option in options))


def _plain(number: Decimal | int | float) -> str:
    return f"{Decimal(str(number)):f}"


def quiz_item(
    question: QuestionModel,
    *,
    values: Mapping[str, str],
    game: GameSpec | None,
    seat: Seat,
    translate: Language,
) -> FormItem:
    """Return a question of a quiz as it is shown.

    Args:
        question: The question.
        values: Values of the placeholders in its texts.
        game: The game that its answer is computed from; None: it has none.
        seat: The participant's seat in that game.
        translate: The participant's language.
    """

    def local(text: str | Mapping[str, str]) -> str:
        return displayable(fill(text_in(text, translate.code), values))

    own = translate if game is None else translate.for_game(game.name)
    options = tuple(local(choice) for choice in question.choices or ())
    if isinstance(question.correct, GameAnswer) and question.correct.is_ == "best_issue" and game is not None:
        options = tuple(localized_text(issue.title, own) for issue in game.issues)
    details: tuple[tuple[str, str], ...] = ()
    if question.offer is not None and game is not None:
        details = _offer_rows(given_offer(question.offer, game, seat), game, seat, own)
    return FormItem(
        question.id,
        "choices" if options else "number",
        local(question.ask),
        (question.id,),
        options=options,
        whole=False,
        details=details,
    )


def _offer_rows(offer: Offer, game: GameSpec, seat: Seat, translate: Language) -> tuple[tuple[str, str], ...]:
    rows, terms = [], dict(offer.terms)
    for issue in game.issues:
        term = terms[issue.name]
        if isinstance(term, Allocation):
            mine = term.units[seat]
            others = sum(term.units.values()) - mine
            text = translate("you {mine}, the other side {others}", mine=mine, others=others)
        elif isinstance(term, str):
            text = localized_text(term, translate)
        else:
            text = format_number(term, translate)
        rows.append((localized_text(issue.title, translate), text))
    return tuple(rows)


def visible_items(
    items: Sequence[FormItem], known: Mapping[str, Value], answers: Mapping[str, Any], step: str
) -> list[FormItem]:
    """Return the items whose conditions hold.

    Args:
        items: The items of a page.
        known: Values of what their conditions refer to, without the answers of this page.
        answers: The present answers of this page, by field.
        step: The step.
    """
    models = [item.model for item in items if item.model is not None]
    shown = {model.id for model in shown_items(models, known.get, answers, step)}
    return [item for item in items if item.model is None or item.id in shown]


def fault_text(item: FormItem, value: Any, translate: Language) -> str:
    """Return why an item does not accept the answer of a field, for the participant; empty if it does."""
    if item.model is None:
        if value is None or value == "":
            return translate(MISSING)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return "" if is_number else _no_number_text(value, NO_NUMBER, translate)
    fault = answer_fault(item.model, value)
    if fault in (NO_NUMBER, NO_WHOLE_NUMBER):
        return _no_number_text(value, fault, translate)
    if not fault or fault in FAULTS:
        return translate(fault)
    least, most = item.bounds
    if least is not None and Decimal(str(value)) < least:
        return translate("Please type at least {least}.", least=translate.localize_number(f"{least:f}"))
    assert most is not None, "the number is outside its bounds"
    return translate("Please type at most {most}.", most=translate.localize_number(f"{most:f}"))


def _no_number_text(value: Any, fault: str, translate: Language) -> str:
    if isinstance(value, str) and _GROUPED.fullmatch(value):
        return translate("Please type the number without a thousands separator.")
    return translate(fault)


def number_from(text: str) -> int | float | str | None:
    """Return a typed number, the text itself if it is not a number, or None if nothing was typed.

    A comma may separate the decimals, as a point may. 1,000 and 1.000 are no numbers: they are a thousand in
    some languages and one in others.
    """
    typed = text.strip()
    if not typed:
        return None
    if _GROUPED.fullmatch(typed):
        return typed
    for read in (int, lambda part: float(part.replace(",", "."))):
        call: Callable[[str], int | float] = read
        try:
            number = call(typed)
        except ValueError:
            continue
        if abs(number) <= LARGEST_ANSWER:
            return int(number) if isinstance(number, float) and number.is_integer() else number
    return typed
