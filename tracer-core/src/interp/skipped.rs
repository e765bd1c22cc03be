//! What a block that was not run would have changed: an exception in the header of a statement ends the statement, and what
//! stands behind it is run all the same.

use super::Run;
use crate::module::{Expr, ExprId, Part, Place, Stmt, StmtId, Symbol, Target};
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
struct Changes {
    names: Vec<(Place, Symbol)>,
    containers: Vec<ExprId>,
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
        self.changes_of(Part::Stmt(statement), &mut changes);
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

    fn changes_of(&self, part: Part, changes: &mut Changes) {
        let module = self.module;
        match part {
            Part::Stmt(id) => module.stmt(id).parts(&mut |part| self.changes_of(part, changes)),
            Part::Target(target) => match target {
                Target::Name(place, name, _) => changes.names.push((*place, *name)),
                Target::Subscript(object, ..) => changes.containers.push(*object),
                Target::Tuple(items, _) => items.iter().for_each(|item| self.changes_of(Part::Target(item), changes)),
                Target::Starred(inner, _) => self.changes_of(Part::Target(inner), changes),
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
