"""The shipped agent whose decisions a model makes, with a real service on this computer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.session_plan import with_time_limit
from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.simulation.simulate import simulate
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.core.events import EventType
from negoplatform.eventlog.reader import read_log
from negoplatform.language_model.missing_endpoint_warning import NO_DECISIONS, missing_endpoint_warning
from negoplatform.testing import Severity, check_agent
from tests.agents.seating import NOWHERE
from tests.language_model.service import Request, Response, Service, completion

FIRST, THEN = 4, 3
"""Apples that the model demands at first and later."""


def decided(request: Request) -> Response:
    """Return the decision of a model that accepts a second offer and once answers nonsense."""
    told = json.loads(request["messages"][-1]["content"])
    if "refused" not in told and len(told["offers"]) == 1:
        return completion("I would rather not say.")
    if "accept" in told["can"] and len(told["offers"]) > 2:
        return completion(json.dumps({"do": "accept", "offer": None, "text": "Then we agree."}))
    schema = request["response_format"]["json_schema"]["schema"]["properties"]["offer"]["anyOf"][0]
    terms = {
        name: FIRST if name == "apples" and not told["offers"] else term.get("maximum", THEN)
        for name, term in schema["properties"].items()
    }
    return completion(json.dumps({"do": "offer", "offer": terms, "text": "What about this?"}))


@pytest.fixture
def service() -> Iterator[Service]:
    service = Service(decided)
    yield service
    service.close()


def test_a_session_is_played_by_the_service_and_run_again_without_it(
    service: Service, tmp_path: Path
) -> None:
    plugin = find_agent("model_decides", NOWHERE)
    settings = {"endpoint": service.url, "model": "test"}
    spec = with_time_limit(find_game("practice", NOWHERE), 120.0)
    chosen = (replace(plugin, settings=settings), find_agent("conceder", NOWHERE))
    list(
        simulate(spec, chosen, games=1, seed=3, logs=tmp_path, report=CrashFolder(tmp_path / "crashes").write)
    )
    log = read_log(next(tmp_path.rglob("*.jsonl")))
    asked = len(service.requests)

    found = resimulate(log, tmp_path)

    assert asked > 2
    assert found.differences == ()
    assert len(service.requests) == asked
    assert EventType.ACTION_REFUSED not in [event.type for event in log.events]


def test_its_card_and_a_warning_say_that_it_needs_a_service() -> None:
    plugin = find_agent("model_decides", NOWHERE)

    assert "Needs a service" in plugin.description
    assert missing_endpoint_warning(plugin.options, {}) == NO_DECISIONS
    assert missing_endpoint_warning(plugin.options, {"endpoint": "http://127.0.0.1:1/v1"}) == ""


def test_the_check_finds_no_error_in_it() -> None:
    found = check_agent(find_agent("model_decides", NOWHERE), in_another_process=False)

    assert [str(finding) for finding in found if finding.severity is Severity.ERROR] == []
