//! Recording: what the interpreter tells while a run is recorded.

use std::rc::Rc;

use super::Request;
use super::normalize::{arg, is_framework};
use super::tree::{Arg, Def, Level, Op, Origin, Param, ParamKind, Raised, Recorder, Source, Statement};
use crate::interp::{ArrayHooks, Interp, is_meant};
use crate::module::{BinaryOp, CompareOp, Symbol, UnaryOp};
use crate::python::halt::{Exception, Halt, Step};
use crate::python::{Args, Class, Function, Site, Value};
use crate::trace::Val;

impl Recorder {
    /// Begins to record what is asked for.
    pub fn begin(&self, request: &Request) {
        self.on.set(true);
        let mut state = self.state.borrow_mut();
        state.stack.push(Level::Def(0));
        state.defs.push(new_def());
        state.wanted = request.function.clone();
        state.style = request.style;
    }

    /// Nothing is recorded while what it gives lives, where `quiet`.
    pub fn quiet(&self, quiet: bool) -> Quiet<'_> {
        let quiet = quiet && self.on.get();
        if quiet {
            self.state.borrow_mut().stack.push(Level::Quiet);
        }
        Quiet(self, quiet)
    }

    /// Begins a walk with what it was given.
    fn walk(&self, given: &[Value]) -> Option<Level> {
        let mut state = self.state.borrow_mut();
        let level = Level::Walk(state.body()?, state.walks.len());
        state.walks.push(given.iter().map(Value::identity).collect());
        state.stack.push(level);
        Some(level)
    }

    /// The body of the walk that runs, where it was given this.
    fn walked_by(&self, callee: &Value) -> Option<usize> {
        let state = self.state.borrow();
        match state.stack.last() {
            Some(Level::Walk(def, walk)) if state.walks[*walk].contains(&callee.identity()) => Some(*def),
            _ => None,
        }
    }

    fn pop(&self, level: Level) {
        let mut state = self.state.borrow_mut();
        if let Some(at) = state.stack.iter().rposition(|l| *l == level) {
            state.stack.truncate(at);
        }
    }

    /// Whether operations are recorded now: the program's own code runs.
    #[inline]
    pub fn listens(&self) -> bool {
        self.on.get() && self.state.borrow().body().is_some()
    }

    /// Notes that a member of a module, or an attribute of a framework's value, was read.
    pub fn read(&self, of: &Value, name: Symbol, found: &Value) {
        let origin = match of {
            // What is private has another name for users, who read it there.
            Value::Module(module) if module.name.split('.').any(|part| part.starts_with('_')) => return,
            Value::Module(module) if is_framework(&module.name) => Origin::Path(format!("{}.{name}", module.name)),
            Value::Object(_) if crate::frameworks::numpy::array::numbers_of(of).is_some() => return,
            Value::Object(_) => Origin::Attribute(of.clone(), name),
            Value::Instance(instance) if is_framework(&instance.class_ref().module) => {
                Origin::Attribute(of.clone(), name)
            }
            Value::Class(class) if is_framework(&class.module) => Origin::Attribute(of.clone(), name),
            _ => return,
        };
        if !matches!(
            found,
            Value::Function(_)
                | Value::Native(_)
                | Value::Class(_)
                | Value::Instance(_)
                | Value::Object(_)
                | Value::Module(_)
                | Value::FrozenSet(_)
                | Value::Set(_)
        ) || matches!(found, Value::Function(f) if !f.module.unit.ours)
        {
            return;
        }
        let mut state = self.state.borrow_mut();
        if state.body().is_none() {
            return;
        }
        let id = found.identity();
        state.origins.entry(id).or_insert(origin);
        state.alive.push(found.clone());
    }

    /// Notes what the program calls a value.
    pub fn named(&self, name: Symbol, value: &Value) {
        if !matches!(value, Value::Array(_) | Value::Tuple(_) | Value::List(_) | Value::Dict(_) | Value::Object(_)) {
            return;
        }
        let mut state = self.state.borrow_mut();
        if state.body().is_some() && !name.starts_with('_') {
            state.names.entry(value.identity()).or_insert(name);
            state.alive.push(value.clone());
        }
    }
}

/// The body of a function that is part of another one.
const TRANSPARENT: usize = usize::MAX;

/// See [`Recorder::quiet`].
pub struct Quiet<'a>(&'a Recorder, bool);

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        if self.1 {
            let mut state = self.0.state.borrow_mut();
            if let Some(at) = state.stack.iter().rposition(|level| *level == Level::Quiet) {
                state.stack.truncate(at);
            }
        }
    }
}

fn new_def() -> Def {
    Def {
        function: None,
        parent: None,
        params: Vec::new(),
        bound: Default::default(),
        result: None,
        error: None,
        statements: Vec::new(),
        contexts: Vec::new(),
        site: None,
    }
}

impl Interp {
    /// Runs an operation and records it, where the program's own code asked for it.
    pub(super) fn recorded<T>(
        self: &Rc<Self>,
        op: Op,
        args: &[Value],
        keywords: &[(Symbol, Value)],
        run: impl FnOnce() -> Step<T>,
        result: impl FnOnce(&T) -> Option<Value>,
    ) -> Step<T> {
        let Some(parent) = self.repro.state.borrow().body() else { return run() };
        let site = self.user_stack.borrow().last().map(|(site, _)| *site);
        let contexts = {
            let state = self.repro.state.borrow();
            state.entered.iter().filter(|(of, _)| *of == parent).map(|(_, context)| *context).collect()
        };
        let statement = Statement {
            parent,
            op,
            args: args.iter().map(|value| arg(self, value)).collect(),
            keywords: keywords.iter().map(|(name, value)| (*name, arg(self, value))).collect(),
            result: None,
            error: None,
            contexts,
            children: Vec::new(),
            site,
        };
        let (id, depth) = {
            let mut state = self.repro.state.borrow_mut();
            let id = state.statements.len();
            state.statements.push(statement);
            state.defs[parent].statements.push(id);
            state.stack.push(Level::Statement(id));
            (id, state.stack.len())
        };
        let outcome = run();
        let error = outcome.as_ref().err().and_then(|halt| self.raised(halt));
        let found = outcome.as_ref().ok().and_then(result).map(|value| (value.identity(), arg(self, &value)));
        let mut state = self.repro.state.borrow_mut();
        state.stack.truncate(depth - 1);
        if state.statements[id].error.is_none() {
            state.statements[id].error = error;
        }
        if let Some((_, value)) = &found {
            state.bind(parent, Source::Statement(id), value);
        }
        state.statements[id].result = found;
        outcome
    }

    /// Notes that the program enters a context; whether it is one of the framework's.
    pub fn recorded_context(self: &Rc<Self>, manager: &Value) -> bool {
        let kept = arg(self, manager);
        let mut state = self.repro.state.borrow_mut();
        let Some(body) = state.body() else { return false };
        let (Arg::Leaf(value) | Arg::Callable(value)) = &kept else { return false };
        let id = value.identity();
        if !state.defs.iter().any(|def| def.bound.contains_key(&id)) {
            return false;
        }
        let context = state.contexts.len();
        state.contexts.push(kept);
        state.entered.push((body, context));
        true
    }

    /// Notes that the program leaves a context.
    pub fn recorded_context_end(self: &Rc<Self>) {
        self.repro.state.borrow_mut().entered.pop();
    }

    pub(super) fn raised(self: &Rc<Self>, halt: &Halt) -> Option<Raised> {
        let Halt::Raise(exception) = halt else { return None };
        let was = self.repro.on.replace(false);
        let (class, message) = self.describe_exception(exception);
        self.repro.on.set(was);
        Some(Raised { class, message })
    }

    /// Whether the last statement of the body that runs has failed so.
    pub(super) fn last_failed_with(&self, raised: &Raised) -> bool {
        let state = self.repro.state.borrow();
        let last = state.body().and_then(|body| state.defs[body].statements.last());
        last.is_some_and(|last| state.statements[*last].error.as_ref() == Some(raised))
    }

    /// Notes that an exception was reported.
    pub fn recorded_report(self: &Rc<Self>, exception: &Exception) {
        let raised = self.raised(&Halt::Raise(Box::new(exception.clone())));
        let mut state = self.repro.state.borrow_mut();
        if state.reported.is_none() && raised.is_some() {
            // The run goes on behind it: what it would have ended has failed all the same.
            for level in state.stack.clone() {
                match level {
                    Level::Def(def) => state.defs[def].error = raised.clone(),
                    Level::Statement(id) => state.statements[id].error = raised.clone(),
                    Level::Quiet | Level::Walk(..) => {}
                }
            }
            state.reported = raised;
            if state.wanted.is_none() {
                // What follows has nothing to do with it.
                self.repro.on.set(false);
            }
        }
    }

    /// A call while a run is recorded.
    ///
    /// # Errors
    /// What the call raises.
    pub fn recorded_call(
        self: &Rc<Self>,
        callee: &Value,
        args: Args,
        run: impl FnOnce(Args) -> Step<Value>,
    ) -> Step<Value> {
        if !self.repro.listens() {
            let Some(def) = self.repro.walked_by(callee) else { return run(args) };
            // A function that walks over a tree calls what it was given: the program's own code might as well.
            self.repro.state.borrow_mut().stack.push(Level::Def(def));
            let outcome = self.recorded_call(callee, args, run);
            self.repro.pop(Level::Def(def));
            return outcome;
        }
        match self.kind_of_call(callee, &args) {
            Kind::Program => {
                // Functions of Python, and what cannot be called.
                let of_python = !matches!(callee, Value::Function(_) | Value::Method(_) | Value::Class(_));
                let given = if of_python { args.positional.to_vec() } else { Vec::new() };
                let outcome = run(args);
                match callee {
                    Value::Native(_) if given.is_empty() => outcome,
                    Value::Native(_) => {
                        let all: Vec<&Value> = given.iter().collect();
                        self.blamed(|| Op::Call(callee.clone()), &all, outcome)
                    }
                    _ if of_python => {
                        let all: Vec<&Value> = std::iter::once(callee).chain(&given).collect();
                        self.blamed(|| Op::Apply, &all, outcome)
                    }
                    _ => outcome,
                }
            }
            Kind::Quiet => {
                let _quiet = self.repro.quiet(true);
                run(args)
            }
            Kind::Framework => {
                let (positional, keyword) = (args.positional.to_vec(), args.keyword.to_vec());
                let op = Op::Call(callee.clone());
                self.recorded(op, &positional, &keyword, || run(args), |value| Some(value.clone()))
            }
            Kind::Walk => {
                let (positional, keyword) = (args.positional.to_vec(), args.keyword.to_vec());
                let walk = self.repro.walk(&positional);
                let outcome = run(args);
                if let Some(walk) = walk {
                    self.repro.pop(walk);
                }
                if let Err(halt) = &outcome
                    && let Some(raised) = self.raised(halt)
                {
                    if !self.last_failed_with(&raised) {
                        let again = Err::<Value, Halt>(halt.clone());
                        let _ = self.recorded(Op::Call(callee.clone()), &positional, &keyword, || again, |_| None);
                    }
                }
                outcome
            }
        }
    }

    fn kind_of_call(self: &Rc<Self>, callee: &Value, args: &Args) -> Kind {
        let calls = |value: &Value| {
            matches!(value, Value::Function(_) | Value::Method(_) | Value::Native(_) | Value::Object(_))
        };
        let walks = match args.positional.iter().any(calls) {
            true => Kind::Walk,
            false => Kind::Framework,
        };
        let state = self.repro.state.borrow();
        let origin = state.origins.get(&callee.identity());
        if let Some(Origin::Path(path)) = origin
            && path.starts_with("jax.tree")
        {
            return walks;
        }
        match callee {
            Value::Function(function) if function.module.unit.ours => {
                if function.name().as_str() == "__getattr__" {
                    return Kind::Quiet;
                }
                let module = function.module.name.as_str();
                match is_framework(module) {
                    true if module.starts_with("jax.tree") => walks,
                    true => Kind::Framework,
                    false => Kind::Program,
                }
            }
            Value::Native(_) => match origin {
                Some(_) => Kind::Framework,
                None if state.methods.contains_key(&callee.identity()) => Kind::Framework,
                None => Kind::Program,
            },
            Value::Class(class) if is_framework(&class.module) => Kind::Framework,
            Value::Instance(instance)
                if is_framework(&instance.class_ref().module)
                    || state.defs.iter().any(|def| def.bound.contains_key(&callee.identity())) =>
            {
                Kind::Framework
            }
            Value::Object(_) => Kind::Framework,
            _ => Kind::Program,
        }
    }

    /// Begins the body of a function of the program that the framework calls; `None` where the program calls it.
    pub fn recorded_enter(self: &Rc<Self>, function: &Rc<Function>, params: Vec<(Symbol, u8, Value)>) -> Option<usize> {
        let params: Vec<Param> = params
            .into_iter()
            .map(|(name, kind, value)| Param {
                name,
                kind: [ParamKind::Plain, ParamKind::KeywordOnly, ParamKind::Rest, ParamKind::RestKeywords]
                    [usize::from(kind)],
                given: arg(self, &value),
            })
            .collect();
        let mut state = self.repro.state.borrow_mut();
        let wanted = state.wanted_def.is_none()
            && state.wanted.as_deref().is_some_and(|wanted| is_meant(&function.qualname(), wanted));
        let parent = match state.stack.last() {
            Some(Level::Statement(statement)) => Some(*statement),
            Some(Level::Walk(def, _)) => {
                let def = *def;
                state.stack.push(Level::Def(def));
                return Some(TRANSPARENT);
            }
            _ if wanted => None,
            _ => return None,
        };
        let id = state.defs.len();
        if wanted {
            state.wanted_def = Some(id);
        }
        let site = Some(Site { file: function.module.unit.file, span: function.code().name_span })
            .filter(|_| function.module.unit.user);
        let givens: Vec<_> = params.iter().map(|param| param.given.clone()).collect();
        let contexts = match parent {
            Some(_) => Vec::new(),
            None => state.entered.iter().map(|(_, context)| *context).collect(),
        };
        state.defs.push(Def { function: Some(function.clone()), parent, params, contexts, site, ..new_def() });
        for (i, given) in givens.iter().enumerate() {
            state.bind(id, Source::Param(i), given);
        }
        if let Some(parent) = parent {
            state.statements[parent].children.push(id);
        }
        state.stack.push(Level::Def(id));
        Some(id)
    }

    /// Ends a body.
    pub fn recorded_leave(self: &Rc<Self>, id: usize, outcome: &Step<Value>) {
        if id == TRANSPARENT {
            self.repro.state.borrow_mut().stack.pop();
            return;
        }
        let error = outcome.as_ref().err().and_then(|halt| self.raised(halt));
        let result = outcome.as_ref().ok().map(|value| arg(self, value));
        let mut state = self.repro.state.borrow_mut();
        if let Some(at) = state.stack.iter().rposition(|level| *level == Level::Def(id)) {
            state.stack.truncate(at);
        }
        if state.defs[id].error.is_none() {
            state.defs[id].error = error;
        }
        state.defs[id].result = result;
    }
}

enum Kind {
    /// The program's own, or Python's.
    Program,
    /// The framework's.
    Framework,
    /// What a module's `__getattr__` does.
    Quiet,
    /// A walk over a tree: what it calls stands for it.
    Walk,
}

/// What arrays can do, recorded.
pub struct RecordingHooks(pub Rc<dyn ArrayHooks>);

impl ArrayHooks for RecordingHooks {
    fn class(&self, it: &Rc<Interp>, array: &Val) -> Rc<Class> {
        self.0.class(it, array)
    }
    fn member(&self, it: &Rc<Interp>, class: &Class, name: Symbol) -> Step<Option<Value>> {
        self.0.member(it, class, name)
    }
    fn call(&self, it: &Rc<Interp>, callee: &Value, args: Args) -> Step<Value> {
        it.recorded_call(callee, args, |args| self.0.call(it, callee, args))
    }
    fn binary(&self, it: &Rc<Interp>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        it.recorded(Op::Binary(op), &[a.clone(), b.clone()], &[], || self.0.binary(it, op, a, b), Clone::clone)
    }
    fn compare(&self, it: &Rc<Interp>, op: CompareOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        it.recorded(Op::Compare(op), &[a.clone(), b.clone()], &[], || self.0.compare(it, op, a, b), Clone::clone)
    }
    fn unary(&self, it: &Rc<Interp>, op: UnaryOp, a: &Val) -> Step<Value> {
        it.recorded(Op::Unary(op), &[a.clone().into()], &[], || self.0.unary(it, op, a), |v| Some(v.clone()))
    }
    fn getattr(&self, it: &Rc<Interp>, a: &Val, name: Symbol) -> Step<Option<Value>> {
        let kept = |value: &Option<Value>| match value {
            Some(Value::Method(_) | Value::Native(_) | Value::Function(_)) => None,
            other => other.clone(),
        };
        let run = || {
            let found = self.0.getattr(it, a, name)?;
            let mut state = it.repro.state.borrow_mut();
            match &found {
                Some(Value::Method(method)) => {
                    state.methods.insert(method.function.identity(), name);
                    state.alive.push(method.function.clone());
                }
                Some(function @ (Value::Native(_) | Value::Function(_))) => {
                    state.origins.insert(function.identity(), Origin::Attribute(a.clone().into(), name));
                    state.alive.push(function.clone());
                }
                _ => {}
            }
            drop(state);
            Ok(found)
        };
        it.recorded(Op::Attribute(name), &[a.clone().into()], &[], run, kept)
    }
    fn getitem(&self, it: &Rc<Interp>, a: &Val, index: &Value) -> Step<Value> {
        let args = [a.clone().into(), index.clone()];
        it.recorded(Op::Item, &args, &[], || self.0.getitem(it, a, index), |v| Some(v.clone()))
    }
    fn setitem(&self, it: &Rc<Interp>, a: &Val, index: &Value, value: &Value) -> Step<()> {
        let args = [a.clone().into(), index.clone(), value.clone()];
        it.recorded(Op::SetItem, &args, &[], || self.0.setitem(it, a, index, value), |_| None)
    }
    fn len(&self, it: &Rc<Interp>, a: &Val) -> Step<usize> {
        it.recorded(Op::Builtin("len"), &[a.clone().into()], &[], || self.0.len(it, a), |_| None)
    }
    fn items(&self, it: &Rc<Interp>, a: &Val) -> Step<Vec<Value>> {
        it.recorded(Op::Items, &[a.clone().into()], &[], || self.0.items(it, a), |v| Some(Value::tuple(v.clone())))
    }
    fn truth(&self, it: &Rc<Interp>, a: &Val) -> Step<bool> {
        it.recorded(Op::Builtin("bool"), &[a.clone().into()], &[], || self.0.truth(it, a), |_| None)
    }
    fn number(&self, it: &Rc<Interp>, a: &Val, kind: &str) -> Step<Value> {
        let name = match kind {
            "int" => "int",
            "float" => "float",
            "complex" => "complex",
            _ => "range",
        };
        it.recorded(Op::Builtin(name), &[a.clone().into()], &[], || self.0.number(it, a, kind), |_| None)
    }
    fn repr(&self, it: &Rc<Interp>, a: &Val, plain: bool) -> Step<Value> {
        it.recorded(Op::Builtin("repr"), &[a.clone().into()], &[], || self.0.repr(it, a, plain), |_| None)
    }
    fn format(&self, it: &Rc<Interp>, a: &Val, spec: &str) -> Step<Value> {
        let args = [a.clone().into(), Value::str(spec)];
        it.recorded(Op::Builtin("format"), &args, &[], || self.0.format(it, a, spec), |_| None)
    }
    fn held(&self, value: &Value) -> Option<Val> {
        self.0.held(value)
    }
    fn hash(&self, it: &Rc<Interp>, a: &Val) -> Step<i64> {
        it.recorded(Op::Builtin("hash"), &[a.clone().into()], &[], || self.0.hash(it, a), |_| None)
    }
}
