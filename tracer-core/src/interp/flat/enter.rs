//! Calls of functions of Python text that have a flat form: their arguments go from registers to registers.

use std::ops::Range;
use std::rc::Rc;

use super::op::RETURN;
use crate::interp::frame::Frame;
use crate::interp::function::Run;
use crate::interp::{DEEP, Interp};
use crate::module::{ExprId, Symbol};
use crate::python::function::Hot;
use crate::python::halt::{Halt, Site, Step};
use crate::python::{Function, Value};
use crate::trace::marks;

impl Interp {
    /// The flat form of a function that was called often, with what it needs.
    #[inline(always)]
    fn hot<'f>(&self, function: &'f Function) -> Option<&'f Hot> {
        match function.hot.get() {
            Some(hot) if !self.watch.on.get() => Some(hot),
            Some(_) => None,
            None => self.warm_up(function),
        }
    }

    #[inline(never)]
    fn warm_up<'f>(&self, function: &'f Function) -> Option<&'f Hot> {
        if self.watch.on.get() {
            return None;
        }
        let (unit, id) = function.body();
        let flat = unit.flats.made(id)?.clone();
        Some(function.hot.get_or_init(|| Hot { unit: unit.clone(), code: id, flat }))
    }
}

impl Run<'_> {
    /// Calls a function that has as many parameters as there are arguments in these registers, and the one before them
    /// that may be given; they are taken, and the registers keep what is of no meaning.
    ///
    /// # Errors
    /// What running the body raises.
    #[inline(always)]
    pub(in crate::interp) fn call_hot(
        &mut self,
        id: ExprId,
        function: &Rc<Function>,
        first: Option<&Value>,
        args: Range<usize>,
    ) -> Step<Value> {
        let it = self.it;
        let depth = it.depth.get();
        let Some(hot) = it.hot(function).filter(|_| depth < DEEP && !it.is_stack_low()) else {
            return self.call_plain(id, function, first, args);
        };
        let unit = &hot.unit;
        let code = unit.module.code(hot.code);
        let flat = &*hot.flat;
        let mut slots = it.slots(flat.root.size.get());
        // Spare slots hold plain values.
        let mut free = slots[..code.locals.len()].iter_mut();
        if let Some(first) = first
            && let Some(slot) = free.next()
        {
            std::mem::forget(std::mem::replace(slot, first.clone()));
        }
        for (arg, slot) in self.frame.locals[args].iter_mut().zip(&mut free) {
            std::mem::swap(arg, slot);
        }
        for slot in free {
            std::mem::forget(std::mem::replace(slot, Value::Unbound));
        }
        let frame = Frame::with(slots, flat.registers);
        let mut run = Run::with_locals(it, &function.module, unit, code, &function.captured, frame);
        run.function = Some(function);
        if !code.cell_params.is_empty() {
            run.move_cell_params();
        }
        let mark = self.user.then(|| it.engine.set_source(marks::of_source(self.file, id)));
        if unit.user {
            self.show_call(id, (Site { file: unit.file, span: code.name_span }, code.name));
        } else {
            self.stand_at(id);
        }
        it.depth.set(depth + 1);
        let result = run.hot_body(function, hot);
        it.depth.set(depth);
        if unit.user {
            it.user_stack.borrow_mut().pop();
        }
        if let Some(mark) = mark {
            it.engine.set_source(mark);
        }
        it.recycle(&mut run.frame);
        if run.holds_nothing() {
            std::mem::forget(run);
        }
        result
    }

    /// Puts a function on the user's stack that a call enters.
    #[inline(always)]
    pub(super) fn show_call(&self, call: ExprId, entry: (Site, Symbol)) {
        let mut stack = self.it.user_stack.borrow_mut();
        if self.user
            && let Some(top) = stack.last_mut()
        {
            top.0 = Site { file: self.file, span: self.module.span(call) };
        }
        stack.push(entry);
    }
}

impl<'a> Run<'a> {
    /// Whether nothing is left of it that has to be let go of, once its slots are taken.
    #[inline(always)]
    fn holds_nothing(&self) -> bool {
        let Frame { locals, cells, names, doubts, .. } = &self.frame;
        locals.capacity() == 0
            && cells.is_none()
            && names.is_none()
            && doubts.is_none()
            && self.lost.is_none()
            && self.loops.is_none()
            && self.elements.is_none()
            && self.result.is_plain()
    }

    #[inline(always)]
    fn hot_body(&mut self, function: &Rc<Function>, hot: &'a Hot) -> Step<Value> {
        if self.user {
            self.enter(function)?;
        }
        let flat = &*hot.flat;
        if flat.loops != 0 {
            self.loops = Some((0..flat.loops).map(|_| None).collect());
        }
        let end = self.run_steps(flat, 0);
        if end == RETURN && self.frame.doubts.is_none() {
            return Ok(self.take_result());
        }
        self.hot_end(flat, end)
    }

    /// The body ended in another way than by returning a value.
    #[inline(never)]
    pub(super) fn hot_end(&mut self, flat: &'a super::Flat, end: super::op::At) -> Step<Value> {
        let result = self.run_from(flat, end).map(|flow| self.returned(flow));
        if matches!(result, Err(Halt::Unknown(_))) && !self.user && !self.home.unit.ours {
            self.it.leaving_library.set(true);
        }
        result
    }
}
