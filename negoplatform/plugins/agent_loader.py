"""Loading, creation and configuration of agents from files, with protection from the faults of their code."""

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
from types import ModuleType
from typing import Any, TypeVar, get_args

from negoplatform.agent_api.base import (
    NegotiationAgent,
    check_agent_plays,
    check_kind,
    declared_market_rules,
    declared_mechanisms,
)
from negoplatform.agent_api.settings_validation import TALK_SETTINGS, schema_of
from negoplatform.agent_api.version import VERSION_CONSTANT, format_version, incompatibility_reason
from negoplatform.core.events import clean_text
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.visibility import observer_of, visible_game
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.errors import AgentError, InputFileError, NegoError, author_frame, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.visible_text import visible_name
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST, MANIFEST_FILE, Manifest
from negoplatform.formats.agent_protocol import LONGEST_AVATAR, LONGEST_DEBRIEFING, DescribedAgent
from negoplatform.formats.strict_json import LARGEST_FILE, read_bytes
from negoplatform.plugins.policy_files import LARGEST_POLICY, POLICY_SUFFIX, policy_class
from negoplatform.plugins.requirements import import_error_hint, load_usable_manifest

LOAD_SECONDS = 10.0
"""Maximum seconds to load a plugin, or to create and configure an agent."""

SEAT_ROLE, PRINCIPAL_ROLE = "seat", "principal"
"""Roles of agents for seats, and of principals."""

ASSISTANT_ROLES = tuple(kind.value for kind in AssistantKind)
"""Roles of assistants."""

ALL_ROLES = (SEAT_ROLE, PRINCIPAL_ROLE, *ASSISTANT_ROLES)
"""Roles of plug-ins in the agents folder."""

POLICY_CLASS = "Policy"
"""Class of the agent in a policy's module."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AgentPlugin:
    """Agent that can be assigned to a seat: data only, so it can be sent to another process.

    Args:
        name: Its id in commands and logs.
        class_name: Its class in the file.
        file: The file of its class.
        sha256: The hash of that file.
        description: Its description, for the experimenter.
        settings: Its default configuration; JSON values.
        reported_name: Its own name, unless its settings have one; empty if asking for it failed.
        avatar: The name of its picture; empty for a plain one.
        options: Its settings as a JSON schema; None: it accepts any.
        manifest: The content of its agent.json; empty if it has none.
        mechanisms: The kinds of game that it plays, as far as its code has been run.
        market_rules: The rules of phases of which a market needs one; none: it plays any market.
        own_process: Whether it is only ever run in a process of its own, whatever else is asked for.
        role: ``seat`` for agents; ``principal``, or the kind of an assistant, for plug-ins without a seat.
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
    mechanisms: tuple[str, ...] = (BARGAINING,)
    market_rules: tuple[str, ...] = ()
    own_process: bool = False
    role: str = "seat"

    def plays(self, game: GameSpec) -> bool:
        """Return whether it plays games of this kind."""
        try:
            self.check_plays(game)
        except AgentError:
            return False
        return True

    def check_plays(self, game: GameSpec) -> None:
        """Check that the agent plays games of this kind, without running its code.

        Raises:
            AgentError: If it does not; with a sentence.
        """
        check_kind(self.name, self.mechanisms, self.market_rules, game)

    def resolve_settings(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings for a configuration: checked and completed, if its agent.json declares options.

        To those of other agents the agent's default configuration is added, and of the settings of talk that
        are left out the defaults, so that a log tells them.

        Raises:
            AgentError: If the configuration does not fit; with a sentence.
        """
        if self.manifest.options is None:
            fields = (self.options or {}).get("properties", {})
            # None with a format: its author would choose a key of the user, or a service, in this way.
            plain = [name for name in TALK_SETTINGS if name in fields and "format" not in fields[name]]
            usual = {name: fields[name].get("default") for name in plain}
            known = {name: value for name, value in usual.items() if value is not None}
            return {**known, **self.settings, **config}
        try:
            return self.manifest.options.resolve(config)
        except AgentError as error:
            raise AgentError(f"{self.file}: setting up the agent {self.name!r} failed: {error}") from None

    @property
    def identity(self) -> tuple[Path, str, str]:
        """Unique key of the agent: its file, its class and, if it has settings, its name."""
        return self.file.resolve(), self.class_name, self.name if self.settings else ""

    @property
    def location(self) -> str:
        """File and class, ``PATH:Class``."""
        return f"{self.file.resolve()}:{self.class_name}"


def load_agents(path: Path, stem: str) -> list[AgentPlugin]:
    """Return the agents in a file: its public subclasses of NegotiationAgent, or those in ``__all__``.

    Runs the file's code in this process.

    Raises:
        NegoError: If the file or its agent.json cannot be used, or there is no agent in it.
    """
    digest, manifest = hash_of(path), load_usable_manifest(path)
    return build_plugins(path, stem, digest, discover_in_process(path, digest), manifest)


def discover_in_process(path: Path, sha256: str) -> list[DescribedAgent]:
    """Return the agents in a file of that hash, by running its code in this process.

    Raises:
        NegoError: If the file cannot be loaded or has changed.
    """
    return call_with_timeout(lambda: _discover_agents(path, sha256), f"{path}: loading it", file=path)


def build_plugins(
    path: Path, stem: str, sha256: str, found: Iterable[DescribedAgent], manifest: Manifest = EMPTY_MANIFEST
) -> list[AgentPlugin]:
    """Return the agents of a file; a single one is named after the file, several after their classes.

    Raises:
        NegoError: If there is none, or the agent.json contradicts the file.
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
            mechanisms=tuple(agent.mechanisms),
            market_rules=tuple(agent.market_rules),
            role=agent.role,
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
        if manifest.mechanisms is not None and set(manifest.mechanisms) != set(agent.mechanisms):
            reason = (
                f"the class {agent.class_name} plays games of the kind {', '.join(agent.mechanisms)}; "
                "name the same here, or remove this key"
            )
            raise InputFileError(file, "mechanisms", reason)


def load_agent_class(file: Path, class_name: str, sha256: str) -> type[NegotiationAgent]:
    """Return the class of an agent, loaded into this process.

    Raises:
        NegoError: If the file no longer has that hash, cannot be loaded, or has no such agent.
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
    """Create and configure an agent in this process; it checks the game if there is one.

    Raises:
        NegoError: If its file has changed or cannot be loaded, or its own code refuses the configuration or
            the game, fails, or does not finish in time.
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
    """Create and configure an agent of a class; it checks the game if there is one.

    Raises:
        NegoError: If its own code refuses the configuration or the game, fails, or does not finish in time.
    """

    def make() -> NegotiationAgent:
        agent = made_by(agent_id)
        agent.configure(config)
        if game is not None:
            check_agent_plays(agent, visible_game(game, observer_of(game, agent_id)))
        return agent

    return call_with_timeout(make, what)


def display_name(agent: NegotiationAgent) -> str:
    """Return the name that an agent reports; "Agent" if it reports none.

    Raises:
        NegoError: If its code does not finish in time.
    """
    return call_with_timeout(lambda: reported_name(agent), "asking the agent for its name") or "Agent"


def reported_name(agent: NegotiationAgent) -> str:
    """Return the name that an agent reports, as one line of up to 40 characters; empty if asking failed."""
    try:
        return visible_name(str(agent.get_name()))
    except BaseException:  # noqa: BLE001 - any fault of its code; a name must not cost a session
        return ""


def reported_avatar(agent: NegotiationAgent) -> str:
    """Return the name of an agent's picture; empty for a plain one, or if asking failed."""
    try:
        avatar = agent.get_avatar()
        return "" if avatar is None else clean_text(str(avatar))[:LONGEST_AVATAR]
    except BaseException:  # noqa: BLE001 - any fault of its code; a picture must not cost a session
        return ""


def reported_debriefing(agent: NegotiationAgent) -> str:
    """Return the debriefing of an agent, read by a participant after the session; empty if there is none."""
    try:
        return clean_text(str(agent.debriefing or ""))[:LONGEST_DEBRIEFING].strip()
    except BaseException:  # noqa: BLE001 - any fault of its code; the session is over by then
        return ""


def call_with_timeout(call: Callable[[], T], what: str, *, file: Path | None = None) -> T:
    """Run the code of a plugin on a separate thread and return its result; its output is dropped.

    Args:
        call: Runs the code.
        what: The activity, for the sentence if it fails.
        file: The agent's file, if it is being loaded; None otherwise.

    Raises:
        NegoError: If it raises any exception, or is not finished in 10 seconds.
    """
    results: SimpleQueue[tuple[T, None] | tuple[None, BaseException]] = SimpleQueue()

    def run() -> None:
        try:
            results.put((call(), None))
        except BaseException as error:  # noqa: BLE001 - SystemExit and the like included
            results.put((None, error))

    # A daemon thread: a thread that never ends must not delay the exit of the program.
    thread = Thread(target=run, name=what, daemon=True)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            thread.start()
            result, error = results.get(timeout=LOAD_SECONDS)
    except Empty:
        raise NegoError(f"{what} took longer than {LOAD_SECONDS:g} s, so it was given up.") from None
    if error is not None:
        advice = "" if file is None else import_error_hint(error, file)
        fault = _fault(error).removeprefix(f"{file}: ")  # which begins the sentence already
        raise NegoError(f"{what} failed: {fault}{advice}") from error
    return result  # type: ignore[return-value]  # without an error there is a result


def _fault(error: BaseException) -> str:
    text = clean_text(" ".join(text_of(error).split()))[:500]
    if isinstance(error, NegoError):
        return text
    if isinstance(error, SyntaxError):
        place = f"line {error.lineno}: " if error.lineno else ""
        return f"{place}{error.msg}."
    frame = author_frame(error)
    line = "" if frame is None else f" in line {frame[0]}"
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
    # Not initialised: its constructor is meant for a game, and may need settings.
    agent = made_by.__new__(made_by)
    return DescribedAgent(
        class_name=made_by.__name__[:200],
        description=NegotiationAgent.get_description(agent)[:4000],
        called=reported_name(agent),
        avatar=reported_avatar(agent),
        mechanisms=list(declared_mechanisms(made_by)),
        market_rules=list(declared_market_rules(made_by)),
        options=None if made_by.Settings is None else schema_of(made_by.Settings),
        role=_declared_role(made_by),
    )


def _declared_role(made_by: type[NegotiationAgent]) -> Any:
    said: object = made_by.role
    if said not in get_args(DescribedAgent.model_fields["role"].annotation):
        raise AgentError(f"{made_by.__name__}.role is set by its base class; leave it out.")
    return said


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits.

    Raises:
        InputFileError: If it cannot be read.
    """
    return hashlib.sha256(read_plugin(path)).hexdigest()


def read_plugin(path: Path) -> bytes:
    """Return the content of an agent's file, which is larger for a policy than for code.

    Raises:
        InputFileError: If it cannot be read, is not a regular file, or is too large.
    """
    return read_bytes(path, LARGEST_POLICY if path.suffix == POLICY_SUFFIX else LARGEST_FILE)


def load_module(path: Path, digest: str, source: bytes | None = None) -> Any:
    """Return the module of a plugin, under a unique name; runs the plugin's code.

    Args:
        path: Its file.
        digest: The hash that its content must have.
        source: Its content, where this process may not read the file; None: the file is read.

    Raises:
        NegoError: If the file is not a Python file, or does not have that hash.
    """
    name = _module_name(path, digest)
    if name in sys.modules:
        return sys.modules[name]  # the same text from the same file is the same code
    if path.suffix == POLICY_SUFFIX:
        sys.modules[name] = module = _policy_module(name, path, digest, source)
        return module
    # Absolute, as the lines of the author's code are told from others by it.
    loader = _HashedLoader(name, path.absolute(), digest, source)
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


def describe_policy(path: Path, sha256: str) -> list[DescribedAgent]:
    """Return the agent that plays the policy in a file, in a list; no code of the file is run.

    Raises:
        NegoError: If the file has another hash by now, or is no policy's.
    """
    return [_describe_class(policy_class(path, _checked_source(path, sha256, None), __name__))]


def _policy_module(name: str, path: Path, digest: str, source: bytes | None) -> ModuleType:
    """Return a module with the agent that plays the policy in a file; no code of the file is run."""
    module = ModuleType(name)
    module.__dict__[POLICY_CLASS] = policy_class(path, _checked_source(path, digest, source), name)
    return module


def _checked_source(path: Path, digest: str, source: bytes | None) -> bytes:
    """Return the content of a file that has a hash.

    Raises:
        NegoError: If it has another hash by now, or cannot be read.
    """
    found = read_plugin(path) if source is None else source
    if hashlib.sha256(found).hexdigest() != digest:
        raise _changed(path)
    return found


def unload_module(path: Path, digest: str) -> None:
    """Have the module of a plugin loaded again when it is needed next; it need not be loaded now."""
    sys.modules.pop(_module_name(path, digest), None)


class _HashedLoader(SourceFileLoader):
    """Loader that runs exactly the bytes that have the hash.

    The ordinary loader would read the file again, which may have been replaced, or run a compiled copy from a
    folder next to it, which has not been checked.
    """

    def __init__(self, name: str, path: Path, digest: str, source: bytes | None) -> None:
        super().__init__(name, str(path))
        self._file, self._digest, self._source = path, digest, source

    def get_code(self, fullname: str) -> Any:  # noqa: ARG002 - the signature that is overridden
        source = _checked_source(self._file, self._digest, self._source)
        _check_api(source, self._file)
        _check_no_mechanism(source, self._file)
        return self.source_to_code(source, self.path)


def _check_api(source: bytes, file: Path) -> None:
    """Raise AgentError if a file declares an agent API that is not compatible.

    Before its code is run: the reason then is the version, not an import that failed.
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
                        f"line {statement.lineno}: {VERSION_CONSTANT} is a text such as "
                        f'"{format_version()}", and nothing that has to be worked out.'
                    )
                if reason := incompatibility_reason(said):
                    raise AgentError(f"{reason}.")


def _check_no_mechanism(source: bytes, file: Path) -> None:
    """Raise AgentError if a file defines a mechanism.

    Before its code is run: the file is loaded under a name of its own, so what it defines would be other
    classes than those that the program knows.
    """
    if b"Mechanism" not in source:
        return
    for node in ast.walk(ast.parse(source, file)):
        if isinstance(node, ast.ClassDef) and {"Mechanism"} & {_last_name(base) for base in node.bases}:
            raise AgentError(
                f"line {node.lineno}: {node.name} is a mechanism, which has a module of its own; the file of "
                "an agent imports the classes of its acts from there."
            )


def _last_name(expression: ast.expr) -> str:
    match expression:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _module_name(path: Path, digest: str) -> str:
    return f"negoplatform_plugin_{path.stem}_{digest[:12]}_{abs(hash(path.resolve())):x}"


def _changed(path: Path) -> NegoError:
    return NegoError(f"{path} has changed since it was looked at; choose it again.")


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
