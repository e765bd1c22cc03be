"""How long a cancelled evaluation goes on: `python3 tests/bench/cancel.py [--server PATH] [--times N] [NAME ...]`.

Asks the language server over stdio to evaluate functions that take seconds, each one kind of work, and stops them once their progress is shown, after a
while that is another one each time: by turns with the button of the progress, and by an edit. Prints the median and the longest time from the message to
the answer, and to when the server's threads have stopped working, in milliseconds.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from lsp import HERE, Server

HEADER = "import jax\nimport jax.numpy as jnp\nfrom jax import lax\n"
# What is evaluated, for which arguments.
WORK = {
    "product of 3600² by 3600²": ("x @ x", "jnp.ones((3600, 3600))"),
    "products of 16-bit floats": ("(lambda y: y @ y)(jnp.full((3072, 3072), x, jnp.bfloat16))", "1.0"),
    "products of integers": ("x @ x", "jnp.ones((2048, 2048), jnp.int32)"),
    "8,192 products of 128² by 128²": ("(lambda y: y @ y)(jnp.full((8192, 128, 128), x))", "1.0"),
    "convolution": ("lax.conv_general_dilated(x, jnp.ones((7, 7, 64, 128)), (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))", "jnp.ones((8, 112, 112, 64))"),
    "its gradient": ("jax.grad(lambda w: (lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC')) ** 2).sum())(jnp.ones((7, 7, 64, 64)))", "jnp.ones((9, 112, 112, 64))"),
    "sort of 100M": ("jnp.sort(jnp.sin(jnp.arange(100_000_000.0)))", "1.0"),
    "sort of rows": ("jnp.sort(jnp.sin(jnp.arange(100_000_000.0)).reshape(1000, -1))", "1.0"),
    "argsort of 30M": ("jnp.argsort(jnp.sin(jnp.arange(30_000_000.0)))", "1.0"),
    "the largest of 100M": ("lax.top_k(jnp.sin(jnp.arange(100_000_000.0)), 100)", "1.0"),
    "FFT of 2^24": ("jnp.fft.fft(jnp.sin(jnp.arange(2.0 ** 24)))", "1.0"),
    "FFT of rows": ("jnp.fft.fft(jnp.sin(jnp.arange(2.0 ** 25)).reshape(-1, 1024))", "1.0"),
    "Cholesky factor of 4500²": ("jnp.linalg.cholesky(4500 * jnp.eye(4500) + x)", "1.0"),
    "solution of 4500 equations": ("(lambda y: jnp.linalg.solve(y, y[:, :100]))(4500 * jnp.eye(4500) + x)", "1.0"),
    "QR of 2800²": ("jnp.linalg.qr(x)", "2800 * jnp.eye(2800) + 1"),
    "eigenvectors of 2000²": ("jnp.linalg.eigh(x)", "jnp.sin(jnp.outer(jnp.arange(2000.0), jnp.arange(2000.0)))"),
    "singular values of 1600²": ("jnp.linalg.svd(x)", "jnp.sin(jnp.outer(jnp.arange(1600.0), jnp.arange(1600.0)))"),
    "eigenvalues of 1000²": ("jnp.linalg.eigvals(x)", "jnp.sin(jnp.outer(jnp.arange(1000.0), jnp.arange(1000.0)) ** 1.1)"),
    "exponential of 1200²": ("jax.scipy.linalg.expm(x)", "jnp.eye(1200) * 9 + 0.001"),
    "scan of 20M rounds": ("lax.scan(lambda c, _: (c * 0.9 + 1, None), x, None, length=20_000_000)[0]", "jnp.ones(64)"),
    "while of many rounds": ("lax.while_loop(lambda s: s[0] < 20_000_000, lambda s: (s[0] + 1, s[1] * 0.9 + 1), (0, x))[1]", "jnp.ones(64)"),
    "200 elementwise operations on 50M": ("lax.fori_loop(0, 20, lambda i, x: jnp.tanh(jnp.sin(x) * jnp.exp(-x * x) + jnp.cos(x) / (1 + x * x)), x)", "jnp.ones(50_000_000)"),
    "one chain of 300 operations on 30M": ("__import__('functools').reduce(lambda y, _: jnp.sin(y) * 0.9 + 0.1, range(100), x)", "jnp.ones(30_000_000)"),
    "lgamma of 30M": ("lax.lgamma(x) + lax.digamma(x) + lax.igamma(x, x)", "jnp.ones(30_000_000)"),
    "random normals, 200M": ("jax.random.normal(jax.random.key(0), (200_000_000,)).sum()", "1.0"),
    "running sums of 150M": ("jnp.cumsum(jnp.cumsum(jnp.cumsum(jnp.full(150_000_000, x))))", "1.0"),
    "transpositions": ("jnp.transpose(jnp.transpose(jnp.full((500, 400, 500), x), (2, 1, 0)) + 1, (1, 2, 0))", "1.0"),
    "gathers of 100M": ("x[(jnp.arange(100_000_000) * 7919) % 50_000_000]", "jnp.ones(50_000_000)"),
    "scatters of 50M": ("x.at[(jnp.arange(50_000_000) * 7919) % 10_000_000].add(1.0)", "jnp.ones(10_000_000)"),
    "window of 25² over 4000²": ("lax.reduce_window(x, -jnp.inf, lax.max, (25, 25), (1, 1), 'SAME')", "jnp.ones((4000, 4000))"),
    "sums": ("sum((y.reshape(10_000, -1) * i).sum(0).sum() + y.reshape(-1, 10_000).max(1).sum() for y in [jnp.full(100_000_000, x)] for i in range(20))", "1.0"),
}
START = {"capabilities": {"window": {"workDoneProgress": True}, "textDocument": {"publishDiagnostics": {"versionSupport": True}}}}


class Watched(Server):
    """A server whose progress is followed."""

    def __init__(self, command, root):
        self.begun = []
        super().__init__(command, root)

    def saw(self, message):
        if message.get("method") == "$/progress" and message["params"]["value"].get("title") == "Evaluating":
            self.begun.append(message["params"]["token"])

    def start(self, method, params):
        """The number of a request that is not waited for."""
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        return self.ids

    def wait(self, condition, seconds):
        with self.news:
            return self.news.wait_for(condition, seconds)


def worked(process):
    """Nanoseconds that the threads of a process have run (Linux)."""
    total = 0
    for task in Path(f"/proc/{process}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            pass
    return total


def idle(process):
    """Waits until the threads of a process hardly work any more; the time of the last work that was seen."""
    last, before = time.perf_counter(), worked(process)
    while time.perf_counter() - last < 0.04:
        time.sleep(0.002)
        now = worked(process)
        if now - before > 200_000:
            last = time.perf_counter()
        before = now
    return last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", type=Path, default=HERE.parent.parent / "target" / "release" / "jitlens")
    parser.add_argument("--times", type=int, default=6)
    parser.add_argument("names", nargs="*", help="parts of the names of what is stopped")
    options = parser.parse_args()
    print(f"{'':40} {'answer':>8} {'longest':>8} {'idle':>8} {'longest':>8}")
    for name, (text, argument) in WORK.items():
        if options.names and not any(part in name for part in options.names):
            continue
        with tempfile.TemporaryDirectory() as root:
            root = Path(root).resolve()
            program = f"{HEADER}@jax.jit\ndef f(x):\n    return {text}\n\nf({argument})\n"
            (root / "program.py").write_text(program)
            uri = (root / "program.py").as_uri()
            server = Watched([str(options.server.resolve()), "server"], root)
            server.request("initialize", {"processId": os.getpid(), "rootUri": root.as_uri(), **START})
            server.notify("initialized", {})
            server.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "version": 1, "text": program}})
            server.diagnostics(1)
            times, ends, why, version = [], [], "", 1
            for i in range(options.times):
                server.begun.clear()
                asked = server.start("jitlens/evaluate", {"textDocument": {"uri": uri}, "position": {"line": 5 + version - 1, "character": 6}})
                if not server.wait(lambda: server.begun or asked in server.answers, 60) or asked in server.answers:
                    why = "ends too soon"
                    answer = server.answers.pop(asked, (0, None))[1]
                    if answer and "not evaluated" in answer["text"]:
                        why = answer["text"].split("not evaluated: ")[1].splitlines()[0]
                    continue
                time.sleep(0.05 + 0.37 * i % 0.5)
                if asked in server.answers:
                    continue
                sent = time.perf_counter()
                if i % 2:
                    version += 1
                    # The function moves down a line.
                    end = {"line": 0, "character": 0}
                    server.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": {"start": end, "end": end}, "text": "#\n"}]})
                else:
                    server.notify("window/workDoneProgress/cancel", {"token": server.begun[0]})
                if not server.wait(lambda: asked in server.answers, 120):
                    why = "does not end"
                    break
                ended = idle(server.process.pid)
                times.append((server.answers.pop(asked)[0] - sent) * 1e3)
                ends.append((max(ended, sent) - sent) * 1e3)
            server.process.kill()
            server.process.wait()
        numbers = (statistics.median(times), max(times), statistics.median(ends), max(ends)) if times else ()
        print(f"{name:40} {' '.join(f'{number:8.1f}' for number in numbers)}" if times else f"{name:40} {why}", flush=True)


if __name__ == "__main__":
    main()
