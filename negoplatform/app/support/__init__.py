"""Services without a negotiation in them: crash reports, settings, translations, files."""
