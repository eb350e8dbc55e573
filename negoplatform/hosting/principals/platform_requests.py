"""Requests to the platform over the broker: questions about the session, and proposals.

A question is ``{"get_info": "obs"}`` or ``{"get_info": "local_state"}`` on the sender's info channel to the
platform. Its answer, ``{"get_obs_response": {"body": …}}`` or ``{"get_local_state_response": {"body": …}}``,
holds the numbers that the sender may see. ``{"set_state": "local", "body": {…}, "base_version": n}`` on the
sender's state channel is a proposal: the session decides, as on any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from negoplatform.core.broker import AddressedMessage, ChannelManager, MessageBroker, MessageType
from negoplatform.core.events import Event
from negoplatform.core.features.observation_vectors import Observation
from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.session_features import observation_of
from negoplatform.core.visibility import observer_of
from negoplatform.domain.errors import Refused
from negoplatform.domain.seat_map import PLATFORM

NO_ORIGIN = ActionOrigin(decided_by=None)


class PlatformRequests:
    """Handler of the messages that seats and principals send to the platform.

    Args:
        session: The session.
        broker: The broker.
        env_id: The session's id.
    """

    def __init__(self, session: Session, broker: MessageBroker, env_id: str) -> None:
        self._session = session
        self._broker = broker
        self._env_id = env_id
        self._proposers: dict[str, Proposer] = {}

    def attach(self, name: str, proposer: Proposer) -> None:
        """Accept proposals of a name, as those of a proposer that was issued for the session."""
        self._proposers[name] = proposer

    def send(self, kind: MessageType, sender: str, recipient: str, payload: Mapping[str, Any]) -> None:
        """Put a message into the channel of its kind.

        Raises:
            NegoError: If the payload is no JSON object, or the channel is full.
        """
        if kind is MessageType.STATE_UPDATE:
            channel = ChannelManager.state_channel(sender, self._env_id)
        else:
            channel = ChannelManager.info_channel(sender, recipient, self._env_id)
        message = AddressedMessage(kind, sender, recipient, payload, self._session.now(), self._env_id)
        self._broker.publish(channel, message)

    def answer_questions(self, sender: str) -> None:
        """Answer the questions that a sender has asked; what is no question is answered by its error."""
        channel = ChannelManager.info_channel(sender, PLATFORM, self._env_id)
        for message in self._broker.consume(channel, PLATFORM, self._env_id):
            self.send(MessageType.INFO, PLATFORM, sender, self._answer(sender, message.payload))

    def take_answers(self, recipient: str) -> list[Mapping[str, Any]]:
        """Take the answers to a recipient's questions, oldest first."""
        channel = ChannelManager.info_channel(PLATFORM, recipient, self._env_id)
        return [one.payload for one in self._broker.consume(channel, recipient, self._env_id)]

    def take_proposals(self, sender: str, origin: ActionOrigin = NO_ORIGIN) -> list[Event]:
        """Propose the changes that a sender has sent; return the events of those that were accepted.

        A refused one is in the log with its reason.
        """
        channel = ChannelManager.state_channel(sender, self._env_id)
        accepted = []
        for message in self._broker.consume(channel, PLATFORM, self._env_id):
            proposer, payload = self._proposers.get(sender), message.payload
            if proposer is None or payload.get("set_state") != "local":
                continue
            # The review refuses what is no object, and what is no version, with a reason in the log.
            body: Any = payload.get("body")
            version: Any = payload.get("base_version")
            try:
                accepted.append(self._session.propose_change(proposer, body, version, origin))
            except Refused:
                continue
        return accepted

    def _answer(self, sender: str, question: Mapping[str, Any]) -> dict[str, Any]:
        match question.get("get_info"):
            case "obs":
                return {"get_obs_response": {"body": self._observe(sender).to_dict()}}
            case "local_state":
                own = self._observe(sender).to_dict()["local"]
                return {"get_local_state_response": {"body": own}}
            case asked:
                return {"error": f"get_info is 'obs' or 'local_state', not {asked!r:.60}."}

    def _observe(self, name: str) -> Observation:
        state = self._session.state
        level = observer_of(state.game, name).level
        above = {seat: up for seat in state.game.seats if (up := state.game.upstream_of(seat))}
        return observation_of(state, name, level, state.t, principals=above)
