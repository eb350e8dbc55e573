"""Sentences of bargaining on the help page for participants, without Tk."""

from __future__ import annotations

from negoplatform.domain.game import Rules
from negoplatform.presentation.bargaining.bargaining_rules import last_answer
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.work_presenter import USUAL_RULES, WorkHelp


def bargaining_help(translate: Language, *, several: bool = False, rules: Rules = USUAL_RULES) -> WorkHelp:
    """Return the sentences; ``several``: whether there are several others; ``rules``: the game's."""
    talks = rules.talk
    return WorkHelp(
        places=_places(translate, several=several, talks=talks),
        reading=_reading(translate),
        sections=((translate("How you make an offer"), _offers(translate, several=several, talks=talks)),),
        ends=_end(translate, several=several, limited=rules.deadline_offers is not None),
        recorded=translate(
            "Everything is saved as it happens: messages, faces, offers, and when you type or build an "
            "offer. Drafts you don’t send are saved too. You’re identified by a code, not your name."
        )
        if talks
        else translate(
            "Everything is saved as it happens: offers, and when you build one. Drafts you don’t send are "
            "saved too. You’re identified by a code, not your name."
        ),
        for_everyone=translate("Offers, acceptances and faces are always for everyone."),
        seen=_seen(translate, several=several, talks=talks),
        keys=(
            translate(
                "In a row you’ve reached with Tab, ← and → choose a column. Enter puts one item there, − "
                "takes one back, and a number sets how many. Ctrl+Z undoes what you typed or, if the line "
                "is empty, your last change to the offer."
            ),
        ),
    )


def _seen(translate: Language, *, several: bool, talks: bool) -> str:
    if not talks:
        return (
            translate(
                "The others see your offers, and when you’re building one. Rules tells you if they see more."
            )
            if several
            else translate(
                "The other side sees your offers, and when you’re building one. Rules tells you if they see "
                "more."
            )
        )
    return (
        translate(
            "The others see your offers, the faces you show, when you’re typing or building an offer, and "
            "every message except those that you send to one person alone. Rules tells you if they see more."
        )
        if several
        else translate(
            "The other side sees your messages and offers, the faces you show, and when you’re typing "
            "or building an offer. Rules tells you if they see more."
        )
    )


def _places(translate: Language, *, several: bool, talks: bool) -> tuple[str, ...]:
    return (
        translate(
            "At the top: the time left, what the offer on the table would give you, and what you’d get "
            "with no deal."
        ),
        translate(
            "On the left: who you’re negotiating with, how they look and what they’re doing, and a tick "
            "at those who have accepted the offer on the table; what matters to you; and what you’ve all "
            "agreed on so far. Everyone has a mark of their own, which is also at what they say."
        )
        if several
        else translate(
            "On the left: who you’re negotiating with, how they look and what they’re doing; what "
            "matters to you; and what you’ve agreed on so far."
        ),
        translate(
            "In the middle: the chat. Offers appear in it as cards; the newest has a frame, and older "
            "ones open when you click them."
        )
        if talks
        else translate(
            "In the middle: the offers, as cards. The newest has a frame, and older ones open when you "
            "click them."
        ),
        translate("On the right: your next offer while you build it, and your result at the end."),
    )


def _reading(translate: Language) -> tuple[str, ...]:
    return (
        translate(
            "If your words are clearly an offer, you’ll see how the program understands them before "
            "anything is sent. Correct that there if you like, then choose Send as offer or Just send as "
            "a message, or press Escape to go back to your words. Words that may or may not be an offer are "
            "sent as a message at once, and you’re asked about them afterwards."
        ),
    )


def _offers(translate: Language, *, several: bool, talks: bool) -> tuple[str, ...]:
    return (
        translate(
            "An offer says who gets what on each issue. Click a column for one item, double-click it for "
            "all, or drag the pieces. You see at once what it’s worth to you."
        ),
        translate(
            "Undo takes a step back, Clear starts over, Start from … offer copies the offer on the table, "
            "and Compare puts yours and that one side by side."
        )
        if several
        else translate(
            "Undo takes a step back, Clear starts over, Start from their offer copies theirs, and "
            "Compare puts yours and theirs side by side."
        ),
        *((_requests(translate, several=several),) if talks else ()),
        translate("An offer is sent only when you confirm it. Your newest offer replaces your previous one."),
        _counter(translate, several=several, talks=talks),
    )


def _requests(translate: Language, *, several: bool) -> str:
    return (
        translate(
            "What would you give me for this? asks the others what you’d get in return for what you’ve put "
            "together so far. Make this fairer asks for a better version of the offer on the table. Both "
            "send a message to whoever gets your words, and no offer; your game may leave them out."
        )
        if several
        else translate(
            "What would you give me for this? asks the other side what you’d get in return for what "
            "you’ve put together so far. Make this fairer asks for a better version of the offer on "
            "the table. Both send a message and no offer, and your game may leave them out."
        )
    )


def _counter(translate: Language, *, several: bool, talks: bool) -> str:
    if not talks:
        # Decline is a message.
        return (
            translate("Counter, on the card of another’s offer, lets you change it right there.")
            if several
            else translate("Counter, on the card of their offer, lets you change it right there.")
        )
    return (
        translate(
            "Counter, on the card of another’s offer, lets you change it right there. Decline only says "
            "no, to everyone; the offer stays on the table."
        )
        if several
        else translate(
            "Counter, on the card of their offer, lets you change it right there. Decline only says no; the "
            "offer stays on the table."
        )
    )


def _end(translate: Language, *, several: bool, limited: bool) -> tuple[str, ...]:
    return (
        translate(
            "To accept an offer, press Accept on its card or at the bottom right. You’re asked once more, "
            "and you see exactly what you’d get. Below the button you see who has accepted it already."
        )
        if several
        else translate(
            "To accept their offer, press Accept on its card or at the bottom right. You’re asked once more, "
            "and you see exactly what you’d get."
        ),
        translate(
            "It ends for everyone when there’s a deal, when time is up, or when anyone walks away. Walk "
            "away first shows you what you’d get."
        )
        if several
        else translate(
            "It ends when there’s a deal, when time is up, or when one side walks away. Walk away "
            "first shows you what you’d get."
        ),
        *((_offer_limit(translate),) if limited else ()),
        translate(
            "Rules tells you at any time how to reach a deal in your game. The clock keeps running "
            "while you read."
        ),
    )


def _offer_limit(translate: Language) -> str:
    limit = translate("The number of offers is limited as well; at the top you see how many are left.")
    return f"{limit} {last_answer(translate)}"
