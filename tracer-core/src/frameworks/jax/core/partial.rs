//! Functions of which some arguments are known: what depends on the others becomes a graph, all else is computed.

use std::cell::RefCell;
use std::rc::Rc;

use super::Members;
use super::conversion::aval_of;
use super::graph::{list, value};
use super::services::array_of;
use super::types::aval_value;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::trace::{DebugInfo, Staging, Trace, Val, staging};
use crate::transforms::linearize::on_tape;

/// The services.
pub fn members(members: &mut Members) {
    // partial_trace(f, arguments, which of them are unknown): `f` is called with a list and gives one. An unknown argument is a type.
    // The graph of what is unknown, and for each result itself or, where it is unknown, its type, and which are.
    members.function("partial_trace", |it, args| {
        let [f, inputs, unknown] = args.exactly("partial_trace")?;
        let debug = DebugInfo {
            traced_for: "trace_to_jaxpr".into(),
            function: super::introspection::source(it, &f)?.into(),
            arguments: Rc::from([]),
        };
        let parent = it.engine.trace();
        let tape = Staging::new(Some(parent.clone()), debug);
        let partial = Rc::new(Trace::Partial { parent, tape: tape.clone() });
        let mut given = Vec::new();
        for (input, unknown) in it.to_vec(&inputs)?.into_iter().zip(it.to_vec(&unknown)?) {
            given.push(match it.truth(&unknown)? {
                true => Value::Array(staging::argument(&tape, aval_of(it, &input)?)),
                false => input,
            });
        }
        let results: RefCell<Vec<Val>> = RefCell::default();
        it.engine.within(&partial, || {
            let found = match it.call_with(&f, [Value::list(given)])? {
                Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
                found => it.to_vec(&found)?,
            };
            *results.borrow_mut() = found.iter().map(|v| array_of(it, v)).collect::<Step<_>>()?;
            Ok(())
        })?;
        let results = results.into_inner();
        let unknown: Vec<bool> = results.iter().map(|value| on_tape(&tape, value)).collect();
        let left: Vec<Val> = results.iter().zip(&unknown).filter(|(_, u)| **u).map(|(v, _)| v.clone()).collect();
        let (graph, consts) = staging::finish(&tape, &left).separate();
        let outs = results.iter().zip(&unknown).map(|(value, unknown)| match unknown {
            true => aval_value(it, &value.aval),
            false => Ok(Value::Array(value.clone())),
        });
        Ok(Value::tuple([
            value(graph, Vec::new()),
            list(consts),
            Value::list(outs.collect::<Step<Vec<_>>>()?),
            Value::list(unknown.into_iter().map(Value::Bool).collect()),
        ]))
    });
}
