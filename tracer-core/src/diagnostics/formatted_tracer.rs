//! `formatted-tracer`: `str(x)`, `repr(x)`, `"…".format(x)` and `"…" % x` of a traced value. Those in an f-string are events.

use super::reading::{calls, traced};
use super::side_effect::FORMATTED;
use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;
use crate::module::{Arg, BinaryOp, Const, Expr, ExprId, Module};
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        let mut say = |span: Span, operand: ExprId| {
            if traced(facts, operand).is_some() {
                found.push(Diagnostic {
                    at: Range { file, span },
                    rule: "formatted-tracer",
                    severity: Severity::Warning,
                    message: FORMATTED.0.into(),
                    help: Some(FORMATTED.1.into()),
                    related: Vec::new(),
                    fixes: Vec::new(),
                });
            }
        };
        for call in calls(module) {
            let of_text = || call.receiver.is_some_and(|receiver| is_text(module, receiver));
            match (call.name, call.args) {
                ("str" | "repr", [Arg::Positional(value)]) if call.receiver.is_none() => say(call.span, *value),
                ("format", args) if of_text() => {
                    for arg in args {
                        if let Arg::Positional(value) | Arg::Keyword(_, value) = arg {
                            say(call.span, *value);
                        }
                    }
                }
                _ => {}
            }
        }
        for (expr, span) in module.exprs.iter().zip(&module.expr_spans) {
            if let Expr::Binary(BinaryOp::Mod, text, values) = expr
                && is_text(module, *text)
            {
                match module.expr(*values) {
                    Expr::Tuple(items) => items.iter().for_each(|item| say(*span, *item)),
                    _ => say(*span, *values),
                }
            }
        }
    }
    found.dedup();
    found
}

fn is_text(module: &Module, expr: ExprId) -> bool {
    matches!(module.expr(expr), Expr::Constant(Const::Str(_)))
}
