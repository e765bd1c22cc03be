//! Classes: builtin types and those of the program.

use std::cell::{Cell, Ref, RefCell, RefMut};
use std::rc::{Rc, Weak};

use rustc_hash::FxHashMap;

use super::attrs::Attrs;
use super::function::Function;
use super::halt::{Halt, Step};
use super::journal::{self, Mutable};
use super::value::Value;
use crate::module::Symbol;

thread_local! {
    static LAST_ID: Cell<u64> = const { Cell::new(0) };
}

/// The attributes of a class.
pub struct ClassAttrs(Rc<Mutable<Attrs>>);

impl ClassAttrs {
    /// Reads them.
    #[inline]
    pub fn read(&self) -> Ref<'_, Attrs> {
        self.0.read()
    }
    /// The age in which the class was made: see [`journal::grow_older`].
    pub fn born(&self) -> u32 {
        self.0.born()
    }
    /// Writes them: what was looked up in any class is forgotten.
    pub fn write(&self) -> RefMut<'_, Attrs> {
        journal::note_class_change();
        self.0.write()
    }
}

/// How instances of a class compare and hash.
#[derive(Clone, Debug)]
pub enum Equality {
    /// By identity.
    Identity,
    /// By these fields, in order (a dataclass).
    Fields(Rc<[Symbol]>),
    /// By the builtin value inside.
    Payload,
    /// `__eq__` without `__hash__`.
    Unhashable,
    /// By the program's own `__eq__` and `__hash__`.
    Custom,
}

/// A class.
pub struct Class {
    /// A number of its own, never given twice on a thread.
    pub id: u64,
    /// `__name__`
    pub name: Symbol,
    /// `__qualname__`
    pub qualname: Symbol,
    /// `__module__`
    pub module: Symbol,
    /// Direct bases.
    pub bases: Vec<Rc<Class>>,
    /// Method resolution order, itself first.
    pub mro: RefCell<Vec<Rc<Class>>>,
    /// Its own attributes.
    pub attrs: ClassAttrs,
    /// What [`Class::lookup`] found, and when: see [`ClassAttrs::write`].
    found: RefCell<(u64, FxHashMap<Symbol, Option<(Value, u32)>>)>,
    /// The program's `__init__` where making an instance does no more than to call it, and when that was found out.
    plain_init: RefCell<(u64, Option<Rc<Function>>)>,
    /// Whether there is a shorter way to make an instance than to call its `__init__`.
    pub is_shortened: Cell<bool>,
    /// So many attributes its instances have had of their own, at most.
    pub most_attributes: Cell<u32>,
    /// Whether it is one of the interpreter's own types.
    builtin: bool,
    /// The metaclass, where it is not `type`.
    pub metaclass: Option<Rc<Class>>,
    /// The builtin type at its root: what instances hold inside (`object` for plain classes).
    pub root: Root,
    /// How instances compare, as set by a class decorator (`dataclass`) or found in the attributes.
    pub equality: RefCell<Option<Equality>>,
    /// Whether instances may have attributes set (a frozen dataclass says no).
    pub frozen: Cell<bool>,
    /// Whether instances have no attributes but those that `__slots__` of it and its bases name.
    pub slotted: Cell<bool>,
    /// Whether attribute access may run the program's code (`__getattribute__`, `__setattr__`): looked up once.
    pub hooks: Cell<Option<Hooks>>,
    /// Whether one of its bases is not known.
    pub unknown_base: bool,
    /// Whether it was given attributes whose names are not known.
    pub is_open: Cell<bool>,
    /// Direct subclasses, for `__subclasses__`; those of builtin types are not kept.
    pub subclasses: RefCell<Vec<Weak<Class>>>,
    /// The class that its instances say to be of, where it is one of several models of that.
    pub stands_for: RefCell<Option<Rc<Class>>>,
}

/// Special methods whose presence changes attribute access.
#[derive(Copy, Clone, Debug, Default)]
#[allow(missing_docs)]
pub struct Hooks {
    pub getattribute: bool,
    pub getattr: bool,
    pub setattr: bool,
}

/// The builtin type at the root of a class.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Root {
    Object,
    None,
    Ellipsis,
    NotImplemented,
    Bool,
    Int,
    Float,
    Complex,
    Str,
    Bytes,
    Tuple,
    List,
    Dict,
    Set,
    FrozenSet,
    Range,
    Slice,
    Function,
    Method,
    Native,
    Type,
    Module,
    Iterator,
    Generator,
    Exception,
    Property,
    StaticMethod,
    ClassMethod,
    Super,
    /// A type of a framework.
    Other,
}

/// The metaclass of a class: of that which its statement names and those of its bases, the one that is a subclass of all others.
///
/// # Errors
/// `TypeError` where there is none.
pub fn metaclass_of(named: Option<Rc<Class>>, bases: &[Rc<Class>]) -> Step<Option<Rc<Class>>> {
    let is_below = |a: &Rc<Class>, b: &Rc<Class>| a.mro.borrow().iter().any(|class| Rc::ptr_eq(class, b));
    let mut found = named;
    for meta in bases.iter().filter_map(|base| base.metaclass.as_ref()) {
        found = match found {
            Some(other) if is_below(&other, meta) => Some(other),
            Some(other) if !(is_below(meta, &other) || meta.unknown_base || other.unknown_base) => {
                return Err(Halt::type_error(
                    "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the \
                     metaclasses of all its bases",
                ));
            }
            _ => Some(meta.clone()),
        };
    }
    Ok(found)
}

impl Class {
    /// The module that it names itself after, which the program may have set: `__module__`.
    pub fn named_module(&self) -> Symbol {
        match self.attrs.read().get(&sym!("__module__")) {
            Some(Value::Str(text)) => Symbol::from(&**text),
            _ => self.module,
        }
    }
    /// A class with these bases.
    ///
    /// # Errors
    /// `TypeError` when the bases have no consistent order.
    pub fn new(name: Symbol, module: Symbol, bases: Vec<Rc<Class>>, attrs: Attrs, root: Root) -> Step<Rc<Class>> {
        let unknown_base = bases.iter().any(|b| b.unknown_base);
        let metaclass = metaclass_of(None, &bases)?;
        Class::with_meta(name, module, bases, attrs, root, metaclass, unknown_base)
    }

    /// A class with a metaclass.
    ///
    /// # Errors
    /// As [`Class::new`].
    pub fn with_meta(
        name: Symbol,
        module: Symbol,
        bases: Vec<Rc<Class>>,
        mut attrs: Attrs,
        root: Root,
        metaclass: Option<Rc<Class>>,
        unknown_base: bool,
    ) -> Step<Rc<Class>> {
        let qualname =
            attrs.shift_remove(&sym!("__qualname__")).and_then(|v| v.as_str().map(Symbol::from)).unwrap_or(name);
        let class = Rc::new(Class {
            id: LAST_ID.replace(LAST_ID.get() + 1),
            name,
            qualname,
            module,
            bases,
            mro: RefCell::new(Vec::new()),
            attrs: ClassAttrs(Mutable::new(attrs)),
            found: RefCell::default(),
            plain_init: RefCell::default(),
            is_shortened: Cell::new(false),
            most_attributes: Cell::new(0),
            builtin: module.as_str() == "builtins",
            metaclass,
            root,
            equality: RefCell::new(None),
            frozen: Cell::new(false),
            slotted: Cell::new(false),
            hooks: Cell::new(None),
            unknown_base,
            is_open: Cell::new(false),
            subclasses: RefCell::default(),
            stands_for: RefCell::default(),
        });
        super::cycles::note_class(&class);
        let mro = linearize(&class)?;
        *class.mro.borrow_mut() = mro;
        for base in class.bases.iter().filter(|base| !base.is_builtin()) {
            base.subclasses.borrow_mut().push(Rc::downgrade(&class));
        }
        Ok(class)
    }

    /// Takes out what it refers to: see [`super::cycles`].
    pub fn take_contents(&self) -> impl Sized {
        (
            std::mem::take(&mut *self.mro.borrow_mut()),
            std::mem::take(&mut *self.attrs.0.write()),
            self.found.take(),
            self.plain_init.take(),
            self.stands_for.take(),
        )
    }

    /// The program's `__init__`, where making an instance does no more than to call it; found out by `learn` once.
    #[inline]
    pub fn plain_init(&self, learn: impl FnOnce() -> Option<Rc<Function>>) -> Option<Rc<Function>> {
        let now = journal::class_changes();
        {
            let known = self.plain_init.borrow();
            if known.0 == now {
                return known.1.clone();
            }
        }
        let init = learn();
        let old = self.plain_init.replace((now, init.clone()));
        drop(old);
        init
    }

    /// Looks an attribute up along the method resolution order.
    #[inline]
    pub fn lookup(&self, name: Symbol) -> Option<Value> {
        self.with_lookup(name, |found| found.map(|(value, _)| value.clone()))
    }

    /// The name that a function stands under along the method resolution order: its own if that is one, or else the first one.
    pub fn name_of(&self, function: &Rc<Function>) -> Option<Symbol> {
        let is_it = |value: &Value| matches!(value, Value::Function(of) if Rc::ptr_eq(of, function));
        if self.lookup(function.name()).as_ref().is_some_and(is_it) {
            return Some(function.name());
        }
        let mro = self.mro.borrow();
        mro.iter().find_map(|class| class.attrs.read().iter().find_map(|(name, value)| is_it(value).then_some(*name)))
    }

    /// Shows what an attribute is along the method resolution order, and the position there of the class that has it.
    #[inline]
    pub fn with_lookup<T>(&self, name: Symbol, show: impl FnOnce(Option<&(Value, u32)>) -> T) -> T {
        let now = journal::class_changes();
        {
            let found = self.found.borrow();
            if found.0 == now
                && let Some(value) = found.1.get(&name)
            {
                return show(value.as_ref());
            }
        }
        let value = self.search(name);
        let result = show(value.as_ref());
        let mut found = self.found.borrow_mut();
        if found.0 != now {
            found.0 = now;
            found.1.clear();
        }
        found.1.insert(name, value);
        result
    }

    fn search(&self, name: Symbol) -> Option<(Value, u32)> {
        let mro = self.mro.borrow();
        (0..).zip(mro.iter()).find_map(|(at, class)| Some((class.attrs.read().get(&name)?.clone(), at)))
    }

    /// Looks an attribute up, and says which class has it.
    pub fn lookup_where(&self, name: Symbol) -> Option<(Value, Rc<Class>)> {
        let (value, at) = self.with_lookup(name, |found| found.cloned())?;
        let owner = self.mro.borrow()[at as usize].clone();
        Some((value, owner))
    }

    /// As [`Class::lookup_where`], of what the program or a framework's Python defines: builtin types are left out.
    #[inline]
    pub fn lookup_defined(&self, name: Symbol) -> Option<Value> {
        self.with_lookup(name, |found| {
            let (value, at) = found?;
            if self.mro.borrow()[*at as usize].builtin { None } else { Some(value.clone()) }
        })
    }

    /// The class that programs see: see [`Class::stands_for`].
    pub fn public(self: &Rc<Self>) -> Rc<Class> {
        self.stands_for.borrow().as_ref().unwrap_or(self).clone()
    }

    /// Whether it is `other` or derives from it.
    pub fn derives(self: &Rc<Self>, other: &Rc<Class>) -> bool {
        Rc::ptr_eq(self, other) || self.mro.borrow().iter().any(|c| Rc::ptr_eq(c, other))
    }

    /// How instances compare and hash.
    pub fn equality(&self) -> Equality {
        if let Some(equality) = &*self.equality.borrow() {
            return equality.clone();
        }
        let (eq, hash) = (sym!("__eq__"), sym!("__hash__"));
        let mut found = None;
        for class in self.mro.borrow().iter() {
            if let Some(equality) = &*class.equality.borrow() {
                found = Some(equality.clone());
                break;
            }
            if class.is_builtin() {
                found = Some(match class.root {
                    Root::Object
                    | Root::Exception
                    | Root::Type
                    | Root::Property
                    | Root::StaticMethod
                    | Root::ClassMethod
                    | Root::Other => Equality::Identity,
                    Root::List | Root::Dict | Root::Set => Equality::Unhashable,
                    _ => Equality::Payload,
                });
                break;
            }
            let attrs = class.attrs.read();
            match (attrs.contains_key(&eq), attrs.get(&hash)) {
                (false, Some(own)) if self.root == Root::Object && self.is_inherited(hash, own) => {
                    found = Some(Equality::Identity);
                }
                (_, Some(Value::None)) => found = Some(Equality::Unhashable),
                (true, None) => found = Some(Equality::Unhashable),
                (_, Some(_)) => found = Some(Equality::Custom),
                (false, None) => continue,
            }
            break;
        }
        let equality = found.unwrap_or(Equality::Identity);
        *self.equality.borrow_mut() = Some(equality.clone());
        equality
    }

    /// Whether it may have attributes that are not seen: a class that it derives from is not known, or was given some under
    /// names that are not known.
    pub fn may_have_more(&self) -> bool {
        self.unknown_base || self.mro.borrow().iter().any(|class| class.is_open.get())
    }

    /// What is said where a base that is not known would have to be asked.
    pub fn of_unknown_base(&self) -> Halt {
        Halt::unknown(format!("`{}` has an unknown base class", self.name))
    }

    /// Whether a value is what the builtin class at the end has under this name: `__hash__ = object.__hash__`.
    fn is_inherited(&self, name: Symbol, value: &Value) -> bool {
        let mro = self.mro.borrow();
        let builtin = mro.iter().rev().find(|class| class.is_builtin());
        builtin.is_some_and(|class| class.attrs.read().get(&name).is_some_and(|own| own.is(value)))
    }

    /// Forgets how instances compare and hash, where an attribute of this name says it.
    pub fn forget_equality(&self, name: Symbol) {
        if name != sym!("__eq__") && name != sym!("__hash__") {
            return;
        }
        self.equality.take();
        let below: Vec<Rc<Class>> = self.subclasses.borrow().iter().filter_map(Weak::upgrade).collect();
        below.iter().for_each(|class| class.forget_equality(name));
    }

    /// Whether it is one of the interpreter's own types.
    pub fn is_builtin(&self) -> bool {
        self.builtin
    }

    /// Which special methods change attribute access.
    pub fn hooks(&self) -> Hooks {
        if let Some(hooks) = self.hooks.get() {
            return hooks;
        }
        let has = |name: &str| {
            let name = Symbol::from(name);
            self.mro.borrow().iter().any(|c| !c.is_builtin() && c.attrs.read().contains_key(&name))
        };
        let hooks =
            Hooks { getattribute: has("__getattribute__"), getattr: has("__getattr__"), setattr: has("__setattr__") };
        self.hooks.set(Some(hooks));
        hooks
    }
}

/// C3 linearization.
fn linearize(class: &Rc<Class>) -> Step<Vec<Rc<Class>>> {
    if let [base] = &class.bases[..] {
        return Ok(std::iter::once(class.clone()).chain(base.mro.borrow().iter().cloned()).collect());
    }
    let mut lists: Vec<Vec<Rc<Class>>> = class.bases.iter().map(|b| b.mro.borrow().clone()).collect();
    lists.push(class.bases.clone());
    let mut order = vec![class.clone()];
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return Ok(order);
        }
        let next = lists
            .iter()
            .map(|list| &list[0])
            .find(|head| !lists.iter().any(|list| list[1..].iter().any(|c| Rc::ptr_eq(c, head))))
            .cloned();
        let Some(next) = next else {
            let names: Vec<&str> = class.bases.iter().map(|b| b.name.as_str()).collect();
            return Err(Halt::type_error(format!(
                "Cannot create a consistent method resolution\norder (MRO) for bases {}",
                names.join(", ")
            )));
        };
        for list in &mut lists {
            if Rc::ptr_eq(&list[0], &next) {
                list.remove(0);
            }
        }
        order.push(next);
    }
}
