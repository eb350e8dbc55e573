"""Findings of a check about an agent's conduct: inaction, interest, forbidden access, refusals, floods."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.agent_api.actions import Action, FormalAccept, Schedule, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.bids import Bids
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event
from negoplatform.domain.game import Preferences, Profile
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import check_agent
from negoplatform.testing.static_checks import source_remarks
from tests.testing.checked_agents import (
    ERROR,
    GAMES,
    WARNING,
    Stopwatch,
    checked,
    the_one,
)

pytestmark = pytest.mark.timeout(100)

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
