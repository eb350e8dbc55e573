"""Planted effects of a rehearsal: what was planted, and what the answers show, with its interval."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist, fmean, variance

from negoplatform.app.rehearsal.rehearsal_people import INTERACTION, Effects, planted_shift
from negoplatform.app.rehearsal.simulated_person import is_reversed
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.study.scoring import reversed_value
from negoplatform.study.stages import FormStage
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import form_items


@dataclass(frozen=True, slots=True)
class EffectReport:
    """Planted difference of answers between two levels, and the one in the data with its 95 % interval.

    Of an interaction, the levels are two differences.
    """

    answers: str
    factor: str
    levels: tuple[str, str]
    planted: float
    found: float | None
    interval: tuple[float, float] | None

    @property
    def is_found(self) -> bool:
        """Whether the interval lies on the planted side of 0; of no difference, whether it includes 0."""
        if self.interval is None:
            return False
        low, high = self.interval
        return low <= 0 <= high if not self.planted else (low > 0 if self.planted > 0 else high < 0)


def effect_reports(
    folder: StudyFolder, effects: Effects, states: Sequence[VisitState]
) -> Iterator[EffectReport]:
    """Yield every planted difference between two levels, and of interactions between two differences.

    What is planted in a group is the mean of the shifts of its cells, so an interaction is also a part of the
    difference between the levels of its factors.
    """
    cells, levels_of = folder.study.model.cells(), folder.study.model.factors
    for prefix, factors in effects.items():
        people = []
        for state in states:
            values = list(_answers(state, prefix))
            if values and state.assigned is not None:
                people.append((state.assigned.cell, fmean(values)))

        def group(
            wanted: Mapping[str, str],
            people: Sequence[tuple[Mapping[str, str], float]] = people,
            factors: Mapping[str, Mapping[str, float]] = factors,
        ) -> _Group:
            shifts = [planted_shift(factors, cell) for cell in cells if wanted.items() <= cell.items()]
            means = [mean for cell, mean in people if wanted.items() <= cell.items()]
            return _Group(fmean(shifts), means)

        for name in factors:
            first, _, second = name.partition(INTERACTION)
            for low, high in pairwise(levels_of[first]):
                if not second:
                    groups = [(-1, group({first: low})), (1, group({first: high}))]
                    yield _contrast(prefix, name, (low, high), groups)
                for left, right in pairwise(levels_of[second] if second else ()):
                    groups = [
                        (a * b, group({first: one, second: other}))
                        for a, one in ((-1, low), (1, high))
                        for b, other in ((-1, left), (1, right))
                    ]
                    differences = (f"({high} − {low} at {left})", f"({high} − {low} at {right})")
                    yield _contrast(prefix, name, differences, groups)


@dataclass(frozen=True, slots=True)
class _Group:
    planted: float
    means: Sequence[float]


def _answers(state: VisitState, prefix: str) -> Iterator[float]:
    """Yield the numeric answers whose names have this beginning, with reversed items recoded."""
    for step in state.steps:
        if not isinstance(step.stage, FormStage) or step.kind != "form":
            continue
        for item in form_items(step.stage, state.instruments):
            if item.kind not in ("likert", "matrix", "slider", "number") or item.correct is not None:
                continue
            for name in item.fields:
                value = state.answers.get((step.id, name))
                if value is None or not f"{step.id}.{name}".startswith(prefix):
                    continue
                yield float(reversed_value(item, name, value) if is_reversed(item, name) else value)


def _contrast(
    prefix: str, factor: str, levels: tuple[str, str], groups: Sequence[tuple[int, _Group]]
) -> EffectReport:
    """Return a difference of groups, each added or subtracted (1 or -1)."""
    planted = round(sum(sign * group.planted for sign, group in groups), 9)
    means = [group.means for _, group in groups]
    if any(len(one) < 2 for one in means):
        return EffectReport(prefix, factor, levels, planted, None, None)
    found = sum(sign * fmean(group.means) for sign, group in groups)
    squares = [variance(one) / len(one) for one in means]
    if not sum(squares):
        return EffectReport(prefix, factor, levels, planted, found, (found, found))
    # Welch's interval, with the degrees of freedom by Welch and Satterthwaite.
    terms = (square**2 / (len(one) - 1) for square, one in zip(squares, means, strict=True))
    freedom = sum(squares) ** 2 / sum(terms)
    half = t_quantile(0.975, freedom) * math.sqrt(sum(squares))
    return EffectReport(prefix, factor, levels, planted, found, (found - half, found + half))


def t_quantile(share: float, freedom: float) -> float:
    """Return a quantile of Student's t distribution, by the expansion of Cornish and Fisher.

    Its error is below 1 % from 3 degrees of freedom (Abramowitz and Stegun 1964, 26.7.5).
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**n for n, term in enumerate(terms, start=1))
