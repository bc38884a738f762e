"""Settings for all tests."""

from hypothesis import settings

# The first call of a kernel may compile it, which takes seconds: no deadline for one example.
settings.register_profile("petteia", deadline=None)
settings.load_profile("petteia")
