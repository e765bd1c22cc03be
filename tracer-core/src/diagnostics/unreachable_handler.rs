//! `unreachable-handler`: arithmetic on traced values raises nothing, so that a handler for it never runs.

use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::module::{Expr, ExprId, Module, Stmt};
use crate::text::Span;

/// What arithmetic on Python's numbers raises.
const RAISED: [&str; 4] = ["ZeroDivisionError", "FloatingPointError", "OverflowError", "ArithmeticError"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &facts.module;
        for (stmt, span) in module.stmts.iter().zip(&module.stmt_spans) {
            let Stmt::Try { handlers, .. } = stmt else { continue };
            if !is_traced(facts, *span) {
                continue;
            }
            for class in handlers.iter().filter_map(|handler| handler.class) {
                if let Some(name) = arithmetic(module, class) {
                    found.push(Diagnostic {
                        at: Range { file, span: module.span(class) },
                        rule: "unreachable-handler",
                        severity: Severity::Warning,
                        message: format!(
                            "traced arithmetic raises no `{name}`: it gives `inf` or `nan`, when the function runs"
                        ),
                        help: Some(
                            "choose with `jnp.where` before the operation, or check with `jax.experimental.checkify`"
                                .into(),
                        ),
                        related: Vec::new(),
                        fixes: Vec::new(),
                    });
                }
            }
        }
    }
    found
}

/// The name of an arithmetic exception among those that a handler is for.
fn arithmetic(module: &Module, class: ExprId) -> Option<&str> {
    match module.expr(class) {
        Expr::Name(_, name) => RAISED.into_iter().find(|raised| name.as_str() == *raised),
        Expr::Tuple(items) => items.iter().find_map(|item| arithmetic(module, *item)),
        _ => None,
    }
}

/// Whether the innermost function around a place was traced, with arrays among what it computes there.
fn is_traced(facts: &FileFacts, span: Span) -> bool {
    let around = facts.functions.iter().filter(|f| f.span.start <= span.start && span.end <= f.span.end);
    let innermost = around.min_by_key(|f| f.span.end - f.span.start);
    innermost.is_some_and(|function| function.traced.is_none_or(|times| times > 0))
        && facts.exprs.iter().any(|fact| {
            span.start <= fact.span.start
                && fact.span.end <= span.end
                && fact.seen.iter().any(|seen| matches!(seen, crate::analysis::Shown::Array { tracer: true, .. }))
        })
}
