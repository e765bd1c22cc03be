//! Parses a text that is right, by recursive descent: some ten times faster than the generated parser.
//!
//! It begins where [`super::prepare`] has found nothing wrong, and gives the nodes that the lowering asks for: of the tokens
//! only those that mean something. Whatever it is not sure of ends it, and the generated parser reads the text: what is wrong
//! with a text, and what few programs hold (`match`, type parameters, names that are not ASCII), is known in one place alone.

mod expr;
mod lexer;
mod stmt;
mod strings;
#[cfg(test)]
mod tests;

use super::prepare::Line;
use super::{Field, Kind, Node};
use crate::text::Span;

/// Expressions and blocks that nest deeper are left to the generated parser.
const MAX_DEPTH: u32 = 60;

/// No node.
const NONE: u32 = u32::MAX;

/// Parses a text of these logical lines; in the place of each of these (sorted) bodies stands `pass`.
pub(super) fn parse(text: &str, lines: &[Line], bodies: &[(usize, usize)], base: u32) -> Option<Vec<Node>> {
    let mut descent = Descent {
        src: text.as_bytes(),
        lines,
        line: 0,
        bodies,
        made: Vec::with_capacity(text.len() / 6),
        token: Kind::Other,
        start: 0,
        end: 0,
        limit: 0,
        last: 0,
        in_string: false,
        depth: 0,
    };
    let root = descent.make(Kind::Module, 0, text.len());
    if let Some(first) = lines.first() {
        descent.statements(root, first.column)?;
    }
    (descent.line == lines.len()).then(|| descent.flat(root, base))
}

/// A node that is being made.
struct Made {
    kind: Kind,
    field: Field,
    start: u32,
    end: u32,
    /// Its first and last child, and the next child of its parent.
    first: u32,
    last: u32,
    next: u32,
}

/// The number of a node.
type Id = u32;

struct Descent<'a> {
    src: &'a [u8],
    lines: &'a [Line],
    /// The logical line that comes next.
    line: usize,
    /// Bodies that are left out, from the next one on.
    bodies: &'a [(usize, usize)],
    made: Vec<Made>,
    /// The token that comes next ([`Kind::Other`] at the end of the line), and where it is.
    token: Kind,
    start: usize,
    end: usize,
    /// Where the line ends, or the string around.
    limit: usize,
    /// Behind the token before.
    last: usize,
    /// Whether the line is the inside of a string.
    in_string: bool,
    depth: u32,
}

impl Descent<'_> {
    fn make(&mut self, kind: Kind, start: usize, end: usize) -> Id {
        let id = self.made.len() as u32;
        let (start, end) = (start as u32, end as u32);
        self.made.push(Made { kind, field: Field::None, start, end, first: NONE, last: NONE, next: NONE });
        id
    }

    /// A node that begins with the next token.
    fn open(&mut self, kind: Kind) -> Id {
        self.make(kind, self.start, self.start)
    }

    /// A node that begins with another, its first child.
    fn wrap(&mut self, kind: Kind, first: Id, field: Field) -> Id {
        let start = self.made[first as usize].start as usize;
        let id = self.make(kind, start, start);
        self.put(id, first, field);
        id
    }

    /// Gives a node another child.
    fn put(&mut self, parent: Id, child: Id, field: Field) {
        self.made[child as usize].field = field;
        let before = std::mem::replace(&mut self.made[parent as usize].last, child);
        match before {
            NONE => self.made[parent as usize].first = child,
            before => self.made[before as usize].next = child,
        }
    }

    /// Ends a node behind the token before.
    fn close(&mut self, id: Id) -> Id {
        self.made[id as usize].end = self.last as u32;
        id
    }

    fn kind(&self, id: Id) -> Kind {
        self.made[id as usize].kind
    }

    /// A node of the next token alone.
    fn leaf(&mut self) -> Id {
        let id = self.make(self.token, self.start, self.end);
        self.advance();
        id
    }

    /// Goes on behind a token of this kind.
    fn expect(&mut self, kind: Kind) -> Option<()> {
        (self.token == kind).then(|| self.advance())
    }

    /// Goes on behind a token of this kind, if it is there.
    fn skip(&mut self, kind: Kind) -> bool {
        let there = self.token == kind;
        if there {
            self.advance();
        }
        there
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// The nodes in pre-order.
    fn flat(&self, root: Id, base: u32) -> Vec<Node> {
        let mut nodes = Vec::with_capacity(self.made.len());
        let mut open: Vec<(usize, u32)> = Vec::with_capacity(64);
        let mut at = root;
        loop {
            let here = nodes.len();
            let made = &self.made[at as usize];
            nodes.push(Node {
                kind: made.kind,
                field: made.field,
                missing: false,
                has_error: false,
                span: Span { start: base + made.start, end: base + made.end },
                end: here as u32 + 1,
            });
            if made.first != NONE {
                open.push((here, made.next));
                at = made.first;
                continue;
            }
            at = made.next;
            while at == NONE {
                let Some((parent, next)) = open.pop() else { return nodes };
                nodes[parent].end = nodes.len() as u32;
                at = next;
            }
        }
    }
}
