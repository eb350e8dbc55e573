"""Reachability: the steps of a study that no participant can reach with any answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from negoplatform.study.condition import ANY, fits
from negoplatform.study.reference_check import BOOLEAN, KnownReference, known_references
from negoplatform.study.stages import EndStage
from negoplatform.study.study import Study
from negoplatform.study.visit_steps import NO_DRAWS, visit_steps

Pairs = Sequence[tuple[str, Any]]
"""Conditions by reference; all of them have to hold."""


def unreachable_steps(study: Study, rows: Iterable[Mapping[str, str]] = ()) -> list[str]:
    """Return the ids of the steps that no participant can reach, in their order.

    Factors and columns of the file of codes are evaluated; of an answer with few possible values, one of
    these has to fit all conditions. Relations between different answers are not examined, so a step that is
    not returned may still be unreachable.

    Args:
        study: The study.
        rows: The columns of the codes; none: there is no file of codes.
    """
    columns = [dict(key) for key in dict.fromkeys(tuple(sorted(row.items())) for row in rows)] or [{}]
    names = {name: tuple({row[name] for row in columns}) for name in columns[0]}
    found: dict[str, bool] = {}
    for cell in study.model.cells():
        model = study.for_cell(cell)
        known = known_references(model, study.instruments, names)
        steps = visit_steps(model, NO_DRAWS)
        for row in columns:
            given = {**row, **cell}
            ended = False
            for step in steps:
                reached = not ended and may_hold(step.conditions, known, given)
                found[step.id] = found.get(step.id, False) or reached
                if isinstance(step.stage, EndStage) and _surely_holds(step.conditions, given):
                    ended = True
    return [step for step, is_reached in found.items() if not is_reached]


def may_hold(
    conditions: Sequence[Mapping[str, Any]], known: Mapping[str, KnownReference], given: Mapping[str, str]
) -> bool:
    """Return whether conditions may all hold for some answers.

    Args:
        conditions: The conditions.
        known: All references.
        given: References whose values are fixed.
    """
    base: list[tuple[str, Any]] = []
    choices: list[list[Pairs]] = []
    for condition in conditions:
        for name, wanted in condition.items():
            if name == ANY and isinstance(wanted, list):
                choices.append([list(branch.items()) for branch in wanted if isinstance(branch, Mapping)])
            else:
                base.append((name, wanted))
    return any(
        _all_fit([*base, *(pair for branch in branches for pair in branch)], known, given)
        for branches in product(*choices)
    )


def _all_fit(pairs: Pairs, known: Mapping[str, KnownReference], given: Mapping[str, str]) -> bool:
    wanted: dict[str, list[Any]] = {}
    for name, value in pairs:
        wanted.setdefault(name, []).append(value)
    for name, values in wanted.items():
        possible = [given[name]] if name in given else _possible_values(known.get(name))
        if possible and not any(all(fits(one, value) for value in values) for one in possible):
            return False
    return True


def _possible_values(reference: KnownReference | None) -> Sequence[Any]:
    """Return the values that a reference can have; empty if they are not known or too many."""
    if reference is None:
        return ()
    if reference.type == BOOLEAN:
        return (True, False)
    if reference.most is not None:
        return range(1, reference.most + 1)
    return reference.values


def _surely_holds(conditions: Sequence[Mapping[str, Any]], given: Mapping[str, str]) -> bool:
    return all(
        name in given and fits(given[name], wanted)
        for condition in conditions
        for name, wanted in condition.items()
    )
