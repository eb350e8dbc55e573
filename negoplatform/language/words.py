"""Import path of agent API 1.0 for ``negoplatform.language.generation.templates``."""

from negoplatform.language.generation.templates import STYLES, Templates, Words, languages, templates

__all__ = ["STYLES", "Templates", "Words", "languages", "templates"]
