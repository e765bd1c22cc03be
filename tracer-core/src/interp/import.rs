//! Imports.

use std::rc::Rc;

use super::function::Run;
use super::{Found, Interp};
use crate::module::{Alias, CodeKind, Expr, ExprId, MODULE_CODE, Place, Symbol, Target};
use crate::python::halt::{Halt, Step};
use crate::python::{Key, ModuleObject, Value, Wanted};
use crate::text::Span;

/// What stands for a module, or what is imported from it, where one may be meant that nobody knows.
fn another(module: Symbol) -> Value {
    Value::unknown(format!("another module `{module}` may be meant"))
}

/// What is said of a module that is neither modelled nor found, around its name.
const MISSING: (&str, &str) = ("module `", "` is neither modelled nor found");

/// The module that something is not known for since it is neither modelled nor found.
pub fn missing_module(why: &str) -> Option<&str> {
    why.strip_prefix(MISSING.0)?.strip_suffix(MISSING.1)
}

impl Interp {
    /// The module of this dotted name, run if it has not been. A module that is not found is unknown.
    ///
    /// # Errors
    /// What running it raises.
    pub fn import(self: &Rc<Self>, name: Symbol) -> Step<Value> {
        if let Some(module) = self.modules.borrow().get(&name) {
            if self.unnamed.borrow_mut().remove(&name) {
                self.name_in_package(name, module);
            }
            return Ok(module.clone());
        }
        // A submodule's parents come first, and get it as an attribute.
        let parent = match name.as_str().rsplit_once('.') {
            Some((parent, _)) => Some(self.import(Symbol::from(parent))?),
            None => None,
        };
        if let Some(Value::Unknown(unknown)) = &parent {
            self.missing.borrow_mut().insert(name);
            return Ok(Value::Unknown(unknown.clone()));
        }
        if let Some(module) = self.modules.borrow().get(&name) {
            return Ok(module.clone());
        }
        self.spend_more(super::COST_OF_SEARCH)?;
        let value = match self.loader.find(name.as_str()) {
            Some(Found::Native(module)) => {
                let value = Value::Module(module);
                self.modules.borrow_mut().insert(name, value.clone());
                value
            }
            Some(Found::Namespace) => {
                let value = Value::Module(ModuleObject::namespace(name.as_str()));
                self.modules.borrow_mut().insert(name, value.clone());
                value
            }
            Some(Found::Source { unit, is_package }) => {
                let (user, ours) = (unit.user, unit.ours);
                let file = if ours { None } else { self.loader.place(unit.file, 0) };
                let module = ModuleObject::new(name, unit, is_package);
                if let Some((path, _)) = file {
                    module.set(sym!("__file__"), Value::str(path));
                }
                let value = Value::Module(module.clone());
                self.modules.borrow_mut().insert(name, value.clone());
                // A module runs outside of whatever trace imports it.
                module.catching.set(self.catching.get());
                let unsure = self.unsure.get();
                let outcome = self.engine.within(&self.engine.eval_trace(), || self.run_module(&module));
                if !user {
                    // It may have waited for this block, which has not come to what it does not know.
                    self.unsure.set(unsure);
                }
                match outcome {
                    Ok(()) if !user && !ours => self.put_models(&module)?,
                    Ok(()) => {}
                    // A library that we could not run to its end imports well where it is installed: what it had not
                    // defined yet is not known.
                    Err(Halt::Unknown(why)) if !user => self.leave_open(&module, why.0.to_string()),
                    Err(Halt::Raise(exception)) if !user && !ours && !self.is_import_error(&exception) => {
                        let (class, message) = self.describe_exception(&exception);
                        self.leave_open(&module, format!("`{name}` could not be run: {class}: {message}"));
                    }
                    Err(halt) => {
                        self.modules.borrow_mut().remove(&name);
                        return Err(halt);
                    }
                }
                value
            }
            None => match &parent {
                // A member of a package that is not a module of its own (`os.path`).
                Some(parent) => {
                    let member = name.as_str().rsplit_once('.').map_or(name, |(_, last)| Symbol::from(last));
                    // Its `__getattr__` is not asked: it may import the very module that is not there.
                    let own = match parent {
                        Value::Module(parent) => self.global(parent, member)?,
                        other => self.find_attr(other, member)?,
                    };
                    match own {
                        Some(own) => own,
                        None if self.is_complete(parent, member)
                            && !is_written_by_build(&member)
                            && !self.is_stand_in(parent)
                            && !self.loader.is_namesake(&name) =>
                        {
                            return Err(Halt::raise("ModuleNotFoundError", format!("No module named '{name}'")));
                        }
                        None => self.missing_module(name),
                    }
                }
                None => self.missing_module(name),
            },
        };
        if let (Some(Value::Module(parent)), Some((_, last))) = (&parent, name.as_str().rsplit_once('.')) {
            parent.set(Symbol::from(last), value.clone());
        }
        Ok(value)
    }

    /// Puts functions of ours in place of those of a library's module.
    fn put_models(self: &Rc<Self>, module: &Rc<ModuleObject>) -> Step<()> {
        let Some(models) = self.loader.models_of(module.name.as_str()) else { return Ok(()) };
        let Value::Module(models) = self.import(Symbol::from(models))? else { return Ok(()) };
        for (name, value) in models.names() {
            if matches!(&value, Value::Function(function) if Rc::ptr_eq(&function.module, &models)) {
                module.set(name, value);
            }
        }
        Ok(())
    }

    /// Gives a package a module of it as an attribute.
    fn name_in_package(&self, name: Symbol, module: &Value) {
        if let Some((package, member)) = name.as_str().rsplit_once('.')
            && let Some(Value::Module(package)) = self.modules.borrow().get(&Symbol::from(package))
        {
            package.set(Symbol::from(member), module.clone());
        }
    }

    /// Takes a module of ours from the names of its package, if that says so (`_BROUGHT`): as long as nobody has imported it, it is not there.
    pub fn unname(&self, name: Symbol) {
        if let Some((package, member)) = name.as_str().rsplit_once('.')
            && let Some(Value::Module(package)) = self.modules.borrow().get(&Symbol::from(package))
            && let Some(Value::Dict(brought)) = package.get(sym!("_BROUGHT"))
            && brought.read().contains_key(&Key::str(member))
        {
            package.set(Symbol::from(member), Value::Unbound);
            self.unnamed.borrow_mut().insert(name);
        }
    }

    /// A global of a module, by name; one that waits for its import is imported now.
    ///
    /// # Errors
    /// What running the module raises.
    pub fn global(self: &Rc<Self>, module: &Rc<ModuleObject>, name: Symbol) -> Step<Option<Value>> {
        match module.get(name) {
            Some(found) => Ok(Some(found)),
            None => self.import_waiting(module, name),
        }
    }

    /// Imports what a name of a module waits for.
    ///
    /// # Errors
    /// What running the module raises.
    pub fn import_waiting(self: &Rc<Self>, module: &Rc<ModuleObject>, name: Symbol) -> Step<Option<Value>> {
        // A package may import its own submodules: meanwhile it has no such name.
        let Some(wanted) = module.waiting.borrow_mut().remove(&name) else { return Ok(None) };
        let value = self.import_wanted(module, wanted);
        if let Ok(value) = &value {
            module.set_imported(name, value.clone());
        }
        // What a branch wrote before may be taken back with it: then the name waits again.
        module.waiting.borrow_mut().insert(name, wanted);
        value.map(Some)
    }

    fn import_wanted(self: &Rc<Self>, module: &Rc<ModuleObject>, wanted: Wanted) -> Step<Value> {
        let mut value = self.import(wanted.from)?;
        if let Some(member) = wanted.member {
            let unit = &module.unit;
            let mut run = Run::new(self, module, unit, unit.module.code(MODULE_CODE), &[]);
            value = run.imported_name(&value, wanted.from, member, Span::default())?;
            run.recycle();
        }
        match wanted.attribute {
            Some(attribute) => self.getattr(&value, attribute),
            None => Ok(value),
        }
    }

    /// Imports everything that names of a module wait for.
    ///
    /// # Errors
    /// What running the modules raises.
    pub fn import_all_waiting(self: &Rc<Self>, module: &Rc<ModuleObject>) -> Step<()> {
        let mut names: Vec<Symbol> = module.waiting.borrow().keys().copied().collect();
        names.sort_unstable_by_key(|name| name.as_str());
        for name in names {
            self.global(module, name)?;
        }
        Ok(())
    }

    /// Names of the module that are not defined are unknown from here on.
    fn leave_open(self: &Rc<Self>, module: &Rc<ModuleObject>, why: String) {
        let unknown = crate::python::NativeFn::value("__getattr__", move |_, _| Ok(Value::unknown(why.clone())));
        module.set(sym!("__getattr__"), unknown);
    }

    fn is_import_error(self: &Rc<Self>, exception: &crate::python::Exception) -> bool {
        self.is_exception(exception, "ImportError")
    }

    /// What a library is told that asks for a package which is not installed beside it, where it is ready to hear so.
    fn check_installed(self: &Rc<Self>, name: Symbol) -> Step<()> {
        let package = name.as_str().split('.').next().unwrap_or_default();
        if self.catching.get() > 0
            && !self.modules.borrow().contains_key(&Symbol::from(package))
            && self.loader.lacks(package)
        {
            return Err(Halt::raise("ModuleNotFoundError", format!("No module named '{package}'")));
        }
        Ok(())
    }

    fn missing_module(self: &Rc<Self>, name: Symbol) -> Value {
        self.missing.borrow_mut().insert(name);
        self.stand_in(name)
    }

    /// What stands for a module that is not there.
    pub fn stand_in(&self, name: Symbol) -> Value {
        let (before, after) = MISSING;
        Value::unknown(format!("{before}{name}{after}"))
    }
}

impl Run<'_> {
    /// `import a.b as c`
    pub fn import_statement(&mut self, names: &[Alias]) -> Step<()> {
        for alias in names {
            if !self.user && !self.home.unit.ours {
                self.it.check_installed(alias.name)?;
            }
            let whole = alias.asname.is_some() || !alias.name.contains('.');
            if whole && self.may_wait(alias.name) {
                let wanted = Wanted { from: alias.name, member: None, attribute: None };
                self.home.set_waiting(alias.asname.unwrap_or(alias.name), wanted);
                continue;
            }
            let module = self.it.import(alias.name)?;
            let bound = match (&alias.asname, alias.name.as_str().split_once('.')) {
                (None, Some((top, _))) => self.it.import(Symbol::from(top))?,
                _ => module,
            };
            self.may_be_missing(&bound, true);
            self.store(alias.place, bound);
        }
        Ok(())
    }

    /// The absolute name of a module named relative to this one.
    fn absolute(&self, module: Symbol, level: u32) -> Step<Symbol> {
        if level == 0 {
            return Ok(module);
        }
        let around = self.home.package();
        let mut package: Vec<&str> = around.split('.').filter(|name| !name.is_empty()).collect();
        let up = level as usize - 1;
        if package.is_empty() {
            return Err(Halt::raise("ImportError", "attempted relative import with no known parent package"));
        }
        package.truncate(package.len().saturating_sub(up));
        if package.is_empty() {
            return Err(Halt::raise("ImportError", "attempted relative import beyond top-level package"));
        }
        if !module.is_empty() {
            package.push(module.as_str());
        }
        Ok(Symbol::from(package.join(".").as_str()))
    }

    /// `from module import names`
    pub fn import_from(&mut self, module: Symbol, level: u32, names: &[Alias]) -> Step<()> {
        let absolute = self.absolute(module, level)?;
        if absolute.as_str() == "__future__" {
            return Ok(());
        }
        if level == 0 && !self.user && !self.home.unit.ours {
            self.it.check_installed(absolute)?;
        }
        if self.may_wait(absolute) {
            for alias in names {
                let wanted = Wanted { from: absolute, member: Some(alias.name), attribute: None };
                self.home.set_waiting(alias.asname.unwrap_or(alias.name), wanted);
            }
            return Ok(());
        }
        let mut source = self.it.import(absolute)?;
        if names.len() > 1 && self.is_another(&source, absolute, names)? {
            source = another(absolute);
        }
        for alias in names {
            let value = self.imported_name(&source, absolute, alias.name, alias.span)?;
            self.may_be_missing(&value, false);
            self.store(alias.place, value);
        }
        Ok(())
    }

    /// Whether a module of the user's lacks a name that is asked of it, where another module of its name may be meant.
    fn is_another(&mut self, source: &Value, module: Symbol, names: &[Alias]) -> Step<bool> {
        if !matches!(source, Value::Module(source) if source.unit.user) || !self.it.loader.may_be_shadowed() {
            return Ok(false);
        }
        for alias in names {
            if self.imported_name(source, module, alias.name, alias.span)?.is_unknown() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the user's environment has a module that is not read: a whole one, or what a library has compiled for itself.
    fn is_there(&self, module: &str, is_whole: bool) -> bool {
        let package = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let is_own = !self.user && package(module) == package(&self.home.name);
        is_own && self.it.loader.has_compiled(module) || is_whole && self.it.loader.installed(module).is_some()
    }

    /// What is not known may not be there: importing it may raise.
    fn may_be_missing(&self, imported: &Value, is_module: bool) {
        if let Value::Unknown(unknown) = imported
            && self.it.catching.get() > 0
            && !missing_module(&unknown.why.0).is_some_and(|module| self.is_there(module, is_module))
        {
            self.it.unsure.set(self.it.unsure.get() + 1);
        }
    }

    /// Whether what an import statement binds may wait until it is read: in the body of a library's module, where no `try`
    /// is around it.
    fn may_wait(&self, module: Symbol) -> bool {
        self.is_library_body() && self.it.loader.may_wait(&module)
    }

    fn is_library_body(&self) -> bool {
        !self.user
            && self.code.kind == CodeKind::Module
            && self.home.names.get().is_none()
            && self.it.catching.get() == self.home.catching.get()
            && !self.speculating()
    }

    /// `name = module.attribute` and `name = other` wait, where what they read does: whether the statement is done with.
    pub fn alias_waits(&self, targets: &[Target], value: ExprId) -> bool {
        let [Target::Name(Place::Global(_), name, _)] = targets else { return false };
        if !self.is_library_body() {
            return false;
        }
        let (source, attribute) = match self.module.expr(value) {
            Expr::Name(Place::Global(_), source) => (*source, None),
            Expr::Attribute(object, attribute) => match self.module.expr(*object) {
                Expr::Name(Place::Global(_), source) => (*source, Some(*attribute)),
                _ => return false,
            },
            _ => return false,
        };
        let Some(wanted) = self.home.waiting.borrow().get(&source).copied() else { return false };
        // What was imported may have been bound to something else since.
        let is_source = match self.home.get(source) {
            None => true,
            Some(Value::Module(module)) if attribute.is_some() => {
                let whole = wanted.member.map(|member| format!("{}.{member}", wanted.from));
                whole.as_deref().unwrap_or(&wanted.from) == module.name.as_str()
            }
            Some(_) => false,
        };
        let waits = is_source && (wanted.attribute.is_none() || attribute.is_none());
        if waits {
            self.home.set_waiting(*name, Wanted { attribute: attribute.or(wanted.attribute), ..wanted });
        }
        waits
    }

    fn imported_name(&mut self, source: &Value, module: Symbol, name: Symbol, span: Span) -> Step<Value> {
        if let Value::Unknown(unknown) = source {
            return Ok(Value::Unknown(unknown.clone()));
        }
        // A library's `__getattr__` may itself import the submodule asked for: a submodule that is there comes first.
        if let Value::Module(package) = source
            && package.is_package
            && !(package.unit.user && package.get(self.it.types.names.getattr).is_some())
            && self.it.global(package, name)?.is_none()
        {
            let submodule = Symbol::from(format!("{module}.{name}").as_str());
            if self.it.modules.borrow().contains_key(&submodule) || self.it.loader.has(submodule.as_str()) {
                return self.it.import(submodule);
            }
        }
        let found = self.it.while_catching(|| self.it.find_attr(source, name));
        match found {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => {}
            Err(Halt::Raise(exception)) if self.it.is_attribute_error(&exception) => {}
            Err(Halt::Unknown(why)) => return Ok(Value::unknown(why.0)),
            Err(halt) => return Err(halt),
        }
        let submodule = Symbol::from(format!("{module}.{name}").as_str());
        if self.it.loader.has(submodule.as_str()) {
            return self.it.import(submodule);
        }
        if matches!(source, Value::Module(source) if source.unit.user) && self.it.loader.may_be_shadowed() {
            return Ok(another(module));
        }
        let place = match source {
            Value::Module(source) if source.unit.ours => self.it.loader.installed(module.as_str()),
            Value::Module(source) => source.get(sym!("__file__")).and_then(|path| path.as_str().map(str::to_owned)),
            _ => None,
        };
        let place = place.unwrap_or_else(|| "unknown location".to_owned());
        let missing = Halt::raise("ImportError", format!("cannot import name '{name}' from '{module}' ({place})"));
        let missing = match missing {
            Halt::Raise(exception) => match self.go_on_with_replacement(module, name, span, exception)? {
                Ok(replacement) => return Ok(replacement),
                Err(missing) => missing,
            },
            other => other,
        };
        let certain = self.user || self.it.catching.get() > 0 || self.home.unit.ours;
        if certain && self.it.is_complete(source, name) && !is_written_by_build(&name) {
            Err(missing)
        } else {
            Ok(Value::unknown(format!("`{module}.{name}` has no model yet")))
        }
    }

    /// `from module import *`
    pub fn import_star(&mut self, module: Symbol, level: u32) -> Step<()> {
        let absolute = self.absolute(module, level)?;
        let source = self.it.import(absolute)?;
        let Value::Module(source) = &source else {
            match &source {
                // It may bind any name.
                Value::Unknown(_) if self.user => self.home.set(sym!("*"), source),
                _ if self.user => {}
                _ => self.it.leave_open(self.home, format!("`{absolute}` has no model yet")),
            }
            return Ok(());
        };
        let all = self.it.global(source, sym!("__all__"))?;
        let chosen: Option<Vec<Symbol>> = match &all {
            Some(names) => {
                let mut items = Vec::new();
                self.it.extend_vec(&mut items, names)?;
                Some(items.iter().filter_map(|n| n.as_str().map(Symbol::from)).collect())
            }
            None => None,
        };
        let value = Value::Module(source.clone());
        match chosen {
            Some(names) => {
                for name in names {
                    let found = match self.it.find_attr(&value, name) {
                        Err(Halt::Unknown(why)) => Some(Value::unknown(why.0)),
                        Ok(None) if !source.unit.user => {
                            Some(Value::unknown(format!("`{absolute}.{name}` has no model yet")))
                        }
                        found => found?,
                    };
                    if let Some(found) = found {
                        self.home.set(name, found);
                    }
                }
            }
            None => {
                let waiting: Vec<_> = source.waiting.borrow().iter().map(|(name, wanted)| (*name, *wanted)).collect();
                for (name, wanted) in waiting.into_iter().filter(|(name, _)| !name.starts_with('_')) {
                    match self.home.index.contains_key(&name) || self.home.unit.ours {
                        true => drop(self.it.global(source, name)?),
                        false => self.home.set_waiting(name, wanted),
                    }
                }
                for (name, found) in source.names() {
                    if !name.starts_with('_') {
                        self.home.set(name, found);
                    }
                }
                if !self.home.unit.ours {
                    self.set_unmodelled(source, absolute);
                }
            }
        }
        Ok(())
    }
}

/// Whether a module bears the name of one that no one writes by hand: a version, or code of a protocol's description.
fn is_written_by_build(name: &str) -> bool {
    name.ends_with("version") || name.ends_with("version__") || name.ends_with("_pb2") || name.ends_with("_pb2_grpc")
}
