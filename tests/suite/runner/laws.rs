//! What holds of every program, without anything written by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use tracer_core::analysis::{Analysis, Shown, Wanted};
use tracer_core::diagnostics::{Diagnostic, Severity, diagnose};
use tracer_core::module::{Body, MODULE_CODE, Stmt, Target};
use tracer_core::text::Span;

use super::expect::alike;
use super::page::{MAIN, Snippet};
use super::run::run;

/// The laws that a program breaks.
pub fn check(snippet: &Snippet, before: Option<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    let cold = run(&snippet.files, None, Wanted::default());
    two_meanings_agree(&cold, &mut faults);
    cold_equals_warm(snippet, before, &cold, &mut faults);
    never_panics(snippet, &mut faults);
    fixes_mend(snippet, &cold, &mut faults);
    faults
}

/// Fixes that are meant to give other numbers.
const OTHER_NUMBERS: [&str; 9] = [
    "alias-update",
    "key-reuse",
    "discarded-update",
    // The function is called then.
    "dropped-callback",
    "python-side-effect",
    "tracer-kept",
    "stale-capture",
    "late-binding",
    "nan-gradient",
];

/// Every fix leaves a text that parses, in which the diagnostic is gone, no error is new, and what the module's names stand for in
/// the end is the same, as far as the program came before.
fn fixes_mend(snippet: &Snippet, analysis: &Analysis, faults: &mut Vec<String>) {
    let found = diagnose(analysis);
    let count =
        |all: &[Diagnostic], rule: &str| all.iter().filter(|d| d.rule == rule && d.severity != Severity::Hint).count();
    let errors = |all: &[Diagnostic]| all.iter().filter(|d| d.severity == Severity::Error).count();
    for diagnostic in &found {
        for fix in &diagnostic.fixes {
            let mut files = snippet.files.clone();
            let path = analysis.files[diagnostic.at.file].path.to_string_lossy().into_owned();
            let Some((_, text)) = files.iter_mut().find(|(name, _)| path.ends_with(name.as_str())) else { continue };
            let mut edits: Vec<_> = fix.edits.iter().collect();
            edits.sort_by_key(|(at, _)| std::cmp::Reverse((at.span.start, at.span.end)));
            for (at, new) in edits {
                text.replace_range(at.span.start as usize..at.span.end as usize, new);
            }
            let mended = text.clone();
            let again = diagnose(&run(&files, None, Wanted::default()));
            let rule = diagnostic.rule;
            if count(&again, rule) >= count(&found, rule) || errors(&again) > errors(&found) {
                let left: Vec<_> = again.iter().map(|d| format!("{}: {}", d.rule, d.message)).collect();
                faults.push(format!("the fix `{}` of {rule} leaves {left:?} of\n{mended}", fix.title));
            }
            let means_others = OTHER_NUMBERS.contains(&rule) || fix.title.starts_with("leave out");
            if errors(&found) == 0 && !means_others {
                let (before, after) = (results(&snippet.files), results(&files));
                for (name, was) in before {
                    if let Some(is) = after.get(&name)
                        && !alike(&was, is)
                    {
                        faults
                            .push(format!("the fix `{}` of {rule} makes {name} {is}, not {was}:\n{mended}", fix.title));
                    }
                }
            }
        }
    }
}

/// What the names of the main module stand for when it has run, as far as it is known.
fn results(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut files = files.clone();
    let Some(text) = files.get_mut(MAIN) else { return BTreeMap::new() };
    let module = tracer_core::lower::lower_text(text);
    let body = match &module.code(MODULE_CODE).body {
        Body::Block(body) => &body[..],
        _ => &[],
    };
    let names: BTreeSet<String> = body
        .iter()
        .filter_map(|id| match module.stmt(*id) {
            Stmt::Assign(targets, _) => match &targets[..] {
                [Target::Name(_, name, _)] => Some(name.to_string()),
                _ => None,
            },
            _ => None,
        })
        .collect();
    let mut at = BTreeMap::new();
    text.push('\n');
    for name in names {
        at.insert(Span::new(text.len(), text.len() + name.len()), name.clone());
        text.push_str(&format!("{name}\n"));
    }
    let watched = at.keys().copied().collect();
    let analysis = run(&files, None, Wanted { watched, ..Wanted::default() });
    let seen = analysis.watched.into_iter().filter_map(|(_, span, seen)| match &seen[..] {
        [one] => Some((at.get(&span)?.clone(), one.text.clone()?)),
        _ => None,
    });
    seen.collect()
}

/// Every evaluated tensor has the shape and dtype that its shape rule promised: the engine holds them against each other
/// and gives up the value where they differ.
fn two_meanings_agree(analysis: &Analysis, faults: &mut Vec<String>) {
    for fact in analysis.files.iter().flat_map(|f| &f.exprs).flat_map(|e| &e.seen) {
        if let Shown::Unknown(why) = fact
            && why.contains("disagrees with its type")
        {
            faults.push(format!("two meanings: {why}"));
        }
    }
}

/// The same text gives the same answer after whatever was there before, through an incremental parse.
fn cold_equals_warm(snippet: &Snippet, before: Option<&str>, cold: &Analysis, faults: &mut Vec<String>) {
    let warm = run(&snippet.files, Some(before.unwrap_or("import jax\n")), Wanted::default());
    if facts_of(&warm) != facts_of(cold) {
        faults.push("a warm run differs from a cold one".into());
    }
    let again = || Wanted { again: true, ..Wanted::default() };
    if facts_of(&run(&snippet.files, None, again())) != facts_of(cold) {
        faults.push("a second run differs from the first".into());
    }
    // The run before has made it ready.
    let prepared = facts_of(&run(&snippet.files, None, again()));
    if prepared != facts_of(cold) {
        let (ours, theirs) = (prepared, facts_of(cold));
        let line = ours.lines().zip(theirs.lines()).find(|(a, b)| a != b);
        faults.push(format!("a prepared run differs from the first: {line:?}"));
    }
}

/// Everything that a run says, as text.
fn facts_of(analysis: &Analysis) -> String {
    let mut text = String::new();
    for file in &analysis.files {
        let _ = writeln!(text, "{} {:?} {:?}", file.path.display(), file.exprs, file.functions);
    }
    let _ = writeln!(text, "{:?} {:?} {:?}", analysis.problems, analysis.events, analysis.stopped);
    text
}

/// The program cut at any byte still lowers; at every `SUITE_CUTS`-th, or at a few places, it also runs to an answer.
fn never_panics(snippet: &Snippet, faults: &mut Vec<String>) {
    let text = &snippet.files[MAIN];
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        tracer_core::lower::lower_text(&text[..at]);
    }
    let step = std::env::var("SUITE_CUTS").ok().and_then(|n| n.parse().ok()).unwrap_or(text.len() / 4 + 1);
    for at in (1..text.len()).step_by(step).filter(|at| text.is_char_boundary(*at)) {
        let mut files = snippet.files.clone();
        files.insert(MAIN.into(), text[..at].to_owned());
        let outcome = std::panic::catch_unwind(|| run(&files, None, Wanted::default()));
        if outcome.is_err() {
            faults.push(format!("cut at byte {at}: the run panicked"));
        }
    }
}
