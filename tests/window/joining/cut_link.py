"""Connection between a window and a host that a test can cut and restore."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread
from types import TracebackType
from typing import Self


class CutLink:
    """Relay to a host; while it is cut, connections end and none is made.

    Args:
        port: The port of the host on this computer.
    """

    def __init__(self, port: int) -> None:
        self._host = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._open: list[socket.socket] = []
        self._is_cut = False
        Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._listener.close()

    def cut(self) -> None:
        """End all connections, and make none."""
        self._is_cut = True
        for end in self._open:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._open.clear()

    def restore(self) -> None:
        """Make connections again."""
        self._is_cut = False

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                window, _ = self._listener.accept()
                if self._is_cut:
                    window.close()
                    continue
                host = socket.create_connection(("127.0.0.1", self._host))
                self._open += [window, host]
                for source, sink in ((window, host), (host, window)):
                    Thread(target=_relay, args=(source, sink), daemon=True).start()


def _relay(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
