"""Plots of a recorded session: from plain values to a picture, an SVG or a canvas."""
