//! Where the types come from for which a function is traced again: the slice that leaves a smaller rest, the assignment that makes
//! one shape after the other, or the earlier call.

use super::{Range, Related, origins, reading};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::array::Dim;
use crate::interp::KeyDifference;
use crate::module::{Arg, Expr, ExprId, Module};
use crate::python::Site;

/// At most so many types are listed.
const MOST_TYPES: usize = 4;

/// At most so many places that make an object.
const MOST_MADE: usize = 3;

/// What to show beside a call that traces a function again.
pub(super) fn related(analysis: &Analysis, call: Site, defined: Site) -> Vec<Related> {
    let Some(file) = analysis.file_index(call.file) else { return Vec::new() };
    let facts = &analysis.files[file];
    let module = &*facts.module;
    let changing = reading::call_at(module, call.span).into_iter().flat_map(|call| call.args).filter_map(|arg| {
        let (Arg::Positional(value) | Arg::Keyword(_, value)) = arg else { return None };
        let types = types(facts, *value);
        (types.len() > 1).then(|| source(facts, file, *value, &types))
    });
    let found: Vec<Related> = changing.collect();
    if !found.is_empty() {
        return found;
    }
    earlier(analysis, call, defined).into_iter().collect()
}

/// Where the objects are made that are equal to themselves alone.
pub(super) fn made(analysis: &Analysis, reasons: &[&[KeyDifference]]) -> Vec<Related> {
    let mut sites: Vec<Site> = reasons.iter().flat_map(|reason| reason.iter()).filter_map(|d| d.made).collect();
    sites.sort_unstable();
    sites.dedup();
    let at = |site: Site| Some(Range { file: analysis.file_index(site.file)?, span: site.span });
    let told = sites.into_iter().filter_map(at).take(MOST_MADE);
    told.map(|at| Related { at, message: "the new object is made here".into() }).collect()
}

/// How what is said of a last part begins.
pub(super) const REST: &str = "the last part of";

/// Whether the last part of something is what differs.
pub(super) fn is_rest(related: &[Related]) -> bool {
    related.iter().any(|related| related.message.starts_with(REST))
}

/// The type of an array, as it is shown, and the size of its first axis.
#[derive(Clone, PartialEq)]
struct Seen {
    text: String,
    rows: Option<usize>,
}

/// The different types that an array expression had; NumPy's arrays are among what prints itself.
fn types(facts: &FileFacts, expr: ExprId) -> Vec<Seen> {
    let mut types: Vec<Seen> = Vec::new();
    for shown in reading::fact(facts, facts.module.span(expr)).into_iter().flat_map(|fact| &fact.seen) {
        let seen = match shown {
            Shown::Array { aval, tracer: false } => Seen {
                text: format!("{aval}{}", if aval.weak { " (weak)" } else { "" }),
                rows: aval.shape.first().copied().and_then(Dim::known),
            },
            Shown::Other(text) if text.starts_with("np:") => Seen {
                text: text["np:".len()..].to_owned(),
                rows: text.split(['[', ',', ']']).nth(1).and_then(|size| size.parse().ok()),
            },
            _ => continue,
        };
        if !types.contains(&seen) {
            types.push(seen);
        }
    }
    types
}

/// Where an argument of several types was made.
fn source(facts: &FileFacts, file: usize, argument: ExprId, types: &[Seen]) -> Related {
    let module = &*facts.module;
    let bound = match module.expr(argument) {
        Expr::Name(_, name) => origins::bound(module, *name, module.span(argument)),
        _ => None,
    };
    let made = bound.and_then(|(_, value)| value).unwrap_or(argument);
    if let Some(message) = rest(facts, made, types) {
        return Related { at: Range { file, span: module.span(made) }, message };
    }
    let span = match bound {
        Some((span, None)) => span,
        _ => module.span(made),
    };
    let mut listed: Vec<String> = types.iter().take(MOST_TYPES).map(|seen| seen.text.clone()).collect();
    if types.len() > MOST_TYPES {
        listed.push("…".into());
    }
    Related { at: Range { file, span }, message: format!("this is {}", listed.join(", then ")) }
}

/// `x[i:i + 32]` of 1,000 rows: the last slice is shorter.
fn rest(facts: &FileFacts, made: ExprId, types: &[Seen]) -> Option<String> {
    let module = &*facts.module;
    let Expr::Subscript(base, index) = module.expr(made) else { return None };
    let first = match module.expr(*index) {
        Expr::Tuple(items) => *items.first()?,
        _ => *index,
    };
    if !matches!(module.expr(first), Expr::Slice(..)) {
        return None;
    }
    let [Seen { rows: Some(all), .. }] = self::types(facts, *base)[..] else { return None };
    let [Seen { rows: Some(one), .. }, Seen { rows: Some(other), .. }] = *types else { return None };
    let (most, least) = (one.max(other), one.min(other));
    (most > 0 && all % most == least)
        .then(|| format!("{REST} {}: {all} by {most} leaves {least}", text(module, facts, *base)))
}

fn text(module: &Module, facts: &FileFacts, expr: ExprId) -> String {
    let span = module.span(expr);
    let text = facts.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    if text.len() <= 40 && !text.contains('\n') { format!("`{text}`") } else { "the array".into() }
}

/// The call that the one trace before was made for, where there was no more than one.
fn earlier(analysis: &Analysis, call: Site, defined: Site) -> Option<Related> {
    let caches = analysis.caches();
    let cache = caches.iter().find(|cache| cache.defined == defined)?;
    let [first, second] = &cache.entries[..] else { return None };
    if second.call != call || first.object != second.object {
        return None;
    }
    let at = Range { file: analysis.file_index(first.call.file)?, span: first.call.span };
    Some(Related { at, message: "the trace that there was had been made for this call".into() })
}
