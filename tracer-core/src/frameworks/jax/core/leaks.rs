//! What `jax_check_tracer_leaks` checks: no tracer outlives its trace.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{TraceRef, Val};

/// So many values are looked at for a leaked tracer.
const MOST_LOOKED_AT: usize = 200_000;

/// Where the setting asks for it: looks for tracers of a trace that has ended, in the globals of the user's modules and in
/// what a function holds.
///
/// # Errors
/// The exception of the leak checker.
pub fn check(it: &Rc<Interp>, function: &Value, trace: Option<TraceRef>, name: &str) -> Step<()> {
    let Some(trace) = trace.filter(|_| it.engine.config().check_tracer_leaks) else { return Ok(()) };
    let mut waiting = vec![function.clone()];
    for module in it.modules.borrow().values() {
        if let Value::Module(module) = module
            && module.unit.user
        {
            waiting.extend(module.slots.read().iter().cloned());
            waiting.extend(module.extra.read().values().cloned());
        }
    }
    match find(waiting, &trace) {
        None => Ok(()),
        Some(tracer) => {
            let text = tracer.tracer_repr(&|_| "…".into());
            let message = format!("Leaked trace {name}. Leaked tracer(s):\n\nTraced<{text}>");
            Err(Halt::raise("Exception", message).help("return what the function computes instead of storing it"))
        }
    }
}

/// A tracer of this trace that can be reached from these values.
fn find(mut waiting: Vec<Value>, trace: &TraceRef) -> Option<Val> {
    let mut seen = FxHashSet::default();
    while let Some(value) = waiting.pop() {
        if let Value::Array(array) = &value {
            if array.trace().is_some_and(|own| Rc::ptr_eq(own, trace)) {
                return Some(array.clone());
            }
            continue;
        }
        let holds = matches!(
            value,
            Value::Tuple(_)
                | Value::List(_)
                | Value::Dict(_)
                | Value::Function(_)
                | Value::Method(_)
                | Value::Instance(_)
                | Value::Class(_)
                | Value::Object(_)
        );
        if !holds || !seen.insert(value.identity()) {
            continue;
        }
        if seen.len() > MOST_LOOKED_AT {
            return None;
        }
        match &value {
            Value::Tuple(items) => waiting.extend(items.iter().cloned()),
            Value::List(list) => waiting.extend(list.read().iter().cloned()),
            Value::Dict(dict) => waiting.extend(dict.read().values().cloned()),
            Value::Function(function) if function.module.unit.user => {
                waiting.extend(function.captured.iter().map(|cell| cell.read().clone()));
                waiting.extend(function.defaults.iter().chain(&function.kw_defaults).cloned());
            }
            Value::Method(method) => waiting.extend([method.receiver.clone(), method.function.clone()]),
            Value::Instance(instance) => {
                waiting.extend(instance.attrs().values().cloned());
                waiting.extend(instance.payload().cloned());
            }
            Value::Class(class) if !class.is_builtin() => waiting.extend(class.attrs.read().values().cloned()),
            Value::Object(_) => {
                if let Some(jitted) = super::super::jit::jitted(&value) {
                    waiting.push(jitted.fun.clone());
                }
            }
            _ => {}
        }
    }
    None
}
