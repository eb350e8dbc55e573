"""The panels of a market: order book, ticket, own orders, prices, account, and decisions."""
