"""The page of each step of a visit of a small study."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.app.visit.step_games import step_game
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.study.step_page import StepPage, declined_page
from negoplatform.presentation.study.step_page_builder import step_page
from negoplatform.study.stages import FormStage
from negoplatform.study.visit_events import SessionOpened
from tests.study.studies import Change, small_study, stage
from tests.study.visits import act, begin


def page_of(run: VisitRun, **draft: Any) -> StepPage:
    items = run.form_pages() if run.state.step and isinstance(run.step.stage, FormStage) else ()
    return step_page(run.state, run.folder, page_items=items, draft=draft, translate=ENGLISH)


def go_to(run: VisitRun, step: str) -> StepPage:
    """Go on until a step is open, with 30 points and a deal in every game."""
    rng = Random(1)
    while run.step.id != step:
        opened = run.state.sessions.get(run.step.id)
        if isinstance(opened, SessionOpened):
            run.close_session(
                opened.session, last_hash="0" * 64, ended_by=EndedBy.AGREEMENT, points=30, agreement=True
            )
        elif run.step.kind == "quiz":
            run.try_quiz({"batna": 0, "binding": 2}, {"batna": 0, "binding": 2})
        else:
            act(run, rng)
    return page_of(run)


def visit(folder: Path, change: Change | None = None) -> VisitRun:
    return begin(small_study(folder, change))


def text_of(page: StepPage) -> str:
    return "\n".join(block.plain for block in page.blocks)


def test_the_first_heading_of_a_text_is_the_title(tmp_path: Path) -> None:
    page = page_of(visit(tmp_path))

    assert (page.kind, page.title, page.ticks) == ("consent", "Welcome", ("age", "data"))
    assert [block.kind for block in page.blocks] == ["tick", "tick"]
    assert page.progress == (0, 0)


def test_a_person_who_declines_reads_a_text_on_a_page_without_a_button(tmp_path: Path) -> None:
    page = declined_page(page_of(visit(tmp_path)))

    assert page.kind == "over"
    assert text_of(page) == "Thank you all the same."


def test_placeholders_are_filled_in(tmp_path: Path) -> None:
    page = go_to(visit(tmp_path), "instructions")

    assert "Robin" in text_of(page)
    assert page.title == "What you will do"
    assert page.progress[0] == 2


def test_the_service_is_the_host_to_which_a_partner_of_any_cell_sends_words(tmp_path: Path) -> None:
    def ask_service(study: dict[str, Any]) -> None:
        endpoint = {"by": "emotion", "happy": "", "angry": "https://models.example:8000/v1"}
        study["partners"]["sam"] = {"agent": "language_model", "settings": {"endpoint": endpoint}}

    run = visit(tmp_path, ask_service)
    consent = run.folder.text_path("consent.md", "en")
    consent.write_text(consent.read_text(encoding="utf-8") + "\nWords go to {service}.\n", encoding="utf-8")

    assert "Words go to models.example:8000." in text_of(page_of(run))


def test_texts_after_a_game_are_about_its_partner(tmp_path: Path) -> None:
    run = visit(tmp_path, lambda study: stage(study, "about")["items"][0].update(ask="Of {partner}?"))

    page = go_to(run, "about")

    assert page.items[0].ask == "Of Sam?"


def test_a_quiz_says_what_was_wrong_and_how_many_attempts_are_left(tmp_path: Path) -> None:
    run = visit(tmp_path)
    page = go_to(run, "quiz")
    assert (page.faults, page.attempts_left) == ({}, 3)

    run.try_quiz({"batna": 1, "binding": 1}, {"batna": 5, "binding": 2})
    page = page_of(run)

    assert page.attempts_left == 2
    assert page.answers == {"batna": 1, "binding": 1}
    assert page.faults == {
        "batna": "Without a deal you get 5.",
        "binding": "This answer isn’t right.",
    }


def test_a_study_that_does_not_show_what_was_wrong_shows_nothing(tmp_path: Path) -> None:
    run = visit(tmp_path, lambda study: stage(study, "quiz").update(show_wrong=False))
    go_to(run, "quiz")

    run.try_quiz({"batna": 1, "binding": 1}, {"batna": 5, "binding": 2})

    assert page_of(run).faults == {}


def test_a_failed_quiz_has_called_the_experimenter(tmp_path: Path) -> None:
    run = visit(tmp_path, lambda study: stage(study, "quiz").update(tries=1))
    go_to(run, "quiz")

    run.try_quiz({"batna": 1, "binding": 1}, {"batna": 5, "binding": 2})
    page = page_of(run)

    assert (page.attempts_left, page.help_is_open) == (0, True)


def test_a_form_has_the_items_of_its_page_and_the_draft(tmp_path: Path) -> None:
    run = visit(tmp_path)
    go_to(run, "about")

    page = page_of(run, age=17)

    assert [item.id for item in page.items] == ["age", "work"]
    assert page.answers == {"age": 17}
    assert page.known == {"about.age": None}
    assert page.blocks == ()


def test_a_form_begins_with_the_instructions_of_its_instrument(tmp_path: Path) -> None:
    run = visit(tmp_path)

    first = go_to(run, "svi")
    act(run, Random(1))
    second = page_of(run)

    assert "negotiation you have just finished" in text_of(first)
    assert first.pages > 1
    assert (second.page, second.can_go_back, second.blocks) == (1, True, ())


def test_a_round_is_followed_by_its_result(tmp_path: Path) -> None:
    run = visit(tmp_path, lambda study: stage(study, "r").update(show_result="sum"))

    page = go_to(run, "r.2.result")

    assert (page.kind, page.title) == ("result", "Round 2 of 2")
    assert page.rows == (
        ("How it ended", "With a deal"),
        ("Your points in this round", "30"),
        ("Your points so far", "60"),
    )


def test_a_payment_names_every_round_and_the_one_that_was_drawn(tmp_path: Path) -> None:
    run = visit(tmp_path)

    page = go_to(run, "pay")

    values = [value for _label, value in page.rows]
    assert sorted(values[1:3]) == ["drawn for payment", "not drawn"]
    assert [label for label, _value in page.rows] == [
        "For taking part",
        "Round 1: 30 points",
        "Round 2: 30 points",
        "Your points: 30 points × 0.40\N{NO-BREAK SPACE}EUR",
        "Bonus",
    ]
    assert values[0] == "5.00\N{NO-BREAK SPACE}EUR"
    assert values[3:] == ["12.00\N{NO-BREAK SPACE}EUR", "1.00\N{NO-BREAK SPACE}EUR"]
    assert page.amount == "18.00\N{NO-BREAK SPACE}EUR"


def test_a_payment_can_be_shown_without_its_parts(tmp_path: Path) -> None:
    run = visit(tmp_path, lambda study: stage(study, "pay").update(show="amount"))

    page = go_to(run, "pay")

    assert (page.rows, page.amount) == ((), "18.00\N{NO-BREAK SPACE}EUR")


def test_the_end_repeats_the_payment_and_shows_the_code_for_a_withdrawal(tmp_path: Path) -> None:
    run = visit(tmp_path)

    page = go_to(run, "end")
    run.leave()
    over = page_of(run)

    assert page.amount == over.amount == "18.00\N{NO-BREAK SPACE}EUR"
    assert run.state.withdrawal_code in text_of(page)
    assert page.withdrawal_code == over.withdrawal_code == ""
    assert (page.kind, over.kind) == ("end", "over")


def test_the_end_shows_the_code_for_a_withdrawal_below_a_text_that_does_not_say_it(tmp_path: Path) -> None:
    run = visit(tmp_path)
    end = tmp_path / "small" / "texts" / "en" / "thanks.md"
    end.write_text("Thank you.\n", encoding="utf-8")

    assert go_to(run, "end").withdrawal_code == run.state.withdrawal_code


def test_the_pages_time_limit_is_that_of_the_stage_or_else_of_the_study(tmp_path: Path) -> None:
    def limit(study: dict[str, Any]) -> None:
        study["pace"] = {"page_timeout_seconds": 90}
        stage(study, "about").update(timeout_seconds=40, timeout_does="go_on")

    run = visit(tmp_path, limit)

    pages = [go_to(run, step) for step in ("instructions", "about", "pay")]

    assert [page.timeout_seconds for page in pages] == [90, 40, None]
    assert [page.shows_time for page in pages] == [False, True, False]


@pytest.mark.parametrize(
    ("extra", "expected"),
    [
        (
            {"kind": "wait", "id": "pause", "for": {"seconds": 30}},
            {"title": "Please wait", "wait_seconds": 30},
        ),
        ({"kind": "wait", "id": "pause", "for": "experimenter"}, {"wait_seconds": None}),
        (
            {"kind": "call", "id": "pause", "url": "https://x.org/", "returns": "word"},
            {"target": "page", "returns": "word"},
        ),
        ({"kind": "call", "id": "pause", "program": ["x"]}, {"target": "program", "returns": "none"}),
    ],
)
def test_waits_and_calls_say_what_is_waited_for(
    tmp_path: Path, extra: dict[str, Any], expected: dict[str, Any]
) -> None:
    run = visit(tmp_path, lambda study: study["stages"].insert(2, extra))

    page = go_to(run, "pause")

    assert {name: getattr(page, name) for name in expected} == expected


def test_a_choice_has_its_options(tmp_path: Path) -> None:
    options = [{"id": "sam", "label": "Sam", "text": "Calm"}, {"id": "trainer", "label": "Robin"}]
    extra = {"kind": "choice", "id": "pick", "of": "partner", "ask": "With whom?", "options": options}
    run = visit(tmp_path, lambda study: study["stages"].insert(2, extra))

    page = go_to(run, "pick")

    assert [(one.id, one.label, one.text) for one in page.options] == [
        ("sam", "Sam", "Calm"),
        ("trainer", "Robin", ""),
    ]
    assert text_of(page) == "With whom?"


def test_a_briefing_has_the_rules_of_the_game_that_follows(tmp_path: Path) -> None:
    extra = {"kind": "briefing", "id": "read", "of": "practice"}
    run = visit(tmp_path, lambda study: study["stages"].insert(2, extra))

    page = go_to(run, "read")

    assert page.rules is not None
    assert "Robin" in page.rules.subtitle


def test_a_briefing_says_of_the_other_side_what_the_game_s_own_rules_page_says(tmp_path: Path) -> None:
    extra = {"kind": "briefing", "id": "read", "of": "practice"}

    page = go_to(visit(tmp_path, lambda study: study["stages"].insert(2, extra)), "read")

    assert page.rules is not None
    said = " ".join(text for _, texts in page.rules.sections for text in texts)
    assert "You can see what matters to the other side" not in said
    assert "Only you can see what matters to you." in said


def test_a_guess_is_about_the_issues_of_the_game_that_was_played(tmp_path: Path) -> None:
    item = {"id": "guess", "ask": "What did {partner} want?", "points_guess": {"of": "r"}}
    run = visit(tmp_path, lambda study: stage(study, "about")["items"].append(item))

    page = go_to(run, "about")

    guess = page.items[-1]
    last = run.state.step_named("r.2")
    assert last is not None
    game = step_game(run.state, run.folder, last)
    assert guess.ask == "What did Sam want?"
    assert guess.options == tuple(issue.title for issue in game.issues)
