//! `while` on a traced condition as `jax.lax.while_loop`, where what goes from round to round keeps its type.

use super::rounds::{Header, Rounds};
use super::{Found, condition, types};
use crate::array::DType;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::within;
use crate::module::Stmt;
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (jnp, module) = (found.jnp()?, found.module);
    // The types below are those of 32 bits.
    if !found.has_jax() || found.facts.text.contains("enable_x64") {
        return None;
    }
    let at = module
        .stmts
        .iter()
        .position(|stmt| matches!(stmt, Stmt::While { test, .. } if within(found.span(), module.span(*test))))?;
    let Stmt::While { test, body, orelse } = &module.stmts[at] else { return None };
    if !orelse.is_empty() {
        return None;
    }
    let span = module.stmt_spans[at];
    let rounds = Rounds::of(found, &Header { whole: span, head: *test, given: &[], plain: false, ran: false }, body)?;
    let condition = types::of(found, &rounds.types, *test).filter(|aval| aval.shape.is_empty())?;
    let mut test_text = condition::asked(found, jnp, *test)?;
    if condition.dtype != DType::Bool {
        test_text = format!("({test_text}) != 0");
    }
    let text = written(found, &rounds, &test_text, span)?;
    found.replace("loop with `jax.lax.while_loop`".into(), span, text)
}

/// The loop's text.
fn written(found: &Found<'_>, rounds: &Rounds<'_>, test: &str, whole: Span) -> Option<String> {
    if let Some((name, value)) = rounds.only() {
        let value = found.text(value);
        return Some(format!(
            "{name} = jax.lax.while_loop(lambda {name}: {test}, lambda {name}: {value}, {})",
            rounds.initial()
        ));
    }
    let (_, indent) = found.line(whole)?;
    let inner = format!("{indent}    ");
    let (condition, function) = ("keep_going", "one_round");
    if found.has_name(condition) || found.has_name(function) {
        return None;
    }
    let (param, unpack, all) = rounds.packed(&inner)?;
    let packed = rounds.initial();
    let lines = rounds.lines(found, &inner);
    Some(format!(
        "def {condition}({param}):\n{unpack}{inner}return {test}\n{indent}def {function}({param}):\n{unpack}{lines}\
         {inner}return {all}\n{indent}{all} = jax.lax.while_loop({condition}, {function}, {packed})"
    ))
}
