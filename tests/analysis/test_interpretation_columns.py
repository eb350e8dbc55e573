"""Interpretations of typed words in the table of messages."""

from __future__ import annotations

from pathlib import Path

from negoplatform.eventlog.observer_export import encode_log, filter_log
from negoplatform.eventlog.reader import read_log
from tests.analysis.exported import column, tables_of
from tests.interpreted_session import read_session


def test_a_message_has_what_was_understood_of_it(tmp_path: Path) -> None:
    messages = tables_of(read_session(tmp_path))["messages"]

    assert column(messages, "text") == ["Hello", "4 apples if Sunday", "Thank you."]
    assert column(messages, "subtype") == ["GENERIC", "GENERIC", "THANKS"]
    assert column(messages, "reading_subtype") == ["GREETING", "OFFER_PROPOSE", ""]
    assert column(messages, "reading_held_out") == column(messages, "reading_offers")
    assert column(messages, "reading_offers") == ["", "apples 4 human, 2 agent; day Sunday", ""]
    assert column(messages, "reading_sure") == ["", "0.95", ""]
    assert column(messages, "reading_verdict") == ["", "offered", ""]


def test_what_was_understood_is_for_the_experimenter_alone(tmp_path: Path) -> None:
    path = tmp_path / "agent.jsonl"
    path.write_bytes(encode_log(filter_log(read_log(read_session(tmp_path)), "agent")))

    messages = tables_of(path)["messages"]

    assert column(messages, "reading_subtype") == ["", "", ""]
    assert b"reading" not in path.read_bytes()


def test_the_codebook_describes_them(tmp_path: Path) -> None:
    codebook = tables_of(read_session(tmp_path))["codebook"]

    described = {row["column"] for row in codebook if row["table"] == "messages" and row["description"]}
    assert described >= {
        "reading_subtype",
        "reading_offers",
        "reading_held_out",
        "reading_sure",
        "reading_verdict",
    }
