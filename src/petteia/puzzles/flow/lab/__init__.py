"""Flow in the laboratory: its routes, its tasks, its messages, and its page in ``static``."""
