"""What a participant is asked before something binds or ends: the words, computed without Tk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from negoplatform.domain.utility import Points
from negoplatform.presentation.dialog_text import Question
from negoplatform.presentation.formatting import date_text, drawable, points_text, short, shown
from negoplatform.presentation.i18n import Language

if TYPE_CHECKING:
    from negoplatform.app.session.unfinished_sessions import Unfinished
    from negoplatform.presentation.bargaining.offer_builder_view import AcceptView


def leave_question(say: Language) -> Question:
    """Closing the window in a running game."""
    return Question(
        title=say("Close the window?"),
        text=say(
            "The negotiation is still running. If you close the window, it ends now, without a result. "
            "Everything so far is saved."
        ),
        yes=say("Close and end"),
        no=say("Keep negotiating"),
        style="Danger.TButton",
    )


def leave_before_question(say: Language) -> Question:
    """Leaving the rules, before the clock has started."""
    return Question(
        title=say("Leave before it starts?"),
        text=say("The clock hasn’t started, and nothing has been recorded."),
        yes=say("Leave"),
        no=say("Stay"),
    )


def leave_paused_question(say: Language) -> Question:
    """Closing the window while a failure is dealt with."""
    return Question(
        title=say("Close the window?"),
        text=say(
            "The negotiation is paused. Closing the window now doesn’t end it: it can be resumed the "
            "next time the program is opened."
        ),
        yes=say("Close"),
        no=say("Wait"),
        style="Danger.TButton",
    )


def leave_resuming_question(say: Language) -> Question:
    """Closing the window before an interrupted game goes on."""
    return Question(
        title=say("Close the window?"),
        text=say(
            "The negotiation is still being resumed. Closing the window now doesn’t end it: it can be "
            "resumed the next time the program is opened."
        ),
        yes=say("Close"),
        no=say("Wait"),
        style="Danger.TButton",
    )


def accept_question(accept: AcceptView, say: Language) -> Question:
    """Exactly what would bind, with a warning where no deal would pay more."""
    title = say("Finalise the deal?") if accept.own else say("Accept this offer?")
    yes = say("Finalise") if accept.own else say("Accept")
    return _commitment(accept, title, yes, "Accept.TButton", say)


def binding_question(offer: AcceptView, say: Language) -> Question:
    """The same before an offer is sent that binds its maker."""
    return _commitment(offer, say("Send a binding offer?"), offer.text, "Primary.TButton", say)


def _commitment(what: AcceptView, title: str, yes: str, style: str, say: Language) -> Question:
    points = points_text(what.points, say)
    warning = worse_text(what, say) if what.worse_than_no_deal else ""
    return Question(
        title=title,
        text=" ".join((say("You’d get {points}.", points=points), what.hint)),
        yes=yes,
        no=say("Go back"),
        rows=what.rows,
        warning=warning,
        style="Danger.TButton" if warning else style,
    )


def worse_text(what: AcceptView, say: Language) -> str:
    """The warning where no deal would pay more."""
    return say(
        "That’s worse for you than no deal: you’d get {points} instead of {no_deal}.",
        points=points_text(what.points, say),
        no_deal=points_text(what.no_deal, say),
    )


def walk_away_question(pays: Points, say: Language) -> Question:
    """What walking away would pay."""
    return Question(
        title=say("Walk away?"),
        text=say(
            "This ends the negotiation for both of you. You’d get {points}.", points=points_text(pays, say)
        ),
        yes=say("Walk away"),
        no=say("Keep negotiating"),
        style="Danger.TButton",
    )


def close_question(participant: str, say: Language) -> Question:
    """What the experimenter is asked before an unfinished session is ended."""
    if participant:
        text = say(
            "The session of {participant} will end without a result and can’t be resumed. Everything "
            "recorded so far is kept.",
            participant=drawable(participant),
        )
    else:
        text = say(
            "The session will end without a result and can’t be resumed. Everything recorded so far is kept."
        )
    return Question(
        title=say("Close it without a result?"),
        text=text,
        yes=say("Close without a result"),
        no=say("Go back"),
        style="Danger.TButton",
    )


def anew_question(left: Unfinished, say: Language) -> Question:
    """What the experimenter is asked before somebody begins anew who could go on with a session."""
    return Question(
        title=say("Start a new session?"),
        text=say(
            "{participant} has an unfinished session: {game}, last event on {day} at {time}. It stays "
            "as it is, and we’ll ask again next time you open the program.",
            participant=drawable(left.participant),
            game=short(shown(left.game, say.of_game(left.game_name)), 60),
            day=date_text(left.last_event_at, say),
            time=f"{left.last_event_at:%H:%M:%S}",
        ),
        yes=say("Start a new one"),
        no=say("Go back"),
    )
