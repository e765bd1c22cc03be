"""`tests/suite/**/*.md` and `docs/rules/*.md`: the literate test suite. Its expectations must be true of real JAX, not only of jitlens.

- `hover: A | B` are the avals of the expression, as in `values` but without `!`;
- `raises: Type "part"` is an uncaught exception whose innermost line is this one; a line that raises must say so, by
  `raises` or by a `diag`;
- `eval: V` is what `print` shows of the value, blank space and last digits aside;
- `key: hit | miss …` says whether the call on this line traced a function of the program;
- an expectation with `# bug:` is not held against JAX, for it is known to be untrue;
- `oracle = "reason"` in a `toml` block leaves a section out.
"""

import ast
import hashlib
import math
import re

from ..compare import Finding
from ..env import REPOSITORY, STATE
from ..program import Program
from . import Case, Verification
from .markdown import MAIN, Expectation, Snippet, snippets

ROOT = REPOSITORY / "tests" / "suite"
RULES = REPOSITORY / "docs" / "rules"
WORK = STATE / "suite"

AVAL = re.compile(r"^(np:)?[a-z]\w*(<\w+>)?~?\[[\w,*+ -]*\]$")
NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|inf|nan)", re.I)
TOLERANCE = 1e-5


def cases() -> list[Case]:
    pages = [(ROOT, path) for path in sorted(ROOT.rglob("*.md")) if path.name != "README.md"]
    pages += [(RULES.parent, path) for path in sorted(RULES.glob("*.md")) if path.name != "README.md"]
    return [case for root, path in pages for case in cases_of(path.relative_to(root).as_posix(), path.read_text("utf-8"))]


def cases_of(page: str, markdown: str) -> list[Case]:
    return [case(page, snippet) for snippet in snippets(markdown) if runnable(snippet)]


def runnable(snippet: Snippet) -> bool:
    try:
        ast.parse(snippet.files.get(MAIN, "("))
    except SyntaxError:
        return False            # half-typed, on purpose
    return "oracle" not in snippet.settings and snippet.settings.get("framework", "jax") == "jax"


def case(page: str, snippet: Snippet) -> Case:
    expected = snippet.expectations()
    watched = {}
    for e in expected:
        if e.kind in ("eval", "key") and e.range:
            watched.setdefault(e.file, []).append(e.range)
    program = Program(name=f"{page}: {snippet.title}", root=folder(snippet), script=MAIN, alone=False, watched=watched)
    return Case(program, lambda record: verify(page, snippet, expected, record))


def folder(snippet: Snippet):
    """The program as files, in a folder that is named by its content."""
    seal = hashlib.sha256("\0".join(f"{name}\0{text}" for name, text in snippet.files.items()).encode())
    root = WORK / seal.hexdigest()[:24]
    for name, text in snippet.files.items():
        path = root / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return root


def verify(page: str, snippet: Snippet, expected: list[Expectation], record: dict) -> Verification:
    result = Verification()
    findings = []
    for expectation in expected:
        held = None if expectation.bug else CHECKS.get(expectation.kind, not_checked)(expectation, record)
        result.checked += held is not None
        result.unchecked += held is None
        if held:
            findings.append(Finding(f"{expectation.kind} untrue", page, snippet.markdown_line(expectation.file,
                            expectation.written), snippet.title, held, expectation.text))
    findings += unexpected_errors(page, snippet, expected, record)
    result.findings = tuple(findings)
    return result


# Each check answers None if execution cannot tell, "" if the expectation holds, or what really happens.

def not_checked(expectation, record):
    return None


def check_hover(expectation: Expectation, record: dict):
    wanted = {part.strip() for part in expectation.text.split("|")}
    if not expectation.range or not all(map(AVAL.match, wanted)):
        return None
    row = row_at(record["exprs"], expectation)
    if row is None:
        return "no array there" if was_run(expectation, record) else None
    real = {aval.rstrip("!") for aval in row["avals"] + row["later"]}
    return "" if real == wanted else " | ".join(sorted(real))


def check_eval(expectation: Expectation, record: dict):
    row = row_at(record["watched"], expectation)
    if row is None:
        return "not run" if was_run(expectation, record) else None
    values = list(dict.fromkeys(row["values"]))
    if None in values:
        return None             # traced: there is no number yet
    wanted = [part.strip() for part in expectation.text.split(" | ")]
    same = len(values) == len(wanted) and all(map(alike, values, wanted))
    return "" if same else " | ".join(" ".join(v.split()) for v in values)


def check_key(expectation: Expectation, record: dict):
    row = row_at(record["watched"], expectation)
    if row is None:
        return "not run" if was_run(expectation, record) else None
    wanted = [part.split()[0] for part in expectation.text.split(" | ")]
    real = list(dict.fromkeys(row["keys"]))
    return "" if real == wanted else " | ".join(real)


def check_raises(expectation: Expectation, record: dict):
    match = re.match(r'([\w.]+)\s*(?:"(.*)")?', expectation.text)
    wanted, part = match[1].split(".")[-1], match[2] or ""
    here = [e for e in record["errors"] if (e["file"], e["line"]) == (expectation.file, expectation.line)]
    for error in here:
        if error["type"].split(".")[-1] == wanted and part in error["message"]:
            return ""
    return "; ".join(f'{e["type"]} "{e["message"].splitlines()[0]}"' for e in here) or "no exception"


CHECKS = {"hover": check_hover, "eval": check_eval, "key": check_key, "raises": check_raises}


def unexpected_errors(page: str, snippet: Snippet, expected: list[Expectation], record: dict) -> list[Finding]:
    announced = {(e.file, e.line) for e in expected if e.kind in ("raises", "diag")}
    return [Finding("raises silently", page, snippet.markdown_line(e["file"], e["line"]) if e["file"] else 1,
                    snippet.title, f'{e["type"]}: {e["message"].splitlines()[0] if e["message"] else ""}', "no exception")
            for e in record["errors"] if (e["file"], e["line"]) not in announced and not e["cascade"]]


def row_at(rows: list[dict], expectation: Expectation) -> dict | None:
    return next((r for r in rows if r["file"] == expectation.file and tuple(r["range"]) == expectation.range), None)


def was_run(expectation: Expectation, record: dict) -> bool:
    """Whether execution reached the function that holds the line; its other rows and its count tell."""
    tree_rows = [r for r in record["exprs"] if r["file"] == expectation.file]
    return any(r["range"][0] <= expectation.line <= r["range"][2] for r in tree_rows)


def alike(real: str, wanted: str) -> bool:
    """The same text up to blank space, and the same numbers up to rounding."""
    if "".join(NUMBER.sub("#", real).split()) != "".join(NUMBER.sub("#", wanted).split()):
        return False
    pairs = zip(map(float, NUMBER.findall(real)), map(float, NUMBER.findall(wanted)))
    return all(a == b or math.isnan(a) and math.isnan(b) or math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=1e-30)
               for a, b in pairs)
