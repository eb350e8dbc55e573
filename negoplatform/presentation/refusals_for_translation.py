"""Refusals of the rules that a participant may see, in the window's language.

Refusals are in English, also in the log. The window translates them when it shows them; a sentence that is
missing here stays English.
"""

from __future__ import annotations

import re
from functools import cache

from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.localized_names import displayable

REFUSAL_MESSAGES = (
    gettext_noop("Time is up."),
    gettext_noop("There’s nothing to send yet. Type something first."),
    gettext_noop("That message contains characters that can’t be saved."),
    gettext_noop("The game hasn’t started yet."),
    gettext_noop("There is no talk in this game."),
    gettext_noop("The session is over."),
    gettext_noop("The game is over."),
    gettext_noop("The game is over, and you’ve already sent your last message."),
    gettext_noop("There’s no offer on the table yet."),
    gettext_noop("That offer is no longer on the table."),
    gettext_noop("That offer leaves something undecided, so it cannot be accepted yet."),
    gettext_noop("You’ve already accepted this offer."),
    gettext_noop("It’s not your turn yet. You can send messages at any time."),
    gettext_noop("No offers are left in this game. The last one can only be accepted or left."),
    gettext_noop("You’ve left the market."),
    gettext_noop("That proposal is no longer open."),
    gettext_noop("What this proposal answers is not open."),
    gettext_noop("What this proposal answers belongs to another dialogue."),
    gettext_noop("Both of you have already accepted that proposal."),
    gettext_noop("This transaction has already been settled; a new one needs a new id."),
    gettext_noop("Too many of your transactions are waiting; wait until some are settled."),
    gettext_noop("The market is closed now."),
    gettext_noop("That order is no longer in the book."),
    gettext_noop("You would trade with yourself; cancel your own order first."),
    gettext_noop("You already have an order in the book; cancel it first."),
    gettext_noop("Nobody sells at this price now."),
    gettext_noop("Nobody buys at this price now."),
    gettext_noop("There is nothing for you to decide now."),
    gettext_noop("You’ve already decided; the others are still deciding."),
    gettext_noop("The participant closed the window."),
    gettext_noop("The other side can’t continue."),
    gettext_noop("Something went wrong in this game’s rules, so nothing was changed."),
    gettext_noop("The session had to stop because of an error in the program. Everything so far is saved."),
    gettext_noop("This visit is over."),
    gettext_noop("This part is not finished yet."),
    gettext_noop("Please tick every statement, or choose “I do not agree”."),
    gettext_noop("Please type your code."),
    gettext_noop("Please type the word."),
    gettext_noop("These answers have already been checked. Please change one first."),
    gettext_noop("Please look at the marked questions."),
    gettext_noop("Please answer every question."),
    gettext_noop("Please choose one of these."),
    gettext_noop("Please call the experimenter."),
    gettext_noop("Please finish the other program first."),
    gettext_noop("That is not the word from the end of the other page. Please check it."),
    gettext_noop("A participant code has 1 to 40 letters, digits, - or _, such as P01."),
    gettext_noop("There is no such code. Please check it, or call the experimenter."),
    gettext_noop("This code has already been used, at {time}. Please call the experimenter."),
    gettext_noop("This code has already been used, on {computer} at {time}. Please call the experimenter."),
    gettext_noop("This code is in use in another window right now. Please call the experimenter."),
    gettext_noop("This code was used in another window just now. Please call the experimenter."),
    gettext_noop("A visit of the code {code} cannot be read ({reason}). Please call the experimenter."),
    gettext_noop("The connection was lost for too long, so this was not sent; decide again."),
    gettext_noop("This was meant for a session that has ended, or was interrupted, so it was not sent."),
    gettext_noop("Too much is already waiting for the connection, so this was not sent."),
    gettext_noop("This is too long to be sent; shorten it."),
    gettext_noop("This could not be sent because of an error in this program."),
    gettext_noop("Another window has joined with this code, so this one is not connected."),
    gettext_noop("The host has ended."),
    gettext_noop(
        "The host closed the connection, because this window sent something that its role does not allow."
    ),
    gettext_noop("The host closed the connection because of an error in its program."),
    gettext_noop("The host closed the connection, because this window was too slow."),
    gettext_noop("The host does not answer any more."),
    gettext_noop("The connection to the host is lost."),
    gettext_noop("The host sent a line that cannot be read."),
    gettext_noop("The connection ended because of an error in this program."),
    gettext_noop("The connection was lost for too long, so an agent has taken your seat."),
    gettext_noop("A connection was lost for too long."),
)

REFUSALS_WITH_VALUES = (
    (
        "You don’t have that much to sell; you have {units}.",
        gettext_noop("You don’t have that much to sell."),
    ),
    (
        "You don’t have enough money: this costs {cost}, and you have {money}.",
        gettext_noop("You don’t have enough money for this."),
    ),
    (
        "You don’t have enough free money: {money} is not in orders yet.",
        gettext_noop("You don’t have enough money for this."),
    ),
    (
        "You don’t have that many free units to sell: {n} are left.",
        gettext_noop("You don’t have that much to sell."),
    ),
    ("{name} has left the market.", gettext_noop("{name} has left the market.")),
    ("{name} has to accept your proposal first.", gettext_noop("{name} has to accept your proposal first.")),
    (
        "You’ve already accepted that proposal; it waits for {name}.",
        gettext_noop("You’ve already accepted that proposal; it waits for {name}."),
    ),
    (
        "You’ve already submitted this transaction; it waits for {name}.",
        gettext_noop("You’ve already submitted this transaction; it waits for {name}."),
    ),
    (
        "That proposal is between you and {name}.",
        gettext_noop("That proposal is between you and {name}."),
    ),
    *(
        (sentence, sentence)
        for sentence in (
            gettext_noop("The host at {where} does not accept this code for the role {role}."),
            gettext_noop("The host at {where} does not accept this code."),
            gettext_noop(
                "There are several roles called {role} in this session; name the seat as well, such as "
                "{name}."
            ),
            gettext_noop(
                "Wrong codes were sent from this computer’s address, so the host at {where} checks the next "
                "one in {s} s."
            ),
            gettext_noop(
                "The code has the character {char}, which no code has; codes consist of letters "
                "except I, L and O, and of digits except 0 and 1."
            ),
            gettext_noop("The code has {n} characters, but a code has {all}; copy it from the host."),
            gettext_noop("{text} is not an address; write HOST, HOST:PORT or [IPV6]:PORT."),
            gettext_noop("The port of {text} is not a number from 1 to 65535."),
            gettext_noop("{where} cannot be reached ({reason}); check the address and the network."),
            gettext_noop("The host at {where} has no record of this window any more."),
            gettext_noop(
                "The program at {where} does not have this code, so it is not the host that issued it."
            ),
            gettext_noop("The program at {where} does not answer like a host; check the port."),
            gettext_noop("The host at {where} closed the connection."),
            gettext_noop("The host at {where} could not read the first lines of this window."),
            gettext_noop(
                "The host at {where} is newer ({theirs}) than this program ({ours}); update this program."
            ),
            gettext_noop(
                "The host at {where} is older ({theirs}) than this program ({ours}); update the host."
            ),
            gettext_noop("No program listens at {where}; start the host first, and check the address."),
            gettext_noop("{where} does not answer; check the address, the network and the firewall."),
            gettext_noop("The computer {name} was not found; check its name, or use its IP address."),
            gettext_noop("The program at {where} is not a host of NegoPlatform; check the port."),
        )
    ),
)
"""Refusals with values: as the rules word them, and as the window does, with the same or fewer values."""


def localized_refusal(reason: str, translate: Language) -> str:
    """Return a refusal of the rules in the window's language; unchanged if it is none that is listed."""
    # The rules write amounts in English, so only English shows them.
    for rule, shown in REFUSALS_WITH_VALUES if translate.code != "en" else ():
        found = _pattern(rule).fullmatch(reason)
        if found is not None:
            return displayable(translate(shown, **found.groupdict()))
    return displayable(translate(reason))


@cache
def _pattern(rule: str) -> re.Pattern[str]:
    """Return the expression that a refusal matches, with a group for each of its values."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(rule)), re.DOTALL)
