//! Generators that rest without a stack of their own: where all that yields in a body is an operation of its flat form, its
//! activation says by itself where it goes on.

use std::rc::Rc;

use self_cell::self_cell;

use super::Interp;
use super::flat::{Elements, Flat, Translate};
use super::function::{Lost, Run};
use super::generator::End;
use crate::module::CodeKind;
use crate::python::halt::Step;
use crate::python::{Args, Function, Value};

/// What the run of a generator's body borrows.
pub(super) struct Owner {
    it: Rc<Interp>,
    function: Rc<Function>,
    flat: Rc<Flat>,
}

self_cell! {
    struct Cell {
        owner: Owner,
        #[not_covariant]
        dependent: Run,
    }
}

/// The activation of a generator's body.
pub(super) struct Activation(Cell);

impl Activation {
    /// That of a call, if its body may rest so.
    ///
    /// # Errors
    /// What binding the arguments raises.
    pub fn of_call(it: &Rc<Interp>, function: &Rc<Function>, args: &mut Args) -> Step<Option<Activation>> {
        let (unit, id) = function.body();
        if it.translate.get() == Translate::NEVER || unit.user && it.watch.on.get() {
            return Ok(None);
        }
        let Some(flat) = unit.flats.of_generator(unit, id).filter(|flat| flat.rests) else { return Ok(None) };
        let owner = Owner { it: it.clone(), function: function.clone(), flat: flat.clone() };
        let made = Cell::try_new(owner, |owner| {
            let Owner { it, function, flat } = owner;
            let (unit, id) = function.body();
            let code = unit.module.code(id);
            let mut run = Run::in_slots(it, &function.module, unit, code, &function.captured, flat);
            run.bind(function, std::mem::replace(args, Args::none()))?;
            if flat.loops != 0 {
                run.loops = Some((0..flat.loops).map(|_| None).collect());
            }
            run.function = Some(function);
            run.body_id = Some(id);
            run.rests = true;
            if code.kind == CodeKind::GeneratorExp {
                run.elements = Some(Box::new(Elements::yielded(&mut run.frame.locals[0])));
            }
            Ok(run)
        })?;
        Ok(Some(Activation(made)))
    }

    /// Goes on to the next item, which goes into the slot; how the body ended, where there is none.
    #[inline(always)]
    pub fn put_next(&mut self, started: bool, slot: &mut Value) -> End {
        self.0.with_dependent_mut(|owner, run| run.go_on_resting(&owner.flat, started, slot))
    }

    /// Of a generator expression: its function, and what it has its items from, where that has not failed.
    pub fn take_iterator(&mut self) -> Option<(Rc<Function>, Value)> {
        self.0.with_dependent_mut(|owner, run| {
            let elements = run.elements.take()?;
            (!elements.failed).then(|| (owner.function.clone(), elements.iterator))
        })
    }

    /// See [`super::Generator::made_of`].
    pub fn made_of(&self) -> (Rc<Function>, Option<Value>) {
        let items = self.0.with_dependent(|_, run| run.elements.as_ref().map(|elements| elements.iterator.clone()));
        (self.0.borrow_owner().function.clone(), items)
    }

    /// Lets go of its variables, for the next run; gives what stands for its items, if anything does.
    pub fn recycle(&mut self) -> Option<Lost> {
        self.0.with_dependent_mut(|_, run| {
            run.recycle();
            run.lost.take()
        })
    }

    /// See [`super::Generator::is_lost`].
    #[inline(always)]
    pub fn is_lost(&self) -> bool {
        self.0.with_dependent(|_, run| run.is_lost())
    }

    /// See [`super::Generator::take_lost`].
    pub fn take_lost(&self) -> Option<Value> {
        self.0.with_dependent(|_, run| run.lost.as_ref()?.take())
    }
}
