"""Screens of the application and the flow between them: start, session, settings, practice and replay."""
