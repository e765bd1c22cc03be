//! `unstable-log`: the logarithm of an exponential, which is infinite or zero where the number itself is an ordinary one.

use super::reading::{Call, call, calls};
use super::{Diagnostic, Range, Severity, origins, reading};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::module::{BinaryOp, Expr, ExprId, Module};

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        for log in calls(module).filter(|call| call.name == "log" && is_jax(facts, call)) {
            let Some((inner, instead)) = log.argument(0).and_then(|of| exponential(module, value_of(module, of)))
            else {
                continue;
            };
            found.push(Diagnostic {
                at: Range { file, span: log.span },
                rule: "unstable-log",
                severity: Severity::Information,
                message: format!(
                    "`{inner}` overflows or is zero before the logarithm is taken, for numbers whose result is an ordinary one; and a \
                     compiled function may round otherwise"
                ),
                help: Some(format!("compute it in one: {instead}")),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
    }
    found
}

/// Whether a call gave arrays of JAX.
fn is_jax(facts: &FileFacts, call: &Call<'_>) -> bool {
    reading::fact(facts, call.span).is_some_and(|fact| fact.seen.iter().any(|seen| matches!(seen, Shown::Array { .. })))
}

/// What an expression takes an exponential by, and what to write for its logarithm.
fn exponential(module: &Module, id: ExprId) -> Option<(&str, &'static str)> {
    // `exp(x) / exp(x).sum()`
    if let Expr::Binary(BinaryOp::Div, part, _) = module.expr(id)
        && let Some(exp) = call(module, value_of(module, *part)).filter(|part| part.name == "exp")
    {
        return Some((exp.name, "`jax.nn.log_softmax(x)`, or a difference of logarithms"));
    }
    let of = call(module, id)?;
    match of.name {
        "exp" => Some((of.name, "the logarithm of `exp(x)` is `x`")),
        "softmax" => Some((of.name, "`jax.nn.log_softmax(x)`")),
        "sigmoid" => Some((of.name, "`jax.nn.log_sigmoid(x)`")),
        "sum" => {
            // `z.sum(-1)`, `jnp.sum(z, -1)`
            let inner = match of.receiver.map(|receiver| value_of(module, receiver)) {
                Some(receiver) if call(module, receiver).is_some() => receiver,
                _ => value_of(module, of.argument(0)?),
            };
            let exp = call(module, inner).filter(|inner| inner.name == "exp")?;
            Some((exp.name, "`jax.nn.logsumexp(x)`"))
        }
        _ => None,
    }
}

/// What a name was bound to, where it is one.
fn value_of(module: &Module, id: ExprId) -> ExprId {
    match module.expr(id) {
        Expr::Name(_, name) => origins::bound_once(module, *name, module.span(id)).unwrap_or(id),
        _ => id,
    }
}
