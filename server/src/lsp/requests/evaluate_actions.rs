//! *Evaluate on CPU* and *Find first non-finite value* as commands of the server, which any client can ask for: what they give is told by messages,
//! as a diagnostic, and by showing the place.

use tower_lsp::ls_types::{
    CodeAction, CodeActionKind, Command, Location, TextDocumentIdentifier, TextDocumentPositionParams, Uri,
};

use crate::lsp::requests::graphs::Numbers;

/// The command that evaluates the function at a position.
pub const EVALUATE_AT: &str = "jitlens.evaluateAt";
/// The command that leads to where the function at a position first makes NaN or an infinity of finite numbers.
pub const FIRST_NONFINITE_AT: &str = "jitlens.firstNonfiniteAt";
/// The commands with their titles.
pub const BOTH: [(&str, &str); 2] =
    [(EVALUATE_AT, "Evaluate on CPU"), (FIRST_NONFINITE_AT, "Find first non-finite value")];
/// What asks for numbers.
pub const KIND: CodeActionKind = CodeActionKind::new("jitlens.evaluate");

/// A message has room for so many lines.
const MOST_LINES: usize = 12;

/// The commands about the function at a place.
pub fn commands(place: &Location) -> impl Iterator<Item = Command> + '_ {
    BOTH.iter().filter_map(|(command, title)| {
        let text_document = TextDocumentIdentifier { uri: place.uri.clone() };
        let position = TextDocumentPositionParams { text_document, position: place.range.start };
        let arguments = Some(vec![serde_json::to_value(position).ok()?]);
        Some(Command { title: (*title).into(), command: (*command).into(), arguments })
    })
}

/// The actions about the function at a place.
pub fn actions(place: &Location) -> impl Iterator<Item = CodeAction> + '_ {
    commands(place).map(|command| CodeAction {
        title: command.title.clone(),
        kind: Some(KIND),
        command: Some(command),
        ..CodeAction::default()
    })
}

/// What is said of an evaluation.
pub fn said(numbers: &Numbers) -> String {
    let lines: Vec<&str> = numbers.text.trim_end().lines().collect();
    let mut text = lines[..lines.len().min(MOST_LINES)].join("\n");
    if lines.len() > MOST_LINES {
        text.push_str(&format!("\n… {} more lines in the log", lines.len() - MOST_LINES));
    }
    text
}

/// Whether [`said`] has left something out.
pub fn is_long(numbers: &Numbers) -> bool {
    numbers.text.trim_end().lines().count() > MOST_LINES
}

/// What is said of the first NaN or infinity.
pub fn said_of_nonfinite(numbers: &Numbers) -> String {
    let function = &numbers.function;
    match (&numbers.made_nonfinite, &numbers.first_nonfinite) {
        (Some(made), Some(at)) => {
            format!("In `{function}` {made}, at {}:{}", file_name(&at.uri), at.range.start.line + 1)
        }
        (Some(made), None) => format!("In `{function}` {made}"),
        (None, _) if numbers.evaluated => format!("`{function}` makes no infinity of finite numbers, and no NaN"),
        (None, _) => numbers.text.trim_end().to_owned(),
    }
}

fn file_name(uri: &Uri) -> String {
    let last = uri.path().segments_if_absolute().and_then(|mut all| all.next_back());
    last.map(|last| last.decode().to_string_lossy().into_owned()).unwrap_or_default()
}
