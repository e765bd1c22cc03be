//! A cache that keeps a traced value is left out.

use super::{Found, definitions};
use crate::diagnostics::Fix;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let code = definitions::around(found, found.span())?;
    let (def, _) = definitions::of_function(found, code)?;
    let cache = def.decorators.iter().find(|decorator| {
        let text = found.text(**decorator).split('(').next().unwrap_or_default();
        matches!(text.rsplit('.').next(), Some("lru_cache" | "cache"))
    })?;
    let line = definitions::decorator_line(found, found.module.span(*cache))?;
    found.replace(format!("compute what `{}` gives at each call", code.name), line, String::new())
}
