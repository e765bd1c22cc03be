//! A type of 64 bits as the one of 32 that it becomes.

use super::Found;
use crate::diagnostics::Fix;
use crate::text::Span;

const NARROW: [(&str, &str); 4] =
    [("float64", "float32"), ("uint64", "uint32"), ("int64", "int32"), ("complex128", "complex64")];

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let text = found.text_at(found.span());
    let (wide, narrow) = NARROW.into_iter().find(|(wide, _)| text.matches(wide).count() == 1)?;
    let start = found.span().start + text.find(wide)? as u32;
    let at = Span { start, end: start + wide.len() as u32 };
    found.replace(format!("ask for `{narrow}`"), at, narrow.to_owned())
}
