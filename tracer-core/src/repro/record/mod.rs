//! Recording: what the interpreter tells while a run is recorded.

mod blame;
mod bodies;
mod caches;
mod calls;
mod given;
mod hooks;
mod linear;
mod primitives;
mod rounds;
mod statements;

use std::rc::Rc;

use super::normalize::arg;
use super::tree::{Def, Level, Origin, Recorder, Source};
use super::{Data, Maps, Request, Target};
use crate::frameworks::is_framework;
use crate::frameworks::jax::core::tree::Registry;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::{Class, Site, Value};
use crate::text::Span;
pub use hooks::RecordingHooks;
pub use rounds::Noted;

impl Recorder {
    /// Begins to record what is asked for.
    pub fn begin(&self, request: &Request) {
        self.on.set(true);
        self.trees.set(request.trees);
        let mut state = self.state.borrow_mut();
        state.stack.push(Level::Def(0));
        state.defs.push(new_def());
        state.wanted = request.target.function().map(str::to_owned);
        state.within = request.within.clone();
        state.first_only = request.target == Target::Error;
        state.style = request.style;
        state.maps = match &request.maps {
            Maps::Whole(but) => Some(but.clone()),
            Maps::Alike | Maps::Leaves => None,
        };
        state.ends = request.data == Data::Exact && !request.log && !request.hierarchy;
        state.asks = !request.ask.is_empty();
        state.compiled = (!request.ask.is_empty()).then_some(request.compiled);
        state.around = request.around;
        state.keeps_frames = request.hierarchy || request.part.is_some();
        state.inlined.clone_from(&request.inlined);
    }

    /// Notes that a primitive of the program's own is bound; whether the function is called in its stead that it is compiled from.
    pub fn binds_own(&self, name: &str) -> bool {
        if !self.on.get() {
            return false;
        }
        let mut state = self.state.borrow_mut();
        state.own.insert(name.to_owned());
        state.body().is_some() && state.inlined.iter().any(|inlined| inlined == name)
    }

    /// Notes that a primitive of the program's own was asked what a transformation makes of it: no function stands for it then.
    pub fn asks_own(&self, name: &str) {
        if self.on.get() {
            self.state.borrow_mut().ruled.insert(name.to_owned());
        }
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

    /// Whether what is called now is looked into: the program's own code, Python's, or a walk over a tree.
    fn follows(&self) -> bool {
        let state = self.state.borrow();
        self.on.get() && matches!(state.stack.last(), Some(Level::Def(_) | Level::Walk(..)))
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
            // A namespace that is a member of a module.
            Value::Instance(_) if self.state.borrow().origins.contains_key(&of.identity()) => {
                Origin::Attribute(of.clone(), name)
            }
            _ => return,
        };
        if let Value::Method(method) = found
            && !matches!(method.function, Value::Function(_))
        {
            // What stands in a class and is no plain function is called with the instance as its first argument.
            let mut state = self.state.borrow_mut();
            state.methods.insert(method.function.identity(), name);
            state.alive.push(method.function.clone());
            return;
        }
        if let Value::Tuple(items) = found {
            return self.read_tuple(origin, found, items);
        }
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

    /// Notes that a tuple with functions in it was read.
    fn read_tuple(&self, origin: Origin, tuple: &Value, items: &[Value]) {
        let mut state = self.state.borrow_mut();
        let is_function = |item: &Value| matches!(item, Value::Function(_) | Value::Native(_));
        if state.body().is_none() || !items.iter().any(is_function) {
            return;
        }
        for (i, item) in items.iter().enumerate().filter(|(_, item)| is_function(item)) {
            state.origins.entry(item.identity()).or_insert_with(|| Origin::Item(tuple.clone(), i));
        }
        state.origins.entry(tuple.identity()).or_insert(origin);
        state.alive.push(tuple.clone());
    }

    /// Notes what the program calls a value.
    fn named(&self, name: Symbol, value: &Value, is_tree: bool) {
        let is_kept = is_tree
            || matches!(value, Value::Array(_) | Value::Tuple(_) | Value::List(_) | Value::Dict(_) | Value::Object(_));
        if !is_kept && !matches!(value, Value::Function(_) | Value::Method(_) | Value::Instance(_)) {
            return;
        }
        let mut state = self.state.borrow_mut();
        // A function has the name of what it was made of, but for those that a call gives beside arrays.
        let is_made = |body: usize| {
            let access = state.defs[body].bound.get(&value.identity());
            access.is_some_and(|access| matches!(access.from, Source::Statement(_)) && !access.path.is_empty())
        };
        let has_rules =
            matches!(value, Value::Instance(made) if is_with_rules(&made.class()) || is_made_once(&made.class()));
        let body = state.body().filter(|body| is_kept || has_rules || is_made(*body));
        if let Some(body) = body.filter(|_| !name.starts_with('_')) {
            state.names.entry(value.identity()).or_insert(name);
            state.named_in.entry(value.identity()).or_insert(body);
            state.alive.push(value.clone());
        }
    }
}

/// Whether a class is one of the framework's whose instances are there to be given to calls, or to be entered: meshes, specs, shardings, types of
/// arrays.
fn is_made_once(class: &Class) -> bool {
    let is_there = |name| class.lookup(name).is_some();
    class.module.starts_with("jax") && (!is_there(sym!("__call__")) || is_there(sym!("__enter__")))
}

/// Whether a class is one of the framework's functions with rules of their own (`custom_jvp`).
fn is_with_rules(class: &Class) -> bool {
    class.name.starts_with("custom_") && class.module.starts_with("jax")
}

impl Interp {
    /// Whether a value is an object of the program's that is a tree of arrays and nothing else: a named tuple, a dataclass.
    fn is_plain_tree(self: &Rc<Self>, value: &Value) -> bool {
        let Value::Instance(instance) = value else { return false };
        let class = instance.class();
        let is_tree = matches!(instance.payload(), Some(Value::Tuple(_))) || self.extension::<Registry>().knows(&class);
        is_tree && !is_framework(&class.module) && class.lookup(sym!("__call__")).is_none()
    }

    /// Notes that the program gives a value a name.
    pub fn recorded_name(self: &Rc<Self>, name: Symbol, value: &Value, span: Span) {
        self.repro.named(name, value, self.is_plain_tree(value));
        let is_inside = {
            let state = self.repro.state.borrow();
            state.keeps_frames && state.wanted_def.is_some() && state.body() == state.wanted_def
        };
        // To take a value apart may call functions of the program.
        let frame = self.user_stack.borrow().last().map(|(frame, _)| *frame);
        if is_inside && let Some(frame) = frame {
            let site = Site { span, ..frame };
            let kept = arg(self, value);
            self.repro.state.borrow_mut().given_inside.push((site, name, kept));
        }
        let site = match &self.user_stack.borrow()[..] {
            // What it is given may be no call that the frame stands at.
            [(site, _)] => match site.span.start < span.start {
                true => Site { span, ..*site },
                false => *site,
            },
            _ => return,
        };
        if self.repro.state.borrow().body() == Some(0) {
            let kept = arg(self, value);
            self.repro.state.borrow_mut().assigned.push((site, value.clone(), kept, name));
        }
    }
}

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

/// The body of nothing yet.
fn new_def() -> Def {
    Def {
        function: None,
        parent: None,
        around: None,
        params: Vec::new(),
        receiver: None,
        bound: Default::default(),
        result: None,
        errors: Vec::new(),
        statements: Vec::new(),
        contexts: Vec::new(),
        site: None,
        depth: 0,
        lacks_rounds: false,
        is_uncalled: false,
    }
}
