//! The map of a reproducer: which of its lines comes from where. The format is described in `docs/reproducers.md`.

use std::hash::Hasher;
use std::path::Path;

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use tracer_core::analysis::Analysis;
use tracer_core::repro::Tie;
use tracer_core::text::LineIndex;

use crate::commands::program;

/// The map of a reproducer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Map {
    /// The version of the format.
    pub version: u32,
    /// The name of the reproducer's file, which the map lies beside.
    pub file: String,
    /// The files that its lines come from; relative ones count from the folder of the reproducer.
    pub sources: Vec<String>,
    /// Lines with where they come from, in order.
    pub lines: Vec<Line>,
    /// A digest for each line of the reproducer as it was written.
    #[serde(default)]
    pub digests: Vec<u32>,
    /// A digest for each line of each source as it was then.
    #[serde(default)]
    pub source_digests: Vec<Vec<u32>>,
}

/// A line of a reproducer and where it comes from.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Line {
    /// The line, counted from 1.
    pub line: usize,
    /// Which of the sources.
    pub source: usize,
    /// Line, column, end line, end column there: lines from 1, columns in UTF-8 bytes from 0.
    pub range: [u32; 4],
}

impl Map {
    /// The map of a reproducer whose text begins with a header of so many lines.
    pub fn new(analysis: &Analysis, ties: &[Tie], name: &str, text: &str, header: usize) -> Map {
        let mut map = Map {
            version: 1,
            file: name.to_owned(),
            sources: Vec::new(),
            lines: Vec::new(),
            digests: digests(text),
            source_digests: Vec::new(),
        };
        for tie in ties {
            let facts = &analysis.files[tie.file];
            let path = facts.path.to_string_lossy().into_owned();
            let source = map.sources.iter().position(|s| *s == path).unwrap_or_else(|| {
                map.sources.push(path);
                map.source_digests.push(digests(&facts.text));
                map.sources.len() - 1
            });
            let range = program::range(&LineIndex::new(&facts.text), tie.span);
            map.lines.push(Line { line: tie.line + header + 1, source, range });
        }
        map
    }
    /// The same map with paths as seen from a folder.
    pub fn seen_from(&self, folder: &Path) -> Map {
        let seen = |path: &String| match pathdiff::diff_paths(path, folder) {
            Some(path) => path.to_string_lossy().replace('\\', "/"),
            None => path.clone(),
        };
        Map { sources: self.sources.iter().map(seen).collect(), ..self.clone() }
    }
}

/// A digest of each line of a text, without its end: they tell which lines are as they were. The same on all machines.
pub fn digests(text: &str) -> Vec<u32> {
    let index = LineIndex::new(text);
    let digest = |line| {
        let mut hasher = SipHasher13::new();
        hasher.write(program::line(text, &index, line).as_bytes());
        hasher.finish() as u32
    };
    (1..=index.line_count()).map(digest).collect()
}
