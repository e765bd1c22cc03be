//! A Python list where an array is meant: `jnp.sum([a, b])` as `jnp.sum(jnp.array([a, b]))`, `items[i]` as `jnp.asarray(items)[i]`,
//! and so for a table of NumPy's.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, traced};
use crate::module::Expr;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let jnp = found.jnp()?;
    // Of texts and objects there is none.
    if found.diagnostic.message.contains("is not a valid JAX array type") {
        return None;
    }
    if let Some(call) = call_at(found.module, found.span()) {
        let value = call.argument(0)?;
        if !matches!(found.module.expr(value), Expr::List(_) | Expr::Tuple(_))
            || !found.text(call.receiver?).contains(jnp)
        {
            return None;
        }
        let text = format!("{jnp}.array({})", found.text(value));
        return found.replace("make it an array".into(), found.module.span(value), text);
    }
    let Expr::Subscript(items, index) = found.module.expr(found.expr()?) else { return None };
    traced(found.facts, *index)?;
    let Expr::Name(..) = found.module.expr(*items) else { return None };
    let text = format!("{jnp}.asarray({})", found.text(*items));
    found.replace("index an array".into(), found.module.span(*items), text)
}
