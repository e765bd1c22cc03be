//! What modules have: their names, submodules, and what their `__getattr__` gives.

use std::rc::Rc;

use super::Interp;
use super::function::Run;
use crate::frameworks::python::names as standard;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Class, ModuleObject, Value, Wanted};

impl Interp {
    /// Loads what a module of ours has under the names that it lists, for who looks at all of them.
    fn load_listed(self: &Rc<Self>, module: &Rc<ModuleObject>) -> Step<()> {
        let lists = self.global(module, sym!("__dir__"))?;
        let (true, Some(lists)) = (module.unit.ours, lists) else { return Ok(()) };
        let names = self.call_with(&lists, [])?;
        for name in self.to_vec(&names)? {
            if let Some(name) = name.as_str() {
                match self.module_attr(&Value::Module(module.clone()), Symbol::from(name)) {
                    Ok(Some(found)) => module.set(Symbol::from(name), found),
                    Err(halt) if halt.is_final() => return Err(halt),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// What a module has of the class that it was given in place of its own (`sys.modules[__name__].__class__ = Lazy`): a property, a method, or
    /// what the class's `__getattr__` gives.
    fn attr_of_module_class(self: &Rc<Self>, module: &Value, class: &Rc<Class>, name: Symbol) -> Step<Option<Value>> {
        if class.is_builtin() {
            return Ok(None);
        }
        if let Some(found) = class.lookup(name) {
            return self.bind(found, module, class).map(Some);
        }
        let Some((getattr, owner)) = class.lookup_where(self.types.names.getattr) else { return Ok(None) };
        if owner.is_builtin() {
            return Ok(None);
        }
        self.while_catching(|| self.call_with(&getattr, [module.clone(), Value::str(name.as_str())])).map(Some)
    }

    /// `module.name`: a global, a submodule not imported yet, or what the module's `__getattr__` gives.
    ///
    /// # Errors
    /// What `__getattr__` or running a submodule raises.
    pub fn module_attr(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<Option<Value>> {
        let Value::Module(module) = value else { return Ok(None) };
        if let Some(found) = self.global(module, name)? {
            return Ok(Some(found));
        }
        match name.as_str() {
            "__name__" => return Ok(Some(Value::str(module.name.as_str()))),
            "__dict__" => {
                self.import_all_waiting(module)?;
                self.load_listed(module)?;
                return Ok(Some(Value::Dict(crate::python::Dict::globals_of(module))));
            }
            // The import system sets these: a `__getattr__` of the program is not asked for them.
            "__path__" if module.unit.user && !module.is_package && !module.is_namespace() => {}
            "__package__" => return Ok(Some(Value::str(module.package()))),
            "__spec__" | "__loader__" => return Ok(Some(Value::unknown(format!("`{name}` of a module")))),
            "__doc__" => return Ok(Some(text_of(name))),
            "__path__" if module.unit.user || module.is_package && !module.unit.ours => {
                return Ok(Some(Value::unknown("`__path__` of a module")));
            }
            "__file__" if module.unit.user => return Ok(Some(text_of(name))),
            "__file__" | "__version__"
                if !module.unit.standard && self.global(module, self.types.names.getattr)?.is_none() =>
            {
                return Ok(Some(text_of(name)));
            }
            _ => {}
        }
        if let Some(Value::Class(class)) = module.get(sym!("__class__"))
            && let Some(found) = self.attr_of_module_class(value, &class, name)?
        {
            return Ok(Some(found));
        }
        if let Some(getattr) = self.global(module, self.types.names.getattr)? {
            let result = self.while_catching(|| self.call_with(&getattr, [Value::str(name.as_str())]));
            return match result {
                Ok(found) => {
                    // What a module of ours loads when first asked for stays what it is.
                    if (module.unit.ours || module.is_native()) && !found.is_unknown() {
                        module.set(name, found.clone());
                    }
                    Ok(Some(found))
                }
                Err(Halt::Raise(exception)) if self.is_attribute_error(&exception) && module.unit.user => Ok(None),
                Err(Halt::Raise(exception)) if self.is_attribute_error(&exception) && is_special(name) => {
                    self.special_of_module(value, module, name)
                }
                Err(Halt::Raise(exception)) if self.is_attribute_error(&exception) => {
                    self.unmodelled(module, name).map_or(Err(Halt::Raise(exception)), |unknown| Ok(Some(unknown)))
                }
                Err(halt) => Err(halt),
            };
        }
        // A submodule of a library's package that the program did not import itself: its own imports would have.
        if module.is_package && !module.unit.user {
            let full = Symbol::from(format!("{}.{name}", module.name).as_str());
            if self.loader.has(full.as_str()) {
                return self.import(full).map(Some);
            }
        }
        if let Some(Value::Unknown(rest)) = module.extra.read().get(&sym!("*")) {
            return Err(Halt::Unknown(rest.why.clone()));
        }
        if module.is_namespace() && !name.starts_with("__") {
            return Err(Halt::unknown(format!("`{}` is a folder: `{name}` may be that of a library", module.name)));
        }
        match self.unmodelled(module, name) {
            None if is_special(name) => self.special_of_module(value, module, name),
            found => Ok(found),
        }
    }

    /// A name of Python's own that the text of a module does not have: that of all modules, or unknown where it is no file of the
    /// program's, for the library may have it.
    fn special_of_module(self: &Rc<Self>, value: &Value, module: &ModuleObject, name: Symbol) -> Step<Option<Value>> {
        match self.type_attr(value, name)? {
            None if !module.unit.user => Err(Halt::unknown(format!("`{name}` of a module"))),
            found => Ok(found),
        }
    }

    /// What stands for a name of the standard library that our model of a module does not have.
    fn unmodelled(&self, module: &ModuleObject, name: Symbol) -> Option<Value> {
        let ours = module.unit.ours || module.is_native();
        (ours && (standard::has(&module.name, &name) || self.loader.is_sketched(&module.name)))
            .then(|| Value::unknown(format!("`{}.{name}` is not modelled", module.name)))
    }

    /// Whether a module of the program's was found where it need not be meant: it is no package, and a package is asked for.
    pub(super) fn is_stand_in(&self, module: &Value) -> bool {
        matches!(module, Value::Module(module)
            if module.unit.user && !module.is_package && self.loader.is_beside(&module.name))
    }

    /// Whether a name that a module does not have is the program's error. Our models of libraries say so by listing the
    /// names that the library has and they do not, in `__unmodelled__`.
    pub(super) fn is_complete(&self, module: &Value, name: Symbol) -> bool {
        let Value::Module(module) = module else { return true };
        if module.unit.user {
            return true;
        }
        if !module.unit.ours && module.started.get() {
            // A name that its text does not have may be that of a compiled submodule; or it puts something else in its own place.
            let member = Symbol::from(format!("{}.{name}", module.name).as_str());
            return !module.index.contains_key(&name)
                && !module.index.contains_key(&sym!("sys"))
                && !self.loader.has_compiled(member.as_str());
        }
        match module.get(sym!("__unmodelled__")) {
            Some(Value::Tuple(names)) => !name.starts_with('_') && !names.iter().any(|n| n.as_str() == Some(&*name)),
            _ => standard::lacks(&module.name, &name),
        }
    }
}

/// Whether Python itself uses the name.
fn is_special(name: Symbol) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// A text that a module has.
fn text_of(name: Symbol) -> Value {
    Value::unknown_of(crate::python::Guess::Str, format!("`{name}` of a module"))
}

impl Run<'_> {
    /// Binds what a module has in truth and our model of it has not, as unknown.
    pub(super) fn set_unmodelled(&self, source: &Rc<ModuleObject>, name: Symbol) {
        let unknown = || Value::unknown(format!("`{name}` has names that are not modelled"));
        let open = matches!(source.get(self.it.types.names.getattr), Some(Value::Native(_)));
        let known: Vec<Symbol> = match source.get(sym!("__unmodelled__")) {
            Some(Value::Tuple(names)) => names.iter().filter_map(Value::as_str).map(Symbol::from).collect(),
            _ => Vec::new(),
        };
        let all: Vec<Symbol> = match source.unit.ours {
            true => standard::of(&name).into_iter().flatten().map(Symbol::from).collect(),
            false => Vec::new(),
        };
        let value = Value::Module(source.clone());
        for missing in known.iter().chain(&all) {
            if missing.starts_with('_') || source.get(*missing).is_some() {
                continue;
            }
            // A model finds its names when they are asked for: those that the text says are asked for now.
            match self.home.index.contains_key(missing) {
                true => {
                    let found = self.it.while_catching(|| self.it.find_attr(&value, *missing));
                    self.home.set(*missing, found.ok().flatten().unwrap_or_else(unknown));
                }
                false => {
                    self.home.set_waiting(*missing, Wanted { from: name, member: Some(*missing), attribute: None })
                }
            }
        }
        let listed = !known.is_empty() || !all.is_empty() || source.get(sym!("__unmodelled__")).is_some();
        if !source.unit.user && (open || source.unit.ours && !listed) {
            self.home.set(sym!("*"), unknown());
        }
    }
}
