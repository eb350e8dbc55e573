"""Option that selects a seat's profile."""

from __future__ import annotations

import click

from negoplatform.domain.seat import Seat


def _profiles(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Seat, str]:
    chosen: dict[Seat, str] = {}
    for text in given:
        seat, equals, name = text.partition("=")
        if not (seat and equals and name):
            raise click.BadParameter(f"{text!r} is not SEAT=NAME.", ctx, option)
        if seat in chosen:
            raise click.BadParameter(f"{seat} is given two profiles.", ctx, option)
        chosen[seat] = name
    return chosen


PROFILE = click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="SEAT=NAME",
    callback=_profiles,
    help="A seat's profile, instead of the game's choice; NAME may be 'drawn' for a random one. Repeatable.",
)
"""``--profile SEAT=NAME``, as ``profiles``: names by seat."""
