"""How long an editor waits behind an edit of a leaf function of a stranger's program: `python3 tests/bench/leaf.py --help`.

Each program of `tests/strangers` is laid out as its tests do it, and its script opened over stdio, with the libraries of `VIRTUAL_ENV`. Then
statements are put into its leaf functions (those that call no other function of the script), one at a time, and taken out again. It prints the
time from each edit to the diagnostics of that version: of every program, and of all edits together.
"""

import argparse
import ast
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[0] = str(HERE.parent)

from bench.lsp import Server  # noqa: E402
from strangers import table, trees  # noqa: E402


def leaves(text: str) -> list[int]:
    """Lines of the first statements of functions that call no other function of the text, and whose names are read in it."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    names = {f.name for f in functions} | {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    read = lambda node: {n.id if isinstance(n, ast.Name) else n.attr for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute)}
    used = read(tree)
    ours = [f for f in functions if f.name in used | {"__call__"} and not names & {name for s in f.body for name in read(s)}]
    return [f.body[0].lineno for f in ours if f.body[0].lineno > f.lineno]


def edits(server: Server, uri: str, text: str, most: int, pause: float) -> list[float]:
    lines, version, times = text.splitlines(keepends=True), 1, []
    places = leaves(text)
    step = max(1, len(places) // most)
    for place in places[::step][:most]:
        indent = lines[place - 1][: len(lines[place - 1]) - len(lines[place - 1].lstrip())]
        for changed in ("".join(lines[: place - 1] + [f"{indent}edited = {place}\n"] + lines[place - 1 :]), text):
            version += 1
            began = time.perf_counter()
            server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": changed}]})
            times.append(server.diagnostics(version)[0] - began)
            time.sleep(pause)
    return times


def at(seconds: list[float], q: float) -> float:
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))] * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", type=Path, default=HERE.parent.parent / "target" / "release" / "jitlens")
    parser.add_argument("--mirror", type=Path, metavar="DIR", help="take repositories from DIR/OWNER+NAME, not from the network")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--functions", type=int, default=4, help="leaf functions of a program that are edited")
    parser.add_argument("--pause", type=float, default=0.4, metavar="SECONDS", help="while the user reads")
    options = parser.parse_args()
    every, slow = [], 0
    for stranger in table.load():
        if options.only not in stranger.id and options.only not in stranger.repository:
            continue
        try:
            program = trees.lay_out(stranger, options.mirror)
        except trees.NotThere as error:
            print(f"{stranger.id:28} {error}")
            continue
        script = program.root / program.script
        text = script.read_text()
        if script.suffix != ".py" or not leaves(text):
            continue
        server = Server([str(options.server.resolve()), "server"], program.root)
        server.request("initialize", {"processId": os.getpid(), "rootUri": program.root.as_uri(), "capabilities": {
            "textDocument": {"publishDiagnostics": {"versionSupport": True}}}})
        server.notify("initialized", {})
        began = time.perf_counter()
        server.notify("textDocument/didOpen", {"textDocument": {"uri": script.as_uri(), "languageId": "python", "version": 1, "text": text}})
        opened = server.diagnostics(1)[0] - began
        time.sleep(max(0.5, options.pause))
        times = edits(server, script.as_uri(), text, options.functions, options.pause)
        server.process.kill()
        every += times
        slow += at(times, 0.95) > 100
        print(f"{stranger.id:28} opened {opened * 1e3:6.0f} ms   edits p50 {at(times, 0.5):6.0f}   p95 {at(times, 0.95):6.0f}   n {len(times)}", flush=True)
    if every:
        print(f"{len(every)} edits: p50 {at(every, 0.5):.0f} ms, p75 {at(every, 0.75):.0f} ms, p95 {at(every, 0.95):.0f} ms; programs with p95 above 100 ms: {slow}")


if __name__ == "__main__":
    main()
