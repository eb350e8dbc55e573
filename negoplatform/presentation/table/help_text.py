"""Help page for participants, without Tk; docs/participant.md has the same text."""

from __future__ import annotations

from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.table_view import RulesView
from negoplatform.presentation.table.work_presenter import WorkHelp


def help_view(translate: Language, work: WorkHelp, *, several: bool = False, talks: bool = True) -> RulesView:
    """Return the page for first-time participants; it is the same for every game of a mechanism.

    Args:
        translate: Translation into the window's language.
        work: Sentences of the mechanism.
        several: Whether there are several others.
        talks: Whether there is talk in the game.
    """
    talk = (translate("How you talk"), (*_talk(translate, work, several=several), *work.reading))
    sections = (
        (translate("What you see"), work.places),
        *((talk,) if talks else ()),
        *work.sections,
        (translate("How it ends"), work.ends),
        (translate("What is saved, and who sees it"), _saved(translate, work)),
        (translate("Keys"), _keys(translate, work)),
    )
    return RulesView(
        translate("How this works"), translate("Everything you need to know, on one page."), sections
    )


def _talk(translate: Language, work: WorkHelp, *, several: bool) -> tuple[str, ...]:
    to = translate(
        "To: everyone, above the line, chooses who gets your words; F3 opens it too. Choose one person, "
        "and from then on only they get what you say, until you choose again. Meanwhile the line has "
        "another colour, and every such message has a lock."
    )
    return (
        translate(
            "Just type: wherever you are, your words go to the line below the chat. Enter sends them, "
            "and Shift+Enter starts a new line. Phrases offers ready-made sentences. Messages "
            "aren’t binding."
        ),
        *((f"{to} {work.for_everyone}",) if several else ()),
        translate("Press a face to show the others how you feel; the clock button sets how long it stays.")
        if several
        else translate(
            "Press a face to show the other side how you feel; the clock button sets how long it stays."
        ),
    )


def _saved(translate: Language, work: WorkHelp) -> tuple[str, ...]:
    return (
        work.recorded,
        translate("The experimenter can read all of it."),
        work.seen,
        translate(
            "If the computer stops, nothing is lost. Tell the experimenter, and you’ll carry on where "
            "you left off."
        ),
    )


def _keys(translate: Language, work: WorkHelp) -> tuple[str, ...]:
    return (
        translate(
            "Tab moves forward, and Shift+Tab moves back; Enter or Space presses what you’ve reached. Escape "
            "closes what’s open and takes you back to your words."
        ),
        *work.keys,
        translate("Ctrl+T shows the chat as text you can copy; F1 shows this page."),
        translate("Use the bar at the bottom to change text size and theme."),
    )
