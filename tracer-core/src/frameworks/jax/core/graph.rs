//! Graphs as Python values, and what is done with them.

use std::any::Any;
use std::rc::Rc;

use super::Members;
use super::types::aval_value;
use crate::frameworks::jax::prims;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Attrs, Class, Object, Value};
use crate::trace::{Atom, ClosedJaxpr, Jaxpr, Val, Var};
use crate::transforms::graphs::eval_jaxpr;
use crate::transforms::{calls, dce};

/// A graph as a Python value.
pub struct GraphObject {
    /// The graph.
    pub graph: Rc<ClosedJaxpr>,
    /// Whether it stands for the graph without its constants (`jaxpr.jaxpr`).
    pub open: bool,
}

/// A closed graph as a Python value. `leading` are constants that are its first inputs: they become constants again.
pub fn value(graph: ClosedJaxpr, leading: Vec<Val>) -> Value {
    closed_value(with_constants(graph, leading))
}

/// A graph whose first inputs, which these constants were given to, are constants again.
pub fn with_constants(graph: ClosedJaxpr, leading: Vec<Val>) -> ClosedJaxpr {
    match leading.is_empty() {
        true => graph,
        false => {
            let mut jaxpr = (*graph.jaxpr).clone();
            let rest = jaxpr.invars.split_off(leading.len());
            jaxpr.constvars.extend(std::mem::replace(&mut jaxpr.invars, rest));
            if jaxpr.debug.arguments.len() >= leading.len() {
                jaxpr.debug.arguments = jaxpr.debug.arguments[leading.len()..].into();
            }
            ClosedJaxpr::new(jaxpr, graph.consts.iter().cloned().chain(leading).collect())
        }
    }
}

/// A closed graph as a Python value.
pub fn closed_value(graph: ClosedJaxpr) -> Value {
    Value::Object(Rc::new(GraphObject { graph: Rc::new(graph), open: false }))
}

/// The graph in a value.
///
/// # Errors
/// Unknown where there is none.
pub fn graph_of(value: &Value) -> Step<Rc<ClosedJaxpr>> {
    match value {
        Value::Object(object) => match object.downcast::<GraphObject>() {
            Some(graph) => Ok(graph.graph.clone()),
            None => Err(Halt::unknown("not a graph")),
        },
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::unknown("not a graph")),
    }
}

impl Object for GraphObject {
    fn type_name(&self) -> String {
        if self.open { "Jaxpr".into() } else { "ClosedJaxpr".into() }
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        let name = if self.open { sym!("jax.core.Jaxpr") } else { sym!("jax.core.ClosedJaxpr") };
        it.named_class(name).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        let avals = |avals: Vec<crate::array::Aval>| {
            avals.iter().map(|a| aval_value(it, a)).collect::<Step<Vec<_>>>().map(|v| Some(Value::list(v)))
        };
        match name.as_str() {
            "jaxpr" if !self.open => {
                Ok(Some(Value::Object(Rc::new(GraphObject { graph: self.graph.clone(), open: true }))))
            }
            "consts" | "literals" if !self.open => {
                Ok(Some(Value::list(self.graph.consts.iter().cloned().map(Value::Array).collect())))
            }
            "in_avals" => avals(self.graph.in_avals()),
            "out_avals" => avals(self.graph.out_avals()),
            "eqns" | "invars" | "outvars" | "constvars" => super::equations::attribute(it, &self, name).map(Some),
            "effects" | "debug_info" | "replace" | "pretty_print" => {
                Ok(Some(Value::unknown(format!("`{name}` of a jaxpr"))))
            }
            _ => Ok(None),
        }
    }
    fn repr(self: Rc<Self>, _: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        Ok(Some(self.graph.to_string()))
    }
    // Whoever reads `jaxpr.jaxpr` twice, or traces a function again that nothing has changed for, reads the same object.
    fn hash(&self) -> Option<u64> {
        Some(Rc::as_ptr(&self.graph.jaxpr) as u64 + u64::from(self.open))
    }
    fn identity(&self, other: &dyn Object) -> bool {
        let is_same = |other: &GraphObject| {
            let (mine, others) = (&self.graph.consts, &other.graph.consts);
            let consts = || mine.len() == others.len() && mine.iter().zip(others.iter()).all(|(a, b)| Rc::ptr_eq(a, b));
            self.open == other.open && Rc::ptr_eq(&self.graph.jaxpr, &other.graph.jaxpr) && (self.open || consts())
        };
        other.downcast::<GraphObject>().is_some_and(is_same)
    }
}

/// Arrays from a Python list.
///
/// # Errors
/// Unknown for unknown items; `TypeError` for what is no array.
pub fn arrays(it: &Rc<Interp>, value: &Value) -> Step<Vec<Val>> {
    it.to_vec(value)?.iter().map(|v| prims::input(it, v)).collect()
}

/// Arrays as a Python list.
pub fn list(values: impl IntoIterator<Item = Val>) -> Value {
    Value::list(values.into_iter().map(Value::Array).collect())
}

/// Booleans from a Python list.
///
/// # Errors
/// Unknown for unknown items.
pub fn flags(it: &Rc<Interp>, value: &Value) -> Step<Vec<bool>> {
    it.to_vec(value)?.iter().map(|v| it.truth(v)).collect()
}

/// Gives all graphs the same leading inputs, one for each distinct constant.
fn merge_consts(graphs: &[Rc<ClosedJaxpr>], consts: &[Vec<Val>]) -> (Vec<ClosedJaxpr>, Vec<Val>) {
    let mut merged: Vec<Val> = Vec::new();
    for value in consts.iter().flatten() {
        if !merged.iter().any(|m| Rc::ptr_eq(m, value)) {
            merged.push(value.clone());
        }
    }
    let one = |(graph, own): (&Rc<ClosedJaxpr>, &Vec<Val>)| {
        let mut jaxpr: Jaxpr = (*graph.jaxpr).clone();
        let args = jaxpr.invars.split_off(own.len());
        let mut invars = Vec::with_capacity(merged.len() + args.len());
        for value in &merged {
            match own.iter().position(|o| Rc::ptr_eq(o, value)) {
                Some(at) => invars.push(jaxpr.invars[at]),
                None => {
                    let var = Var(jaxpr.vars.len() as u32);
                    jaxpr.vars.push(value.aval.clone());
                    invars.push(var);
                }
            }
        }
        invars.extend(args);
        jaxpr.invars = invars;
        jaxpr.debug.arguments = Rc::from([]);
        ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: graph.consts.clone() }
    };
    (graphs.iter().zip(consts).map(one).collect(), merged)
}

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut Members) {
    for name in ["Jaxpr", "ClosedJaxpr"] {
        let bases = vec![it.types.object.clone()];
        let class = Class::new(Symbol::from(name), sym!("jax._src.core"), bases, Attrs::default(), Root::Other)
            .expect("one base is always in order");
        let full = Symbol::from(format!("jax.core.{name}").as_str());
        it.named_classes.borrow_mut().insert(full, Value::Class(class.clone()));
        members.value(name, Value::Class(class));
    }
    // `eval_jaxpr(jaxpr, *args)`: Runs a jaxpr's equations on arrays under the current trace; the list of results.
    members.function("eval_jaxpr", |it, args: Args| {
        let Some((graph, inputs)) = args.positional.split_first() else {
            return Err(Halt::type_error("eval_jaxpr() missing required argument 'jaxpr'"));
        };
        let graph = graph_of(graph)?;
        let inputs = inputs.iter().map(|v| prims::input(it, v)).collect::<Step<Vec<_>>>()?;
        it.array_work.set(it.array_work.get() + 1);
        Ok(list(eval_jaxpr(&it.engine, &graph.jaxpr, &graph.consts, &inputs)?))
    });
    // The same of a graph without its constants, with these in their place.
    members.function("eval_open_jaxpr", |it, args: Args| {
        let [graph, consts, inputs] = args.exactly("eval_open_jaxpr")?;
        let graph = graph_of(&graph)?;
        let (consts, inputs) = (arrays(it, &consts)?, arrays(it, &inputs)?);
        if consts.len() != graph.jaxpr.constvars.len() || inputs.len() != graph.jaxpr.invars.len() {
            return Err(Halt::unknown("a graph that is given other constants or arguments than it has"));
        }
        it.array_work.set(it.array_work.get() + 1);
        Ok(list(eval_jaxpr(&it.engine, &graph.jaxpr, &consts, &inputs)?))
    });
    // `jaxpr_forwarding(jaxpr)`: For each output the index of the input that it is, or None.
    members.function("jaxpr_forwarding", |_, args| {
        let [graph] = args.exactly("jaxpr_forwarding")?;
        let found = graph_of(&graph)?.jaxpr.forwarded();
        Ok(Value::list(found.into_iter().map(|f| f.map_or(Value::None, Value::size)).collect()))
    });
    // `jaxpr_keep_outputs(jaxpr, keep)`: The jaxpr with only the outputs where `keep` is true (and no dead code
    // removed).
    members.function("jaxpr_keep_outputs", |it, args| {
        let [graph, keep] = args.exactly("jaxpr_keep_outputs")?;
        let graph = graph_of(&graph)?;
        let keep = flags(it, &keep)?;
        if !keep.contains(&false) {
            return Ok(closed_value((*graph).clone()));
        }
        let jaxpr = graph.jaxpr.with_outputs(&keep);
        Ok(closed_value(ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: graph.consts.clone() }))
    });
    // `jaxpr_move_to_front(jaxpr, which)`: The jaxpr with the inputs where `which` is true moved before the others,
    // order kept.
    members.function("jaxpr_move_to_front", |it, args| {
        let [graph, which] = args.exactly("jaxpr_move_to_front")?;
        Ok(closed_value(calls::move_to_front(&*graph_of(&graph)?, &flags(it, &which)?)))
    });
    // `jaxpr_dce(jaxpr, used_outputs, keep_inputs)`: Without dead code: `(jaxpr, used)`; an input stays where it is used
    // or `keep_inputs` is true.
    members.function("jaxpr_dce", |it, args| {
        let [graph, used, keep] = args.exactly("jaxpr_dce")?;
        let graph = graph_of(&graph)?;
        let (jaxpr, kept) = dce::prune(&graph.jaxpr, &flags(it, &used)?, &flags(it, &keep)?);
        let small = closed_value(ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: graph.consts.clone() });
        Ok(Value::tuple([small, Value::list(kept.into_iter().map(Value::Bool).collect())]))
    });
    // `jaxpr_merge_consts(jaxprs, consts)`: Gives all jaxprs the same constants: `consts` has a list for each; returns
    // `(jaxprs, merged)` with equal constants (by identity) once.
    members.function("jaxpr_merge_consts", |it, args| {
        let [graphs, consts] = args.exactly("jaxpr_merge_consts")?;
        let graphs = it.to_vec(&graphs)?.iter().map(graph_of).collect::<Step<Vec<_>>>()?;
        let consts = it.to_vec(&consts)?.iter().map(|c| arrays(it, c)).collect::<Step<Vec<_>>>()?;
        let (graphs, merged) = merge_consts(&graphs, &consts);
        Ok(Value::tuple([Value::tuple(graphs.into_iter().map(closed_value)), list(merged)]))
    });
    // `open_jaxpr(jaxpr)`: The form of a jaxpr without constants of its own that the parameter `jaxpr` of `remat2`
    // wants.
    members.function("open_jaxpr", |_, args| {
        let [graph] = args.exactly("open_jaxpr")?;
        Ok(graph)
    });
    // `jaxprs_join_effects(jaxprs)`: The branches of a `cond` with the effects of all of them on each.
    members.function("jaxprs_join_effects", |it, args| {
        let [graphs] = args.exactly("jaxprs_join_effects")?;
        Ok(Value::list(it.to_vec(&graphs)?))
    });
    // `disallowed_effects(jaxpr)`: The set of effects that control flow cannot hold; empty for all but exotic callbacks.
    members.function("disallowed_effects", |_, args| {
        let [_graph] = args.exactly("disallowed_effects")?;
        Ok(Value::tuple([]))
    });
    let _ = |a: &Atom| a.var();
}
