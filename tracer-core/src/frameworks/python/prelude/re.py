"""Regular expressions."""

from sys import maxsize as _END

from _jitlens.python import is_unknown, regex_compile, regex_find, regex_names, unknown



class RegexFlag(int):
    def __repr__(self):
        names = [name for name, flag in _FLAG_NAMES if self & flag]
        return "|".join(names) or "re.NOFLAG"

    __str__ = __repr__

    def __format__(self, spec):
        return format(str(self), spec)

    def __or__(self, other):
        return RegexFlag(int(self) | int(other))

    def __and__(self, other):
        return int(self) & int(other)

    __ror__, __rand__ = __or__, __and__

    @property
    def value(self):
        return int(self)

    @property
    def name(self):
        return repr(self).replace("re.", "") if self else None


NOFLAG = RegexFlag(0)
IGNORECASE = I = RegexFlag(2)
LOCALE = L = RegexFlag(4)
MULTILINE = M = RegexFlag(8)
DOTALL = S = RegexFlag(16)
UNICODE = U = RegexFlag(32)
VERBOSE = X = RegexFlag(64)
ASCII = A = RegexFlag(256)
for _name in "NOFLAG IGNORECASE I LOCALE L MULTILINE M DOTALL S UNICODE U VERBOSE X ASCII A".split():
    setattr(RegexFlag, _name, globals()[_name])


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        super().__init__(msg if pos is None else f"{msg} at position {pos}")
        self.msg, self.pattern, self.pos = msg, pattern, pos


class Match:
    def __init__(self, pattern, string, spans, pos=0, endpos=_END):
        self.re = pattern
        self.string = string
        self._spans = spans
        self.pos, self._most = pos, endpos

    @property
    def endpos(self):
        return min(max(self._most, 0), len(self.string))

    @property
    def regs(self):
        return tuple(self._spans)

    def _index(self, group):
        if isinstance(group, str):
            if group not in self.re._names:
                raise IndexError("no such group")
            return self.re._names.index(group)
        if not 0 <= group < len(self._spans):
            raise IndexError("no such group")
        return group

    def _text(self, group, default=None):
        start, end = self._spans[self._index(group)]
        return default if start < 0 else self.string[start:end]

    def group(self, *groups):
        if len(groups) <= 1:
            return self._text(groups[0] if groups else 0)
        return tuple([self._text(g) for g in groups])

    def __getitem__(self, group):
        return self._text(group)

    def groups(self, default=None):
        return tuple([self._text(i, default) for i in range(1, len(self._spans))])

    def groupdict(self, default=None):
        return {n: self._text(n, default) for n in self.re._names if n is not None}

    def start(self, group=0):
        return self._spans[self._index(group)][0]

    def end(self, group=0):
        return self._spans[self._index(group)][1]

    def span(self, group=0):
        return self._spans[self._index(group)]

    @property
    def lastindex(self):
        """The group that was closed last."""
        taken = [i for i in range(1, len(self._spans)) if self._spans[i][0] >= 0]
        if len(taken) < 2:
            return taken[0] if taken else None
        if any([ahead in self.re.pattern for ahead in ("(?=", "(?!", "(?<=", "(?<!")]):
            return unknown("int", "which group of a pattern that looks around was closed last")
        last = max([self._spans[i][1] for i in taken])
        closed = self.re._closed()
        return max([i for i in taken if self._spans[i][1] == last], key=closed.index)

    @property
    def lastgroup(self):
        last = self.lastindex
        return None if last is None else self.re._names[last]

    def expand(self, template):
        return _expand(template, self)

    def __repr__(self):
        return f"<re.Match object; span={self.span()!r}, match={self.group()!r}>"


class Pattern:
    def __init__(self, pattern, flags):
        self.pattern = pattern
        self.flags = flags
        if flags & ASCII and isinstance(pattern, str):
            pattern = _ascii(pattern)
        if isinstance(pattern, str) and not flags & VERBOSE and "\n" not in pattern and "(?" not in pattern:
            _check(pattern)
        self._regex = regex_compile(pattern, flags)
        self._start = regex_compile(f"\\A(?:{pattern})", flags)
        self._whole = regex_compile(f"\\A(?:{pattern})\\z", flags)
        self._names = regex_names(self._regex)
        self.flags = _all_flags(self.pattern, flags)

    def __eq__(self, other):
        return (self.pattern, self.flags) == (other.pattern, other.flags) if isinstance(other, Pattern) else NotImplemented

    def __hash__(self):
        return hash((self.pattern, self.flags))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo, /):
        return self

    def _closed(self):
        """Its groups in the order in which they end."""
        found, opened, count = [], [], 0
        pattern, at = self.pattern, 0
        while at < len(pattern):
            c = pattern[at]
            at += 1
            if c == "\\":
                at += 1
            elif c == "[":
                at += pattern[at] == "^"
                first = at
                while pattern[at] != "]" or at == first:
                    at += 2 if pattern[at] == "\\" else 1
                at += 1
            elif c == "(":
                is_group = pattern[at : at + 1] != "?" or pattern[at : at + 3] == "?P<"
                count += is_group
                opened.append(count if is_group else None)
            elif c == ")":
                found.append(opened.pop())
        return [group for group in found if group is not None]

    @property
    def groups(self):
        return len(self._names) - 1

    @property
    def groupindex(self):
        return {n: i for i, n in enumerate(self._names) if n is not None}

    def search(self, string, pos=0, endpos=_END):
        _be_text(string)
        pos = max(pos, 0)
        text = string if endpos >= len(string) else string[: max(endpos, 0)]
        spans = regex_find(self._regex, text, pos) if pos <= len(text) else None
        return None if spans is None else Match(self, string, spans, pos, endpos)

    def _anchored(self, regex, string, pos, endpos):
        _be_text(string)
        pos = max(pos, 0)
        spans = regex_find(regex, string[pos:] if endpos >= len(string) else string[pos : max(endpos, 0)], 0)
        if spans is None or pos > min(len(string), endpos):
            return None
        return Match(self, string, [(a + pos, b + pos) if a >= 0 else (a, b) for a, b in spans], pos, endpos)

    def match(self, string, pos=0, endpos=_END):
        return self._anchored(self._start, string, pos, endpos)

    def fullmatch(self, string, pos=0, endpos=_END):
        return self._anchored(self._whole, string, pos, endpos)

    def _all(self, string, pos=0, endpos=_END):
        _be_text(string)
        found, at = [], max(pos, 0)
        while at <= min(len(string), endpos):
            one = self.search(string, at, endpos)
            if one is None:
                break
            found.append(one)
            start, end = one.span()
            at = end if end > start else end + 1
        return found

    def finditer(self, string, pos=0, endpos=_END):
        return iter(self._all(string, pos, endpos))

    def findall(self, string, pos=0, endpos=_END):
        found = self._all(string, pos, endpos)
        if self.groups == 0:
            return [m.group() for m in found]
        if self.groups == 1:
            return [m._text(1, "") for m in found]
        return [m.groups("") for m in found]

    def subn(self, repl, string, count=0):
        out, at, n = [], 0, 0
        for one in self._all(string):
            if count and n >= count:
                break
            out.append(string[at : one.start()])
            out.append(repl(one) if callable(repl) else _expand(repl, one))
            at = one.end()
            n += 1
        out.append(string[at:])
        return "".join(out), n

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def split(self, string, maxsplit=0):
        out, at, n = [], 0, 0
        for one in self._all(string):
            if maxsplit and n >= maxsplit:
                break
            out.append(string[at : one.start()])
            out.extend(one.groups())
            at = one.end()
            n += 1
        out.append(string[at:])
        return out

    def __repr__(self):
        names = [name for name, flag in _FLAG_NAMES if self.flags & flag and (flag != UNICODE or not isinstance(self.pattern, str))]
        text = f"{self.pattern!r}"[:200]
        return f"re.compile({text}, {'|'.join(names)})" if names else f"re.compile({text})"


_FLAG_NAMES = (
    ("re.IGNORECASE", 2), ("re.LOCALE", 4), ("re.MULTILINE", 8), ("re.DOTALL", 16), ("re.UNICODE", 32), ("re.VERBOSE", 64), ("re.ASCII", 256),
)


def _be_text(string):
    if not is_unknown(string) and not isinstance(string, (str, bytes, bytearray)):
        raise TypeError(f"expected string or bytes-like object, got {type(string).__name__!r}")


_CLASSES = {"w": "a-zA-Z0-9_", "d": "0-9", "s": " \\t\\n\\r\\f\\v"}


def _ascii(pattern):
    """A pattern whose classes are those of ASCII."""
    out, at, inside = [], 0, False
    while at < len(pattern):
        c = pattern[at]
        at += 1
        if c == "\\" and at < len(pattern):
            c = pattern[at]
            at += 1
            if c in "wds":
                out.append(_CLASSES[c] if inside else f"[{_CLASSES[c]}]")
            elif c in "WDS" and not inside:
                out.append(f"[^{_CLASSES[c.lower()]}]")
            else:
                out.append("\\" + c)
            continue
        out.append(c)
        if c == "[" and not inside:
            inside = True
            while pattern[at : at + 1] in ("^", "]") and pattern[at - 1] in ("[", "^"):
                out.append(pattern[at])
                at += 1
        elif c == "]":
            inside = False
    return "".join(out)


def _all_flags(pattern, flags):
    """The flags of a pattern, those in its text among them."""
    if not isinstance(pattern, str):
        return flags
    if pattern.startswith("(?"):
        letters = pattern[2:].partition(")")[0]
        if letters and all([c in "aiLmsux" for c in letters]):
            for c in letters:
                flags |= {"a": ASCII, "i": I, "L": L, "m": M, "s": S, "u": U, "x": X}[c]
    return int(flags) if flags & ASCII else int(flags) | int(UNICODE)


def _expand(template, match):
    if "\\" not in template:
        return template
    out, i = [], 0
    while i < len(template):
        c = template[i]
        i += 1
        if c != "\\":
            out.append(c)
            continue
        c = template[i]
        i += 1
        if c == "g":
            end = template.index(">", i)
            name = template[i + 1 : end]
            i = end + 1
            out.append(match._text(int(name) if name.isdigit() else name, ""))
        elif c.isdigit():
            while i < len(template) and template[i].isdigit() and len(c) < 2:
                c += template[i]
                i += 1
            if int(c) >= len(match._spans):
                raise error(f"invalid group reference {int(c)}", template, i - len(c))
            out.append(match._text(int(c), ""))
        else:
            out.append({"n": "\n", "t": "\t", "r": "\r", "\\": "\\"}.get(c, "\\" + c))
    return "".join(out)


def _check(pattern):
    """Raises what Python says of the parentheses, sets and repetitions of a pattern that is not right."""
    opened, at, end = [], 0, len(pattern)
    # What a repetition would stand behind: nothing, an item, or another repetition.
    before = ""
    while at < end:
        here, c = at, pattern[at]
        at += 1
        if c == "\\":
            if at == end:
                raise error("bad escape (end of pattern)", pattern, here)
            at += 1
            before = "item"
        elif c == "[":
            if at < end and pattern[at] == "^":
                at += 1
            first = at
            while at < end and (pattern[at] != "]" or at == first):
                at += 2 if pattern[at] == "\\" else 1
            if at >= end:
                raise error("unterminated character set", pattern, here)
            at += 1
            before = "item"
        elif c == "(":
            opened.append(here)
            before = ""
        elif c == ")":
            if not opened:
                raise error("unbalanced parenthesis", pattern, here)
            opened.pop()
            before = "item"
        elif c == "|":
            before = ""
        elif c in "*+?":
            if before == "":
                raise error("nothing to repeat", pattern, here)
            if before == "repetition":
                raise error("multiple repeat", pattern, here)
            before = "repetition"
            # Lazy and possessive ones.
            if at < end and pattern[at] in "?+":
                at += 1
        elif c == "{" and "}" in pattern[at:]:
            # A count, or a text.
            before = "anything"
        else:
            before = "item" if c != "^" else ""
    if opened:
        raise error("missing ), unterminated subpattern", pattern, opened[-1])


_cache = {}


def compile(pattern, flags=0):
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not is_unknown(flags) and isinstance(flags, int):
        flags = int(flags)
    key = (pattern, flags)
    if key not in _cache:
        _cache[key] = Pattern(pattern, flags)
    return _cache[key]


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def escape(pattern):
    return "".join(["\\" + c if c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else c for c in pattern])


def purge():
    _cache.clear()
