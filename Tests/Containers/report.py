"""What was seen, line by line."""
failures = 0


def say(text):
    print(text, flush=True)


def expect(what, holds, found=""):
    global failures
    failures += not holds
    say(f"  {'✔' if holds else '✘'} {what}{': ' if found != '' else ''}{found}")
