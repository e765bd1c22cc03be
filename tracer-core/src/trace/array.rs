//! Arrays as the program holds them: eager ones and tracers.

use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::{Atom, Node, Scalar, TraceRef};
use crate::array::{Aval, DType, Tensor};
use crate::python::{Halt, Step, Why};

/// An array or tracer, shared. Python's `is` is the identity of the pointer.
pub type Val = Rc<Array>;

/// The results of a primitive.
pub type Vals = SmallVec<[Val; 1]>;

/// An array or a tracer.
#[derive(Clone)]
pub struct Array {
    /// What is known of it without its numbers.
    pub aval: Aval,
    /// What stands behind it.
    pub repr: Repr,
}

/// What stands behind an array.
#[derive(Clone)]
pub enum Repr {
    /// Numbers in memory.
    Known(Tensor),
    /// A scalar that came from a Python or NumPy scalar: graphs show it in place instead of binding it to a name.
    Literal(Tensor, Scalar),
    /// A result of a computation that has not run yet.
    Deferred(Rc<Node>, usize),
    /// An eager array whose numbers cannot be known.
    Opaque(Why),
    /// A value of a graph being built.
    Staged(TraceRef, Atom),
    /// A value with its tangent, under `jvp`.
    Dual(TraceRef, Val, Val),
    /// A value with its tangent on the tape, under `linearize`, `vjp`, `grad`.
    Linear(TraceRef, Val, Val),
    /// A value with a batch axis, under `vmap`; with none it is one that a custom rule gave to all elements alike.
    Batched(TraceRef, Val, Option<usize>),
}

impl Array {
    /// An eager array whose numbers cannot be known, and why.
    pub fn opaque(aval: Aval, why: impl Into<String>) -> Val {
        Rc::new(Array { aval, repr: Repr::Opaque(Why(why.into().into())) })
    }
    /// An eager array with its numbers, of this weak type.
    pub fn known(tensor: Tensor, weak: bool) -> Val {
        let aval = Aval { weak, ..tensor.aval() };
        Rc::new(Array { aval, repr: Repr::Known(tensor) })
    }
    /// A scalar from a Python or NumPy scalar. `shown` is what graphs print, such as `0.1` where the tensor holds its `f32`.
    pub fn literal(tensor: Tensor, weak: bool, shown: Option<Scalar>) -> Val {
        let aval = Aval { weak, ..tensor.aval() };
        let shown = shown.or_else(|| Scalar::of(&tensor));
        match shown {
            Some(shown) if tensor.shape.is_empty() => Rc::new(Array { aval, repr: Repr::Literal(tensor, shown) }),
            _ => Rc::new(Array { aval, repr: Repr::Known(tensor) }),
        }
    }
    /// Another array with the same numbers; a tracer is itself.
    #[must_use]
    pub fn another(self: &Rc<Self>) -> Val {
        let repr = match &self.repr {
            Repr::Known(tensor) | Repr::Literal(tensor, _) => Repr::Known(tensor.clone()),
            Repr::Deferred(node, index) => Repr::Deferred(node.clone(), *index),
            Repr::Opaque(why) => Repr::Opaque(why.clone()),
            _ => return self.clone(),
        };
        Rc::new(Array { aval: self.aval.clone(), repr })
    }
    /// The element type.
    pub fn dtype(&self) -> DType {
        self.aval.dtype
    }
    /// The numbers, if they are known without computing anything.
    pub fn tensor(&self) -> Option<&Tensor> {
        match &self.repr {
            Repr::Known(tensor) | Repr::Literal(tensor, _) => Some(tensor),
            Repr::Deferred(node, index) => node.result(*index),
            _ => None,
        }
    }
    /// The trace that a tracer belongs to.
    pub fn trace(&self) -> Option<&TraceRef> {
        match &self.repr {
            Repr::Staged(trace, _) | Repr::Dual(trace, ..) | Repr::Linear(trace, ..) | Repr::Batched(trace, ..) => {
                Some(trace)
            }
            _ => None,
        }
    }
    /// Whether it is a tracer.
    pub fn is_tracer(&self) -> bool {
        self.trace().is_some()
    }
    /// The scalar that a tracer of a graph stands for in place: such a tracer is of use when its trace has ended, too.
    pub fn scalar_behind(&self) -> Option<&Val> {
        match &self.repr {
            Repr::Staged(_, super::Atom::Literal(value)) => Some(value),
            _ => None,
        }
    }
    /// Whether it is shown in place in graphs.
    pub fn is_literal(&self) -> bool {
        matches!(self.repr, Repr::Literal(..))
    }
    /// The eager array that a value is known by: itself, or the primal under eager `grad` and `jvp`; none under `jit` and
    /// `vmap`.
    pub fn concrete(self: &Rc<Self>) -> Option<Val> {
        match &self.repr {
            Repr::Staged(..) | Repr::Batched(..) => None,
            Repr::Dual(_, primal, _) | Repr::Linear(_, primal, _) => primal.concrete(),
            _ => Some(self.clone()),
        }
    }
    /// Whether numbers stand behind it, whatever differentiates it or maps over it.
    pub fn is_numbers(&self) -> bool {
        match &self.repr {
            Repr::Staged(..) => false,
            Repr::Dual(_, inner, _) | Repr::Linear(_, inner, _) | Repr::Batched(_, inner, _) => inner.is_numbers(),
            _ => true,
        }
    }
    /// The class, as `type(x).__name__` gives it.
    pub fn class_name(&self) -> &'static str {
        match &self.repr {
            Repr::Staged(..) => "DynamicJaxprTracer",
            Repr::Dual(..) => "JVPTracer",
            Repr::Linear(..) => "LinearizeTracer",
            Repr::Batched(..) => "BatchTracer",
            _ => "ArrayImpl",
        }
    }
    /// The class with its module, as `type(x)` gives it inside `<class '…'>`.
    pub fn qualified_class_name(&self) -> &'static str {
        match &self.repr {
            Repr::Staged(..) => "jax._src.interpreters.partial_eval.DynamicJaxprTracer",
            Repr::Dual(..) => "jax._src.interpreters.ad.JVPTracer",
            Repr::Linear(..) => "jax._src.interpreters.ad.LinearizeTracer",
            Repr::Batched(..) => "jax._src.interpreters.batching.BatchTracer",
            _ => "jaxlib._jax.ArrayImpl",
        }
    }
    /// A tracer as `repr` prints it. `eager` prints the eager arrays inside.
    pub fn tracer_repr(&self, eager: &dyn Fn(&Val) -> String) -> String {
        let inner = |value: &Val| if value.is_tracer() { value.tracer_repr(eager) } else { eager(value) };
        match &self.repr {
            Repr::Staged(..) => format!("JitTracer({})", long(&self.aval)),
            Repr::Dual(_, primal, tangent) => {
                format!("JVPTracer(primal={}, tangent={})", inner(primal), inner(tangent))
            }
            Repr::Linear(_, primal, tangent) => {
                format!("GradTracer(primal={}, typeof(tangent)={})", inner(primal), tangent.aval)
            }
            Repr::Batched(_, value, _) => {
                format!("VmapTracer(aval={}, batched={})", long(&self.aval), long(&value.aval))
            }
            _ => self.aval.to_string(),
        }
    }
    /// The error of a tracer that is used after its trace has ended.
    pub fn escaped(&self) -> Halt {
        Halt::raise(
            "jax.errors.UnexpectedTracerError",
            format!(
                "Encountered an unexpected tracer. A function transformed by JAX had a side effect, allowing for a reference \
                 to an intermediate value with type {} wrapped in a {} to escape the scope of the transformation.\nJAX \
                 transformations require that functions explicitly return their outputs, and disallow saving intermediate \
                 values to global state.",
                self.aval.long(),
                self.class_name()
            ),
        )
    }
    /// The node that a deferred array waits for.
    pub fn node(&self) -> Option<(&Rc<Node>, usize)> {
        match &self.repr {
            Repr::Deferred(node, index) => Some((node, *index)),
            _ => None,
        }
    }
    /// The numbers if known, or why they are not.
    ///
    /// # Errors
    /// Unknown for opaque arrays and tracers, and for a computation that has not run.
    pub fn read(&self) -> Step<&Tensor> {
        match (self.tensor(), &self.repr) {
            (Some(tensor), _) => Ok(tensor),
            (None, Repr::Opaque(why)) => Err(Halt::Unknown(why.clone())),
            (None, Repr::Deferred(..)) => Err(Halt::unknown("the computation has not run")),
            _ => Err(Halt::unknown("a tracer has no numbers")),
        }
    }
}

/// The type with a `~` in front of a weak one, as tracers print it.
fn long(aval: &Aval) -> String {
    format!("{}{}", if aval.weak { "~" } else { "" }, aval.long())
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.repr {
            Repr::Known(tensor) => write!(f, "{:?}={:?}", self.aval, tensor.data),
            Repr::Literal(_, scalar) => write!(f, "{scalar}:{:?}", self.aval),
            Repr::Deferred(..) => write!(f, "{:?}=…", self.aval),
            Repr::Opaque(why) => write!(f, "{:?}=?({})", self.aval, why.0),
            _ => f.write_str(&self.tracer_repr(&|array| format!("{array:?}"))),
        }
    }
}
