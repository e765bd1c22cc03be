//! Lists, dicts and sets: mutable containers whose writes the journal sees.
//!
//! A container that two branches leave different is *vague*: its items are not known any more, and neither is its
//! length.

use std::cell::{Ref, RefMut};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::attrs::Attrs;
use super::halt::Why;
use super::instance::Instance;
use super::journal::{Join, Mutable};
use super::key::{Asked, Key};
use super::module::ModuleObject;
use super::rounds::{Counter, Growing};
use super::value::Value;
use crate::interp::Interp;
use crate::module::Symbol;

/// Names with values that a dict may be the live view of.
#[derive(Clone)]
enum Behind {
    /// The attributes of an object, as `__dict__` gives them.
    Attributes(Rc<Mutable<Attrs>>),
    /// The globals of a module.
    Module(Rc<ModuleObject>),
}

impl std::fmt::Debug for Behind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Behind::Attributes(_) => f.write_str("attributes"),
            Behind::Module(module) => write!(f, "globals of {}", module.name),
        }
    }
}

impl Behind {
    fn read<T>(&self, show: impl FnOnce(&Attrs) -> T) -> T {
        match self {
            Behind::Attributes(attrs) => show(&attrs.read()),
            Behind::Module(module) => show(&module.names().into_iter().collect()),
        }
    }
    fn write(&self, names: Attrs) {
        match self {
            Behind::Attributes(attrs) => {
                let mut attrs = attrs.write();
                let rest = attrs.get(&sym!("*")).cloned();
                *attrs = names;
                attrs.extend(rest.map(|rest| (sym!("*"), rest)));
            }
            Behind::Module(module) => module.become_names(names),
        }
    }
    /// Anything may have been written: values are not known any more, and neither is which names there are. Of a module only
    /// settings are taken to change, values such as stand in a file: what it defines and computes stays what it is.
    fn forget(&self, why: &Why) {
        let unknown = Value::unknown(why.0.clone());
        match self {
            Behind::Attributes(attrs) => {
                let mut attrs = attrs.write();
                attrs.values_mut().for_each(|value| *value = unknown.clone());
                attrs.insert(sym!("*"), unknown);
            }
            Behind::Module(module) => {
                for (name, value) in module.names() {
                    let is_setting = matches!(
                        value,
                        Value::Bool(_)
                            | Value::Int(_)
                            | Value::Float(_)
                            | Value::Str(_)
                            | Value::None
                            | Value::List(_)
                            | Value::Tuple(_)
                            | Value::Dict(_)
                    );
                    if is_setting && !name.starts_with("__") {
                        module.set(name, unknown.clone());
                    }
                }
                module.set(sym!("*"), unknown);
            }
        }
    }
}

/// What a mutable container holds: items, and whether they are known to be all.
#[derive(Clone, Debug)]
pub struct Contents<T> {
    /// The items.
    pub items: T,
    /// Why the items are not (all) known.
    pub vague: Option<Why>,
    /// What a dict is the live view of: what is written into either is in both.
    of: Option<Behind>,
    /// Of a vague list: what is known of it while a loop adds to it.
    growing: Option<Box<Growing>>,
}

macro_rules! container {
    ($(#[$doc:meta])* $name:ident($items:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name(Rc<Mutable<Contents<$items>>>);

        impl $name {
            /// A new container.
            pub fn new(items: $items) -> $name {
                $name(Mutable::new(Contents { items, vague: None, of: None, growing: None }))
            }
            /// A new container of which nothing is known.
            pub fn vague(why: Why) -> $name {
                $name(Mutable::new(Contents { items: Default::default(), vague: Some(why), of: None, growing: None }))
            }
            /// The age in which it was made: see [`super::journal::grow_older`].
            #[inline]
            pub fn born(&self) -> u32 {
                self.0.born()
            }
            /// Reads the items; those of a vague container are only those that are known.
            #[inline]
            pub fn read(&self) -> Ref<'_, $items> {
                Ref::map(self.contents(), |c| &c.items)
            }
            /// Reads the items and whether they are all.
            #[inline]
            pub fn contents(&self) -> Ref<'_, Contents<$items>> {
                let contents = self.0.read();
                if contents.of.is_none() {
                    return contents;
                }
                drop(contents);
                self.0.refresh(Contents::take_over);
                self.0.read()
            }
            /// Reads the items, where they are all known and no view of others.
            #[inline(always)]
            pub fn known(&self) -> Option<Ref<'_, Contents<$items>>> {
                let contents = self.0.read();
                (contents.of.is_none() && contents.vague.is_none()).then_some(contents)
            }
            /// Writes the items.
            #[inline]
            pub fn write(&self) -> Writing<'_, $items> {
                let mut contents = self.0.write();
                contents.take_over();
                contents.growing = None;
                Writing(contents)
            }
            /// Why the items are not all known.
            #[inline]
            pub fn why_vague(&self) -> Option<Why> {
                self.0.read().vague.clone()
            }
            /// Whether the items are not all known.
            #[inline]
            pub fn is_vague(&self) -> bool {
                self.0.read().vague.is_some()
            }
            /// Forgets the items.
            pub fn forget(&self, why: Why) {
                let mut contents = self.0.write();
                contents.items = Default::default();
                contents.growing = None;
                if let Some(behind) = &contents.of {
                    behind.forget(&why);
                }
                contents.vague = Some(why);
            }
            /// Replaces the items by known ones.
            pub fn set(&self, items: $items) {
                let mut contents = self.0.write();
                contents.items = items;
                contents.vague = None;
                contents.growing = None;
                contents.hand_on();
            }
            /// Whether both are the same object.
            pub fn same(&self, other: &$name) -> bool {
                Rc::ptr_eq(&self.0, &other.0)
            }
            /// The address.
            pub fn address(&self) -> usize {
                Rc::as_ptr(&self.0).cast::<()>() as usize
            }
        }
    };
}

container! {
    /// A list.
    List(Vec<Value>)
}
container! {
    /// A dict; keys in insertion order.
    Dict(DictItems)
}
container! {
    /// A set or frozenset; items in insertion order (CPython's order is a hash order: what depends on it is a guess).
    Set(SetItems)
}

/// So many items of a list are moved for the budget of one expression.
pub const ITEMS_MOVED: usize = 16;

impl List {
    /// Appends items: of a vague list they are kept only while a loop adds to it.
    pub fn append(&self, new: impl IntoIterator<Item = Value>) {
        if !self.is_vague() {
            self.write().extend(new);
        } else if self.growing().is_some()
            && let Some(growing) = &mut self.0.write().growing
        {
            growing.items.extend(new);
        }
    }
    /// What is known of a vague list while a loop adds to it.
    pub fn growing(&self) -> Option<Ref<'_, Growing>> {
        Ref::filter_map(self.0.read(), |contents| contents.growing.as_deref()).ok()
    }
    /// Why the items are not known, where they are not: it is about to be changed otherwise than by appending.
    pub fn vague_before_change(&self) -> Option<Why> {
        let why = self.why_vague()?;
        if self.growing().is_some() {
            self.forget(why.clone());
        }
        Some(why)
    }
    /// Moves an item behind the others, where all of them are known; whether it did.
    #[inline]
    pub fn quick_push(&self, item: &mut Value) -> bool {
        let mut contents = self.0.write();
        let known = contents.vague.is_none() && contents.of.is_none();
        if known {
            contents.items.push(std::mem::replace(item, Value::Unbound));
        }
        known
    }
    /// Moves items about, where all of them are known. What is in the list stays alive meanwhile: nothing of it is dropped by `change`.
    #[inline]
    pub fn quick_change<T>(&self, change: impl FnOnce(&mut Vec<Value>) -> Option<T>) -> Option<T> {
        self.known()?;
        change(&mut self.0.write().items)
    }
    /// Takes the last item off, where all of them are known and there is one.
    #[inline]
    pub fn quick_pop(&self) -> Option<Value> {
        self.known()?.items.last()?;
        self.0.write().items.pop()
    }
    /// Takes the item at a position off, where all of them are known and there is one.
    #[inline]
    pub fn quick_remove(&self, it: &Interp, at: usize) -> Option<Value> {
        let behind = self.known()?.items.len().checked_sub(at + 1)?;
        it.spend_many(behind / ITEMS_MOVED).ok()?;
        Some(self.0.write().items.remove(at))
    }
    /// Moves an item to a position or behind all others, where all of them are known; whether it did.
    #[inline]
    pub fn quick_insert(&self, it: &Interp, at: usize, item: &mut Value) -> bool {
        let Some(count) = self.known().map(|known| known.items.len()) else { return false };
        let at = at.min(count);
        let goes = it.spend_many((count - at) / ITEMS_MOVED).is_ok();
        if goes {
            self.0.write().items.insert(at, std::mem::replace(item, Value::Unbound));
        }
        goes
    }
    /// Copies items behind the others, where all of these are known; whether it did.
    pub fn quick_extend(&self, it: &Interp, items: &[Value]) -> bool {
        let goes = self.known().is_some() && it.spend_many(items.len()).is_ok();
        if goes {
            self.0.write().items.extend_from_slice(items);
        }
        goes
    }
    /// Replaces the item at a position, which may count from the end, where all of them are known; whether it did.
    #[inline]
    pub fn quick_set(&self, at: i64, new: &Value) -> bool {
        let mut contents = self.0.write();
        if contents.vague.is_some() || contents.of.is_some() {
            return false;
        }
        let at = if at < 0 { at + contents.items.len() as i64 } else { at };
        let Some(slot) = usize::try_from(at).ok().and_then(|at| contents.items.get_mut(at)) else { return false };
        match (slot, new) {
            (Value::Int(slot), Value::Int(new)) => *slot = *new,
            (Value::Float(slot), Value::Float(new)) => *slot = *new,
            (slot, new) => {
                let old = std::mem::replace(slot, new.clone());
                // What dies with it may look at the list.
                drop(contents);
                drop(old);
            }
        }
        true
    }
}

impl Set {
    /// Whether an item that hashes without running code is among the items, where all are known.
    #[inline]
    pub fn quick_has(&self, item: &Value) -> Option<bool> {
        let asked = Asked::of(item)?;
        Some(self.known()?.items.contains(&asked))
    }
}

impl Dict {
    /// The attributes as `__dict__` gives them: what is written into either is in both.
    pub fn view_of(attrs: &Rc<Mutable<Attrs>>) -> Dict {
        let vague = match attrs.read().get(&sym!("*")) {
            Some(Value::Unknown(unknown)) => Some(unknown.why.clone()),
            _ => None,
        };
        Dict(Mutable::new(Contents {
            items: DictItems::default(),
            vague,
            of: Some(Behind::Attributes(attrs.clone())),
            growing: None,
        }))
    }
    /// The value under a key, among the items that are known.
    #[inline]
    pub fn find(&self, key: &Key) -> Option<Value> {
        if let Some(module) = self.module() {
            return module.get(Symbol::from(key.value.as_str()?));
        }
        self.contents().items.get(key).cloned()
    }
    /// Puts a value under a key.
    #[inline]
    pub fn put(&self, key: Key, value: Value) {
        if let Some(name) = key.value.as_str()
            && let Some(module) = self.module()
        {
            return module.set(Symbol::from(name), value);
        }
        let old = self.write().insert(key, value);
        drop(old);
    }
    /// The value under a key that hashes without running code, where all items are known: `None` where this has to be found out otherwise.
    #[inline]
    pub fn quick_find(&self, key: &Value) -> Option<Option<Value>> {
        let asked = Asked::of(key)?;
        let contents = self.contents();
        contents.vague.is_none().then(|| contents.items.get(&asked).cloned())
    }
    /// Whether a key that hashes without running code is among the keys, where all items are known.
    #[inline]
    pub fn quick_has(&self, key: &Value) -> Option<bool> {
        let asked = Asked::of(key)?;
        let contents = self.contents();
        contents.vague.is_none().then(|| contents.items.contains_key(&asked))
    }
    /// Puts a value under a key that hashes without running code, where all items are known; whether it did.
    #[inline]
    pub fn quick_put(&self, key: &Value, value: &Value) -> bool {
        let Some(asked) = Asked::of(key) else { return false };
        if self.known().is_none() {
            return false;
        }
        let mut contents = self.0.write();
        let old = match contents.items.get_mut(&asked) {
            Some(slot) => std::mem::replace(slot, value.clone()),
            None => {
                contents.items.insert(asked.key(), value.clone());
                return true;
            }
        };
        drop(contents);
        drop(old);
        true
    }
    /// The module of whose globals this is the live view: single names need not go through all of them.
    #[inline]
    fn module(&self) -> Option<Rc<ModuleObject>> {
        match &self.0.read().of {
            Some(Behind::Module(module)) => Some(module.clone()),
            _ => None,
        }
    }
    /// The globals of a module, as `globals()` gives them.
    pub fn globals_of(module: &Rc<ModuleObject>) -> Dict {
        let name = Symbol::from("__name__");
        if module.get(name).is_none() {
            module.set(name, Value::str(module.name.as_str()));
        }
        let of = Some(Behind::Module(module.clone()));
        Dict(Mutable::new(Contents { items: DictItems::default(), vague: None, of, growing: None }))
    }
    /// Makes this dict the attributes of an object, as `obj.__dict__ = d` does.
    pub fn become_attributes(&self, attrs: &Rc<Mutable<Attrs>>) {
        let mut contents = self.0.write();
        contents.take_over();
        contents.of = Some(Behind::Attributes(attrs.clone()));
        contents.hand_on();
    }
}

/// Items that attributes may stand behind.
pub trait Attributes: Sized {
    /// The items that stand for attributes; `None` where a container has no names.
    fn of_attributes(_: &Attrs) -> Option<Self> {
        None
    }
    /// The items as attributes; `None` where a container has no names.
    fn to_attributes(&self) -> Option<Attrs> {
        None
    }
}

impl Attributes for Vec<Value> {}
impl Attributes for SetItems {}
impl Attributes for DictItems {
    fn of_attributes(attrs: &Attrs) -> Option<DictItems> {
        let bound = attrs.iter().filter(|(name, value)| !value.is_unbound() && name.as_str() != "*");
        Some(bound.map(|(name, value)| (Key::str(name), value.clone())).collect())
    }
    fn to_attributes(&self) -> Option<Attrs> {
        Some(self.iter().filter_map(|(key, value)| Some((Symbol::from(key.value.as_str()?), value.clone()))).collect())
    }
}

impl<T: Attributes> Contents<T> {
    /// Takes over what the attributes have become.
    #[inline]
    fn take_over(&mut self) {
        if let Some(behind) = &self.of
            && let Some(items) = behind.read(T::of_attributes)
        {
            self.items = items;
        }
    }
    /// Hands on what has been written to the attributes.
    #[inline]
    fn hand_on(&self) {
        if let Some(behind) = &self.of
            && let Some(names) = self.items.to_attributes()
        {
            behind.write(names);
        }
    }
}

/// Items that are being written.
#[allow(private_bounds)]
pub struct Writing<'a, T: Attributes>(RefMut<'a, Contents<T>>);

impl<T: Attributes> std::ops::Deref for Writing<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0.items
    }
}

impl<T: Attributes> std::ops::DerefMut for Writing<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0.items
    }
}

impl<T: Attributes> Drop for Writing<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.hand_on();
    }
}

/// Keys carry their hash; this hasher hands it through.
#[derive(Copy, Clone, Debug, Default)]
pub struct HandThrough(u64);

impl Hasher for HandThrough {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys write their own hash as one u64")
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Items of a dict.
pub type DictItems = IndexMap<Key, Value, BuildHasherDefault<HandThrough>>;
/// Items of a set.
pub type SetItems = IndexSet<Key, BuildHasherDefault<HandThrough>>;

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

thread_local! {
    static JOIN_DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
    static JOINED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Objects that refer to themselves are joined this deep.
const DEEPEST_JOIN: u32 = 24;
/// Parts that one join looks at.
const LARGEST_JOIN: u32 = 20_000;

/// What is known of a value that may be either.
pub fn join_values(a: &Value, b: &Value) -> Value {
    if a.is(b) {
        return a.clone();
    }
    let depth = JOIN_DEPTH.get();
    let parts = if depth == 0 { 0 } else { JOINED.get() + 1 };
    JOINED.set(parts);
    if depth > DEEPEST_JOIN || parts > LARGEST_JOIN {
        return Value::unknown("depends on an unknown condition");
    }
    JOIN_DEPTH.set(depth + 1);
    let joined = join_different(a, b);
    JOIN_DEPTH.set(depth);
    joined
}

fn join_different(a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Unbound, _) | (_, Value::Unbound) => Value::unknown("only bound on one of two branches"),
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            Value::Tuple(x.iter().zip(y.iter()).map(|(x, y)| join_values(x, y)).collect())
        }
        (Value::Array(x), Value::Array(y)) if x.aval == y.aval => match crate::trace::Array::joined(x, y) {
            Some(array) => Value::Array(array),
            None => Value::unknown("an array that depends on an unknown condition"),
        },
        (Value::List(x), Value::List(y))
            if x.why_vague().is_none() && y.why_vague().is_none() && x.read().len() == y.read().len() =>
        {
            Value::list(x.read().iter().zip(y.read().iter()).map(|(x, y)| join_values(x, y)).collect())
        }
        (Value::Dict(x), Value::Dict(y))
            if x.why_vague().is_none()
                && y.why_vague().is_none()
                && x.read().len() == y.read().len()
                && x.read().keys().zip(y.read().keys()).all(|(x, y)| x == y) =>
        {
            let items =
                x.read().iter().zip(y.read().iter()).map(|((k, x), (_, y))| (k.clone(), join_values(x, y))).collect();
            Value::Dict(Dict::new(items))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.joined(&**y).unwrap_or_else(|| Value::one_of([a, b], "depends on an unknown condition"))
        }
        (Value::Instance(x), Value::Instance(y)) if Rc::ptr_eq(&x.class(), &y.class()) => {
            let joined = Instance::new(x.class());
            match (x.payload(), y.payload()) {
                (Some(p), Some(q)) => joined.set_payload(join_values(p, q)),
                (None, None) => {}
                _ => return Value::unknown("depends on an unknown condition"),
            }
            let attrs = x.attrs().join(&y.attrs());
            *joined.attrs_mut() = attrs;
            Value::Instance(joined)
        }
        _ => {
            let (x, y) = (guess_of(a), guess_of(b));
            let guess = if x == y { x } else { super::value::Guess::Any };
            if super::key::values_equal(a, b) && guess != super::value::Guess::Any && !a.is_unknown() {
                return a.clone();
            }
            match guess {
                super::value::Guess::Any => Value::one_of([a, b], "depends on an unknown condition"),
                guess => Value::unknown_of(guess, "depends on an unknown condition"),
            }
        }
    }
}

/// The same value with its numbers forgotten: arrays keep their types, containers their structure.
pub fn forgotten(value: &Value, why: &Why) -> Value {
    forgotten_below(value, why, 0)
}

fn forgotten_below(value: &Value, why: &Why, depth: u32) -> Value {
    if depth > DEEPEST_JOIN {
        return Value::unknown(why.0.clone());
    }
    let below = |value: &Value| forgotten_below(value, why, depth + 1);
    // Scalars under a name are more often settings than what differs from item to item.
    let named = |value: &Value| match guess_of(value) {
        super::value::Guess::Any => below(value),
        _ => value.clone(),
    };
    match value {
        Value::Tuple(items) => Value::Tuple(items.iter().map(below).collect()),
        Value::List(list) if list.why_vague().is_none() => Value::list(list.read().iter().map(below).collect()),
        Value::Dict(dict) if dict.why_vague().is_none() => {
            Value::Dict(Dict::new(dict.read().iter().map(|(k, v)| (k.clone(), named(v))).collect()))
        }
        Value::Array(array) => match crate::trace::Array::forgotten(array, why) {
            Some(array) => Value::Array(array),
            None => value.clone(),
        },
        Value::Object(object) => object.forgotten(why).unwrap_or_else(|| value.clone()),
        Value::Instance(instance) => {
            let new = Instance::new(instance.class());
            if let Some(payload) = instance.payload() {
                new.set_payload(below(payload));
            }
            let attrs: Attrs = instance.attrs().iter().map(|(k, v)| (*k, named(v))).collect();
            *new.attrs_mut() = attrs;
            Value::Instance(new)
        }
        Value::None | Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Module(_) => value.clone(),
        other => match guess_of(other) {
            super::value::Guess::Any => Value::unknown(why.0.clone()),
            guess => Value::unknown_of(guess, why.0.clone()),
        },
    }
}

/// A text that is equal for values which differ in numbers only.
pub fn signature(value: &Value) -> String {
    let mut text = String::new();
    write_signature(value, &mut text, 0);
    text
}

fn write_signature(value: &Value, text: &mut String, depth: u32) {
    use std::fmt::Write;
    if depth > DEEPEST_JOIN || text.len() > 4_000 {
        return;
    }
    match value {
        Value::Tuple(items) => {
            text.push('(');
            items.iter().for_each(|i| write_signature(i, text, depth + 1));
            text.push(')');
        }
        Value::List(list) => {
            text.push('[');
            list.read().iter().for_each(|i| write_signature(i, text, depth + 1));
            text.push(']');
        }
        Value::Dict(dict) => {
            text.push('{');
            for (key, value) in dict.read().iter() {
                let _ = write!(text, "{:?}:", key.value);
                write_signature(value, text, depth + 1);
            }
            text.push('}');
        }
        Value::Array(array) => {
            let _ = write!(text, "{};", array.aval.long());
        }
        Value::Object(object) => {
            let _ = write!(text, "{};", object.signature());
        }
        Value::Instance(instance) => {
            let _ = write!(text, "{}<", instance.class().name);
            if let Some(payload) = instance.payload() {
                write_signature(payload, text, depth + 1);
            }
            for (name, value) in instance.attrs().iter() {
                let _ = write!(text, "{name}=");
                write_signature(value, text, depth + 1);
            }
            text.push('>');
        }
        other => {
            let _ = write!(text, "{:?};", std::mem::discriminant(other));
        }
    }
}

/// The type of a scalar, for unknown values.
pub fn guess_of(value: &Value) -> super::value::Guess {
    use super::value::Guess;
    match value {
        Value::Bool(_) => Guess::Bool,
        Value::Int(_) | Value::BigInt(_) => Guess::Int,
        Value::Float(_) => Guess::Float,
        Value::Complex(_) => Guess::Complex,
        Value::Str(_) => Guess::Str,
        Value::Unknown(unknown) => unknown.guess,
        _ => Guess::Any,
    }
}

fn differ() -> Option<Why> {
    Some(Why("changed on one of two branches of an unknown condition".into()))
}

impl Join for Contents<Vec<Value>> {
    fn join(&self, other: &Self) -> Self {
        if self.vague.is_some() || other.vague.is_some() || self.items.len() != other.items.len() {
            let vague = self.vague.clone().or(other.vague.clone()).or_else(differ);
            let growing = match (&self.growing, &other.growing) {
                (Some(a), Some(b)) => a.join(b).map(Box::new),
                _ => None,
            };
            return Contents { items: Vec::new(), vague, of: None, growing };
        }
        let items = self.items.iter().zip(&other.items).map(|(a, b)| join_values(a, b)).collect();
        Contents { items, vague: None, of: None, growing: None }
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        let of = |contents: &Self| match &contents.growing {
            Some(growing) => Some(growing.items.clone()),
            None => contents.vague.is_none().then(|| contents.items.clone()),
        };
        if let (Some(a), Some(b), Some(c)) = (of(self), of(first), of(second)) {
            if let Some(mut growing) = counter.any_items(&a, &b, &c) {
                // What an outer loop adds to has a length that it counts itself.
                growing.before = growing.before.filter(|_| self.vague.is_none());
                let vague = Some(counter.why.clone());
                return Contents { items: Vec::new(), vague, of: None, growing: Some(Box::new(growing)) };
            }
            if self.vague.is_none() && a.len() == b.len() && b.len() == c.len() {
                let items = (0..a.len()).map(|i| counter.any_round(&a[i], &b[i], &c[i])).collect();
                return Contents { items, vague: None, of: None, growing: None };
            }
        }
        self.join(second)
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        match (&self.growing, &after.growing) {
            (Some(any), Some(after)) => counter.grows_on(any, after),
            (Some(_), None) => false,
            (None, _) => {
                after.items.len() == self.items.len()
                    && self.items.iter().zip(&after.items).all(|(any, after)| counter.goes_on(any, after))
                    || !self.items.iter().any(|item| counter.counts_in(item))
            }
        }
    }
    fn after_rounds(start: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        if let (Some(_), Some(grown)) = (&any.growing, &after.growing)
            && let Some(added) = counter.added(&grown.items, count)
        {
            let mut left = start.clone();
            match &mut left.growing {
                Some(growing) => growing.items.extend(added),
                None => left.items.extend(added),
            }
            return left;
        }
        if any.vague.is_none() && after.vague.is_none() && any.items.len() == after.items.len() {
            let pairs = any.items.iter().zip(&after.items);
            let items = pairs.map(|(any, after)| counter.after_rounds(any, after, count)).collect();
            return Contents { items, vague: None, of: None, growing: None };
        }
        let left = any.join(after);
        Contents { growing: None, ..left }
    }
}

impl Join for Contents<DictItems> {
    fn join(&self, other: &Self) -> Self {
        // Keys that both have are still known; a vague dict answers unknown for the rest.
        let mut vague = self.vague.clone().or(other.vague.clone());
        let mut items = DictItems::default();
        for (key, a) in &self.items {
            match other.items.get(key) {
                Some(b) => {
                    items.insert(key.clone(), join_values(a, b));
                }
                None => vague = vague.or_else(differ),
            }
        }
        if other.items.len() != items.len() {
            vague = vague.or_else(differ);
        }
        Contents { items, vague, of: self.of.clone(), growing: None }
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        if !self.has_keys_of(first) || !self.has_keys_of(second) {
            return self.join(second);
        }
        let any = |(key, a): (&Key, &Value)| (key.clone(), counter.any_round(a, &first.items[key], &second.items[key]));
        let items = self.items.iter().map(any).collect();
        Contents { items, vague: None, of: self.of.clone(), growing: None }
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        let left = |key| after.items.get(key).unwrap_or(&Value::Unbound);
        self.items.iter().all(|(key, any)| counter.goes_on(any, left(key)))
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        if !any.has_keys_of(after) {
            return any.join(after);
        }
        let left = |(key, a): (&Key, &Value)| (key.clone(), counter.after_rounds(a, &after.items[key], count));
        Contents { items: any.items.iter().map(left).collect(), vague: None, of: any.of.clone(), growing: None }
    }
}

impl Contents<DictItems> {
    /// Whether the keys are known and those of another dict.
    fn has_keys_of(&self, other: &Self) -> bool {
        let known = self.vague.is_none() && other.vague.is_none();
        known && self.items.len() == other.items.len() && self.items.keys().all(|key| other.items.contains_key(key))
    }
}

impl Join for Contents<SetItems> {
    fn join(&self, other: &Self) -> Self {
        let vague = self.vague.clone().or(other.vague.clone());
        if vague.is_none() && self.items == other.items {
            return self.clone();
        }
        Contents { items: SetItems::default(), vague: vague.or_else(differ), of: None, growing: None }
    }
}

impl Join for Value {
    fn join(&self, other: &Self) -> Self {
        join_values(self, other)
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        counter.any_round(self, first, second)
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        counter.goes_on(self, after)
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        counter.after_rounds(any, after, count)
    }
}

impl Join for Vec<Value> {
    fn join(&self, other: &Self) -> Self {
        let none = Value::Unbound;
        (0..self.len().max(other.len()))
            .map(|i| join_values(self.get(i).unwrap_or(&none), other.get(i).unwrap_or(&none)))
            .collect()
    }
    fn any_round(&self, first: &Self, second: &Self, counter: &Counter) -> Self {
        if self.len() != first.len() || self.len() != second.len() {
            return self.join(second);
        }
        (0..self.len()).map(|i| counter.any_round(&self[i], &first[i], &second[i])).collect()
    }
    fn goes_on(&self, after: &Self, counter: &Counter) -> bool {
        let left = after.iter().chain(std::iter::repeat(&Value::Unbound));
        self.iter().zip(left).all(|(any, after)| counter.goes_on(any, after))
    }
    fn after_rounds(_: &Self, any: &Self, after: &Self, counter: &Counter, count: i64) -> Self {
        if any.len() != after.len() {
            return any.join(after);
        }
        any.iter().zip(after).map(|(any, after)| counter.after_rounds(any, after, count)).collect()
    }
}
