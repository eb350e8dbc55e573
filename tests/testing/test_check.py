"""check_agent: one deliberately bad agent for each finding, and good agents without findings."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from negoplatform.agent_api.actions import Action, Schedule, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.catalogue.catalogue import list_agents
from negoplatform.core.events import Event
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import Severity, agent_class, check, check_agent, trial_games
from negoplatform.testing.case_runner import first_difference
from negoplatform.testing.check_situations import SITUATIONS
from negoplatform.testing.mechanism_checks import check_cases
from negoplatform.testing.new_agent import write_new_agent
from tests.sweeps import sampled
from tests.testing.checked_agents import (
    BAD,
    ERROR,
    GAMES,
    WARNING,
    Stopwatch,
    checked,
    sentences,
    the_one,
)

pytestmark = pytest.mark.timeout(100)

# Loading and making


def test_a_failure_in_a_library_has_the_line_of_the_file_also_by_its_relative_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slip.py").write_text("import json\n\njson.loads('{')\n")
    monkeypatch.chdir(tmp_path)

    assert "in line 3." in the_one(checked(Path("slip.py")), "JSONDecodeError").sentence


def test_a_file_that_does_not_load_is_named_with_its_line(tmp_path: Path) -> None:
    slip = tmp_path / "slip.py"
    slip.write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\nclass Slip(NegotiationAgent)\n"
    )

    findings = check_agent(slip)

    assert [finding.situation for finding in findings] == ["loading the file"]
    assert "line 3" in the_one(findings, "slip.py").sentence


def test_a_file_without_an_agent_is_an_error() -> None:
    assert the_one(checked("holds_no_agent"), "no subclass of NegotiationAgent").severity is ERROR


def test_a_file_that_is_not_there_is_an_error() -> None:
    assert the_one(check_agent(BAD / "nowhere.py"), "nowhere.py").severity is ERROR


def test_an_agent_that_needs_settings_is_told_that_it_has_to_work_without() -> None:
    finding = the_one(checked("refuses_to_be_configured"), "KeyError ('mood')", "line 9")

    assert finding.situation == "setting up the agent"
    assert finding.sentence.endswith("It has to work without any settings.")


def test_an_agent_has_to_say_its_name() -> None:
    assert the_one(checked("has_no_name"), "get_name() returned None").severity is ERROR


# Handlers


def test_a_handler_that_cannot_be_called_is_shown_how_it_is_written() -> None:
    findings = checked("lacks_an_argument")

    finding = the_one(findings, "def on_send_offer(self, ctx, event)")
    assert "it is written on_send_offer(self, event)" in finding.sentence
    assert finding.situation == "Short.on_send_offer, line 7"
    assert the_one(findings, "on_time is a property").severity is ERROR


def test_what_follows_from_a_wrong_signature_is_not_told_again() -> None:
    assert len(checked("lacks_an_argument")) == 2


@pytest.mark.parametrize(
    ("parameters", "told"),
    [("self", True), ("self, agent_id", True), ('self, agent_id="agent"', False), ("self, *args", False)],
)
def test_an_agent_can_be_made_with_an_id_and_without_as_the_check_advises(
    tmp_path: Path, parameters: str, told: bool
) -> None:
    file = tmp_path / "kim.py"
    file.write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n\n"
        f"class Kim(NegotiationAgent):\n    def __init__({parameters}):\n        super().__init__()\n"
    )

    found = [finding for finding in checked(file) if "__init__ cannot be called" in finding.sentence]

    assert [finding.severity for finding in found] == [ERROR] * told
    if told:
        advice = found[0].sentence
        assert 'def __init__(self, agent_id="agent") and in it super().__init__(agent_id)' in advice
        assert "reset() or on_game_start" in advice


def test_a_misspelt_handler_is_told_which_one_is_meant() -> None:
    findings = checked("misspells_a_handler")

    assert the_one(findings, "on_send_ofer", "perhaps on_send_offer is meant").severity is ERROR
    assert the_one(findings, "never calls on_offer_sent").severity is ERROR


def test_a_helper_that_the_agent_calls_itself_may_be_called_what_it_likes() -> None:
    assert not any("on_second_thoughts" in str(finding) for finding in checked("misspells_a_handler"))


# What agent.json says


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ('{"id": "kim", "autor": "Ada"}', ("agent.json", "autor")),
        ('{"id": "Kim!"}', ("agent.json", "id", "small letters")),
        ('{"id": "kim",}', ("agent.json", "line 1")),
        ('{"api_version": "9.0"}', ("agent.json", "it needs a newer NegoPlatform")),
        (
            '{"needs": ["abacus-of-the-moon"]}',
            ("agent.json", "needs", "abacus-of-the-moon", "is not installed"),
        ),
    ],
)
def test_what_is_wrong_with_agent_json_is_told_with_its_place(
    tmp_path: Path, says: str, words: tuple[str, ...]
) -> None:
    folder = write_new_agent("kim", tmp_path)
    (folder / "agent.json").write_text(says, encoding="utf-8")

    finding = the_one(checked(folder), *words)

    assert (finding.severity, finding.situation) == (ERROR, "loading the file")


def test_an_agent_is_checked_with_the_usual_settings_of_its_agent_json(tmp_path: Path) -> None:
    folder = write_new_agent("kim", tmp_path)
    options = {"type": "object", "properties": {"name": {"type": "string", "default": "Kim the Second"}}}
    (folder / "agent.json").write_text(json.dumps({"options": options}), encoding="utf-8")
    agent = folder / "agent.py"
    text = agent.read_text(encoding="utf-8")
    agent.write_text(text.replace('"Hello! Let us find a deal."', "self.get_config('name')[4]"), "utf-8")

    assert checked(folder) == []


# What handlers return


@pytest.mark.parametrize(
    "words",
    [
        ("on_send_offer returned a SendMessage", "return [SendMessage(…)]"),
        ("on_send_message returned a generator", "in place of yield"),
        ("on_send_expression returned 'I am sorry.'", "return [SendMessage(…)]"),
        ("on_offer_in_progress returned 101 actions", "100 are the most"),
        ("on_formal_accept returned a list with None", "Every item is an action"),
    ],
)
def test_what_is_no_list_of_actions_is_told_with_what_to_write(words: tuple[str, str]) -> None:
    assert the_one(checked("returns_a_bare_action"), *words).severity is ERROR


def test_a_bare_action_is_found_in_a_branch_that_no_situation_reaches() -> None:
    findings = checked("returns_a_bare_action_rarely")

    finding = the_one(findings, "on_send_message can return a bare SendMessage", "return [SendMessage(…)]")
    assert (finding.severity, finding.situation) == (ERROR, "returns_a_bare_action_rarely.py, line 13")
    assert "line 17" in the_one(findings, "on_formal_accept can return a bare FormalAccept").situation
    assert not any("on_game_start can return" in str(finding) for finding in findings)


def test_a_bare_action_that_showed_is_told_from_there_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = checked("returns_a_bare_action")
    monkeypatch.setattr(check, "bare_action_remarks", lambda *_unread: [])

    assert found == checked("returns_a_bare_action")


def test_returning_none_is_fine() -> None:
    class Quiet(NegotiationAgent):
        def on_send_offer(self, ctx: AgentContext, event: Event) -> None:
            return None

    assert sentences(checked(Quiet), ERROR) == []


def test_an_exception_is_told_with_handler_line_and_situation() -> None:
    findings = checked("raises")

    finding = the_one(findings, "on_send_message raised ZeroDivisionError (division by zero) in line 9")
    assert finding.situation == "practice, as human, the other says something of every kind, at 0 s"
    assert the_one(findings, "OfferError in line 12", "no issue 'bananas'").severity is ERROR


def test_one_mistake_is_one_finding_however_often_it_shows() -> None:
    finding = the_one(checked("raises"), "OfferError")

    assert finding.sentence.endswith(f"It happened {len(check_cases([GAMES['practice']])) - 1} more times.")


def test_a_failure_of_a_scheduled_callback_is_told_too() -> None:
    class Later(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [Schedule(100, lambda ctx: 5)]

    assert the_one(checked(Later), "a callback", "returned 5; return a list of actions").severity is ERROR


# Time


def test_a_hung_agent_is_given_up_and_the_check_ends() -> None:
    finding = the_one(checked("hangs", patience=0.1), "did not answer within 0.1 s")

    assert finding.severity is ERROR
    assert "on_send_offer" in finding.sentence
    assert "at 2 s" in finding.situation


@pytest.mark.parametrize(("seconds", "expected"), [(0.1, None), (0.25, WARNING), (1.5, ERROR)])
def test_a_slow_answer_is_told_with_its_time(seconds: float, expected: Severity | None) -> None:
    clock = Stopwatch()

    class Slow(NegotiationAgent):
        def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
            clock.seconds += seconds
            return []

    slow = [f for f in checked(Slow, clock=clock) if f.sentence.startswith("on_send_offer took")]

    assert [finding.severity for finding in slow] == ([] if expected is None else [expected])


def test_an_answer_that_was_slow_only_once_is_put_down_to_the_computer() -> None:
    clock = Stopwatch()

    class SlowOnce(NegotiationAgent):
        waited = False

        def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
            if not SlowOnce.waited:
                SlowOnce.waited = True
                clock.seconds += 5
            return []

    assert not any("took" in finding.sentence for finding in checked(SlowOnce, clock=clock))


def test_a_check_that_takes_too_long_says_what_it_left_out() -> None:
    clock = Stopwatch()

    class VerySlow(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            clock.seconds += 40
            return []

    total = len(check_cases([GAMES["practice"]]))
    assert the_one(checked(VerySlow, clock=clock), f"{total - 1} of {total} situations were left out")


# Chance


def test_chance_from_elsewhere_is_found_by_playing_twice() -> None:
    finding = the_one(checked("throws_dice"), "Played twice with the same seed")

    assert finding.severity is ERROR
    assert "event 2 was SEND_MESSAGE of human at 1 s" in finding.sentence


def test_a_memory_in_the_class_is_found_by_playing_twice() -> None:
    assert the_one(checked("remembers_in_its_class"), "keep nothing in classes").severity is ERROR


def test_the_order_of_sets_is_found_in_another_process() -> None:
    alone = checked("sorts_no_set")
    with_another = checked("sorts_no_set", in_another_process=True)

    assert not any("another process" in str(finding) for finding in alone)
    assert the_one(with_another, "in another process").severity is ERROR


NOISY = """
import os

from negoplatform.agent_api import NegotiationAgent


class Noisy(NegotiationAgent):
    def reset(self):
        os.system("echo noise")
"""


def test_what_a_program_of_the_agent_prints_is_not_among_the_logs_of_another_process(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "noisy.py").write_text(NOISY)

    findings = checked(tmp_path / "noisy.py", in_another_process=True)

    assert "noise" in capfd.readouterr().out
    assert not any("another process" in str(finding) for finding in findings)


def test_the_packaged_program_does_not_blame_an_agent_for_its_one_order_of_sets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    findings = checked("sorts_no_set", in_another_process=True)

    assert not any("another process" in str(finding) for finding in findings)


def test_an_agent_that_plays_alike_everywhere_is_let_be_in_another_process() -> None:
    findings = check_agent(bundled("agents") / "fair.py", games=[GAMES["practice"]])

    assert not any("process" in str(finding) for finding in findings)


def test_the_first_difference_between_two_logs_says_which_event_and_what() -> None:
    start = '{"type":"GAME_START","sender":"platform","t":0}'
    early = '{"type":"SEND_OFFER","sender":"agent","t":1}'
    late = '{"type":"SEND_OFFER","sender":"agent","t":2.5}'

    assert first_difference([start, early], [start, early]) == ""
    assert first_difference([start, early], [start, late]) == (
        "event 2 was SEND_OFFER of agent at 1 s the first time and SEND_OFFER of agent at 2.5 s the second"
    )
    assert first_difference([start], [start, late]) == (
        "event 2, SEND_OFFER of agent at 2.5 s, happened the second time only"
    )


# The check itself


def shipped() -> list[AgentPlugin]:
    agents = [row.item for row in list_agents(Path("nowhere")) if row.item is not None]
    return [agent for agent in agents if "bargaining" in agent.mechanisms]


@pytest.mark.parametrize(
    ("plugin", "game"),
    sampled(shipped(), ["practice", "used_car", "three_heirs", "market_stall", "chores"]),
)
def test_no_shipped_agent_has_an_error(plugin: AgentPlugin, game: str) -> None:
    assert sentences(checked(plugin, game), ERROR) == []


def test_there_is_nothing_to_complain_about_in_a_shipped_agent() -> None:
    assert checked(bundled("agents") / "fair.py", "practice", "three_heirs", "chores") == []


def test_unless_told_otherwise_every_game_is_played() -> None:
    finding = the_one(check_agent(BAD / "never_answers.py"), "never answers")

    assert finding.situation == f"all {len(check_cases(trial_games()))} situations"


def test_of_a_file_with_several_agents_each_is_checked_under_its_name() -> None:
    findings = checked(bundled("agents") / "time_dependent.py")
    both = [finding for finding in findings if finding.agent]

    assert {finding.agent for finding in both} <= {"boulware", "linear", "conceder"}
    assert len(both) == len(findings)


def test_what_an_agent_prints_stays_out_of_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    class Prints(NegotiationAgent):
        def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
            print("Hello!")
            return [SendMessage("Hello!")]

    checked(Prints)

    assert capsys.readouterr().out == ""


def test_the_games_have_every_kind_of_issue_rule_and_seat_count() -> None:
    games: list[GameSpec] = trial_games()

    assert {issue.kind for game in games for issue in game.issues} == {"quantity", "categorical", "number"}
    assert {game.rules.acceptance for game in games} == {"both_confirm", "maker_accepts"}
    assert {len(game.seats) for game in games} == {2, 3}
    assert {game.rules.allow_partial for game in games} == {True, False}
    assert None in {game.rules.deadline_seconds for game in games}


def test_every_situation_has_a_name_of_its_own_and_a_game_to_be_played_in() -> None:
    names = [situation.name for situation in SITUATIONS]

    assert len(set(names)) == len(names)
    assert {scene.situation.name for scene in check_cases(trial_games())} == set(names)


def test_the_class_of_a_file_can_be_asked_for() -> None:
    assert agent_class(bundled("agents") / "fair.py").__name__ == "Fair"
    with pytest.raises(NegoError, match="several agents: Boulware"):
        agent_class(bundled("agents") / "time_dependent.py")


READS = """
from pathlib import Path
from negoplatform.agent_api.base import NegotiationAgent

class Reads(NegotiationAgent):
    def configure(self, config):
        (Path(__file__).parent / "scratch" / "notes.txt").write_text("")

    def on_game_start(self, ctx, event):
        return []
"""


def test_the_folders_that_an_agent_writes_are_made_and_the_files_that_it_reads_are_looked_for(
    tmp_path: Path,
) -> None:
    (tmp_path / "agent.py").write_text(READS)
    (tmp_path / "agent.json").write_text(
        '{"permissions": {"write": ["scratch"], "read": ["modle", "scratch"]}}'
    )

    findings = checked(tmp_path / "agent.py")

    assert not sentences(findings, ERROR)
    about = [finding.sentence for finding in findings if finding.situation == "its permissions"]
    assert about == ["It asks to read modle, which is not in its folder; correct it in agent.json."]


def test_a_folder_that_an_agent_cannot_write_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(READS)
    (tmp_path / "agent.json").write_text('{"permissions": {"write": ["scratch"]}}')
    (tmp_path / "scratch").write_text("a file")

    found = [finding for finding in checked(tmp_path / "agent.py") if finding.situation == "its permissions"]

    assert [finding.severity for finding in found] == [ERROR]
    assert "cannot be made" in found[0].sentence
