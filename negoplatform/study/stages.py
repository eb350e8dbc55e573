"""Stages of a study: the models of every kind that a study file may have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, field_validator, model_validator

from negoplatform.domain.assistant_settings import parse_assistant
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import MOST_OFFERS, GameSpec
from negoplatform.formats.game_files.game_names import GameName
from negoplatform.formats.games import FEWEST_SEATS, MOST_SEATS_OF_ECONOMY
from negoplatform.formats.strict_json import LazyStrictModel, Number, preview
from negoplatform.formats.windows_file_names import is_portable
from negoplatform.study.condition import WhenModel
from negoplatform.study.instrument import ItemModel, check_items
from negoplatform.study.local_text import LocalText, StudyId

PageSeconds = Annotated[int, Field(ge=1, le=86_400)]
FILE_NAME = r"^[\w][\w.-]{0,99}\Z"
WEB_ADDRESS = r"^https?://\S+\Z"


def _check_file_name(text: str) -> str:
    if not re.match(FILE_NAME, text):
        raise ValueError(
            "a file name has letters, digits, dots, - and _, without a folder, "
            f"such as page.md; not {preview(text)}"
        )
    if not is_portable(text):
        raise ValueError(f"no file can have the name {text!r} on Windows; take another name")
    return text


def _check_web_address(text: str) -> str:
    if not re.match(WEB_ADDRESS, text):
        raise ValueError(f"a web address begins with https:// and has no spaces; not {preview(text)}")
    return text


FileName = Annotated[str, AfterValidator(_check_file_name), Field(json_schema_extra={"pattern": FILE_NAME})]
WebAddress = Annotated[
    str,
    AfterValidator(_check_web_address),
    Field(max_length=2000, json_schema_extra={"pattern": WEB_ADDRESS}),
]


class StageModel(LazyStrictModel):
    """Keys that all stages have."""

    id: StudyId
    title: LocalText | None = None
    when: WhenModel | None = None
    at_least_seconds: PageSeconds | None = None
    timeout_seconds: PageSeconds | None = None
    timeout_does: Literal["flag", "go_on", "end"] | None = None
    note: Annotated[str, Field(max_length=4000)] = ""


class ConsentStage(StageModel):
    """Consent: a text, statements to tick, and the way out."""

    kind: Literal["consent"]
    text: FileName
    tick: Annotated[list[StudyId], Field(max_length=20)] = []
    declined: FileName | None = None
    signature: Literal["none", "typed_code"] = "none"


class PageStage(StageModel):
    """Text to read, on one page or several."""

    kind: Literal["page"]
    text: FileName | None = None
    texts: Annotated[list[FileName], Field(min_length=1, max_length=40)] | None = None
    must_scroll: bool = False

    @model_validator(mode="after")
    def _check(self) -> PageStage:
        if (self.text is None) == (self.texts is None):
            raise ValueError(f"the page {self.id!r} needs either text or texts")
        return self

    @property
    def pages(self) -> tuple[str, ...]:
        """The files of its pages."""
        return (self.text,) if self.text is not None else tuple(self.texts or ())


class GivenOffer(LazyStrictModel):
    """Offer in a game that a question shows, from the participant's side."""

    game: GameName
    you_get: Annotated[dict[str, int | Number | str], Field(min_length=1, max_length=100)]
    """Terms by issue: own units, a number or a value; what is left of a quantity goes to the partner."""


class GameAnswer(LazyStrictModel):
    """Correct answer that is computed from the participant's own profile."""

    from_game: GameName
    is_: Literal["worth_of_offer", "no_deal", "best_issue", "most_possible"] = Field(alias="is")


class QuestionModel(LazyStrictModel):
    """Question of a quiz."""

    id: StudyId
    ask: LocalText
    choices: Annotated[list[LocalText], Field(min_length=2, max_length=12)] | None = None
    number: Literal[True] | None = None
    offer: GivenOffer | None = None
    correct: int | Number | GameAnswer
    """Position of the right choice (from 1), the right number, or how it is computed from a game."""
    why: LocalText | None = None

    @model_validator(mode="after")
    def _check(self) -> QuestionModel:
        computed = self.correct if isinstance(self.correct, GameAnswer) else None
        issue = computed is not None and computed.is_ == "best_issue"
        kinds = [self.choices is not None, self.number is not None]
        if issue:
            if any(kinds):
                raise ValueError(
                    f"the choices of {self.id!r} are the game's issues; leave out choices and number"
                )
        elif sum(kinds) != 1:
            raise ValueError(f"the question {self.id!r} needs either choices or number")
        if self.choices is not None:
            if computed is not None:
                raise ValueError(f"the question {self.id!r} has choices, but what is computed is a number")
            if not isinstance(self.correct, int) or not 1 <= self.correct <= len(self.choices):
                raise ValueError(
                    f"the question {self.id!r} has no right answer: correct is a number "
                    f"from 1 to {len(self.choices)}"
                )
        if computed is not None and computed.is_ == "worth_of_offer":
            if self.offer is None:
                raise ValueError(f"the question {self.id!r} needs the offer whose worth it asks for")
            if self.offer.game != computed.from_game:
                raise ValueError(f"the question {self.id!r} has an offer of another game than its answer")
        elif self.offer is not None:
            raise ValueError(f"the question {self.id!r} shows an offer, but does not ask for its worth")
        return self


class QuizStage(StageModel):
    """Questions with right answers, and what follows from too many wrong ones."""

    kind: Literal["quiz"]
    questions: Annotated[list[QuestionModel], Field(min_length=1, max_length=40)]
    tries: Annotated[int, Field(ge=1, le=20)] = 3
    """Times that the quiz can be answered."""
    show_wrong: bool = True
    then: Literal["call_experimenter", "go_on", "end"] | ReadAgain = "call_experimenter"

    @model_validator(mode="after")
    def _check(self) -> QuizStage:
        ids = [question.id for question in self.questions]
        if twice := [name for name in ids if ids.count(name) > 1]:
            raise ValueError(f"there are two questions named {twice[0]!r}")
        if taken := set(ids) & {"passed", "tries", "first_try"}:
            raise ValueError(f"the program uses the name {min(taken)!r} itself; name the question otherwise")
        return self


class ReadAgain(LazyStrictModel):
    """Way back to an earlier stage after a failed quiz, which can then be tried as often again."""

    read_again: StudyId


class FormStage(StageModel):
    """Questionnaire: a shipped or own instrument, or items of this stage."""

    kind: Literal["form"]
    instrument: StudyId | None = None
    items: Annotated[list[ItemModel], Field(min_length=1, max_length=200)] | None = None
    order: Literal["fixed", "random", "random_by_scale"] = "fixed"
    per_page: Annotated[int, Field(ge=1, le=40)] | None = None
    flag_if: WhenModel | None = None

    @model_validator(mode="after")
    def _check(self) -> FormStage:
        if (self.instrument is None) == (self.items is None):
            raise ValueError(f"the form {self.id!r} needs either an instrument or items")
        check_items(self.items or [])
        if self.order == "random_by_scale" and self.instrument is None:
            raise ValueError(f"the form {self.id!r} has items of its own, which have no scales")
        return self


class ChosenBefore(LazyStrictModel):
    """Reference to the participant's choice in an earlier stage."""

    chosen: StudyId


def _checked_assistant(text: str) -> str:
    try:
        parse_assistant(text)
    except NegoError as error:
        raise ValueError(str(error).rstrip(".")) from None
    return text


AssistantText = Annotated[str, Field(max_length=300), AfterValidator(_checked_assistant)]


class NamedPluginModel(LazyStrictModel):
    """Plug-in that takes no seat in a negotiation, with its settings: an adviser, or a principal."""

    agent: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    settings: Annotated[dict[str, Any], Field(max_length=100)] = {}


NamedPlugin = Annotated[str, Field(min_length=1, max_length=200)] | NamedPluginModel


class PlayedGame(LazyStrictModel):
    """Keys of everything that is negotiated: one negotiation, or one round."""

    game: GameName | ChosenBefore
    partner: StudyId | ChosenBefore | None = None
    seats: Annotated[int, Field(ge=FEWEST_SEATS, le=MOST_SEATS_OF_ECONOMY)] | None = None
    """Number of seats that are filled, in a game for different numbers; None: all of them."""
    seat: Annotated[str, Field(max_length=60)] | None = None
    profile: Annotated[dict[str, str], Field(max_length=8)] = {}
    minutes: Annotated[Number, Field(gt=0, le=1440)] | None = None
    offers: Annotated[int, Field(ge=1, le=MOST_OFFERS)] | None = None
    """Number of offers after which none can be made (``deadline_offers``); None: as the game says."""
    reads_talk: bool | None = None
    offer_requests: bool | None = None
    """Whether the window has buttons that ask the partner for an offer; None: as the game says."""
    assistants: Annotated[list[AssistantText], Field(max_length=16)] = []
    """Assistants besides those of the game: NAME, or NAME=PLUGIN."""
    coach: bool | None = None
    """Whether the participant is shown an agenda; None: as the game says."""
    adviser: NamedPlugin | None = None
    """Agent that advises the participant; None: there is none."""
    principals: Annotated[dict[str, NamedPlugin], Field(max_length=16)] = {}
    """Plug-ins of the game's principals by name, or their settings; for all others, the game's file says."""

    @field_validator("adviser")
    @classmethod
    def _check_adviser(cls, value: NamedPlugin | None) -> NamedPlugin | None:
        if isinstance(value, NamedPluginModel) and value.agent is None:
            raise ValueError("an adviser is an agent; write agent")
        return value

    def with_seats(self, game: GameSpec) -> GameSpec:
        """Return the game with as many seats as are filled here.

        Raises:
            NegoError: If it cannot be played with so many.
        """
        return game if self.seats is None else game.with_seats(self.seats)


class NegotiationStage(StageModel, PlayedGame):
    """Single negotiation."""

    kind: Literal["negotiation"]
    counts: bool = True
    briefing: bool = True


class RoundModel(PlayedGame):
    """Round of several."""

    id: StudyId | None = None


class RoundsStage(StageModel):
    """Several negotiations in a row; the agent of one partner keeps its memory across them."""

    kind: Literal["rounds"]
    rounds: Annotated[list[RoundModel], Field(min_length=1, max_length=20)]
    partner: StudyId | ChosenBefore | None = None
    same_partner: bool = True
    between: Annotated[list[StageChoice], Field(max_length=10)] = []
    show_result: Literal["none", "own", "sum"] = "own"
    announce_rounds: bool = True
    stop_when: WhenModel | None = None
    counts: bool = True
    briefing: bool = True

    @model_validator(mode="after")
    def _check(self) -> RoundsStage:
        names = [one.id for one in self.rounds if one.id is not None]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"there are two rounds named {twice[0]!r}")
        for stage in self.between:
            if not isinstance(stage, PageStage | FormStage | WaitStage | CallStage):
                raise ValueError(
                    f"between rounds there are pages, forms, waits and calls; {stage.id!r} is none"
                )
        return self


class ForSeconds(LazyStrictModel):
    """Length of a wait."""

    seconds: PageSeconds


class WaitStage(StageModel):
    """Wait for the experimenter, or for a time."""

    kind: Literal["wait"]
    for_: Literal["experimenter", "all_stations"] | ForSeconds = Field(alias="for")
    text: FileName | None = None


class CallStage(StageModel):
    """Another program or a web page, such as a survey."""

    kind: Literal["call"]
    text: FileName | None = None
    url: WebAddress | None = None
    program: Annotated[list[str], Field(min_length=1, max_length=20)] | None = None
    returns: Literal["word", "exit_code", "none"] = "none"
    words: Annotated[list[str], Field(min_length=1, max_length=100)] | None = None

    @model_validator(mode="after")
    def _check(self) -> CallStage:
        if (self.url is None) == (self.program is None):
            raise ValueError(f"the call {self.id!r} needs either a url or a program")
        if self.returns == "exit_code" and self.program is None:
            raise ValueError(f"the call {self.id!r} opens a page, which has no exit code")
        if self.words is not None and self.returns != "word":
            raise ValueError(f"the call {self.id!r} has words, but returns no word")
        return self


class PaymentStage(StageModel):
    """The participant's payment, with how it is computed."""

    kind: Literal["payment"]
    show: Literal["amount", "table"] = "table"
    receipt: Literal["print", "save", "screen"] = "screen"


class EndStage(StageModel):
    """End of the visit; with a condition, also in its middle."""

    kind: Literal["end"]
    text: FileName
    withdrawal_code: bool = False
    how: Literal["finished", "screened_out"] = "finished"


class BriefingStage(StageModel):
    """The instructions of a game, where they are to be read earlier than right before it."""

    kind: Literal["briefing"]
    of: StudyId
    """Id of the negotiation, or of the rounds, whose first game is meant."""


class ChoiceOption(LazyStrictModel):
    """Option of a choice."""

    id: Annotated[str, Field(min_length=1, max_length=60)]
    label: LocalText
    text: LocalText | None = None


class ChoiceStage(StageModel):
    """Choice of a partner, a game or an avatar by the participant."""

    kind: Literal["choice"]
    of: Literal["partner", "game", "avatar"]
    ask: LocalText
    options: Annotated[list[ChoiceOption], Field(min_length=2, max_length=12)]

    @model_validator(mode="after")
    def _check(self) -> ChoiceStage:
        ids = [option.id for option in self.options]
        if twice := [name for name in ids if ids.count(name) > 1]:
            raise ValueError(f"there are two options {twice[0]!r}")
        return self


class BlockStage(StageModel):
    """Several stages in an order, possibly repeated."""

    kind: Literal["block"]
    stages: Annotated[list[StageChoice], Field(min_length=1, max_length=40)]
    order: Literal["fixed", "random"] = "fixed"
    repeat: Annotated[int, Field(ge=1, le=20)] = 1


AnyStage = (
    ConsentStage
    | PageStage
    | QuizStage
    | FormStage
    | NegotiationStage
    | RoundsStage
    | WaitStage
    | CallStage
    | PaymentStage
    | EndStage
    | BlockStage
    | BriefingStage
    | ChoiceStage
)

StageChoice = Annotated[AnyStage, Discriminator("kind")]
"""A stage, of the kind that its ``kind`` says."""


def walk_stages(stages: list[Any]) -> Iterator[AnyStage]:
    """Yield stages and the stages inside blocks and between rounds, in their order."""
    for stage in stages:
        yield stage
        if isinstance(stage, BlockStage):
            yield from walk_stages(list(stage.stages))
        elif isinstance(stage, RoundsStage):
            yield from walk_stages(list(stage.between))
