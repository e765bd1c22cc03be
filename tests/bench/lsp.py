"""How long an editor waits: `python3 tests/bench/lsp.py [--server PATH] [--edits N] [-- other server's command]`.

Opens a program of about 600 lines, made of programs of `tests/projects`, over stdio, and prints

* the time from a one-character edit to the diagnostics of that version (the edit breaks a shape, or mends it: both are
  checked to be seen),
* the same after a burst of keys,
* the time of a hover, at names in random order, and of the inlay hints of the whole file,
* the CPU time per edit, and the resident memory at the end and at its peak.

Only the standard library; memory and CPU time from /proc.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECTS = HERE.parent / "projects"
PARTS = ["lstm/main.py", "pinn/main.py", "linalg_stats/main.py", "array_notes/main.py"]
BREAK = ("W_BENCH = jnp.ones((4, 8))\nJ_BENCH = jnp.ones((8, 2))\nR_BENCH = W_BENCH @ J_BENCH\n", "(8, 2)", "(9, 2)")


def program() -> str:
    """The parts one after the other, each with its `main`; what is edited stands in the middle."""
    texts = [(PROJECTS / part).read_text().replace("from __future__ import annotations\n", "") for part in PARTS]
    text = "from __future__ import annotations\n" + "\n\n".join(texts[:2]) + "\n\nimport jax.numpy as jnp\n" + BREAK[0] + "\n\n".join(texts[2:])
    return text.replace("sys.exit(main())", "main()").replace("raise SystemExit(main())", "main()")


class Server:
    def __init__(self, command: list[str], root: Path):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        self.ids, self.answers, self.published, self.news = 0, {}, {}, threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        out = self.process.stdout
        while line := out.readline():
            length = int(line.split(b":")[1])
            while (line := out.readline()).strip():
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            body = out.read(length)
            now = time.perf_counter()
            message = json.loads(body)
            with self.news:
                self.saw(message)
                if "method" not in message:
                    self.answers[message["id"]] = (now, message.get("result"))
                elif message["method"] == "textDocument/publishDiagnostics":
                    self.published[message["params"].get("version")] = (now, message["params"]["diagnostics"])
                self.news.notify_all()
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})

    def saw(self, message: dict):
        """For those who look at other messages, too."""

    def send(self, message: dict):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method: str, params: dict):
        self.send({"method": method, "params": params})

    def request(self, method: str, params):
        """Seconds, and the result."""
        self.ids += 1
        began = time.perf_counter()
        self.send({"id": self.ids, "method": method, "params": params})
        with self.news:
            assert self.news.wait_for(lambda: self.ids in self.answers, 60), method
            now, result = self.answers.pop(self.ids)
        return now - began, result

    def diagnostics(self, version: int):
        with self.news:
            assert self.news.wait_for(lambda: version in self.published, 120), f"no diagnostics of version {version}"
            return self.published[version]

    def status(self, key: str) -> float:
        return int(re.search(rf"{key}:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def line(name: str, seconds: list[float]):
    ordered = sorted(seconds) or [float("nan")]
    at = lambda q: ordered[min(len(ordered) - 1, int(q * len(ordered)))] * 1e3
    print(f"{name:34} p50 {at(0.5):8.2f} ms   p95 {at(0.95):8.2f} ms   max {ordered[-1] * 1e3:8.2f} ms   n {len(ordered)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", type=Path, default=HERE.parent.parent / "target" / "release" / "jitlens")
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--bursts", type=int, default=20)
    parser.add_argument("--hovers", type=int, default=500)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the command of another server that pushes diagnostics")
    options = parser.parse_args()
    command = [c for c in options.command if c != "--"] or [str(options.server.resolve()), "server"]
    text, rng = program(), random.Random(0)
    with tempfile.TemporaryDirectory() as root:
        root = Path(root).resolve()
        (root / "program.py").write_text(text)
        uri = (root / "program.py").as_uri()
        server = Server(command, root)
        server.request("initialize", {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": {
            "textDocument": {"publishDiagnostics": {"versionSupport": True}, "hover": {"contentFormat": ["markdown"]}}}})
        server.notify("initialized", {})
        began = time.perf_counter()
        server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": text}})
        first, baseline = server.diagnostics(1)
        print(f"{text.count(chr(10))} lines, opened with {len(baseline)} diagnostics after {(first - began) * 1e3:.0f} ms")
        row = text[:text.index(BREAK[1] + ")\nR_BENCH")].count("\n")
        column = text.splitlines()[row].index(BREAK[1]) + 1
        version, cpu, times, bursts = 1, server.cpu(), [], []

        def edit(end: int, new: str) -> float:
            nonlocal version
            version += 1
            where = {"start": {"line": row, "character": column}, "end": {"line": row, "character": column + end}}
            server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                     "contentChanges": [{"range": where, "text": new}]})
            return time.perf_counter()

        for i in range(options.edits):
            sent = edit(1, "98"[i % 2])
            there, found = server.diagnostics(version)
            assert (len(found) == len(baseline)) == bool(i % 2), "diagnostics of another text"
            times.append(there - sent)
            time.sleep(0.03)
        cpu = (server.cpu() - cpu) / options.edits
        for _ in range(options.bursts):
            for key in range(10):
                sent = edit(0, "9")
                time.sleep(0.03)
            bursts.append(server.diagnostics(version)[0] - sent)
            edit(10, "")
            server.diagnostics(version)
        names = [(r, m.start()) for r, l in enumerate(text.splitlines()) for m in re.finditer(r"[A-Za-z_]\w*", l)]
        hovers, said = [], 0
        for r, c in rng.choices(names, k=options.hovers):
            took, answer = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": r, "character": c}})
            hovers.append(took)
            said += answer is not None
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}
        hints = [server.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": everything}) for _ in range(50)]
        line("edit to fresh diagnostics", times)
        line("last key of a burst to diagnostics", bursts)
        line(f"hover ({said} of {len(hovers)} with an answer)", hovers)
        line(f"inlay hints of the file ({len(hints[0][1] or [])})", [took for took, _ in hints])
        print(f"{'CPU per edit':34}     {cpu * 1e3:8.2f} ms")
        print(f"{'memory':34}     {server.status('VmRSS'):8.0f} MB  peak {server.status('VmHWM'):8.0f} MB")
        server.request("shutdown", None)
        server.notify("exit", {})
        server.process.wait(10)


if __name__ == "__main__":
    sys.exit(main())
