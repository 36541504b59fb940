"""What would be published, built from the files that are kept, and an environment to install it into."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import venv

ROOT = pathlib.Path(__file__).parents[1]
BUILD = "from setuptools import build_meta; build_meta.build_{kind}({folder!r})"


def kept():
    """The files of this clone that are kept, by their paths."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).exists()]


def copied(folder):
    """A copy of them; a link to a folder stays one."""
    for name in kept():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name, follow_symlinks=False)
    return folder


def built(kind, source, folder):
    """A wheel or a source archive, made in a folder of sources as a build tool makes it."""
    folder.mkdir()
    words = [sys.executable, "-c", BUILD.format(kind=kind, folder=str(folder))]
    subprocess.run(words, cwd=source, env=plain_environment(), check=True, capture_output=True)
    (file,) = folder.iterdir()
    return file


def unpacked(archive, folder):
    with tarfile.open(archive) as files:
        files.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))  # from 3.11.4 on
    (top,) = folder.iterdir()
    return top


def plain_environment():
    """As a user's: nothing says where sources are, or how to compile."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA", "VIRTUAL"))}


class Environment:
    """An empty environment in a folder, and a folder to work in."""

    def __init__(self, folder):
        self.folder, self.work = folder / "env", folder / "work"
        self.work.mkdir(parents=True)
        venv.create(self.folder, with_pip=True)

    def run(self, *words):
        """A program of the environment; what it prints."""
        program = self.folder / "bin" / words[0]
        done = subprocess.run(
            [program, *words[1:]],
            cwd=self.work,
            env=plain_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def install(self, *words):
        self.run("python", "-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt"), *words)

    def packages(self):
        """What is installed, by name."""
        lines = self.run("python", "-m", "pip", "list", "--format=freeze").splitlines()
        return dict(line.split("==") for line in lines)
