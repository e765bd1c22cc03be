//! Which lines of reproducers belong to which places of sources, as both are edited.
//!
//! A tie is kept as two ranges of bytes, each of the text that its file had when it was last looked at. Edits of open documents
//! move the ranges, or end the tie where they touch one. A file that became another one in any other way is compared line by line:
//! only what is certainly the same line is followed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ropey::Rope;
use tracer_core::text::{Edit, LineIndex, Span};

use crate::reproduce::{Line, Map, digests};

/// All ties that are known.
#[derive(Default)]
pub struct Ties {
    reproducers: Vec<Tied>,
}

/// The ties of one reproducer.
struct Tied {
    /// When its map was written.
    written: SystemTime,
    /// The reproducer first, then its sources.
    files: Vec<File>,
    ties: Vec<Tie>,
}

/// A file that ties lead to.
struct File {
    path: PathBuf,
    /// The text that the ranges are of.
    text: Rope,
}

/// A line of a reproducer and where it comes from.
#[derive(Clone, Copy)]
struct Tie {
    line: Span,
    source: usize,
    at: Span,
}

impl Tie {
    /// Its range in a file.
    fn range(&mut self, file: usize) -> Option<&mut Span> {
        match file {
            0 => Some(&mut self.line),
            file if file == self.source => Some(&mut self.at),
            _ => None,
        }
    }
}

/// A place that a tie leads to.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The bytes of it, in its present text.
    pub span: Span,
}

impl Ties {
    /// Whether a reproducer's ties are known, from a map that was written then.
    pub fn knows(&self, reproducer: &Path, written: SystemTime) -> bool {
        self.reproducers.iter().any(|tied| tied.written == written && tied.is_of(reproducer))
    }

    /// Takes the ties of a reproducer, in place of those that were known. `text` gives the present text of a file; files that are
    /// gone have no ties.
    pub fn add(&mut self, reproducer: &Path, map: &Map, written: SystemTime, text: &dyn Fn(&Path) -> Option<Rope>) {
        self.reproducers.retain(|tied| !tied.is_of(reproducer));
        let folder = reproducer.parent().unwrap_or(Path::new(""));
        let paths = std::iter::once(reproducer.to_owned()).chain(map.sources.iter().map(|s| normal(&folder.join(s))));
        let then = std::iter::once(&map.digests).chain(&map.source_digests);
        let (mut files, mut texts, mut moved) = (Vec::new(), Vec::new(), Vec::new());
        for (path, then) in paths.zip(then) {
            let now = text(&path).unwrap_or_default();
            let whole = now.to_string();
            moved.push(same_lines(then, &digests(&whole)));
            texts.push(whole);
            files.push(File { path, text: now });
        }
        let lines: Vec<Lines<'_>> = texts.iter().map(|text| Lines::new(text)).collect();
        let tie = |row: &Line| {
            let source = row.source + 1;
            let [from, start, to, end] = row.range.map(|n| n as usize);
            let line = lines.first()?.line(moved[0].line(row.line.checked_sub(1)?)?)?;
            let (there, moved) = (lines.get(source)?, moved.get(source)?);
            let at = there.range(moved, (from.checked_sub(1)?, start), (to.checked_sub(1)?, end))?;
            Some(Tie { line, source, at })
        };
        let ties = map.lines.iter().filter_map(tie).collect();
        self.reproducers.push(Tied { written, files, ties });
    }

    /// An open document was edited: its text became `now`.
    pub fn edited(&mut self, path: &Path, edit: &Edit, now: &Rope) {
        for tied in &mut self.reproducers {
            for i in 0..tied.files.len() {
                if tied.files[i].path == path {
                    tied.files[i].text = now.clone();
                    tied.ties.retain_mut(|tie| match tie.range(i) {
                        Some(range) => moved(range, edit),
                        None => true,
                    });
                }
            }
        }
    }

    /// Where a place of a reproducer comes from: all of it that a range has to do with.
    pub fn sources(&mut self, path: &Path, asked: Span, text: &dyn Fn(&Path) -> Option<Rope>) -> Vec<Place> {
        let mut places = Vec::new();
        for tied in self.reproducers.iter_mut().filter(|tied| tied.is_of(path)) {
            tied.follow(text);
            for tie in tied.ties.iter().filter(|tie| tie.line.start <= asked.end && asked.start <= tie.line.end) {
                let place = Place { path: tied.files[tie.source].path.clone(), span: tie.at };
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        places
    }

    /// The lines of reproducers that come from a place of a source.
    pub fn lines(&mut self, path: &Path, asked: Span, text: &dyn Fn(&Path) -> Option<Rope>) -> Vec<Place> {
        let mut places = Vec::new();
        for tied in &mut self.reproducers {
            let Some(source) = tied.files.iter().skip(1).position(|file| file.path == path) else { continue };
            tied.follow(text);
            for tie in tied.ties.iter().filter(|tie| tie.source == source + 1) {
                if tie.at.start <= asked.end && asked.start <= tie.at.end {
                    places.push(Place { path: tied.files[0].path.clone(), span: tie.line });
                }
            }
        }
        places
    }
}

impl Tied {
    fn is_of(&self, reproducer: &Path) -> bool {
        self.files.first().is_some_and(|file| file.path == reproducer)
    }
    /// Brings all ranges to the present texts.
    fn follow(&mut self, text: &dyn Fn(&Path) -> Option<Rope>) {
        for i in 0..self.files.len() {
            let now = text(&self.files[i].path).unwrap_or_default();
            let file = &self.files[i];
            if file.text == now {
                continue;
            }
            let (before, after) = (file.text.to_string(), now.to_string());
            let moved = same_lines(&digests(&before), &digests(&after));
            let (before, after) = (Lines::new(&before), Lines::new(&after));
            self.ties.retain_mut(|tie| match tie.range(i) {
                Some(range) => {
                    let found = after.range(&moved, before.place(range.start), before.place(range.end));
                    found.inspect(|found| *range = *found).is_some()
                }
                None => true,
            });
            self.files[i].text = now;
        }
    }
}

/// A text by lines.
struct Lines<'a> {
    text: &'a str,
    index: LineIndex,
}

impl Lines<'_> {
    fn new(text: &str) -> Lines<'_> {
        Lines { text, index: LineIndex::new(text) }
    }
    /// The bytes of a line, counted from 0, without its end.
    fn line(&self, line: usize) -> Option<Span> {
        let span = self.index.line_span(line as u32)?;
        let text = &self.text[span.start as usize..span.end as usize];
        Some(Span { start: span.start, end: span.start + text.trim_end_matches(['\n', '\r']).len() as u32 })
    }
    /// The line and the column of a byte.
    fn place(&self, at: u32) -> (usize, usize) {
        let line = self.index.line(at);
        (line as usize, (at - self.index.line_span(line).map_or(0, |span| span.start)) as usize)
    }
    /// The range from a place of a text to another, where all lines that it is on are now.
    fn range(&self, moved: &Moved, from: (usize, usize), to: (usize, usize)) -> Option<Span> {
        let first = moved.line(from.0)?;
        let last = first + to.0.checked_sub(from.0)?;
        (from.0..=to.0).zip(first..=last).all(|(then, now)| moved.line(then) == Some(now)).then_some(())?;
        let (first, last) = (self.line(first)?, self.line(last)?);
        let (start, end) = (first.start + from.1 as u32, last.start + to.1 as u32);
        (start <= end && start <= first.end && end <= last.end).then_some(Span { start, end })
    }
}

/// Moves a range with an edit; false where the edit may have changed what it stands for.
fn moved(range: &mut Span, edit: &Edit) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "_.([\"'".contains(c));
    let (before, behind) = (edit.range.end <= range.start, edit.range.start >= range.end);
    if behind && !(edit.range.start == range.end && joins(edit.text.chars().next())) {
        return true;
    }
    if before && !(edit.range.end == range.start && joins(edit.text.chars().next_back())) {
        let shift = |at: u32| at - edit.range.end + edit.range.start + edit.text.len() as u32;
        *range = Span { start: shift(range.start), end: shift(range.end) };
        return true;
    }
    false
}

/// Where the lines of a text are in another.
#[derive(Default)]
struct Moved(Vec<Option<usize>>);

impl Moved {
    fn line(&self, line: usize) -> Option<usize> {
        *self.0.get(line)?
    }
}

/// Which lines of a text are which of another, as far as that is certain: a run of equal lines is the same run if one of them is
/// the only one of its kind, and what repeats itself at its edges may have come from elsewhere.
fn same_lines(then: &[u32], now: &[u32]) -> Moved {
    let count = |all: &[u32]| {
        let mut count: HashMap<u32, u32> = HashMap::new();
        all.iter().for_each(|line| *count.entry(*line).or_default() += 1);
        count
    };
    let (before, after) = (count(then), count(now));
    let mut moved = vec![None; then.len()];
    for op in similar::capture_diff_slices(similar::Algorithm::Patience, then, now) {
        let similar::DiffOp::Equal { old_index, new_index, len } = op else { continue };
        let sure = |i: usize| {
            let line = &then[old_index + i];
            before[line] == 1 && after.get(line) == Some(&1)
        };
        let (Some(mut from), Some(mut to)) = ((0..len).find(|i| sure(*i)), (0..len).rfind(|i| sure(*i))) else {
            continue;
        };
        if (old_index, new_index) == (0, 0) {
            from = 0;
        }
        if (old_index + len, new_index + len) == (then.len(), now.len()) {
            to = len - 1;
        }
        for i in from..=to {
            moved[old_index + i] = Some(new_index + i);
        }
    }
    // A text that is the same is so whatever repeats itself in it.
    if then == now {
        moved = (0..then.len()).map(Some).collect();
    }
    Moved(moved)
}

/// A path without `.` and `..`, as the editor spells it.
fn normal(path: &Path) -> PathBuf {
    let mut all = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                all.pop();
            }
            part => all.push(part),
        }
    }
    all
}
