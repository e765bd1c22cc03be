"""Lays out what a program needs below `.strangers/`: the repository at its commit, our driver, and what is replaced."""

import hashlib
import io
import json
import shutil
import subprocess
import tarfile
from pathlib import Path

from oracle.env import REPOSITORY
from oracle.program import Program

from .table import DRIVERS, STUBS, Stranger

STATE = REPOSITORY / ".strangers"
ORIGIN = "https://github.com"
NOTEBOOK = ".ipynb"


class NotThere(Exception):
    """The repository, its commit, or something that the table says of it cannot be had."""


def git(folder: Path, *words, text=True):
    done = subprocess.run(["git", f"--git-dir={folder}", *words], capture_output=True, text=text)
    if done.returncode:
        error = done.stderr if text else done.stderr.decode("utf-8", "replace")
        raise NotThere(f"git {words[0]}: {error.strip()[-300:]}")
    return done.stdout


def has(folder: Path, commit: str) -> bool:
    try:
        return folder.is_dir() and git(folder, "cat-file", "-t", commit).strip() == "commit"
    except NotThere:
        return False


def store(repository: str, commit: str, mirror: Path | None, origin: str) -> Path:
    """A git directory that has the commit: of the mirror, or fetched once into `.strangers/git`."""
    name = repository.replace("/", "+")
    for folder in ([mirror / name, mirror / name / "repo", mirror / name / "repo/.git"] if mirror else []):
        if has(folder, commit):
            return folder
    own = STATE / "git" / name
    if not has(own, commit):
        if mirror:
            raise NotThere(f"{mirror / name} does not have {commit}")
        own.mkdir(parents=True, exist_ok=True)
        git(own, "init", "--quiet", "--bare")
        git(own, "fetch", "--quiet", "--depth", "1", f"{origin}/{repository}", commit)
    return own


def unpack(folder: Path, source: Path, commit: str, files):
    archive = git(source, "archive", commit, *files, text=False)
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")


def lay_out(stranger: Stranger, mirror: Path | None = None, origin: str = ORIGIN) -> Program:
    """The program, ready to run. What was laid out before by the same entry of the table is used again."""
    folder = STATE / "trees" / stranger.id
    stamp, wanted = folder.with_suffix(".stamp"), seal(stranger)
    if not (stamp.exists() and stamp.read_text("utf-8") == wanted):
        stamp.unlink(missing_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        unpack(folder, store(stranger.repository, stranger.commit, mirror, origin), stranger.commit, stranger.files)
        if stranger.beside:
            repository, commit, package = stranger.beside
            unpack(folder / stranger.root, store(repository, commit, mirror, origin), commit, [package])
        prepare(stranger, folder / stranger.root)
        root = folder / stranger.root
        folder.with_suffix(".files").write_text("\n".join(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()), "utf-8")
        stamp.write_text(wanted, "utf-8")
    return Program(name=stranger.id, root=(folder / stranger.root).resolve(), script=script_of(stranger), alone=False, timeout=900)


def tidied(program: Program):
    """Takes away what a run has written: a tree is the same before every run."""
    listing = (STATE / "trees" / f"{program.name}.files").read_text("utf-8").splitlines()
    for path in set(program.root.rglob("*")) - {program.root / name for name in listing}:
        if path.is_file() or path.is_symlink():
            path.unlink()


def seal(stranger: Stranger) -> str:
    """Changes when the table's entry, the driver or a stub does."""
    parts = [repr(stranger)]
    if not stranger.script:
        parts.append(driver(stranger).read_text("utf-8"))
    parts += [(STUBS / name).read_text("utf-8") for name, _ in stranger.stubs]
    parts.append(Path(__file__).read_text("utf-8"))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def driver(stranger: Stranger) -> Path:
    return DRIVERS / f"{stranger.id}.py"


def script_of(stranger: Stranger) -> str:
    if not stranger.script:
        return (Path(stranger.at) / f"drive_{stranger.id}.py").as_posix()
    path = Path(stranger.script)
    if stranger.at:
        path = Path(stranger.at) / path.name
    return path.with_suffix(".py").as_posix()


def prepare(stranger: Stranger, root: Path):
    """Puts the script or the driver where it runs, with what is replaced, and the stubs beside it."""
    script = root / script_of(stranger)
    if stranger.script:
        source = root / stranger.script
        if not source.exists():
            raise NotThere(f"{stranger.script} is not in the repository")
        text = source.read_text("utf-8")
        text = notebook(text, stranger.without) if source.suffix == NOTEBOOK else emptied(text, stranger.without)
        source.unlink()
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(replaced(text, stranger.replace), "utf-8")
    else:
        script.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(driver(stranger), script)
    for name, place in stranger.stubs:
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(STUBS / name, root / place)


def replaced(text: str, pairs) -> str:
    for old, new in pairs:
        if old not in text:
            raise NotThere(f"what is to be replaced is not there: {old!r}")
        text = text.replace(old, new)
    return text


def numbers(ranges) -> set[int]:
    """`("3", "5-7")`: 3, 5, 6, 7."""
    found = set()
    for text in ranges:
        first, _, last = text.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def emptied(text: str, ranges) -> str:
    """The text with some lines empty: all others keep their numbers."""
    out = numbers(ranges)
    return "".join("\n" if at in out else line for at, line in enumerate(text.splitlines(keepends=True), 1))


def notebook(text: str, ranges) -> str:
    """The code cells of a notebook in their order, without those of the given numbers (from 1) and without magics."""
    out, cells = numbers(ranges), []
    code = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    for at, cell in enumerate(code, 1):
        lines = "".join(cell["source"]).splitlines()
        if at in out or lines and lines[0].startswith("%%"):
            lines = []
        cells.append("\n".join("" if line.lstrip().startswith(("%", "!")) else line for line in lines))
    return "\n\n".join(cells) + "\n"
