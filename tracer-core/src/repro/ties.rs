//! Where the lines of a statement that goes over several lines come from: each from what stands on it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::write::{Line, tokens};
use crate::python::{FileId, Site};
use crate::text::Span;

/// The index of a file of the program, and its text.
pub type Files<'a> = &'a dyn Fn(FileId) -> Option<(usize, &'a str)>;

/// A statement of the line, by its tokens, and where it comes from.
struct Piece {
    tokens: Range<usize>,
    site: Site,
}

/// What is known of a statement that is over several lines.
pub struct Broken<'a, 'f> {
    files: Files<'f>,
    /// The texts of its tokens.
    tokens: Vec<&'a str>,
    /// The statement itself first, then its parts, outer ones before inner ones.
    pieces: Vec<Piece>,
    /// Where values come from that have names.
    names: &'a FxHashMap<String, Site>,
}

impl<'a, 'f> Broken<'a, 'f> {
    /// A statement; `None` where it comes from nowhere.
    pub fn new(line: &'a Line, names: &'a FxHashMap<String, Site>, files: Files<'f>) -> Option<Broken<'a, 'f>> {
        let tokens: Vec<&str> = tokens(&line.text).into_iter().map(|range| &line.text[range]).collect();
        let mut pieces = vec![Piece { tokens: 0..tokens.len(), site: line.site? }];
        pieces.extend(line.pieces.iter().map(|p| Piece { tokens: p.tokens(tokens.len()), site: p.site }));
        Some(Broken { files, tokens, pieces, names })
    }

    /// The place of each of the lines that it was broken into.
    pub fn sites(&self, lines: &[String]) -> Vec<Site> {
        let mut at = 0;
        let mut sites = Vec::with_capacity(lines.len());
        for line in lines {
            let Some(end) = self.read(line, at) else { return vec![self.pieces[0].site; lines.len()] };
            sites.push(self.site(at..end));
            at = end;
        }
        sites
    }

    /// How far the tokens of a line go that begins with one of these: parentheses and commas may have come or gone.
    fn read(&self, line: &str, mut at: usize) -> Option<usize> {
        for token in tokens(line.trim_end_matches("# fmt: skip")) {
            let token = &line[token];
            if self.tokens.get(at) == Some(&",") && token != "," {
                at += 1;
            }
            match self.tokens.get(at) == Some(&token) {
                true => at += 1,
                false if matches!(token, "(" | ")" | ",") => {}
                false => return None,
            }
        }
        Some(at)
    }

    /// Where a line with these tokens comes from.
    fn site(&self, mut line: Range<usize>) -> Site {
        while line.len() > 1 && self.tokens[line.end - 1] == "," {
            line.end -= 1;
        }
        let is_sign = |token: &str| matches!(token, ")" | "]" | "}" | ",");
        let open = self.pieces.iter().filter(|piece| line.contains(&piece.tokens.start) && piece.tokens.end > line.end);
        let open: Vec<&Piece> = open.collect();
        if let (Some(outer), Some(inner)) = (open.first(), open.last()) {
            return self.head(outer, inner, &line);
        }
        let around = self.around(&line);
        if self.tokens[line.clone()].iter().all(|token| is_sign(token)) {
            return self.end(around.site);
        }
        self.complete(line, around)
    }

    /// The innermost statement that all of these are a part of.
    fn around(&self, line: &Range<usize>) -> &Piece {
        let is_around = |piece: &&Piece| piece.tokens.start <= line.start && line.end <= piece.tokens.end;
        self.pieces.iter().filter(is_around).min_by_key(|piece| piece.tokens.len()).unwrap_or(&self.pieces[0])
    }

    /// Of a line on which statements begin: the lines on which they do.
    fn head(&self, outer: &Piece, inner: &Piece, line: &Range<usize>) -> Site {
        let Some((_, text)) = (self.files)(outer.site.file) else { return outer.site };
        let start = outer.site.span.start;
        let ends = |site: Site| (site.file == outer.site.file && site.span.start >= start).then_some(site.span.end);
        let done = self.pieces.iter().filter(|p| line.start <= p.tokens.start && p.tokens.end <= line.end);
        let done = done.filter_map(|piece| ends(piece.site)).max().unwrap_or(start);
        let first_line = ends(inner.site).map_or(start, |end| line_end(text, inner.site.span.start).min(end));
        Site { span: Span { start, end: first_line.max(done).min(outer.site.span.end) }, ..outer.site }
    }

    /// The last line of a place.
    fn end(&self, site: Site) -> Site {
        let Some((_, text)) = (self.files)(site.file) else { return site };
        let Some(inside) = text.get(site.span.start as usize..site.span.end as usize) else { return site };
        let Some(line) = inside.rfind('\n') else { return site };
        let blank = inside[line + 1..].len() - inside[line + 1..].trim_start().len();
        Site { span: Span { start: site.span.start + (line + 1 + blank) as u32, end: site.span.end }, ..site }
    }

    /// Of a line that holds whole arguments, items or operands: where these come from; all of what is around it where one is not found.
    fn complete(&self, line: Range<usize>, around: &Piece) -> Site {
        let mut found: Option<Site> = None;
        for item in self.items(line) {
            let Some(site) = self.item(item, around) else { return around.site };
            let joined = match found {
                None => site,
                Some(before) if before.file == site.file => Site {
                    span: Span {
                        start: before.span.start.min(site.span.start),
                        end: before.span.end.max(site.span.end),
                    },
                    ..site
                },
                Some(_) => return around.site,
            };
            found = Some(joined);
        }
        found.unwrap_or(around.site)
    }

    /// The tokens of a line between its outermost commas.
    fn items(&self, line: Range<usize>) -> Vec<Range<usize>> {
        let (mut depth, mut from, mut all) = (0i32, line.start, Vec::new());
        for at in line.clone() {
            match self.tokens[at] {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth <= 0 => {
                    all.push(from..at);
                    from = at + 1;
                }
                _ => {}
            }
        }
        all.push(from..line.end);
        all.retain(|item| !item.is_empty());
        all
    }

    /// Where an argument, an item or an operand comes from.
    fn item(&self, item: Range<usize>, around: &Piece) -> Option<Site> {
        let whole = self.pieces[1..].iter().filter(|p| item.start <= p.tokens.start && p.tokens.end <= item.end);
        let mut span: Option<Span> = None;
        for piece in whole {
            if piece.site.file != around.site.file {
                return None;
            }
            let own = piece.site.span;
            span = Some(span.map_or(own, |s| Span { start: s.start.min(own.start), end: s.end.max(own.end) }));
        }
        if let Some(span) = span {
            return Some(Site { span, ..around.site });
        }
        // What is no statement stands there as it does here, or its name does.
        let own = &self.tokens[item];
        let head = own.iter().position(|token| matches!(*token, "=" | ":")).filter(|at| *at > 0);
        let value = || self.of_values(&own[head.map_or(0, |at| at + 1)..], around);
        self.found(own, around).or_else(value).or_else(|| self.found(&own[..=head?], around))
    }

    /// Where values with names come from, if there are no other words and all of them come from inside of a place.
    fn of_values(&self, tokens: &[&str], around: &Piece) -> Option<Site> {
        let words = tokens.iter().filter(|token| token.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        let sites = words.map(|name| self.names.get(*name).copied().filter(|site| is_inside(*site, around.site)));
        let sites = sites.collect::<Option<Vec<Site>>>()?;
        let start = sites.iter().map(|site| site.span.start).min()?;
        let end = sites.iter().map(|site| site.span.end).max()?;
        Some(Site { span: Span { start, end }, ..around.site })
    }

    /// Where these tokens stand in a place, if it is one place only.
    fn found(&self, wanted: &[&str], around: &Piece) -> Option<Site> {
        let site = around.site;
        let (_, text) = (self.files)(site.file)?;
        let text = text.get(site.span.start as usize..site.span.end as usize)?;
        let ranges = tokens(text);
        let like = |token: &str, wanted: &str| token == wanted || token == "'" && wanted == "\"";
        let inner = self.pieces[1..].iter().filter(|piece| is_inside(piece.site, site) && piece.site != site);
        let inner: Vec<Span> = inner.map(|piece| piece.site.span).collect();
        let mut places = ranges.windows(wanted.len()).enumerate().filter_map(|(i, window)| {
            let same = window.iter().zip(wanted).all(|(range, wanted)| like(&text[range.clone()], wanted));
            let is_member = i > 0 && &text[ranges[i - 1].clone()] == ".";
            let behind = ranges.get(i + wanted.len()).map(|range| &text[range.clone()]);
            // A name that something is asked of is more than the name.
            let goes_on = matches!(behind, Some("." | "(" | "["));
            let start = site.span.start + window.first()?.start as u32;
            let end = site.span.start + window.last()?.end as u32;
            let taken = inner.iter().any(|span| span.start <= start && end <= span.end);
            (same && !is_member && !goes_on && !taken).then_some(Span { start, end })
        });
        let first = places.next()?;
        places.next().is_none().then_some(Site { span: first, ..site })
    }
}

fn is_inside(site: Site, around: Site) -> bool {
    site.file == around.file && around.span.start <= site.span.start && site.span.end <= around.span.end
}

/// Where the line ends that a byte is on.
fn line_end(text: &str, at: u32) -> u32 {
    let rest = text.get(at as usize..).unwrap_or_default();
    at + rest.find('\n').unwrap_or(rest.len()) as u32
}
