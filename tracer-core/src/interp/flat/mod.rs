//! Code that runs often, in a flat form.
//!
//! A function that is called again and again, or a loop with many rounds, is translated once into a list of operations on
//! registers: the local slots of its frame, and temporaries behind them ([`op`], [`emit`]). Each is run by a small function
//! of its own ([`handlers`]); what plain values do is done in place there
//! ([`numbers`], [`places`], [`calls`], [`flow`]); everything else (arrays, unknown values, exceptions, conditions that are not known) is handed to the
//! same methods that walk the tree ([`slow`]), so that there is one meaning and two speeds. An expression or statement
//! that has no operation of its own is walked, as a whole.
//!
//! **Invariant:** at the end of each statement local slots, cells and recorded values are what walking the tree would have
//! left.

mod builtin;
mod calls;
mod comprehensions;
mod copied;
mod displays;
mod elements;
mod emit;
mod enter;
mod flow;
mod handlers;
mod inline;
mod items;
mod memo;
mod methods;
mod numbers;
mod op;
mod places;
mod probes;
mod rest;
mod run;
mod slices;
mod slow;
mod tries;

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

pub(super) use elements::Elements;
pub use inline::Windows;
pub(super) use numbers::truth_of;
pub use op::Flat;
pub(super) use run::{Ended, Loops};
pub use tries::Guard;

use super::expr::Collected;
use super::function::{Flow, Run};
use super::loops::Rounds;
use crate::module::{Body, CodeId, Comprehension, Expr, Module, Place, StmtId};
use crate::python::halt::{Halt, Step};
use crate::python::{Unit, Value};

/// How the items of a comprehension's last clause were gone through.
pub(super) enum Gone {
    /// All of them.
    Through,
    /// Who takes the elements has enough.
    Enough,
    /// So far that what is left is a loop's.
    Far,
}

/// What stopped a comprehension.
pub(super) struct NoElement {
    pub halt: Halt,
    /// Whether its iterator failed.
    pub of_iterator: bool,
}

/// When code is translated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Translate {
    /// The call of a body that it is translated for.
    pub call: u32,
    /// The rounds of a loop after which it is translated.
    pub rounds: u64,
}

impl Translate {
    /// Before it runs.
    pub const AT_ONCE: Translate = Translate { call: 1, rounds: 0 };
    /// Not at all.
    pub const NEVER: Translate = Translate { call: u32::MAX, rounds: u64::MAX };
}

impl Default for Translate {
    /// When it has run so often that it will probably run more.
    fn default() -> Translate {
        Translate { call: 4, rounds: 8 }
    }
}

/// A piece of code: how often it has run, and its flat form.
#[derive(Default)]
struct Slot {
    heat: Cell<u32>,
    flat: OnceCell<Option<Rc<Flat>>>,
}

impl Slot {
    /// The flat form, once the code has run so often; `None` before, and where it has none.
    #[inline]
    fn form(&self, call: u32, make: impl FnOnce() -> Option<Flat>) -> Option<&Flat> {
        match self.flat.get() {
            Some(flat) => flat.as_deref(),
            None => self.warm(call, make),
        }
    }

    #[cold]
    fn warm(&self, call: u32, make: impl FnOnce() -> Option<Flat>) -> Option<&Flat> {
        let heat = self.heat.get().saturating_add(1);
        self.heat.set(heat);
        match heat < call {
            true => None,
            false => self.flat.get_or_init(|| make().map(Rc::new)).as_deref(),
        }
    }
}

/// The flat forms of a unit's code, made when they are worth it.
#[derive(Default)]
pub struct Flats {
    bodies: OnceCell<Box<[Slot]>>,
    loops: OnceCell<Box<[Slot]>>,
    /// Blocks of statements that are walked, by their first statement.
    blocks: OnceCell<Box<[Slot]>>,
    /// Whether expressions bind local variables somewhere.
    binds: OnceCell<bool>,
}

fn slots(count: usize) -> Box<[Slot]> {
    (0..count).map(|_| Slot::default()).collect()
}

impl Flats {
    /// The flat form of a body, once it has been called often; `None` before, and where it has none.
    #[inline]
    pub(super) fn of(&self, unit: &Unit, id: CodeId, translate: Translate) -> Option<&Flat> {
        let module = &*unit.module;
        let slot = match self.bodies.get() {
            Some(slots) => slots.get(id.index())?,
            None => self.bodies.get_or_init(|| slots(module.codes.len())).get(id.index())?,
        };
        slot.form(translate.call, || emit::body(module, module.code(id), unit.user, self.binds(module)))
    }

    /// The flat form of a generator's body or of its only clause, made now; `None` where it has none.
    pub(super) fn of_generator(&self, unit: &Unit, id: CodeId) -> Option<&Rc<Flat>> {
        let module = &*unit.module;
        let code = module.code(id);
        let slot = self.bodies.get_or_init(|| slots(module.codes.len())).get(id.index())?;
        let make = || match &code.body {
            Body::Comprehension(clauses) => emit::elements(module, code, clauses, unit.user, self.binds(module)),
            _ => emit::body(module, code, unit.user, self.binds(module)),
        };
        match &code.body {
            // What the slot keeps of several is the last one.
            Body::Comprehension(whole) if whole.clauses.len() != 1 => None,
            _ => slot.flat.get_or_init(|| make().map(Rc::new)).as_ref(),
        }
    }

    /// The flat form of a body or of a comprehension's last clause, if it has been made.
    #[inline]
    pub(super) fn made(&self, id: CodeId) -> Option<&Rc<Flat>> {
        self.bodies.get()?.get(id.index())?.flat.get()?.as_ref()
    }

    fn binds(&self, module: &Module) -> bool {
        let binds = |expr: &Expr| matches!(expr, Expr::Walrus(Place::Local(_), ..));
        *self.binds.get_or_init(|| module.exprs.iter().any(binds))
    }

    /// The flat form of a block, once it has run often; `None` before, and where it has none.
    #[inline]
    fn block(&self, module: &Module, first: StmtId, call: u32, make: impl FnOnce() -> Option<Flat>) -> Option<&Flat> {
        self.blocks.get_or_init(|| slots(module.stmts.len())).get(first.index())?.form(call, make)
    }

    /// The flat form of the last clause of a comprehension; `None` before it has run often.
    #[inline]
    fn elements(&self, module: &Module, id: CodeId, call: u32, make: impl FnOnce() -> Option<Flat>) -> Option<&Flat> {
        self.bodies.get_or_init(|| slots(module.codes.len())).get(id.index())?.form(call, make)
    }

    /// The flat form of a loop; `None` where it has none.
    fn round(&self, module: &Module, id: StmtId, make: impl FnOnce() -> Option<Flat>) -> Option<&Flat> {
        let slot = self.loops.get_or_init(|| slots(module.stmts.len())).get(id.index())?;
        slot.flat.get_or_init(|| make().map(Rc::new)).as_deref()
    }
}

impl<'a> Run<'a> {
    /// Runs the body in its flat form; `None` where it has none (yet).
    #[inline]
    pub(super) fn flat_body(&mut self, id: CodeId) -> Option<Step<Flow>> {
        if self.user && self.it.watch.on.get() {
            return None;
        }
        let unit = self.unit;
        let flat = unit.flats.of(unit, id, self.it.translate.get())?;
        Some(self.run_flat(flat, None))
    }

    /// Runs a block of a statement that is walked.
    pub(super) fn hot_block(&mut self, statements: &[StmtId]) -> Step<Flow> {
        let Some(first) = statements.first() else { return Ok(Flow::Next) };
        if self.user && self.it.watch.on.get() {
            return self.block(statements);
        }
        let unit = self.unit;
        let flat = unit.flats.block(self.module, *first, self.it.translate.get().call, || {
            emit::block(self.module, self.code, statements, self.user, unit.flats.binds(self.module))
        });
        match flat {
            Some(flat) => self.run_flat(flat, None),
            None => self.block(statements),
        }
    }

    /// Runs the rest of a comprehension's last clause in its flat form: whether who takes the elements has enough. `None`
    /// where it has none (yet).
    #[inline]
    pub(super) fn flat_elements(
        &mut self,
        comprehension: &Comprehension,
        iterator: &Value,
        out: &mut Collected,
    ) -> Option<Result<Gone, NoElement>> {
        if self.user && self.it.watch.on.get() {
            return None;
        }
        let unit = self.unit;
        let flat = unit.flats.elements(self.module, self.body_id?, self.it.translate.get().call, || {
            emit::elements(self.module, self.code, comprehension, self.user, unit.flats.binds(self.module))
        })?;
        let out_before = std::mem::replace(out, Collected::Nothing);
        let work = self.it.array_work.get();
        let elements = Elements { iterator: iterator.clone(), out: out_before, failed: false, work };
        let around = self.elements.replace(Box::new(elements));
        let result = self.run_flat(flat, None);
        let elements = std::mem::replace(&mut self.elements, around);
        let mut failed = false;
        if let Some(elements) = elements {
            *out = elements.out;
            failed = elements.failed;
        }
        Some(match result {
            Ok(Flow::Break) => Ok(Gone::Enough),
            Ok(Flow::Continue) => Ok(Gone::Far),
            Ok(_) => Ok(Gone::Through),
            Err(halt) => Err(NoElement { halt, of_iterator: failed }),
        })
    }

    /// Runs the rest of a loop in its flat form, its `else` included; `None` where it has none.
    pub(super) fn flat_rounds(&mut self, id: StmtId, rounds: &mut Rounds) -> Option<Step<Flow>> {
        if self.user && self.it.watch.on.get() {
            return None;
        }
        let unit = self.unit;
        let flat = unit.flats.round(self.module, id, || {
            emit::rounds(self.module, self.code, id, self.user, unit.flats.binds(self.module))
        })?;
        let rounds = std::mem::replace(rounds, Rounds::new(self));
        Some(self.run_flat(flat, Some(rounds)))
    }
}
