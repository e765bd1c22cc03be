//! `--format json`: the stable form that `docs/command-line.md` describes.

use serde_json::{Value, json};

use super::found::{Found, Place};
use super::{Shown, Writer};
use crate::commands::output;

/// Findings as rows, printed at the end.
#[derive(Default)]
pub struct Json {
    rows: Vec<Value>,
}

impl Writer for Json {
    fn found(&mut self, shown: &Shown<'_>) {
        self.rows.push(row(shown.found));
    }
    fn end(&mut self, _: bool) {
        output::line(json!({"version": 1, "diagnostics": std::mem::take(&mut self.rows)}));
    }
}

fn row(found: &Found) -> Value {
    let related = |(at, message): &(Place, String)| placed(at, json!({"range": at.range, "message": message}));
    let edit = |(at, text): &(Place, String)| placed(at, json!({"range": at.range, "text": text}));
    let fixes = found
        .fixes
        .iter()
        .map(|fix| json!({"title": fix.title, "edits": fix.edits.iter().map(edit).collect::<Vec<_>>()}));
    let row = json!({
        "range": found.at.range,
        "rule": found.rule,
        "severity": found.severity.name(),
        "message": found.message,
        "help": found.help,
        "related": found.related.iter().map(related).collect::<Vec<_>>(),
        "fixes": fixes.collect::<Vec<_>>(),
    });
    placed(&found.at, row)
}

/// A row with its file, and its cell in a notebook.
fn placed(at: &Place, mut row: Value) -> Value {
    row["file"] = json!(*at.file);
    if let Some(cell) = at.cell {
        row["cell"] = json!(cell);
    }
    row
}
