"""New studies from templates: copies of the shipped studies, renamed, in the languages that are needed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import randbelow
from typing import Any

from negoplatform.app.study.study_archive import STUDIES
from negoplatform.app.study.study_folder import MANIFEST_NAME, STUDY_FILE, TEXTS, StudyFolder, load_study
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.formats.strict_json import parse_json, read_text
from negoplatform.plugins.program_and_user_folders import bundled

TEMPLATES = {
    "one_shot": "one_shot",
    "two_by_two": "anger_2x2",
    "rounds": "favours_rounds",
    "within": "moods_within",
    "wizard": "operated_partner",
}
"""Shipped study of each template."""

FIRST_VERSION = "0.1.0"

LINE_WIDTH = 110
"""Width up to which a part of a study file is written on one line."""

SMALLEST_SEED, LARGEST_SEED = 10_000_000, 99_999_999
"""Limits of the seed of a new study: eight digits."""


def shipped_studies() -> list[str]:
    """Return the names of the shipped studies."""
    return sorted(path.parent.name for path in bundled(STUDIES).glob(f"*/{STUDY_FILE}"))


def new_study(
    target: Path, template: str, data_dir: Path, *, languages: Sequence[str] = (), title: str = ""
) -> StudyFolder:
    """Write a new study, which is not frozen, and return it.

    Its name is that of its folder, its version is 0.1.0, and its seed is drawn: equal seeds would give two
    studies the same cells and the same withdrawal codes.

    Args:
        target: Its folder, which must not exist yet.
        template: One of TEMPLATES.
        data_dir: The user's folder.
        languages: Its languages, all of which the template has; none: those of the template.
        title: Its title; empty: that of the template.

    Raises:
        NegoError: If the folder exists, its name cannot be that of a study, or a language is missing.
    """
    source = bundled(STUDIES) / TEMPLATES[template]
    document: dict[str, Any] = parse_json(read_text(source / STUDY_FILE), source / STUDY_FILE)
    chosen = tuple(dict.fromkeys(languages)) or tuple(document["languages"])
    for code in chosen:
        if code not in document["languages"]:
            there = ", ".join(document["languages"])
            raise NegoError(
                f"The template {template} has no texts in {code!r}; it has {there}. Take one of these, and "
                "translate the texts afterwards."
            )
    if target.exists():
        raise NegoError(f"{target} already exists; choose another name.")
    document = _in_languages(document, set(document["languages"]), chosen)
    document["languages"] = list(chosen)
    document["name"], document["version"] = target.name, FIRST_VERSION
    document["design"]["seed"] = SMALLEST_SEED + randbelow(LARGEST_SEED - SMALLEST_SEED + 1)
    if title:
        document["title"] = title
    try:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(MANIFEST_NAME, TEXTS, "__pycache__"))
        for code in chosen:
            shutil.copytree(source / TEXTS / code, target / TEXTS / code)
        (target / STUDY_FILE).write_text(study_text(document), encoding="utf-8")
        return load_study(target, data_dir)
    except OSError as error:
        raise NegoError(f"{target} cannot be written ({error.strerror}).") from None
    except NegoError as error:
        shutil.rmtree(target, ignore_errors=True)
        if isinstance(error, InputFileError) and error.where == "name":
            raise NegoError(f"A study cannot be called {target.name!r}: {error.reason}.") from None
        raise


def _in_languages(value: Any, texts: set[str], languages: Sequence[str]) -> Any:
    """Return a part of a study with its texts in some of the languages; in one, as plain texts.

    Args:
        value: The part.
        texts: The languages that each text has now.
        languages: The languages to keep.
    """
    if isinstance(value, Mapping):
        if set(value) == texts:
            return value[languages[0]] if len(languages) == 1 else {code: value[code] for code in languages}
        return {key: _in_languages(part, texts, languages) for key, part in value.items()}
    if isinstance(value, list):
        return [_in_languages(part, texts, languages) for part in value]
    return value


def study_text(document: Mapping[str, Any]) -> str:
    """Return a study file as text: parts that fit are on one line, others are indented."""
    return _text_of(document, 0) + "\n"


def _text_of(value: Any, indent: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, Mapping | list) or (indent and len(line) + indent <= LINE_WIDTH):
        return line
    space = " " * (indent + 2)
    if isinstance(value, Mapping):
        parts = [
            f"{space}{json.dumps(key, ensure_ascii=False)}: {_text_of(part, indent + 2)}"
            for key, part in value.items()
        ]
        return "{\n" + ",\n".join(parts) + "\n" + " " * indent + "}"
    return (
        "[\n" + ",\n".join(space + _text_of(part, indent + 2) for part in value) + "\n" + " " * indent + "]"
    )
