"""Tests of the wizard's views."""
