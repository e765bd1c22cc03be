"""Sums up what was found and prints it."""

from collections import defaultdict
from dataclasses import dataclass, field

from .compare import Comparison, Finding
from .program import Program
from .suites import Verification

FAILING_KINDS = {
    "wrong": "avals that execution did not show",
    "count_wrong": "functions with a trace count that is not the real one",
    "error_false": "errors that do not happen",
    "failures": "programs that could not be run or analysed",
}


@dataclass
class Metrics:
    """A comparison, the verification of the program's own expectations, and the floors that the shares must reach."""

    comparison: Comparison = field(default_factory=Comparison)
    checked: int = 0
    unchecked: int = 0
    untrue: int = 0
    findings: list[tuple[str, Finding]] = field(default_factory=list)
    floors: dict[str, float] = field(default_factory=dict)
    recorded: str = ""          # of one program, said when there is no answer to compare with

    def __iadd__(self, other: "Metrics"):
        self.comparison += other.comparison
        self.checked += other.checked
        self.unchecked += other.unchecked
        self.untrue += other.untrue
        self.findings += other.findings
        return self

    def take_record(self, record: dict):
        first = [f"{e['type']} at {e['file']}:{e['line']}" for e in record["errors"]][:1]
        self.recorded = "  ".join([f"recorded {len(record['exprs'])} rows, {len(record['functions'])} functions", *first])

    def take_comparison(self, program: Program, comparison: Comparison):
        self.comparison += comparison
        self.findings += [(program.name, f) for f in comparison.findings]

    def take_verification(self, program: Program, verification: Verification):
        self.checked += verification.checked
        self.unchecked += verification.unchecked
        self.untrue += len(verification.findings)
        self.findings += [(program.name, f) for f in verification.findings]

    def fail(self, program: Program, why: str):
        self.comparison.failures += 1
        self.findings.append((program.name, Finding("failure", program.script, 1, why.strip(), "-", "-")))

    def shares(self) -> dict[str, float]:
        """Percentages, which floors can be set for. What there is none of counts as reached."""
        c = self.comparison
        parts = {"known": (c.known, c.rows), "full": (c.full, c.rows), "counts": (c.count_right, c.counted),
                 "exact": (c.tracing_exact, c.tracing),
                 "errors": (c.error_found, c.errors), "messages": (c.message_right, c.errors)}
        return {name: 100 * part / whole if whole else 100.0 for name, (part, whole) in parts.items()}

    def problems(self) -> list[str]:
        failing = [f"{getattr(self.comparison, name)} {text}" for name, text in FAILING_KINDS.items()
                   if getattr(self.comparison, name) > self.floors.get("most_" + name, 0)]
        untrue = [f"{self.untrue} expectations that are not true of JAX"] if self.untrue else []
        shares = self.shares()
        low = [f"{name} {shares[name]:.1f}% is below the floor of {floor}%" for name, floor in self.floors.items()
               if name in shares and shares[name] < floor]
        return failing + untrue + low


def print_program(name: str, m: Metrics):
    c, shares = m.comparison, m.shares()
    parts = []
    if c.programs:
        parts.append(f"rows {c.rows:5}  known {shares['known']:5.1f}%  full {shares['full']:5.1f}%  wrong {c.wrong}")
        if c.counted or c.count_wrong:
            parts.append(f"counts {c.count_right}/{c.counted}")
        if c.errors or c.error_false:
            parts.append(f"errors {c.error_found}/{c.errors}" + (f" false {c.error_false}" if c.error_false else ""))
    if m.checked + m.unchecked:
        parts.append(f"expectations {m.checked - m.untrue}/{m.checked}")
    if c.failures:
        parts.append("no answer")
    elif not c.programs:
        parts.insert(0, m.recorded)
    print(f"{'FAIL' if m.problems() else 'ok':4}  {name:40} {'  '.join(parts)}")


def print_findings(m: Metrics, limit: int):
    kinds = defaultdict(list)
    for name, finding in m.findings:
        kinds[finding.kind].append((name, finding))
    for kind, found in kinds.items():
        for name, finding in found[:limit]:
            print(f"  {name}\n    " + str(finding).replace("\n", "\n    "))
        if len(found) > limit:
            print(f"    … and {len(found) - limit} more of kind `{kind}`")


def print_suite(name: str, m: Metrics):
    c = m.comparison
    floors = {k: f" (floor {v}%)" for k, v in m.floors.items() if k in m.shares()}
    if c.programs:
        print(f"{name}: {c.programs} programs compared, {c.rows} rows: full {c.full}, partial {c.partial}, "
              f"missing {c.missing}, wrong {c.wrong}")
        print("  " + "  ".join(f"{k} {v:.1f}%{floors.get(k, '')}" for k, v in m.shares().items()))
        print(f"  trace counts: {c.counted} functions, right {c.count_right}, hidden {c.count_hidden}, wrong {c.count_wrong}, "
              f"wrong without a jit {c.count_wrong_eager}; all right in {c.tracing_exact} of {c.tracing} programs")
        print(f"  errors: {c.errors} real, found {c.error_found} (message {c.message_right}), false {c.error_false}, "
              f"doubtful {c.error_doubtful}")
    if m.checked + m.unchecked:
        print(f"{name}: {m.checked} expectations held against JAX, {m.untrue} untrue, {m.unchecked} that it cannot tell")
    if c.failures:
        print(f"{name}: {c.failures} programs without an answer")
