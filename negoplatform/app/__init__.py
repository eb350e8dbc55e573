"""Assembly of sessions from the layers below: catalogue, live sessions, playback, simulation."""
