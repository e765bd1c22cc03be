//! `dropped-callback`: `jax.pure_callback` whose result nobody uses. A compiled function does not call what has no use.

use super::reading::{call, traced, within};
use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;
use crate::module::{CodeKind, Expr, Module, Stmt, Target};

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        for stmt in &facts.module.stmts {
            if let Stmt::Expr(value) | Stmt::Assign(_, value) = stmt
                && let Some(call) = call(&facts.module, *value)
                && call.name == "pure_callback"
                && is_unused(&facts.module, stmt)
                && traced(facts, call.id).is_some()
            {
                found.push(Diagnostic {
                    at: Range { file, span: call.span },
                    rule: "dropped-callback",
                    severity: Severity::Warning,
                    message: "nobody uses what this callback gives: the compiled function does not call it".into(),
                    help: Some(
                        "call a function for what it does with `jax.debug.callback` or `jax.experimental.io_callback`"
                            .into(),
                    ),
                    related: Vec::new(),
                    fixes: Vec::new(),
                });
            }
        }
    }
    found
}

/// Whether a statement computes for nobody: an expression alone, or one that is bound to a name of a function's own that is never
/// read.
fn is_unused(module: &Module, stmt: &Stmt) -> bool {
    let Stmt::Assign(targets, value) = stmt else { return true };
    let [Target::Name(_, name, _)] = &targets[..] else { return false };
    let span = module.span(*value);
    let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(span, code.span));
    let Some(own) = around.min_by_key(|code| code.span.end - code.span.start) else { return false };
    let is_read = module
        .exprs
        .iter()
        .zip(&module.expr_spans)
        .any(|(expr, span)| within(*span, own.span) && matches!(expr, Expr::Name(_, read) if read == name));
    own.locals.contains(name) && !is_read
}
