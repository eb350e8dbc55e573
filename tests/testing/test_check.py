"""check_agent: one deliberately bad agent for each finding, and good agents without findings."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.catalogue.catalogue import list_agents
from negoplatform.core.events import Event
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Preferences, Profile
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import Finding, Severity, agent_class, check, check_agent, trial_games
from negoplatform.testing.case_runner import first_difference
from negoplatform.testing.check import Checkable
from negoplatform.testing.check_situations import SITUATIONS
from negoplatform.testing.mechanism_checks import check_cases
from negoplatform.testing.new_agent import write_new_agent
from negoplatform.testing.static_checks import source_remarks
from tests.sweeps import sampled

BAD = Path(__file__).parent / "bad_agents"
GAMES = {game.name: game for game in trial_games()}
ERROR, WARNING = Severity.ERROR, Severity.WARNING

pytestmark = pytest.mark.timeout(100)


class Stopwatch:
    """Clock that an agent can advance."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def checked(agent: Checkable | str, *games: str, **more: object) -> list[Finding]:
    """Return the findings about an agent in small games, without a second process unless requested."""
    settings = {"in_another_process": False, "clock": Stopwatch(), **more}
    subject = BAD / f"{agent}.py" if isinstance(agent, str) else agent
    return check_agent(subject, games=[GAMES[name] for name in games or ("practice",)], **settings)  # type: ignore[arg-type]


def sentences(findings: Sequence[Finding], severity: Severity) -> list[str]:
    return [finding.sentence for finding in findings if finding.severity is severity]


def the_one(findings: Sequence[Finding], *words: str) -> Finding:
    """Return the only finding with all of these words."""
    found = [finding for finding in findings if all(word in str(finding) for word in words)]
    assert len(found) == 1, [str(finding) for finding in findings]
    return found[0]


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


# What it never does


def test_an_agent_that_never_answers_is_told_so_and_nothing_else() -> None:
    assert the_one(checked("never_answers"), "never answers").severity is WARNING
    assert len(checked("never_answers")) == 1


def test_an_agent_that_only_talks_never_offers_and_never_accepts() -> None:
    findings = checked("only_talks")

    assert the_one(findings, "never makes an offer").severity is WARNING
    assert the_one(findings, "never formally accepts").severity is WARNING


def test_an_agent_that_takes_a_share_for_points_is_told_that_it_never_accepts() -> None:
    finding = the_one(checked("compares_a_share_with_points"), "never accepts an offer of the other")

    assert finding.severity is WARNING
    assert "get_agent_utility_percent() is 0 to 1" in finding.sentence


def test_an_agent_that_does_not_confirm_its_own_offer_closes_no_deal() -> None:
    finding = the_one(checked("never_confirms"), "never confirms an offer of its own")

    assert finding.severity is WARNING
    assert "on_formal_accept" in finding.sentence


def test_where_the_maker_is_bound_nothing_has_to_be_confirmed() -> None:
    assert not any("never confirms" in str(finding) for finding in checked("never_confirms", "used_car"))


# Its own interest


def test_accepting_less_than_no_deal_is_an_error_and_offering_it_a_warning() -> None:
    findings = checked("takes_anything")

    finding = the_one(findings, "accepts an offer worth -2 points", "no deal is worth 4")
    assert (finding.severity, finding.situation.split(", at")[0]) == (
        ERROR,
        "practice, as human, a bad offer",
    )
    assert the_one(findings, "proposes an offer worth -2 points").severity is WARNING


def test_burdens_are_compared_with_what_no_deal_costs() -> None:
    assert the_one(checked("takes_anything", "chores"), "accepts an offer worth", "no deal is worth -14")


def test_an_agent_is_measured_by_the_profile_that_it_played_for() -> None:
    chores = GAMES["chores"]
    drawn = [Profile(name, chores.preferences[name]) for name in chores.seats]
    tenant = Preferences(AdditiveUtility("tenant", drawn[1].preferences.utility.tables), -12)  # type: ignore[attr-defined]
    profiles = (Profile("hates_dishes", drawn[0].preferences), Profile("hates_evenings", tenant))
    game = replace(
        chores, profiles=SeatMap([("tenant", profiles)]), chosen=SeatMap([("tenant", "hates_evenings")])
    )

    findings = check_agent(
        bundled("agents") / "time_dependent.py", games=[game], in_another_process=False, clock=Stopwatch()
    )

    assert not any("no deal is worth" in str(finding) for finding in findings)


# What it must not see


def test_asking_for_private_points_names_the_setting_and_the_question_to_ask() -> None:
    finding = the_one(checked("asks_for_private_points"), "on_send_offer", "may not see in line 9")

    assert "seats.agent.visibility.preferences" in finding.sentence
    assert "ctx.opponent_preferences_visible" in finding.sentence


@pytest.mark.parametrize(
    ("what", "place"),
    [
        ("It uses gc:", "line 3"),
        ("It uses random.choice:", "line 5"),
        ("It uses negoplatform.core.session:", "lines 7, 22"),
        ("It uses negoplatform.app:", "line 10"),
        ("It uses ctx._view, a private part", "line 15"),
        ("It uses getattr(ctx, '_seat'):", "line 16"),
        ("It uses time.sleep:", "line 17"),
        ("It uses open:", "line 18"),
    ],
)
def test_what_an_agent_should_leave_alone_is_named_with_its_lines(what: str, place: str) -> None:
    finding = the_one(checked("looks_behind_the_context"), what)

    assert (finding.severity, finding.situation) == (WARNING, f"looks_behind_the_context.py, {place}")


@pytest.mark.parametrize(
    "line",
    [
        "self._view = 1",
        "x = getattr(ctx, 'board')",
        "x = random.Random(3)",
        "x = datetime.timedelta(1)",
        "x = ctx.board.standing('a')",
    ],
)
def test_harmless_code_is_let_be(line: str) -> None:
    source = f"import random, datetime\n\ndef on_time(self, ctx, event):\n    {line}\n"

    assert source_remarks(source, "agent.py") == []


@pytest.mark.parametrize(
    "line",
    [
        "seen._view",
        "vars(what)",
        "object.__getattribute__(seen, '_view')",
        "seen.game._pairs",
        "np.random.rand()",
        "Path('notes.txt').write_text('')",
        "tempfile.mkdtemp()",
        "shutil.copyfile('a', 'b')",
    ],
)
def test_a_context_by_another_name_and_files_are_noticed_too(line: str) -> None:
    source = f"import numpy as np, tempfile, shutil\n\ndef on_time(self, seen, what):\n    {line}\n"

    assert any(remark.situation.endswith(" 4") for remark in source_remarks(source, "agent.py"))


LAZY_IMPORT = """
from negoplatform.agent_api import NegotiationAgent


class Silent(NegotiationAgent):
    def on_game_start(self, ctx, event):
        import tricks
"""


def test_a_module_next_to_the_file_is_an_error_even_where_it_can_be_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)  # as pytest does with the folder of an agent's tests
    (tmp_path / "agent.py").write_text(LAZY_IMPORT, encoding="utf-8")
    (tmp_path / "tricks.py").write_text("", encoding="utf-8")
    (tmp_path / "json.py").write_text("", encoding="utf-8")

    finding = the_one(checked(tmp_path / "agent.py", "practice"), "It imports tricks")

    assert (finding.severity, finding.situation) == (ERROR, "agent.py, line 7")
    assert finding.sentence.endswith("put what it needs of tricks into agent.py.")


# Refusals and floods


def test_a_refused_action_is_told_with_the_reason() -> None:
    findings = checked("is_refused")

    assert the_one(findings, "FORMAL_ACCEPT was refused", "no offer on the table yet").severity is WARNING
    assert the_one(findings, "SEND_MESSAGE was refused", "nothing to send").severity is WARNING


def test_an_acceptance_that_the_other_made_stale_is_not_the_agents_fault() -> None:
    class Careful(NegotiationAgent):
        def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
            good = ctx.can_formally_accept() and ctx.get_agent_utility() > ctx.reservation_value
            return [FormalAccept()] if good else []

    assert not any("refused" in str(finding) for finding in checked(Careful))


def test_an_acceptance_that_the_agents_own_offer_made_stale_is() -> None:
    class Stumbles(NegotiationAgent):
        def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [SendOffer(Bids(ctx).best()), FormalAccept()]

    finding = the_one(checked(Stumbles), "FORMAL_ACCEPT was refused", "no longer on the table")

    assert "SendOffer(offer, flushable=True)" in finding.sentence


def test_an_answer_to_words_whose_offer_came_with_them_has_to_wait_or_be_dropped() -> None:
    finding = the_one(checked("answers_words_twice"), "whose offer was sent with them")

    assert (finding.severity, finding.situation.split(", at")[0]) == (
        WARNING,
        "practice, as human, words and the offer that they mean",
    )
    assert "“Send that as an offer, please.”" in finding.sentence
    assert "SendMessage(text, flushable=True)" in finding.sentence


@pytest.mark.parametrize(
    "answer",
    [
        SendMessage("Send that as an offer, please.", flushable=True),
        Schedule(
            1500, lambda ctx: [SendMessage("Let me see." if ctx.current_offer_id else "And your offer?")]
        ),
    ],
    ids=["dropped", "waits"],
)
def test_an_answer_to_words_that_is_dropped_or_waits_is_let_be(answer: Action) -> None:
    class Patient(NegotiationAgent):
        def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
            return [answer]

    assert not any("whose offer" in str(finding) for finding in checked(Patient))


def test_a_goodbye_that_is_said_twice_is_told_with_how_an_agent_knows_that_it_is_over() -> None:
    finding = the_one(checked("answers_words_twice"), "already sent your last message")

    assert finding.severity is WARNING
    assert 'ctx.state.meta.phase == "closing"' in finding.sentence


def test_a_flood_is_an_error() -> None:
    assert the_one(checked("floods"), "floods the table", "1,000 events").severity is ERROR


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
