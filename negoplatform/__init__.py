"""A desktop program in which a person negotiates with an agent, and every event is logged."""

__version__ = "0.1.0"
