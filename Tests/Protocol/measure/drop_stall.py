"""Only the last two lines of `history`: what dropping a partition stops."""

import os

os.environ["RUNS"] = "0"
import lib

source = (lib.HERE / "history.py").read_text()
head, tail = source.index("figures = {"), source.index("def stall")
exec(source[:head] + source[tail : source.index("print('Partitions made")])
print(stall("drop: finished a job", DROP, FINISHED))
