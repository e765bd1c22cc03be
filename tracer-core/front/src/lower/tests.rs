//! One test per construct; the ranges and scopes of whole libraries are compared in `tests/`.

use super::*;

fn lowered(text: &str) -> Module {
    let module = lower_text(text);
    assert!(module.notes.is_empty(), "{text}: {:?}", module.notes);
    module
}

#[test]
fn scopes_are_resolved() {
    let module =
        lowered("def f(a, b):\n    c = a\n    def g():\n        return b + c + d\n    return g\n");
    let f = &module.codes[1];
    let names = |symbols: &[Symbol]| {
        symbols
            .iter()
            .map(|name| name.to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&f.locals), ["a", "b", "g"]);
    assert_eq!(names(&f.cells), ["b", "c"]);
    assert_eq!(f.cell_params, [(1, 0)]);
    let g = &module.codes[2];
    assert_eq!(g.frees, [(Symbol::from("b"), 0), (Symbol::from("c"), 1)]);
    assert_eq!(g.qualname.as_str(), "f.<locals>.g");
    assert_eq!(names(&module.globals), ["f", "d"]);
}
