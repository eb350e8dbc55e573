"""Static checks of an agent's file, without running it."""

from __future__ import annotations

import ast
import sys
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from pathlib import Path

from negoplatform.agent_api.actions import ACTIONS
from negoplatform.plugins.requirements import ONE_FILE, is_next_to
from negoplatform.testing.finding import Remark, Severity

BYPASSES_CONTEXT = "it leads behind the context to what the agent must not see; use what ctx offers"
UNSEEDED_RANDOMNESS = "equal seeds then give different sessions; take all chance from ctx.rng"
WALL_CLOCK = "it differs from one run to the next; use ctx.elapsed_time and ctx.remaining_time"
SLEEP = "the agent answers nothing meanwhile; use delay_ms or Schedule"
THREADS = "what a thread or process does, a replay does not see; use Schedule"
NETWORK = "answers then depend on another computer, and sessions cannot be repeated"
FILES = "answers may then depend on that file; settings belong into configure(config)"
SANDBOXED_USES = (THREADS, NETWORK, FILES)
"""Reasons against what the sandbox of an agent's process refuses as well, or a part of it."""

KEYBOARD = "there is no keyboard input; ask for settings with get_config"

DISCOURAGED_USES: dict[str, str] = {
    "negoplatform.app": BYPASSES_CONTEXT,
    "negoplatform.cli": BYPASSES_CONTEXT,
    "negoplatform.core.bus": BYPASSES_CONTEXT,
    "negoplatform.core.scheduler": BYPASSES_CONTEXT,
    "negoplatform.core.session": BYPASSES_CONTEXT,
    "negoplatform.eventlog": BYPASSES_CONTEXT,
    "negoplatform.gui": BYPASSES_CONTEXT,
    "negoplatform.hosting": BYPASSES_CONTEXT,
    "negoplatform.plugins": BYPASSES_CONTEXT,
    "negoplatform.presentation": BYPASSES_CONTEXT,
    "negoplatform.testing": BYPASSES_CONTEXT,
    "gc": BYPASSES_CONTEXT,
    "inspect": BYPASSES_CONTEXT,
    "ctypes": BYPASSES_CONTEXT,
    "sys._getframe": BYPASSES_CONTEXT,
    "sys._current_frames": BYPASSES_CONTEXT,
    "random": UNSEEDED_RANDOMNESS,
    "numpy.random": UNSEEDED_RANDOMNESS,
    "secrets": UNSEEDED_RANDOMNESS,
    "uuid": UNSEEDED_RANDOMNESS,
    "os.urandom": UNSEEDED_RANDOMNESS,
    "time.time": WALL_CLOCK,
    "time.time_ns": WALL_CLOCK,
    "time.monotonic": WALL_CLOCK,
    "time.perf_counter": WALL_CLOCK,
    "datetime.datetime.now": WALL_CLOCK,
    "datetime.datetime.today": WALL_CLOCK,
    "datetime.datetime.utcnow": WALL_CLOCK,
    "datetime.date.today": WALL_CLOCK,
    "time.sleep": SLEEP,
    "threading": THREADS,
    "_thread": THREADS,
    "multiprocessing": THREADS,
    "concurrent": THREADS,
    "asyncio": THREADS,
    "subprocess": THREADS,
    "os.system": THREADS,
    "os.fork": THREADS,
    "socket": NETWORK,
    "http": NETWORK,
    "urllib.request": NETWORK,
    "requests": NETWORK,
    "httpx": NETWORK,
    "aiohttp": NETWORK,
    "open": FILES,
    "io.open": FILES,
    "os.open": FILES,
    "shutil": FILES,
    "sqlite3": FILES,
    "tempfile": FILES,
    "input": KEYBOARD,
}
"""Modules and functions that an agent does not need, with the reason against them."""

ACTION_NAMES = frozenset(action.__name__ for action in ACTIONS)

ALLOWED_NAMES = frozenset({"random", "random.Random", "numpy.random", "time", "datetime", "sys", "os"})
"""Names that may be imported or used; only the use of other names in these modules is reported."""

REFLECTION_FUNCTIONS = frozenset({"getattr", "setattr", "delattr", "hasattr", "vars", "dir"})


def source_remarks(source: str, file: str, first_line: int = 1) -> list[Remark]:
    """Return a remark for each name that a source should not use, with all its lines.

    Args:
        source: The text of a file or of a class.
        file: Its name in remarks.
        first_line: The number of its first line.

    Raises:
        SyntaxError: If it is no Python.
    """
    tree = ast.parse(source)
    reader = _NameUseVisitor()
    reader.visit(tree)
    inner = _PrivateAccessVisitor(reader.argument_names)
    inner.visit(tree)
    found: dict[tuple[str, str], list[int]] = {}
    for line, what, why in [*reader.found, *inner.found]:
        lines = found.setdefault((what, why), [])
        if line + first_line - 1 not in lines:
            lines.append(line + first_line - 1)
    return [
        Remark(
            ("source", what), Severity.WARNING, f"{file}, {_lines(sorted(lines))}", f"It uses {what}: {why}."
        )
        for (what, why), lines in sorted(found.items(), key=lambda item: min(item[1]))
    ]


def sibling_import_remarks(source: str, file: Path) -> list[Remark]:
    """Return a remark for each import of a module next to the agent's file.

    Such an import fails wherever the agent is played, and works under pytest, which adds the folder of the
    tests to ``sys.path``.

    Args:
        source: The text of the file.
        file: The file.

    Raises:
        SyntaxError: If it is no Python.
    """
    elsewhere = [entry for entry in sys.path if Path(entry).resolve() != file.resolve().parent]
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                modules = {alias.name.partition(".")[0] for alias in names}
            case ast.ImportFrom(module=str(name), level=0):
                modules = {name.partition(".")[0]}
            case _:
                continue
        found += [
            Remark(
                ("source", module),
                Severity.ERROR,
                f"{file.name}, {_lines([node.lineno])}",
                f"It imports {module} from its own folder. {ONE_FILE} of {module} into {file.name}.",
            )
            for module in sorted(modules)
            if is_next_to(module, file)
            and module not in sys.stdlib_module_names
            and PathFinder.find_spec(module, elsewhere) is None
        ]
    return found


def bare_action_remarks(source: str, file: str, first_line: int = 1) -> list[Remark]:
    """Return a remark for each handler that returns an action instead of a list of them.

    Played situations do not reach every branch of a handler.

    Args:
        source: The text of a file or of a class.
        file: Its name in remarks.
        first_line: The number of its first line.

    Raises:
        SyntaxError: If it is no Python.
    """
    tree = ast.parse(source)
    reader = _NameUseVisitor()
    reader.visit(tree)
    return [
        Remark(
            ("returned", method.name, action),
            Severity.ERROR,
            f"{file}, line {line + first_line - 1}",
            f"{method.name} can return a bare {action}; return a list of actions, or None. Write brackets "
            f"round it: return [{action}(…)].",
        )
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for method in owner.body
        if isinstance(method, ast.FunctionDef) and method.name.startswith("on_")
        for returned in _returned(method)
        for line, action in _actions_in(returned, reader.names)
    ]


def _returned(method: ast.FunctionDef) -> Iterator[ast.expr]:
    """Yield a method's returned values, without inner functions: a callback may return one action."""
    waiting: list[ast.AST] = list(reversed(method.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def _actions_in(value: ast.expr, names: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the actions that an expression can be, each with its line."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _actions_in(body, names)
            yield from _actions_in(orelse, names)
        case ast.BoolOp(values=values):
            for one in values:
                yield from _actions_in(one, names)
        case ast.Call(func=ast.Name(id=name)):
            action = names.get(name, name).rpartition(".")[2]
            if action in ACTION_NAMES:
                yield value.lineno, action
        case ast.Call(func=ast.Attribute(attr=name)) if name in ACTION_NAMES:
            yield value.lineno, name


def read_source(file: Path) -> str:
    """Return the text of a Python file, in the encoding that it declares."""
    with tokenize.open(file) as opened:
        return opened.read()


def _lines(lines: list[int]) -> str:
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"


@dataclass
class _NameUseVisitor(ast.NodeVisitor):
    """Visitor that follows imported names to their uses, and collects the handlers' argument names."""

    found: list[tuple[int, str, str]] = field(default_factory=list)
    argument_names: set[str] = field(default_factory=lambda: {"ctx", "context"})
    names: dict[str, str] = field(default_factory=dict)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name if alias.asname else alias.name.split(".")[0]
            self.names[alias.asname or top] = top
            self._add_use(node.lineno, alias.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if node.module and not node.level:
                self.names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                self._add_use(node.lineno, f"{node.module}.{alias.name}")

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name.startswith("on_") or node.name == "handle_event":
            self.argument_names.update(argument.arg for argument in node.args.args[1:3])
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        dotted = self._dotted(node)
        if dotted is None:
            self.generic_visit(node)
        else:
            self._add_use(node.lineno, dotted)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name):
            name = self.names.get(node.func.id, node.func.id)
            if name in ("open", "input"):
                self._add_use(node.lineno, name)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in ("write_bytes", "write_text"):
            self.found.append((node.lineno, f"{node.func.attr}()", FILES))
        if self._dotted(node.func) == "random.Random" and not node.args and not node.keywords:
            self.found.append((node.lineno, "random.Random() without a seed", UNSEEDED_RANDOMNESS))
        self.generic_visit(node)

    def _dotted(self, node: ast.AST) -> str | None:
        """Return the imported name that an expression refers to; None where there is none."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute):
            inner = self._dotted(node.value)
            return None if inner is None else f"{inner}.{node.attr}"
        return None

    def _add_use(self, line: int, dotted: str) -> None:
        if dotted in ALLOWED_NAMES:
            return
        parts = dotted.split(".")
        for length in range(len(parts), 0, -1):
            rule = ".".join(parts[:length])
            if rule in DISCOURAGED_USES:
                # Two levels are enough for a reader: random.choice, negoplatform.core.session.
                self.found.append(
                    (
                        line,
                        dotted if DISCOURAGED_USES[rule] is UNSEEDED_RANDOMNESS else rule,
                        DISCOURAGED_USES[rule],
                    )
                )
                return


@dataclass
class _PrivateAccessVisitor(ast.NodeVisitor):
    """Visitor that finds accesses to private parts of a context or an event.

    Args:
        argument_names: The names of these in the file.
    """

    argument_names: set[str]
    found: list[tuple[int, str, str]] = field(default_factory=list)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        root = self._root(node.value)
        # A named tuple's _replace and _asdict are public in spite of their names.
        if root and node.attr.startswith("_") and node.attr not in ("_replace", "_asdict"):
            self.found.append(
                (node.lineno, f"{ast.unparse(node)}, a private part of what it is given", BYPASSES_CONTEXT)
            )
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if self._reaches_inside(node):
            self.found.append((node.lineno, ast.unparse(node), BYPASSES_CONTEXT))
        self.generic_visit(node)

    def _reaches_inside(self, node: ast.Call) -> bool:
        """Return whether it is ``getattr(ctx, "_x")``, ``vars(ctx)`` or ``ctx.__getattribute__(…)``."""
        function = node.func
        if not node.args or not self._root(node.args[0]):
            return False
        if isinstance(function, ast.Attribute):
            return function.attr.startswith("__")
        if not isinstance(function, ast.Name) or function.id not in REFLECTION_FUNCTIONS:
            return False
        wanted = node.args[1] if len(node.args) > 1 else None
        return not isinstance(wanted, ast.Constant) or str(wanted.value).startswith("_")

    def _root(self, node: ast.AST) -> str:
        """Return the context or event that an expression starts from; empty where it does not."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            node = node.func if isinstance(node, ast.Call) else node.value
        return node.id if isinstance(node, ast.Name) and node.id in self.argument_names else ""
