"""Code with which the experimenter leaves a full screen: its salted hash, in a separate file."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from pathlib import Path

from negoplatform.eventlog.held_files import retry_while_held

FILE_NAME = "experimenter.json"

SCRYPT_COST = {"n": 2**14, "r": 8, "p": 1}
"""Cost of a guess (RFC 7914): about 50 ms and 16 MB."""


def write_code(data_dir: Path, code: str) -> None:
    """Store the salted hash of the code that the experimenter has to type, never the code itself.

    Raises:
        OSError: If it cannot be written.
    """
    salt = secrets.token_bytes(16)
    data_dir.mkdir(parents=True, exist_ok=True)
    kept = {"salt": salt.hex(), "hash": _hash_code(code, salt).hex()}
    # Atomic: with half a code any participant could leave the full screen.
    half = data_dir / f".{FILE_NAME}.part"
    half.unlink(missing_ok=True)
    half.touch(mode=0o600)
    half.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    retry_while_held(lambda: half.replace(data_dir / FILE_NAME))


def has_code(data_dir: Path) -> bool:
    """Return whether there is a code. An invalid file counts as none, so that it locks no experimenter in."""
    return _read_stored_hash(data_dir) is not None


def is_correct_code(data_dir: Path, code: str) -> bool:
    """Return whether a code is the stored one."""
    kept = _read_stored_hash(data_dir)
    return kept is not None and hmac.compare_digest(_hash_code(code, kept[0]), kept[1])


def delete_code(data_dir: Path) -> None:
    """Delete the code."""
    (data_dir / FILE_NAME).unlink(missing_ok=True)


def _hash_code(code: str, salt: bytes) -> bytes:
    return hashlib.scrypt(code.strip().encode("utf-8"), salt=salt, **SCRYPT_COST)


def _read_stored_hash(data_dir: Path) -> tuple[bytes, bytes] | None:
    try:
        kept = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
        return bytes.fromhex(kept["salt"]), bytes.fromhex(kept["hash"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
