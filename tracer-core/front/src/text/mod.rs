//! Positions in source text.

use serde::{Deserialize, Serialize};

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
