"""Prints what was found."""

import statistics

from .ask import Row

KINDS = ("wrong", "error false", "error missing", "count wrong", "count wrong eager", "count hidden", "message", "missing")


def line(row: Row) -> str:
    name = f"{row.stranger.id:28}"
    if row.lacking:
        return f"--    {name} not compared: needs {', '.join(row.lacking)}"
    if row.failure:
        return f"FAIL  {name} {row.failure}"
    c = row.comparison
    parts = [f"rows {c.rows:5}  known {row.known():5.1f}%  wrong {c.wrong}", f"counts {c.count_right}/{c.counted}"]
    if c.errors or c.error_false:
        parts.append(f"errors {c.error_found}/{c.errors} false {c.error_false}")
    parts.append(f"{row.work:.2f} s ({row.wall:.2f} s wall)")
    if row.reproducers:
        parts.append(f"reproducers {row.reproducers[1]}/{row.reproducers[0]}")
    return f"{'FAIL' if row.is_wrong() else 'ok':4}  {name} {'  '.join(parts)}"


def findings(row: Row, limit: int):
    for kind in KINDS:
        found = [f for f in row.comparison.findings if f.kind == kind]
        for finding in found[:limit]:
            print("      " + str(finding).replace("\n", "\n      "))
        if limit and len(found) > limit:
            print(f"      … and {len(found) - limit} more of kind `{kind}`")
    for text in row.reproducers[2] if row.reproducers else []:
        print("      " + text.replace("\n", "\n      "))


def summary(rows: list[Row]) -> str:
    asked = [row for row in rows if not row.lacking]
    told = [row for row in asked if not row.failure]
    if not told:
        return f"{len(rows)} programs, none compared"
    total = sum(row.comparison.rows for row in told)
    known = sum(row.comparison.known for row in told)
    shares = sorted((row.known(), row.stranger.id) for row in told)
    work = sorted((row.work, row.stranger.id) for row in told)
    add = lambda name: sum(getattr(row.comparison, name) for row in told)
    exact = sum(row.comparison.count_right == row.comparison.counted for row in told)
    lines = [
        f"{len(rows)} programs: {len(told)} compared, {len(asked) - len(told)} failed, {len(rows) - len(asked)} lack a library",
        f"rows {total}: known {100 * known / max(total, 1):.1f} %; median program {statistics.median(s for s, _ in shares):.1f} %, "
        f"worst {shares[0][0]:.1f} % ({shares[0][1]}); wrong {add('wrong')}",
        f"trace counts: {add('counted')} functions, right {add('count_right')}, hidden {add('count_hidden')}, wrong {add('count_wrong')}, "
        f"wrong without a jit {add('count_wrong_eager')}; all right in {exact} of {len(told)} programs",
        f"errors: {add('errors')} programs raise, found {add('error_found')}, false {add('error_false')}",
        f"seconds of a processor, from nothing: median {statistics.median(w for w, _ in work):.2f}, "
        f"most {work[-1][0]:.2f} ({work[-1][1]}); over 2 s: {sum(w > 2 for w, _ in work)}",
    ]
    asked_for = [row.reproducers for row in told if row.reproducers]
    if asked_for:
        made, same = sum(r[0] for r in asked_for), sum(r[1] for r in asked_for)
        lines.append(f"reproducers: {made} functions, the same under JAX {same} ({100 * same / max(made, 1):.1f} %)")
    return "\n".join(lines)


def markdown(rows: list[Row]) -> str:
    lines = ["| repository | commit | what is run | rows | known | functions counted right | errors found | seconds |",
             "|---|---|---|---|---|---|---|---|"]
    before = None
    for row in rows:
        if row.lacking or row.failure:
            continue
        s, c = row.stranger, row.comparison
        place = (s.repository, s.commit)
        repository, commit = ("", "") if place == before else (s.repository, s.commit[:7])
        before = place
        counts = f"{c.count_right}/{c.counted}" if c.counted else "–"
        errors = f"{c.error_found}/{c.errors}" if c.errors else "–"
        lines.append(f"| {repository} | {commit} | {s.runs()} | {c.rows:,} | {row.known():.1f} % | {counts} | {errors} | {row.work:.1f} |")
    return "\n".join(lines)
