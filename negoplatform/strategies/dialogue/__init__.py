"""Dialogue layer of all agents that talk: what they answer, in the words of a persona."""

from negoplatform.language.generation import Voice
from negoplatform.strategies.dialogue.conversation_memory import ConversationMemory, HeardMessage
from negoplatform.strategies.dialogue.dialogue import Dialogue
from negoplatform.strategies.dialogue.disclosures import LyingWords, PlainWords
from negoplatform.strategies.dialogue.manner import Honesty, Manner
from negoplatform.strategies.dialogue.sentences import Sentences
from negoplatform.strategies.dialogue.talk_settings import TalkSettings, persona_field
from negoplatform.strategies.dialogue.talking_agent import Inbox, TalkingAgent

__all__ = [
    "ConversationMemory",
    "Dialogue",
    "HeardMessage",
    "Honesty",
    "Inbox",
    "LyingWords",
    "Manner",
    "PlainWords",
    "Sentences",
    "TalkSettings",
    "TalkingAgent",
    "Voice",
    "persona_field",
]
