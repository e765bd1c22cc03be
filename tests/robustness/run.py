"""Bad input for the whole program: `python3 tests/robustness/run.py [--binary PATH] [--only TEXT] [--full] [--cuts FOLDER]`.

Runs `jitlens check` and `jitlens values` on programs that ask for more than there is (`programs.py`), on import cycles, on
random bytes, and on every file of `tests/` cut at every 7th byte (a sample of the cuts, or all of them with `--full` or
`JITLENS_FULL=1`; with `--cuts`, all of those below a folder alone). Each run has to end by itself with an exit code of the contract, without a panic, in CPU time and memory
as below.
"""

import argparse
import concurrent.futures
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from programs import SLOW, programs

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent

# Seconds of CPU: of an optimized build, and of one that is not.
MOST_SECONDS = {"release": 30.0, "debug": 300.0}
MOST_MEGABYTES = 2000
CUT = 7
# Fuel with which the programs that use it up are answered within seconds, also by a build that is not optimized.
LITTLE = 400_000


def run(binary: Path, command: str, files: list[Path], seconds: float, fuel: int | None = None) -> tuple[str | None, float, float]:
    """What went wrong, if anything; CPU seconds; megabytes at the peak."""
    environment = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX", "JITLENS_FUEL")}
    if fuel is not None:
        environment["JITLENS_FUEL"] = str(fuel)

    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # Beyond what is allowed, but well below what a machine has.
        resource.setrlimit(resource.RLIMIT_AS, (3 * MOST_MEGABYTES << 20, 3 * MOST_MEGABYTES << 20))
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([binary, command, *files, "--format", "json"], stdout=subprocess.DEVNULL, stderr=log,
                                   stdin=subprocess.DEVNULL, preexec_fn=limits,
                                   env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        text = log.read().decode(errors="replace")
    cpu, memory = usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
    code = process.returncode
    if "panicked" in text:
        wrong = "a panic: " + next(line for line in text.splitlines() if "panicked" in line)
    elif code < 0:
        wrong = f"ended by {signal.Signals(-code).name}: {text.strip()[-200:]}"
    elif code not in (0, 1, 2) or code == 2 and not text.startswith("jitlens: "):
        wrong = f"exit code {code}: {text.strip()[-200:]}"
    elif memory > MOST_MEGABYTES:
        wrong = "too much memory"
    else:
        wrong = None
    return wrong, cpu, memory


def cuts(full: bool, quick: bool, below: Path | None):
    """Files of `tests/` (a tenth of them, and none that works long, if `quick`), or all below a folder, each with the lengths at
    which it is cut."""
    rng = random.Random(1)
    every, heavy = (10, {"primitives", "numpy", "python"}) if quick else (1, set())
    left_out = {"oracle", "lsp", "robustness", "bench", *heavy} if below is None else set()
    top = below or REPOSITORY / "tests"
    for path in sorted(top.rglob("*"))[::every]:
        if path.suffix not in (".py", ".md") or left_out & set(path.relative_to(top).parts):
            continue
        data = path.read_bytes()
        if path.suffix == ".md":
            # The programs of the literate suite stand between fences.
            parts = data.split(b"```")
            data = b"".join(p.removeprefix(b"py\n") for p in parts[1::2] if p.startswith(b"py\n"))
        all = range(CUT, len(data), CUT)
        if all:
            yield path, data, list(all) if full else rng.sample(all, 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=REPOSITORY / "target" / "debug" / "jitlens")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--skip-cuts", action="store_true")
    parser.add_argument("--quick", action="store_true", help="what takes long with less fuel, a tenth of the cuts: for an unoptimized build")
    parser.add_argument("--full", action="store_true", default=os.environ.get("JITLENS_FULL") == "1")
    parser.add_argument("--cuts", type=Path, metavar="FOLDER", help="all cuts of the files below this folder, and nothing else")
    parser.add_argument("--verbose", action="store_true", help="CPU time and memory of each")
    options = parser.parse_args()
    binary = options.binary.resolve()
    seconds = MOST_SECONDS["debug" if binary.parent.name == "debug" else "release"]
    below = options.cuts and options.cuts.resolve()
    failures, began, count = [], time.monotonic(), 0
    most = {"cpu": (0.0, ""), "memory": (0.0, "")}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder).resolve()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {}
            for name, text in ({} if below else programs()).items():
                if options.only in name:
                    path = folder / name / f"{name}.py"
                    path.parent.mkdir()
                    path.write_bytes(text if isinstance(text, bytes) else text.encode())
                    jobs[pool.submit(run, binary, "check", [path], seconds, LITTLE if options.quick and name in SLOW else None)] = name
            if not below and options.only in "import_cycle":
                jobs[pool.submit(run, binary, "check", [cycle(folder)], seconds)] = "import_cycle"
            if not below and options.only in "random_bytes":
                for seed in range(40 if options.full else 8):
                    path = folder / f"random_{seed}.py"
                    path.write_bytes(junk(seed))
                    jobs[pool.submit(run, binary, "check", [path], seconds)] = path.name
            if below or not options.skip_cuts and not options.only:
                for path, data, lengths in cuts(options.full or below is not None, options.quick, below):
                    # Beside what it imports; many cuts in one process.
                    shown = path.relative_to(below or REPOSITORY)
                    project = folder / "cuts" / shown
                    project.parent.mkdir(parents=True, exist_ok=True)
                    for other in path.parent.glob("*.py"):
                        (project.parent / other.name).write_bytes(other.read_bytes())
                    for start in range(0, len(lengths), 20):
                        files = []
                        for length in lengths[start:start + 20]:
                            file = project.parent / f"{path.stem}_{path.suffix[1:]}_cut_{length}.py"
                            file.write_bytes(data[:length])
                            files.append(file)
                        jobs[pool.submit(run, binary, "check", files, seconds * len(files))] = \
                            f"{shown} cut at {lengths[start:start + 20]}"
            for job in concurrent.futures.as_completed(jobs):
                name, (wrong, cpu, memory) = jobs[job], job.result()
                count += 1
                most["cpu"], most["memory"] = max(most["cpu"], (cpu, name)), max(most["memory"], (memory, name))
                if options.verbose:
                    print(f"{cpu:7.2f} s {memory:7.0f} MB  {name}", flush=True)
                if wrong:
                    failures.append(f"{name}: {wrong} ({cpu:.1f} s, {memory:.0f} MB)")
                    print("FAILED ", failures[-1], flush=True)
    print(f"{count} runs in {time.monotonic() - began:.0f} s, {len(failures)} failed; most CPU {most['cpu'][0]:.1f} s "
          f"({most['cpu'][1]}), most memory {most['memory'][0]:.0f} MB ({most['memory'][1]})")
    return 1 if failures or not count else 0


def cycle(folder: Path) -> Path:
    project = folder / "import_cycle"
    project.mkdir()
    (project / "__init__.py").write_text("from . import a\n")
    (project / "a.py").write_text("import b\nfrom b import y\nimport c\nx = y\n")
    (project / "b.py").write_text("import a\nfrom a import x\nimport c\ny = x\n")
    (project / "c.py").write_text("import c\nfrom c import *\nimport a, b\nfrom import_cycle import a as d\n")
    return project / "a.py"


def junk(seed: int) -> bytes:
    """Random bytes, and random pieces of Python."""
    rng = random.Random(seed)
    if seed % 2:
        return rng.randbytes(1 << rng.randint(4, 18))
    pieces = ["def ", "class ", "f(", ")", "[", "]", "{", "}", ":", "\n", "    ", "\t", "x", "y", " = ", "if ", "else", "for ", " in ",
              "while ", "lambda ", "return ", "yield ", "import jax\n", "@", "'", '"""', "f'{", "}'", "\\", ",", ".", "**", "#", "1", "0x", "1e", "match ",
              "case ", "with ", "try:", "except ", "async ", "await ", "é", "😀", "\x00", "\r", ";", "->", ":=", "not ", "jax.jit", "jnp.ones(3)", "del "]
    return "".join(rng.choices(pieces, k=1 << rng.randint(4, 13))).encode()


if __name__ == "__main__":
    sys.exit(main())
