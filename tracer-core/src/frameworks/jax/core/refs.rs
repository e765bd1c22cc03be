//! Mutable arrays, as far as staging knows of them: `jax/_engine_refs.py` says what they are.

use std::cell::RefCell;
use std::rc::Rc;

use super::Members;
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, Value};
use crate::trace::{ClosedJaxpr, Trace, TraceRef, Val, staging};

/// The class of references, once the program has asked for it.
#[derive(Default)]
struct Refs {
    class: RefCell<Option<Rc<Class>>>,
}

/// Whether a value is a reference to a mutable array.
pub fn is_ref(it: &Rc<Interp>, value: &Value) -> bool {
    let Value::Instance(instance) = value else { return false };
    let refs = it.extension::<Refs>();
    let class = refs.class.borrow();
    class.as_ref().is_some_and(|class| Rc::ptr_eq(class, &instance.class()))
}

fn call(it: &Rc<Interp>, name: &str, args: impl IntoIterator<Item = Value>) -> Step<Value> {
    let function = prelude_member(it, "jax._engine_refs", name)?;
    it.call_with(&function, args.into_iter().collect::<Vec<_>>())
}

fn array(value: Value) -> Step<Val> {
    match value {
        Value::Array(array) => Ok(array),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::unknown("a mutable array that holds no array")),
    }
}

/// What a reference holds under the current trace.
///
/// # Errors
/// That of a reference that has outlived its trace.
pub fn read(it: &Rc<Interp>, reference: &Value) -> Step<Val> {
    array(call(it, "read", [reference.clone()])?)
}

/// Makes a reference hold this array under the current trace.
///
/// # Errors
/// What JAX raises for a value under another transformation.
pub fn write(it: &Rc<Interp>, reference: &Value, value: Val) -> Step<()> {
    call(it, "write", [reference.clone(), Value::Array(value)]).map(drop)
}

/// The error of a function that returns a reference.
///
/// # Errors
/// None but stops.
pub fn returned(it: &Rc<Interp>, reference: &Value, function: &str, api: &str, path: &str) -> Step<Halt> {
    let text = call(it, "type_text", [reference.clone()])?;
    let at = if path.is_empty() { String::new() } else { format!(" at output tree path result{path}") };
    Ok(Halt::value_error(format!(
        "function {function} traced for {api} returned a mutable array reference of type {}{at}, but mutable array references \
         cannot be returned.",
        text.as_str().unwrap_or("Ref"),
    )))
}

/// Checks that no reference is given twice.
///
/// # Errors
/// `ValueError` where one is.
pub fn check_aliases(it: &Rc<Interp>, leaves: &[Value], names: &[Rc<str>], what: &str) -> Step<()> {
    let names = Value::list(names.iter().cloned().map(Value::Str).collect());
    call(it, "check_aliases", [Value::list(leaves.to_vec()), names, Value::from(what.to_owned())]).map(drop)
}

/// How often a reference of a weak type was written to while staging.
///
/// # Errors
/// None but stops.
pub fn weak_writes(it: &Rc<Interp>) -> Step<i64> {
    if it.extension::<Refs>().class.borrow().is_none() {
        return Ok(0);
    }
    it.index(&call(it, "weak_writes", [])?)
}

/// The references of a graph that is being staged.
pub struct Frame(Value);

/// How a staged graph uses references: those that it captures come first among its inputs, what the written ones hold at the
/// end comes first among its results.
#[derive(Default)]
pub struct Used {
    /// Captured references: those that are only read, then those that are written.
    pub captured: Vec<Value>,
    /// How many are only read.
    pub only_read: usize,
    /// Which of the references among the arguments are written.
    pub arguments: Vec<usize>,
    /// In which order the graph got its late inputs.
    order: Vec<usize>,
}

impl Used {
    /// How many results of the graph are what references hold at the end.
    pub fn written(&self) -> usize {
        self.captured.len() - self.only_read + self.arguments.len()
    }
}

impl Frame {
    /// A frame for the graph that is being staged, where the program has references at all.
    ///
    /// # Errors
    /// None but stops.
    pub fn open(it: &Rc<Interp>) -> Step<Option<Frame>> {
        if it.extension::<Refs>().class.borrow().is_none() {
            return Ok(None);
        }
        Ok(Some(Frame(call(it, "open_frame", [])?)))
    }
    /// What stands for a reference that is an argument.
    ///
    /// # Errors
    /// None but stops.
    pub fn argument(&self, it: &Rc<Interp>, reference: &Value, tracer: &Val) -> Step<Value> {
        let method = it.getattr(&self.0, sym!("argument"))?;
        it.call_with(&method, [reference.clone(), Value::Array(tracer.clone())])
    }
    /// How the references were used, and what the written ones hold.
    ///
    /// # Errors
    /// None but stops.
    pub fn close(&self, it: &Rc<Interp>) -> Step<(Used, Vec<Val>)> {
        let found = it.call_with(&it.getattr(&self.0, sym!("close"))?, [])?;
        let [order, only_read, captured, arguments, values] = &*it.to_vec(&found)? else {
            return Err(Halt::unknown("how mutable arrays are used"));
        };
        let numbers = |list: &Value| -> Step<Vec<usize>> {
            it.to_vec(list)?.iter().map(|v| it.index(v).map(|i| i as usize)).collect()
        };
        let used = Used {
            captured: it.to_vec(captured)?,
            only_read: it.index(only_read)? as usize,
            arguments: numbers(arguments)?,
            order: numbers(order)?,
        };
        Ok((used, it.to_vec(values)?.into_iter().map(array).collect::<Step<_>>()?))
    }
}

/// The graph with what captured references hold as its first inputs; `given` is the number of inputs that it was traced with.
pub fn captured_first(closed: ClosedJaxpr, given: usize, used: &Used) -> ClosedJaxpr {
    if used.order.is_empty() {
        return closed;
    }
    let mut jaxpr = (*closed.jaxpr).clone();
    let late = jaxpr.invars.split_off(given);
    let given = std::mem::take(&mut jaxpr.invars);
    jaxpr.invars = used.order.iter().map(|i| late[*i]).chain(given).collect();
    if !jaxpr.debug.arguments.is_empty() {
        let names = used.order.iter().map(|_| Rc::from("")).chain(jaxpr.debug.arguments.iter().cloned()).collect();
        jaxpr.debug.arguments = names;
    }
    ClosedJaxpr { jaxpr: Rc::new(jaxpr), consts: closed.consts.clone() }
}

fn address(trace: &TraceRef) -> Value {
    Value::Int(Rc::as_ptr(trace).cast::<()>() as i64)
}

/// The names of this family.
pub fn members(_: &Rc<Interp>, members: &mut Members) {
    members.function("register_ref_class", |it, args| {
        let [class] = args.exactly("register_ref_class")?;
        if let Value::Class(class) = class {
            it.extension::<Refs>().class.replace(Some(class));
        }
        Ok(Value::None)
    });
    // `is_ref(x)`: Whether it is a reference to a mutable array.
    members.function("is_ref", |it, args| {
        let [x] = args.exactly("is_ref")?;
        Ok(Value::Bool(is_ref(it, &x)))
    });
    // The traces that are under way, innermost first: what each is, and its number.
    members.function("traces", |it, _| {
        let mut found = Vec::new();
        let mut trace = Some(it.engine.trace());
        while let Some(current) = trace {
            let kind = match &*current {
                Trace::Eval => "eval",
                Trace::Jaxpr(_) => "jaxpr",
                Trace::Batch { .. } => "batch",
                Trace::Jvp { .. } | Trace::Linearize { .. } | Trace::Partial { .. } => "derivative",
            };
            found.push(Value::tuple([Value::str(kind), address(&current)]));
            trace = current.parent().cloned();
        }
        if !matches!(found.last(), Some(Value::Tuple(last)) if last[0].as_str() == Some("eval")) {
            found.push(Value::tuple([Value::str("eval"), address(&it.engine.eval_trace())]));
        }
        Ok(Value::list(found))
    });
    members.function("trace_of", |_, args| {
        let [x] = args.exactly("trace_of")?;
        Ok(match &x {
            Value::Array(array) => array.trace().map_or(Value::None, address),
            _ => Value::None,
        })
    });
    members.function("late_argument", |it, args| {
        let [like] = args.exactly("late_argument")?;
        let like = array(like)?;
        let mut trace = it.engine.trace();
        while trace.staging().is_none() {
            let Some(parent) = trace.parent().cloned() else {
                return Err(Halt::unknown("a late argument outside of a graph"));
            };
            trace = parent;
        }
        Ok(Value::Array(staging::argument(&trace, like.aval.clone())))
    });
}
