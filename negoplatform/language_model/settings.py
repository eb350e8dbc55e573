"""Settings of a language model. The key is not among them."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from negoplatform.domain.errors import AgentError
from negoplatform.language.generation import Voice
from negoplatform.language_model.api_key import KEY_NAME_PATTERN

MODEL_BUDGET = {"load_seconds": 20.0, "soft_seconds": 8.0, "hard_seconds": 12.0}
"""Time limits of loading and of a reaction: the client and the model need longer than usual agents."""

TIMEOUT_MARGIN = 1.0
"""Seconds of ``soft_seconds`` that are left for everything except waiting for the model."""

_KEY_PREFIX = re.compile(r"(?:sk|pk|rk|gsk|xai|hf|ghp|glpat|nvapi|AIza|AKIA|ya29|eyJ)[-_.A-Za-z0-9]{16,}")
_ADDRESS = re.compile(r"[A-Za-z0-9:/?#@!$&'()*+,;=._~%\[\]-]+")
_HOST = re.compile(r"(?:(?:[\w-]+\.)*[\w-]+\.?|\[[0-9A-Fa-f:.]+\])(?::\d+)?", re.ASCII)
_LONG_TOKEN = re.compile(r"[A-Za-z0-9_]{24,}|[A-Za-z0-9+/=_-]{40,}")

KEY_IN_SETTINGS_HINT = (
    "Settings are kept in the log, so put the key into an environment variable, such as OPENAI_API_KEY, "
    "and name that in key_variable."
)


def resembles_key(text: str) -> bool:
    """Return whether a text may be a key: a known prefix, or a long mixture of letters and digits."""
    if _KEY_PREFIX.search(text):
        return True
    return any(
        re.search(r"\d", run) and re.search(r"[A-Za-z]", run) and len(set(run)) > 10
        for run in _LONG_TOKEN.findall(text)
    )


def is_loopback(url: str) -> bool:
    """Return whether an address refers only to this computer."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _iter_strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inside in value.items():
            yield str(name)
            yield from _iter_strings(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _iter_strings(inside)


def refuse_keys(config: Mapping[str, Any]) -> None:
    """Refuse settings that contain what may be a key: settings are logged and shared.

    Raises:
        AgentError: If one does; the message does not repeat it.
    """
    for name, value in config.items():
        if name != "recorded" and any(resembles_key(text) for text in (name, *_iter_strings(value))):
            where = "the name of a setting" if resembles_key(name) else f"the setting {name!r}"
            raise AgentError(f"What {where} says looks like a key. {KEY_IN_SETTINGS_HINT}")


def _validate_address(text: str) -> str:
    if not text:
        return text
    if not _ADDRESS.fullmatch(text):
        # Nothing that this module and the client could parse differently.
        raise ValueError(
            "it is an address without a blank, a line break or any other character that does not belong there"
        )
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        usable = usable and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if usable and ("@" in parts.netloc or parts.query or parts.fragment):
        raise ValueError(
            "it is an address alone, without a name, a password or anything after a question mark"
        )
    if not usable or not _HOST.fullmatch(parts.netloc):
        raise ValueError("it is an address such as https://api.openai.com/v1 or http://127.0.0.1:8080/v1")
    return text.rstrip("/")


def _validate_key_name(text: str) -> str:
    if text and not KEY_NAME_PATTERN.fullmatch(text):
        raise ValueError(
            "it is the name of an environment variable that ends in _API_KEY, such as OPENAI_API_KEY, and "
            "never the key itself"
        )
    return text


ShortText = Annotated[str, Field(max_length=300)]


class RecordedCalls(BaseModel):
    """Responses of a model that a log contains.

    Args:
        calls: The attempts of each call, by its number.
        more: Whether the session continues, and the model is called where no response is recorded.
    """

    model_config = ConfigDict(extra="forbid")

    calls: dict[str, list[dict[str, Any]]] = {}
    more: bool = True


class ModelSettings(BaseModel):
    """Settings of a model: the service, its parameters and limits."""

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    endpoint: Annotated[ShortText, AfterValidator(_validate_address)] = Field(
        default="",
        title="Service address",
        description="Of an OpenAI-compatible service, such as http://127.0.0.1:8080/v1. Leave empty for no "
        "model; the agent then speaks in its own words.",
        json_schema_extra={"format": "uri"},
    )
    model: ShortText = Field(default="", description="Its name at the service.")
    key_variable: Annotated[ShortText, AfterValidator(_validate_key_name)] = Field(
        default="",
        title="Where the key is",
        description="The name of an environment variable or key ring entry, such as OPENAI_API_KEY. Leave "
        "empty if no key is needed. Never the key itself.",
        json_schema_extra={"format": "environment"},
    )
    reads: bool = Field(default=True, title="Also reads what the other types")
    small_talk: bool = Field(
        default=True,
        title="May make small talk",
        description="It answers courtesies that the agent itself would leave unanswered.",
    )
    persona: Voice = Field(default="warm", title="Persona", description="How it is asked to speak.")
    language: Literal["en"] = Field(default="en", description="The language it speaks.")
    patience: float = Field(
        default=5.0,
        ge=0.2,
        le=120,
        title="Seconds for an answer",
        description="For all attempts together.",
    )
    attempts: int = Field(
        default=2, ge=1, le=5, title="Attempts", description="After these, the agent’s own words are used."
    )
    failures: int = Field(
        default=3, ge=1, le=100, title="Failures before a pause", description="Failures in a row."
    )
    rest_seconds: float = Field(default=60.0, ge=1, le=3600, title="Seconds of the pause")
    tokens: int = Field(
        default=100_000, ge=0, title="Tokens per session", description="Questions and answers together."
    )
    cost: float = Field(
        default=1.0, ge=0, title="Cost per session", description="At most, in the currency of the prices."
    )
    price_in: float = Field(default=0.0, ge=0, title="Price of input", description="Per million tokens.")
    price_out: float = Field(default=0.0, ge=0, title="Price of output", description="Per million tokens.")
    longest: int = Field(default=200, ge=20, le=4000, title="Tokens per answer")
    temperature: float | None = Field(
        default=None, ge=0, le=2, description="Leave empty for the service’s own."
    )
    structured: Literal["json_schema", "json_object", "none"] = Field(
        default="json_schema",
        title="Answer format",
        description="How the service is told the shape of its answer; not every service can do each.",
    )
    budget: dict[str, Any] = Field(default=MODEL_BUDGET, json_schema_extra={"readOnly": True})
    recorded: RecordedCalls = Field(
        default=RecordedCalls(),
        description="What a log holds of the model's answers: given again where a session is run again.",
        json_schema_extra={"readOnly": True},
    )

    @model_validator(mode="after")
    def _require_model(self) -> ModelSettings:
        if self.endpoint and not self.model:
            raise ValueError(
                "an endpoint is set and no model; the setting 'model' names it as the service does"
            )
        return self

    def max_wait_seconds(self) -> float:
        """Return the seconds that a response may wait for the model without counting as slow."""
        budget = {**MODEL_BUDGET, **self.budget}
        least = min(float(budget["soft_seconds"]), float(budget["hard_seconds"]))
        return min(self.patience, max(0.0, least - TIMEOUT_MARGIN))
