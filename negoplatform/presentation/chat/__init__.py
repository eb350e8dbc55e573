"""Views of the chat: phrases, recipients, and statements."""
