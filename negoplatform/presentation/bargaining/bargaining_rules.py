"""Sentences of bargaining on the page of rules, computed without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.agreement_rules import Outvoted, Turns
from negoplatform.domain.briefing import NO_BRIEFING
from negoplatform.domain.game import LAST_ANSWER_SECONDS, Acceptance, GameSpec, Visibility
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names, localized_text
from negoplatform.presentation.offers.issue_valuation_texts import worth_in_short
from negoplatform.presentation.offers.offer_valuation import no_deal_rules
from negoplatform.presentation.table.who_sees_text import preferences_sentence, sentences_about_principals
from negoplatform.presentation.table.work_presenter import IssueReasons, WorkRules
from negoplatform.presentation.time_and_points_text import duration_text


def bargaining_rules(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> WorkRules:
    """Return the sentences of bargaining on the page of rules.

    Args:
        game: The game, as visible to the seat.
        seat: Seat of the participant.
        names: Display names of the other seats.
        translate: Translation into the window's language.
    """
    return WorkRules(
        how=(_how(names, translate),),
        ends_when=(
            _when_a_deal(game, translate),
            *_outvoted(game, translate),
            *_turns(game, seat, names, translate),
            *_offer_limit(game, names, translate),
        ),
        without=no_deal_rules(game, game.preferences[seat], translate),
        who_sees=_who_sees(game, seat, names, translate),
        issues=_issue_reasons(game, seat, translate),
    )


def _how(names: Mapping[Seat, str], translate: Language) -> str:
    if len(names) > 1:
        return translate(
            "Build an offer at the side; you’ll see what it’s worth to you. An offer is sent only when "
            "you confirm it, and always to everyone."
        )
    return translate(
        "Build an offer at the side; you’ll see what it’s worth to you. An offer is sent only when you "
        "confirm it."
    )


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
            "You take turns: {order}. You can make or accept an offer only when it’s your turn. You can send "
            "messages, or walk away, at any time.",
            order=order,
        ),
    )


def _offer_limit(game: GameSpec, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    """Return how many offers can be made; nothing without a limit."""
    count = game.rules.deadline_offers
    if count is None:
        return ()
    if len(names) > 1:
        limit = translate.plural(
            "{n} offer can be made, by all of you together.",
            "{n} offers can be made, by all of you together.",
            count,
        )
    else:
        limit = translate.plural(
            "{n} offer can be made, by both of you together.",
            "{n} offers can be made, by both of you together.",
            count,
        )
    return (f"{limit} {last_answer(translate)}",)


def last_answer(translate: Language) -> str:
    """Return what happens after the last offer of a game with a number of offers."""
    answer = duration_text(LAST_ANSWER_SECONDS, translate)
    return translate(
        "The last one can be accepted for {time}; then the game ends without a deal.", time=answer
    )


def _who_sees(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    public = game.visibility.get(seat) is Visibility.PUBLIC
    seen = [other for other in game.others(seat) if other in game.preferences]
    if len(names) > 1:
        return _who_of_several_sees(game, seat, names, seen, translate)
    mine = (
        translate("The other side can see what matters to you.")
        if public
        else preferences_sentence(game, seat, translate)
    )
    drafts: tuple[str, ...] = (
        (translate("The other side sees your offer as you build it."),) if game.rules.share_drafts else ()
    )
    drafts += sentences_about_principals(game, seat, names, translate)
    if seen:
        return mine, translate("You can see what matters to the other side."), *drafts
    return mine, *drafts


def _who_of_several_sees(
    game: GameSpec, seat: Seat, names: Mapping[Seat, str], seen: list[Seat], translate: Language
) -> tuple[str, ...]:
    """Return who sees what among several; ``seen``: the others whose preferences are visible."""
    sentences = [
        translate("The others can see what matters to you.")
        if game.visibility.get(seat) is Visibility.PUBLIC
        else preferences_sentence(game, seat, translate)
    ]
    if seen:
        known = join_names([names[other] for other in seen], translate)
        sentences.append(translate("You can see what matters to {names}.", names=known))
    if game.rules.share_drafts:
        sentences.append(translate("The others see your offer as you build it."))
    return (*sentences, *sentences_about_principals(game, seat, names, translate))
