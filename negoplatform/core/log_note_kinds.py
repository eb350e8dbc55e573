"""Kinds of notes in a log."""

from enum import StrEnum


class NoteKind(StrEnum):
    """Subject of a NOTE event."""

    WARNING_SHOWN = "warning_shown"
    """A participant was warned; ``about`` and the figures give the subject."""
    SCHEDULED_CALL = "scheduled_call"
    """A scheduled callback of an agent was called; ``number`` counts them per seat."""
    WINDOW_CLOSED = "window_closed"
    """The participant closed the window of a running game and confirmed it."""
    ANNOUNCEMENT_REFUSED = "announcement_refused"
    """An announcement did not fit the typed state of the game, so no seat received it; ``reason`` says why.

    ``type``, ``to`` and ``data`` are those of the announcement.
    """
    AGENT_RESTARTED = "agent_restarted"
    """An agent was restarted and folded its events again; ``seat``, and how many ``times`` so far."""
    FALLBACK_SEATED = "fallback_seated"
    """Another agent, ``agent``, took over a seat whose agent had failed; ``seat``, ``sha256``."""
    LOG_MOVED = "log_moved"
    """The log goes on in another folder, as the first cannot be written; ``old``, ``new``, ``reason``."""
    SESSION_FROZEN = "session_frozen"
    """The session was frozen because nothing could be written; ``seconds`` and ``reason``."""
    SESSION_PAUSED = "session_paused"
    """The session was paused while the participant read a ``page`` (rules, help), for ``seconds``."""
    CLOCK_JUMP = "clock_jump"
    """The computer's time of day jumped by ``seconds``; session time did not."""
    SUSPENDED = "suspended"
    """The computer slept for ``seconds``, in which session time stood still."""
    CLOCK_DRIFT = "clock_drift"
    """The computer's time of day and session time have drifted apart by ``seconds`` in all."""
    PRACTICE = "practice"
    """The guided practice before the session; ``outcome`` (done, skipped), the ``step`` that was reached,
    and its duration in ``seconds`` by the wall clock."""
    WORDS_LEFT = "words_left"
    """Text in the participant's line that was not sent when the session closed; ``seat`` and ``text``."""
    DEBRIEFING_SHOWN = "debriefing_shown"
    """A participant was shown a debriefing; ``of`` (game, or the agents' seats) and ``text``."""
    DEBRIEFING_CLOSED = "debriefing_closed"
    """The participant closed it by a press, after ``seconds`` by the wall clock."""
    MEMORY_DIFFERS = "memory_differs"
    """An agent replayed earlier rounds and acted differently; ``seat``, the
    ``session`` and the ``event`` of the first difference, and the ``reason``."""
    ISOLATION_DIFFERS = "isolation_differs"
    """An agent's process has another sandbox in the resumed session than its log says; ``seat``, and the
    levels ``before`` and ``now``."""
    READING = "reading"
    """The interpretation of a participant's typed text; ``formats/interpretations.py`` has its data."""
    READING_ANSWERED = "reading_answered"
    """A participant's answer to an interpretation that was shown; its data are there too."""
    SEAT_JOINED = "seat_joined"
    """A window in another process joined as ``role`` (seat, wizard, experimenter, public, principal, system);
    ``seat`` for the first two, ``principal`` for a principal, and whether it came ``back``."""
    SEAT_LEFT = "seat_left"
    """Such a window is gone; ``role``, ``seat``, and a ``reason``."""
    SEAT_TAKEN_OVER = "seat_taken_over"
    """An agent took the seat of a person whose connection was lost; ``seat``, ``agent``, ``sha256``."""
    WIZARD_MODE = "wizard_mode"
    """The wizard of a ``seat`` changed its ``mode`` (autonomous, assisted, manual), which was ``before``."""
    SUGGESTED = "suggested"
    """A script of an agent waits for the wizard of its ``seat``; ``number`` counts them, and ``steps`` has
    the actions."""
    SUGGESTION_ANSWERED = "suggestion_answered"
    """The wait of the suggestion ``number`` of a ``seat`` is over: ``verdict``, after ``seconds``, and the
    ``steps`` that were performed, if the wizard changed them."""
    COMMAND_TAKEN = "command_taken"
    """The agent of a ``seat`` took the command ``number`` of its ``principal`` in place of a decision of its
    own; the cause is the event that it would have answered."""
    MESSAGE_DELIVERED = "message_delivered"
    """A message that took its time arrived: ``message`` (get_info, get_obs_response), ``sender`` and
    ``recipient``; the cause is the event that it is about."""
    VOTE_WAITING = "vote_waiting"
    """The agent of a ``seat`` wants to accept an ``offer``, and waits for the votes of its team."""
    ADVISED = "advised"
    """The adviser of a ``seat`` advised its person; ``number`` counts the pieces of advice, and ``steps`` has
    the actions."""
    ADVICE_ANSWERED = "advice_answered"
    """The person in a ``seat`` dealt with the advice ``number``: ``verdict`` (used, dismissed, superseded,
    game_ended), after ``seconds``."""
    RAW_VIEW_OPENED = "raw_view_opened"
    """A window was shown the whole state; ``role`` (wizard, experimenter), and ``seat`` for a wizard."""
