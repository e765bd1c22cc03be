//! Pytrees of Python values: flattening, tree definitions as objects, registered classes.

use std::any::Any;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};

use super::Members;
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::module::{CompareOp, Symbol};
use crate::python::class::{Equality, Root};
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Attrs, Class, Dict, DictItems, Guess, Key as DictKey, List, NativeFn, Object, Value, Why};
use crate::trace::pytree::{self, Host, Key, Kind, TreeDef, View};

/// The structure of a pytree of Python values.
pub type Def = TreeDef<Value>;

/// How instances of a registered class are taken apart.
enum How {
    /// By functions of the program: flatten, unflatten, and flatten with keys if there is one.
    Functions(Value, Value, Option<Value>),
    /// By attributes: data and meta fields.
    Fields(Rc<[Symbol]>, Rc<[Symbol]>),
}

/// The registered classes of a run.
#[derive(Default)]
pub struct Registry {
    classes: RefCell<FxHashMap<usize, (Rc<Class>, Rc<How>)>>,
}

fn at(class: &Rc<Class>) -> usize {
    Rc::as_ptr(class) as usize
}

impl Registry {
    /// Whether instances of a class are taken apart.
    pub fn knows(&self, class: &Rc<Class>) -> bool {
        self.classes.borrow().contains_key(&at(class))
    }
    fn find(&self, class: &Rc<Class>) -> Option<Rc<How>> {
        self.classes.borrow().get(&at(class)).map(|(_, how)| how.clone())
    }
    fn add(&self, class: Rc<Class>, how: How) -> Step<()> {
        if self.classes.borrow().contains_key(&at(&class)) {
            return Err(Halt::value_error(format!(
                "Duplicate custom PyTreeDef type registration for {}.",
                class_repr(&class)
            )));
        }
        self.classes.borrow_mut().insert(at(&class), (class, Rc::new(how)));
        Ok(())
    }
}

/// `repr` of a class.
fn class_repr(class: &Class) -> String {
    match class.module.as_str() {
        "builtins" => format!("<class '{}'>", class.qualname),
        module => format!("<class '{module}.{}'>", class.qualname),
    }
}

/// The program's objects, for the trees of the engine.
pub struct Trees<'a> {
    it: &'a Rc<Interp>,
    registry: Rc<Registry>,
}

impl<'a> Trees<'a> {
    /// Of this run.
    pub fn new(it: &'a Rc<Interp>) -> Trees<'a> {
        Trees { it, registry: it.extension() }
    }

    /// Runs a function of a class that takes an object apart. How often the framework asks for that is its own affair (for the
    /// names of arguments and of results, for its caches), so that nothing is said about how often it runs.
    fn taken_apart(&self, run: impl FnOnce() -> Step<Value>) -> Step<Value> {
        let outer = self.it.doubtful_runs.replace(true);
        let result = run();
        self.it.doubtful_runs.set(outer);
        result
    }

    /// Runs a function of a class that makes an object of its parts: where one trace lies inside another, the same holds.
    fn made(&self, run: impl FnOnce() -> Step<Value>) -> Step<Value> {
        let trace = self.it.engine.trace();
        let is_inner = trace.parent().is_some_and(|around| around.parent().is_some());
        if is_inner { self.taken_apart(run) } else { run() }
    }

    fn dict_view(&self, dict: &Dict) -> Step<View<Value>> {
        if let Some(why) = dict.why_vague() {
            return Err(Halt::Unknown(why));
        }
        let items = dict.read();
        let mut keys: Vec<Value> = items.keys().map(|k| k.value.clone()).collect();
        let mut children: Vec<Value> = items.values().cloned().collect();
        drop(items);
        if keys.iter().all(|k| matches!(k, Value::Str(_))) {
            if !keys.is_sorted_by(|a, b| a.as_str() <= b.as_str()) {
                let mut pairs: Vec<(Value, Value)> = keys.into_iter().zip(children).collect();
                pairs.sort_by(|(a, _), (b, _)| a.as_str().cmp(&b.as_str()));
                (keys, children) = pairs.into_iter().unzip();
            }
        } else {
            keys = self.sorted(keys)?;
            children = keys
                .iter()
                .map(|k| Ok(dict.read().get(&self.it.key(k)?).cloned().unwrap_or(Value::None)))
                .collect::<Step<_>>()?;
        }
        Ok(View::Node(Kind::Dict(keys.into()), children))
    }

    fn sorted(&self, keys: Vec<Value>) -> Step<Vec<Value>> {
        crate::interp::builtins::sorting::sort(self.it, keys, None, false).map_err(|halt| match halt {
            Halt::Raise(_) => Halt::value_error("Comparator raised exception while sorting pytree dictionary keys."),
            other => other,
        })
    }

    fn instance_view(&self, object: &Value, class: &Rc<Class>, payload: Option<&Value>) -> Step<View<Value>> {
        let it = self.it;
        if let Some(how) = self.registry.find(class) {
            let class = Value::Class(class.clone());
            return match &*how {
                How::Functions(flatten, ..) => {
                    let pair = self.taken_apart(|| it.call_with(flatten, [object.clone()]))?;
                    let (children, data) = self.flattened(&pair)?;
                    Ok(View::Node(Kind::Custom { class, data, dataclass: false }, children))
                }
                How::Fields(fields, meta) => {
                    let get = |name: &Symbol| it.getattr(object, *name);
                    let children = fields.iter().map(get).collect::<Step<Vec<_>>>()?;
                    let data = Value::tuple(meta.iter().map(get).collect::<Step<Vec<_>>>()?);
                    Ok(View::Node(Kind::Custom { class, data, dataclass: true }, children))
                }
            };
        }
        match payload {
            Some(Value::Tuple(items)) if class.lookup(sym!("_fields")).is_some() => {
                Ok(View::Node(Kind::Named(Value::Class(class.clone())), items.to_vec()))
            }
            Some(Value::Dict(dict))
                if class.name.as_str() == "OrderedDict" && class.module.as_str() == "collections" =>
            {
                if let Some(why) = dict.why_vague() {
                    return Err(Halt::Unknown(why));
                }
                let keys = Value::tuple(dict.read().keys().map(|k| k.value.clone()));
                let children = dict.read().values().cloned().collect();
                Ok(View::Node(
                    Kind::Custom { class: Value::Class(class.clone()), data: keys, dataclass: false },
                    children,
                ))
            }
            Some(Value::Dict(dict))
                if class.name.as_str() == "defaultdict" && class.module.as_str() == "collections" =>
            {
                let View::Node(Kind::Dict(keys), children) = self.dict_view(dict)? else { return Ok(View::Leaf) };
                let factory = it.getattr(object, sym!("default_factory"))?;
                let data = Value::tuple([factory, Value::Tuple(keys)]);
                Ok(View::Node(Kind::Custom { class: Value::Class(class.clone()), data, dataclass: false }, children))
            }
            _ => Ok(View::Leaf),
        }
    }

    /// What a class's own function gives: its children, and what it is made of beside them.
    fn flattened(&self, pair: &Value) -> Step<(Vec<Value>, Value)> {
        let refuse = |whose: &str| -> Step<(Vec<Value>, Value)> {
            let given = self.text_of(self.it.repr(pair)?)?;
            Err(Halt::value_error(format!(
                "The to_iterable function for a custom PyTree node should return a (children, aux_data) tuple{whose}, got {given}"
            )))
        };
        match pair.base() {
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            Value::Tuple(parts) if parts.len() == 2 => match self.it.to_vec(&parts[0]) {
                Ok(children) => Ok((children, parts[1].clone())),
                Err(Halt::Raise(exception)) if self.it.is_exception(&exception, "TypeError") => {
                    refuse(" where 'children' is iterable")
                }
                Err(other) => Err(other),
            },
            _ => refuse(""),
        }
    }

    fn pair(&self, value: &Value) -> Step<(Value, Value)> {
        if let Value::Unknown(unknown) = value {
            return Err(Halt::Unknown(unknown.why.clone()));
        }
        match self.it.to_vec(value)?.as_slice() {
            [a, b] => Ok((a.clone(), b.clone())),
            _ => Err(Halt::raise(
                "RuntimeError",
                "The to_iterable function for a custom PyTree node should return a `(children, aux_data)` tuple.",
            )),
        }
    }

    fn text_of(&self, text: Value) -> Step<String> {
        match &text {
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            text => Ok(text.as_str().unwrap_or_default().to_owned()),
        }
    }
}

fn class_of(kind_class: &Value) -> Option<&Rc<Class>> {
    match kind_class {
        Value::Class(class) => Some(class),
        _ => None,
    }
}

impl Host for Trees<'_> {
    type Object = Value;

    fn deeper<T>(&self, body: impl FnOnce() -> Step<T>) -> Step<T> {
        self.it.nested("", body)
    }

    fn view(&self, object: &Value) -> Step<View<Value>> {
        self.it.spend()?;
        match object {
            Value::None => Ok(View::Node(Kind::None, Vec::new())),
            Value::Tuple(items) => Ok(View::Node(Kind::Tuple, items.to_vec())),
            Value::List(list) => match list.why_vague() {
                Some(why) => Err(Halt::Unknown(why)),
                None => Ok(View::Node(Kind::List, list.read().clone())),
            },
            Value::Dict(dict) => self.dict_view(dict),
            Value::Instance(instance) => self.instance_view(object, &instance.class(), instance.payload()),
            Value::Object(value) => self.instance_view(object, &value.class(self.it), None),
            _ => Ok(View::Leaf),
        }
    }

    fn leaf(&self, object: &Value) -> Value {
        // `None` is a tree without leaves: what may be one is no leaf of a type.
        object.without_or_none()
    }

    fn known(&self, object: &Value) -> Step<()> {
        match object {
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            _ => Ok(()),
        }
    }

    fn build(&self, kind: &Kind<Value>, children: Vec<Value>) -> Step<Value> {
        let it = self.it;
        Ok(match kind {
            Kind::None => Value::None,
            Kind::Tuple => Value::Tuple(children.into()),
            Kind::List => Value::list(children),
            Kind::Dict(keys) => Value::Dict(self.dict(keys, children)?),
            Kind::Named(class) => self.made(|| it.call_with(class, children))?,
            Kind::Custom { class, data, .. } => {
                let Some(of) = class_of(class) else { return Err(Halt::unknown("a node without a class")) };
                match self.registry.find(of).as_deref() {
                    Some(How::Functions(_, unflatten, _)) => {
                        self.made(|| it.call_with(unflatten, [data.clone(), Value::Tuple(children.into())]))?
                    }
                    Some(How::Fields(fields, meta)) => {
                        let mut args = Args::none();
                        args.keyword.extend(fields.iter().copied().zip(children));
                        args.keyword.extend(meta.iter().copied().zip(it.to_vec(data)?));
                        self.made(|| it.call(class, args))?
                    }
                    None if of.name.as_str() == "defaultdict" => {
                        let (factory, keys) = self.pair(data)?;
                        let dict = self.dict(&it.to_vec(&keys)?, children)?;
                        it.call_with(class, [factory, Value::Dict(dict)])?
                    }
                    None => {
                        let pairs = it.to_vec(data)?.into_iter().zip(children).map(|(k, v)| Value::tuple([k, v]));
                        it.call_with(class, [Value::list(pairs.collect())])?
                    }
                }
            }
        })
    }

    fn keys(&self, kind: &Kind<Value>, object: &Value) -> Step<Option<Vec<Key<Value>>>> {
        let it = self.it;
        let class = match kind {
            Kind::Named(class) => {
                let fields = it.to_vec(&it.getattr(class, sym!("_fields"))?)?;
                return Ok(Some(
                    fields.iter().map(|f| Key::Attribute(f.as_str().unwrap_or_default().into())).collect(),
                ));
            }
            Kind::Custom { class, .. } => class,
            _ => return Ok(None),
        };
        let Some(class) = class_of(class) else { return Ok(None) };
        match self.registry.find(class).as_deref() {
            Some(How::Fields(fields, _)) => {
                Ok(Some(fields.iter().map(|f| Key::Attribute(f.as_str().into())).collect()))
            }
            Some(How::Functions(_, _, Some(with_keys))) => {
                let (children, _) = self.pair(&self.taken_apart(|| it.call_with(with_keys, [object.clone()]))?)?;
                let pairs = it.to_vec(&children)?;
                Ok(Some(pairs.iter().map(|p| Ok(Key::Own(self.pair(p)?.0))).collect::<Step<_>>()?))
            }
            Some(How::Functions(..)) => Ok(None),
            None => {
                let Kind::Custom { data, .. } = kind else { return Ok(None) };
                let keys = if class.name.as_str() == "defaultdict" { self.pair(data)?.1 } else { data.clone() };
                Ok(Some(it.to_vec(&keys)?.into_iter().map(Key::Item).collect()))
            }
        }
    }

    fn equal(&self, a: &Value, b: &Value) -> Step<bool> {
        // What a class keeps is the same unless it says `!=`, which is not always the opposite of its `==`.
        if let (Value::Instance(x), Value::Instance(y)) = (a, b)
            && !Rc::ptr_eq(x, y)
            && matches!(x.class().equality(), Equality::Custom)
        {
            let differs = self.it.compare(CompareOp::NotEq, a, b)?;
            return Ok(!self.it.truth(&differs)?);
        }
        self.it.items_equal(a, b)?.map_err(Halt::Unknown)
    }
    fn hash(&self, object: &Value) -> Step<u64> {
        Ok(self.it.key(object)?.hash)
    }
    fn repr(&self, object: &Value) -> Step<String> {
        Ok(super::introspection::shown(self.it, object))
    }
    fn text(&self, object: &Value) -> Step<String> {
        self.text_of(self.it.str_of(object)?)
    }
    fn class_name(&self, class: &Value) -> String {
        class_of(class).map(|c| c.name.to_string()).unwrap_or_default()
    }
}

impl Trees<'_> {
    fn dict(&self, keys: &[Value], children: Vec<Value>) -> Step<Dict> {
        let mut items = DictItems::default();
        for (key, child) in keys.iter().zip(children) {
            items.insert(self.it.key(key)?, child);
        }
        Ok(Dict::new(items))
    }
}

/// The leaves of a value and its structure.
///
/// # Errors
/// What flattening raises; unknown for containers whose items are not known.
pub fn flatten(it: &Rc<Interp>, value: &Value) -> Step<(Vec<Value>, Def)> {
    pytree::flatten(&Trees::new(it), value, None).map(surely)
}

/// An instance of a class of which not all bases are known may be a container: the leaf in its place is not known.
fn surely((mut leaves, def): (Vec<Value>, Def)) -> (Vec<Value>, Def) {
    leaves.iter_mut().for_each(lose_doubtful);
    (leaves, def)
}

fn lose_doubtful(leaf: &mut Value) {
    if let Value::Instance(instance) = leaf
        && instance.class().unknown_base
    {
        let why = format!("`{}` has an unknown base class", instance.class().name);
        *leaf = Value::unknown(why);
    }
}

/// A value of this structure with these leaves.
///
/// # Errors
/// What unflattening raises.
pub fn unflatten(it: &Rc<Interp>, def: &Def, leaves: impl IntoIterator<Item = Value>) -> Step<Value> {
    pytree::unflatten(&Trees::new(it), def, leaves)
}

/// Whether two structures are the same.
///
/// # Errors
/// What comparing raises.
pub fn same(it: &Rc<Interp>, a: &Def, b: &Def) -> Step<bool> {
    pytree::equal(&Trees::new(it), a, b)
}

/// Flattens with a Python function that says what is a leaf (unbound or `None`: nothing more than usual).
fn flatten_by(it: &Rc<Interp>, value: &Value, is_leaf: &Value) -> Step<(Vec<Value>, Def)> {
    if is_leaf.is_unbound() || is_leaf.is_none() {
        return flatten(it, value);
    }
    let test = |value: &Value| it.truth(&it.call_with(is_leaf, [value.clone()])?);
    pytree::flatten(&Trees::new(it), value, Some(&test)).map(surely)
}

/// A step of a path as a Python object.
///
/// # Errors
/// Those of the prelude.
pub fn key_value(it: &Rc<Interp>, key: &Key<Value>) -> Step<Value> {
    let (class, argument) = match key {
        Key::Index(i) => ("SequenceKey", Value::size(*i)),
        Key::Item(key) => ("DictKey", key.clone()),
        Key::Attribute(name) => ("GetAttrKey", Value::Str(name.clone())),
        Key::Flat(i) => ("FlattenedIndexKey", Value::size(*i)),
        Key::Own(key) => return Ok(key.clone()),
    };
    let class = prelude_member(it, "jax._engine", class)?;
    it.call_with(&class, [argument])
}

fn path_value(it: &Rc<Interp>, path: &[Key<Value>]) -> Step<Value> {
    Ok(Value::tuple(path.iter().map(|k| key_value(it, k)).collect::<Step<Vec<_>>>()?))
}

/// The paths of the leaves of a structure, as `keystr` prints them.
///
/// # Errors
/// What printing keys raises.
pub fn leaf_paths(it: &Rc<Interp>, def: &Def) -> Step<Vec<String>> {
    let trees = Trees::new(it);
    let mut found = Vec::new();
    paths_into(&trees, def, &mut Vec::new(), &mut found)?;
    Ok(found)
}

fn keys_without_object(trees: &Trees<'_>, kind: &Kind<Value>, count: usize) -> Step<Vec<Key<Value>>> {
    if let Kind::Custom { class, .. } = kind
        && let Some(How::Functions(_, _, with_keys)) = class_of(class).and_then(|c| trees.registry.find(c)).as_deref()
    {
        // A library's own functions (those of Equinox's modules) tell names of an object with nothing in it; the program's
        // are not run for that.
        let found = match with_keys {
            Some(Value::Function(function)) if !function.module.unit.user => {
                trees.build(kind, vec![Value::None; count]).and_then(|object| trees.keys(kind, &object))
            }
            _ => Ok(None),
        };
        return Ok(match found {
            Ok(Some(keys)) if keys.len() == count => keys,
            Ok(_) | Err(Halt::Raise(_) | Halt::Unknown(_)) => (0..count).map(Key::Flat).collect(),
            Err(stop) => return Err(stop),
        });
    }
    pytree::node_keys(trees, kind, &Value::None, count)
}

fn paths_into(trees: &Trees<'_>, def: &Def, path: &mut Vec<Key<Value>>, found: &mut Vec<String>) -> Step<()> {
    let Some(kind) = def.kind() else {
        found.push(pytree::key_text(trees, path)?);
        return Ok(());
    };
    let count = def.children().len();
    for (key, child) in keys_without_object(trees, kind, count)?.into_iter().zip(def.children()) {
        path.push(key);
        paths_into(trees, child, path, found)?;
        path.pop();
    }
    Ok(())
}

/// The names of the static fields of a class that is registered by its fields.
pub fn static_fields(it: &Rc<Interp>, class: &Value) -> Vec<Symbol> {
    let registry = it.extension::<Registry>();
    match class_of(class).and_then(|class| registry.find(class)).as_deref() {
        Some(How::Fields(_, fixed)) => fixed.to_vec(),
        _ => Vec::new(),
    }
}

/// The keys of the children of a node, as far as they are known without an object of its class.
///
/// # Errors
/// What reading the fields of a named tuple raises.
pub fn child_keys(it: &Rc<Interp>, kind: &Kind<Value>, count: usize) -> Step<Vec<Key<Value>>> {
    keys_without_object(&Trees::new(it), kind, count)
}

/// A path as `jax.tree_util.keystr` prints it.
///
/// # Errors
/// What printing keys raises.
pub fn path_text(it: &Rc<Interp>, path: &[Key<Value>]) -> Step<String> {
    pytree::key_text(&Trees::new(it), path)
}

/// A structure as a Python object.
pub struct TreeDefObject(pub Def, Option<Why>);

/// A structure as a Python value.
pub fn def_value(def: Def) -> Value {
    Value::Object(Rc::new(TreeDefObject(def, None)))
}

/// The structure of these leaves: one of them that is not known may stand for a tree of its own.
fn def_of_leaves(def: Def, leaves: &[Value]) -> Value {
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

fn make_from(it: &Rc<Interp>, args: Args) -> Step<Value> {
    // Some callers hand over the registry in front.
    let given: Vec<Value> = args.positional.into_vec();
    let [.., data, children] = given.as_slice() else {
        return Err(Halt::type_error("make_from_node_data_and_children() takes node data and children"));
    };
    let children = it.to_vec(children)?.iter().map(def_of).collect::<Step<Vec<_>>>()?;
    from_node_data(it, data, children).map(def_value)
}

fn known_class(value: &Value) -> Step<Rc<Class>> {
    match value {
        Value::Class(class) => Ok(class.clone()),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        other => Err(Halt::type_error(format!("Expected a class, got {other:?}"))),
    }
}

fn present(value: Value) -> Option<Value> {
    (!value.is_unbound() && !value.is_none()).then_some(value)
}

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut Members) {
    let class = Class::new(
        sym!("PyTreeDef"),
        sym!("jaxlib._jax.pytree"),
        vec![it.types.object.clone()],
        Attrs::default(),
        Root::Other,
    )
    .expect("one base is always in order");
    class.attrs.write().insert(
        sym!("make_from_node_data_and_children"),
        NativeFn::value("make_from_node_data_and_children", make_from),
    );
    it.named_classes.borrow_mut().insert(sym!("jaxlib.PyTreeDef"), Value::Class(class.clone()));
    members.value("PyTreeDef", Value::Class(class));

    // `tree_flatten(tree, is_leaf=None)`: The pair (leaf list, treedef). None is a node without children; dicts go in
    // sorted key order.
    members.function("tree_flatten", |it, args| {
        let [tree, is_leaf] = args.bind("tree_flatten", ["tree", "is_leaf"], 1)?;
        let (leaves, def) = flatten_by(it, &tree, &is_leaf)?;
        let def = def_of_leaves(def, &leaves);
        Ok(Value::tuple([Value::list(leaves), def]))
    });
    // `tree_leaves(tree, is_leaf=None)`: The leaf list alone.
    members.function("tree_leaves", |it, args| {
        let [tree, is_leaf] = args.bind("tree_leaves", ["tree", "is_leaf"], 1)?;
        Ok(Value::list(flatten_by(it, &tree, &is_leaf)?.0))
    });
    // `tree_structure(tree, is_leaf=None)`: The treedef alone.
    members.function("tree_structure", |it, args| {
        let [tree, is_leaf] = args.bind("tree_structure", ["tree", "is_leaf"], 1)?;
        let (leaves, def) = flatten_by(it, &tree, &is_leaf)?;
        Ok(def_of_leaves(def, &leaves))
    });
    // `tree_unflatten(treedef, leaves)`: The pytree of `treedef` with these leaves (any iterable); a wrong count raises
    // JAX's ValueError.
    members.function("tree_unflatten", |it, args| {
        let [def, leaves] = args.bind("tree_unflatten", ["treedef", "leaves"], 2)?;
        unflatten(it, &def_of(&def)?, it.to_vec(&leaves)?)
    });
    // `tree_map(f, tree, *rest, is_leaf=None)`: `jax.tree.map` for the prelude's own use; errors of mismatch are those
    // of `flatten_up_to`.
    members.function("tree_map", |it, mut args| {
        let is_leaf = args.take_keyword("is_leaf").unwrap_or(Value::Unbound);
        let mut given = args.positional.into_iter();
        let (Some(f), Some(tree)) = (given.next(), given.next()) else {
            return Err(Halt::type_error("tree_map() missing required arguments"));
        };
        let (leaves, def) = flatten_by(it, &tree, &is_leaf)?;
        let trees = Trees::new(it);
        let rest = given.map(|t| pytree::flatten_up_to(&trees, &def, &t)).collect::<Step<Vec<_>>>()?;
        let mut results = Vec::with_capacity(leaves.len());
        for (i, leaf) in leaves.into_iter().enumerate() {
            results.push(it.call_with(&f, std::iter::once(leaf).chain(rest.iter().map(|r| r[i].clone())))?);
        }
        unflatten(it, &def, results)
    });
    // `tree_flatten_with_path(tree, is_leaf=None)`: The pair (list of (key path, leaf), treedef); `is_leaf(path, value)`
    // decides on both.
    members.function("tree_flatten_with_path", |it, args| {
        let [tree, is_leaf] = args.bind("tree_flatten_with_path", ["tree", "is_leaf"], 1)?;
        let trees = Trees::new(it);
        let is_leaf = present(is_leaf);
        let test = |path: &[Key<Value>], value: &Value| match &is_leaf {
            Some(f) => it.truth(&it.call_with(f, [path_value(it, path)?, value.clone()])?),
            None => Ok(false),
        };
        let (mut pairs, def) = pytree::flatten_with_path(&trees, &tree, Some(&test))?;
        pairs.iter_mut().for_each(|(_, leaf)| lose_doubtful(leaf));
        let leaves: Vec<Value> = pairs.iter().map(|(_, leaf)| leaf.clone()).collect();
        let def = def_of_leaves(def, &leaves);
        let pairs = pairs.into_iter().map(|(path, leaf)| Ok(Value::tuple([path_value(it, &path)?, leaf])));
        Ok(Value::tuple([Value::list(pairs.collect::<Step<_>>()?), def]))
    });
    // `counted(leaves, treedef)`: The leaves of a tree as a program sees them: of one of which nothing is known there may be any
    // number.
    members.function("counted", |_, args| {
        let [leaves, def] = args.exactly("counted")?;
        let vague = match &def {
            Value::Object(object) => object.downcast::<TreeDefObject>().filter(|def| def.0.is_leaf()),
            _ => None,
        };
        Ok(match vague.and_then(|def| def.1.clone()) {
            Some(why) => Value::List(List::vague(why)),
            None => leaves,
        })
    });
    // `is_vague(treedef)`: Whether a leaf of the tree may be a container.
    members.function("is_vague", |_, args| {
        let [def] = args.exactly("is_vague")?;
        let vague = match &def {
            Value::Object(object) => object.downcast::<TreeDefObject>().is_some_and(|def| def.1.is_some()),
            other => other.is_unknown(),
        };
        Ok(Value::Bool(vague))
    });
    // `tree_flatten_axes(tree)`: (leaf list, treedef) of a tree in which None is a leaf, as axes specifications have it.
    members.function("tree_flatten_axes", |it, args| {
        let [tree] = args.exactly("tree_flatten_axes")?;
        let (leaves, def) = pytree::flatten(&Trees::new(it), &tree, Some(&|v: &Value| Ok(v.is_none())))?;
        Ok(Value::tuple([Value::list(leaves), def_value(def)]))
    });
    // `flatten_one_level(tree)`: (children, metadata) of the outermost node, None for a leaf.
    members.function("flatten_one_level", |it, args| {
        let [tree] = args.exactly("flatten_one_level")?;
        Ok(match Trees::new(it).view(&tree)? {
            View::Leaf => Value::None,
            View::Node(kind, children) => Value::tuple([Value::list(children), metadata(kind)]),
        })
    });
    // `flatten_one_level_with_keys(tree)`: ([(key, child)], metadata) of the outermost node, None for a leaf.
    members.function("flatten_one_level_with_keys", |it, args| {
        let [tree] = args.exactly("flatten_one_level_with_keys")?;
        let trees = Trees::new(it);
        Ok(match trees.view(&tree)? {
            View::Leaf => Value::None,
            View::Node(kind, children) => {
                let keys = pytree::node_keys(&trees, &kind, &tree, children.len())?;
                let pairs = keys.iter().zip(children).map(|(k, c)| Ok(Value::tuple([key_value(it, k)?, c])));
                Value::tuple([Value::list(pairs.collect::<Step<_>>()?), metadata(kind)])
            }
        })
    });
    // `is_node(tree)`: Whether it is no leaf.
    members.function("is_node", |it, args| {
        let [tree] = args.exactly("is_node")?;
        Ok(Value::Bool(matches!(Trees::new(it).view(&tree)?, View::Node(..))))
    });
    // `treedef_tuple(treedefs)`: The treedef of a tuple with children of these treedefs.
    members.function("treedef_tuple", |it, args| {
        let [defs] = args.exactly("treedef_tuple")?;
        let defs = it.to_vec(&defs)?.iter().map(def_of).collect::<Step<Vec<_>>>()?;
        Ok(def_value(Def::node(Kind::Tuple, defs)))
    });
    // `all_leaves(iterable)`: Whether no element is a container.
    members.function("all_leaves", |it, args| {
        let [items] = args.exactly("all_leaves")?;
        let trees = Trees::new(it);
        for item in it.to_vec(&items)? {
            if let View::Node(..) = trees.view(&item)? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    });
    // `register_pytree_node(nodetype, flatten, unflatten, flatten_with_keys=None)`: Makes instances of exactly
    // `nodetype` nodes: `flatten(x) -> (children, metadata)`, `unflatten(metadata, children)`, `flatten_with_keys(x) ->
    // ([(key, child)], metadata)`. ValueError `Duplicate custom PyTreeDef type registration for …`.
    members.function("register_pytree_node", |it, args| {
        let names = ["nodetype", "flatten_func", "unflatten_func", "flatten_with_keys_func"];
        let [class, flatten, unflatten, with_keys] = args.bind("register_pytree_node", names, 3)?;
        let how = How::Functions(flatten, unflatten, present(with_keys));
        it.extension::<Registry>().add(known_class(&class)?, how)?;
        Ok(Value::None)
    });
    // `register_dataclass(nodetype, data_fields, meta_fields)`: Makes `nodetype` a node whose children are the
    // attributes `data_fields` (under `GetAttrKey`s) and whose metadata are the values of `meta_fields`; unflattening
    // calls `nodetype(**fields)`.
    members.function("register_dataclass", |it, args| {
        let [class, data, meta] = args.bind("register_dataclass", ["nodetype", "data_fields", "meta_fields"], 3)?;
        let names = |v: &Value| -> Step<Rc<[Symbol]>> {
            Ok(it.to_vec(v)?.iter().map(|n| Symbol::from(n.as_str().unwrap_or_default())).collect())
        };
        it.extension::<Registry>().add(known_class(&class)?, How::Fields(names(&data)?, names(&meta)?))?;
        Ok(Value::None)
    });
    // `is_tree_node(nodetype)`: Whether instances of the type are nodes.
    members.function("is_tree_node", |it, args| {
        let [class] = args.exactly("is_tree_node")?;
        let class = known_class(&class)?;
        let t = &it.types;
        let builtin = [&t.none, &t.tuple, &t.list, &t.dict].iter().any(|c| Rc::ptr_eq(c, &class));
        let collection =
            class.module.as_str() == "collections" && matches!(class.name.as_str(), "OrderedDict" | "defaultdict");
        let registered = it.extension::<Registry>().find(&class).is_some();
        Ok(Value::Bool(builtin || collection || registered))
    });
}

fn metadata(kind: Kind<Value>) -> Value {
    match kind {
        Kind::None | Kind::Tuple | Kind::List => Value::None,
        Kind::Dict(keys) => Value::list(keys.to_vec()),
        Kind::Named(class) => class,
        Kind::Custom { data, .. } => data,
    }
}
