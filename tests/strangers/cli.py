"""The command line."""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

from oracle import env
from oracle.record import RecorderError

from . import table, trees
from .ask import Row, ask
from .report import findings, line, markdown, summary

BINARY = env.REPOSITORY / "target" / "release" / "jitlens"

VERSIONS = """
import sys
from importlib import metadata
for name in sys.argv[1:]:
    try:
        print(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        print(name)
"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="run.py", description="Holds jitlens against real JAX on programs of others.")
    top.add_argument("--list", action="store_true", help="only print the programs, and what they need")
    top.add_argument("--only", default="", metavar="TEXT", help="programs whose name or repository contains TEXT")
    top.add_argument("--mirror", type=Path, metavar="DIR", help="take repositories from DIR/OWNER+NAME, not from the network")
    top.add_argument("--jitlens", type=Path, default=BINARY, metavar="PATH", help="default: target/release/jitlens")
    top.add_argument("--markdown", action="store_true", help="print the table of docs/fidelity.md")
    top.add_argument("--show", type=int, default=3, metavar="N", help="findings shown of each program")
    top.add_argument("--repro", action="store_true", help="run reproducers of all traced functions under JAX, too")
    top.add_argument("--level", choices=["api", "primitive"], default="api", help="of reproducers")
    return top


def main(argv=None) -> int:
    options = parser().parse_args(argv)
    strangers = [s for s in table.load() if options.only in s.id or options.only in s.repository]
    if options.list:
        for s in strangers:
            print(f"{s.id:28} {s.repository}@{s.commit[:10]}  {s.runs()}" + (f"  needs {', '.join(s.needs)}" if s.needs else ""))
        return 0
    if not options.jitlens.exists():
        print(f"{options.jitlens} does not exist: build it, or name another with --jitlens", file=sys.stderr)
        return 2
    python = env.interpreter()
    # The libraries that jitlens reads are those that JAX runs with.
    os.environ["VIRTUAL_ENV"] = str(Path(python).parents[1])
    os.environ["MPLBACKEND"] = "Agg"
    os.environ["JITLENS_CACHE_DIR"] = ""        # outcomes that were kept would be read back, and take no time
    rows = []
    for stranger in strangers:
        try:
            rows.append(checked(stranger, python, options))
        except (trees.NotThere, RecorderError) as error:
            rows.append(Row(stranger, failure=str(error)))
        print(line(rows[-1]), flush=True)
        findings(rows[-1], options.show)
    print("\n" + summary(rows))
    if options.markdown:
        print("\n" + markdown(rows))
    return 1 if any(row.is_wrong() for row in rows) else 0


def checked(stranger: table.Stranger, python: str, options) -> Row:
    versions = versions_of(python, stranger.needs)
    lacking = [line for line in versions if " " not in line]
    if lacking:
        return Row(stranger, lacking=lacking)
    program = trees.lay_out(stranger, options.mirror)
    # Records are true for these versions of the libraries, and for what `oracle/record.py` puts into their names.
    cache = trees.STATE / "records" / hashlib.sha256("\n".join(versions).encode()).hexdigest()[:12]
    return ask(stranger, program, python, cache, options)


def versions_of(python: str, names) -> list[str]:
    """`name version` of each distribution; `name` alone where it is not installed."""
    return subprocess.run([python, "-c", VERSIONS, *sorted(names)], capture_output=True, text=True, check=True).stdout.splitlines()
