"""Events of a visit, in memory and as lines of its log."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field

from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import (
    LOG_LIMITS,
    LazyStrictModel,
    StrictModel,
    parse_json,
    validate_json,
)

VISIT_SCHEMA = "negoplatform.visit/1"

AssignedBy = Literal["plan", "station_blocks", "code", "spare", "experimenter"]
"""Rule by which a participant was assigned."""

LeftBy = Literal["done", "timeout", "read_again", "released", "failed"]
"""Reason for which a step was left."""

JsonValue = bool | int | float | str | list[int] | None
"""Answer as it is recorded."""


class VisitHeader(LazyStrictModel):
    """First line of a visit's log."""

    schema_: Literal["negoplatform.visit/1"] = Field(alias="schema")
    app_version: str
    visit: Annotated[str, Field(pattern=r"^[0-9a-f]{12}\Z")]
    created_at: str
    study: str
    version: str
    sha256: str
    code: str
    station: str
    language: str
    seed: int
    is_test: bool = False


class VisitEvent(LazyStrictModel):
    """Keys of all events of a visit."""

    n: Annotated[int, Field(ge=1)]
    t: Annotated[float, Field(ge=0)]
    """Seconds since the visit began; the time in which the program did not run does not count."""
    t_utc: str


class VisitBegun(VisitEvent):
    """The code was accepted."""

    type: Literal["VISIT_BEGUN"] = "VISIT_BEGUN"
    stratum: dict[str, str] = {}
    """Columns of the file of codes for this code."""
    reused: bool = False


class Assigned(VisitEvent):
    """Cell, orders and everything else that chance decides, before the first screen that depends on it."""

    type: Literal["ASSIGNED"] = "ASSIGNED"
    cell: dict[str, str]
    by: AssignedBy
    place: Annotated[int, Field(ge=0)]
    stratum: str = ""
    orders: dict[str, list[int]] = {}
    blocks: dict[str, list[int]] = {}
    items: dict[str, list[int]] = {}
    seeds: dict[str, int] = {}
    paid: list[str] = []
    steps: list[str]


class StageEntered(VisitEvent):
    """A step began."""

    type: Literal["STAGE_ENTERED"] = "STAGE_ENTERED"
    step: str


class PageShown(VisitEvent):
    """A page of a step was shown."""

    type: Literal["PAGE_SHOWN"] = "PAGE_SHOWN"
    step: str
    page: Annotated[int, Field(ge=0)]


class Answered(VisitEvent):
    """An answer was given, or changed."""

    type: Literal["ANSWERED"] = "ANSWERED"
    step: str
    item: str
    value: JsonValue
    was: JsonValue = None
    ms: Annotated[int, Field(ge=0)]
    """Milliseconds from the display of its page to the last change."""
    position: Annotated[int, Field(ge=1)]
    """Position at which the item was shown."""
    changes: Annotated[int, Field(ge=0)] = 0


class QuizTried(VisitEvent):
    """A quiz was answered."""

    type: Literal["QUIZ_TRIED"] = "QUIZ_TRIED"
    step: str
    attempt: Annotated[int, Field(ge=1)]
    answers: dict[str, JsonValue]
    wrong: list[str]


class Consented(VisitEvent):
    """Consent was given."""

    type: Literal["CONSENTED"] = "CONSENTED"
    step: str
    text_sha256: str
    ticks: list[str]
    signature: str = ""


class Declined(VisitEvent):
    """Consent was not given."""

    type: Literal["DECLINED"] = "DECLINED"
    step: str


class SessionOpened(VisitEvent):
    """A game's session was opened, with a log of its own."""

    type: Literal["SESSION_OPENED"] = "SESSION_OPENED"
    step: str
    session: str
    folder: str


class SessionClosed(VisitEvent):
    """A game's session is over."""

    type: Literal["SESSION_CLOSED"] = "SESSION_CLOSED"
    step: str
    session: str
    last_hash: str
    end: str
    agreement: bool
    points: str | None = None
    """The participant's points as a fraction, such as 24 or 49/2; None if the game gave none."""

    @property
    def is_complete_without_deal(self) -> bool:
        """Whether it was a game without deals, such as a market, that was played to its end."""
        return self.agreement and self.end != EndedBy.AGREEMENT.value


class StageLeft(VisitEvent):
    """A step is over."""

    type: Literal["STAGE_LEFT"] = "STAGE_LEFT"
    step: str
    how: LeftBy
    ms: Annotated[int, Field(ge=0)]
    hidden_ms: Annotated[int, Field(ge=0)] = 0
    to: str = ""
    """The step that follows, where it is not the next one."""


class Chosen(VisitEvent):
    """The participant chose a partner, a game or an avatar."""

    type: Literal["CHOSEN"] = "CHOSEN"
    step: str
    option: str


class CallReturned(VisitEvent):
    """Another program or page came back."""

    type: Literal["CALL_RETURNED"] = "CALL_RETURNED"
    step: str
    word: str = ""
    exit_code: int | None = None


class HelpAsked(VisitEvent):
    """The participant has a question."""

    type: Literal["HELP_ASKED"] = "HELP_ASKED"
    step: str
    text: str = ""


class HelpAnswered(VisitEvent):
    """The experimenter has answered."""

    type: Literal["HELP_ANSWERED"] = "HELP_ANSWERED"
    text: str = ""


class Released(VisitEvent):
    """A wait is over, or the experimenter lets a participant go on."""

    type: Literal["RELEASED"] = "RELEASED"
    step: str
    by: Literal["experimenter", "time"]


class MovedByExperimenter(VisitEvent):
    """The experimenter moved the participant to another step."""

    type: Literal["MOVED_BY_EXPERIMENTER"] = "MOVED_BY_EXPERIMENTER"
    origin: str
    target: str
    why: str


class Flagged(VisitEvent):
    """Mark on the data for the experimenter, such as a failed attention check."""

    type: Literal["FLAGGED"] = "FLAGGED"
    step: str
    what: str


class Paid(VisitEvent):
    """The payment was computed and shown."""

    type: Literal["PAID"] = "PAID"
    amount: str
    currency: str
    parts: list[dict[str, Any]]


class VisitResumed(VisitEvent):
    """The visit goes on after an interruption."""

    type: Literal["RESUMED"] = "RESUMED"
    torn_bytes: Annotated[int, Field(ge=0)] = 0


class Interrupted(VisitEvent):
    """The experimenter left the visit, which can go on later."""

    type: Literal["INTERRUPTED"] = "INTERRUPTED"
    why: str = ""


class VisitEnded(VisitEvent):
    """The visit is over."""

    type: Literal["VISIT_ENDED"] = "VISIT_ENDED"
    how: Literal["finished", "screened_out", "aborted", "declined"]


AnyVisitEvent = (
    VisitBegun
    | Assigned
    | StageEntered
    | PageShown
    | Answered
    | QuizTried
    | Consented
    | Declined
    | SessionOpened
    | SessionClosed
    | StageLeft
    | Chosen
    | CallReturned
    | HelpAsked
    | HelpAnswered
    | Released
    | MovedByExperimenter
    | Flagged
    | Paid
    | VisitResumed
    | Interrupted
    | VisitEnded
)


class _EventLine(StrictModel):
    event: Annotated[AnyVisitEvent, Discriminator("type")]


def encode_visit_line(model: LazyStrictModel) -> bytes:
    """Return a header or an event as a line of JSON with its line break; the log adds the hash."""
    document = model.model_dump(mode="json", by_alias=True)
    if isinstance(model, VisitEvent):
        document = {
            "n": model.n,
            "t": model.t,
            "t_utc": model.t_utc,
            "type": document.pop("type"),
            **document,
        }
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return (text + "\n").encode("utf-8")


def decode_visit_header(line: bytes, path: object) -> VisitHeader:
    """Return the header of a visit's log from its first line, without its hash.

    Raises:
        InputFileError: If it is not one.
    """
    where = "line 1"
    found = parse_json(line, path, where, limits=LOG_LIMITS)
    if not isinstance(found, dict) or found.get("schema") != VISIT_SCHEMA:
        raise InputFileError(path, where, "this is no log of a visit that is known here")
    return validate_json(VisitHeader, line, path, where)


def decode_visit_event(line: bytes, path: object, where: str) -> AnyVisitEvent:
    """Return the event of a line, without its hash.

    Raises:
        InputFileError: If it is not one.
    """
    if not isinstance(parse_json(line, path, where, limits=LOG_LIMITS), dict):
        raise InputFileError(path, where, "this is no event")
    return validate_json(_EventLine, b'{"event":' + line.strip() + b"}", path, where).event
