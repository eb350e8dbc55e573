"""The look of the window: theme, fonts, icons and ttk styles."""
