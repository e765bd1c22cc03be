//! Positions in source text.

mod decode;
mod line_index;

pub use decode::{decode, undecoded_byte};
pub use line_index::{LineCol, LineIndex};

use serde::{Deserialize, Serialize};

/// A file, by its number in a host's list of files.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A half-open range of UTF-8 byte offsets in one file.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// A span from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// Whether `offset` lies inside, ends included (so that a cursor behind a name still finds it).
    pub fn touches(self, offset: u32) -> bool {
        self.start <= offset && offset <= self.end
    }
}

/// A replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// What is replaced.
    pub range: Span,
    /// What it is replaced by.
    pub text: String,
}

impl Edit {
    /// The text after the edit, or `None` if the range does not lie on character boundaries of `text`.
    pub fn apply(&self, text: &str) -> Option<String> {
        let before = text.get(..self.range.start as usize)?;
        let after = text.get(self.range.end as usize..)?;
        (self.range.start <= self.range.end).then(|| [before, &self.text, after].concat())
    }

    /// Where an offset of the old text is in the new one; offsets inside the range move to the end of what replaced it.
    pub fn map(&self, offset: u32) -> u32 {
        if offset < self.range.start || (offset == self.range.start && !self.text.is_empty()) {
            offset
        } else if offset >= self.range.end {
            offset - self.range.end + self.range.start + self.text.len() as u32
        } else {
            self.range.start + self.text.len() as u32
        }
    }
}
