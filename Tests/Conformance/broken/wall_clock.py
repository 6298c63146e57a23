"""Counts its lease on a clock that people set. Fails: clock."""
import time

from base import tenure, worker

tenure.now = time.time
worker(tenure.Worker)
