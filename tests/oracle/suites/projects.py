"""`tests/projects/<name>/program.toml`: real programs of one or more files.

    entry = "train.py"          # run with the project's folder as working directory
    args = ["--steps", "3"]     # optional
    timeout = 300               # seconds, optional
"""

import tomllib

from ..env import REPOSITORY
from ..program import Program
from . import Case

ROOT = REPOSITORY / "tests" / "projects"


def cases() -> list[Case]:
    return [Case(project(path)) for path in sorted(ROOT.glob("*/program.toml"))]


def project(path) -> Program:
    settings = tomllib.loads(path.read_text("utf-8"))
    return Program(name=path.parent.name, root=path.parent, script=settings["entry"], alone=False,
                   args=tuple(settings.get("args", ())), timeout=settings.get("timeout", 300))
