"""The kinds of note that a log may hold, in one place."""

from enum import StrEnum


class NoteKind(StrEnum):
    """What a NOTE event is about."""

    WARNING_SHOWN = "warning_shown"
    """A participant was warned; ``about`` and the figures say of what."""
    SCHEDULED_CALL = "scheduled_call"
    """A callback that an agent scheduled was called; ``number`` counts them per seat."""
    WINDOW_CLOSED = "window_closed"
    """The participant closed the window of a running game and confirmed it."""
    ANNOUNCEMENT_REFUSED = "announcement_refused"
    """An announcement did not fit the typed state of the game, so nobody was told; ``reason`` says why.

    ``type``, ``to`` and ``data`` say which it was.
    """
    AGENT_RESTARTED = "agent_restarted"
    """An agent was started anew and folded its events again; ``seat``, and how many ``times`` by now."""
    FALLBACK_SEATED = "fallback_seated"
    """Another agent, ``agent``, took over a seat that its agent could not hold; ``seat``, ``sha256``."""
    LOG_MOVED = "log_moved"
    """The log goes on in another folder, as the first cannot be written; ``old``, ``new``, ``reason``."""
    SESSION_FROZEN = "session_frozen"
    """The session stood still because nothing could be written; ``seconds`` and ``reason``."""
    SESSION_PAUSED = "session_paused"
    """The session stood still while the participant read a ``page`` (rules, help), for ``seconds``."""
    CLOCK_JUMP = "clock_jump"
    """The computer's time of day jumped by ``seconds``; session time did not."""
    SUSPENDED = "suspended"
    """The computer slept for ``seconds``, in which session time stood still."""
    CLOCK_DRIFT = "clock_drift"
    """The computer's time of day and session time have drifted apart by ``seconds`` in all."""
    PRACTICE = "practice"
    """The guided practice before the session; ``outcome`` (done, skipped), the ``step`` that was reached,
    and the ``seconds`` that it took by the wall clock."""
    WORDS_LEFT = "words_left"
    """Words in the participant's line that were not said when the session closed; ``seat`` and ``text``."""
    DEBRIEFING_SHOWN = "debriefing_shown"
    """A participant was shown a debriefing; ``of`` (game, or the agents' seats) and ``text``."""
    DEBRIEFING_CLOSED = "debriefing_closed"
    """The participant closed it by a press, after so many ``seconds`` by the wall clock."""
    READING = "reading"
    """What was understood of a text that a participant typed; ``formats/interpretations.py`` has its data."""
    READING_ANSWERED = "reading_answered"
    """What a participant answered to a reading that they were shown; its data are there too."""
