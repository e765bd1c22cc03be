//! What the cache of a traced function holds, as text: `jitlens trace --cache`, and the editors' view of it.

use std::fmt::Write;

use tracer_core::analysis::{Analysis, CacheFact};
use tracer_core::python::Site;

use crate::commands::places::{self, Places};

/// Where something is, as `p.py:12`.
pub fn place(analysis: &Analysis, at: Site) -> String {
    line(analysis, at).map_or_else(String::new, |(file, line)| format!("{file}:{line}"))
}

/// The path of a place and its line, counted from 1.
pub fn line(analysis: &Analysis, at: Site) -> Option<(String, u32)> {
    let file = analysis.files.iter().find(|file| file.id == at.file)?;
    let places = Places::new(&file.path, &file.text);
    Some((places::named(places.file(), places.cell(at.span.start)), places.line(at.span.start)))
}

/// All keys of a function's cache.
pub fn text(analysis: &Analysis, cache: &CacheFact) -> String {
    let mut text = String::new();
    let count = cache.entries.len();
    let plural = if count == 1 { "" } else { "s" };
    let _ = write!(text, "# {}: {}: {count} trace{plural}", place(analysis, cache.defined), cache.function);
    // Functions that are made anew at one place have the same keys.
    let file = analysis.files.iter().find(|file| file.id == cache.defined.file);
    let fact = file.and_then(|file| file.functions.iter().find(|function| function.name_span == cache.defined.span));
    let _ = match fact.and_then(|fact| fact.traced).filter(|ran| *ran as usize > count) {
        Some(ran) => writeln!(text, " (of {ran}, which differ in nothing else)"),
        None => writeln!(text),
    };
    if !cache.answered.is_empty() {
        let calls: Vec<String> = cache.answered.iter().map(|at| place(analysis, *at)).collect();
        let _ = writeln!(text, "# calls that were answered by a trace that was there: {}", calls.join(", "));
    }
    for (i, (call, reason)) in cache.compiled_again.iter().enumerate() {
        if cache.compiled_again[..i].contains(&(*call, reason.clone())) {
            continue;
        }
        let _ = writeln!(text, "# compiled again, not traced: {}: {reason}", place(analysis, *call));
    }
    let several = cache.entries.iter().any(|entry| entry.object > 0);
    for (i, entry) in cache.entries.iter().enumerate() {
        let cost = match entry.equations {
            Some(1) => "1 equation".to_owned(),
            Some(n) => format!("{n} equations"),
            None => "did not end in a graph".to_owned(),
        };
        let object = if several { format!(", function {}", entry.object + 1) } else { String::new() };
        let _ = writeln!(text, "\ntrace {}{object}: {}, {cost}", i + 1, place(analysis, entry.call));
        for line in &entry.key {
            let _ = writeln!(text, "    {line}");
        }
        for reason in &entry.reason {
            let _ = writeln!(text, "  because of {reason}");
        }
    }
    text
}
