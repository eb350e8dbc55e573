"""Limits of an agent: time, memory and failures, and the fallback when they are exceeded."""

from __future__ import annotations

from dataclasses import dataclass, replace

END_SESSION = "end_session"
"""The fallback that ends the session as ``agent_failure``."""

RERUN_FACTOR = 10
"""Factor of the time for one reaction in a rerun, which does not compare times."""


@dataclass(frozen=True, slots=True)
class AgentBudget:
    """Limits of an agent.

    Args:
        load_seconds: Time to load, create and configure it, above 0.
        soft_seconds: Time for one reaction; a slower one counts as a strike.
        hard_seconds: Time for one reaction, after which the agent's process is killed. Not below
            ``soft_seconds``.
        strikes: Failures after which it is restarted, 1 or more; an agent whose process ended has used them
            up.
        restarts: How often it is restarted from the event history, 0 or more.
        fallback: What follows then: ``end_session``, or the name of a shipped agent that takes the seat.
        memory_mb: Megabytes of memory (address space) beyond those of its process at the start, where the
            system can limit them.
        cpu_seconds: Seconds of processor time of its process, where the system can limit them.
        file_mb: Megabytes of any file that it writes, its output included.
    """

    load_seconds: float = 10.0
    soft_seconds: float = 2.0
    hard_seconds: float = 5.0
    strikes: int = 3
    restarts: int = 1
    fallback: str = END_SESSION
    memory_mb: int = 1024
    cpu_seconds: int = 3600
    file_mb: int = 16

    def for_rerun(self) -> AgentBudget:
        """Return the limits in a rerun: ``RERUN_FACTOR`` times as much time for one reaction."""
        soft, hard = self.soft_seconds * RERUN_FACTOR, self.hard_seconds * RERUN_FACTOR
        return replace(self, soft_seconds=soft, hard_seconds=hard)


DEFAULT_BUDGET = AgentBudget()
"""Limits of an agent where neither the game nor its settings give others."""
