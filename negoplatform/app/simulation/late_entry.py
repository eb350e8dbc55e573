"""Entry of an agent into a session that has begun: it hears everything, and acts from its entry on."""

from __future__ import annotations

from negoplatform.agent_api.actions import ProposeChange, SendExpression, SendMessage, ShowTyping
from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.hosting.agent_host import AgentHost
from negoplatform.hosting.agent_runner import AgentRequest, AgentResponse
from negoplatform.hosting.responder import Responder, ResponderFactory

_ACCOMPANIES = SendMessage | SendExpression | ShowTyping | ProposeChange


class LateEntry:
    """Entry of one agent: before it, its answers are dropped.

    What the agent decided last is what it does when it enters, unless its seat has made an offer since then:
    so the offer that is on the table at the entry is answered. An agent that waits for its own pending bid
    is never left waiting, because only what a later offer of its seat has replaced is left out.
    """

    def __init__(self) -> None:
        self.entered = False
        self.failure = ""
        """First failure before the entry, as a sentence; empty: none."""
        self._decided: AgentResponse | None = None
        self._is_replaced = False

    def responders(self, make: ResponderFactory) -> ResponderFactory:
        """Return a factory of responders whose answers count from the entry on."""
        return lambda: _LateResponder(make(), self)

    def enter(self, host: AgentHost, *, moves_now: bool = False) -> None:
        """Let the agent act from now on, first by what it decided last.

        Args:
            host: The host of the agent.
            moves_now: Whether it also does what an offer of its seat has replaced: its seat is to move.
        """
        self.entered = True
        if self._decided is not None and (moves_now or not self._is_replaced):
            host.on_response(self._decided)

    def take(self, response: AgentResponse) -> AgentResponse:
        """Return the response that counts."""
        if self.entered:
            return response
        self.failure = self.failure or response.failure
        if any(not isinstance(step, _ACCOMPANIES) for step in response.steps):
            self._decided, self._is_replaced = response, False
        return AgentResponse(response.request)

    def take_own(self, event: Event) -> None:
        """Take an event of the agent's own seat."""
        self._is_replaced = self._is_replaced or event.type == EventType.SEND_OFFER

    def check(self, agent: str) -> None:
        """Check that the agent has not failed before its entry.

        Raises:
            NegoError: If it has.
        """
        if self.failure:
            raise NegoError(f"The agent {agent} cannot go on with this session: {self.failure}")


class _LateResponder:
    """Responder whose answers are dropped until its agent has entered."""

    def __init__(self, inner: Responder, entry: LateEntry) -> None:
        self._inner = inner
        self._entry = entry

    def respond(self, request: AgentRequest) -> AgentResponse:
        """Return the agent's response, or an empty one before the entry."""
        return self._entry.take(self._inner.respond(request))

    def notify(self, event: Event) -> None:
        """Pass on an event of the agent's own seat."""
        self._entry.take_own(event)
        self._inner.notify(event)

    def stop(self) -> None:
        """Stop the agent."""
        self._inner.stop()
