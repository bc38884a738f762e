"""The command line. ``main`` is the program ``petteia``."""

from petteia.cli.app import main

__all__ = ["main"]
