"""Sentences about trading on the pages of rules and help, and the phrases of its menu; without Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.events import MessageSubtype as M
from negoplatform.core.mechanisms.trading_state import Tape, trading_terms
from negoplatform.domain.game import GameSpec, Rules, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.worth import LogWorth
from negoplatform.presentation.chat.phrases import Phrase, PhraseGroup, common_groups
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.who_sees_text import goods_sentences, sentences_about_principals
from negoplatform.presentation.table.work_presenter import USUAL_RULES, WorkHelp, WorkRules
from negoplatform.presentation.time_and_points_text import duration_text
from negoplatform.presentation.trading.money_texts import good_title, money_text, score_text


def trading_rules(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> WorkRules:
    """Return the sentences of trading on the page of rules.

    Args:
        game: The game, as visible to the seat.
        seat: Seat of the participant.
        names: Displayed names of the other seats.
        translate: Translation into the window's language.
    """
    terms, currency = trading_terms(game), economy_of(game).currency
    how = [
        translate(
            "Buy and sell at the side: choose what, how many and for how much, and propose it. The ticket "
            "shows at once what it would do to your score."
        ),
        translate(
            "A trade takes place when both of you have confirmed the same proposal. Until then nothing is "
            "binding. A confirmation waits {time} for the other side.",
            time=duration_text(terms.request_expires_seconds, translate),
        ),
    ]
    if terms.fee:
        fee = money_text(currency.from_number(terms.fee), currency, translate)
        how.append(translate("Each trade costs {fee}; buyer and seller pay half each.", fee=fee))
    return WorkRules(
        how=tuple(how),
        ends_when=(_ends(names, translate),),
        without=(
            translate("Your score at the end counts: your money and what your goods are worth to you."),
        ),
        who_sees=_who_sees(game, seat, names, translate),
        matters=_matters(game, seat, translate),
    )


def _ends(names: Mapping[Seat, str], translate: Language) -> str:
    if len(names) > 1:
        return translate("You can trade until time is up. Whoever leaves early keeps what they have.")
    return translate("You can trade until time is up, or until one of you leaves.")


def _matters(game: GameSpec, seat: Seat, translate: Language) -> tuple[str, ...]:
    """Return what a seat begins with, and what its goods are worth to it."""
    economy = economy_of(game)
    endowment, worth = economy.endowments.get(seat), economy.worths.get(seat)
    if endowment is None or worth is None:
        return ()
    currency = economy.currency
    sentences = [
        translate("You begin with {money}.", money=money_text(endowment.money, currency, translate)),
    ]
    for index, good in enumerate(economy.goods):
        units = list(endowment.units)
        base = worth.of(tuple(units))
        units[index] += 1
        more = currency.to_number(float(worth.of(tuple(units)) - base))
        sentences.append(
            translate(
                "{good}: you have {n}; one more is worth {worth} to you.",
                good=good_title(good, translate),
                n=endowment.units[index],
                worth=score_text(more, currency, translate),
            )
        )
    if isinstance(worth, LogWorth) and not worth.shift and min(worth.parameters) > 0:
        least = currency.to_number(-worth.floor * min(worth.parameters))
        sentences.append(
            translate(
                "Keep at least one of each good: having none of one takes {points} or more from your score.",
                points=score_text(least, currency, translate),
            )
        )
    start = currency.to_number(float(endowment.money + worth.of(endowment.units)))
    sentences.append(
        translate("Your score at the start: {score}.", score=score_text(start, currency, translate))
    )
    return tuple(sentences)


def _who_sees(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> tuple[str, ...]:
    several = len(names) > 1
    sentences = goods_sentences(game, seat, translate)
    if several:
        sentences.append(translate("A proposal is seen by the two that it is between."))
        sentences.append(
            translate("Everyone sees which trades take place.")
            if trading_terms(game).tape is Tape.PUBLIC
            else translate("A trade is seen by its buyer and its seller.")
        )
    return (*sentences, *sentences_about_principals(game, seat, names, translate))


def trading_help(translate: Language, *, several: bool = False, rules: Rules = USUAL_RULES) -> WorkHelp:
    """Return the sentences of trading on the help page.

    ``several``: whether there are several others; ``rules``: the game's.
    """
    talks = rules.talk
    return WorkHelp(
        places=(
            translate(
                "At the top: the time left, your score, and what the trade on your ticket would make of it."
            ),
            translate(
                "On the left: the others, your money and your goods. Next is what one more unit would add to "
                "your score, last what one unit less would take from it. Having none of a good can cost "
                "more than any price makes up for."
            ),
            _middle(translate, several=several, talks=talks),
            translate("On the right: your trade ticket and the trades that wait for the other side."),
        ),
        reading=(
            translate(
                "What you write is sent when you press Enter, word for word. Proposals are made with the "
                "ticket alone."
            ),
        ),
        sections=((translate("How you trade"), _how_to_trade(translate)),),
        ends=(
            translate(
                "It ends when time is up. Leave the game ends it early for you: you keep what you have then."
            ),
            translate("Your score at the end counts: your money and what your goods are worth to you."),
        ),
        recorded=translate(
            "Everything is saved as it happens: messages, faces, proposals, answers and trades. Drafts you "
            "don’t send are saved too. You’re identified by a code, not your name."
        )
        if talks
        else translate(
            "Everything is saved as it happens: proposals, answers and trades. Drafts you don’t send are "
            "saved too. You’re identified by a code, not your name."
        ),
        for_everyone=translate("Proposals are for one person; faces are always for everyone."),
        seen=translate(
            "The others see your messages, the proposals that you make to them, the faces you show, and when "
            "you’re typing. Rules tells you if they see more."
        )
        if talks
        else translate(
            "The others see the proposals that you make to them. Rules tells you if they see more."
        ),
        keys=(
            translate(
                "On the ticket, ↑ and ↓ change a number of units or the price; Enter proposes. On a card, "
                "Tab reaches Accept, Counter and Decline."
            ),
        ),
    )


def _middle(translate: Language, *, several: bool, talks: bool) -> str:
    """Return what is in the middle of the window."""
    if not talks:
        return translate("In the middle: proposals as cards, and what has happened below.")
    if several:
        return translate(
            "In the middle: proposals as cards, with a tab for each of the others, and the chat below."
        )
    return translate("In the middle: proposals as cards, and the chat below.")


def _how_to_trade(translate: Language) -> tuple[str, ...]:
    return (
        translate(
            "Choose I buy or I sell, the goods and a price for all of them together. Propose sends it; Ask "
            "for an offer only says what you’re looking for."
        ),
        translate(
            "A card shows what its trade would do to your score. Accept takes the proposal and confirms it; "
            "the trade takes place once the other side has confirmed it too. If they accept yours, "
            "press Confirm trade."
        ),
        translate(
            "Counter copies a proposal to the ticket, where you can change it; yours then takes its place. "
            "Decline says no. Withdraw takes your own proposal back."
        ),
        translate("You’re asked once more before a trade that lowers your score."),
    )


def trading_phrases(translate: Language) -> tuple[PhraseGroup, ...]:
    """Return the phrases of a trading game."""
    looking = PhraseGroup(
        "looking",
        translate("What you need"),
        (
            Phrase(translate("What are you looking for?"), M.PREF_REQUEST),
            Phrase(translate("What do you have to sell?"), M.PREF_REQUEST),
            Phrase(translate("What would you sell? Please make me an offer."), M.OFFER_REQUEST_POS),
            Phrase(translate("What would you buy? Please make me an offer."), M.OFFER_REQUEST_POS),
        ),
    )
    price = PhraseGroup(
        "price",
        translate("Price"),
        (
            Phrase(translate("That’s too expensive for me."), M.OFFER_REJECT),
            Phrase(translate("That’s too little for me."), M.OFFER_REJECT),
            Phrase(translate("Could you meet me halfway?"), M.OFFER_REQUEST_POS),
            Phrase(translate("I’m sending you a better proposal."), M.OFFER_PROPOSE),
            Phrase(translate("Please confirm our trade."), M.TIMING),
        ),
    )
    return (looking, price, *common_groups(translate, trades=True))
