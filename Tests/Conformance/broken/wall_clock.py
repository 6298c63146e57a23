"""Counts its lease on a clock that people set. Fails: clock."""
import time

from base import tenure, worker

tenure.now = tenure.Link.__init__.__globals__["now"] = time.time
tenure.Run.__init__.__globals__["now"] = time.time
worker(tenure.Worker)
