//! Attributes.

pub(super) mod set;

use std::rc::{Rc, Weak};

use super::Interp;
use crate::frameworks::python::names as standard;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Exception, Halt, Raised, Step};
use crate::python::{Args, Class, Function, Instance, Method, Value};
use crate::repro::Op;

impl Interp {
    /// `value.name`
    ///
    /// # Errors
    /// `AttributeError`, and what properties and `__getattr__` raise.
    #[inline]
    pub fn getattr(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<Value> {
        if let Value::Instance(instance) = value
            && let Some(own) = self.own_attr(instance, name)
        {
            return Ok(own);
        }
        let outcome = match self.find_attr(value, name) {
            Ok(Some(found)) => return Ok(found),
            Ok(None) => match self.of_typed_number(value, name) {
                Some(found) => return Ok(found),
                None => Err(self.no_attribute(value, name)),
            },
            Err(halt) => Err(halt),
        };
        self.blamed(|| Op::Attribute(name), &[value], outcome)
    }

    /// What a number of Python's has beside its own attributes where it knows its type. It is not said to have it: models tell arrays by that.
    #[cold]
    fn of_typed_number(self: &Rc<Self>, value: &Value, name: Symbol) -> Option<Value> {
        let is_typed = self.typed_numbers.get() > 0 && matches!(value, Value::Int(_) | Value::Float(_));
        let hooks = self.hooks.borrow().clone().filter(|_| is_typed)?;
        hooks.typed_number(self, value, name)
    }

    /// `AttributeError` in Python's words.
    pub fn no_attribute(&self, value: &Value, name: Symbol) -> Halt {
        if matches!(value, Value::Instance(_)) && self.undone.borrow().contains_key(&value.identity()) {
            return Halt::unknown(format!("a statement ended with an exception that may have set `{name}`"));
        }
        if matches!(value, Value::Module(module) if module.unit.user) && self.loader.may_be_shadowed() {
            return Halt::unknown("another module of this name may be meant");
        }
        let message = match value {
            Value::Module(module) => {
                let own = module.get(sym!("__name__"));
                let known_as = own.as_ref().and_then(Value::as_str).unwrap_or(&module.name);
                format!("module '{known_as}' has no attribute '{name}'")
            }
            Value::Class(class) => format!("type object '{}' has no attribute '{name}'", class.name),
            Value::Array(array) if array.is_tracer() => format!("{} has no attribute {name}", array.class_name()),
            other => format!("'{}' object has no attribute '{name}'", self.operand_type_name(other)),
        };
        // A named tuple has its fields and no more.
        let closed = matches!(value, Value::Instance(instance)
            if matches!(instance.payload(), Some(Value::Tuple(_))) && !instance.class().may_have_more());
        Halt::raise("AttributeError", message).certain_if(closed)
    }

    /// Whether the class of an object of ours says that the one that it stands for has this attribute, and ours has not.
    #[cold]
    fn is_unmodelled(self: &Rc<Self>, value: &Value, name: Symbol) -> bool {
        let class = match value {
            Value::Instance(instance) => instance.class(),
            Value::Class(class) => class.clone(),
            _ => return false,
        };
        match class.lookup(sym!("_unmodelled")) {
            Some(Value::Tuple(names)) => names.iter().any(|own| own.as_str() == Some(name.as_str())),
            _ => false,
        }
    }

    /// `value.name`, or `None` where there is no such attribute.
    ///
    /// # Errors
    /// What properties and `__getattr__` raise.
    pub fn find_attr(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<Option<Value>> {
        let found = self.attr_of(value, name)?;
        if found.is_none() && self.is_unmodelled(value, name) {
            return Err(Halt::unknown(format!("`{name}` is not modelled")));
        }
        if let Some(found) = &found
            && self.repro.on.get()
        {
            self.repro.read(value, name, found);
        }
        Ok(found)
    }

    fn attr_of(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<Option<Value>> {
        match value {
            Value::Instance(instance) if instance.class().root == Root::Super => {
                match super::super_getattr(self, instance, name)? {
                    Some(found) => Ok(Some(found)),
                    None => Ok((name.as_str() == "__class__").then(|| Value::Class(self.types.super_.clone()))),
                }
            }
            Value::Instance(instance) => self.instance_attr(instance, name),
            Value::Module(_) => self.module_attr(value, name),
            Value::Class(class) => self.class_attr(class, name),
            Value::Array(array) => {
                let hooks = self.array_hooks()?;
                let found = hooks.getattr(self, array, name)?;
                let known = || unmodelled(&self.class_of(value), name).filter(|_| !array.is_tracer());
                Ok(found.or_else(known))
            }
            Value::Object(object) => {
                if let Some(found) = object.clone().getattr(self, name)? {
                    return Ok(Some(found));
                }
                self.type_attr(value, name)
            }
            // Methods of texts say what they give of one that is not known.
            Value::Unknown(unknown)
                if unknown.guess == crate::python::Guess::Str
                    && unknown.or_none.is_none()
                    && let Some(method @ Value::Native(_)) = self.types.str_.lookup(name) =>
            {
                self.bind(method, value, &self.types.str_).map(Some)
            }
            // `None` has attributes of its own.
            Value::Unknown(unknown) if unknown.any_of.is_some() => {
                self.asks_any_of(unknown, name)?;
                self.attribute_of_any(unknown, name).map(Some).ok_or_else(|| Halt::Unknown(unknown.why.clone()))
            }
            Value::Unknown(unknown) if !name.as_str().starts_with("__") => {
                let found = self.of_meant(unknown, |held| self.find_attr(held, name))?;
                found.map(Some).ok_or_else(|| Halt::Unknown(unknown.why.clone()))
            }
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            Value::Function(function) => self.function_attr(function, name),
            Value::Method(method) => match name.as_str() {
                "__self__" => Ok(Some(method.receiver.clone())),
                "__func__" => Ok(Some(method.function.clone())),
                "__class__" => self.type_attr(value, name),
                _ => match self.find_attr(&method.function, name)? {
                    Some(found) => Ok(Some(found)),
                    None => self.type_attr(value, name),
                },
            },
            Value::Native(native) => {
                let held = |name: Symbol| native.attrs.borrow().as_ref().and_then(|attrs| attrs.get(&name).cloned());
                let own = held(name);
                Ok(match (own, name.as_str()) {
                    // The `__init__` of a dataclass is a function of the module of that.
                    (None, "__globals__") if let Some(Value::Class(class)) = held(sym!("__dataclass_of__")) => {
                        match self.import(class.module)? {
                            Value::Module(module) => Some(Value::Dict(crate::python::Dict::globals_of(&module))),
                            _ => Some(Value::unknown("the variables of a module")),
                        }
                    }
                    (Some(own), _) => Some(own),
                    (None, "__name__" | "__qualname__") => Some(Value::str(native.name.as_str())),
                    (None, "__wrapped__" | "__signature__") => None,
                    (None, "__doc__") => Some(Value::unknown_of(
                        crate::python::Guess::Str,
                        "what Python or a framework says of a function",
                    )),
                    (None, "__get__") if native.is_method => Some(binder(value.clone())),
                    (None, "__mro__" | "__bases__" | "__base__" | "__dict__" | "mro")
                        if self.is_native_class(value) =>
                    {
                        self.find_attr(&Value::Class(self.class_of_native(native)), name)?
                    }
                    _ => self.type_attr(value, name)?,
                })
            }
            _ => self.type_attr(value, name),
        }
    }

    /// What a method call calls, and the receiver that goes in front of its arguments.
    ///
    /// # Errors
    /// As [`Interp::getattr`].
    pub fn load_method(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<(Value, Option<Value>)> {
        match value {
            Value::Instance(instance) => {
                if let Some(method) = self.method_of(instance, name) {
                    return Ok((method, Some(value.clone())));
                }
            }
            Value::Module(_)
            | Value::Class(_)
            | Value::Array(_)
            | Value::Object(_)
            | Value::Unknown(_)
            | Value::Function(_) => {}
            Value::List(_) | Value::Dict(_) | Value::Str(_) | Value::Tuple(_) | Value::Set(_) => {
                if let Some(method) = self.builtin_method(value, name) {
                    return Ok((method, Some(value.clone())));
                }
            }
            _ => {
                if let Some(method @ Value::Native(_)) = self.class_of(value).lookup(name) {
                    return Ok((method, Some(value.clone())));
                }
            }
        }
        let found = self.getattr(value, name)?;
        Ok(match found {
            Value::Method(method) => (method.function.clone(), Some(method.receiver.clone())),
            other => (other, None),
        })
    }

    /// An attribute of a value of a builtin type: found in its class and bound.
    pub(super) fn type_attr(self: &Rc<Self>, value: &Value, name: Symbol) -> Step<Option<Value>> {
        let class = self.model_of(value);
        match class.lookup(name) {
            Some(found) => self.bind(found, value, &class).map(Some),
            None => self.universal_attr(value, &class, name),
        }
    }

    /// Attributes that every object has.
    fn universal_attr(self: &Rc<Self>, value: &Value, class: &Rc<Class>, name: Symbol) -> Step<Option<Value>> {
        Ok(match name.as_str() {
            "__class__" => Some(Value::Class(class.public())),
            "__doc__" => Some(Value::None),
            "__dict__" => match value {
                Value::Instance(instance) => Some(Value::Dict(crate::python::Dict::view_of(instance.attrs_cell()))),
                _ => None,
            },
            "__module__" => Some(Value::str(class.module.as_str())),
            _ if !matches!(value, Value::Instance(_)) => unmodelled(class, name),
            _ => None,
        })
    }

    /// A dict of attributes: a copy.
    pub fn attrs_dict(&self, attrs: &crate::python::Attrs) -> Value {
        let items = attrs.iter().map(|(n, v)| (crate::python::Key::str(n), v.clone())).collect();
        Value::Dict(crate::python::Dict::new(items))
    }

    fn instance_attr(self: &Rc<Self>, instance: &Rc<Instance>, name: Symbol) -> Step<Option<Value>> {
        let class = instance.class();
        let value = || Value::Instance(instance.clone());
        let hooks = class.hooks();
        if hooks.getattribute
            && let Some(method) = class.lookup(self.types.names.getattribute)
        {
            let args = Args::of([value(), Value::str(name.as_str())]);
            let found = match hooks.getattr {
                true => self.while_catching(|| self.call(&method, args)),
                false => self.call(&method, args),
            };
            match found {
                Ok(found) => return Ok(Some(found)),
                Err(Halt::Raise(exception)) if hooks.getattr && self.is_attribute_error(&exception) => {}
                // What `object.__getattribute__` says of the name is said of whoever asked for it.
                Err(Halt::Raise(exception)) if self.says_missing(&exception, &value(), name) => return Ok(None),
                Err(halt) => return Err(halt),
            }
        } else {
            match self.plain_instance_attr(instance, name) {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) => {}
                Err(Halt::Raise(exception)) if hooks.getattr && self.is_attribute_error(&exception) => {}
                Err(halt) => return Err(halt),
            }
        }
        if hooks.getattr
            && let Some(method) = class.lookup(self.types.names.getattr)
        {
            let args = Args::of([value(), Value::str(name.as_str())]);
            return self.call(&method, args).map(Some);
        }
        self.missing_attr(instance, name)
    }

    /// What an attribute is that was not found: `None` where it is certain that there is none.
    ///
    /// # Errors
    /// Unknown where not all attributes are known.
    pub fn missing_attr(&self, instance: &Rc<Instance>, name: Symbol) -> Step<Option<Value>> {
        let class = instance.class();
        if class.may_have_more() {
            return Err(class.of_unknown_base());
        }
        // `vars(value)` was given names that are not known.
        if let Some(Value::Unknown(rest)) = instance.get(sym!("*")) {
            return Err(Halt::Unknown(rest.why.clone()));
        }
        Ok(unmodelled(&class.public(), name))
    }

    /// Whether an exception is what `object.__getattribute__` raises where `value` has no attribute of this name.
    fn says_missing(self: &Rc<Self>, exception: &Exception, value: &Value, name: Symbol) -> bool {
        match (&exception.what, self.no_attribute(value, name)) {
            (Raised::Native(class, message), Halt::Raise(wanted)) => {
                matches!(&wanted.what, Raised::Native(other, text) if other == class && text == message)
            }
            _ => false,
        }
    }

    /// `object.__getattribute__`
    ///
    /// # Errors
    /// What a property raises.
    pub fn plain_instance_attr(self: &Rc<Self>, instance: &Rc<Instance>, name: Symbol) -> Step<Option<Value>> {
        let class = instance.class();
        let found = class.lookup(name);
        // A data descriptor of the class comes before the instance's own attribute.
        if let Some(descriptor) = &found
            && self.is_data_descriptor(descriptor)
        {
            return self.bind(descriptor.clone(), &Value::Instance(instance.clone()), &class).map(Some);
        }
        if let Some(own) = instance.get(name) {
            if own.is_unbound() {
                return Err(Halt::unknown(format!("`{name}` may not be set")));
            }
            return Ok(Some(own));
        }
        let value = Value::Instance(instance.clone());
        match found {
            // A slot that is empty.
            Some(Value::Instance(member)) if Rc::ptr_eq(&member.class(), &self.types.member) => Ok(None),
            Some(found) => self.bind(found, &value, &class).map(Some),
            None => self.universal_attr(&value, &class, name),
        }
    }

    fn is_data_descriptor(&self, value: &Value) -> bool {
        match value {
            Value::Instance(instance) => {
                let class = instance.class();
                if class.root == Root::Property {
                    return true;
                }
                !class.is_builtin() && class.root == Root::Object && class.lookup(self.types.names.set).is_some()
            }
            _ => false,
        }
    }

    /// An attribute found in a class, as seen through an instance.
    ///
    /// # Errors
    /// What a property or descriptor raises.
    pub fn bind(self: &Rc<Self>, found: Value, receiver: &Value, class: &Rc<Class>) -> Step<Value> {
        let (callee, bound) = self.bind_found(found, receiver, class)?;
        Ok(match bound {
            Some(receiver) => Value::Method(Rc::new(Method { receiver, function: callee })),
            None => callee,
        })
    }

    /// As [`Interp::bind`], with a bound method in two parts.
    ///
    /// # Errors
    /// As [`Interp::bind`].
    pub fn bind_found(
        self: &Rc<Self>,
        found: Value,
        receiver: &Value,
        class: &Rc<Class>,
    ) -> Step<(Value, Option<Value>)> {
        match &found {
            Value::Function(_) => Ok((found, Some(receiver.clone()))),
            Value::Native(native) if native.is_method => Ok((found, Some(receiver.clone()))),
            Value::Instance(descriptor) => {
                let kind = descriptor.class();
                match kind.root {
                    Root::Property => {
                        let getter = descriptor.get(self.types.names.fget).unwrap_or(Value::None);
                        if getter.is_none() {
                            return Err(Halt::raise("AttributeError", "unreadable attribute"));
                        }
                        Ok((self.call_with(&getter, [receiver.clone()])?, None))
                    }
                    Root::StaticMethod => Ok((descriptor.get(self.types.names.func).unwrap_or(Value::None), None)),
                    Root::ClassMethod => {
                        let function = descriptor.get(self.types.names.func).unwrap_or(Value::None);
                        Ok((function, Some(Value::Class(class.clone()))))
                    }
                    _ => match kind.lookup(self.types.names.get) {
                        Some(get) => {
                            let args = [found.clone(), receiver.clone(), Value::Class(class.clone())];
                            Ok((self.call_with(&get, args)?, None))
                        }
                        None => Ok((found, None)),
                    },
                }
            }
            Value::Object(object) => {
                // A compiled function of a framework binds like a function.
                match object.clone().getattr(self, self.types.names.get)? {
                    Some(get) => Ok((self.call_with(&get, [receiver.clone(), Value::Class(class.clone())])?, None)),
                    None => Ok((found, None)),
                }
            }
            _ => Ok((found, None)),
        }
    }

    /// `class.name`
    fn class_attr(self: &Rc<Self>, class: &Rc<Class>, name: Symbol) -> Step<Option<Value>> {
        // What a class defines under the names of data descriptors of `type` is found in its instances alone.
        let is_types = matches!(name.as_str(), "__dict__" | "__bases__" | "__mro__");
        if let Some(found) = class.lookup(name).filter(|_| !is_types) {
            return match &found {
                Value::Instance(descriptor) => match descriptor.class().root {
                    Root::StaticMethod => Ok(descriptor.get(self.types.names.func)),
                    Root::ClassMethod => {
                        let function = descriptor.get(self.types.names.func).unwrap_or(Value::None);
                        let receiver = Value::Class(class.clone());
                        Ok(Some(Value::Method(Rc::new(Method { receiver, function }))))
                    }
                    Root::Property => Ok(Some(found)),
                    _ => match descriptor.class().lookup(self.types.names.get) {
                        Some(get) => {
                            let args = [found.clone(), Value::None, Value::Class(class.clone())];
                            self.call_with(&get, args).map(Some)
                        }
                        None => Ok(Some(found)),
                    },
                },
                _ => Ok(Some(found)),
            };
        }
        if let Some(meta) = &class.metaclass
            && let Some(found) = meta.lookup(name)
        {
            return self.bind(found, &Value::Class(class.clone()), meta).map(Some);
        }
        Ok(match name.as_str() {
            "__name__" => Some(Value::str(class.name.as_str())),
            "__qualname__" => Some(Value::str(class.qualname.as_str())),
            "__module__" => Some(Value::str(class.module.as_str())),
            "__doc__" => Some(Value::None),
            "__class__" => Some(Value::Class(class.metaclass.clone().unwrap_or_else(|| self.types.type_.clone()))),
            "__type_params__" => Some(Value::unknown("which type parameters a class has")),
            "__bases__" => Some(Value::tuple(class.bases.iter().cloned().map(Value::Class))),
            "__base__" => Some(class.bases.first().cloned().map_or(Value::None, Value::Class)),
            "__mro__" => Some(Value::tuple(class.mro.borrow().iter().cloned().map(Value::Class))),
            "__dict__" => Some(self.attrs_dict(&class.attrs.read())),
            "mro" => {
                let class = class.clone();
                Some(crate::python::NativeFn::value("mro", move |_, _| {
                    Ok(Value::list(class.mro.borrow().iter().cloned().map(Value::Class).collect()))
                }))
            }
            "__subclasses__" if class.is_builtin() => Some(Value::unknown("the subclasses of a builtin type")),
            "__subclasses__" => {
                let class = class.clone();
                Some(crate::python::NativeFn::value("__subclasses__", move |_, _| {
                    let found = class.subclasses.borrow().iter().filter_map(Weak::upgrade).map(Value::Class).collect();
                    Ok(Value::list(found))
                }))
            }
            _ if class.may_have_more() => {
                return Err(class.of_unknown_base());
            }
            _ => match class.metaclass.as_ref().and_then(|meta| meta.lookup(self.types.names.getattr)) {
                Some(method) => {
                    let args = Args::of([Value::Class(class.clone()), Value::str(name.as_str())]);
                    Some(self.call(&method, args)?)
                }
                None => {
                    let hooks = self.hooks.borrow().clone();
                    let member = hooks.map_or(Ok(None), |hooks| hooks.member(self, class, name))?;
                    member.or_else(|| unmodelled(class, name))
                }
            },
        })
    }

    fn function_attr(self: &Rc<Self>, function: &Rc<Function>, name: Symbol) -> Step<Option<Value>> {
        if let Some(attrs) = function.attrs.get()
            && let Some(value) = attrs.read().get(&name)
        {
            return Ok(Some(value.clone()));
        }
        Ok(match name.as_str() {
            "__name__" => Some(Value::str(function.name().as_str())),
            "__qualname__" => Some(Value::str(function.qualname().as_str())),
            "__module__" => Some(Value::str(function.module.name.as_str())),
            "__doc__" => {
                // The models of ours say nothing of what frameworks do.
                match function.unit.ours {
                    true => Some(Value::unknown_of(crate::python::Guess::Str, "what a framework says of a function")),
                    false => {
                        let (unit, id) = function.body();
                        Some(unit.module.code(id).docstring.as_ref().map_or(Value::None, Value::str))
                    }
                }
            }
            "__dict__" => Some(Value::Dict(crate::python::Dict::view_of(function.attrs()))),
            "__type_params__" => Some(Value::unknown("which type parameters a function has")),
            "__defaults__" => Some(match function.defaults.is_empty() {
                true => Value::None,
                false => Value::tuple(function.defaults.iter().cloned()),
            }),
            "__annotations__" => Some(self.function_annotations(function)?),
            "__code__" => {
                let types = self.import("types".into())?;
                let code = self.getattr(&types, "CodeType".into())?;
                Some(self.call_with(&code, [Value::Function(function.clone())])?)
            }
            "__closure__" => Some(super::builtins::cell::closure(function)),
            "__kwdefaults__" if function.kw_defaults.iter().all(Value::is_unbound) => Some(Value::None),
            "__globals__" if !function.unit.ours => {
                Some(Value::Dict(crate::python::Dict::globals_of(&function.module)))
            }
            "__globals__" | "__kwdefaults__" => Some(Value::unknown(format!("`{name}` of a function"))),
            "__wrapped__" => None,
            "__get__" => Some(binder(Value::Function(function.clone()))),
            "__call__" => Some(Value::Function(function.clone())),
            _ => return self.type_attr(&Value::Function(function.clone()), name),
        })
    }

    /// Annotations of a function, evaluated now. One that fails is a text where the file postpones them, and unknown otherwise.
    fn function_annotations(self: &Rc<Self>, function: &Rc<Function>) -> Step<Value> {
        let (unit, code) = (&function.unit, function.code());
        let mut items = crate::python::DictItems::default();
        let mut run = super::Run::new(self, &function.module, unit, code, &function.captured);
        run.user = false;
        let named = code.params.names.iter().filter_map(|p| Some((p.name.as_str(), p.annotation?)));
        for (name, annotation) in named.chain(function.returns.map(|r| ("return", r))) {
            let value = if unit.module.future_annotations {
                super::annotations::postponed(&unit.module, annotation)
            } else if super::annotations::names_variable(&unit.module, annotation, &|_| false) {
                // One of what is around the function, where nobody kept it.
                Value::unknown("an annotation")
            } else {
                self.while_catching(|| run.eval(annotation)).unwrap_or_else(|_| Value::unknown("an annotation"))
            };
            items.insert(crate::python::Key::str(name), value);
        }
        Ok(Value::Dict(crate::python::Dict::new(items)))
    }

    /// What arrays can do.
    ///
    /// # Errors
    /// Unknown when no framework is loaded.
    pub fn array_hooks(&self) -> Step<Rc<dyn super::ArrayHooks>> {
        let hooks = self.hooks.borrow().clone().ok_or_else(|| Halt::unknown("no array framework is loaded"))?;
        Ok(match self.repro.on.get() {
            true => Rc::new(crate::repro::RecordingHooks(hooks)),
            false => hooks,
        })
    }
}

/// What stands for a member of a class of the standard library or of a framework that our model of it does not have.
#[cold]
fn unmodelled(class: &Class, name: Symbol) -> Option<Value> {
    if name.starts_with('_') && !name.starts_with("__") {
        return None;
    }
    let has = |owner: &Class| {
        let module = owner.module.split("._").next().unwrap_or_default();
        let package = match module.split('.').next().unwrap_or_default() {
            "jaxlib" => "jax",
            package => package,
        };
        let of_framework =
            || matches!(package, "jax" | "numpy") && standard::has(&format!("{package}.{}", owner.name), &name);
        standard::has(&format!("{module}.{}", owner.name), &name) || of_framework()
    };
    let mro = class.mro.borrow();
    let owner = mro.iter().find(|owner| has(owner))?;
    Some(Value::unknown(format!("`{}.{name}` is not modelled", owner.name)))
}

/// `function.__get__`: makes methods of a function.
fn binder(function: Value) -> Value {
    crate::python::NativeFn::value("__get__", move |_, args| {
        Ok(match args.positional.first().cloned().unwrap_or(Value::None) {
            Value::None => function.clone(),
            receiver => Value::Method(Rc::new(Method { receiver, function: function.clone() })),
        })
    })
}
