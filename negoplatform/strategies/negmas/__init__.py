"""Negotiators of NegMAS (https://negmas.readthedocs.io) as agents; only ever run in an agent's own process.

NegMAS is an extra (``pip install '.[negmas]'``) under the AGPL-3.0 and is imported by
``session_mechanism`` alone, which nothing imports before an agent's process needs it.
"""

from __future__ import annotations

INSTALL_COMMAND = "pip install '.[negmas]' in NegoPlatform's source folder"
