//! `growing-array`: an array that a loop makes longer at each round has a new shape each time, and each shape is compiled.

use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, Shown};
use crate::module::{Arg, Expr, ExprId, Module, Place, Stmt, StmtId, Symbol, Target};

/// Functions that put arrays together.
const JOIN: [&str; 6] = ["append", "concatenate", "vstack", "hstack", "column_stack", "row_stack"];
/// So many shapes are not a matter of a few cases.
const SHAPES: usize = 3;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &facts.module;
        for stmt in &module.stmts {
            let (Stmt::For { body, .. } | Stmt::While { body, .. }) = stmt else { continue };
            for id in body {
                let Some((call, name)) = grows(module, *id) else { continue };
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
fn grows(module: &Module, id: StmtId) -> Option<(ExprId, Symbol)> {
    let Stmt::Assign(targets, value) = module.stmt(id) else { return None };
    let [Target::Name(place, name, _)] = &targets[..] else { return None };
    let Expr::Call(function, args) = module.expr(*value) else { return None };
    let Expr::Attribute(_, callee) = module.expr(*function) else { return None };
    if !JOIN.contains(&callee.as_str()) {
        return None;
    }
    let Some(Arg::Positional(first)) = args.first() else { return None };
    let reads = |expr: &ExprId| reads(module, *expr, *place);
    let among = match module.expr(*first) {
        Expr::Tuple(items) | Expr::List(items) => items.iter().any(reads),
        _ => reads(first),
    };
    among.then_some((*value, *name))
}

fn reads(module: &Module, expr: ExprId, place: Place) -> bool {
    matches!(module.expr(expr), Expr::Name(own, _) if *own == place)
}
