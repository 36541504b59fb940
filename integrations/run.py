"""Train with each library in an environment of its own, all of them even if one fails; then say how it went.

python integrations/run.py [name ...]
"""

import os
import pathlib
import subprocess
import sys
import time
import venv

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent
NAMES = sorted(page.stem for page in HERE.glob("*.txt"))
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def install(name: str) -> pathlib.Path:
    """The Python of the library's environment, made anew when its pins or our dependencies have changed."""
    home, pins = ROOT / ".venv-integrations" / name, HERE / f"{name}.txt"
    python, stamp = home / "bin" / "python", home / "installed"
    wanted = pins.read_text() + (ROOT / "pyproject.toml").read_text()
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(home, clear=True, with_pip=True)
        run(python, "-m", "pip", "install", "--quiet", "-r", pins, "-e", ROOT)
        stamp.write_text(wanted)
    return python


def run(*command: str | pathlib.Path) -> None:
    subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **QUIET}, check=True)


def main(names: list[str]) -> int:
    results = []
    for name in names or NAMES:
        begun = time.time()
        print(f"== {name}", flush=True)
        try:
            run(install(name), "-m", "pytest", HERE / f"test_{name}.py")
            results.append((name, "passed", begun, time.time()))
        except subprocess.CalledProcessError:
            results.append((name, "FAILED", begun, time.time()))
    for name, result, begun, ended in results:
        print(f"{name:<10}{result:<8}{ended - begun:6.0f} s")
    return int(any(result == "FAILED" for _, result, _, _ in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
