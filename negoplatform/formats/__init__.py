"""JSON formats, read strictly: game files, agent files, events and the agent process protocol.

``game_schema``, ``interpretations`` and ``log_header`` are imported from their modules: an agent's process
loads this package and needs none of them.
"""

from negoplatform.formats.agent_limits import dump_budget, load_budget
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST, MANIFEST_FILE, Manifest, load_manifest
from negoplatform.formats.agent_protocol import BadMessage, DescribedAgent
from negoplatform.formats.event_payloads import dump_offer, encode_payload, load_offer
from negoplatform.formats.events import decode_event, encode_event
from negoplatform.formats.games import GAME_SCHEMA, build_game, dump_game, load_game
from negoplatform.formats.strict_json import (
    LARGEST_FILE,
    LOG_LIMITS,
    StrictModel,
    parse_json,
    read_bytes,
    read_text,
    single_line,
    validate_json,
)

__all__ = [
    "EMPTY_MANIFEST",
    "GAME_SCHEMA",
    "LARGEST_FILE",
    "LOG_LIMITS",
    "MANIFEST_FILE",
    "BadMessage",
    "DescribedAgent",
    "Manifest",
    "StrictModel",
    "build_game",
    "decode_event",
    "dump_budget",
    "dump_game",
    "dump_offer",
    "encode_event",
    "encode_payload",
    "load_budget",
    "load_game",
    "load_manifest",
    "load_offer",
    "parse_json",
    "read_bytes",
    "read_text",
    "single_line",
    "validate_json",
]
