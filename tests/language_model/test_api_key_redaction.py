"""A key is redacted in every encoding."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from negoplatform.language_model.api_key_redaction import REDACTION_MARK, contains_secret, redact

KEY = "zq-my-Very+own/KEY-9f8e7d6c5b4a"


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


@pytest.mark.parametrize(
    "written",
    [
        KEY,
        KEY.upper(),
        KEY.lower(),
        escaped(KEY),
        json.dumps(escaped(KEY))[1:-1],
        "".join(f"\\x{ord(character):02X}" for character in KEY),
        "".join(f"%{ord(character):02x}" for character in KEY),
        quote(KEY, safe=""),
        quote(quote(KEY, safe=""), safe=""),
        "".join(f"&#{ord(character)};" for character in KEY),
        "".join(f"&#x{ord(character):x};" for character in KEY),
        " ".join(KEY),
        "\\n".join(KEY),
        "\n".join(KEY),
        KEY.replace("-", " "),
        KEY.replace("/", "\\/"),
        json.dumps(list(KEY)),
        KEY[::-1],
        KEY.encode().hex(),
        *(base64.b64encode(before + KEY.encode() + b" it is").decode() for before in (b"", b"a", b"ab")),
        base64.urlsafe_b64encode(KEY.encode()).decode(),
        f"{KEY}{KEY.upper()}",
    ],
)
def test_it_is_struck_out(written: str) -> None:
    struck = redact(f'{{"text": "It is {written}, as you know."}}', KEY)

    assert struck.startswith('{"text": "It is ')
    assert struck.endswith(', as you know."}')
    assert REDACTION_MARK in struck
    assert len(struck) < 60
    assert contains_secret(written, KEY)


def test_nothing_else_is() -> None:
    text = '{"text": "A zq and my very own 9f8e\\\\u007a %zz &#0; \\\\uffffff %00 \\ud800."}'

    assert redact(text, KEY) == text
    assert redact(text, "") == text
    assert not contains_secret(text, KEY)


def test_a_short_one_is_struck_out_where_it_stands_alone() -> None:
    assert redact("Not so: n-o T, and not NO-T.", "no-t") == f"Not so: n-o T, and not {REDACTION_MARK}."


def test_what_is_between_its_characters_goes_with_it() -> None:
    assert redact("a z.q.m.y.v.e.r.y.o.w.n.k.e.y.9.f.8.e.7.d.6.c.5.b.4.a b", KEY) == f"a {REDACTION_MARK} b"


def test_every_one_of_several_is_struck_out() -> None:
    ways = (escaped(KEY), KEY, KEY[::-1], KEY.encode().hex(), KEY.upper(), " ".join(KEY))

    struck = redact("; ".join(ways), KEY)

    assert struck == "; ".join([REDACTION_MARK] * len(ways))


def test_every_one_of_several_short_ones_is_struck_out() -> None:
    assert redact("no-t, NO-T, no-t", "no-t") == ", ".join([REDACTION_MARK] * 3)
