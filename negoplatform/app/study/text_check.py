"""Check of a study's texts: they exist in every language, can be shown, and reveal no condition."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from negoplatform.app.study.study_folder import TEXTS, StudyFolder
from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import read_bytes, read_text
from negoplatform.study.instrument import item_texts
from negoplatform.study.local_text import missing_languages
from negoplatform.study.stages import (
    AnyStage,
    CallStage,
    ChoiceStage,
    ConsentStage,
    EndStage,
    FormStage,
    NegotiationStage,
    PageStage,
    PaymentStage,
    QuizStage,
    RoundsStage,
    WaitStage,
)
from negoplatform.study.study_file import StudyModel
from negoplatform.study.study_text import PLACEHOLDERS, TextBlock, parse_text, unknown_placeholders

TextFinding = InputFileError | tuple[str, str]
"""An error, or a place in study.json with a warning."""

PICTURE_FORMATS = ("PNG", "JPEG", "GIF")
"""Formats of pictures in texts, by Pillow's names."""

LARGEST_PICTURE, LARGEST_SIDE = 4_000_000, 4096
"""Maximum size of a picture's file in bytes, and its maximum width and height in pixels, in the window."""

SHORTEST_PICTURE = 24
"""Number of bytes in which each format has its signature, and PNG and GIF their size."""

JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Markers of a JPEG file that its size follows."""

LONGEST_TEXT, MOST_BLOCKS = 20_000, 250
"""Maximum length of a text: no part of a window can be higher than 32,767 pixels, at any text size."""

LONGEST_WORD = 4
"""Length up to which a level or an agent's name is also an everyday word, such as high or fair."""

VALUE_SOURCES = {
    "contact": "add the key contact to study.json",
    "lab": "add the key lab to study.json",
    "partner": "add a partner to study.json",
    "rounds": "this study has no stage of the kind rounds",
    "service": "no partner has an endpoint in its settings",
    "least": "add least to the payment of study.json",
    "most": "add most to the payment of study.json",
    "rate": "add points with a rate to the payment of study.json",
    "amount": "add the key payment to study.json",
    "currency": "add the key payment to study.json",
    "show_up": "add the key payment to study.json",
}
"""Advice where a placeholder has no value, by its name."""


@dataclass(frozen=True, slots=True)
class _TextFile:
    stage: str
    key: str
    name: str


def text_findings(folder: StudyFolder) -> Iterator[TextFinding]:
    """Yield what is wrong with the texts of a study."""
    model = folder.study.model
    yield from _local_text_findings(folder)
    seen: set[tuple[str, str]] = set()
    for cell_model in folder.study.models.values():
        for stage in cell_model.all_stages():
            for text in _text_files(stage):
                for language in model.languages:
                    if (text.name, language) in seen:
                        continue
                    seen.add((text.name, language))
                    yield from _file_findings(folder, stage, text, language)


def _text_files(stage: AnyStage) -> Iterator[_TextFile]:
    match stage:
        case ConsentStage():
            yield _TextFile(stage.id, "text", stage.text)
            if stage.declined is not None:
                yield _TextFile(stage.id, "declined", stage.declined)
        case PageStage():
            yield from (_TextFile(stage.id, "text", name) for name in stage.pages)
        case EndStage():
            yield _TextFile(stage.id, "text", stage.text)
        case WaitStage() | CallStage() if stage.text is not None:
            yield _TextFile(stage.id, "text", stage.text)
        case _:
            pass


def _size_fault(blocks: tuple[TextBlock, ...]) -> str:
    """Return why a text is too short or too long for a page; empty if it fits."""
    if not blocks:
        return "there is nothing in it"
    if len(blocks) > MOST_BLOCKS or sum(len(block.plain) for block in blocks) > LONGEST_TEXT:
        return (
            f"a page holds at most {LONGEST_TEXT:,} characters and {MOST_BLOCKS} paragraphs; divide it into "
            "several texts"
        )
    return ""


def _picture_findings(
    folder: StudyFolder, blocks: tuple[TextBlock, ...], path: Path
) -> Iterator[InputFileError]:
    for name in [block.marker for block in blocks if block.kind == "picture"]:
        picture = folder.picture(name)
        if picture is None:
            yield InputFileError(path, "", f"there is no picture {name!r} in the folder pictures")
        elif fault := _picture_fault(picture):
            yield InputFileError(picture, "", fault)


def _picture_fault(path: Path) -> str:
    """Return why a picture would not be shown; empty if it would, as far as its first and last bytes tell."""
    if path.stat().st_size > LARGEST_PICTURE:
        return f"the picture is larger than {LARGEST_PICTURE // 1_000_000} MB; make it smaller"
    size = _picture_size(read_bytes(path, LARGEST_PICTURE))
    if size is None:
        return "this is no complete PNG, JPEG or GIF picture; save it again as one"
    if max(size) > LARGEST_SIDE:
        return f"the picture is more than {LARGEST_SIDE} pixels wide or high; make it smaller"
    return ""


def _picture_size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height of a picture; None if it is none, or cut off.

    Pillow is not used: this module is also used where nothing is drawn.
    """
    if len(data) < SHORTEST_PICTURE:
        return None
    if data.startswith(b"\x89PNG\r\n\x1a\n") and b"IEND\xaeB`\x82" in data[-64:]:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith((b"GIF87a", b"GIF89a")) and data.rstrip(b"\0").endswith(b";"):
        width, height = struct.unpack("<HH", data[6:10])
        return width, height
    if data.startswith(b"\xff\xd8\xff") and b"\xff\xd9" in data[-64:]:
        return _jpeg_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        if data[at + 1] in JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _file_findings(
    folder: StudyFolder, stage: AnyStage, text: _TextFile, language: str
) -> Iterator[TextFinding]:
    where = f"stages.{text.stage}.{text.key}"
    path = folder.text_path(text.name, language)
    if not path.is_file():
        missing = Path(TEXTS) / language / text.name
        yield InputFileError(folder.file, where, f"there is no {missing.as_posix()}; write this text")
        return
    try:
        source = read_text(path)
        blocks = parse_text(source, path)
    except InputFileError as error:
        yield error
        return
    if size := _size_fault(blocks):
        yield InputFileError(path, "", size)
    for name in unknown_placeholders(source):
        there = ", ".join(PLACEHOLDERS)
        yield InputFileError(path, "", f"there is no placeholder {{{name}}}; there is {there}")
    yield from _picture_findings(folder, blocks, path)
    ticks = [block.marker for block in blocks if block.kind == "tick"]
    wanted = stage.tick if isinstance(stage, ConsentStage) and text.key == "text" else []
    for tick in wanted:
        if tick not in ticks:
            line = f'"- [ ] {tick}: I agree"'
            yield InputFileError(
                path, "", f"there is no statement to tick for {tick!r}; add a line such as {line}"
            )
    for tick in ticks:
        if tick not in wanted:
            yield InputFileError(
                path, "", f"the statement {tick!r} is not in tick of the stage {text.stage!r}"
            )
    for name in _without_value(folder, source):
        yield InputFileError(path, "", f"{{{name}}} has no value; {VALUE_SOURCES[name]}")
    if not _is_last(folder, stage) and (revealed := _revealed(folder, source)):
        yield (
            where,
            f"{path.name} ({language}) has the word {revealed!r}, which names a condition or an agent; "
            "write it in other words",
        )


def _without_value(folder: StudyFolder, source: str) -> list[str]:
    """Return the placeholders of a text that have no value in this study."""
    model = folder.study.model
    pay = model.payment
    stages = list(model.all_stages())
    missing = {
        "contact": model.contact is None,
        "lab": model.lab is None,
        "partner": not model.partners,
        "rounds": not any(isinstance(stage, RoundsStage) for stage in stages),
        "service": not any(
            partner.settings.get("endpoint")
            for one in folder.study.models.values()
            for partner in one.partners.values()
        ),
        "least": pay is None or pay.least is None,
        "most": pay is None or pay.most is None,
        "rate": pay is None or pay.points is None,
        **dict.fromkeys(("amount", "currency", "show_up"), pay is None),
    }
    return [name for name, lacks in missing.items() if lacks and f"{{{name}}}" in source]


def _is_last(folder: StudyFolder, stage: AnyStage) -> bool:
    """Return whether a stage follows all negotiations and all forms before the payment, as a debriefing does.

    A form after the payment measures nothing: it asks whether the data may be used, for example.
    """
    stages = list(folder.study.model.all_stages())
    paid = next((i for i, one in enumerate(stages) if isinstance(one, PaymentStage)), len(stages))
    measured = [
        i
        for i, one in enumerate(stages)
        if isinstance(one, NegotiationStage | RoundsStage) or (isinstance(one, FormStage) and i < paid)
    ]
    return [one.id for one in stages].index(stage.id) > max(measured, default=-1)


def _revealed(folder: StudyFolder, source: str) -> str:
    """Return the first level or agent that a text names; empty if it names none."""
    model = folder.study.model
    words = {word.lower() for word in re.findall(r"\w+", source)}
    names = [level for levels in model.factors.values() for level in levels]
    names += [agent for partner in model.partners.values() for agent in partner.agents]
    return next((name for name in names if name.lower() in words and len(name) > LONGEST_WORD), "")


def _local_text_findings(folder: StudyFolder) -> Iterator[TextFinding]:
    languages = tuple(folder.study.model.languages)
    for model in folder.study.models.values():
        places: list[tuple[str, object]] = [("title", model.title), ("contact", model.contact)]
        for stage in model.all_stages():
            where = f"stages.{stage.id}"
            places.append((f"{where}.title", stage.title))
            match stage:
                case QuizStage():
                    for question in stage.questions:
                        texts = [question.ask, *(question.choices or ()), question.why]
                        places += [(f"{where}.{question.id}", text) for text in texts]
                case FormStage(items=items):
                    for item in items or ():
                        places += [(f"{where}.{item.id}", text) for text in item_texts(item)]
                case ChoiceStage():
                    places += [
                        (where, text) for option in stage.options for text in (option.label, option.text)
                    ]
                    places.append((where, stage.ask))
                case _:
                    pass
        yield from _missing(folder, places, languages)
        yield from _revealing_names(folder, model)
        if len(languages) > 1 and folder.study.document.get("title") and isinstance(model.title, str):
            yield ("title", "the title is the same in all languages")
    for name, instrument in folder.study.instruments.items():
        lacking = [code for code in languages if instrument.languages and code not in instrument.languages]
        if lacking:
            reason = (
                f"the instrument {name!r} is not available in {lacking[0]!r}; copy it and add the language"
            )
            yield InputFileError(folder.file, "stages", reason)


def _revealing_names(folder: StudyFolder, model: StudyModel) -> Iterator[TextFinding]:
    """Yield titles and names of partners that tell participants a condition or an agent."""
    names: list[tuple[str, object]] = [("title", model.title)]
    for one, partner in model.partners.items():
        names += [(f"partners.{one}.{key}", getattr(partner, key)) for key in ("name", "participant_name")]
    names += [
        (f"stages.{stage.id}.title", stage.title)
        for stage in model.all_stages()
        if not _is_last(folder, stage)
    ]
    for where, text in names:
        for words in (text,) if isinstance(text, str) else text.values() if isinstance(text, dict) else ():
            if revealed := _revealed(folder, str(words)):
                yield where, f"participants read {revealed!r}, which names a condition or an agent"


def _missing(
    folder: StudyFolder, places: list[tuple[str, object]], languages: tuple[str, ...]
) -> Iterator[InputFileError]:
    for where, text in places:
        if isinstance(text, str | dict):
            for code in missing_languages(text, languages):
                yield InputFileError(folder.file, where, f"the text is missing in the language {code!r}")
