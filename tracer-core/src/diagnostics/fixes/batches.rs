//! Where the argument that a function is traced again for is cut out of an array, part by part: in the call itself, under a name, beside
//! another slice in a tuple, or by a generator that a loop goes through.

use super::Found;
use crate::analysis::Shown;
use crate::diagnostics::origins;
use crate::diagnostics::reading::{call, call_at, calls, fact, function, within};
use crate::interp::{Event, KeyChange, KeyDifference};
use crate::module::{Arg, Code, Expr, ExprId, Stmt, Symbol, Target};
use crate::text::Span;

/// A slice whose last part is shorter.
pub(super) struct Part {
    /// `x[i:i + size]`
    pub(super) slice: Span,
    /// The generator that yields it.
    pub(super) yielded: Option<Symbol>,
}

/// The first argument that comes from such a slice, where every change of the call's types is a shorter first axis.
pub(super) fn part(found: &Found<'_>) -> Option<Part> {
    let (most, least) = sizes(found)?;
    let call = call_at(found.module, found.span())?;
    call.args.iter().find_map(|arg| {
        let (Arg::Positional(value) | Arg::Keyword(_, value)) = arg else { return None };
        let (slice, base, yielded) = source(found, *value, 6)?;
        (rows(found, base)? % most == least).then(|| Part { slice: found.module.span(slice), yielded })
    })
}

/// How many rows there are in the other parts and in the last, if that is all that changes.
fn sizes(found: &Found<'_>) -> Option<(usize, usize)> {
    let mut all: Option<(usize, usize)> = None;
    for event in found.events {
        let Event::CacheMiss { site, seen_before: 1.., differences, .. } = event else { continue };
        if !found.is_at(*site) {
            continue;
        }
        for KeyDifference { change, .. } in differences {
            let Some(KeyChange::Type { now, before, .. }) = change else { return None };
            let (shorter, longer) = (now.shape.first()?.known()?, before.shape.first()?.known()?);
            let is_shorter = shorter < longer && now.shape[1..] == before.shape[1..] && now.dtype == before.dtype;
            if !is_shorter || all.is_some_and(|known| known != (longer, shorter)) {
                return None;
            }
            all = Some((longer, shorter));
        }
    }
    all
}

/// How many rows an array has that is cut.
fn rows(found: &Found<'_>, base: ExprId) -> Option<usize> {
    let mut sizes = fact(found.facts, found.module.span(base))?.seen.iter().map(|seen| match seen {
        Shown::Array { aval, .. } => aval.shape.first()?.known(),
        // NumPy's arrays show their types.
        Shown::Other(text) => text.strip_prefix("np:")?.split(['[', ',', ']']).nth(1)?.parse().ok(),
        Shown::Unknown(_) => None,
    });
    let first = sizes.next()??;
    sizes.all(|size| size == Some(first)).then_some(first)
}

/// The slice that a value is, what it is cut out of, and the generator that yields it.
fn source(found: &Found<'_>, value: ExprId, depth: usize) -> Option<(ExprId, ExprId, Option<Symbol>)> {
    let module = found.module;
    let depth = depth.checked_sub(1)?;
    match module.expr(value) {
        Expr::Subscript(base, index) => {
            let first = match module.expr(*index) {
                Expr::Tuple(items) => *items.first()?,
                _ => *index,
            };
            match module.expr(first) {
                Expr::Slice(Some(_), Some(_), None) => Some((value, *base, None)),
                // `x[order[i:i + size]]`
                _ => source(found, first, depth),
            }
        }
        Expr::Call(..) => {
            let made = call(module, value).filter(|call| matches!(call.name, "asarray" | "array" | "device_put"))?;
            source(found, made.argument(0)?, depth)
        }
        Expr::Name(_, name) => match origins::bound(module, *name, module.span(value))? {
            (_, Some(bound)) => source(found, bound, depth),
            (binding, None) => beside(found, binding, depth).or_else(|| yielded(found, binding, depth)),
        },
        _ => None,
    }
}

/// Where a name stands among others that are bound.
fn place(target: &Target, binding: Span) -> Option<Option<usize>> {
    match target {
        Target::Name(_, _, span) => (*span == binding).then_some(None),
        Target::Tuple(items, _) => {
            let at = items.iter().position(|item| matches!(item, Target::Name(_, _, span) if *span == binding))?;
            Some(Some(at))
        }
        _ => None,
    }
}

fn item(found: &Found<'_>, value: ExprId, at: Option<usize>) -> Option<ExprId> {
    match (found.module.expr(value), at) {
        (_, None) => Some(value),
        (Expr::Tuple(items), Some(at)) => items.get(at).copied(),
        _ => None,
    }
}

/// `a, b = x[i:i + size], y[i:i + size]`
fn beside(found: &Found<'_>, binding: Span, depth: usize) -> Option<(ExprId, ExprId, Option<Symbol>)> {
    let (at, value) = found.module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign(targets, value) => match &targets[..] {
            [target] => Some((place(target, binding)?, *value)),
            _ => None,
        },
        _ => None,
    })?;
    source(found, item(found, value, at)?, depth)
}

/// `for a, b in batches(x, y, size)`, of a function that yields slices in one place.
fn yielded(found: &Found<'_>, binding: Span, depth: usize) -> Option<(ExprId, ExprId, Option<Symbol>)> {
    let module = found.module;
    let (at, iter) = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::For { target, iter, .. } => match (counted(found, *iter), target) {
            (Some(inner), Target::Tuple(items, _)) => Some((place(items.get(1)?, binding)?, inner)),
            (None, target) => Some((place(target, binding)?, *iter)),
            _ => None,
        },
        _ => None,
    })?;
    let code = generator(found, iter)?;
    let mut all = module.exprs.iter().zip(&module.expr_spans).filter_map(|(expr, span)| match expr {
        Expr::Yield(value) if within(*span, code.span) => Some(*value),
        _ => None,
    });
    let value = all.next().filter(|_| all.next().is_none())??;
    let (slice, base, inner) = source(found, item(found, value, at)?, depth)?;
    inner.is_none().then_some((slice, base, Some(code.name)))
}

/// What an `enumerate` goes through.
fn counted(found: &Found<'_>, iter: ExprId) -> Option<ExprId> {
    let call = call(found.module, iter).filter(|call| call.name == "enumerate" && call.receiver.is_none())?;
    call.argument(0)
}

/// The generator of the program's that a call makes.
fn generator<'a>(found: &Found<'a>, iter: ExprId) -> Option<&'a Code> {
    let call = call(found.module, iter)?;
    let code = function(found.module, call.name)?;
    code.is_generator.then_some(code)
}

/// The loops that go through what a generator yields: the target and the whole of each; none where anything else is done with it.
pub(super) fn consumers<'a>(found: &Found<'a>, generator: Symbol) -> Option<Vec<(&'a Target, Span, Span)>> {
    let module = found.module;
    let mut loops = Vec::new();
    for call in calls(module).filter(|call| call.name == generator.as_str()) {
        let own = module.stmts.iter().zip(&module.stmt_spans).find_map(|(stmt, span)| match stmt {
            Stmt::For { target, iter, orelse, .. } if orelse.is_empty() => {
                let is_it = *iter == call.id || counted(found, *iter) == Some(call.id);
                is_it.then_some((target, module.span(*iter), *span))
            }
            _ => None,
        })?;
        loops.push(own);
    }
    (!loops.is_empty()).then_some(loops)
}
