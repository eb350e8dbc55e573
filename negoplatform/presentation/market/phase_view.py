"""View of the phase: its clock, and the decision that a participant makes in it. No Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from negoplatform.agent_api.mechanism_actions import Decide
from negoplatform.core.mechanisms.double_auction_state import (
    current_phase,
    double_auction_state,
    market_terms,
    period_of,
)
from negoplatform.core.mechanisms.market_checks import deciders
from negoplatform.core.mechanisms.market_terms import DecisionField, DecisionKind, MarketPhase
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.issue_number_text import number_text
from negoplatform.presentation.localized_names import (
    join_names,
    localized_role,
    localized_text,
    name_with_role,
)
from negoplatform.presentation.market.amounts import Amounts, NumberScale
from negoplatform.presentation.market.harberger_texts import plot_note
from negoplatform.presentation.market.market_draft import Entry, MarketDraft
from negoplatform.presentation.time_and_points_text import clock_text

URGENT_SECONDS = 10
"""Remaining time of a phase, in seconds, from which its clock is shown as urgent."""


@dataclass(frozen=True, slots=True)
class PhaseView:
    """View of the phase.

    Args:
        title: Its name, with its number where there are several.
        text: What happens in it; empty if the game does not say.
        clock: Its remaining time, as on a clock; empty before the start and after the end.
        left: Its remaining share, 0 to 1; None without one.
        urgent: Whether it ends soon.
        trades: Whether orders can be placed.
    """

    title: str
    text: str = ""
    clock: str = ""
    left: float | None = None
    urgent: bool = False
    trades: bool = False


@dataclass(frozen=True, slots=True)
class DecisionOption:
    """Value that can be chosen; ``note``: what is known of it, in words, or empty."""

    value: str
    label: str
    chosen: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class DecisionFieldView:
    """View of one field of a decision.

    Args:
        field: The field.
        title: Its name.
        hint: Which values it takes, in words.
        text: For a number, the text that is typed.
        options: For a choice, the values.
        problem: What is wrong with the entry; empty if nothing is, or nothing is entered.
    """

    field: DecisionField
    title: str
    hint: str
    text: str = ""
    options: tuple[DecisionOption, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DecisionView:
    """View of a phase with decisions, or of one in which nothing can be done.

    Args:
        phase: The phase.
        heading: What is asked, or what is waited for.
        text: What happens in the phase; empty if the game does not say.
        fields: The fields of the form; none if nothing is asked, or it is decided.
        decided: What was decided: pairs of texts.
        waiting: Whom is waited for, in words; empty while the form is open.
        action: The decision; None while it is not complete.
        missing: What is missing, in words.
        refused: Why the decision was refused; empty if it was not.
        can_edit: Whether the form can be changed.
        button: The text of the button that decides.
    """

    phase: MarketPhase
    heading: str
    text: str
    fields: tuple[DecisionFieldView, ...] = ()
    decided: tuple[tuple[str, str], ...] = ()
    waiting: str = ""
    action: Decide | None = None
    missing: str = ""
    refused: str = ""
    can_edit: bool = True
    button: str = ""

    def disabled(self) -> Self:
        """Return the view for a session that is frozen."""
        return replace(self, action=None, can_edit=False)


def phase_view(state: State, now: float, translate: Language) -> PhaseView:
    """Return the view of the phase at a session time in seconds."""
    game, market, phase = state.game, double_auction_state(state), current_phase(state)
    if state.ending is not None:
        return PhaseView(translate("The market is over"), clock=clock_text(0.0, translate), left=0.0)
    if phase is None:
        return PhaseView(translate("The market has not opened yet"))
    left = max(0.0, market.phase_began + phase.seconds - now)
    return PhaseView(
        phase_title(game, market.phase, translate),
        localized_text(phase.text, translate),
        clock_text(left, translate),
        left / phase.seconds,
        left <= URGENT_SECONDS,
        phase.trade,
    )


def phase_title(game: GameSpec, number: int, translate: Language) -> str:
    """Return the name of a phase: its own, or the number of the period, or of the one after a break."""
    terms = market_terms(game)
    phase = terms.all_phases[number - 1]
    if terms.phases:
        return translate(
            "{name} ({n} of {all})",
            name=localized_text(phase.label, translate) or localized_role(phase.name, translate),
            n=number,
            all=len(terms.phases),
        )
    period, count = period_of(game, number), terms.periods.count
    if not phase.trade:
        return translate("Break before period {n} of {all}", n=period + 1, all=count)
    return translate("Period {n} of {all}", n=period, all=count) if count > 1 else translate("Market")


def phase_begins_text(game: GameSpec, number: int, translate: Language) -> str:
    """Return that a phase begins, for the transcript."""
    terms = market_terms(game)
    phase = terms.all_phases[number - 1]
    if terms.phases:
        name = localized_text(phase.label, translate) or localized_role(phase.name, translate)
        return translate("{phase} begins.", phase=name)
    if not phase.trade:
        return translate("The market is closed for a break.")
    if terms.periods.count == 1:
        return translate("The market opens.")
    return translate("Period {n} begins.", n=period_of(game, number))


def decision_view(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    draft: MarketDraft,
    translate: Language,
    *,
    refused: str = "",
    results: Sequence[tuple[str, str]] = (),
) -> DecisionView | None:
    """Return the view of a phase without trade, or for a seat that has left; None where it can trade.

    Args:
        state: The state as the seat sees it.
        seat: The participant's seat.
        names: Displayed names of the other seats.
        draft: What the participant has entered.
        translate: The window's language.
        refused: Why the last decision was refused.
        results: Results of the periods so far, which a break shows.
    """
    phase = current_phase(state)
    if phase is None or state.ending is not None:
        return None
    if seat in double_auction_state(state).left:
        return DecisionView(
            phase,
            translate("You’ve left the market"),
            translate("You keep what you have. Your result is shown when the market is over."),
        )
    if phase.trade:
        return None
    text = localized_text(phase.text, translate)
    if not phase.decide:
        return DecisionView(
            phase,
            translate("A break"),
            text or translate("The market is closed. It opens again by itself."),
            decided=tuple(results),
            waiting=translate("Your price when the market opens: {price}", price=draft.ticket.price)
            if draft.ticket.price.strip()
            else "",
        )
    deciding, decided = deciders(state), double_auction_state(state).decision_of(seat, phase)
    if decided is not None:
        asked = {field.name: decided.to_dict().get(field.name) for field in asked_fields(state, phase)}
        rows = decided_rows(phase, asked, seat, names, translate)
        return DecisionView(
            phase,
            translate("You’ve decided"),
            text,
            decided=rows,
            waiting=translate("Waiting for the others."),
        )
    if seat not in deciding:
        others = join_names([names.get(other, other) for other in deciding], translate)
        waiting = translate("Now decide: {names}.", names=others)
        return DecisionView(phase, translate("The others decide now"), text, waiting=waiting)
    return _form(state, seat, names, draft, phase, translate, refused=refused)


def _form(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    draft: MarketDraft,
    phase: MarketPhase,
    translate: Language,
    *,
    refused: str,
) -> DecisionView:
    entries = draft.entries_of(phase)
    amounts = Amounts(economy_of(state.game).currency, translate)
    unit = localized_text(economy_of(state.game).currency.unit, translate)
    asked = asked_fields(state, phase)
    notes = {
        value: note
        for field in asked
        for value in field.values
        if (note := plot_note(state, field, value, amounts, translate))
    }
    fields = tuple(
        _field_view(
            field,
            entries.get(field.name),
            unit,
            seat,
            names,
            notes,
            translate,
        )
        for field in asked
    )
    values: dict[str, Any] = {
        field.name: _unasked_value(state, seat, field) for field in phase.decide if field not in asked
    }
    for field in asked:
        value = _value_of(field, entries.get(field.name), unit, translate)
        if value is not None:
            values[field.name] = list(value) if isinstance(value, tuple) else value
    missing = [view.title for view in fields if view.field.name not in values]
    waiting = translate("Still to decide: {names}.", names=join_names(missing, translate)) if missing else ""
    problem = next((view.problem for view in fields if view.problem), "")
    return DecisionView(
        phase,
        translate("Decide now"),
        localized_text(phase.text, translate),
        fields,
        action=None if missing else Decide(values),
        missing=problem or waiting,
        refused=refused,
        waiting="" if missing else translate("You decide once; it can’t be changed afterwards."),
        button=translate("Choose none and decide")
        if len(asked) == 1 and values.get(asked[0].name) == []
        else translate("Decide"),
    )


def asked_fields(state: State, phase: MarketPhase) -> tuple[DecisionField, ...]:
    """Return the fields of a phase that matter now: none for a condition that does not hold."""
    conditions, realised = market_terms(state.game).conditions, double_auction_state(state).realised
    if not realised:
        return phase.decide
    return tuple(field for field in phase.decide if field.name == realised or field.name not in conditions)


def _unasked_value(state: State, seat: Seat, field: DecisionField) -> Any:
    """Return a value for a condition that does not hold: what the seat decided before, or the least."""
    for _, made in reversed(tuple(double_auction_state(state).decisions.get(seat, ()))):
        value = made.to_dict().get(field.name)
        if value is not None and not field.fault_of(value):
            return value
    return field.low if field.kind is DecisionKind.NUMBER else field.values[0]


def number_scale(field: DecisionField, unit: str = "") -> NumberScale:
    """Return the numbers that a field takes."""
    return NumberScale(field.low, field.high, field.step, unit)


def _value_of(
    field: DecisionField, entry: Entry | None, unit: str, translate: Language
) -> int | float | str | tuple[str, ...] | None:
    """Return the value of an entry; None while it is no valid one."""
    match field.kind:
        case DecisionKind.NUMBER:
            if not isinstance(entry, str):
                return None
            return number_scale(field, unit).parse(entry, translate).number
        case DecisionKind.ONE_OF:
            return entry if isinstance(entry, str) and entry in field.values else None
        case DecisionKind.SOME_OF:
            # Choosing none is a decision, too.
            chosen = entry if isinstance(entry, tuple) else ()
            return None if field.most and len(chosen) > field.most else chosen


def _field_view(
    field: DecisionField,
    entry: Entry | None,
    unit: str,
    seat: Seat,
    names: Mapping[Seat, str],
    notes: Mapping[str, str],
    translate: Language,
) -> DecisionFieldView:
    title = localized_text(field.label, translate) or localized_role(field.name, translate)
    if field.kind is DecisionKind.NUMBER:
        scale, text = number_scale(field, unit), entry if isinstance(entry, str) else ""
        problem = scale.parse(text, translate).problem
        hint = scale.range_text(translate)
        return DecisionFieldView(field, title, hint, text, problem=problem)
    chosen = (entry,) if isinstance(entry, str) else entry or ()
    options = tuple(
        DecisionOption(
            value, _value_label(value, seat, names, translate), value in chosen, notes.get(value, "")
        )
        for value in field.values
    )
    hint, problem = translate("Choose one."), ""
    if field.kind is DecisionKind.SOME_OF:
        hint = translate("Choose any, or none.")
        if field.most and field.most < len(field.values):
            hint = translate("Choose up to {n}, or none.", n=field.most)
            problem = hint if len(chosen) > field.most else ""
    return DecisionFieldView(field, title, hint, options=options, problem=problem)


def _value_label(value: str, seat: Seat, names: Mapping[Seat, str], translate: Language) -> str:
    """Return a value for people; the name of a seat is that of its occupant, with the role."""
    if value == seat:
        return translate("You")
    if value in names:
        return name_with_role(names[value], localized_role(value, translate), translate)
    return localized_role(value, translate)


def decided_rows(
    phase: MarketPhase,
    values: Mapping[str, Any],
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> tuple[tuple[str, str], ...]:
    """Return the fields of a phase that have decided values; ``seat`` is shown as the reader's own."""
    rows = []
    for field in phase.decide:
        if field.name not in values:
            continue
        title = localized_text(field.label, translate) or localized_role(field.name, translate)
        value = values.get(field.name)
        if isinstance(value, list | tuple):
            chosen = [_value_label(each, seat, names, translate) for each in value]
            text = join_names(chosen, translate) if chosen else translate("none")
        elif isinstance(value, str):
            text = _value_label(value, seat, names, translate)
        else:
            text = "" if value is None else number_text(value, translate)
        rows.append((title, text))
    return tuple(rows)


def decision_text(
    phase: MarketPhase,
    values: Mapping[str, Any],
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
) -> str:
    """Return an own decision in one sentence, for the transcript."""
    rows = decided_rows(phase, values, seat, names, translate)
    return translate(
        "You decided – {decision}.", decision="; ".join(f"{title}: {text}" for title, text in rows)
    )
