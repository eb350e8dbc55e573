"""Views of the chat: phrases, and the interpretation of typed messages."""
