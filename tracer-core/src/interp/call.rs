//! Calls.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use smallvec::SmallVec;

use super::Interp;
use super::function::Run;
use super::open_call::Open;
use super::used_up::Use;
use crate::module::{Arg, Code, CodeId, Defaults, Expr, ExprId, FunctionDef, Symbol};
use crate::python::class::Root;
use crate::python::container::join_values;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, CellRef, Class, Function, Instance, Value};

impl<'a> Run<'a> {
    /// A call expression.
    pub fn call_expr(&mut self, id: ExprId, function: ExprId, args: &[Arg]) -> Step<Value> {
        // A method call does not make the bound method.
        let (callee, receiver) = match self.module.expr(function) {
            Expr::Attribute(value, name) => {
                self.it.spend()?;
                let value = self.eval(*value)?;
                if self.watches_writes() {
                    self.calls_on(&value, *name, self.module.span(function));
                }
                match self.it.load_method(&value, *name) {
                    Ok((callee, receiver)) => {
                        if self.user {
                            self.saw_callee(function, &callee, receiver.is_some());
                        }
                        if callee.is_unknown() {
                            self.it.calls_unknown_of(&value, &callee);
                        }
                        (callee, receiver)
                    }
                    Err(halt) => {
                        if self.it.repro.on.get() {
                            self.it.blamed_call();
                        }
                        // The attribute expression is the innermost place of its own failure.
                        let callee = self.attribute_failed(function, &value, *name, halt)?;
                        self.it.calls_unknown_of(&value, &callee);
                        (callee, None)
                    }
                }
            }
            Expr::Name(_, name) if args.is_empty() && name.as_str() == "super" => {
                let callee = self.eval(function)?;
                if let Value::Class(class) = &callee
                    && Rc::ptr_eq(class, &self.it.types.super_)
                {
                    return self.zero_argument_super();
                }
                (callee, None)
            }
            Expr::Name(_, name) if args.len() == 1 && matches!(name.as_str(), "exec" | "eval") => {
                let callee = self.eval(function)?;
                if let [Arg::Positional(text)] = args
                    && self.it.is_builtin(*name, &callee)
                {
                    // Without names of its own, the text has the caller's.
                    let text = self.eval(*text)?;
                    let (globals, locals) = (self.namespace("globals")?, self.namespace("locals")?);
                    self.stand_at(id);
                    return self.marked(id, |run| run.it.call_with(&callee, [text, globals, locals]));
                }
                (callee, None)
            }
            Expr::Name(_, name)
                if args.is_empty() && matches!(name.as_str(), "locals" | "globals" | "vars" | "dir") =>
            {
                let callee = self.eval(function)?;
                if let Value::Native(_) | Value::Class(_) = &callee
                    && self.it.is_builtin(*name, &callee)
                {
                    return self.namespace(name.as_str());
                }
                (callee, None)
            }
            _ => (self.eval(function)?, None),
        };
        if let Some(generator) = self.only_generator(args)
            && receiver.is_none()
            && let Some(taker) = self.use_of_elements(&callee)
            && (!self.user || !self.it.watch.on.get())
        {
            self.stand_at(id);
            return self.call_with_elements(id, &callee, generator, taker);
        }
        let asked = self.user && self.it.graphs.target.get().is_some_and(|name| self.is_called_by(function, name));
        if let Value::Function(function) = &callee
            && !asked
            && takes_exactly(function, args, receiver.is_some())
            && (!(self.user || self.it.repro.on.get()) || !function.module.unit.ours)
            // What a library asks the framework to do is noted like what a program asks it.
            && (self.home.unit.ours || !function.module.unit.ours || function.module.unit.standard)
            && !(self.it.repro.on.get() && self.it.repro.gave(&callee))
        {
            let mut entry = self.it.entry(function);
            if let Some(receiver) = receiver {
                entry.put(receiver);
            }
            for arg in args {
                if let Arg::Positional(value) = arg {
                    entry.put(self.eval(*value)?);
                }
            }
            self.stand_at(id);
            return self.marked(id, |run| run.it.call_entered(function, entry));
        }
        if let (Value::Class(class), None) = (&callee, &receiver)
            && all_positional(args)
            && let Some(init) = self.it.plain_init(class, args.len())
            && (!(self.user || self.it.repro.on.get()) || !init.module.unit.ours)
        {
            let instance = Value::Instance(Instance::made_at(class.clone(), self.made_by(id)));
            let mut entry = self.it.entry(&init);
            entry.put(instance.clone());
            for arg in args {
                if let Arg::Positional(value) = arg {
                    entry.put(self.eval(*value)?);
                }
            }
            self.stand_at(id);
            let result = self.marked(id, |run| run.it.call_entered(&init, entry));
            self.it.initialized(&instance, &init, result)?;
            return Ok(instance);
        }
        if let (Value::Class(class), None) = (&callee, &receiver)
            && class.is_builtin()
            && !asked
            && !self.it.repro.on.get()
            && args.len() <= MOST_PLAIN
            && all_positional(args)
        {
            let mut values: SmallVec<[Value; MOST_PLAIN]> = SmallVec::new();
            for arg in args {
                if let Arg::Positional(value) = arg {
                    values.push(self.eval(*value)?);
                }
            }
            return match self.it.plainly_made(class, &values) {
                Some(made) => Ok(made),
                None => self.call_given(id, &callee, Args::of(values)),
            };
        }
        if let Value::Native(native) = &callee
            && let Some(direct) = &native.direct
            && !self.it.repro.on.get()
            && let given = args.len() + receiver.is_some() as usize
            && (direct.arity.0..=direct.arity.1).contains(&given)
            && all_positional(args)
        {
            let mut values: SmallVec<[Value; 4]> = SmallVec::new();
            if let Some(receiver) = receiver {
                values.push(receiver);
            }
            for arg in args {
                if let Arg::Positional(value) = arg {
                    values.push(self.eval(*value)?);
                }
            }
            if self.watches_writes() {
                self.sets_by_name(&callee, &values, self.module.span(id));
            }
            self.stand_at(id);
            return self.marked(id, |run| (direct.run)(run.it, &values));
        }
        let mut call = Args { positional: SmallVec::new(), keyword: Vec::new() };
        if let Some(receiver) = receiver {
            call.positional.push(receiver);
        }
        let unread = match &callee {
            Value::Native(native) if native.name == sym!("print") => self.it.is_builtin(sym!("print"), &callee),
            Value::Unknown(_) => true,
            _ => false,
        };
        // The other arguments are evaluated all the same.
        let mut open = Open::default();
        for arg in args {
            match arg {
                Arg::Positional(value) if unread => {
                    let value = self.eval_unread(*value)?;
                    call.positional.push(value);
                }
                Arg::Positional(value) => {
                    let value = self.eval(*value)?;
                    call.positional.push(value);
                }
                Arg::Keyword(name, value) => {
                    let value = self.eval(*value)?;
                    if call.keyword.iter().any(|(n, _)| n == name) {
                        return Err(Halt::type_error(format!(
                            "{}() got multiple values for keyword argument '{name}'",
                            self.it.callable_name(&callee)
                        )));
                    }
                    call.keyword.push((*name, value));
                }
                Arg::Star(values) => {
                    let values = self.eval(*values)?;
                    let mut items = Vec::new();
                    let spread = match &values {
                        Value::Unknown(unknown) if unknown.or_none.is_none() => Err(Halt::Unknown(unknown.why.clone())),
                        values => self.it.extend_vec(&mut items, values),
                    };
                    match spread {
                        Ok(()) => call.positional.extend(items),
                        Err(Halt::Unknown(why)) => open.more_positional(call.positional.len(), why),
                        Err(halt) => {
                            let alone = args.iter().all(|arg| !matches!(arg, Arg::Positional(_)));
                            let what = match alone {
                                true => format!("{}() argument", self.it.callable_name(&callee)),
                                false => "Value".to_owned(),
                            };
                            return Err(self.it.not_iterable_behind(&what, &values, halt));
                        }
                    }
                }
                Arg::DoubleStar(values) => {
                    let values = self.eval(*values)?;
                    match self.it.keywords_from(&mut call, &callee, &values) {
                        Err(Halt::Unknown(why)) => open.more_keywords(why),
                        result => result?,
                    }
                }
            }
        }
        if open.is_open() {
            self.stand_at(id);
            return self.marked(id, |run| run.it.call_open(&callee, call, &open));
        }
        if self.watches_writes() {
            self.sets_by_name(&callee, &call.positional, self.module.span(id));
        }
        if asked {
            self.it.graphs.by_name.borrow_mut().get_or_insert_with(|| (callee.clone(), call.clone()));
        }
        self.call_given(id, &callee, call)
    }

    /// Calls what a call expression calls, with its arguments.
    fn call_given(&mut self, id: ExprId, callee: &Value, call: Args) -> Step<Value> {
        self.stand_at(id);
        if !self.user {
            if !self.home.unit.ours && self.it.is_of_prelude(callee) {
                return self.it.array_hooks()?.call(self.it, callee, call);
            }
            return self.it.call(callee, call);
        }
        let name = if self.it.graphs.wanted.get() { self.name_of_object(id, callee) } else { None };
        let before = name.map(|name| self.it.graphs.called.replace(Some((callee.clone(), name))));
        let result = self.marked(id, |run| run.call_from_user(callee, call));
        if let Some(before) = before {
            self.it.graphs.called.replace(before);
        }
        result
    }

    /// Calls a function that has as many parameters as there are arguments in these registers, and the one before them
    /// that may be given; they are moved out.
    #[inline(never)]
    pub(super) fn call_plain(
        &mut self,
        id: ExprId,
        function: &Rc<Function>,
        first: Option<&Value>,
        args: std::ops::Range<usize>,
    ) -> Step<Value> {
        let mut entry = self.it.entry(function);
        if let Some(first) = first {
            entry.put(first.clone());
        }
        for value in &mut self.frame.locals[args] {
            entry.put(take(value));
        }
        self.stand_at(id);
        self.marked(id, |run| run.it.call_entered(function, entry))
    }

    /// Makes an instance by calling the `__init__` with what is in these registers behind it; they are taken.
    #[inline]
    pub(super) fn instance_by(
        &mut self,
        id: ExprId,
        class: Rc<Class>,
        init: &Rc<Function>,
        args: std::ops::Range<usize>,
    ) -> Step<Value> {
        let instance = Value::Instance(Instance::made_at(class, self.made_by(id)));
        let result = self.call_hot(id, init, Some(&instance), args);
        self.it.initialized(&instance, init, result)?;
        Ok(instance)
    }

    /// Calls a native function of positional arguments with what is in these registers; they are emptied.
    #[inline]
    pub(super) fn call_direct(
        &mut self,
        id: ExprId,
        direct: fn(&Rc<Interp>, &[Value]) -> Step<Value>,
        args: std::ops::Range<usize>,
    ) -> Step<Value> {
        self.stand_at(id);
        let result = self.marked(id, |run| direct(run.it, &run.frame.locals[args.clone()]));
        for value in &mut self.frame.locals[args] {
            Value::clear(value);
        }
        result
    }

    /// Calls with arguments that stand in registers next to each other, a receiver first; they are moved out. What is
    /// called is no function with as many parameters, and no native one of positional arguments.
    #[inline]
    pub(super) fn call_registers(
        &mut self,
        id: ExprId,
        callee: Value,
        args: std::ops::Range<usize>,
        has_receiver: bool,
    ) -> Step<Value> {
        let given = args.len();
        if let Value::Class(class) = &callee
            && given == 1
            && let Some(value) = self.it.converted(class, &self.frame.locals[args.start])
        {
            Value::clear(&mut self.frame.locals[args.start]);
            return Ok(value);
        }
        if let Value::Class(class) = &callee
            && !has_receiver
            && let Some(init) = self.it.plain_init(class, given)
            && (!self.user || !init.module.unit.ours)
        {
            let class = class.clone();
            return self.instance_by(id, class, &init, args);
        }
        let given = self.frame.locals[args].iter_mut().map(take);
        if let Value::Native(native) = &callee {
            let call = Args::of(given);
            self.stand_at(id);
            return self.marked(id, |run| (native.body)(run.it, call));
        }
        if let Value::Class(class) = &callee
            && !has_receiver
            && class.root == Root::Exception
            && class.is_builtin()
        {
            // Python's own exceptions keep what they are called with.
            return Ok(Value::Instance(Instance::with_payload(class.clone(), Value::tuple(given))));
        }
        let call = Args::of(given);
        self.call_given(id, &callee, call)
    }

    /// Calls with what is in registers; the last ones are given by these names. They are moved out.
    pub(super) fn call_with_names(
        &mut self,
        id: ExprId,
        callee: &Value,
        args: std::ops::Range<usize>,
        names: &[Symbol],
    ) -> Step<Value> {
        let positional = args.end - names.len();
        let given = self.frame.locals[args.start..positional].iter_mut().map(take).collect();
        let named = self.frame.locals[positional..args.end].iter_mut().map(take);
        let keyword = names.iter().copied().zip(named).collect();
        self.call_given(id, callee, Args { positional: given, keyword })
    }

    /// Whether who calls this function from here, with what is in these registers, asks the framework to.
    #[inline]
    pub(super) fn is_handed_on(&self, function: &Function, args: std::ops::Range<usize>) -> bool {
        function.module.unit.ours && (self.user || !self.home.unit.ours) && !self.is_plain_call(function, args)
    }

    /// Whether it is a function of the standard library's that is given nothing which is shown, outside of any trace.
    fn is_plain_call(&self, function: &Function, args: std::ops::Range<usize>) -> bool {
        function.module.unit.standard
            && self.it.engine.is_top_level()
            && !self.frame.locals[args].iter().any(crate::python::value::is_shown)
    }

    /// A call that the user wrote.
    fn call_from_user(&mut self, callee: &Value, call: Args) -> Step<Value> {
        let functions = super::handed::functions_of(callee, &call);
        let hands_functions = functions.iter().any(super::handed::is_the_programs_own);
        let given = call.positional.len();
        let result = self.call_from_user_now(callee, call, hands_functions);
        if let Err(Halt::Unknown(why)) = &result
            && !functions.is_empty()
        {
            self.perhaps_called(&functions, given, why);
        }
        result
    }

    fn call_from_user_now(&mut self, callee: &Value, call: Args, hands_functions: bool) -> Step<Value> {
        if let Some(value) = self.it.call_of_choices(callee, &call) {
            return value;
        }
        match self.it.meant_arguments(callee, &call) {
            Some(asked) => {
                let (meant, taken) = asked?;
                let value = self.call_known(callee, meant, hands_functions)?;
                Ok(taken.map_or_else(|| value.clone(), |taken| join_values(&taken, &value)))
            }
            None => self.call_known(callee, call, hands_functions),
        }
    }

    fn call_known(&mut self, callee: &Value, call: Args, hands_functions: bool) -> Step<Value> {
        if !self.it.is_of_prelude(callee) {
            return match callee {
                Value::Object(_) => self.it.array_hooks()?.call(self.it, callee, call),
                _ => self.it.call(callee, call),
            };
        }
        if self.it.engine.is_top_level() {
            return self.it.array_hooks()?.call(self.it, callee, call);
        }
        let given: SmallVec<[usize; 4]> =
            call.positional.iter().filter(|v| matches!(v, Value::Array(_))).map(Value::identity).collect();
        match self.it.array_hooks()?.call(self.it, callee, call)? {
            // What the program's function has given of outside is as it was: somebody else holds it.
            Value::Array(array) if hands_functions && Rc::strong_count(&array) > 1 => Ok(Value::Array(array)),
            // A constant that a framework's function makes while a graph is built is a value of that graph.
            Value::Array(array) if !array.is_tracer() && !given.contains(&Value::Array(array.clone()).identity()) => {
                Ok(Value::Array(self.it.engine.staged(&array)))
            }
            value => Ok(value),
        }
    }

    /// The user's call that makes what this call makes.
    #[inline]
    pub(super) fn made_by(&self, call: ExprId) -> Option<crate::python::Site> {
        match self.user {
            true => Some(crate::python::Site { file: self.file, span: self.module.span(call) }),
            false => self.it.standing(),
        }
    }

    /// Notes that the innermost frame of the user stands at this call.
    #[inline]
    pub(super) fn stand_at(&self, call: ExprId) {
        if self.user
            && let Some(top) = self.it.user_stack.borrow_mut().last_mut()
        {
            top.0 = crate::python::Site { file: self.file, span: self.module.span(call) };
        }
    }

    pub(super) fn saw_callee(&mut self, expr: ExprId, callee: &Value, bound: bool) {
        // A bound method is no array; an attribute that is one is called only by mistake.
        if !bound && matches!(callee, Value::Array(_) | Value::Object(_) | Value::Unknown(_)) {
            self.it.recorder.saw(self.file, expr, self.module.exprs.len(), callee);
        }
    }

    #[cold]
    pub(super) fn attribute_failed(&mut self, expr: ExprId, value: &Value, name: Symbol, halt: Halt) -> Step<Value> {
        match self.removed_name(expr, value, name, halt)? {
            Ok(replacement) => Ok(replacement),
            Err(halt) => self.attribute_missing(expr, halt),
        }
    }

    fn attribute_missing(&mut self, expr: ExprId, halt: Halt) -> Step<Value> {
        match halt {
            Halt::Raise(mut exception) if self.user => {
                self.place(&mut exception, self.module.span(expr));
                Err(Halt::Raise(exception))
            }
            // The arguments are evaluated all the same.
            Halt::Unknown(why) if self.user => self.halted(expr, Halt::Unknown(why)),
            other => Err(other),
        }
    }

    /// Makes a function of a `def` or `lambda`.
    pub fn make_function(&mut self, code: CodeId, defaults: &Defaults, def: Option<&FunctionDef>) -> Step<Value> {
        let mut positional = Vec::with_capacity(defaults.positional.len());
        for default in &defaults.positional {
            positional.push(self.eval(*default)?);
        }
        let mut keyword_only = Vec::with_capacity(defaults.keyword_only.len());
        for default in &defaults.keyword_only {
            keyword_only.push(match default {
                Some(default) => self.eval(*default)?,
                None => Value::Unbound,
            });
        }
        let head = self.module.head(code);
        let captured = match head.captures {
            true => self.module.code(code).frees.iter().map(|(_, cell)| self.cell(*cell).clone()).collect(),
            false => Box::default(),
        };
        Ok(Value::Function(Rc::new(Function {
            module: self.home.clone(),
            unit: self.unit.clone(),
            code,
            later: OnceCell::new(),
            hot: OnceCell::new(),
            plain_arity: head.plain_arity,
            defaults: positional.into(),
            kw_defaults: keyword_only.into(),
            captured,
            short: Cell::default(),
            memo: OnceCell::new(),
            returns: def.and_then(|d| d.returns),
            attrs: OnceCell::new(),
        })))
    }

    /// Runs a generator expression's code on its first iterator, and hands its elements on.
    pub(super) fn run_elements(&mut self, code: CodeId, iterator: Value, taker: Use) -> Step<Use> {
        let inner = self.module.code(code);
        let captured = self.captured_by(inner);
        let it = self.it;
        let mut run = self.run_of_clauses(code, &captured, iterator);
        let result = it.with_stack(|| run.elements(taker));
        run.recycle();
        result
    }

    /// The cells that code captures which stands in this one.
    #[inline]
    fn captured_by(&self, inner: &Code) -> SmallVec<[CellRef; 4]> {
        inner.frees.iter().map(|(_, cell)| self.cell(*cell).clone()).collect()
    }

    /// A run of the clauses of a comprehension, with their first iterator.
    #[inline]
    fn run_of_clauses<'b>(&self, code: CodeId, captured: &'b [CellRef], iterator: Value) -> Run<'b>
    where
        'a: 'b,
    {
        let inner = self.module.code(code);
        let mut run = match self.unit.flats.made(code) {
            Some(flat) => Run::in_slots(self.it, self.home, self.unit, inner, captured, flat),
            None => Run::new(self.it, self.home, self.unit, inner, captured),
        };
        Value::put(&mut run.frame.locals[0], iterator);
        run.body_id = Some(code);
        run
    }

    /// Runs a comprehension's code on its first iterator.
    pub fn run_comprehension(&mut self, code: CodeId, iterator: Value) -> Step<Value> {
        let inner = self.module.code(code);
        let captured = self.captured_by(inner);
        if inner.is_generator || inner.kind == crate::module::CodeKind::GeneratorExp {
            let function = Rc::new(Function {
                module: self.home.clone(),
                unit: self.unit.clone(),
                code,
                later: OnceCell::new(),
                hot: OnceCell::new(),
                plain_arity: None,
                defaults: Box::default(),
                kw_defaults: Box::default(),
                captured: captured.into_vec().into(),
                short: Cell::default(),
                memo: OnceCell::new(),
                returns: None,
                attrs: OnceCell::new(),
            });
            return super::generator::start(self.it, &function, Args::of([iterator]));
        }
        let it = self.it;
        let mut run = self.run_of_clauses(code, &captured, iterator);
        let result = it.with_stack(|| run.body());
        run.recycle();
        result
    }
}

/// Moves a value out of its slot.
#[inline(always)]
fn take(slot: &mut Value) -> Value {
    std::mem::replace(slot, Value::Unbound)
}

/// Whether a plain function takes positional arguments only, and is given as many as it takes.
#[inline]
fn takes_exactly(function: &Function, args: &[Arg], receiver: bool) -> bool {
    function.plain_arity == Some(args.len() as u32 + receiver as u32) && all_positional(args)
}

/// So many positional arguments are looked at before a builtin type is called: [`Interp::plainly_made`] knows none of more.
const MOST_PLAIN: usize = 3;

#[inline]
fn all_positional(args: &[Arg]) -> bool {
    args.iter().all(|arg| matches!(arg, Arg::Positional(_)))
}

impl Interp {
    /// Whether a callable is a function of our preludes, or an object of a class of theirs.
    fn is_of_prelude(&self, callee: &Value) -> bool {
        match callee {
            Value::Function(function) => function.module.unit.ours,
            Value::Instance(instance) => {
                let class = instance.class_ref();
                match self.modules.borrow().get(&class.module) {
                    Some(Value::Module(module)) => module.unit.ours,
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Whether a value is the builtin of this name.
    pub(super) fn is_builtin(&self, name: crate::module::Symbol, value: &Value) -> bool {
        self.builtins.borrow().get(&name).is_some_and(|builtin| builtin.is(value))
    }

    /// Calls a value.
    ///
    /// # Errors
    /// What the call raises.
    pub fn call(self: &Rc<Self>, callee: &Value, args: Args) -> Step<Value> {
        match self.repro.on.get() {
            true => self.recorded_call(callee, args, |args| self.call_now(callee, args)),
            false => self.call_now(callee, args),
        }
    }

    /// Calls a value, whoever follows the run.
    ///
    /// # Errors
    /// What the call raises.
    pub(crate) fn call_now(self: &Rc<Self>, callee: &Value, args: Args) -> Step<Value> {
        match callee {
            Value::Function(function) => self.call_function(function, args),
            Value::Native(native) => (native.body)(self, args),
            Value::Method(method) => {
                let args = args.with_receiver(method.receiver.clone());
                self.call(&method.function, args)
            }
            Value::Class(class) => self.call_class(class, args),
            Value::Instance(instance) => {
                let class = instance.class();
                match class.lookup(self.types.names.call) {
                    Some(method) => {
                        let (callee, receiver) = self.bind_found(method, callee, &class)?;
                        let args = match receiver {
                            Some(receiver) => args.with_receiver(receiver),
                            None => args,
                        };
                        self.call(&callee, args)
                    }
                    None if class.unknown_base => {
                        self.calls_unknown_of(callee, callee);
                        Err(class.of_unknown_base())
                    }
                    None => Err(Halt::type_error(format!("'{}' object is not callable", class.name))),
                }
            }
            Value::Object(object) => object.clone().call(self, args),
            Value::Unknown(unknown) if unknown.or_none.is_some() => {
                self.of_meant(unknown, |held| self.call(held, args))
            }
            Value::Unknown(unknown) => {
                self.calls_any_of(unknown);
                self.hand_over(&args, Some(&unknown.why));
                Err(Halt::Unknown(unknown.why.clone()))
            }
            other => Err(Halt::type_error(format!("'{}' object is not callable", self.operand_type_name(other)))),
        }
    }

    /// Calls with positional arguments.
    ///
    /// # Errors
    /// As [`Interp::call`].
    pub fn call_with(self: &Rc<Self>, callee: &Value, args: impl IntoIterator<Item = Value>) -> Step<Value> {
        let mut given: SmallVec<[Value; 4]> = SmallVec::new();
        for arg in args {
            given.push(arg);
        }
        if let Value::Function(function) = callee
            && let Some(result) = self.call_flat(function, &mut given)
        {
            return result;
        }
        self.call(callee, Args { positional: given, keyword: Vec::new() })
    }

    /// Calls a method by name.
    ///
    /// # Errors
    /// As [`Interp::call`]; `AttributeError` where there is none.
    pub fn call_method(
        self: &Rc<Self>,
        value: &Value,
        name: &str,
        args: impl IntoIterator<Item = Value>,
    ) -> Step<Value> {
        let (callee, receiver) = self.load_method(value, crate::module::Symbol::from(name))?;
        let mut call = Args::none();
        call.positional.extend(receiver);
        call.positional.extend(args);
        self.call(&callee, call)
    }

    /// `**values` of a call.
    pub(super) fn keywords_from(self: &Rc<Self>, call: &mut Args, callee: &Value, values: &Value) -> Step<()> {
        if let Value::Unknown(unknown) = values {
            return Err(Halt::Unknown(unknown.why.clone()));
        }
        let pairs = self.mapping_items(values)?.ok_or_else(|| {
            Halt::type_error(format!(
                "{}() argument after ** must be a mapping, not {}",
                self.callable_name(callee),
                self.type_name(values)
            ))
        })?;
        for (key, value) in pairs {
            let Some(name) = key.as_str() else {
                return Err(Halt::type_error("keywords must be strings"));
            };
            let name = crate::module::Symbol::from(name);
            if call.keyword.iter().any(|(n, _)| *n == name) {
                return Err(Halt::type_error(format!(
                    "{}() got multiple values for keyword argument '{name}'",
                    self.callable_name(callee)
                )));
            }
            call.keyword.push((name, value));
        }
        Ok(())
    }

    /// `class(*args)`
    fn call_class(self: &Rc<Self>, class: &Rc<Class>, args: Args) -> Step<Value> {
        if let Some(meta) = &class.metaclass
            && let Some((method, owner)) = meta.lookup_where(self.types.names.call)
            && !owner.is_builtin()
        {
            let args = args.with_receiver(Value::Class(class.clone()));
            return self.call(&method, args);
        }
        self.instantiate(class, args)
    }
}
