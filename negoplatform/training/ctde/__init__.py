"""Centralised training, decentralised execution: ordinary sessions of a chain of command.

A :class:`SystemAgent` is above the game's principals and seats. ``execute`` plays one step with the actions
of any of them; ``run_event_driven`` plays a whole session in which the same agents are asked by messages that
take their time. Both leave ordinary logs.

    >>> from negoplatform.training.ctde import SystemAgent
    >>> system = SystemAgent("practice", step_seconds=10)
    >>> obs, infos = system.reset(seed=42)
    >>> sorted(obs)
    ['agent', 'human', 'system']
    >>> seat = system.subordinates["human"]
    >>> offer = seat.neutral()
    >>> offer.set_values({"d": [seat.codec.heads.index("offer"), *offer.d[1:]]})
    >>> results = system.execute({"human": offer}, system.proxy)
    >>> results.obs["agent"].dtype, results.rewards["agent"]
    (dtype('float32'), 0.0)
    >>> accept = system.subordinates["agent"].neutral()
    >>> accept.set_values({"d": [seat.codec.heads.index("accept"), *accept.d[1:]]})
    >>> results = system.execute({"agent": accept, "human": accept}, system.proxy)
    >>> results.terminateds["human"], results.infos["agent"]["refused"]
    (True, '')
    >>> system.close()
"""

from negoplatform.training.packages import check_packages

check_packages()  # before the imports that need them: with a sentence that says how to install them

from negoplatform.training.ctde.chain_agents import (  # noqa: E402
    ChainAgent,
    CoordinatorAgent,
    FieldAgent,
    ObservationPolicy,
)
from negoplatform.training.ctde.proxy_agent import (  # noqa: E402
    OwnResult,
    ProxyAgent,
    StepResults,
    TickResult,
)
from negoplatform.training.ctde.system_agent import SystemAgent  # noqa: E402

__all__ = [
    "ChainAgent",
    "CoordinatorAgent",
    "FieldAgent",
    "ObservationPolicy",
    "OwnResult",
    "ProxyAgent",
    "StepResults",
    "SystemAgent",
    "TickResult",
]
