"""Parts of a game's file: names, rules, preferences, briefings, economies, and who commands or assists."""
