//! Iterators that nothing ends, and ranges: what they give behind the items that were looked at is taken to be like those. Of any
//! other one it is not known (the smaller batch at the end).

use super::LoopParts;
use crate::module::{Body, Expr, Module, Part, Stmt};
use crate::python::iterator::IterKind;
use crate::python::{Function, Value};

/// Iterators in iterators are looked into so deep.
const DEPTH: usize = 8;

/// Whether an iterator gives items like the ones before for as long as it gives any.
pub(super) fn stays_alike(iterator: &Value) -> bool {
    stays_alike_within(iterator, DEPTH)
}

fn stays_alike_within(iterator: &Value, depth: usize) -> bool {
    if depth == 0 {
        return false;
    }
    let inner = |iterator: &Value| stays_alike_within(iterator, depth - 1);
    match iterator {
        Value::Iter(iter) => {
            let of_kind = iter.with_kind(|kind| {
                Some(match kind {
                    IterKind::Range(..) => true,
                    IterKind::Enumerate(items, _) => inner(items),
                    IterKind::Zip(iterators) => iterators.iter().all(inner),
                    IterKind::Native(_) => iter.name == "repeat" && iter.remaining().is_none(),
                    _ => false,
                })
            });
            of_kind == Some(true)
                || iter.with_waiting(|generator| {
                    generator.made_of().is_some_and(|(function, items)| match items {
                        Some(items) => inner(&items),
                        None => function_is_endless(&function),
                    })
                })
        }
        Value::Instance(instance) => match instance.class().lookup_defined(sym!("__next__")) {
            Some(Value::Function(next)) => !may_end(&next),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the body of a generator comes to a loop that it does not leave.
fn function_is_endless(function: &Function) -> bool {
    let (unit, code) = function.body();
    let module: &Module = &unit.module;
    match &module.code(code).body {
        Body::Block(body) => body.iter().any(|stmt| {
            let parts = LoopParts::of(module.stmt(*stmt));
            parts.is_some_and(|parts| parts.never_ends(module))
        }),
        _ => false,
    }
}

/// Whether a `__next__` may say that there are no more: it raises something, or asks another iterator.
fn may_end(function: &Function) -> bool {
    let (unit, code) = function.body();
    let module: &Module = &unit.module;
    match &module.code(code).body {
        Body::Block(body) => body.iter().any(|stmt| ends_in(module, Part::Stmt(*stmt))),
        _ => true,
    }
}

fn ends_in(module: &Module, part: Part<'_>) -> bool {
    let mut found = false;
    let mut within = |part: Part<'_>| found |= ends_in(module, part);
    match part {
        Part::Stmt(id) => match module.stmt(id) {
            Stmt::Raise(..) => return true,
            stmt => stmt.parts(&mut within),
        },
        Part::Expr(id) => match module.expr(id) {
            Expr::Name(_, name) if name.as_str() == "next" => return true,
            Expr::Attribute(_, name) if matches!(name.as_str(), "next" | "__next__") => return true,
            expr => expr.parts(&mut within),
        },
        _ => {}
    }
    found
}
