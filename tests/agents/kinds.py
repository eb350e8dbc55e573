"""Kinds of utterance that a sentence may be, by the templates that it fits."""

from __future__ import annotations

import re

from negoplatform.language.generation import templates


def kinds_of(text: str, style: str = "warm", language: str = "en") -> set[str]:
    """Return the kinds with a template that the text fits, with some text in its slots."""
    return {
        kind
        for kind, styles in templates(language).items()
        if any(_fits(text, template) for template in styles[style])
    }


def _fits(text: str, template: str) -> bool:
    parts = [re.escape(part) for part in re.split(r"\{\w+\}", template)]
    return re.fullmatch("(?i:" + ".+".join(parts) + ")", text) is not None
