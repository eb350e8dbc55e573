"""Drawing of the outcomes of forks."""

from __future__ import annotations

from negoplatform.presentation.plots.drawing import Marker
from negoplatform.presentation.plots.fork_drawing import fork_drawing


def test_forks_with_one_outcome_are_one_circle_that_is_larger() -> None:
    drawing = fork_drawing((1, 1), [(5, 5)] * 3 + [(2, 8)], sides=("points of a", "points of b"), title="t")

    marks = {item.tooltip: item for item in drawing.items if isinstance(item, Marker) and item.tooltip}
    assert list(marks) == ["3 forks: 5, 5", "1 fork: 2, 8", "mean of the forks: 4.25, 5.75", "recorded: 1, 1"]
    assert marks["3 forks: 5, 5"].radius > marks["1 fork: 2, 8"].radius


def test_every_shape_is_named_in_the_legend() -> None:
    drawing = fork_drawing(None, [(5, 5)], sides=("points of a", "points of b"), title="t")

    legend = [item.shape for item in drawing.items if isinstance(item, Marker) and not item.tooltip]
    assert legend == ["star", "circle", "cross"]
