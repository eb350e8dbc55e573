"""Options for the window's appearance."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from negoplatform.cli.options import (
    AGENT,
    APPEARANCE_OPTIONS,
    COUNTERPART_OPTIONS,
    LANGUAGES,
    TEXT_SIZE_CHOICES,
    THEMES,
    pop_appearance_options,
    pop_counterpart_options,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression
from negoplatform.presentation.appearance import TEXT_SIZES, Appearance
from negoplatform.presentation.color_palette import PALETTES
from negoplatform.presentation.i18n import LANGUAGES as SPOKEN


def looks(*arguments: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the appearance that a command line sets, and the remaining options."""
    found: list[dict[str, Any]] = []

    @click.command()
    @APPEARANCE_OPTIONS
    def command(**chosen: Any) -> None:
        found.extend([pop_appearance_options(chosen), chosen])

    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    return found[0], found[1]


def test_what_was_not_said_stays_as_it_is_kept() -> None:
    assert looks() == ({}, {"reset_appearance": False})


def test_everything_can_be_said() -> None:
    asked = [
        "--theme",
        "high-contrast",
        "--text-size",
        "150",
        "--language",
        "de",
        "--full-screen",
        "--reduce-motion",
    ]

    found, _rest = looks(*asked)

    assert Appearance(**found) == Appearance("high_contrast", 1.5, "de", True, True)


@pytest.mark.parametrize("theme", THEMES)
def test_each_theme_is_a_palette(theme: str) -> None:
    assert looks("--theme", theme)[0]["theme"] in PALETTES


def test_sizes_and_languages_are_those_of_the_window() -> None:
    assert [looks("--text-size", size)[0]["text_size"] for size in TEXT_SIZE_CHOICES] == list(TEXT_SIZES)
    assert list(SPOKEN) == list(LANGUAGES)


def counterpart(*arguments: str) -> dict[str, Any]:
    """Return the settings of mood and pace that a command line sets."""
    found: list[dict[str, Any]] = []

    @click.command()
    @COUNTERPART_OPTIONS
    def command(**chosen: Any) -> None:
        found.append(pop_counterpart_options(chosen))

    result = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return found[0]


def test_mood_and_pace_that_are_not_given_are_not_set() -> None:
    assert counterpart() == {}


def test_mood_and_pace_can_be_given() -> None:
    given = counterpart("--mood", "sad", "--mood-intensity", "0.8", "--face-seconds", "4", "--pace", "1.5")

    assert given == {"mood": Expression.SAD, "mood_intensity": 0.8, "face_seconds": 4.0, "pace": 1.5}


def test_an_intensity_in_per_cent_is_refused_with_a_sentence() -> None:
    with pytest.raises(NegoError, match="mood_intensity is a number from 0 to 1"):
        counterpart("--mood-intensity", "40")


def agents(*arguments: str) -> dict[str | None, str] | str:
    """Return the agents that a command line names, or why it is refused."""
    found: list[dict[str | None, str]] = []

    @click.command()
    @AGENT
    def command(agents: dict[str | None, str]) -> None:
        found.append(agents)

    result = CliRunner().invoke(command, [part for name in arguments for part in ("--agent", name)])
    return found[0] if found else result.output


def test_agents_are_named_for_single_seats_and_for_all_others() -> None:
    assert agents("green=fair@soft.json", "boulware") == {"green": "fair@soft.json", None: "boulware"}
    assert agents() == {}


@pytest.mark.parametrize("path", ["./a=b/mine.py", "a\\b=c.py", "fair@a=b.json"])
def test_an_equals_sign_in_a_path_names_no_seat(path: str) -> None:
    assert agents(path) == {None: path}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("green=fair", "green=boulware"), "green is given two agents."),
        (("fair", "boulware"), "two agents are named without a seat; say SEAT=AGENT for each."),
        (("green=",), "'green=' is neither AGENT nor SEAT=AGENT."),
        (("=fair",), "'=fair' is neither AGENT nor SEAT=AGENT."),
    ],
)
def test_agents_that_contradict_each_other_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in agents(*arguments)
