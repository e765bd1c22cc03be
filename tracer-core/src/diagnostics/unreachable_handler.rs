//! `unreachable-handler`: arithmetic on traced values raises nothing, so that a handler for it never runs.

use super::reading::{call, traced, within};
use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::module::{Expr, ExprId, Module, Stmt, StmtId};
use crate::text::Span;

/// What arithmetic on Python's numbers raises.
const RAISED: [&str; 5] =
    ["ZeroDivisionError", "FloatingPointError", "OverflowError", "ArithmeticError", "LinAlgError"];

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &facts.module;
        for (stmt, span) in module.stmts.iter().zip(&module.stmt_spans) {
            let Stmt::Try { body, handlers, .. } = stmt else { continue };
            if !is_traced(facts, *span) {
                continue;
            }
            for class in handlers.iter().filter_map(|handler| handler.class) {
                let message = if let Some(name) = arithmetic(module, class) {
                    format!("traced arithmetic raises no `{name}`: it gives `inf` or `nan`, when the function runs")
                } else if is_named(module, class, "IndexError") && indexes(facts, body) {
                    "an index that is traced raises no `IndexError`: the nearest element is taken".to_owned()
                } else if is_named(module, class, "Exception") && computes_alone(facts, body) {
                    "nothing is raised here when the compiled function runs: numbers that are not defined become `inf` or \
                     `nan`"
                        .to_owned()
                } else {
                    continue;
                };
                found.push(Diagnostic {
                    at: Range { file, span: module.span(class) },
                    rule: "unreachable-handler",
                    severity: Severity::Warning,
                    message,
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
    found
}

/// The name of an arithmetic exception among those that a handler is for.
fn arithmetic(module: &Module, class: ExprId) -> Option<&str> {
    match module.expr(class) {
        Expr::Name(_, name) | Expr::Attribute(_, name) => RAISED.into_iter().find(|raised| name.as_str() == *raised),
        Expr::Tuple(items) => items.iter().find_map(|item| arithmetic(module, *item)),
        _ => None,
    }
}

fn is_named(module: &Module, class: ExprId, name: &str) -> bool {
    match module.expr(class) {
        Expr::Name(_, own) => own.as_str() == name,
        Expr::Tuple(items) => items.iter().any(|item| is_named(module, *item, name)),
        _ => false,
    }
}

/// The expressions in some statements.
fn inside<'f>(facts: &'f FileFacts, body: &'f [StmtId]) -> impl Iterator<Item = ExprId> + 'f {
    let module = &facts.module;
    let holds = |span: Span| body.iter().any(|id| within(span, module.stmt_spans[id.0 as usize]));
    (0..module.exprs.len()).map(|i| ExprId(i as u32)).filter(move |id| holds(module.span(*id)))
}

/// Whether a traced array is indexed by a traced one.
fn indexes(facts: &FileFacts, body: &[StmtId]) -> bool {
    inside(facts, body).any(|id| match facts.module.expr(id) {
        Expr::Subscript(of, index) => traced(facts, *of).is_some() && traced(facts, *index).is_some(),
        _ => false,
    })
}

/// Whether some statements do nothing but compute traced values, with operators and functions of JAX.
fn computes_alone(facts: &FileFacts, body: &[StmtId]) -> bool {
    let module = &*facts.module;
    let traces = |id: &StmtId| match module.stmt(*id) {
        Stmt::Assign(_, value) | Stmt::Return(Some(value)) => traced(facts, *value).is_some(),
        _ => false,
    };
    body.iter().all(traces)
        && inside(facts, body).filter_map(|id| call(module, id)).all(|call| {
            let of_module =
                |id| matches!(module.expr(id), Expr::Name(_, name) if ["jnp", "jax", "lax"].contains(&name.as_str()));
            let root = call.receiver.map(|mut id| {
                while let Expr::Attribute(of, _) = module.expr(id) {
                    id = *of;
                }
                id
            });
            root.is_some_and(of_module)
        })
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
