"""Steps of a visit: the stages of a study in the order in which one participant goes through them.

A step has one screen, or one game. Blocks and rounds are resolved: ``r.2`` is the second round of the stage
``r``, ``r.2.seen`` the form ``seen`` after it, and ``tasks.1.svo`` the stage ``svo`` in the first repetition
of the block ``tasks``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from negoplatform.study.assignment import keyed_number, orders_of, shuffled
from negoplatform.study.instrument import InstrumentModel, ItemModel
from negoplatform.study.stages import (
    AnyStage,
    BlockStage,
    ConsentStage,
    FormStage,
    NegotiationStage,
    PlayedGame,
    RoundsStage,
)
from negoplatform.study.study_file import StudyModel

Order = tuple[int, ...]

SESSION_SEED_BITS = 63


@dataclass(frozen=True, slots=True)
class Draws:
    """Results of chance in a visit, other than its cell.

    Args:
        orders: Order of the parts by within factor, as positions from 0.
        blocks: Order of the stages by block and repetition, such as ``tasks.1``.
        items: Order of the items by form's step, as positions from 0.
        seeds: Seed of the game by step.
        paid: Steps of all games in the order in which they are drawn for payment.
    """

    orders: Mapping[str, Order] = field(default_factory=dict)
    blocks: Mapping[str, Order] = field(default_factory=dict)
    items: Mapping[str, Order] = field(default_factory=dict)
    seeds: Mapping[str, int] = field(default_factory=dict)
    paid: tuple[str, ...] = ()


NO_DRAWS = Draws()


@dataclass(frozen=True, slots=True)
class VisitStep:
    """Step of a visit.

    Args:
        id: Its id.
        stage: Its stage: of a round, the rounds; of a form between rounds, that form.
        conditions: Conditions that all have to hold, or the step is skipped.
        game: The game that is played in it; None in other steps.
        round: Number of the round, from 1; 0 outside of rounds.
        of: Number of rounds.
        round_id: Id of the round in the study file, or its position there.
        is_result: Whether it shows the result of a round.
    """

    id: str
    stage: AnyStage
    conditions: tuple[Mapping[str, Any], ...] = ()
    game: PlayedGame | None = None
    round: int = 0
    of: int = 0
    round_id: str = ""
    is_result: bool = False

    @property
    def kind(self) -> str:
        """Kind of its screen: that of its stage, ``game`` or ``result``."""
        if self.game is not None:
            return "game"
        return "result" if self.is_result else self.stage.kind

    @property
    def counts(self) -> bool:
        """Whether its game counts."""
        return isinstance(self.stage, NegotiationStage | RoundsStage) and self.stage.counts


def visit_steps(study: StudyModel, draws: Draws) -> tuple[VisitStep, ...]:
    """Return all steps of a visit.

    Args:
        study: The study, resolved for the participant's cell.
        draws: What was drawn; without any, orders are those of the file.
    """
    return tuple(_steps(study, study.stages, draws, "", ()))


def _steps(
    study: StudyModel,
    stages: Sequence[AnyStage],
    draws: Draws,
    prefix: str,
    conditions: tuple[Mapping[str, Any], ...],
) -> Iterator[VisitStep]:
    for stage in stages:
        own = (*conditions, stage.when) if stage.when else conditions
        step_id = prefix + stage.id
        if isinstance(stage, BlockStage):
            for n in range(1, stage.repeat + 1):
                order = draws.blocks.get(f"{step_id}.{n}", tuple(range(len(stage.stages))))
                inner = [stage.stages[i] for i in order]
                repetition = f"{prefix}{stage.id}.{n}." if stage.repeat > 1 else prefix
                yield from _steps(study, inner, draws, repetition, own)
        elif isinstance(stage, RoundsStage):
            yield from _round_steps(study, stage, draws, step_id, own)
        else:
            game = stage if isinstance(stage, NegotiationStage) else None
            yield VisitStep(step_id, stage, own, game)


def _round_steps(
    study: StudyModel,
    stage: RoundsStage,
    draws: Draws,
    step_id: str,
    conditions: tuple[Mapping[str, Any], ...],
) -> Iterator[VisitStep]:
    names = [name for name, within in study.design.within.items() if within.of == stage.id]
    usual = tuple(range(len(stage.rounds)))
    order = draws.orders.get(names[0], usual) if names else usual
    count = len(order)
    for number, position in enumerate(order, start=1):
        one = stage.rounds[position]
        game = one if one.partner is not None else one.model_copy(update={"partner": stage.partner})
        round_id = one.id or str(position + 1)
        at = f"{step_id}.{number}"
        about = {"round": number, "of": count, "round_id": round_id}
        yield VisitStep(at, stage, conditions, game, **about)  # type: ignore[arg-type]  # keys are fields
        if stage.show_result != "none":
            yield VisitStep(f"{at}.result", stage, conditions, is_result=True, **about)  # type: ignore[arg-type]
        for between in stage.between:
            own = (*conditions, between.when) if between.when else conditions
            yield VisitStep(f"{at}.{between.id}", between, own, **about)  # type: ignore[arg-type]


def assignment_index(study: StudyModel) -> int:
    """Return the number of stages before the assignment: consent, and those whose answers make the strata."""
    index = 0
    asked = {name.partition(".")[0] for name in study.design.strata}
    for i, stage in enumerate(study.stages):
        first = isinstance(stage, ConsentStage) and index == i
        named = {stage.id, stage.instrument} if isinstance(stage, FormStage) else {stage.id}
        if first or named & asked:
            index = i + 1
    return index


def draw_all(
    study: StudyModel,
    instruments: Mapping[str, InstrumentModel],
    code: str,
    orders: Mapping[str, Order],
    paid_stages: Sequence[str] = (),
) -> Draws:
    """Return all that chance decides in a visit, from the study's seed and the participant's code.

    Args:
        study: The study, resolved for the participant's cell.
        instruments: Its instruments by name.
        code: The participant's code.
        orders: The orders of the within factors.
        paid_stages: Ids of the stages whose games may be drawn for payment.
    """
    seed = study.design.seed
    blocks: dict[str, Order] = {}
    for stage in study.all_stages():
        if isinstance(stage, BlockStage) and stage.order == "random":
            for n in range(1, stage.repeat + 1):
                # A nested block is shuffled once for all repetitions of the outer one.
                name = f"{stage.id}.{n}"
                blocks[name] = tuple(shuffled(range(len(stage.stages)), seed, code, "block", name))
    steps = visit_steps(study, Draws(orders, blocks))
    items: dict[str, Order] = {}
    for step in steps:
        if isinstance(step.stage, FormStage) and step.kind == "form" and step.stage.order != "fixed":
            items[step.id] = item_order(step.stage, instruments, seed, code, step.id)
    games = [step for step in steps if step.game is not None]
    seeds = {
        step.id: keyed_number(seed, code, "game", step.id) >> (256 - SESSION_SEED_BITS) for step in games
    }
    paid = [step.id for step in games if step.stage.id in paid_stages]
    return Draws(orders, blocks, items, seeds, tuple(shuffled(paid, seed, code, "payment")))


def item_order(
    stage: FormStage, instruments: Mapping[str, InstrumentModel], seed: int, code: str, step: str
) -> Order:
    """Return a random order of a form's items: of all, or of the scales and of the items within each."""
    items = form_items(stage, instruments)
    positions = list(range(len(items)))
    if stage.order == "random" or stage.instrument is None:
        return tuple(shuffled(positions, seed, code, "items", step))
    groups: list[list[int]] = []
    left = list(positions)
    for scale in instruments[stage.instrument].scales:
        members = [i for i in left if set(items[i].fields) & set(scale.items)]
        if members:
            groups.append(shuffled(members, seed, code, "items", step, scale.name))
            left = [i for i in left if i not in members]
    # What belongs to no scale stays at the end, in its order.
    order = [i for group in shuffled(groups, seed, code, "scales", step) for i in group]
    return (*order, *left)


def form_items(stage: FormStage, instruments: Mapping[str, InstrumentModel]) -> Sequence[ItemModel]:
    """Return the items of a form."""
    if stage.instrument is not None:
        return instruments[stage.instrument].items
    return stage.items or []


def balanced_after(study: StudyModel) -> int:
    """Return the number of participants of a cell after which all orders have occurred equally often."""
    number = 1
    for within in study.design.within.values():
        stage = study.stage(within.of)
        count = len(stage.rounds) if isinstance(stage, RoundsStage) else 1
        number *= orders_of(within.order, count)
    return number
