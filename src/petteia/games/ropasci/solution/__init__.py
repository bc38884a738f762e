"""Exact endings: who solves them, where a position stands in their table, and what it says."""
