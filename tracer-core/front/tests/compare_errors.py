"""Compares syntax errors with CPython's on mutated programs.

    python compare_errors.py DUMP_RANGES_BINARY FILE... [--count N]

A note on a text that CPython accepts is a false alarm; a text that CPython refuses without a note of ours is a miss.
"""

import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import tokenize
import warnings

import compare_with_cpython

PIECES = ["(", ")", "[", "]", "{", "}", ":", ",", ".", "=", "==", "*", "**", "->", ":=", "\n", "    ", "\t", "'", '"', "x", "1",
          " + ", " not ", " in ", " if ", " else ", " for ", "lambda ", "return ", "yield ", "await ", "import ", "as ",
          "def ", "class ", "@", ";", "#", "\\", "async ", "del ", "global x\n", "nonlocal x\n", "pass", "break\n", "é", "$"]


def mutations(text, count, rng):
    lines = text.splitlines(keepends=True)
    for _ in range(count):
        # A stretch of the file that CPython accepts by itself would be rare: the whole file is mutated in one place.
        kind = rng.randrange(6)
        at = rng.randrange(len(text))
        if kind == 0:
            yield text[:at] + text[at + 1:]
        elif kind == 1:
            yield text[:at] + rng.choice(PIECES) + text[at:]
        elif kind == 2:
            yield text[:at] + rng.choice(PIECES) + text[at + rng.randrange(1, 8):]
        elif kind == 3:
            line = rng.randrange(len(lines))
            yield "".join(lines[:line] + lines[line + 1:])
        elif kind == 4:
            # A line as it is being typed.
            line = rng.randrange(len(lines))
            body = lines[line].rstrip("\n")
            yield "".join(lines[:line] + [body[: rng.randrange(len(body) + 1)] + "\n"] + lines[line + 1:])
        else:
            yield text[:at] + text[at + rng.randrange(1, 30):]


def main():
    binary, *rest = sys.argv[1:]
    count = 300
    if "--count" in rest:
        where = rest.index("--count")
        count = int(rest[where + 1])
        del rest[where:where + 2]
    rng = random.Random(int(os.environ.get("SEED", "1")))
    warnings.simplefilter("ignore")
    folder = tempfile.mkdtemp()
    texts = {}
    for file in rest:
        with tokenize.open(file) as opened:
            text = opened.read()
        for number, mutated in enumerate(mutations(text, count, rng)):
            path = os.path.join(folder, f"{os.path.basename(file)}-{number}.py")
            with open(path, "w", encoding="utf-8", newline="") as out:
                out.write(mutated)
            texts[path] = mutated
    output = subprocess.run([binary], input="\n".join(texts) + "\n", capture_output=True, text=True, encoding="utf-8")
    if output.returncode:
        print(output.stderr[-3000:])
    totals = collections.Counter()
    misses = collections.defaultdict(list)
    same = collections.Counter()
    for line in output.stdout.splitlines():
        dump = json.loads(line)
        path = dump["file"]
        data = texts[path].encode("utf-8")
        totals["texts"] += 1
        try:
            tree = compile(data, path, "exec", dont_inherit=True, flags=0x2000 | 0x400)
            compile(data, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            totals["refused by CPython"] += 1
            message = error.args[0]
            if not dump["notes"]:
                totals["misses"] += 1
                misses[message].append((path, getattr(error, "lineno", None), getattr(error, "text", None)))
            else:
                lineno = getattr(error, "lineno", None)
                totals["noted on the same line"] += any(note[0][0] <= (lineno or 0) <= note[0][2] for note in dump["notes"])
                if any(note[1] == message for note in dump["notes"]):
                    totals["noted in the same words"] += 1
                else:
                    same[(message.split(" (")[0][:60], dump["notes"][0][1][:60])] += 1
            continue
        if dump["notes"]:
            totals["false alarms"] += 1
            if totals["false alarms"] <= 20:
                print("FALSE", path, dump["notes"])
        else:
            _, missing, extra, _, _ = compare_with_cpython.compare_rows(tree, dump)
            if missing or extra:
                totals["accepted but different"] += 1
                if totals["accepted but different"] <= 10:
                    print("DIFFERENT", path, missing[:2], extra[:2])
    for message, where in sorted(misses.items(), key=lambda item: -len(item[1])):
        for one in where[: int(os.environ.get("SHOW", "1"))]:
            print(len(where), message, one)
    if os.environ.get("WORDS"):
        for (theirs, ours), times in same.most_common(30):
            print(times, "CPython:", theirs, "| ours:", ours)
    for name, number in totals.items():
        print(f"{number:8} {name}")


if __name__ == "__main__":
    main()
