"""Exact tables: who solves the game, where a position stands in them, and who plays by them."""
