//! `for i in range(n): x = f(x, i)` as `x = jax.lax.fori_loop(0, n, lambda i, x: f(x, i), x)`, and a loop through the rows of traced
//! arrays as `jax.lax.scan`.

use super::Found;
use super::rounds::{Header, Rounds, is_read_behind};
use crate::array::{Aval, DType};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, call, traced, within};
use crate::module::{BinaryOp, ExprId, Stmt, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    if !found.has_jax() || found.facts.text.contains("enable_x64") {
        return None;
    }
    let at = module
        .stmts
        .iter()
        .position(|stmt| matches!(stmt, Stmt::For { iter, .. } if within(found.span(), module.span(*iter))))?;
    let Stmt::For { target, iter, body, orelse, is_async: false } = &module.stmts[at] else { return None };
    if !orelse.is_empty() {
        return None;
    }
    let whole = module.stmt_spans[at];
    let rows = rows(found, target, *iter)?;
    // What the last round was given is a name behind the loop, too.
    if rows.given.iter().any(|(name, _)| is_read_behind(found, *name, whole)) {
        return None;
    }
    let plain = matches!(rows.through, Through::Range(..));
    let header = Header { whole, head: *iter, given: &rows.given, plain, ran: true };
    let rounds = Rounds::of(found, &header, body)?;
    let text = match &rows.through {
        Through::Range(from, to) => counted(found, &rounds, (from, to), &rows.target, whole)?,
        Through::Arrays(arrays) => scanned(found, &rounds, arrays, &rows.target, whole, ("_", "None"))?,
    };
    let name = if plain { "fori_loop" } else { "scan" };
    found.replace(format!("loop with `jax.lax.{name}`"), whole, text)
}

/// What a loop goes through.
pub(super) enum Through {
    /// Numbers from one to another.
    Range(String, String),
    /// The rows of an array, or of several.
    Arrays(String),
}

pub(super) struct Rows {
    pub(super) through: Through,
    pub(super) target: String,
    pub(super) given: Vec<(Symbol, Aval)>,
}

pub(super) fn rows(found: &Found<'_>, target: &Target, iter: ExprId) -> Option<Rows> {
    let module = found.module;
    let text = |id: ExprId| found.text(id).to_owned();
    let range = call(module, iter).filter(|call| call.name == "range" && call.receiver.is_none());
    if let (Some(range), Target::Name(_, index, _)) = (range, target) {
        let (from, to) = match range.args.len() {
            1 => ("0".to_owned(), text(range.argument(0)?)),
            2 => (text(range.argument(0)?), text(range.argument(1)?)),
            _ => return None,
        };
        let given = vec![(*index, Aval::scalar(DType::I32, true))];
        return Some(Rows { through: Through::Range(from, to), target: index.to_string(), given });
    }
    let given = |target: &Target, array: ExprId| -> Option<(Symbol, Aval, usize)> {
        let Target::Name(_, name, _) = target else { return None };
        let [aval] = traced(found.facts, array)?[..] else { return None };
        let mut row = Aval { weak: false, ..aval.clone() };
        let size = row.shape.first()?.known()?;
        row.shape.remove(0);
        Some((*name, row, size))
    };
    if let Some((name, row, _)) = given(target, iter) {
        let (target, through) = (name.to_string(), Through::Arrays(text(iter)));
        return Some(Rows { through, target, given: vec![(name, row)] });
    }
    let (zip, Target::Tuple(items, _)) = (call(module, iter)?, target) else { return None };
    let arrays = zipped(&zip, items.len())?;
    let all = items.iter().zip(&arrays).map(|(item, array)| given(item, *array)).collect::<Option<Vec<_>>>()?;
    if all.iter().any(|(_, _, size)| *size != all[0].2) {
        return None;
    }
    let names: Vec<&str> = all.iter().map(|(name, ..)| name.as_str()).collect();
    let texts: Vec<String> = arrays.iter().map(|array| text(*array)).collect();
    Some(Rows {
        target: names.join(", "),
        through: Through::Arrays(format!("({})", texts.join(", "))),
        given: all.into_iter().map(|(name, row, _)| (name, row)).collect(),
    })
}

/// The arguments of a `zip` of so many.
fn zipped(zip: &Call<'_>, many: usize) -> Option<Vec<ExprId>> {
    let args = (0..zip.args.len()).map(|at| zip.argument(at)).collect::<Option<Vec<ExprId>>>()?;
    (zip.name == "zip" && zip.receiver.is_none() && args.len() == many && many > 1).then_some(args)
}

/// The loop's text over numbers.
fn counted(
    found: &Found<'_>,
    rounds: &Rounds<'_>,
    (from, to): (&str, &str),
    index: &str,
    whole: Span,
) -> Option<String> {
    if let Some((carry, text)) = only(found, rounds) {
        return Some(format!(
            "{carry} = jax.lax.fori_loop({from}, {to}, lambda {index}, {carry}: {text}, {})",
            rounds.initial()
        ));
    }
    let (_, indent) = found.line(whole)?;
    let inner = format!("{indent}    ");
    let (param, unpack, all) = function_of(found, rounds, &inner)?;
    let packed = rounds.initial();
    let lines = rounds.lines(found, &inner);
    Some(format!(
        "def one_round({index}, {param}):\n{unpack}{lines}{inner}return {all}\n\
         {indent}{all} = jax.lax.fori_loop({from}, {to}, one_round, {packed})"
    ))
}

/// The loop's text over rows; what each round puts out, and the name that all of it gets.
pub(super) fn scanned(
    found: &Found<'_>,
    rounds: &Rounds<'_>,
    arrays: &str,
    target: &str,
    whole: Span,
    (outputs, output): (&str, &str),
) -> Option<String> {
    let (_, indent) = found.line(whole)?;
    let inner = format!("{indent}    ");
    let (param, mut unpack, all) = function_of(found, rounds, &inner)?;
    let (packed, left) = match rounds.carried.len() {
        1 => (all.clone(), all.clone()),
        _ => (format!("({all})"), format!("({all})")),
    };
    let row = if target.contains(',') { "rows" } else { target };
    if row == "rows" {
        if found.has_name("rows") {
            return None;
        }
        unpack.push_str(&format!("{inner}{target} = rows\n"));
    }
    let lines = rounds.lines(found, &inner);
    Some(format!(
        "def one_round({param}, {row}):\n{unpack}{lines}{inner}return {packed}, {output}\n\
         {indent}{left}, {outputs} = jax.lax.scan(one_round, {}, {arrays})",
        rounds.initial()
    ))
}

fn function_of(found: &Found<'_>, rounds: &Rounds<'_>, inner: &str) -> Option<(String, String, String)> {
    (!found.has_name("one_round")).then(|| rounds.packed(inner))?
}

/// The one carried name, and the text of what a round makes of it.
fn only(found: &Found<'_>, rounds: &Rounds<'_>) -> Option<(Symbol, String)> {
    if let Some((name, value)) = rounds.only() {
        return Some((name, found.text(value).to_owned()));
    }
    let ([step], [_]) = (&rounds.steps[..], &rounds.carried[..]) else { return None };
    let sign = match step.op? {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        _ => return None,
    };
    let name = step.names[0];
    Some((name, format!("{name} {sign} ({})", found.text(step.values[0]))))
}
