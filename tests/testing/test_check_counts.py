"""Calls of services and refused actions in a check: what is prevented, counted and said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from negoplatform.cli.main import run
from negoplatform.language_model.call_limit import CallLimit, limited_calls, may_call
from negoplatform.testing import check_agent
from negoplatform.testing.check import CheckCounts
from tests.games import coins_only, game_file
from tests.language_model.service import Service, worded


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(lambda _request: worded("Hello there, it is good to see you."))
    yield service
    service.close()


def talker(folder: Path, service: Service) -> Path:
    """Write an agent whose settings name a service by default, and return its file."""
    path = folder / "talker.py"
    path.write_text(
        dedent(f"""
        from pydantic import Field

        from negoplatform.agent_api import MessageSubtype, NegotiationAgent, SendMessage
        from negoplatform.language_model import ModelSettings, voice_for


        class Settings(ModelSettings):
            endpoint: str = Field(default="{service.url}", json_schema_extra={{"format": "uri"}})
            model: str = "test"


        class Talker(NegotiationAgent):
            '''Greets in the words of a model.'''

            Settings = Settings

            def configure(self, config):
                super().configure(config)
                self.voice = voice_for(self.settings)

            def reset(self):
                self.voice.reset()

            def handle_event(self, ctx, event):
                return self.voice.answer(ctx, event, super().handle_event(ctx, event))

            def on_game_start(self, ctx, event):
                return [SendMessage("Hello! Shall we begin?", MessageSubtype.GREETING)]
        """),
        encoding="utf-8",
    )
    return path


def test_a_check_calls_no_service_unasked(service: Service, tmp_path: Path) -> None:
    counts = CheckCounts()

    check_agent(talker(tmp_path, service), games=[coins_only()], counts=counts)

    assert service.requests == []
    assert counts.calls.made == 0
    assert counts.calls.prevented > 10


def test_a_check_that_is_told_to_calls_as_often_as_it_may(service: Service, tmp_path: Path) -> None:
    counts = CheckCounts(CallLimit(5))

    check_agent(talker(tmp_path, service), games=[coins_only()], counts=counts, in_another_process=False)

    assert len(service.requests) == counts.calls.made == 5
    assert counts.calls.prevented > 0


def test_a_connection_that_an_agent_opens_itself_is_prevented_and_counted(
    service: Service, tmp_path: Path
) -> None:
    host, port = service.url.split("/")[2].split(":")
    path = tmp_path / "caller.py"
    path.write_text(
        dedent(f"""
        import socket

        from negoplatform.agent_api import NegotiationAgent


        class Caller(NegotiationAgent):
            '''Connects to a service without our client.'''

            def on_game_start(self, ctx, event):
                try:
                    socket.create_connection(("{host}", {port}), timeout=1).close()
                except OSError:
                    pass
                return []
        """),
        encoding="utf-8",
    )
    counts = CheckCounts()

    check_agent(path, games=[coins_only()], counts=counts, in_another_process=False)

    assert counts.calls.made == 0
    assert counts.calls.prevented > 0


def test_outside_of_a_check_nothing_is_limited() -> None:
    limit = CallLimit(1)
    with limited_calls(limit):
        inside = [may_call(), may_call()]

    assert inside == [True, False]
    assert [may_call() for _ in range(3)] == [True, True, True]
    assert (limit.made, limit.prevented) == (1, 1)


def test_the_command_says_how_many_calls_were_made_and_what_is_unchecked(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, game = str(talker(tmp_path, service)), game_file(tmp_path, coins_only())
    run(["check", file, "--game", game, "--data-dir", str(tmp_path)])
    without = capsys.readouterr().out
    run(["check", file, "--game", game, "--data-dir", str(tmp_path), "--ask-model", "--calls", "2"])
    asked = capsys.readouterr().out
    run(["check", "language_model", "--game", game, "--data-dir", str(tmp_path)])
    unset = capsys.readouterr().out

    assert "No call of a service was made" in without
    assert "--ask-model lets it call." in without
    assert "2 calls of a service were made." in asked
    assert "--calls allows more" in asked
    assert "No call of a service was made, as none is set" in unset
    assert len(service.requests) == 2


PUSHY = """
from negoplatform.agent_api import FormalAccept, NegotiationAgent


class Pushy(NegotiationAgent):
    '''Accepts whatever happens.'''

    def on_game_start(self, ctx, event):
        return [FormalAccept()]
"""


def test_refused_actions_are_counted_with_the_first_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pushy.py"
    path.write_text(PUSHY, encoding="utf-8")
    game = game_file(tmp_path, coins_only())

    run(["check", str(path), "--game", game, "--data-dir", str(tmp_path)])
    said = capsys.readouterr().out
    run(["check", str(path), "--game", game, "--data-dir", str(tmp_path), "--json"])
    document = json.loads(capsys.readouterr().out)

    assert f"{document['refused']} actions were refused in all situations together" in said
    assert "FORMAL_ACCEPT: There’s no offer on the table yet" in said
    assert document["refused"] > 5
    assert document["calls"] == {"made": 0, "prevented": 0}
