"""check_agent: plays an agent through fixed situations, and reports its faults in sentences."""

from __future__ import annotations

import contextlib
import inspect
import io
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from negoplatform.agent_api.base import NegotiationAgent, declared_mechanisms
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.registry import MECHANISMS, handler_name, mechanism_of
from negoplatform.domain.errors import AgentError, NegoError, text_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_manifest import MANIFEST_FILE
from negoplatform.hosting.sandbox.readable_paths import sandbox_rules
from negoplatform.language_model.call_limit import CallLimit, limited_calls
from negoplatform.language_model.missing_endpoint_warning import missing_endpoint_warning
from negoplatform.plugins.agent_loader import (
    AgentPlugin,
    call_with_timeout,
    configure_agent,
    load_agent_class,
    load_agents,
)
from negoplatform.testing.behaviour_checks import (
    behaviour_remarks,
    hang_remark,
    slow_remarks,
)
from negoplatform.testing.case_runner import (
    CaseResult,
    CaseTimeout,
    Clock,
    first_difference,
    lines_of,
    play_case,
)
from negoplatform.testing.check_harness import CheckCase
from negoplatform.testing.finding import Finding, Remark, Severity, merge_remarks
from negoplatform.testing.handler_signature_checks import handler_remarks
from negoplatform.testing.mechanism_checks import MECHANISM_CHECKS, check_cases
from negoplatform.testing.rerun_in_second_process import (
    SecondProcessError,
    can_use_second_process,
    play_in_second_process,
)
from negoplatform.testing.seatless_checks import seatless_remarks
from negoplatform.testing.static_checks import (
    bare_action_remarks,
    read_source,
    sibling_import_remarks,
    source_remarks,
)

ANSWER_TIMEOUT_SECONDS = 10.0
"""Seconds after which an answer is given up."""

MAX_TOTAL_ANSWER_SECONDS = 60.0
"""Total time for an agent's answers; a slow agent is found long before."""

MOST_SENTENCES = 3
"""Number of different reasons of refusals that are kept."""

FOR_KINDS = f"the situations of this check are for games of the kinds {', '.join(MECHANISM_CHECKS)}"

Checkable = AgentPlugin | type[NegotiationAgent] | Path | str
"""An agent from the catalogue, a class, or a file with one or several agents."""


def check_agent(
    agent: Checkable,
    *,
    games: Sequence[GameSpec] | None = None,
    seed: int = 1,
    patience: float = ANSWER_TIMEOUT_SECONDS,
    clock: Clock = time.perf_counter,
    in_another_process: bool = True,
    counts: CheckCounts | None = None,
) -> list[Finding]:
    """Play an agent through every situation in every game, and return its faults.

    Each situation is played twice with new instances of the agent, and some, if the agent comes from a file,
    once more in another process, whose sets are in another order: equal seeds have to give equal games.
    A principal or an assistant, which has no seat, is played in whole games among shipped agents instead.

    Args:
        agent: The agent to check; of a file every agent in it.
        games: The games; unless given, the usual ones of the kinds that the agent plays, without those that
            its ``check_game`` refuses. For bargaining seven: every kind of issue, both rules of acceptance,
            two and three seats, private and public preferences, with and without a deadline. For trading
            two: two and three seats, logarithmic and induced worth, with and without a fee. For markets up
            to four: one and two goods, shown and hidden identities, periods, conditions and, for an agent
            that decides anything, phases with decisions.
        seed: Seed for everything random.
        patience: Seconds after which an answer is given up.
        clock: The clock that measures answers, in seconds.
        in_another_process: Whether to play in another process too; the packaged program never can.
        counts: Receives how many actions were refused and services called; it says how many calls may be
            made, none unless given.

    Returns:
        Errors first; an empty list for an agent without faults.
    """
    if isinstance(agent, AgentPlugin) and agent.own_process:
        sentence = "It only runs in a process of its own; check it with check_in_own_process."
        return [Finding(Severity.ERROR, "the whole check", sentence)]
    try:
        subjects = load_checked_agents(agent)
        for subject in subjects:
            declared_mechanisms(subject.agent_class)
    except NegoError as error:
        return [Finding(Severity.ERROR, "loading the file", str(error))]
    other = next((game for game in games or () if game.mechanism not in MECHANISM_CHECKS), None)
    if other is not None:
        sentence = f"It is of the kind {other.mechanism}, and {FOR_KINDS}; leave it out."
        return [Finding(Severity.ERROR, f"the game {other.name}", sentence)]
    findings: list[Finding] = []
    counts = CheckCounts() if counts is None else counts
    for subject in subjects:
        if subject.plugin is not None and subject.agent_class.role != "seat":
            remarks = [*seatless_remarks(subject.plugin, games, seed)]
            findings += merge_remarks(remarks, subject.name if len(subjects) > 1 else "")
            continue
        # Resolved here, so that the agent is measured by the points for which it played.
        chosen = [
            game.resolve_profiles(seed)
            for game in (_usual_games(subject.agent_class) if games is None else games)
        ]
        known = _known_types(subject.agent_class, chosen)
        check = _AgentCheck(subject, chosen, games is not None, seed, patience, clock, known, counts)
        if subject.plugin is not None and missing_endpoint_warning(subject.plugin.options, {}):
            counts.has_no_service = True
        with limited_calls(counts.calls):
            check.run(in_another_process=in_another_process and can_use_second_process())
        findings += merge_remarks(check.remarks, subject.name if len(subjects) > 1 else "")
    return findings


@dataclass
class CheckCounts:
    """Numbers of a check, besides its findings.

    Args:
        calls: The calls of services: how many may be made, and how many were.
        refused: The number of actions that the rules refused.
        sentences: The reasons of the first of them, each once.
        has_no_service: Whether an agent would use a language model, and no service is set.
    """

    calls: CallLimit = field(default_factory=CallLimit)
    refused: int = 0
    sentences: list[str] = field(default_factory=list)
    has_no_service: bool = False

    def add_refusals(self, played: CaseResult) -> None:
        """Count the refused actions of the agent in one situation."""
        for event in played.events:
            if event.type == EventType.ACTION_REFUSED and played.case.seat in event.to:
                self.refused += 1
                sentence = f"{event.payload.action}: {event.payload.reason}"
                if len(self.sentences) < MOST_SENTENCES and sentence not in self.sentences:
                    self.sentences.append(sentence)


def _usual_games(agent: type[NegotiationAgent]) -> list[GameSpec]:
    """Return the usual games of the kinds that an agent plays."""
    kinds = [kind for kind in declared_mechanisms(agent) if kind in MECHANISM_CHECKS]
    return [game for kind in kinds for game in MECHANISM_CHECKS[kind].games(agent)]


def _handlers_of_other_kinds(agent: type[NegotiationAgent]) -> dict[str, str]:
    """Return the handlers that only kinds of game call that an agent does not play, with the kind of each."""
    of = {
        name: {handler_name(kind) for kind in (*mechanism.acts, *mechanism.facts)}
        for name, mechanism in MECHANISMS.items()
    }
    own = {handler for kind in agent.mechanisms for handler in of.get(kind, ())}
    return {
        handler: kind for kind, handlers in of.items() for handler in sorted(handlers) if handler not in own
    }


def _known_types(agent: type[NegotiationAgent], games: Sequence[GameSpec]) -> set[str]:
    """Return the types of event of some games, and of the kinds of game that an agent plays."""
    announced = {announcement.type for game in games for announcement in game.announcements}
    ruled = {kind for game in games for kind in mechanism_of(game.mechanism).fact_types(game)}
    mechanisms = [MECHANISMS[kind] for kind in agent.mechanisms if kind in MECHANISMS]
    return announced | ruled | {kind for each in mechanisms for kind in (*each.acts, *each.facts)}


@dataclass(frozen=True, slots=True)
class CheckedAgent:
    """Agent under check.

    Args:
        name: Its name in findings.
        agent_class: Its class.
        file: The file of its source.
        plugin: The same as a plugin; None for a class that was passed directly.
    """

    name: str
    agent_class: type[NegotiationAgent]
    file: Path
    plugin: AgentPlugin | None = None


def load_checked_agents(agent: Checkable) -> list[CheckedAgent]:
    """Return the agents to check: one, or all of a file.

    Raises:
        NegoError: If the file cannot be loaded or holds no agent.
    """
    if isinstance(agent, AgentPlugin):
        return [_checked_agent_in_file(agent)]
    if isinstance(agent, str | Path):
        path = Path(agent)
        if path.is_dir():
            path = path / "agent.py"
        stem = path.parent.name if path.name == "agent.py" else path.stem
        return [_checked_agent_in_file(plugin) for plugin in load_agents(path, stem)]
    try:
        file = Path(inspect.getfile(agent))
    except (OSError, TypeError):
        file = Path(agent.__module__)
    return [CheckedAgent(agent.__name__, agent, file)]


def _checked_agent_in_file(plugin: AgentPlugin) -> CheckedAgent:
    made_by = load_agent_class(plugin.file, plugin.class_name, plugin.sha256)
    return CheckedAgent(plugin.name, made_by, plugin.file, plugin)


def agent_class(path: Path | str) -> type[NegotiationAgent]:
    """Return the class of the one agent in a file, for tests of agents that are in no package.

    Raises:
        NegoError: If the file cannot be loaded, or holds no agent or several.
    """
    subjects = load_checked_agents(Path(path))
    if len(subjects) > 1:
        raise NegoError(
            f"{path} holds several agents: {', '.join(s.agent_class.__name__ for s in subjects)}."
        )
    return subjects[0].agent_class


@dataclass
class _AgentCheck:
    """A check of one agent."""

    agent: CheckedAgent
    games: list[GameSpec]
    are_named: bool  # whether the author has named the games
    seed: int
    patience: float
    clock: Clock
    known: set[str]
    counts: CheckCounts
    remarks: list[Remark] = field(default_factory=list)
    unreached: list[Remark] = field(default_factory=list)
    pairs: list[tuple[CaseResult, CaseResult]] = field(default_factory=list)

    def run(self, *, in_another_process: bool) -> None:
        """Read, create and play the agent; stop where the rest makes no sense."""
        # The agent's output belongs neither to the findings nor to a test's output.
        with contextlib.redirect_stdout(io.StringIO()):
            self._run(in_another_process)
        # A fault that showed in a game is reported from there, with the situation.
        shown = {remark.about for remark in self.remarks}
        self.remarks += [remark for remark in self.unreached if remark.about not in shown]

    def _run(self, in_another_process: bool) -> None:
        self._check_source()
        self._check_permissions()
        if not self._can_set_up() or not self._plays_these_kinds() or not self._play_all():
            return
        plugin = self.agent.plugin if in_another_process and not self.counts.calls.made else None
        if plugin is not None and not self._has_remark("chance") and not self._has_remark("failure"):
            self._compare_second_process(plugin)
        if any(self._has_remark(kind) for kind in ("failure", "returned", "signature")):
            return
        for kind, check in MECHANISM_CHECKS.items():
            played = [once for once, _ in self.pairs if once.case.game.mechanism == kind]
            self.remarks += check.silence_remarks(played) if played else []

    def _has_remark(self, kind: str) -> bool:
        return any(remark.about[0] == kind for remark in self.remarks)

    def _check_source(self) -> None:
        """Check the source, without running it."""
        made_by, file = self.agent.agent_class, self.agent.file
        self.remarks += handler_remarks(made_by, self.known, _handlers_of_other_kinds(made_by))
        with contextlib.suppress(OSError, SyntaxError, TypeError, UnicodeError):
            if self.agent.plugin is not None:
                source, first = read_source(file), 1
                self.remarks += sibling_import_remarks(source, file)
            else:
                lines, first = inspect.getsourcelines(made_by)
                source = textwrap.dedent("".join(lines))
            self.remarks += source_remarks(source, file.name, first)
            self.unreached += bare_action_remarks(source, file.name, first)

    def _check_permissions(self) -> None:
        """Make the folders that it may write, as before a game, and look for the files that it reads."""
        if self.agent.plugin is None:
            return
        permissions = self.agent.plugin.manifest.permissions
        try:
            sandbox_rules(self.agent.file, permissions=permissions)
        except NegoError as error:
            self.remarks.append(Remark(("write",), Severity.ERROR, "its permissions", str(error)))
        for name in permissions.read:
            if not (self.agent.file.parent / name).exists():
                sentence = (
                    f"It asks to read {name}, which is not in its folder; correct it in {MANIFEST_FILE}."
                )
                self.remarks.append(Remark(("read", name), Severity.WARNING, "its permissions", sentence))

    def _can_set_up(self) -> bool:
        """Return whether it can be created and configured without settings, and has a name."""
        try:
            agent = self._make_agent("agent")
        except NegoError as error:
            self._report_setup_failure(error)
            return False
        for ask, wanted in ((agent.get_name, str), (agent.get_avatar, str | None)):
            self._check_getter(ask, wanted)
        return True

    def _plays_these_kinds(self) -> bool:
        """Return whether there are situations for this agent."""
        kinds = declared_mechanisms(self.agent.agent_class)
        if not any(kind in MECHANISM_CHECKS for kind in kinds):
            sentence = (
                f"It plays games of the kind {', '.join(kinds)}, and {FOR_KINDS}, so only its code was "
                "looked at; play it with negoplatform simulate."
            )
            self.remarks.append(Remark(("kind of game",), Severity.WARNING, "the whole check", sentence))
            return False
        for game in self.games:
            if game.mechanism not in kinds:
                sentence = (
                    f"It is of the kind {game.mechanism}, and the agent plays {', '.join(kinds)}; name a "
                    "game that it plays, or add the kind to mechanisms of its class."
                )
                where = f"the game {game.name}"
                self.remarks.append(Remark(("kind of game",), Severity.ERROR, where, sentence))
                return False
        return True

    def _cases(self) -> list[CheckCase]:
        """Return the situations, without the seats of a game that the agent refuses to play.

        If it refuses all of them, or all of a game that the author has named, those are returned, so that its
        reason is reported.
        """
        cases = check_cases(self.games, self._refuses)
        one_each = {(case.game.name, case.seat): case for case in cases}
        played = {place for place, case in one_each.items() if not self._refuses(case.seat, case.game)}
        kept = {name for name, _ in one_each} - {name for name, _ in played} if self.are_named else set()
        return [
            case for case in cases if (case.game.name, case.seat) in played or case.game.name in kept
        ] or cases

    def _refuses(self, seat: Seat, game: GameSpec) -> bool:
        """Return whether the agent's ``check_game`` refuses a game in a seat, with a sentence."""
        try:
            self._make_agent(seat, game)
        except NegoError as error:
            return isinstance(error.__cause__, AgentError)
        return False

    def _make_agent(self, seat: Seat, game: GameSpec | None = None) -> NegotiationAgent:
        subject = self.agent
        settings = {} if subject.plugin is None else subject.plugin.resolve_settings({})
        what = f"{subject.file}: setting up the agent {subject.name!r}"
        return configure_agent(subject.agent_class, seat, settings, what, game)

    def _report_setup_failure(self, error: NegoError) -> None:
        sentence = f"{error} It has to work without any settings."
        self.remarks.append(Remark(("set up",), Severity.ERROR, "setting up the agent", sentence))

    def _check_getter(self, ask: Callable[[], object], wanted: object) -> None:
        name = ask.__name__
        try:
            answer = call_with_timeout(ask, f"{name}()")
        except NegoError as error:
            self.remarks.append(Remark(("itself", name), Severity.ERROR, "setting up the agent", str(error)))
            return
        if not isinstance(answer, wanted) or answer == "":  # type: ignore[arg-type]  # str, or str | None
            sentence = f"{name}() returned {_describe_value(answer)}; return a text."
            self.remarks.append(Remark(("itself", name), Severity.ERROR, "setting up the agent", sentence))

    def _play_all(self) -> bool:
        """Play every situation twice; return whether all could be played."""
        thinking = 0.0
        cases = self._cases()
        for number, scene in enumerate(cases):
            once = self._play(scene)
            again = self._play(scene) if once else None
            if once is None or again is None:
                return False
            self.pairs.append((once, again))
            self.counts.add_refusals(once)
            if not self.counts.calls.made:  # a model does not answer twice alike
                self._compare(lines_of(once.events), lines_of(again.events), scene, "")
            found = (*behaviour_remarks(once), *MECHANISM_CHECKS[scene.game.mechanism].remarks(once))
            self.remarks += [remark for remark in found if not self._is_explained(remark)]
            if self._has_remark("flood"):
                return False
            thinking += sum(asked.seconds for played in (once, again) for asked in played.calls)
            if thinking > MAX_TOTAL_ANSWER_SECONDS:
                sentence = (
                    f"Its answers took {thinking:.0f} s in all, so {len(cases) - number - 1} of "
                    f"{len(cases)} situations were left out."
                )
                self.remarks.append(Remark(("left out",), Severity.WARNING, "the whole check", sentence))
                break
        self.remarks += slow_remarks(self.pairs)
        return True

    def _play(self, scene: CheckCase) -> CaseResult | None:
        seat: Seat = scene.seat
        try:
            agent = self._make_agent(seat, scene.game)
        except NegoError as error:
            self._report_setup_failure(error)
            return None
        result = play_case(scene, agent, seed=self.seed, timeout=self.patience, clock=self.clock)
        if isinstance(result, CaseTimeout):
            self.remarks.append(hang_remark(result, self.patience))
            return None
        return result

    def _is_explained(self, remark: Remark) -> bool:
        """Return whether a remark follows from a handler that cannot be called, which is reported already."""
        return (
            remark.about[0] == "failure"
            and remark.about[-1] == "TypeError"
            and any(known.about == ("signature", remark.about[1]) for known in self.remarks)
        )

    def _compare(self, once: list[str], again: list[str], scene: CheckCase, how: str) -> None:
        difference = first_difference(once, again)
        if difference:
            sentence = (
                f"Played twice with the same seed{how} it does not do the same: {difference}; take all "
                "chance from ctx.rng, sort a set before you choose from it, and keep nothing in classes and "
                "modules."
            )
            self.remarks.append(Remark(("chance",), Severity.ERROR, scene.name, sentence))

    def _compare_second_process(self, plugin: AgentPlugin) -> None:
        # A state class comes from a file of its own, which the other process has not loaded.
        played = [
            once
            for once, _ in self.pairs
            if once.case.situation.in_another_process and once.case.game.own_state is None
        ]
        try:
            logs = play_in_second_process(plugin, [once.case for once in played], self.seed)
        except SecondProcessError as reason:
            sentence = (
                f"Whether it depends on the order of sets could not be seen in another process: {reason}."
            )
            self.remarks.append(Remark(("elsewhere",), Severity.WARNING, "the whole check", sentence))
            return
        for once, lines in zip(played, logs, strict=True):
            self._compare(lines_of(once.events), lines, once.case, ", in another process,")


def _describe_value(value: object) -> str:
    text = text_of(ValueError(value)) if isinstance(value, str | int | float | None) else ""
    return repr(value) if text or value == "" else f"a {type(value).__name__}"
