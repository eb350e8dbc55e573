"""Columns of the table of participants, and the labels of answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from negoplatform.analysis.export_tables.columns import (
    MAX_NAME_LENGTH,
    Column,
    ColumnType,
    boolean_column,
    integer_column,
    legal_stems,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.study_links import factor_columns, factor_names
from negoplatform.core.events import EndedBy
from negoplatform.study.instrument import InstrumentModel, ItemModel, LikertModel
from negoplatform.study.local_text import text_in
from negoplatform.study.scoring import SVO_LIMITS, score_names
from negoplatform.study.stages import CallStage, ChoiceStage, ConsentStage, FormStage, QuizStage
from negoplatform.study.study import Study
from negoplatform.study.study_file import StudyModel
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep, form_items

VISIT_COLUMNS = (
    text_column("code", "The participant's code."),
    text_column("visit", "Id of the visit."),
    text_column("station", "Computer on which the visit took place."),
    text_column("cell", "Levels of the factors, in their order, joined by hyphens; empty before assignment."),
    boolean_column("is_test", "Whether it is test data."),
)

PARTICIPANT_COLUMNS = (
    text_column("study", "Name of the study."),
    text_column("study_version", "Version of the study."),
    text_column("language", "Language of the texts."),
    text_column("assigned_by", "Rule by which the cell was assigned."),
    integer_column("place", "Place in the list or the block of the assignment.", "0 up"),
    text_column("stratum", "Stratum of the assignment; empty if there are none."),
    Column("started", ColumnType.DATETIME, "Time at which the visit began.", "UTC"),
    Column("ended", ColumnType.DATETIME, "Time of the last event.", "UTC"),
    text_column("end", "How the visit ended; empty if it has not.", ("finished", "screened_out", "aborted")),
    number_column("minutes", "Time from the first event to the last one, without interruptions.", "min"),
    integer_column("n_interruptions", "Times that the visit was interrupted and then went on.", "0 up"),
    text_column("flags", "Steps with flags, as STEP:FLAG, separated by semicolons."),
)

GAME_MEASURES = (
    "points_agent",
    "joint",
    "joint_share",
    "pareto",
    "dist_pareto",
    "dist_nash",
    "share_of_joint_human",
    "duration_s",
    "n_offers_h",
    "n_offers_a",
    "n_msgs_h",
    "first_offer_u_h",
    "total_concession_h",
    "n_logroll_h",
    "n_questions_h",
    "n_pref_true_h",
    "n_pref_false_h",
)
"""Columns of sessions.csv that participants.csv has for each game, where there are such columns."""

GOODS_MEASURES, SEAT_MEASURES = ("duration_s", "efficiency"), ("gain", "gain_eq", "n_trades", "n_msgs")
"""Columns of sessions.csv, and of the participant's row in seats.csv, that participants.csv has instead for a
game of goods."""

PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")

GUESS_SCORE = "score"
"""End of the name of the column with the score of a guessed ranking."""

TAKEN = frozenset(column.name for column in (*VISIT_COLUMNS, *PARTICIPANT_COLUMNS))

Name = tuple[str, str]
"""Step of a column (empty for a stage or the design), and the name of the column's value."""


class ParticipantColumns:
    """Columns of the table of participants of a study.

    Args:
        study: The study.
        states: Its visits.
        sessions: The columns of the table of sessions.
        seats: The columns of the table of seats.
        goods_steps: Ids of the steps that are games of goods.
    """

    def __init__(
        self,
        study: Study,
        states: Iterable[VisitState],
        sessions: Sequence[Column],
        *,
        seats: Sequence[Column] = (),
        goods_steps: Collection[str] = (),
    ) -> None:
        model = study.model
        self.factors = factor_names(model.factors, TAKEN)
        self._factors = factor_columns(model.factors, self.factors)
        measures = {column.name: column for column in sessions if column.name in GAME_MEASURES}
        goods_measures = {column.name: column for column in sessions if column.name in GOODS_MEASURES}
        goods_measures |= {column.name: column for column in seats if column.name in SEAT_MEASURES}
        found: dict[Name, Column] = {}
        for name in model.design.within:
            found["", f"order_{name}"] = text_column(
                "", f"Order of the rounds by the factor {name}: their ids in the order of play, with hyphens."
            )
        for stage in _played_stages(model):
            found["", f"minutes_{stage}"] = number_column(
                "", f"Time in the stage {stage}; empty if it was not reached.", "min"
            )
        for step in _all_steps(states):
            own = goods_measures if step.id in goods_steps else measures
            for name, column in _step_columns(step, study, own):
                found.setdefault((step.id, name), column)
        texts = {key: f"{key[0]}.{key[1]}".strip(".") for key in found}
        stems = legal_stems([*TAKEN, *self.factors.values(), *texts.values()], MAX_NAME_LENGTH)
        self._named = {key: replace(column, name=stems[texts[key]]) for key, column in found.items()}

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, in order."""
        return (*VISIT_COLUMNS, *self._factors, *PARTICIPANT_COLUMNS, *self._named.values())

    def name(self, step: str, of: str) -> str | None:
        """Return the name of the column with a value of a step; None if there is none."""
        column = self._named.get((step, of))
        return None if column is None else column.name


def _all_steps(states: Iterable[VisitState]) -> list[VisitStep]:
    """Return the steps of all visits without duplicates, beginning with those of assigned visits."""
    ordered = sorted(states, key=lambda state: state.assigned is None)
    steps: dict[str, VisitStep] = {}
    for state in ordered:
        for step in state.steps:
            steps.setdefault(step.id, step)
    return list(steps.values())


def _played_stages(model: StudyModel) -> list[str]:
    return [stage.id for stage in model.all_stages() if stage.kind != "block"]


def _step_columns(
    step: VisitStep, study: Study, measures: Mapping[str, Column]
) -> Iterator[tuple[str, Column]]:
    about = f"Step {step.id}"
    language = study.model.languages[0]
    if step.is_result:
        return
    if step.game is not None:
        yield from _game_columns(step, about, measures)
        return
    match step.stage:
        case ConsentStage():
            yield "given", boolean_column("", f"{about}: whether consent was given.")
            yield "text_sha256", text_column("", f"{about}: SHA-256 of the text that was consented to.")
        case QuizStage():
            yield "tries", integer_column("", f"{about}: attempts at the quiz.", "1 up")
            yield "first_try", boolean_column("", f"{about}: whether all answers were right at first.")
            yield "passed", boolean_column("", f"{about}: whether the last attempt was right.")
            yield "first_wrong", text_column("", f"{about}: questions with a wrong answer at first.")
        case ChoiceStage(options=options):
            labels = tuple((one.id, text_in(one.label, language)) for one in options)
            values = tuple(one.id for one in options)
            yield "chosen", replace(text_column("", f"{about}: what was chosen.", values), labels=labels)
        case CallStage(returns=returns):
            if returns == "word":
                yield "word", text_column("", f"{about}: the word that was typed on return.")
            if returns == "exit_code":
                yield "exit_code", integer_column("", f"{about}: the exit code of the program.")
        case FormStage():
            yield from _form_columns(step.stage, study, about)
        case _:
            pass


def _game_columns(
    step: VisitStep, about: str, measures: Mapping[str, Column]
) -> Iterator[tuple[str, Column]]:
    if step.round:
        yield "round_id", text_column("", f"{about}: id of the round in the study.")
    yield "agreement", boolean_column("", f"{about}: whether there was a deal; empty for a game of goods.")
    yield "points", number_column("", f"{about}: the participant's points.", "points")
    yield "end", text_column("", f"{about}: how the game ended.", EndedBy)
    yield "session", text_column("", f"{about}: id of the session, as in sessions.csv.")
    for name, column in measures.items():
        yield name, replace(column, name="", description=f"{about}: {column.description}")


def _form_columns(stage: FormStage, study: Study, about: str) -> Iterator[tuple[str, Column]]:
    language = study.model.languages[0]
    for item in form_items(stage, study.instruments):
        for field in item.fields:
            yield field, _item_column(item, field, about, language)
        if item.points_guess is not None:
            description = (
                f"{about}: agreement of the guessed ranking {item.id} with the partner's true one "
                "(Kendall's tau-b)."
            )
            yield f"{item.id}_{GUESS_SCORE}", number_column("", description, "-1 to 1")
    if stage.instrument is None:
        return
    instrument = study.instruments[stage.instrument]
    for name in score_names(instrument):
        if name == "category":
            values = (*(category for _, category in SVO_LIMITS), "competitive")
            yield name, text_column("", f"{about}: category of the SVO slider.", values)
        else:
            yield name, number_column("", f"{about}: {_score_text(instrument, name)}")


def _score_text(instrument: InstrumentModel, name: str) -> str:
    """Return how a score is computed."""
    scale = next((scale for scale in instrument.scales if scale.name == name), None)
    if scale is None:
        return f"score {name} of {instrument.name}, in degrees."
    missing = f"; up to {scale.missing} may be missing" if scale.missing else ""
    items = ", ".join(scale.items)
    return f"{scale.as_} of {items} of {instrument.name}, reversed items recoded{missing}."


def _item_column(item: ItemModel, field: str, about: str, language: str) -> Column:
    asked, turned = plain_text(item.ask, language), item.reverse
    if item.matrix is not None:
        row = item.matrix.rows[item.fields.index(field)]
        asked, turned = plain_text(row.ask, language), row.reverse
    description = f"{about}: {asked}{' Reversed in the scores.' if turned else ''}"
    if item.kind in ("text", "many", "rank", "points_guess"):
        return Column("", ColumnType.TEXT, description + _key_text(item, language))
    if item.slider is not None:
        return Column("", ColumnType.NUMBER, description, f"{item.slider.least} to {item.slider.most}")
    if item.number is not None:
        kind = ColumnType.INTEGER if item.number.whole else ColumnType.NUMBER
        unit = "" if item.number.unit is None else text_in(item.number.unit, language)
        return Column("", kind, description, unit)
    return Column(
        "",
        ColumnType.INTEGER,
        description,
        values=_positions(item),
        labels=item_labels(item, language),
        is_ordered=_likert(item) is not None,
    )


def _key_text(item: ItemModel, language: str) -> str:
    """Return the meaning of the positions in an answer that consists of several."""
    things = item.many or (item.rank.things if item.rank is not None else ())
    keys = [f"{n} = {plain_text(text, language)}" for n, text in enumerate(things, start=1)]
    if item.points_guess is not None:
        return " Positions of the issues in the game, the most important first, separated by semicolons."
    if not keys:
        return ""
    order = "in their order" if item.rank is not None else "chosen"
    return f" Positions {order}, separated by semicolons: {'; '.join(keys)}."


def _positions(item: ItemModel) -> tuple[str, ...]:
    likert = _likert(item)
    if likert is not None:
        count = likert.points
    elif item.allocation is not None:
        count = len(item.allocation.divisions)
    else:
        count = len(item.choices or ())
    return tuple(str(n) for n in range(1, count + 1))


def _likert(item: ItemModel) -> LikertModel | None:
    return item.matrix.likert if item.matrix is not None else item.likert


def item_labels(item: ItemModel, language: str) -> tuple[tuple[str, str], ...]:
    """Return the labels of an item's values in a language: of all choices, or of a scale's ends."""
    if item.choices is not None:
        return tuple((str(n), plain_text(text, language)) for n, text in enumerate(item.choices, start=1))
    if item.allocation is not None:
        return tuple(
            (str(n), f"{own} for oneself, {other} for the other")
            for n, (own, other) in enumerate(item.allocation.divisions, start=1)
        )
    likert = _likert(item)
    if likert is None:
        return ()
    middle = likert.middle
    found = [("1", likert.from_)]
    if middle is not None and likert.points % 2:
        found.append((str(likert.points // 2 + 1), middle))
    found.append((str(likert.points), likert.to))
    return tuple((value, plain_text(text, language)) for value, text in found)


def plain_text(text: str | Mapping[str, str], language: str) -> str:
    """Return a text in a language without placeholders, whose values differ between participants."""
    found = text_in(text, language)
    if language == "en":
        found = found.replace("{partner}", "the partner")
    return PLACEHOLDER.sub(r"[\1]", found)
