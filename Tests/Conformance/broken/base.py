"""What the broken workers are made of: the Python worker, and the suite's kind on it."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import script  # noqa: E402
import tenure_worker as tenure  # noqa: E402, F401

worker = script.main
