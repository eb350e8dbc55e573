"""Agents from files: loaded, made and configured, with somebody else's code kept at arm's length."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import inspect
import io
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.core.events import clean_text
from negoplatform.domain.errors import NegoError, text_of
from negoplatform.formats.strict import read_bytes

LOAD_SECONDS = 10.0
"""How long a plugin may take to load, or to be made and configured."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AgentPlugin:
    """An agent that can be seated.

    Args:
        name: Its id: what commands and logs call it.
        make: Its class.
        file: Where it comes from.
        sha256: The hash of that file.
        description: What the experimenter reads.
        settings: What it is configured with where nothing else is said.
    """

    name: str
    make: Callable[..., NegotiationAgent]
    file: Path
    sha256: str
    description: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def origin(self) -> tuple[Path, str, str]:
        """What tells it from every other agent: its file, its class and, with its settings, its name."""
        return self.file.resolve(), self.make.__name__, self.name if self.settings else ""


def load_agents(path: Path, stem: str) -> list[AgentPlugin]:
    """The agents in a file: its public subclasses of NegotiationAgent, or those that ``__all__`` names.

    One agent takes the file's name; several take their classes' names.

    Raises:
        NegoError: If the file cannot be loaded or holds no agent.
    """
    digest = hashlib.sha256(read_bytes(path)).hexdigest()
    found = at_arms_length(lambda: _agents_in(path, digest), f"{path}: loading it")
    if not found:
        raise NegoError(f"{path} holds no subclass of NegotiationAgent.")
    return [
        AgentPlugin(
            name=stem if len(found) == 1 else _snake(agent.__name__),
            make=agent,
            file=path,
            sha256=digest,
            description=description,
        )
        for agent, description in found
    ]


def make_agent(plugin: AgentPlugin, agent_id: str, config: dict[str, Any]) -> NegotiationAgent:
    """An agent made and configured.

    Raises:
        NegoError: If its own code refuses the configuration, fails, or does not come to an end.
    """

    def make() -> NegotiationAgent:
        agent = plugin.make(agent_id)
        agent.configure(config)
        return agent

    return at_arms_length(make, f"{plugin.file}: setting up the agent {plugin.name!r}")


def name_of(agent: NegotiationAgent) -> str:
    """The name that an agent gives itself; one that cannot say is called Agent.

    Raises:
        NegoError: If it does not come to an end.
    """

    def ask() -> str:
        try:
            return " ".join(clean_text(str(agent.get_name())).split())[:40]
        except BaseException:  # noqa: BLE001 - any fault of its own code; its name is not worth a session
            return ""

    return at_arms_length(ask, "asking the agent for its name") or "Agent"


def at_arms_length(call: Callable[[], T], what: str) -> T:
    """Runs somebody else's code on a thread of its own; what it prints is dropped.

    Raises:
        NegoError: If it raises anything at all, or is not done in 10 seconds.
    """
    results: SimpleQueue[tuple[T, None] | tuple[None, BaseException]] = SimpleQueue()

    def run() -> None:
        try:
            results.put((call(), None))
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like included
            results.put((None, error))

    # A daemon thread: one that never ends must not hold up the end of the program.
    thread = Thread(target=run, name=what, daemon=True)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            thread.start()
            result, error = results.get(timeout=LOAD_SECONDS)
    except Empty:
        raise NegoError(f"{what} took longer than {LOAD_SECONDS:g} s, so it was given up.") from None
    if error is not None:
        raise NegoError(f"{what} failed: {_fault(error)}") from error
    return result  # type: ignore[return-value]  # without an error there is a result


def _fault(error: BaseException) -> str:
    text = clean_text(" ".join(text_of(error).split()))[:500]
    if isinstance(error, NegoError):
        return text
    if isinstance(error, SyntaxError):
        place = f"line {error.lineno}: " if error.lineno else ""
        return f"{place}{error.msg}."
    line, traceback = "", error.__traceback__
    while traceback is not None:
        if "negoplatform" not in Path(traceback.tb_frame.f_code.co_filename).parts:
            line = f" in line {traceback.tb_lineno}"
        traceback = traceback.tb_next
    return f"it raised {type(error).__name__}{f' ({text})' if text else ''}{line}."


def _agents_in(path: Path, digest: str) -> list[tuple[type[NegotiationAgent], str]]:
    module = load_module(path, digest)
    exported = getattr(module, "__all__", None)
    found = {
        value: None
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, NegotiationAgent)
        and value.__module__ == module.__name__
        and (name in exported if exported is not None else not name.startswith("_"))
    }
    return [(agent, NegotiationAgent.get_description(agent.__new__(agent))) for agent in found]


def load_module(path: Path, digest: str) -> Any:
    """A plugin's module, under a name that no other module has; runs somebody else's code."""
    name = f"negoplatform_plugin_{path.stem}_{digest[:12]}_{abs(hash(path.resolve())):x}"
    if name in sys.modules:
        return sys.modules[name]  # the same text from the same file is the same code
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise NegoError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
