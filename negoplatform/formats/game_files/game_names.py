"""Names, labels and other short texts in game files, with the checks that they pass when a file is read."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.registry import find_act_rule, is_fact
from negoplatform.domain.issue import OWN_PICTURE, PICTURES
from negoplatform.formats.windows_file_names import is_device_name


def _name(text: str) -> str:
    if not re.fullmatch(r"[^\W\d][\w -]{0,59}", text):
        raise ValueError(
            "a name begins with a letter and goes on with letters, digits, spaces, - or _, "
            "60 characters at most"
        )
    return text


def _game_name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", text):
        raise ValueError(
            "a game's name begins with a small letter and goes on with a-z, 0-9 or _, 60 characters at most"
        )
    if is_device_name(text):
        raise ValueError(
            f"on Windows {text!r} is the name of a device, so no file could have it; take another name"
        )
    return text


def _type_name(text: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9]{0,59}(-[a-z0-9]{1,59}){0,9}", text):
        raise ValueError("a type is small letters and digits, joined by hyphens, such as tax-announced")
    if text.replace("-", "_").upper() in EventType.__members__:
        raise ValueError(f"the program itself has an event of the name {text!r}; choose another one")
    if is_fact(text) or find_act_rule(text.replace("-", "_").upper()) is not None:
        raise ValueError(f"{text!r} is what a kind of game records itself; choose another name")
    return text


def _picture(text: str) -> str:
    if text not in PICTURES and not OWN_PICTURE.fullmatch(text):
        raise ValueError(
            f"there is no picture {text!r}; there is {', '.join(PICTURES)}, or name a PNG file that lies "
            "beside the game, such as my_apple.png"
        )
    return text


Name = Annotated[str, AfterValidator(_name)]
GameName = Annotated[str, AfterValidator(_game_name)]
AnnouncementType = Annotated[str, AfterValidator(_type_name)]
Picture = Annotated[str, AfterValidator(_picture)]
Label = Annotated[str, Field(min_length=1, max_length=80)]
Story = Annotated[str, Field(max_length=4000)]
Synonyms = Annotated[tuple[Label, ...], Field(fail_fast=True, max_length=50)]
