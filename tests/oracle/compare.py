"""Holds the answer of `jitlens values --format json` against a record.

Every row of the record gets one verdict:

- *full*: exactly the avals that execution showed;
- *partial*: some of them, or `?` among them;
- *missing*: no row;
- *wrong*: an aval that execution never showed. The one thing jitlens must not do.

After its first uncaught exception a program is run on (see `inside/execute.py`). Avals that only show up then count as
true when jitlens names them and are not missed when it does not.
"""

import os
from dataclasses import dataclass, field, fields

FULL, PARTIAL, MISSING, WRONG = "full", "partial", "missing", "wrong"


@dataclass(frozen=True)
class Finding:
    """Something to show: what kind, where, and what each side says."""

    kind: str
    file: str
    line: int
    text: str
    real: str
    ours: str

    def __str__(self):
        return f"{self.kind:15} {self.file}:{self.line}  {self.text}\n{'':15} real {self.real}\n{'':15} ours {self.ours}"


@dataclass
class Comparison:
    """Counts that add up over programs, and the findings behind them."""

    programs: int = 0
    rows: int = 0
    known: int = 0              # rows with avals and no `?`
    full: int = 0
    partial: int = 0
    missing: int = 0
    wrong: int = 0
    counted: int = 0            # functions that ran while a framework traced
    count_right: int = 0
    count_hidden: int = 0       # jitlens says null, or has no row
    count_wrong: int = 0        # a number that is not the real one, in a function reached through a jit
    count_wrong_eager: int = 0  # the same, in a function that no staging transformation reached
    tracing: int = 0            # programs with such functions
    tracing_exact: int = 0      # … that jitlens counts all exactly
    errors: int = 0             # programs that end in an exception
    error_found: int = 0        # … that jitlens reports with class, file and line
    message_right: int = 0      # … and with the first line of its message
    error_false: int = 0        # errors that do not happen
    error_doubtful: int = 0     # errors said of what follows a real one, where execution cannot tell
    failures: int = 0           # programs that could not be recorded or analysed
    findings: list[Finding] = field(default_factory=list)

    def __iadd__(self, other: "Comparison"):
        for f in fields(self):
            setattr(self, f.name, getattr(self, f.name) + getattr(other, f.name))
        return self

    def note(self, *finding):
        self.findings.append(Finding(*finding))


def compare(record: dict, values: dict) -> Comparison:
    result = Comparison(programs=1)
    compare_exprs(record, values, result)
    compare_functions(record, values, result)
    compare_errors(record, values, result)
    return result


def compare_exprs(record: dict, values: dict, result: Comparison):
    said = {place(row): set(row["avals"]) for row in values["exprs"]}
    for row in record["exprs"]:
        now, ever = set(row["avals"]), set(row["avals"]) | set(row["later"])
        ours = said.get(place(row), set())
        verdict = judge(now, ever, ours)
        if now or verdict == WRONG:
            result.rows += 1
            result.known += bool(ours) and "?" not in ours
            setattr(result, verdict, getattr(result, verdict) + 1)
        if verdict in (WRONG, MISSING) and (now or ours):
            result.note(verdict, row["file"], row["range"][0], row["text"], show(ever), show(ours))


def judge(now: set, ever: set, ours: set) -> str:
    if ours - {"?"} - ever:
        return WRONG
    if not ours:
        return MISSING
    return FULL if now <= ours and "?" not in ours else PARTIAL


# JAX's caches compare keys while it traces. How often depends on what else they hold, and that on the programs before this one.
ASKED_BY_CACHES = ("__eq__", "__hash__")


def compare_functions(record: dict, values: dict, result: Comparison):
    said = {(os.path.normpath(row["file"]), row["line"]): row["traced"] for row in values["functions"]}
    for row in record["functions"]:
        if row["name"] in ASKED_BY_CACHES:
            continue
        key = (os.path.normpath(row["file"]), row["line"])
        real, ever = row["traced"], row["traced"] + row["later"]["traced"]
        ours = said.get(key, 0 if real == 0 else None)
        result.counted += real > 0
        if ours is None:
            result.count_hidden += real > 0
        elif ours in (real, ever):
            result.count_right += real > 0
        else:
            staged = row["staged"] or row["later"]["staged"] or not ever
            kind = "count_wrong" if staged else "count_wrong_eager"
            setattr(result, kind, getattr(result, kind) + 1)
            result.note(kind.replace("_", " "), row["file"], row["line"], f"def {row['name']}", real, ours)
    result.tracing = int(result.counted > 0)
    differing = result.count_hidden + result.count_wrong + result.count_wrong_eager
    result.tracing_exact = int(result.counted > 0 and differing == 0)


def compare_errors(record: dict, values: dict, result: Comparison):
    """The first real error must be named. What jitlens says beyond that must be among the real ones.

    Once a statement has failed, later ones may fail for want of the names it would have bound. jitlens takes those
    names as unknown instead, and goes on in functions that really ended. So when jitlens has named the first error, an
    additional one is doubtful rather than false.
    """
    real = record["errors"]
    ours = {(os.path.normpath(e["file"]), e["line"], e["type"]): first_line(e["message"]) for e in values["errors"]}
    if real:
        first, key = real[0], error_key(real[0])
        result.errors += 1
        if key in ours:
            result.error_found += 1
            result.message_right += ours[key] == first_line(first["message"])
            if ours[key] != first_line(first["message"]):
                result.note("message", first["file"], first["line"], first["type"], first_line(first["message"]), ours[key])
        else:
            result.note("error missing", first["file"], first["line"], first["type"], first_line(first["message"]),
                        "; ".join(f"{f}:{line} {t}" for f, line, t in ours) or "no error")
    for key, message in ours.items():
        if key in map(error_key, real):
            continue
        doubtful = bool(real) and error_key(real[0]) in ours
        result.error_doubtful += doubtful
        result.error_false += not doubtful
        result.note("error doubtful" if doubtful else "error false", key[0], key[1], key[2],
                    "; ".join(f"{e['file']}:{e['line']} {e['type']}" for e in real) or "no error", message)


def error_key(error: dict):
    return (error["file"], error["line"], error["type"].split(".")[-1])


def place(row: dict):
    return (os.path.normpath(row["file"]), tuple(row["range"]))


def first_line(message: str) -> str:
    return message.split("\n")[0].strip()


def show(avals: set) -> str:
    return " | ".join(sorted(avals)) or "nothing"
