"""Plots of a recorded session: plain values, then a picture, SVG, or something on the screen."""
