"""Paths as text; what stands in the file system is not known."""

from _jitlens.python import is_unknown, resolved_path, unknown

import os

__name__ = "posixpath"
sep = "/"
pathsep = ":"
curdir, pardir, extsep, altsep, devnull = ".", "..", ".", None, "/dev/null"


def _text(p):
    if isinstance(p, str) or is_unknown(p):
        return p
    if isinstance(p, bytes):
        return unknown("", "a path of bytes")
    if not hasattr(type(p), "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {type(p).__name__}")
    return p.__fspath__()


def join(a, *p):
    path = _text(a)
    for b in p:
        if not isinstance(b, (str, bytes)) and not is_unknown(b) and not hasattr(type(b), "__fspath__"):
            raise TypeError(f"join() argument must be str, bytes, or os.PathLike object, not {type(b).__name__!r}")
        b = _text(b)
        if is_unknown(path) or is_unknown(b):
            path = unknown("str", "a path")
        elif b.startswith("/"):
            path = b
        elif not path or path.endswith("/"):
            path = path + b
        else:
            path = path + "/" + b
    return path


def split(p):
    p = _text(p)
    i = p.rfind("/") + 1
    head, tail = p[:i], p[i:]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, tail


def basename(p):
    p = _text(p)
    return p[p.rfind("/") + 1 :]


def dirname(p):
    return split(p)[0] if not is_unknown(p) else unknown("str", "a path")


def splitext(p):
    p = _text(p)
    dot = p.rfind(".")
    start = p.rfind("/") + 1
    if dot > start and p[start:dot].strip(".") != "":
        return p[:dot], p[dot:]
    return p, ""


def splitdrive(p):
    return "", _text(p)


def isabs(s):
    return _text(s).startswith("/")


def normpath(path):
    path = _text(path)
    if path == "":
        return "."
    lead = "//" if path.startswith("//") and not path.startswith("///") else "/" if path.startswith("/") else ""
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != ".." or (not lead and not parts) or (parts and parts[-1] == ".."):
            parts.append(part)
        elif parts:
            parts.pop()
    return lead + "/".join(parts) or "."


def commonprefix(m):
    if not m:
        return ""
    m = m if isinstance(m[0], (list, tuple)) else [_text(p) for p in m]
    if any([is_unknown(p) for p in m]):
        return unknown("", "a path")
    a, b = min(m), max(m)
    n = 0
    while n < len(a) and n < len(b) and a[n] == b[n]:
        n += 1
    return a[:n]


def abspath(path):
    if not is_unknown(path) and isabs(path):
        return normpath(path)
    return unknown("str", "the working folder")


def expanduser(path):
    path = _text(path)
    if not is_unknown(path) and not path.startswith("~"):
        return path
    return unknown("str", "a place in the file system")


def expandvars(path):
    path = _text(path)
    if not is_unknown(path) and "$" not in path and "%" not in path:
        return path
    return unknown("str", "a place in the file system")


def realpath(filename, *, strict=False):
    return resolved_path(_text(filename))


def relpath(path, start=None):
    if not path:
        raise ValueError("no path specified")
    path, start = normpath(path), "." if start is None else normpath(start)
    if is_unknown(path) or is_unknown(start) or isabs(path) != isabs(start):
        return unknown("str", "a place in the file system")
    to, away = _names(path), _names(start)
    n = len(commonprefix([to, away]))
    if ".." in to[n:] or ".." in away[n:]:
        return unknown("str", "a place in the file system")
    return "/".join([".."] * (len(away) - n) + to[n:]) or "."


def _names(path):
    return [name for name in path.split("/") if name not in ("", ".")]


def commonpath(paths):
    if is_unknown(paths):
        return unknown("str", "a place in the file system")
    paths = [_text(path) for path in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    if any([is_unknown(path) for path in paths]):
        return unknown("str", "a place in the file system")
    if len({isabs(path) for path in paths}) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    return ("/" if isabs(paths[0]) else "") + "/".join(commonprefix([_names(path) for path in paths]))


def normcase(s):
    return _text(s)


def exists(path):
    return unknown("bool", "what stands in the file system")


lexists = isfile = islink = ismount = exists


def isdir(s):
    return unknown("bool", "what stands in the file system")


def samefile(f1, f2):
    return unknown("bool", "what stands in the file system")


def getsize(filename):
    return unknown("int", "the size of a file")


def getmtime(filename):
    return unknown("float", "the time of a file")


getctime = getatime = getmtime
