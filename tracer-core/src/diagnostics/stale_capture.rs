//! `stale-capture`: a compiled function keeps the value that a variable had when it was traced.

use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;
use crate::python::Site;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in &analysis.events {
        if let Some(diagnostic) = diagnostic(analysis, event)
            && !found.iter().any(|other| other.at == diagnostic.at)
        {
            let by = by_call(analysis, event, &diagnostic);
            found.push(diagnostic);
            found.extend(by);
        }
    }
    found
}

/// The call in the compiled function that has led to the reading: a hint, where the value could be an argument instead.
fn by_call(analysis: &Analysis, event: &Event, whole: &Diagnostic) -> Option<Diagnostic> {
    let Event::Stale { name, by: Some(by), .. } = event else { return None };
    let at = Range { file: analysis.file_index(by.file)?, span: by.span };
    let is_told = at == whole.at || whole.related.iter().any(|related| related.at == at);
    (!is_told).then(|| Diagnostic {
        at,
        rule: "stale-capture",
        severity: Severity::Hint,
        message: format!("this call reads `{name}` while tracing: later calls use the value that it had then"),
        help: whole.help.clone(),
        related: vec![Related { at: whole.at, message: whole.message.clone() }],
        fixes: Vec::new(),
    })
}

fn diagnostic(analysis: &Analysis, event: &Event) -> Option<Diagnostic> {
    let Event::Stale { read, name, call, bound, of_object, before, now, .. } = event else { return None };
    let range = |site: &Site| Some(Range { file: analysis.file_index(site.file)?, span: site.span });
    // An attribute is wrong where it is set: what reads it is a method like others.
    let at = match (of_object, bound) {
        (true, Some(bound)) => range(bound)?,
        _ => range(read)?,
    };
    let values = match (before, now) {
        (Some(before), Some(now)) => format!(" ({before}; it is {now} by then)"),
        _ => String::new(),
    };
    let places = [
        (Some(read), "the trace has read it here"),
        (bound.as_ref(), "it is bound again here"),
        (Some(call), "this call uses the trace with the old value"),
    ];
    let related = places.into_iter().filter_map(|(site, text)| {
        let place = range(site?).filter(|place| *place != at)?;
        Some(Related { at: place, message: text.into() })
    });
    Some(Diagnostic {
        at,
        rule: "stale-capture",
        severity: Severity::Warning,
        message: format!("the compiled function keeps the value of `{name}` from its first call{values}"),
        help: Some("pass it as an argument".into()),
        related: related.collect(),
        fixes: Vec::new(),
    })
}
