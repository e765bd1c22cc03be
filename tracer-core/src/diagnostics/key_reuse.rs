//! `key-reuse`: a random key is used for a second time, and gives the same or dependent numbers.

use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;
use crate::module::{Expr, Symbol};
use crate::python::Site;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in &analysis.events {
        let Event::KeyReuse { first, first_function, site, function } = event else { continue };
        let (Some(at), Some(before)) = (called(analysis, site, *function), called(analysis, first, *first_function))
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

/// The user's own call of a function of that name: what a library does with a key is not told.
fn called(analysis: &Analysis, site: &Site, name: Symbol) -> Option<Range> {
    let file = analysis.file_index(site.file)?;
    let module = &analysis.files[file].module;
    let at = module.expr_spans.iter().zip(&module.exprs).find_map(|(span, expr)| match expr {
        Expr::Call(callee, _) if *span == site.span => Some(*callee),
        _ => None,
    })?;
    let own = match module.expr(at) {
        Expr::Attribute(_, own) | Expr::Name(_, own) => *own,
        _ => return None,
    };
    (own == name).then_some(Range { file, span: site.span })
}
