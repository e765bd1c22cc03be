//! `jax.jit`: functions whose calls go through a cache of graphs.

mod arguments;
mod compiled;
mod differences;
mod donation;
mod misses;
mod object;
mod options;
mod structures;
mod traces;
mod wrapped;

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use smallvec::SmallVec;

use self::compiled::Compiled;
use super::core::introspection::{self, signature};
use super::core::refs::Used;
use super::core::tree::Def;
use crate::array::Aval;
use crate::interp::{Interp, KeyUsed, Reading};
use crate::module::Symbol;
use crate::python::{Attrs, Class, Guess, Site, Value};
use crate::trace::{ClosedJaxpr, Layout, Val};

pub use arguments::take_apart;
pub use donation::{Gone, anything_deleted, check_alive};
pub use object::JitObject;
pub use options::Options;
pub(in crate::frameworks::jax) use traces::bound;
pub use traces::{Traces, results, trace_alone, traced};

use options::{jit, resolve};

/// A leaf of the arguments, as far as the key of a trace sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An array.
    Array(Aval),
    /// A reference to a mutable array of this type.
    Ref(Aval),
    /// A value that is not known: it is passed through.
    Unknown(Guess),
}

/// A static argument: its place and value.
#[derive(Clone)]
struct Static {
    place: Place,
    value: Value,
}

/// A place among the arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Place {
    Position(usize),
    Name(Symbol),
}

/// The arguments of one call, taken apart.
pub struct Call {
    statics: SmallVec<[Static; 1]>,
    /// Dynamic arguments by place, with their structures.
    dynamic: Vec<(Place, Def)>,
    /// The structure of `(args, kwargs)` without static ones.
    pub def: Def,
    /// The leaves.
    pub leaves: Vec<Value>,
    /// Those of them that may be `None`, which stand here as what they are otherwise.
    pub maybe: SmallVec<[usize; 1]>,
    /// Their types.
    pub types: Vec<Leaf>,
    /// What these say of meshes; empty where none is named.
    pub layouts: Vec<Layout>,
    /// Where the compiled function was made.
    pub made: Option<Site>,
    /// What the leaves are called, once somebody has asked.
    names: OnceCell<Rc<[Rc<str>]>>,
}

/// What a result of a traced function is.
#[derive(Clone)]
pub enum Out {
    /// The next result of the graph.
    Array,
    /// The next result of the graph, or `None`.
    Maybe,
    /// A value that is not known.
    Unknown(Value),
}

impl Leaf {
    /// The type of an array, be it a mutable one.
    pub fn aval(&self) -> Option<&Aval> {
        match self {
            Leaf::Array(aval) | Leaf::Ref(aval) => Some(aval),
            Leaf::Unknown(_) => None,
        }
    }
}

/// A function traced for some types.
pub struct Traced {
    /// The graph.
    pub graph: ClosedJaxpr,
    /// Constants that are tracers of outer traces: leading inputs of the graph.
    pub consts: Vec<Val>,
    /// The structure of the results.
    pub out_def: Def,
    /// The results.
    pub outs: Vec<Out>,
    /// What the types of the results that are arrays say of meshes; empty where none is named.
    pub layouts: Vec<Layout>,
    /// How many functions were linearized while it was traced.
    pub linearized: u64,
    /// How it uses mutable arrays.
    pub refs: Used,
    /// What it has read from outside.
    pub readings: Vec<Reading>,
    /// The leaves of arguments that are random keys which it uses up, and where.
    pub keys: Vec<(usize, KeyUsed)>,
    /// What it was compiled for.
    pub compiled: RefCell<Vec<Compiled>>,
}

impl Traced {
    /// The types of the results, those that are arrays.
    pub fn out_avals(&self) -> Vec<Aval> {
        self.graph.jaxpr.out_avals().skip(self.refs.written()).cloned().collect()
    }
}

/// Whether it is a function whose calls are traced.
pub fn is_traced(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.downcast::<JitObject>().is_some())
}

/// The compiled function in a value.
pub fn jitted(value: &Value) -> Option<&JitObject> {
    match value {
        Value::Object(object) => object.downcast(),
        _ => None,
    }
}

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut super::core::Members) {
    let class = Class::new(
        sym!("PjitFunction"),
        sym!("jaxlib._jax"),
        vec![it.types.object.clone()],
        Attrs::default(),
        crate::python::class::Root::Other,
    )
    .expect("one base is always in order");
    it.named_classes.borrow_mut().insert(sym!("jaxlib.PjitFunction"), Value::Class(class));
    // `jit(fn=None, *, static_argnames=(), static_argnums=(), inline=False)`: `jax.jit`. Inside of a trace it yields a
    // `jit[name=<fn.__name__>]` equation, with `inline=True` the body's own equations. Usable as a decorator with and
    // without arguments.
    members.function("jit", jit);
    members.function("full_jit", jit);
    // What `jax.jit(f, static_argnums=…).trace(*args, **kwargs)` learns, in parts.
    members.function("trace_parts", |it, args| {
        let [f, nums, args, kwargs] = args.exactly("trace_parts")?;
        let call = introspection::call_parts(it, &args, &kwargs)?;
        if let Some(jitted) = jitted(&f) {
            return jitted.trace_value(it, call);
        }
        let params = signature(it, &f)?;
        let nums = (!nums.is_none()).then_some(&nums);
        let (static_nums, static_names) = resolve(it, params.as_deref(), "static", nums, None)?;
        introspection::check_callable(it, &f)?;
        JitObject::new(f, Options { static_nums, static_names, ..Options::default() }).trace_value(it, call)
    });
    members.function("is_jitted", |_, args| {
        let [f] = args.exactly("is_jitted")?;
        Ok(Value::Bool(jitted(&f).is_some()))
    });
    // `clear_caches()`: Empties the caches of jit and of staging.
    members.function("clear_caches", |it, _| {
        it.extension::<Traces>().clear();
        it.extension::<super::core::staging::Staged>().clear();
        Ok(Value::None)
    });
    members.function("is_deleted", |it, args| {
        let [x] = args.exactly("is_deleted")?;
        Ok(Value::Bool(matches!(&x, Value::Array(array) if it.extension::<Gone>().is_deleted(array))))
    });
    members.function("delete", |it, args| {
        let [x] = args.exactly("delete")?;
        if let Value::Array(array) = &x {
            it.extension::<Gone>().delete(it, array);
        }
        Ok(Value::None)
    });
}
