//! `discarded-update`: `x.at[i].set(v)` gives a new array, which nobody takes.

use super::{Diagnostic, Fix, Range, Severity, reading};
use crate::analysis::{Analysis, Shown};
use crate::module::{Expr, Stmt};
use crate::notebook;
use crate::text::Span;

/// Methods of `x.at[…]` that give the changed array.
const METHODS: [&str; 9] = ["set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &facts.module;
        for (stmt, around) in module.stmts.iter().zip(&module.stmt_spans) {
            let Stmt::Expr(call) = stmt else { continue };
            let Expr::Call(method, _) = module.expr(*call) else { continue };
            let Expr::Attribute(place, name) = module.expr(*method) else { continue };
            let Expr::Subscript(at, _) = module.expr(*place) else { continue };
            let Expr::Attribute(array, at_name) = module.expr(*at) else { continue };
            if at_name.as_str() != "at" || !METHODS.contains(&name.as_str()) {
                continue;
            }
            let span = module.span(*call);
            // Nothing but an array has such a method; what never ran, or is not known, is one too.
            let is_other = reading::fact(facts, span)
                .is_some_and(|fact| fact.seen.iter().any(|seen| matches!(seen, Shown::Other(_))));
            if is_other || is_shown(&facts.text, *around) {
                continue;
            }
            let here = Range { file, span };
            let target = module.span(*array);
            let text = facts.text.get(target.start as usize..target.end as usize).unwrap_or_default();
            let is_target = matches!(module.expr(*array), Expr::Name(..) | Expr::Attribute(..));
            // In front of the parentheses that may be around the call.
            let start = Range { file, span: Span { start: around.start, end: around.start } };
            let fix = is_target.then(|| Fix {
                title: format!("bind the result to `{text}`"),
                edits: vec![(start, format!("{text} = "))],
            });
            found.push(Diagnostic {
                at: here,
                rule: "discarded-update",
                severity: Severity::Warning,
                message: format!("the array that `.{name}(…)` gives is not used, and `{text}` is as it was"),
                help: Some(format!("`{text} = {text}.at[…].{name}(…)`")),
                related: Vec::new(),
                fixes: fix.into_iter().collect(),
            });
        }
    }
    found
}

/// Whether a statement is the last one of a notebook's cell, which shows what it is.
fn is_shown(text: &str, stmt: Span) -> bool {
    if !notebook::is_program(text) {
        return false;
    }
    let cells = notebook::cells(text);
    let Some(cell) = cells.iter().find(|cell| reading::within(stmt, cell.span)) else { return false };
    let rest = text.get(stmt.end as usize..cell.span.end as usize).unwrap_or_default();
    rest.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
}
