"""Playback of recorded sessions: observed events, offer metrics and the outcome space."""

from negoplatform.app.playback.offer_metrics import (
    OfferLedger,
    RecordedOffer,
    UtilityScale,
    recorded_offers,
    utility_scales,
    utility_steps,
)
from negoplatform.app.playback.outcome_space import OutcomePoints, OutcomeSpace
from negoplatform.app.playback.playback import (
    UNMARKED,
    LivePlayback,
    ObservedEvent,
    Playback,
    TimelineMarkKind,
)
from negoplatform.app.playback.playback_clock import LONGEST_SILENCE, SPEEDS, PlaybackClock

__all__ = [
    "LONGEST_SILENCE",
    "SPEEDS",
    "UNMARKED",
    "LivePlayback",
    "ObservedEvent",
    "OfferLedger",
    "OutcomePoints",
    "OutcomeSpace",
    "Playback",
    "PlaybackClock",
    "RecordedOffer",
    "TimelineMarkKind",
    "UtilityScale",
    "recorded_offers",
    "utility_scales",
    "utility_steps",
]
