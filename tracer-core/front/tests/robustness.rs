//! Whatever the text, lowering ends, never panics, and gives a module that hangs together.

use jitlens_front::lower::{lower, lower_text};
use jitlens_front::module::{CodeId, Expr, MODULE_CODE, Module, Part, Place, Target};
use jitlens_front::syntax::SyntaxTree;
use jitlens_front::text::Span;

const EVERYTHING: &str = include_str!("samples/everything.py");

/// Lowers a text and checks what every module has to be.
fn check(text: &str) -> Module {
    let module = lower_text(text);
    let whole = |span: Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && end <= text.len(), "{span:?} of {}", text.len());
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{span:?}");
    };
    assert_eq!(module.exprs.len(), module.expr_spans.len());
    assert_eq!(module.stmts.len(), module.stmt_spans.len());
    module.expr_spans.iter().chain(&module.stmt_spans).for_each(|span| whole(*span));
    module.notes.iter().for_each(|note| whole(note.span));
    let mut seen = vec![false; module.codes.len()];
    code(&module, MODULE_CODE, &mut seen);
    for code in module.codes.iter() {
        for (_, cell) in &code.cell_params {
            assert!((*cell as usize) < code.cells.len());
        }
    }
    module
}

fn code(module: &Module, id: CodeId, seen: &mut [bool]) {
    assert!(!std::mem::replace(&mut seen[id.index()], true), "a code is used twice");
    let mut inner = Vec::new();
    module.code(id).parts(&mut |part| walk(module, id, part, &mut inner));
    for (inner, annotations) in inner {
        for annotation in annotations {
            walk(module, id, Part::Expr(annotation), &mut Vec::new());
        }
        let outer = module.code(id);
        for (_, cell) in &module.code(inner).frees {
            assert!((*cell as usize) < outer.cells.len() + outer.frees.len());
        }
        code(module, inner, seen);
    }
}

type Inner = Vec<(CodeId, Vec<jitlens_front::module::ExprId>)>;

fn walk(module: &Module, at: CodeId, part: Part<'_>, inner: &mut Inner) {
    match part {
        Part::Expr(id) => {
            if let Expr::Name(to, _) | Expr::Walrus(to, ..) = module.expr(id) {
                place(module, at, *to);
            }
            module.expr(id).parts(&mut |part| walk(module, at, part, inner));
        }
        Part::Stmt(id) => module.stmt(id).parts(&mut |part| walk(module, at, part, inner)),
        Part::Code(id) => inner.push((id, module.code(id).annotations().collect())),
        Part::Target(target) => {
            if let Target::Name(to, ..) = target {
                place(module, at, *to);
            }
            target.parts(&mut |part| walk(module, at, part, inner));
        }
        Part::Pattern(pattern) => pattern.parts(&mut |part| walk(module, at, part, inner)),
        Part::Bound(to, _) => place(module, at, to),
    }
}

fn place(module: &Module, at: CodeId, place: Place) {
    let code = module.code(at);
    let cells = code.cells.len() + code.frees.len();
    match place {
        Place::Local(slot) => assert!((slot as usize) < code.locals.len()),
        Place::Cell(slot) | Place::ClassOrCell(_, slot) => assert!((slot as usize) < cells),
        Place::Global(slot) | Place::ClassOrGlobal(_, slot) => {
            assert!((slot as usize) < module.globals.len())
        }
    }
}

/// A generator of numbers that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn cut(text: &str, mut at: usize) -> &str {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    &text[..at]
}

#[test]
fn everything_lowers_without_a_note() {
    let module = check(EVERYTHING);
    assert_eq!(module.notes, []);
    let bytes = postcard::to_stdvec(&module).unwrap();
    let back: Module = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(format!("{module:?}"), format!("{back:?}"));
}

#[test]
fn a_text_cut_anywhere_lowers() {
    for at in (0..EVERYTHING.len()).step_by(7) {
        check(cut(EVERYTHING, at));
    }
    // Without its beginning, strings and blocks are turned inside out.
    for at in (0..EVERYTHING.len()).step_by(61) {
        check(&EVERYTHING[cut(EVERYTHING, at).len()..]);
    }
}

#[test]
fn a_mutated_text_lowers() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let junk = b"()[]{}:;,.='\"\\#@*+-!$?~`|&%^<> \t\n\r\x0c\0\xe9azAZ_09fbr";
    for _ in 0..150 {
        let mut bytes = EVERYTHING.as_bytes().to_vec();
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(bytes.len());
            match numbers.below(4) {
                0 => bytes[at] = junk[numbers.below(junk.len())],
                1 => bytes.insert(at, junk[numbers.below(junk.len())]),
                2 => {
                    bytes.remove(at);
                }
                _ => {
                    let end = (at + numbers.below(60)).min(bytes.len());
                    bytes.drain(at..end);
                }
            }
        }
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn junk_lowers() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..numbers.below(400)).map(|_| numbers.below(256) as u8).collect();
        check(&String::from_utf8_lossy(&bytes));
    }
    let words = [
        "def",
        "class",
        "if",
        "else",
        ":",
        "\n",
        "\n    ",
        "\n        ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "=",
        "x",
        "1",
        "\"",
        "'''",
        "f'{",
        "}'",
        "lambda",
        "for",
        "in",
        "import",
        "from",
        ".",
        ",",
        "*",
        "**",
        "not",
        "async",
        "await",
        "match",
        "case",
        "with",
        "as",
        "try",
        "except",
        "finally",
        "@",
        "return",
        "yield",
        "\\\n",
        "#",
        "->",
        ":=",
        ";",
        "type",
        "global",
        "print",
        "del",
        "é",
        "while",
        "elif",
        "and",
        "-",
        "\t",
    ];
    for _ in 0..600 {
        let mut text = String::new();
        for _ in 0..numbers.below(40) {
            text.push_str(words[numbers.below(words.len())]);
            if numbers.below(3) > 0 {
                text.push(' ');
            }
        }
        check(&text);
    }
}

#[test]
fn deep_nesting_ends() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{1:", "}"),
        ("f(", ")"),
        ("x[", "]"),
        ("-", ""),
        ("not ", ""),
        ("lambda: ", ""),
        ("await ", ""),
        ("*", ""),
        ("x if y else ", ""),
        ("[x for x in ", "]"),
        ("f'{", "}'"),
        ("x.", ""),
        ("x + ", ""),
        ("x ** ", ""),
        ("x and ", ""),
        ("x and y or ", ""),
        ("x & y ^ ", ""),
        ("x < ", ""),
        ("x = ", ""),
        ("x, ", ""),
        ("(x, *", ")"),
        ("type(", ").x = 1"),
        ("a: A[", "]"),
        ("x: (", ")"),
        ("with (", "): pass"),
        ("for (", ",) in x: pass"),
        ("match x:\n case [", "]: pass"),
        ("del (", ")"),
    ] {
        for depth in [50, 250, 1000] {
            let text = format!("{}x{}\ny = 1\n", open.repeat(depth), close.repeat(depth));
            check(&text);
            check(&open.repeat(depth));
            check(&close.repeat(depth));
        }
    }
    for header in ["if x:", "def f():", "class A:", "with x:", "try:", "match x:", "else:", "@x", "case 1:"] {
        for depth in [50, 110, 250] {
            let mut text = String::new();
            for level in 0..depth {
                text.push_str(&" ".repeat(level));
                text.push_str(header);
                text.push('\n');
            }
            check(&text);
        }
    }
    let chain = |link: &str, count: usize| check(&format!("x = x{}\n", link.repeat(count)));
    for link in [".a", "()", "[0]", " + x", " and x", " | x & x ^ x", ".a(b)[c]", " == x"] {
        assert_eq!(chain(link, 500).notes, []);
        chain(link, 4_000);
    }
    check(&"if x: pass\nelif y: pass\n".repeat(200));
    check(&format!("if x: pass\n{}", "elif y: pass\n".repeat(3000)));
    check(&"def f(x,\n".repeat(500));
    check(&"'''".repeat(501));
    check(&"\\\n".repeat(1000));
}

#[test]
fn long_texts_are_read_where_they_are_right() {
    let numbers = format!("data = [\n{}]\n", "    12345, 678,\n".repeat(200_000));
    assert!(numbers.len() > 2 << 20);
    assert!(lower_text(&numbers).notes.is_empty());
    assert_eq!(lower_text(&numbers).exprs.len(), 400_001);
    let wrong = lower_text(&format!("{numbers}def f(:\n    pass\n"));
    assert!(!wrong.notes.is_empty());
    assert!(lower_text(&"# comment\n".repeat(2 << 20)).notes.iter().any(|note| note.message.contains("too long")));
}

#[test]
fn an_edited_tree_is_the_tree_of_the_text() {
    let mut numbers = Numbers(0xdead_beef_cafe_f00d);
    let mut text = EVERYTHING.to_string();
    let mut tree = SyntaxTree::parse(&text);
    let pieces = ["x", "(", ")", "\n", "    ", "'", ":", "y = 1\n", "def f():\n    pass\n", " + ", "#", "é", "[0]"];
    for round in 0..90 {
        let start = cut(&text, numbers.below(text.len())).len();
        let end = cut(&text, (start + numbers.below(12)).min(text.len())).len().max(start);
        let mut edited = text.clone();
        edited.replace_range(start..end, pieces[numbers.below(pieces.len())]);
        tree = tree.reparse(&edited);
        let warm = lower(&tree, &edited);
        let cold = lower_text(&edited);
        assert_eq!(format!("{warm:?}"), format!("{cold:?}"), "round {round}");
        // Half of the edits are taken back, so that the text stays Python for the most part.
        if numbers.below(2) == 0 {
            text = edited;
        } else {
            tree = tree.reparse(&text);
        }
        if round % 30 == 29 {
            text = EVERYTHING.to_string();
        }
    }
}
