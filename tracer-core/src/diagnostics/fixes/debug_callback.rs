//! `jax.pure_callback(f, shape, x)` as `jax.debug.callback(f, x)`, where nobody uses the result.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::call_at;
use crate::module::Arg;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let call = call_at(found.module, found.span())?;
    let texts = call.args.iter().map(|arg| match arg {
        Arg::Positional(value) => Some(found.text(*value)),
        _ => None,
    });
    let texts = texts.collect::<Option<Vec<_>>>()?;
    let [function, _, rest @ ..] = &texts[..] else { return None };
    if !found.has_jax() {
        return None;
    }
    let mut all = vec![*function];
    all.extend(rest);
    found.replace(
        "call it with `jax.debug.callback`".into(),
        found.span(),
        format!("jax.debug.callback({})", all.join(", ")),
    )
}
