//! Lists, dicts and sets: mutable containers whose writes the journal sees.
//!
//! A container that two branches leave different is *vague*: its items are not known any more, and neither is its
//! length.

mod join;
mod quick;

use std::cell::{Ref, RefMut};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

pub use join::{are_alike, forgotten, guess_of, join_values, one_of_many, signature};
pub use quick::ITEMS_MOVED;

use super::attrs::Attrs;
use super::halt::Why;
use super::journal::Mutable;
use super::key::Key;
use super::module::ModuleObject;
use super::rounds::Growing;
use super::value::{Value, replace_shared};
use crate::module::Symbol;

/// Names with values that a dict may be the live view of.
#[derive(Clone)]
enum Behind {
    /// The attributes of an object, as `__dict__` gives them.
    Attributes(Rc<Mutable<Attrs>>),
    /// The globals of a module.
    Module(Rc<ModuleObject>),
    /// Nothing, but what is written may be written into any of these containers: it is one of them, and nobody knows which.
    AnyOf(Rc<[Value]>),
}

impl Behind {
    /// The age in which it was made.
    fn born(&self) -> Option<u32> {
        match self {
            Behind::Attributes(attrs) => Some(attrs.born()),
            Behind::Module(module) => Some(module.slots.born()),
            Behind::AnyOf(_) => None,
        }
    }
}

impl std::fmt::Debug for Behind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Behind::Attributes(_) => f.write_str("attributes"),
            Behind::Module(module) => write!(f, "globals of {}", module.name),
            Behind::AnyOf(_) => f.write_str("one of several"),
        }
    }
}

impl Behind {
    fn read<T>(&self, show: impl FnOnce(&Attrs) -> Option<T>) -> Option<T> {
        match self {
            Behind::Attributes(attrs) => show(&attrs.read()),
            Behind::Module(module) => show(&module.names().into_iter().collect()),
            Behind::AnyOf(_) => None,
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
            Behind::AnyOf(_) => {}
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
            Behind::AnyOf(containers) => containers.iter().for_each(|container| match container.base() {
                Value::List(list) => list.forget(why.clone()),
                Value::Dict(dict) => dict.forget(why.clone()),
                _ => {}
            }),
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
            /// The age in which it was made: see [`super::journal::grow_older`]. A live view is as old as what it shows.
            #[inline]
            pub fn born(&self) -> u32 {
                let behind = self.0.read().of.as_ref().and_then(Behind::born);
                behind.unwrap_or_else(|| self.0.born())
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
                contents.lose_others();
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
                contents.lose_others();
                contents.items = items;
                contents.vague = None;
                contents.growing = None;
                contents.hand_on();
            }
            /// A new container that is any of others, and holds this as far as is known.
            pub fn any_of(items: $items, containers: Rc<[Value]>) -> $name {
                let of = Some(Behind::AnyOf(containers));
                $name(Mutable::new(Contents { items, vague: None, of, growing: None }))
            }
            /// A new container that is any of others, and nobody knows what it holds.
            pub fn unknown_of(containers: Rc<[Value]>, why: Why) -> $name {
                let of = Some(Behind::AnyOf(containers));
                $name(Mutable::new(Contents { items: Default::default(), vague: Some(why), of, growing: None }))
            }
            /// The containers that it is any of; none where it is one of its own.
            pub fn others(&self) -> Option<Rc<[Value]>> {
                match &self.0.read().of {
                    Some(Behind::AnyOf(containers)) => Some(containers.clone()),
                    _ => None,
                }
            }
            /// As [`replace_shared`], of containers.
            #[inline(always)]
            pub(in crate::python) fn replace_shared(&mut self, new: &$name) -> bool {
                replace_shared(&mut self.0, &new.0)
            }
            /// Whether both are the same object.
            #[inline]
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
    /// It is about to be written: those that it may be are not known any more.
    #[inline]
    fn lose_others(&self) {
        if let Some(behind @ Behind::AnyOf(_)) = &self.of {
            behind.forget(&Why("one of several was changed, and it is not known which".into()));
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
