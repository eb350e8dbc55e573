"""Sentences of the rules that a participant may be told, listed for those who collect what is translated.

The rules speak English, in the log too. The window passes what it is told through its language; nothing
imports this list, and what it lacks stays as it is.
"""

from __future__ import annotations

from negoplatform.presentation.i18n import mark

REASONS = (
    mark("Time is up."),
    mark("There’s nothing to send yet. Type something first."),
    mark("That message contains characters that can’t be saved."),
    mark("The game hasn’t started yet."),
    mark("The session is over."),
    mark("The game is over."),
    mark("The game is over, and you’ve already sent your last message."),
    mark("There’s no offer on the table yet."),
    mark("That offer is no longer on the table."),
    mark("That offer leaves something undecided, so it cannot be accepted yet."),
    mark("You’ve already accepted this offer."),
    mark("The participant closed the window."),
    mark("The other side can’t continue."),
    mark("Something went wrong in this game’s rules, so nothing was changed."),
    mark("The session had to stop because of an error in the program. Everything so far is saved."),
)
