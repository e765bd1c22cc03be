"""The Python that has the real framework.

`JITLENS_ORACLE_PYTHON` names an existing interpreter; otherwise `.oracle/venv` is made in the repository's root from
`requirements.txt`, once.
"""

import functools
import hashlib
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
STATE = REPOSITORY / ".oracle"
REQUIREMENTS = HERE / "requirements.txt"

VERSIONS = """
import sys
from importlib import metadata
print("python", sys.version.split()[0])
for name in ("jax", "jaxlib", "numpy", "optax"):
    print(name, metadata.version(name))
"""


def interpreter() -> str:
    """The interpreter to record with; makes the virtual environment if there is none."""
    return os.environ.get("JITLENS_ORACLE_PYTHON") or str(virtual_environment())


def virtual_environment() -> Path:
    venv = STATE / "venv"
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = venv / "requirements.sha256"
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"installing {REQUIREMENTS.name} into {venv.relative_to(REPOSITORY)}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        "-r", REQUIREMENTS], check=True)
        stamp.write_text(wanted)
    return python


@functools.cache
def versions(python: str) -> dict[str, str]:
    out = subprocess.run([python, "-c", VERSIONS], check=True, capture_output=True, text=True, cwd=HERE).stdout
    return dict(line.split() for line in out.splitlines())


def clean_environment() -> dict[str, str]:
    """The caller's environment without what would change the framework's answers."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JAX_", "XLA_", "TF_", "PYTHON"))}
    return {**kept, "JAX_PLATFORMS": "cpu", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(HERE.parent)}
