"""Language model of a few kilobytes with random weights, as a file that a real engine loads.

Its output is meaningless; the wire format, the grammar of structured output and the token counts are real.
The file is GGUF, version 3, see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md.
"""

from __future__ import annotations

import struct
from array import array
from pathlib import Path
from random import Random

WIDTH, INNER, HEADS, CONTEXT = 32, 64, 2, 8192
ALIGNMENT = 32

TOKENS = [
    *(("<unk>", 2), ("<s>", 3), ("</s>", 3)),
    *((f"<0x{byte:02X}>", 6 if byte < 128 else 5) for byte in range(256)),
    *((chr(code), 1) for code in range(ord("!"), ord("~") + 1)),
    ("\u2581", 1),
]
"""Tokens and their types (1 normal, 2 unknown, 3 control, 5 unused, 6 byte).

The bytes can encode any text, but only ASCII is generated: other random bytes would be no text. The engine's
grammars need normal tokens for the text that they force.
"""

WHOLE, REAL, TEXT, LIST = 4, 6, 8, 9
SIGNED = 5
"""GGUF's codes of value types: uint32, float32, string, array; int32."""


def write_model(path: Path, seed: int = 1) -> None:
    """Write the model.

    Args:
        path: The file.
        seed: The seed of its weights.
    """
    rng = Random(seed)
    facts = b"".join(
        [
            _fact("general.architecture", TEXT, _text("llama")),
            *(
                _fact(f"llama.{name}", WHOLE, struct.pack("<I", value))
                for name, value in (
                    ("context_length", CONTEXT),
                    ("embedding_length", WIDTH),
                    ("block_count", 1),
                    ("feed_forward_length", INNER),
                    ("attention.head_count", HEADS),
                    ("attention.head_count_kv", HEADS),
                    ("rope.dimension_count", WIDTH // HEADS),
                    ("vocab_size", len(TOKENS)),
                )
            ),
            _fact("llama.attention.layer_norm_rms_epsilon", REAL, struct.pack("<f", 1e-5)),
            _fact("tokenizer.ggml.model", TEXT, _text("llama")),
            _fact("tokenizer.ggml.tokens", LIST, _list(TEXT, [_text(token) for token, _ in TOKENS])),
            _fact("tokenizer.ggml.scores", LIST, _list(REAL, [struct.pack("<f", 0.0)] * len(TOKENS))),
            _fact(
                "tokenizer.ggml.token_type", LIST, _list(SIGNED, [struct.pack("<i", k) for _, k in TOKENS])
            ),
            *(
                _fact(f"tokenizer.ggml.{name}_token_id", WHOLE, struct.pack("<I", number))
                for name, number in (("unknown", 0), ("bos", 1), ("eos", 2))
            ),
        ]
    )
    tensors = _tensors()
    infos, at = b"", 0
    for name, shape in tensors.items():
        infos += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        infos += struct.pack("<IQ", 0, at)  # 0: float32
        at += _padded(4 * _size(shape))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), FACTS) + facts + infos
    with path.open("wb") as file:
        file.write(head.ljust(_padded(len(head)), b"\0"))
        for name, shape in tensors.items():
            file.write(_weights(rng, name, shape).ljust(_padded(4 * _size(shape)), b"\0"))


FACTS = 17


def _tensors() -> dict[str, tuple[int, ...]]:
    """Return names and shapes, the fastest dimension first."""
    square = (WIDTH, WIDTH)
    return {
        "token_embd.weight": (WIDTH, len(TOKENS)),
        "blk.0.attn_norm.weight": (WIDTH,),
        **{f"blk.0.attn_{part}.weight": square for part in ("q", "k", "v", "output")},
        "blk.0.ffn_norm.weight": (WIDTH,),
        "blk.0.ffn_gate.weight": (WIDTH, INNER),
        "blk.0.ffn_up.weight": (WIDTH, INNER),
        "blk.0.ffn_down.weight": (INNER, WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (WIDTH, len(TOKENS)),
    }


def _weights(rng: Random, name: str, shape: tuple[int, ...]) -> bytes:
    if len(shape) == 1:
        return array("f", [1.0] * shape[0]).tobytes()
    return array("f", [rng.gauss(0, 0.1) for _ in range(_size(shape))]).tobytes()


def _size(shape: tuple[int, ...]) -> int:
    return shape[0] * shape[1] if len(shape) == 2 else shape[0]


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _fact(key: str, kind: int, value: bytes) -> bytes:
    return _text(key) + struct.pack("<I", kind) + value


def _text(text: str) -> bytes:
    written = text.encode()
    return struct.pack("<Q", len(written)) + written


def _list(kind: int, items: list[bytes]) -> bytes:
    return struct.pack("<IQ", kind, len(items)) + b"".join(items)
