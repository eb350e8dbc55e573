"""Simulated sessions: many games between agents, and the rerun of a recorded one.

``simulate`` is imported from the module of that name.
"""

from negoplatform.app.simulation.rerun import Resimulation, resimulate
from negoplatform.app.simulation.simulate import Result, Summary, seatings, summarize

__all__ = [
    "Resimulation",
    "Result",
    "Summary",
    "resimulate",
    "seatings",
    "summarize",
]
