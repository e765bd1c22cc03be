# -*- coding: utf-8 -*-
"""A little of everything that Python 3.11 can say."""
from __future__ import annotations

import a.b.c, d as e
import os.path as path
from . import sibling
from ..pkg.mod import (x as y, z,)
from math import *

ünïcödé = "ünïcödé 😀" 'adjacent' r"\raw" u'\u00e9\N{BULLET}\x41\101\
continued'
data = b"\x00\xff\n" rb'\x' + B'' ; semi = 1; colon = 2
numbers = [0, 00, 1_000, 0xFF_ff, 0o17, 0b1_0, 1., .5, 1e-10, 1_0.0_1E+5j, 2J, 123456789012345678901234567890]
"%s %s" % (1, 2), -1 ** -2, not a, ~b, +c
a = b = c, d = *e, f
a: int = 3
(b): str
c.d: list[int] | None
x[0]: Dict[str, Tuple[int, ...]] = {}
a += b; a -= b; a *= b; a @= b; a /= b; a //= b; a %= b; a **= b; a >>= b; a <<= b; a &= b; a ^= b; a |= b
a + b - c * d / e // f % g @ h ** i << j >> k & l | m ^ n
a & b ^ c & d | e ^ f & g
a < b <= c != d is not e not in f in g is h == i > j >= k
a and b and (c or d or e) and f
lambda: 0, lambda x, /, y=1, *args, z, w=2, **kw: (x, y, args, z, w, kw), lambda *, k: k
[i for i in range(10) if i if not i for j in i], {i for i in x}, {k: v for k, v in y}, (i async for i in z)
{1, 2, *a}, {1: 2, **b, 'c': d}, {}, (), (1,), [*a, *b.c, *d[0], *e(), *f | g]
x[1], x[1:2], x[::2], x[:, 1:, ..., None], x[*a], x[*a.b, 1:2], x[()], x[a,], x[lambda: 0]
f(), f(a, *b, c=d, **e), f(x for x in y), f(*a or b, **c | d), f(a)(b).c[d].e(f=g)
f"plain", f"{a}{b!r}{c:>{width}.{precision}}{d = !s:^10}{e:%H:%M}{{not}}{f['g']}{lambda_(1)}" "tail"
f'''{
    multi
    + line
}''', rf"\d{x}\{y}", f"{x!a}", f"{(lambda q: q)(1)}", f"{yes if no else maybe}"
(walrus := 3), [last := i for i in range(3)], (y := yield_) if (z := 1) else 2
print >>sys.stderr, "old"
type(x).y = match.case = print
match = case = type = _ = 1


@decorator
@module.decorator(argument, *args, key=value)
@(lambda f: f)
def function(pos, /, both, default: int = 3, *args: "Any", kw, kwdef: dict[str, int] = {}, **kwargs) -> None:
    """Docstring."""
    global g1, g2
    nonlocal_ = 1
    def inner():
        nonlocal nonlocal_
        nonlocal_ += both
        return default
    yield
    got = yield both, args
    yield from inner()
    del got, args[0], kw.attr, (a, [b])
    assert both, "message"
    assert kw
    raise
    raise ValueError
    raise ValueError("x") from None
    return *a, b


async def coroutine():
    async with a as b, c() as (d, e), f:
        pass
    async for i, *rest in aiter():
        await i ** 2
        continue
    else:
        await (y)
    return [await x async for x in y if await z]


class Class(Base, metaclass=Meta, *bases, **kw):
    __private: int = 0
    attr = __private

    def __init__(self, __x):
        super().__init__()
        self.__private = __x.__y
        print(__class__, attr)

    @property
    def method(self): return self.method

    class Nested: pass

    inner = [attr for attr in attr]


if a: pass
elif b:
    pass
elif c: x = 1
else:
    pass

while True:
    break
else:
    pass

for i in a, b, *c: continue
for (i, [j, *k]), l.m, n[0] in x:
    pass
else:
    pass

with (open(a) as f, open(b) as g,): pass
with (a, b): pass
with (a, b) as c: pass
with (yield_): pass
with a, b as c.d: pass

try:
    pass
except (A, B) as e: pass
except C:
    pass
except:
    pass
else:
    pass
finally:
    pass

try:
    pass
except* (A, B) as e:
    pass

match command.split(), x:
    case [1, -2, 3.5, 1 + 2j, -1 - 2j, "s" "t", b"b", None, True, False], _:
        pass
    case (a.b.c | d.e) as f, *rest:
        pass
    case {"key": value, 1: [x, y], a.b: None, **rest} if rest: pass
    case Point(x=0, y=Point() as p) | Point(p, z=-3): pass
    case [] | () | [_] | (_,): pass
    case str() as s, [*_]:
        pass
    case _: pass

	
if (a and
  b # comment
      ):
	tabbed = [
1,
# comment
    2]; \
	continued = 1 + \
      2
    
x = """multi
line""" if True else '''it's
"quoted"'''
