"""The shipped assistants in simulated games: in the log, verified, folded, run again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.assistant_setup import (
    AssistantPlaces,
    assigned_assistants,
    with_assistants,
)
from negoplatform.app.simulation.game_results import summarize
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.cli.render.simulation_table import simulation_lines
from negoplatform.core.events import Event, EventType
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec, parse_assistant
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from tests.hosting.assistants.small_assistants import proposals

NOWHERE = Path("nowhere")
ALL = (
    AssistantSpec("agenda"),
    AssistantSpec("insights"),
    AssistantSpec("debrief"),
    AssistantSpec("coach", "agenda", coach=True),
)


def assisted(game: GameSpec, specs: Sequence[AssistantSpec] = ALL) -> tuple[GameSpec, dict[str, Any]]:
    game = with_assistants(game, specs)
    return assigned_assistants(game, AssistantPlaces((), game.seats), NOWHERE, in_program=True)


def played(
    folder: Path, name: str, agents: Sequence[str], specs: Sequence[AssistantSpec] = ALL, **options: Any
) -> SessionLog:
    """Play one game with assistants and return its log."""
    game, plugins = assisted(find_game(name, NOWHERE), specs)
    chosen = [find_agent(agent, NOWHERE, in_program=True) for agent in agents]
    errors: list[BaseException] = []
    results = simulate(
        game,
        chosen,
        games=1,
        seed=1,
        logs=folder,
        report=errors.append,
        how=Seatings.GIVEN,
        assistants=plugins,
        **options,
    )
    assert len(list(results)) == 1
    assert errors == []
    (path,) = folder.glob("*/events.jsonl")
    return read_log(path)


@pytest.fixture(scope="module")
def bargained(tmp_path_factory: pytest.TempPathFactory) -> SessionLog:
    return played(tmp_path_factory.mktemp("logs"), "resource_exchange", ["fair", "boulware"])


def final_sections(log: SessionLog) -> dict[str, Any]:
    record = replay(log).state.record
    return {"tasks": [task.document() for task in record.tasks], "annotations": record.annotations.to_dict()}


def test_a_name_is_given_once() -> None:
    twice = [parse_assistant("agenda"), parse_assistant("agenda@settings.json")]

    with pytest.raises(NegoError, match=r"^Two assistants are named 'agenda'; "):
        with_assistants(find_game("practice", NOWHERE), twice)


def test_settings_follow_a_name_or_a_plugin() -> None:
    assert parse_assistant("agenda@a.json") == AssistantSpec("agenda", "agenda@a.json")
    assert parse_assistant("plan=agenda@a.json") == AssistantSpec("plan", "agenda@a.json")


def test_an_unknown_plugin_is_called_an_assistant() -> None:
    with pytest.raises(NegoError, match=r"^There is no assistant 'agnda'; the nearest name is 'agenda'"):
        assisted(find_game("practice", NOWHERE), [AssistantSpec("agnda")])


def test_the_header_names_the_assistants_their_kinds_and_their_plugins(bargained: SessionLog) -> None:
    header = bargained.header

    kinds = {name: spec.kind for name, spec in header.game.assistants.items()}
    assert kinds == {
        "agenda": AssistantKind.AGENDA,
        "insights": AssistantKind.INSIGHTS,
        "debrief": AssistantKind.DEBRIEF,
        "coach": AssistantKind.AGENDA,
    }
    assert {name: who.agent for name, who in header.assistants.items()} == {
        "agenda": "agenda",
        "insights": "insights",
        "debrief": "debrief",
        "coach": "agenda",
    }


def test_all_proposals_are_accepted_and_the_log_follows_the_rules(bargained: SessionLog) -> None:
    found = proposals(bargained.events)

    assert {name for name, _, _ in found} == {"agenda", "insights", "debrief", "coach"}
    assert [proposal.reason for _, _, proposal in found if not proposal.accepted] == []
    replay(bargained)  # raises at the first event that could not have happened


def test_a_rerun_of_the_assistants_finds_no_difference(bargained: SessionLog) -> None:
    found = resimulate(bargained, NOWHERE)

    assert (found.assistants, found.differences) == (4, ())


def test_a_rerun_names_the_first_proposal_that_differs(bargained: SessionLog) -> None:
    game = bargained.header.game
    other = replace(game.assistants["insights"], seat="agent")
    changed = replace(game, assistants=game.assistants.with_value("insights", other))

    found = resimulate(replace(bargained, header=replace(bargained.header, game=changed)), NOWHERE)

    first = next(
        event.seq
        for event in bargained.events
        if event.type == EventType.STATE_PROPOSED and event.payload.proposer.name == "insights"
    )
    assert {difference.seat for difference in found.differences} == {"insights"}
    assert found.differences[0].seq == first


def test_the_agenda_has_a_subtask_per_issue_and_all_are_done_with_the_deal(bargained: SessionLog) -> None:
    sections = final_sections(bargained)

    (root,) = sections["annotations"]["agenda"]["task_structure"]
    issues = [task for task in root["subtasks"] if task["intent"] == "settle_issue"]
    assert [task["metadata"]["issue"] for task in issues] == [
        issue.name for issue in bargained.header.game.issues
    ]
    assert {task["status"] for task in (root, *issues)} == {"done"}
    mine = {task["task_id"]: task["status"] for task in sections["tasks"] if task["agent_origin"] == "agenda"}
    assert mine["agenda/deal"] == "done"


def test_an_own_offer_that_the_other_accepted_is_a_task_until_it_is_confirmed(tmp_path: Path) -> None:
    specs = [AssistantSpec(f"plan_{seat}", "agenda", seat=seat) for seat in ("human", "agent")]

    log = played(tmp_path, "practice", ["fair", "boulware"], specs)

    first = next(event for event in log.events if event.type == EventType.FORMAL_ACCEPT)
    (maker,) = {"human", "agent"} - {first.sender}
    confirming = [
        (name, task["status"])
        for name, _, proposal in proposals(log.events)
        for task in proposal.updates.get("tasks", ())
        if task["intent"] == "confirm_offer"
    ]
    assert list(dict.fromkeys(confirming)) == [(f"plan_{maker}", "in_progress"), (f"plan_{maker}", "done")]


def test_the_insights_have_the_pattern_and_the_priorities_of_the_other(bargained: SessionLog) -> None:
    insights = final_sections(bargained)["annotations"]["insights"]

    (about,) = insights["others"].values()
    assert about["pattern"] in {"conceding", "firm", "hardening"}
    assert sum(about["moves"].values()) == about["offers"] - 1
    assert {each["issue"] for each in about["priorities"]} == {
        issue.name for issue in bargained.header.game.issues
    }


def test_the_debriefing_has_the_deal_and_the_own_points(bargained: SessionLog) -> None:
    summary = final_sections(bargained)["annotations"]["debrief"]["summary"]
    state = replay(bargained).state
    assert state.ending is not None
    assert state.ending.deal is not None

    items = {item["code"]: item for item in summary["items"]}
    seat = bargained.header.game.assistants["debrief"].seat
    assert items["outcome"]["ended_by"] == "agreement"
    assert items["points"]["points"] == state.game.preferences[seat].utility(state.ending.deal)
    assert items["points"]["reservation"] == state.game.preferences[seat].reservation_value
    assert summary["text"].startswith("The negotiation ended with an agreement.")


def test_equal_seeds_give_equal_proposals(bargained: SessionLog, tmp_path: Path) -> None:
    again = played(tmp_path, "resource_exchange", ["fair", "boulware"])

    assert again.events == bargained.events


def test_without_assistants_a_game_file_with_some_is_played_as_ever(tmp_path: Path) -> None:
    game, _ = assisted(find_game("resource_exchange", NOWHERE))
    plain = find_game("resource_exchange", NOWHERE)
    agents = [find_agent(name, NOWHERE, in_program=True) for name in ("boulware", "conceder")]

    def events(spec: GameSpec, folder: Path) -> tuple[Event, ...]:
        list(simulate(spec, agents, games=1, seed=1, logs=folder, report=print, how=Seatings.GIVEN))
        (path,) = folder.glob("*/events.jsonl")
        return tuple(read_log(path).events)

    assert events(game, tmp_path / "a") == events(plain, tmp_path / "b")


@pytest.mark.parametrize(
    ("game", "agents", "intent"),
    [("tac_trading", ["tac_baseline"], "get_good"), ("land_market", ["zip"], "play_phase")],
)
def test_the_agenda_plans_in_other_kinds_of_games(
    tmp_path: Path, game: str, agents: list[str], intent: str
) -> None:
    specs = (AssistantSpec("agenda"), AssistantSpec("debrief"))
    log = played(tmp_path, game, agents, specs, fill=find_agent(agents[0], NOWHERE, in_program=True))

    sections = final_sections(log)
    assert [p.reason for _, _, p in proposals(log.events) if not p.accepted] == []
    assert intent in {task["intent"] for task in sections["tasks"] if task["agent_origin"] == "agenda"}
    assert "points" in {item["code"] for item in sections["annotations"]["debrief"]["summary"]["items"]}
    assert resimulate(log, NOWHERE).differences == ()


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (AssistantSpec("tips", "insights", coach=True), "only an agenda can be a coach"),
        (AssistantSpec("tips", "fair"), "fair is an agent for a seat; choose an assistant, such as agenda"),
        (AssistantSpec("tips", "nothing_like_it"), "There is no assistant 'nothing_like_it'"),
    ],
)
def test_an_assistant_that_cannot_be_one_is_refused_with_a_sentence(spec: AssistantSpec, reason: str) -> None:
    with pytest.raises(NegoError, match=reason):
        assisted(find_game("practice", NOWHERE), [spec])


def test_insights_need_an_agent_and_a_coach_needs_a_person() -> None:
    game = with_assistants(find_game("practice", NOWHERE), [AssistantSpec("insights")])
    with pytest.raises(NegoError, match="no agent plays"):
        assigned_assistants(game, AssistantPlaces(game.seats, ()), NOWHERE)

    coached = with_assistants(
        find_game("practice", NOWHERE), [AssistantSpec("coach", "agenda", seat="agent", coach=True)]
    )
    with pytest.raises(NegoError, match="choose the seat of a person"):
        assigned_assistants(coached, AssistantPlaces(("human",), ("agent",)), NOWHERE)


def test_an_assistant_takes_no_seat() -> None:
    with pytest.raises(NegoError, match="an assistant of the kind agenda, which takes no seat"):
        find_agent("agenda", NOWHERE)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return 1 / 0", "The first failure: mine: It raised ZeroDivisionError (division by zero) in line "),
        ("return [1]", "The first failure: mine: plan returns a Plan, not list. (seed 1)"),
        (
            "return Plan({})",
            "The first failure: mine: task_structure is a list of objects, not dict. (seed 1)",
        ),
        (
            'return Plan([], {"offers": {}})',
            "The first refused action: mine: change of the record: ",
        ),
    ],
)
def test_the_summary_tells_what_went_wrong_in_an_assistant(tmp_path: Path, body: str, told: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from negoplatform.agent_api import AgendaAssistant, Plan\n\n\n"
        f"class Mine(AgendaAssistant):\n    def plan(self, ctx):\n        {body}\n"
    )
    game, plugins = assisted(find_game("practice", NOWHERE), [AssistantSpec("mine", str(path))])
    agents = [find_agent(name, NOWHERE, in_program=True) for name in ("fair", "boulware")]

    results = list(
        simulate(
            game,
            agents,
            games=1,
            seed=1,
            logs=None,
            report=lambda _error: None,
            how=Seatings.GIVEN,
            assistants=plugins,
        )
    )

    assert told in "\n".join(simulation_lines(game, summarize(results)))


def test_another_plug_in_named_coach_is_shown_to_the_participant_with_the_option_coach() -> None:
    game = with_assistants(find_game("practice", NOWHERE), [AssistantSpec("coach", "own_agenda")], coach=True)

    assert dict(game.assistants) == {"coach": AssistantSpec("coach", "own_agenda", coach=True)}


def test_another_plug_in_for_a_games_assistant_keeps_its_seat_and_who_sees_it() -> None:
    game = with_assistants(
        find_game("practice", NOWHERE), [AssistantSpec("plan", "agenda", seat="human", coach=True)]
    )

    changed = with_assistants(game, [AssistantSpec("plan", "own_agenda", settings={"x": 1})])

    assert dict(changed.assistants) == {
        "plan": AssistantSpec("plan", "own_agenda", seat="human", coach=True, settings={"x": 1})
    }
