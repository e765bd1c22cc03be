//! `fresh-function`: the same text is compiled again and again, since a new function is made of it each time.

use super::retrace::price;
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;
use crate::python::Site;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: indexmap::IndexMap<(Site, Site), Diagnostic> = indexmap::IndexMap::new();
    for event in &analysis.events {
        let Event::FreshFunction { made, call, function, defined, times, same } = event else { continue };
        let range = |site: &Site| Some(Range { file: analysis.file_index(site.file)?, span: site.span });
        let Some(at) = range(made) else { continue };
        let related = [(call, "it is called here"), (defined, "the function is defined here")];
        let related = related.into_iter().filter_map(|(site, text)| {
            let place = range(site).filter(|place| *place != at)?;
            Some(Related { at: place, message: text.into() })
        });
        let equations = analysis.events.iter().find_map(|event| match event {
            Event::Traced { defined: own, seen_before: 0, equations, .. } if own == defined => Some(*equations),
            _ => None,
        });
        let help = match same {
            true => "compile the function once, outside of the loop or the function around",
            false => "compile the function once, and pass the number that differs as an argument",
        };
        // The last one knows how many there were.
        let diagnostic = Diagnostic {
            at,
            rule: "fresh-function",
            severity: Severity::Information,
            message: format!(
                "`{function}` is made and traced {times} times here: the cache knows a function by what it is, not by its text{}",
                price(equations.unwrap_or_default().saturating_mul(times - 1))
            ),
            help: Some(help.into()),
            related: related.collect(),
            fixes: Vec::new(),
        };
        found.insert((*made, *defined), diagnostic);
    }
    found.into_values().collect()
}
