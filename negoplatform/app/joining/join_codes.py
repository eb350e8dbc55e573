"""Codes of the roles in a session, and the proofs that a window and a host have the same one.

A proof is an HMAC-SHA256 (RFC 2104) of the nonces of both sides and a name, with the code as key, so the code
itself is never sent. A code has about 49 bits: enough against guesses, which are delayed, but not against an
eavesdropper on the network who tries all codes with recorded proofs.
"""

from __future__ import annotations

import hmac
import json
import secrets
from dataclasses import dataclass
from enum import StrEnum

from negoplatform.domain.errors import NegoError
from negoplatform.domain.visible_text import reveal_invisible

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Characters of codes: none that is easily taken for another (I, L, O, 0, 1)."""

CODE_LENGTH = 10

ID_BYTES = 16
"""Bytes of nonces, ids and resume tokens."""


def draw_code() -> str:
    """Return a new code at random."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def shown_code(code: str) -> str:
    """Return a code as it is shown to people, in two groups."""
    return f"{code[: CODE_LENGTH // 2]}-{code[CODE_LENGTH // 2 :]}"


def parse_code(typed: str) -> str:
    """Return the code that was typed, in any case, with or without dashes and spaces.

    Raises:
        NegoError: If it is no code; a sentence.
    """
    code = "".join(char for char in typed.upper() if char not in "-–‐ \t")
    for char in code:
        if char not in CODE_LETTERS:
            raise NegoError(
                f"The code has the character {reveal_invisible(char)!r}, which no code has; codes "
                "consist of letters except I, L and O, and of digits except 0 and 1."
            )
    if len(code) != CODE_LENGTH:
        raise NegoError(
            f"The code has {len(code)} characters, but a code has {CODE_LENGTH}; copy it from the host."
        )
    return code


def draw_id() -> str:
    """Return 128 random bits as hexadecimal digits."""
    return secrets.token_hex(ID_BYTES)


class ProofSide(StrEnum):
    """Side that makes a proof; otherwise a proof could be sent back to the side that made it."""

    WINDOW = "window"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Nonces:
    """Random numbers of both sides, used for one connection alone."""

    window: str
    host: str


def make_proof(key: bytes, side: ProofSide, nonces: Nonces, name: str) -> str:
    """Return the proof of a side that it has the key.

    Args:
        key: The code as ASCII text, or the resume token.
        side: The side that makes the proof.
        nonces: The nonces of the connection.
        name: Of a window the name of the wanted role, of a host that of the role it admits the window in.

    Returns:
        64 hexadecimal digits.
    """
    message = json.dumps(["negoplatform", side.value, nonces.window, nonces.host, name]).encode()
    return hmac.digest(key, message, "sha256").hex()


def is_proof(key: bytes, side: ProofSide, nonces: Nonces, name: str, proof: str) -> bool:
    """Return whether a proof is right; takes the same time for every wrong one."""
    return hmac.compare_digest(make_proof(key, side, nonces, name), proof)


def mask_token(key: bytes, nonces: Nonces, token: bytes) -> bytes:
    """Return a resume token in the form in which it is sent, or back from it.

    Args:
        key: The code as ASCII text.
        nonces: The nonces of the connection.
        token: 16 bytes.
    """
    message = json.dumps(["negoplatform", "token", nonces.window, nonces.host]).encode()
    mask = hmac.digest(key, message, "sha256")[:ID_BYTES]
    return bytes(a ^ b for a, b in zip(token, mask, strict=True))
