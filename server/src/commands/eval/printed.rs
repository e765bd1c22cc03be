//! `jitlens eval FILE --printed`: what the program prints.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use tracer_core::analysis::{Analysis, Printed, Wanted, not_known};

use crate::commands::places::{self, Places};
use crate::commands::{Format, exit, output, program};

/// Prints what a program prints. Its loops are run to their end while the operations last.
///
/// # Errors
/// What is wrong with the file.
pub(super) fn run(file: &Path, operations: u64, format: Format) -> Result<ExitCode, String> {
    let wanted = Wanted { patient: Some(operations), printed: true, unreached: false, ..Wanted::default() };
    let analysis = program::Runs::default().analyze_for(file, wanted)?;
    match format {
        Format::Json => output::line(json!({"version": 1, "printed": rows(&analysis)})),
        Format::Text => output::page(&text(&analysis)),
    }
    let has_errors = super::tell_errors(&analysis);
    if let Some(what) = analysis.used_up {
        output::complain(&format!("not all loops were run to their end: there were not enough {what} left"));
    }
    if analysis.stopped.is_some() {
        output::complain("the program was not run to its end: its budget of operations and memory is used up");
    }
    Ok(ExitCode::from(if has_errors { exit::FOUND } else { exit::CLEAN }))
}

/// The text, with notes in angle brackets where it is not known.
fn text(analysis: &Analysis) -> String {
    let mut all = String::new();
    for (_, piece) in &analysis.printed {
        match piece {
            Printed::Text(text) => all.push_str(text),
            Printed::Unknown(why) => all.push_str(&not_known(why)),
            Printed::Perhaps => all.push_str("<here may be more: it is not known whether, or how often>\n"),
            Printed::Cut => all.push_str("<cut>\n"),
        }
    }
    all
}

/// A row for each piece: its place, its text or `null`, and why it is not known.
fn rows(analysis: &Analysis) -> Vec<Value> {
    let place = |(file, span): &(usize, tracer_core::text::Span)| {
        let facts = &analysis.files[*file];
        let places = Places::new(&facts.path, &facts.text);
        json!({"file": places::named(places.file(), places.cell(span.start)), "range": places.range(*span)})
    };
    let row = |(at, piece): &(Option<_>, Printed)| {
        let (text, why) = match piece {
            Printed::Text(text) => (json!(text), Value::Null),
            Printed::Unknown(why) => (Value::Null, json!(why)),
            Printed::Perhaps => (Value::Null, json!("whether, or how often it is printed")),
            Printed::Cut => (Value::Null, json!("more than is kept")),
        };
        json!({"at": at.as_ref().map(place), "text": text, "why": why})
    };
    analysis.printed.iter().map(row).collect()
}
