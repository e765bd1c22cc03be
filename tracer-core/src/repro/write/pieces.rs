//! The parts of a line that are statements of their own: each comes from its own place.

use std::ops::Range;

use super::{Line, Writer};
use crate::python::Site;

/// The text of a statement that stands inside of another one's, with those inside of it.
#[derive(Clone, Debug)]
pub struct Piece {
    pub text: String,
    pub site: Option<Site>,
    pub inner: Vec<Piece>,
}

/// Where a piece stands in a line, in tokens counted from the line's end: names may change, and so may what is in front of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    pub from_end: Range<usize>,
    pub site: Site,
}

/// The tokens of a text: words, and every other character that is no space.
pub fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match all.last_mut() {
            Some(last) if in_word && is_word(c) => last.end = end,
            _ if c.is_whitespace() => {}
            _ => all.push(at..end),
        }
        in_word = is_word(c);
    }
    all
}

/// The places of pieces in a line. Those that do not stand in it as they were written have none, nor have those of which it is not known which is which.
pub fn placed(line: &str, pieces: &[Piece]) -> Vec<Placed> {
    let mut found = Vec::new();
    place(line, 0..line.len(), pieces, &mut found);
    let tokens = tokens(line);
    let count = |at: usize| tokens.iter().filter(|token| token.start >= at).count();
    let placed = found.into_iter().map(|(range, site)| Placed { from_end: count(range.end)..count(range.start), site });
    placed.collect()
}

impl Writer<'_> {
    /// What `write` writes, and the statements that are a part of it.
    pub fn noted<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (T, Vec<Piece>) {
        let before = std::mem::take(&mut self.pieces);
        let written = write(self);
        (written, std::mem::replace(&mut self.pieces, before))
    }
}

impl Line {
    /// The statements that are a part of it, for another text that it becomes a part of.
    pub fn as_pieces(&self) -> Vec<Piece> {
        let tokens = tokens(&self.text);
        let text = |placed: &Placed| {
            let range = placed.tokens(tokens.len());
            let (first, last) = (tokens.get(range.start)?, tokens.get(range.end.checked_sub(1)?)?);
            Some(self.text[first.start..last.end].to_owned())
        };
        let mut rest = &self.pieces[..];
        let mut all = Vec::new();
        nested(&mut rest, None, &text, &mut all);
        all
    }
}

impl Placed {
    /// Its tokens, of so many of the line.
    pub fn tokens(&self, all: usize) -> Range<usize> {
        all.saturating_sub(self.from_end.end)..all.saturating_sub(self.from_end.start)
    }
}

/// Takes those that stand in `around`, outer ones first, out of a list.
fn nested(
    rest: &mut &[Placed],
    around: Option<&Range<usize>>,
    text: &dyn Fn(&Placed) -> Option<String>,
    all: &mut Vec<Piece>,
) {
    while let [first, others @ ..] = *rest {
        let of = &first.from_end;
        if around.is_some_and(|around| of.start < around.start || around.end < of.end) {
            return;
        }
        *rest = others;
        let mut inner = Vec::new();
        nested(rest, Some(of), text, &mut inner);
        match text(first) {
            Some(text) => all.push(Piece { text, site: Some(first.site), inner }),
            None => all.append(&mut inner),
        }
    }
}

fn place(line: &str, within: Range<usize>, pieces: &[Piece], found: &mut Vec<(Range<usize>, Site)>) {
    let mut order: Vec<&Piece> = pieces.iter().filter(|piece| !piece.text.is_empty()).collect();
    // A text may stand in a longer one, too. Those of one length stay in their order.
    order.sort_by_key(|piece| std::cmp::Reverse(piece.text.len()));
    let mut taken: Vec<Range<usize>> = Vec::new();
    while let Some(first) = order.first().copied() {
        let (same, others) = order.into_iter().partition::<Vec<_>, _>(|piece| piece.text == first.text);
        order = others;
        let mut places = occurrences(line, &within, &first.text);
        places.retain(|place| taken.iter().all(|taken| place.end <= taken.start || taken.end <= place.start));
        let one_place = same.windows(2).all(|pair| pair[0].site == pair[1].site);
        if places.len() != same.len() && !one_place {
            continue;
        }
        for (at, piece) in places.into_iter().zip(same) {
            found.extend(piece.site.map(|site| (at.clone(), site)));
            place(line, at.clone(), &piece.inner, found);
            taken.push(at);
        }
    }
}

/// Where a text stands, not as a part of a longer name.
fn occurrences(line: &str, within: &Range<usize>, text: &str) -> Vec<Range<usize>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (starts, ends) = (text.starts_with(is_word), text.ends_with(is_word));
    let alone = |at: usize| {
        let before = line[..at].ends_with(|c: char| is_word(c) || c == '.');
        let behind = line[at + text.len()..].starts_with(is_word);
        !(starts && before || ends && behind)
    };
    let found = line[within.clone()].match_indices(text).map(|(at, _)| within.start + at);
    found.filter(|at| alone(*at)).map(|at| at..at + text.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Piece, placed, tokens};
    use crate::python::{FileId, Site};
    use crate::text::Span;

    fn site(start: u32) -> Site {
        Site { file: FileId(0), span: Span { start, end: start + 1 } }
    }

    fn piece(text: &str, start: u32, inner: Vec<Piece>) -> Piece {
        Piece { text: text.to_owned(), site: Some(site(start)), inner }
    }

    fn texts(line: &str, pieces: &[Piece]) -> Vec<(String, u32)> {
        let all = tokens(line);
        let text = |from: usize, to: usize| line[all[all.len() - to].start..all[all.len() - from - 1].end].to_owned();
        placed(line, pieces).iter().map(|p| (text(p.from_end.start, p.from_end.end), p.site.span.start)).collect()
    }

    #[test]
    fn pieces_that_are_alike_stand_in_their_order() {
        let inner = vec![piece("sin(x)", 1, vec![]), piece("sin(x)", 2, vec![])];
        let found = texts("return f(sin(x), asin(x), sin(x))", &inner);
        assert_eq!(found, [("sin(x)".to_owned(), 1), ("sin(x)".to_owned(), 2)]);
    }

    #[test]
    fn what_stands_inside_of_another_piece_is_no_piece_beside_it() {
        let outer = piece("cos(sin(x))", 3, vec![piece("sin(x)", 4, vec![])]);
        let found = texts("y = f(sin(x), cos(sin(x)))", &[piece("sin(x)", 5, vec![]), outer]);
        let expected = [("cos(sin(x))", 3), ("sin(x)", 4), ("sin(x)", 5)];
        assert_eq!(found, expected.map(|(text, start)| (text.to_owned(), start)));
    }

    #[test]
    fn where_it_is_not_known_which_is_which_there_is_none() {
        assert_eq!(texts("f(sin(x))", &[piece("sin(x)", 1, vec![]), piece("sin(x)", 2, vec![])]), []);
    }
}
