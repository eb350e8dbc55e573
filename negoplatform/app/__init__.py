"""Assembly of sessions from the layers below: catalogue, live sessions, playback, simulation.

Nothing is exported here: the window's first screen loads ``app.support``, and would wait for all the rest.
The packages ``session``, ``catalogue``, ``playback`` and ``simulation`` have exports of their own.
"""
