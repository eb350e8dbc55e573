"""Options about who joins a session: people, wizards, lost connections."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner

from negoplatform.cli.session_options import ADVISER, JOINING_OPTIONS, LISTEN, pop_joining_options
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import (
    LostLinkAction,
    LostLinkRule,
    SuggestionTimeout,
    WizardMode,
    WizardSettings,
)


def joining(*arguments: str) -> dict[str, Any]:
    """Return the settings of a command line, or raise its error."""

    @click.command()
    @JOINING_OPTIONS
    @LISTEN(None)
    def command(**chosen: Any) -> dict[str, Any]:
        return {**pop_joining_options(chosen), **chosen}

    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    found: dict[str, Any] = result.return_value
    return found


def test_without_options_no_further_window_joins_and_lost_connections_are_waited_for() -> None:
    assert joining() == {"people": {}, "wizards": {}, "lost_link": LostLinkRule(), "listen": None}


def test_people_are_named_by_seat_or_without_one() -> None:
    assert joining("--people", "P01", "--people", "seller=P02")["people"] == {"": "P01", "seller": "P02"}


def test_a_wizard_has_a_mode_and_settings() -> None:
    found = joining(
        "--wizard", "agent:manual", "--suggestion-time", "7.5", "--on-timeout", "drop", "--wizard-delay", "2"
    )

    assert found["wizards"] == {
        "agent": WizardSettings(WizardMode.MANUAL, 7.5, SuggestionTimeout.DROP, 2.0),
    }
    assert joining("--wizard", "agent")["wizards"] == {"agent": WizardSettings()}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("wait", LostLinkRule()),
        ("end", LostLinkRule(LostLinkAction.END)),
        ("end:30", LostLinkRule(LostLinkAction.END, 30.0)),
        ("agent=fair", LostLinkRule(LostLinkAction.AGENT, agent="fair")),
        ("agent=fair:0", LostLinkRule(LostLinkAction.AGENT, 0.0, "fair")),
        ("agent=mine.py:Best", LostLinkRule(LostLinkAction.AGENT, agent="mine.py:Best")),
        ("agent=mine.py:Best:12.5", LostLinkRule(LostLinkAction.AGENT, 12.5, "mine.py:Best")),
    ],
)
def test_the_rule_for_lost_connections_is_read(text: str, rule: LostLinkRule) -> None:
    assert joining("--on-lost", text)["lost_link"] == rule


@pytest.mark.parametrize(
    "text",
    ["", "leave", "agent", "agent=", "agent=:5", "wait:5", "end=fair", "end:soon", "end:-1", "end:nan"],
)
def test_another_rule_is_refused_with_those_that_there_are(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"is none of wait, end|waits 0 to 3600 s"):
        joining("--on-lost", text)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--people", "=P01"), "neither CODE nor SEAT=CODE"),
        (("--people", "a=P01", "--people", "a=P02"), "a is given two people"),
        (("--people", "P01", "--people", "P02"), "two people are named without a seat"),
        (("--wizard", "agent:alone"), r"neither SEAT nor SEAT:MODE \(autonomous, assisted, manual\)"),
        (("--wizard", "agent", "--wizard", "agent:manual"), "agent is given two wizards"),
    ],
)
def test_malformed_seats_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(click.BadParameter, match=sentence):
        joining(*arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--wizard-delay", "3"), "--wizard-delay is a setting of a wizard, and there is none"),
        (("--wizard", "agent", "--suggestion-time", "0"), "suggestion_seconds is above 0"),
        (("--wizard", "agent", "--wizard-delay", "61"), "delay_seconds is 0 to 60"),
    ],
)
def test_settings_without_a_wizard_or_out_of_range_are_refused(
    arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(NegoError, match=sentence):
        joining(*arguments)


def test_the_address_may_be_left_out_after_listen() -> None:
    assert joining("--listen")["listen"] == "127.0.0.1"
    assert joining("--listen", "0.0.0.0:5000")["listen"] == "0.0.0.0:5000"
    assert joining("--listen", "--people", "P01")["listen"] == "127.0.0.1"


def advisers(*arguments: str) -> Any:
    command = ADVISER(click.Command("play", callback=lambda advisers: advisers))
    result = CliRunner().invoke(command, arguments, standalone_mode=False)
    if result.exception is not None:
        raise result.exception
    return result.return_value


def test_an_adviser_is_the_first_persons_unless_a_seat_is_named() -> None:
    found = advisers("--adviser", "conceder", "--adviser", "dairy=team:fair+micro@team.json")

    assert found == {"": "conceder", "dairy": "team:fair+micro@team.json"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--adviser", "fair", "--adviser", "micro"), "two advisers are named without a seat"),
        (("--adviser", "a=fair", "--adviser", "a=micro"), "a is given two advisers"),
        (("--adviser", "a="), "neither AGENT nor SEAT=AGENT"),
    ],
)
def test_malformed_advisers_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(click.BadParameter, match=sentence):
        advisers(*arguments)
