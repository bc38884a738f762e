"""Learned evaluations: networks on the bits of a position, their data and their training."""
