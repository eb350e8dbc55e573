"""The replay viewer: a recorded session, shown in the window as anybody at its table saw it."""
