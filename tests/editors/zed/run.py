"""The extension for Zed, without Zed: `run.py CACHE`. Exit code 3 where what it is compiled with cannot be had.

Its manifest names what Zed asks for, its settings as the documentation has them are well formed, and it compiles to a component of WebAssembly against Zed's
interface, which is what *zed: install dev extension* does. Where the target cannot be had it is only checked by the compiler.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
EXTENSION = REPOSITORY / "editors/zed"
TARGET = "wasm32-wasip2"
# Names that Zed's client has for a server in its settings.
KNOWN = {"binary", "settings", "initialization_options", "enable_lsp_tasks", "fetch"}


def settings() -> None:
    """What stands in the documentation as settings of Zed."""
    texts = [(EXTENSION / "README.md").read_text(), (REPOSITORY / "docs/editors.md").read_text().split("## Zed")[1].split("\n## ")[0]]
    read = json.loads((REPOSITORY / "editors/vscode/package.json").read_text())["contributes"]["configuration"]["properties"]
    for text in texts:
        [found] = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.S)]
        assert set(found) == {"lsp", "inlay_hints"} and found["inlay_hints"] == {"enabled": True}, found
        ours = found["lsp"]["jitlens"]
        assert set(ours) <= KNOWN, ours
        assert all(f"jitlens.{name}" in read for name in ours["settings"]), ours


def manifest() -> None:
    manifest = tomllib.loads((EXTENSION / "extension.toml").read_text())
    assert {"id", "name", "version", "schema_version", "authors", "description", "repository"} <= set(manifest), manifest
    assert manifest["schema_version"] == 1 and manifest["language_servers"] == {"jitlens": {"name": "jitlens", "languages": ["Python"]}}, manifest
    crate = tomllib.loads((EXTENSION / "Cargo.toml").read_text())
    assert crate["lib"]["crate-type"] == ["cdylib"] and "zed_extension_api" in crate["dependencies"]


def run(*command: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, **options)


def compiled(cache: Path) -> str:
    """Compiles a copy: what a compiler leaves behind has no place in the folder that Zed installs."""
    copy = cache / "extension"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(EXTENSION, copy, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
    environment = {**os.environ, "CARGO_TARGET_DIR": str(cache / "target")}
    if run("cargo", "fetch", cwd=copy, env=environment).returncode:
        sys.exit(3)
    has_target = shutil.which("rustup") and run("rustup", "target", "add", TARGET).returncode == 0
    command = ["cargo", "build", "--release", "--target", TARGET] if has_target else ["cargo", "check"]
    done = run(*command, cwd=copy, env={**environment, "RUSTFLAGS": "-D warnings"})
    assert done.returncode == 0, done.stderr
    if not has_target:
        return "checked by the compiler"
    binary = cache / "target" / TARGET / "release" / "jitlens_zed.wasm"
    # The header of a component, not of a plain module.
    assert binary.read_bytes()[:8] == b"\0asm\x0d\0\x01\0", binary.read_bytes()[:8]
    assert b"language-server-command" in binary.read_bytes()
    return f"a component of {binary.stat().st_size / 1e3:.0f} kB"


if __name__ == "__main__":
    cache = Path(sys.argv[1])
    cache.mkdir(parents=True, exist_ok=True)
    manifest()
    settings()
    print(f"Zed's extension: manifest and settings are well formed, and it compiles: {compiled(cache)}")
