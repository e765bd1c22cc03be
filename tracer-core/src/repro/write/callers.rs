//! Which statements call a function of the program, and whether that calls itself: asked for with each function that is written.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::python::Function;
use crate::repro::tree::{Def, State};

/// The calls of each function, by where it lies.
pub struct Callers {
    /// Statements with the bodies that they ran, in the order of the statements.
    calls: FxHashMap<usize, Vec<(usize, usize)>>,
    /// Its bodies, those of statements that do not tell of them as well.
    bodies: FxHashMap<usize, Vec<usize>>,
    recursive: RefCell<FxHashMap<usize, bool>>,
}

fn key(function: &Rc<Function>) -> usize {
    Rc::as_ptr(function) as usize
}

impl Callers {
    pub fn of(state: &State) -> Callers {
        let mut calls: FxHashMap<usize, Vec<(usize, usize)>> = FxHashMap::default();
        for (id, statement) in state.statements.iter().enumerate() {
            for def in &statement.children {
                if let Some(function) = &state.defs[*def].function {
                    calls.entry(key(function)).or_default().push((id, *def));
                }
            }
        }
        let mut bodies: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for (id, def) in state.defs.iter().enumerate() {
            if let Some(function) = &def.function {
                bodies.entry(key(function)).or_default().push(id);
            }
        }
        Callers { calls, bodies, recursive: RefCell::default() }
    }

    /// The statements that call it, with the bodies that they ran.
    pub fn calls_of(&self, function: &Rc<Function>) -> &[(usize, usize)] {
        self.calls.get(&key(function)).map_or(&[], Vec::as_slice)
    }

    /// Whether the framework has called a function inside of a call of it.
    pub fn calls_itself(&self, state: &State, function: &Rc<Function>) -> bool {
        if let Some(known) = self.recursive.borrow().get(&key(function)) {
            return *known;
        }
        let is_it = |def: &Def| def.function.as_ref().is_some_and(|of| Rc::ptr_eq(of, function));
        let around = |def: &Def| def.parent.map(|call| &state.defs[state.statements[call].parent]);
        let mut all = self.bodies.get(&key(function)).into_iter().flatten().map(|id| &state.defs[*id]);
        let found = all.any(|def| std::iter::successors(around(def), |def| around(def)).any(is_it));
        self.recursive.borrow_mut().insert(key(function), found);
        found
    }
}
