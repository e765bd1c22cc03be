//! An argument that is read again is not donated: `donate_argnums` is left out.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::calls;
use crate::module::{Arg, Expr};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let is_donation = |arg: &Arg| matches!(arg, Arg::Keyword(name, _) if matches!(name.as_str(), "donate_argnums" | "donate_argnames" | "donate"));
    let mut all = calls(module).filter(|call| call.args.iter().any(is_donation));
    // Which one it was is plain where there is one.
    let (call, other) = (all.next()?, all.next());
    let at = call.args.iter().position(is_donation)?;
    if other.is_some() || call.args.iter().filter(|arg| is_donation(arg)).count() != 1 {
        return None;
    }
    let value = |arg: &Arg| match arg {
        Arg::Positional(value) | Arg::Keyword(_, value) | Arg::Star(value) | Arg::DoubleStar(value) => *value,
    };
    let end = module.span(value(&call.args[at])).end;
    let start = match at.checked_sub(1) {
        Some(before) => module.span(value(&call.args[before])).end,
        None => {
            let Expr::Call(function, _) = module.expr(call.id) else { return None };
            let start = module.span(*function).end;
            start + found.facts.text.get(start as usize..end as usize)?.find('(')? as u32 + 1
        }
    };
    // `@jax.jit(donate_argnums=0)` alone, or with more behind it.
    let rest = found.facts.text.get(end as usize..)?;
    let more =
        if at == 0 && call.args.len() > 1 { rest.find(|c: char| c != ',' && !c.is_whitespace())? as u32 } else { 0 };
    found.replace("keep the argument".into(), Span { start, end: end + more }, String::new())
}
