"""What a participant is asked before something binds or ends: the words, computed without Tk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from negoplatform.domain.utility import Points
from negoplatform.presentation.dialog_text import ConfirmationQuestion
from negoplatform.presentation.formatting import date_text, displayable, localized_text, points_text, truncate
from negoplatform.presentation.i18n import Language

if TYPE_CHECKING:
    from negoplatform.app.session.unfinished_sessions import UnfinishedSession
    from negoplatform.presentation.bargaining.offer_builder_view import AcceptView


def leave_question(say: Language) -> ConfirmationQuestion:
    """Closing the window in a running game."""
    return ConfirmationQuestion(
        title=say("Close the window?"),
        text=say(
            "The negotiation is still running. If you close the window, it ends now, without a result. "
            "Everything so far is saved."
        ),
        yes_label=say("Close and end"),
        no_label=say("Keep negotiating"),
        style="Danger.TButton",
    )


def leave_before_question(say: Language) -> ConfirmationQuestion:
    """Leaving the rules, before the clock has started."""
    return ConfirmationQuestion(
        title=say("Leave before it starts?"),
        text=say("The clock hasn’t started, and nothing has been recorded."),
        yes_label=say("Leave"),
        no_label=say("Stay"),
    )


def leave_paused_question(say: Language) -> ConfirmationQuestion:
    """Closing the window while a failure is dealt with."""
    return ConfirmationQuestion(
        title=say("Close the window?"),
        text=say(
            "The negotiation is paused. Closing the window now doesn’t end it: it can be resumed the "
            "next time the program is opened."
        ),
        yes_label=say("Close"),
        no_label=say("Wait"),
        style="Danger.TButton",
    )


def leave_resuming_question(say: Language) -> ConfirmationQuestion:
    """Closing the window before an interrupted game goes on."""
    return ConfirmationQuestion(
        title=say("Close the window?"),
        text=say(
            "The negotiation is still being resumed. Closing the window now doesn’t end it: it can be "
            "resumed the next time the program is opened."
        ),
        yes_label=say("Close"),
        no_label=say("Wait"),
        style="Danger.TButton",
    )


def accept_question(accept: AcceptView, say: Language) -> ConfirmationQuestion:
    """Exactly what would bind, with a warning where no deal would pay more."""
    title = say("Finalise the deal?") if accept.is_own else say("Accept this offer?")
    yes = say("Finalise") if accept.is_own else say("Accept")
    return _commitment(accept, title, yes, "Accept.TButton", say)


def binding_question(offer: AcceptView, say: Language) -> ConfirmationQuestion:
    """The same before an offer is sent that binds its maker."""
    return _commitment(offer, say("Send a binding offer?"), offer.text, "Primary.TButton", say)


def _commitment(what: AcceptView, title: str, yes: str, style: str, say: Language) -> ConfirmationQuestion:
    points = points_text(what.points, say)
    warning = worse_than_no_deal_text(what, say) if what.worse_than_no_deal else ""
    return ConfirmationQuestion(
        title=title,
        text=" ".join((say("You’d get {points}.", points=points), what.hint)),
        yes_label=yes,
        no_label=say("Go back"),
        rows=what.rows,
        warning=warning,
        style="Danger.TButton" if warning else style,
    )


def worse_than_no_deal_text(what: AcceptView, say: Language) -> str:
    """The warning where no deal would pay more."""
    return say(
        "That’s worse for you than no deal: you’d get {points} instead of {no_deal}.",
        points=points_text(what.points, say),
        no_deal=points_text(what.no_deal, say),
    )


def walk_away_question(pays: Points, say: Language) -> ConfirmationQuestion:
    """What walking away would pay."""
    return ConfirmationQuestion(
        title=say("Walk away?"),
        text=say(
            "This ends the negotiation for both of you. You’d get {points}.", points=points_text(pays, say)
        ),
        yes_label=say("Walk away"),
        no_label=say("Keep negotiating"),
        style="Danger.TButton",
    )


def close_question(participant: str, say: Language) -> ConfirmationQuestion:
    """What the experimenter is asked before an unfinished session is ended."""
    if participant:
        text = say(
            "The session of {participant} will end without a result and can’t be resumed. Everything "
            "recorded so far is kept.",
            participant=displayable(participant),
        )
    else:
        text = say(
            "The session will end without a result and can’t be resumed. Everything recorded so far is kept."
        )
    return ConfirmationQuestion(
        title=say("Close it without a result?"),
        text=text,
        yes_label=say("Close without a result"),
        no_label=say("Go back"),
        style="Danger.TButton",
    )


def start_over_question(left: UnfinishedSession, say: Language) -> ConfirmationQuestion:
    """What the experimenter is asked before somebody begins anew who could go on with a session."""
    return ConfirmationQuestion(
        title=say("Start a new session?"),
        text=say(
            "{participant} has an unfinished session: {game}, last event on {day} at {time}. It stays "
            "as it is, and we’ll ask again next time you open the program.",
            participant=displayable(left.participant),
            game=truncate(localized_text(left.game, say.for_game(left.game_name)), 60),
            day=date_text(left.last_event_at, say),
            time=f"{left.last_event_at:%H:%M:%S}",
        ),
        yes_label=say("Start a new one"),
        no_label=say("Go back"),
    )
