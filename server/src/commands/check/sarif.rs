//! `--format sarif`: SARIF 2.1.0, which code hosts and editors read.
//!
//! The names are those of the specification's properties: <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use tracer_core::diagnostics::Severity;

use super::found::{Fix, Found, Place};
use super::{Shown, Writer};
use crate::commands::output;
use crate::rules;

/// Findings, printed at the end.
#[derive(Default)]
pub struct Sarif {
    all: Vec<Found>,
}

impl Writer for Sarif {
    fn found(&mut self, shown: &Shown<'_>) {
        self.all.push(shown.found.clone());
    }
    fn end(&mut self, complete: bool) {
        output::line(log(&self.all, complete));
    }
}

fn log(all: &[Found], complete: bool) -> Value {
    let mut names: Vec<&str> = all.iter().map(|found| found.rule).collect();
    names.sort_unstable();
    names.dedup();
    let results: Vec<Value> = all.iter().map(|found| result(found, &names)).collect();
    let driver = json!({
        "name": "jitlens",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "rules": names.iter().map(|name| rule(name)).collect::<Vec<_>>(),
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "columnKind": "utf16CodeUnits",
            "invocations": [{"executionSuccessful": complete}],
            "results": results,
        }],
    })
}

fn rule(name: &str) -> Value {
    let Some(rule) = rules::get(name) else { return json!({"id": name}) };
    json!({
        "id": rule.name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "helpUri": rule.href(),
        "defaultConfiguration": {"level": level(rule.severity)},
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

fn result(found: &Found, names: &[&str]) -> Value {
    let related = found.related.iter().enumerate().map(|(id, (at, message))| {
        let mut location = location(at);
        location["id"] = json!(id);
        location["message"] = json!({"text": message});
        location
    });
    let mut result = json!({
        "ruleId": found.rule,
        "ruleIndex": names.binary_search(&found.rule).unwrap_or_default(),
        "level": level(found.severity),
        "message": {"text": found.advice()},
        "locations": [location(&found.at)],
        "relatedLocations": related.collect::<Vec<_>>(),
    });
    // An empty list of fixes is not allowed to stand there.
    if !found.fixes.is_empty() && found.at.cell.is_none() {
        result["fixes"] = found.fixes.iter().map(fix).collect();
    }
    result
}

fn fix(fix: &Fix) -> Value {
    let mut files: Vec<&str> = fix.edits.iter().map(|(at, _)| &*at.file).collect();
    files.dedup();
    let changes = files.into_iter().map(|file| {
        let edits = fix.edits.iter().filter(|(at, _)| *at.file == *file);
        let replacements =
            edits.map(|(at, text)| json!({"deletedRegion": region(at), "insertedContent": {"text": text}}));
        json!({"artifactLocation": {"uri": uri(file)}, "replacements": replacements.collect::<Vec<_>>()})
    });
    json!({"description": {"text": fix.title}, "artifactChanges": changes.collect::<Vec<_>>()})
}

fn location(at: &Place) -> Value {
    let file = json!({"uri": uri(&at.file)});
    match at.cell {
        // Lines of a notebook's file are those of its JSON.
        Some(cell) => json!({
            "physicalLocation": {"artifactLocation": file},
            "logicalLocations": [{"kind": "module", "name": format!("cell {cell}, line {}", at.range[0])}],
        }),
        None => json!({"physicalLocation": {"artifactLocation": file, "region": region(at)}}),
    }
}

fn region(at: &Place) -> Value {
    let [line, _, end_line, _] = at.range;
    let [column, end_column] = at.units.map(|column| column + 1);
    json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column})
}

/// A path as a relative reference, or as a `file:` address where it lies outside of the working directory.
fn uri(file: &str) -> String {
    let mut encoded = String::new();
    for byte in file.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => encoded.push(byte.into()),
            other => {
                let _ = write!(encoded, "%{other:02X}");
            }
        }
    }
    match Path::new(file).is_absolute() {
        true => format!("file:///{}", encoded.trim_start_matches('/')),
        false => encoded,
    }
}
