//! A list that is given to a static argument as a tuple: `f(x, [2, 2])` as `f(x, (2, 2))`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::call_at;
use crate::module::{Arg, Expr, ExprId};
use crate::python::Subject;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    match found.problem?.subject.as_ref()? {
        Subject::Unhashable(class) if class == "list" => {}
        _ => return None,
    }
    let call = call_at(found.module, found.span())?;
    let lists: Vec<ExprId> = call
        .args
        .iter()
        .filter_map(|arg| match arg {
            Arg::Positional(value) | Arg::Keyword(_, value) => Some(*value),
            _ => None,
        })
        .filter(|value| matches!(found.module.expr(*value), Expr::List(_)))
        .collect();
    let [list] = lists[..] else { return None };
    let Expr::List(items) = found.module.expr(list) else { return None };
    let inner = found.text(list).strip_prefix('[')?.strip_suffix(']')?;
    let comma = if items.len() == 1 && !inner.trim_end().ends_with(',') { "," } else { "" };
    found.replace("give a tuple, which can be hashed".into(), found.module.span(list), format!("({inner}{comma})"))
}
