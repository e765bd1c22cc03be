//! The run of a function's body.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::flat::Guard;
use super::flat::{Elements, Flat, Loops, Windows};
use super::frame::{Frame, SlotSize};
use super::generator::Channel;
use super::stmt::Exit;
use super::{DEEP, Interp, RECURSION_LIMIT};
use crate::frameworks::python::names as standard;
use crate::module::{Body, Code, CodeId, CodeKind, MODULE_CODE, Module, Place, Symbol};
use crate::python::container::join_values;
use crate::python::halt::{Halt, Site, Step, Stopped, Why};
use crate::python::value::is_shown;
use crate::python::{Args, CellRef, Dict, Exception, FileId, Function, ModuleObject, Mutable, Unit, Value, journal};
use crate::text::Span;

/// A call that is being prepared.
pub(super) struct Entry<'f> {
    unit: &'f Rc<Unit>,
    code: &'f Code,
    flat: Option<&'f Flat>,
    slots: Vec<Value>,
    given: usize,
}

impl Entry<'_> {
    /// Puts in the next argument.
    #[inline(always)]
    pub(super) fn put(&mut self, value: Value) {
        Value::put(&mut self.slots[self.given], value);
        self.given += 1;
    }
}

/// A running activation: the frame with the code that it runs.
pub struct Run<'a> {
    /// The interpreter.
    pub it: &'a Rc<Interp>,
    /// The module of the code.
    pub home: &'a Rc<ModuleObject>,
    /// What the code is in.
    pub unit: &'a Rc<Unit>,
    /// The lowered module of that.
    pub module: &'a Module,
    /// The code.
    pub code: &'a Code,
    /// Its variables.
    pub frame: Frame,
    /// The cells that it captures.
    pub captured: &'a [CellRef],
    /// Whether its values are recorded and its errors placed: the code is the user's.
    pub user: bool,
    /// The file.
    pub file: FileId,
    /// Where `yield` goes, in a generator.
    pub channel: Option<&'a Channel<'a>>,
    /// Whether it is the activation of a generator that rests without a stack of its own.
    pub(super) rests: bool,
    /// The function that runs, for `super()`.
    pub function: Option<&'a Rc<Function>>,
    /// Which body of its unit that is, where a function runs.
    pub body_id: Option<CodeId>,
    /// Branches on unknown conditions that this run is in.
    pub branches: u32,
    /// The number of them in which a round of a widened loop runs, while one does.
    pub round_at: Option<u32>,
    /// How often it has yielded.
    pub yields: u64,
    /// In a generator that yielded in such a branch: what it gives is known by kind alone.
    pub lost: Option<Lost>,
    /// The loops of the flat form that runs.
    pub(super) loops: Loops,
    /// What the handlers of a `try` of the flat form are being asked for.
    pub(super) caught: Option<Box<Exception>>,
    /// What the final parts of `try` statements of the flat form are run for, innermost last: how their guarded parts ended.
    pub(super) outcomes: Vec<Step<Flow>>,
    /// The guarded blocks of the flat form that run, innermost last, those that were left by an exception among them.
    pub(super) guards: Vec<Guard>,
    /// How the managers of `with` statements of the flat form are left, innermost last; none for one that is not known.
    pub(super) exits: Vec<Option<Exit>>,
    /// That of the one that was entered just now.
    pub(super) entered: Option<Exit>,
    /// The comprehension whose last clause runs in the flat form.
    pub(super) elements: Option<Box<Elements>>,
    /// What the flat form that ran returns.
    pub(super) result: Value,
    /// Where the copy of a flat form ended that could not go on.
    pub(super) bailed: u32,
    /// The copies of functions that run in its frame.
    pub(super) windows: Windows<'a>,
}

/// What a generator has given that yielded in a branch on an unknown condition; shared with the generator.
pub type Lost = Rc<LostItems>;

/// The items of a generator that are known by kind alone, once there are such.
#[derive(Default)]
pub struct LostItems {
    any: Cell<bool>,
    item: RefCell<Option<Value>>,
}

impl LostItems {
    /// Whether there are any.
    #[inline(always)]
    pub fn are_there(&self) -> bool {
        self.any.get()
    }
    /// Takes what stands for them out.
    pub fn take(&self) -> Option<Value> {
        self.any.set(false);
        self.item.take()
    }
    /// One more.
    pub fn add(&self, item: Value) {
        let before = self.take();
        self.item.replace(Some(before.map_or_else(|| item.clone(), |before| join_values(&before, &item))));
        self.any.set(true);
    }
}

/// As [`Run::is_lost`], of that field.
#[inline(always)]
pub(super) fn is_lost(lost: &Option<Lost>) -> bool {
    lost.as_ref().is_some_and(|lost| lost.are_there())
}

/// How a statement ended.
#[derive(Debug)]
pub enum Flow {
    /// The next statement runs.
    Next,
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Value),
}

impl<'a> Run<'a> {
    /// A run of `code` with empty variables.
    pub fn new(
        it: &'a Rc<Interp>,
        home: &'a Rc<ModuleObject>,
        unit: &'a Rc<Unit>,
        code: &'a Code,
        captured: &'a [CellRef],
    ) -> Run<'a> {
        let count = code.locals.len();
        Run::with_locals(it, home, unit, code, captured, Frame::with(it.empty_slots(SlotSize::of(count), count), count))
    }

    /// A run of `code` with empty variables, and room for the registers of its flat form.
    #[inline(always)]
    pub(super) fn in_slots(
        it: &'a Rc<Interp>,
        home: &'a Rc<ModuleObject>,
        unit: &'a Rc<Unit>,
        code: &'a Code,
        captured: &'a [CellRef],
        flat: &'a Flat,
    ) -> Run<'a> {
        let slots = it.empty_slots(flat.root.size.get(), code.locals.len());
        Run::with_locals(it, home, unit, code, captured, Frame::with(slots, flat.registers))
    }

    /// Whether it is a generator's.
    pub(super) fn is_generators(&self) -> bool {
        self.rests || self.channel.is_some()
    }

    /// A run of `code` with these values in its local slots.
    #[inline(always)]
    pub(super) fn with_locals(
        it: &'a Rc<Interp>,
        home: &'a Rc<ModuleObject>,
        unit: &'a Rc<Unit>,
        code: &'a Code,
        captured: &'a [CellRef],
        mut frame: Frame,
    ) -> Run<'a> {
        if !code.cells.is_empty() && frame.cells.is_none() {
            frame.cells = Some(code.cells.iter().map(|_| new_cell()).collect());
        }
        Run {
            it,
            home,
            unit,
            module: &unit.module,
            code,
            frame,
            captured,
            user: unit.user,
            file: unit.file,
            channel: None,
            rests: false,
            function: None,
            body_id: None,
            branches: 0,
            round_at: None,
            yields: 0,
            lost: None,
            loops: None,
            caught: None,
            outcomes: Vec::new(),
            guards: Vec::new(),
            exits: Vec::new(),
            entered: None,
            elements: None,
            result: Value::Unbound,
            bailed: 0,
            windows: Windows::NONE,
        }
    }
    /// A cell: its own first, then those captured.
    #[inline]
    pub fn cell(&self, index: u32) -> &CellRef {
        let index = index as usize;
        match &self.frame.cells {
            None => &self.captured[index],
            Some(own) => match own.get(index) {
                Some(cell) => cell,
                None => &self.captured[index - own.len()],
            },
        }
    }

    /// Whether it is a generator that cannot say any more which items it gives.
    #[inline]
    pub fn is_lost(&self) -> bool {
        is_lost(&self.lost)
    }

    /// Lets go of the variables, for the next run.
    pub fn recycle(&mut self) {
        self.it.recycle(&mut self.frame);
    }

    /// A place of this file.
    pub fn site(&self, span: Span) -> Site {
        Site { file: self.file, span }
    }

    /// Runs the body to its end.
    ///
    /// # Errors
    /// What the body raises.
    pub fn body(&mut self) -> Step<Value> {
        let code = self.code;
        match &code.body {
            Body::Block(statements) => {
                let flow = match self.body_id.and_then(|id| self.flat_body(id)) {
                    Some(flow) => flow?,
                    None => self.block(statements)?,
                };
                Ok(self.returned(flow))
            }
            Body::Expr(expr) => match self.body_id.and_then(|id| self.flat_body(id)) {
                Some(flow) => {
                    let flow = flow?;
                    Ok(self.returned(flow))
                }
                None => self.eval(*expr),
            },
            Body::Comprehension(comprehension) => self.comprehension(comprehension),
            // What runs is what came of it: `Function::body`.
            Body::Later(_) => Err(Halt::unknown("a body that was not asked for")),
        }
    }

    /// Reads a name.
    #[inline]
    pub fn load(&self, place: Place, name: Symbol) -> Step<Value> {
        match place {
            Place::Local(slot) => match &self.frame.locals[slot as usize] {
                Value::Unbound => Err(unbound_local(name)),
                value => Ok(value.clone()),
            },
            Place::Cell(index) => match &*self.cell(index).read() {
                Value::Unbound if (index as usize) < self.code.cells.len() => Err(unbound_local(name)),
                Value::Unbound => Err(unbound_free(name)),
                value => Ok(value.clone()),
            },
            Place::Global(slot) => self.load_global(slot, name),
            Place::ClassOrGlobal(name, slot) => match self.class_name(name) {
                Some(value) => Ok(value),
                None => self.load_global(slot, name),
            },
            Place::ClassOrCell(name, index) => match self.class_name(name) {
                Some(value) => Ok(value),
                None => match &*self.cell(index).read() {
                    Value::Unbound => Err(unbound_free(name)),
                    value => Ok(value.clone()),
                },
            },
        }
    }

    fn class_name(&self, name: Symbol) -> Option<Value> {
        self.frame.names.as_ref().and_then(|names| names.read().get(&name).cloned())
    }

    #[inline]
    fn load_global(&self, slot: u32, name: Symbol) -> Step<Value> {
        // Names that only bodies mention which came later have no slot.
        match self.home.slots.read().get(slot as usize) {
            Some(Value::Unbound) | None => {}
            Some(value) => return Ok(value.clone()),
        }
        self.load_builtin(slot, name)
    }

    fn load_builtin(&self, slot: u32, name: Symbol) -> Step<Value> {
        if self.home.names.get().is_some()
            && let Some(value) = self.home.get(name)
        {
            return Ok(value);
        }
        if let Some(value) = self.home.extra.read().get(&name).filter(|value| !value.is_unbound()) {
            return Ok(value.clone());
        }
        let mut cache = self.home.builtins.borrow_mut();
        if cache.len() <= slot as usize {
            cache.resize(self.home.unit.module.globals.len().max(slot as usize + 1), Value::Unbound);
        }
        if let Value::Unbound = cache[slot as usize] {
            if self.home.waiting.borrow().contains_key(&name) {
                drop(cache);
                return self.it.import_waiting(self.home, name)?.ok_or_else(|| name_error(name));
            }
            match self.it.builtins.borrow().get(&name) {
                Some(value) => cache[slot as usize] = value.clone(),
                None => {
                    drop(cache);
                    // `globals()` was given names that are not known.
                    let rest = self.home.extra.read().get(&sym!("*")).cloned();
                    let found = self.dunder_global(name).or(rest);
                    return found.or_else(|| self.bound_elsewhere(slot, name)).ok_or_else(|| name_error(name));
                }
            }
        }
        Ok(cache[slot as usize].clone())
    }

    /// `__name__`, `__file__` and the like, which no text binds.
    fn dunder_global(&self, name: Symbol) -> Option<Value> {
        match name.as_str() {
            "__name__" => Some(Value::str(self.home.name.as_str())),
            "__doc__" => {
                let codes = &self.home.unit.module.codes;
                let code = (!codes.is_empty()).then(|| &codes[MODULE_CODE.index()])?;
                Some(code.docstring.as_deref().map_or(Value::None, Value::str))
            }
            "__package__" => Some(Value::str(self.home.package())),
            "__spec__" if self.home.name.as_str() == "__main__" => Some(Value::None),
            "__spec__" | "__loader__" | "__cached__" => Some(Value::unknown(format!("`{name}` of a module"))),
            "__path__" if self.home.is_package => Some(Value::unknown("`__path__` of a module")),
            // Annotations of a module are not kept.
            "__annotations__" => Some(Value::Dict(Dict::vague(Why("the annotations of a module".into())))),
            // What is imported has the names, what is run the module.
            "__builtins__" if self.home.name.as_str() != "__main__" => {
                let mut names = crate::python::DictItems::default();
                for (name, value) in self.it.builtins.borrow().iter() {
                    names.insert(crate::python::Key::str(name.as_str()), value.clone());
                }
                Some(Value::Dict(crate::python::Dict::new(names)))
            }
            "__builtins__" => Some(Value::unknown("the builtins module")),
            other => standard::has("builtins", other).then(|| Value::unknown(format!("`{name}` is not modelled"))),
        }
    }

    /// Binds a name.
    pub fn store(&mut self, place: Place, value: Value) {
        match place {
            Place::Local(slot) => self.frame.locals[slot as usize] = value,
            Place::Cell(index) => *self.cell(index).write() = value,
            Place::Global(slot) => match self.home.names.get() {
                Some(_) => self.home.set(self.module.globals[slot as usize], value),
                None => self.home.slots.write()[slot as usize] = value,
            },
            Place::ClassOrGlobal(name, _) | Place::ClassOrCell(name, _) => match &self.frame.names {
                Some(names) => {
                    names.write().insert(name, value);
                }
                None => self.home.set(name, value),
            },
        }
    }
}

fn new_cell() -> CellRef {
    let cell = Mutable::new(Value::Unbound);
    crate::python::cycles::note_variable(&cell);
    cell
}

#[cold]
fn unbound_local(name: Symbol) -> Halt {
    Halt::raise(
        "UnboundLocalError",
        format!("cannot access local variable '{name}' where it is not associated with a value"),
    )
}
#[cold]
fn unbound_free(name: Symbol) -> Halt {
    Halt::raise(
        "NameError",
        format!("cannot access free variable '{name}' where it is not associated with a value in enclosing scope"),
    )
}
#[cold]
fn name_error(name: Symbol) -> Halt {
    Halt::raise("NameError", format!("name '{name}' is not defined"))
}

impl Interp {
    /// Calls a function of Python text.
    ///
    /// # Errors
    /// What binding the arguments or running the body raises.
    pub fn call_function(self: &Rc<Self>, function: &Rc<Function>, args: Args) -> Step<Value> {
        self.deeper(function, || self.run_function(function, args))
    }

    /// Runs the body of a call one level deeper.
    #[inline(always)]
    pub(super) fn deeper(&self, function: &Function, body: impl FnOnce() -> Step<Value>) -> Step<Value> {
        if self.deep.get() == 0 {
            let (unit, id) = function.body();
            self.may_enter(unit.module.code(id))?;
        }
        let depth = self.depth.get();
        if depth >= RECURSION_LIMIT {
            return Err(Halt::raise("RecursionError", "maximum recursion depth exceeded"));
        }
        if depth >= DEEP {
            self.note_stack();
        }
        self.depth.set(depth + 1);
        let result = self.with_stack(body);
        self.depth.set(depth);
        result
    }

    /// Begins a call of a function with positional parameters only: the arguments are put in one by one.
    #[inline(always)]
    pub(super) fn entry<'f>(&self, function: &'f Function) -> Entry<'f> {
        let (unit, id) = function.body();
        let code = unit.module.code(id);
        let flat = if unit.user && self.watch.on.get() { None } else { unit.flats.of(unit, id, self.translate.get()) };
        let slots = self.slots(flat.map_or_else(|| SlotSize::of(code.locals.len()), |flat| flat.root.size.get()));
        Entry { unit, code, flat, slots, given: 0 }
    }

    /// Makes the call, which was given an argument for each parameter.
    ///
    /// # Errors
    /// What running the body raises.
    #[inline(never)]
    pub(super) fn call_entered(self: &Rc<Self>, function: &Rc<Function>, entry: Entry<'_>) -> Step<Value> {
        let depth = self.depth.get();
        if depth >= self.deep.get() || self.is_stack_low() {
            return self.call_deep(function, entry);
        }
        self.depth.set(depth + 1);
        let result = self.run_entered(function, entry);
        self.depth.set(depth);
        result
    }

    #[cold]
    #[inline(never)]
    fn call_deep(self: &Rc<Self>, function: &Rc<Function>, entry: Entry<'_>) -> Step<Value> {
        self.deeper(function, || self.run_entered(function, entry))
    }

    fn run_entered(self: &Rc<Self>, function: &Rc<Function>, mut entry: Entry<'_>) -> Step<Value> {
        let Entry { unit, code, flat, given, .. } = entry;
        for slot in &mut entry.slots[given..code.locals.len()] {
            *slot = Value::Unbound;
        }
        let frame = Frame::with(entry.slots, flat.map_or(code.locals.len(), |flat| flat.registers));
        let mut run = Run::with_locals(self, &function.module, unit, code, &function.captured, frame);
        run.function = Some(function);
        if !code.cell_params.is_empty() {
            run.move_cell_params();
        }
        let result = run.whole_body(function, flat);
        self.recycle(&mut run.frame);
        result
    }

    fn run_function(self: &Rc<Self>, function: &Rc<Function>, args: Args) -> Step<Value> {
        let home = &function.module;
        let (unit, id) = function.body();
        let code = unit.module.code(id);
        if code.is_generator {
            return super::generator::start(self, function, args);
        }
        if code.is_async {
            return super::coroutine::start(self, function, args);
        }
        let flat = if unit.user && self.watch.on.get() { None } else { unit.flats.of(unit, id, self.translate.get()) };
        let mut run = match flat {
            Some(flat) => Run::in_slots(self, home, unit, code, &function.captured, flat),
            None => Run::new(self, home, unit, code, &function.captured),
        };
        run.function = Some(function);
        run.bind(function, args)?;
        let result = run.whole_body(function, flat);
        self.recycle(&mut run.frame);
        result
    }

    /// Whether a module is the program, or the file that is looked at.
    pub fn is_program(&self, module: &ModuleObject) -> bool {
        module.name.as_str() == "__main__" || self.program.get() == Some(module.name)
    }

    /// Runs a module's body.
    ///
    /// # Errors
    /// What the body raises.
    pub fn run_module(self: &Rc<Self>, module: &Rc<ModuleObject>) -> Step<()> {
        module.started.set(true);
        self.outside_traces(|| self.run_module_body(module))
    }

    fn run_module_body(self: &Rc<Self>, module: &Rc<ModuleObject>) -> Step<()> {
        let unit = module.unit.clone();
        let code = unit.module.code(MODULE_CODE);
        let _quiet = self.repro.quiet(unit.ours);
        let mut run = Run::new(self, module, &unit, code, &[]);
        if run.user {
            self.user_stack.borrow_mut().push((run.site(code.name_span), code.name));
        }
        let result = match &code.body {
            Body::Block(statements) if self.is_program(module) => run.program(statements),
            _ => run.body().map(drop),
        };
        if unit.user {
            self.user_stack.borrow_mut().pop();
        }
        result
    }
}

impl<'a> Run<'a> {
    /// Runs the body of a call whose arguments are bound.
    #[inline(always)]
    pub(super) fn whole_body(&mut self, function: &Rc<Function>, flat: Option<&'a Flat>) -> Step<Value> {
        if self.it.repro.on.get() && !self.home.unit.ours {
            return self.recorded_body(function, flat);
        }
        self.plain_body(function, flat)
    }

    /// Runs the body while a run is recorded: the framework may have called it.
    #[cold]
    fn recorded_body(&mut self, function: &Rc<Function>, flat: Option<&'a Flat>) -> Step<Value> {
        let code = self.code;
        let held = |slot: usize| match code.cell_params.iter().find(|(s, _)| *s as usize == slot) {
            Some((_, cell)) => self.cell(*cell).read().clone(),
            None => self.frame.locals[slot].clone(),
        };
        let kind = |slot: usize| match Some(slot as u32) {
            at if at == code.params.var_positional => 2,
            at if at == code.params.var_keyword => 3,
            _ => u8::from(slot >= code.params.positional as usize),
        };
        let params =
            code.params.names.iter().enumerate().map(|(slot, param)| (param.name, kind(slot), held(slot))).collect();
        let entered = self.it.recorded_enter(function, params);
        let outcome = self.plain_body(function, flat);
        match entered {
            Some(entered) if self.it.recorded_leave(entered, &outcome) => Err(Halt::Stop(Stopped::Done)),
            _ => outcome,
        }
    }

    #[inline(always)]
    fn plain_body(&mut self, function: &Rc<Function>, flat: Option<&'a Flat>) -> Step<Value> {
        if self.user {
            self.enter(function)?;
            self.it.user_stack.borrow_mut().push((self.site(self.code.name_span), self.code.name));
            let result = self.body_as(flat);
            self.it.user_stack.borrow_mut().pop();
            self.or_returned(result)
        } else {
            let result = self.body_as(flat);
            if matches!(result, Err(Halt::Unknown(_))) && !self.home.unit.ours {
                self.it.leaving_library.set(true);
            }
            result
        }
    }

    /// Runs the body in the flat form that is known, or as it stands.
    #[inline(always)]
    fn body_as(&mut self, flat: Option<&'a Flat>) -> Step<Value> {
        match flat {
            Some(flat) => match self.run_flat(flat, None)? {
                Flow::Return(value) if self.frame.doubts.is_none() => Ok(value),
                flow => Ok(self.returned(flow)),
            },
            None => self.body(),
        }
    }

    /// What a call of the user's comes to whose body ended so. Where it raises or ends the program, and may have returned before,
    /// it is taken to have returned.
    #[inline(always)]
    pub(super) fn or_returned(&mut self, result: Step<Value>) -> Step<Value> {
        match result {
            Ok(value) => Ok(value),
            Err(halt) => self.returned_before(halt),
        }
    }

    #[cold]
    #[inline(never)]
    fn returned_before(&mut self, mut halt: Halt) -> Step<Value> {
        let own = match &mut halt {
            Halt::Raise(exception) => std::mem::take(&mut exception.own),
            Halt::Stop(stop) => *stop == Stopped::Exit,
            _ => false,
        };
        match self.frame.take_maybe_returned() {
            Some(value) if own => Ok(value),
            _ => Err(halt),
        }
    }

    /// What a body returns that ended so.
    pub(super) fn returned(&mut self, flow: Flow) -> Value {
        let result = match flow {
            Flow::Return(value) => value,
            _ => Value::None,
        };
        match self.frame.take_maybe_returned() {
            Some(other) => join_values(&other, &result),
            None => result,
        }
    }

    /// Moves parameters that inner scopes capture into their cells.
    #[inline]
    pub(super) fn move_cell_params(&mut self) {
        for (slot, cell) in &self.code.cell_params {
            let value = std::mem::replace(&mut self.frame.locals[*slot as usize], Value::Unbound);
            *self.cell(*cell).write() = value;
        }
    }

    /// Notes that the body of a user's function runs, and what its parameters are.
    #[inline(always)]
    pub(super) fn enter(&mut self, function: &Rc<Function>) -> Step<()> {
        let code = self.code;
        let quiet = !self.it.engine.is_traced()
            && self.it.graphs.target.get().is_none()
            && code.cell_params.is_empty()
            && !self.frame.locals[..code.params.names.len()].iter().any(is_shown);
        if quiet { Ok(()) } else { self.enter_noted(function) }
    }

    #[inline(never)]
    fn enter_noted(&mut self, function: &Rc<Function>) -> Step<()> {
        let code = self.code;
        self.it.note_entered(Site { file: self.file, span: code.span });
        if code.kind == CodeKind::Function && self.it.engine.is_traced() {
            let doubtful = self.it.doubtful_runs.get() || self.it.recorder.doubt.is_any();
            let times = self.it.run_times.get();
            if times > 0 {
                self.it.recorder.ran(self.file, function.code, times, self.it.stands_for_rounds(), doubtful);
            }
        }
        if code.kind != CodeKind::Function {
            return Ok(());
        }
        if self.it.graphs.target.get().is_some() {
            self.keep_call(function);
        }
        let count = code.params.names.len();
        if code.cell_params.is_empty() && !self.frame.locals[..count].iter().any(is_shown) {
            return Ok(());
        }
        for (slot, param) in code.params.names.iter().enumerate() {
            let vararg =
                code.params.var_positional == Some(slot as u32) || code.params.var_keyword == Some(slot as u32);
            if vararg {
                continue;
            }
            // Only these are shown; a parameter that stands in a cell has left its slot.
            match &self.frame.locals[slot] {
                Value::Array(_) | Value::Object(_) | Value::Unknown(_) => {}
                Value::Instance(instance) if instance.is_shown() => {}
                Value::Unbound if !code.cell_params.is_empty() => {}
                _ => continue,
            }
            let value = match code.cell_params.iter().find(|(s, _)| *s as usize == slot) {
                Some((_, cell)) => self.cell(*cell).read().clone(),
                None => self.frame.locals[slot].clone(),
            };
            if self.it.recorder.saw_param(self.file, param.span, &value) {
                self.it.novelty.set(self.it.novelty.get() + 1);
            }
        }
        Ok(())
    }

    /// Keeps the first call of the function that a graph is wanted of.
    #[cold]
    fn keep_call(&self, function: &Rc<Function>) {
        let graphs = &self.it.graphs;
        let meant = graphs.target.get().is_some_and(|name| super::is_meant(&function.qualname(), &name));
        if !meant || graphs.call.borrow().is_some() {
            return;
        }
        let code = self.code;
        let held = |slot: usize| match code.cell_params.iter().find(|(s, _)| *s as usize == slot) {
            Some((_, cell)) => self.cell(*cell).read().clone(),
            None => self.frame.locals[slot].clone(),
        };
        let mut args = Args::none();
        let positional = code.params.positional as usize;
        for (slot, param) in code.params.names.iter().enumerate() {
            let at = Some(slot as u32);
            match held(slot) {
                value if slot < positional => args.positional.push(value),
                Value::Tuple(rest) if at == code.params.var_positional => args.positional.extend(rest.iter().cloned()),
                Value::Dict(rest) if at == code.params.var_keyword => {
                    for (name, value) in rest.read().iter() {
                        args.keyword.push((Symbol::from(name.value.as_str().unwrap_or_default()), value.clone()));
                    }
                }
                value => args.keyword.push((param.name, value)),
            }
        }
        *graphs.call.borrow_mut() = Some((function.clone(), args));
    }

    /// Whether this run is inside a branch whose condition is not known.
    pub fn speculating(&self) -> bool {
        journal::speculating()
    }
}
