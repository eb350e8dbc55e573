"""Agent that uses everything that is out of bounds; its source is checked, and it says little."""

import gc
import time
from random import choice

import negoplatform.core.session
from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.session.session_runner import SessionRunner


class Burglar(NegotiationAgent):
    def on_send_message(self, ctx, event):
        ctx._view.state
        getattr(ctx, "_seat")
        time.sleep(0)
        with open(__file__):
            pass
        return [SendMessage(choice(["Well.", "Well."]))]

    def helper(self, gc=gc, session=negoplatform.core.session, table=SessionRunner):
        return ctx_name(self._config)


def ctx_name(config):
    return config


# It is bad on purpose.
# mypy: ignore-errors
# ruff: noqa
