//! Syntax trees. **Invariant:** only this folder names tree-sitter.
//!
//! A [`SyntaxTree`] is an array of [`Node`]s in pre-order, so that the lowering walks plain memory and can never overflow the
//! stack by walking. Most texts that are right are parsed by `descent`; of others it is tree-sitter's own tree (kept for
//! incremental parsing) flattened once.

mod culprits;
mod descent;
mod kind;
mod outline;
mod prepare;

pub use kind::{Field, Kind};

use std::ops::Range;
use std::sync::Arc;

use tree_sitter::{InputEdit, ParseOptions, ParseState, Parser, Point, Tree};

use crate::module::{LaterPart, Note};
use crate::text::Span;
use kind::GRAMMAR;
use outline::Outline;
use prepare::{Degree, Line, Prepared, prepare};

/// Files longer than this many bytes are not parsed.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// Texts longer than this are parsed only by descent: for two megabytes of open brackets tree-sitter takes more than a gigabyte.
const MAX_REPAIRED_BYTES: usize = 2 << 20;

/// How often a text with errors is simplified and parsed again.
const MAX_ROUNDS: usize = 3;

/// A node of the flattened tree.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its role in its parent.
    pub field: Field,
    /// Whether the parser made it up to go on.
    pub missing: bool,
    /// Whether it is, or contains, an error or a missing node.
    pub has_error: bool,
    /// Where its text is.
    pub span: Span,
    /// The position just past its subtree.
    end: u32,
}

/// A node of a [`SyntaxTree`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u32);

/// Why a text was not parsed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Longer than [`MAX_FILE_BYTES`].
    TooLong,
    /// Not right or unusual, and too long for the parser that reads such texts.
    Unusual,
    /// The parser did not finish within its budget.
    TooComplex,
}

/// A parsed text.
#[derive(Clone, Debug)]
pub struct SyntaxTree {
    /// Tree-sitter's own tree, of this text or one before it.
    tree: Option<Tree>,
    /// What tree-sitter was given for that.
    prepared: Arc<str>,
    nodes: Vec<Node>,
    notes: Vec<Note>,
    refusal: Option<Refusal>,
}

impl SyntaxTree {
    /// Parses a text.
    pub fn parse(text: &str) -> SyntaxTree {
        SyntaxTree::parse_from(text, 0, None)
    }

    /// Parses a text without the bodies of its functions, where they can come later: which ones these are.
    pub(crate) fn parse_outline(text: &str) -> (SyntaxTree, Vec<LaterPart>) {
        if text.len() <= MAX_FILE_BYTES
            && let Some(Outline { mut prepared, bodies, parts }) = outline::outline(text)
        {
            if let Some(tree) = SyntaxTree::descend(text, &prepared.lines, &bodies, 0) {
                return (tree, parts);
            }
            prepared.condense(&bodies);
            if prepared.text.len() <= MAX_REPAIRED_BYTES
                && let Some(tree) = SyntaxTree::parse_condensed(&prepared, 0)
            {
                return (tree, parts);
            }
        }
        (SyntaxTree::parse_once(text), Vec::new())
    }

    /// Parses a text of which no later text will be parsed from this tree. It has the same nodes as the tree that
    /// [`SyntaxTree::parse`] gives.
    pub fn parse_once(text: &str) -> SyntaxTree {
        SyntaxTree::parse_part(text, 0..text.len())
    }

    /// Parses a text that is right, if it is simple enough.
    fn descend(text: &str, lines: &[Line], bodies: &[(usize, usize)], base: u32) -> Option<SyntaxTree> {
        let nodes = descent::parse(text, lines, bodies, base)?;
        Some(SyntaxTree { tree: None, prepared: "".into(), nodes, notes: Vec::new(), refusal: None })
    }

    /// Parses a text that has been condensed; `None` where it is not right after all.
    fn parse_condensed(prepared: &Prepared, base: u32) -> Option<SyntaxTree> {
        let mut parser = Parser::new();
        parser.set_language(&GRAMMAR.language).ok()?;
        let tree = parse(&mut parser, &prepared.text, None).filter(|tree| !tree.root_node().has_error())?;
        let nodes = flatten(&tree, prepared, base);
        Some(SyntaxTree { tree: None, prepared: "".into(), nodes, notes: Vec::new(), refusal: None })
    }

    /// Parses a part of a text: what begins and ends with it is right, offsets are those of the text.
    pub(crate) fn parse_part(text: &str, part: Range<usize>) -> SyntaxTree {
        let start = part.start as u32;
        let text = text.get(part).unwrap_or("");
        if text.len() <= MAX_FILE_BYTES {
            let mut prepared = prepare(text, &[]);
            if prepared.is_clean() {
                if let Some(tree) = SyntaxTree::descend(text, &prepared.lines, &[], start) {
                    return tree;
                }
                prepared.condense(&[]);
                if prepared.text.len() <= MAX_REPAIRED_BYTES
                    && let Some(tree) = SyntaxTree::parse_condensed(&prepared, start)
                {
                    return tree;
                }
            }
        }
        SyntaxTree::parse_from(text, start, None)
    }

    /// Parses `new_text`, reusing what it has in common with the text of this tree. The result is the one that
    /// [`SyntaxTree::parse`] gives.
    pub fn reparse(&self, new_text: &str) -> SyntaxTree {
        SyntaxTree::parse_from(new_text, 0, Some(self))
    }

    /// Parses what begins at an offset of a longer text.
    fn parse_from(text: &str, base: u32, old: Option<&SyntaxTree>) -> SyntaxTree {
        if text.len() > MAX_FILE_BYTES {
            return SyntaxTree::refused(Refusal::TooLong);
        }
        let mut prepared = prepare(text, &[]);
        if prepared.is_clean()
            && let Some(mut tree) = SyntaxTree::descend(text, &prepared.lines, &[], base)
        {
            // The next text may be one that tree-sitter has to read.
            if let Some(old) = old {
                (tree.tree, tree.prepared) = (old.tree.clone(), old.prepared.clone());
            }
            return tree;
        }
        if text.len() > MAX_REPAIRED_BYTES {
            return SyntaxTree { notes: std::mem::take(&mut prepared.notes), ..SyntaxTree::refused(Refusal::Unusual) };
        }
        let mut parser = Parser::new();
        if parser.set_language(&GRAMMAR.language).is_err() {
            return SyntaxTree::refused(Refusal::TooComplex);
        }
        let reused = old.and_then(|old| Some(edited(old.tree.as_ref()?, &old.prepared, &prepared.text)));
        let mut tree = parse(&mut parser, &prepared.text, reused.as_ref());
        if reused.is_some() && tree.as_ref().is_none_or(|tree| tree.root_node().has_error()) {
            // What tree-sitter makes of errors depends on what it reuses.
            tree = parse(&mut parser, &prepared.text, None);
        }
        let mut notes = std::mem::take(&mut prepared.notes);
        let mut degraded: Vec<(usize, Degree)> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let Some(broken) = tree.as_ref().filter(|tree| tree.root_node().has_error()) else {
                break;
            };
            if !culprits::find(broken, &prepared, &mut parser, &mut degraded, &mut notes) {
                break;
            }
            prepared = prepare(text, &degraded);
            tree = parse(&mut parser, &prepared.text, None);
        }
        let Some(tree) = tree else {
            return SyntaxTree::refused(Refusal::TooComplex);
        };
        for note in &mut notes {
            note.span = Span { start: note.span.start + base, end: note.span.end + base };
        }
        let nodes = flatten(&tree, &prepared, base);
        SyntaxTree { tree: Some(tree), prepared: prepared.text.into(), nodes, notes, refusal: None }
    }

    fn refused(refusal: Refusal) -> SyntaxTree {
        let root = Node {
            kind: Kind::Module,
            field: Field::None,
            missing: false,
            has_error: true,
            span: Span::default(),
            end: 1,
        };
        SyntaxTree { tree: None, prepared: "".into(), nodes: vec![root], notes: Vec::new(), refusal: Some(refusal) }
    }

    /// Why there is nothing in this tree, if its text was refused.
    pub fn refusal(&self) -> Option<Refusal> {
        self.refusal
    }

    /// What was found wrong with the text.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The root.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Every node, in pre-order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this id.
    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The kind of a node.
    #[inline]
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// The range of a node.
    #[inline]
    pub fn span(&self, id: NodeId) -> Span {
        self.node(id).span
    }

    /// The children of a node, tokens and errors included.
    #[inline]
    pub fn all_children(&self, id: NodeId) -> Children<'_> {
        Children { nodes: &self.nodes, next: id.0 + 1, end: self.node(id).end }
    }

    /// The children of a node, errors left out.
    #[inline]
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.all_children(id).filter(|child| self.kind(*child) != Kind::Error)
    }

    /// The children of a node that are not tokens, errors left out.
    #[inline]
    pub fn named(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.all_children(id).filter(|child| {
            let kind = self.kind(*child);
            kind.is_named() && kind != Kind::Error
        })
    }

    /// The first child with this role.
    #[inline]
    pub fn child(&self, id: NodeId, field: Field) -> Option<NodeId> {
        self.children(id).find(|child| self.node(*child).field == field)
    }

    /// The children with this role.
    #[inline]
    pub fn children_in(&self, id: NodeId, field: Field) -> impl Iterator<Item = NodeId> + '_ {
        self.children(id).filter(move |child| self.node(*child).field == field)
    }

    /// The first child of this kind.
    #[inline]
    pub fn child_of_kind(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.all_children(id).find(|child| self.kind(*child) == kind)
    }
}

/// The children of a node, in order.
#[derive(Clone)]
pub struct Children<'a> {
    nodes: &'a [Node],
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let id = self.next;
        self.next = self.nodes[id as usize].end;
        Some(NodeId(id))
    }
}

fn flatten(tree: &Tree, prepared: &Prepared, base: u32) -> Vec<Node> {
    let grammar = &*GRAMMAR;
    let mapper = prepared.mapper();
    let mut cursor = tree.walk();
    let mut nodes = Vec::with_capacity(tree.root_node().descendant_count());
    let mut open: Vec<u32> = Vec::with_capacity(64);
    loop {
        let node = cursor.node();
        let kind = grammar.kind(node.kind_id());
        let mut descend = false;
        // Comments and continuations mean nothing; the inside of a string is decoded from the text.
        if !matches!(kind, Kind::Comment | Kind::LineContinuation | Kind::StringContent) {
            let missing = node.is_missing();
            let field = cursor.field_id().map_or(Field::None, |id| grammar.field(id.get()));
            let here = nodes.len() as u32;
            nodes.push(Node {
                kind,
                field,
                missing,
                has_error: missing || kind == Kind::Error,
                span: Span {
                    start: base + mapper.start(node.start_byte() as u32),
                    end: base + mapper.end(node.end_byte() as u32),
                },
                end: here + 1,
            });
            if (missing || kind == Kind::Error)
                && let Some(parent) = open.last()
            {
                nodes[*parent as usize].has_error = true;
            }
            descend = node.child_count() > 0 && cursor.goto_first_child();
            if descend {
                open.push(here);
            }
        }
        if descend {
            continue;
        }
        while !cursor.goto_next_sibling() {
            let (Some(parent), true) = (open.pop(), cursor.goto_parent()) else {
                return nodes;
            };
            nodes[parent as usize].end = nodes.len() as u32;
            if let Some(grandparent) = open.last() {
                let has_error = nodes[parent as usize].has_error;
                nodes[*grandparent as usize].has_error |= has_error;
            }
        }
    }
}

/// Runs tree-sitter.
fn parse(parser: &mut Parser, text: &str, old: Option<&Tree>) -> Option<Tree> {
    parser.reset();
    // The callback comes every hundred parser operations: counting it bounds the work without a clock.
    // Whole libraries need less than one call for fifty bytes.
    let mut left = 2_000 + text.len() / 8;
    let mut budget = |_: &ParseState| {
        left = left.saturating_sub(1);
        left == 0
    };
    let bytes = text.as_bytes();
    parser.parse_with_options(
        &mut |offset, _| bytes.get(offset..).unwrap_or(&[]),
        old,
        Some(ParseOptions::new().progress_callback(&mut budget)),
    )
}

/// The tree of `old`, told how `new` differs from it.
fn edited(tree: &Tree, old: &str, new: &str) -> Tree {
    let same = |(a, b): &(&u8, &u8)| a == b;
    let prefix = old.as_bytes().iter().zip(new.as_bytes()).take_while(same).count();
    let (old_rest, new_rest) = (&old.as_bytes()[prefix..], &new.as_bytes()[prefix..]);
    let suffix = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let mut tree = tree.clone();
    if !(old_rest.is_empty() && new_rest.is_empty()) {
        let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
        tree.edit(&InputEdit {
            start_byte: prefix,
            old_end_byte: old_end,
            new_end_byte: new_end,
            start_position: point(old, prefix),
            old_end_position: point(old, old_end),
            new_end_position: point(new, new_end),
        });
    }
    tree
}

fn point(text: &str, offset: usize) -> Point {
    let before = &text.as_bytes()[..offset];
    let row = before.iter().filter(|b| **b == b'\n').count();
    let column = before.iter().rev().take_while(|b| **b != b'\n').count();
    Point { row, column }
}
