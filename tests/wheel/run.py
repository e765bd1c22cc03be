"""The wheel: built by maturin, installed into an empty environment, and used from there: `python3 tests/wheel/run.py`.

maturin comes from PyPI, into `.oracle/maturin`, once. The wheel carries the development build, so that nothing is compiled twice.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
MATURIN = "1.16.0"
PROGRAM = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    print(x)
    return x @ jnp.ones((3, 4))

f(jnp.ones((2, 5)))
"""


def run(*command, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)


def maturin() -> Path:
    folder = REPOSITORY / ".oracle" / "maturin"
    binary = folder / "bin" / "maturin"
    if not (binary.exists() and MATURIN in run(binary, "--version").stdout):
        venv.create(folder, with_pip=True, clear=True)
        run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"maturin=={MATURIN}", check=True)
    return binary


def main() -> None:
    wanted = re.search(r'^version = "([^"]+)"', (REPOSITORY / "Cargo.toml").read_text(), re.M)[1]
    work = Path(tempfile.mkdtemp(prefix="jitlens-wheel-"))
    try:
        environment = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH")}
        built = run(maturin(), "build", "--profile", "dev", "--compatibility", "linux", "--out", work, cwd=REPOSITORY / "server", env=environment)
        assert built.returncode == 0, built.stderr
        [wheel] = work.glob("*.whl")
        assert wheel.name.startswith(f"jitlens-{wanted}-py3-none-"), wheel.name
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
            metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()
        assert any(name.endswith("scripts/jitlens") for name in names), names
        assert not [name for name in names if ".dist-info/" not in name and ".data/scripts/" not in name], names
        assert "Requires-Dist" not in metadata, "the wheel needs nothing else"

        # An empty environment, and no network.
        empty = work / "empty"
        venv.create(empty, with_pip=True)
        done = run(empty / "bin" / "python", "-m", "pip", "install", "--no-index", "--no-deps", "--disable-pip-version-check", wheel, env=environment)
        assert done.returncode == 0, done.stderr
        command = empty / "bin" / "jitlens"
        assert run(command, "--version").stdout == f"jitlens {wanted}\n"
        (work / "p.py").write_text(PROGRAM)
        checked = run(command, "check", "p.py", cwd=work, env=environment)
        assert checked.returncode == 1, checked.stderr
        assert "p.py:6:4: warning[python-side-effect]" in checked.stdout, checked.stdout
        assert "dot_general requires contracting dimensions" in checked.stdout, checked.stdout
        (work / "p.py").write_text(PROGRAM.replace("(2, 5)", "(2, 3)").replace("    print(x)\n", ""))
        clean = run(command, "check", "p.py", cwd=work, env=environment)
        assert (clean.returncode, clean.stdout) == (0, ""), clean.stdout
        print(f"the wheel: {wheel.name}, {wheel.stat().st_size / 1e6:.0f} MB, installed into an empty environment, checks a program")
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
