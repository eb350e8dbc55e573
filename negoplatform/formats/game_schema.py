"""The JSON Schema of a game file, for editors that check and complete while an author writes.

It knows the shape of a file. What depends on several places at once, such as weights that add up to 1 or
points for every value, is checked when the file is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from negoplatform.domain.pictures import OWN_PICTURE, PICTURES
from negoplatform.formats.games import GameModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# A little wider than the rule of the reader, which knows every letter of Unicode: not all editors do.
NAME_PATTERN = r"^[^\x00-@\[-^`{-\x7f][^\x00-\x1f!-,./:-@\[-^`{-\x7f]{0,59}$"
GAME_NAME_PATTERN = r"^[a-z][a-z0-9_]{0,59}$"
TYPE_PATTERN = r"^[a-z][a-z0-9]{0,59}(-[a-z0-9]{1,59}){0,9}$"

TITLES = {
    "GameModel": "Game",
    "QuantityIssueModel": "Quantity issue",
    "CategoricalIssueModel": "Categorical issue",
    "NumberIssueModel": "Number issue",
    "SeatModel": "Seat",
    "ProfileModel": "Profile",
    "PreferencesModel": "Preferences",
    "PointsModel": "Points of an issue",
    "InteractionModel": "Interaction",
    "RangeModel": "Range",
    "TimeCostModel": "Time cost",
    "VisibilityModel": "Visibility",
    "RulesModel": "Rules",
    "BudgetModel": "What an agent may take",
    "AnnouncementModel": "Announcement",
    "Acceptance": "Acceptance",
    "Visibility": "Who may see it",
}

DESCRIPTIONS = {
    "SeatModel": "A seat: its story, and its preferences or profiles.",
    "GameModel.schema": "The format of this file.",
    "GameModel.name": "How commands and logs call the game: small letters, digits and _.",
    "GameModel.title": "What people read as the game's name.",
    "GameModel.description": "One or two sentences about the game; everybody may read them.",
    "GameModel.mechanism": "The kind of game.",
    "GameModel.issues": "What is negotiated, in the order in which people read it.",
    "GameModel.seats": "The seats by name. A participant sits at 'human' if there is one, else at the first.",
    "GameModel.rules": "The rules that a game may set.",
    "GameModel.announcements": "What the platform tells the seats in the course of the game.",
    "GameModel.own_state": "Stands in logs only; leave it out.",
    "GameModel.debriefing": "What a participant reads after the session; an empty line begins a paragraph.",
    "QuantityIssueModel.kind": "Identical units that are divided between the seats.",
    "QuantityIssueModel.name": "How files, offers and agents call the issue.",
    "QuantityIssueModel.quantity": "How many units there are.",
    "QuantityIssueModel.label": "What people read; the name unless given.",
    "QuantityIssueModel.synonyms": "Other words for the issue, by which what people type is understood.",
    "QuantityIssueModel.picture": "A picture of the program's own, or a PNG file beside the game.",
    "CategoricalIssueModel.kind": "One of several named values.",
    "CategoricalIssueModel.name": "How files, offers and agents call the issue.",
    "CategoricalIssueModel.values": "The values, all different, in the order in which people read them.",
    "CategoricalIssueModel.label": "What people read; the name unless given.",
    "CategoricalIssueModel.synonyms": "Other words for the issue, by which what people type is understood.",
    "CategoricalIssueModel.value_synonyms": "Other words for values, by value.",
    "CategoricalIssueModel.picture": "A picture of the program's own, or a PNG file beside the game.",
    "NumberIssueModel.kind": "A number from a range, in steps.",
    "NumberIssueModel.name": "How files, offers and agents call the issue.",
    "NumberIssueModel.low": "The lowest number.",
    "NumberIssueModel.high": "The highest number: a whole number of steps above the lowest.",
    "NumberIssueModel.step": "The distance between neighbouring numbers.",
    "NumberIssueModel.label": "What people read; the name unless given.",
    "NumberIssueModel.synonyms": "Other words for the issue, by which what people type is understood.",
    "NumberIssueModel.picture": "A picture of the program's own, or a PNG file beside the game.",
    "NumberIssueModel.unit": "What the numbers count, such as € or days.",
    "SeatModel.story": "What the one in this seat is told; nobody else reads it.",
    "SeatModel.preferences": "The seat's preferences; either these or profiles.",
    "SeatModel.profiles": "Several preferences by name, of which one is chosen for each session.",
    "SeatModel.profile": "The profile that is played unless told otherwise, or 'drawn': the seed draws one.",
    "SeatModel.visibility": "Who may see what of this seat.",
    "ProfileModel.story": "What the one in the seat is told with it; the seat's own story unless given.",
    "ProfileModel.preferences": "The preferences of this profile.",
    "PreferencesModel.issues": "Points for every issue, by the issue's name.",
    "PreferencesModel.reservation_value": "The points of a timeout.",
    "PreferencesModel.opt_out": "The points of walking away; the reservation value unless given.",
    "PreferencesModel.time_cost": "What time costs.",
    "PreferencesModel.interactions": "Points for issues that come out together in a certain way.",
    "PreferencesModel.scale": "Multiplies the points of all issues and interactions.",
    "PointsModel.per_unit": "Quantity issue: points for each unit.",
    "PointsModel.by_units": "Quantity issue: points for 0, 1, 2 … units.",
    "PointsModel.values": "Categorical issue: points for every value.",
    "PointsModel.linear": "Number issue: points of the lowest and of the highest number, on a line.",
    "PointsModel.by_number": "Number issue: points for every number, from the lowest to the highest.",
    "PointsModel.weight": "Multiplies the points of this issue; the weights of all issues add up to 1.",
    "InteractionModel.points": "What is added; taken away where negative.",
    "InteractionModel.when": "By issue, two or more: a value, a number, own units, a list of these, a range.",
    "RangeModel.at_least": "The least that counts; no limit unless given.",
    "RangeModel.at_most": "The most that counts; no limit unless given.",
    "TimeCostModel.points": "Points that each completed period costs.",
    "TimeCostModel.period_seconds": "The length of a period in seconds.",
    "VisibilityModel.preferences": "'public': the other seats see the preferences; 'owner': they do not.",
    "RulesModel.acceptance": "'both_confirm': everyone accepts; 'maker_accepts': sending is accepting.",
    "RulesModel.allow_partial": "Whether a partial offer may be accepted; undecided units then go to nobody.",
    "RulesModel.deadline_seconds": "Seconds after which the game times out; none unless given.",
    "RulesModel.time_tick_seconds": "Seconds between two TIME events.",
    "RulesModel.share_drafts": "Whether the other side is sent an offer while it is being built.",
    "RulesModel.reading_language": "The language that typed words are read in; empty: that of the window.",
    "RulesModel.reads_talk": "Whether the window reads what is typed, and asks whether it is an offer.",
    "RulesModel.help_pauses": "Whether the clock stops while the participant reads the rules or the help.",
    "RulesModel.show_left_on_table": "Whether the end tells if another deal would have been better for both.",
    "RulesModel.opening_delay_seconds": "Seconds that agents wait at the start until another seat acts.",
    "RulesModel.closing_seconds": "Seconds for last words after the end; 5 unless given, 120 in the window.",
    "RulesModel.agents": "What the agents of this game may take, and what happens when they take more.",
    "BudgetModel.load_seconds": "Seconds until an agent is ready; 10 unless given.",
    "BudgetModel.soft_seconds": "Seconds for one reaction; a slower one is a strike. 2 unless given.",
    "BudgetModel.hard_seconds": "Seconds for one reaction, after which its process is ended. 5 unless given.",
    "BudgetModel.strikes": "Failures after which an agent is restarted; 3 unless given.",
    "BudgetModel.restarts": "How often an agent is restarted; 1 unless given.",
    "BudgetModel.fallback": "What follows then: 'end_session' (unless given), or a shipped agent's name.",
    "BudgetModel.memory_mb": "Megabytes of memory that an agent may add to its process; 1024 unless given.",
    "BudgetModel.cpu_seconds": "Seconds of processor time of an agent's process; 3600 unless given.",
    "BudgetModel.file_mb": "Megabytes of any file that an agent writes; 16 unless given.",
    "AnnouncementModel.at_seconds": "Seconds after the start.",
    "AnnouncementModel.type": "Its type: small letters and digits joined by hyphens, such as tax-announced.",
    "AnnouncementModel.data": "What agents are told, as values.",
    "AnnouncementModel.text": "What people read.",
    "AnnouncementModel.to": "The seats that are told; everybody where empty.",
}
"""What each key means, by form and key; what a form itself means, where its own words will not do."""


class _Generator(GenerateJsonSchema):
    """Says of a decimal number that it is a number; the reader takes none in quotes."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number with its limits."""
        words = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
        limits = {words[key]: _to_number(schema[key]) for key in words if key in schema}  # type: ignore[literal-required]  # the keys of words
        return {"type": "number", **limits}

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - every field: its name says as much
        """Never: a key's own name is title enough."""
        return False


def game_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a game file.

    Every file that the reader takes is valid under it.
    """
    schema = GameModel.model_json_schema(schema_generator=_Generator)
    forms: dict[str, Any] = schema.pop("$defs")
    forms.pop("GameStatePluginModel")
    forms["GameModel"] = schema
    for name, form in forms.items():
        form["title"] = TITLES[name]
        form["description"] = " ".join(DESCRIPTIONS.get(name, form["description"]).replace("``", "'").split())
        for key, place in form.get("properties", {}).items():
            _normalize(place)
            place["description"] = DESCRIPTIONS[f"{name}.{key}"]
    _add_patterns(forms)
    _require_exactly_one(forms["PointsModel"], ("per_unit", "by_units", "values", "linear", "by_number"))
    _require_exactly_one(forms["SeatModel"], ("preferences", "profiles"))
    schema["properties"]["own_state"] = {
        "type": "null",
        "description": DESCRIPTIONS["GameModel.own_state"],
    }
    del forms["GameModel"]
    return {"$schema": DIALECT, **schema, "$defs": forms}


def _normalize(place: Any) -> None:
    """Writes limits and default numbers as JSON Schema does, and leaves out what is no word of it."""
    if isinstance(place, list):
        for part in place:
            _normalize(part)
    if not isinstance(place, dict):
        return
    for old, new in (("ge", "minimum"), ("le", "maximum"), ("gt", "exclusiveMinimum")):
        if old in place:
            place[new] = _to_number(place.pop(old))
    # An OpenAPI word; strict validators refuse words that they do not know.
    place.pop("discriminator", None)
    if place.get("type") == "number" and isinstance(place.get("default"), str):
        place["default"] = _to_number(place["default"])
    for part in place.values():
        _normalize(part)


def _to_number(limit: Any) -> int | float:
    value = float(limit)
    return int(value) if value.is_integer() else value


def _add_patterns(forms: dict[str, Any]) -> None:
    for name in ("QuantityIssueModel", "CategoricalIssueModel", "NumberIssueModel"):
        forms[name]["properties"]["name"]["pattern"] = NAME_PATTERN
        # As a choice of names, so that editors complete them.
        forms[name]["properties"]["picture"]["anyOf"] = [
            {"type": "string", "enum": list(PICTURES)},
            {"type": "string", "pattern": f"^{OWN_PICTURE.pattern}$"},
            {"type": "null"},
        ]
    forms["GameModel"]["properties"]["name"]["pattern"] = GAME_NAME_PATTERN
    forms["GameModel"]["properties"]["seats"]["propertyNames"] = {"pattern": NAME_PATTERN}
    forms["AnnouncementModel"]["properties"]["type"]["pattern"] = TYPE_PATTERN
    forms["CategoricalIssueModel"]["properties"]["values"]["uniqueItems"] = True


def _require_exactly_one(form: dict[str, Any], keys: Iterable[str]) -> None:
    """Exactly one of some keys is given; null counts as not given, as it does for the reader."""
    form["oneOf"] = [{"required": [key], "properties": {key: {"not": {"type": "null"}}}} for key in keys]
