//! What caches of traces know functions by.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use crate::frameworks::jax::jit::JitObject;
use crate::interp::Interp;
use crate::module::CompareOp;
use crate::python::halt::{Halt, Step};
use crate::python::{Equality, Instance, Key, Method, Object, Value};

/// The key under which the traces of a function are filed: by equality where it has one. It does not keep a bound method.
///
/// # Errors
/// What is not known of it.
pub fn function_key(it: &Rc<Interp>, fun: &Value) -> Step<Key> {
    let copy;
    let fun = match fun {
        Value::Method(_) => {
            copy = apart(fun);
            &copy
        }
        // A compiled function is known by where it is, which no other takes as long as it is looked after.
        Value::Object(object) if object.downcast::<JitObject>().is_some() => {
            let place = Rc::as_ptr(object).cast::<()>() as usize;
            return it.key(&Value::tuple([Value::str("PjitFunction"), Value::Int(place as i64)]));
        }
        Value::Instance(instance) => match instance.class().equality() {
            // Equal ones share their traces, as long as the first of them is there: the key is an equal one that nobody has.
            Equality::Fields(_) => {
                copy = Value::Instance(instance.copied());
                &copy
            }
            Equality::Identity => {
                let place = Rc::as_ptr(instance).cast::<()>() as usize;
                return it.key(&Value::tuple([Value::str("instance"), Value::Int(place as i64)]));
            }
            Equality::Custom => {
                if let Some(number) = it.extension::<Equals>().number(it, instance)? {
                    return it.key(&Value::tuple([Value::str("equal instances"), Value::Int(number)]));
                }
                fun
            }
            _ => fun,
        },
        fun => fun,
    };
    match it.key(fun) {
        Ok(key) => Ok(key),
        // An object without a hash is refused where it is called; what else has none here has one in Python.
        Err(Halt::Raise(exception)) if matches!(fun, Value::Instance(object) if object.payload().is_none() && !object.class().may_have_more()) => {
            Err(Halt::Raise(exception))
        }
        Err(Halt::Raise(_)) => Ok(Key::hashed(fun.clone(), fun.identity() as i64)),
        Err(halt) => Err(halt),
    }
}

/// Objects that are equal by the program's own `__eq__`, by number. None of the objects is kept: an equal copy of the first one is.
#[derive(Default)]
struct Equals {
    known: RefCell<Vec<(i64, Rc<Instance>)>>,
}

impl Equals {
    /// The number that an object shares with those that are equal to it; none where a copy of it would not be.
    fn number(&self, it: &Rc<Interp>, instance: &Rc<Instance>) -> Step<Option<i64>> {
        let own = Value::Instance(instance.clone());
        let Some(hash) = it.own_hash(&own)? else { return Ok(None) };
        let is_equal = |other: &Rc<Instance>| {
            let same = it.compare(CompareOp::Eq, &Value::Instance(other.clone()), &own)?;
            it.truth(&same)
        };
        let known = self.known.borrow().clone();
        for (number, (other_hash, other)) in known.iter().enumerate() {
            let same_class = Rc::ptr_eq(&other.class(), &instance.class());
            if *other_hash == hash && same_class && is_equal(other)? {
                return Ok(Some(number as i64));
            }
        }
        let copy = instance.copied();
        if it.own_hash(&Value::Instance(copy.clone()))? != Some(hash) || !is_equal(&copy)? {
            return Ok(None);
        }
        let mut known = self.known.borrow_mut();
        known.push((hash, copy));
        Ok(Some(known.len() as i64 - 1))
    }
}

/// The same method as another object: who keeps it does not keep the first one.
pub fn apart(fun: &Value) -> Value {
    match fun {
        Value::Method(method) => {
            let Method { receiver, function } = &**method;
            Value::Method(Rc::new(Method { receiver: receiver.clone(), function: function.clone() }))
        }
        fun => fun.clone(),
    }
}

/// The bound methods and compiled functions among the functions of a cache. It refers to functions weakly, and `obj.method` is
/// another object each time: traces go when their method goes.
#[derive(Default)]
pub struct Methods(RefCell<FxHashMap<Key, Held>>);

/// A function that a cache does not keep.
enum Held {
    Method(Weak<Method>),
    Object(Weak<dyn Object>),
    /// Equal objects that have used the traces: they go with the last of them.
    Instances(Vec<Weak<Instance>>),
}

impl Held {
    fn of(fun: &Value) -> Option<Held> {
        match fun {
            Value::Method(method) => Some(Held::Method(Rc::downgrade(method))),
            Value::Object(object) if object.downcast::<JitObject>().is_some() => {
                Some(Held::Object(Rc::downgrade(object)))
            }
            Value::Instance(instance)
                if matches!(
                    instance.class().equality(),
                    Equality::Fields(_) | Equality::Identity | Equality::Custom
                ) =>
            {
                Some(Held::Instances(vec![Rc::downgrade(instance)]))
            }
            _ => None,
        }
    }
    fn is_gone(&self) -> bool {
        match self {
            Held::Method(method) => method.strong_count() == 0,
            Held::Object(object) => object.strong_count() == 0,
            Held::Instances(instances) => instances.iter().all(|instance| instance.strong_count() == 0),
        }
    }
}

impl Methods {
    /// Whether what is filed under the key of this function belongs to an equal one that is gone. From now on it belongs to this
    /// one.
    pub fn is_gone(&self, key: &Key, fun: &Value) -> bool {
        let Some(held) = Held::of(fun) else { return false };
        let mut methods = self.0.borrow_mut();
        let gone = methods.get(key).is_none_or(Held::is_gone);
        if !gone
            && let Some(Held::Instances(known)) = methods.get_mut(key)
            && let Value::Instance(instance) = fun
        {
            known.retain(|other| other.strong_count() > 0 && other.as_ptr() != Rc::as_ptr(instance));
            known.push(Rc::downgrade(instance));
        }
        if gone {
            methods.insert(key.clone(), held);
        }
        gone
    }
}
