"""Questions to confirm that a game or a session ends; computed without Tk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.game_words import GameWords
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, localized_text, truncate
from negoplatform.presentation.time_and_points_text import date_text

if TYPE_CHECKING:
    from negoplatform.app.session.participant_sessions import ParticipantSession
    from negoplatform.app.session.unfinished_sessions import UnfinishedSession


def leave_question(words: GameWords, translate: Language) -> ConfirmationQuestion:
    """Return the question before the window is closed in a running game."""
    return ConfirmationQuestion(
        title=translate("Close the window?"),
        text=translate(words.running),
        yes_label=translate("Close and end"),
        no_label=translate(words.go_on),
        style="Danger.TButton",
    )


def leave_before_question(translate: Language) -> ConfirmationQuestion:
    """Return the question before the rules are left, when the clock has not started."""
    return ConfirmationQuestion(
        title=translate("Leave before it starts?"),
        text=translate("The clock hasn’t started, and nothing has been recorded."),
        yes_label=translate("Leave"),
        no_label=translate("Stay"),
    )


def leave_paused_question(words: GameWords, translate: Language) -> ConfirmationQuestion:
    """Return the question before the window is closed while a failure is being handled."""
    return ConfirmationQuestion(
        title=translate("Close the window?"),
        text=translate(words.paused),
        yes_label=translate("Close"),
        no_label=translate("Wait"),
        style="Danger.TButton",
    )


def leave_resuming_question(words: GameWords, translate: Language) -> ConfirmationQuestion:
    """Return the question before the window is closed while an interrupted game is being resumed."""
    return ConfirmationQuestion(
        title=translate("Close the window?"),
        text=translate(words.resuming),
        yes_label=translate("Close"),
        no_label=translate("Wait"),
        style="Danger.TButton",
    )


def leave_without_link_question(translate: Language) -> ConfirmationQuestion:
    """Return the question before the window is closed while the connection to the session is lost."""
    return ConfirmationQuestion(
        title=translate("Close the window?"),
        text=translate("The connection is lost at the moment. You can join the session again."),
        yes_label=translate("Close"),
        no_label=translate("Wait"),
    )


def close_question(participant: str, translate: Language) -> ConfirmationQuestion:
    """Return the experimenter's question before an unfinished session is closed."""
    if participant:
        text = translate(
            "The session of {participant} will end without a result and can’t be resumed. Everything "
            "recorded so far is kept.",
            participant=displayable(participant),
        )
    else:
        text = translate(
            "The session will end without a result and can’t be resumed. Everything recorded so far is kept."
        )
    return ConfirmationQuestion(
        title=translate("Close it without a result?"),
        text=text,
        yes_label=translate("Close without a result"),
        no_label=translate("Go back"),
        style="Danger.TButton",
    )


def start_over_question(left: UnfinishedSession, translate: Language) -> ConfirmationQuestion:
    """Return the experimenter's question before a new session although one can be resumed."""
    return ConfirmationQuestion(
        title=translate("Start a new session?"),
        text=translate(
            "{participant} has an unfinished session: {game}, last event on {day} at {time}. It stays "
            "as it is, and we’ll ask again next time you open the program.",
            participant=displayable(left.participant),
            game=truncate(localized_text(left.game, translate.for_game(left.game_name)), 60),
            day=date_text(left.last_event_at, translate),
            time=f"{left.last_event_at:%H:%M:%S}",
        ),
        yes_label=translate("Start a new one"),
        no_label=translate("Go back"),
    )


def begin_another_question(running: ParticipantSession, translate: Language) -> ConfirmationQuestion:
    """Return the experimenter's question before a new session while one of the same code is running."""
    return ConfirmationQuestion(
        title=translate("Begin another session?"),
        text=_still_running_text(running, translate),
        yes_label=translate("Begin another one"),
        no_label=translate("Go back"),
    )


def _still_running_text(running: ParticipantSession, translate: Language) -> str:
    return translate(
        "{participant} already has a session of {day} at {time}, which is still running.",
        participant=displayable(running.participant),
        day=date_text(running.started_at, translate),
        time=f"{running.started_at:%H:%M}",
    )


def earlier_session_note(earlier: ParticipantSession, translate: Language) -> str:
    """Return a sentence for the experimenter about the last session of a code."""
    if earlier.is_running:
        return _still_running_text(earlier, translate)
    return translate(
        "{participant} has had a session before, on {day} at {time}.",
        participant=displayable(earlier.participant),
        day=date_text(earlier.started_at, translate),
        time=f"{earlier.started_at:%H:%M}",
    )


def end_visit_question(code: str, translate: Language) -> ConfirmationQuestion:
    """Return the experimenter's question before a participant's visit of a study ends early."""
    return ConfirmationQuestion(
        title=translate("End this visit?"),
        text=translate(
            "Participant {code} can’t continue after that. Everything recorded so far is kept.",
            code=displayable(code),
        ),
        yes_label=translate("End it"),
        no_label=translate("Go back"),
        style="Danger.TButton",
    )
