//! Graphs being built.

use std::cell::{Ref, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Array, Atom, ClosedJaxpr, DebugInfo, Effects, Engine, Eqn, Jaxpr, Repr, Trace, TraceRef, Val, Vals, Var};
use crate::array::Aval;
use crate::primitives::{Avals, Primitive};
use crate::python::Step;

/// A graph being built.
pub struct Staging {
    /// The trace around it.
    pub parent: Option<TraceRef>,
    builder: RefCell<Builder>,
}

struct Builder {
    jaxpr: Jaxpr,
    consts: Vec<(Var, Val)>,
    by_identity: FxHashMap<*const Array, Var>,
}

impl Builder {
    fn var(&mut self, aval: Aval) -> Var {
        let var = Var(self.jaxpr.vars.len() as u32);
        self.jaxpr.vars.push(aval);
        var
    }
    fn constant(&mut self, value: &Val) -> Var {
        if let Some(var) = self.by_identity.get(&Rc::as_ptr(value)) {
            return *var;
        }
        let var = self.var(value.aval.clone());
        self.by_identity.insert(Rc::as_ptr(value), var);
        self.consts.push((var, value.clone()));
        self.jaxpr.constvars.push(var);
        var
    }
}

impl Staging {
    /// An empty graph.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(parent: Option<TraceRef>, debug: DebugInfo) -> TraceRef {
        let jaxpr = Jaxpr {
            vars: Vec::new(),
            constvars: Vec::new(),
            invars: Vec::new(),
            eqns: Vec::new(),
            outvars: Vec::new(),
            effects: Effects::NONE,
            debug,
            known: Default::default(),
        };
        let builder = RefCell::new(Builder { jaxpr, consts: Vec::new(), by_identity: FxHashMap::default() });
        Rc::new(Trace::Jaxpr(Staging { parent, builder }))
    }
    /// The value of a variable that stands for a captured constant.
    pub fn const_of(&self, var: Var) -> Option<Val> {
        let builder = self.builder.borrow();
        let at = builder.consts.binary_search_by_key(&var, |(v, _)| *v).ok()?;
        Some(builder.consts[at].1.clone())
    }
    /// The graph so far, without results.
    pub fn so_far(&self) -> Ref<'_, Jaxpr> {
        Ref::map(self.builder.borrow(), |b| &b.jaxpr)
    }
    /// The number of equations so far.
    pub fn len(&self) -> usize {
        self.builder.borrow().jaxpr.eqns.len()
    }
    /// Whether there are no equations so far.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn staging(trace: &TraceRef) -> &Staging {
    match &**trace {
        Trace::Jaxpr(staging) => staging,
        _ => unreachable!("only graphs being built are asked for variables"),
    }
}

fn tracer(trace: &TraceRef, aval: Aval, atom: Atom) -> Val {
    Rc::new(Array { aval, repr: Repr::Staged(trace.clone(), atom) })
}

/// A new input of a graph being built.
pub fn argument(trace: &TraceRef, aval: Aval) -> Val {
    let mut builder = staging(trace).builder.borrow_mut();
    let var = builder.var(aval.clone());
    builder.jaxpr.invars.push(var);
    drop(builder);
    tracer(trace, aval, Atom::Var(var))
}

/// What stands for a value in a graph being built: its variable, a literal, or a captured constant.
pub fn atom(trace: &TraceRef, value: &Val) -> Atom {
    match &value.repr {
        Repr::Staged(of, atom) if Rc::ptr_eq(of, trace) => atom.clone(),
        Repr::Literal(..) => Atom::Literal(value.clone()),
        _ => Atom::Var(staging(trace).builder.borrow_mut().constant(value)),
    }
}

/// A value as a tracer of a graph being built.
pub fn lift(trace: &TraceRef, value: &Val) -> Val {
    match &value.repr {
        Repr::Staged(of, _) if Rc::ptr_eq(of, trace) => value.clone(),
        _ => tracer(trace, value.aval.clone(), atom(trace, value)),
    }
}

/// The constant behind a value in a graph being built.
fn constant_behind(trace: &TraceRef, value: &Val) -> Option<Val> {
    match &value.repr {
        Repr::Staged(of, Atom::Literal(value)) if Rc::ptr_eq(of, trace) => Some(value.clone()),
        Repr::Staged(of, Atom::Var(var)) if Rc::ptr_eq(of, trace) => staging(trace).const_of(*var),
        _ => Some(value.clone()),
    }
}

/// Appends an equation whose results have these types.
pub fn emit(cx: &Engine, trace: &TraceRef, primitive: Rc<dyn Primitive>, inputs: &[Val], avals: Avals) -> Vals {
    let mut atoms: SmallVec<[Atom; 3]> = SmallVec::new();
    for input in inputs {
        atoms.push(atom(trace, input));
    }
    let mut results = Vals::new();
    let mut outputs: SmallVec<[Var; 1]> = SmallVec::new();
    let mut builder = staging(trace).builder.borrow_mut();
    for aval in avals {
        let var = builder.var(aval.clone());
        outputs.push(var);
        results.push(tracer(trace, aval, Atom::Var(var)));
    }
    builder.jaxpr.effects = builder.jaxpr.effects.and(primitive.effects());
    builder.jaxpr.eqns.push(Eqn { primitive, inputs: atoms, outputs, source: cx.mark() });
    results
}

/// Binds a primitive in a graph being built: constants are folded and unchanged values passed on where JAX does so.
pub(super) fn bind(cx: &Engine, trace: &TraceRef, primitive: Rc<dyn Primitive>, inputs: &[Val]) -> Step<Vals> {
    if let Some(done) = primitive.stage(cx, trace, inputs) {
        return done;
    }
    let mut in_avals: SmallVec<[&Aval; 4]> = SmallVec::new();
    for input in inputs {
        in_avals.push(&input.aval);
    }
    let avals = primitive.abstract_eval_in(cx, &in_avals)?;
    if let Some(folded) = fold(trace, &*primitive, inputs) {
        return Ok(folded);
    }
    if let Some(index) = primitive.forwards(&in_avals, &avals) {
        return Ok(SmallVec::from_elem(lift(trace, &inputs[index]), 1));
    }
    Ok(emit(cx, trace, primitive, inputs, avals))
}

/// Ends a graph with these results.
pub fn finish(trace: &TraceRef, outputs: &[Val]) -> ClosedJaxpr {
    let outvars: Vec<Atom> = outputs.iter().map(|v| atom(trace, v)).collect();
    let mut builder = staging(trace).builder.borrow_mut();
    let consts: Vec<Val> = builder.consts.drain(..).map(|(_, value)| value).collect();
    builder.by_identity.clear();
    let debug = builder.jaxpr.debug.clone();
    let empty = Jaxpr {
        vars: Vec::new(),
        constvars: Vec::new(),
        invars: Vec::new(),
        eqns: Vec::new(),
        outvars: Vec::new(),
        effects: Effects::NONE,
        debug,
        known: Default::default(),
    };
    let mut jaxpr = std::mem::replace(&mut builder.jaxpr, empty);
    jaxpr.outvars = outvars;
    ClosedJaxpr::new(jaxpr, consts)
}

/// Puts the equations of a graph in place of a call of it.
///
/// # Errors
/// A stop when the budget is spent.
pub fn inline(cx: &Engine, trace: &TraceRef, closed: &ClosedJaxpr, inputs: &[Val]) -> Step<Vals> {
    let jaxpr = &closed.jaxpr;
    let mut env: Vec<Option<Val>> = vec![None; jaxpr.vars.len()];
    for (var, value) in jaxpr.constvars.iter().zip(closed.consts.iter()).chain(jaxpr.invars.iter().zip(inputs)) {
        env[var.0 as usize] = Some(lift(trace, value));
    }
    let read = |env: &[Option<Val>], atom: &Atom| match atom {
        Atom::Literal(value) => Ok(value.clone()),
        Atom::Var(var) => env[var.0 as usize]
            .clone()
            .ok_or_else(|| crate::python::Halt::unknown("a graph uses a variable before it is bound")),
    };
    for eqn in &jaxpr.eqns {
        cx.tick()?;
        let inputs = eqn.inputs.iter().map(|a| read(&env, a)).collect::<Step<SmallVec<[Val; 4]>>>()?;
        let avals: Avals = eqn.outputs.iter().map(|v| jaxpr.aval(*v).clone()).collect();
        let results = match fold(trace, &*eqn.primitive, &inputs) {
            Some(folded) => folded,
            None => emit(cx, trace, eqn.primitive.clone(), &inputs, avals),
        };
        for (var, value) in eqn.outputs.iter().zip(results) {
            env[var.0 as usize] = Some(value);
        }
    }
    jaxpr.outvars.iter().map(|a| read(&env, a).map(|v| lift(trace, &v))).collect()
}

/// The results of a primitive whose inputs are constants, where it is folded.
fn fold(trace: &TraceRef, primitive: &dyn Primitive, inputs: &[Val]) -> Option<Vals> {
    if !primitive.folds() {
        return None;
    }
    let constants: SmallVec<[Option<Val>; 2]> = inputs.iter().map(|v| constant_behind(trace, v)).collect();
    if constants.iter().all(Option::is_none) {
        return None;
    }
    Some(primitive.fold(&constants)?.iter().map(|v| lift(trace, v)).collect())
}
