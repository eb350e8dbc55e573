"""Goods and money of trading games, and their worth to each seat."""
