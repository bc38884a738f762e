"""Settings for all tests."""

import os

from hypothesis import settings

# The first call of a kernel may compile it, which takes seconds: no deadline for one example.
settings.register_profile("petteia", deadline=None)
settings.load_profile("petteia")

# Tests keep nothing in the user's own store; those of the store name a file.
os.environ["PETTEIA_STORE"] = "off"
