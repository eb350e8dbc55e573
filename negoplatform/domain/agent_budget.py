"""What an agent may take: time, memory, failures; and what happens when it takes more."""

from __future__ import annotations

from dataclasses import dataclass

END_SESSION = "end_session"
"""The fallback that ends the session as ``agent_failure``."""


@dataclass(frozen=True, slots=True)
class AgentBudget:
    """What an agent may take.

    Args:
        load_seconds: Until it is loaded, made and configured, above 0.
        soft_seconds: For one reaction; a slower one counts, and is a strike.
        hard_seconds: For one reaction; then the agent's process is ended. Not below ``soft_seconds``.
        strikes: Failures after which it is restarted, 1 or more; an agent whose process ended has used them
            up.
        restarts: How often it is restarted from the event history, 0 or more.
        fallback: What follows then: ``end_session``, or the name of a shipped agent that takes the seat.
        memory_mb: Megabytes of memory (address space) beyond what its process has when it starts, where the
            system can limit them.
        cpu_seconds: Seconds of processor time of its process, where the system can limit them.
        file_mb: Megabytes of any file that it writes, what it prints among them.
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


DEFAULT_BUDGET = AgentBudget()
"""What an agent may take where nobody says otherwise."""
