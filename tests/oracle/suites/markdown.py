"""Reads a literate test file: sections, their programs, and what the comments in them expect.

A section's `py` blocks are one program, and a `` `name.py`: `` line before a block says that it is another file of that
program, and so does one before a `text` block of a file of data. An `edit` block replaces the text of the main file: the program after the edit is a program of its own.
"""

import ast
import io
import re
import tokenize
import tomllib
from dataclasses import dataclass, field

MAIN = "main.py"

FENCE = re.compile(r"^(`{3,}|~{3,})\s*([^`]*?)\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
FILE_NAME = re.compile(r"^`([^`]+)`:\s*$")
EXPECTATION = re.compile(r"[#^]\s*(?:(hover|eval|raises|key|trace|bug):|(diag)\[[\w-]+\](?:\s*\d+)?:?)\s*")


@dataclass
class Expectation:
    kind: str                   # hover, eval, raises, key, diag, trace
    text: str
    file: str
    line: int                   # of the code it speaks of, in `file`
    range: tuple | None         # the expression it speaks of; None where there is none
    written: int                # the line of the comment itself
    bug: bool = False           # today's answer of jitlens, known to be untrue


@dataclass
class Snippet:
    """One program of a section."""

    title: str
    settings: dict
    files: dict[str, str] = field(default_factory=dict)
    origin: dict[str, list[int]] = field(default_factory=dict)      # file -> the markdown line of each of its lines

    def add(self, file: str, text: str, line: int):
        self.files[file] = self.files.get(file, "") + text
        self.origin.setdefault(file, []).extend(range(line, line + text.count("\n")))

    def replaced(self, file: str, text: str, line: int) -> "Snippet":
        after = Snippet(f"{self.title} (edited)", self.settings, dict(self.files), dict(self.origin))
        after.files.pop(file, None)
        after.origin.pop(file, None)
        after.add(file, text, line)
        return after

    def markdown_line(self, file: str, line: int) -> int:
        return self.origin[file][line - 1]

    def expectations(self) -> list[Expectation]:
        return [e for file, text in self.files.items() if file.endswith(".py") for e in expectations(file, text)]


def snippets(markdown: str) -> list[Snippet]:
    found, current = [], None
    titles, settings = [], [{}]
    name = MAIN
    for kind, value, text, line in blocks(markdown):
        if kind == "heading":
            depth = value
            titles = titles[:depth - 1] + [""] * (depth - 1 - len(titles)) + [text]
            settings = settings[:depth] + [settings[-1]] * (depth - len(settings)) + [settings[min(depth, len(settings)) - 1]]
            current, name = None, MAIN
        elif kind == "name":
            name = value
        elif value == "toml":
            settings[-1] = {**settings[-1], **tomllib.loads(text)}
        elif value == "py" or value == "text" and name != MAIN or (value == "edit" and current):
            if current is None:
                current = Snippet(" / ".join(t for t in titles if t) or "top", settings[-1])
                found.append(current)
            if value != "edit":
                current.add(name, text, line)
            else:
                current = current.replaced(name, text, line)
                found.append(current)
            name = MAIN
    return found


def blocks(markdown: str):
    """Headings, file names and fenced blocks: (kind, depth or name or language, text, line of the text)."""
    lines = markdown.split("\n")
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        if fence := FENCE.match(line):
            start = at
            while at < len(lines) and not (lines[at].startswith(fence[1]) and not lines[at].strip(fence[1][0] + " ")):
                at += 1
            yield "block", (fence[2].split() or [""])[0], "".join(f"{l}\n" for l in lines[start:at]), start + 1
            at += 1
        elif heading := HEADING.match(line):
            yield "heading", len(heading[1]), heading[2], at
        elif name := FILE_NAME.match(line):
            yield "name", name[1], "", at


def expectations(file: str, source: str) -> list[Expectation]:
    lines = source.split("\n")
    tree = parsed(source)
    found, code_line = [], 0
    for number, line in enumerate(lines, 1):
        comment = comment_of(line)
        alone = comment is not None and not line[:comment].strip()
        if not alone and line.strip():
            code_line = number
        for kind, text, bug in parts(line[comment:]) if comment is not None else ():
            carets = re.match(r"#\s*(\^+)", line[comment:]) if alone else None
            where = None
            if carets:
                above = lines[code_line - 1]
                start, end = (len(above[:comment + i].encode()) for i in carets.span(1))
                where = (code_line, start, code_line, end)
            elif tree is not None and not alone:
                where = outermost(tree, number)
            found.append(Expectation(kind, text, file, code_line, where, number, bug))
    return found


def parts(comment: str) -> list[tuple[str, str, bool]]:
    """The expectations of one comment: `# hover: T  # eval: V  # bug: why` are two, both known to be untrue."""
    marks = list(EXPECTATION.finditer(comment))
    ends = [m.start() for m in marks[1:]] + [len(comment)]
    found = [(m[1] or m[2], comment[m.end():end].strip()) for m, end in zip(marks, ends)]
    bug = any(kind == "bug" for kind, _ in found)
    return [(kind, text, bug) for kind, text in found if kind != "bug"]


def comment_of(line: str) -> int | None:
    """The column where the line's comment starts. A line is read alone, so that half-typed programs do not matter."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.lstrip()).readline):
            if token.type == tokenize.COMMENT:
                return token.start[1] + len(line) - len(line.lstrip())
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass
    at = line.find("  # ")
    return at + 2 if at >= 0 else None


def parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def outermost(tree: ast.Module, line: int) -> tuple | None:
    """The expression that a comment at the end of `line` speaks of.

    It is what a statement ending there computes (the right-hand side, what is returned, called, looped over or tested),
    or, inside a statement of several lines, the longest expression within the line.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            value = computed(node)
            if value is not None and (node.end_lineno == line if is_simple(node) else value.end_lineno == line):
                return spot(value)
    within = [n for n in ast.walk(tree) if isinstance(n, ast.expr) and n.lineno == n.end_lineno == line
              and not isinstance(n, (ast.Constant, ast.Starred)) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)]
    return max(map(spot, within), key=lambda r: r[3] - r[1], default=None)


def computed(statement: ast.stmt) -> ast.expr | None:
    for name in ("value", "test", "iter", "subject"):
        if isinstance(getattr(statement, name, None), ast.expr):
            return getattr(statement, name)
    return None


def is_simple(statement: ast.stmt) -> bool:
    return not hasattr(statement, "body")


def spot(node: ast.expr) -> tuple:
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
