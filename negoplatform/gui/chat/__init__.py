"""The chat: message field, phrases and the interpretation of typed offers."""
