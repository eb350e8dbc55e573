"""Principals: their hosts, their messages to the platform, and their replay over a log."""
