"""Hosting of agents: in this process or in a process each, with limits, supervision and replay.

Nothing is exported here: an agent's process starts in this package, and needs only a few of its modules.
"""
