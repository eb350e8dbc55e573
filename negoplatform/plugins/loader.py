"""Agents from files: loaded, made and configured, with somebody else's code kept at arm's length."""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import inspect
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.settings import schema_of
from negoplatform.agent_api.version import VERSION_CONSTANT, format_version, incompatibility_reason
from negoplatform.core.events import clean_text
from negoplatform.core.visibility import Observer, visible_game
from negoplatform.domain.errors import AgentError, InputFileError, NegoError, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST, MANIFEST_FILE, Manifest
from negoplatform.formats.agent_protocol import LONGEST_AVATAR, LONGEST_DEBRIEFING, DescribedAgent
from negoplatform.formats.strict_json import read_bytes
from negoplatform.plugins.requirements import import_error_hint, load_usable_manifest

LOAD_SECONDS = 10.0
"""How long a plugin may take to load, or to be made and configured."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AgentPlugin:
    """An agent that can be seated: data alone, so that it can be told to another process.

    Args:
        name: Its id: what commands and logs call it.
        class_name: Its class in the file.
        file: Where it comes from.
        sha256: The hash of that file.
        description: What the experimenter reads.
        settings: What it is configured with where nothing else is said; JSON values.
        reported_name: What it calls itself where its settings say nothing; empty if it cannot say.
        avatar: What its picture is, by name; empty for a plain one.
        options: What can be set, as a JSON schema; None: whatever it asks for.
        manifest: What its agent.json says; nothing where it has none.
    """

    name: str
    class_name: str
    file: Path
    sha256: str
    description: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    reported_name: str = ""
    avatar: str = ""
    options: Mapping[str, Any] | None = None
    manifest: Manifest = EMPTY_MANIFEST

    def resolve_settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Its settings as it is given them: checked and filled up, if its agent.json says what can be set.

        Raises:
            AgentError: With a sentence, if it cannot be set so.
        """
        if self.manifest.options is None:
            return dict(config)
        try:
            return self.manifest.options.resolve(config)
        except AgentError as error:
            raise AgentError(f"{self.file}: setting up the agent {self.name!r} failed: {error}") from None

    @property
    def identity(self) -> tuple[Path, str, str]:
        """What tells it from every other agent: its file, its class and, with its settings, its name."""
        return self.file.resolve(), self.class_name, self.name if self.settings else ""


def load_agents(path: Path, stem: str) -> list[AgentPlugin]:
    """The agents in a file: its public subclasses of NegotiationAgent, or those that ``__all__`` names.

    Runs the file's code in this process.

    Raises:
        NegoError: If the file or its agent.json cannot be used, or it holds no agent.
    """
    digest, manifest = hash_of(path), load_usable_manifest(path)
    return build_plugins(path, stem, digest, discover_in_process(path, digest), manifest)


def discover_in_process(path: Path, sha256: str) -> list[DescribedAgent]:
    """The agents in a file of that hash, by running its code in this process.

    Raises:
        NegoError: If the file cannot be loaded or has changed.
    """
    return call_with_timeout(lambda: _discover_agents(path, sha256), f"{path}: loading it", file=path)


def build_plugins(
    path: Path, stem: str, sha256: str, found: Iterable[DescribedAgent], manifest: Manifest = EMPTY_MANIFEST
) -> list[AgentPlugin]:
    """Agents by what is known of their file; one agent takes the file's name, several take their classes'.

    Raises:
        NegoError: If there is none, or the agent.json says of it what cannot be.
    """
    agents = list(found)
    if not agents:
        raise NegoError(f"{path} holds no subclass of NegotiationAgent.")
    _check_manifest(manifest, path, agents)
    options = None if manifest.options is None else manifest.options.to_json_schema()
    return [
        AgentPlugin(
            name=(manifest.id or stem) if len(agents) == 1 else _snake(agent.class_name),
            class_name=agent.class_name,
            file=path,
            sha256=sha256,
            description=agent.description,
            reported_name=agent.called,
            avatar=agent.avatar,
            options=agent.options if options is None else options,
            manifest=manifest,
        )
        for agent in agents
    ]


def _check_manifest(manifest: Manifest, path: Path, agents: list[DescribedAgent]) -> None:
    file = path.with_name(MANIFEST_FILE)
    if manifest.id and len(agents) > 1:
        reason = f"{path.name} holds several agents, which are called by their classes; remove the id"
        raise InputFileError(file, "id", reason)
    for agent in agents:
        if manifest.options is not None and agent.options is not None:
            reason = f"the class {agent.class_name} declares its settings itself; remove them here or there"
            raise InputFileError(file, "options", reason)


def load_agent_class(file: Path, class_name: str, sha256: str) -> type[NegotiationAgent]:
    """The class of an agent, loaded into this process.

    Raises:
        NegoError: If the file has changed since it had that hash, cannot be loaded, or has no such agent.
    """
    if hash_of(file) != sha256:
        raise _changed(file)
    name = _module_name(file, sha256)
    module = sys.modules.get(name)
    if module is None:
        module = call_with_timeout(lambda: load_module(file, sha256), f"{file}: loading it", file=file)
    for value in vars(module).values():
        if inspect.isclass(value) and issubclass(value, NegotiationAgent) and value.__name__ == class_name:
            return value
    raise NegoError(f"{file} has no agent class {class_name!r}.")


def make_agent(
    plugin: AgentPlugin, agent_id: str, config: dict[str, Any], game: GameSpec | None = None
) -> NegotiationAgent:
    """An agent made and configured, in this process; it looks at the game if there is one.

    Raises:
        NegoError: If its file has changed or cannot be loaded, or its own code refuses the configuration or
            the game, fails, or does not come to an end.
    """
    return configure_agent(
        load_agent_class(plugin.file, plugin.class_name, plugin.sha256),
        agent_id,
        plugin.resolve_settings(config),
        f"{plugin.file}: setting up the agent {plugin.name!r}",
        game,
    )


def configure_agent(
    made_by: Callable[[str], NegotiationAgent],
    agent_id: str,
    config: dict[str, Any],
    what: str,
    game: GameSpec | None = None,
) -> NegotiationAgent:
    """An agent of a class, made and configured; it looks at the game if there is one.

    Raises:
        NegoError: If its own code refuses the configuration or the game, fails, or does not come to an end.
    """

    def make() -> NegotiationAgent:
        agent = made_by(agent_id)
        agent.configure(config)
        if game is not None:
            agent.check_game(visible_game(game, Observer(agent_id)))
        return agent

    return call_with_timeout(make, what)


def display_name(agent: NegotiationAgent) -> str:
    """The name that an agent gives itself; one that cannot say is called Agent.

    Raises:
        NegoError: If it does not come to an end.
    """
    return call_with_timeout(lambda: reported_name(agent), "asking the agent for its name") or "Agent"


def reported_name(agent: NegotiationAgent) -> str:
    """The name that an agent gives itself, in a line of 40 characters at most; empty if it cannot say."""
    try:
        return " ".join(clean_text(str(agent.get_name())).split())[:40]
    except BaseException:  # noqa: BLE001 - any fault of its own code; its name is not worth a session
        return ""


def reported_avatar(agent: NegotiationAgent) -> str:
    """The name of an agent's picture; empty for a plain one, or if it cannot say."""
    try:
        avatar = agent.get_avatar()
        return "" if avatar is None else clean_text(str(avatar))[:LONGEST_AVATAR]
    except BaseException:  # noqa: BLE001 - any fault of its own code; its picture is not worth a session
        return ""


def reported_debriefing(agent: NegotiationAgent) -> str:
    """What a participant reads about an agent after the session; empty if there is nothing."""
    try:
        return clean_text(str(agent.debriefing or ""))[:LONGEST_DEBRIEFING].strip()
    except BaseException:  # noqa: BLE001 - any fault of its own code; the session is over by then
        return ""


def call_with_timeout(call: Callable[[], T], what: str, *, file: Path | None = None) -> T:
    """Runs somebody else's code on a thread of its own; what it prints is dropped.

    Args:
        call: What runs it.
        what: What is being done, for the sentence if it fails.
        file: The agent's file that is being loaded; None: another thing is done.

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
        advice = "" if file is None else import_error_hint(error, file)
        raise NegoError(f"{what} failed: {_fault(error)}{advice}") from error
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


def _discover_agents(path: Path, digest: str) -> list[DescribedAgent]:
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
    return [_describe_class(agent) for agent in found]


def _describe_class(made_by: type[NegotiationAgent]) -> DescribedAgent:
    # Not made: what it does at being made is for a game, and may need what is set.
    agent = made_by.__new__(made_by)
    return DescribedAgent(
        class_name=made_by.__name__[:200],
        description=NegotiationAgent.get_description(agent)[:4000],
        called=reported_name(agent),
        avatar=reported_avatar(agent),
        options=None if made_by.Settings is None else schema_of(made_by.Settings),
    )


def hash_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits.

    Raises:
        FileProblem: If it cannot be read.
    """
    return hashlib.sha256(read_bytes(path)).hexdigest()


def load_module(path: Path, digest: str) -> Any:
    """A plugin's module, under a name that no other module has; runs somebody else's code.

    Raises:
        NegoError: If the file is no Python file, or is not the one that had that hash.
    """
    name = _module_name(path, digest)
    if name in sys.modules:
        return sys.modules[name]  # the same text from the same file is the same code
    loader = _HashedLoader(name, path, digest)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None or path.suffix != ".py":
        raise NegoError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return module


class _HashedLoader(SourceFileLoader):
    """Runs the very bytes that have the hash.

    The ordinary loader would read the file once more, when it may be another one, or run a compiled copy from
    a folder beside it, which nobody has looked at.
    """

    def __init__(self, name: str, path: Path, digest: str) -> None:
        super().__init__(name, str(path))
        self._file, self._digest = path, digest

    def get_code(self, fullname: str) -> Any:  # noqa: ARG002 - the signature that is overridden
        source = read_bytes(self._file)
        if hashlib.sha256(source).hexdigest() != self._digest:
            raise _changed(self._file)
        _check_api(source, self._file)
        return self.source_to_code(source, self.path)


def _check_api(source: bytes, file: Path) -> None:
    """Raises AgentError if a file says that it was made for an agent API that is not ours.

    Before it is run: a newer agent says that, and not that it imports what is not there.
    """
    if VERSION_CONSTANT.encode() not in source:
        return
    for statement in ast.parse(source, file).body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if name == VERSION_CONSTANT:
                said = value.value if isinstance(value, ast.Constant) else None
                if not isinstance(said, str):
                    raise AgentError(
                        f'line {statement.lineno}: {VERSION_CONSTANT} is a text such as "{format_version()}", '
                        "and nothing that has to be worked out."
                    )
                if reason := incompatibility_reason(said):
                    raise AgentError(f"{reason}.")


def _module_name(path: Path, digest: str) -> str:
    return f"negoplatform_plugin_{path.stem}_{digest[:12]}_{abs(hash(path.resolve())):x}"


def _changed(path: Path) -> NegoError:
    return NegoError(f"{path} has changed since it was looked at; choose it again.")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
