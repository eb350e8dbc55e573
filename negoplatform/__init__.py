"""A table at which a person negotiates with an agent, and every event is kept."""

__version__ = "0.1.0"
