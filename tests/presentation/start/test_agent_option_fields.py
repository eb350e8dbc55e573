"""The form for an agent's settings: the fields made from a schema, and the settings from the input."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from negoplatform.agent_api.settings_validation import schema_of
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.agent_option_fields import (
    AgentOption,
    Entered,
    agent_options,
    default_entry,
    parse_settings,
    range_text,
)


class Mood(StrEnum):
    CALM = "calm"
    LIVELY = "lively"


class Model(BaseModel):
    share: float = Field(0.5, ge=0, le=1, title="Its part", description="What it asks for.")
    first_step: int = Field(3, gt=0)
    quiet: bool = False
    mood: Mood = Mood.CALM
    limit: float | None = None
    words: list[str] = ["yes"]
    greeting: str


@pytest.fixture
def options() -> dict[str, AgentOption]:
    return {option.name: option for option in agent_options(schema_of(Model))}


def test_each_kind_of_setting_has_a_field_of_its_own(options: dict[str, AgentOption]) -> None:
    assert {name: option.kind for name, option in options.items()} == {
        "share": "number",
        "first_step": "whole",
        "quiet": "check",
        "mood": "choice",
        "limit": "number",
        "words": "json",
        "greeting": "text",
    }


def test_titles_are_the_authors_or_the_name_in_words(options: dict[str, AgentOption]) -> None:
    assert (options["share"].title, options["first_step"].title) == ("Its part", "First step")


def test_what_is_usual_stands_in_the_fields(options: dict[str, AgentOption]) -> None:
    shown = {name: default_entry(option) for name, option in options.items()}

    assert shown == {
        "share": "0.5",
        "first_step": "3",
        "quiet": False,
        "mood": "calm",
        "limit": "",
        "words": '["yes"]',
        "greeting": "",
    }


def test_only_what_differs_from_what_is_usual_is_set(options: dict[str, AgentOption]) -> None:
    entered: dict[str, Entered] = {
        "share": "0,25",
        "first_step": "3",
        "quiet": True,
        "mood": "lively",
        "greeting": "Hi",
    }

    settings = parse_settings([*options.values()], entered, ENGLISH)

    assert settings.values == {"share": 0.25, "quiet": True, "mood": "lively", "greeting": "Hi"}
    assert not settings.errors
    assert Model.model_validate(settings.values).mood is Mood.LIVELY


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        ("share", "40", "Must be 0 to 1."),
        ("share", "nan", "Must be 0 to 1."),
        ("share", "half", "This isn’t a number."),
        ("first_step", "2.5", "This isn’t a whole number."),
        ("first_step", "0", "Must be above 0."),
        ("words", "[", "This isn’t a JSON value."),
        ("greeting", "", "Please fill this in."),
    ],
)
def test_what_does_not_fit_is_said_at_its_field(
    options: dict[str, AgentOption], name: str, text: str, fault: str
) -> None:
    settings = parse_settings([*options.values()], {"greeting": "Hi", name: text}, ENGLISH)

    assert settings.errors == {name: fault}


def test_a_range_is_said_in_words(options: dict[str, AgentOption]) -> None:
    assert [range_text(options[name], ENGLISH) for name in ("share", "first_step", "limit")] == [
        "0 to 1",
        "above 0",
        "",
    ]


def test_an_agent_that_declares_nothing_has_no_form() -> None:
    assert agent_options(None) == ()


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        (
            "fair",
            [
                *("persona", "share", "faces", "prompts", "silence_seconds", "later_silence_seconds"),
                *("claims", "talkativeness", "politeness", "honesty", "language"),
            ],
        ),
        ("boulware", ["exponent", "k", "family", "quiet"]),
        ("tit_for_tat", ["variant", "window", "noise", "first_step", "quiet"]),
    ],
)
def test_the_shipped_agents_say_what_can_be_set(agent: str, names: list[str]) -> None:
    options = agent_options(find_agent(agent, Path("nowhere")).options)

    assert [option.name for option in options] == names
    assert all(option.description for option in options)


def test_a_schema_that_nobody_understands_is_a_field_for_json() -> None:
    odd: dict[str, Any] = {
        "properties": {"odd": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "no": 3}
    }

    (option,) = agent_options(odd)

    assert (option.name, option.kind) == ("odd", "json")


ABOUT_ITSELF = {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}


@pytest.mark.parametrize(
    "field",
    [
        {"$ref": "#/$defs/A"},
        {"anyOf": ["x", 1]},
        {"type": "string", "minimum": "2020-01-01"},
        {"type": "integer", "minimum": 10**400},
        {"type": "number", "maximum": [1], "exclusiveMinimum": float("nan")},
    ],
)
def test_a_schema_that_makes_no_sense_stops_nobody(field: dict[str, Any]) -> None:
    (option,) = agent_options({"properties": {"odd": field}, "$defs": {"A": ABOUT_ITSELF}, "required": None})

    assert range_text(option, ENGLISH) == ""
    assert parse_settings([option], {"odd": "5"}, ENGLISH).errors == {}


def test_properties_that_are_none_make_no_form() -> None:
    assert agent_options({"properties": ["odd"]}) == ()


@pytest.mark.parametrize("kind", ["integer", "number", "array"])
@pytest.mark.parametrize("text", ["inf", "-1e999", "nan", "[" * 100_000])
def test_what_is_no_number_in_json_is_said_at_its_field(kind: str, text: str) -> None:
    options = agent_options({"properties": {"odd": {"type": kind}}})

    assert "odd" in parse_settings(options, {"odd": text}, ENGLISH).errors
