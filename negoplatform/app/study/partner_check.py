"""Check of a study's games and partners: they exist, fit each other, and are what participants are told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from negoplatform.app.session.agent_placement import MOST_AGENTS, participant_seat
from negoplatform.app.session.assistant_setup import AssistantPlaces, assigned_assistants, with_assistants
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.session_plan import with_counterpart, with_offer_limit
from negoplatform.app.study.adviser_and_principals import command_findings, seatless_agents
from negoplatform.app.study.study_folder import INSTRUMENTS, StudyFolder
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market import Market
from negoplatform.domain.assistant_settings import parse_assistant
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.formats.games import dump_game
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.partners import PartnerModel
from negoplatform.study.quiz import correct_answer
from negoplatform.study.stages import (
    ChoiceStage,
    ChosenBefore,
    GameAnswer,
    NegotiationStage,
    PageStage,
    PlayedGame,
    QuizStage,
    RoundsStage,
)
from negoplatform.study.study_file import StudyModel

DECEIVERS = ("lying", "betray")
"""Parts of the names of shipped agents that deceive."""

PartnerFinding = tuple[bool, str, str]
"""Whether it is an error, its place in study.json, and the reason."""


def partner_settings(partner: PartnerModel, plugin: AgentPlugin) -> dict[str, Any]:
    """Return the settings of a partner's agent.

    Args:
        partner: The partner.
        plugin: Its agent.

    Raises:
        NegoError: If the agent has no such setting.
    """
    settings = dict(partner.settings)
    known = (plugin.options or {}).get("properties", {})
    for key in ("name", "avatar", "persona", "language"):
        value = getattr(partner, key)
        if value is None:
            continue
        if key in settings and settings[key] != value:
            raise NegoError(f"{key} is set twice, here and in settings")
        if key in known or key in ("name", "avatar"):
            settings[key] = value
        else:
            raise NegoError(f"the agent {plugin.name!r} has no {key}")
    return settings


def partner_findings(folder: StudyFolder) -> Iterator[PartnerFinding]:
    """Yield what is wrong with the games and partners of a study."""
    seen: set[PartnerFinding] = set()
    games: dict[str, GameSpec | str] = {}
    agents: dict[str, AgentPlugin | str] = {}
    for model in folder.study.models.values():
        for finding in _model_findings(folder, model, games, agents):
            if finding not in seen:
                seen.add(finding)
                yield finding


def _model_findings(
    folder: StudyFolder,
    model: StudyModel,
    games: dict[str, GameSpec | str],
    agents: dict[str, AgentPlugin | str],
) -> Iterator[PartnerFinding]:
    for name, partner in model.partners.items():
        yield from _agent_findings(folder, model, f"partners.{name}", partner, agents)
    for stage in model.all_stages():
        where = f"stages.{stage.id}"
        if isinstance(stage, NegotiationStage):
            yield from _game_findings(folder, model, stage, stage.partner, where, games, agents)
        elif isinstance(stage, RoundsStage):
            yield from _memory_findings(model, stage, where)
            for i, one in enumerate(stage.rounds):
                at = f"{where}.rounds[{i}]"
                yield from _game_findings(folder, model, one, one.partner or stage.partner, at, games, agents)
        elif isinstance(stage, QuizStage):
            yield from _quiz_findings(folder, model, stage, games)
        elif isinstance(stage, ChoiceStage) and stage.of == "partner":
            for option in stage.options:
                if option.id not in model.partners:
                    yield True, where, f"there is no partner {option.id!r}"
    yield from _debriefing_findings(model, agents)


def _agent_findings(
    folder: StudyFolder,
    model: StudyModel,
    where: str,
    partner: PartnerModel,
    agents: dict[str, AgentPlugin | str],
) -> Iterator[PartnerFinding]:
    """Yield findings about the agents of a partner: the one that plays, and one that takes a seat."""
    if partner.lost_link is not None and partner.lost_link.agent is not None:
        stand_in = _load(agents, partner.lost_link.agent, folder.agent)
        if isinstance(stand_in, str):
            yield True, f"{where}.lost_link.agent", stand_in
    if partner.agent is None:
        return
    plugin = _load(agents, partner.agent, folder.agent)
    if isinstance(plugin, str):
        yield True, f"{where}.agent", plugin
        return
    try:
        settings = partner_settings(partner, plugin)
        plugin.resolve_settings(settings)
    except NegoError as error:
        yield True, where, str(error).rstrip(".")
    else:
        yield from _language_findings(model, where, ChosenAgent(plugin, settings))
    if warning := ChosenAgent(plugin, partner.settings).endpoint_warning:
        yield False, where, warning.rstrip(".")


def _language_findings(model: StudyModel, where: str, agent: ChosenAgent) -> Iterator[PartnerFinding]:
    """Yield findings about the languages of a study in which an agent that talks has no sentences."""
    for code in model.languages:
        spoken = agent.with_language(code).spoken_language
        if spoken not in (None, code):
            yield (
                False,
                f"{where}.agent",
                f"participants in the language {code!r} read this agent's sentences in {spoken!r}; say "
                "so in the instructions, or use an agent without words",
            )


def _load(cache: dict[str, Any], name: str, find: Any) -> Any:
    if name not in cache:
        try:
            cache[name] = find(name)
        except NegoError as error:
            reason = str(error).rstrip(".")
            cache[name] = reason[:1].lower() + reason[1:]
    return cache[name]


def _game_findings(
    folder: StudyFolder,
    model: StudyModel,
    played: PlayedGame,
    partner: str | ChosenBefore | None,
    where: str,
    games: dict[str, GameSpec | str],
    agents: dict[str, AgentPlugin | str],
) -> Iterator[PartnerFinding]:
    for name in chosen_values(model, played.game, "game"):
        game = _load(games, name, folder.game)
        if isinstance(game, str):
            yield True, f"{where}.game", game
            continue
        try:
            game = played.with_seats(game)
        except NegoError as error:
            yield True, f"{where}.seats", str(error).rstrip(".")
            continue
        if len(game.seats) != 2 and game.economy is None:
            yield (
                True,
                f"{where}.game",
                f"{name} has {len(game.seats)} seats; a study's games of offers have two",
            )
            continue
        if len(game.seats) > MOST_AGENTS + 1:
            yield (
                True,
                f"{where}.game",
                f"{name} has {len(game.seats)} seats; a study's games have at most {MOST_AGENTS + 1}",
            )
            continue
        try:
            participant_seat(game, played.seat)
            game.resolve_profiles(0, played.profile)
            with_offer_limit(game, played.offers)
        except NegoError as error:
            yield True, where, str(error).rstrip(".")
            continue
        if game.mechanism == Market.name:
            yield from _market_findings(game, played, where)
        elif played.minutes is None and game.rules.deadline_seconds is None:
            yield False, where, f"{name} has no time limit; set minutes"
        seat = participant_seat(game, played.seat)
        if game.visibility.get(seat) is Visibility.PUBLIC:
            yield False, where, f"in {name} the agent knows the participant's preferences, which are public"
        yield from command_findings(folder, played, game, where)
        for who in chosen_values(model, partner, "partner"):
            yield from _seat_findings(model, who, game, where, agents)
            if who in model.partners:
                yield from _assistant_findings(folder, model.partners[who], game, played, where)
    if partner is None:
        yield True, f"{where}.partner", "nobody is there to negotiate with; name a partner"


def _assistant_findings(
    folder: StudyFolder, partner: PartnerModel, game: GameSpec, played: PlayedGame, where: str
) -> Iterator[PartnerFinding]:
    """Yield what is wrong with the assistants of a negotiation, those of its game and its own."""
    mine = participant_seat(game, played.seat)
    others = game.others(mine)
    people, seats = (others, ()) if partner.person else ((), others)
    places = AssistantPlaces((mine, *people), seats, seats if partner.wizard_settings is not None else ())
    try:
        game = with_assistants(game, map(parse_assistant, played.assistants), coach=played.coach)
        assigned_assistants(game, places, folder.data_dir, in_program=True)
    except NegoError as error:
        yield True, f"{where}.assistants", str(error).rstrip(".")


def _memory_findings(model: StudyModel, stage: RoundsStage, where: str) -> Iterator[PartnerFinding]:
    """Yield rounds in which a person is to forget the rounds before."""
    played = [one.partner or stage.partner for one in stage.rounds]
    names = {name for value in played for name in chosen_values(model, value, "partner")}
    people = sorted(name for name in names if name in model.partners and model.partners[name].person)
    if people and not stage.same_partner:
        yield (
            False,
            f"{where}.same_partner",
            f"the partner {people[0]!r} is a person, who remembers the rounds before; leave same_partner out",
        )


def _market_findings(game: GameSpec, played: PlayedGame, where: str) -> Iterator[PartnerFinding]:
    """Yield time limits that are shorter than the phases of a market, which has its own clock."""
    needed = market_terms(game).total_seconds
    if played.minutes is not None and 60 * played.minutes < needed:
        yield (
            False,
            where,
            f"{game.name} takes up to {needed:g} s, more than {played.minutes:g} minutes; leave minutes out",
        )


def _seat_findings(
    model: StudyModel, who: str, game: GameSpec, where: str, agents: dict[str, AgentPlugin | str]
) -> Iterator[PartnerFinding]:
    if who not in model.partners:
        there = ", ".join(model.partners) or "none"
        yield True, f"{where}.partner", f"there is no partner {who!r}; there is {there}"
        return
    partner = model.partners[who]
    for name in partner.agents:
        plugin = agents.get(name)
        if isinstance(plugin, AgentPlugin):
            try:
                plugin.check_plays(game)
            except NegoError as error:
                yield True, where, str(error).rstrip(".")
    try:
        with_counterpart(game, partner.counterpart)
    except NegoError as error:
        yield True, where, str(error).rstrip(".")
    if partner.wizard_settings is None and not partner.person:
        return
    other = "wizard" if partner.wizard_settings is not None else "second person"
    if len(game.seats) != 2:
        yield (
            True,
            where,
            f"the partner {who!r} has a {other}, who plays games of two seats; {game.name} has "
            f"{len(game.seats)}; choose a game of two seats, or a partner that is an agent alone",
        )


def chosen_values(model: StudyModel, value: str | ChosenBefore | None, key: str) -> list[str]:
    """Return the partners or games that a stage may have: one, or all that the participant can choose."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    stage = model.stage(value.chosen)
    return (
        [option.id for option in stage.options] if isinstance(stage, ChoiceStage) and stage.of == key else []
    )


def _quiz_findings(
    folder: StudyFolder, model: StudyModel, stage: QuizStage, games: dict[str, GameSpec | str]
) -> Iterator[PartnerFinding]:
    played: dict[str, PlayedGame] = {}
    for one in played_games(model):
        for name in chosen_values(model, one.game, "game"):
            played.setdefault(name, one)
    for question in stage.questions:
        if not isinstance(question.correct, GameAnswer):
            continue
        where, name = f"stages.{stage.id}.{question.id}", question.correct.from_game
        if name not in played:
            yield True, where, f"the game {name!r} is not played in this study, so the answer has no profile"
            continue
        game = _load(games, name, folder.game)
        if isinstance(game, str) or (len(game.seats) != 2 and game.economy is None):
            continue
        try:
            resolved = played[name].with_seats(game).resolve_profiles(0, played[name].profile)
            correct_answer(question, resolved, participant_seat(game, played[name].seat))
        except NegoError as error:
            yield True, where, str(error).rstrip(".")


def played_games(model: StudyModel) -> Iterator[PlayedGame]:
    """Yield the games of a study, in the order of its stages."""
    for stage in model.all_stages():
        if isinstance(stage, NegotiationStage):
            yield stage
        elif isinstance(stage, RoundsStage):
            yield from stage.rounds


def shipped_hashes(folder: StudyFolder) -> dict[str, str]:
    """Return the hashes of the program's games, agents and instruments that a study uses."""
    found: dict[str, str] = {}
    for model in folder.study.models.values():
        for agent in (name for partner in model.partners.values() for name in partner.agents):
            if folder.agent_path(agent) is None:
                found[f"agents/{agent}"] = folder.agent(agent).sha256
        for played in played_games(model):
            for name in chosen_values(model, played.game, "game"):
                game = folder.game(name)
                for plugin in seatless_agents(folder, played, game):
                    found[f"agents/{plugin.name}"] = plugin.sha256
                if folder.game_path(name) is None:
                    text = json.dumps(dump_game(game), sort_keys=True)
                    found[f"games/{name}"] = sha256(text.encode()).hexdigest()
    for name in folder.study.instruments:
        if not (folder.root / INSTRUMENTS / f"{name}.json").is_file():
            found[f"{INSTRUMENTS}/{name}"] = sha256(
                (bundled(INSTRUMENTS) / f"{name}.json").read_bytes()
            ).hexdigest()
    return found


def _debriefing_findings(model: StudyModel, agents: dict[str, Any]) -> Iterator[PartnerFinding]:
    plugins = {name: agents.get(partner.agent or "") for name, partner in model.partners.items()}
    lies = [
        name
        for name, plugin in plugins.items()
        if isinstance(plugin, AgentPlugin)
        and (
            plugin.manifest.debriefing
            or any(word in plugin.name for word in DECEIVERS)
            or model.partners[name].settings.get("honesty") == "lying"
        )
    ]
    pages = [stage.id for stage in model.all_stages() if isinstance(stage, PageStage)]
    if lies and not any("debrief" in page for page in pages):
        yield (
            False,
            "stages",
            f"the partner {lies[0]!r} may deceive, and no page explains that; add a page with the id debrief",
        )
    operated = [name for name, partner in model.partners.items() if partner.wizard_settings is not None]
    if operated and not any("debrief" in page for page in pages):
        yield (
            False,
            "stages",
            f"a person decides what the partner {operated[0]!r} does, which is hidden from "
            "participants, and no page explains that; add a page with the id debrief, and say in "
            "the consent that some things "
            "are explained only at the end",
        )
