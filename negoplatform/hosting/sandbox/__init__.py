"""Sandbox of an agent's process: what the system lets it do, whatever its code tries."""
