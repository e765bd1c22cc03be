//! Small functions that run in the frame of who calls them.
//!
//! A call of a small function of the same module needs no frame of its own as long as all of its operations are done with
//! plain values: a copy of its flat form runs on registers behind those of the caller, its window, and what a frame brings
//! along (an entry on the user's stack, the mark of the call, slots) is made only when it is needed. An operation that wants
//! more ends the copy ([`BAIL`]): the window moves into a frame, which goes on there. Nothing of such an operation has been
//! done by then.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::calls;
use super::handlers::{Handler, handler};
use super::op::{At, BAIL, Flat, Instruction, NONE, Op, RETURN, Reg};
use super::places::{Read, read};
use crate::interp::expr::source_mark;
use crate::interp::frame::{Frame, SlotSize};
use crate::interp::function::{Flow, Run};
use crate::interp::{DEEP, RECURSION_LIMIT};
use crate::module::{ExprId, Symbol};
use crate::python::function::Hot;
use crate::python::halt::{Halt, Site, Step};
use crate::python::value::is_shown;
use crate::python::{Function, Value};

/// So deep may copies stand in each other, and so many in one form.
const MOST_LEVELS: usize = 4;
const MOST_COPIES: u32 = 64;
/// Functions with more operations or registers have a frame of their own.
const MOST_STEPS: usize = 48;
const MOST_REGISTERS: usize = 24;
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

/// Copies that run in each other, in a run.
#[derive(Default)]
pub struct Windows {
    /// The call of each, outermost first.
    calls: [ExprId; MOST_LEVELS + 1],
    /// So many of them are on the user's stack.
    shown: usize,
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
    runs: Cell<u32>,
    bails: Cell<u32>,
    /// Whether it bailed too often.
    gone: Cell<bool>,
}

/// What a copy knows of itself.
#[derive(Debug)]
pub struct Window {
    /// The register with the function that it is a copy of, if one holds it.
    function: Option<Reg>,
    /// How many copies it stands in.
    level: usize,
    /// The copy that it stands in.
    outer: Option<Rc<Window>>,
    /// What stands for it on the user's stack.
    entry: (Site, Symbol),
}

/// Where a frame goes on that a window moved into.
enum Start {
    /// At an operation.
    At(At),
    /// Behind one that failed.
    Failed(At, Halt),
}

/// Moves the registers of an operation; `None` for one that a copy does not run.
fn moved(op: &Op, by: Reg) -> Option<Op> {
    let r = |reg: Reg| if reg == NONE { NONE } else { reg + by };
    Some(match *op {
        Op::Spend(cost) => Op::Spend(cost),
        Op::Cell { dst, cell, expr } => Op::Cell { dst: r(dst), cell, expr },
        Op::Global { dst, slot, expr } => Op::Global { dst: r(dst), slot, expr },
        Op::Constant { dst, index } => Op::Constant { dst: r(dst), index },
        Op::Copy { dst, src, expr } => Op::Copy { dst: r(dst), src: r(src), expr },
        Op::Look { src, expr } => Op::Look { src: r(src), expr },
        Op::Take { dst, src } => Op::Take { dst: r(dst), src: r(src) },
        Op::Binary { op, dst, left, right, expr } => {
            Op::Binary { op, dst: r(dst), left: r(left), right: r(right), expr }
        }
        Op::BinaryInt { op, dst, left, right, expr } => Op::BinaryInt { op, dst: r(dst), left: r(left), right, expr },
        Op::Unary { op, dst, value, expr } => Op::Unary { op, dst: r(dst), value: r(value), expr },
        Op::Compare { op, dst, left, right, expr } => {
            Op::Compare { op, dst: r(dst), left: r(left), right: r(right), expr }
        }
        Op::Branch { op, left, right, expr, otherwise } => {
            Op::Branch { op, left: r(left), right: r(right), expr, otherwise }
        }
        Op::BranchInt { op, left, right, expr, otherwise } => {
            Op::BranchInt { op, left: r(left), right, expr, otherwise }
        }
        Op::Test { value, expr, otherwise } => Op::Test { value: r(value), expr, otherwise },
        Op::Jump(to) => Op::Jump(to),
        Op::Seen { value, expr } => Op::Seen { value: r(value), expr },
        Op::Attribute { dst, object, named, expr } => Op::Attribute { dst: r(dst), object: r(object), named, expr },
        Op::Subscript { dst, object, index, expr } => {
            Op::Subscript { dst: r(dst), object: r(object), index: r(index), expr }
        }
        Op::SubscriptInt { dst, object, index, expr } => {
            Op::SubscriptInt { dst: r(dst), object: r(object), index, expr }
        }
        Op::Method { builtin, base, object, expr } => Op::Method { builtin, base: r(base), object: r(object), expr },
        Op::Unread { base, dst, expr, end } => Op::Unread { base: r(base), dst: r(dst), expr, end },
        Op::Call { builtin, dst, base, count, method, site, expr } => {
            Op::Call { builtin, dst: r(dst), base: r(base), count, method, site, expr }
        }
        Op::Tuple { dst, base, count } => Op::Tuple { dst: r(dst), base: r(base), count },
        Op::List { dst, base, count } => Op::List { dst: r(dst), base: r(base), count },
        Op::Store { object, index, value, named } => {
            Op::Store { object: r(object), index: r(index), value: r(value), named }
        }
        Op::Load { dst, object, index, named } => Op::Load { dst: r(dst), object: r(object), index: r(index), named },
        Op::Augment { op, dst, value } => Op::Augment { op, dst: r(dst), value: r(value) },
        Op::AugmentInt { op, dst, value } => Op::AugmentInt { op, dst: r(dst), value },
        Op::Return { value, expr } => Op::Return { value: r(value), expr },
        Op::End => Op::End,
        _ => return None,
    })
}

/// What runs an operation of a copy.
fn handler_within(op: &Op) -> Handler {
    match op {
        Op::Cell { .. } => cell_within,
        op => handler(op),
    }
}

/// Whether a form is small enough for copies, and begins with what they run.
pub fn is_small(steps: &[Instruction], registers: usize, loops: usize) -> bool {
    /// So many operations at its beginning have to be of use.
    const FIRST: usize = 3;
    loops == 0
        && steps.len() <= MOST_STEPS
        && registers <= MOST_REGISTERS
        && steps.iter().take(FIRST).all(|step| moved(&step.op, 0).is_some())
}

impl Inlined {
    fn new(caller: &Flat, hot: &Hot, function: Option<Reg>, window: usize) -> Inlined {
        let callee = &hot.flat;
        let code = hot.unit.module.code(hot.code);
        let entry = (Site { file: hot.unit.file, span: code.name_span }, code.name);
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
            slots: Vec::new(),
            registers: callee.registers,
            root,
            loops: 0,
            sites: callee.sites.iter().map(|_| CallSite::default()).collect(),
            small: false,
            window: Some(Rc::new(Window { function, level, outer: caller.window.clone(), entry })),
            locals: callee.locals,
        };
        Inlined {
            callee: callee.clone(),
            flat,
            window,
            level,
            runs: Cell::new(0),
            bails: Cell::new(0),
            gone: Cell::new(false),
        }
    }
}

/// An operation that a copy does not run.
fn bail<'a>(run: &mut Run<'a>, _: &'a Flat, _: &'a Op, at: At) -> At {
    run.bails(at)
}

/// Reads a cell that the function has captured.
fn cell_within<'a>(run: &mut Run<'a>, flat: &'a Flat, op: &'a Op, at: At) -> At {
    let (Op::Cell { dst, cell, .. }, Some(window)) = (*op, &flat.window) else { return run.bails(at) };
    let known = match window.function.map(|function| run.reg(function)) {
        Some(Value::Function(function)) => match function.captured.get(usize::from(cell)) {
            Some(cell) => read(run, Some(&cell.read())),
            None => Read::Door,
        },
        _ => Read::Door,
    };
    match known {
        Read::Int(number) => run.done_int(at, dst, number),
        Read::Float(number) => run.done_float(at, dst, number),
        Read::Value(value) => run.done(at, dst, value),
        Read::Door => run.bails(at),
    }
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
        self.show_call(self.windows.calls[window.level], window.entry);
        self.windows.shown = window.level + 1;
    }

    /// The copy that stands at a place where a function is called, with its arguments from a register on.
    #[inline(always)]
    pub(super) fn inlined(
        &self,
        flat: &'a Flat,
        site: u16,
        callee: &Function,
        function: Option<Reg>,
        window: usize,
    ) -> Option<&'a Inlined> {
        let hot = callee.hot.get()?;
        let site = flat.sites.get(usize::from(site))?;
        let inlined = match site.0.get() {
            Some(inlined) => inlined.as_deref()?,
            None => self.inline(flat, site, hot, function, window)?,
        };
        let fits = Rc::ptr_eq(&inlined.callee, &hot.flat)
            && inlined.window == window
            && Rc::ptr_eq(&callee.module, self.home)
            && !inlined.gone.get()
            && !self.it.watch.on.get()
            && self.frame.doubts.is_none();
        fits.then_some(inlined)
    }

    #[inline(never)]
    fn inline(
        &self,
        flat: &'a Flat,
        site: &'a CallSite,
        hot: &Hot,
        function: Option<Reg>,
        window: usize,
    ) -> Option<&'a Inlined> {
        let code = hot.unit.module.code(hot.code);
        let fits = hot.flat.small
            && Rc::ptr_eq(&hot.unit, self.unit)
            && code.cells.is_empty()
            && flat.window.as_ref().is_none_or(|window| window.level < MOST_LEVELS)
            && flat.root.copies.get() < MOST_COPIES
            && window + hot.flat.registers < usize::from(NONE);
        let made = || fits.then(|| Box::new(Inlined::new(flat, hot, function, window)));
        site.0.get_or_init(made).as_deref()
    }

    /// Whether a function may run without being noted: nobody would see its parameters.
    #[inline(always)]
    fn is_quiet_call(&self, window: usize, given: usize) -> bool {
        !self.user
            || self.it.engine.is_top_level()
                && self.it.graphs.target.get().is_none()
                && !self.frame.locals[window..window + given].iter().any(is_shown)
    }

    /// Calls a function by its copy; `None` where it has to be called as others are. It is given where no register holds it.
    #[inline(always)]
    pub(super) fn call_inlined(
        &mut self,
        id: ExprId,
        inlined: &'a Inlined,
        callee: Option<&Rc<Function>>,
        given: usize,
    ) -> Option<Step<Value>> {
        let it = self.it;
        let depth = it.depth.get();
        let window = inlined.window;
        if depth >= DEEP || !self.is_quiet_call(window, given) {
            return None;
        }
        let needed = window + inlined.flat.registers;
        if self.frame.locals.len() < needed {
            self.widen_frame(inlined);
        }
        self.frame.reach = self.frame.reach.max(needed);
        let locals = inlined.callee.locals;
        for slot in &mut self.frame.locals[window + given..window + locals] {
            Value::put(slot, Value::Unbound);
        }
        it.depth.set(depth + 1);
        let level = inlined.level;
        self.windows.calls[level] = id;
        let end = self.run_steps(&inlined.flat, 0);
        let result = match end {
            RETURN => Ok(self.take_result()),
            end => self.leave_window(id, inlined, callee, end),
        };
        if self.windows.shown > level {
            it.user_stack.borrow_mut().pop();
            self.windows.shown = level;
        }
        it.depth.set(depth);
        inlined.runs.set(inlined.runs.get().saturating_add(1));
        for slot in &mut self.frame.locals[window..window + locals] {
            Value::clear(slot);
        }
        Some(result)
    }

    #[cold]
    #[inline(never)]
    fn widen_frame(&mut self, inlined: &Inlined) {
        let needed = inlined.flat.root.size.get().slots();
        if self.frame.locals.len() < needed {
            self.frame.locals.resize(needed, Value::Unbound);
        }
    }

    /// A copy ended in another way than by returning a value.
    #[inline(never)]
    fn leave_window(
        &mut self,
        id: ExprId,
        inlined: &'a Inlined,
        callee: Option<&Rc<Function>>,
        end: At,
    ) -> Step<Value> {
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
        inlined.gone.set(bails > MOST_BAILS.max(inlined.runs.get() / 2));
        let held = inlined.flat.window.as_ref().and_then(|window| window.function).map(|function| self.reg(function));
        let function = match (callee, held) {
            (Some(callee), _) | (None, Some(Value::Function(callee))) => callee.clone(),
            _ => return Err(Halt::unknown("a function that is gone")),
        };
        match function.hot.get() {
            Some(hot) => {
                self.show_window(&inlined.flat);
                self.in_frame(id, &function, hot, inlined.window, start)
            }
            None => Err(Halt::unknown("a flat form that is gone")),
        }
    }

    /// Goes on with a window's values in a frame.
    fn in_frame(&mut self, id: ExprId, function: &Rc<Function>, hot: &Hot, window: usize, start: Start) -> Step<Value> {
        let it = self.it;
        let flat = &*hot.flat;
        let mut slots = it.slots(flat.root.size.get());
        slots[..flat.registers].swap_with_slice(&mut self.frame.locals[window..window + flat.registers]);
        let unit = &hot.unit;
        let code = unit.module.code(hot.code);
        let frame = Frame::with(slots, flat.registers);
        let mut run = Run::with_locals(it, &function.module, unit, code, &function.captured, frame);
        run.function = Some(function);
        let mark = self.user.then(|| it.engine.set_source(source_mark(self.file, id)));
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
                Some(op @ Op::Call { .. }) => calls::call_failed(self, flat, op, at, halt),
                _ => self.fails(at, halt),
            },
        };
        self.hot_end(flat, at)
    }
}
