"""Runs one program with probes and returns its record.

A program that raises is run on: after the failing top-level statement the next ones follow, in a second phase that the
record keeps apart. That tells an analyser's later findings apart from its inventions. The first error is the real
outcome.
"""

import __future__

import ast
import builtins
import importlib.machinery
import importlib.util
import os
import re
import sys
import time
import traceback
import types

from .facts import Facts
from .instrument import ENTER, MARK, SAW, WATCH, Sites, instrument

MESSAGE_LIMIT = 4000
OWN = os.path.join(os.path.dirname(os.path.realpath(__file__)), "")


class Sources:
    """The user's files: which they are, what they say, and how their code is made."""

    def __init__(self, root: str, sites: Sites):
        self.root = os.path.join(os.path.realpath(root), "")
        self.sites = sites

    def holds(self, path: str) -> bool:
        path = os.path.join(os.path.realpath(path), "")
        return path.startswith(self.root) and "site-packages" not in path and not path.startswith(OWN)

    def relative(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self.root)

    def tree(self, path: str) -> ast.Module:
        with open(path, "rb") as f:
            text = importlib.util.decode_source(f.read())
        return instrument(text, self.relative(path), self.sites)

    def import_hook(self, directory: str):
        """A path hook: modules below the root are imported with probes, all others as usual."""
        if not self.holds(directory):
            raise ImportError(f"{directory} is not the user's")
        sources = self

        class Loader(importlib.machinery.SourceFileLoader):
            def get_code(self, fullname):
                path = self.get_filename(fullname)
                return compile(sources.tree(path), path, "exec", dont_inherit=True)

        return importlib.machinery.FileFinder(
            directory,
            (Loader, importlib.machinery.SOURCE_SUFFIXES),
            (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
        )


def run(job: dict) -> dict:
    """`job`: root, script (relative to it), args, watched ({file: [range]}). Changes the process beyond repair."""
    sites = Sites(watched={file: {tuple(r) for r in ranges} for file, ranges in job.get("watched", {}).items()})
    sources, facts = Sources(job["root"], sites), Facts(sites)
    install_probes(facts)
    script = os.path.join(sources.root, job["script"])
    os.chdir(sources.root)
    sys.argv = [job["script"], *job.get("args", [])]
    sys.path[0] = os.path.dirname(script)
    sys.path_hooks.insert(0, sources.import_hook)
    sys.path_importer_cache.clear()
    started = time.monotonic()
    errors = run_script(script, sources, facts)
    return {**report(facts, sources), "script": job["script"], "errors": errors,
            "seconds": round(time.monotonic() - started, 2)}


def install_probes(facts: Facts):
    for name, probe in ((SAW, facts.saw), (ENTER, facts.enter), (MARK, facts.mark), (WATCH, facts.watch)):
        setattr(builtins, name, probe)


def run_script(script: str, sources: Sources, facts: Facts) -> list[dict]:
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=script, __builtins__=builtins)
    sys.modules["__main__"] = main
    errors, lost = [], set()
    try:
        tree = sources.tree(script)
    except SyntaxError as error:
        return [describe_error(error, sources, lost)]
    flags, rest = future_flags(tree), tree.body
    while rest:
        try:
            code = compile(ast.Module(rest, []), script, "exec", flags, dont_inherit=True)
            exec(code, main.__dict__)
            break
        except SystemExit:
            break
        except BaseException as error:
            row = describe_error(error, sources, lost)
            failed = failing_statement(error, rest, script)
            row["statement"] = [rest[failed].lineno, rest[failed].end_lineno]
            errors.append(row)
            lost |= bound_names(rest[failed])
            facts.phase, rest = 1, rest[failed + 1:]
    return errors


def future_flags(tree: ast.Module) -> int:
    imported = (alias.name for statement in tree.body if isinstance(statement, ast.ImportFrom)
                and statement.module == "__future__" for alias in statement.names)
    return sum(getattr(__future__, name).compiler_flag for name in imported)


def failing_statement(error: BaseException, statements: list, script: str) -> int:
    """The index of the top-level statement that was running: the outermost frame of the script knows its line."""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == script and frame.f_code.co_name == "<module>":
            for index, statement in enumerate(statements):
                if first_line(statement) <= line <= statement.end_lineno:
                    return index
    return len(statements) - 1


def first_line(statement: ast.stmt) -> int:
    return min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])


def bound_names(statement: ast.stmt) -> set[str]:
    names = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
    return names


def describe_error(error: BaseException, sources: Sources, lost: set[str]) -> dict:
    """Class, message and the innermost line of the user's; `cascade` if it only fails because an earlier one did."""
    message = normalized(str(error), sources.root)
    row = {"type": type(error).__qualname__, "module": type(error).__module__, "file": None, "line": None,
           "message": message[:MESSAGE_LIMIT], "frames": user_frames(error, sources),
           "cascade": isinstance(error, NameError) and error.name in lost}
    if isinstance(error, SyntaxError) and error.filename and sources.holds(error.filename):
        row["file"], row["line"] = sources.relative(error.filename), error.lineno
    elif row["frames"]:
        row["file"], row["line"], _ = row["frames"][-1]
    return row


def user_frames(error: BaseException, sources: Sources) -> list:
    return [[sources.relative(frame.f_code.co_filename), line, frame.f_code.co_name]
            for frame, line in traceback.walk_tb(error.__traceback__)
            if os.path.isabs(frame.f_code.co_filename) and sources.holds(frame.f_code.co_filename)]


def normalized(message: str, root: str) -> str:
    """What differs from machine to machine and from run to run, taken out: paths of the program and addresses."""
    message = re.sub(r"[^\s'\"(]*/site-packages/", "…/", message.replace(root, ""))
    return re.sub(r"\b0x[0-9a-f]+\b", "0x…", message)


def report(facts: Facts, sources: Sources) -> dict:
    return {"version": 1, "exprs": expression_rows(facts, sources), "functions": function_rows(facts),
            "watched": watched_rows(facts)}


def expression_rows(facts: Facts, sources: Sources) -> list[dict]:
    """One row per range; a module that is loaded twice (imported, and run as the script) shares its rows."""
    merged = {}
    for site, seen in facts.avals.items():
        row = merged.setdefault(facts.sites.places[site], {})
        for aval, phase in seen.items():
            row[aval] = min(phase, row.get(aval, phase))
    texts = {}
    rows = []
    for (file, where), seen in sorted(merged.items()):
        if file not in texts:
            with open(os.path.join(sources.root, file), "rb") as f:
                texts[file] = f.read().split(b"\n")
        rows.append({"file": file, "range": list(where), "text": excerpt(texts[file], where),
                     "avals": sorted(a for a, phase in seen.items() if phase == 0),
                     "later": sorted(a for a, phase in seen.items() if phase == 1)})
    return rows


def excerpt(lines: list[bytes], where, limit=60) -> str:
    first, start, last, end = where
    text = lines[first - 1][start:end] if first == last else lines[first - 1][start:] + b" ..."
    return text.decode("utf-8", "replace").strip()[:limit]


def function_rows(facts: Facts) -> list[dict]:
    merged = {}
    for number, phases in facts.entries.items():
        rows = merged.setdefault(facts.sites.functions[number], [[0, 0, 0], [0, 0, 0]])
        for row, counts in zip(rows, phases):
            row[:] = [a + b for a, b in zip(row, counts)]
    names = ("eager", "traced", "staged")
    return [{"file": file, "line": line, "name": name, **dict(zip(names, now)), "later": dict(zip(names, later))}
            for (file, line, name), (now, later) in sorted(merged.items())]


def watched_rows(facts: Facts) -> list[dict]:
    return [{"file": facts.sites.places[site][0], "range": list(facts.sites.places[site][1]),
             "values": facts.values[site], "keys": facts.keys[site]} for site in sorted(facts.keys)]
