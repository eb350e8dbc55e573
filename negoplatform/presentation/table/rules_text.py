"""The rules of a game as its participant reads them, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.game import Acceptance, GameSpec, Visibility
from negoplatform.domain.game_texts import GENERIC_SEAT_NAMES
from negoplatform.domain.seat import Seat
from negoplatform.presentation.formatting import duration_text, join_names, localized_role, localized_text
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.offer_valuation import no_deal_rules
from negoplatform.presentation.table.table_view import RulesView


def subtitle(seat: Seat, names: Mapping[Seat, str], say: Language) -> str:
    """With whom one negotiates, and as whom where the game has roles."""
    if seat in GENERIC_SEAT_NAMES:
        return say("You’re negotiating with {names}", names=join_names([*names.values()], say))
    others = [
        say("{name} ({role})", name=name, role=localized_role(other, say)) for other, name in names.items()
    ]
    return say(
        "You’re the {role}, negotiating with {names}",
        role=localized_role(seat, say),
        names=join_names(others, say),
    )


def rules_view(game: GameSpec, seat: Seat, names: Mapping[Seat, str], say: Language) -> RulesView:
    """What a participant has to know before they begin, and can look up at any time.

    Args:
        game: The game as that seat may see it.
        seat: The participant's seat.
        names: The other seats' names, as they are shown.
        say: The window's language.
    """
    about = [localized_text(text, say) for text in (game.description, game.stories.get(seat, "")) if text]
    sections = [
        (say("What it is about"), tuple(about)),
        (say("How you negotiate"), _how(names, say)),
        (say("How it ends"), _ends(game, seat, say)),
        (say("Who sees what"), _who_sees(game, seat, say)),
    ]
    return RulesView(
        localized_text(game.title, say),
        subtitle(seat, names, say),
        tuple(part for part in sections if part[1]),
    )


def _how(names: Mapping[Seat, str], say: Language) -> tuple[str, ...]:
    others = join_names([*names.values()], say)
    return (
        say(
            "Chat with {names}: just type, or choose from Phrases. Messages aren’t binding.",
            names=others,
        ),
        say("Show how you feel with the faces below the chat."),
        say(
            "Build an offer at the side; you’ll see what it’s worth to you. An offer is sent only when you "
            "confirm it."
        ),
    )


def _ends(game: GameSpec, seat: Seat, say: Language) -> tuple[str, ...]:
    mine, limit = game.preferences[seat], game.rules.deadline_seconds
    if game.rules.acceptance is Acceptance.BOTH_CONFIRM:
        deal = say("You have a deal when everyone accepts the same offer – including the person who made it.")
    else:
        deal = say(
            "A complete offer commits whoever makes it. You have a deal when everyone else accepts it."
        )
    time = (
        say("There’s no time limit.")
        if limit is None
        else say("You have {time}; the clock is at the top.", time=duration_text(limit, say))
    )
    return (
        deal,
        time,
        *no_deal_rules(game, mine, say),
    )


def _who_sees(game: GameSpec, seat: Seat, say: Language) -> tuple[str, ...]:
    mine = (
        say("The other side can see what matters to you.")
        if game.visibility.get(seat) is Visibility.PUBLIC
        else say("Only you can see what matters to you.")
    )
    drafts = (say("The other side sees your offer as you build it."),) if game.rules.share_drafts else ()
    seen = [other for other in game.others(seat) if other in game.preferences]
    if seen:
        return mine, say("You can see what matters to the other side."), *drafts
    return mine, *drafts
