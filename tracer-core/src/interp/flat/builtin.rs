//! Methods of builtin values that programs call in every loop: run on registers, without being looked up.

use crate::module::Symbol;
use crate::python::Value;

/// A method of a builtin type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `list.append(item)`
    Append,
    /// `dict.get(key, default=None)`
    Get,
}

impl Builtin {
    /// The method that a call with so many arguments may mean.
    pub fn of(name: Symbol, given: usize) -> Option<Builtin> {
        match (name.as_str(), given) {
            ("append", 1) => Some(Builtin::Append),
            ("get", 1 | 2) => Some(Builtin::Get),
            _ => None,
        }
    }

    /// Whether the value has it: a value of a builtin type itself, whose methods no program replaces.
    #[inline]
    pub fn is_of(self, receiver: &Value) -> bool {
        match self {
            Builtin::Append => matches!(receiver, Value::List(_)),
            Builtin::Get => matches!(receiver, Value::Dict(_)),
        }
    }

    /// The result of the call; `None` where there is more to do than that.
    #[inline]
    pub fn call(self, args: &mut [Value]) -> Option<Value> {
        match (self, args) {
            (Builtin::Append, [Value::List(list), item]) => list.quick_push(item).then_some(Value::None),
            (Builtin::Get, [Value::Dict(dict), key]) => Some(dict.quick_find(key)?.unwrap_or(Value::None)),
            (Builtin::Get, [Value::Dict(dict), key, default]) => {
                Some(dict.quick_find(key)?.unwrap_or_else(|| std::mem::replace(default, Value::Unbound)))
            }
            _ => None,
        }
    }
}
