"""JSON and values: game files, events and log headers, read strictly."""
