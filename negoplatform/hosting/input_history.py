"""Inputs of a seat's agents in order, and the position up to which they were answered."""

from __future__ import annotations

from collections.abc import Iterable

from negoplatform.core.events import Event
from negoplatform.hosting.agent_runner import AgentRequest
from negoplatform.hosting.responder import AgentInput


class InputHistory:
    """Inputs that an agent's successor needs.

    ``inputs[:answered]`` is the past, which a successor only folds; the rest is put to it.
    ``inputs[:acknowledged]`` is never put to an agent again: the log holds an answer to its last input.
    """

    def __init__(self) -> None:
        self.inputs: list[AgentInput] = []
        self.answered = 0
        self.acknowledged = 0
        self._lost_requests: list[AgentRequest] = []

    def mark_answered(self, request: AgentRequest) -> None:
        """Move the position behind a request; requests are answered in order."""
        while self.inputs[self.answered] is not request:
            self.answered += 1
        self.answered += 1

    def mark_lost(self, request: AgentRequest) -> None:
        """Add a request at which a responder was lost: the same agent is not asked it again."""
        self._lost_requests.append(request)

    def was_lost_at(self, request: AgentInput | None) -> bool:
        """Return whether a responder was lost at a request."""
        return any(request is lost for lost in self._lost_requests)

    def acknowledge(self, event: Event) -> None:
        """Close the request that an event of the log answers, and everything before it.

        A responder that is lost only now, during the replay, then turns no request that was answered in the
        log into a live one. Actions that it would still have taken in answer to those are lost with it.
        """
        decided_at = event.t if event.decided_at is None else event.decided_at
        for i in range(len(self.inputs) - 1, self.acknowledged - 1, -1):
            request = self.inputs[i]
            # The cause of a callback's action is the event in answer to which the callback was scheduled.
            if (
                isinstance(request, AgentRequest)
                and request.stimulus.seq == event.cause
                and (not request.call or request.now <= decided_at)
            ):
                self.acknowledged = i + 1
                self.answered = max(self.answered, i + 1)
                return

    def retract_acknowledgement(self, request: AgentRequest) -> None:
        """Allow a fallback to be asked the request that was acknowledged last, if it is this one."""
        if self.acknowledged and self.inputs[self.acknowledged - 1] is request:
            self.acknowledged -= 1

    def find_answered(self, request: AgentRequest | None) -> int | None:
        """Return the index of an answered request; None: it is not among them."""
        return next((i for i in range(self.answered) if self.inputs[i] is request), None)

    def newest_answered(self, cause: int | None) -> AgentRequest | None:
        """Return the newest answered request about the event with a number; None: there is none."""
        for i in range(self.answered - 1, -1, -1):
            request = self.inputs[i]
            if isinstance(request, AgentRequest) and request.stimulus.seq == cause:
                return request
        return None

    def reopen(self, first: int) -> None:
        """Take the inputs from an index on as unanswered, except acknowledged ones."""
        self.answered = max(first, self.acknowledged)

    def split_for_restart(self) -> tuple[list[AgentInput], list[AgentInput]]:
        """Return the past and the open inputs of a fresh responder of the same agent.

        A request at which a responder was lost becomes a mere event: the agent is not asked it again, but
        what happened then has happened. A lost callback is gone with its responder.
        """
        past: list[AgentInput] = []
        for item in self.inputs[: self.answered]:
            if not self.was_lost_at(item):
                past.append(item)
            elif isinstance(item, AgentRequest) and item.call is None and not item.is_told:
                past.append(item.stimulus)
        return past, self.inputs[self.answered :]

    def split_for_fallback(self, failed: AgentRequest | None) -> tuple[list[AgentInput], list[AgentInput]]:
        """Return the past and the open inputs of another agent; callbacks are dropped for good.

        Args:
            failed: The request that the agent failed to answer; None: it failed at acting on its response.
        """
        place = self.find_answered(failed)
        if place is not None:
            self.reopen(place)
        past, rest = self.inputs[: self.answered], self.inputs[self.answered :]
        past, rest = _without_callbacks(past), _without_callbacks(rest)
        self.inputs = [*past, *rest]
        self.answered = self.acknowledged = len(past)
        return past, rest

    def clear(self) -> None:
        """Drop all inputs."""
        self.inputs.clear()
        self.answered = self.acknowledged = 0


def _without_callbacks(inputs: Iterable[AgentInput]) -> list[AgentInput]:
    """Return the inputs without the calls of callbacks, which only the agent that scheduled them has."""
    return [item for item in inputs if not isinstance(item, AgentRequest) or item.call is None]
