//! What somebody unknown may do with what it is given: fill containers that are empty, and call functions.

use std::rc::Rc;

use super::Interp;
use super::skipped::{Changes, changes_of};
use crate::module::{Body, Expr, ExprId, Module, Part, Place};
use crate::python::{Args, Function, Value, Why};

/// Functions that functions capture are looked at so deep.
const DEPTH: usize = 2;

impl Interp {
    /// Forgets what may have changed once an unknown callee has had these arguments.
    pub(super) fn hand_over(&self, args: &Args) {
        for value in args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value)) {
            hand(value, DEPTH);
        }
    }
}

fn hand(value: &Value, depth: usize) {
    match value {
        Value::Function(function) => hand_function(function, None, depth),
        Value::Method(method) => {
            if let Value::Function(function) = &method.function {
                hand_function(function, Some(&method.receiver), depth);
            }
        }
        // One that has something in it is mostly read.
        Value::List(list) if list.read().is_empty() => forget(value),
        Value::Dict(dict) if dict.read().is_empty() => forget(value),
        Value::Set(set) if set.read().is_empty() => forget(value),
        _ => {}
    }
}

/// It may be called: what it binds and changes outside of itself is not known any more.
fn hand_function(function: &Rc<Function>, receiver: Option<&Value>, depth: usize) {
    if !function.unit.user || depth == 0 {
        return;
    }
    let (unit, code) = function.body();
    let module: &Module = &unit.module;
    let code = module.code(code);
    let mut changes = Changes::default();
    match &code.body {
        Body::Block(body) => body.iter().for_each(|stmt| changes_of(module, Part::Stmt(*stmt), &mut changes)),
        Body::Expr(value) => changes_of(module, Part::Expr(*value), &mut changes),
        _ => {}
    }
    let captured = |place: Place| match place {
        Place::Cell(index) => function.captured.get((index as usize).checked_sub(code.cells.len())?),
        _ => None,
    };
    let why = || Value::unknown(format!("`{}` may have been called by what is not known", code.name));
    for (place, name) in &changes.names {
        match place {
            Place::Global(_) => function.module.set(*name, why()),
            place => {
                if let Some(cell) = captured(*place) {
                    *cell.write() = why();
                }
            }
        }
    }
    let named = |id: ExprId| match module.expr(id) {
        Expr::Name(Place::Global(_), name) => function.module.get(*name),
        Expr::Name(Place::Local(0), _) => receiver.cloned(),
        Expr::Name(place, _) => captured(*place).map(|cell| cell.read().clone()),
        _ => None,
    };
    for container in &changes.containers {
        let found = match module.expr(*container) {
            Expr::Attribute(object, name) => match named(*object) {
                Some(Value::Instance(instance)) => instance.get(*name),
                _ => None,
            },
            _ => named(*container),
        };
        found.iter().for_each(forget);
    }
    for cell in &function.captured {
        let value = cell.read().clone();
        hand(&value, depth - 1);
    }
}

fn forget(value: &Value) {
    let why = || Why("it was given to what is not known".into());
    match value {
        Value::List(list) => list.forget(why()),
        Value::Dict(dict) => dict.forget(why()),
        Value::Set(set) => set.forget(why()),
        _ => {}
    }
}
