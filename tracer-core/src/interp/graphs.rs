//! Graphs of the user's functions, kept where somebody asks for them.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::Interp;
use crate::module::Symbol;
use crate::python::{Args, Function, Site, Value};
use crate::trace::{ClosedJaxpr, Val, marks};

/// A function that was traced to a graph.
#[derive(Clone, Debug)]
pub struct GraphNote {
    /// The function's `__qualname__`.
    pub function: Symbol,
    /// Its name in its `def` line.
    pub defined: Site,
    /// The call that traced it.
    pub called: Option<Site>,
    /// The graph.
    pub graph: ClosedJaxpr,
    /// Which results of the function are not in it, and why: those that are not known.
    pub lost: Option<String>,
    /// What it was traced for, once a call is known.
    pub inputs: Option<Vec<Val>>,
}

/// A function whose trace came to no end that is known, or raised.
#[derive(Clone, Debug)]
pub struct Untraced {
    /// The function's `__qualname__`.
    pub function: Symbol,
    /// Its name in its `def` line.
    pub defined: Site,
    /// The call that traced it.
    pub called: Option<Site>,
    /// Why it has no graph.
    pub why: String,
}

/// By which name a function is told of, and where that stands: a function of the user's by its own, in its `def` line, and one of others that the
/// user's code has compiled by that of what is called, at the call.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The name.
    pub name: Symbol,
    /// Where it stands.
    pub defined: Site,
}

impl Named {
    /// A function of the user's.
    pub fn of(function: &Function) -> Named {
        let defined = Site { file: function.module.unit.file, span: function.code().name_span };
        Named { name: function.qualname(), defined }
    }
}

/// Functions of the user's that run in each other, as they stand on the user's stack, by their numbers in the marks of equations.
pub type Calls = IndexSet<Box<[(Site, Symbol)]>, FxBuildHasher>;

/// The graphs of a run.
#[derive(Default)]
pub struct Graphs {
    /// Whether graphs are kept.
    pub wanted: Cell<bool>,
    /// The function whose first call is kept, traced or not: by its name or `__qualname__`.
    pub target: Cell<Option<Symbol>>,
    /// That call.
    pub call: RefCell<Option<(Rc<Function>, Args)>>,
    /// What was first called by that name where it is no function of its own (`g` of `g = jax.jit(f)`), and with what.
    pub by_name: RefCell<Option<(Value, Args)>>,
    /// The object that the user's code calls, and by which name.
    pub called: RefCell<Option<(Value, Symbol)>>,
    /// The graphs.
    pub notes: RefCell<Vec<GraphNote>>,
    /// Functions that have none.
    pub untraced: RefCell<Vec<Untraced>>,
    /// The calls that led to their equations.
    pub calls: RefCell<Calls>,
}

impl Graphs {
    /// Keeps a graph of a function of this name.
    pub fn note(&self, function: Named, called: Option<Site>, graph: ClosedJaxpr, lost: Option<String>) {
        let Named { name: function, defined } = function;
        self.notes.borrow_mut().push(GraphNote { function, defined, called, graph, lost, inputs: None });
    }
    /// Keeps why a function has no graph.
    pub fn note_untraced(&self, function: Named, called: Option<Site>, why: String) {
        let Named { name: function, defined } = function;
        self.untraced.borrow_mut().push(Untraced { function, defined, called, why });
    }
    /// Gives what was kept last another name: that by which it was asked for.
    pub fn rename(&self, name: &str, kept: (usize, usize)) {
        let (mut notes, mut untraced) = (self.notes.borrow_mut(), self.untraced.borrow_mut());
        if notes.len() > kept.0
            && let Some(mut note) = notes.pop()
        {
            // A compiled function has been kept under its own name.
            if !notes[kept.0..].iter().any(|inner| is_meant(&inner.function, name)) {
                note.function = Symbol::from(name);
                notes.push(note);
            }
        } else if untraced.len() > kept.1
            && let Some(lost) = untraced.last_mut()
        {
            lost.function = Symbol::from(name);
        }
    }
    /// Keeps what a graph was first called with: with numbers, where one call has them.
    pub fn note_inputs(&self, graph: &ClosedJaxpr, inputs: &[Val]) {
        let mut notes = self.notes.borrow_mut();
        let of = notes.iter_mut().find(|note| Rc::ptr_eq(&note.graph.jaxpr, &graph.jaxpr));
        let is_known = |inputs: &[Val]| inputs.iter().all(|input| input.is_numbers());
        let is_wanted =
            |note: &GraphNote| note.inputs.as_ref().is_none_or(|before| !is_known(before) && is_known(inputs));
        if let Some(note) = of.filter(|note| is_wanted(note)) {
            note.inputs = Some(inputs.to_vec());
        }
    }
}

impl Interp {
    /// Keeps graphs from here on, or does not.
    pub fn keep_graphs(self: &Rc<Self>, wanted: bool) {
        self.graphs.wanted.set(wanted);
        let it = Rc::downgrade(self);
        let marker: Option<crate::trace::Marker> = wanted.then(|| {
            let complete: crate::trace::Marker = Rc::new(move |mark| match it.upgrade() {
                Some(it) => marks::with_calls(mark, || it.number_of_calls()),
                None => mark,
            });
            complete
        });
        self.engine.set_marker(marker);
    }

    /// The number of the calls that run.
    fn number_of_calls(&self) -> usize {
        let stack = self.user_stack.borrow();
        let mut calls = self.graphs.calls.borrow_mut();
        match calls.get_index_of(stack.as_slice()) {
            Some(number) => number,
            None => calls.insert_full(stack.as_slice().into()).0,
        }
    }
}

/// Whether a function of this `__qualname__` is meant by a name: the whole, or its end (`step`, `Model.step`).
pub fn is_meant(qualname: &str, name: &str) -> bool {
    let plain = |text: &str| text.replace(".<locals>", "");
    let (qualname, name) = (plain(qualname), plain(name));
    qualname.strip_suffix(name.as_str()).is_some_and(|before| before.is_empty() || before.ends_with('.'))
}
