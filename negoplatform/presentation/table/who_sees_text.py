"""Sentences for a participant about who else sees what they have: allies, and those above their seat."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, localized_role


def allied_names(game: GameSpec, seat: Seat, translate: Language) -> str:
    """Return the allies that see what matters to a seat, as the rules name them; empty: none does.

    A team that shares features of its members shares what they are computed from, as far as people care.
    """
    team = game.team_of(seat)
    if team is None or not (game.visibility.get(seat) is Visibility.TEAM or team.share):
        return ""
    return join_names([_name(game, ally, translate) for ally in game.allies_of(seat)], translate)


def is_seen_by_principal(game: GameSpec, seat: Seat) -> bool:
    """Return whether the principal of a seat sees its preferences, and no other seat does."""
    return game.visibility.get(seat) is Visibility.UPPER_LEVEL and game.upstream_of(seat) is not None


def sentences_about_principals(
    game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language
) -> tuple[str, ...]:
    """Return who is instructed by a principal, which sees what is addressed to them; empty without any.

    Args:
        game: The game.
        seat: The participant's seat.
        names: Display names of the other seats.
        translate: The window's language, with the game's texts.
    """
    sentences = []
    above = game.upstream_of(seat)
    if above is not None:
        sentences.append(
            translate(
                "Your principal {name} sees what you do, and what is addressed to you.",
                name=displayable(above),
            )
        )
    others = [names[other] for other in game.others(seat) if game.upstream_of(other)]
    if others:
        sentences.append(
            translate(
                "What is addressed to {names} is also seen by a principal.",
                names=join_names(others, translate),
            )
        )
    return tuple(sentences)


def goods_sentences(game: GameSpec, seat: Seat, translate: Language) -> list[str]:
    """Return who sees a seat's money and goods, and what goods are worth to it."""
    has_principal = game.upstream_of(seat) is not None
    holdings = (
        translate("Only you and your principal can see your money and your goods.")
        if has_principal
        else translate("Only you can see your money and your goods.")
    )
    allies = allied_names(game, seat, translate)
    if game.visibility.get(seat) is Visibility.PUBLIC:
        worth = translate("What goods are worth to you can be seen by everyone.")
    elif allies:
        worth = translate("Only you and {names} can see what goods are worth to you.", names=allies)
    elif is_seen_by_principal(game, seat):
        worth = translate("Only you and your principal can see what goods are worth to you.")
    else:
        worth = translate("Only you can see what goods are worth to you.")
    return [holdings, worth]


def preferences_sentence(game: GameSpec, seat: Seat, translate: Language) -> str:
    """Return who sees a seat's preferences, where they are not public."""
    allies = allied_names(game, seat, translate)
    if allies:
        return translate("Only you and {names} can see what matters to you.", names=allies)
    if is_seen_by_principal(game, seat):
        return translate("Only you and your principal can see what matters to you.")
    return translate("Only you can see what matters to you.")


def preferences_label(game: GameSpec, seat: Seat, translate: Language) -> str:
    """Return the same as the label of a panel."""
    allies = allied_names(game, seat, translate)
    if allies:
        return translate("Only you and {names} can see this", names=allies)
    if is_seen_by_principal(game, seat):
        return translate("Only you and your principal can see this")
    return translate("Only you can see this")


def _name(game: GameSpec, seat: Seat, translate: Language) -> str:
    return game.names.get(seat) or localized_role(seat, translate)
