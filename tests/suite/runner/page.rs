//! Reads a page: sections, their programs, what their comments expect. `tests/oracle/suites/markdown.py` reads the same.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// The file that a section's program starts with.
pub const MAIN: &str = "main.py";

/// One program of a section.
#[derive(Clone, Debug, Default)]
pub struct Snippet {
    /// The headings above it.
    pub title: String,
    /// Its files.
    pub files: BTreeMap<String, String>,
    /// For each file, the page's line of each of its lines.
    origin: BTreeMap<String, Vec<usize>>,
    /// Whole-output blocks.
    pub blocks: Vec<Block>,
}

/// A block that holds a whole output.
#[derive(Clone, Debug)]
pub struct Block {
    /// `jaxpr f`, `hover`, `fix[rule]`
    pub kind: String,
    /// What it holds.
    pub text: String,
    /// The page's line of its first line.
    pub line: usize,
}

impl Snippet {
    fn add(&mut self, file: &str, text: &str, line: usize) {
        self.files.entry(file.to_owned()).or_default().push_str(text);
        self.origin.entry(file.to_owned()).or_default().extend(line..line + text.lines().count());
    }
    /// The page's line of a line of a file; both count from 1.
    pub fn page_line(&self, file: &str, line: usize) -> usize {
        self.origin.get(file).and_then(|lines| lines.get(line - 1)).copied().unwrap_or(0)
    }
}

enum Piece<'a> {
    Heading(usize, &'a str),
    Name(&'a str),
    Block { info: &'a str, text: String, line: usize },
}

fn pieces(markdown: &str) -> Vec<Piece<'_>> {
    static HEADING: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(#{1,6})\s+(.+?)\s*#*$").expect("a pattern"));
    static FENCE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(`{3,}|~{3,})\s*([^`]*?)\s*$").expect("a pattern"));
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^`([^`]+)`:\s*$").expect("a pattern"));
    let lines: Vec<&str> = markdown.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        at += 1;
        if let Some(fence) = FENCE.captures(line) {
            let (mark, info) = (fence.get(1).map_or("", |m| m.as_str()), fence.get(2).map_or("", |m| m.as_str()));
            let start = at;
            while at < lines.len()
                && !(lines[at].starts_with(mark) && lines[at].trim_matches(['`', '~', ' ']).is_empty())
            {
                at += 1;
            }
            let text = lines[start..at].iter().flat_map(|l| [l, "\n"]).collect();
            found.push(Piece::Block { info, text, line: start + 1 });
            at += 1;
        } else if let Some(heading) = HEADING.captures(line) {
            found.push(Piece::Heading(heading[1].len(), heading.get(2).map_or("", |m| m.as_str())));
        } else if let Some(name) = NAME.captures(line) {
            found.push(Piece::Name(name.get(1).map_or("", |m| m.as_str())));
        }
    }
    found
}

fn title(headings: &[String]) -> String {
    headings.iter().map(String::as_str).filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" / ")
}

/// The programs of a page. An `edit` block makes a program of its own out of the one before.
pub fn snippets(markdown: &str) -> Vec<Snippet> {
    let mut found: Vec<Snippet> = Vec::new();
    let mut titles: Vec<String> = Vec::new();
    let mut open = false;
    let mut name = MAIN;
    for piece in pieces(markdown) {
        match piece {
            Piece::Heading(depth, text) => {
                titles.resize(depth - 1, String::new());
                titles.push(text.to_owned());
                (open, name) = (false, MAIN);
            }
            Piece::Name(text) => name = text,
            Piece::Block { info, text, line } => {
                let language = info.split_whitespace().next().unwrap_or_default();
                match language {
                    // A text is a file of data that the program reads.
                    "py" | "text" if language == "py" || name != MAIN => {
                        if !open {
                            found.push(Snippet { title: title(&titles), ..Snippet::default() });
                            open = true;
                        }
                        if let Some(snippet) = found.last_mut() {
                            snippet.add(name, &text, line);
                        }
                        name = MAIN;
                    }
                    "edit" if open => {
                        let mut edited = found.last().cloned().unwrap_or_default();
                        edited.title.push_str(" (edited)");
                        edited.files.remove(name);
                        edited.origin.remove(name);
                        edited.blocks.clear();
                        edited.add(name, &text, line);
                        found.push(edited);
                        name = MAIN;
                    }
                    _ if open && (language == "jaxpr" || language == "hover" || language.starts_with("fix[")) => {
                        if let Some(snippet) = found.last_mut() {
                            snippet.blocks.push(Block { kind: info.to_owned(), text, line });
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// What a comment expects.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// `hover`, `eval`, `raises`, `key`, `diag`
    pub kind: String,
    /// The rule and column of a `diag`.
    pub rule: String,
    /// The column of a `diag`.
    pub column: Option<u32>,
    /// The rest.
    pub text: String,
    /// The line of code that it speaks of.
    pub line: usize,
    /// The columns (in bytes) that carets above it mark.
    pub carets: Option<(usize, usize)>,
    /// The line of the comment.
    pub written: usize,
    /// Whether this is an answer that is known to be wrong.
    pub bug: bool,
}

static MARK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[#^]\s*(?:(hover|eval|raises|key|trace|bug):|(diag)\[([\w-]+)\](?:\s*(\d+))?:?)\s*")
        .expect("a pattern")
});

/// The expectations in a file's comments.
pub fn expectations(source: &str) -> Vec<Expectation> {
    static CARETS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^#\s*(\^+)").expect("a pattern"));
    let lines: Vec<&str> = source.lines().collect();
    let mut found = Vec::new();
    let mut code_line = 0;
    for (i, line) in lines.iter().enumerate() {
        let comment = comment_start(line);
        let alone = comment.is_some_and(|at| line[..at].trim().is_empty());
        if !alone && !line.trim().is_empty() {
            code_line = i + 1;
        }
        let Some(at) = comment else { continue };
        let text = &line[at..];
        let marks: Vec<_> = MARK.captures_iter(text).collect();
        let bug = marks.iter().any(|m| m.get(1).is_some_and(|k| k.as_str() == "bug"));
        // Carets mark characters; ranges count bytes of the line above.
        let carets = CARETS.captures(text).filter(|_| alone && code_line > 0).and_then(|c| c.get(1)).map(|marks| {
            let above = lines[code_line - 1];
            let column =
                |bytes: usize| above.chars().take(line[..at + bytes].chars().count()).map(char::len_utf8).sum();
            (column(marks.start()), column(marks.end()))
        });
        for (n, mark) in marks.iter().enumerate() {
            let whole = mark.get(0).expect("a match");
            let end = marks.get(n + 1).and_then(|next| next.get(0)).map_or(text.len(), |next| next.start());
            let kind = mark.get(1).or(mark.get(2)).map_or("", |k| k.as_str());
            if kind == "bug" || kind == "trace" {
                continue;
            }
            found.push(Expectation {
                kind: kind.to_owned(),
                rule: mark.get(3).map_or_else(String::new, |r| r.as_str().to_owned()),
                column: mark.get(4).and_then(|c| c.as_str().parse().ok()),
                text: text[whole.end()..end].trim().to_owned(),
                line: code_line,
                carets,
                written: i + 1,
                bug,
            });
        }
    }
    found
}

/// Where the comment of a line starts; quotes are looked at within the line alone.
pub fn comment_start(line: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => return Some(at),
            _ => {}
        }
    }
    None
}
