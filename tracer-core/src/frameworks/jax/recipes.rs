//! What a function of a prelude binds depends on the types of its arguments alone, unless it looks at their numbers: a
//! second call on arrays of the same types binds the same primitives, without running the prelude again.
//!
//! Remembered are calls of functions that capture nothing of the program's, whose arguments are arrays and plain values, and
//! whose results are arrays; no numbers may have been asked for meanwhile, and nothing but what they bind may have happened.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::jit::{JitObject, Options};
use crate::array::Aval;
use crate::frameworks::dtypes;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::primitives::Primitive;
use crate::python::halt::Step;
use crate::python::{Args, Function, Value};
use crate::text::Span;
use crate::trace::recording::Recording;
use crate::trace::{Atom, Computed, Config, Jaxpr, Repr, Val};

/// Recipes that are kept at most.
const MOST: usize = 20_000;
/// So deep are graphs in graphs looked through.
const MOST_NESTED: u32 = 6;
/// Values that the arguments of one call may hold.
const MOST_PARTS: usize = 64;

/// Keys are long: a table of them would be large, and moved as a whole when it grows.
type Table = RefCell<FxHashMap<Box<Key>, Rc<Recipe>>>;

/// The recipes of a run.
#[derive(Default)]
pub struct Recipes {
    /// Of functions that are this run's own.
    own: Table,
    /// Of functions that are the same in every run.
    lasting: RefCell<Lasting>,
}

/// What the next run on the same thread may take from this one: numbers, and recipes of functions that a module of ours defines at its top,
/// and of primitives that hold nothing of a run.
#[derive(Clone, Default)]
pub struct Lasting {
    table: Rc<Table>,
    /// Numbers that took long to compute.
    computed: Computed,
}

impl Lasting {
    /// Those that a run leaves behind.
    pub fn of(it: &Rc<Interp>) -> Lasting {
        let computed = it.engine.computed.borrow().clone();
        computed.next_run();
        Lasting { computed, ..it.extension::<Recipes>().lasting.borrow().clone() }
    }
    /// Gives them to another run.
    pub fn hand_to(self, it: &Rc<Interp>) {
        if self.table.borrow().len() > MOST {
            self.table.take();
        }
        it.engine.computed.replace(self.computed.clone());
        *it.extension::<Recipes>().lasting.borrow_mut() = self;
    }
}

/// A function whose calls are remembered.
#[derive(PartialEq, Eq, Hash)]
enum Callee {
    /// By its address.
    Here(usize),
    /// By how modules of ours define it, and what `jit` was told of it.
    Defined(Definition, Option<Options>),
}

/// How a function comes about: the same in every run.
#[derive(PartialEq, Eq, Hash)]
struct Definition {
    /// The module, and where in its text.
    module: Symbol,
    span: Span,
    /// What it captures, and the defaults that it was given, where it is not at the top of the module.
    given: Box<[Given]>,
}

/// A value that a function captures.
#[derive(PartialEq, Eq, Hash)]
enum Given {
    None,
    Unbound,
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(Rc<str>),
    Function(Definition),
}

impl Definition {
    /// Of a function of ours that captures nothing but plain values and such functions.
    fn of(function: &Function, depth: u32) -> Option<Definition> {
        let code = function.code();
        let given = match function.captured.is_empty() && !code.qualname.contains('<') {
            true => Box::default(),
            false => {
                let captured = function.captured.iter().map(|cell| Given::of(&cell.read(), depth));
                let defaults = function.defaults.iter().chain(&function.kw_defaults);
                captured.chain(defaults.map(|value| Given::of(value, depth))).collect::<Option<_>>()?
            }
        };
        function.module.unit.ours.then_some(Definition { module: function.module.name, span: code.span, given })
    }
}

impl Given {
    fn of(value: &Value, depth: u32) -> Option<Given> {
        Some(match value {
            Value::None => Given::None,
            Value::Unbound => Given::Unbound,
            Value::Bool(value) => Given::Bool(*value),
            Value::Int(value) => Given::Int(*value),
            Value::Float(value) => Given::Float(value.to_bits()),
            Value::Str(text) => Given::Str(text.clone()),
            Value::Function(function) if depth < 3 => Given::Function(Definition::of(function, depth + 1)?),
            _ => return None,
        })
    }
}

impl Callee {
    fn of(it: &Rc<Interp>, callee: &Value) -> Callee {
        let (fun, options) = match callee {
            Value::Object(object) => match object.downcast::<JitObject>() {
                Some(jit) => (&jit.fun, Some(jit.options())),
                None => (callee, None),
            },
            _ => (callee, None),
        };
        let definition = match fun {
            Value::Function(function) if !it.graphs.wanted.get() => Definition::of(function, 0),
            _ => None,
        };
        match definition {
            Some(definition) => Callee::Defined(definition, options.cloned()),
            None => Callee::Here(callee.identity()),
        }
    }
}

/// What decides about a call.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    callee: Callee,
    config: Rc<Config>,
    trace: &'static str,
    /// Whether it counts along which axes of a mesh arrays vary.
    varying: bool,
    parts: SmallVec<[Part; 8]>,
}

/// A part of the arguments.
#[derive(PartialEq, Eq, Hash)]
enum Part {
    /// An array: its type; its kind, and whether it has numbers; the first of the arrays that it is.
    Array(Aval, (&'static str, bool), usize),
    None,
    Ellipsis,
    Bool(bool),
    Int(i64),
    Float(u64),
    Str(Rc<str>),
    /// An element type, or a scalar type that stands for one.
    DType(crate::array::DType, bool),
    Tuple(usize),
    List(usize),
    Slice,
    Keyword(Symbol),
}

/// Where an operand or result comes from.
#[derive(Clone)]
enum Source {
    /// An array among the arguments.
    Argument(usize),
    /// A result of a primitive.
    Bound(usize),
    /// A literal.
    Literal(Val),
    /// A literal as a value of the graph that is being built.
    Staged(Val),
}

/// How a result is made.
enum Shape {
    Array(Source),
    Tuple(Vec<Shape>),
    List(Vec<Shape>),
}

/// What a call does.
struct Recipe {
    steps: Vec<(Rc<dyn Primitive>, SmallVec<[Source; 3]>)>,
    result: Shape,
    /// The callee, where it is told by its address: that stays taken.
    _callee: Option<Value>,
}

/// Calls a function of a prelude, or does again what the same call did before.
///
/// # Errors
/// What the call raises.
pub fn call(it: &Rc<Interp>, callee: &Value, args: Args) -> Step<Value> {
    if let Some(function) = random_function(callee) {
        return match function.as_str() {
            "fold_in" => {
                let given = [0, 1].map(|at| argument(&args, at, ["key", "data"][at]).cloned());
                let made = remembered(it, callee, args)?;
                note_folded(it, given, &made);
                Ok(made)
            }
            name => {
                if uses_key_up(name)
                    && let Some(Value::Array(key)) = argument(&args, 0, "key")
                {
                    it.note_key_use(key, function);
                }
                remembered(it, callee, args)
            }
        };
    }
    remembered(it, callee, args)
}

fn remembered(it: &Rc<Interp>, callee: &Value, args: Args) -> Step<Value> {
    let mut arrays = SmallVec::new();
    let Some(key) = key(it, callee, &args, &mut arrays) else { return it.call(callee, args) };
    let recipes = it.extension::<Recipes>();
    let lasting = recipes.lasting.borrow().clone();
    let table = match key.callee {
        Callee::Here(_) => &recipes.own,
        Callee::Defined(..) => &*lasting.table,
    };
    // What was remembered of a function that is the same in every run may hold something of this one.
    let found = table.borrow().get(&key).or(recipes.own.borrow().get(&key)).cloned();
    if let Some(recipe) = found {
        if matches!(callee, Value::Object(object) if object.downcast::<JitObject>().is_some_and(JitObject::is_made_here))
        {
            it.note_dispatched();
        }
        return recipe.follow(it, &arrays);
    }
    let marks = || (it.events.noted(), it.losses.get(), it.reported.borrow().len());
    let before = marks();
    it.engine.recorder.start(it.engine.trace());
    let result = it.call(callee, args);
    let recording = it.engine.recorder.end();
    if let Ok(value) = &result
        && before == marks()
        && table.borrow().len() < MOST
        && let Some(mut recipe) = Recipe::of(recording, &arrays, value)
    {
        let lasts = matches!(key.callee, Callee::Defined(..)) && recipe.lasts();
        if !lasts {
            recipe._callee = Some(callee.clone());
        }
        let table = if lasts { &*lasting.table } else { &recipes.own };
        table.borrow_mut().insert(Box::new(key), Rc::new(recipe));
    }
    result
}

/// Whether a function of `jax.random` uses the key up that it is given.
pub fn uses_key_up(function: &str) -> bool {
    !["key", "PRNGKey", "fold_in", "key_data", "wrap_key_data", "key_impl", "clone"].contains(&function)
}

/// The function of `jax.random` that is called.
fn random_function(callee: &Value) -> Option<Symbol> {
    let fun = match callee {
        Value::Object(object) => &object.downcast::<JitObject>()?.fun,
        callee => callee,
    };
    match fun {
        Value::Function(function) if function.module.name.starts_with("jax.random") => Some(function.name()),
        _ => None,
    }
}

/// An argument by its place, or by its name.
fn argument<'a>(args: &'a Args, at: usize, name: &str) -> Option<&'a Value> {
    let named = || args.keyword.iter().find(|(own, _)| own.as_str() == name).map(|(_, value)| value);
    args.positional.get(at).or_else(named)
}

/// The integer that an array is, if it is known; in a graph being built, if it is a constant there.
fn scalar(array: &Val) -> Option<u64> {
    match &array.repr {
        Repr::Staged(_, Atom::Literal(constant)) => scalar(constant),
        _ => {
            let tensor = array.tensor().filter(|tensor| tensor.shape.is_empty())?;
            tensor.number(0)?.as_int().map(|number| number as u64)
        }
    }
}

/// Notes what key a number that is known makes of another one.
fn note_folded(it: &Rc<Interp>, given: [Option<Value>; 2], made: &Value) {
    if let ([Some(Value::Array(key)), Some(data)], Value::Array(made)) = (given, made) {
        let number = match &data {
            Value::Int(number) => Some(*number as u64),
            Value::Array(number) => scalar(number),
            _ => None,
        };
        if let Some(number) = number {
            it.note_key_folded(&key, number & u64::from(u32::MAX), made);
        }
    }
}

/// The key of a call, where it has one; the arrays among its arguments.
fn key(it: &Rc<Interp>, callee: &Value, args: &Args, arrays: &mut SmallVec<[Val; 4]>) -> Option<Key> {
    let pure = match callee {
        Value::Object(object) => is_ours(&object.downcast::<JitObject>()?.fun, 0),
        callee => is_ours(callee, 0),
    };
    if !pure {
        return None;
    }
    // Each function has its own way to complain about an array that is gone.
    if !it.engine.axes().is_empty() || super::jit::anything_deleted(it) {
        return None;
    }
    let mut parts = SmallVec::new();
    for value in &args.positional {
        part(it, value, &mut parts, arrays)?;
    }
    for (name, value) in &args.keyword {
        parts.push(Part::Keyword(*name));
        part(it, value, &mut parts, arrays)?;
    }
    Some(Key {
        varying: it.engine.tells_varying(),
        callee: Callee::of(it, callee),
        config: it.engine.config(),
        trace: it.engine.trace().class_name(),
        parts,
    })
}

/// Whether a function is a prelude's, and all that it captures is a prelude's too.
pub(super) fn is_ours(callee: &Value, depth: u32) -> bool {
    let Value::Function(function) = callee else { return false };
    // NumPy's own functions give objects, which are not remembered; some have a state.
    if function.module.name.starts_with("numpy") {
        return false;
    }
    let plain = |value: &Value| match value {
        Value::Function(_) => depth < 3 && is_ours(value, depth + 1),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Native(_) => true,
        Value::Class(class) => class.is_builtin(),
        _ => false,
    };
    function.module.unit.ours && function.captured.iter().all(|cell| plain(&cell.read()))
}

fn part(
    it: &Rc<Interp>,
    value: &Value,
    parts: &mut SmallVec<[Part; 8]>,
    arrays: &mut SmallVec<[Val; 4]>,
) -> Option<()> {
    if parts.len() >= MOST_PARTS {
        return None;
    }
    parts.push(match value {
        Value::Array(array) => {
            // Scalars that graphs show in place are what they are by their numbers.
            if array.is_literal() {
                return None;
            }
            let first = arrays.iter().position(|a| Rc::ptr_eq(a, array)).unwrap_or(arrays.len());
            if first == arrays.len() {
                arrays.push(array.clone());
            }
            Part::Array(array.aval.clone(), (array.class_name(), array.concrete().is_some()), first)
        }
        Value::None => Part::None,
        Value::Ellipsis => Part::Ellipsis,
        Value::Bool(value) => Part::Bool(*value),
        Value::Int(value) => Part::Int(*value),
        Value::Float(value) => Part::Float(value.to_bits()),
        Value::Str(text) => Part::Str(text.clone()),
        Value::Tuple(items) => {
            parts.push(Part::Tuple(items.len()));
            return items.iter().try_for_each(|item| part(it, item, parts, arrays));
        }
        Value::List(list) if !list.is_vague() => {
            let items = list.read();
            parts.push(Part::List(items.len()));
            return items.iter().try_for_each(|item| part(it, item, parts, arrays));
        }
        Value::Slice(items) => {
            parts.push(Part::Slice);
            return items.iter().try_for_each(|item| part(it, item, parts, arrays));
        }
        Value::Object(object) => Part::DType(object.downcast::<dtypes::DTypeObject>()?.0, false),
        Value::Class(_) => Part::DType(dtypes::of(it, value).ok()??, true),
        _ => return None,
    });
    Some(())
}

impl Recipe {
    /// What a recording tells to do, where that is all that was done.
    fn of(recording: Recording, arguments: &[Val], result: &Value) -> Option<Recipe> {
        if recording.spoiled {
            return None;
        }
        let mut sources: FxHashMap<*const crate::trace::Array, Source> = FxHashMap::default();
        for (at, array) in arguments.iter().enumerate() {
            sources.insert(Rc::as_ptr(array), Source::Argument(at));
        }
        let mut results = 0;
        let mut steps = Vec::with_capacity(recording.bound.len());
        for bound in &recording.bound {
            let mut inputs = SmallVec::with_capacity(bound.inputs.len());
            for input in &bound.inputs {
                inputs.push(match sources.get(&Rc::as_ptr(input)) {
                    Some(source) => source.clone(),
                    None => match &input.repr {
                        Repr::Literal(..) => Source::Literal(input.clone()),
                        Repr::Staged(_, Atom::Literal(literal)) => Source::Staged(literal.clone()),
                        _ => return None,
                    },
                });
            }
            steps.push((bound.primitive.clone(), inputs));
            for output in &bound.outputs {
                sources.entry(Rc::as_ptr(output)).or_insert(Source::Bound(results));
                results += 1;
            }
        }
        let result = shape(result, &sources)?;
        Some(Recipe { steps, result, _callee: None })
    }

    /// Whether it holds nothing of the run that made it.
    fn lasts(&self) -> bool {
        fn in_graph(jaxpr: &Jaxpr, depth: u32) -> bool {
            jaxpr.constvars.is_empty() && jaxpr.eqns.iter().all(|eqn| primitive_lasts(&*eqn.primitive, depth))
        }
        fn primitive_lasts(primitive: &dyn Primitive, depth: u32) -> bool {
            depth > 0 && primitive.lasts() && primitive.graphs().iter().all(|graph| in_graph(graph, depth - 1))
        }
        self.steps.iter().all(|(primitive, _)| primitive_lasts(&**primitive, MOST_NESTED))
    }

    fn follow(&self, it: &Rc<Interp>, arguments: &[Val]) -> Step<Value> {
        it.spend()?;
        it.array_work.set(it.array_work.get() + self.steps.len() as u64);
        let mut bound: SmallVec<[Val; 8]> = SmallVec::new();
        for (primitive, inputs) in &self.steps {
            let inputs: SmallVec<[Val; 4]> = inputs.iter().map(|source| source.get(it, arguments, &bound)).collect();
            bound.extend(it.engine.bind(primitive.clone(), &inputs)?);
        }
        Ok(self.result.make(it, arguments, &bound))
    }
}

impl Source {
    fn get(&self, it: &Interp, arguments: &[Val], bound: &[Val]) -> Val {
        match self {
            Source::Argument(at) => arguments[*at].clone(),
            Source::Bound(at) => bound[*at].clone(),
            Source::Literal(value) => value.clone(),
            Source::Staged(value) => it.engine.staged(value),
        }
    }
}

fn shape(value: &Value, sources: &FxHashMap<*const crate::trace::Array, Source>) -> Option<Shape> {
    Some(match value {
        Value::Array(array) => Shape::Array(sources.get(&Rc::as_ptr(array))?.clone()),
        Value::Tuple(items) => Shape::Tuple(items.iter().map(|i| shape(i, sources)).collect::<Option<_>>()?),
        Value::List(list) if !list.is_vague() => {
            Shape::List(list.read().iter().map(|i| shape(i, sources)).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

impl Shape {
    fn make(&self, it: &Interp, arguments: &[Val], bound: &[Val]) -> Value {
        match self {
            Shape::Array(source) => Value::Array(source.get(it, arguments, bound)),
            Shape::Tuple(items) => Value::tuple(items.iter().map(|i| i.make(it, arguments, bound))),
            Shape::List(items) => Value::list(items.iter().map(|i| i.make(it, arguments, bound)).collect()),
        }
    }
}
