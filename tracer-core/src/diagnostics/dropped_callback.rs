//! `dropped-callback`: `jax.pure_callback` whose result nobody uses. A compiled function does not call what has no use.

use super::reading::{call, traced};
use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;
use crate::module::Stmt;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        for stmt in &facts.module.stmts {
            if let Stmt::Expr(value) = stmt
                && let Some(call) = call(&facts.module, *value)
                && call.name == "pure_callback"
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
