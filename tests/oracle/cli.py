"""The command line."""

import argparse
import json
import shlex
import sys
import tomllib
from pathlib import Path

from . import env, suites
from .compare import compare
from .jitlens import values, values_of
from .program import Program
from .record import RecorderError, record
from .report import Metrics, print_findings, print_program, print_suite
from .suites import cache as cache_suite
from .suites import errors as error_suite

FLOORS = env.HERE / "floors.toml"
BINARY = env.REPOSITORY / "target" / "release" / "jitlens"


def main(argv=None) -> int:
    options = parser().parse_args(argv)
    try:
        return options.run(options)
    except RecorderError as error:
        print(error, file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="run.py", description="Holds jitlens against real JAX.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser("check", help="compare whole suites; the exit code is 1 if anything is wrong")
    check.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(suites.NAMES)}; all by default")
    check.add_argument("--no-jitlens", action="store_true", help="only hold the suites' own expectations against JAX")
    check.add_argument("--only", default="", metavar="TEXT", help="programs whose name contains TEXT; floors do not apply")
    check.add_argument("--quiet", action="store_true", help="no line per program")
    check.set_defaults(run=run_check)

    one = commands.add_parser("compare", help="compare one program")
    one.add_argument("script", type=Path)
    one.set_defaults(run=run_compare)

    for command in (check, one):
        command.add_argument("--jitlens", type=Path, default=BINARY, metavar="PATH", help="default: target/release/jitlens")
        command.add_argument("--show", type=int, default=10, metavar="N", help="findings shown per kind")

    only_record = commands.add_parser("record", help="print the record of one program")
    only_record.add_argument("script", type=Path)
    only_record.set_defaults(run=run_record)
    for command in (one, only_record):
        command.add_argument("--root", type=Path, help="the project's folder; default: the script stands alone")
        command.add_argument("--args", default="", help="the script's arguments, in one string")

    commands.add_parser("index", help="rewrite tests/errors/index.json and the counts in tests/cache").set_defaults(run=run_index)
    commands.add_parser("setup", help="install the framework into .oracle/venv").set_defaults(run=run_setup)
    return top


def run_check(options) -> int:
    unknown = set(options.suites) - set(suites.NAMES)
    if unknown:
        print(f"no such suite: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if not options.no_jitlens and not options.jitlens.exists():
        print(f"{options.jitlens} does not exist: build it, name another with --jitlens, or say --no-jitlens", file=sys.stderr)
        return 2
    floors = tomllib.loads(FLOORS.read_text("utf-8"))
    problems = []
    for name in options.suites or suites.NAMES:
        problems += check_suite(name, floors.get(name, {}), options)
    print("\n" + ("\n".join(f"FAILED  {p}" for p in problems) or "all held"))
    return 1 if problems else 0


def check_suite(name: str, floors: dict, options) -> list[str]:
    cases = [c for c in suites.load(name) if options.only in c.program.name]
    records = record([c.program for c in cases])
    recorded = [c.program for c in cases if "failure" not in records[c.program]]
    answers = {} if options.no_jitlens else values_of(options.jitlens.resolve(), recorded)
    total = Metrics(floors={} if options.only or options.no_jitlens else floors)
    print(f"\n== {name}: {len(cases)} programs")
    for case in cases:
        one = check_case(case, records[case.program], answers.get(case.program))
        if not options.quiet:
            print_program(case.program.name, one)
        total += one
    print_findings(total, options.show)
    print_suite(name, total)
    return [f"{name}: {problem}" for problem in total.problems()]


def check_case(case: suites.Case, recorded: dict, answer: dict | None) -> Metrics:
    result = Metrics()
    if "failure" in recorded:
        result.fail(case.program, recorded["failure"] + "\n" + recorded.get("log", ""))
        return result
    result.take_record(recorded)
    result.take_verification(case.program, case.verify(recorded))
    if answer is None:
        return result
    if "failure" in answer:
        result.fail(case.program, answer["failure"])
    else:
        result.take_comparison(case.program, compare(recorded, answer))
    return result


def program_of(options) -> Program:
    script, root = options.script.resolve(), (options.root or options.script.parent).resolve()
    return Program(name=script.stem, root=root, script=script.relative_to(root).as_posix(),
                   alone=options.root is None, args=tuple(shlex.split(options.args)))


def run_compare(options) -> int:
    program = program_of(options)
    recorded = record([program])[program]
    result = check_case(suites.Case(program), recorded, values(options.jitlens.resolve(), program))
    print_findings(result, options.show)
    print_program(program.name, result)
    return 1 if result.problems() else 0


def run_record(options) -> int:
    program = program_of(options)
    recorded = record([program])[program]
    print(json.dumps(recorded, indent=1, ensure_ascii=False))
    return 2 if "failure" in recorded else 0


def run_index(options) -> int:
    scenarios = record(cache_suite.programs())
    records = record(error_suite.programs())
    failed = {p.script: r["failure"] for p, r in (records | scenarios).items() if "failure" in r}
    for script, failure in failed.items():
        print(f"{script}: {failure}", file=sys.stderr)
    if failed:
        return 2
    error_suite.INDEX.write_text(error_suite.index(records, env.versions(env.interpreter())), "utf-8")
    raising = sum(bool(r["errors"]) for r in records.values())
    print(f"{error_suite.INDEX.relative_to(env.REPOSITORY)}: {raising} programs raise, {len(records) - raising} do not")
    for program, recorded in scenarios.items():
        (program.root / program.script).write_text(cache_suite.annotated(program, recorded), "utf-8")
    traced = sum(len(cache_suite.counts(r)) for r in scenarios.values())
    print(f"{cache_suite.ROOT.relative_to(env.REPOSITORY)}: {traced} functions are traced in {len(scenarios)} programs")
    return 0


def run_setup(options) -> int:
    python = env.interpreter()
    print(python, *(f"{name} {version}" for name, version in env.versions(python).items()), sep="\n")
    return 0
