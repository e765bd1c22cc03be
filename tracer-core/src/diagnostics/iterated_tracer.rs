//! `unrolled-loop`, where Python goes through the elements of a traced array: each becomes a copy of the body.

use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::module::{Arg, Expr, ExprId, Module, Stmt, Target};

/// Arrays of fewer rows are often taken apart on purpose.
const ROWS: usize = 4;
/// So many names for the rows of one array are many.
const MANY_NAMES: usize = 8;
/// Builtins that go through all elements.
const BUILTINS: [&str; 9] = ["sum", "list", "tuple", "sorted", "enumerate", "zip", "map", "reversed", "set"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        for (expr, loops) in iterated(&facts.module) {
            let Some(rows) = rows(facts, expr) else { continue };
            let what = if loops { "the body of this loop" } else { "what is done with an element" };
            found.push(Diagnostic {
                at: Range { file, span: facts.module.span(expr) },
                rule: "unrolled-loop",
                severity: Severity::Information,
                message: format!(
                    "Python goes through the {rows} rows of a traced array: the compiled function has a copy of {what} for each"
                ),
                help: Some("use `jax.lax.scan`, `jax.vmap`, or the function of `jax.numpy` (`jnp.sum`)".into()),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
    }
    found
}

/// Expressions whose elements are gone through, and whether by a loop.
fn iterated(module: &Module) -> Vec<(ExprId, bool)> {
    let mut all = Vec::new();
    for stmt in &module.stmts {
        match stmt {
            Stmt::For { iter, .. } => all.push((*iter, true)),
            // `first, *rest = x`
            Stmt::Assign(targets, value) if targets.iter().any(takes_apart) => all.push((*value, false)),
            _ => {}
        }
    }
    for expr in &module.exprs {
        match expr {
            Expr::Comprehension(_, first) => all.push((*first, true)),
            Expr::Call(function, args) => {
                if let Expr::Name(_, name) = module.expr(*function)
                    && BUILTINS.contains(&name.as_str())
                {
                    all.extend(args.iter().filter_map(|arg| match arg {
                        Arg::Positional(value) => Some((*value, false)),
                        _ => None,
                    }));
                }
                all.extend(args.iter().filter_map(|arg| match arg {
                    Arg::Star(value) => Some((*value, false)),
                    _ => None,
                }));
            }
            Expr::List(items) | Expr::Tuple(items) => {
                all.extend(items.iter().filter_map(|item| match module.expr(*item) {
                    Expr::Starred(value) => Some((*value, false)),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    all
}

/// Whether a target takes many items, or any number of them.
fn takes_apart(target: &Target) -> bool {
    let Target::Tuple(items, _) = target else { return false };
    items.len() >= MANY_NAMES || items.iter().any(|item| matches!(item, Target::Starred(..)))
}

/// The rows of an expression that was always a traced array of many.
fn rows(facts: &FileFacts, expr: ExprId) -> Option<usize> {
    let span = facts.module.span(expr);
    let fact = facts.exprs.iter().find(|fact| fact.span == span)?;
    let sizes = fact.seen.iter().map(|seen| match seen {
        Shown::Array { aval, tracer: true } => aval.shape.first()?.known(),
        _ => None,
    });
    sizes.collect::<Option<Vec<usize>>>()?.into_iter().max().filter(|rows| *rows >= ROWS)
}
