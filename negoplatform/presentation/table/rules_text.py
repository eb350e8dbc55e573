"""Rules of a game for its participant, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.agreement_rules import Outvoted, Turns
from negoplatform.domain.briefing import NO_BRIEFING
from negoplatform.domain.game import Acceptance, GameSpec, Visibility
from negoplatform.domain.game_display_texts import GENERIC_SEAT_NAMES
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names, localized_role, localized_text
from negoplatform.presentation.offers.issue_valuation_texts import worth_in_short
from negoplatform.presentation.offers.offer_valuation import no_deal_rules
from negoplatform.presentation.table.table_view import IssueReasons, RulesView
from negoplatform.presentation.time_and_points_text import duration_text


def subtitle(seat: Seat, names: Mapping[Seat, str], translate: Language) -> str:
    """Return the names of the other seats and, in a game with roles, the participant's role."""
    if seat in GENERIC_SEAT_NAMES:
        return translate("You’re negotiating with {names}", names=join_names([*names.values()], translate))
    others = [
        translate("{name} ({role})", name=name, role=localized_role(other, translate))
        for other, name in names.items()
    ]
    return translate(
        "You’re the {role}, negotiating with {names}",
        role=localized_role(seat, translate),
        names=join_names(others, translate),
    )


def rules_view(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> RulesView:
    """Return the rules page, shown before the game and on request at any time.

    Args:
        game: The game, as visible to the seat.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
    """
    about = [
        localized_text(text, translate) for text in (game.description, game.stories.get(seat, "")) if text
    ]
    matters, issues = translate("What matters to you, and why"), _issue_reasons(game, seat, translate)
    ends = translate("How it ends")
    sections = [
        (translate("What it is about"), tuple(about)),
        (translate("About you, in your own words"), _background(game, seat, translate)),
        (matters, ()),
        (translate("How you negotiate"), _how(names, translate)),
        (ends, _ends(game, seat, names, translate)),
        (translate("Who sees what"), _who_sees(game, seat, translate)),
    ]
    shown = tuple(part for part in sections if part[1] or (part[0] == matters and issues))
    headings = [heading for heading, _ in shown]
    if not issues:
        return RulesView(localized_text(game.title, translate), subtitle(seat, names, translate), shown)
    return RulesView(
        localized_text(game.title, translate),
        subtitle(seat, names, translate),
        shown,
        issues,
        headings.index(matters),
        (headings.index(matters), headings.index(ends)),
    )


def _background(game: GameSpec, seat: Seat, translate: Language) -> tuple[str, ...]:
    """Return the background of the seat as one paragraph; nothing without any."""
    sentences = game.briefings.get(seat, NO_BRIEFING).background
    return (" ".join(localized_text(text, translate) for text in sentences),) if sentences else ()


def _issue_reasons(game: GameSpec, seat: Seat, translate: Language) -> tuple[IssueReasons, ...]:
    """Return the reasons for every issue; nothing if there are none at all."""
    briefing = game.briefings.get(seat, NO_BRIEFING)
    if not briefing.reasons:
        return ()
    return tuple(
        IssueReasons(
            localized_text(issue.title, translate),
            worth_in_short(issue, game.preferences[seat], translate),
            " ".join(localized_text(text, translate) for text in briefing.reasons_of(issue.name)),
            issue.picture,
        )
        for issue in game.issues
    )


def _how(names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    others = join_names([*names.values()], translate)
    return (
        translate(
            "Chat with {names}: just type, or choose from Phrases. Messages aren’t binding.",
            names=others,
        ),
        translate("Show how you feel with the faces below the chat."),
        translate(
            "Build an offer at the side; you’ll see what it’s worth to you. An offer is sent only when you "
            "confirm it."
        ),
    )


def _ends(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    mine, limit = game.preferences[seat], game.rules.deadline_seconds
    time = (
        translate("There’s no time limit.")
        if limit is None
        else translate("You have {time}; the clock is at the top.", time=duration_text(limit, translate))
    )
    return (
        _when_a_deal(game, translate),
        *_outvoted(game, translate),
        *_turns(game, seat, names, translate),
        time,
        *no_deal_rules(game, mine, translate),
    )


def _when_a_deal(game: GameSpec, translate: Language) -> str:
    """Return how many have to accept an offer to make it a deal."""
    needed, seats = game.acceptances_needed, len(game.seats)
    if game.rules.acceptance is Acceptance.BOTH_CONFIRM:
        if needed == seats:
            return translate(
                "You have a deal when everyone accepts the same offer – including the person who made it."
            )
        return translate(
            "There’s a deal when {n} of the {all} of you accept the same offer – including the person who "
            "made it.",
            n=needed,
            all=seats,
        )
    if needed == seats:
        return translate(
            "A complete offer commits whoever makes it. You have a deal when everyone else accepts it."
        )
    return translate.plural(
        "A complete offer commits whoever makes it. There’s a deal when one of the others accepts it.",
        "A complete offer commits whoever makes it. There’s a deal when {n} of the others accept it.",
        needed - 1,
    )


def _outvoted(game: GameSpec, translate: Language) -> tuple[str, ...]:
    """Return what a deal means for those who have not accepted it; nothing if there can be none."""
    if game.acceptances_needed == len(game.seats):
        return ()
    if game.rules.outvoted is Outvoted.LEFT_OUT:
        return (
            translate("Whoever hasn’t accepted the deal gets nothing of it, only the points for no deal."),
        )
    return (translate("The deal then counts for everyone, also for those who haven’t accepted it."),)


def _turns(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    if game.rules.turns is Turns.FREE:
        return ()
    order = ", ".join(translate("you") if other == seat else names[other] for other in game.seats)
    return (
        translate(
            "You take turns: {order}. You can make or accept an offer, or walk away, only when it’s your "
            "turn. You can send messages at any time.",
            order=order,
        ),
    )


def _who_sees(game: GameSpec, seat: Seat, translate: Language) -> tuple[str, ...]:
    mine = (
        translate("The other side can see what matters to you.")
        if game.visibility.get(seat) is Visibility.PUBLIC
        else translate("Only you can see what matters to you.")
    )
    drafts = (
        (translate("The other side sees your offer as you build it."),) if game.rules.share_drafts else ()
    )
    seen = [other for other in game.others(seat) if other in game.preferences]
    if seen:
        return mine, translate("You can see what matters to the other side."), *drafts
    return mine, *drafts
