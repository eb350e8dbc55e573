"""Views of a market: order book, ticket, account, trades, and phases with decisions."""
