//! What a block that was not run would have changed: an exception in the header of a statement ends the statement, and what
//! stands behind it is run all the same.

use super::Run;
use super::builtins::forget_items;
use crate::module::{Body, Code, CodeKind, Expr, ExprId, Module, Part, Place, Stmt, StmtId, Symbol, Target};
use crate::python::{Value, Why};

/// Methods that change the container that they are called on.
const CHANGING: [&str; 21] = [
    "add",
    "append",
    "appendleft",
    "clear",
    "difference_update",
    "discard",
    "extend",
    "extendleft",
    "insert",
    "intersection_update",
    "pop",
    "popitem",
    "popleft",
    "remove",
    "reverse",
    "rotate",
    "setdefault",
    "sort",
    "subtract",
    "symmetric_difference_update",
    "update",
];

/// Whether a method of this name changes the container that it is called on.
pub(super) fn is_change(name: Symbol) -> bool {
    CHANGING.contains(&name.as_str())
}

/// What the statements of a block bind and change.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) names: Vec<(Place, Symbol)>,
    pub(super) containers: Vec<ExprId>,
    /// Objects, and the attributes of theirs that are set.
    pub(super) attributes: Vec<(ExprId, Symbol)>,
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
            if let Some(container) = self.read_quietly(container) {
                forget_items(&super::effects::writes::container(&container), &Why(why.into()), true);
            }
        }
    }

    /// Notes the objects that a statement names, and the one whose method it stands in: it ended with an exception, and does not do to them
    /// what it was to do.
    pub(super) fn note_undone(&mut self, statement: StmtId) {
        let mut named = Vec::new();
        names_of(self.module, Part::Stmt(statement), &mut named);
        let is_method = matches!(self.code.kind, CodeKind::Function);
        let own = self.frame.locals.first().filter(|_| is_method).cloned();
        let it = self.it;
        let named = named.into_iter().filter_map(|(place, name)| it.while_catching(|| self.load(place, name)).ok());
        let objects = named.chain(own).filter(|value| matches!(value, Value::Instance(_)));
        // They are held, so that no other object takes their place in memory.
        let objects: Vec<(usize, Value)> = objects.map(|value| (value.identity(), value)).collect();
        it.undone.borrow_mut().extend(objects);
    }

    /// What an expression does is not known: a container that it may have changed is not known any more.
    #[cold]
    pub(super) fn forget_changed(&self, expr: ExprId, why: &Why) {
        let container = match self.module.expr(expr) {
            Expr::Call(function, _) => match self.module.expr(*function) {
                Expr::Attribute(object, name) if is_change(*name) => self.held_by(*object),
                _ => None,
            },
            // What is missing is made.
            Expr::Subscript(object, _) => self.held_by(*object).filter(
                |object| matches!(object, Value::Instance(i) if i.class().lookup(sym!("__missing__")).is_some()),
            ),
            _ => None,
        };
        if let Some(container) = container {
            forget_items(&super::effects::writes::container(&container), why, true);
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

    /// Whether a statement reads a global that is `None` and that a function binds.
    pub(super) fn reads_what_others_bind(&mut self, statement: StmtId) -> bool {
        let mut named = Vec::new();
        names_of(self.module, Part::Stmt(statement), &mut named);
        named.into_iter().any(|(place, name)| match place {
            Place::Global(slot) => {
                let value = self.it.while_catching(|| self.load(place, name));
                matches!(value, Ok(Value::None)) && self.bound_elsewhere(slot, name).is_some()
            }
            _ => false,
        })
    }

    /// The value of a dotted name, without a note of it.
    pub(super) fn read_quietly(&mut self, id: ExprId) -> Option<Value> {
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

/// Adds the names that a part of a text reads.
fn names_of(module: &Module, part: Part, names: &mut Vec<(Place, Symbol)>) {
    match part {
        Part::Stmt(id) => module.stmt(id).parts(&mut |part| names_of(module, part, names)),
        Part::Expr(id) => {
            if let Expr::Name(place, name) = module.expr(id) {
                names.push((*place, *name));
            }
            module.expr(id).parts(&mut |part| names_of(module, part, names));
        }
        _ => {}
    }
}

/// Adds what a part of a text binds and changes.
pub(super) fn changes_of(module: &Module, part: Part, changes: &mut Changes) {
    match part {
        Part::Stmt(id) => module.stmt(id).parts(&mut |part| changes_of(module, part, changes)),
        Part::Target(target) => match target {
            Target::Name(place, name, _) => changes.names.push((*place, *name)),
            Target::Subscript(object, ..) => containers_of(module, *object, changes),
            Target::Tuple(items, _) => items.iter().for_each(|item| changes_of(module, Part::Target(item), changes)),
            Target::Starred(inner, _) => changes_of(module, Part::Target(inner), changes),
            Target::Attribute(object, name, _) => changes.attributes.push((*object, *name)),
            Target::Error(_) => {}
        },
        Part::Bound(place, name) => changes.names.push((place, name)),
        Part::Expr(id) => {
            if let Expr::Call(function, _) = module.expr(id)
                && let Expr::Attribute(object, method) = module.expr(*function)
                && is_change(*method)
            {
                containers_of(module, *object, changes);
            }
            module.expr(id).parts(&mut |part| changes_of(module, part, changes));
        }
        Part::Code(_) | Part::Pattern(_) => {}
    }
}

/// Adds a container that is changed, with those that it is in: what is missing in them may be made to be changed.
fn containers_of(module: &Module, container: ExprId, changes: &mut Changes) {
    changes.containers.push(container);
    if let Expr::Subscript(around, _) = module.expr(container) {
        containers_of(module, *around, changes);
    }
}
