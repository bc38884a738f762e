"""Tuning: finds weights that play better, and confirms them with fresh games."""
