//! Frames, and the run of a function's body.

use std::rc::Rc;

use super::flat::{Elements, Flat, Loops};
use super::generator::Channel;
use super::{DEEP, Interp, RECURSION_LIMIT};
use crate::module::{Body, Code, CodeId, CodeKind, MODULE_CODE, Module, Place, Symbol};
use crate::python::container::join_values;
use crate::python::halt::{Halt, Site, Step};
use crate::python::{Args, Attrs, CellRef, FileId, Function, ModuleObject, Mutable, Unit, Value, journal};
use crate::text::Span;

/// Slots come in sizes: this, twice this, and so on.
const LEAST_SLOTS: usize = 8;
/// How many sizes of slots are kept for later runs, and how many of each.
pub(super) const SLOT_CLASSES: usize = 4;
const MOST_SPARE: usize = 256;

/// The smallest size that holds so many slots.
#[inline]
fn class_of(count: usize) -> usize {
    match count <= LEAST_SLOTS {
        true => 0,
        false => (count.next_power_of_two() / LEAST_SLOTS).trailing_zeros() as usize,
    }
}

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

/// Variables of one activation.
pub struct Frame {
    /// Local slots.
    pub locals: Vec<Value>,
    /// Own cells.
    pub cells: Option<Box<[CellRef]>>,
    /// Names of a class body.
    pub names: Option<Rc<Mutable<Attrs>>>,
    /// What branches of unknown conditions may have done, where there were any.
    pub doubts: Option<Box<Doubts>>,
}

/// What branches of unknown conditions may have done.
#[derive(Default)]
pub struct Doubts {
    /// A value that the body may have returned.
    pub maybe_returned: Option<Value>,
    /// Loops that a `break` may have left: the innermost loop takes it.
    pub open_loops: Vec<crate::python::Why>,
}

impl Frame {
    /// The value that the body may have returned; it is taken out.
    #[inline]
    pub fn take_maybe_returned(&mut self) -> Option<Value> {
        self.doubts.as_mut().and_then(|doubts| doubts.maybe_returned.take())
    }
    /// Sets the value that the body may have returned.
    pub fn set_maybe_returned(&mut self, value: Option<Value>) {
        if value.is_some() || self.doubts.is_some() {
            self.doubts.get_or_insert_default().maybe_returned = value;
        }
    }
    /// The body may have returned this.
    pub fn may_return(&mut self, value: Value) {
        let maybe = &mut self.doubts.get_or_insert_default().maybe_returned;
        *maybe = Some(match maybe.take() {
            Some(other) => join_values(&other, &value),
            None => value,
        });
    }
    /// Forgets the loops that may have been left, but for the first ones.
    pub fn close_loops(&mut self, but: usize) {
        if let Some(doubts) = &mut self.doubts {
            doubts.open_loops.truncate(but);
        }
    }
    /// How many loops may have been left.
    #[inline]
    pub fn open_loops(&self) -> usize {
        self.doubts.as_ref().map_or(0, |doubts| doubts.open_loops.len())
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
    /// The comprehension whose last clause runs in the flat form.
    pub(super) elements: Option<Box<Elements>>,
}

/// What a generator has given that yielded in a branch on an unknown condition; shared with the generator.
pub type Lost = Rc<std::cell::RefCell<Option<Value>>>;

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
        let mut locals = it.slots(count);
        locals[..count].fill(Value::Unbound);
        Run::with_locals(it, home, unit, code, captured, locals)
    }

    /// A run of `code` with these values in its local slots.
    #[inline]
    fn with_locals(
        it: &'a Rc<Interp>,
        home: &'a Rc<ModuleObject>,
        unit: &'a Rc<Unit>,
        code: &'a Code,
        captured: &'a [CellRef],
        locals: Vec<Value>,
    ) -> Run<'a> {
        let cells = match code.cells.len() {
            0 => None,
            count => Some((0..count).map(|_| new_cell()).collect()),
        };
        Run {
            it,
            home,
            unit,
            module: &unit.module,
            code,
            frame: Frame { locals, cells, names: None, doubts: None },
            captured,
            user: unit.user,
            file: unit.file,
            channel: None,
            function: None,
            body_id: None,
            branches: 0,
            round_at: None,
            yields: 0,
            lost: None,
            loops: None,
            elements: None,
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
    pub fn is_lost(&self) -> bool {
        self.lost.as_ref().is_some_and(|lost| lost.borrow().is_some())
    }

    /// Lets go of the variables, for the next run.
    pub fn recycle(&mut self) {
        self.it.recycle(std::mem::take(&mut self.frame.locals));
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
        if let Some(value) = self.home.extra.read().get(&name) {
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
                    return self.dunder_global(name).ok_or_else(|| name_error(name));
                }
            }
        }
        Ok(cache[slot as usize].clone())
    }

    /// `__name__`, `__file__` and the like, which no text binds.
    fn dunder_global(&self, name: Symbol) -> Option<Value> {
        match name.as_str() {
            "__name__" => Some(Value::str(self.home.name.as_str())),
            "__doc__" => Some(Value::None),
            "__package__" => Some(Value::str(self.home.package())),
            "__spec__" | "__loader__" => Some(Value::None),
            "__builtins__" => Some(Value::unknown("the builtins module")),
            _ => None,
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

#[cold]
#[inline(never)]
fn new_slots(count: usize) -> Vec<Value> {
    vec![Value::Unbound; count]
}

#[cold]
#[inline(never)]
fn drop_slots(slots: Vec<Value>) {
    drop(slots);
}

impl Interp {
    /// Calls a function of Python text.
    ///
    /// # Errors
    /// What binding the arguments or running the body raises.
    pub fn call_function(self: &Rc<Self>, function: &Rc<Function>, args: Args) -> Step<Value> {
        self.deeper(|| self.run_function(function, args))
    }

    /// Runs the body of a call one level deeper.
    #[inline(always)]
    fn deeper(&self, body: impl FnOnce() -> Step<Value>) -> Step<Value> {
        let depth = self.depth.get();
        if depth >= RECURSION_LIMIT {
            return Err(Halt::raise("RecursionError", "maximum recursion depth exceeded"));
        }
        if depth >= DEEP {
            self.was_deep.set(true);
        }
        self.depth.set(depth + 1);
        let result = self.with_stack(body);
        self.depth.set(depth);
        result
    }

    /// At least so many slots, with numbers of earlier runs in them.
    #[inline(always)]
    fn slots(&self, count: usize) -> Vec<Value> {
        let class = class_of(count);
        match self.spare_slots.borrow_mut().get_mut(class).and_then(Vec::pop) {
            Some(slots) => slots,
            None => new_slots(count.max(LEAST_SLOTS << class)),
        }
    }

    /// Keeps slots for a later run.
    #[inline]
    pub fn recycle(&self, mut slots: Vec<Value>) {
        // What dies with the variables may run code of ours, but none that asks for slots.
        for slot in &mut slots {
            Value::clear(slot);
        }
        self.keep_slots(slots);
    }

    /// Keeps slots with nothing but plain values in them.
    #[inline(always)]
    fn keep_slots(&self, slots: Vec<Value>) {
        let mut spare = self.spare_slots.borrow_mut();
        if slots.len() >= LEAST_SLOTS
            && let Some(spare) = spare.get_mut((slots.len() / LEAST_SLOTS).trailing_zeros() as usize)
            && spare.len() < MOST_SPARE
        {
            spare.push(slots);
        } else {
            drop(spare);
            drop_slots(slots);
        }
    }

    /// Begins a call of a function with positional parameters only: the arguments are put in one by one.
    #[inline(always)]
    pub(super) fn entry<'f>(&self, function: &'f Function) -> Entry<'f> {
        let (unit, id) = function.body();
        let code = unit.module.code(id);
        let flat = if unit.user && self.watch.on.get() { None } else { unit.flats.of(unit, id, self.translate.get()) };
        let slots = self.slots(flat.map_or(code.locals.len(), |flat| flat.registers));
        Entry { unit, code, flat, slots, given: 0 }
    }

    /// Makes the call, which was given an argument for each parameter.
    ///
    /// # Errors
    /// What running the body raises.
    #[inline(never)]
    pub(super) fn call_entered(self: &Rc<Self>, function: &Rc<Function>, entry: Entry<'_>) -> Step<Value> {
        self.call_entered_here(function, entry)
    }

    /// As [`Interp::call_entered`], for the place that most calls come from.
    #[inline(always)]
    pub(super) fn call_entered_here(self: &Rc<Self>, function: &Rc<Function>, entry: Entry<'_>) -> Step<Value> {
        let depth = self.depth.get();
        if depth >= DEEP || self.is_stack_low() {
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
        self.deeper(|| self.run_entered(function, entry))
    }

    #[inline(always)]
    fn run_entered(self: &Rc<Self>, function: &Rc<Function>, mut entry: Entry<'_>) -> Step<Value> {
        let Entry { unit, code, flat, given, .. } = entry;
        for slot in &mut entry.slots[given..code.locals.len()] {
            *slot = Value::Unbound;
        }
        let mut run = Run::with_locals(self, &function.module, unit, code, &function.captured, entry.slots);
        run.function = Some(function);
        if !code.cell_params.is_empty() {
            run.move_cell_params();
        }
        let result = run.whole_body(function, flat);
        self.recycle(run.frame.locals);
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
            return Ok(Value::unknown("coroutines are not run"));
        }
        let mut run = Run::new(self, home, unit, code, &function.captured);
        run.function = Some(function);
        run.body_id = Some(id);
        run.bind(function, args)?;
        let result = run.whole_body(function, None);
        self.recycle(run.frame.locals);
        result
    }

    /// Runs a module's body.
    ///
    /// # Errors
    /// What the body raises.
    pub fn run_module(self: &Rc<Self>, module: &Rc<ModuleObject>) -> Step<()> {
        module.started.set(true);
        let unit = module.unit.clone();
        let code = unit.module.code(MODULE_CODE);
        let mut run = Run::new(self, module, &unit, code, &[]);
        if run.user {
            self.user_stack.borrow_mut().push((run.site(code.name_span), code.name));
        }
        let result = match &code.body {
            Body::Block(statements) if module.name.as_str() == "__main__" => run.program(statements),
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
    fn whole_body(&mut self, function: &Rc<Function>, flat: Option<&'a Flat>) -> Step<Value> {
        if self.user {
            self.enter(function)?;
            self.it.user_stack.borrow_mut().push((self.site(self.code.name_span), self.code.name));
            let result = self.body_as(flat);
            self.it.user_stack.borrow_mut().pop();
            result
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

    /// What a body returns that ended so.
    fn returned(&mut self, flow: Flow) -> Value {
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
    fn move_cell_params(&mut self) {
        for (slot, cell) in &self.code.cell_params {
            let value = std::mem::replace(&mut self.frame.locals[*slot as usize], Value::Unbound);
            *self.cell(*cell).write() = value;
        }
    }

    /// Notes that the body of a user's function runs, and what its parameters are.
    #[inline(always)]
    pub(super) fn enter(&mut self, function: &Rc<Function>) -> Step<()> {
        let code = self.code;
        let shown = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_) | Value::Unknown(_));
        let quiet = self.it.engine.is_top_level()
            && self.it.graphs.target.get().is_none()
            && code.cell_params.is_empty()
            && !self.frame.locals[..code.params.names.len()].iter().any(shown);
        if quiet { Ok(()) } else { self.enter_noted(function) }
    }

    #[inline(never)]
    fn enter_noted(&mut self, function: &Rc<Function>) -> Step<()> {
        let code = self.code;
        if code.kind == CodeKind::Function && !self.it.engine.is_top_level() {
            // Rounds of a widened loop are not all run; what a cache keeps would not run again in them.
            let hidden = self.it.in_widened_loop.get() && self.it.cached_runs.get() == 0 || self.it.doubtful_runs.get();
            self.it.recorder.ran(self.file, function.code, hidden);
        }
        if code.kind != CodeKind::Function {
            return Ok(());
        }
        if self.it.graphs.target.get().is_some() {
            self.keep_call(function);
        }
        let shown = |value: &Value| matches!(value, Value::Array(_) | Value::Object(_) | Value::Unknown(_));
        let count = code.params.names.len();
        if code.cell_params.is_empty() && !self.frame.locals[..count].iter().any(shown) {
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

    /// Binds arguments to parameters.
    pub fn bind(&mut self, function: &Rc<Function>, args: Args) -> Step<()> {
        let code = self.code;
        let params = &code.params;
        let positional = params.positional as usize;
        let given = args.positional.len();
        let simple = given == positional
            && args.keyword.is_empty()
            && params.keyword_only == 0
            && params.var_positional.is_none()
            && params.var_keyword.is_none();
        if simple {
            for (slot, value) in self.frame.locals.iter_mut().zip(args.positional) {
                *slot = value;
            }
        } else {
            let user = self.user;
            self.bind_general(function, args).map_err(|halt| halt.certain_if(user))?;
        }
        self.move_cell_params();
        Ok(())
    }

    fn bind_general(&mut self, function: &Rc<Function>, args: Args) -> Step<()> {
        let params = &self.code.params;
        let positional = params.positional as usize;
        let keyword_only = params.keyword_only as usize;
        let given = args.positional.len();
        let mut extra = Vec::new();
        for (i, value) in args.positional.into_iter().enumerate() {
            if i < positional {
                self.frame.locals[i] = value;
            } else {
                extra.push(value);
            }
        }
        let mut extra_keywords = crate::python::DictItems::default();
        let named = &params.names[..positional + keyword_only];
        let mut positional_by_name = Vec::new();
        for (name, value) in args.keyword {
            let at = named.iter().position(|p| p.name == name);
            match at {
                Some(at) if at >= params.positional_only as usize => {
                    if !self.frame.locals[at].is_unbound() {
                        return Err(Halt::type_error(format!(
                            "{}() got multiple values for argument '{name}'",
                            function.qualname()
                        )));
                    }
                    self.frame.locals[at] = value;
                }
                _ if params.var_keyword.is_some() => {
                    extra_keywords.insert(crate::python::Key::str(&name), value);
                }
                Some(_) => positional_by_name.push(name),
                None => {
                    return Err(Halt::type_error(format!(
                        "{}() got an unexpected keyword argument '{name}'",
                        function.qualname()
                    )));
                }
            }
        }
        if !positional_by_name.is_empty() {
            let names: Vec<&str> = positional_by_name.iter().map(|n| n.as_str()).collect();
            return Err(Halt::type_error(format!(
                "{}() got some positional-only arguments passed as keyword arguments: '{}'",
                function.qualname(),
                names.join(", ")
            )));
        }
        if !extra.is_empty() && params.var_positional.is_none() {
            return Err(self.too_many(function, given));
        }
        let first_default = positional - function.defaults.len().min(positional);
        let mut missing = Vec::new();
        for i in 0..positional {
            if self.frame.locals[i].is_unbound() {
                match i.checked_sub(first_default).and_then(|d| function.defaults.get(d)) {
                    Some(default) => self.frame.locals[i] = default.clone(),
                    None => missing.push(params.names[i].name),
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing_arguments(function, "positional", &missing));
        }
        for i in 0..keyword_only {
            let slot = positional + i;
            if self.frame.locals[slot].is_unbound() {
                match function.kw_defaults.get(i) {
                    Some(default) if !default.is_unbound() => self.frame.locals[slot] = default.clone(),
                    _ => missing.push(params.names[slot].name),
                }
            }
        }
        if !missing.is_empty() {
            return Err(missing_arguments(function, "keyword-only", &missing));
        }
        if let Some(slot) = params.var_positional {
            self.frame.locals[slot as usize] = Value::tuple(extra);
        }
        if let Some(slot) = params.var_keyword {
            self.frame.locals[slot as usize] = Value::Dict(crate::python::Dict::new(extra_keywords));
        }
        Ok(())
    }

    fn too_many(&self, function: &Rc<Function>, given: usize) -> Halt {
        let params = &self.code.params;
        let most = params.positional as usize;
        let least = most - function.defaults.len().min(most);
        let takes = if least < most { format!("from {least} to {most}") } else { most.to_string() };
        let arguments = if most == 1 && least == most { "argument" } else { "arguments" };
        let keyword_given =
            (0..params.keyword_only as usize).filter(|i| !self.frame.locals[most + i].is_unbound()).count();
        let given_text = if keyword_given > 0 {
            let s = if keyword_given == 1 { "" } else { "s" };
            format!(
                "{given} positional argument{} (and {keyword_given} keyword-only argument{s}) were given",
                if given == 1 { "" } else { "s" }
            )
        } else {
            format!("{given} {} given", if given == 1 { "was" } else { "were" })
        };
        Halt::type_error(format!("{}() takes {takes} positional {arguments} but {given_text}", function.qualname()))
    }

    /// Whether this run is inside a branch whose condition is not known.
    pub fn speculating(&self) -> bool {
        journal::speculating()
    }
}

fn missing_arguments(function: &Rc<Function>, kind: &str, names: &[Symbol]) -> Halt {
    let quoted: Vec<String> = names.iter().map(|n| format!("'{n}'")).collect();
    let list = match quoted.as_slice() {
        [one] => one.clone(),
        [a, b] => format!("{a} and {b}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
        [] => String::new(),
    };
    let s = if names.len() == 1 { "" } else { "s" };
    Halt::type_error(format!("{}() missing {} required {kind} argument{s}: {list}", function.qualname(), names.len()))
}
