//! A text lowered with bodies that come later is the text lowered at once.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

/// What a module holds besides its expressions: its codes, with those of bodies that came later, as text.
fn codes(module: &Module, found: &mut BTreeSet<String>) {
    let names = |names: &[Symbol]| names.iter().map(Symbol::to_string).collect::<Vec<_>>().join(" ");
    for code in module.codes.iter() {
        let frees = code.frees.iter().map(|(name, cell)| format!("{name}{cell}")).collect::<Vec<_>>().join(" ");
        let params: Vec<Symbol> = code.params.names.iter().map(|param| param.name).collect();
        let (span, docstring) = (code.span, &code.docstring);
        let code_text = |code: &Code| {
            format!(
                "{:?} {} {} ({}) [{}] cells [{}] {:?} frees [{frees}] {:?} {docstring:?} {span:?} {:?}",
                code.kind,
                code.name,
                code.qualname,
                names(&params),
                names(&code.locals),
                names(&code.cells),
                code.cell_params,
                code.class_cell,
                code.name_span,
            )
        };
        match code.body {
            Body::Later(at) => {
                let later = module.later_body(at);
                let made = later.module.code(later.code);
                assert_eq!((made.span, made.qualname, made.name_span), (span, code.qualname, code.name_span));
                codes(&later.module, found);
            }
            _ if code.kind == CodeKind::Module => {}
            _ => drop(found.insert(code_text(code))),
        }
    }
}

/// The ranges of all expressions.
fn spans(module: &Module, found: &mut BTreeSet<(u32, u32)>) {
    found.extend(module.expr_spans.iter().map(|span| (span.start, span.end)));
    for at in 0..module.later_len() {
        spans(&module.later_body(at).module, found);
    }
}

/// Checks that an outline says the same as the whole, and returns how many bodies come later.
#[track_caller]
fn check(text: &str) -> u32 {
    let (whole, outline) = (lower_text(text), lower_outline(&Arc::from(text)));
    assert_eq!(print::print(&whole), print::print(&outline));
    let (mut first, mut second) = (BTreeSet::new(), BTreeSet::new());
    codes(&whole, &mut first);
    codes(&outline, &mut second);
    assert_eq!(first, second);
    let (mut first, mut second) = (BTreeSet::new(), BTreeSet::new());
    spans(&whole, &mut first);
    spans(&outline, &mut second);
    assert_eq!(first, second);
    outline.later_len()
}

#[test]
fn bodies_that_can_wait_come_later() {
    let text = "\
import numpy as np
LIMIT = 3

def first(a, b=lambda x: x + LIMIT, *rest: int, c: str = 'c', **more) -> float:
    \"\"\"What it does.\"\"\"
    total = sum(later_name(x) for x in rest)
    def inner(y):
        return [a + y + z for z in more] # a comment
    return inner(total), unbound_name

class A(Base, metaclass=Meta):
    field: int = 1

    @property
    def method(self):
        '''Text with
    less indented lines
'''
        self.__private = self.field + other_name
        return lambda: (self.__private,
    LIMIT)

    class B:
        def deep(self, x):
            if x:
                return np.where(x, self, 'something longer than that')

if LIMIT:
\tdef second(x):
\t\tfor i in range(x):
\t\t\twhile i: print(i); i -= 1
\t\treturn first(LIMIT)
else:
    second = None
";
    assert_eq!(check(text), 4);
}

#[test]
fn bodies_that_say_more_than_what_a_call_does_are_lowered_at_once() {
    let long = "\n    print('so that it is long enough to wait')\n";
    for text in [
        format!("def f():\n    yield 1{long}"),
        format!("x = 1\ndef f():\n    global x\n    x = 2{long}"),
        format!("async def f():\n    await g(){long}"),
        format!("def f[T](x: T):\n    return T{long}"),
        "class A:\n    def f(self):\n        return super().f() + 'so that it is long enough'\n".into(),
        "class A:\n    def f(self):\n        return __class__, 'so that it is long enough to wait'\n".into(),
        "class A[T]:\n    def f(self, x):\n        return isinstance(x, T), 'long enough to wait'\n".into(),
        format!("def f():\n    return (1,{long}"),
        "def f(): return 'this stands on the line of its header, however long it is'\n".into(),
        "def f():\n    pass\n".into(),
    ] {
        assert_eq!(check(&text), 0, "{text}");
    }
}

#[test]
fn slots_of_names_that_only_later_bodies_mention_do_not_collide() {
    let body = |name: &str| format!("    return known, {name}, 'so that it is long enough to wait'\n");
    let text = format!("known = 1\ndef f():\n{}def g():\n{}", body("one"), body("two"));
    let mut module = lower_outline(&Arc::from(&*text));
    let slots = |module: &Module, at: u32| {
        let exprs = &module.later_body(at).module.exprs;
        let slot = |expr: &Expr| match expr {
            Expr::Name(Place::Global(slot), name) => Some((name.to_string(), *slot)),
            _ => None,
        };
        exprs.iter().filter_map(slot).collect::<Vec<_>>()
    };
    let (f, g) = (slots(&module, 0), slots(&module, 1));
    let known = module.globals.iter().position(|name| name == "known").unwrap() as u32;
    assert!(f[0] == ("known".into(), known) && g[0] == f[0], "{f:?} {g:?}");
    assert!(f[1].1 != g[1].1 && f[1].1 >= module.globals.len() as u32);
    // Where they are stored, the module has them all.
    module.store_later(|_| (0, 0));
    assert_eq!((module.globals[f[1].1 as usize].as_str(), module.globals[g[1].1 as usize].as_str()), ("one", "two"));
}

/// The texts of all Python files below a folder of the repository.
fn texts(folder: &str) -> Vec<String> {
    let (mut texts, mut waiting) = (Vec::new(), vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)]);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).unwrap().flatten().map(|entry| entry.path()));
        } else if path.extension().is_some_and(|e| e == "py") {
            texts.push(std::fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

#[test]
fn preludes_have_the_same_outline() {
    let texts = texts("tracer-core/src/frameworks");
    let later: u32 = texts.iter().map(|text| check(text)).sum();
    assert!(texts.len() > 100 && later > 1000, "{later} bodies in {} files", texts.len());
}

#[test]
fn what_the_parser_is_not_given_changes_no_node() {
    let nodes = |text: &str| (SyntaxTree::parse_once(text).nodes().to_vec(), SyntaxTree::parse(text).nodes().to_vec());
    for text in texts("tracer-core/src/frameworks").iter().chain(&texts("tests")) {
        let (once, again) = nodes(text);
        let differs = once.iter().zip(&again).find(|(one, other)| one != other);
        assert!(once.len() == again.len() && differs.is_none(), "{differs:?} in {text}");
    }
    let text = "x = ('a long text' # and a long comment\n  b'more bytes' rf'formatted {y} text' '')# at the end, é\n";
    let (once, again) = nodes(text);
    assert_eq!(once, again);
}
