//! `g = jax.jit(f)` in a loop is moved in front of the loop.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::within;
use crate::module::{Expr, Part, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let (statement, span) = found.statement(found.span())?;
    let Stmt::Assign(targets, value) = module.stmt(statement) else { return None };
    let [Target::Name(..)] = &targets[..] else { return None };
    if module.span(*value) != found.span() {
        return None;
    }
    let (own_loop, loop_span) = module.stmts.iter().zip(&module.stmt_spans).find(|(stmt, _)| match stmt {
        Stmt::For { body, .. } | Stmt::While { body, .. } => body.contains(&statement),
        _ => false,
    })?;
    let mut bound: Vec<Symbol> = Vec::new();
    bind(found, own_loop, statement, &mut bound);
    let reads = module
        .exprs
        .iter()
        .zip(&module.expr_spans)
        .any(|(expr, own)| matches!(expr, Expr::Name(_, name) if bound.contains(name)) && within(*own, span));
    if reads {
        return None;
    }
    let (line, _) = found.line(span)?;
    let end = found.next_line(span)?;
    let (start, indent) = found.line(*loop_span)?;
    let moved = format!("{indent}{}\n", found.text_at(span));
    Some(Fix {
        title: "compile it once, before the loop".into(),
        edits: vec![
            found.edit(Span { start, end: start }, moved),
            found.edit(Span { start: line, end }, String::new()),
        ],
    })
}

/// The names that a statement and those in it bind, but for one statement.
fn bind(found: &Found<'_>, stmt: &Stmt, but: StmtId, bound: &mut Vec<Symbol>) {
    let mut inner = Vec::new();
    stmt.parts(&mut |part| match part {
        Part::Target(target) => names(target, bound),
        Part::Stmt(id) if id != but => inner.push(id),
        _ => {}
    });
    if let Stmt::FunctionDef(def) = stmt {
        bound.push(def.name);
    }
    for id in inner {
        bind(found, found.module.stmt(id), but, bound);
    }
}

fn names(target: &Target, bound: &mut Vec<Symbol>) {
    match target {
        Target::Name(_, name, _) => bound.push(*name),
        Target::Tuple(items, _) => items.iter().for_each(|item| names(item, bound)),
        Target::Starred(item, _) => names(item, bound),
        _ => {}
    }
}
