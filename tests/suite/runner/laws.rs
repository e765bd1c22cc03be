//! What holds of every program, without anything written by hand.

use std::fmt::Write;

use tracer_core::analysis::{Analysis, Shown, Wanted};

use super::page::{MAIN, Snippet};
use super::run::run;

/// The laws that a program breaks.
pub fn check(snippet: &Snippet, before: Option<&str>) -> Vec<String> {
    let mut faults = Vec::new();
    let cold = run(&snippet.files, None, Wanted::default());
    two_meanings_agree(&cold, &mut faults);
    cold_equals_warm(snippet, before, &cold, &mut faults);
    never_panics(snippet, &mut faults);
    faults
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
