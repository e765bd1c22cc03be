use super::{check, check_all};
use crate::lower::lower_text;
use crate::module::{Body, Stmt};

#[test]
fn simple_statements() {
    check_all(&[
        ("a = b, *c = d", "a' = (b', *c') = d'"),
        ("(a), [b, (c,)] = d", "(a', (b', (c'))) = d'"),
        ("a.b[c] += d; e **= f", "a'.b[c'] Add= d'\ne' Pow= f'"),
        ("a: int = 1; b.c: str; (d): int", "a': int' = 1\nb'.c: str'\nd': int'"),
        ("a: dict[str, int] | None", "a': (dict'[Tuple(str', int')] BitOr None)"),
        ("del a, b.c, (d, [e])", "del a', b'.c, (d', (e'))"),
        ("assert a, b; raise; raise a from b", "assert a', b'\nraise - from -\nraise a' from b'"),
        ("pass; ...", "pass\n..."),
        ("x = yield_", "x' = yield_'"),
        (
            "type X = int",
            "from typing import _LazyAlias as ._LazyAlias'\nX' = ._LazyAlias'(\"X\", (lambda : int'), Tuple())",
        ),
    ]);
}

#[test]
fn imports() {
    check_all(&[
        ("import a.b.c, d as e", "import a.b.c as a', d as e'"),
        ("import a.b as c", "import a.b as c'"),
        ("from a.b import c as d, e", "from a.b import c as d', e as e'"),
        ("from . import (a, b as c,)", "from . import a as a', b as c'"),
        ("from ...a import *", "from ...a import *"),
        ("from __future__ import annotations", "from __future__ import annotations as annotations'"),
    ]);
    assert!(lower_text("from __future__ import annotations").future_annotations);
}

#[test]
fn blocks() {
    check(
        "if a: b\nelif c:\n  d\nelif e: f\nelse:\n  g\n",
        "if a'\n    b'\nelse\n    if c'\n        d'\n    else\n        if e'\n            f'\n        else\n            g'",
    );
    check(
        "for a, (b, *c) in d, *e:\n  break\nelse:\n  f\nwhile a: continue\n",
        "for (a', (b', *c')) in Tuple(d', *e')\n    break\nelse\n    f'\nwhile a'\n    continue",
    );
    check(
        "try:\n  a\nexcept b as c: d\nexcept (e, f):\n  g\nexcept: h\nelse: i\nfinally: j\n",
        "try\n    a'\nexcept b' as c'\n    d'\nexcept Tuple(e', f')\n    g'\nexcept\n    h'\nelse\n    i'\nfinally\n    j'",
    );
    check("try: a\nexcept* b: c\n", "try\n    a'\nexcept* b'\n    c'");
}

#[test]
fn with_statements() {
    check_all(&[
        ("with a as b, c: d", "with a' as b', c'\n    d'"),
        ("with (a as b, c as (d, e),): f", "with a' as b', c' as (d', e')\n    f'"),
        ("with (a, b): c", "with a', b'\n    c'"),
        ("with (a, b) as c: d", "with Tuple(a', b') as c'\n    d'"),
        ("with (a): b", "with a'\n    b'"),
        ("with (a\nas b): c", "with a' as b'\n    c'"),
        ("with (a := b, c): d", "with Tuple((a' := b'), c')\n    d'"),
    ]);
}

#[test]
fn definitions() {
    check(
        "@a\n@b.c(d)\ndef f(x, /, y: int = 1, *args, z=2, w, **kw) -> str:\n  return x\n",
        "@a' @b'.c(d') def f'(x, /, y: int'=1, *, z=2, w, *args, **kw) -> str'\n    return x",
    );
    check("@a\nclass A(B, *C, metaclass=D): pass\n", "@a' class A'(B', *C', metaclass=D')\n    pass");
    let module = lower_text("async def f():\n  \"\"\"Doc.\"\"\"\n  yield\nclass A:\n  'Doc' 'umentation'\n");
    let [_, f, a] = module.codes.iter().collect::<Vec<_>>()[..] else { panic!() };
    assert!(f.is_async && f.is_generator);
    assert_eq!(f.docstring.as_deref(), Some("Doc."));
    assert_eq!(a.docstring.as_deref(), Some("Documentation"));
    assert_eq!((f.name_span.start, f.name_span.end), (10, 11));
}

#[test]
fn type_parameters_are_hidden_variables() {
    check(
        "def f[T: int](x: T) -> T: pass\n",
        "from typing import TypeVar as .TypeVar'\n.T' = .TypeVar'(\"T\")\ndef f'(x: T') -> T'\n    pass",
    );
}

#[test]
fn defaults_of_type_parameters_are_left_out() {
    check(
        "class A[T: int = (1, 'x'), *Ts = *B[int, C[0]]]: pass\nx = y[a == b]\n",
        "from typing import TypeVar as .TypeVar'\n.T' = .TypeVar'(\"T\")\nfrom typing import TypeVarTuple as .TypeVarTuple'\n.Ts' = \
         .TypeVarTuple'(\"Ts\")\nfrom typing import Generic as .Generic'\n\
         class A'(.Generic'[Tuple(.T', .Ts')])\n    pass\nx' = y'[(a' Eq b')]",
    );
}

#[test]
fn patterns() {
    let case = |pattern: &str, expected: &str| {
        check(&format!("match x:\n  case {pattern}: pass\n"), &format!("match x'\ncase {expected}\n    pass"));
    };
    case("1 | -2.5 | 1 - 2j | 's' 't'", r#"(1 | (Neg 2.5) | (1 Sub 2.0j) | "st")"#);
    case("None | True", "(None | True)");
    case("a.b.c", "a'.b.c");
    case("_", "_");
    case("x if x", "x' if x'");
    case("a, *b", "[a', *b']");
    case("*_,", "[*_]");
    case("[a, (b), (c,)]", "[a', b', [c']]");
    case("()", "[]");
    case("{'k': v, 1: _, a.b: None, **r}", r#"{"k": v', 1: _, a'.b: None, **r'}"#);
    case("A.B(1, x=y, z=C() as d) as e", "(A'.B(1, x=y', z=(C'() as d')) as e')");
    check("match a, b:\n  case _: pass", "match Tuple(a', b')\ncase _\n    pass");
    check("match = case = type = 1; match[0](case)", "match' = case' = type' = 1\nmatch'[0](case')");
}

#[test]
fn long_chains_do_not_nest() {
    let text = format!("if a: pass\n{}", "elif b: pass\n".repeat(150));
    let module = lower_text(&text);
    assert_eq!(module.notes, []);
    let Body::Block(body) = &module.codes[0].body else { panic!() };
    assert!(matches!(module.stmt(body[0]), Stmt::If { .. }));
}
