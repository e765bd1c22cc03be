//! Lines as text, and where the lines of the text come from.

use rustc_hash::FxHashMap;

use super::Tie;
use super::layout::broken;
use super::ties::{Broken, Files};
use super::write::Line;
use crate::text::Span;

/// The text of lines with their imports, the ties of its lines, and the place of the last statement.
pub fn printed(imports: &[String], lines: &[Line], files: Files<'_>) -> (String, Vec<Tie>, Span) {
    let mut out: Vec<String> = imports.to_vec();
    if !out.is_empty() {
        out.push(String::new());
    }
    let mut ties = Vec::new();
    let mut before: Option<&Line> = None;
    let mut last = out.len();
    let mut names = FxHashMap::default();
    let mut definitions: Vec<usize> = Vec::new();
    for line in lines {
        let is_decorated = before.is_some_and(|before| is_decorator(&before.text));
        let is_def = is_head(&line.text) && !is_decorated;
        // Definitions that end here.
        let ended = definitions.len();
        definitions.retain(|indent| *indent < line.indent || is_decorated);
        let left = definitions.len() < ended;
        if is_def {
            definitions.push(line.indent);
        }
        if line.indent == 0 && (is_def || left) {
            blank(&mut out, 2);
        } else if (is_def && before.is_some_and(|b| !(is_head(&b.text) && b.indent < line.indent))) || left {
            blank(&mut out, 1);
        }
        let is_result = line.indent == 0 && before.is_some_and(|b| b.text.starts_with(&format!("{} = ", line.text)));
        if !is_result {
            last = out.len();
        }
        let from = out.len();
        broken(line.indent, &line.text, &mut out);
        let sites = match line.site {
            Some(site) if out.len() - from == 1 => vec![site],
            _ => Broken::new(line, &names, files).map_or_else(Vec::new, |broken| broken.sites(&out[from..])),
        };
        for (line, site) in (from..).zip(sites) {
            ties.extend(files(site.file).map(|(file, _)| Tie { line, file, span: site.span }));
        }
        if let (Some((name, _)), Some(site)) = (line.text.split_once(" = "), line.site) {
            names.insert(name.to_owned(), site);
        }
        before = Some(line);
    }
    let start = out[..last].iter().map(|line| line.len() as u32 + 1).sum();
    let text = out.join("\n") + "\n";
    let last = Span { start, end: text.len() as u32 };
    (text, ties, last)
}

/// Whether a line begins a function or a class.
fn is_head(text: &str) -> bool {
    text.starts_with("def ") || text.starts_with("class ") || is_decorator(text)
}

fn is_decorator(text: &str) -> bool {
    text.starts_with('@')
}

fn blank(out: &mut Vec<String>, lines: usize) {
    if out.is_empty() {
        return;
    }
    let there = out.iter().rev().take_while(|line| line.is_empty()).count();
    out.extend((there..lines).map(|_| String::new()));
}
