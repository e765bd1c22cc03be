use super::check_all;
use crate::lower::lower_text;

#[test]
fn numbers() {
    check_all(&[
        ("0, 00, 1_000, 0xFF_ff, 0o17, 0b1_0", "Tuple(0, 0, 1000, 65535, 15, 2)"),
        ("9223372036854775807, 9223372036854775808", "Tuple(9223372036854775807, 9223372036854775808n)"),
        ("0xffffffffffffffffffff", "1208925819614629174706175n"),
        ("1., .5, 1e-3, 1_0.0_1E+2, 1e400", "Tuple(1.0, 0.5, 0.001, 1001.0, inf)"),
        ("2j, 1.5J, 0_1j", "Tuple(2.0j, 1.5j, 1.0j)"),
        ("-1, 1if 2else 3", "Tuple((Neg 1), (1 if 2 else 3))"),
    ]);
}

#[test]
fn strings() {
    check_all(&[
        (r#"'a' "b" r'\n'"#, r#""ab\\n""#),
        (r"'\\ \' \n \t \x41 \101 \0 \u00e9 \U0001F600 \N{BULLET} \q'", r#""\\ ' \n \t A A \0 é 😀 • \\q""#),
        ("'a\\\nb'", r#""ab""#),
        ("'''a\r\nb\rc'''", r#""a\nb\nc""#),
        (r"r'\'', r'\\', r'''\'''', u'x'", r#"Tuple("\\'", "\\\\", "\\'", "x")"#),
        (r"b'\x00\xff\n\u0041' Rb'\x'", r#"b"\x00\xff\n\\u0041\\x""#),
        ("'' \"\"", r#""""#),
    ]);
}

#[test]
fn formatted_strings() {
    check_all(&[
        ("f'a{b}c' 'd{e}'", r#"f<"a" {b'} "cd{e}">"#),
        ("f'{a!r:>{w}.{p}}'", r#"f<{a'!r:<">" {w'} "." {p'}>}>"#),
        ("f'{a = }{b=!s:3}'", r#"f<"a = " {a'!r} "b=" {b'!s:<"3">}>"#),
        ("f'{{x}}{y:%H:%M}'", r#"f<"{x}" {y':<"%H:%M">}>"#),
        (r"rf'\d{x}\n' f'\x41{(lambda: 1)()}'", r#"f<"\\d" {x'} "\\nA" {(lambda : 1)()}>"#),
        ("f'{x:=+8}{(y:=1)}'", r#"f<{x':<"=+8">} {(y' := 1)}>"#),
        ("f'{a[\"b\"]}{a != b}{a, b}'", r#"f<{a'["b"]} {(a' NotEq b')} {Tuple(a', b')}>"#),
        ("f''", "f<>"),
        ("f'''{\na\n}'''", "f<{a'}>"),
    ]);
}

#[test]
fn operators() {
    check_all(&[
        ("a + b * c - d", "((a' Add (b' Mul c')) Sub d')"),
        ("-a ** -b ** c", "(Neg (a' Pow (Neg (b' Pow c'))))"),
        ("a | b & c ^ d & e << f", "(a' BitOr ((b' BitAnd c') BitXor (d' BitAnd (e' LShift f'))))"),
        ("not a in b", "(Not (a' In b'))"),
        ("a < b <= c is not d not in e", "(a' Lt b' LtE c' IsNot d' NotIn e')"),
        ("(a < b) < c", "((a' Lt b') Lt c')"),
        ("a and b and c or d", "Or(And(a', b', c'), d')"),
        ("(a and b) and c", "And(And(a', b'), c')"),
        ("a if b else c if d else e", "(a' if b' else (c' if d' else e'))"),
        ("a @ b // c % d", "(((a' MatMul b') FloorDiv c') Mod d')"),
        ("~a, +b", "Tuple((Invert a'), (Pos b'))"),
        ("a.b[c](d).e", "a'.b[c'](d').e"),
    ]);
}

#[test]
fn displays_and_stars() {
    check_all(&[
        ("[*a.b, *c(d), *e | f]", "[*a'.b, *c'(d'), *(e' BitOr f')]"),
        ("*a, b", "Tuple(*a', b')"),
        ("x = *a.b, c", "x' = Tuple(*a'.b, c')"),
        ("(), (a,), ((a))", "Tuple(Tuple(), Tuple(a'), a')"),
        ("{}, {a}, {a: b, **c}", "Tuple({}, Set(a'), {a': b', **c'})"),
        ("f(a, *b.c, d=e, **g | h)", "f'(a', *b'.c, d=e', **(g' BitOr h'))"),
        ("a[b:c, ::d, ...]", "a'[Tuple(b':c':-, -:-:d', ...)]"),
        ("a[*b.c], a[*b, c], a[b,], a[()]", "Tuple(a'[Tuple(*b'.c)], a'[Tuple(*b', c')], a'[Tuple(b')], a'[Tuple()])"),
        ("a[*(b for b in c)]", "a'[Tuple(*Gen<b for b in c'>)]"),
        ("print >>a, b", "Tuple((print' RShift a'), b')"),
        ("type(x).y = type[z]", "type'(x').y = type'[z']"),
    ]);
}

#[test]
fn functions_and_comprehensions() {
    check_all(&[
        ("lambda a, /, b=c, *d, e, f=g, **h: a", "(lambda a, /, b=c', *, e, f=g', *d, **h: a)"),
        ("lambda: (yield)", "(lambda : (yield -))"),
        ("[a for b, c in d if e if f for g in b]", "List<a' for (b, c) in d' if e' if f' for g in b>"),
        ("{a: b for a, b in c}, {a for a in b}", "Tuple(Dict<a: b for (a, b) in c'>, Set<a for a in b'>)"),
        ("f(a for a in b)", "f'(Gen<a for a in b'>)"),
        ("(a := b)", "(a' := b')"),
        ("async def f():\n  await a ** b\n  await a.b(c)", "def f'()\n    ((await a') Pow b')\n    (await a'.b(c'))"),
    ]);
}

#[test]
fn ranges() {
    // Each expression's text, in the order in which the expressions are made.
    let texts = |text: &'static str| -> Vec<&'static str> {
        let module = lower_text(text);
        assert_eq!(module.notes, []);
        module.expr_spans.iter().map(|span| &text[span.start as usize..span.end as usize]).collect()
    };
    assert_eq!(texts("(a) + (b)"), ["a", "b", "(a) + (b)"]);
    assert_eq!(texts("x = (a, b)"), ["a", "b", "(a, b)"]);
    assert_eq!(texts("x = a, (b),"), ["a", "b", "a, (b),"]);
    assert_eq!(texts("f(x for x in y)")[..2], ["f", "y"]);
    assert_eq!(texts("f(x for x in y)")[3..], ["(x for x in y)", "f(x for x in y)"]);
    assert_eq!(texts("a[b, c,]"), ["a", "b", "c", "b, c,", "a[b, c,]"]);
    assert_eq!(texts("'a'  'b'"), ["'a'  'b'"]);
    assert_eq!(texts("a < (b) < c"), ["a", "b", "c", "a < (b) < c"]);
    assert_eq!(texts("é.ü"), ["é", "é.ü"]);
    assert_eq!(texts("\u{feff}a"), ["a"]);
    assert_eq!(texts("(a\r\n .b)"), ["a", "a\r\n .b"]);
    assert_eq!(texts("a \\\n + b"), ["a", "b", "a \\\n + b"]);
    assert_eq!(texts("f'{ a + b }'"), ["a", "b", "a + b", "f'{ a + b }'"]);
    assert_eq!(texts("x: (A) | B[C] | D = 1")[1..], ["A", "B", "C", "B[C]", "(A) | B[C]", "D", "(A) | B[C] | D"]);
}
