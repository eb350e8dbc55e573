"""Views of bargaining: draft, offer builder, offer cards, comparison and progress."""
