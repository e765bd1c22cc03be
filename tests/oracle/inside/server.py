"""Runs many programs, each in a fork of one process that has the framework imported already.

    python -m oracle.inside.server < batch.json

Importing JAX takes a second and a fork takes milliseconds. JAX starts no threads before its first computation, so forks
of a process that has only imported it are safe. A batch is
`{"preload": ["jax"], "workers": 2, "jobs": [{"out": PATH, "timeout": SECONDS, …}]}`, where the rest of a job is described
in `execute.py`; each record is written to its `out` path.
"""

import importlib
import json
import os
import signal
import sys
import time
import warnings


def main():
    batch = json.load(sys.stdin)
    for name in batch["preload"]:
        importlib.import_module(name)
    if os.path.isdir("/proc/self/task") and len(os.listdir("/proc/self/task")) > 1:
        sys.exit("importing the framework has started threads: forking is not safe")
    waiting, running = list(reversed(batch["jobs"])), {}
    while waiting or running:
        while waiting and len(running) < batch["workers"]:
            job = waiting.pop()
            running[start(job)] = (job, time.monotonic() + job["timeout"])
        reap(running)


def start(job) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)     # JAX warns about every fork
        pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.setpgid(0, 0)
        redirect(job["out"] + ".log")
        write(job["out"], run_alone(job))
        code = 0
    except BaseException as error:
        write(job["out"], {"failure": f"the recorder failed: {type(error).__name__}: {error}"})
    finally:
        os._exit(code)


def run_alone(job) -> dict:
    from .execute import run
    for name in [name for name in sys.modules if name.split(".")[0] == "oracle"]:
        del sys.modules[name]       # the program may have a module of that name
    return run(job)


def redirect(log: str):
    null, out = os.open(os.devnull, os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)


def write(path: str, record: dict):
    part = f"{path}.{os.getpid()}"
    with open(part, "w", encoding="utf-8") as f:
        json.dump(record, f, ensure_ascii=False)
    os.replace(part, path)


def reap(running: dict):
    """Waits for a moment, and takes what has ended or has had its time."""
    time.sleep(0.003)
    for pid, (job, deadline) in list(running.items()):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if not ended and time.monotonic() > deadline:
            kill_group(pid)
            os.waitpid(pid, 0)
            write(job["out"], {"failure": f"still running after {job['timeout']} s"})
        elif not ended:
            continue
        elif not os.path.exists(job["out"]):
            write(job["out"], {"failure": f"the process died with status {os.waitstatus_to_exitcode(status)}"})
        del running[pid]


def kill_group(pid: int):
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
