"""Views of the negotiation window: table, rules, help, practice and result."""
