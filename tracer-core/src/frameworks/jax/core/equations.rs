//! The equations and variables of graphs as Python objects. The objects are the prelude's (`jax._jaxprs`); here is what they are
//! made from, and the way back from an equation's parameters to its primitive.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Members;
use super::graph::{GraphObject, closed_value};
use super::types::aval_value;
use crate::frameworks::{dtypes, jax::prims};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::primitives::Param;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, Object, Value};
use crate::trace::{Atom, ClosedJaxpr, Eqn, Jaxpr, Var, print};

/// Graphs that a program looks into, each with the objects that it sees: they are the same whenever it looks.
#[derive(Default)]
pub struct Views {
    seen: RefCell<FxHashMap<*const Jaxpr, (Rc<Jaxpr>, Value)>>,
}

/// The attribute of a graph that consists of equations or variables.
///
/// # Errors
/// What making the objects raises.
pub fn attribute(it: &Rc<Interp>, graph: &Rc<GraphObject>, name: Symbol) -> Step<Value> {
    let views = it.extension::<Views>();
    let jaxpr = &graph.graph.jaxpr;
    let known = views.seen.borrow().get(&Rc::as_ptr(jaxpr)).map(|(_, view)| view.clone());
    let view = match known {
        Some(view) => view,
        None => {
            let module = it.import(sym!("jax._jaxprs"))?;
            let make = it.getattr(&module, sym!("View"))?;
            let view = it.call_with(&make, [parts(it, jaxpr)?])?;
            views.seen.borrow_mut().insert(Rc::as_ptr(jaxpr), (jaxpr.clone(), view.clone()));
            view
        }
    };
    it.getattr(&view, name)
}

/// An equation's primitive with its parameters, for the prelude to hand back.
struct Applied {
    jaxpr: Rc<Jaxpr>,
    equation: usize,
}

impl Applied {
    fn equation(&self) -> &Eqn {
        &self.jaxpr.eqns[self.equation]
    }
}

impl Object for Applied {
    fn type_name(&self) -> String {
        "Applied".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.types.object.clone()
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// `(types of all variables, constvars, invars, equations, outvars)`. A variable is its number, a literal the one-tuple of its value; an
/// equation is `(name, whether it gives a list, parameters, inputs, outputs, what to bind)`.
fn parts(it: &Rc<Interp>, jaxpr: &Rc<Jaxpr>) -> Step<Value> {
    let var = |v: &Var| Value::Int(i64::from(v.0));
    let vars = |vars: &[Var]| Value::tuple(vars.iter().map(var));
    let atom = |a: &Atom| match a {
        Atom::Var(v) => var(v),
        Atom::Literal(value) => Value::tuple([Value::Array(value.clone())]),
    };
    let avals = jaxpr.vars.iter().map(|a| aval_value(it, a)).collect::<Step<Vec<_>>>()?;
    let mut eqns = Vec::with_capacity(jaxpr.eqns.len());
    for (equation, eqn) in jaxpr.eqns.iter().enumerate() {
        let mut params = Vec::new();
        for (name, param) in eqn.primitive.params() {
            // What cannot be read is handed over as its text, in a list.
            let value = match (param_value(it, name, &param), param) {
                (Some(value), _) => value,
                (None, Param::Text(text)) => Value::list(vec![Value::from(text)]),
                (None, _) => Value::list(Vec::new()),
            };
            params.push(Value::tuple([Value::str(name), value]));
        }
        let applied = Applied { jaxpr: jaxpr.clone(), equation };
        eqns.push(Value::tuple([
            Value::str(eqn.primitive.name()),
            Value::Bool(eqn.primitive.multiple_results()),
            Value::tuple(params),
            Value::tuple(eqn.inputs.iter().map(atom)),
            vars(&eqn.outputs),
            Value::Object(Rc::new(applied)),
        ]));
    }
    Ok(Value::tuple([
        Value::list(avals),
        vars(&jaxpr.constvars),
        vars(&jaxpr.invars),
        Value::list(eqns),
        Value::tuple(jaxpr.outvars.iter().map(atom)),
    ]))
}

/// A parameter as Python has it; none where its text does not tell. No parameter is a list.
fn param_value(it: &Rc<Interp>, name: &str, param: &Param) -> Option<Value> {
    let closed = |graph: &Rc<Jaxpr>| ClosedJaxpr { jaxpr: graph.clone(), consts: Rc::from([]) };
    match param {
        Param::Graph(graph) if graph.constvars.is_empty() => Some(closed_value(closed(graph))),
        Param::Graphs(graphs) if graphs.iter().all(|g| g.constvars.is_empty()) => {
            Some(Value::tuple(graphs.iter().map(|g| closed_value(closed(g)))))
        }
        Param::Text(text) if name == "name" => Some(Value::str(text)),
        Param::Text(text) if name.ends_with("dtype") || name == "preferred_element_type" => match text.as_str() {
            "None" => Some(Value::None),
            name => dtypes::of(it, &Value::str(name)).ok().flatten().map(dtypes::value),
        },
        Param::Text(text) => Reader { rest: text }.whole().or_else(|| named(it, text)),
        _ => None,
    }
}

/// What `jax.lax` has under a name: dimension numbers with their fields in order, and members of enumerations.
fn named(it: &Rc<Interp>, text: &str) -> Option<Value> {
    let of_lax = |name: &str| it.getattr(&it.import(sym!("jax.lax"))?, Symbol::from(name));
    if let Some(member) = text.strip_prefix("GatherScatterMode.") {
        return it.getattr(&of_lax("GatherScatterMode").ok()?, Symbol::from(member)).ok();
    }
    let (class, fields) = text.strip_suffix(')')?.split_once('(')?;
    if !["GatherDimensionNumbers", "ScatterDimensionNumbers"].contains(&class) {
        return None;
    }
    let mut reader = Reader { rest: fields };
    let mut values = Vec::new();
    while !reader.rest.trim().is_empty() {
        reader.rest = reader.rest.split_once('=')?.1;
        values.push(reader.value()?);
        reader.eat(",");
    }
    it.call_with(&of_lax(class).ok()?, values).ok()
}

/// Reads what Python prints for None, booleans, numbers, strings, and tuples of them. What is printed as a list is a tuple too.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn whole(mut self) -> Option<Value> {
        let value = self.value()?;
        self.rest.trim().is_empty().then_some(value)
    }
    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        let found = self.rest.strip_prefix(token);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }
    fn value(&mut self) -> Option<Value> {
        if self.eat("(") {
            let (items, comma) = self.items(")")?;
            return if items.len() == 1 && !comma { items.into_iter().next() } else { Some(Value::tuple(items)) };
        }
        if self.eat("[") {
            return Some(Value::tuple(self.items("]")?.0));
        }
        if self.eat("'") {
            let (text, rest) = self.rest.split_once('\'')?;
            self.rest = rest;
            return (!text.contains('\\')).then(|| Value::str(text));
        }
        let end = self.rest.find([',', ')', ']']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        match word.trim() {
            "None" => Some(Value::None),
            "True" => Some(Value::Bool(true)),
            "False" => Some(Value::Bool(false)),
            number => match number.parse() {
                Ok(whole) => Some(Value::Int(whole)),
                Err(_) if number.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    number.parse().ok().map(Value::Float)
                }
                Err(_) => None,
            },
        }
    }
    fn items(&mut self, close: &str) -> Option<(Vec<Value>, bool)> {
        let (mut items, mut comma) = (Vec::new(), false);
        while !self.eat(close) {
            if !items.is_empty() && !comma {
                return None;
            }
            items.push(self.value()?);
            comma = self.eat(",");
        }
        Some((items, comma))
    }
}

fn applied<R>(value: &Value, then: impl FnOnce(&Applied) -> Step<R>) -> Step<R> {
    match value {
        Value::Object(object) => match object.downcast::<Applied>() {
            Some(applied) => then(applied),
            None => Err(Halt::unknown("not an equation's primitive")),
        },
        _ => Err(Halt::unknown("not an equation's primitive")),
    }
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    // `bind_applied(applied, *args)`: Applies what an equation of a jaxpr applies, its parameters included, to other
    // arguments (the engine's own jaxprs only).
    members.function("bind_applied", |it, args| {
        let Some((what, inputs)) = args.positional.split_first() else {
            return Err(Halt::type_error("bind_applied() missing required argument 'what'"));
        };
        let (primitive, count) = applied(what, |a| Ok((a.equation().primitive.clone(), a.equation().inputs.len())))?;
        if inputs.len() != count {
            return Err(Halt::unknown(format!(
                "`{}` of {} arrays in place of {count}",
                primitive.name(),
                inputs.len()
            )));
        }
        let inputs = inputs.iter().map(|v| prims::input(it, v)).collect::<Step<Vec<_>>>()?;
        prims::bind(it, primitive, &inputs)
    });
    // The program's own primitive and its parameters, or None.
    members.function("applied_own", |_, args| {
        let [what] = args.exactly("applied_own")?;
        let own = applied(&what, |a| Ok(a.equation().primitive.own()))?;
        Ok(own.map_or(Value::None, |(primitive, params)| Value::tuple([primitive, params])))
    });
    // `applied_text(applied)`: The text of such an equation.
    members.function("applied_text", |_, args| {
        let [what] = args.exactly("applied_text")?;
        applied(&what, |a| Ok(Value::from(print::equation(&a.jaxpr, a.equation()))))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_python_prints() {
        let read = |text: &str| Reader { rest: text }.whole().map(|v| format!("{v:?}"));
        let shown = |value: Value| Some(format!("{value:?}"));
        assert!(read("(((1,), (0,)), ((), ()))").is_some());
        assert_eq!(read("([1], [0])"), read("((1,), (0,))"));
        assert_eq!(read("(3,)"), shown(Value::tuple([Value::Int(3)])));
        assert_eq!(read("-1"), shown(Value::Int(-1)));
        assert_eq!(read("None"), shown(Value::None));
        assert_eq!(read("('i', 'j')"), shown(Value::tuple([Value::str("i"), Value::str("j")])));
        assert_eq!(read("GatherScatterMode.CLIP"), None);
        assert_eq!(read("inf"), None);
        assert_eq!(read("(1, 2"), None);
    }
}
