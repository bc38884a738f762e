"""Tuning: weights that play better, found by games, and never believed without fresh ones."""
