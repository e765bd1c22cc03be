//! `retrace`: a traced function is traced again, and which part of the cache's key is new. What one call is traced for again
//! and again is said once.

use super::{Diagnostic, Range, Related, Severity, retraced_because};
use crate::analysis::Analysis;
use crate::interp::{Event, KeyDifference, KeyPart};
use crate::module::Symbol;
use crate::python::Site;

/// Different reasons that are told of one call.
const MOST_REASONS: usize = 3;

/// Traces of one function at one call that no earlier trace fitted.
struct Retraces<'a> {
    site: Site,
    function: Symbol,
    defined: Site,
    /// How many traces there were before the first of them.
    seen_before: usize,
    /// What was new, for each.
    reasons: Vec<&'a [KeyDifference]>,
    /// The equations of their graphs.
    equations: usize,
}

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: indexmap::IndexMap<(Site, Site), Retraces<'_>> = indexmap::IndexMap::new();
    for event in &analysis.events {
        let Event::CacheMiss { site, function, defined, seen_before, differences, .. } = event else { continue };
        if *seen_before == 0 || differences.is_empty() || differences.iter().all(|d| d.part == KeyPart::Flag) {
            continue;
        }
        let (site, function, defined, seen_before) = (*site, *function, *defined, *seen_before);
        let new = || Retraces { site, function, defined, seen_before, reasons: Vec::new(), equations: 0 };
        found.entry((site, defined)).or_insert_with(new).reasons.push(differences);
    }
    for event in &analysis.events {
        if let Event::Traced { site, defined, seen_before: 1.., equations } = event
            && let Some(retraces) = found.get_mut(&(*site, *defined))
        {
            retraces.equations = retraces.equations.saturating_add(*equations);
        }
    }
    found.values().filter_map(|retraces| diagnostic(analysis, retraces)).collect()
}

fn diagnostic(analysis: &Analysis, retraces: &Retraces<'_>) -> Option<Diagnostic> {
    let range = |site: Site| Some(Range { file: analysis.file_index(site.file)?, span: site.span });
    let function = retraces.function;
    let times = match retraces.reasons.len() {
        1 => times(retraces.seen_before + 1),
        more => format!("{more} more times"),
    };
    let mut reasons: Vec<String> = Vec::new();
    for reason in &retraces.reasons {
        let reason = reason.iter().map(|d| d.text.as_str()).collect::<Vec<_>>().join("; ");
        if reasons.contains(&reason) {
            continue;
        }
        if reasons.len() == MOST_REASONS {
            reasons.push("…".into());
            break;
        }
        reasons.push(reason);
    }
    let mut because = retraced_because::made(analysis, &retraces.reasons);
    if because.is_empty() {
        because = retraced_because::related(analysis, retraces.site, retraces.defined);
    }
    let help = match retraced_because::is_rest(&because) {
        true => {
            "fill the last part up to the size of the others (and give the rows that count a mask), or leave it out"
        }
        false => advice(&retraces.reasons),
    };
    Some(Diagnostic {
        at: range(retraces.site)?,
        rule: "retrace",
        severity: Severity::Information,
        message: format!("`{function}` is traced {times}: {}{}", reasons.join("; then "), price(retraces.equations)),
        help: Some(help.into()),
        related: range(retraces.defined)
            .map(|at| Related { at, message: format!("`{function}` is defined here") })
            .into_iter()
            .chain(because)
            .collect(),
        fixes: Vec::new(),
    })
}

/// What tracing so many equations costs, before XLA compiles them: some 60 µs each (docs/performance.md).
pub fn price(equations: usize) -> String {
    let milliseconds = equations.saturating_mul(60) / 1_000;
    match equations {
        0 => String::new(),
        1 => " (1 equation)".into(),
        n if milliseconds < 10 => format!(" ({n} equations)"),
        n => format!(" ({n} equations, about {milliseconds} ms of tracing)"),
    }
}

/// Which trace of a function it is.
fn times(nth: usize) -> String {
    let ending = match (nth % 10, nth % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    match nth {
        2 => "a second time".to_owned(),
        3 => "a third time".to_owned(),
        n => format!("for the {n}{ending} time"),
    }
}

/// What to do, by the parts of the key that change.
fn advice(reasons: &[&[KeyDifference]]) -> &'static str {
    let changes = |part: KeyPart| reasons.iter().any(|reason| reason.iter().any(|d| d.part == part));
    if changes(KeyPart::Identity) {
        "make the object once and hand it to all calls, or let it be equal to others of the same contents (a frozen dataclass)"
    } else if changes(KeyPart::Static) {
        "each new value of a static argument is traced and compiled anew: pass it as an array where it need not be static"
    } else if changes(KeyPart::WeakType) {
        "a Python number and an array of the same dtype are different types here: convert it with `jnp.asarray(x, dtype)`"
    } else if changes(KeyPart::Structure) {
        "give the arguments in the same way and with the same structure (keys, lengths, `None`s) at every call"
    } else if changes(KeyPart::Type) {
        "each new shape or dtype is traced and compiled anew: pad to a few sizes where there are many"
    } else {
        "each setting has traces of its own: make all calls under the same ones, or give each its own function"
    }
}

#[cfg(test)]
mod tests {
    use super::{price, times};

    #[test]
    fn a_price_is_told_where_there_is_one() {
        assert_eq!([0, 1, 12].map(price), ["", " (1 equation)", " (12 equations)"]);
        assert_eq!(price(3_428), " (3428 equations, about 205 ms of tracing)");
    }

    #[test]
    fn ordinals_are_english() {
        let said = [2, 3, 4, 11, 21, 22, 33, 112].map(times);
        assert_eq!(said[1], "a third time");
        let endings: Vec<&str> = said[2..].iter().map(|t| t.split(' ').nth(2).unwrap_or_default()).collect();
        assert_eq!(endings, ["4th", "11th", "21st", "22nd", "33rd", "112th"]);
    }
}
