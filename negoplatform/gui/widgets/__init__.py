"""General widgets: cells, dialogs, lists, scrolled frames, tooltips and timers."""
