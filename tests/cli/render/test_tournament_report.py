"""Report of a tournament: well-formed, escaped, and complete."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from negoplatform.analysis.opponent_model_accuracy import ModelRow
from negoplatform.analysis.tournament.tables import ScoreKind, tournament_tables
from negoplatform.analysis.tournament.tournament_game import TournamentGame
from negoplatform.analysis.tournament.utility_curves import UtilityCurve
from negoplatform.cli.render.tournament_report.html_page import heat_colours
from negoplatform.cli.render.tournament_report.report import report_html
from negoplatform.cli.render.tournament_report.tournament_plots import (
    agreement_moment,
    agreement_time_plot,
    pairs_plot,
)
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.presentation.color_palette import DARK, LIGHT, contrast_ratio
from negoplatform.presentation.plots.drawing import FilledRectangle, TextLabel
from tests.analysis.tournament.played import played
from tests.games import categorical_only, coins_only, make_game, shipped_games

HOSTILE = "<script>alert('x')</script>\"&amp;\u202e\x07\U0001f600" + "w" * 300

VOID = {"meta", "br"}


class Outline(HTMLParser):
    """Parser that checks that every element is closed in order, and collects the elements and the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.headings: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.open[-1:] == ["h2"]:
            self.headings.append(data)


def outline(html: str) -> Outline:
    """Return the parsed page, which is well-formed."""
    parser = Outline()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


FALLING = UtilityCurve((None, 1.0, 0.75), (None, 0.0, 0.5))


def choice(colour: str, size: str) -> Offer:
    return Offer({"colour": colour, "size": size})


def three_agents() -> list[TournamentGame]:
    """Return games of three agents in one game with a deadline, with agreements, failures and refusals."""
    games = []
    agents = ("ann", "bob", HOSTILE)
    for seed in (1, 2):
        for i, first in enumerate(agents):
            for j, second in enumerate(agents):
                measures: dict[str, float | bool | None] = {"nash_distance": 0.1}
                score = (0.9 - i / 10, 0.5 + j / 10 + seed / 100)
                game = played(first, second, score, seed=seed, game="made_up", measures=measures, welfare=0.9)
                games.append(replace(game, deal=choice("green", "large"), curves=(FALLING, FALLING)))
    games[0] = replace(
        games[0], failures=(1, 0), refusals=(0, 2), troubles=("It raised an error", "It came late")
    )
    games[1] = replace(games[1], ended_by=EndedBy.TIMEOUT, deal=None, advantages=(0.0, 0.0))
    return games


def report(
    games: Sequence[TournamentGame],
    *,
    score: ScoreKind = ScoreKind.ADVANTAGE,
    models: Sequence[ModelRow] = (),
    spec: GameSpec | None = None,
) -> str:
    return report_html(
        f"Three agents {HOSTILE}",
        games,
        {"made_up": spec or categorical_only(deadline_seconds=100)},
        tournament_tables(games, score=score),
        {"version": "0.1", HOSTILE: HOSTILE},
        models,
    )


def model(at: float, **values: float | str) -> ModelRow:
    names = {"game": "made_up", "seed": 1, "seat": "human", "agent": HOSTILE, "opponent": "ann", "at": at}
    return ModelRow(outcomes=6, sampled=False, **{**names, **values})  # type: ignore[arg-type]  # mixed values


def test_the_page_is_well_formed_and_has_every_section() -> None:
    found = outline(report(three_agents(), models=[model(0.5, pearson=0.25)]))

    assert found.headings == SECTIONS


SECTIONS = [
    *("Result", "Scores", "Pairs of agents", "Games", "Moment of the agreements", "Utility over time"),
    *("Opponent models", "Failures and refusals", "Settings"),
]


def test_every_drawing_is_valid_xml() -> None:
    drawings = re.findall(r"<svg.*?</svg>", report(three_agents()), re.DOTALL)

    assert len(drawings) == 8
    for drawing in drawings:
        assert ElementTree.fromstring(drawing).tag.endswith("svg")


def test_names_of_authors_are_texts_and_nothing_else() -> None:
    html = report(three_agents(), models=[model(0.5, note=HOSTILE)])

    found = outline(html)
    assert not {tag for tag, _ in found.seen} & {"script", "link", "img", "iframe", "object", "a", "base"}
    assert "<script" not in html
    assert not [attribute for _, attrs in found.seen for attribute in attrs if attribute.startswith("on")]
    assert "\x07" not in html


def test_nothing_is_loaded_from_elsewhere() -> None:
    html = report(three_agents())

    found = outline(html)
    assert not [attrs for _, attrs in found.seen if {"src", "href"} & attrs.keys()]
    assert "url(" not in html
    assert "@import" not in html


def test_every_colour_of_a_drawing_is_defined_for_light_and_dark() -> None:
    html = report(three_agents())

    used = set(re.findall(r"var\((--[a-z0-9-]+)\)", html))
    light, dark = (
        set(re.findall(r"(--[a-z0-9-]+):", mode)) for mode in html.split("prefers-color-scheme")[:2]
    )
    assert used <= light
    assert used <= dark


@pytest.mark.parametrize("level", range(9))
def test_numbers_of_the_heat_map_can_be_read(level: int) -> None:
    html = report(three_agents())
    field, ink = (name[4:-1] for name in heat_colours(level))

    for _ in (LIGHT, DARK):
        fields, inks = (re.findall(rf"{name}: (#[0-9a-f]+);", html) for name in (field, ink))
    assert len(fields) == len(inks) == 2
    for colour, words in zip(fields, inks, strict=True):
        assert contrast_ratio(colour, words) >= 4.5


def test_the_result_names_the_best_agent_and_those_that_may_be_as_good() -> None:
    games = [
        game
        for seed in range(8)
        for game in (
            played("ann", "eve", (0.9 + seed / 1000, 0), seed=seed, game="made_up"),
            played("bob", "eve", (0.9 + (seed % 2 - 0.5) / 10, 0), seed=seed, game="made_up"),
        )
    ]

    texts = " ".join(outline(report(games)).texts)

    assert "Highest mean score: ann with 0.903" in texts
    assert "No significant difference to: bob, eve." in texts
    assert "There are only 8 seeds." in texts


def test_with_enough_seeds_there_is_no_warning_of_few_ones() -> None:
    games = [played("ann", "eve", (0.9, 0), seed=seed, game="made_up") for seed in range(10)]

    texts = " ".join(outline(report(games)).texts)

    assert "Games of one seed are alike, so p values can be too small" not in texts


def test_a_game_with_trouble_is_listed_with_its_seed_and_sentence() -> None:
    texts = outline(report(three_agents())).texts

    failed, refused = texts.index("It raised an error"), texts.index("It came late")
    assert texts[failed + 1 : failed + 9] == ["made_up", "human", "ann", "agreement", "1", "1", "1", "0"]
    assert texts[refused + 1 : refused + 9] == ["made_up", "agent", "ann", "agreement", "1", "1", "0", "2"]


def test_the_agreements_of_pairs_are_shown() -> None:
    texts = outline(report(three_agents())).texts

    assert any("Share of agreements by pair" in text for text in texts)


def test_without_trouble_a_sentence_says_so() -> None:
    texts = outline(report([played("ann", "bob", (0.5, 0.5), game="made_up")])).texts

    assert "No agent failed, and no action was refused." in texts


def test_the_report_of_no_games_is_a_page_too() -> None:
    texts = " ".join(outline(report([])).texts)

    assert "0 agents at 0 games, played 0 times in all." in texts


def test_a_game_whose_outcomes_cannot_be_compared_has_a_sentence_for_a_plot() -> None:
    spec = replace(categorical_only(), preferences=categorical_only().preferences.restricted_to(["human"]))

    texts = " ".join(outline(report(three_agents(), spec=spec)).texts)

    assert "The preferences of agent are hidden here" in texts


@pytest.mark.parametrize("score", list(ScoreKind))
def test_every_score_is_explained(score: ScoreKind) -> None:
    texts = " ".join(outline(report(three_agents(), score=score)).texts)

    assert "The score is" in texts


def test_single_games_have_plots_of_utility_over_time_too() -> None:
    games = [game for one in three_agents() for game in (one, replace(one, game="other"))]

    found = outline(report(games))

    assert [tag for tag, _ in found.seen].count("details") == 2
    assert found.texts[found.texts.index("Utility over time") :].count("other") == 1


def test_games_of_several_sizes_have_scores_by_size() -> None:
    small, large = coins_only(), shipped_games("bargaining")[-1]
    games = [
        replace(game, game=name, deal=None) for game in three_agents() for name in ("made_up", large.name)
    ]
    specs = {"made_up": small, large.name: large}

    texts = outline(report_html("Sizes", games, specs, tournament_tables(games), {})).texts

    assert "Mean score by the number of outcomes of a game." in texts
    assert texts[texts.index("1 to 9") + 1] == "1"
    assert texts[texts.index(large.name) + 2] == f"{large.count_outcomes():,}"


def test_a_huge_number_of_outcomes_is_a_power_of_ten() -> None:
    issues = tuple(QuantityIssue(f"issue {i}", 9) for i in range(12))
    tables = {seat: {issue.name: list(range(10)) for issue in issues} for seat in ("human", "agent")}
    huge = make_game(tables, issues=issues)
    games = [replace(game, deal=None) for game in three_agents()]

    texts = outline(report_html("Huge", games, {"made_up": huge}, tournament_tables(games), {})).texts

    assert "1.0 × 10^12" in texts


def test_the_fields_of_the_heat_map_hold_the_means_of_the_pairs() -> None:
    games = [played("ann", "bob", (0.75, 0.25)), played("ann", "ann", (0.5, 0.5), seed=2)]
    tables = tournament_tables(games)

    drawing = pairs_plot(tables.pairs, ["ann", "bob"], "Pairs")

    words = [item.text for item in drawing.items if isinstance(item, TextLabel)]
    assert words[-4:] == ["0.500", "0.750", "0.250", "–"]
    assert sum(isinstance(item, FilledRectangle) for item in drawing.items) == 3


def test_columns_of_the_heat_map_have_names_where_they_fit() -> None:
    few, many = ["ann", "bob"], [f"agent {i:02}" for i in range(40)]

    labels = [
        [item.text for item in pairs_plot((), agents, "Pairs").items if isinstance(item, TextLabel)]
        for agents in (few, many)
    ]

    assert "ann" in labels[0]
    assert "1  ann" in labels[0]
    assert "agent 00" not in labels[1]
    assert "40" in labels[1]


def test_the_origin_of_a_game_is_told_whatever_its_title() -> None:
    texts = [
        " ".join(
            outline(
                report(
                    three_agents(), spec=replace(categorical_only(), title=title, description="From afar.")
                )
            ).texts
        )
        for title in ("", "made_up", "Another title")
    ]

    assert all("From afar." in text for text in texts)


def test_the_moment_of_an_agreement_is_a_share_of_the_deadline() -> None:
    game = replace(played("ann", "bob", (0.5, 0.5), seconds=25), deal=choice("green", "large"), offers=30)

    assert agreement_moment(game, categorical_only(deadline_seconds=100)) == 0.25
    assert agreement_moment(game, categorical_only(deadline_seconds=100, deadline_offers=40)) == 0.75
    assert agreement_moment(game, categorical_only()) is None
    assert agreement_moment(replace(game, deal=None), categorical_only(deadline_seconds=100)) is None
    assert agreement_time_plot([game], {}, ["ann", "bob"]) is None


def test_equal_tournaments_have_equal_reports() -> None:
    assert report(three_agents()) == report(three_agents())
