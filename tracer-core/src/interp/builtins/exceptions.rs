//! Exception classes.

use std::rc::Rc;

use super::{define, define_method, define_static};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::{Attrs, Class, Instance, Value};

/// Each class with its base, bases first.
const CLASSES: &[(&str, &str)] = &[
    ("Exception", "BaseException"),
    ("BaseExceptionGroup", "BaseException"),
    ("GeneratorExit", "BaseException"),
    ("KeyboardInterrupt", "BaseException"),
    ("SystemExit", "BaseException"),
    ("ExceptionGroup", "Exception"),
    ("ArithmeticError", "Exception"),
    ("FloatingPointError", "ArithmeticError"),
    ("OverflowError", "ArithmeticError"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("BufferError", "Exception"),
    ("EOFError", "Exception"),
    ("ImportError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("LookupError", "Exception"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("MemoryError", "Exception"),
    ("NameError", "Exception"),
    ("UnboundLocalError", "NameError"),
    ("OSError", "Exception"),
    ("BlockingIOError", "OSError"),
    ("ChildProcessError", "OSError"),
    ("ConnectionError", "OSError"),
    ("BrokenPipeError", "ConnectionError"),
    ("ConnectionAbortedError", "ConnectionError"),
    ("ConnectionRefusedError", "ConnectionError"),
    ("ConnectionResetError", "ConnectionError"),
    ("FileExistsError", "OSError"),
    ("FileNotFoundError", "OSError"),
    ("InterruptedError", "OSError"),
    ("IsADirectoryError", "OSError"),
    ("NotADirectoryError", "OSError"),
    ("PermissionError", "OSError"),
    ("ProcessLookupError", "OSError"),
    ("TimeoutError", "OSError"),
    ("ReferenceError", "Exception"),
    ("RuntimeError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("RecursionError", "RuntimeError"),
    ("StopAsyncIteration", "Exception"),
    ("StopIteration", "Exception"),
    ("SyntaxError", "Exception"),
    ("IndentationError", "SyntaxError"),
    ("TabError", "IndentationError"),
    ("SystemError", "Exception"),
    ("TypeError", "Exception"),
    ("ValueError", "Exception"),
    ("UnicodeError", "ValueError"),
    ("UnicodeDecodeError", "UnicodeError"),
    ("UnicodeEncodeError", "UnicodeError"),
    ("UnicodeTranslateError", "UnicodeError"),
    ("Warning", "Exception"),
    ("BytesWarning", "Warning"),
    ("DeprecationWarning", "Warning"),
    ("FutureWarning", "Warning"),
    ("ImportWarning", "Warning"),
    ("PendingDeprecationWarning", "Warning"),
    ("ResourceWarning", "Warning"),
    ("RuntimeWarning", "Warning"),
    ("SyntaxWarning", "Warning"),
    ("UserWarning", "Warning"),
    ("EncodingWarning", "Warning"),
    ("UnicodeWarning", "Warning"),
];

/// Adds the classes.
pub fn install(it: &Rc<Interp>) {
    let base = &it.types.base_exception;
    define_static(base, "__new__", |_, mut args| {
        let class = super::object::class_argument(&mut args, "BaseException")?;
        let instance = Instance::with_payload(class, Value::tuple(args.positional));
        for (name, value) in args.keyword {
            instance.set(name, value);
        }
        Ok(Value::Instance(instance))
    });
    define_method(base, "__init__", |_, args| {
        if let Some(Value::Instance(instance)) = args.positional.first() {
            instance.set(sym!("__args__"), Value::tuple(args.positional.iter().skip(1).cloned()));
        }
        Ok(Value::None)
    });
    define_method(base, "with_traceback", |_, args| Ok(args.positional.first().cloned().unwrap_or(Value::None)));
    define_method(base, "add_note", |it, args| {
        let [exception, note] = args.exactly("add_note")?;
        if note.as_str().is_none() && !note.is_unknown() {
            let class = it.type_name(&note);
            return Err(crate::python::Halt::type_error(format!("note must be a str, not '{class}'")));
        }
        if let Value::Instance(instance) = &exception {
            let notes = sym!("__notes__");
            let known = instance.attrs().get(&notes).cloned();
            match known {
                Some(Value::List(list)) => list.write().push(note),
                _ => instance.set(notes, Value::list(vec![note])),
            }
        }
        Ok(Value::None)
    });
    let args = crate::python::NativeFn::value("args", |it, args| {
        Ok(match args.positional.first() {
            Some(Value::Instance(instance)) => it.exception_args(instance),
            _ => Value::tuple([]),
        })
    });
    let property = Instance::new(it.types.property.clone());
    property.set(it.types.names.fget, args);
    let set_args = crate::python::NativeFn::value("args", |it, args| {
        let [exception, new] = args.exactly("args")?;
        let new = match new {
            Value::Tuple(_) | Value::Unknown(_) => new,
            other => it.call_with(&Value::Class(it.types.tuple.clone()), [other])?,
        };
        if let Value::Instance(instance) = &exception {
            instance.set(sym!("__args__"), new);
        }
        Ok(Value::None)
    });
    property.set(it.types.names.fset, set_args);
    base.attrs.write().insert(sym!("args"), Value::Instance(property));
    for (name, value) in [
        ("__traceback__", Value::unknown("a traceback")),
        ("__cause__", Value::None),
        ("__context__", Value::None),
        ("__suppress_context__", Value::Bool(false)),
    ] {
        base.attrs.write().insert(Symbol::from(name), value);
    }
    for (name, parent) in CLASSES {
        let parent = match it.builtins.borrow().get(&Symbol::from(parent)) {
            Some(Value::Class(class)) => class.clone(),
            _ => unreachable!("bases come first in the table"),
        };
        let class = Class::new(Symbol::from(name), sym!("builtins"), vec![parent], Attrs::default(), Root::Exception)
            .expect("one base is always in order");
        define(it, name, Value::Class(class));
    }
    // What a program asks these for is their first argument.
    for (class, name) in [("SystemExit", "code"), ("StopIteration", "value")] {
        let getter = crate::python::NativeFn::value(name, |it, args| match args.positional.first() {
            Some(Value::Instance(instance)) => match it.exception_args(instance) {
                Value::Tuple(args) => Ok(args.first().cloned().unwrap_or(Value::None)),
                _ => Ok(Value::None),
            },
            _ => Ok(Value::None),
        });
        let property = Instance::new(it.types.property.clone());
        property.set(it.types.names.fget, getter);
        if let Some(Value::Class(class)) = it.builtins.borrow().get(&Symbol::from(class)) {
            class.attrs.write().insert(Symbol::from(name), Value::Instance(property));
        }
    }
    for (alias, name) in [("IOError", "OSError"), ("EnvironmentError", "OSError")] {
        let class = it.builtins.borrow()[&Symbol::from(name)].clone();
        define(it, alias, class);
    }
}
