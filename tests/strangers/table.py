"""The table of programs, `programs.toml`."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = HERE / "programs.toml"
DRIVERS = HERE / "drivers"
STUBS = HERE / "stubs"


@dataclass(frozen=True)
class Stranger:
    """One program: which files of which commit, and what is run."""

    id: str
    repository: str                         # `owner/name` on GitHub
    commit: str                             # all forty digits
    script: str = ""                        # the stranger's own script, from the root; else `drivers/ID.py` is run
    root: str = "."                         # the folder of the repository that the program runs in
    at: str = ""                            # the folder below the root where a driver (if not the root), or the script, is put to run
    files: tuple[str, ...] = ()             # files and folders that are laid out; all of the repository if none is named
    replace: tuple[tuple[str, str], ...] = ()   # texts of the script that are others: numbers, mostly
    without: tuple[str, ...] = ()           # lines (`12` or `12-20`) of the script that are left empty; of a notebook, cells
    beside: tuple[str, ...] = ()            # another repository's package put into the root: repository, commit, folder
    stubs: tuple[tuple[str, str], ...] = () # files of ours, from `stubs`, and where they are put: for data and for what is not installed
    needs: tuple[str, ...] = ()             # distributions besides those of the oracle
    note: str = ""                          # said in the table, in a few words

    def runs(self) -> str:
        """What the table says is run."""
        what = self.script or ", ".join(self.shown())
        words = ["driver" if not self.script else "", self.note]
        said = "; ".join(word for word in words if word)
        return f"{what} ({said})" if said else what

    def shown(self) -> tuple[str, ...]:
        named = tuple(name for name in self.files if not name.endswith("__init__.py"))
        return named or (self.root if self.root != "." else self.repository.split("/")[1],)


def load(path: Path = TABLE) -> list[Stranger]:
    """All programs, in the order of the file."""
    rows = tomllib.loads(path.read_text("utf-8"))["program"]
    return [Stranger(**{key: frozen(value) for key, value in row.items()}) for row in rows]


def frozen(value):
    return tuple(map(frozen, value)) if isinstance(value, list) else value
