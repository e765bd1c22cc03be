//! Graphs: what a function does to arrays, as equations over variables.

use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

use smallvec::SmallVec;

use super::Val;
use crate::array::Aval;
use crate::primitives::Primitive;
use crate::primitives::linalg::NoKernel;
use crate::transforms::chain::Work;

/// A variable of one graph: an index into [`Jaxpr::vars`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// An input of an equation, or a result of a graph.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// A scalar constant in place.
    Literal(Val),
}

impl Atom {
    /// The variable, if it is one.
    pub fn var(&self) -> Option<Var> {
        match self {
            Atom::Var(var) => Some(*var),
            Atom::Literal(_) => None,
        }
    }
}

/// What an equation does beside giving results.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Effects(pub u8);

impl Effects {
    /// Nothing.
    pub const NONE: Effects = Effects(0);
    /// Input and output whose order does not matter, such as `jax.debug.print`.
    pub const IO: Effects = Effects(1);
    /// Input and output in order.
    pub const ORDERED_IO: Effects = Effects(2);
    /// Dependence on a named axis: goes away with dead code.
    pub const AXIS: Effects = Effects(4);
    /// Reading and writing of a mutable array.
    pub const STATE: Effects = Effects(8);
    /// The linear part of a function with a rule for reverse mode only: it cannot run. Goes away with dead code.
    pub const FORWARD: Effects = Effects(16);
    /// A check of the program's that nothing collects: what contains it cannot be compiled.
    pub const CHECK: Effects = Effects(32);
    /// Runs a function of the program's on the host. Goes away with dead code where it has no other effect.
    pub const HOST: Effects = Effects(64);

    /// Both.
    #[must_use]
    pub fn and(self, other: Effects) -> Effects {
        Effects(self.0 | other.0)
    }
    /// Whether an equation with these effects has to stay although no one uses its results.
    pub fn keeps(self) -> bool {
        self.0 & !(Effects::AXIS.0 | Effects::FORWARD.0 | Effects::HOST.0) != 0
    }
}

/// One equation.
#[derive(Clone, Debug)]
pub struct Eqn {
    /// What is applied.
    pub primitive: Rc<dyn Primitive>,
    /// To what.
    pub inputs: SmallVec<[Atom; 3]>,
    /// The variables that it binds.
    pub outputs: SmallVec<[Var; 1]>,
    /// Where in the user's program it was written: the interpreter's mark.
    pub source: u64,
}

/// What a graph was traced for: for error messages and editors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DebugInfo {
    /// The transformation: `jit`, `scan`.
    pub traced_for: Rc<str>,
    /// The function and its place: `f at file.py:3`.
    pub function: Rc<str>,
    /// Names of the inputs, leaf by leaf: `x['a']`. Empty when unknown.
    pub arguments: Rc<[Rc<str>]>,
}

impl DebugInfo {
    /// Of this transformation and function, arguments unknown.
    pub fn new(traced_for: &str, function: &str) -> DebugInfo {
        DebugInfo { traced_for: traced_for.into(), function: function.into(), arguments: Rc::from([]) }
    }
}

/// A graph.
#[derive(Clone, Debug)]
pub struct Jaxpr {
    /// The type of every variable.
    pub vars: Vec<Aval>,
    /// Variables for captured constants.
    pub constvars: Vec<Var>,
    /// Variables for the inputs.
    pub invars: Vec<Var>,
    /// The equations, in order.
    pub eqns: Vec<Eqn>,
    /// The results.
    pub outvars: Vec<Atom>,
    /// The effects of all equations.
    pub effects: Effects,
    /// What it was traced for.
    pub debug: DebugInfo,
    /// What has been found out about it.
    pub known: Known,
}

/// What is found out about a graph once. A clone, which may be changed, knows nothing of it.
#[derive(Debug, Default)]
pub struct Known {
    cost: OnceCell<u64>,
    schedule: OnceCell<Schedule>,
    memory: OnceCell<u64>,
    closing: OnceCell<Box<[bool]>>,
    parts: RefCell<Vec<Part>>,
    without_kernel: OnceCell<Option<NoKernel>>,
    simplified: OnceCell<Option<Rc<Jaxpr>>>,
    digest: OnceCell<Option<u128>>,
}

/// What running a graph on numbers takes.
#[derive(Debug)]
pub struct Schedule {
    /// Whether an input of an equation is read for the last time; the inputs of all equations one after the other, as they run.
    pub last_reads: Box<[bool]>,
    /// Scalar operations of each equation; `None` where graphs in it count their own.
    pub costs: Box<[Option<u64>]>,
    /// What is done, in this order, where that is not one equation after the other; last reads are in the same order.
    pub work: Option<Box<[Work]>>,
    /// Bytes of what the graph's equations have made that are alive while each of these is done; none where they are few.
    pub held: Option<Box<[usize]>>,
}

/// What of a graph is needed for some of its results.
#[derive(Debug)]
struct Part {
    /// The results that are wanted, and the inputs that stay.
    asked: (Box<[bool]>, Box<[bool]>),
    graph: Rc<Jaxpr>,
    kept: Vec<bool>,
}

/// So many parts of one graph are kept.
const MOST_PARTS: usize = 16;

impl Clone for Known {
    fn clone(&self) -> Known {
        Known::default()
    }
}

impl Known {
    /// The cost, counted now where it has not been.
    pub fn cost(&self, count: impl FnOnce() -> u64) -> u64 {
        *self.cost.get_or_init(count)
    }

    /// Bytes that running it takes, counted now where they have not been.
    pub fn memory(&self, count: impl FnOnce() -> u64) -> u64 {
        *self.memory.get_or_init(count)
    }

    /// Whether each equation is the last one that its expression wrote, found now where it has not been.
    pub fn closing(&self, find: impl FnOnce() -> Box<[bool]>) -> &[bool] {
        self.closing.get_or_init(find)
    }

    /// Why some equation has no kernel, looked for now where it has not been.
    pub fn without_kernel(&self, find: impl FnOnce() -> Option<NoKernel>) -> Option<NoKernel> {
        *self.without_kernel.get_or_init(find)
    }

    /// How it is run where it is compiled, if not as it stands; found now where it has not been.
    pub fn simplified(&self, find: impl FnOnce() -> Option<Jaxpr>) -> Option<&Rc<Jaxpr>> {
        self.simplified.get_or_init(|| find().map(Rc::new)).as_ref()
    }

    /// What it is known by beside its constants, made now where it has not been; `None` where there is no such thing.
    pub fn digest(&self, make: impl FnOnce() -> Option<u128>) -> Option<u128> {
        *self.digest.get_or_init(make)
    }

    /// What running it takes, found now where it has not been.
    pub fn schedule(&self, find: impl FnOnce() -> Schedule) -> &Schedule {
        self.schedule.get_or_init(find)
    }

    /// A part of the graph, with the inputs that it has; found now where it has not been.
    pub fn part(
        &self,
        used: &[bool],
        keep: &[bool],
        find: impl FnOnce() -> (Jaxpr, Vec<bool>),
    ) -> (Rc<Jaxpr>, Vec<bool>) {
        let same = |part: &&Part| *part.asked.0 == *used && *part.asked.1 == *keep;
        if let Some(part) = self.parts.borrow().iter().find(same) {
            return (part.graph.clone(), part.kept.clone());
        }
        let (graph, kept) = find();
        let graph = Rc::new(graph);
        let mut parts = self.parts.borrow_mut();
        if parts.len() < MOST_PARTS {
            parts.push(Part { asked: (used.into(), keep.into()), graph: graph.clone(), kept: kept.clone() });
        }
        (graph, kept)
    }
}

impl Jaxpr {
    /// Whether an equation of it, or of a graph in it, has this mark.
    pub fn is_marked(&self, mark: u64) -> bool {
        self.eqns
            .iter()
            .any(|eqn| eqn.source == mark || eqn.primitive.graphs().iter().any(|inner| inner.is_marked(mark)))
    }
    /// The type of a variable.
    pub fn aval(&self, var: Var) -> &Aval {
        &self.vars[var.0 as usize]
    }
    /// The type of an atom.
    pub fn atom_aval<'a>(&'a self, atom: &'a Atom) -> &'a Aval {
        match atom {
            Atom::Var(var) => self.aval(*var),
            Atom::Literal(value) => &value.aval,
        }
    }
    /// The types of the inputs.
    pub fn in_avals(&self) -> impl Iterator<Item = &Aval> {
        self.invars.iter().map(|v| self.aval(*v))
    }
    /// The types of the results.
    pub fn out_avals(&self) -> impl Iterator<Item = &Aval> {
        self.outvars.iter().map(|a| self.atom_aval(a))
    }
    /// The number of equations, those of inner graphs counted.
    pub fn equations(&self) -> usize {
        // Graphs that hold each other twice are counted once each.
        fn count(graph: &Jaxpr, known: &mut rustc_hash::FxHashMap<*const Jaxpr, (Rc<Jaxpr>, usize)>) -> usize {
            let mut equations = graph.eqns.len();
            for inner in graph.eqns.iter().flat_map(|eqn| eqn.primitive.graphs()) {
                let own = match known.get(&Rc::as_ptr(&inner)) {
                    Some((_, own)) => *own,
                    None => {
                        let own = count(&inner, known);
                        known.insert(Rc::as_ptr(&inner), (inner, own));
                        own
                    }
                };
                equations = equations.saturating_add(own);
            }
            equations
        }
        count(self, &mut rustc_hash::FxHashMap::default())
    }
    /// The graph with its constants as leading inputs.
    #[must_use]
    pub fn with_constants_as_inputs(&self) -> Jaxpr {
        let mut jaxpr = self.clone();
        let mut invars = std::mem::take(&mut jaxpr.constvars);
        if !invars.is_empty() && !jaxpr.debug.arguments.is_empty() {
            let names = invars.iter().map(|_| Rc::from("")).chain(jaxpr.debug.arguments.iter().cloned()).collect();
            jaxpr.debug.arguments = names;
        }
        invars.append(&mut jaxpr.invars);
        jaxpr.invars = invars;
        jaxpr
    }
    /// The graph with only those results that are marked.
    #[must_use]
    pub fn with_outputs(&self, keep: &[bool]) -> Jaxpr {
        let mut jaxpr = self.clone();
        jaxpr.outvars = self.outvars.iter().zip(keep).filter(|(_, keep)| **keep).map(|(a, _)| a.clone()).collect();
        jaxpr
    }
    /// For every result, the input that it merely passes on.
    pub fn forwarded(&self) -> Vec<Option<usize>> {
        self.outvars.iter().map(|a| a.var().and_then(|v| self.invars.iter().position(|i| *i == v))).collect()
    }
}

/// A graph with the values of its constants.
#[derive(Clone, Debug)]
pub struct ClosedJaxpr {
    /// The graph.
    pub jaxpr: Rc<Jaxpr>,
    /// The values of [`Jaxpr::constvars`].
    pub consts: Rc<[Val]>,
}

impl ClosedJaxpr {
    /// A graph with its constants.
    pub fn new(jaxpr: Jaxpr, consts: Vec<Val>) -> ClosedJaxpr {
        ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: consts.into() }
    }
    /// The types of the inputs.
    pub fn in_avals(&self) -> Vec<Aval> {
        self.jaxpr.in_avals().cloned().collect()
    }
    /// The types of the results.
    pub fn out_avals(&self) -> Vec<Aval> {
        self.jaxpr.out_avals().cloned().collect()
    }
    /// The graph with its constants as leading inputs, and the constants.
    pub fn separate(&self) -> (ClosedJaxpr, Vec<Val>) {
        if self.consts.is_empty() {
            return (self.clone(), Vec::new());
        }
        let jaxpr = self.jaxpr.with_constants_as_inputs();
        (ClosedJaxpr::new(jaxpr, Vec::new()), self.consts.to_vec())
    }
}

/// As `jax.make_jaxpr` prints it.
impl fmt::Display for Jaxpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&super::print::jaxpr(self))
    }
}

impl fmt::Display for ClosedJaxpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.jaxpr.fmt(f)
    }
}
