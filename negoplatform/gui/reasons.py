"""Sentences of the rules that a participant may be told, listed for those who collect what is translated.

The rules speak English, in the log too. The window passes what it is told through its language; nothing
imports this list, and what it lacks stays as it is.
"""

from __future__ import annotations

from negoplatform.gui.language import mark

REASONS = (
    mark("The time is up."),
    mark("There is nothing to send yet; write something first."),
    mark("That message holds characters that cannot be kept."),
    mark("The game has not started yet."),
    mark("The session is over."),
    mark("The game is over."),
    mark("The game is over, and you have already said goodbye."),
    mark("There is no offer on the table yet."),
    mark("That offer is no longer on the table."),
    mark("That offer leaves something undecided, so it cannot be accepted yet."),
    mark("You have already accepted this offer."),
    mark("The participant closed the window."),
    mark("The other side cannot go on."),
    mark("The rules of this game failed on that, so nothing was changed."),
    mark("The session had to stop because of an error in the program; what was said is kept."),
)
