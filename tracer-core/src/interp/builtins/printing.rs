//! `print`.

use std::rc::Rc;

use super::define_fn;
use crate::interp::Interp;
use crate::interp::events::Effect;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, Instance, Value};

/// Adds it.
pub(super) fn install(it: &Rc<Interp>) {
    define_fn(it, "print", print);
}

fn print(it: &Rc<Interp>, args: Args) -> Step<Value> {
    if let Some((name, _)) = args.keyword.iter().find(|(n, _)| !matches!(n.as_str(), "sep" | "end" | "file" | "flush"))
    {
        return Err(Halt::type_error(format!("'{name}' is an invalid keyword argument for print()")));
    }
    for value in &args.positional {
        // What is printed may fail, but its text is of no interest.
        match value {
            Value::Array(_) | Value::Object(_) => match it.engine.without_computing(|| it.str_of(value)) {
                Ok(_) | Err(Halt::Unknown(_)) => {}
                Err(halt) => return Err(halt),
            },
            Value::Str(_) => {}
            value => drop(it.str_of(value)?),
        }
    }
    it.note_texts(&args.positional);
    it.note_effect(Effect::Print);
    match own_stream(it, &args)? {
        Some(stream) => print_to(it, &stream, &args),
        None => print_out(it, &args),
    }
}

/// Prints to a stream of the process.
fn print_out(it: &Rc<Interp>, args: &Args) -> Step<Value> {
    let is_output = match stream(it, args) {
        Some(Value::Instance(stream)) => stream.get(sym!("name")).is_some_and(|name| name.as_str() == Some("<stdout>")),
        Some(_) => false,
        None => true,
    };
    if is_output && it.printing.is_read() {
        let (between, end) = separators(args);
        for (at, value) in args.positional.iter().enumerate() {
            if at > 0 {
                it.note_printed(&between)?;
            }
            it.note_printed(value)?;
        }
        it.note_printed(&end)?;
    }
    Ok(Value::None)
}

/// What stands between texts that are printed, and behind them.
fn separators(args: &Args) -> (Value, Value) {
    let option = |name: &str, usual: &str| {
        let given = args.keyword.iter().find(|(key, _)| key.as_str() == name).map(|(_, value)| value.clone());
        given.filter(|value| !value.is_none()).unwrap_or_else(|| Value::str(usual))
    };
    (option("sep", " "), option("end", "\n"))
}

/// What a text is printed to; `None` where the program has not come to `sys`.
fn stream(it: &Rc<Interp>, args: &Args) -> Option<Value> {
    let given = args.keyword.iter().find(|(name, _)| name.as_str() == "file").map(|(_, file)| file.clone());
    match given.filter(|file| !file.is_none()) {
        Some(file) => Some(file),
        None => match it.modules.borrow().get(&sym!("sys")) {
            Some(Value::Module(sys)) => sys.get(sym!("stdout")),
            _ => None,
        },
    }
}

/// What a text is printed to, where that is an object that may keep it.
fn own_stream(it: &Rc<Interp>, args: &Args) -> Step<Option<Value>> {
    let stream = stream(it, args);
    // The streams of the process keep nothing.
    let keeps = |instance: &Instance| {
        let class = instance.class_ref();
        !(class.module.as_str() == "sys" && class.name.as_str() == "_Stream")
    };
    Ok(stream.filter(|stream| matches!(stream, Value::Instance(instance) if keeps(instance))))
}

fn print_to(it: &Rc<Interp>, stream: &Value, args: &Args) -> Step<Value> {
    let (between, end) = separators(args);
    for (at, value) in args.positional.iter().enumerate() {
        if at > 0 {
            it.call_method(stream, "write", [between.clone()])?;
        }
        let text = match it.engine.without_computing(|| it.str_of(value)) {
            Err(Halt::Unknown(why)) => Value::unknown_of(Guess::Str, why.0),
            text => text?,
        };
        it.call_method(stream, "write", [text])?;
    }
    it.call_method(stream, "write", [end])?;
    if args.keyword.iter().any(|(name, value)| name.as_str() == "flush" && matches!(value, Value::Bool(true))) {
        it.call_method(stream, "flush", [])?;
    }
    Ok(Value::None)
}
