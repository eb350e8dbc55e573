"""Result of the check of an opened log, in words. No Tk."""

from __future__ import annotations

from negoplatform.app.playback.playback import Playback
from negoplatform.formats.log_header import LOG_SCHEMA
from negoplatform.presentation.formatting import displayable
from negoplatform.presentation.i18n import Language


def integrity_text(playback: Playback, translate: Language) -> str:
    """Return the result of the check made on opening, of every hash and every event."""
    if playback.problem is not None:
        return translate("Damaged log")
    if playback.header.view != "complete":
        return translate("Exported log")
    if playback.header.schema != LOG_SCHEMA:
        return translate("Log without hashes")
    return translate("Log intact")


def damage_text(playback: Playback, translate: Language) -> str:
    """Return how much of a damaged log is shown, and the damage; empty for an intact log."""
    problem = playback.problem
    if problem is None:
        return ""
    count = len(playback.events)
    shown = translate.plural(
        "Only its first event is shown.", "Its first {n} events are shown.", count, n=f"{count:,}"
    )
    where, reason = displayable(problem.where), displayable(problem.reason)
    return translate(
        "This log is damaged at {where}: {reason}. {shown}", where=where, reason=reason, shown=shown
    )
