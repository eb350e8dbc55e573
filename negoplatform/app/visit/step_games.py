"""Games of a visit's steps: the game, the partner, the seat and the seed that a participant gets there."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from negoplatform.app.session.agent_placement import participant_seat
from negoplatform.app.session.assistant_setup import with_assistants
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.participant_rule_defaults import with_window_rules, with_window_texts
from negoplatform.app.session.session_plan import with_counterpart, with_limits
from negoplatform.app.study.partner_check import partner_settings
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.core.events import EndedBy, Ending
from negoplatform.domain.assistant_settings import parse_assistant
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.formats.log_header import StudySession
from negoplatform.study.instrument import PointsGuessModel
from negoplatform.study.partners import PartnerModel
from negoplatform.study.quiz import correct_answer
from negoplatform.study.stages import ChosenBefore, GameAnswer, PlayedGame, QuizStage, RoundsStage
from negoplatform.study.visit_events import SessionClosed
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep


def step_seed(state: VisitState, step: VisitStep) -> int:
    """Return the seed of a step's game, which was drawn at the assignment."""
    return state.draws.seeds[step.id]


def step_game(state: VisitState, folder: StudyFolder, step: VisitStep) -> GameSpec:
    """Return the game of a step as this participant plays it: with seats, profiles, limits, mood, pace.

    Raises:
        NegoError: If the game cannot be used.
    """
    played = _played(step)
    game = played.with_seats(folder.game(_chosen(state, played.game)))
    seconds = None if played.minutes is None else float(played.minutes) * 60
    game = with_limits(game, seconds, played.offers)
    partner = step_partner(state, step)
    game = with_counterpart(game, partner.counterpart)
    if partner.person:
        mine = step_seat(step, game)
        called = {mine: partner.participant_name, **dict.fromkeys(game.others(mine), partner.name)}
        names = {**game.names, **{seat: name for seat, name in called.items() if name is not None}}
        game = replace(game, names=SeatMap((seat, names[seat]) for seat in game.seats if seat in names))
    rules = {key: getattr(played, key) for key in ("reads_talk", "offer_requests")}
    game = replace(
        game, rules=replace(game.rules, **{key: value for key, value in rules.items() if value is not None})
    )
    game = with_assistants(game, map(parse_assistant, played.assistants), coach=played.coach)
    return game.resolve_profiles(step_seed(state, step), played.profile)


def sessions_before(state: VisitState, step: VisitStep) -> tuple[str, ...]:
    """Return the ids of the sessions that the agent of a step's partner has played and remembers.

    These are the earlier rounds with the same partner in the same stage; elsewhere agents are new.
    """
    if not keeps_agent(step) or step_partner(state, step).person:
        return ()
    rounds = step.id.rpartition(".")[0]
    found = []
    for one in state.steps:
        session = state.sessions.get(one.id)
        if (
            one.game is not None
            and one.round < step.round
            and one.id.rpartition(".")[0] == rounds
            and isinstance(session, SessionClosed)
            and partner_id(state, one) == partner_id(state, step)
        ):
            found.append(session.session)
    return tuple(found)


def keeps_agent(step: VisitStep) -> bool:
    """Return whether the agent of a step's game stays for the rounds that follow."""
    return isinstance(step.stage, RoundsStage) and step.round > 0 and step.stage.same_partner


def partner_id(state: VisitState, step: VisitStep) -> str:
    """Return the id of the partner of a step's game.

    Raises:
        NegoError: If the step has none.
    """
    partner = _played(step).partner
    if partner is None:
        raise NegoError(f"The step {step.id!r} has no partner; name one in the study file.")
    return _chosen(state, partner)


def step_partner(state: VisitState, step: VisitStep) -> PartnerModel:
    """Return the partner of a step's game.

    Raises:
        NegoError: If the step has none.
    """
    return state.model.partners[partner_id(state, step)]


def guessed_step(state: VisitState, guess: PointsGuessModel) -> VisitStep:
    """Return the step with the partner whose ranking is to be guessed: of rounds the last that was played.

    Raises:
        NegoError: If the visit has no such step.
    """
    steps = [step for step in state.steps if step.stage.id == guess.of and step.game is not None]
    played = [step for step in steps if step.id in state.sessions] or steps
    if not played:
        raise NegoError(
            f"The negotiation {guess.of!r} is no part of this visit, so there is nothing to guess."
        )
    return played[-1]


def step_agent(state: VisitState, folder: StudyFolder, step: VisitStep) -> ChosenAgent | None:
    """Return the agent of a step's game with its settings; None where a second person plays.

    Raises:
        NegoError: If it cannot be used.
    """
    partner = step_partner(state, step)
    if partner.agent is None:
        return None
    plugin = folder.agent(partner.agent)
    return ChosenAgent(plugin, partner_settings(partner, plugin)).with_language(state.header.language)


def has_counting_end(game: GameSpec, ending: Ending) -> bool:
    """Return whether a game ended in a deal; in a game without offers, whether it ended as its rules say."""
    if ending.ended_by is EndedBy.AGREEMENT:
        return True
    counting = (EndedBy.COMPLETED, EndedBy.TIMEOUT, EndedBy.QUIT)
    return game.economy is not None and ending.ended_by in counting


def game_in_window(game: GameSpec, seat: Seat, partner: ChosenAgent | None, language: str) -> GameSpec:
    """Return a game with the times and the texts that a participant needs.

    Args:
        game: The game of a step.
        seat: The participant's seat.
        partner: The agent of the other seats; None: a second person plays.
        language: The language of the visit.
    """
    game = with_window_rules(game, seat, language=language)
    agents = {} if partner is None else dict.fromkeys(game.others(seat), partner)
    return with_window_texts(game, agents, language)


def step_seat(step: VisitStep, game: GameSpec) -> Seat:
    """Return the participant's seat in a step's game."""
    return participant_seat(game, _played(step).seat)


def study_session(state: VisitState, step: VisitStep, earlier: tuple[str, ...] = ()) -> StudySession:
    """Return the place of a step's session in the study, for its log.

    Args:
        state: The state of the visit.
        step: The step.
        earlier: The ids of the sessions that the partner's agent has played before, and remembers.

    Raises:
        NegoError: Before the assignment.
    """
    if state.assigned is None:
        raise NegoError("A game is played after the assignment.")
    header = state.header
    return StudySession(
        name=header.study,
        version=header.version,
        sha256=header.sha256,
        visit=header.visit,
        participant=header.code,
        station=header.station,
        stage=step.stage.id,
        step=step.id,
        round=step.round,
        cell=dict(state.assigned.cell),
        counts=step.counts,
        is_test=header.is_test,
        of=step.of,
        partner=partner_id(state, step),
        earlier=earlier,
    )


def right_answers(state: VisitState, folder: StudyFolder, stage: QuizStage) -> dict[str, int | Decimal]:
    """Return the right answers of a quiz; computed ones are those of the participant's own profile.

    The profile is that of the first game of this name in the visit.

    Raises:
        NegoError: If a game cannot be used.
    """
    found: dict[str, int | Decimal] = {}
    for question in stage.questions:
        game, seat = None, ""
        if isinstance(question.correct, GameAnswer):
            step = _first_step_with(state, question.correct.from_game)
            game = step_game(state, folder, step)
            seat = step_seat(step, game)
        found[question.id] = correct_answer(question, game, seat)
    return found


def _first_step_with(state: VisitState, game: str) -> VisitStep:
    for step in state.steps:
        if step.game is not None and _game_may_be(state, step, game):
            return step
    raise NegoError(f"The game {game!r} is not played in this visit.")


def _game_may_be(state: VisitState, step: VisitStep, game: str) -> bool:
    wanted = _played(step).game
    if isinstance(wanted, str):
        return wanted == game
    return state.results.get(f"{wanted.chosen}.chosen") == game


def _played(step: VisitStep) -> PlayedGame:
    if step.game is None:
        raise NegoError(f"The step {step.id!r} has no game.")
    return step.game


def _chosen(state: VisitState, value: str | ChosenBefore) -> str:
    if isinstance(value, str):
        return value
    found = state.value_of(f"{value.chosen}.chosen")
    if not isinstance(found, str):
        raise NegoError(f"Nothing was chosen in {value.chosen!r} yet.")
    return found
