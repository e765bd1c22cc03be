//! `retrace`: a traced function is traced again, and which part of the cache's key is new.

use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::Event;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    analysis.events.iter().filter_map(|event| diagnostic(analysis, event)).collect()
}

fn diagnostic(analysis: &Analysis, event: &Event) -> Option<Diagnostic> {
    let Event::CacheMiss { site, function, defined, seen_before, differences } = event else { return None };
    if *seen_before == 0 || differences.is_empty() {
        return None;
    }
    let range = |site: &crate::python::Site| Some(Range { file: analysis.file_index(site.file)?, span: site.span });
    let times = match seen_before + 1 {
        2 => "a second time".to_owned(),
        3 => "a third time".to_owned(),
        n => format!("for the {n}th time"),
    };
    Some(Diagnostic {
        at: range(site)?,
        rule: "retrace",
        severity: Severity::Information,
        message: format!("`{function}` is traced {times}: {}", differences.join("; ")),
        help: Some(advice(differences).into()),
        related: range(defined)
            .map(|at| Related { at, message: format!("`{function}` is defined here") })
            .into_iter()
            .collect(),
        fixes: Vec::new(),
    })
}

fn advice(differences: &[String]) -> &'static str {
    let all = differences.join(" ");
    if all.contains("static argument") {
        "each new value of a static argument is traced and compiled anew: pass it as an array where it need not be static"
    } else if all.contains("(weak)") {
        "a Python number and an array of the same dtype are different types here: convert it with `jnp.asarray(x, dtype)`"
    } else if all.contains("structure") {
        "give the arguments the same structure (keys, lengths, `None`s) at every call"
    } else {
        "each new shape or dtype is traced and compiled anew: pad to a few sizes where there are many"
    }
}
