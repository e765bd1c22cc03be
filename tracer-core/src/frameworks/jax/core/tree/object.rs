//! Structures of pytrees as Python objects.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::FxHasher;

use super::host::How;
use super::{Def, Trees, same, unflatten};
use crate::interp::Interp;
use crate::module::{CompareOp, Symbol};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Guess, Key as DictKey, NativeFn, Object, Value, Why};
use crate::trace::pytree::{self, Kind};

/// A structure as a Python object.
pub struct TreeDefObject(pub Def, pub(super) Option<Why>);

/// A structure as a Python value.
pub fn def_value(def: Def) -> Value {
    Value::Object(Rc::new(TreeDefObject(def, None)))
}

/// The structure of these leaves: one of them that is not known may stand for a tree of its own.
pub(super) fn def_of_leaves(def: Def, leaves: &[Value]) -> Value {
    let vague = leaves.iter().find_map(|leaf| match leaf {
        Value::Unknown(unknown) if unknown.guess == Guess::Any => Some(unknown.why.clone()),
        _ => None,
    });
    Value::Object(Rc::new(TreeDefObject(def, vague)))
}

/// The structure in a Python value.
///
/// # Errors
/// `TypeError` for anything else; unknown for an unknown value.
pub fn def_of(value: &Value) -> Step<Def> {
    match value {
        Value::Object(object) if object.downcast::<TreeDefObject>().is_some() => {
            Ok(object.downcast::<TreeDefObject>().map(|d| d.0.clone()).unwrap_or_else(Def::leaf))
        }
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        _ => Err(Halt::type_error("unflatten(): incompatible function arguments: a PyTreeDef is wanted")),
    }
}

fn kind_hash(def: &Def, hasher: &mut FxHasher) {
    let mut value = |v: &Value| DictKey::of(v).map_or(0, |k| k.hash).hash(hasher);
    match def.kind() {
        None => value(&Value::Int(-1)),
        Some(Kind::None) => value(&Value::Int(-2)),
        Some(Kind::Tuple) => value(&Value::Int(-3)),
        Some(Kind::List) => value(&Value::Int(-4)),
        Some(Kind::Dict(keys)) => keys.iter().for_each(value),
        Some(Kind::Named(class)) => value(class),
        Some(Kind::Custom { class, data, .. }) => {
            value(class);
            value(data);
        }
    }
    def.children().len().hash(hasher);
    def.children().iter().for_each(|c| kind_hash(c, hasher));
}

/// Equality without running code.
fn plainly_equal(a: &Def, b: &Def) -> bool {
    use crate::python::key::values_equal as eq;
    if a.num_nodes() != b.num_nodes() || a.num_leaves() != b.num_leaves() || a.children().len() != b.children().len() {
        return false;
    }
    let all = |x: &[Value], y: &[Value]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.is(y) || eq(x, y));
    let kinds = match (a.kind(), b.kind()) {
        (None, None) => true,
        (Some(Kind::None), Some(Kind::None))
        | (Some(Kind::Tuple), Some(Kind::Tuple))
        | (Some(Kind::List), Some(Kind::List)) => true,
        (Some(Kind::Dict(x)), Some(Kind::Dict(y))) => all(x, y),
        (Some(Kind::Named(x)), Some(Kind::Named(y))) => x.is(y),
        (Some(Kind::Custom { class: x, data: d, .. }), Some(Kind::Custom { class: y, data: e, .. })) => {
            x.is(y) && (d.is(e) || eq(d, e))
        }
        _ => false,
    };
    kinds && a.children().iter().zip(b.children()).all(|(a, b)| plainly_equal(a, b))
}

fn node_data(it: &Rc<Interp>, def: &Def) -> Value {
    let class = |class: &Rc<Class>, data: Value| Value::tuple([Value::Class(class.clone()), data]);
    match def.kind() {
        None => Value::None,
        Some(Kind::None) => class(&it.types.none, Value::None),
        Some(Kind::Tuple) => class(&it.types.tuple, Value::None),
        Some(Kind::List) => class(&it.types.list, Value::None),
        Some(Kind::Dict(keys)) => class(&it.types.dict, Value::list(keys.to_vec())),
        Some(Kind::Named(class)) => Value::tuple([class.clone(), Value::None]),
        Some(Kind::Custom { class, data, .. }) => Value::tuple([class.clone(), data.clone()]),
    }
}

fn from_node_data(it: &Rc<Interp>, data: &Value, children: Vec<Def>) -> Step<Def> {
    if data.is_none() {
        return Ok(Def::leaf());
    }
    let trees = Trees::new(it);
    let (class, data) = trees.pair(data)?;
    let Value::Class(of) = &class else { return Err(Halt::type_error("node data must name a class")) };
    let is = |other: &Rc<Class>| Rc::ptr_eq(of, other);
    let kind = if is(&it.types.none) {
        Kind::None
    } else if is(&it.types.tuple) {
        Kind::Tuple
    } else if is(&it.types.list) {
        Kind::List
    } else if is(&it.types.dict) {
        Kind::Dict(it.to_vec(&data)?.into())
    } else if of.lookup(sym!("_fields")).is_some() && trees.registry.find(of).is_none() {
        Kind::Named(class.clone())
    } else {
        let dataclass = matches!(trees.registry.find(of).as_deref(), Some(How::Fields(..)));
        Kind::Custom { class: class.clone(), data, dataclass }
    };
    Ok(Def::node(kind, children))
}

impl Object for TreeDefObject {
    fn type_name(&self) -> String {
        "PyTreeDef".into()
    }
    fn class(&self, it: &Rc<Interp>) -> Rc<Class> {
        it.named_class(sym!("jaxlib.PyTreeDef")).unwrap_or_else(|_| it.types.object.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn getattr(self: Rc<Self>, it: &Rc<Interp>, name: Symbol) -> Step<Option<Value>> {
        let def = self.0.clone();
        let method = |name: &'static str, body: fn(&Rc<Interp>, &Def, Args) -> Step<Value>| {
            Some(NativeFn::value(name, move |it, args| body(it, &def, args)))
        };
        Ok(match name.as_str() {
            // A tree of which nothing at all is known has any number of leaves.
            "num_leaves" => Some(match &self.1 {
                Some(why) if self.0.is_leaf() => Value::unknown_of(Guess::Int, why.0.clone()),
                _ => Value::size(self.0.num_leaves()),
            }),
            "num_nodes" => Some(Value::size(self.0.num_nodes())),
            "unflatten" => method("unflatten", |it, def, args| {
                let [leaves] = args.exactly("unflatten")?;
                unflatten(it, def, it.to_vec(&leaves)?)
            }),
            "flatten_up_to" => method("flatten_up_to", |it, def, args| {
                let [tree] = args.exactly("flatten_up_to")?;
                pytree::flatten_up_to(&Trees::new(it), def, &tree).map(Value::list)
            }),
            "children" => {
                method("children", |_, def, _| Ok(Value::list(def.children().iter().cloned().map(def_value).collect())))
            }
            "node_data" => method("node_data", |it, def, _| Ok(node_data(it, def))),
            "compose" => method("compose", |_, def, args| {
                let [inner] = args.exactly("compose")?;
                Ok(def_value(def.compose(&def_of(&inner)?)))
            }),
            "is_leaf" => method("is_leaf", |_, def, _| Ok(Value::Bool(def.is_leaf()))),
            "make_from_node_data_and_children" | "from_node_data_and_children" => {
                method("make_from_node_data_and_children", |it, _, args| make_from(it, args))
            }
            _ => {
                let _ = it;
                None
            }
        })
    }
    fn compare(self: Rc<Self>, it: &Rc<Interp>, op: CompareOp, other: &Value, _: bool) -> Step<Option<Value>> {
        let equal = match other {
            Value::Object(object) => match object.downcast::<TreeDefObject>() {
                Some(other) => {
                    let equal = same(it, &self.0, &other.0)?;
                    // Trees of which nothing at all is known need not be equal.
                    let lone = |def: &TreeDefObject| def.0.is_leaf() && def.1.is_some();
                    let sure = equal && (std::ptr::eq(&*self, other) || !lone(&self) && !lone(other));
                    if let (false, Some(why)) = (sure, self.1.as_ref().or(other.1.as_ref())) {
                        return Err(Halt::Unknown(why.clone()));
                    }
                    equal
                }
                None => false,
            },
            Value::Unknown(_) => return Ok(None),
            _ => false,
        };
        Ok(match op {
            CompareOp::Eq => Some(Value::Bool(equal)),
            CompareOp::NotEq => Some(Value::Bool(!equal)),
            _ => None,
        })
    }
    fn repr(self: Rc<Self>, it: &Rc<Interp>, _: bool) -> Step<Option<String>> {
        pytree::repr(&Trees::new(it), &self.0).map(Some)
    }
    fn hash(&self) -> Option<u64> {
        let mut hasher = FxHasher::default();
        kind_hash(&self.0, &mut hasher);
        Some(hasher.finish())
    }
    fn equals(&self, other: &Value) -> Option<bool> {
        Some(match other {
            Value::Object(object) => object.downcast::<TreeDefObject>().is_some_and(|o| plainly_equal(&self.0, &o.0)),
            _ => false,
        })
    }
}

/// A structure of node data and the structures of its children.
pub(super) fn make_from(it: &Rc<Interp>, args: Args) -> Step<Value> {
    // Some callers hand over the registry in front.
    let given: Vec<Value> = args.positional.into_vec();
    let [.., data, children] = given.as_slice() else {
        return Err(Halt::type_error("make_from_node_data_and_children() takes node data and children"));
    };
    let children = it.to_vec(children)?.iter().map(def_of).collect::<Step<Vec<_>>>()?;
    from_node_data(it, data, children).map(def_value)
}
