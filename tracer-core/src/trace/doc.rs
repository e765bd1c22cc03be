//! Documents that fit themselves into lines: text, breaks, groups and indentation.

use std::rc::Rc;

/// A document.
#[derive(Clone, Debug)]
pub enum Doc {
    /// Text without line ends.
    Text(Rc<str>),
    /// One after the other.
    Concat(Vec<Doc>),
    /// A line end, or this text when the group fits into the line.
    Break(&'static str),
    /// Laid out on one line if it fits.
    Group(Box<Doc>),
    /// Indented by so many columns after each line end.
    Nest(usize, Box<Doc>),
}

impl Doc {
    /// Text.
    pub fn text(text: impl AsRef<str>) -> Doc {
        Doc::Text(text.as_ref().into())
    }
    /// One after the other.
    pub fn concat(docs: impl IntoIterator<Item = Doc>) -> Doc {
        Doc::Concat(docs.into_iter().collect())
    }
    /// Nothing.
    pub fn nil() -> Doc {
        Doc::Concat(Vec::new())
    }
    /// A group.
    #[must_use]
    pub fn group(self) -> Doc {
        Doc::Group(Box::new(self))
    }
    /// Indented.
    #[must_use]
    pub fn nest(self, columns: usize) -> Doc {
        Doc::Nest(columns, Box::new(self))
    }
    /// Joined by a separator.
    pub fn join(separator: &Doc, docs: impl IntoIterator<Item = Doc>) -> Doc {
        let mut joined = Vec::new();
        for doc in docs {
            if !joined.is_empty() {
                joined.push(separator.clone());
            }
            joined.push(doc);
        }
        Doc::Concat(joined)
    }
    /// Laid out in lines of at most `width` columns where that can be.
    pub fn format(&self, width: usize) -> String {
        let mut out = String::new();
        let mut column = 0;
        let mut agenda: Vec<(usize, bool, &Doc)> = vec![(0, false, self)];
        while let Some((indent, flat, doc)) = agenda.pop() {
            match doc {
                Doc::Text(text) => {
                    out.push_str(text);
                    column += text.chars().count();
                }
                Doc::Concat(docs) => agenda.extend(docs.iter().rev().map(|d| (indent, flat, d))),
                Doc::Break(text) if flat => {
                    out.push_str(text);
                    column += text.len();
                }
                Doc::Break(_) => {
                    out.push('\n');
                    out.extend(std::iter::repeat_n(' ', indent));
                    column = indent;
                }
                Doc::Group(inner) => {
                    let fits = flat || fits(inner, width as isize - column as isize);
                    agenda.push((indent, fits, inner));
                }
                Doc::Nest(columns, inner) => agenda.push((indent + columns, flat, inner)),
            }
        }
        out
    }
}

/// Whether a document, laid out flat, fits into so many columns.
fn fits(doc: &Doc, mut room: isize) -> bool {
    let mut agenda = vec![doc];
    while room >= 0 {
        match agenda.pop() {
            None => return true,
            Some(Doc::Text(text)) => room -= text.chars().count() as isize,
            Some(Doc::Concat(docs)) => agenda.extend(docs.iter().rev()),
            Some(Doc::Break(text)) => room -= text.len() as isize,
            Some(Doc::Group(inner) | Doc::Nest(_, inner)) => agenda.push(inner),
        }
    }
    false
}
