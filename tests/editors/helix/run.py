"""The configuration of editors/helix in the true Helix, on a terminal: `JITLENS=PATH python3 run.py HELIX`. Exit code 0 if all is well."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
PATIENCE = 40


class Terminal:
    """A program on a terminal of its own, and all that it has written there."""

    def __init__(self, command, environment, folder):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.master, self.text = master, ""
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment, cwd=folder,
                                        start_new_session=True)
        os.close(slave)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and select.select([self.master], [], [], left)[0]:
            try:
                self.text += os.read(self.master, 65536).decode("utf-8", "replace")
            except OSError:
                return

    def until(self, what, pattern):
        """Waits until a pattern has been written since the last keys, colours aside."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            self.read(0.1)
            plain = re.sub(r"\x1b\[[0-9;:?]*[A-Za-z]", "", self.text)
            if found := re.search(pattern, plain):
                return found.group()
        raise SystemExit(f"timed out: {what}\n{plain[-3000:]}")

    def keys(self, keys):
        self.read(0.2)
        self.text = ""
        os.write(self.master, keys.encode())


def main():
    helix, server = Path(sys.argv[1]).absolute(), Path(os.environ["JITLENS"]).resolve()
    with tempfile.TemporaryDirectory(prefix="jitlens-helix-") as folder:
        work = Path(folder)
        (work / "bin").mkdir()
        (work / "bin" / "jitlens").symlink_to(server)
        config = work / "config" / "helix"
        config.mkdir(parents=True)
        shutil.copy(REPOSITORY / "editors/helix/languages.toml", config)
        (config / "config.toml").write_text("[editor.lsp]\ndisplay-inlay-hints = true\n")
        project = work / "project"
        shutil.copytree(REPOSITORY / "tests/projects/mlp_scratch", project)
        (project / ".git").mkdir()
        program = project / "main.py"
        mark = "    return jnp.mean(predicted == labels)\n"
        program.write_text(program.read_text().replace(mark, '    print("accuracy of", predicted)\n' + mark))
        line = program.read_text().split('    print("accuracy')[0].count("\n") + 1
        environment = {**os.environ, "PATH": f"{work / 'bin'}:{os.environ['PATH']}", "XDG_CONFIG_HOME": str(work / "config"),
                       "XDG_CACHE_HOME": str(work / "cache"), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        runtime = next(helix.resolve().parents[1].rglob("runtime"), None)
        if runtime:
            environment["HELIX_RUNTIME"] = str(runtime)
        terminal = Terminal([str(helix), f"{program}:{line}:6"], environment, project)
        try:
            print("   diagnostic:", terminal.until("the diagnostic", r"runs once per trace"))
            # Helix asks for hints when another part of the file is shown, not when the server has others.
            terminal.keys("gg")
            terminal.read(1)
            terminal.keys(f"{line}ggw")
            print("   hint:", terminal.until("hints", r"[fi]32\[480[^ ]*\]"))
            terminal.keys(" a")
            print("   action:", terminal.until("the actions", r"print with `jax\.debug\.print`"))
            terminal.keys("\r")
            terminal.until("the fix", r"jax\.debug\.print|debug")
            terminal.keys("\x1b")
            terminal.read(0.3)  # At once they would be one key with Alt.
            terminal.keys(":wq\r")
            for _ in range(200):
                terminal.read(0.1)
                if terminal.process.poll() is not None:
                    break
                time.sleep(0.05)  # A terminal that is closed is read at once.
            assert terminal.process.poll() == 0, "Helix has not ended"
            assert '    jax.debug.print("accuracy of' in program.read_text(), program.read_text()
        finally:
            if terminal.process.poll() is None:
                terminal.process.kill()
            os.close(terminal.master)
    version = subprocess.run([helix, "--version"], capture_output=True, text=True).stdout.strip()
    print(f"{version}: all is well")


main()
