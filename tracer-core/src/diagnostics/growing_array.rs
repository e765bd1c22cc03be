//! `growing-array`: an array that a loop makes longer at each round has a new shape each time, and each shape is compiled.

use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::module::{Arg, Expr, ExprId, Module, Stmt, StmtId, Target};
use crate::text::Span;

/// Functions that put arrays together.
const JOIN: [&str; 6] = ["append", "concatenate", "vstack", "hstack", "column_stack", "row_stack"];
/// So many shapes are not a matter of a few cases.
const SHAPES: usize = 3;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &facts.module;
        // What an object keeps is made longer by a method that a loop calls.
        let own = (0..module.stmts.len()).map(|i| StmtId(i as u32)).collect();
        let loops = module.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::For { body, .. } | Stmt::While { body, .. } => Some((body.clone(), false)),
            _ => None,
        });
        for (body, is_attribute) in loops.chain([(own, true)]) {
            for id in &body {
                let grown = if is_attribute { grows_attribute(facts, *id) } else { grows(module, *id) };
                let Some((call, name)) = grown else { continue };
                let span = module.span(call);
                let Some(fact) = facts.exprs.iter().find(|fact| fact.span == span) else { continue };
                let mut shapes: Vec<_> = Vec::new();
                for seen in &fact.seen {
                    if let Shown::Array { aval, tracer: false } = seen
                        && !shapes.contains(&&aval.shape)
                    {
                        shapes.push(&aval.shape);
                    }
                }
                if shapes.len() < SHAPES {
                    continue;
                }
                found.push(Diagnostic {
                    at: Range { file, span },
                    rule: "growing-array",
                    severity: Severity::Information,
                    message: format!(
                        "`{name}` has a new shape at each round: every operation on it is compiled again ({} shapes)",
                        shapes.len()
                    ),
                    help: Some(
                        "append to a list and join it once behind the loop, or write into an array of the final size"
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

/// `x = join(… x …)`: the call, and `x`.
fn grows(module: &Module, id: StmtId) -> Option<(ExprId, String)> {
    let Stmt::Assign(targets, value) = module.stmt(id) else { return None };
    let [Target::Name(place, name, _)] = &targets[..] else { return None };
    let is_own = |expr: ExprId| matches!(module.expr(expr), Expr::Name(own, _) if own == place);
    joined(module, *value, &is_own).then(|| (*value, name.to_string()))
}

/// `self.x = join(… self.x …)`
fn grows_attribute(facts: &FileFacts, id: StmtId) -> Option<(ExprId, String)> {
    let module = &facts.module;
    let Stmt::Assign(targets, value) = module.stmt(id) else { return None };
    let [Target::Attribute(_, _, span)] = &targets[..] else { return None };
    let text = |span: Span| facts.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let is_own = |expr: ExprId| text(module.span(expr)) == text(*span);
    joined(module, *value, &is_own).then(|| (*value, text(*span).to_owned()))
}

/// Whether an expression puts something together with more.
fn joined(module: &Module, value: ExprId, is_own: &dyn Fn(ExprId) -> bool) -> bool {
    let Expr::Call(function, args) = module.expr(value) else { return false };
    let Expr::Attribute(_, callee) = module.expr(*function) else { return false };
    let (true, Some(Arg::Positional(first))) = (JOIN.contains(&callee.as_str()), args.first()) else { return false };
    match module.expr(*first) {
        Expr::Tuple(items) | Expr::List(items) => items.iter().any(|item| is_own(*item)),
        _ => is_own(*first),
    }
}
