"""Game files: valid ones are read back equal, and invalid ones get one sentence."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from negoplatform.core.mechanisms.registry import MECHANISMS
from negoplatform.domain.errors import InputFileError
from negoplatform.domain.game import Acceptance, GameSpec, TimeCost, Visibility
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.games import GameModel, build_game, dump_game, load_game
from negoplatform.formats.strict_json import LARGEST_FILE, parse_json, validate_json
from negoplatform.plugins.program_and_user_folders import bundled
from tests.formats.strategies import games

GOOD: dict[str, Any] = {
    "schema": "negoplatform.game/1",
    "name": "market_day",
    "issues": [
        {"kind": "quantity", "name": "apples", "quantity": 4},
        {"kind": "categorical", "name": "day", "values": ["Friday", "Sunday"]},
    ],
    "seats": {
        "human": {
            "preferences": {
                "issues": {"apples": {"per_unit": 2}, "day": {"values": {"Friday": -1, "Sunday": 3}}},
                "reservation_value": 4,
            }
        },
        "agent": {
            "preferences": {
                "issues": {
                    "apples": {"by_units": [0, 1, 1.5, 2, 2], "weight": 0.4},
                    "day": {"values": {"Friday": 0, "Sunday": 1}, "weight": 0.6},
                },
                "reservation_value": 1,
            }
        },
    },
}

Change = Callable[[dict[str, Any]], object]


def at(place: str, value: object) -> Change:
    """Return a change that sets the value at a place such as ``issues.0.name``."""

    def change(game: dict[str, Any]) -> None:
        found: Any = game
        *way, last = [int(part) if part.isdigit() else part for part in place.split(".")]
        for part in way:
            found = found[part]
        found[last] = value

    return change


def without(place: str) -> Change:
    """Return a change that removes the value at a place."""

    def change(game: dict[str, Any]) -> None:
        found: Any = game
        *way, last = place.split(".")
        for part in way:
            found = found[int(part) if part.isdigit() else part]
        del found[last]

    return change


def rename(place: str, old: str, new: str) -> Change:
    """Return a change that renames a key."""

    def change(game: dict[str, Any]) -> None:
        found: Any = game
        for part in place.split(".") if place else []:
            found = found[part]
        found[new] = found.pop(old)

    return change


HUMAN = "seats.human.preferences"
AGENT = "seats.agent.preferences"
UNKNOWN = "this key is not known here; check its spelling or remove it"
NAME = "a name begins with a letter and goes on with letters, digits, spaces, - or _, 60 characters at most"

BAD: list[tuple[Change, str, str]] = [
    # Unknown keys, on every level
    (at("colour", "red"), "colour", UNKNOWN),
    (at("rules", {"accept": "both_confirm"}), "rules.accept", UNKNOWN),
    (at("issues.0.size", 4), "issues[0].size", UNKNOWN),
    (at("issues.1.quantity", 4), "issues[1].quantity", UNKNOWN),
    (at("issues.0.values", ["a"]), "issues[0].values", UNKNOWN),
    (at("seats.human.name", "Ann"), "seats.human.name", UNKNOWN),
    (at("seats.human.visibility", {"story": "public"}), "seats.human.visibility.story", UNKNOWN),
    (at(f"{HUMAN}.batna", 3), f"{HUMAN}.batna", UNKNOWN),
    (at(f"{HUMAN}.issues.apples.unit", 3), f"{HUMAN}.issues.apples.unit", UNKNOWN),
    (at(f"{HUMAN}.time_cost", {"points": 1, "seconds": 9}), f"{HUMAN}.time_cost.seconds", UNKNOWN),
    # Keys that are missing
    (without("schema"), "schema", "this key is missing"),
    (without("name"), "name", "this key is missing"),
    (without("issues"), "issues", "this key is missing"),
    (without("seats"), "seats", "this key is missing"),
    (without("issues.0.kind"), "issues[0].kind", "this key is missing"),
    (without("issues.0.quantity"), "issues[0].quantity", "this key is missing"),
    (without("issues.1.values"), "issues[1].values", "this key is missing"),
    (without(HUMAN), HUMAN, "this key is missing"),
    (at(HUMAN, None), HUMAN, "this key is missing"),
    (without(f"{HUMAN}.reservation_value"), f"{HUMAN}.reservation_value", "this key is missing"),
    (without(f"{HUMAN}.issues"), f"{HUMAN}.issues", "this key is missing"),
    (at(f"{HUMAN}.time_cost", {"points": 1}), f"{HUMAN}.time_cost.period_seconds", "this key is missing"),
    # Wrong types: nothing is guessed
    (at("issues.0.quantity", "4"), "issues[0].quantity", 'a whole number belongs here, not "4"'),
    (at("issues.0.quantity", True), "issues[0].quantity", "a whole number belongs here, not true"),
    (at("issues.0.quantity", 4.0), "issues[0].quantity", "a whole number belongs here, not 4.0"),
    (at("issues.0.quantity", None), "issues[0].quantity", "a whole number belongs here, not null"),
    (at("issues.0.label", 4), "issues[0].label", "a text in quotes belongs here, not 4"),
    (
        at("issues.1.values", "Friday"),
        "issues[1].values",
        'a list in brackets [ ] belongs here, not "Friday"',
    ),
    (at("issues.1.values", [1]), "issues[1].values[0]", "a text in quotes belongs here, not 1"),
    (at("issues", {}), "issues", "a list in brackets [ ] belongs here, not an object"),
    (at("issues.0", "apples"), "issues[0]", 'an object in braces { } belongs here, not "apples"'),
    (at("seats", []), "seats", "an object in braces { } belongs here, not a list"),
    (at("seats.human", 1), "seats.human", "an object in braces { } belongs here, not 1"),
    (at("rules", None), "rules", "an object in braces { } belongs here, not null"),
    (at("rules", {"allow_partial": 1}), "rules.allow_partial", "true or false belongs here, not 1"),
    (at("rules", {"deadline_seconds": "60"}), "rules.deadline_seconds", 'a number belongs here, not "60"'),
    (at("rules", {"deadline_seconds": True}), "rules.deadline_seconds", "a number belongs here, not true"),
    (at(f"{HUMAN}.reservation_value", "4"), f"{HUMAN}.reservation_value", 'a number belongs here, not "4"'),
    (at(f"{HUMAN}.reservation_value", True), f"{HUMAN}.reservation_value", "a number belongs here, not true"),
    (
        at(f"{HUMAN}.reservation_value", [4]),
        f"{HUMAN}.reservation_value",
        "a number belongs here, not a list",
    ),
    (at(f"{HUMAN}.opt_out", "0"), f"{HUMAN}.opt_out", 'a number belongs here, not "0"'),
    (at(f"{AGENT}.issues.apples.weight", "0.4"), f"{AGENT}.issues.apples.weight", "a number belongs here"),
    (
        at(f"{HUMAN}.issues.apples", 2),
        f"{HUMAN}.issues.apples",
        "an object in braces { } belongs here, not 2",
    ),
    (at(f"{HUMAN}.issues.apples.per_unit", "2"), f"{HUMAN}.issues.apples.per_unit", "a number belongs here"),
    # Numbers out of bounds
    (at("issues.0.quantity", 0), "issues[0].quantity", "the number must be at least 1, not 0"),
    (at("issues.0.quantity", 10**30), "issues[0].quantity", "the number must be at most 1,000, not 1000000"),
    (
        at("rules", {"deadline_seconds": -5}),
        "rules.deadline_seconds",
        "the number must be at least 0.001, not -5",
    ),
    (
        at("rules", {"deadline_seconds": 0}),
        "rules.deadline_seconds",
        "the number must be at least 0.001, not 0",
    ),
    (
        at("rules", {"deadline_seconds": 10**9}),
        "rules.deadline_seconds",
        "the number must be at most 86,400, not 1000000000",
    ),
    (
        at("rules", {"time_tick_seconds": 1e-9}),
        "rules.time_tick_seconds",
        "the number must be at least 0.001",
    ),
    (
        at(f"{HUMAN}.time_cost", {"points": -1, "period_seconds": 9}),
        f"{HUMAN}.time_cost.points",
        "at least 0",
    ),
    (at(f"{HUMAN}.scale", 0), f"{HUMAN}.scale", "the number must be above 0, not 0"),
    (
        at(f"{HUMAN}.reservation_value", 10**400),
        f"{HUMAN}.reservation_value",
        "at most 1,000,000,000, not 1000",
    ),
    (
        at(f"{HUMAN}.issues.apples.per_unit", 9e8),
        f"{HUMAN}.issues.apples",
        "the points go beyond 1,000,000,000",
    ),
    (at(f"{AGENT}.issues.apples.weight", 40), f"{AGENT}.issues.apples.weight", "must be at most 1, not 40"),
    (
        at(f"{AGENT}.issues.apples.weight", -0.4),
        f"{AGENT}.issues.apples.weight",
        "must be at least 0, not -0.4",
    ),
    # Sums, lengths and names that do not fit one another
    (at(f"{AGENT}.issues.day.weight", 0.5), AGENT, "the weights add up to 0.9, not to 1"),
    (at(f"{AGENT}.issues.day.weight", 0.61), AGENT, "the weights add up to 1.01, not to 1"),
    (
        without(f"{AGENT}.issues.day.weight"),
        AGENT,
        "the issue 'day' has no weight, but others have; give all of them one",
    ),
    (
        at(f"{AGENT}.issues.apples.by_units", [0, 1]),
        f"{AGENT}.issues.apples",
        "by_units needs 5 numbers, for 0 to 4 units, but has 2",
    ),
    (at(f"{AGENT}.issues.apples.by_units", []), f"{AGENT}.issues.apples", "by_units needs 5 numbers"),
    (
        at(f"{HUMAN}.issues.apples", {"values": {"a": 1}}),
        f"{HUMAN}.issues.apples",
        "'values' does not belong here; this issue takes 'per_unit'",
    ),
    (
        at(f"{AGENT}.issues.apples.per_unit", 1),
        f"{AGENT}.issues.apples",
        "'per_unit' and 'by_units' say the same thing twice; keep one of them",
    ),
    (at(f"{HUMAN}.issues.apples", {}), f"{HUMAN}.issues.apples", "'per_unit' is missing"),
    (at(f"{HUMAN}.issues.day", {}), f"{HUMAN}.issues.day", "'values' is missing"),
    (without(f"{HUMAN}.issues.day"), f"{HUMAN}.issues.day", "this issue has no points"),
    (at(f"{HUMAN}.issues.gold", {"per_unit": 1}), f"{HUMAN}.issues.gold", "the game has no such issue"),
    (
        at(f"{HUMAN}.issues.day.values", {"Friday": 1}),
        f"{HUMAN}.issues.day",
        "the value 'Sunday' has no points",
    ),
    (
        at(f"{HUMAN}.issues.day.values.Monday", 1),
        f"{HUMAN}.issues.day",
        "there is no value 'Monday'",
    ),
    (at("issues.1.values", ["Friday", "Friday"]), "issues[1]", "the value 'Friday' appears twice"),
    (at("issues.1.values", []), "issues[1].values", "at least 1 is needed here, but there is none"),
    (at("issues.1.values", [""]), "issues[1].values[0]", "the text must not be empty"),
    (at("issues.1.name", "apples"), "", "there are two issues named 'apples'"),
    (at("issues", []), "issues", "at least 1 is needed here, but there is none"),
    (
        at("issues.0.kind", "amount"),
        "issues[0].kind",
        "'amount' is not known here; write 'quantity' or 'categor",
    ),
    (at("issues.0.name", ""), "issues[0].name", NAME),
    (at("issues.0.name", "4 apples"), "issues[0].name", NAME),
    (at("issues.0.name", "a\nb"), "issues[0].name", NAME),
    (at("issues.0.name", "x" * 61), "issues[0].name", NAME),
    (at("title", ""), "title", "the text must not be empty"),
    (at("title", "x" * 81), "title", "the text is too long; at most 80 characters belong here"),
    (
        at("seats.human.story", "x" * 4001),
        "seats.human.story",
        "the text is too long; at most 4,000 characters",
    ),
    (
        at("name", "Market day"),
        "name",
        "a game's name begins with a small letter and goes on with a-z, 0-9 or _",
    ),
    (at("name", "../../etc/passwd"), "name", "a game's name begins with a small letter"),
    # Seats
    (without("seats.agent"), "seats", "a game has 2 to 8 seats, and this one has 1"),
    (
        rename("seats", "agent", "platform"),
        "",
        "no seat may be named 'platform', because the program uses that",
    ),
    (rename("seats", "agent", "undecided"), "", "no seat may be named 'undecided'"),
    (rename("seats", "agent", "public"), "", "no seat may be named 'public'"),
    (rename("seats", "agent", "complete"), "", "no seat may be named 'complete'"),
    (rename("seats", "agent", "4th"), "seats.4th", NAME),
    (rename("seats", "agent", ""), "seats.", NAME),
    # Words that have to be one of several
    (at("schema", "negoplatform.game/2"), "schema", '"negoplatform.game/2" is not known here; write \'nego'),
    (at("schema", 1), "schema", "1 is not known here; write 'negoplatform.game/1'"),
    (at("mechanism", "poker"), "", "the mechanism 'poker' is not known; there is bargaining"),
    (
        at("rules", {"acceptance": "maybe"}),
        "rules.acceptance",
        "\"maybe\" is not known here; write 'both_confirm'",
    ),
    (
        at("seats.human.visibility", {"preferences": "secret"}),
        "seats.human.visibility.preferences",
        "\"secret\" is not known here; write 'public', 'owner', 'upper_level', 'team' or 'system'",
    ),
]


def written(folder: Path, change: Change = lambda game: None) -> Path:
    """Write the good game with a change to a file, and return its path."""
    game = copy.deepcopy(GOOD)
    change(game)
    path = folder / "game.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    return path


def refusal(path: Path) -> InputFileError:
    """Return the error for a bad file, and check that its one sentence meets all requirements."""
    with pytest.raises(InputFileError) as caught:
        load_game(path)

    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    assert not sentence.endswith("..")
    assert "\n" not in sentence
    assert len(sentence.removeprefix(str(path))) < 260
    for jargon in (
        "Value error",
        "nput should",
        "pydantic",
        "validation",
        "dictionary",
        "str]",
        "[key]",
        "Decimal",
    ):
        assert jargon not in sentence
    return caught.value


@pytest.mark.parametrize(
    ("change", "where", "reason"), BAD, ids=[f"{i}-{bad[1]}" for i, bad in enumerate(BAD)]
)
def test_a_bad_game_file_gets_one_sentence_with_place_and_reason(
    tmp_path: Path, change: Change, where: str, reason: str
) -> None:
    path = written(tmp_path, change)

    problem = refusal(path)

    assert problem.where == where
    assert problem.reason.startswith(reason) or reason in problem.reason


def good_text() -> str:
    return json.dumps(GOOD)


RAW: list[tuple[str, bytes, str, str]] = [
    ("empty", b"", "line 1, column 1", "there is nothing in it"),
    ("blank", b" \n ", "line 2, column 2", "there is nothing in it"),
    ("a list", b"[1, 2]", "", "an object in braces { } belongs here, not a list"),
    ("a number", b"7", "", "an object in braces { } belongs here, not 7"),
    ("null", b"null", "", "an object in braces { } belongs here, not null"),
    ("cut off", good_text().encode()[:-20], "line 1", "this is no valid JSON"),
    ("two values", good_text().encode() + b"{}", "line 1", "this is no valid JSON (extra data)"),
    ("a comment", b"// my game\n" + good_text().encode(), "line 1, column 1", "this is no valid JSON"),
    (
        "Latin-1",
        good_text().replace("Friday", "Fr\u00fchling").replace("\\u00fc", "ü").encode("latin-1"),
        "byte",
        "",
    ),
    ("bytes", bytes(range(256)), "byte 128", "this is no UTF-8 text; save it as UTF-8"),
    ("UTF-16", good_text().encode("utf-16"), "byte 0", "this is no UTF-8 text; save it as UTF-8"),
    ("byte order mark", good_text().encode("utf-8-sig"), "line 1, column 1", "byte order mark"),
    (
        "NaN",
        good_text().replace('"Friday": -1', '"Friday": NaN').encode(),
        f"{HUMAN}.issues.day.values.Friday",
        "NaN",
    ),
    (
        "Infinity",
        good_text().replace("-1", "-Infinity").encode(),
        f"{HUMAN}.issues.day.values.Friday",
        "-Infinity",
    ),
    ("1e999", good_text().replace("-1", "1e999").encode(), f"{HUMAN}.issues.day.values.Friday", "finite"),
    (
        "key twice",
        good_text().replace('"per_unit": 2', '"per_unit": 2, "per_unit": 3').encode(),
        f"{HUMAN}.issues.apples.per_unit",
        "this key appears twice; keep one of them",
    ),
    ("key twice on top", b'{"name": 1, "name": 2}', "name", "this key appears twice"),
    (
        "key twice in a list",
        good_text().replace('"quantity": 4', '"quantity": 4, "quantity": 5').encode(),
        "issues[0].quantity",
        "this key appears twice",
    ),
    ("lists in lists", b"[" * 400_000, "", "the values are nested too deeply"),
    ("deep", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "", "the values are nested too deeply"),
    ("rather deep", b'{"a":' * 900 + b"1" + b"}" * 900, "", "the values are nested too deeply"),
    (
        "infinity in an announcement",
        json.dumps({**GOOD, "announcements": [{"type": "tax", "data": {"rate": 0.25}}]})
        .replace("0.25", "1e400")
        .encode(),
        "announcements[0].data.rate",
        "1e400 is too large to be kept; write a finite number",
    ),
    (
        "a short file of very long tables",
        json.dumps(
            {
                **GOOD,
                "issues": [{"kind": "number", "name": f"n{i}", "low": 0, "high": 10_000} for i in range(100)],
                "seats": {
                    seat: {
                        "profiles": {
                            f"p{i}": {"preferences": {"issues": {}, "reservation_value": 0}}
                            for i in range(50)
                        }
                    }
                    for seat in ("human", "agent")
                },
            }
        ).encode(),
        "",
        "the seats' tables hold 100,010,000 points, more than 3,000,000",
    ),
    ("long number", good_text().replace("-1", "9" * 5000).encode(), "", "a number has too many digits"),
    (
        "long fraction",
        good_text().replace("-1", "0." + "3" * 5000 + "e-999").encode(),
        f"{HUMAN}.issues.day.values.Friday",
        "has too many digits to be kept exactly; 0.0 is the nearest number",
    ),
    (
        "a number next to nothing",
        good_text().replace("-1", "1e-400").encode(),
        f"{HUMAN}.issues.day.values.Friday",
        "1e-400 has too many digits to be kept exactly; 0.0 is the nearest number",
    ),
    ("a long number that is kept", good_text().replace("-1", "1.50000000000000000000e-1").encode(), "ok", ""),
    ("half a character", good_text().replace("Friday", "\\ud800").encode(), "", "only half of a character"),
    ("too large", b" " * (LARGEST_FILE + 1), "", "the file is larger than 1 MB"),
    ("many unknown keys", json.dumps({f"k{i}": 1 for i in range(15_000)}).encode(), "k0", UNKNOWN),
    (
        "too many keys",
        json.dumps({f"k{i}": 1 for i in range(70_000)}).encode(),
        "",
        "there are more than 20,000 keys and lists in it; shorten it",
    ),
    (
        "many issues",
        json.dumps({**GOOD, "issues": [1] * 300_000}).encode(),
        "issues[0]",
        "an object in braces { } belongs here, not 1",
    ),
    (
        "many units",
        good_text().replace("[0, 1, 1.5, 2, 2]", json.dumps([True] * 100_000)).encode(),
        f"{AGENT}.issues.apples.by_units[0]",
        "a number belongs here, not true",
    ),
    (
        "many points",
        good_text()
        .replace('{"Friday": 0,', json.dumps({f"v{i}": True for i in range(15_000)})[:-1] + ",")
        .encode(),
        f"{AGENT}.issues.day.values.v0",
        "a number belongs here, not true",
    ),
]


@pytest.mark.parametrize(("data", "where", "reason"), [bad[1:] for bad in RAW], ids=[bad[0] for bad in RAW])
def test_bytes_that_are_no_game_get_one_sentence(
    tmp_path: Path, data: bytes, where: str, reason: str
) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(data)
    if where == "ok":
        load_game(path)
        return

    problem = refusal(path)

    assert problem.where.startswith(where)
    assert reason in problem.reason


def test_a_file_that_is_not_there_gets_one_sentence(tmp_path: Path) -> None:
    problem = refusal(tmp_path / "nothing.json")

    assert re.fullmatch(r"the file cannot be read \(.+\)", problem.reason)


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    problem = refusal(tmp_path)

    assert problem.reason == "this is no file but a folder or a device; name a file"


def test_at_least_fifty_bad_files_are_tried() -> None:
    assert len(BAD) + len(RAW) >= 50


def test_the_good_file_is_good_so_that_the_bad_ones_are_bad_for_their_own_reason(tmp_path: Path) -> None:
    game = load_game(written(tmp_path))

    offer = Offer({"apples": Allocation({"human": 2, "agent": 2}), "day": "Sunday"})
    assert game.preferences["human"].utility(offer) == 7
    assert game.preferences["agent"].utility(offer) == pytest.approx(1.2)
    assert game.title == "Market day"
    assert game.issue("apples").title == "apples"


def test_weights_are_added_up_exactly(tmp_path: Path) -> None:
    def tenths(game: dict[str, Any]) -> None:
        game["issues"] = [{"kind": "quantity", "name": f"i{i}", "quantity": 1} for i in range(10)]
        for seat in game["seats"].values():
            points = {"by_units": [0, 1], "weight": 0.1}
            seat["preferences"]["issues"] = {f"i{i}": points for i in range(10)}

    game = load_game(written(tmp_path, tenths))

    assert game.preferences["human"].utility.highest == pytest.approx(1)


def test_a_scale_multiplies_the_points_but_not_the_reservation_value(tmp_path: Path) -> None:
    game = load_game(written(tmp_path, at(f"{AGENT}.scale", 10)))

    table = game.preferences["agent"].utility(Offer({"day": "Sunday"}))

    assert table == 6
    assert isinstance(table, int)
    assert game.preferences["agent"].reservation_value == 1


def test_a_file_sets_the_rules_and_the_private_side(tmp_path: Path) -> None:
    def change(game: dict[str, Any]) -> None:
        game["rules"] = {"acceptance": "maker_accepts", "allow_partial": True, "deadline_seconds": 90}
        game["seats"]["human"]["visibility"] = {"preferences": "public"}
        game["seats"]["human"]["preferences"]["opt_out"] = 0
        game["seats"]["human"]["preferences"]["time_cost"] = {"points": 0.5, "period_seconds": 30}

    game = load_game(written(tmp_path, change))

    assert game.rules.acceptance is Acceptance.MAKER_ACCEPTS
    assert game.rules.allow_partial
    assert game.rules.deadline_seconds == 90
    assert dict(game.visibility) == {"human": Visibility.PUBLIC, "agent": Visibility.OWNER}
    assert game.preferences["human"].quit_value == 0
    assert game.preferences["human"].time_cost == TimeCost(0.5, 30.0)


def test_a_file_may_seat_three(tmp_path: Path) -> None:
    game = load_game(written(tmp_path, lambda it: it["seats"].update(broker=it["seats"]["human"])))

    assert game.seats == ("human", "agent", "broker")
    assert game.count_outcomes() == 15 * 2


def read_again(game: GameSpec) -> GameSpec:
    text = json.dumps(dump_game(game))
    parse_json(text, "again")
    return build_game(validate_json(GameModel, text, "again"), "again")


def test_the_good_game_comes_back_equal_from_its_document(tmp_path: Path) -> None:
    game = load_game(written(tmp_path))

    assert read_again(game) == game


@pytest.mark.parametrize("name", ["resource_exchange", "practice"])
def test_a_shipped_game_comes_back_equal_from_its_document(name: str) -> None:
    game = load_game(bundled("games") / f"{name}.json")

    assert read_again(game) == game
    assert game.mechanism in MECHANISMS


@given(games())
def test_every_game_comes_back_equal_from_its_document(game: GameSpec) -> None:
    assert read_again(game) == game


def with_seats(count: int) -> str:
    return json.dumps({**GOOD, "seats": {f"seat_{i}": GOOD["seats"]["agent"] for i in range(count)}})


@pytest.mark.parametrize(("count", "there"), [(0, "none"), (1, "1"), (9, "9"), (20, "20"), (300, "300")])
def test_a_game_with_too_few_or_too_many_seats_is_refused_in_a_sentence(
    tmp_path: Path, count: int, there: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(with_seats(count), encoding="utf-8")

    problem = refusal(path)

    assert str(problem) == f"{path} at seats: a game has 2 to 8 seats, and this one has {there}."


@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_game_may_have_two_to_eight_seats(tmp_path: Path, count: int) -> None:
    path = tmp_path / "game.json"
    path.write_text(with_seats(count), encoding="utf-8")

    assert len(load_game(path).seats) == count
