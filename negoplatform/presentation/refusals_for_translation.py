"""Refusals of the rules that a participant may see, listed for the translation catalogues.

Refusals are in English, also in the log. The window translates them when it shows them; no module imports
this list, and a sentence missing here stays English.
"""

from __future__ import annotations

from negoplatform.presentation.i18n import gettext_noop

REFUSAL_MESSAGES = (
    gettext_noop("Time is up."),
    gettext_noop("There’s nothing to send yet. Type something first."),
    gettext_noop("That message contains characters that can’t be saved."),
    gettext_noop("The game hasn’t started yet."),
    gettext_noop("The session is over."),
    gettext_noop("The game is over."),
    gettext_noop("The game is over, and you’ve already sent your last message."),
    gettext_noop("There’s no offer on the table yet."),
    gettext_noop("That offer is no longer on the table."),
    gettext_noop("That offer leaves something undecided, so it cannot be accepted yet."),
    gettext_noop("You’ve already accepted this offer."),
    gettext_noop("It’s not your turn yet. You can send messages at any time."),
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
    gettext_noop("This code was used in another window just now. Please call the experimenter."),
    gettext_noop("A visit of the code {code} cannot be read ({reason}). Please call the experimenter."),
)
