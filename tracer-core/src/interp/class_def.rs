//! Class statements, making instances, `super()`.

use std::rc::Rc;

use super::Interp;
use super::function::Run;
use crate::frameworks::is_framework;
use crate::module::{Arg, ClassDef, Symbol};
use crate::python::class::Root;
use crate::python::halt::{Halt, Step, Why};
use crate::python::{Args, Attrs, Class, Function, Instance, Mutable, Value};

impl Run<'_> {
    /// `class name(bases): body`
    pub fn class_statement(&mut self, def: &ClassDef) -> Step<Value> {
        let it = self.it;
        let mut decorators = Vec::new();
        for decorator in &def.decorators {
            decorators.push(self.eval(*decorator)?);
        }
        let mut bases = Vec::new();
        let mut keywords: Vec<(Symbol, Value)> = Vec::new();
        let mut metaclass = None;
        let mut unknown_base = false;
        for arg in &def.args {
            match arg {
                Arg::Positional(base) => {
                    let base = self.eval(*base)?;
                    bases.push(base);
                }
                Arg::Keyword(name, value) => {
                    let value = self.eval(*value)?;
                    if name.as_str() == "metaclass" {
                        metaclass = Some(value);
                    } else {
                        keywords.push((*name, value));
                    }
                }
                Arg::Star(values) => {
                    let values = self.eval(*values)?;
                    it.extend_vec(&mut bases, &values)?;
                }
                Arg::DoubleStar(values) => {
                    let values = self.eval(*values)?;
                    let mut more = Args::default();
                    match it.keywords_from(&mut more, &Value::Class(it.types.type_.clone()), &values) {
                        Err(Halt::Unknown(_)) => unknown_base = true,
                        result => result?,
                    }
                    keywords.extend(more.keyword);
                }
            }
        }
        let mut classes = Vec::new();
        for base in &bases {
            match self.base_class(base, &bases)? {
                Some(found) => classes.extend(found),
                None => unknown_base = true,
            }
        }
        let metaclass = match metaclass {
            Some(Value::Class(meta)) if !Rc::ptr_eq(&meta, &it.types.type_) => {
                crate::python::class::metaclass_of(Some(meta), &classes)?
            }
            Some(Value::Class(_)) | None => crate::python::class::metaclass_of(None, &classes)?,
            Some(_) => {
                unknown_base = true;
                None
            }
        };
        // The body runs in a namespace of its own.
        let code = self.module.code(def.code);
        let captured: Vec<_> = code.frees.iter().map(|(_, cell)| self.cell(*cell).clone()).collect();
        let mut run = Run::new(it, self.home, self.unit, code, &captured);
        let (prepared, is_other) = it.prepared(metaclass.as_ref(), def.name, &classes, &keywords)?;
        unknown_base |= is_other;
        let names = Mutable::new(prepared);
        names.write().insert(sym!("__module__"), Value::str(self.home.name.as_str()));
        names.write().insert(sym!("__qualname__"), Value::str(code.qualname.as_str()));
        if let Some(doc) = &code.docstring {
            names.write().insert(sym!("__doc__"), Value::str(doc));
        }
        run.frame.names = Some(names.clone());
        run.body()?;
        let class_cell = code.class_cell.map(|cell| run.cell(cell).clone());
        drop(run);
        if bases.iter().any(|base| matches!(base, Value::Instance(_))) {
            names.write().insert(sym!("__orig_bases__"), Value::tuple(bases.iter().cloned()));
        }
        let attrs = names.read().clone();
        let class = it.make_class(def.name, classes, attrs, metaclass, unknown_base, &keywords)?;
        if let Some(cell) = class_cell {
            *cell.write() = class.clone();
        }
        let mut value = class;
        for (expr, decorator) in def.decorators.iter().zip(decorators).rev() {
            value = match it.call_with(&decorator, [value.clone()]) {
                Err(Halt::Unknown(why)) if self.user => Value::unknown(why.0),
                Err(Halt::Raise(mut exception)) if self.user => {
                    self.place(&mut exception, self.module.span(*expr));
                    return Err(Halt::Raise(exception));
                }
                result => result?,
            };
        }
        Ok(value)
    }

    /// The classes that an item of a class statement's parentheses stands for; `None` where they are not known.
    fn base_class(&mut self, base: &Value, all: &[Value]) -> Step<Option<Vec<Rc<Class>>>> {
        let it = self.it;
        let class_of = |value: &Value| match value {
            Value::Class(class) => Some(class.clone()),
            _ => None,
        };
        match base {
            Value::Class(class) => Ok(Some(vec![class.clone()])),
            Value::Instance(_) | Value::Object(_) | Value::Native(_) | Value::Function(_) => {
                // `Generic[T]`, `NamedTuple` and the like say themselves what they stand for.
                let Some(method) = it.find_attr(base, sym!("__mro_entries__"))? else { return Ok(None) };
                // A base that is not known brings nothing along that is known.
                let known = Value::tuple(all.iter().filter(|base| !base.is_unknown()).cloned());
                match it.call_with(&method, [known])? {
                    Value::Tuple(entries) => Ok(entries.iter().map(class_of).collect()),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// `super()` without arguments.
    pub fn zero_argument_super(&mut self) -> Step<Value> {
        let (cell, receiver) = self.super_parts();
        match (cell, receiver) {
            (Some(Value::Class(class)), Some(receiver)) if !receiver.is_unbound() => {
                Ok(self.it.make_super(class, receiver))
            }
            (Some(Value::Unknown(unknown)), _) => Err(Halt::Unknown(unknown.why.clone())),
            _ => Err(Halt::raise("RuntimeError", "super(): no arguments")),
        }
    }

    /// The class that a function was defined in, and its first argument.
    pub(super) fn super_parts(&self) -> (Option<Value>, Option<Value>) {
        let cell = self
            .code
            .frees
            .iter()
            .position(|(name, _)| name.as_str() == "__class__")
            .map(|i| self.captured[i].read().clone());
        let receiver = match self.code.cell_params.iter().find(|(slot, _)| *slot == 0) {
            Some((_, cell)) => Some(self.cell(*cell).read().clone()),
            None => self.frame.locals.first().cloned(),
        };
        (cell, receiver)
    }

    /// `locals()`, `globals()`, `vars()`, `dir()` without arguments.
    pub fn namespace(&mut self, which: &str) -> Step<Value> {
        let mut items = crate::python::DictItems::default();
        let code_is_module = self.code.kind == crate::module::CodeKind::Module;
        if which == "globals" || code_is_module {
            self.it.import_all_waiting(self.home)?;
        }
        if (which == "globals" || code_is_module) && which != "dir" {
            // A text that is run with given names has these as its globals.
            let given = self.home.names.get().and_then(|names| names.first().cloned());
            return Ok(Value::Dict(given.unwrap_or_else(|| crate::python::Dict::globals_of(self.home))));
        }
        if let Some(names) = self.frame.names.as_ref().filter(|_| which != "dir") {
            return Ok(Value::Dict(crate::python::Dict::view_of(names)));
        }
        if code_is_module {
            for (name, value) in self.home.names() {
                items.insert(crate::python::Key::str(&name), value);
            }
        } else if let Some(names) = &self.frame.names {
            for (name, value) in names.read().iter() {
                items.insert(crate::python::Key::str(name), value.clone());
            }
        } else {
            for (name, value) in self.code.locals.iter().zip(&self.frame.locals) {
                if !value.is_unbound() {
                    items.insert(crate::python::Key::str(name), value.clone());
                }
            }
            let names = self.code.cells.iter().chain(self.code.frees.iter().map(|(n, _)| n));
            for (name, cell) in names.zip(self.frame.cells.iter().flatten().chain(self.captured)) {
                if !cell.read().is_unbound() {
                    items.insert(crate::python::Key::str(name), cell.read().clone());
                }
            }
        }
        if which == "dir" {
            let mut names: Vec<Value> = items.keys().map(|k| k.value.clone()).collect();
            names.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
            return Ok(Value::list(names));
        }
        Ok(Value::Dict(crate::python::Dict::new(items)))
    }
}

impl Interp {
    /// Whether a class is of a module of ours, which may have less than the one that it stands for.
    pub(in crate::interp) fn is_of_ours(&self, class: &Class) -> bool {
        matches!(self.modules.borrow().get(&class.module), Some(Value::Module(module)) if module.unit.ours)
    }

    /// The names that the body of a class begins with, where its metaclass has a `__prepare__`, and whether that gave something else
    /// than a `dict`, which may do anything with what the body binds.
    fn prepared(
        self: &Rc<Self>,
        metaclass: Option<&Rc<Class>>,
        name: Symbol,
        bases: &[Rc<Class>],
        keywords: &[(Symbol, Value)],
    ) -> Step<(Attrs, bool)> {
        let Some(meta) = metaclass else { return Ok((Attrs::default(), false)) };
        if meta.lookup_defined(sym!("__prepare__")).is_none() {
            return Ok((Attrs::default(), false));
        }
        let callee = self.getattr(&Value::Class(meta.clone()), sym!("__prepare__"))?;
        let mut args = Args::of([Value::str(name.as_str()), Value::tuple(bases.iter().cloned().map(Value::Class))]);
        args.keyword.extend(keywords.iter().cloned());
        let namespace = self.call(&callee, args)?;
        let mut names = Attrs::default();
        if let Value::Dict(items) = namespace.base() {
            for (key, value) in items.read().iter() {
                if let Some(key) = key.value.as_str() {
                    names.insert(Symbol::from(key), value.clone());
                }
            }
        }
        Ok((names, !matches!(namespace, Value::Dict(_))))
    }

    /// Makes a class, as `type(name, bases, attrs)` does.
    ///
    /// # Errors
    /// What the metaclass, `__init_subclass__` and `__set_name__` raise; an inconsistent order of bases.
    pub fn make_class(
        self: &Rc<Self>,
        name: Symbol,
        bases: Vec<Rc<Class>>,
        attrs: Attrs,
        metaclass: Option<Rc<Class>>,
        unknown_base: bool,
        keywords: &[(Symbol, Value)],
    ) -> Step<Value> {
        let Some(meta) = metaclass else { return self.plain_class(name, bases, attrs, None, unknown_base, keywords) };
        let own = |special| meta.lookup_where(special).filter(|(_, owner)| !owner.is_builtin());
        let (new, init) = (own(self.types.names.new), own(self.types.names.init));
        if new.is_none() && init.is_none() {
            return self.plain_class(name, bases, attrs, Some(meta), unknown_base, keywords);
        }
        let lost = unknown_base.then(|| Value::unknown("an unknown base class"));
        let named = Value::tuple(bases.iter().cloned().map(Value::Class).chain(lost));
        let namespace = self.attrs_dict(&attrs);
        let with = |first: Value| {
            let mut args = Args::of([first, Value::str(name.as_str()), named.clone(), namespace.clone()]);
            args.keyword.extend(keywords.iter().cloned());
            args
        };
        let class = match new {
            Some((method, _)) => {
                let (callee, _) = self.bind_found(method, &Value::None, &meta)?;
                self.call(&callee, with(Value::Class(meta.clone())))?
            }
            None => self.plain_class(name, bases, attrs, Some(meta.clone()), unknown_base, keywords)?,
        };
        // What is no instance of the metaclass is not initialized by it.
        if let (Some((method, _)), Value::Class(made)) = (init, &class)
            && made.metaclass.as_ref().is_some_and(|own| own.derives(&meta))
        {
            self.call(&method, with(class.clone()))?;
        }
        Ok(class)
    }

    /// `type.__new__`
    ///
    /// # Errors
    /// As [`Interp::make_class`].
    pub fn plain_class(
        self: &Rc<Self>,
        name: Symbol,
        mut bases: Vec<Rc<Class>>,
        attrs: Attrs,
        metaclass: Option<Rc<Class>>,
        unknown_base: bool,
        keywords: &[(Symbol, Value)],
    ) -> Step<Value> {
        if bases.is_empty() {
            bases.push(self.types.object.clone());
        }
        // The order in which attributes are looked up is made of those of the bases.
        let ancestors: usize = bases.iter().map(|base| base.mro.borrow().len()).sum();
        self.spend_many(ancestors * bases.len())?;
        let unknown_base = unknown_base || bases.iter().any(|b| b.unknown_base);
        let root = bases.iter().map(|b| b.root).find(|r| *r != Root::Object).unwrap_or(Root::Object);
        let module = attrs.get(&sym!("__module__")).and_then(|v| v.as_str().map(Symbol::from));
        let module = module.unwrap_or_else(|| sym!("__main__"));
        let class = Class::with_meta(name, module, bases, attrs, root, metaclass, unknown_base)?;
        self.hide_by_slots(&class);
        class.slotted.set(is_slotted(&class));
        let value = Value::Class(class.clone());
        let members: Vec<(Symbol, Value)> = class.attrs.read().iter().map(|(n, v)| (*n, v.clone())).collect();
        for (member, descriptor) in members {
            if let Value::Instance(_) = &descriptor {
                self.call_special(&descriptor, sym!("__set_name__"), [value.clone(), Value::str(member.as_str())])?;
            }
        }
        let parent = class.mro.borrow().iter().skip(1).find_map(|c| {
            let hook = c.attrs.read().get(&sym!("__init_subclass__")).cloned();
            hook.filter(|_| !c.is_builtin())
        });
        if let Some(hook) = parent {
            let callee = match &hook {
                Value::Instance(method) => method.get(self.types.names.func).unwrap_or(hook.clone()),
                _ => hook,
            };
            let mut args = Args::of([value.clone()]);
            args.keyword.extend(keywords.iter().cloned());
            self.call(&callee, args)?;
        }
        Ok(value)
    }

    /// A name of `__slots__` comes before a property or value of that name that a base class has.
    fn hide_by_slots(&self, class: &Rc<Class>) {
        for name in slots_of(class).unwrap_or_default() {
            let hidden = class.lookup_where(name).is_some_and(|(_, owner)| !Rc::ptr_eq(&owner, class));
            if hidden {
                class.attrs.write().insert(name, Value::Instance(Instance::new(self.types.member.clone())));
            }
        }
    }

    /// `class(*args)`: `__new__`, then `__init__`.
    ///
    /// # Errors
    /// What they raise.
    pub fn instantiate(self: &Rc<Self>, class: &Rc<Class>, args: Args) -> Step<Value> {
        let Some((new, owner)) = class.lookup_where(self.types.names.new) else {
            return Err(Halt::unknown(format!("cannot make an instance of `{}`", class.name)));
        };
        let new = match &new {
            Value::Instance(method) => method.get(self.types.names.func).unwrap_or(new.clone()),
            _ => new,
        };
        let init = class.lookup_where(self.types.names.init).filter(|(_, owner)| !owner.is_builtin());
        if owner.is_builtin() && owner.root == Root::Object {
            // The common case: object.__new__, then the program's __init__.
            if class.may_have_more() && init.is_none() {
                return Err(class.of_unknown_base());
            }
            self.check_abstract(class)?;
            let instance = Value::Instance(Instance::new(class.clone()));
            match init {
                Some((init, _)) => {
                    self.initialize(&init, &instance, class, args)?;
                }
                None if args.positional.is_empty() && args.keyword.is_empty() => {}
                None if self.is_of_ours(class) || is_framework(class.module.as_str()) => {
                    return Err(Halt::unknown(format!("how a `{}` is made is not modelled", class.name)));
                }
                None => return Err(Halt::type_error(format!("{}() takes no arguments", class.name))),
            }
            return Ok(instance);
        }
        if init.is_none() {
            return self.call(&new, args.with_receiver(Value::Class(class.clone())));
        }
        let new_args = args.clone().with_receiver(Value::Class(class.clone()));
        let instance = self.call(&new, new_args)?;
        let is_own = self.model_of(&instance).derives(class);
        if let Some((init, _)) = init
            && is_own
            && matches!(instance, Value::Instance(_) | Value::Class(_))
        {
            self.initialize(&init, &instance, class, args)?;
        }
        Ok(instance)
    }

    /// The program's `__init__`, where making an instance does no more than to call it with its arguments.
    #[inline]
    pub fn plain_init(&self, class: &Class, args: usize) -> Option<Rc<Function>> {
        self.program_init(class).filter(|init| init.plain_arity == Some(args as u32 + 1))
    }

    /// As [`Interp::plain_init`], whatever it is given.
    #[inline]
    pub(super) fn program_init(&self, class: &Class) -> Option<Rc<Function>> {
        class.plain_init(|| {
            if class.metaclass.is_some() || class.is_builtin() || class.root != Root::Object {
                return None;
            }
            let names = &self.types.names;
            match (class.lookup_defined(names.new), class.lookup_defined(names.init)) {
                (None, Some(Value::Function(init))) => Some(init),
                _ => None,
            }
        })
    }

    /// `__init__` has to return `None`.
    ///
    /// # Errors
    /// `TypeError` otherwise.
    pub fn check_initialized(self: &Rc<Self>, result: &Value) -> Step<()> {
        if !result.is_none() && !result.is_unknown() {
            return Err(Halt::type_error(format!("__init__() should return None, not '{}'", self.type_name(result))));
        }
        Ok(())
    }

    fn initialize(self: &Rc<Self>, init: &Value, instance: &Value, class: &Rc<Class>, args: Args) -> Step<()> {
        let (callee, bound) = self.bind_found(init.clone(), instance, class)?;
        let args = match bound {
            Some(receiver) => args.with_receiver(receiver),
            None => args,
        };
        let result = self.call(&callee, args);
        match &callee {
            Value::Function(init) => self.initialized(instance, init, result),
            _ => self.check_initialized(&result?),
        }
    }

    /// What the `__init__` of an instance has come to. Where that of an installed library is not known to its end, the instance is
    /// there, and what it holds is not known.
    ///
    /// # Errors
    /// What the `__init__` raises; `TypeError` where it returns something.
    #[inline]
    pub(super) fn initialized(self: &Rc<Self>, instance: &Value, init: &Function, result: Step<Value>) -> Step<()> {
        match result {
            Ok(result) => self.check_initialized(&result),
            Err(Halt::Unknown(why)) => self.half_initialized(instance, init, why),
            Err(halt) => Err(halt),
        }
    }

    #[cold]
    #[inline(never)]
    fn half_initialized(&self, instance: &Value, init: &Function, why: Why) -> Step<()> {
        let unit = &init.module.unit;
        let Value::Instance(made) = instance else { return Err(Halt::Unknown(why)) };
        if unit.user || unit.ours || unit.standard || made.class().hooks().getattr {
            return Err(Halt::Unknown(why));
        }
        let unknown = Value::unknown(why.0);
        let mut names: Vec<Symbol> = made.attrs().keys().copied().collect();
        let is_data = |value: &Value| {
            !matches!(
                value,
                Value::Function(_) | Value::Native(_) | Value::Class(_) | Value::Instance(_) | Value::Object(_)
            )
        };
        for class in made.class().mro.borrow().iter().filter(|class| !class.is_builtin()) {
            let attrs = class.attrs.read();
            let data = attrs.iter().filter(|(name, value)| !name.as_str().starts_with("__") && is_data(value));
            names.extend(data.map(|(name, _)| *name));
        }
        names.into_iter().for_each(|name| made.set(name, unknown.clone()));
        made.set(sym!("*"), unknown);
        self.note_loss();
        self.lose_runs_of(instance);
        Ok(())
    }

    pub(super) fn check_abstract(self: &Rc<Self>, class: &Rc<Class>) -> Step<()> {
        let abstracts = sym!("__isabstractmethod__");
        let is_abc =
            class.metaclass.as_ref().is_some_and(|m| m.mro.borrow().iter().any(|c| c.name.as_str() == "ABCMeta"));
        if !is_abc {
            return Ok(());
        }
        let mut missing = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for base in class.mro.borrow().iter() {
            for (name, value) in base.attrs.read().iter() {
                if !seen.insert(*name) {
                    continue;
                }
                let function = match value {
                    Value::Function(function) => Some(function.clone()),
                    Value::Instance(descriptor) => {
                        let inner =
                            descriptor.get(self.types.names.fget).or_else(|| descriptor.get(self.types.names.func));
                        match inner {
                            Some(Value::Function(function)) => Some(function),
                            _ => None,
                        }
                    }
                    _ => None,
                };
                if let Some(function) = function
                    && let Some(attrs) = function.attrs.get()
                    && attrs.read().contains_key(&abstracts)
                {
                    missing.push(name.as_str());
                }
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        missing.sort_unstable();
        let s = if missing.len() == 1 { "" } else { "s" };
        Err(Halt::type_error(format!(
            "Can't instantiate abstract class {} with abstract method{s} {}",
            class.name,
            missing.join(", ")
        )))
    }

    /// `super(class, receiver)`
    pub fn make_super(self: &Rc<Self>, class: Rc<Class>, receiver: Value) -> Value {
        let instance = Instance::new(self.types.super_.clone());
        instance.set(self.types.names.thisclass, Value::Class(class));
        instance.set(self.types.names.self_, receiver);
        Value::Instance(instance)
    }
}

/// `super(class, receiver).name`
///
/// # Errors
/// `AttributeError`.
pub fn super_getattr(it: &Rc<Interp>, proxy: &Rc<Instance>, name: Symbol) -> Step<Option<Value>> {
    let (Some(Value::Class(this)), Some(receiver)) =
        (proxy.get(it.types.names.thisclass), proxy.get(it.types.names.self_))
    else {
        return Ok(None);
    };
    let start = match &receiver {
        Value::Class(class) if class.derives(&this) => class.clone(),
        other => it.model_of(other),
    };
    let mro = start.mro.borrow().clone();
    let after = mro.iter().position(|c| Rc::ptr_eq(c, &this)).map_or(0, |i| i + 1);
    for class in &mro[after..] {
        let found = class.attrs.read().get(&name).cloned();
        if let Some(found) = found {
            // `__new__` and `__init_subclass__` are static or class methods without saying so.
            if name == it.types.names.new {
                return Ok(Some(match &found {
                    Value::Instance(method) => method.get(it.types.names.func).unwrap_or(found.clone()),
                    _ => found,
                }));
            }
            if let Value::Class(_) = &receiver
                && let Value::Instance(descriptor) = &found
                && descriptor.class().root == Root::ClassMethod
            {
                let function = descriptor.get(it.types.names.func).unwrap_or(Value::None);
                return Ok(Some(Value::Method(Rc::new(crate::python::Method { receiver, function }))));
            }
            return it.bind(found, &receiver, &start).map(Some);
        }
    }
    if mro[after..].iter().any(|c| c.unknown_base) || this.unknown_base {
        return Err(this.of_unknown_base());
    }
    Ok(None)
}

/// The names in `__slots__` of a class itself, where they are known.
fn slots_of(class: &Class) -> Option<Vec<Symbol>> {
    let name = |slot: &Value| {
        let slot = slot.as_str()?;
        Some(match slot.starts_with("__") && !slot.ends_with("__") {
            true => Symbol::from(format!("_{}{slot}", class.name.as_str().trim_start_matches('_')).as_str()),
            false => Symbol::from(slot),
        })
    };
    match class.attrs.read().get(&sym!("__slots__"))? {
        slot @ Value::Str(_) => Some(vec![name(slot)?]),
        Value::Tuple(items) => items.iter().map(name).collect(),
        Value::List(items) if items.why_vague().is_none() => items.read().iter().map(name).collect(),
        _ => None,
    }
}

/// Whether a class and its bases say in `__slots__` which attributes there are.
fn is_slotted(class: &Class) -> bool {
    let is_open = |names: Vec<Symbol>| names.contains(&sym!("__dict__"));
    !class.may_have_more()
        && slots_of(class).is_some_and(|names| !is_open(names))
        && class
            .mro
            .borrow()
            .iter()
            .skip(1)
            .all(|base| base.slotted.get() || base.is_builtin() && base.root == Root::Object)
}

/// Whether no slot of this name is there, of a class whose instances have nothing else.
pub(super) fn lacks_slot(class: &Class, name: Symbol) -> bool {
    class.slotted.get()
        && !class.mro.borrow().iter().any(|base| slots_of(base).is_some_and(|names| names.contains(&name)))
}
