"""Minutes that a visit of a study takes at most, estimated from its negotiations, items and words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.study.stages import (
    AnyStage,
    BlockStage,
    CallStage,
    ConsentStage,
    EndStage,
    FormStage,
    ForSeconds,
    NegotiationStage,
    PageStage,
    PlayedGame,
    QuizStage,
    RoundsStage,
    WaitStage,
)
from negoplatform.study.visit_steps import form_items

SECONDS_PER_ITEM = 10
"""Seconds for an item of a form, for a statement of a matrix, or for a question of a quiz."""

WORDS_PER_MINUTE = 200
"""Words of a text that a participant reads in a minute."""

LEAST_MINUTES = 0.5
"""Minutes of a stage that is not a negotiation, a form or a page with more."""


def expected_minutes(folder: StudyFolder) -> float:
    """Return the minutes that a visit takes at most: those of the longest cell."""
    return max(sum(stages.values()) for stages in _minutes_by_cell(folder))


def stage_minutes(folder: StudyFolder) -> dict[str, float]:
    """Return the minutes that each stage takes at most, by id, in their order; the largest of all cells.

    Blocks are resolved; what is repeated counts as often as it is repeated.
    """
    cells = _minutes_by_cell(folder)
    return {stage: max(cell[stage] for cell in cells) for stage in cells[0]}


def _minutes_by_cell(folder: StudyFolder) -> list[dict[str, float]]:
    return [
        {stage.id: times * _minutes_of(stage, folder) for stage, times in _repeated(model.stages, 1)}
        for model in folder.study.models.values()
    ]


def _repeated(stages: Sequence[AnyStage], times: int) -> Iterator[tuple[AnyStage, int]]:
    """Yield stages without blocks, each with how often it is repeated."""
    for stage in stages:
        if isinstance(stage, BlockStage):
            yield from _repeated(stage.stages, times * stage.repeat)
            continue
        yield stage, times
        if isinstance(stage, RoundsStage):
            yield from _repeated(stage.between, times * max(1, len(stage.rounds) - 1))


def _minutes_of(stage: AnyStage, folder: StudyFolder) -> float:
    match stage:
        case NegotiationStage():
            return _game_minutes(stage, folder)
        case RoundsStage():
            return sum(_game_minutes(one, folder) for one in stage.rounds)
        case WaitStage(for_=ForSeconds(seconds=waited)):
            seconds = float(waited)
        case FormStage():
            items = form_items(stage, folder.study.instruments)
            seconds = float(SECONDS_PER_ITEM * sum(len(item.fields) for item in items))
        case QuizStage():
            seconds = float(SECONDS_PER_ITEM * len(stage.questions))
        case PageStage():
            seconds = _reading_seconds(stage.pages, folder)
        case ConsentStage() | EndStage():
            seconds = _reading_seconds((stage.text,), folder)
        case CallStage(text=str()):
            seconds = _reading_seconds((stage.text,), folder)
        case _:
            seconds = 0.0
    return max(LEAST_MINUTES, seconds / 60, (stage.at_least_seconds or 0) / 60)


def _game_minutes(played: PlayedGame, folder: StudyFolder) -> float:
    """Return the minutes of a negotiation: those of the study, or else of its game; 0 without a limit."""
    if played.minutes is not None:
        return float(played.minutes)
    if not isinstance(played.game, str):
        return 0.0  # the participant chooses it
    try:
        return (folder.game(played.game).rules.deadline_seconds or 0) / 60
    except NegoError:
        return 0.0  # the check reports what is wrong with a game


def _reading_seconds(texts: Sequence[str | None], folder: StudyFolder) -> float:
    """Return the seconds for reading texts, in the language in which they are longest."""
    return max(
        sum(_words(text, language, folder) for text in texts if text is not None) / WORDS_PER_MINUTE * 60
        for language in folder.study.model.languages
    )


def _words(text: str, language: str, folder: StudyFolder) -> int:
    try:
        blocks = folder.text(text, language)
    except NegoError:
        return 0  # the check reports what is wrong with a text
    return sum(len(block.plain.split()) for block in blocks)
