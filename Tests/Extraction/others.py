"""Run by a Python that has it: another extractor's text of many pages, as `extract-text` prints
ours. The first argument is its name, the paths come on standard input."""
import json
import logging
import pathlib
import sys

logging.disable(logging.CRITICAL)


def trafilatura():
    import trafilatura as module
    # The settings of its own evaluation.
    return lambda data: module.extract(
        data, fast=False, include_comments=False, include_tables=True, include_formatting=False)


def readability():
    from readability import Document
    from trafilatura.utils import decode_file
    from scores import text_of_html
    return lambda data: text_of_html(Document(decode_file(data)).summary())


extract = {"trafilatura": trafilatura, "readability": readability}[sys.argv[1]]()
for path in map(str.strip, sys.stdin):
    try:
        text = extract(pathlib.Path(path).read_bytes()) or ""
    except Exception as error:  # its failure is its result
        print(f"{sys.argv[1]}: {path}: {error!r}"[:300], file=sys.stderr)
        text = ""
    print(json.dumps({"file": path, "text": text}), flush=True)
