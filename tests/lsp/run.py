"""Runs the tests of the language server: `python3 tests/lsp/run.py [--server PATH] [arguments of pytest]`.

The client comes from PyPI, into `.oracle/lsp` in the repository's root, once.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
REQUIREMENTS = HERE / "requirements.txt"


def interpreter() -> Path:
    venv = REPOSITORY / ".oracle" / "lsp"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = venv / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"installing the client into {venv.relative_to(REPOSITORY)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS],
                       check=True)
        stamp.write_text(wanted)
    return python


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", type=Path, default=REPOSITORY / "target" / "debug" / "jitlens")
    options, rest = parser.parse_known_args()
    environment = {**os.environ, "JITLENS": str(options.server.resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
    # With a trailing path given, only that is run.
    where = [] if any(not argument.startswith("-") and "::" in argument or argument.endswith(".py") for argument in rest) else [HERE]
    return subprocess.run([interpreter(), "-m", "pytest", "-q", "-c", HERE / "pytest.ini", "--rootdir", HERE, *where, *rest],
                          env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
