"""JSON Schema of game files, for editors that check and complete while an author writes.

The schema describes the shape of a file. Rules about several places, such as weights that add up to 1 or
points for every value, are checked when the file is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from negoplatform.domain.issue import OWN_PICTURE, PICTURES
from negoplatform.formats.games import MOST_SEATS, GameModel

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# Slightly wider than the check of the reader, which knows all Unicode letters: not all editors do.
NAME_PATTERN = r"^[^\x00-@\[-^`{-\x7f][^\x00-\x1f!-,./:-@\[-^`{-\x7f]{0,59}$"
GAME_NAME_PATTERN = r"^[a-z][a-z0-9_]{0,59}$"
TYPE_PATTERN = r"^[a-z][a-z0-9]{0,59}(-[a-z0-9]{1,59}){0,9}$"

TITLES = {
    "GameModel": "Game",
    "QuantityIssueModel": "Quantity issue",
    "CategoricalIssueModel": "Categorical issue",
    "NumberIssueModel": "Number issue",
    "SeatModel": "Seat",
    "SpokenUnitsModel": "Spoken units",
    "ProfileModel": "Profile",
    "PreferencesModel": "Preferences",
    "PointsModel": "Points of an issue",
    "InteractionModel": "Interaction",
    "RangeModel": "Range",
    "TimeCostModel": "Time cost",
    "VisibilityModel": "Visibility",
    "RulesModel": "Rules",
    "GoodModel": "Good",
    "MoneyModel": "Money",
    "EndowmentModel": "Endowment of a seat",
    "WorthModel": "Worth of units to a seat",
    "ConditionWorthModel": "Worth of units under a condition",
    "EndowmentsModel": "Endowments of all seats",
    "DrawnEndowmentsModel": "Drawn endowments",
    "BudgetModel": "Budget of an agent",
    "CounterpartModel": "Mood and pace of the agents",
    "Expression": "Expression of a face",
    "AnnouncementModel": "Announcement",
    "Acceptance": "Acceptance",
    "Agreement": "Agreement",
    "QuotaModel": "Quota",
    "Outvoted": "Consequence for the outvoted",
    "Turns": "Turns",
    "Visibility": "Visibility level",
    "PrincipalModel": "Principal",
    "PrincipalTimingModel": "Timing of a principal",
    "ProtocolModel": "Protocol of a principal",
    "VerticalModel": "Vertical protocol",
    "HorizontalModel": "Horizontal protocol",
    "Split": "Split of a budget",
    "TeamModel": "Team",
    "TeamAcceptance": "Members who have to agree",
    "AssistantModel": "Assistant",
    "AssistantKind": "Kind of an assistant",
}

DESCRIPTIONS = {
    "SeatModel": "A seat: its story and reasons, and its preferences or profiles.",
    "GameModel.schema": "The format of this file.",
    "GameModel.name": "Name of the game in commands and logs: small letters, digits and _.",
    "GameModel.title": "Name of the game for people.",
    "GameModel.description": "One or two sentences about the game; public.",
    "GameModel.mechanism": "The kind of game.",
    "GameModel.issues": "The issues under negotiation, in the order in which people read them.",
    "GameModel.goods": "The goods of a game without issues, in order; none if only money is played for.",
    "GameModel.money": "The money of a game without issues.",
    "GameModel.terms": "Settings of the kind of game, where it has some; only with goods or money.",
    "GameModel.endowments": "Draws what the seats have and what it is worth to them, instead of giving it.",
    "GameModel.fewest_seats": "The least number of seats that the game can be played with; default: all.",
    "GameModel.chance": "Only in logs; leave it out.",
    "GameModel.seats": "The seats by name. A participant sits at 'human' if there is one, else at the first.",
    "GameModel.rules": "The rules that a game may set.",
    "GameModel.announcements": "Announcements to the seats in the course of the game.",
    "GameModel.own_state": "Only in logs; leave it out.",
    "GameModel.debriefing": "Text for the participant after the session; an empty line begins a paragraph.",
    "QuantityIssueModel.kind": "Identical units that are divided between the seats.",
    "QuantityIssueModel.name": "Name of the issue in files, offers and for agents.",
    "QuantityIssueModel.quantity": "Number of units.",
    "QuantityIssueModel.label": "Name of the issue for people; default: its name.",
    "QuantityIssueModel.synonyms": "Other words for the issue, to understand typed messages.",
    "QuantityIssueModel.picture": "A built-in picture, or a PNG file next to the game.",
    "QuantityIssueModel.spoken": "Noun phrases of its units inside a sentence.",
    "QuantityIssueModel.spoken_title": "Name of the issue inside a sentence; default: its label.",
    "CategoricalIssueModel.kind": "One of several named values.",
    "CategoricalIssueModel.name": "Name of the issue in files, offers and for agents.",
    "CategoricalIssueModel.values": "The values, all different, in the order in which people read them.",
    "CategoricalIssueModel.label": "Name of the issue for people; default: its name.",
    "CategoricalIssueModel.synonyms": "Other words for the issue, to understand typed messages.",
    "CategoricalIssueModel.value_synonyms": "Other words for values, by value.",
    "CategoricalIssueModel.picture": "A built-in picture, or a PNG file next to the game.",
    "CategoricalIssueModel.spoken": "The noun phrase of every value inside a sentence.",
    "CategoricalIssueModel.spoken_title": "Name of the issue inside a sentence; default: its label.",
    "NumberIssueModel.kind": "A number from a range, in steps.",
    "NumberIssueModel.name": "Name of the issue in files, offers and for agents.",
    "NumberIssueModel.low": "The lowest number.",
    "NumberIssueModel.high": "The highest number: a whole number of steps above the lowest.",
    "NumberIssueModel.step": "The distance between neighbouring numbers.",
    "NumberIssueModel.label": "Name of the issue for people; default: its name.",
    "NumberIssueModel.synonyms": "Other words for the issue, to understand typed messages.",
    "NumberIssueModel.picture": "A built-in picture, or a PNG file next to the game.",
    "NumberIssueModel.unit": "Unit of the numbers, such as € or days.",
    "NumberIssueModel.spoken": "Noun phrase of a number inside a sentence: a price of {value}.",
    "NumberIssueModel.spoken_title": "Name of the issue inside a sentence; default: its label.",
    "SpokenUnitsModel.one": "Noun phrase of one unit, without a number: bottle of water.",
    "SpokenUnitsModel.many": "Noun phrase of several units, without a number: bottles of water.",
    "SeatModel.story": "Story for the participant in this seat; private.",
    "SeatModel.preferences": "The seat's preferences; either these or profiles.",
    "SeatModel.profiles": "Several preferences by name; one is chosen for each session.",
    "SeatModel.profile": "The default profile, or 'drawn': the seed draws one.",
    "SeatModel.called": "The name by which others call this seat, in a game of more than two.",
    "SeatModel.visibility": "Visibility of this seat's preferences.",
    "SeatModel.background": "First-person sentences about whoever sits here, each usable alone; private.",
    "SeatModel.reasons": "By issue: reasons in the first person why it matters, or matters little; private.",
    "SeatModel.value_reasons": "By issue, then by value, own units or number: reasons; private.",
    "SeatModel.endowment": "What the seat has at the start, in a game with goods or money.",
    "SeatModel.worth": "What units are worth to the seat, in a game with goods.",
    "GoodModel.name": "Name of the good in files and for agents.",
    "GoodModel.label": "Name of the good for people; default: its name.",
    "MoneyModel.unit": "Sign or name of the money, such as €.",
    "MoneyModel.decimals": "Digits after the decimal point; default: 2.",
    "EndowmentModel.money": "Money at the start; default: 0.",
    "EndowmentModel.goods": "Units of each good at the start; default: 0.",
    "WorthModel.units": "By good, the worth of the first unit, the second and so on, in money.",
    "WorthModel.log": "By good, the parameter of a logarithmic worth: parameter * ln(units + shift).",
    "WorthModel.quantity_shift": "Added to the units of a logarithmic worth; default: 0.",
    "WorthModel.floor": "Replaces the logarithm where there are no units; default: -1000.",
    "WorthModel.by_condition": "By condition of a market, the worth of units.",
    "ConditionWorthModel.units": "By good, the worth of the first unit, the second and so on, in money.",
    "EndowmentsModel.drawn": "Endowments and worths that the seed draws.",
    "DrawnEndowmentsModel.money": "Money of each seat; default: 0.",
    "DrawnEndowmentsModel.base": "Units of each good that every seat has; default: 2.",
    "DrawnEndowmentsModel.lower": "Further units of each good per seat, at least; default: 1.",
    "DrawnEndowmentsModel.upper": "How many more than that they may be, per seat; default: 1.",
    "DrawnEndowmentsModel.parameter_sum": "Sum of the parameters of a seat; default: 100.",
    "DrawnEndowmentsModel.quantity_shift": "Added to the units of a logarithmic worth; default: 0.",
    "ProfileModel.story": "Story that comes with this profile; default: the seat's story.",
    "ProfileModel.preferences": "The preferences of this profile.",
    "ProfileModel.background": "Background that comes with this profile; default: the seat's.",
    "ProfileModel.reasons": "Reasons by issue that come with this profile; for other issues the seat's.",
    "ProfileModel.value_reasons": "Reasons by issue and value of this profile; for other issues the seat's.",
    "PreferencesModel.issues": "Points for every issue, by the issue's name.",
    "PreferencesModel.reservation_value": "The points of a timeout.",
    "PreferencesModel.opt_out": "The points of walking away; default: the reservation value.",
    "PreferencesModel.time_cost": "The cost of time.",
    "PreferencesModel.interactions": "Points for certain combinations of outcomes.",
    "PreferencesModel.at_most": "Most points of an offer: more count as these; default: no limit.",
    "PreferencesModel.scale": "Multiplies the points of all issues and interactions.",
    "PreferencesModel.discount_factor": "What is left of all points at the deadline: u * factor ** progress.",
    "PointsModel.per_unit": "Quantity issue: points for each unit.",
    "PointsModel.by_units": "Quantity issue: points for 0, 1, 2 … units.",
    "PointsModel.values": "Categorical issue: points for every value.",
    "PointsModel.by_value": "Categorical issue: the same points as a list, in the order of the values.",
    "PointsModel.linear": "Number issue: points of the lowest and of the highest number, on a line.",
    "PointsModel.by_number": "Number issue: points for every number, from the lowest to the highest.",
    "PointsModel.weight": "Multiplies the points of this issue; the weights of all issues add up to 1.",
    "InteractionModel.points": "Points to add; may be negative.",
    "InteractionModel.when": "By issue, two or more: a value, a number, own units, a list of these, a range.",
    "RangeModel.at_least": "Lower limit, included; default: none.",
    "RangeModel.at_most": "Upper limit, included; default: none.",
    "TimeCostModel.points": "Points that each completed period costs.",
    "TimeCostModel.period_seconds": "The length of a period in seconds.",
    "VisibilityModel.preferences": "'public': the other seats see the preferences; 'owner': they do not.",
    "RulesModel.acceptance": "'both_confirm': the maker accepts too; 'maker_accepts': sending is accepting.",
    "RulesModel.allow_partial": "Whether a partial offer may be accepted; undecided units are then lost.",
    "RulesModel.deadline_seconds": "Seconds after which the game times out; default: never.",
    "RulesModel.deadline_offers": "Number of offers, of all seats together, after which none can be made.",
    "RulesModel.time_tick_seconds": "Seconds between two TIME events.",
    "RulesModel.share_drafts": "Whether the other side receives an offer while it is being built.",
    "RulesModel.reading_language": "Language of typed messages; empty: that of the window.",
    "RulesModel.reads_talk": "Whether the window interprets typed messages and asks if they are offers.",
    "RulesModel.help_pauses": "Whether the clock stops while the participant reads the rules or the help.",
    "RulesModel.show_left_on_table": "Whether the end shows if another deal would have been better for both.",
    "RulesModel.offer_requests": "Whether the window has two buttons that ask for an offer; default: true.",
    "RulesModel.opening_delay_seconds": "Seconds that agents wait at the start until another seat acts.",
    "RulesModel.closing_seconds": "Seconds for last messages after the end; default: 5, in the window 120.",
    "RulesModel.counterpart": "Mood and pace of the agents of this game.",
    "RulesModel.talk": "Whether seats can send messages and show expressions.",
    "RulesModel.agreement": "Seats that make a deal: all, more than half, or a quota. Default: all.",
    "RulesModel.outvoted": "What a deal means for seats that have not accepted it: 'bound' by default.",
    "RulesModel.turns": "'free': all seats at any time; 'alternating': one after the other.",
    "QuotaModel.quota": "Number of seats, from 2 to all of them; the maker of the offer counts as one.",
    "CounterpartModel.mood": "Expression of an agent's face while it shows no other.",
    "CounterpartModel.mood_intensity": "How strongly the mood shows, from 0 to 1; default: 0.5.",
    "CounterpartModel.face_seconds": "Seconds for which a face is shown; default: as long as the agent says.",
    "CounterpartModel.pace": "Factor for an agent's delays; default: 1, and 2 is half as fast.",
    "RulesModel.agents": "Budget of the agents of this game, and the consequence of exceeding it.",
    "BudgetModel.load_seconds": "Seconds for an agent to become ready; default: 10.",
    "BudgetModel.soft_seconds": "Seconds for one reaction; a slower one is a strike. Default: 2.",
    "BudgetModel.hard_seconds": "Seconds for one reaction, after which its process is ended. Default: 5.",
    "BudgetModel.strikes": "Failures after which an agent is restarted; default: 3.",
    "BudgetModel.restarts": "Maximum number of restarts of an agent; default: 1.",
    "BudgetModel.fallback": "After the last restart: 'end_session' (default), or a shipped agent's name.",
    "BudgetModel.memory_mb": "Megabytes of memory that an agent may add to its process; default: 1024.",
    "BudgetModel.cpu_seconds": "Seconds of processor time of an agent's process; default: 3600.",
    "BudgetModel.file_mb": "Megabytes of any file that an agent writes; default: 16.",
    "AnnouncementModel.at_seconds": "Seconds after the start.",
    "GameModel.principals": "Principals, which command seats, by name.",
    "GameModel.teams": "Teams of allied seats; a seat is in one at most.",
    "GameModel.assistants": "Assistants, by name: agenda, insights, debrief, or names of your own.",
    "PrincipalModel.over": "The seats below it, or the principals below it.",
    "PrincipalModel.protocol": "How its decision becomes instructions: none, vertical or horizontal.",
    "PrincipalModel.timing": "Its timing, in seconds.",
    "PrincipalModel.agent": "The plug-in that decides for it; empty: the command line says.",
    "PrincipalModel.settings": "Settings of that plug-in.",
    "PrincipalTimingModel.tick_interval": "Seconds between two ticks, 0.1 to 3600.",
    "PrincipalTimingModel.msg_delay": "Seconds that a message takes, 0 to 3600.",
    "PrincipalTimingModel.act_delay": "Seconds between a decision and its effect, 0 to 3600.",
    "PrincipalTimingModel.jitter": "Most seconds that chance adds to each delay, 0 to 3600.",
    "PrincipalTimingModel.wait_interval": "Seconds from a tick until due facts are recorded, 0 to 3600.",
    "ProtocolModel.vertical": "A budget is split among the seats.",
    "ProtocolModel.horizontal": "The seats share what they know and decide together.",
    "VerticalModel.split": "How a budget is split: equal or proportional.",
    "TeamModel.members": "The seats, two or more.",
    "TeamModel.share": "Names of the features that the members see of each other.",
    "TeamModel.accept": "The members who have to agree to an acceptance: any, majority or unanimous.",
    "AssistantModel.assistant": "The plug-in; empty: that of the assistant's own name.",
    "AssistantModel.seat": "The seat whose view it reads; empty: the usual one of its kind.",
    "AssistantModel.coach": "Whether an agenda's plan is shown to the participant in that seat.",
    "AssistantModel.settings": "Settings of the plug-in.",
    "AssistantModel.kind": "Only in logs; leave it out.",
    "AnnouncementModel.type": "Its type: small letters and digits joined by hyphens, such as tax-announced.",
    "AnnouncementModel.data": "Data for agents.",
    "AnnouncementModel.text": "Text for people.",
    "AnnouncementModel.to": "The seats that receive it; empty: all.",
}
"""Descriptions by model and key, and of a model whose docstring is not meant for authors."""


class PlainSchemaGenerator(GenerateJsonSchema):
    """Schema generator that writes decimals as numbers; the reader accepts none in quotes."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """Return the schema of a number with its limits."""
        words = {"ge": "minimum", "le": "maximum", "gt": "exclusiveMinimum", "lt": "exclusiveMaximum"}
        limits = {words[key]: _to_number(schema[key]) for key in words if key in schema}  # type: ignore[literal-required]  # the keys of words
        return {"type": "number", **limits}

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the same for every field
        """Return False: the name of a key is title enough."""
        return False


def game_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a game file.

    Every file that the reader accepts is valid under it.
    """
    schema = GameModel.model_json_schema(schema_generator=PlainSchemaGenerator)
    forms: dict[str, Any] = schema.pop("$defs")
    forms.pop("GameStatePluginModel")
    forms["GameModel"] = schema
    for name, form in forms.items():
        form["title"] = TITLES[name]
        form["description"] = " ".join(DESCRIPTIONS.get(name, form["description"]).replace("``", "'").split())
        for key, place in form.get("properties", {}).items():
            normalize_schema(place)
            place["description"] = DESCRIPTIONS[f"{name}.{key}"]
    _add_patterns(forms)
    _require_exactly_one(
        forms["PointsModel"], ("per_unit", "by_units", "values", "by_value", "linear", "by_number")
    )
    one_side = ("preferences", "profiles", "endowment")
    forms["SeatModel"]["not"] = {
        "anyOf": [{"allOf": [_is_given(one), _is_given(two)]} for one, two in combinations(one_side, 2)]
    }
    either = {"anyOf": [_is_given("goods"), _is_given("money")]}
    forms["GameModel"]["oneOf"] = [_is_given("issues"), either]
    some_side = {"anyOf": [_is_given(key) for key in one_side]}
    forms["GameModel"]["allOf"] = [
        {
            "if": _is_given("issues"),
            "then": {"properties": {"seats": {"maxProperties": MOST_SEATS}}},
        },
        {
            "if": _is_given("endowments"),
            "else": {"properties": {"seats": {"additionalProperties": some_side}}},
        },
    ]
    schema["properties"]["own_state"] = {
        "type": "null",
        "description": DESCRIPTIONS["GameModel.own_state"],
    }
    del forms["GameModel"]
    return {"$schema": DIALECT, **schema, "$defs": forms}


def normalize_schema(place: Any) -> None:
    """Write limits and default numbers as JSON Schema does, and remove words that it does not have."""
    if isinstance(place, list):
        for part in place:
            normalize_schema(part)
    if not isinstance(place, dict):
        return
    for old, new in (("ge", "minimum"), ("le", "maximum"), ("gt", "exclusiveMinimum")):
        if old in place:
            place[new] = _to_number(place.pop(old))
    # A keyword of OpenAPI; strict validators refuse unknown keywords.
    place.pop("discriminator", None)
    if place.get("type") == "number" and isinstance(place.get("default"), str):
        place["default"] = _to_number(place["default"])
    for part in place.values():
        normalize_schema(part)


def _to_number(limit: Any) -> int | float:
    value = float(limit)
    return int(value) if value.is_integer() else value


def _add_patterns(forms: dict[str, Any]) -> None:
    for name in ("QuantityIssueModel", "CategoricalIssueModel", "NumberIssueModel"):
        forms[name]["properties"]["name"]["pattern"] = NAME_PATTERN
        # As an enum, so editors complete the names.
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
    """Require exactly one of some keys; null counts as absent, as it does for the reader."""
    form["oneOf"] = [_is_given(key) for key in keys]


def _is_given(key: str) -> dict[str, Any]:
    return {"required": [key], "properties": {key: {"not": {"type": "null"}}}}
