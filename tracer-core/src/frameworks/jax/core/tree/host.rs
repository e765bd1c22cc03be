//! What pytrees of the program are made of: registered classes, and its objects for the trees of the engine.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::interp::Interp;
use crate::module::{CompareOp, Symbol};
use crate::python::class::Equality;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Dict, DictItems, Value};
use crate::trace::pytree::{Host, Key, Kind, View};

/// How instances of a registered class are taken apart.
pub(super) enum How {
    /// By functions of the program: flatten, unflatten, and flatten with keys if there is one.
    Functions(Value, Value, Option<Value>),
    /// By attributes: data and meta fields.
    Fields(Rc<[Symbol]>, Rc<[Symbol]>),
}

/// The registered classes of a run.
#[derive(Default)]
pub struct Registry {
    classes: RefCell<FxHashMap<usize, (Rc<Class>, Rc<How>)>>,
    /// Whether what runs now is something of which it was not measured how often it asks classes for their parts.
    is_vague: Cell<bool>,
}

fn at(class: &Rc<Class>) -> usize {
    Rc::as_ptr(class) as usize
}

impl Registry {
    /// Runs something of which it was not measured how often it asks classes for their parts.
    pub fn vaguely<T>(&self, run: impl FnOnce() -> T) -> T {
        let outer = self.is_vague.replace(true);
        let result = run();
        self.is_vague.set(outer);
        result
    }
    /// Whether instances of a class are taken apart.
    pub fn knows(&self, class: &Rc<Class>) -> bool {
        self.classes.borrow().contains_key(&at(class))
    }
    pub(super) fn find(&self, class: &Rc<Class>) -> Option<Rc<How>> {
        self.classes.borrow().get(&at(class)).map(|(_, how)| how.clone())
    }
    pub(super) fn add(&self, class: Rc<Class>, how: How) -> Step<()> {
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

/// How often the framework asks a class for the parts of an object where we do once: plainly, and with their keys, for names of arguments
/// and results.
#[derive(Clone, Copy, Debug)]
pub struct Asks {
    /// Plainly.
    pub plain: u32,
    /// With keys.
    pub keyed: u32,
}

impl Asks {
    /// As the program says: once.
    pub const ONCE: Asks = Asks { plain: 1, keyed: 0 };
    /// What a body that is traced is given and gives: once for the values, once for their names.
    pub const NAMED: Asks = Asks { plain: 1, keyed: 1 };
}

/// The program's objects, for the trees of the engine.
pub struct Trees<'a> {
    it: &'a Rc<Interp>,
    pub(super) registry: Rc<Registry>,
    /// How often the framework takes objects apart, where that is known.
    asks: Option<Asks>,
    /// Whether not even that is known how often it makes them.
    is_vague: bool,
}

impl<'a> Trees<'a> {
    /// Of this run.
    pub fn new(it: &'a Rc<Interp>) -> Trees<'a> {
        Trees { it, registry: it.extension(), asks: None, is_vague: false }
    }

    /// Of this run, where it is not known how often the framework makes objects.
    pub fn vague(it: &'a Rc<Interp>) -> Trees<'a> {
        Trees { is_vague: true, ..Trees::new(it) }
    }

    /// Of this run, where the framework asks so often.
    pub fn asking(it: &'a Rc<Interp>, asks: Asks) -> Trees<'a> {
        Trees { it, registry: it.extension(), asks: Some(asks), is_vague: false }
    }

    /// Whether one trace lies inside another.
    fn is_inner(&self) -> bool {
        let trace = self.it.engine.trace();
        trace.parent().is_some_and(|around| around.parent().is_some())
    }

    /// Runs a function of a class that takes an object apart, for so many times. Where it is not known how often the framework asks for
    /// that (for the names of arguments and of results, for its caches), nothing is said about how often it runs.
    fn taken_apart(&self, times: impl Fn(Asks) -> u32, run: impl FnOnce() -> Step<Value>) -> Step<Value> {
        if let Some(asks) = self.asks
            && !self.registry.is_vague.get()
        {
            let outer = self.it.run_times.get();
            self.it.run_times.set(outer.saturating_mul(times(asks)));
            let result = run();
            self.it.run_times.set(outer);
            return result;
        }
        let outer = self.it.doubtful_runs.replace(true);
        let result = run();
        self.it.doubtful_runs.set(outer);
        result
    }

    /// Runs a function of a class that makes an object of its parts: where one trace lies inside another, the same holds.
    fn made(&self, run: impl FnOnce() -> Step<Value>) -> Step<Value> {
        if self.asks.is_some() || self.is_vague || self.registry.is_vague.get() || self.is_inner() {
            self.taken_apart(|asks| asks.plain, run)
        } else {
            run()
        }
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
                How::Functions(flatten, _, with_keys) => {
                    let keyed = with_keys.as_ref().filter(|_| self.asks.is_some_and(|asks| asks.keyed > 0));
                    let plainly = |asks: Asks| asks.plain + if keyed.is_some() { 0 } else { asks.keyed };
                    let pair = self.taken_apart(plainly, || it.call_with(flatten, [object.clone()]))?;
                    if let Some(with_keys) = keyed {
                        self.taken_apart(|asks| asks.keyed, || it.call_with(with_keys, [object.clone()]))?;
                    }
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

    pub(super) fn pair(&self, value: &Value) -> Step<(Value, Value)> {
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

/// The class that a node names.
pub(super) fn class_of(kind_class: &Value) -> Option<&Rc<Class>> {
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
                let (children, _) =
                    self.pair(&self.taken_apart(|_| 0, || it.call_with(with_keys, [object.clone()]))?)?;
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
        Ok(crate::frameworks::jax::core::introspection::shown(self.it, object))
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
        let mut items = DictItems::with_capacity_and_hasher(keys.len(), Default::default());
        for (key, child) in keys.iter().zip(children) {
            items.insert(self.it.key(key)?, child);
        }
        Ok(Dict::new(items))
    }
}
