//! `UPDATE_EXPECT=1`: rewrites whole-output blocks and hovers of a page. Diagnostics are never accepted by themselves.

use tracer_core::diagnostics::diagnose;

use super::expect::{hover, whole_output};
use super::page::{comment_start, expectations, snippets};
use super::run::{facts, run_snippet, subject};

/// The page with what jitlens says today.
pub fn updated(markdown: &str) -> String {
    let mut lines: Vec<String> = markdown.lines().map(str::to_owned).collect();
    let mut blocks: Vec<(usize, usize, String)> = Vec::new();
    for snippet in snippets(markdown) {
        let analysis = run_snippet(&snippet);
        for (name, source) in &snippet.files {
            let Some((_, facts)) = facts(&analysis, name) else { continue };
            for e in expectations(source).iter().filter(|e| e.kind == "hover") {
                let Some(span) = subject(&facts.module, source, e) else { continue };
                let real: Vec<String> = hover(facts, span).into_iter().collect();
                let (line, real) = (&mut lines[snippet.page_line(name, e.written) - 1], real.join(" | "));
                if !real.is_empty() && real != e.text {
                    let comment = comment_start(line).unwrap_or(0);
                    let new = line[comment..].replacen(&format!("hover: {}", e.text), &format!("hover: {real}"), 1);
                    line.replace_range(comment.., &new);
                }
            }
        }
        let diagnostics = diagnose(&analysis);
        for block in &snippet.blocks {
            let real = whole_output(&snippet, &analysis, &diagnostics, &block.kind);
            blocks.push((block.line - 1, block.text.lines().count(), real));
        }
    }
    blocks.sort_by_key(|(line, ..)| std::cmp::Reverse(*line));
    for (line, count, real) in blocks {
        lines.splice(line..line + count, real.lines().map(str::to_owned));
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}
