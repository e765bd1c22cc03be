//! The calls of NumPy that would raise one after the other: those of the function around that are given what the failing one is given, or
//! what comes of it.

use super::{Found, definitions, jnp_names};
use crate::analysis::Shown;
use crate::diagnostics::reading::{Call, arrays, call, calls, fact, is_module, traced, within};
use crate::diagnostics::{Range, origins};
use crate::module::{Arg, Expr, ExprId, Part, Stmt, Symbol, Target};
use crate::text::Span;

/// The edits that make all of them calls of `jax.numpy`; none where it has not all of them.
pub(super) fn edits(found: &Found<'_>, jnp: &str, failing: &Call<'_>) -> Option<Vec<(Range, String)>> {
    let module = found.module;
    inner(found, failing)?;
    let (_, statement) = found.statement(failing.span)?;
    let region = definitions::around(found, failing.span).map_or(statement, |code| code.span);
    let mut steps: Vec<(u32, usize, Step<'_>)> = Vec::new();
    for call in calls(module).filter(|call| within(call.span, region) && call.span.start >= statement.start) {
        if inner(found, &call).is_some() {
            steps.push((call.span.end, 0, Step::Call(call)));
        }
    }
    for (stmt, span) in module.stmts.iter().zip(&module.stmt_spans) {
        if within(*span, region) && span.start >= statement.start {
            match stmt {
                Stmt::Assign(targets, value) => steps.push((span.end, 1, Step::Bind(targets, *value))),
                Stmt::AugAssign { target, value, .. } => {
                    steps.push((span.end, 1, Step::Bind(std::slice::from_ref(target), *value)));
                }
                Stmt::For { target, iter, .. } => {
                    steps.push((module.span(*iter).end, 1, Step::Bind(std::slice::from_ref(target), *iter)));
                }
                _ => {}
            }
        }
    }
    steps.sort_by_key(|(end, order, _)| (*end, *order));
    let mut known = Traced { found, names: Vec::new(), calls: vec![failing.id] };
    let mut edits = Vec::new();
    for (_, _, step) in &steps {
        match step {
            Step::Call(call) => {
                if call.id != failing.id && !known.is_given(call) {
                    continue;
                }
                let inner = inner(found, call)?;
                if !jnp_names::has(inner, call.name, call.args) {
                    // One that has run takes what it is given.
                    let has_run = fact(found.facts, call.span)
                        .is_some_and(|fact| !fact.seen.iter().any(|seen| matches!(seen, Shown::Unknown(_))));
                    if has_run && call.id != failing.id {
                        continue;
                    }
                    return None;
                }
                known.calls.push(call.id);
                let dot = if inner.is_empty() { "" } else { "." };
                edits.push(found.edit(module.span(call.receiver?), format!("{jnp}{dot}{inner}")));
            }
            Step::Bind(targets, value) => {
                if known.holds(*value) {
                    targets.iter().for_each(|target| known.bind(target));
                }
            }
        }
    }
    Some(edits)
}

enum Step<'a> {
    Call(Call<'a>),
    Bind(&'a [Target], ExprId),
}

/// Which module of NumPy a call is of: `linalg` of `np.linalg.norm(x)`, and nothing of `np.sum(x)`.
pub(super) fn inner<'a>(found: &Found<'a>, call: &Call<'_>) -> Option<&'a str> {
    let receiver = found.text(call.receiver?);
    let (name, inner) = receiver.split_once('.').unwrap_or((receiver, ""));
    let is_path = inner.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
    (is_path && is_module(found.module, name, "numpy")).then_some(inner)
}

/// What is traced, or will be.
struct Traced<'f, 'a> {
    found: &'f Found<'a>,
    names: Vec<Symbol>,
    calls: Vec<ExprId>,
}

impl Traced<'_, '_> {
    fn is_given(&self, call: &Call<'_>) -> bool {
        call.args.iter().any(|arg| match arg {
            Arg::Positional(value) | Arg::Star(value) | Arg::Keyword(_, value) | Arg::DoubleStar(value) => {
                self.holds(*value)
            }
        })
    }

    /// Whether an expression is traced, or a part of it that it is computed of.
    fn holds(&self, id: ExprId) -> bool {
        let (found, module) = (self.found, self.found.module);
        if self.calls.contains(&id) {
            return true;
        }
        if arrays(found.facts, id).is_some() {
            return traced(found.facts, id).is_some();
        }
        match module.expr(id) {
            Expr::Name(_, name) => self.names.contains(name) || self.is_bound_traced(*name, module.span(id)),
            Expr::Attribute(_, name) if matches!(name.as_str(), "shape" | "ndim" | "size" | "dtype") => false,
            Expr::Attribute(of, _) => self.holds(*of),
            Expr::Call(..) => {
                let Some(call) = call(module, id) else { return false };
                // One of NumPy's that is not made one of JAX's gives what NumPy has.
                let is_plain = inner(found, &call).is_some()
                    || call.receiver.is_none()
                        && matches!(call.name, "len" | "type" | "isinstance" | "range" | "int" | "float");
                !is_plain && (self.is_given(&call) || call.receiver.is_some_and(|receiver| self.holds(receiver)))
            }
            Expr::Lambda(..) | Expr::Comprehension(..) => false,
            expr => {
                let mut holds = false;
                expr.parts(&mut |part| {
                    if let Part::Expr(inner) = part {
                        holds |= self.holds(inner);
                    }
                });
                holds
            }
        }
    }

    /// Whether a name that the run did not come to was bound to something traced before.
    fn is_bound_traced(&self, name: Symbol, reader: Span) -> bool {
        let (found, module) = (self.found, self.found.module);
        match origins::bound(module, name, reader) {
            Some((_, Some(value))) => traced(found.facts, value).is_some(),
            Some((_, None)) => false,
            None => {
                let scope = origins::scope_of(module, name, reader);
                let param = scope.and_then(|code| code.params.names.iter().find(|param| param.name == name));
                param.and_then(|param| fact(found.facts, param.span)).is_some_and(|fact| {
                    !fact.seen.is_empty()
                        && fact.seen.iter().all(|seen| matches!(seen, Shown::Array { tracer: true, .. }))
                })
            }
        }
    }

    fn bind(&mut self, target: &Target) {
        match target {
            Target::Name(_, name, _) => self.names.push(*name),
            Target::Tuple(items, _) => items.iter().for_each(|item| self.bind(item)),
            Target::Starred(item, _) => self.bind(item),
            _ => {}
        }
    }
}
