//! `key-reuse`: a random key is used for a second time, and gives the same or dependent numbers.

use super::reading::call_at;
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;
use crate::module::Symbol;
use crate::python::Site;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in &analysis.events {
        let Event::KeyReuse { first, first_function, site, function, calls } = event else { continue };
        if !is_called(analysis, site, *function) || !is_called(analysis, first, *first_function) {
            continue;
        }
        let [Some(before), Some(at)] =
            calls.map(|site| Some(Range { file: analysis.file_index(site.file)?, span: site.span }))
        else {
            continue;
        };
        if found.iter().any(|other| other.at == at) {
            continue;
        }
        let message = match at == before {
            true => "this random key is used at each round: the numbers are the same each time".to_owned(),
            false => "this random key has been used before: what it gives depends on what it gave then".to_owned(),
        };
        let related = Related { at: before, message: "it was used here".into() };
        found.push(Diagnostic {
            at,
            rule: "key-reuse",
            severity: Severity::Warning,
            message,
            help: Some("split the key, and use each part once: `key, subkey = jax.random.split(key)`".into()),
            related: (at != before).then_some(related).into_iter().collect(),
            fixes: Vec::new(),
        });
    }
    found
}

/// Whether it is the user's own call of a function of that name: what a library does with a key is not told.
fn is_called(analysis: &Analysis, site: &Site, name: Symbol) -> bool {
    let Some(file) = analysis.file_index(site.file) else { return false };
    call_at(&analysis.files[file].module, site.span).is_some_and(|call| call.name == name.as_str())
}
