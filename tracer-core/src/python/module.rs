//! Modules: a lowered file, run.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::attrs::Attrs;
use super::container::Dict;
use super::halt::FileId;
use super::journal::Mutable;
use super::key::Key;
use super::value::Value;
use crate::module::{CodeId, Module, Symbol};
use crate::text::Span;

/// A lowered file as the interpreter runs it.
pub struct Unit {
    /// The lowered text.
    pub module: Arc<Module>,
    /// The file.
    pub file: FileId,
    /// Whether it is the user's: whether its values are recorded and its frames shown.
    pub user: bool,
    /// Whether it is a prelude of ours.
    pub ours: bool,
    /// Whether it is a model of the standard library: what it does with plain values is Python's affair alone.
    pub standard: bool,
    /// Constants of the text as values, made when first evaluated.
    pub constants: RefCell<FxHashMap<u32, Value>>,
    /// What runs often, in its flat form.
    pub flats: crate::interp::Flats,
    /// Bodies that have been asked for, of those that come later.
    later: RefCell<FxHashMap<u32, Rc<Unit>>>,
}

impl Unit {
    /// A unit of a lowered file.
    pub fn new(module: Arc<Module>, file: FileId, user: bool) -> Unit {
        Unit {
            module,
            file,
            user,
            ours: false,
            standard: false,
            constants: RefCell::default(),
            flats: Default::default(),
            later: RefCell::default(),
        }
    }
    /// What holds a body that comes later, and the function in there.
    pub fn later(&self, at: u32) -> (Rc<Unit>, CodeId) {
        let body = self.module.later_body(at);
        let mut later = self.later.borrow_mut();
        let unit = later.entry(at).or_insert_with(|| {
            let unit = Unit::new(body.module.clone(), self.file, self.user);
            Rc::new(Unit { ours: self.ours, standard: self.standard, ..unit })
        });
        (unit.clone(), body.code)
    }
    /// Takes out what it refers to.
    fn let_go(&self) {
        drop((self.constants.take(), self.later.take()));
    }
}

/// What a name of a module will be once somebody reads it.
#[derive(Copy, Clone, Debug)]
pub struct Wanted {
    /// A module.
    pub from: Symbol,
    /// A member of it, as `from … import` finds it.
    pub member: Option<Symbol>,
    /// An attribute of that.
    pub attribute: Option<Symbol>,
}

/// A module object.
pub struct ModuleObject {
    /// `__name__`
    pub name: Symbol,
    /// Its code.
    pub unit: Rc<Unit>,
    /// Values of the global slots ([`Module::globals`]).
    pub slots: Rc<Mutable<Vec<Value>>>,
    /// Slot by name.
    pub index: FxHashMap<Symbol, u32>,
    /// Globals that no text of the module names (`setattr(module, …)`, submodules).
    pub extra: Rc<Mutable<Attrs>>,
    /// The dicts that its globals are, where a text is run with given names: what it binds goes into the first.
    pub names: OnceCell<Vec<Dict>>,
    /// Builtins that global slots fall back to.
    pub builtins: RefCell<Vec<Value>>,
    /// Names that imports of its body will bind once somebody reads them: the module, and its member if not itself.
    pub waiting: RefCell<FxHashMap<Symbol, Wanted>>,
    /// How many constructs that may catch an exception were around its body when it began to run.
    pub catching: Cell<u32>,
    /// Whether its body has run (or is running).
    pub started: Cell<bool>,
    /// For a package: where its submodules are looked for.
    pub is_package: bool,
    /// The package around a module that has another name than the one it is imported by (`python -m`).
    pub run_in: Option<Symbol>,
}

impl ModuleObject {
    /// A module that has not run yet.
    pub fn new(name: Symbol, unit: Rc<Unit>, is_package: bool) -> Rc<ModuleObject> {
        Rc::new(ModuleObject::unrun(name, unit, is_package))
    }
    /// As [`ModuleObject::new`], of a module in a package that has another name than the one it is imported by.
    pub fn new_in(name: Symbol, package: Option<Symbol>, unit: Rc<Unit>) -> Rc<ModuleObject> {
        Rc::new(ModuleObject { run_in: package, ..ModuleObject::unrun(name, unit, false) })
    }
    fn unrun(name: Symbol, unit: Rc<Unit>, is_package: bool) -> ModuleObject {
        let globals = &unit.module.globals;
        let index = globals.iter().enumerate().map(|(i, name)| (*name, i as u32)).collect();
        let slots = Mutable::new(vec![Value::Unbound; globals.len()]);
        let extra = Mutable::new(Attrs::default());
        if unit.ours {
            // What a model adds to itself are names that it found on demand, and so is what it binds when it is first run: a
            // branch that is taken back, or joined with another, changes nothing of that.
            extra.make_cache();
            slots.make_cache();
        }
        ModuleObject {
            name,
            slots,
            index,
            extra,
            names: OnceCell::new(),
            builtins: RefCell::new(Vec::new()),
            waiting: RefCell::default(),
            catching: Cell::new(0),
            started: Cell::new(false),
            is_package,
            run_in: None,
            unit,
        }
    }
    /// Binds a name to what a module, or a member of it, will be once somebody reads it.
    pub fn set_waiting(&self, name: Symbol, wanted: Wanted) {
        self.set(name, Value::Unbound);
        self.builtins.borrow_mut().clear();
        self.waiting.borrow_mut().insert(name, wanted);
    }
    /// Takes out what it refers to: see [`super::cycles`].
    pub fn let_go(&self) {
        let slots = std::mem::take(&mut *self.slots.write());
        let extra = std::mem::take(&mut *self.extra.write());
        // The next run may have those of ours as well: nothing in them is of a run.
        if !self.unit.ours {
            self.unit.let_go();
        }
        drop((slots, extra, self.builtins.take()));
    }
    /// A module of ours without text.
    pub fn native(name: &str, members: Attrs) -> Rc<ModuleObject> {
        Self::without_text(name, members, false)
    }
    /// A folder without `__init__.py`: what is not in it may be elsewhere, or it is no package and a library that is not
    /// installed has its name (`wandb`).
    pub fn namespace(name: &str) -> Rc<ModuleObject> {
        Self::without_text(name, Attrs::default(), true)
    }
    fn without_text(name: &str, members: Attrs, ours: bool) -> Rc<ModuleObject> {
        let mut unit = Unit::new(Arc::new(Module::default()), FileId(u32::MAX), false);
        unit.ours = ours;
        let module = ModuleObject::new(Symbol::from(name), Rc::new(unit), true);
        module.extra.make_cache();
        *module.extra.write() = members;
        module.started.set(true);
        module
    }
    /// Whether it is a folder without `__init__.py`.
    pub fn is_namespace(&self) -> bool {
        self.is_native() && self.unit.ours
    }
    /// Whether it is a module of ours without text.
    pub fn is_native(&self) -> bool {
        self.unit.file == FileId(u32::MAX)
    }
    /// `__package__`: itself for a package, the package around it otherwise.
    pub fn package(&self) -> &str {
        match (self.run_in, self.is_package) {
            (Some(package), _) => package.as_str(),
            (None, true) => self.name.as_str(),
            (None, false) => self.name.as_str().rsplit_once('.').map_or("", |(package, _)| package),
        }
    }
    /// A global, by name.
    pub fn get(&self, name: Symbol) -> Option<Value> {
        if let Some(slot) = self.index.get(&name) {
            let value = self.slots.read()[*slot as usize].clone();
            if !value.is_unbound() {
                return Some(value);
            }
        }
        if let Some(dicts) = self.names.get() {
            let key = Key::str(&name);
            return dicts.iter().find_map(|dict| dict.find(&key));
        }
        self.extra.read().get(&name).filter(|value| !value.is_unbound()).cloned()
    }
    /// The names that are bound, in alphabetical order.
    pub fn bound_names(&self) -> Vec<Symbol> {
        let slots = self.slots.read();
        let bound = self.index.iter().filter(|(_, slot)| !slots[**slot as usize].is_unbound());
        let mut names: Vec<Symbol> = bound.map(|(name, _)| *name).chain(self.extra.read().keys().copied()).collect();
        names.sort_by_key(|name| name.as_str());
        names
    }
    /// Binds a name that waited for its import, which any branch would bind alike: none takes it back.
    pub fn set_imported(&self, name: Symbol, value: Value) {
        match (self.names.get(), self.index.get(&name)) {
            (None, Some(slot)) => self.slots.refresh(|slots| slots[*slot as usize] = value),
            _ => self.set(name, value),
        }
    }
    /// Sets a global, by name; an empty value takes it away.
    pub fn set(&self, name: Symbol, value: Value) {
        if value.is_unbound() {
            self.waiting.borrow_mut().remove(&name);
        }
        if let Some([dict, ..]) = self.names.get().map(Vec::as_slice) {
            let key = Key::str(&name);
            match value {
                Value::Unbound => drop(dict.write().shift_remove(&key)),
                value => dict.put(key, value),
            }
            return;
        }
        match self.index.get(&name) {
            Some(slot) => self.slots.write()[*slot as usize] = value,
            None => {
                self.extra.write().insert(name, value);
            }
        }
    }
    /// Sets its globals to these, and takes away all others.
    pub fn become_names(&self, names: Attrs) {
        for (name, old) in self.names() {
            match names.get(&name) {
                None => self.set(name, Value::Unbound),
                Some(new) if !new.is(&old) => self.set(name, new.clone()),
                Some(_) => {}
            }
        }
        for (name, new) in names {
            if self.get(name).is_none() {
                self.set(name, new);
            }
        }
    }
    /// Every global that is bound, in slot order.
    pub fn names(&self) -> Vec<(Symbol, Value)> {
        let slots = self.slots.read();
        let named = self.unit.module.globals.iter().zip(slots.iter());
        let mut all: Vec<(Symbol, Value)> =
            named.filter(|(_, v)| !v.is_unbound()).map(|(n, v)| (*n, v.clone())).collect();
        all.extend(self.extra.read().iter().filter(|(_, v)| !v.is_unbound()).map(|(n, v)| (*n, v.clone())));
        all
    }
    /// The text range of a code of this module, for messages.
    pub fn code_span(&self, code: crate::module::CodeId) -> Span {
        self.unit.module.code(code).name_span
    }
}
