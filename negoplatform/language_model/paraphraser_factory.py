"""Creation of the paraphraser that settings describe."""

from __future__ import annotations

from importlib.util import find_spec

from negoplatform.domain.errors import AgentError
from negoplatform.language_model.api_key import KEYRING_SERVICE, find_key
from negoplatform.language_model.endpoint import Endpoint
from negoplatform.language_model.missing_endpoint_warning import NO_ENDPOINT
from negoplatform.language_model.paraphraser import Paraphraser
from negoplatform.language_model.settings import ModelSettings


def voice_for(settings: ModelSettings) -> Paraphraser:
    """Return a paraphraser; without an endpoint it leaves every message as it is.

    Raises:
        AgentError: If the client or the key of the configured model is missing.
    """
    if not settings.endpoint:
        return Paraphraser(settings, None, disabled_reason=NO_ENDPOINT)
    if not settings.recorded.more:
        return Paraphraser(settings, None)
    key = find_key(settings.key_variable)
    if settings.key_variable and not key:
        reason = f"There is no key: set the environment variable {settings.key_variable}"
        if find_spec("keyring") is None:  # the packaged program for Linux has no key ring
            raise AgentError(f"{reason}.")
        raise AgentError(
            f"{reason}, or put it into the system's key ring with: "
            f"keyring set {KEYRING_SERVICE} {settings.key_variable}"
        )
    return Paraphraser(settings, Endpoint(settings, key), secret=key)
