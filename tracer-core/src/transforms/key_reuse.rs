//! What `jax_debug_key_reuse` checks: no random key is used twice.
//!
//! A graph consumes some of its key inputs, gives fresh keys, and passes others on. A primitive that is not known to do less
//! consumes all keys that it is given.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::cond::Cond;
use super::jit::Jit;
use super::remat::Remat;
use super::scan::Scan;
use super::while_loop::While;
use crate::array::Aval;
use crate::primitives::{Primitive, Slice};
use crate::python::{Halt, Step};
use crate::trace::{Atom, ClosedJaxpr, Engine, Jaxpr, Val, Vals, Var};

/// Which keys of an array are meant.
#[derive(Clone, Debug, PartialEq)]
enum Mask {
    All,
    Some(Rc<[bool]>),
}

impl Mask {
    fn meets(&self, other: &Mask) -> bool {
        match (self, other) {
            (Mask::Some(a), Mask::Some(b)) => a.iter().zip(b.iter()).any(|(a, b)| *a && *b),
            (Mask::Some(some), Mask::All) | (Mask::All, Mask::Some(some)) => some.contains(&true),
            (Mask::All, Mask::All) => true,
        }
    }
    fn and_also(&self, other: &Mask) -> Mask {
        match (self, other) {
            (Mask::Some(a), Mask::Some(b)) if a.len() == b.len() => {
                let both: Vec<bool> = a.iter().zip(b.iter()).map(|(a, b)| *a || *b).collect();
                if both.contains(&false) { Mask::Some(both.into()) } else { Mask::All }
            }
            _ => Mask::All,
        }
    }
}

/// What becomes of the keys that something is given, and of those that it gives.
#[derive(Clone, Debug, Default, PartialEq)]
struct Signature {
    /// Inputs that are consumed.
    sinks: Vec<(usize, Mask)>,
    /// Results that are fresh.
    sources: Vec<usize>,
    /// Inputs that are results as they are.
    forwards: Vec<(usize, usize)>,
}

impl Signature {
    fn sinks(indices: impl IntoIterator<Item = usize>) -> Signature {
        Signature { sinks: indices.into_iter().map(|i| (i, Mask::All)).collect(), ..Signature::default() }
    }
    fn source(mut self) -> Signature {
        self.sources.push(0);
        self
    }
    fn forward(mut self) -> Signature {
        self.forwards.push((0, 0));
        self
    }
}

fn reused(message: impl Into<String>) -> Halt {
    Halt::raise("jax.errors.KeyReuseError", message.into()).help("split the key, and use each part once")
}

/// What a primitive of JAX's table does with keys; none for one that the table does not have.
fn of_primitive(primitive: &dyn Primitive, inputs: &[&Aval]) -> Step<Option<Signature>> {
    let any: &dyn Any = primitive;
    let none = Signature::default;
    Ok(Some(match primitive.name() {
        "random_bits" | "random_gamma" => Signature::sinks([0]),
        "random_split" => Signature::sinks([0]).source(),
        "random_fold_in" | "random_seed" | "random_clone" | "random_wrap" => none().source(),
        "random_unwrap" | "debug_callback" | "debug_print" | "eq" | "ne" => none(),
        "broadcast_in_dim"
        | "copy"
        | "copy_p"
        | "stage"
        | "convert_element_type"
        | "reshape"
        | "squeeze"
        | "layout_constraint"
        | "sharding_constraint"
        | "reshard"
        | "dynamic_slice"
        | "gather" => none().forward(),
        "dynamic_update_slice" => Signature::sinks([1]).forward(),
        "scatter" => Signature::sinks([2]).forward(),
        "concatenate" if inputs.len() == 1 => none().forward(),
        "concatenate" => Signature::sinks(0..inputs.len()).source(),
        "device_put" => Signature { forwards: (0..inputs.len()).map(|i| (i, i)).collect(), ..none() },
        _ => {
            if let Some(slice) = any.downcast_ref::<Slice>() {
                of_slice(slice, inputs[0])
            } else if let Some(jit) = any.downcast_ref::<Jit>() {
                of_graph(&jit.jaxpr.jaxpr)?
            } else if let Some(cond) = any.downcast_ref::<Cond>() {
                of_cond(cond)?
            } else if let Some(scan) = any.downcast_ref::<Scan>() {
                of_scan(scan)?
            } else if let Some(loop_) = any.downcast_ref::<While>() {
                of_while(loop_)?
            } else if let Some(remat) = any.downcast_ref::<Remat>() {
                // What a derivative consumes, the function itself has consumed before.
                if remat.differentiated { none() } else { of_graph(&remat.jaxpr.jaxpr)? }
            } else {
                return Ok(None);
            }
        }
    }))
}

fn of_slice(slice: &Slice, operand: &Aval) -> Signature {
    if !operand.dtype.is_key() {
        return Signature::default().forward();
    }
    let Some(sizes) = operand.known_shape() else { return Signature::default().forward() };
    let number = |d: &crate::array::Dim| d.known().unwrap_or(0);
    let starts: Vec<usize> = slice.starts.iter().map(number).collect();
    let limits: Vec<usize> = slice.limits.iter().map(number).collect();
    let inside = |mut flat: usize| {
        (0..sizes.len()).rev().all(|axis| {
            let at = flat % sizes[axis];
            flat /= sizes[axis];
            let step = slice.strides.as_ref().and_then(|s| s.get(axis)).map_or(1, |s| *s).max(1);
            (starts[axis]..limits[axis]).contains(&at) && (at - starts[axis]).is_multiple_of(step)
        })
    };
    let mask: Vec<bool> = (0..sizes.iter().product()).map(inside).collect();
    let mask = if mask.contains(&false) { Mask::Some(mask.into()) } else { Mask::All };
    Signature { sinks: vec![(0, mask)], ..Signature::default() }.source()
}

fn of_cond(cond: &Cond) -> Step<Signature> {
    let mut all = Vec::new();
    for branch in cond.branches.iter() {
        all.push(of_graph(&branch.jaxpr)?);
    }
    let mut joined = Signature::default();
    for (i, mask) in all.iter().flat_map(|s| &s.sinks) {
        match joined.sinks.iter_mut().find(|(j, _)| *j == i + 1) {
            Some((_, before)) => *before = before.and_also(mask),
            None => joined.sinks.push((i + 1, mask.clone())),
        }
    }
    for i in all.iter().flat_map(|s| &s.sources) {
        if !joined.sources.contains(i) {
            joined.sources.push(*i);
        }
    }
    if let Some((first, rest)) = all.split_first() {
        let common = first.forwards.iter().filter(|f| rest.iter().all(|s| s.forwards.contains(f)));
        joined.forwards = common.map(|(i, o)| (i + 1, *o)).collect();
    }
    Ok(joined)
}

fn of_scan(scan: &Scan) -> Step<Signature> {
    let signature = of_graph(&scan.jaxpr.jaxpr)?;
    let again = |why: &str| {
        Err(reused(format!("scan body function leads to key reuse when repeatedly executed, because {why}:")))
    };
    if signature.sinks.iter().any(|(i, _)| *i < scan.num_consts) {
        return again("key constants are repeatedly consumed");
    }
    let carried = scan.num_consts..scan.num_consts + scan.num_carry;
    let mut sinks = signature.sinks.iter().filter(|(i, _)| carried.contains(i));
    if sinks.any(|(i, _)| !signature.sources.contains(&(i - scan.num_consts))) {
        return again("consumed inputs don't match sourced outputs");
    }
    Ok(signature)
}

fn of_while(loop_: &While) -> Step<Signature> {
    let (cond, body) = (of_graph(&loop_.cond.jaxpr)?, of_graph(&loop_.body.jaxpr)?);
    let again =
        |of: &str| Err(reused(format!("while_loop {of} function leads to key reuse when repeatedly executed: ")));
    let consts = |s: &Signature, n: usize| s.sinks.iter().any(|(i, _)| *i < n);
    let carried = |s: &Signature, n: usize| -> Vec<usize> {
        s.sinks.iter().filter(|(i, _)| *i >= n).map(|(i, _)| i - n).collect()
    };
    let (in_cond, in_body) = (carried(&cond, loop_.cond_consts), carried(&body, loop_.body_consts));
    let fresh = |sinks: &[usize]| sinks.iter().all(|i| body.sources.contains(i));
    if consts(&cond, loop_.cond_consts) {
        return again("cond");
    }
    if consts(&body, loop_.body_consts) {
        return again("body");
    }
    if !fresh(&in_cond) {
        return again("cond");
    }
    if !fresh(&in_body) {
        return again("body");
    }
    if in_body.iter().any(|i| in_cond.contains(i)) {
        return Err(reused("while_loop cond and body functions both use the same key: "));
    }
    Ok(body)
}

/// What a graph does with keys; its inputs are counted before its constants.
fn of_graph(jaxpr: &Jaxpr) -> Step<Signature> {
    let mut consumed: FxHashMap<Var, Mask> = FxHashMap::default();
    let mut forwards: FxHashMap<Var, Var> = FxHashMap::default();
    let is_key = |var: &Var| jaxpr.aval(*var).dtype.is_key();
    fn origin(forwards: &FxHashMap<Var, Var>, mut var: Var) -> Var {
        while let Some(before) = forwards.get(&var) {
            var = *before;
        }
        var
    }
    for eqn in &jaxpr.eqns {
        let inputs: Vec<&Aval> = eqn.inputs.iter().map(|a| jaxpr.atom_aval(a)).collect();
        let signature = match of_primitive(&*eqn.primitive, &inputs)? {
            Some(signature) => signature,
            None => Signature::sinks((0..inputs.len()).filter(|i| inputs[*i].dtype.is_key())),
        };
        for (from, to) in &signature.forwards {
            if let (Some(Atom::Var(from)), Some(to)) = (eqn.inputs.get(*from), eqn.outputs.get(*to)) {
                forwards.insert(*to, *from);
            }
        }
        for (i, mask) in &signature.sinks {
            let Some(var) = eqn.inputs.get(*i).and_then(Atom::var).filter(is_key) else { continue };
            let var = origin(&forwards, var);
            if consumed.get(&var).is_some_and(|before| before.meets(mask)) {
                return Err(reused(format!("In {}, argument {i} is already consumed.", eqn.primitive.name())));
            }
            let all = consumed.get(&var).map_or_else(|| mask.clone(), |before| before.and_also(mask));
            consumed.insert(var, all);
        }
        for var in eqn.outputs.iter().filter(|v| is_key(v)) {
            if !forwards.contains_key(var) {
                consumed.insert(*var, Mask::All);
            }
        }
        for i in &signature.sources {
            if let Some(var) = eqn.outputs.get(*i) {
                consumed.remove(&origin(&forwards, *var));
            }
        }
    }
    let all: Vec<Var> = jaxpr.invars.iter().chain(&jaxpr.constvars).copied().collect();
    let mut found = Signature::default();
    for (i, var) in all.iter().enumerate() {
        if let Some(mask) = consumed.get(var).filter(|_| is_key(var)) {
            found.sinks.push((i, mask.clone()));
        }
    }
    for (i, var) in jaxpr.outvars.iter().enumerate().filter_map(|(i, a)| Some((i, a.var()?))) {
        if !is_key(&var) {
            continue;
        }
        match all.iter().position(|v| *v == origin(&forwards, var)) {
            Some(at) => found.forwards.push((at, i)),
            None if !consumed.contains_key(&var) => found.sources.push(i),
            None => {}
        }
    }
    Ok(found)
}

/// Checks a graph that was just traced.
///
/// # Errors
/// `KeyReuseError`
pub fn check_graph(graph: &ClosedJaxpr) -> Step<()> {
    of_graph(&graph.jaxpr).map(|_| ())
}

/// The keys outside of all transformations that were used.
#[derive(Default)]
pub struct Consumed(RefCell<FxHashMap<usize, (Val, Mask)>>);

impl Consumed {
    fn mask(&self, key: &Val) -> Option<Mask> {
        self.0.borrow().get(&(Rc::as_ptr(key) as usize)).map(|(_, mask)| mask.clone())
    }
    fn set(&self, key: &Val, mask: Option<Mask>) {
        let at = Rc::as_ptr(key) as usize;
        match mask {
            Some(mask) => self.0.borrow_mut().insert(at, (key.clone(), mask)),
            None => self.0.borrow_mut().remove(&at),
        };
    }
}

/// Applies a primitive outside of all transformations and keeps account of the keys that it uses.
///
/// # Errors
/// `KeyReuseError`; what `run` gives.
pub fn checked(
    cx: &Engine,
    primitive: &Rc<dyn Primitive>,
    inputs: &[Val],
    run: impl FnOnce() -> Step<Vals>,
) -> Step<Vals> {
    let avals: Vec<&Aval> = inputs.iter().map(|v| &v.aval).collect();
    let (signature, compiled) = match of_primitive(&**primitive, &avals)? {
        Some(signature) => (signature, (&**primitive as &dyn Any).is::<Jit>()),
        // Functions with rules of their own run as they stand.
        None if primitive.name().starts_with("custom_") => return run(),
        // All others are compiled as functions of one equation.
        None => (Signature::sinks((0..avals.len()).filter(|i| avals[*i].dtype.is_key())), true),
    };
    let jit = (&**primitive as &dyn Any).downcast_ref::<Jit>();
    let args: Vec<&Val> = inputs.iter().chain(jit.iter().flat_map(|j| j.jaxpr.consts.iter())).collect();
    let key = |i: &usize| args.get(*i).filter(|v| v.aval.dtype.is_key());
    for (i, mask) in &signature.sinks {
        if key(i).and_then(|k| cx.consumed.mask(k)).is_some_and(|before| before.meets(mask)) {
            let name = if compiled { "jit-compiled function" } else { primitive.name() };
            return Err(reused(format!("Previously-consumed key passed to {name} at index {i}")));
        }
    }
    let results = run()?;
    for (i, mask) in &signature.sinks {
        if let Some(key) = key(i) {
            let all = cx.consumed.mask(key).map_or_else(|| mask.clone(), |before| before.and_also(mask));
            cx.consumed.set(key, Some(all));
        }
    }
    for (o, result) in results.iter().enumerate().filter(|(_, v)| v.aval.dtype.is_key()) {
        let forward = signature.forwards.iter().find(|(_, to)| *to == o).and_then(|(from, _)| key(from));
        match forward {
            Some(from) => cx.consumed.set(result, cx.consumed.mask(from)),
            None if signature.sources.contains(&o) => cx.consumed.set(result, None),
            None => cx.consumed.set(result, Some(Mask::All)),
        }
    }
    Ok(results)
}
