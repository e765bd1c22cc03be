//! Calls of functions of Python text that have a flat form: their arguments go from registers to registers.

use std::ops::Range;
use std::rc::Rc;

use smallvec::SmallVec;

use super::op::RETURN;
use crate::interp::Interp;
use crate::interp::frame::Frame;
use crate::interp::function::Run;
use crate::module::{ExprId, Symbol};
use crate::python::function::Hot;
use crate::python::halt::{Halt, Site, Step};
use crate::python::{Dict, DictItems, Function, Key, Value};
use crate::trace::marks;

/// No parameter: an argument for all those that are given by other names.
const ELSEWHERE: usize = usize::MAX;

impl Interp {
    /// Whether nobody follows the run: what a function does may be done in another way.
    #[inline(always)]
    pub(in crate::interp) fn is_unwatched(&self) -> bool {
        !self.watch.on.get() && !self.repro.on.get()
    }

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

impl Interp {
    /// Calls a function that has a flat form and as many parameters as there are arguments; these are taken. `None` where it
    /// has none (yet).
    #[inline]
    pub(in crate::interp) fn call_flat(
        self: &Rc<Self>,
        function: &Rc<Function>,
        args: &mut [Value],
    ) -> Option<Step<Value>> {
        let depth = self.depth.get();
        if function.plain_arity != Some(args.len() as u32)
            || depth >= self.deep.get()
            || self.repro.on.get()
            || self.is_stack_low()
        {
            return None;
        }
        let hot = self.hot(function)?;
        let unit = &hot.unit;
        let code = unit.module.code(hot.code);
        let mut slots = self.slots(hot.flat.root.size.get());
        for slot in &mut slots[args.len()..code.locals.len()] {
            Value::put(slot, Value::Unbound);
        }
        slots[..args.len()].swap_with_slice(args);
        let frame = Frame::with(slots, hot.flat.registers);
        let mut run = Run::with_locals(self, &function.module, unit, code, &function.captured, frame);
        run.function = Some(function);
        if !code.cell_params.is_empty() {
            run.move_cell_params();
        }
        if unit.user {
            self.user_stack.borrow_mut().push((Site { file: unit.file, span: code.name_span }, code.name));
        }
        self.depth.set(depth + 1);
        let result = run.hot_body(function, hot);
        self.depth.set(depth);
        if unit.user {
            self.user_stack.borrow_mut().pop();
        }
        self.recycle(&mut run.frame);
        if run.holds_nothing() {
            std::mem::forget(run);
        }
        Some(result)
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
        let Some(hot) = it.hot(function).filter(|_| depth < it.deep.get() && !it.is_stack_low()) else {
            return self.call_plain(id, function, first, args);
        };
        let code = hot.unit.module.code(hot.code);
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
        self.enter_hot(id, function, hot, slots)
    }

    /// Calls a function whose arguments are not one for each parameter, or given by name, with what is in these registers:
    /// first those that are not given by name. They are moved out; `None` where there is more to do than to put them and
    /// defaults in their places.
    pub(super) fn call_bound(
        &mut self,
        id: ExprId,
        function: &Rc<Function>,
        args: Range<usize>,
        names: &[Symbol],
    ) -> Option<Step<Value>> {
        let it = self.it;
        let hot = it.hot(function).filter(|_| it.depth.get() < it.deep.get() && !it.is_stack_low())?;
        let code = hot.unit.module.code(hot.code);
        let params = &code.params;
        let positional = params.positional as usize;
        let count = positional + params.keyword_only as usize;
        let given = args.len() - names.len();
        if code.is_generator || code.is_async || given > positional && params.var_positional.is_none() {
            return None;
        }
        if names.is_empty() && count == params.names.len() && params.keyword_only == 0 {
            return self.call_with_defaults(id, function, hot, args);
        }
        let by_place = given.min(positional);
        let mut places: SmallVec<[usize; 8]> = SmallVec::new();
        for name in names {
            let place = match params.names[..count].iter().position(|param| param.name == *name) {
                Some(place)
                    if place < by_place || place < params.positional_only as usize || places.contains(&place) =>
                {
                    return None;
                }
                Some(place) => place,
                None if params.var_keyword.is_some() => ELSEWHERE,
                None => return None,
            };
            places.push(place);
        }
        let default = |place: usize| match place.checked_sub(positional) {
            Some(at) => function.kw_defaults.get(at).filter(|default| !default.is_unbound()),
            None => function.defaults.get((place + function.defaults.len()).checked_sub(positional)?),
        };
        if (by_place..count).any(|place| default(place).is_none() && !places.contains(&place)) {
            return None;
        }
        let mut slots = it.slots(hot.flat.root.size.get());
        for slot in &mut slots[by_place..code.locals.len()] {
            Value::put(slot, Value::Unbound);
        }
        let by_name = args.start + given;
        let (more, args_by_name) = (args.start + by_place..by_name, by_name..args.end);
        for (arg, slot) in self.frame.locals[args.start..more.start].iter_mut().zip(&mut slots) {
            std::mem::swap(arg, slot);
        }
        if let Some(slot) = params.var_positional {
            let more = self.frame.locals[more].iter_mut();
            slots[slot as usize] = Value::tuple(more.map(|arg| std::mem::replace(arg, Value::Unbound)));
        }
        let mut others = DictItems::default();
        for ((arg, place), name) in self.frame.locals[args_by_name].iter_mut().zip(&places).zip(names) {
            match *place {
                ELSEWHERE => drop(others.insert(Key::str(name), std::mem::replace(arg, Value::Unbound))),
                place => std::mem::swap(arg, &mut slots[place]),
            }
        }
        if let Some(slot) = params.var_keyword {
            slots[slot as usize] = Value::Dict(Dict::new(others));
        }
        for place in (by_place..count).filter(|place| !places.contains(place)) {
            if let Some(default) = default(place) {
                slots[place].copy_from(default);
            }
        }
        Some(self.enter_hot(id, function, hot, slots))
    }

    /// As [`Run::call_bound`], of a function whose parameters may all be given by place: defaults stand for the last ones.
    #[inline(always)]
    fn call_with_defaults(
        &mut self,
        id: ExprId,
        function: &Rc<Function>,
        hot: &Hot,
        args: Range<usize>,
    ) -> Option<Step<Value>> {
        let code = hot.unit.module.code(hot.code);
        let (given, count) = (args.len(), code.params.names.len());
        let defaults = function.defaults.get((given + function.defaults.len()).checked_sub(count)?..)?;
        let mut slots = self.it.slots(hot.flat.root.size.get());
        let (parameters, others) = slots[..code.locals.len()].split_at_mut(count);
        let (places, rest) = parameters.split_at_mut(given);
        for (arg, slot) in self.frame.locals[args].iter_mut().zip(places) {
            std::mem::swap(arg, slot);
        }
        for (default, slot) in defaults.iter().zip(rest) {
            slot.copy_from(default);
        }
        for slot in others {
            Value::put(slot, Value::Unbound);
        }
        Some(self.enter_hot(id, function, hot, slots))
    }

    /// Runs the flat form of a function whose parameters are in their slots.
    #[inline(always)]
    fn enter_hot(&mut self, id: ExprId, function: &Rc<Function>, hot: &Hot, slots: Vec<Value>) -> Step<Value> {
        let it = self.it;
        let depth = it.depth.get();
        let unit = &hot.unit;
        let code = unit.module.code(hot.code);
        let frame = Frame::with(slots, hot.flat.registers);
        let mut run = Run::with_locals(it, &function.module, unit, code, &function.captured, frame);
        run.function = Some(function);
        if !code.cell_params.is_empty() {
            run.move_cell_params();
        }
        let mark = self.user.then(|| it.engine.set_source(marks::of_source(self.file, id)));
        if unit.user {
            self.show_call(Some(id), (Site { file: unit.file, span: code.name_span }, code.name));
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
    pub(super) fn show_call(&self, call: Option<ExprId>, entry: (Site, Symbol)) {
        let mut stack = self.it.user_stack.borrow_mut();
        if self.user
            && let Some(call) = call
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
            && self.outcomes.capacity() == 0
            && self.exits.capacity() == 0
            && self.entered.is_none()
            && self.caught.is_none()
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
        if self.user {
            return self.or_returned(result);
        }
        if matches!(result, Err(Halt::Unknown(_))) && !self.home.unit.ours {
            self.it.leaving_library.set(true);
        }
        result
    }
}
