"""Genius files as they are in use: missing attributes, odd encodings, several profiles, nonlinear spaces."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from negoplatform.cli.main import cli
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.utility import AdditiveUtility, InteractionUtility
from negoplatform.formats.games import load_game
from negoplatform.formats.scenarios.scenario import ReadingOptions
from negoplatform.formats.scenarios.scenario_files import read_scenario
from negoplatform.formats.scenarios.scenario_games import ImportedRules, checked_game, scenario_game

ISSUE = '<issue index="1" name="Colour">{items}</issue>'
RECTANGLES = (
    '<hyperRectangle utility="32"><INCLUDES index="1" min="0" max="2"/><INCLUDES index="2" min="1" max="3"/>'
    "</hyperRectangle>"
    '<hyperRectangle utility="20" weight="0.5"><EXCLUDES index="1" min="1" max="1"/>'
    '<EXCLUDES index="2" min="0" max="3"/></hyperRectangle>'
    '<hyperRectangle utility="7"><INCLUDES index="2" min="3" max="9"/></hyperRectangle>'
    '<hyperRectangle utility="1"/>'
    '<hyperRectangle utility="99"><INCLUDES index="1" min="8" max="9"/></hyperRectangle>'
)


def items(**evaluations: object) -> str:
    return "".join(f'<item value="{v}" evaluation="{e}"/>' for v, e in evaluations.items())


def profile(inside: str, more: str = "") -> str:
    return f'<utility_space><objective index="0">{inside}</objective>{more}</utility_space>'


def colours(**evaluations: object) -> str:
    return profile('<weight index="1" value="1"/>' + ISSUE.format(items=items(**evaluations)))


def put(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    return folder


def game_of(folder: Path, steps: int | None = None) -> GameSpec:
    scenario = read_scenario([folder], ReadingOptions(steps=steps))
    return checked_game(scenario_game(scenario, scenario.profiles, ImportedRules()), folder)


def test_without_a_domain_the_issues_are_those_of_the_first_profile(tmp_path: Path) -> None:
    put(tmp_path, a=colours(red=1, blue=2), b=colours(blue=4, red=1))

    game = game_of(tmp_path)

    assert [issue.count(game.seats) for issue in game.issues] == [2]
    assert game.preferences["b"].utility(Offer({"Colour": "red"})) == 0.25
    assert "There is no domain; its issues are those of a.xml." in game.description


def test_an_evaluation_of_a_value_that_the_domain_lacks_still_counts_as_the_highest(tmp_path: Path) -> None:
    domain = f"<negotiation_template>{ISSUE.format(items=items(red='', blue=''))}</negotiation_template>"
    put(tmp_path, domain=domain, a=colours(red=1, blue=2, green=8), b=colours(red=1, blue=2))

    game = game_of(tmp_path)

    assert game.preferences["a"].utility(Offer({"Colour": "blue"})) == 0.25
    assert game.preferences["b"].utility(Offer({"Colour": "blue"})) == 1


def test_items_of_a_similarity_function_are_no_values_and_no_evaluations(tmp_path: Path) -> None:
    similar = items(blue=1, red="0.5", unspecified=9)
    inside = f'<similarity_function weight="0.2"><criteria_function>{similar}</criteria_function>'
    issue = ISSUE.format(items=f"{items(red=3, blue=12)}{inside}</similarity_function>")
    put(tmp_path, a=profile(f'<weight index="1" value="1"/>{issue}'), b=colours(red=1, blue=2))

    game = game_of(tmp_path)

    assert [issue.count(game.seats) for issue in game.issues] == [2]
    assert game.preferences["a"].utility(Offer({"Colour": "red"})) == 0.25
    assert game.preferences["a"].utility(Offer({"Colour": "blue"})) == 1


def test_a_bare_ampersand_in_a_value_is_read_as_it_is(tmp_path: Path) -> None:
    text = colours(**{"farmer & town": 4, "farm&amp;town&#33;": 1})
    put(tmp_path, a=text, b=text)

    (issue,) = game_of(tmp_path).issues

    assert [str(term) for term in issue.terms(("a", "b"))] == ["farmer & town", "farm&town!"]


def test_a_constraint_space_without_a_domain_is_refused_by_its_type(tmp_path: Path) -> None:
    rules = f'<rules><ranks><issue index="1">{items(red=1)}</issue></ranks></rules>'
    text = profile(ISSUE.format(items=items(red=1, blue=2)) + rules)
    text = text.replace("<utility_space>", '<utility_space type="constraint">')
    put(tmp_path, a=text, b=text)

    with pytest.raises(NegoError, match="a utility space of the type 'constraint' cannot be imported"):
        game_of(tmp_path)


def test_the_files_that_negmas_puts_into_a_folder_of_genius_do_not_matter(tmp_path: Path) -> None:
    put(tmp_path, a=colours(red=1, blue=2), b=colours(blue=4, red=1))
    for name in ("_info", "_stats"):
        (tmp_path / f"{name}.yaml").write_text("n_outcomes: 2\nopposition: .inf\n", encoding="utf-8")

    assert game_of(tmp_path).count_outcomes() == 2


def test_weights_that_exceed_1_by_rounding_set_no_limit(tmp_path: Path) -> None:
    weights = ["0.3031462333758278", "0.303346839835533", "0.39350692678863934"]

    def text(last: str) -> str:
        issues = "".join(
            f'<weight index="{i}" value="{weight}"/>'
            f'<issue index="{i}" name="i{i}">{items(low=1, high=4)}</issue>'
            for i, weight in enumerate([*weights[:2], last], start=1)
        )
        return profile(issues)

    assert sum(map(Fraction, weights)) > 1
    put(tmp_path, a=text(weights[2]), b=text("0.4"))

    a, b = (own.utility for own in game_of(tmp_path).preferences.values())

    assert isinstance(a, AdditiveUtility)
    assert isinstance(b, InteractionUtility)
    assert b.at_most == 1


def test_a_nonlinear_space_adds_the_points_of_boxes_up_to_1(tmp_path: Path) -> None:
    issues = "".join(
        f'<issue index="{i}" name="i{i}" type="integer" lowerbound="0" upperbound="4"/>' for i in (1, 2)
    )
    function = f'<ufun type="PlainUfun" weight="9" aggregation="sum">{RECTANGLES}</ufun>'
    utility = f'<utility maxutility="40">{function}</utility>'
    space = f'<utility_space type="nonlinear"><objective>{issues}{utility}</objective></utility_space>'
    put(tmp_path, a=space, b=space)

    own = game_of(tmp_path).preferences["a"]

    for i1, i2 in product(range(5), range(5)):
        total = Fraction(1)
        total += 32 if i1 <= 2 and 1 <= i2 <= 3 else 0
        total += 0 if i1 == 1 and i2 <= 3 else 10
        total += 7 if i2 >= 3 else 0
        exact = min(Fraction(1), total / 40)
        assert own.utility(Offer({"i1": i1, "i2": i2})) == pytest.approx(float(exact), abs=1e-15)
    assert own.utility.highest == 1


def test_more_than_two_profiles_have_to_be_chosen_from(tmp_path: Path) -> None:
    put(tmp_path, **{name: colours(red=1) for name in ("a", "b", "c")})
    out = tmp_path / "games"

    refused = CliRunner().invoke(cli, ["import-game", str(tmp_path), "--out", str(out)])
    chosen = ["import-game", str(tmp_path), "--out", str(out), "--profile", "c", "--profile", "a"]
    CliRunner().invoke(cli, chosen, catch_exceptions=False)
    pairs = CliRunner().invoke(cli, ["import-game", str(tmp_path), "--out", str(out), "--pairs"])

    assert isinstance(refused.exception, NegoError)
    assert "There are 3 profiles: a, b, c. Choose the seats' with --profile" in str(refused.exception)
    games = {path.stem.removeprefix(f"{tmp_path.name}_"): load_game(path) for path in out.iterdir()}
    assert {name: game.seats for name, game in games.items() if name in ("a_b", "a_c", "b_c")} == {
        "a_b": ("a", "b"),
        "a_c": ("a", "c"),
        "b_c": ("b", "c"),
    }, pairs.output
    assert [game.seats for name, game in games.items() if name == tmp_path.name] == [("c", "a")]


def test_of_many_folders_those_that_can_be_imported_are(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
    put(tmp_path / "good", a=colours(red=1), b=colours(red=1))
    put(tmp_path / "bad", a=colours(red="null"), b=colours(red=1))
    folders = [str(tmp_path / name) for name in ("bad", "good")]

    done = CliRunner().invoke(cli, ["import-game", *folders, "--out", str(tmp_path / "games")])

    assert [path.name for path in (tmp_path / "games").iterdir()] == ["good.json"]
    assert str(done.exception) == "1 of 2 scenarios could not be imported; see above."
    assert "the value 'red' of the issue 'Colour' has no evaluation" in done.output


def test_what_is_no_name_here_becomes_a_label(tmp_path: Path) -> None:
    odd = ISSUE.replace("Colour", "1. Colour, &quot;outside&quot;").format(items=items(red=1))
    text = profile('<weight index="1" value="1"/>' + odd)
    put(tmp_path, **{"human!": text, "human?": text})

    game = game_of(tmp_path)

    assert [(issue.name, issue.title) for issue in game.issues] == [
        ("issue 1 Colour outside", '1. Colour, "outside"')
    ]
    assert game.seats == ("human", "human 2")


def test_agents_play_an_imported_game(tmp_path: Path) -> None:
    put(tmp_path, a=colours(red=10, green=6, blue=0), b=colours(red=0, green=5, blue=9))
    done = CliRunner().invoke(cli, ["import-game", str(tmp_path), "--out", str(tmp_path / "games")])
    (file,) = (tmp_path / "games").iterdir()

    played = CliRunner().invoke(
        cli,
        ["simulate", "--game", str(file), "--agents", "boulware", "linear", "--n", "1"],
        catch_exceptions=False,
    )

    assert done.exit_code == 0, done.output
    assert "0 failures of agents, 0 actions refused." in played.output
    assert json.loads(file.read_text(encoding="utf-8"))["rules"]["turns"] == "alternating"


def test_a_domain_of_a_general_name_is_named_after_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Laptop"
    folder.mkdir()
    put(folder, a=colours(red=1, blue=2), b=colours(red=4, blue=1))
    domain = f"<negotiation_template>{ISSUE.format(items=items(red=0, blue=0))}</negotiation_template>"
    options = ReadingOptions()

    def name_of(stem: str) -> str:
        (folder / f"{stem}.xml").write_text(domain, encoding="utf-8")
        return read_scenario([folder / f"{name}.xml" for name in (stem, "a", "b")], options).name

    assert name_of("domain") == "Laptop"
    assert name_of("notebook") == "notebook"


def test_a_game_file_that_only_fits_without_spaces_is_written_without_them(tmp_path: Path) -> None:
    folder = tmp_path / "Wide"
    folder.mkdir()
    many = items(**{f"place_{i}": i for i in range(9_999)})
    put(folder, a=profile('<weight index="1" value="1"/>' + ISSUE.format(items=many)))
    put(folder, b=(folder / "a.xml").read_text(encoding="utf-8"))

    done = CliRunner().invoke(cli, ["import-game", str(folder), "--out", str(tmp_path / "games")])

    assert done.exit_code == 0, done.output
    assert load_game(tmp_path / "games" / "wide.json").count_outcomes() == 9_999


def test_pairs_of_one_profile_are_refused(tmp_path: Path) -> None:
    put(tmp_path, **{name: colours(red=1) for name in ("a", "b", "c")})
    arguments = ["import-game", str(tmp_path), "--out", str(tmp_path / "games"), "--pairs", "--profile", "a"]

    refused = CliRunner().invoke(cli, arguments)

    assert "One profile makes no pair; choose two or more with --profile, of a, b, c." in str(
        refused.exception
    )


def test_an_export_is_written_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    arguments = ["export-game", "practice", "--format", "genius", "--rescale", "--out", str(tmp_path / "out")]
    CliRunner().invoke(cli, arguments, catch_exceptions=False)
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    for name in written[:-1]:
        (tmp_path / "out" / name).unlink()

    for first in (written[-1], written[0]):
        (tmp_path / "out" / written[-1]).rename(tmp_path / "out" / first) if first != written[-1] else None
        refused = CliRunner().invoke(cli, arguments)

        assert f"{first} is there already" in str(refused.exception)
        assert [path.name for path in (tmp_path / "out").iterdir()] == [first]


def test_folders_inside_a_folder_are_suggested_in_place_of_it(tmp_path: Path) -> None:
    (tmp_path / "Laptop").mkdir()

    with pytest.raises(
        NegoError, match=r"folders in it are not searched, name each of them, such as by .*/\*"
    ):
        read_scenario([tmp_path], ReadingOptions())


def test_a_file_that_is_no_scenario_is_named_once_among_several_folders(tmp_path: Path) -> None:
    (tmp_path / "laptop").mkdir()
    put(tmp_path / "laptop", a=colours(red=1, blue=2), b=colours(red=2, blue=1))
    other, text = tmp_path / "repository.xml", tmp_path / "readme.txt"
    other.write_text("<repository/>", encoding="utf-8")
    text.write_text("Read me.", encoding="utf-8")

    paths = [str(path) for path in (tmp_path / "laptop", other, text)]
    result = CliRunner().invoke(cli, ["import-game", *paths, "--out", str(tmp_path / "out")])

    told = [line for line in result.output.splitlines() if "a scenario is a folder" in line]
    assert len(told) == 1
    assert told[0].startswith(f"{text}: a scenario is a folder")
