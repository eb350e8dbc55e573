"""Names and texts in study files: ids, texts in several languages, and exact amounts of money."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from negoplatform.formats.strict_json import preview
from negoplatform.formats.windows_file_names import is_device_name

LONGEST_ID = 24
"""Maximum length of an id: it becomes part of the names of columns, which have limits."""


def _check_id(text: str) -> str:
    ok = text.isascii() and text[:1].islower() and text.isidentifier() and text == text.lower()
    if not ok or len(text) > LONGEST_ID:
        raise ValueError(
            f"an id has small letters, digits and _, begins with a letter and has at most {LONGEST_ID} "
            f"characters; not {preview(text)}"
        )
    return text


def _check_file_id(text: str) -> str:
    if is_device_name(text):
        raise ValueError(f"on Windows {text!r} is the name of a device, so no file or folder could have it")
    return text


def _check_level(text: str) -> str:
    if not (text.isascii() and text and text.replace("_", "a").isalnum() and len(text) <= LONGEST_ID):
        raise ValueError(
            f"a level has letters, digits and _, and at most {LONGEST_ID} characters; not {preview(text)}"
        )
    return text


def _check_amount(text: object) -> Decimal:
    """Return an amount as written; a text, because a number in JSON is a binary fraction elsewhere."""
    if isinstance(text, Decimal):
        return text
    if not isinstance(text, str) or not text.isascii():
        raise ValueError(f'an amount of money is written in quotes, such as "4.50"; not {preview(text)}')
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise ValueError(f'an amount of money is written as "4.50"; not {preview(text)}') from None
    if not amount.is_finite() or "e" in text.lower() or not 0 <= amount <= 1_000_000 or _places(amount) > 6:
        raise ValueError(f"an amount is 0 to 1,000,000, with at most 6 decimals; not {preview(text)}")
    return amount


def _places(amount: Decimal) -> int:
    exponent = amount.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _check_text(value: object) -> object:
    if isinstance(value, str):
        texts: Mapping[str, Any] = {"": value}
    elif isinstance(value, dict) and value:
        texts = value
    else:
        raise ValueError(
            "a text belongs here, or an object with a text for each language, such as "
            f'{{"en": "Yes", "de": "Ja"}}; not {preview(value)}'
        )
    for code, text in texts.items():
        if code and not is_language(code):
            raise ValueError(f"{preview(code)} is no language; write a code such as en, de or he")
        if not isinstance(text, str):
            raise ValueError(f"a text in quotes belongs here, not {preview(text)}")
        if not text.strip():
            raise ValueError("the text must not be empty")
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"the text is too long; at most {LONGEST_TEXT:,} characters belong here")
    return value


LONGEST_TEXT = 4000


def is_language(code: str) -> bool:
    """Return whether a text has the form of a language's code, such as ``en`` or ``pt_BR``."""
    base, _, region = code.partition("_")
    return base.isascii() and base.islower() and base.isalpha() and 2 <= len(base) <= 3 and len(region) <= 4


def _check_language(code: str) -> str:
    if not is_language(code):
        raise ValueError(f"{preview(code)} is no language; write a code such as en, de or he")
    return code


StudyId = Annotated[str, AfterValidator(_check_id)]
"""Id of a stage, an item or a partner, which becomes part of a column's name."""

FileId = Annotated[StudyId, AfterValidator(_check_file_id)]
"""Id that is also the name of a file or folder."""

Level = Annotated[str, AfterValidator(_check_level)]
"""Level of a factor."""

Language = Annotated[str, AfterValidator(_check_language)]

Amount = Annotated[Decimal, BeforeValidator(_check_amount), Field(json_schema_extra={"type": "string"})]
"""Amount of money, an exact decimal written in quotes."""

LocalText = Annotated[str | dict[str, str], BeforeValidator(_check_text)]
"""Text for people: one for all languages, or one by language."""


def text_in(text: str | Mapping[str, str], language: str) -> str:
    """Return a text in a language; in English, or else its first language, where it is missing."""
    if isinstance(text, str):
        return text
    return text.get(language) or text.get("en") or next(iter(text.values()))


def missing_languages(text: str | Mapping[str, str], languages: tuple[str, ...]) -> Iterator[str]:
    """Yield the languages in which a text is missing."""
    if not isinstance(text, str):
        yield from (code for code in languages if code not in text)
