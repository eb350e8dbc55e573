"""Engines that run tasks by joblib: in this process, in several of this computer, or on a Dask cluster."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeVar

from negoplatform.domain.errors import NegoError, missing_package_error

T = TypeVar("T")

AUTO, INLINE, LOKY, DASK = "auto", "inline", "loky", "dask"

_ADDRESS = re.compile(r"dask://([\w.:\[\]-]+:\d{1,5})")

PARENT_CHECK_SECONDS = 1.0
"""Seconds between two looks of a worker at whether the process that started it is still there."""


class WorkerLost(Exception):
    """A process ended in the middle of a task; the others were given up with it."""


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Engine and its number of processes.

    Args:
        name: ``auto``, ``inline``, ``loky`` or ``dask``; ``auto`` is left to the run of the tournament.
        jobs: The number of processes of an engine that starts its own.
        address: The scheduler of a running Dask cluster, ``HOST:PORT``; empty: a cluster of its own.
    """

    name: str = LOKY
    jobs: int = 1
    address: str = ""

    @property
    def one_process(self) -> bool:
        """Whether tasks run in this process."""
        return self.name == INLINE


def engine_choice(text: str, jobs: int | None) -> EngineChoice:
    """Return the engine that a person names.

    Args:
        text: ``auto``, ``inline``, ``loky``, ``dask`` or ``dask://HOST:PORT``.
        jobs: The number of processes; None: one for each processor.

    Raises:
        NegoError: If there is no such engine, or it has no use for a number of processes.
    """
    if text == AUTO:
        return EngineChoice(AUTO) if jobs is None else EngineChoice(LOKY, jobs)
    if text in (LOKY, DASK):
        return EngineChoice(text, usual_jobs() if jobs is None else jobs)
    if text == INLINE:
        if jobs not in (None, 1):
            raise NegoError("The engine inline has one process; leave out --jobs, or choose the engine loky.")
        return EngineChoice(INLINE)
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise NegoError(
            f"There is no engine {text!r}; there is auto, inline, loky, dask and dask://HOST:PORT."
        )
    if jobs is not None:
        raise NegoError("A Dask cluster that is running has its own number of workers; leave out --jobs.")
    return EngineChoice(DASK, 1, found[1])


def usual_jobs() -> int:
    """Return the number of processors that this process may use.

    Raises:
        NegoError: If joblib is not installed.
    """
    return int(_joblib().cpu_count())


def _joblib() -> Any:
    return _required("joblib", "tournament", _PACKAGES)


_PACKAGES = "joblib, NumPy, SciPy and threadpoolctl"


def check_packages() -> None:
    """Check that the packages of tournaments are installed, without loading them.

    Raises:
        NegoError: If one is not.
    """
    if not all(map(find_spec, ("joblib", "numpy", "scipy", "threadpoolctl"))):
        raise _missing("tournament", _PACKAGES)


def _required(name: str, extra: str, packages: str) -> Any:
    try:
        module = __import__(name)
        __import__("threadpoolctl")
    except ImportError:
        raise _missing(extra, packages) from None
    return module


def _missing(extra: str, packages: str) -> NegoError:
    return missing_package_error(f"This needs {packages}", extra)


class Engine:
    """Runner of tasks; made by :func:`opened_engine`.

    Args:
        choice: The engine.
        joblib: The module joblib; None for one process.
        options: The options of its backend.
    """

    def __init__(self, choice: EngineChoice, joblib: Any, options: Mapping[str, Any]) -> None:
        self._choice = choice
        self._joblib = joblib
        self._options = options

    @property
    def one_process(self) -> bool:
        """Whether tasks run in this process."""
        return self._choice.one_process

    def run(self, work: Callable[..., T], tasks: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """Yield the results of all tasks, in any order.

        Args:
            work: A function of a module, whose results can be pickled.
            tasks: The arguments of each call.

        Raises:
            WorkerLost: If a worker process ended.
        """
        choice, joblib = self._choice, self._joblib
        if choice.one_process:
            with _one_blas_thread():
                for task in tasks:
                    yield work(*task)
            return
        # With a single process, joblib would work in this one, which an agent must not be able to end.
        single = choice.name == LOKY and choice.jobs == 1
        with joblib.parallel_config(**self._options):
            parallel = joblib.Parallel(
                return_as="generator_unordered",
                **({"pre_dispatch": 1, "batch_size": 1} if single else {}),
            )
            calls: Iterable[Any] = (joblib.delayed(work)(*task) for task in tasks)
            try:
                # The first tasks are submitted here, which starts the processes.
                with _interrupts_blocked():
                    results = parallel(calls)
                yield from results
            except _lost_worker_errors(choice):
                raise WorkerLost from None


@contextmanager
def opened_engine(choice: EngineChoice) -> Iterator[Engine]:
    """Open an engine; its processes end with the context.

    Raises:
        NegoError: If its packages are not installed, or a cluster cannot be reached.
    """
    check_packages()
    joblib = None if choice.one_process else _joblib()
    with ExitStack() as stack:
        options: dict[str, Any] = {}
        if choice.name == LOKY:
            stack.enter_context(_environment(PYTHONHASHSEED="0"))
            stack.callback(_end_loky)
            if os.name == "posix":
                from multiprocessing import resource_tracker

                # Its start, which would come with the first worker, unblocks interrupts.
                resource_tracker.ensure_running()
            options = {
                "backend": "loky",
                "n_jobs": max(2, choice.jobs),
                "inner_max_num_threads": 1,
                "initializer": _start_worker,
                "initargs": (os.getpid(),),
            }
        elif choice.name == DASK:
            stack.enter_context(_dask_client(choice))
            options = {"backend": "dask"}
        yield Engine(choice, joblib, options)


def _end_loky() -> None:
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


@contextmanager
def _dask_client(choice: EngineChoice) -> Iterator[None]:
    distributed = _required("distributed", "dask", "Dask")
    with ExitStack() as stack:
        stack.enter_context(_environment(PYTHONHASHSEED="0", **_ONE_THREAD))
        if choice.address:
            address = f"tcp://{choice.address}"
        else:
            cluster = distributed.LocalCluster(
                n_workers=choice.jobs, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
            )
            address = stack.enter_context(cluster).scheduler_address
        try:
            client = distributed.Client(address, timeout=10, set_as_default=True)
        except (OSError, TimeoutError) as error:
            raise NegoError(
                f"There is no Dask scheduler at {choice.address} ({error or 'no answer'}); start one with "
                "'dask scheduler', and workers with 'dask worker'."
            ) from None
        stack.enter_context(client)
        yield


def _lost_worker_errors(choice: EngineChoice) -> tuple[type[BaseException], ...]:
    if choice.name == DASK:
        from distributed import KilledWorker

        return (KilledWorker,)
    from concurrent.futures.process import BrokenProcessPool

    return (BrokenProcessPool,)


_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)
"""Environment in which numerical libraries start one thread: each worker has one processor."""


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """Set variables for processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Block Ctrl-C for the processes that are started meanwhile; for this one it is only delayed.

    Otherwise a process that is still loading its modules, before ``_start_worker`` runs, prints a traceback.
    Windows has no such masks. There a process that ignores Ctrl-C hands this on to those that it starts, and
    misses a Ctrl-C meanwhile.
    """
    if sys.platform == "win32":
        _ignore_interrupts(True)
        try:
            yield
        finally:
            _ignore_interrupts(False)
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


if sys.platform == "win32":
    import ctypes

    def _ignore_interrupts(ignored: bool) -> None:
        ctypes.windll.kernel32.SetConsoleCtrlHandler(None, ignored)


@contextmanager
def _one_blas_thread() -> Iterator[None]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


def _start_worker(parent: int) -> None:
    """Prepare a worker process: it ignores Ctrl-C, and ends when its parent has ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.name == "posix":
        threading.Thread(target=_end_without, args=(parent,), daemon=True).start()


def _end_without(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(1)
