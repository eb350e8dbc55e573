"""How everything works, for participants, without Tk; docs/participant.md says the same."""

from __future__ import annotations

from negoplatform.gui.language import Language
from negoplatform.gui.view import RulesView


def help_view(say: Language) -> RulesView:
    """What whoever sits down for the first time wants to know, whatever the game."""
    sections = (
        (say("What you see"), _places(say)),
        (say("How you talk"), _talk(say)),
        (say("How you make an offer"), _offers(say)),
        (say("How it ends"), _end(say)),
        (say("What is saved, and who sees it"), _saved(say)),
        (say("Keys"), _keys(say)),
    )
    return RulesView(
        say("How this works"), say("All that you need to negotiate at this window, on one page."), sections
    )


def _places(say: Language) -> tuple[str, ...]:
    return (
        say(
            "At the top: the time that is left, what the offer on the table would give you, and what you get "
            "without a deal."
        ),
        say(
            "On the left: who you negotiate with, how they look and what they are doing; what matters to "
            "you; and on which issues you agree so far."
        ),
        say(
            "In the middle: the talk. Offers appear in it as cards; the newest has a frame, and older ones "
            "unfold when you click them."
        ),
        say("On the right: your next offer while you build it, and your result at the end."),
    )


def _talk(say: Language) -> tuple[str, ...]:
    return (
        say(
            "Just type: wherever you are, your words go to the line below the talk. Enter sends them, and "
            "Shift+Enter starts a new line. Phrases has ready-made sentences. Nothing you say in chat is "
            "binding."
        ),
        say("Press a face to show the other side how you feel; beside the faces you choose for how long."),
        say(
            "If your words sound like an offer, the window says what it understood before anything is sent. "
            "Choose Send as offer or Only say it; Escape leads back to your words."
        ),
    )


def _offers(say: Language) -> tuple[str, ...]:
    return (
        say(
            "An offer says who gets what on each issue. Click a column for one item, double-click it for "
            "all, or drag the pieces. You see at once what it’s worth to you."
        ),
        say(
            "Undo takes a step back, Clear begins anew, Start from their offer copies theirs, and Compare "
            "puts both side by side."
        ),
        say("Nothing of it counts until you press Send offer. Your newest offer replaces the one before."),
        say(
            "Counter, on the card of their offer, lets you change it right there. Decline only says no; the "
            "offer stays on the table."
        ),
    )


def _end(say: Language) -> tuple[str, ...]:
    return (
        say(
            "To accept their offer, press Accept on its card or at the bottom right. You’re asked once more, "
            "and you see exactly what you’d get."
        ),
        say(
            "It ends with a deal, when the time is up, or when somebody walks away. Walk away first tells "
            "you what you would get."
        ),
        say("Rules tells you at any time what makes a deal in your game. The clock goes on while you read."),
    )


def _saved(say: Language) -> tuple[str, ...]:
    return (
        say(
            "Everything is saved as it happens: words, faces, offers, when you type and when you build. What "
            "you prepare and do not send is kept too. You stand there under a code, not under your name."
        ),
        say("The experimenter can read all of it."),
        say(
            "The other side sees what you say and send, your faces, and that you are typing or building an "
            "offer. Rules tells you if it sees more."
        ),
        say("If the computer stops, nothing is lost: tell the experimenter, and you go on where you were."),
    )


def _keys(say: Language) -> tuple[str, ...]:
    return (
        say(
            "Tab moves forward, Shift+Tab back; Enter or Space presses what Tab has reached. Escape closes "
            "what's open and leads back to your words."
        ),
        say(
            "In a row that Tab has reached, ← and → choose a column. Enter puts one item there, − takes one "
            "back, and a number sets how many there are. Ctrl+Z undoes what you wrote, or, while the line is "
            "empty, your last change to the offer."
        ),
        say("Ctrl+T shows the talk as text to copy; F1 shows this page."),
        say("At the bottom you make everything larger or smaller, light or dark."),
    )
