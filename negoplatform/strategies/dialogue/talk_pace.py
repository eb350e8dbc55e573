"""Pace of an agent's answers: reading time, typing time by length, and the distance between messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import Offer

READING_SECONDS = 0.7
"""Seconds before an answer, however short the message that it answers."""

SECONDS_PER_WORD_READ = 0.12
"""Seconds of reading for each word of a message."""

SECONDS_PER_TERM_READ = 0.35
"""Seconds of looking at each term of an offer."""

MAX_READING_SECONDS = 4.0
"""Longest reading time in seconds."""

CHARACTERS_PER_SECOND = 24.0
"""Typing speed: that of a quick typist, so that a study does not take longer than needed."""

TYPING_BOUNDS = (1.1, 3.5)
"""Shortest and longest typing time in seconds."""

USUAL_TYPING_SECONDS = 1.8
"""Typing time of a usual message, for agents that answer at a set time."""

MIN_MESSAGE_DISTANCE = 2.0
"""Least seconds between two messages of the agent."""

OFFER_PAUSE_MS = 900
"""Milliseconds before an offer that no words introduce."""

MAX_TYPING_WAIT = 10.0
"""Seconds for which an answer waits while another seat types, at most."""

TYPING_POLL_MS = 700
"""Milliseconds between two looks whether another seat still types."""

_MAIN_SUBTYPES = (
    MessageSubtype.OFFER_ACCEPT,
    MessageSubtype.FAREWELL,
    MessageSubtype.FAVOR_ACCEPT,
    MessageSubtype.FAVOR_RETURN,
    MessageSubtype.FAVOR_REJECT,
    MessageSubtype.FAVOR_REQUEST,
    MessageSubtype.PREF_INFO,
    MessageSubtype.BATNA_INFO,
    MessageSubtype.OFFER_REJECT,
    MessageSubtype.OFFER_PROPOSE,
)
"""Speech acts that a joined message takes from its parts, the first of these that occurs."""


def reading_seconds(text: str) -> float:
    """Return the seconds that a message takes to read."""
    return min(MAX_READING_SECONDS, READING_SECONDS + SECONDS_PER_WORD_READ * len(text.split()))


def looking_seconds(offer: Offer) -> float:
    """Return the seconds that an offer takes to look at."""
    return min(MAX_READING_SECONDS, READING_SECONDS + SECONDS_PER_TERM_READ * (1 + len(offer)))


def typing_seconds(text: str) -> float:
    """Return the seconds that a message takes to type."""
    least, most = TYPING_BOUNDS
    return min(most, max(least, len(text) / CHARACTERS_PER_SECOND))


def joined_messages(script: Sequence[Action], apart: Collection[str] = ()) -> list[Action]:
    """Return a script in which neighbouring messages are one.

    A message that states a preference or a value of no deal keeps it; two of them stay apart. Changes of the
    record between messages follow the joined one.

    Args:
        script: The script.
        apart: Texts that are not joined to the message before them.
    """
    joined: list[Action] = []
    for action in script:
        at = next((i for i in reversed(range(len(joined))) if not isinstance(joined[i], ProposeChange)), -1)
        last = joined[at] if joined else None
        if (
            isinstance(action, SendMessage)
            and isinstance(last, SendMessage)
            and (last.preference is None or action.preference is None)
            and (last.batna is None or action.batna is None)
            and last.to == action.to
            and action.text not in apart
        ):
            joined[at] = _joined(last, action)
        else:
            joined.append(action)
    return joined


def _joined(first: SendMessage, second: SendMessage) -> SendMessage:
    subtypes = (first.subtype, second.subtype)
    main = next((each for each in _MAIN_SUBTYPES if each in subtypes), None)
    if main is None:
        main = second.subtype if first.subtype is MessageSubtype.GENERIC else first.subtype
    return replace(
        second,
        text=f"{first.text} {second.text}",
        subtype=main,
        preference=second.preference if first.preference is None else first.preference,
        batna=second.batna if first.batna is None else first.batna,
        flushable=bool(first.flushable) and bool(second.flushable),
    )


def paced(
    script: Sequence[Action], since_last_message: float, apart: Collection[str] = ()
) -> tuple[list[Action], float]:
    """Return a script with the sign of typing and a delay before each message, and its length in seconds.

    Faces come first, at once. Actions that have a delay of their own keep it.

    Args:
        script: The script.
        since_last_message: Seconds since the agent's last message.
        apart: Texts that are not joined to the message before them.
    """
    faces = [action for action in script if isinstance(action, SendExpression)]
    rest = [action for action in script if not isinstance(action, SendExpression)]
    timed: list[Action] = list(faces)
    length, quiet, spoke = 0.0, since_last_message, False
    for action in joined_messages(rest, apart):
        match action:
            case SendMessage(delay_ms=0):
                seconds = max(typing_seconds(action.text), MIN_MESSAGE_DISTANCE - quiet)
                milliseconds = round(1000 * seconds)
                timed += [ShowTyping(milliseconds), replace(action, delay_ms=milliseconds)]
                length, quiet, spoke = length + milliseconds / 1000, 0.0, True
            case SendOffer(delay_ms=0) | FormalAccept(delay_ms=0) if not spoke:
                timed.append(replace(action, delay_ms=OFFER_PAUSE_MS))
                length, spoke = length + OFFER_PAUSE_MS / 1000, True
            case Schedule():
                # It counts from the decision: what it is to follow has not been sent by then.
                timed.append(replace(action, delay_ms=action.delay_ms + 1000 * length))
            case _:
                timed.append(action)
                length += getattr(action, "delay_ms", 0) / 1000
    return timed, length
