//! What lowering gives, construct by construct. Ranges and scopes of whole libraries are compared with CPython's by
//! `tests/compare_with_cpython.py`.

mod errors;
mod expressions;
mod outline;
mod print;
mod recovery;
mod scopes;
mod statements;

use super::*;

/// Checks what a right program is lowered to, as [`print::print`] shows it.
#[track_caller]
fn check(text: &str, expected: &str) {
    let module = lower_text(text);
    assert_eq!(module.notes, [], "{text}");
    assert_eq!(print::print(&module).trim_end(), expected.trim_end(), "{text}");
}

/// The same for many programs of one line.
#[track_caller]
fn check_all(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        check(text, expected);
    }
}
