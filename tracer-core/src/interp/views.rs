//! Views of dicts: keys and items combine and compare like sets.

use std::rc::Rc;

use super::Interp;
use crate::module::{BinaryOp, CompareOp};
use crate::python::container::SetItems;
use crate::python::halt::{Halt, Step};
use crate::python::live::{Live, Walked};
use crate::python::{Iter, Set, Value};

/// Whether a value is a view of the keys or the items of a dict.
fn is_set_like(value: &Value) -> bool {
    match value {
        Value::Instance(instance) => {
            let class = instance.class_ref();
            class.is_builtin() && matches!(class.name.as_str(), "dict_keys" | "dict_items")
        }
        _ => false,
    }
}

impl Interp {
    /// The view of a dict as the dict is now, where it was changed since the view was made.
    pub(super) fn fresh_view(self: &Rc<Self>, value: &Value) -> Step<Option<Value>> {
        let Value::Instance(view) = value else { return Ok(None) };
        let class = view.class_ref();
        if !class.is_builtin() || view.payload().is_none() {
            return Ok(None);
        }
        let Some(Value::Dict(dict)) = view.attrs().get(&sym!("mapping")).cloned() else { return Ok(None) };
        let kind = class.name.as_str().trim_start_matches("dict_");
        let is_same = dict.why_vague().is_none() && {
            let now = dict.read();
            match view.payload() {
                Some(Value::Set(keys)) => {
                    let keys = keys.read();
                    keys.len() == now.len() && keys.iter().zip(now.keys()).all(|(a, b)| a == b)
                }
                Some(Value::Tuple(items)) => {
                    items.len() == now.len()
                        && items.iter().zip(now.iter()).all(|(item, (key, held))| match item {
                            Value::Tuple(pair) if kind == "items" => {
                                matches!(&pair[..], [k, v] if k.is(&key.value) && v.is(held))
                            }
                            item => item.is(held),
                        })
                }
                _ => true,
            }
        };
        if is_same { Ok(None) } else { super::builtins::view(self, &Value::Dict(dict), kind).map(Some) }
    }

    /// An iterator over a view of a dict, from the front or from behind; `None` for anything else.
    pub(super) fn iterate_view(self: &Rc<Self>, value: &Value, from_behind: bool) -> Step<Option<Value>> {
        let fresh = self.fresh_view(value)?;
        let view = match (&fresh, value) {
            (Some(Value::Instance(view)), _) | (None, Value::Instance(view)) if view.class_ref().is_builtin() => view,
            // Its dict is not known any more.
            (Some(other), _) => return self.iterate(other).map(Some),
            (None, _) => return Ok(None),
        };
        let Some(Value::Dict(dict)) = view.attrs().get(&sym!("mapping")).cloned() else { return Ok(None) };
        let keys = || dict.read().keys().map(|key| key.value.clone()).collect();
        let (names, walked, held) = match (view.class_ref().name.as_str(), view.payload()) {
            ("dict_keys", Some(_)) => {
                (["dict_keyiterator", "dict_reversekeyiterator"], Walked::Keys(dict.clone()), keys())
            }
            ("dict_values", Some(Value::Tuple(values))) => {
                let walked = Walked::Values(dict.clone(), keys());
                (["dict_valueiterator", "dict_reversevalueiterator"], walked, values.clone())
            }
            ("dict_items", Some(Value::Tuple(pairs))) => {
                (["dict_itemiterator", "dict_reverseitemiterator"], Walked::Items(dict.clone()), pairs.clone())
            }
            _ => return Ok(None),
        };
        let name = names[usize::from(from_behind)];
        Ok(Some(Iter::live(name, Live::new(walked, held, from_behind))))
    }

    /// `a op b` where one is a view that combines like a set, with anything that can be iterated.
    pub(super) fn binary_of_views(self: &Rc<Self>, op: BinaryOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        use BinaryOp::*;
        if !matches!(op, BitOr | BitAnd | Sub | BitXor) || !(is_set_like(a) || is_set_like(b)) {
            return Ok(None);
        }
        let (a, b) = (self.set_of(a)?, self.set_of(b)?);
        self.binary(op, &a, &b).map(Some)
    }

    fn set_of(self: &Rc<Self>, value: &Value) -> Step<Value> {
        if let Value::Set(_) = value.base() {
            return Ok(value.base().clone());
        }
        let mut keys = SetItems::default();
        for item in self.to_vec(value)? {
            keys.insert(self.key(&item)?);
        }
        Ok(Value::Set(Set::new(keys)))
    }

    /// `a op b` where one is a view of items and the other one is a set or a view: which items are there, whatever their order.
    pub(super) fn compare_views(self: &Rc<Self>, op: CompareOp, a: &Value, b: &Value) -> Step<Option<Value>> {
        let is_either =
            |value: &Value| is_set_like(value) || matches!(value.base(), Value::Set(_) | Value::FrozenSet(_));
        let are_items = |value: &Value| is_set_like(value) && matches!(value.base(), Value::Tuple(_));
        if !(are_items(a) && is_either(b) || is_either(a) && are_items(b)) {
            return Ok(None);
        }
        let (less, more) = (self.to_vec(a)?.len(), self.to_vec(b)?.len());
        Ok(Some(Value::Bool(match op {
            CompareOp::Eq => less == more && self.all_in(a, b)?,
            CompareOp::NotEq => !(less == more && self.all_in(a, b)?),
            CompareOp::Lt => less < more && self.all_in(a, b)?,
            CompareOp::LtE => less <= more && self.all_in(a, b)?,
            CompareOp::Gt => less > more && self.all_in(b, a)?,
            CompareOp::GtE => less >= more && self.all_in(b, a)?,
            _ => return Ok(None),
        })))
    }

    fn all_in(self: &Rc<Self>, a: &Value, b: &Value) -> Step<bool> {
        for item in self.to_vec(a)? {
            let found = self.contains(b.base(), &item)?;
            match self.truth_or_unknown(&found)? {
                Ok(true) => {}
                Ok(false) => return Ok(false),
                Err(why) => return Err(Halt::Unknown(why)),
            }
        }
        Ok(true)
    }
}
