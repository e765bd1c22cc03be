//! What holds of every program, without anything written by hand.

use std::fmt::Write;

use tracer_core::analysis::{Analysis, Shown, Wanted};
use tracer_core::diagnostics::{Diagnostic, Severity, diagnose};

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

/// Every fix leaves a text that parses, in which the diagnostic is gone and no error is new.
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
        }
    }
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
