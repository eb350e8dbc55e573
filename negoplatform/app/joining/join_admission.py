"""Admission of windows to a host: codes, growing delays after failures, and tokens for reconnection."""

from __future__ import annotations

import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

import negoplatform
from negoplatform.app.joining.join_codes import (
    ID_BYTES,
    Nonces,
    ProofSide,
    draw_id,
    is_proof,
    make_proof,
    mask_token,
    parse_code,
)
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.domain.errors import NegoError
from negoplatform.formats.join_protocol import (
    JOIN_PROTOCOL,
    ChallengeModel,
    HelloModel,
    RefusalReason,
    RefusedModel,
    WelcomeModel,
)

FIRST_DELAY, LONGEST_DELAY = 0.5, 60.0
"""Seconds for which no code from an address is checked after its first failure, and at most."""

FORGOTTEN_AFTER = 600.0
"""Seconds after the end of a delay at which the failures of an address are forgotten."""

MOST_ADDRESSES = 4096
"""Maximum number of addresses whose failures are kept; the oldest are dropped."""

MOST_TICKETS = 16
"""Maximum number of resume tokens of a role that several windows may have."""

ONE_WINDOW_KINDS = frozenset({RoleKind.SEAT, RoleKind.WIZARD})
"""Kinds of roles that one window at a time may have."""

PUBLIC_ROLE = JoinRole(RoleKind.PUBLIC)


def address_key(address: str) -> str:
    """Return the key under which an IP address is counted: a host has a whole network of IPv6 addresses."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def full_name(role: JoinRole) -> str:
    """Return the name of a role that no other role has, such as ``wizard:blue``."""
    return f"{role.kind.value}:{role.seat or ''}"


class FailureDelays:
    """Delays of addresses from which wrong codes or broken lines have come."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def seconds(self, key: str, now: float) -> float:
        """Return the seconds for which nothing from an address is checked; 0: it is checked."""
        _, until = self._failures.get(key, (0, now))
        return max(0.0, until - now)

    def fail(self, key: str, now: float) -> float:
        """Count a failure of an address; return the seconds of its delay."""
        times, until = self._failures.pop(key, (0, now))
        if now - until > FORGOTTEN_AFTER:
            times = 0
        delay = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** min(times, 20))
        self._failures[key] = (times + 1, now + delay)
        if len(self._failures) > MOST_ADDRESSES:
            self._failures.popitem(last=False)
        return delay

    def succeed(self, key: str) -> None:
        """Forget the failures of an address."""
        self._failures.pop(key, None)


@dataclass(frozen=True, slots=True)
class _Ticket:
    role: JoinRole
    token: bytes


@dataclass(frozen=True, slots=True)
class Challenged:
    """Window that was sent a challenge.

    Args:
        hello: Its first line.
        nonces: The nonces of the connection.
        ticket: The resume token that it has named; None: it has to know a code.
    """

    hello: HelloModel
    nonces: Nonces
    ticket: _Ticket | None

    @property
    def challenge(self) -> ChallengeModel:
        """The challenge."""
        return ChallengeModel(
            protocol=JOIN_PROTOCOL,
            version=negoplatform.__version__,
            nonce=self.nonces.host,
            resumes=self.ticket is not None,
        )


@dataclass(frozen=True, slots=True)
class Admitted:
    """Window that was admitted, with its role and the answer to it."""

    role: JoinRole
    welcome: WelcomeModel


class Admission:
    """Check of windows that ask to join.

    Args:
        codes: The codes of the roles, each another one.

    Raises:
        NegoError: If a code is malformed, or two roles have the same one.
    """

    def __init__(self, codes: Mapping[JoinRole, str]) -> None:
        self._keys = {role: parse_code(code).encode() for role, code in codes.items()}
        if len(set(self._keys.values())) < len(self._keys):
            raise NegoError("Two roles have the same code; each role needs a code of its own.")
        self._tickets: OrderedDict[str, _Ticket] = OrderedDict()
        self.delays = FailureDelays()

    def challenge(self, hello: HelloModel, key: str, now: float) -> Challenged | RefusedModel:
        """Return the answer to a hello.

        Args:
            hello: The hello.
            key: The key of its address.
            now: The present ``time.monotonic()``.
        """
        ticket = self._tickets.get(hello.ticket)
        delay = self.delays.seconds(key, now)
        if ticket is None and delay > 0:
            return refusal(RefusalReason.DELAYED, delay)
        return Challenged(hello, Nonces(hello.nonce, draw_id()), ticket)

    def admit(self, window: Challenged, proof: str, key: str, now: float) -> Admitted | RefusedModel:
        """Return the answer to a proof; a wrong one counts as a failure of its address.

        Args:
            window: The window.
            proof: Its proof.
            key: The key of its address.
            now: The present ``time.monotonic()``.
        """
        if window.ticket is not None:
            ticket = window.ticket
            name = window.hello.wanted
            if not is_proof(ticket.token, ProofSide.WINDOW, window.nonces, name, proof):
                return self._wrong(key, now)
            self.delays.succeed(key)
            welcome = _welcome(ticket.role, ticket.token, window.nonces, window.hello.ticket, "")
            return Admitted(ticket.role, welcome)
        # The address may have failed on another connection since the challenge.
        delay = self.delays.seconds(key, now)
        if delay > 0:
            return refusal(RefusalReason.DELAYED, delay)
        return self._admit_with_code(window, proof, key, now)

    def revoke(self, ticket: str) -> None:
        """Forget a resume token."""
        self._tickets.pop(ticket, None)

    def _admit_with_code(
        self, window: Challenged, proof: str, key: str, now: float
    ) -> Admitted | RefusedModel:
        wanted, nonces = window.hello.wanted, window.nonces
        # Every code is tried, so that the time does not depend on which one it is.
        owners = [
            role
            for role, code in self._keys.items()
            if is_proof(code, ProofSide.WINDOW, nonces, wanted, proof)
        ]
        roles = self._roles_for(owners[0], wanted) if owners else []
        if not roles:
            return self._wrong(key, now)
        self.delays.succeed(key)
        if len(roles) > 1:
            return refusal(RefusalReason.AMBIGUOUS)
        (role,) = roles
        code = self._keys[owners[0]]
        ticket, token = draw_id(), secrets.token_bytes(ID_BYTES)
        self._keep(ticket, _Ticket(role, token))
        masked = mask_token(code, nonces, token).hex()
        return Admitted(role, _welcome(role, code, nonces, ticket, masked))

    def _roles_for(self, owner: JoinRole, wanted: str) -> list[JoinRole]:
        """Return the roles that the owner of a code may join in under a name."""
        name = wanted.strip().casefold()
        if not name:
            return [owner]
        others = [*self._keys, PUBLIC_ROLE] if owner.kind is RoleKind.EXPERIMENTER else [owner]
        return [
            role
            for role in dict.fromkeys(others)
            if name in (role.name.casefold(), full_name(role).casefold())
        ]

    def _keep(self, name: str, ticket: _Ticket) -> None:
        """Keep a resume token; the window before the present one cannot come back."""
        same = [other for other, kept in self._tickets.items() if kept.role == ticket.role]
        most = 1 if ticket.role.kind in ONE_WINDOW_KINDS else MOST_TICKETS
        for other in same[: max(0, len(same) + 1 - most)]:
            del self._tickets[other]
        self._tickets[name] = ticket

    def _wrong(self, key: str, now: float) -> RefusedModel:
        return refusal(RefusalReason.WRONG_CODE, self.delays.fail(key, now))


def refusal(reason: RefusalReason, seconds: float = 0.0) -> RefusedModel:
    """Return the line of a refusal."""
    return RefusedModel(
        reason=reason, seconds=round(seconds, 3), protocol=JOIN_PROTOCOL, version=negoplatform.__version__
    )


def _welcome(role: JoinRole, key: bytes, nonces: Nonces, ticket: str, masked: str) -> WelcomeModel:
    return WelcomeModel(
        proof=make_proof(key, ProofSide.HOST, nonces, full_name(role)),
        role_kind=role.kind.value,
        seat=role.seat,
        ticket=ticket,
        masked_token=masked,
    )
