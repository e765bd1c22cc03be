//! Methods of builtin values that programs call in every loop: run on registers, without being looked up.

use std::rc::Rc;

use crate::interp::Interp;
use crate::interp::builtins::texts;
use crate::module::Symbol;
use crate::python::{Key, Value};

/// A method of a builtin type. Each is given its receiver and its arguments; `None` where there is more to do than that.
type Method = fn(&Rc<Interp>, &mut [Value]) -> Option<Value>;

macro_rules! methods {
    ($($variant:ident $kind:ident $name:literal $given:pat => $run:expr;)*) => {
        /// A method of a builtin type.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Builtin {
            $($variant,)*
        }

        impl Builtin {
            /// The methods that a call with so many arguments may mean.
            pub fn of(name: Symbol, given: usize) -> Option<Builtin> {
                match (name.as_str(), given) {
                    $(($name, $given) => Some(Builtin::$variant),)*
                    _ => None,
                }
            }
            /// The kind of value that has it.
            #[inline(always)]
            fn kind(self) -> Kind {
                match self {
                    $(Builtin::$variant => Kind::$kind,)*
                }
            }
            #[inline(never)]
            fn call_other(self, it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
                let run: Method = match self {
                    $(Builtin::$variant => $run,)*
                };
                run(it, args)
            }
        }
    };
}

/// A kind of value that has such methods.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    List,
    Dict,
    Set,
    Str,
}

impl Builtin {
    /// Whether the value has it: a value of a builtin type itself, whose methods no program replaces.
    #[inline(always)]
    pub fn is_of(self, receiver: &Value) -> bool {
        let kind = match receiver {
            Value::List(_) => Kind::List,
            Value::Dict(_) => Kind::Dict,
            Value::Set(_) => Kind::Set,
            Value::Str(_) => Kind::Str,
            _ => return false,
        };
        self.kind() == kind
    }

    /// The result of the call; `None` where there is more to do than that.
    #[inline(always)]
    pub fn call(self, it: &Rc<Interp>, args: &mut [Value]) -> Option<Value> {
        match self {
            // What every loop does has no call in between.
            Builtin::Append => append(args),
            Builtin::Get => get(args),
            other => other.call_other(it, args),
        }
    }
}

impl Builtin {
    /// The result of the call with one argument or two, all of which stay where they are; `None` where there is more to do than that.
    #[inline(always)]
    pub fn call_on(self, it: &Rc<Interp>, receiver: &Value, first: &Value, second: Option<&Value>) -> Option<Value> {
        match (self, receiver) {
            (Builtin::Get, Value::Dict(dict)) => {
                Some(dict.quick_find(first)?.unwrap_or_else(|| second.cloned().unwrap_or(Value::None)))
            }
            (Builtin::Append, Value::List(list)) => list.quick_push(&mut first.clone()).then_some(Value::None),
            _ => self.call_on_copies(it, receiver, first, second),
        }
    }

    #[inline(never)]
    fn call_on_copies(self, it: &Rc<Interp>, receiver: &Value, first: &Value, second: Option<&Value>) -> Option<Value> {
        match second {
            None => self.call_other(it, &mut [receiver.clone(), first.clone()]),
            Some(second) => self.call_other(it, &mut [receiver.clone(), first.clone(), second.clone()]),
        }
    }
}

#[inline(always)]
fn append(args: &mut [Value]) -> Option<Value> {
    match args {
        [Value::List(list), item] => list.quick_push(item).then_some(Value::None),
        _ => None,
    }
}

#[inline(always)]
fn get(args: &mut [Value]) -> Option<Value> {
    match args {
        [Value::Dict(dict), key] => Some(dict.quick_find(key)?.unwrap_or(Value::None)),
        [Value::Dict(dict), key, default] => {
            Some(dict.quick_find(key)?.unwrap_or_else(|| std::mem::replace(default, Value::Unbound)))
        }
        _ => None,
    }
}

methods! {
    Append List "append" 1 => |_, args| append(args);
    Pop List "pop" 0 => |_, args| match args {
        [Value::List(list)] => list.quick_pop(),
        _ => None,
    };
    Extend List "extend" 1 => |it, args| match args {
        [Value::List(list), Value::Tuple(items)] => list.quick_extend(it, items).then_some(Value::None),
        [Value::List(list), Value::List(items)] if !list.same(items) => {
            list.quick_extend(it, &items.known()?.items).then_some(Value::None)
        }
        _ => None,
    };
    Insert List "insert" 2 => |it, args| match args {
        [Value::List(list), Value::Int(at), item] => {
            let count = list.known()?.items.len() as i64;
            let at = if *at < 0 { (at.saturating_add(count)).max(0) } else { *at };
            list.quick_insert(it, at as usize, item).then_some(Value::None)
        }
        _ => None,
    };
    Get Dict "get" 1 | 2 => |_, args| get(args);
    SetDefault Dict "setdefault" 2 => |_, args| match args {
        [Value::Dict(dict), key, default] => match dict.quick_find(key)? {
            Some(found) => Some(found),
            None => dict.quick_put(key, default).then(|| std::mem::replace(default, Value::Unbound)),
        },
        _ => None,
    };
    Add Set "add" 1 => |_, args| match args {
        [Value::Set(set), item] => {
            set.known()?;
            set.write().insert(Key::of(item)?);
            Some(Value::None)
        }
        _ => None,
    };
    Discard Set "discard" 1 => |_, args| match args {
        [Value::Set(set), item] => {
            set.known()?;
            set.write().shift_remove(&Key::of(item)?);
            Some(Value::None)
        }
        _ => None,
    };
    Upper Str "upper" 0 => |it, args| text(it, args, |text, _| texts::upper(text));
    Lower Str "lower" 0 => |it, args| text(it, args, |text, _| texts::lower(text));
    Strip Str "strip" 0 => |it, args| match args {
        [Value::Str(text)] => {
            it.spend_text(text.len()).ok()?;
            let rest = texts::trimmed(text);
            Some(if rest.len() == text.len() { Value::Str(text.clone()) } else { Value::str(rest) })
        }
        _ => None,
    };
    StartsWith Str "startswith" 1 => |it, args| text(it, args, |text, what| Some(Value::Bool(text.starts_with(what?))));
    EndsWith Str "endswith" 1 => |it, args| text(it, args, |text, what| Some(Value::Bool(text.ends_with(what?))));
    Split Str "split" 1 => |it, args| text(it, args, |text, what| {
        let what = what.filter(|what| !what.is_empty())?;
        Some(Value::list(text.split(what).map(Value::str).collect()))
    });
    Join Str "join" 1 => |it, args| match args {
        [Value::Str(between), Value::List(items)] => texts::joined(it, between, &items.known()?.items),
        [Value::Str(between), Value::Tuple(items)] => texts::joined(it, between, items),
        _ => None,
    };
    IsAlpha Str "isalpha" 0 => |it, args| text(it, args, |text, _| Some(texts::all(text, char::is_alphabetic)));
    IsAlnum Str "isalnum" 0 => |it, args| text(it, args, |text, _| Some(texts::all(text, char::is_alphanumeric)));
    IsSpace Str "isspace" 0 => |it, args| text(it, args, |text, _| Some(texts::all(text, texts::is_space)));
}

/// A method of a text that may be given another one.
#[inline]
fn text(it: &Rc<Interp>, args: &[Value], run: impl FnOnce(&str, Option<&str>) -> Option<Value>) -> Option<Value> {
    let (text, other) = match args {
        [Value::Str(text)] => (text, None),
        [Value::Str(text), Value::Str(other)] => (text, Some(&**other)),
        _ => return None,
    };
    it.spend_text(text.len()).ok()?;
    run(text, other)
}
