"""Reader of the XML of Genius files, as tolerant as the files in use need it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import ExpatError, ParserCreate

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import read_bytes, single_line

LARGEST_XML_FILE = 20_000_000
"""Maximum size of a Genius file in bytes."""

MOST_ELEMENTS = 500_000
"""Maximum number of elements of a Genius file; each takes up to half a kilobyte."""

DEEPEST_ELEMENT = 100
"""Maximum depth of an element; the reader of domains follows objectives inside objectives."""

_DECLARATION = re.compile(r"\A\s*<\?xml\b[^>]*\?>")
_AMPERSAND = re.compile(r"&(?!#?\w+;)")
_ENCODING = re.compile(rb"""<\?xml\b[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")


def read_xml(path: Path) -> Element | None:
    """Return the root element of a Genius file; None if the file is no XML at all.

    Real files begin with blank lines before the XML declaration, say UTF-8 and are Windows-1252, or have a
    bare ``&`` in a value, which the parser of Genius takes as it is. A document type is refused: with one,
    a short file can unfold to gigabytes, or read other files.

    Raises:
        InputFileError: If it cannot be read, or is broken XML.
    """
    text = _decode(read_bytes(path, LARGEST_XML_FILE)).lstrip("\ufeff")
    if not text.lstrip().startswith("<"):
        return None
    # Line breaks stay, for the places in error messages.
    text = _DECLARATION.sub(lambda found: "\n" * found[0].count("\n"), text, count=1)
    return _parse(_AMPERSAND.sub("&amp;", text), path)


def _decode(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    declared = _ENCODING.search(data[:1000])
    names = [declared[1].decode("ascii")] if declared else []
    for name in (*names, "utf-8", "cp1252"):
        try:
            return data.decode(name)
        except (UnicodeError, LookupError):
            continue
    return data.decode("latin-1")


def _parse(text: str, path: Path) -> Element:
    tree, parser = TreeBuilder(), ParserCreate(encoding="utf-8")
    depth = count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST_ELEMENT:
            raise InputFileError(path, _line(), "the elements are nested too deeply")
        if count > MOST_ELEMENTS:
            raise InputFileError(path, "", f"there are more than {MOST_ELEMENTS:,} elements in it")
        tree.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        tree.end(tag)

    def refuse_document_type(*_: object) -> NoReturn:
        raise InputFileError(path, _line(), "Genius files have no document type (<!DOCTYPE); remove it")

    def _line() -> str:
        return f"line {parser.CurrentLineNumber}"

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = refuse_document_type
    try:
        parser.Parse(text.encode("utf-8", errors="surrogatepass"), True)
    except ExpatError as error:
        reason = single_line(str(error).split(":", maxsplit=1)[0])
        raise InputFileError(path, f"line {error.lineno}", f"this is no valid XML ({reason})") from None
    return tree.close()


def attribute(element: Element, name: str, path: object, where: str) -> str:
    """Return an attribute that has to be there.

    Raises:
        InputFileError: If it is missing.
    """
    value = element.get(name)
    if value is None:
        raise InputFileError(path, where, f"the attribute {name!r} is missing")
    return value
