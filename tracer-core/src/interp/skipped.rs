//! What a block that was not run would have changed: an exception in the header of a statement ends the statement, and what
//! stands behind it is run all the same.

use super::Run;
use crate::module::{Body, Code, CodeKind, Expr, ExprId, Module, Part, Place, Stmt, StmtId, Symbol, Target};
use crate::python::{Value, Why};

/// Methods that change the list, dictionary or set that they are called on.
const CHANGING: [&str; 12] = [
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "insert",
    "pop",
    "popitem",
    "remove",
    "setdefault",
    "update",
];

/// What the statements of a block bind and change.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) names: Vec<(Place, Symbol)>,
    pub(super) containers: Vec<ExprId>,
}

impl Run<'_> {
    /// Makes unknown what the blocks of a compound statement would have bound, and what the lists and dictionaries hold that
    /// they would have changed.
    pub(super) fn skip_blocks(&mut self, statement: StmtId, why: &str) {
        let stmt = self.module.stmt(statement);
        let is_try = matches!(stmt, Stmt::Try { .. });
        if !is_try
            && !matches!(
                stmt,
                Stmt::If { .. } | Stmt::For { .. } | Stmt::While { .. } | Stmt::With { .. } | Stmt::Match(..)
            )
        {
            return;
        }
        let mut changes = Changes::default();
        changes_of(self.module, Part::Stmt(statement), &mut changes);
        for (place, name) in changes.names {
            // Of a `try` a part has run.
            if !is_try || self.it.while_catching(|| self.load(place, name)).is_err() {
                self.store(place, Value::unknown(why));
            }
        }
        for container in changes.containers {
            let why = || Why(why.into());
            match self.read_quietly(container) {
                Some(Value::List(list)) => list.forget(why()),
                Some(Value::Dict(dict)) => dict.forget(why()),
                Some(Value::Set(set)) => set.forget(why()),
                _ => {}
            }
        }
    }

    /// What stands for a global that only a function binds which has not run: what a test runner, a thread or a library calls
    /// is not seen.
    pub(super) fn bound_elsewhere(&self, slot: u32, name: Symbol) -> Option<Value> {
        let place = Place::Global(slot);
        let binds = |code: &Code| {
            let Body::Block(body) = &code.body else { return false };
            let mut changes = Changes::default();
            body.iter().for_each(|stmt| changes_of(self.module, Part::Stmt(*stmt), &mut changes));
            changes.names.iter().any(|(bound, _)| *bound == place)
        };
        let mut functions = self.module.codes.iter().filter(|code| code.kind == CodeKind::Function);
        let elsewhere = self.home.unit.user && functions.any(binds);
        elsewhere.then(|| Value::unknown(format!("`{name}` is bound by a function that was not seen to run")))
    }

    /// The value of a dotted name, without a note of it.
    fn read_quietly(&mut self, id: ExprId) -> Option<Value> {
        let it = self.it;
        match self.module.expr(id) {
            Expr::Name(place, name) => it.while_catching(|| self.load(*place, *name)).ok(),
            Expr::Attribute(object, name) => {
                let object = self.read_quietly(*object)?;
                it.while_catching(|| it.getattr(&object, *name)).ok()
            }
            _ => None,
        }
    }
}

/// Adds what a part of a text binds and changes.
pub(super) fn changes_of(module: &Module, part: Part, changes: &mut Changes) {
    match part {
        Part::Stmt(id) => module.stmt(id).parts(&mut |part| changes_of(module, part, changes)),
        Part::Target(target) => match target {
            Target::Name(place, name, _) => changes.names.push((*place, *name)),
            Target::Subscript(object, ..) => changes.containers.push(*object),
            Target::Tuple(items, _) => items.iter().for_each(|item| changes_of(module, Part::Target(item), changes)),
            Target::Starred(inner, _) => changes_of(module, Part::Target(inner), changes),
            Target::Attribute(..) | Target::Error(_) => {}
        },
        Part::Bound(place, name) => changes.names.push((place, name)),
        Part::Expr(id) => {
            if let Expr::Call(function, _) = module.expr(id)
                && let Expr::Attribute(object, method) = module.expr(*function)
                && CHANGING.contains(&method.as_str())
            {
                changes.containers.push(*object);
            }
        }
        Part::Code(_) | Part::Pattern(_) => {}
    }
}
