//! Traces: arrays and tracers, the stack of traces, `bind`, graphs.

mod array;
mod commits;
mod computed;
mod config;
pub mod doc;
mod engine;
mod force;
mod jaxpr;
pub mod layout;
pub mod marks;
pub mod memo;
mod node;
mod places;
pub mod print;
pub mod pytree;
pub mod recording;
mod scalar;
pub mod staging;
mod traces;
mod unknown;

pub use array::{Array, Repr, Val, Vals};
pub use commits::{Commit, Commits};
pub use computed::{Computed, Digest};
pub use config::{Config, MESH_OF_EQUATIONS, RankPromotion};
pub use engine::{Engine, TraceGuard};
pub(crate) use engine::{Marker, Observer, Watch};
pub use force::{FLOAT_WORTH, MOST_ONE_BY_ONE};
pub use jaxpr::{Atom, ClosedJaxpr, DebugInfo, Effects, Eqn, Jaxpr, Schedule, Var};
pub use layout::Layout;
pub use memo::Memo;
pub use node::Node;
pub use places::Places;
pub use scalar::{Scalar, float, scalar_tensor};
pub use staging::Staging;
pub use traces::{Axis, Tag, Trace, TraceRef};
