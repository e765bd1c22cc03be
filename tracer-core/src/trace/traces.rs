//! The kinds of trace: what happens to a primitive that is bound.

use std::fmt;
use std::rc::Rc;

use super::Staging;
use crate::array::Dim;

/// A trace, shared by its tracers.
pub type TraceRef = Rc<Trace>;

/// Marks values of one run of a transformation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tag(pub u64);

/// The axis that `vmap` maps over.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    /// `axis_name`, if one was given.
    pub name: Option<Rc<str>>,
    /// Its size.
    pub size: Dim,
    /// Whether its elements are parts of devices, each of which runs the function on its own: the axis of a mesh.
    pub of_devices: bool,
}

/// What happens to a primitive that is bound.
#[allow(clippy::large_enum_variant)]
pub enum Trace {
    /// It is computed, some time.
    Eval,
    /// It becomes an equation of a graph.
    Jaxpr(Staging),
    /// It is computed with its tangent.
    Jvp {
        /// Tells the tracers of this run.
        tag: Tag,
        /// Computes results and tangents.
        parent: TraceRef,
    },
    /// It is computed, and its linear part goes onto a tape.
    Linearize {
        /// Tells the tracers of this run.
        tag: Tag,
        /// Computes results.
        parent: TraceRef,
        /// Takes the linear part.
        tape: TraceRef,
        /// Runs rules that do both.
        partial: TraceRef,
    },
    /// What depends on values of the tape goes there, all else is computed.
    Partial {
        /// Computes.
        parent: TraceRef,
        /// Takes the rest.
        tape: TraceRef,
    },
    /// It is applied to all elements along an axis at once.
    Batch {
        /// Tells the tracers of this run.
        tag: Tag,
        /// Applies the batched primitive.
        parent: TraceRef,
        /// The axis.
        axis: Axis,
    },
}

impl Trace {
    /// The graph being built.
    pub fn staging(&self) -> Option<&Staging> {
        match self {
            Trace::Jaxpr(staging) => Some(staging),
            _ => None,
        }
    }
    /// The trace below.
    pub fn parent(&self) -> Option<&TraceRef> {
        match self {
            Trace::Eval => None,
            Trace::Jaxpr(staging) => staging.parent.as_ref(),
            Trace::Jvp { parent, .. }
            | Trace::Linearize { parent, .. }
            | Trace::Partial { parent, .. }
            | Trace::Batch { parent, .. } => Some(parent),
        }
    }
    /// The name of the class, as JAX has it.
    pub fn class_name(&self) -> &'static str {
        match self {
            Trace::Eval => "EvalTrace",
            Trace::Jaxpr(_) => "DynamicJaxprTrace",
            Trace::Jvp { .. } => "JVPTrace",
            Trace::Linearize { .. } => "LinearizeTrace",
            Trace::Partial { .. } => "JaxprTrace",
            Trace::Batch { .. } => "BatchTrace",
        }
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.class_name())
    }
}
