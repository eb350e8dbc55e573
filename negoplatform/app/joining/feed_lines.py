"""Lines with values of a session: introductions and items of the host, entries of a window."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from negoplatform.agent_api.actions import (
    MAX_SCRIPT_ACTIONS,
    FormalAccept,
    FormalQuit,
    MechanismAct,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.app.session.participant_actions import (
    AbortGame,
    AnswerInterpretation,
    ParticipantProposal,
    RecordInterpretation,
    RecordNote,
    SendShownMessage,
    SettleUnsentText,
    ShownInterpretation,
)
from negoplatform.app.session.participant_seat import (
    AnswerAdvice,
    FinishClosingRequest,
    PauseRequest,
    SaveDraftRequest,
    ShownAdvice,
    UnpauseRequest,
)
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    DraftEntry,
    FeedAdvice,
    FeedAssistant,
    FeedEvent,
    FeedItem,
    FeedRawEvent,
    FeedRawHeader,
    FeedShared,
    FeedStatus,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
    HoldSuggestion,
    JoinRole,
    OpenWholeState,
    RemoteEntry,
    RoleKind,
    SessionIntroduction,
    StartRequest,
    WizardEntry,
)
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_actions import MechanismActStep, Milliseconds, Serial, dump_step
from negoplatform.formats.dataclass_codec import ModelOf, Shape, describe, dump, load, loader, register
from negoplatform.formats.events import decode_typed_event, encode_event
from negoplatform.formats.join_protocol import (
    ENTRY_LIMITS,
    HOST_LIMITS,
    LONGEST_ENTRY_LINE,
    LONGEST_HOST_LINE,
    BadJoinLine,
    DoneModel,
    EntryNumber,
    GoodbyeModel,
    HexId,
    LeaveModel,
    LineTooLong,
    PingModel,
    PongModel,
    WaitingModel,
    encode_document,
    read_line,
)
from negoplatform.formats.log_header import decode_header, encode_header
from negoplatform.formats.strict_json import StrictModel
from negoplatform.hosting.agent_runner import ScheduledCall
from negoplatform.hosting.seat_actions import AcceptOffer, ShareDraft

_EVENT, _RAW_EVENT, _RAW_HEADER = (
    b'{"kind":"%s","%s":' % names
    for names in ((b"event", b"event"), (b"raw_event", b"event"), (b"raw_header", b"header"))
)
"""Beginnings of lines that hold a line of a log, which is read as such."""

register(MechanismAct, Shape(MechanismActStep, MechanismActStep.value, dump_step))
describe(ScheduledCall, tag={"do": "call"}, number=Serial, delay_ms=Milliseconds)
describe(ShownInterpretation, number=Serial)
for _class, _name in {
    AcceptOffer: "accept_offer",
    ShareDraft: "share_draft",
    RecordNote: "note",
    RecordInterpretation: "interpretation",
    SendShownMessage: "send_shown",
    AnswerInterpretation: "answer_interpretation",
    SettleUnsentText: "settle",
    AbortGame: "abort",
    PauseRequest: "pause",
    UnpauseRequest: "unpause",
    SaveDraftRequest: "save_draft",
    FinishClosingRequest: "finish_closing",
    StartRequest: "start",
    DraftEntry: "draft",
    ChangeWizardMode: "wizard_mode",
    OpenWholeState: "open_whole_state",
}.items():
    describe(_class, tag={"do": _name})

_Proposal = Annotated[ParticipantProposal, Field(discriminator="do")]
_Script = Annotated[tuple[_Proposal, ...], Field(max_length=MAX_SCRIPT_ACTIONS)]

_Step = (
    SendMessage
    | SendOffer
    | SendExpression
    | FormalAccept
    | FormalQuit
    | ShowTyping
    | ProposeChange
    | MechanismAct
)
_ScriptStep = Annotated[_Step | ScheduledCall, Field(discriminator="do")]
# A callback belongs to the agent, which has answered; no window can name one.
_EditedScript = Annotated[
    tuple[Annotated[_Step, Field(discriminator="do")], ...], Field(max_length=MAX_SCRIPT_ACTIONS)
]

describe(AnswerAdvice, tag={"do": "answer_advice"}, number=Serial)
describe(HoldSuggestion, tag={"do": "hold_suggestion"}, number=Serial)
describe(AnswerSuggestion, tag={"do": "answer_suggestion"}, number=Serial, steps=_EditedScript | None)
_Entry = (
    _Script
    | PauseRequest
    | UnpauseRequest
    | SaveDraftRequest
    | FinishClosingRequest
    | AnswerAdvice
    | StartRequest
    | DraftEntry
    | ChangeWizardMode
    | AnswerSuggestion
    | HoldSuggestion
    | OpenWholeState
)

describe(FeedSuggestion, tag={"is": "suggestion"}, number=Serial, steps=tuple[_ScriptStep, ...])
describe(FeedSuggestionClosed, tag={"is": "suggestion_closed"}, number=Serial)
describe(FeedWizard, tag={"is": "wizard"}, points=dict[str, float | int | None])
describe(
    ShownAdvice,
    number=Annotated[int, Field(ge=0, le=2**53)],
    steps=tuple[Annotated[_Step, Field(discriminator="do")], ...],
)
describe(FeedAdvice, tag={"is": "advice"})
describe(FeedAssistant, tag={"is": "assistant"}, annotations=dict[str, Any])
describe(FeedShared, tag={"is": "shared"}, features=dict[str, Any])
_OtherItem = Annotated[
    FeedSuggestion | FeedSuggestionClosed | FeedWizard | FeedAdvice | FeedAssistant | FeedShared,
    Field(discriminator="is"),
]


# From a window


class EntryModel(StrictModel):
    """Entry of a window.

    Args:
        feed: The id of the feed that it is meant for.
        number: Its number in the window's process: 1, 2, 3 …, with gaps where entries were not sent.
        entry: The entry.
    """

    kind: Literal["entry"] = "entry"
    feed: HexId
    number: EntryNumber
    entry: Annotated[Any, ModelOf(_Entry)]


@dataclass(frozen=True, slots=True)
class NumberedEntry:
    """Entry of a window with its number, and the feed that it is meant for."""

    feed: str
    number: int
    entry: RemoteEntry


def encode_entry(numbered: NumberedEntry) -> bytes:
    """Return an entry as a line.

    Raises:
        LineTooLong: If it is longer than a line may be.
        BadJoinLine: If a host would not take the line, as a value is of a wrong type.
    """
    document = {
        "kind": "entry",
        "feed": numbered.feed,
        "number": numbered.number,
        "entry": dump(numbered.entry),
    }
    try:
        line = encode_document(document)
    except ValueError:
        raise BadJoinLine("it has a number that JSON does not know") from None
    if len(line) > LONGEST_ENTRY_LINE:
        raise LineTooLong(f"it is longer than {LONGEST_ENTRY_LINE:,} bytes")
    decode_window_line(line[:-1])
    return line


def decode_window_line(line: bytes) -> NumberedEntry | PingModel | LeaveModel:
    """Return a line of a window that has been admitted.

    Raises:
        BadJoinLine: If it is no such line.
    """
    message = read_line(_window_lines(), line, LONGEST_ENTRY_LINE, ENTRY_LIMITS)
    if not isinstance(message, EntryModel):
        found: PingModel | LeaveModel = message
        return found
    try:
        entry = _loaders()[0](message.entry)
    except NegoError as refusal:  # a value that its class does not take
        raise BadJoinLine(f"a value in it is wrong ({refusal})") from None
    return NumberedEntry(message.feed, message.number, entry)


def may_send(role: JoinRole, entry: RemoteEntry) -> bool:
    """Return whether a window may send an entry in its role."""
    match role.kind:
        case RoleKind.SEAT:
            return not isinstance(entry, WizardEntry)
        case RoleKind.WIZARD:
            return isinstance(entry, tuple | WizardEntry)
        case _:
            return False


@cache
def _window_lines() -> TypeAdapter[Any]:
    return TypeAdapter(Annotated[EntryModel | PingModel | LeaveModel, Field(discriminator="kind")])


@cache
def _loaders() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return the functions from checked forms to entries and to items."""
    return loader(_Entry), loader(_OtherItem)


# From the host


class IntroductionModel(StrictModel):
    """Introduction of a window to a session.

    Args:
        feed: The random id of the feed; another one means another session.
        performed: The number of the last entry of the window's process that was performed in this session.
        role_kind: The kind of the role.
        seat: Its seat; None for a role without one.
        header: The header of the log as the role may see it.
    """

    kind: Literal["introduction"] = "introduction"
    feed: HexId
    performed: Annotated[int, Field(ge=0)]
    role_kind: RoleKind
    seat: str | None
    header: dict[str, Any]
    participant: str
    names: dict[str, str]
    avatars: dict[str, str]
    debriefings: list[tuple[str, str]]
    saved_draft: dict[str, Any] | None
    shows_briefing: bool


class StatusModel(StrictModel):
    """Status of the session, with the ``time.monotonic()`` of the host when it was made."""

    kind: Literal["status"] = "status"
    made: float
    status: Annotated[Any, ModelOf(FeedStatus)]


class FeedItemModel(StrictModel):
    """Item that is neither an event nor a status."""

    kind: Literal["item"] = "item"
    item: Annotated[Any, ModelOf(_OtherItem)]


@dataclass(frozen=True, slots=True)
class NumberedIntroduction:
    """Introduction with the id of its feed, and the number of the window's last entry that was performed."""

    feed: str
    performed: int
    introduction: SessionIntroduction


@dataclass(frozen=True, slots=True)
class TimedItem:
    """Item of a feed; a status with the host's ``time.monotonic()`` when it was made, any other with None."""

    item: FeedItem
    made: float | None = None


HostLine = NumberedIntroduction | TimedItem | WaitingModel | DoneModel | PongModel | GoodbyeModel
"""Lines that a host sends to a window that has been admitted."""


def encode_introduction(numbered: NumberedIntroduction) -> bytes:
    """Return an introduction as a line.

    Raises:
        ValueError: If it is longer than a line may be.
    """
    shown = numbered.introduction
    line = encode_document(
        {
            "kind": "introduction",
            "feed": numbered.feed,
            "performed": numbered.performed,
            "role_kind": shown.role.kind.value,
            "seat": shown.role.seat,
            "header": json.loads(encode_header(shown.header)),
            "participant": shown.participant,
            "names": dict(shown.names),
            "avatars": dict(shown.avatars),
            "debriefings": [list(each) for each in shown.debriefings],
            "saved_draft": None if shown.saved_draft is None else dump(shown.saved_draft),
            "shows_briefing": shown.shows_briefing,
        }
    )
    if len(line) > LONGEST_HOST_LINE:
        raise ValueError(f"The introduction to the session is longer than {LONGEST_HOST_LINE:,} bytes.")
    return line


def encode_item(item: FeedItem, made: float) -> bytes:
    """Return an item as a line.

    Args:
        item: The item.
        made: The ``time.monotonic()`` when it was made.
    """
    match item:
        case FeedEvent(event):
            return _EVENT + encode_event(event, "")[:-1] + b"}\n"
        case FeedRawEvent(event):
            return _RAW_EVENT + encode_event(event, "")[:-1] + b"}\n"
        case FeedRawHeader(header):
            return _RAW_HEADER + encode_header(header)[:-1] + b"}\n"
        case FeedStatus():
            return encode_document({"kind": "status", "made": made, "status": dump(item)})
        case _:
            return encode_document({"kind": "item", "item": dump(item)})


def decode_host_line(line: bytes) -> HostLine:
    """Return a line of the host for a window that has been admitted.

    Raises:
        BadJoinLine: If it is no such line.
    """
    try:
        return _decode_log_line(line) or _decode_document(line)
    except BadJoinLine:
        raise
    except NegoError as refusal:
        raise BadJoinLine(f"a value in it is wrong ({refusal})") from None


def _decode_log_line(line: bytes) -> TimedItem | None:
    """Return the item of a line that holds a line of a log; None for any other line."""
    if not line.endswith(b"}") or len(line) > LONGEST_HOST_LINE:
        return None
    if line.startswith(_EVENT):
        return TimedItem(FeedEvent(decode_typed_event(line[len(_EVENT) : -1], "the host", "an event")))
    if line.startswith(_RAW_EVENT):
        return TimedItem(FeedRawEvent(decode_typed_event(line[len(_RAW_EVENT) : -1], "the host", "an event")))
    if line.startswith(_RAW_HEADER):
        return TimedItem(FeedRawHeader(decode_header(line[len(_RAW_HEADER) : -1], "the host")))
    return None


def _decode_document(line: bytes) -> HostLine:
    message = read_line(_host_lines(), line, LONGEST_HOST_LINE, HOST_LIMITS)
    match message:
        case IntroductionModel():
            return _load_introduction(message)
        case StatusModel():
            return TimedItem(load(FeedStatus, message.status), message.made)
        case FeedItemModel():
            return TimedItem(_loaders()[1](message.item))
        case _:
            found: WaitingModel | DoneModel | PongModel | GoodbyeModel = message
            return found


def _load_introduction(found: IntroductionModel) -> NumberedIntroduction:
    introduction = SessionIntroduction(
        JoinRole(found.role_kind, found.seat),
        decode_header(json.dumps(found.header).encode(), "the host"),
        found.participant,
        found.names,
        found.avatars,
        tuple(found.debriefings),
        found.saved_draft,
        found.shows_briefing,
    )
    return NumberedIntroduction(found.feed, found.performed, introduction)


@cache
def _host_lines() -> TypeAdapter[Any]:
    return TypeAdapter(
        Annotated[
            IntroductionModel
            | StatusModel
            | FeedItemModel
            | WaitingModel
            | DoneModel
            | PongModel
            | GoodbyeModel,
            Field(discriminator="kind"),
        ]
    )
