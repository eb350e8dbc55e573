"""Connections to the services that settings describe, and paraphrasers that use them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import NamedTuple

from negoplatform.domain.errors import AgentError
from negoplatform.language_model.api_key import KEYRING_SERVICE, find_key
from negoplatform.language_model.budgeted_client import ModelClient
from negoplatform.language_model.endpoint import Endpoint
from negoplatform.language_model.missing_endpoint_warning import NO_ENDPOINT
from negoplatform.language_model.paraphraser import Paraphraser
from negoplatform.language_model.settings import ModelSettings


class Connection(NamedTuple):
    """Connection to a service.

    Attributes:
        client: The service; None: none is called.
        key: Its key; empty: none.
        disabled_reason: Why no service is called, in a sentence; empty if the log has its answers.
    """

    client: ModelClient | None
    key: str = ""
    disabled_reason: str = ""


def voice_for(settings: ModelSettings) -> Paraphraser:
    """Return a paraphraser; without an endpoint it leaves every message as it is.

    Raises:
        AgentError: If the client or the key of the configured model is missing.
    """
    client, key, disabled_reason = connect(settings)
    return Paraphraser(settings, client, secret=key, disabled_reason=disabled_reason)


def connect(settings: ModelSettings, disabled_reason: str = NO_ENDPOINT) -> Connection:
    """Return the connection that settings describe.

    Args:
        settings: The service and its key's name.
        disabled_reason: What follows if no endpoint is set, in a sentence.

    Raises:
        AgentError: If the client or the key of the configured model is missing.
    """
    if not settings.endpoint:
        return Connection(None, disabled_reason=disabled_reason)
    if not settings.recorded.more:
        return Connection(None)
    key = find_key(settings.key_variable)
    if settings.key_variable and not key:
        reason = f"There is no key: set the environment variable {settings.key_variable}"
        if find_spec("keyring") is None:  # the packaged program for Linux has no key ring
            raise AgentError(f"{reason}.")
        raise AgentError(
            f"{reason}, or put it into the system's key ring with: "
            f"keyring set {KEYRING_SERVICE} {settings.key_variable}"
        )
    return Connection(Endpoint(settings, key), key)
