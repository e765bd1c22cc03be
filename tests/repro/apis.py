"""Holds the programs of `cases` to the list of all APIs that take functions: two programs for each, nested three deep, with closures.

`apis.txt` has a line for each API: its name, what else it is called in programs, and, behind `-`, why there is no program of it.
"""

import ast
import symtable

from shared import HERE

FEWEST = 2
DEEPEST = 3


def listed():
    """The APIs by name: how programs call them, and why they have none."""
    found = {}
    for line in (HERE / "apis.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            names, _, why = line.partition(" - ")
            name, *others = names.split()
            found[name] = ({name.split(".")[-1], *others}, why.strip())
    return found


def used(tree):
    """The names by which a program calls functions and methods, or hands them on."""
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)} | {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def depth(node):
    """So many functions of a program stand inside of each other."""
    inner = max((depth(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, (ast.FunctionDef, ast.Lambda))


def closes(table):
    """Whether a function uses what a function around it has."""
    own = table.get_type() == "function" and any(symbol.is_free() for symbol in table.get_symbols())
    return own or any(map(closes, table.get_children()))


def apis(options):
    programs, plain = {}, []
    for path in sorted((HERE / "cases").glob("*.py")):
        text = path.read_text()
        tree = ast.parse(text)
        programs[path.stem] = used(tree)
        if depth(tree) < DEEPEST or not closes(symtable.symtable(text, path.name, "exec")):
            plain.append(path.stem)
    rows = listed()
    wanted = {name: names for name, (names, why) in rows.items() if not why}
    found = {name: [program for program, uses in programs.items() if uses & names] for name, names in wanted.items()}
    few = [name for name, all in found.items() if len(all) < FEWEST]
    for name in few if options.list else []:
        print(f"{name}: {', '.join(found[name]) or 'no program'}")
    for name in plain if options.list else []:
        print(f"{name}: functions are not nested {DEEPEST} deep, or close over nothing")
    print(f"{len(rows)} APIs that take functions: {len(wanted) - len(few)} with at least {FEWEST} programs, {len(few)} with fewer,")
    print(f"{len(rows) - len(wanted)} that this machine's CPU cannot run or no program calls; {len(programs) - len(plain)} of {len(programs)} programs")
    print(f"are nested {DEEPEST} deep with closures")
    return 100 * (len(wanted) - len(few)) / len(wanted)
