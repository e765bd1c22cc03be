//! Small functions that run in the frame of who calls them.
//!
//! A call of a small function of the same module needs no frame of its own as long as all of its operations are done with
//! plain values: a copy of its flat form runs on registers behind those of the caller, its window, and what a frame brings
//! along (an entry on the user's stack, the mark of the call, slots) is made only when it is needed. The same round of
//! operations goes on in the copy and comes back from it ([`SWITCH`]): nothing calls anything. An operation that wants
//! more ends the copy ([`BAIL`]): the window moves into a frame, which goes on there. Nothing of such an operation has been
//! done by then.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;
use std::rc::{Rc, Weak};

use super::calls;
use super::copied::{Place, calls_functions, moved, place_of};
use super::handlers::{Handler, attempt, fields, handler, mistaken};
use super::op::{At, BAIL, Flat, Instruction, NONE, Op, Reg, SWITCH};
use super::places::put;
use crate::interp::frame::{Frame, SlotSize};
use crate::interp::function::{Flow, Run};
use crate::interp::{Interp, RECURSION_LIMIT};
use crate::module::{ExprId, Symbol};
use crate::python::function::Hot;
use crate::python::halt::{Halt, Site, Step};
use crate::python::value::is_shown;
use crate::python::{Function, Instance, Value, journal};
use crate::trace::marks;

/// So deep may copies stand in each other, and so many in one form.
const MOST_LEVELS: usize = 4;
const MOST_COPIES: u32 = 64;
/// So many bailed runs, and more than half of all, end the copying.
const MOST_BAILS: u32 = 16;

/// What a form shares with all copies in it.
#[derive(Debug, Default)]
pub struct Root {
    /// The size of the slots that hold all registers.
    pub size: Cell<SlotSize>,
    copies: Cell<u32>,
}

impl Root {
    /// Of a form with so many registers.
    pub fn of(registers: usize) -> Root {
        Root { size: Cell::new(SlotSize::of(registers)), copies: Cell::new(0) }
    }
}

/// Copies that run in each other, in a run. All of it is whole words, and nothing at first: it is made where it stays.
pub struct Windows<'a> {
    /// The form that each was called from, outermost first.
    callers: [Option<&'a Flat>; MOST_LEVELS + 1],
    /// So many of them are on the user's stack.
    shown: usize,
    /// The form whose operations follow [`SWITCH`].
    aim: Option<&'a Flat>,
    /// Where in it.
    aim_at: usize,
}

impl Windows<'_> {
    /// None.
    pub const NONE: Self = Windows { callers: [None; MOST_LEVELS + 1], shown: 0, aim: None, aim_at: 0 };
}

/// What stands at a place where a function is called.
#[derive(Debug, Default)]
pub struct CallSite(OnceCell<Option<Box<Inlined>>>);

/// A function's flat form with its registers behind those of a caller.
#[derive(Debug)]
pub struct Inlined {
    /// The function's own form.
    callee: Rc<Flat>,
    /// The copy.
    flat: Flat,
    /// Its first register.
    window: usize,
    /// How many copies it stands in.
    level: usize,
    /// What its first operation spends, where that is all this does.
    cost: u32,
    runs: Cell<u32>,
    bails: Cell<u32>,
    /// Whether it bailed too often.
    gone: Cell<bool>,
    /// The function that was last found to be one of this form and module: none other has its address as long as it is kept.
    seen: Cell<*const Function>,
    kept: RefCell<Weak<Function>>,
    /// The class whose method that function was, and how often classes had changed by then.
    of: Cell<(u64, u64)>,
}

/// What a copy knows of itself.
#[derive(Debug)]
pub struct Window {
    /// The register with the function that it is a copy of.
    function: Reg,
    /// What becomes of its result.
    after: After,
    /// Its local slots.
    locals: Range<usize>,
    /// Where the form that it stands in calls it.
    call: At,
    /// The place there.
    place: Place,
    /// How many copies it stands in.
    level: usize,
    /// The copy that it stands in.
    outer: Option<Rc<Window>>,
    /// What stands for it on the user's stack.
    entry: (Site, Symbol),
}

impl Window {
    /// The register with the function that it is a copy of.
    pub(super) fn function(&self) -> Reg {
        self.function
    }
    /// The register with its first argument.
    pub(super) fn first(&self) -> usize {
        self.locals.start
    }
}

/// What becomes of what a copy returns.
#[derive(Copy, Clone, Debug)]
pub(in crate::interp) enum After {
    /// It goes into the register.
    Put(Reg),
    /// It has to be `None`: the instance in the first register goes into the second.
    Made(Reg, Reg),
    /// Nothing.
    Nothing,
    /// It goes into the register, unless it says that another method is to be asked.
    Operator(Reg),
    /// It decides where to go on, unless it says that another method is to be asked.
    Condition(At),
}

/// Where a frame goes on that a window moved into.
enum Start {
    /// At an operation.
    At(At),
    /// Behind one that failed.
    Failed(At, Halt),
}

/// What runs an operation of a copy.
fn handler_within(op: &Op) -> Handler {
    match op {
        Op::Cell { .. } => cell_within,
        Op::Return { .. } => returns_within,
        Op::End => ends_within,
        op => handler(op),
    }
}

/// What a copy is made for.
pub(super) struct Wanted {
    /// The position of the call.
    pub at: At,
    /// The register with the function.
    pub function: Reg,
    /// What becomes of its result.
    pub after: After,
    /// The register with its first argument.
    pub window: usize,
}

impl Inlined {
    fn new(caller: &Flat, hot: &Hot, wanted: &Wanted, call: &Op) -> Inlined {
        let callee = &hot.flat;
        let window = wanted.window;
        let code = hot.unit.module.code(hot.code);
        let by = window as Reg;
        let root = caller.root.clone();
        let needed = SlotSize::of(window + callee.registers);
        root.size.set(root.size.get().max(needed));
        root.copies.set(root.copies.get() + 1);
        let step = |step: &Instruction| match moved(&step.op, by) {
            Some(op) => Instruction { run: handler_within(&op), op },
            None => Instruction { run: bail, op: Op::Walk },
        };
        let level = caller.window.as_ref().map_or(0, |window| window.level + 1);
        let flat = Flat {
            steps: callee.steps.iter().map(step).collect(),
            owners: Box::default(),
            pieces: Vec::new(),
            outer: None,
            forks: Default::default(),
            constants: callee.constants.clone(),
            names: callee.names.clone(),
            methods: callee.methods.iter().map(|_| Default::default()).collect(),
            slots: callee.slots.iter().map(|slots| slots.iter().map(|slot| slot + by).collect()).collect(),
            shapes: Vec::new(),
            keywords: callee.keywords.clone(),
            registers: callee.registers,
            root,
            loops: 0,
            sites: callee.sites.iter().map(|_| CallSite::default()).collect(),
            small: false,
            rests: false,
            window: Some(Rc::new(Window {
                function: wanted.function,
                after: wanted.after,
                locals: window..window + callee.locals,
                call: wanted.at,
                place: place_of(call),
                level,
                outer: caller.window.clone(),
                entry: (Site { file: hot.unit.file, span: code.name_span }, code.name),
            })),
            locals: callee.locals,
        };
        let cost = match flat.steps.first().map(|step| &step.op) {
            Some(Op::Spend(cost)) => *cost,
            _ => 0,
        };
        Inlined {
            callee: callee.clone(),
            flat,
            window,
            level,
            cost,
            runs: Cell::new(0),
            bails: Cell::new(0),
            gone: Cell::new(false),
            seen: Cell::new(std::ptr::null()),
            kept: RefCell::default(),
            of: Cell::new((0, 0)),
        }
    }

    /// It is not entered any more.
    fn give_up(&self) {
        self.gone.set(true);
        self.of.set((0, 0));
        self.seen.set(std::ptr::null());
    }
}

/// An operation that a copy does not run.
fn bail<'a>(run: &mut Run<'a>, _: &'a Flat, _: &'a Op, at: At) -> At {
    run.bails(at)
}

/// Reads a cell that the function has captured.
fn cell_within<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (Op::Cell { dst, cell, .. }, Some(window)) = (*op, &flat.window) else { mistaken(op) };
    if run.keeps_reads() {
        return run.bails(at);
    }
    let function = usize::from(window.function);
    // The function stands before its window, and where it is read to in the window.
    let Some((before, within)) = run.frame.locals.split_at_mut_checked(function + 1) else { return run.bails(at) };
    if let (Some(Value::Function(function)), Some(slot)) =
        (before.last(), within.get_mut(usize::from(dst) - before.len()))
        && let Some(cell) = function.captured.get(usize::from(cell))
        && Value::put_light(slot, &cell.read())
    {
        return at + 1;
    }
    cell_within_any(run, flat, op, at)
}

#[inline(never)]
fn cell_within_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (Op::Cell { dst, cell, .. }, Some(window)) = (*op, &flat.window) else { mistaken(op) };
    let user = run.user;
    let locals = &mut run.frame.locals;
    let held = match locals.get(usize::from(window.function)) {
        Some(Value::Function(function)) => function.captured.get(usize::from(cell)).cloned(),
        _ => None,
    };
    match held.is_some_and(|held| put(&mut locals[usize::from(dst)], Some(&*held.read()), user)) {
        true => at + 1,
        false => run.bails(at),
    }
}

/// Returns from a copy.
fn returns_within<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Return { value, .. });
    if let Some(window) = &flat.window
        && value != NONE
        && let After::Put(dst) = window.after
        && let Value::Int(number) = run.reg(value)
    {
        let (number, call) = (*number, window.call);
        let caller = run.left(window);
        let next = run.done_int(call, dst, number);
        return run.switch(caller, next);
    }
    returns_within_any(run, flat, op, at)
}

#[inline(never)]
fn returns_within_any<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Return { value, .. });
    if let Some(window) = &flat.window
        && value != NONE
        && let After::Put(dst) = window.after
        && let Ok([value, slot]) = run.frame.locals.get_disjoint_mut([value as usize, dst as usize])
        && slot.is_plain()
        && !value.is_unbound()
        && !is_shown(value)
    {
        // Nobody reads the window's registers any more.
        std::mem::forget(std::mem::replace(slot, std::mem::replace(value, Value::Unbound)));
        let (caller, next) = (run.left(window), window.call + 1);
        return run.switch(caller, next);
    }
    returns_within_other(run, flat, op, at)
}

#[inline(never)]
fn returns_within_other<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    fields!(op, Return { value, .. });
    let Some(window) = &flat.window else { mistaken(op) };
    let returned = match value {
        NONE => Value::None,
        value => match run.reg(value) {
            shown if run.needs_door(shown) => return run.bails(at),
            _ if usize::from(value) >= window.locals.end => run.taken_from(value),
            value => value.clone(),
        },
    };
    run.returns_from(window, returned)
}

/// Returns `None` from a copy.
fn ends_within<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, _: At) -> At {
    match &flat.window {
        Some(window) => run.returns_from(window, Value::None),
        None => mistaken(op),
    }
}

/// Whether a copy is one of a function that takes so many arguments, and may run.
#[inline(never)]
fn is_copy_of(inlined: &Inlined, callee: &Rc<Function>, given: usize) -> bool {
    let fits = callee.hot.get().is_some_and(|hot| Rc::ptr_eq(&inlined.callee, &hot.flat))
        && callee.plain_arity == Some(given as u32)
        && !inlined.gone.get();
    if fits {
        inlined.of.set((0, 0));
        inlined.seen.set(Rc::as_ptr(callee));
        *inlined.kept.borrow_mut() = Rc::downgrade(callee);
    }
    fits
}

impl<'a> Run<'a> {
    /// A copy ends before this operation.
    #[cold]
    #[inline(never)]
    pub(super) fn bails(&mut self, at: At) -> At {
        self.bailed = at;
        BAIL
    }

    /// Puts the function whose copy runs on the user's stack, and those whose copies it runs in: who is called may look who
    /// called.
    #[inline(always)]
    pub(super) fn show_window(&mut self, flat: &Flat) {
        if let Some(window) = &flat.window
            && self.user
        {
            self.show(window);
        }
    }

    #[inline(never)]
    fn show(&mut self, window: &Window) {
        if self.windows.shown > window.level {
            return;
        }
        if let Some(outer) = &window.outer {
            self.show(outer);
        }
        self.show_call(window.place.stand, window.entry);
        self.windows.shown = window.level + 1;
    }

    /// The copy that stands at a place where a function is called with so many arguments, from a register on, if it is of
    /// this function and may run.
    #[inline(always)]
    pub(super) fn copy_at(
        &self,
        flat: &'a Flat,
        site: u16,
        callee: &Rc<Function>,
        window: usize,
        given: usize,
    ) -> Option<&'a Inlined> {
        let inlined = flat.sites.get(usize::from(site))?.0.get()?.as_deref()?;
        let fits = inlined.window == window
            && (inlined.seen.get() == Rc::as_ptr(callee) || is_copy_of(inlined, callee, given))
            && Rc::ptr_eq(&callee.module, self.home)
            && !self.it.watch.on.get()
            && self.frame.doubts.is_none();
        fits.then_some(inlined)
    }

    /// As [`Run::copy_at`], where none was made yet: it is made for what is wanted, if it may be.
    pub(super) fn new_copy(
        &self,
        flat: &'a Flat,
        call: &'a Op,
        callee: &Rc<Function>,
        wanted: &Wanted,
        given: usize,
    ) -> Option<&'a Inlined> {
        let Place { site, .. } = place_of(call);
        if flat.sites.get(usize::from(site))?.0.get().is_some() {
            return None;
        }
        self.inline(flat, call, callee.hot.get()?, wanted)?;
        self.copy_at(flat, site, callee, wanted.window, given)
    }

    #[inline(never)]
    fn inline(&self, flat: &'a Flat, call: &'a Op, hot: &Hot, wanted: &Wanted) -> Option<&'a Inlined> {
        let Place { site, .. } = place_of(call);
        let code = hot.unit.module.code(hot.code);
        let fits = hot.flat.small
            && Rc::ptr_eq(&hot.unit, self.unit)
            && code.cells.is_empty()
            && flat.window.as_ref().is_none_or(|window| window.level < MOST_LEVELS)
            && flat.root.copies.get() < MOST_COPIES
            && wanted.window + hot.flat.registers < usize::from(NONE);
        let made = || fits.then(|| Box::new(Inlined::new(flat, hot, wanted, call)));
        flat.sites.get(usize::from(site))?.0.get_or_init(made).as_deref()
    }

    /// Whether a function may run without a frame: nobody would see its parameters, which stand in these registers.
    #[inline(always)]
    pub(super) fn is_quiet_call(&self, args: Range<usize>) -> bool {
        self.it.depth.get() < self.it.deep.get()
            && (!self.user
                || !self.it.engine.is_traced()
                    && self.it.graphs.target.get().is_none()
                    && !self.frame.locals[args].iter().any(is_shown))
    }

    /// Goes on in the copy of a function, called from this form with so many arguments in its window.
    #[inline(always)]
    pub(super) fn enter_copy(&mut self, flat: &'a Flat, inlined: &'a Inlined, given: usize) -> At {
        let it = self.it;
        let window = inlined.window;
        self.reach_for(inlined);
        let locals = inlined.callee.locals;
        for slot in &mut self.frame.locals[window + given..window + locals] {
            Value::put(slot, Value::Unbound);
        }
        it.depth.set(it.depth.get() + 1);
        self.windows.callers[inlined.level] = Some(flat);
        inlined.runs.set(inlined.runs.get().saturating_add(1));
        let paid = inlined.cost != 0 && it.spends(inlined.cost);
        self.switch(&inlined.flat, At::from(paid))
    }

    /// As [`Run::enter_copy`], of a function that initializes an instance: its arguments stand two registers before those
    /// that the copy has for them.
    #[inline(always)]
    pub(super) fn enter_making(
        &mut self,
        flat: &'a Flat,
        inlined: &'a Inlined,
        init: Rc<Function>,
        instance: Value,
        args: Range<usize>,
    ) -> At {
        let given = args.len() + 1;
        self.reach_for(inlined);
        let locals = &mut self.frame.locals;
        for arg in args.rev() {
            locals.swap(arg, arg + 2);
        }
        let window = inlined.window;
        Value::put(&mut locals[window], instance.clone());
        Value::put(&mut locals[window - 1], instance);
        Value::put(&mut locals[window - 2], Value::Function(init));
        self.enter_copy(flat, inlined, given)
    }

    /// Makes room for the registers of a copy.
    #[inline(always)]
    fn reach_for(&mut self, inlined: &Inlined) {
        let needed = inlined.window + inlined.flat.registers;
        if self.frame.locals.len() < needed {
            self.widen_frame(inlined);
        }
        self.frame.reach = self.frame.reach.max(needed);
    }

    /// What runs behind [`SWITCH`].
    #[inline(always)]
    pub(super) fn aim(&mut self) -> (&'a Flat, At) {
        let flat = self.windows.aim.expect("who switches says where to");
        (flat, self.windows.aim_at as At)
    }

    /// Goes on with these operations.
    #[inline(always)]
    fn switch(&mut self, flat: &'a Flat, at: At) -> At {
        self.windows.aim = Some(flat);
        self.windows.aim_at = at as usize;
        SWITCH
    }

    /// A copy returns a value.
    #[inline(always)]
    fn returns_from(&mut self, window: &Window, value: Value) -> At {
        let caller = self.left(window);
        let next = self.returned_to(caller, window, value);
        self.switch(caller, next)
    }

    /// What a copy returned goes where it belongs: what runs next.
    #[inline(always)]
    fn returned_to(&mut self, caller: &'a Flat, window: &Window, value: Value) -> At {
        match window.after {
            After::Put(dst) => self.done(window.call, dst, value),
            After::Made(made, dst) => self.initialized(caller, window, (made, dst), value),
            After::Nothing => {
                drop(value);
                window.call + 1
            }
            After::Operator(dst) if !matches!(value, Value::NotImplemented) => self.done(window.call, dst, value),
            After::Operator(_) | After::Condition(_) => self.decided(caller, window, value),
        }
    }

    /// A method that stands for an operator has returned.
    #[inline(never)]
    fn decided(&mut self, caller: &'a Flat, window: &Window, value: Value) -> At {
        let (call, op) = (window.call, &caller.steps[window.call as usize].op);
        let value = match value {
            Value::NotImplemented => match self.asks_other(op, window.place.mark) {
                Ok(value) => value,
                Err(halt) => return self.copy_failed(caller, op, call, halt),
            },
            value => value,
        };
        match window.after {
            After::Condition(otherwise) => self.leads_to(caller, call, otherwise, &value),
            After::Operator(dst) => {
                if let Some(expr) = window.place.mark
                    && self.user
                    && self.needs_door(&value)
                {
                    self.saw(expr, &value);
                }
                self.done(call, dst, value)
            }
            _ => call + 1,
        }
    }

    /// Where an operator leads whose left side does not know how.
    fn asks_other(&mut self, op: &Op, mark: Option<ExprId>) -> Step<Value> {
        let (left, right) = match *op {
            Op::Binary { left, right, .. } | Op::Compare { left, right, .. } | Op::Branch { left, right, .. } => {
                (self.reg(left).clone(), self.reg(right).clone())
            }
            Op::BinaryInt { left, right, .. } => (self.reg(left).clone(), Value::Int(i64::from(right))),
            ref op => mistaken(op),
        };
        let ask = |run: &mut Self| match *op {
            Op::Binary { op, .. } | Op::BinaryInt { op, .. } => run.it.binary_behind(op, &left, &right),
            Op::Compare { op, .. } | Op::Branch { op, .. } => run.it.compare_behind(op, &left, &right),
            ref op => mistaken(op),
        };
        match mark {
            Some(mark) => self.marked(mark, ask),
            None => ask(self),
        }
    }

    /// What a frame has of a copy is gone; gives the form that it was called from.
    #[inline(always)]
    fn left(&mut self, window: &Window) -> &'a Flat {
        let it = self.it;
        if self.windows.shown > window.level {
            self.hide(window.level);
        }
        it.depth.set(it.depth.get() - 1);
        for slot in &mut self.frame.locals[window.locals.clone()] {
            Value::clear(slot);
        }
        self.windows.callers[window.level].expect("a copy is called from somewhere")
    }

    /// Takes a copy from the user's stack.
    #[inline(never)]
    fn hide(&mut self, level: usize) {
        self.it.user_stack.borrow_mut().pop();
        self.windows.shown = level;
    }

    /// The copy of an `__init__` has returned.
    #[inline(always)]
    fn initialized(&mut self, caller: &'a Flat, window: &Window, (made, dst): (Reg, Reg), value: Value) -> At {
        let call = window.call;
        let instance = self.taken_from(made);
        if value.is_none() {
            return self.done(call, dst, instance);
        }
        match self.it.check_initialized(&value) {
            Ok(()) => self.done(call, dst, instance),
            Err(halt) => calls::call_failed(self, caller, &caller.steps[call as usize].op, call, halt),
        }
    }

    /// A copy ended in another way than by returning a value: what runs next.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_copy(&mut self, window: &Window, end: At) -> (&'a Flat, At) {
        let call = window.call;
        let caller = self.windows.callers[window.level].expect("a copy is called from somewhere");
        let op = &caller.steps[call as usize].op;
        let Place { site, .. } = window.place;
        let inlined = caller.sites.get(usize::from(site)).and_then(|site| site.0.get()?.as_deref());
        let result = match inlined {
            Some(inlined) => self.leave_window(inlined, window, end),
            None => mistaken(op),
        };
        self.left(window);
        let next = match result {
            Ok(value) => {
                if let (After::Put(_) | After::Operator(_), Some(expr)) = (window.after, window.place.mark)
                    && self.user
                    && self.needs_door(&value)
                {
                    self.saw(expr, &value);
                }
                self.returned_to(caller, window, value)
            }
            Err(halt) => self.copy_failed(caller, op, call, halt),
        };
        (caller, next)
    }

    /// A function that an operation calls has failed.
    #[cold]
    #[inline(never)]
    pub(super) fn copy_failed(&mut self, flat: &'a Flat, op: &'a Op, at: At, halt: Halt) -> At {
        if flat.window.is_some() {
            return self.fails(at, halt);
        }
        match *op {
            Op::Call { expr, dst, .. }
            | Op::CallNamed { expr, dst, .. }
            | Op::Attribute { expr, dst, .. }
            | Op::Binary { expr, dst, .. }
            | Op::BinaryInt { expr, dst, .. }
            | Op::Compare { expr, dst, .. }
            | Op::Subscript { expr, dst, .. }
            | Op::SubscriptInt { expr, dst, .. } => {
                let value = attempt!(self, at, self.halted(expr, halt));
                self.done(at, dst, value)
            }
            Op::Branch { expr, otherwise, .. } => {
                let value = attempt!(self, at, self.halted(expr, halt));
                self.leads_to(flat, at, otherwise, &value)
            }
            Op::Store { .. } => {
                let halt = self.flat_not_stored(flat, at, halt);
                self.fails(at, halt)
            }
            Op::Enter { expr, dst, .. } => {
                let (value, exit) = attempt!(self, at, self.not_entered(expr, halt));
                self.entered = exit;
                self.done(at, dst, value)
            }
            _ => self.fails(at, halt),
        }
    }

    /// The copy that stands at a place where a method of a class with a special name was called last, if nothing has changed
    /// since. The register before its window holds that method then.
    #[inline(always)]
    fn known_copy(&mut self, flat: &'a Flat, site: u16, class: u64, function: usize) -> Option<&'a Inlined> {
        let inlined = flat.sites.get(usize::from(site))?.0.get()?.as_deref()?;
        let fits = inlined.of.get() == (class, journal::class_changes())
            && !self.it.watch.on.get()
            && self.frame.doubts.is_none();
        if !fits {
            return None;
        }
        self.reach_for(inlined);
        let slot = &mut self.frame.locals[function];
        match slot {
            Value::Function(held) if Rc::as_ptr(held) == inlined.seen.get() && Rc::ptr_eq(&held.module, self.home) => {}
            slot => {
                let callee = inlined.kept.borrow().upgrade()?;
                if !Rc::ptr_eq(&callee.module, self.home) {
                    return None;
                }
                Value::put(slot, Value::Function(callee));
            }
        }
        Some(inlined)
    }

    /// Goes on in the copy of a method that an operation calls on an instance, with one more argument if there is one: its
    /// window is behind all registers of the form. `None` where it has none, or has to have a frame.
    #[inline(always)]
    pub(super) fn enter_special<const N: usize>(
        &mut self,
        flat: &'a Flat,
        op: &'a Op,
        (at, site): (At, u16),
        args: [Value; N],
        after: After,
        find: impl FnOnce(&Interp, &Instance) -> Option<Rc<Function>>,
    ) -> Option<At> {
        let [Value::Instance(instance), others @ ..] = &args[..] else { return None };
        if self.is_loud(others) {
            return None;
        }
        let function = flat.window.as_ref().map_or(0, |window| window.locals.start) + flat.registers;
        let window = function + 1;
        let class = instance.class_ref().id;
        let copy = match self.known_copy(flat, site, class, function) {
            Some(copy) => copy,
            None => {
                let callee = find(self.it, instance)?;
                let copy = self.found_copy(flat, op, at, &callee, (function, after, N))?;
                self.reach_for(copy);
                Value::put(&mut self.frame.locals[function], Value::Function(callee));
                copy.of.set((class, journal::class_changes()));
                copy
            }
        };
        for (slot, arg) in self.frame.locals[window..].iter_mut().zip(args) {
            Value::put(slot, arg);
        }
        Some(self.enter_copy(flat, copy, N))
    }

    #[inline(never)]
    fn found_copy(
        &self,
        flat: &'a Flat,
        op: &'a Op,
        at: At,
        callee: &Rc<Function>,
        (function, after, given): (usize, After, usize),
    ) -> Option<&'a Inlined> {
        let window = function + 1;
        match self.copy_at(flat, place_of(op).site, callee, window, given) {
            None if window < usize::from(NONE) => {
                // What the standard library has a shorter way for does not run as Python.
                if callee.short.get().is_some() || callee.plain_arity != Some(given as u32) {
                    return None;
                }
                let wanted = Wanted { at, function: function as Reg, after, window };
                self.new_copy(flat, op, callee, &wanted, given)
            }
            copy => copy,
        }
    }

    /// Whether a function that is given these values has to have a frame: as [`Run::is_quiet_call`] says.
    #[inline(always)]
    fn is_loud(&self, values: &[Value]) -> bool {
        self.it.depth.get() >= self.it.deep.get()
            || self.user && (self.it.engine.is_traced() || self.it.graphs.target.get().is_some())
            || values.iter().any(|value| is_shown(value) || value.is_unbound())
    }

    #[cold]
    #[inline(never)]
    fn widen_frame(&mut self, inlined: &Inlined) {
        let needed = inlined.flat.root.size.get().slots();
        if self.frame.locals.len() < needed {
            self.frame.locals.resize(needed, Value::Unbound);
        }
    }

    fn leave_window(&mut self, inlined: &'a Inlined, window: &Window, end: At) -> Step<Value> {
        let start = match end {
            BAIL => Start::At(self.bailed),
            _ => match self.it.ended.take() {
                Some(Err((at, halt))) => Start::Failed(at, halt),
                Some(Ok(Flow::Return(value))) => return Ok(value),
                _ => return Ok(Value::None),
            },
        };
        let bails = inlined.bails.get().saturating_add(1);
        inlined.bails.set(bails);
        if bails > MOST_BAILS.max(inlined.runs.get() / 2) {
            inlined.give_up();
        }
        let Value::Function(function) = self.reg(window.function).clone() else {
            return Err(Halt::unknown("a function that is gone"));
        };
        match function.hot.get() {
            Some(hot) => {
                self.show_window(&inlined.flat);
                self.in_frame(window.place.mark, &function, hot, inlined.window, start)
            }
            None => Err(Halt::unknown("a flat form that is gone")),
        }
    }

    /// Goes on with a window's values in a frame.
    fn in_frame(
        &mut self,
        mark: Option<ExprId>,
        function: &Rc<Function>,
        hot: &Hot,
        window: usize,
        start: Start,
    ) -> Step<Value> {
        let it = self.it;
        let flat = &*hot.flat;
        let mut slots = it.slots(flat.root.size.get());
        slots[..flat.registers].swap_with_slice(&mut self.frame.locals[window..window + flat.registers]);
        let unit = &hot.unit;
        let code = unit.module.code(hot.code);
        let frame = Frame::with(slots, flat.registers);
        let mut run = Run::with_locals(it, &function.module, unit, code, &function.captured, frame);
        run.function = Some(function);
        let mark = mark.filter(|_| self.user).map(|id| it.engine.set_source(marks::of_source(self.file, id)));
        let result = run.go_on(hot, start);
        if let Some(mark) = mark {
            it.engine.set_source(mark);
        }
        it.recycle(&mut run.frame);
        result
    }

    fn go_on(&mut self, hot: &'a Hot, start: Start) -> Step<Value> {
        debug_assert!(self.it.depth.get() <= RECURSION_LIMIT);
        let flat = &*hot.flat;
        let at = match start {
            Start::At(at) => at,
            Start::Failed(at, halt) => match flat.steps.get(at as usize).map(|step| &step.op) {
                Some(op) if calls_functions(op) => self.copy_failed(flat, op, at, halt),
                _ => self.fails(at, halt),
            },
        };
        self.hot_end(flat, at)
    }
}
