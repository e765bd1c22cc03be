//! Lists that a loop fills and that are stacked behind it: `for x in xs: ys.append(f(x))` as `ys = jax.vmap(lambda x: f(x))(xs)`, and
//! as what a `jax.lax.scan` puts out where something goes from round to round.

use super::fori_loop::{Rows, Through, rows, scanned};
use super::rounds::{Header, Rounds, is_read_behind, reads};
use super::{Found, definitions, followed, types};
use crate::analysis::Shown;
use crate::array::{Aval, DType};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, call, calls, fact, within};
use crate::module::{Arg, Expr, ExprId, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    if !found.has_jax() || found.facts.text.contains("enable_x64") {
        return None;
    }
    let (at, target, iter, body) = module.stmts.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Stmt::For { target, iter, body, orelse, is_async: false } if within(found.span(), module.span(*iter)) => {
            orelse.is_empty().then_some((at, target, *iter, body))
        }
        _ => None,
    })?;
    let whole = module.stmt_spans[at];
    let mut rows = rows(found, target, iter)?;
    let is_range = matches!(rows.through, Through::Range(..));
    if is_range {
        // The numbers are an array's from now on.
        rows.given.iter_mut().for_each(|(_, aval)| *aval = Aval::scalar(DType::I32, false));
    }
    if rows.given.iter().any(|(name, _)| is_read_behind(found, *name, whole)) {
        return None;
    }
    // The lists are filled at the end of a round.
    let filled = body.iter().rev().map_while(|id| appended(found, *id)).count();
    let (before, last) = body.split_at(body.len() - filled);
    let items = last.iter().map(|id| appended(found, *id)).collect::<Option<Vec<(Symbol, ExprId)>>>()?;
    let is_twice = |at: usize| items[..at].iter().any(|(list, _)| *list == items[at].0);
    let computes = |item: ExprId| followed::only_computes(found, module.span(item), followed::DEEPEST);
    if items.is_empty() || (0..items.len()).any(is_twice) || !items.iter().all(|(_, item)| computes(*item)) {
        return None;
    }
    let header = Header { whole, head: iter, given: &rows.given, plain: is_range, ran: true };
    let rounds = Rounds::of(found, &header, before)?;
    let mut after = rounds.types.clone();
    rounds.steps.iter().try_for_each(|step| step.run(found, &mut after))?;
    let mut edits = Vec::new();
    for (list, item) in &items {
        let aval = types::of(found, &after, *item)?;
        let seen = fact(found.facts, module.span(*item))?;
        let same = seen.seen.iter().all(|seen| match seen {
            Shown::Array { aval: own, tracer: true } => own.dtype == aval.dtype && own.shape == aval.shape,
            _ => false,
        });
        if !same || seen.seen.is_empty() {
            return None;
        }
        edits.extend(stacked(found, *list, whole)?);
    }
    let packed = |texts: Vec<&str>| match &texts[..] {
        [only] => (*only).to_owned(),
        all => format!("({})", all.join(", ")),
    };
    let lists = packed(items.iter().map(|(list, _)| list.as_str()).collect());
    let outputs = packed(items.iter().map(|(_, item)| found.text(*item)).collect());
    let through = match &rows.through {
        Through::Range(from, to) if from == "0" => format!("{}.arange({to})", found.jnp()?),
        Through::Range(from, to) => format!("{}.arange({from}, {to})", found.jnp()?),
        Through::Arrays(arrays) => arrays.clone(),
    };
    let (name, text) = match rounds.carried.is_empty() {
        true => ("vmap", mapped(found, &rounds, &rows, &through, (&lists, &outputs), whole)?),
        false => ("lax.scan", scanned(found, &rounds, &through, &rows.target, whole, (&lists, &outputs))?),
    };
    edits.push(found.edit(whole, text));
    let names: Vec<String> = items.iter().map(|(list, _)| format!("`{list}`")).collect();
    Some(Fix { title: format!("fill {} with `jax.{name}`", names.join(" and ")), edits })
}

/// `ys.append(value)`: the list's name and the value.
fn appended(found: &Found<'_>, id: StmtId) -> Option<(Symbol, ExprId)> {
    let Stmt::Expr(value) = found.module.stmt(id) else { return None };
    let append = call(found.module, *value).filter(|call| call.name == "append" && call.args.len() == 1)?;
    let Expr::Name(_, list) = found.module.expr(append.receiver?) else { return None };
    Some((*list, append.argument(0)?))
}

/// Takes away the empty list before a loop, and the stacking behind it; none where anything else is done with the list.
fn stacked(found: &Found<'_>, list: Symbol, whole: Span) -> Option<Vec<(crate::diagnostics::Range, String)>> {
    let module = found.module;
    let own = definitions::around(found, whole)?;
    let stacks: Vec<_> = calls(module)
        .filter(|call| {
            matches!(call.name, "stack" | "array" | "asarray")
                && is_first_axis(found, call)
                && whole.end < call.span.start
        })
        .filter(|call| {
            let is_it = |id: ExprId| matches!(module.expr(id), Expr::Name(_, name) if *name == list);
            within(call.span, own.span) && call.argument(0).is_some_and(is_it)
        })
        .collect();
    let binds_it = |stmt: &Stmt| match stmt {
        Stmt::Assign(targets, _) => {
            targets.iter().any(|target| matches!(target, Target::Name(_, name, _) if *name == list))
        }
        _ => false,
    };
    let all = module.stmts.iter().zip(&module.stmt_spans);
    let bound = all.filter(|(stmt, span)| within(**span, own.span) && binds_it(stmt));
    // `ys = jnp.stack(ys)`
    let (again, made): (Vec<_>, Vec<_>) = bound.partition(|(stmt, _)| match stmt {
        Stmt::Assign(_, value) => stacks.iter().any(|call| call.id == *value),
        _ => false,
    });
    let mut made = made.into_iter();
    let (Stmt::Assign(targets, value), made_span) = made.next()? else { return None };
    let is_empty = matches!(module.expr(*value), Expr::List(items) if items.is_empty());
    let in_block = found.line(*made_span)?.1 == found.line(whole)?.1;
    if made.next().is_some() || targets.len() != 1 || !is_empty || !in_block || made_span.end > whole.start {
        return None;
    }
    let all = reads(found, list).filter(|span| within(*span, own.span)).count();
    // The other one is the `append`; what is an array from some statement on is read like any other.
    let alike = match &again[..] {
        [] => all == stacks.len() + 1,
        [(_, span)] => {
            let early = reads(found, list).filter(|read| within(*read, own.span) && read.end <= span.end).count();
            stacks.len() == 1 && early == 2 && found.line(**span)?.1 == found.line(whole)?.1
        }
        _ => false,
    };
    if stacks.is_empty() || !alike {
        return None;
    }
    let mut edits =
        vec![found.edit(Span { start: found.line(*made_span)?.0, end: found.next_line(*made_span)? }, String::new())];
    match &again[..] {
        [(_, span)] => {
            let line = Span { start: found.line(**span)?.0, end: found.next_line(**span)? };
            edits.push(found.edit(line, String::new()));
        }
        _ => edits.extend(stacks.iter().map(|call| found.edit(call.span, list.to_string()))),
    }
    Some(edits)
}

/// `jnp.stack(ys)`, `jnp.stack(ys, axis=0)`: the rounds become the first axis.
fn is_first_axis(found: &Found<'_>, call: &Call<'_>) -> bool {
    match &call.args[1..] {
        [] => true,
        [Arg::Positional(axis)] => call.name == "stack" && found.text(*axis) == "0",
        [Arg::Keyword(name, axis)] => name.as_str() == "axis" && found.text(*axis) == "0",
        _ => false,
    }
}

/// The rows do not depend on each other.
fn mapped(
    found: &Found<'_>,
    rounds: &Rounds<'_>,
    rows: &Rows,
    through: &str,
    (list, text): (&str, &str),
    whole: Span,
) -> Option<String> {
    let arrays = match through.strip_prefix('(').and_then(|arrays| arrays.strip_suffix(')')) {
        Some(arrays) if rows.given.len() > 1 => arrays,
        _ => through,
    };
    if rounds.steps.is_empty() {
        return Some(format!("{list} = jax.vmap(lambda {}: {text})({arrays})", rows.target));
    }
    let (_, indent) = found.line(whole)?;
    let inner = format!("{indent}    ");
    let lines = rounds.lines(found, &inner);
    let is_free = !found.has_name("one_row");
    is_free.then(|| {
        format!(
            "def one_row({}):\n{lines}{inner}return {text}\n{indent}{list} = jax.vmap(one_row)({arrays})",
            rows.target
        )
    })
}
