//! What rules ask of a program's text and of what its expressions were.

use super::origins;
use crate::analysis::{ExprFact, FileFacts, Shown};
use crate::array::Aval;
use crate::module::{Arg, Body, Code, CodeKind, Expr, ExprId, Module, Part, Stmt, StmtId};
use crate::text::Span;

/// A call in a program's text.
pub struct Call<'a> {
    /// The whole expression.
    pub id: ExprId,
    /// Its range.
    pub span: Span,
    /// The last name of what is called: `sum` of `jnp.sum(x)`.
    pub name: &'a str,
    /// What the name is an attribute of.
    pub receiver: Option<ExprId>,
    /// The arguments.
    pub args: &'a [Arg],
}

impl Call<'_> {
    /// The positional argument at this place.
    pub fn argument(&self, at: usize) -> Option<ExprId> {
        match self.args.get(at)? {
            Arg::Positional(value) => Some(*value),
            _ => None,
        }
    }
    /// The argument at this place, or of this name.
    pub fn argument_or(&self, at: usize, name: &str) -> Option<ExprId> {
        self.argument(at).or_else(|| {
            self.args.iter().find_map(|arg| match arg {
                Arg::Keyword(own, value) if own.as_str() == name => Some(*value),
                _ => None,
            })
        })
    }
}

/// The call that an expression is.
pub fn call(module: &Module, id: ExprId) -> Option<Call<'_>> {
    let Expr::Call(function, args) = module.expr(id) else { return None };
    let (name, receiver) = match module.expr(*function) {
        Expr::Name(_, name) => (name.as_str(), None),
        Expr::Attribute(receiver, name) => (name.as_str(), Some(*receiver)),
        _ => return None,
    };
    Some(Call { id, span: module.span(id), name, receiver, args })
}

/// All calls of a file.
pub fn calls(module: &Module) -> impl Iterator<Item = Call<'_>> {
    (0..module.exprs.len()).filter_map(|i| call(module, ExprId(i as u32)))
}

/// The call at a range.
pub fn call_at(module: &Module, span: Span) -> Option<Call<'_>> {
    calls(module).find(|call| call.span == span)
}

/// What the expression at this range was.
pub fn fact(facts: &FileFacts, span: Span) -> Option<&ExprFact> {
    let first = facts.exprs.partition_point(|e| (e.span.start, e.span.end) < (span.start, span.end));
    facts.exprs.get(first).filter(|fact| fact.span == span)
}

/// The types of an expression that was a traced array each time.
pub fn traced(facts: &FileFacts, expr: ExprId) -> Option<Vec<&Aval>> {
    let fact = fact(facts, facts.module.span(expr))?;
    let avals = fact.seen.iter().map(|seen| match seen {
        Shown::Array { aval, tracer: true } => Some(aval),
        _ => None,
    });
    avals.collect::<Option<Vec<_>>>().filter(|avals| !avals.is_empty())
}

/// The types of an expression that was an array each time, traced or not.
pub fn arrays(facts: &FileFacts, expr: ExprId) -> Option<Vec<&Aval>> {
    let fact = fact(facts, facts.module.span(expr))?;
    let avals = fact.seen.iter().map(|seen| match seen {
        Shown::Array { aval, .. } => Some(aval),
        _ => None,
    });
    avals.collect::<Option<Vec<_>>>().filter(|avals| !avals.is_empty())
}

/// Whether a name stands for a module: `np` for `numpy`.
pub fn is_module(module: &Module, name: &str, wanted: &str) -> bool {
    module.stmts.iter().any(|stmt| match stmt {
        Stmt::Import(aliases) => aliases.iter().any(|alias| {
            alias.name.as_str() == wanted && alias.asname.as_ref().map_or(wanted, |asname| asname.as_str()) == name
        }),
        _ => false,
    })
}

/// Whether a range lies within another.
pub fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The function of a file that has this name, if there is one alone.
pub fn function<'m>(module: &'m Module, name: &str) -> Option<&'m Code> {
    let mut all = module.codes.iter().filter(|code| code.kind == CodeKind::Function && code.name.as_str() == name);
    all.next().filter(|_| all.next().is_none())
}

/// The function that an expression stands for: a lambda, the name of one in the file, or what `partial` and what keeps a function's
/// arguments and results make of one.
pub fn function_of(module: &Module, expr: ExprId) -> Option<&Code> {
    match module.expr(unwrapped(module, expr, 4)) {
        Expr::Lambda(code, _) => Some(module.code(*code)),
        Expr::Name(_, name) | Expr::Attribute(_, name) => function(module, name.as_str()),
        _ => None,
    }
}

/// `f` of `partial(f, a)` and of `jax.checkpoint(f)`, also where a name is bound to that.
pub fn unwrapped(module: &Module, expr: ExprId, depth: usize) -> ExprId {
    const KEEPS: [&str; 7] = ["partial", "Partial", "jit", "checkpoint", "remat", "filter_jit", "filter_checkpoint"];
    let inner = match module.expr(expr) {
        Expr::Name(_, name) if function(module, name.as_str()).is_none() => {
            let bound = origins::bound(module, *name, module.span(expr)).and_then(|(_, value)| value);
            bound.filter(|value| matches!(module.expr(*value), Expr::Lambda(..) | Expr::Call(..)))
        }
        Expr::Call(..) => {
            call(module, expr).filter(|call| KEEPS.contains(&call.name)).and_then(|call| call.argument(0))
        }
        _ => None,
    };
    match (inner, depth.checked_sub(1)) {
        (Some(inner), Some(depth)) => unwrapped(module, inner, depth),
        _ => expr,
    }
}

/// The statements of a function, without those of functions in it.
pub fn statements(module: &Module, code: &Code) -> Vec<StmtId> {
    let Body::Block(body) = &code.body else { return Vec::new() };
    let mut found: Vec<StmtId> = Vec::new();
    let mut waiting: Vec<StmtId> = body.iter().rev().copied().collect();
    while let Some(id) = waiting.pop() {
        found.push(id);
        let at = waiting.len();
        module.stmt(id).parts(&mut |part| {
            if let Part::Stmt(inner) = part {
                waiting.push(inner);
            }
        });
        waiting[at..].reverse();
    }
    found
}

/// The one value that a function returns in the text.
pub fn returned(module: &Module, code: &Code) -> Option<ExprId> {
    if let Body::Expr(value) = &code.body {
        return Some(*value);
    }
    let mut values = statements(module, code).into_iter().filter_map(|id| match module.stmt(id) {
        Stmt::Return(value) => *value,
        _ => None,
    });
    values.next().filter(|_| values.next().is_none())
}
