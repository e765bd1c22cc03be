"""Names of files and patterns of the shell."""

import re

from _jitlens.python import unknown


def translate(pat):
    return unknown("str", "a regular expression for a pattern")


def _expression(pattern):
    out, at = [], 0
    while at < len(pattern):
        c = pattern[at]
        at += 1
        if c == "*":
            if not out or out[-1] != ".*":
                out.append(".*")
        elif c == "?":
            out.append(".")
        elif c == "[":
            first = at + 1 if pattern[at : at + 1] == "!" else at
            end = pattern.find("]", first + 1)
            if end < 0:
                out.append("\\[")
            else:
                out.append(_set(pattern[first:end], first > at))
                at = end + 1
        else:
            out.append(re.escape(c))
    return "".join(out)


def _set(within, is_negated):
    """One of the characters between the brackets of a pattern, or none of them."""
    chosen, at = [], 0
    while at < len(within):
        if at + 2 < len(within) and within[at + 1] == "-":
            low, high = within[at], within[at + 2]
            if low <= high:
                chosen.append(f"{_literal(low)}-{_literal(high)}")
            at += 3
        else:
            chosen.append(_literal(within[at]))
            at += 1
    if not chosen:
        return "." if is_negated else "(?!)"
    return f"[{'^' if is_negated else ''}{''.join(chosen)}]"


def _literal(c):
    return "\\" + c if c in "\\]^-[&~|" else c


_compiled = {}


def _matcher(pattern):
    if pattern not in _compiled:
        _compiled[pattern] = re.compile(_expression(pattern), re.DOTALL)
    return _compiled[pattern]


def fnmatchcase(name, pat):
    return _matcher(pat).fullmatch(name) is not None


fnmatch = fnmatchcase


def filter(names, pat):
    return [name for name in names if fnmatchcase(name, pat)]
