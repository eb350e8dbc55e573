"""What a participant is asked before something binds or ends: the words, computed without Tk."""

from __future__ import annotations

from negoplatform.domain.utility import Points
from negoplatform.gui.dialogs import Question
from negoplatform.gui.texts import points_text
from negoplatform.gui.view import AcceptView

LEAVE = Question(
    title="Close the window?",
    text="The negotiation is still running. If you close the window, it ends here without a "
    "result. What has happened so far is saved.",
    yes="Close and end it",
    no="Go on negotiating",
    style="Danger.TButton",
)

LEAVE_PAUSED = Question(
    title="Close the window?",
    text="The negotiation is paused. If you close the window now, it is not ended: it can be resumed "
    "when the program is started again.",
    yes="Close",
    no="Wait",
    style="Danger.TButton",
)

LEAVE_RESUMING = Question(
    title="Close the window?",
    text="The negotiation is still being resumed. If you close the window now, it is not ended: it can be "
    "resumed when the program is started again.",
    yes="Close",
    no="Wait",
    style="Danger.TButton",
)


def accept_question(accept: AcceptView) -> Question:
    """Exactly what would bind, with a warning where no deal would pay more."""
    warning = ""
    if accept.worse_than_no_deal:
        warning = (
            f"This is worse for you than no deal: it gives you {points_text(accept.points)}, "
            f"no deal gives you {points_text(accept.no_deal)}."
        )
    return Question(
        title="Confirm the deal?" if accept.closes else "Accept this offer?",
        text=f"You would get {points_text(accept.points)}. {accept.hint}",
        yes="Confirm" if accept.closes else "Accept",
        no="Go back",
        rows=accept.rows,
        warning=warning,
        style="Danger.TButton" if warning else "Accept.TButton",
    )


def walk_away_question(pays: Points) -> Question:
    """What walking away would pay."""
    return Question(
        title="Walk away?",
        text=f"The negotiation ends at once, for both sides. You get {points_text(pays)}.",
        yes="Walk away",
        no="Go on negotiating",
        style="Danger.TButton",
    )


def close_question(participant: str) -> Question:
    """What the experimenter is asked before an unfinished session is ended."""
    whose = f"The session of {participant}" if participant else "The session"
    return Question(
        title="Close it as interrupted?",
        text=f"{whose} then ends without a result and cannot be resumed any more. "
        "What was recorded so far stays.",
        yes="Close as interrupted",
        no="Go back",
        style="Danger.TButton",
    )
