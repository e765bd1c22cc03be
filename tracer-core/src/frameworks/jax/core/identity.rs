//! What caches of traces know functions by.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Key, Method, Value};

/// The key under which the traces of a function are filed: by equality where it has one. It does not keep a bound method.
///
/// # Errors
/// What is not known of it.
pub fn function_key(it: &Rc<Interp>, fun: &Value) -> Step<Key> {
    let copy;
    let fun = match fun {
        Value::Method(method) => {
            let Method { receiver, function } = &**method;
            copy = Value::Method(Rc::new(Method { receiver: receiver.clone(), function: function.clone() }));
            &copy
        }
        fun => fun,
    };
    match it.key(fun) {
        Ok(key) => Ok(key),
        Err(Halt::Raise(_)) => Ok(Key::hashed(fun.clone(), fun.identity() as i64)),
        Err(halt) => Err(halt),
    }
}

/// The bound methods among the functions of a cache. It refers to functions weakly, and `obj.method` is another object each
/// time: traces go when their method goes.
#[derive(Default)]
pub struct Methods(RefCell<FxHashMap<Key, Weak<Method>>>);

impl Methods {
    /// Whether what is filed under the key of this function belongs to an equal method that is gone. From now on it belongs to
    /// this one.
    pub fn is_gone(&self, key: &Key, fun: &Value) -> bool {
        let Value::Method(method) = fun else { return false };
        let mut methods = self.0.borrow_mut();
        let gone = methods.get(key).is_none_or(|first| first.strong_count() == 0);
        if gone {
            methods.insert(key.clone(), Rc::downgrade(method));
        }
        gone
    }
}
