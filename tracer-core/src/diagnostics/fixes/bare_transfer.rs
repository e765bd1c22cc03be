//! `jax.device_get(x)` as `x`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::call_at;
use crate::module::Expr;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let call = call_at(found.module, found.span())?;
    let value = call.argument(0).filter(|_| call.args.len() == 1)?;
    let text = found.text(value);
    let text = match found.module.expr(value) {
        Expr::Name(..) | Expr::Call(..) | Expr::Attribute(..) | Expr::Subscript(..) => text.to_owned(),
        _ => format!("({text})"),
    };
    found.replace(format!("leave `{}` out", call.name), found.span(), text)
}
