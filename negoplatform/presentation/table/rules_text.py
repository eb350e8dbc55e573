"""Rules of a game for its participant, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.briefing import NO_BRIEFING
from negoplatform.domain.command_settings import TeamAcceptance
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import names_role
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import (
    join_names,
    localized_role,
    localized_text,
    name_with_role,
)
from negoplatform.presentation.table.table_view import RulesView
from negoplatform.presentation.table.work_presenter import WorkRules
from negoplatform.presentation.time_and_points_text import duration_text

MOST_NAMED = 3
"""Largest number of others whom the subtitle names; more would not fit, and are listed in the window."""


def subtitle(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> str:
    """Return the names of the other seats and, in a game with roles, the participant's role."""
    words, has_role = game_words(game.mechanism), names_role(seat, game)
    if len(names) > MOST_NAMED and not has_role:
        return translate(words.with_number, n=len(names))
    if len(names) > MOST_NAMED:
        return translate(
            words.role_with_number,
            role=localized_role(seat, translate),
            n=len(names),
        )
    if not has_role:
        return translate(words.with_names, names=join_names([*names.values()], translate))
    others = _names_with_roles(game, names, translate)
    return translate(
        words.role_with_names,
        role=localized_role(seat, translate),
        names=join_names(others, translate),
    )


def rules_view(
    game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language, work: WorkRules
) -> RulesView:
    """Return the rules page, shown before the game and on request at any time.

    Args:
        game: The game, as visible to the seat.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
        work: Sentences of the game's mechanism.
    """
    words = game_words(game.mechanism)
    about = [
        localized_text(text, translate) for text in (game.description, game.stories.get(seat, "")) if text
    ]
    matters, issues = translate("What matters to you, and why"), work.issues
    ends = translate("How it ends")
    time = () if work.has_own_clock else _time(game, translate)
    sections = [
        (translate("What it is about"), tuple(about)),
        (translate("About you, in your own words"), _background(game, seat, translate)),
        (matters, work.matters),
        (
            work.who_heading or translate(words.who),
            (*_who(game, names, translate), *_team(game, seat, names, translate)),
        ),
        (
            work.how_heading or translate(words.how),
            (*(_how(names, translate) if game.rules.talk else ()), *work.how),
        ),
        (ends, (*work.ends_when, *time, *work.without)),
        (
            translate("Who sees what"),
            (*work.who_sees, *(_private_talk(names, translate) if game.rules.talk else ())),
        ),
    ]
    shown = tuple(part for part in sections if part[1] or (part[0] == matters and issues))
    headings = [heading for heading, _ in shown]
    below = work.subtitle or subtitle(game, seat, names, translate)
    if not issues:
        return RulesView(localized_text(game.title, translate), below, shown)
    return RulesView(
        localized_text(game.title, translate),
        below,
        shown,
        issues,
        headings.index(matters),
        (headings.index(matters), headings.index(ends)),
    )


def _background(game: GameSpec, seat: Seat, translate: Language) -> tuple[str, ...]:
    """Return the background of the seat as one paragraph; nothing without any."""
    sentences = game.briefings.get(seat, NO_BRIEFING).background
    return (" ".join(localized_text(text, translate) for text in sentences),) if sentences else ()


def _who(game: GameSpec, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    """Return who the others are, where there are more than the subtitle names; else nothing."""
    if len(names) <= MOST_NAMED:
        return ()
    others = _names_with_roles(game, names, translate)
    return (translate("You and {names}.", names=join_names(others, translate)),)


TEAM_RULES = {
    TeamAcceptance.MAJORITY: gettext_noop(
        "An agent of your team accepts an offer only when more than half of you want it."
    ),
    TeamAcceptance.UNANIMOUS: gettext_noop(
        "An agent of your team accepts an offer only when all of you want it."
    ),
}
"""Rules of teams in which one member does not decide alone."""


def _team(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    """Return who is in the team of the seat; nothing without one."""
    allies = {ally: names[ally] for ally in game.allies_of(seat) if ally in names}
    if not allies:
        return ()
    others = join_names(_names_with_roles(game, allies, translate), translate)
    accept = next(team.accept for team in game.teams if seat in team.members)
    rule = (translate(TEAM_RULES[accept]),) if accept in TEAM_RULES else ()
    return (translate("Your team: you and {names}.", names=others), *rule)


def _names_with_roles(game: GameSpec, names: Mapping[Seat, str], translate: Language) -> list[str]:
    return [
        name_with_role(name, localized_role(seat, translate) if names_role(seat, game) else "", translate)
        for seat, name in names.items()
    ]


def _how(names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    others = join_names([*names.values()], translate)
    if len(names) > 1:
        return (
            translate(
                "Chat with everyone, or choose above the line to talk to one person alone: just type, or "
                "choose from Phrases. Messages aren’t binding."
            ),
            translate("Show how you feel with the faces below the chat; everyone sees them."),
        )
    return (
        translate(
            "Chat with {names}: just type, or choose from Phrases. Messages aren’t binding.",
            names=others,
        ),
        translate("Show how you feel with the faces below the chat."),
    )


def _time(game: GameSpec, translate: Language) -> tuple[str, ...]:
    """Return the time limit; nothing where the game has another limit alone."""
    limit = game.rules.deadline_seconds
    if limit is not None:
        time = duration_text(limit, translate)
        return (translate("You have {time}; the clock is at the top.", time=time),)
    return () if game.rules.has_deadline else (translate("There’s no time limit."),)


def _private_talk(names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    """Return who sees what is said to one person alone; nothing where there is only one other."""
    if len(names) <= 1:
        return ()
    return (
        translate(
            "What you say to one person alone, nobody else at the table sees. The others can talk like that "
            "too. The experimenter can read everything."
        ),
    )
