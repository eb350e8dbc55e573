"""Tests of the scenarios of other platforms."""
