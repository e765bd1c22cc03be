//! The tree of calls that a run leaves.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::data::Datum;
use super::filed::Filed;
use super::{Style, TreeForm};
use crate::array::Aval;
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::primitives::Primitive;
use crate::python::{FileId, Function, Site, Value};
use crate::text::Span;
use crate::trace::{TraceRef, Val};

/// What records while a run is recorded.
#[derive(Default)]
pub struct Recorder {
    /// Whether it does.
    pub on: Cell<bool>,
    /// The arrays in the file beside the program.
    pub data: RefCell<Vec<Datum>>,
    /// How trees of the program's own are kept, and whether there was one whose leaves a dictionary has in another order.
    pub(super) trees: Cell<TreeForm>,
    pub(super) reordered: Cell<bool>,
    /// The fields that arrays were seen in first, by the arrays' identities, with the arrays.
    pub(super) fields: RefCell<FxHashMap<usize, (Symbol, Value)>>,
    /// What it has recorded.
    pub(super) state: RefCell<State>,
}

/// What was recorded.
#[derive(Default)]
pub(super) struct State {
    /// What runs, outermost first; the root runs always.
    pub stack: Vec<Level>,
    pub statements: Vec<Statement>,
    pub defs: Vec<Def>,
    /// The bodies that have a value.
    pub filed: Filed,
    /// Contexts of `with` that the program has been in, and those that it is in, with the bodies that entered them.
    pub contexts: Vec<Arg>,
    pub entered: Vec<(usize, usize)>,
    /// The bodies that traces ran when they were made, or that caches answered them with, by the numbers of the traces; and all such answers.
    pub traces: FxHashMap<usize, Vec<Range<usize>>>,
    pub answered: Vec<Range<usize>>,
    /// What walks over trees were given.
    pub walks: Vec<Vec<usize>>,
    /// How the program came by values of the framework.
    pub origins: FxHashMap<usize, Origin>,
    /// Methods of arrays, by the functions behind them.
    pub methods: FxHashMap<usize, Symbol>,
    /// What the program calls its values.
    pub names: FxHashMap<usize, Symbol>,
    /// The bodies that have given the names.
    pub named_in: FxHashMap<usize, usize>,
    /// Values by whose identity something is filed.
    pub alive: Vec<Value>,
    /// What arrays of NumPy held when the wanted function was called, which the program may write to later.
    pub held: FxHashMap<usize, Val>,
    /// The exceptions that were reported, with the places of the program that they came through, innermost first.
    pub reported: Vec<(Raised, Vec<Site>)>,
    /// What the top level of the program has given names.
    pub assigned: Vec<(Site, Value, Arg, Symbol)>,
    /// What the wanted function has given names, where a part of it is asked for: the places of the names.
    pub given_inside: Vec<(Site, Symbol, Arg)>,
    /// The function that is wanted, and its first call.
    pub wanted: Option<String>,
    /// The file that it stands in, where another one's will not do.
    pub within: Option<PathBuf>,
    /// Whether the run is over when the call has ended that the wanted function is in.
    pub ends: bool,
    /// How many calls of the program's top level have begun, and how many had when the wanted function was called.
    pub begun: usize,
    pub wanted_at: usize,
    /// The statement of the top level that was under way then.
    pub wanted_in: Option<usize>,
    /// Whether axes had names where the wanted function was called.
    pub wanted_has_axes: bool,
    /// Whether it is asked what the function was given, and after how many of them nothing is compiled any more for that.
    pub asks: bool,
    pub compiled: Option<usize>,
    /// Whether only the first error matters, so that nothing behind it is recorded.
    pub first_only: bool,
    pub wanted_def: Option<usize>,
    /// Whether the call of the top level is wanted that it is called in: what the program calls itself is a part of what calls it then.
    pub around: bool,
    /// How well that fits the name, and whether the program itself has one that fits better and has not been called.
    pub fit: Fit,
    pub awaits_own: bool,
    /// Functions of the program that the wanted one has given: the first call of each shows what it does.
    pub given_back: Vec<Rc<Function>>,
    pub style: Style,
    /// Whether maps over trees are statements, whose functions are called with their leaves; but for those of functions at these places.
    pub maps: Option<Vec<(FileId, Span)>>,
    /// Whether primitives stand for calls that they are all of, and the statements that are under way then, innermost last.
    pub primitives: bool,
    pub open: Vec<Open>,
    /// Statements that primitives stand for, by their numbers.
    pub expanded: FxHashMap<usize, Expanded>,
    /// Whether the frames of the program are kept with each statement.
    pub keeps_frames: bool,
    /// Primitives of the program's own in whose stead their functions are called, those that were bound, and those that were asked for rules.
    pub inlined: Vec<String>,
    pub own: BTreeSet<String>,
    pub ruled: BTreeSet<String>,
}

/// How well a function fits the name of the one that is wanted: not, by the end of its name, in the program itself, there by its whole name.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    #[default]
    None,
    Name,
    Own,
    Whole,
}

/// A statement under way whose primitives are noted.
pub(super) struct Open {
    pub of: usize,
    /// The trace that it began under, and how many primitives were being bound then.
    pub trace: TraceRef,
    pub depth: usize,
    /// The statements of its primitives, and the values that were filed for them.
    pub binds: Vec<usize>,
    pub filed: Vec<usize>,
    /// Whether all of them can be written.
    pub whole: bool,
}

/// The primitives that stand for a statement.
pub(super) struct Expanded {
    /// Their statements, and the values that were filed for them.
    pub binds: Vec<usize>,
    pub filed: Vec<usize>,
}

/// One level of what runs.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Level {
    Def(usize),
    Statement(usize),
    /// The framework's own code, which nobody called.
    Quiet,
    /// A walk over a tree, of a body: which of the walks.
    Walk(usize, usize),
}

/// An exception by class and message.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Raised {
    pub class: String,
    pub message: String,
}

/// How the program came by a value of the framework.
#[derive(Clone)]
pub(super) enum Origin {
    /// A member of a module.
    Path(String),
    /// An attribute of another such value.
    Attribute(Value, Symbol),
    /// An item of a tuple that is such a value.
    Item(Value, usize),
}

/// What a statement does with its arguments.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Call(Value),
    Binary(BinaryOp),
    Compare(CompareOp),
    Unary(UnaryOp),
    Attribute(Symbol),
    Item,
    SetItem,
    /// The items of an array: they are written as subscripts.
    Items,
    /// The call of a member that is not there.
    Method(Symbol),
    /// A builtin function.
    Builtin(&'static str),
    /// The call of something that the program has, which is its first argument.
    Apply,
    SetAttribute(Symbol),
    DeleteItem,
    /// `a, b = x`, with so many names; the one with a star.
    Unpack(usize, Option<usize>),
    /// A primitive, with the types of its results.
    Bind(Rc<dyn Primitive>, Vec<Aval>),
}

/// An item of a tuple: its identity, and its own items where it is a tuple.
pub(super) struct Part {
    pub id: usize,
    pub items: Vec<Part>,
}

/// So many bodies around a function are looked into.
const MOST_LEVELS: usize = 30;

/// Tuples inside of tuples are looked into so deep.
const MOST_NESTED: usize = 6;

impl Part {
    /// The items of a value, where it is a tuple.
    pub fn all(value: &Value) -> Vec<Part> {
        Part::within(value, 0)
    }

    fn within(value: &Value, depth: usize) -> Vec<Part> {
        let items = match value {
            Value::Instance(instance) => instance.payload(),
            value => Some(value),
        };
        let Some(Value::Tuple(items)) = items else { return Vec::new() };
        if depth == MOST_NESTED {
            return Vec::new();
        }
        items.iter().map(|item| Part { id: item.identity(), items: Part::within(item, depth + 1) }).collect()
    }

    /// Whether something holds of an item inside of it.
    pub fn any(&self, of: &impl Fn(usize) -> bool) -> bool {
        self.items.iter().any(|item| of(item.id) || item.any(of))
    }
}

/// An operation of the framework.
pub(super) struct Statement {
    /// The body that it is of.
    pub parent: usize,
    pub op: Op,
    pub args: Vec<Arg>,
    pub keywords: Vec<(Symbol, Arg)>,
    pub result: Option<(usize, Arg)>,
    /// What it gives as it is: while that is there, nothing else has its identity.
    pub gives: Option<Value>,
    /// What the items of a tuple that it gives are.
    pub parts: Vec<Part>,
    /// How it has failed: more than once where the run has gone on behind.
    pub errors: Vec<Raised>,
    /// The contexts of its body, outermost first: indices into [`State::contexts`].
    pub contexts: Vec<usize>,
    /// Functions of the program that it called.
    pub children: Vec<usize>,
    /// The bodies that ran when what caches answered it was traced.
    pub answers: Vec<Range<usize>>,
    pub site: Option<Site>,
    /// The place of the top level that it comes of.
    pub top: Option<Site>,
    /// Where the program is, outermost first; where that is kept.
    pub frames: Vec<Site>,
}

/// A function of the program that the framework called.
pub(super) struct Def {
    pub function: Option<Rc<Function>>,
    /// The statement that called it.
    pub parent: Option<usize>,
    /// The body that the program called it in, where no statement did.
    pub around: Option<usize>,
    pub params: Vec<Param>,
    /// The object that its first parameter was given.
    pub receiver: Option<Value>,
    /// What its values are by identity.
    pub bound: FxHashMap<usize, Access>,
    pub result: Option<Arg>,
    pub errors: Vec<Raised>,
    pub statements: Vec<usize>,
    /// The contexts around its call, where the program called it.
    pub contexts: Vec<usize>,
    pub site: Option<Site>,
    /// So many frames of the program are around it.
    pub depth: usize,
    /// Whether a loop in it was left before its last rounds.
    pub lacks_rounds: bool,
    /// Whether nothing of the program calls it: it runs all the same, on what is said of its arguments.
    pub is_uncalled: bool,
}

/// A parameter with what it was given.
#[derive(Clone)]
pub(super) struct Param {
    pub name: Symbol,
    pub kind: ParamKind,
    pub given: Arg,
}

/// The kind of a parameter.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum ParamKind {
    Plain,
    KeywordOnly,
    Rest,
    RestKeywords,
}

/// Where a value comes from within a body.
#[derive(Clone)]
pub(super) struct Access {
    pub from: Source,
    pub path: Vec<Key>,
}

/// What gives a value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Source {
    Param(usize),
    Statement(usize),
}

/// A step into a container.
#[derive(Clone, PartialEq)]
pub(super) enum Key {
    Index(usize),
    Of(Arg),
    Field(Symbol),
}

impl PartialEq for Arg {
    fn eq(&self, other: &Arg) -> bool {
        match (self, other) {
            (Arg::Plain(a), Arg::Plain(b)) | (Arg::Leaf(a), Arg::Leaf(b)) => a.is(b),
            _ => false,
        }
    }
}

/// A value as arguments and results keep it: what is mutable is copied.
#[derive(Clone)]
pub(super) enum Arg {
    /// A number, a text, a type: written as it is.
    Plain(Value),
    /// An array, or another value of the framework.
    Leaf(Value),
    /// A function of the program.
    Callable(Value),
    /// A tree that can be called.
    Tree(Value, Box<Arg>),
    /// The parts of a tree that is kept as it is (a `Partial`), by the attributes that they are.
    Fields(Vec<(Symbol, Arg)>),
    Tuple(Vec<Arg>),
    List(Vec<Arg>),
    Dict(Vec<(Arg, Arg)>),
    Slice(Box<[Arg; 3]>),
    /// An instance of a class of the program's, by the class's name.
    Object(Symbol),
    /// A class of the program's.
    Class(Symbol),
    /// A generator.
    Generator,
    Set(Vec<Arg>),
    /// What is not known, of the program's own: with what stands for it, an empty container where it is one.
    Vague(&'static str),
    /// What cannot be written.
    Lost,
}

impl Arg {
    /// Calls back for each value of the framework, with the way to it.
    pub fn leaves(&self, path: &mut Vec<Key>, found: &mut dyn FnMut(&Value, &[Key])) {
        match self {
            Arg::Leaf(value) | Arg::Callable(value) => found(value, path),
            Arg::Tuple(items) | Arg::List(items) => {
                for (i, item) in items.iter().enumerate() {
                    path.push(Key::Index(i));
                    item.leaves(path, found);
                    path.pop();
                }
            }
            Arg::Dict(items) => {
                for (key, item) in items {
                    path.push(Key::Of(key.clone()));
                    item.leaves(path, found);
                    path.pop();
                }
            }
            Arg::Tree(value, tree) => {
                if let Arg::Fields(_) = &**tree {
                    found(value, path);
                }
                tree.leaves(path, found);
            }
            Arg::Fields(fields) => {
                for (name, field) in fields {
                    path.push(Key::Field(*name));
                    // A function is no part of what is traced.
                    if let Arg::Tuple(_) | Arg::Dict(_) = field {
                        field.leaves(path, found);
                    }
                    path.pop();
                }
            }
            Arg::Plain(_)
            | Arg::Slice(_)
            | Arg::Object(_)
            | Arg::Class(_)
            | Arg::Generator
            | Arg::Set(_)
            | Arg::Vague(_)
            | Arg::Lost => {}
        }
    }
    /// The arrays and numbers in it, in their order.
    pub fn numbers(&self, found: &mut Vec<Value>) {
        match self {
            Arg::Leaf(value @ Value::Array(_)) => found.push(value.clone()),
            Arg::Plain(
                value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_) | Value::Object(_)),
            ) => {
                found.push(value.clone());
            }
            Arg::Tuple(items) | Arg::List(items) => items.iter().for_each(|item| item.numbers(found)),
            Arg::Dict(items) => items.iter().for_each(|(_, item)| item.numbers(found)),
            Arg::Tree(_, tree) => tree.numbers(found),
            Arg::Fields(fields) => fields.iter().for_each(|(_, field)| field.numbers(found)),
            _ => {}
        }
    }
    /// Whether another one is built alike, of the same numbers and texts, and of values that are `same`.
    pub fn is_like(&self, other: &Arg, same: &dyn Fn(&Value, &Value) -> bool) -> bool {
        let all = |a: &[Arg], b: &[Arg]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b, same));
        match (self, other) {
            (Arg::Tree(_, a), b) | (b, Arg::Tree(_, a)) => a.is_like(b, same),
            (Arg::Leaf(a), Arg::Leaf(b)) | (Arg::Callable(a), Arg::Callable(b)) => same(a, b),
            (Arg::Plain(a), Arg::Plain(b)) => match (a, b) {
                (Value::Int(a), Value::Int(b)) => a == b,
                (Value::Bool(a), Value::Bool(b)) => a == b,
                (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
                (Value::Str(a), Value::Str(b)) => a == b,
                (Value::None, Value::None) => true,
                (a, b) => a.is(b),
            },
            (Arg::Tuple(a), Arg::Tuple(b)) | (Arg::List(a), Arg::List(b)) => all(a, b),
            (Arg::Dict(a), Arg::Dict(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0.is_like(&b.0, same) && a.1.is_like(&b.1, same))
            }
            (Arg::Fields(a), Arg::Fields(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.is_like(&b.1, same))
            }
            _ => false,
        }
    }
    /// What is in it at the end of a way.
    pub fn at(&self, path: &[Key]) -> Option<&Arg> {
        let (arg, first, rest) = match (self, path.split_first()) {
            (Arg::Tree(_, tree), _) => return tree.at(path),
            (arg, None) => return Some(arg),
            (arg, Some((first, rest))) => (arg, first, rest),
        };
        match (arg, first) {
            (Arg::Tuple(items) | Arg::List(items), Key::Index(i)) => items.get(*i)?.at(rest),
            (Arg::Dict(items), Key::Of(key)) => {
                let same = |a: &Value, b: &Value| a.is(b);
                items.iter().find(|(other, _)| other.is_like(key, &same))?.1.at(rest)
            }
            (Arg::Fields(fields), Key::Field(name)) => fields.iter().find(|(field, _)| field == name)?.1.at(rest),
            _ => None,
        }
    }
    /// Whether something in it is not known.
    pub fn is_lost(&self) -> bool {
        match self {
            Arg::Lost | Arg::Vague(_) => true,
            Arg::Tuple(items) | Arg::List(items) => items.iter().any(Arg::is_lost),
            Arg::Dict(items) => items.iter().any(|(_, item)| item.is_lost()),
            Arg::Tree(_, tree) => tree.is_lost(),
            Arg::Fields(fields) => fields.iter().any(|(_, field)| field.is_lost()),
            _ => false,
        }
    }
    /// Whether there is an array in it.
    pub fn holds_array(&self) -> bool {
        let mut any = false;
        self.leaves(&mut Vec::new(), &mut |value, _| any |= matches!(value, Value::Array(_)));
        any
    }
}

/// Whether a function of the framework maps a function over the leaves of trees.
pub(super) fn is_map_of_trees(function: &Function) -> bool {
    let is_it = matches!(function.name().as_str(), "map" | "tree_map" | "tree_map_with_path");
    is_it && function.module.unit.ours && function.module.name.starts_with("jax.tree")
}

/// Where a function of the program stands.
pub(super) fn place_of(function: &Function) -> (FileId, Span) {
    (function.unit.file, function.code().span)
}

impl Statement {
    /// Whether it maps a function over the leaves of trees.
    pub fn is_map(&self) -> bool {
        matches!(&self.op, Op::Call(Value::Function(callee)) if is_map_of_trees(callee))
    }
    /// Whether it maps another function over the leaves that this one tells from other nodes.
    pub fn says_where_leaves_are(&self, function: &Rc<Function>) -> bool {
        let is = |arg: &Arg| matches!(arg, Arg::Callable(Value::Function(given)) if Rc::ptr_eq(given, function));
        self.is_map() && self.keywords.iter().any(|(_, arg)| is(arg)) && !self.args.first().is_some_and(is)
    }
    /// Whether it has failed so.
    pub fn failed_with(&self, raised: &Raised) -> bool {
        self.errors.contains(raised)
    }
}

impl State {
    /// The body that runs, where the program's own code does.
    pub fn body(&self) -> Option<usize> {
        match self.stack.last() {
            Some(Level::Def(def)) => Some(*def),
            _ => None,
        }
    }
    /// A body and those around it, innermost first; without that of the program.
    pub fn around(&self, def: usize) -> Vec<usize> {
        let outer = |def: usize| match self.defs[def].parent {
            Some(call) => Some(self.statements[call].parent),
            None => self.defs[def].around,
        };
        std::iter::successors(Some(def), |def| outer(*def).filter(|outer| *outer != 0)).take(MOST_LEVELS).collect()
    }
    /// Statements that change what another one gave: rules of functions with derivatives of their own.
    pub fn effects(&self) -> FxHashMap<usize, Vec<usize>> {
        let mut all: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (id, statement) in self.statements.iter().enumerate() {
            let Op::Call(callee) = &statement.op else { continue };
            let name = match callee {
                Value::Function(function) => function.name(),
                Value::Native(native) => native.name,
                _ => continue,
            };
            if !name.starts_with("def") {
                continue;
            }
            let Some(Arg::Leaf(receiver)) = statement.args.first() else { continue };
            let of = self.holders(receiver.identity()).next().map(|(_, access)| access);
            if let Some(Access { from: Source::Statement(of), .. }) = of {
                all.entry(*of).or_default().push(id);
            }
        }
        all
    }
    /// Whether the run is over once the call has ended that is under way at the top level: the wanted function has been called, and the
    /// functions that it has given.
    pub fn is_over(&self) -> bool {
        self.ends && self.wanted_def.is_some() && !self.awaits_own && self.given_back.is_empty()
    }
    /// Files the values in a result. What a statement was given itself and nobody has given a place (`jax.tree.flatten`) does not come of it.
    pub fn bind_result(&mut self, def: usize, statement: usize, value: &Arg) {
        let of = &self.statements[statement];
        let mut given = FxHashSet::default();
        for arg in of.args.iter().chain(of.keywords.iter().map(|(_, arg)| arg)) {
            arg.leaves(&mut Vec::new(), &mut |leaf, _| {
                if matches!(leaf, Value::Array(_)) {
                    given.insert(leaf.identity());
                }
            });
        }
        given.retain(|id| !self.defs[def].bound.contains_key(id));
        self.bind(def, Source::Statement(statement), value);
        self.defs[def].bound.retain(|id, _| !given.contains(id));
    }
    /// Files the values in an argument or a result.
    pub fn bind(&mut self, def: usize, from: Source, value: &Arg) {
        let mut found = Vec::new();
        value.leaves(&mut Vec::new(), &mut |leaf, path| {
            if !matches!(leaf, Value::Function(f) if !f.module.unit.ours) {
                found.push((leaf.identity(), path.to_vec()));
            }
        });
        let open = self.stack.iter().filter_map(|level| match level {
            Level::Def(open) if matches!(from, Source::Statement(_)) && *open != def => Some(*open),
            _ => None,
        });
        let open: Vec<usize> = open.collect();
        for (id, path) in found {
            // What was there before a statement does not come of it.
            if open.iter().any(|open| self.defs[*open].bound.contains_key(&id)) {
                continue;
            }
            if !self.origins.contains_key(&id) {
                self.defs[def].bound.entry(id).or_insert(Access { from, path });
                self.filed.note(id, def);
            }
        }
    }
}
