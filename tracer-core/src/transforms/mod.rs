//! Transformations of flat functions and of graphs.
//!
//! A flat function takes and gives arrays only; trees are flattened by the caller.

pub mod backward;
pub mod calls;
pub mod chain;
pub mod composite;
pub mod cond;
pub mod custom_jvp;
pub mod custom_vjp;
pub mod custom_vmap;
pub mod dce;
pub mod empty;
pub mod eval;
pub mod fixed_keys;
pub mod graphs;
pub mod jit;
pub mod jvp;
pub mod key_reuse;
pub mod linear_solve;
pub mod linearize;
pub mod pallas_call;
pub mod recompute;
pub mod remat;
pub mod scan;
mod simplify;
pub mod split;
mod turned;
mod unrounded;
pub mod vmap;
pub mod while_loop;

use std::rc::Rc;

pub use crate::primitives::build::{broadcast_in_dim as broadcast, move_axis as moveaxis};

use crate::array::Aval;
use crate::primitives::build;
use crate::python::Step;
use crate::trace::{ClosedJaxpr, DebugInfo, Engine, Staging, Trace, Val, staging};

/// A function of arrays, given for one use.
pub type Flat<'a> = &'a dyn Fn(&[Val]) -> Step<Vec<Val>>;

/// A function of arrays that outlives the call it is given to.
pub type FlatRc = Rc<dyn Fn(&Engine, &[Val]) -> Step<Vec<Val>>>;

/// Traces a function to a graph.
///
/// # Errors
/// What the function raises.
pub fn trace_to_jaxpr(cx: &Engine, f: Flat<'_>, avals: &[Aval], debug: DebugInfo) -> Step<ClosedJaxpr> {
    let trace = Staging::new(Some(cx.trace()), debug);
    let arguments: Vec<Val> = avals.iter().map(|a| staging::argument(&trace, a.clone())).collect();
    let results = cx.within(&trace, || f(&arguments))?;
    Ok(staging::finish(&trace, &results))
}

/// The graph of a function of which what does not depend on the arguments is computed, and captured.
///
/// # Errors
/// What the function raises.
pub fn trace_unknown_part(cx: &Engine, f: Flat<'_>, avals: &[Aval], debug: DebugInfo) -> Step<ClosedJaxpr> {
    let parent = cx.trace();
    let tape = Staging::new(Some(parent.clone()), debug);
    let trace = Rc::new(Trace::Partial { parent, tape: tape.clone() });
    let arguments: Vec<Val> = avals.iter().map(|a| staging::argument(&tape, a.clone())).collect();
    let results = cx.within(&trace, || f(&arguments))?;
    Ok(staging::finish(&tape, &results))
}

/// Zeros of this type, as differentiation puts them in: a literal or a broadcast one.
///
/// # Errors
/// Unknown for symbolic sizes.
pub fn zeros(cx: &Engine, aval: &Aval) -> Step<Val> {
    build::zeros_like(cx, aval)
}

#[cfg(test)]
mod tests;
