"""Uses modules of the standard library that few programs import, and says what they answer.

A packaged program holds only what it was told to hold; whoever writes an agent need not know that.
"""

import asyncio
import calendar
import cmath
import colorsys
import concurrent.futures
import ctypes
import decimal
import difflib
import doctest
import html
import http.server
import importlib.metadata
import io
import logging
import logging.handlers
import multiprocessing
import plistlib
import smtplib
import sqlite3
import tomllib
import unittest
import wave
import xml.dom.minidom
import zoneinfo

from negoplatform.agent_api.actions import FormalAccept, SendMessage
from negoplatform.agent_api.base import NegotiationAgent


class Unusual(NegotiationAgent):
    """Answers with what it has looked up, and takes every offer."""

    def get_name(self):
        return "Noor"

    def on_game_start(self, ctx, event):
        return [SendMessage("; ".join(f"{name}: {look_up()}" for name, look_up in LOOK_UPS.items()))]

    def on_send_offer(self, ctx, event):
        with sqlite3.connect(":memory:") as offers:
            offers.execute("create table offer (mine integer)")
            mine = [(event.get_offer().units(issue.name, ctx.seat),) for issue in ctx.issues]
            offers.executemany("insert into offer values (?)", mine)
            (units,) = offers.execute("select sum(mine) from offer").fetchone()
        return [SendMessage(html.escape(f"{units} > 0 & a deal")), FormalAccept()]


async def doubled(number):
    await asyncio.sleep(0)
    return 2 * number


def length_of_a_sound():
    """
    >>> length_of_a_sound()
    0.25
    """
    sound = io.BytesIO()
    with wave.open(sound, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(8000)
        written.writeframes(bytes(4000))
    sound.seek(0)
    with wave.open(sound, "rb") as read:
        return read.getnframes() / read.getframerate()


def in_a_thread():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(pow, 3, 4).result()


def in_a_process():
    # Not a pool: its locks need what the sandbox of an agent refuses.
    spawning = multiprocessing.get_context("spawn")
    here, there = spawning.Pipe()
    process = spawning.Process(target=there.send, args=(5,))
    process.start()
    answer = here.recv() if here.poll(20) else None
    process.join()
    return answer


def tried():
    case = unittest.FunctionTestCase(lambda: None)
    return case.run().testsRun


def told():
    kept = logging.handlers.MemoryHandler(10)
    kept.emit(logging.makeLogRecord({"msg": "kept", "levelno": logging.INFO}))
    return kept.buffer[0].getMessage()


LOOK_UPS = {
    "sqlite3": lambda: sqlite3.connect(":memory:").execute("select 6 * 7").fetchone()[0],
    "html": lambda: html.escape("<b>"),
    "wave": length_of_a_sound,
    "cmath": lambda: cmath.sqrt(-1),
    "colorsys": lambda: colorsys.rgb_to_hsv(1.0, 0.0, 0.0),
    "doctest": lambda: doctest.run_docstring_examples(length_of_a_sound, globals()),
    "xml": lambda: xml.dom.minidom.parseString("<a><b/></a>").documentElement.firstChild.tagName,
    "plistlib": lambda: plistlib.loads(plistlib.dumps({"deal": True})),
    "tomllib": lambda: tomllib.loads("deal = 1")["deal"],
    "decimal": lambda: decimal.Decimal("0.1") + decimal.Decimal("0.2"),
    "asyncio": lambda: asyncio.run(doubled(4)),
    "concurrent": in_a_thread,
    "multiprocessing": in_a_process,
    "unittest": tried,
    "logging": told,
    "ctypes": lambda: ctypes.sizeof(ctypes.c_int64),
    "calendar": lambda: calendar.isleap(2024),
    "difflib": lambda: difflib.get_close_matches("banana", ["bananas", "wood"])[0],
    "http": lambda: http.server.SimpleHTTPRequestHandler.protocol_version,
    "smtplib": lambda: smtplib.SMTP_SSL_PORT,
    "zoneinfo": lambda: zoneinfo.ZoneInfo.no_cache("UTC").key,
    "metadata": lambda: len(importlib.metadata.entry_points(group="nobody's")),
}
