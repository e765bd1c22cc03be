//! Names that a piece of the text reads from around it, and what a loop binds or changes.

use super::{Found, definitions};
use crate::diagnostics::reading::{calls, within};
use crate::module::{Code, CodeKind, Expr, ExprId, Part, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

/// The names in a range that are read from around it: no parameters and own names of functions in it.
pub(super) fn reads(found: &Found<'_>, span: Span) -> Vec<Symbol> {
    let module = found.module;
    let inside: Vec<&Code> = module.codes.iter().skip(1).filter(|code| within(code.span, span)).collect();
    let mut outside: Vec<Span> = Vec::new();
    let mut evaluated = |ids: &mut dyn Iterator<Item = ExprId>| outside.extend(ids.map(|id| module.span(id)));
    // Defaults are evaluated around the function, and the first iterable around the comprehension.
    for (expr, _) in module.exprs.iter().zip(&module.expr_spans).filter(|(_, own)| within(**own, span)) {
        match expr {
            Expr::Lambda(_, defaults) => {
                evaluated(&mut defaults.positional.iter().copied());
                evaluated(&mut defaults.keyword_only.iter().flatten().copied());
            }
            Expr::Comprehension(_, iter) => evaluated(&mut std::iter::once(*iter)),
            _ => {}
        }
    }
    for (stmt, _) in module.stmts.iter().zip(&module.stmt_spans).filter(|(_, own)| within(**own, span)) {
        if let Stmt::FunctionDef(def) = stmt {
            evaluated(&mut def.decorators.iter().copied());
            evaluated(&mut def.defaults.positional.iter().copied());
            evaluated(&mut def.defaults.keyword_only.iter().flatten().copied());
        }
    }
    let is_own = |name: Symbol, read: Span| {
        inside.iter().any(|code| {
            let is_in = within(read, code.span) && code.kind != CodeKind::Class;
            let is_evaluated_around = outside.iter().any(|own| within(read, *own) && within(*own, code.span));
            is_in && !is_evaluated_around && (code.locals.contains(&name) || code.cells.contains(&name))
        })
    };
    let mut free = Vec::new();
    for (expr, read) in module.exprs.iter().zip(&module.expr_spans).filter(|(_, read)| within(**read, span)) {
        if let Expr::Name(_, name) = expr
            && !is_own(*name, *read)
            && !free.contains(name)
        {
            free.push(*name);
        }
    }
    free
}

/// What a loop leaves otherwise than it was.
#[derive(Default)]
pub(super) struct Changed {
    /// Names that it binds, and how often.
    pub(super) bound: Vec<Symbol>,
    /// Names whose objects it may change.
    held: Vec<Symbol>,
    /// Attributes that it sets.
    attributes: Vec<Symbol>,
}

impl Changed {
    /// What a statement and those in it change, but for some of them.
    pub(super) fn by(found: &Found<'_>, stmt: &Stmt, span: Span, but: &[StmtId]) -> Changed {
        let mut changed = Changed::default();
        changed.add(found, stmt, but);
        // A method that is called in the loop may set them.
        for (stmt, own) in found.module.stmts.iter().zip(&found.module.stmt_spans) {
            let (Stmt::Assign(..) | Stmt::AugAssign { .. } | Stmt::AnnAssign { .. }) = stmt else { continue };
            let first = |code: &Code| matches!(code.name.as_str(), "__init__" | "__post_init__");
            stmt.parts(&mut |part| match part {
                Part::Target(Target::Attribute(_, name, _)) if !definitions::around(found, *own).is_some_and(first) => {
                    changed.attributes.push(*name);
                }
                _ => {}
            });
        }
        let spared = |own: Span| but.iter().any(|id| within(own, found.module.stmt_spans[id.index()]));
        for call in calls(found.module).filter(|call| within(call.span, span) && !spared(call.span)) {
            if CHANGE.contains(&call.name)
                && !is_own_method(found, call.name)
                && let Some(root) = call.receiver.and_then(|receiver| root(found, receiver))
            {
                changed.held.push(root);
            }
        }
        changed
    }

    fn add(&mut self, found: &Found<'_>, stmt: &Stmt, but: &[StmtId]) {
        let mut inner = Vec::new();
        stmt.parts(&mut |part| match part {
            Part::Target(target) => self.add_target(found, target),
            Part::Stmt(id) if !but.contains(&id) => inner.push(id),
            _ => {}
        });
        match stmt {
            Stmt::FunctionDef(def) => self.bound.push(def.name),
            Stmt::ClassDef(def) => self.bound.push(def.name),
            Stmt::Import(aliases) => self.bound.extend(aliases.iter().map(|alias| alias.asname.unwrap_or(alias.name))),
            Stmt::ImportFrom { names, .. } => {
                self.bound.extend(names.iter().map(|alias| alias.asname.unwrap_or(alias.name)));
            }
            _ => {}
        }
        // What a function's body binds are names of its own.
        if !matches!(stmt, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
            inner.iter().for_each(|id| self.add(found, found.module.stmt(*id), but));
        }
    }

    fn add_target(&mut self, found: &Found<'_>, target: &Target) {
        match target {
            Target::Name(_, name, _) => self.bound.push(*name),
            Target::Tuple(items, _) => items.iter().for_each(|item| self.add_target(found, item)),
            Target::Starred(item, _) => self.add_target(found, item),
            Target::Attribute(_, name, _) => self.attributes.push(*name),
            Target::Subscript(of, ..) => self.held.extend(root(found, *of)),
            Target::Error(_) => {}
        }
    }

    /// Whether what a range reads is another in each round.
    pub(super) fn touches(&self, found: &Found<'_>, span: Span) -> bool {
        let module = found.module;
        let free = reads(found, span);
        let all = module.exprs.iter().zip(&module.expr_spans);
        free.iter().any(|name| self.bound.contains(name) || self.held.contains(name))
            || all.filter(|(_, own)| within(**own, span)).any(|(expr, _)| match expr {
                Expr::Attribute(_, name) => self.attributes.contains(name),
                Expr::Walrus(..) => true,
                _ => false,
            })
    }
}

/// Whether the program has a method of this name, or sets an attribute of it.
fn is_own_method(found: &Found<'_>, name: &str) -> bool {
    found.module.stmts.iter().any(|stmt| match stmt {
        Stmt::FunctionDef(def) => def.name.as_str() == name,
        Stmt::Assign(targets, _) => {
            targets.iter().any(|target| matches!(target, Target::Attribute(_, own, _) if own.as_str() == name))
        }
        _ => false,
    })
}

/// Methods that change what they are called on.
const CHANGE: [&str; 9] = ["append", "extend", "update", "pop", "insert", "add", "remove", "clear", "setdefault"];

/// The name at the root of `a.b[c].d`.
fn root(found: &Found<'_>, id: ExprId) -> Option<Symbol> {
    match found.module.expr(id) {
        Expr::Name(_, name) => Some(*name),
        Expr::Attribute(of, _) | Expr::Subscript(of, _) => root(found, *of),
        _ => None,
    }
}
