"""Petteia: a laboratory for classical game AI."""
