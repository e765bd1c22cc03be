"""A program to run: a script, the folder it belongs to, and what to watch in it."""

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

IGNORED = {"__pycache__", ".git", ".venv"}


@dataclass(frozen=True)
class Program:
    name: str
    root: Path                          # the working directory of the run; paths in records are relative to it
    script: str
    args: tuple[str, ...] = ()
    alone: bool = True                  # a single file, rather than all of `root`
    timeout: float = 600
    watched: dict[str, list] = field(default_factory=dict, hash=False)     # file -> ranges whose values are kept

    def files(self) -> list[Path]:
        if self.alone:
            return [self.root / self.script]
        return sorted(p for p in self.root.rglob("*") if p.is_file() and not IGNORED & set(p.parts))

    def digest(self) -> str:
        """Changes when anything that the run could depend on changes."""
        seal = hashlib.sha256(json.dumps([self.script, self.args, sorted(self.watched.items())]).encode())
        for path in self.files():
            content = path.read_bytes()
            seal.update(f"\0{path.relative_to(self.root)}\0{len(content)}\0".encode() + content)
        return seal.hexdigest()

    def preload(self) -> tuple[str, ...]:
        """What may be imported before the program starts without the program noticing."""
        text = "\n".join(p.read_text("utf-8", "replace") for p in self.files() if p.suffix == ".py")
        if re.search(r"environ|putenv|import_module|__import__|sys\.modules", text):
            return ()           # it may set a variable that JAX reads while being imported
        if re.search(r"^\s*(import|from) optax\b", text, re.M):
            return ("jax", "jax.numpy", "optax")
        return ("jax", "jax.numpy")

    def job(self) -> dict:
        return {"root": str(self.root), "script": self.script, "args": list(self.args), "timeout": self.timeout,
                "watched": self.watched}
