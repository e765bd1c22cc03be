//! `repr`, `str`, `format`.

use std::rc::Rc;

use super::Interp;
use super::builtins::constructors::MOST_DIGITS;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::set_order::{in_order, order_of};
use crate::python::{Guess, Instance, Value};
use crate::trace::float as float_repr;

/// Text longer than this is not built.
const MOST_TEXT: usize = 1 << 20;

impl Interp {
    /// `str(value)`: a string, or an unknown one.
    ///
    /// # Errors
    /// What `__str__` raises.
    pub fn str_of(self: &Rc<Self>, value: &Value) -> Step<Value> {
        match value {
            Value::Str(_) => Ok(value.clone()),
            Value::Instance(instance) => match self.call_special(value, sym!("__str__"), [])? {
                Some(text) => Ok(text),
                None => self.plain_str(value, instance),
            },
            Value::Array(array) => self.array_hooks()?.repr(self, array, true),
            Value::Object(object) => match object.clone().repr(self, true)? {
                Some(text) => Ok(Value::from(text)),
                None => Ok(Value::unknown_of(Guess::Str, "the text of an object")),
            },
            other => self.repr(other),
        }
    }

    /// `str` of an instance as builtin classes make it, whatever its own class says.
    fn plain_str(self: &Rc<Self>, value: &Value, instance: &Rc<Instance>) -> Step<Value> {
        match (instance.class().root, instance.payload()) {
            (Root::Str, Some(payload @ Value::Str(_))) => Ok(payload.clone()),
            (Root::Exception, _) => self.exception_text(instance),
            _ => self.repr(value),
        }
    }

    /// `object.__str__(value)`: what a class that names it as its own gets.
    ///
    /// # Errors
    /// What `__repr__` raises.
    pub fn object_str(self: &Rc<Self>, value: &Value) -> Step<Value> {
        match value {
            Value::Instance(instance) => self.nested("", || self.plain_str(value, instance)),
            other => self.str_of(other),
        }
    }

    /// `object.__repr__(value)`: what a class that names it as its own gets.
    ///
    /// # Errors
    /// What `__repr__` of what the value holds raises.
    pub fn object_repr(self: &Rc<Self>, value: &Value) -> Step<Value> {
        let mut out = String::new();
        let written = match value {
            Value::Instance(instance) => self.nested("", || self.write_plain(instance, &mut out, 0)),
            Value::Class(class) => {
                out.push_str(&class_repr(class));
                Ok(())
            }
            other => return self.repr(other),
        };
        match written {
            Ok(()) => Ok(Value::from(out)),
            Err(Halt::Unknown(why)) => Ok(Value::unknown_of(Guess::Str, why.0)),
            Err(halt) => Err(halt),
        }
    }

    fn exception_text(self: &Rc<Self>, instance: &Rc<Instance>) -> Step<Value> {
        let Value::Tuple(args) = self.exception_args(instance) else { return Ok(Value::str("")) };
        let key_error = instance.class().mro.borrow().iter().any(|c| c.is_builtin() && c.name.as_str() == "KeyError");
        match &args[..] {
            [] => Ok(Value::str("")),
            [one] if key_error => self.repr(one),
            [one] => self.str_of(one),
            _ => self.repr(&Value::Tuple(args.clone())),
        }
    }

    /// `repr(value)`: a string, or an unknown one.
    ///
    /// # Errors
    /// What `__repr__` raises.
    pub fn repr(self: &Rc<Self>, value: &Value) -> Step<Value> {
        let mut out = String::new();
        match self.write_repr(value, &mut out, 0) {
            Ok(()) => Ok(Value::from(out)),
            Err(Halt::Unknown(why)) => Ok(Value::unknown_of(Guess::Str, why.0)),
            Err(halt) => Err(halt),
        }
    }

    fn write_repr(self: &Rc<Self>, value: &Value, out: &mut String, depth: usize) -> Step<()> {
        if out.len() > MOST_TEXT {
            return Err(Halt::unknown("text past the budget"));
        }
        if depth > 50 {
            return Err(Halt::unknown("a deeply nested value"));
        }
        self.spend()?;
        match value {
            Value::Unbound | Value::None => out.push_str("None"),
            Value::Ellipsis => out.push_str("Ellipsis"),
            Value::NotImplemented => out.push_str("NotImplemented"),
            Value::Bool(value) => out.push_str(if *value { "True" } else { "False" }),
            Value::Int(value) => out.push_str(&value.to_string()),
            Value::BigInt(value) => out.push_str(&decimal(value)?),
            Value::Float(value) => out.push_str(&float_repr(*value)),
            Value::Complex(value) => out.push_str(&complex_repr(value.re, value.im)),
            Value::Str(text) => out.push_str(&str_repr(text)),
            Value::Bytes(bytes) => out.push_str(&bytes_repr(bytes)),
            Value::Tuple(items) => {
                out.push('(');
                self.write_items(items, out, depth)?;
                out.push_str(if items.len() == 1 { ",)" } else { ")" });
            }
            Value::List(list) => {
                if let Some(why) = list.why_vague() {
                    return Err(Halt::Unknown(why));
                }
                let items = list.read().clone();
                out.push('[');
                self.write_items(&items, out, depth)?;
                out.push(']');
            }
            Value::Set(set) | Value::FrozenSet(set) => {
                if let Some(why) = set.why_vague() {
                    return Err(Halt::Unknown(why));
                }
                let order = order_of(&set.read());
                let items: Vec<Value> = in_order(&set.read(), order.as_deref()).cloned().collect();
                let frozen = matches!(value, Value::FrozenSet(_));
                match (items.is_empty(), frozen) {
                    (true, false) => out.push_str("set()"),
                    (true, true) => out.push_str("frozenset()"),
                    (false, _) => {
                        out.push_str(if frozen { "frozenset({" } else { "{" });
                        self.write_items(&items, out, depth)?;
                        out.push_str(if frozen { "})" } else { "}" });
                    }
                }
            }
            Value::Dict(dict) => {
                if let Some(why) = dict.why_vague() {
                    return Err(Halt::Unknown(why));
                }
                let items: Vec<(Value, Value)> =
                    dict.read().iter().map(|(k, v)| (k.value.clone(), v.clone())).collect();
                out.push('{');
                for (i, (key, value)) in items.iter().enumerate() {
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.write_repr(key, out, depth + 1)?;
                    out.push_str(": ");
                    self.write_repr(value, out, depth + 1)?;
                }
                out.push('}');
            }
            Value::Range(range) => {
                out.push_str(&match range.step {
                    1 => format!("range({}, {})", range.start, range.stop),
                    step => format!("range({}, {}, {step})", range.start, range.stop),
                });
            }
            Value::Slice(parts) => {
                out.push_str("slice(");
                self.write_items(&parts[..], out, depth)?;
                out.push(')');
            }
            Value::Function(function) => out.push_str(&format!("<function {} at 0x…>", function.qualname())),
            Value::Method(method) => match &method.function {
                Value::Function(function) => {
                    out.push_str(&format!("<bound method {} of ", function.qualname()));
                    self.write_repr(&method.receiver, out, depth + 1)?;
                    out.push('>');
                }
                _ => out.push_str("<built-in method>"),
            },
            Value::Native(native) => out.push_str(&match self.is_native_class(value) {
                true => format!("<class '{}'>", native.name),
                false => format!("<built-in function {}>", native.name),
            }),
            Value::Class(class) => {
                if let Some(Value::Str(text)) = self.call_special(value, sym!("__repr__"), [])? {
                    out.push_str(&text);
                    return Ok(());
                }
                out.push_str(&class_repr(class));
            }
            Value::Module(module) => out.push_str(&format!("<module '{}'>", module.name)),
            Value::Iter(iter) => out.push_str(&format!("<{} object at 0x…>", iter.name)),
            Value::Array(array) => match self.array_hooks()?.repr(self, array, false)? {
                Value::Str(text) => out.push_str(&text),
                _ => return Err(Halt::unknown("the numbers of an array")),
            },
            Value::Object(object) => match object.clone().repr(self, false)? {
                Some(text) => out.push_str(&text),
                None => return Err(Halt::unknown("the text of an object")),
            },
            Value::Unknown(unknown) => return Err(Halt::Unknown(unknown.why.clone())),
            Value::Instance(instance) => {
                if let Some(text) = self.call_special(value, sym!("__repr__"), [])? {
                    return match text {
                        Value::Str(text) => {
                            out.push_str(&text);
                            Ok(())
                        }
                        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
                        _ => Err(Halt::type_error("__repr__ returned non-string")),
                    };
                }
                self.write_plain(instance, out, depth)?;
            }
        }
        Ok(())
    }

    /// The text of an instance as builtin classes write it.
    fn write_plain(self: &Rc<Self>, instance: &Rc<Instance>, out: &mut String, depth: usize) -> Step<()> {
        let class = instance.class();
        match (class.root, instance.payload()) {
            (Root::Exception, Some(Value::Tuple(_))) => {
                out.push_str(&class.name);
                out.push('(');
                let Value::Tuple(args) = self.exception_args(instance) else { return Ok(()) };
                self.write_items(&args, out, depth)?;
                out.push(')');
            }
            // A view of a dict.
            (_, Some(_)) if class.is_builtin() && class.name.starts_with("dict_") => {
                let items = self.to_vec(&Value::Instance(instance.clone()))?;
                out.push_str(&class.name);
                out.push('(');
                self.write_repr(&Value::list(items), out, depth + 1)?;
                out.push(')');
            }
            (root, Some(payload)) if root != Root::Object => {
                let payload = payload.clone();
                self.write_repr(&payload, out, depth + 1)?;
            }
            _ => {
                let module = class.lookup(sym!("__module__"));
                let module = module.as_ref().and_then(Value::as_str).unwrap_or("__main__").to_owned();
                out.push_str(&format!("<{module}.{} object at 0x…>", class.qualname));
            }
        }
        Ok(())
    }

    fn write_items(self: &Rc<Self>, items: &[Value], out: &mut String, depth: usize) -> Step<()> {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write_repr(item, out, depth + 1)?;
        }
        Ok(())
    }

    /// A value of an f-string: `{value!conversion:spec}`.
    ///
    /// # Errors
    /// What formatting raises.
    pub fn format_value(self: &Rc<Self>, value: &Value, conversion: Option<char>, spec: &Value) -> Step<Value> {
        let value = match conversion {
            Some('r' | 'a') => self.repr(value)?,
            Some(_) => self.str_of(value)?,
            None => value.clone(),
        };
        match spec {
            Value::Str(spec) => self.format_with(&value, spec),
            _ => Ok(Value::unknown_of(Guess::Str, "an unknown format")),
        }
    }

    /// `format(value, spec)`
    ///
    /// # Errors
    /// `ValueError`, `TypeError` for a wrong format; what `__format__` raises.
    pub fn format_with(self: &Rc<Self>, value: &Value, spec: &str) -> Step<Value> {
        match value {
            Value::Array(array) => return self.array_hooks()?.format(self, array, spec),
            Value::Instance(_) => {
                if let Some(text) = self.call_special(value, sym!("__format__"), [Value::str(spec)])? {
                    return Ok(text);
                }
            }
            Value::Object(object) => {
                if let Some(method) = object.clone().getattr(self, sym!("__format__"))? {
                    return self.call_with(&method, [Value::str(spec)]);
                }
                if spec.is_empty() {
                    return self.str_of(value);
                }
            }
            Value::Unknown(_) => return Ok(Value::unknown_of(Guess::Str, "the text of an unknown value")),
            _ => {}
        }
        if spec.is_empty() {
            return self.str_of(value);
        }
        super::builtins::format_spec(self, value.base(), spec)
    }

    /// `format % values`
    ///
    /// # Errors
    /// `TypeError` for too few or too many values.
    pub fn percent_format(self: &Rc<Self>, format: &str, values: &Value) -> Step<Value> {
        super::builtins::percent_format(self, format, values)
    }
}

fn complex_repr(re: f64, im: f64) -> String {
    let part = |x: f64| {
        let text = float_repr(x);
        text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
    };
    if re == 0.0 && re.is_sign_positive() {
        return format!("{}j", part(im));
    }
    let im = part(im);
    let sign = if im.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{im}j)", part(re))
}

/// `repr` of a string.
pub fn str_repr(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

fn bytes_repr(bytes: &[u8]) -> String {
    let mut out = String::from("b'");
    for b in bytes {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'\'' => out.push_str("\\'"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x20..0x7f => out.push(*b as char),
            _ => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push('\'');
    out
}

/// `str` of a large integer.
///
/// # Errors
/// `ValueError` for more digits than Python prints.
pub fn decimal(value: &num_bigint::BigInt) -> Step<String> {
    let too_many = || {
        Halt::value_error(format!(
            "Exceeds the limit ({MOST_DIGITS} digits) for integer string conversion; use sys.set_int_max_str_digits() to \
             increase the limit"
        ))
    };
    // Three digits take ten bits, nearly; counting them takes long.
    if value.bits() > MOST_DIGITS as u64 * 10 / 3 {
        return Err(too_many());
    }
    let text = value.to_string();
    match text.trim_start_matches('-').len() > MOST_DIGITS {
        true => Err(too_many()),
        false => Ok(text),
    }
}

fn class_repr(class: &crate::python::Class) -> String {
    match class.named_module().as_str() {
        "builtins" => format!("<class '{}'>", class.qualname),
        module => format!("<class '{module}.{}'>", class.qualname),
    }
}
