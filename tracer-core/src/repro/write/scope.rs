//! Bodies that are being written, line by line.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::expression::Ex;
use super::pieces::{Piece, Placed, placed};
use crate::python::{Site, Value};
use crate::repro::tree::Source;

/// A line of the text, before it is broken.
#[derive(Clone, Debug)]
pub struct Line {
    pub indent: usize,
    pub text: String,
    pub site: Option<Site>,
    /// The contexts around it, by their numbers, with their texts.
    pub inside: Vec<(usize, String)>,
    /// Statements that are a part of it.
    pub pieces: Vec<Placed>,
}

impl Line {
    /// One that stands in no context.
    pub fn new(indent: usize, text: impl Into<String>, site: Option<Site>) -> Line {
        Line { indent, text: text.into(), site, inside: Vec::new(), pieces: Vec::new() }
    }
    /// The same line with the statements that are a part of it.
    pub fn of(mut self, pieces: &[Piece]) -> Line {
        self.pieces = placed(&self.text, pieces);
        self
    }
}

/// A body that is being written.
#[derive(Default)]
pub struct Scope {
    pub def: usize,
    /// Lines by the statement that they belong to.
    pub slots: BTreeMap<usize, Vec<Line>>,
    /// What stands behind all statements.
    pub last: Vec<Line>,
    pub written: FxHashSet<usize>,
    pub names: FxHashMap<(Source, usize), String>,
    /// The texts of contexts that it has entered, by their numbers.
    pub entered: FxHashMap<usize, String>,
    /// Those of items inside of items that have names of their own.
    pub inner_names: FxHashMap<(Source, Vec<usize>), String>,
    /// Parameters whose parts were asked for.
    pub parts: FxHashSet<usize>,
    pub taken: BTreeSet<String>,
    /// Builtin functions that it calls.
    pub builtins: BTreeSet<&'static str>,
    /// Those that the program does not have.
    pub made_up: BTreeSet<String>,
    /// Those that have a number since another value had the name.
    pub numbered: BTreeSet<String>,
    /// The statement that is being written.
    pub current: usize,
    /// Functions that stand here, by their text.
    pub functions: FxHashMap<String, String>,
    /// The statements before which they stand.
    pub placed: FxHashMap<String, usize>,
    /// Bodies around it that it needs something of.
    pub outer: BTreeSet<usize>,
    /// Numbers of Python's that are written as parameters, or as parts of them, which hold them.
    pub given: Vec<(Value, Ex)>,
}

impl Scope {
    /// Whether a parameter stands in it.
    pub fn has(&self, param: Source) -> bool {
        self.names.contains_key(&(param, 0))
    }
    /// Its lines in order, those of a context under its `with`.
    pub fn lines(mut self) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut open: Vec<(usize, String)> = Vec::new();
        self.drop_superseded();
        for mut line in self.slots.into_values().flatten().chain(self.last) {
            let inside = std::mem::take(&mut line.inside);
            let same = open.iter().zip(&inside).take_while(|(a, b)| a.0 == b.0).count();
            open.truncate(same);
            for (i, (context, text)) in inside.iter().enumerate().skip(same) {
                lines.push(Line::new(4 * i, format!("with {text}:"), line.site));
                open.push((*context, text.clone()));
            }
            lines.push(Line { indent: line.indent + 4 * inside.len(), ..line });
        }
        lines
    }

    /// Takes away functions that were written once more further up, and that nobody refers to any longer.
    fn drop_superseded(&mut self) {
        let kept: FxHashSet<&String> = self.functions.values().collect();
        let superseded: Vec<String> = self.placed.keys().filter(|name| !kept.contains(name)).cloned().collect();
        for name in superseded {
            let refers = |line: &Line| {
                let head = format!("def {name}(");
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                !line.text.starts_with(&head) && line.text.split(|c| !is_word(c)).any(|word| word == name)
            };
            if self.slots.values().flatten().chain(&self.last).any(refers) {
                continue;
            }
            for lines in self.slots.values_mut() {
                let head = format!("def {name}(");
                let Some(start) = lines.iter().position(|line| line.text.starts_with(&head)) else { continue };
                let indent = lines[start].indent;
                let inside = lines[start + 1..].iter().take_while(|line| line.indent > indent).count();
                lines.drain(start..=start + inside);
            }
        }
    }
}
