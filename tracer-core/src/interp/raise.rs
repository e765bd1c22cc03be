//! Exceptions: matching, instances, places, reports.

use std::rc::Rc;

use super::Interp;
use super::function::Run;
use crate::module::{Expr, ExprId, Part, Symbol};
use crate::python::halt::{Halt, Origin, Raised, Step, Why};
use crate::python::{Class, Exception, Instance, Site, Subject, Value};
use crate::text::Span;

/// An exception that would have ended the program.
#[derive(Clone, Debug)]
pub struct Reported {
    /// The class, with its module where it is not a builtin (`jax.errors.TracerBoolConversionError`).
    pub class: String,
    /// The whole message.
    pub message: String,
    /// The user's frames, innermost first.
    pub frames: Vec<(Site, Symbol)>,
    /// Whether the program raised it itself.
    pub by_program: bool,
    /// A hint.
    pub help: Option<Rc<str>>,
    /// Related places.
    pub related: Vec<(Site, Rc<str>)>,
    /// What it is about.
    pub subject: Option<Rc<Subject>>,
}

impl Exception {
    /// Whether it is the engine's own of this class.
    pub fn is_native(&self, class: &str) -> bool {
        matches!(&self.what, Raised::Native(name, _) if name.as_str() == class)
    }
    /// Changes the message of one of the engine's own.
    pub fn edit_message(&mut self, edit: impl FnOnce(&str) -> String) {
        if let Raised::Native(_, message) = &mut self.what {
            *message = edit(message).into();
        }
    }
}

impl Run<'_> {
    /// Gives an exception this place, if it has passed no user's frame yet or comes from an inner one.
    pub fn place(&mut self, exception: &mut Exception, span: Span) {
        if exception.frames.is_empty() {
            exception.frames.push((self.site(span), self.code.name));
        }
    }

    /// Notes what the names in an expression that failed hold: other calls may have seen others.
    pub fn note_operands(&self, exception: &mut Exception, expr: ExprId) {
        if self.it.catching.get() > 0 {
            return;
        }
        let mut parts = vec![expr];
        while let Some(part) = parts.pop() {
            match self.module.expr(part) {
                Expr::Name(place, name) => {
                    if let Ok(Value::Array(array)) = self.load(*place, *name) {
                        let text = array.aval.to_string().into();
                        exception.related.push((self.site(self.module.span(part)), text));
                    }
                }
                // The operands of an operand are one step too far, those of a display and of a method's receiver are not.
                Expr::Tuple(_) | Expr::List(_) | Expr::Attribute(..) => self.module.expr(part).parts(&mut |inner| {
                    if let Part::Expr(inner) = inner {
                        parts.push(inner);
                    }
                }),
                whole if part == expr => whole.parts(&mut |inner| {
                    if let Part::Expr(inner) = inner {
                        parts.push(inner);
                    }
                }),
                _ => {}
            }
        }
        exception.related.sort_by_key(|(site, _)| site.span.start);
    }
}

impl Interp {
    /// The class of an exception.
    ///
    /// # Errors
    /// Unknown where the class is not loaded.
    pub fn exception_class(self: &Rc<Self>, exception: &Exception) -> Step<Rc<Class>> {
        match &exception.what {
            Raised::Instance(instance) => Ok(instance.class()),
            Raised::Native(name, _) => self.named_class(*name),
        }
    }

    /// A class by its (dotted) name: a builtin, or a framework's.
    ///
    /// # Errors
    /// Unknown where there is none.
    pub fn named_class(self: &Rc<Self>, name: Symbol) -> Step<Rc<Class>> {
        if let Some(Value::Class(class)) = self.builtins.borrow().get(&name) {
            return Ok(class.clone());
        }
        if let Some(Value::Class(class)) = self.named_classes.borrow().get(&name) {
            return Ok(class.clone());
        }
        if let Some((module, member)) = name.as_str().rsplit_once('.')
            && let Ok(module) = self.import(Symbol::from(module))
            && let Some(Value::Class(class)) = self.find_attr(&module, Symbol::from(member))?
        {
            self.named_classes.borrow_mut().insert(name, Value::Class(class.clone()));
            return Ok(class);
        }
        Err(Halt::unknown(format!("no class `{name}`")))
    }

    /// The exception as an instance, made if it is the engine's own.
    ///
    /// # Errors
    /// Unknown where the class is not loaded.
    pub fn exception_instance(self: &Rc<Self>, exception: &Exception) -> Step<Value> {
        match &exception.what {
            Raised::Instance(instance) => Ok(Value::Instance(instance.clone())),
            Raised::Native(name, message) => {
                let class = self.named_class(*name).or_else(|_| self.named_class(sym!("Exception")))?;
                let instance = Instance::new(class);
                let args = match name.as_str() {
                    _ if message.is_empty() => Value::tuple([]),
                    "KeyError" => Value::tuple([key_of_repr(message)]),
                    _ => Value::tuple([Value::Str(message.clone())]),
                };
                instance.set_payload(args);
                instance.set(sym!("__context__"), Value::unknown("what was handled when an exception came up"));
                Ok(Value::Instance(instance))
            }
        }
    }

    /// The exception that is being handled.
    ///
    /// # Errors
    /// As [`Interp::exception_instance`].
    pub fn handled_instance(self: &Rc<Self>) -> Step<Option<Value>> {
        let Some(exception) = self.handled.borrow().last().cloned() else { return Ok(None) };
        let instance = self.exception_instance(&exception)?;
        // Who asks again gets the same object.
        if let (Value::Instance(same), Some(last)) = (&instance, self.handled.borrow_mut().last_mut()) {
            last.what = Raised::Instance(same.clone());
        }
        Ok(Some(instance))
    }

    /// `StopIteration` of an iterator at its end, with what a generator returned.
    pub fn stop_iteration(self: &Rc<Self>, iterator: &Value) -> Halt {
        let plain = Halt::raise("StopIteration", "");
        let Value::Iter(iter) = iterator else { return plain };
        let (result, Ok(class)) = (iter.with_result(), self.named_class(sym!("StopIteration"))) else {
            return plain;
        };
        if result.is_none() {
            return plain;
        }
        let instance = Instance::with_payload(class, Value::tuple([result]));
        Halt::Raise(Box::new(Exception::new(Raised::Instance(instance))))
    }

    /// The `args` of an exception: what its constructor got, or what it passed on to `BaseException.__init__`.
    pub fn exception_args(&self, instance: &Instance) -> Value {
        let passed = instance.get(sym!("__args__"));
        passed.or_else(|| instance.payload().cloned()).unwrap_or_else(|| Value::tuple([]))
    }

    /// `(class, instance)`, as `__exit__` gets them.
    ///
    /// # Errors
    /// Unknown where the class is not loaded.
    pub fn exception_parts(self: &Rc<Self>, exception: &Exception) -> Step<(Value, Value)> {
        let instance = self.exception_instance(exception)?;
        Ok((Value::Class(self.class_of(&instance)), instance))
    }

    /// Whether `except class` catches an exception; the reason where that is not known.
    ///
    /// # Errors
    /// `TypeError` for what is no exception class.
    pub fn exception_matches(self: &Rc<Self>, exception: &Exception, class: &Value) -> Step<Result<bool, Why>> {
        match class {
            Value::Class(class) => {
                let own = match self.exception_class(exception) {
                    Ok(own) => own,
                    Err(Halt::Unknown(why)) => {
                        // Everything derives from Exception.
                        return Ok(if class.name.as_str() == "Exception" { Ok(true) } else { Err(why) });
                    }
                    Err(halt) => return Err(halt),
                };
                Ok(Ok(own.derives(class)))
            }
            Value::Tuple(classes) => {
                let mut unknown = None;
                for class in classes.iter() {
                    match self.exception_matches(exception, class)? {
                        Ok(true) => return Ok(Ok(true)),
                        Ok(false) => {}
                        Err(why) => unknown = Some(why),
                    }
                }
                Ok(unknown.map_or(Ok(false), Err))
            }
            Value::Unknown(unknown) => Ok(Err(unknown.why.clone())),
            _ => Err(Halt::type_error("catching classes that do not inherit from BaseException is not allowed")),
        }
    }

    /// The exception that `raise value` raises.
    ///
    /// # Errors
    /// What making an instance raises; `TypeError` for what is no exception.
    pub fn exception_from(self: &Rc<Self>, value: &Value) -> Step<Exception> {
        match value {
            Value::Instance(instance) if instance.class().derives(&self.types.base_exception) => {
                Ok(Exception::new(Raised::Instance(instance.clone())))
            }
            Value::Class(class) if class.derives(&self.types.base_exception) => {
                match self.call(value, crate::python::Args::none())? {
                    Value::Instance(instance) => Ok(Exception::new(Raised::Instance(instance))),
                    _ => Err(Halt::unknown("an exception that is not known")),
                }
            }
            Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
            _ => Err(Halt::type_error("exceptions must derive from BaseException")),
        }
    }

    /// Whether it is `AttributeError` (or derives from it).
    pub fn is_attribute_error(self: &Rc<Self>, exception: &Exception) -> bool {
        self.is_exception(exception, "AttributeError")
    }

    /// Whether it is of this builtin class.
    pub fn is_exception(self: &Rc<Self>, exception: &Exception, name: &str) -> bool {
        if exception.is_native(name) {
            return true;
        }
        if !name.contains('.') {
            let is_named = |class: &Rc<Class>| class.is_builtin() && class.name.as_str() == name;
            return self.exception_class(exception).is_ok_and(|own| own.mro.borrow().iter().any(is_named));
        }
        match (self.exception_class(exception), self.named_class(Symbol::from(name))) {
            (Ok(own), Ok(class)) => own.derives(&class),
            _ => false,
        }
    }

    /// Notes that an expression or statement of the user's ended as unknown.
    pub fn note_loss(&self) {
        self.losses.set(self.losses.get() + 1);
        self.library_lost.set(self.library_lost.get() || self.leaving_library.take());
    }

    /// Whether an exception may come from what a library's function left undone: what the framework says of arrays that are
    /// known, and a name that nothing binds, do not. What it says of the containers of arrays may: they lack what was to be put there.
    pub fn may_follow_from_loss(self: &Rc<Self>, exception: &Exception) -> bool {
        const OF_CONTAINERS: [&str; 6] = [
            "at least one a",
            "no values to scan over",
            "tree structure",
            "tree prefix",
            "leaves for PyTreeDef",
            "Mismatch",
        ];
        let (_, text) = self.describe_exception(exception);
        if OF_CONTAINERS.iter().any(|part| text.contains(part)) {
            return true;
        }
        let of_arrays = exception.origin == Some(Origin::Model) || !exception.related.is_empty();
        let of_framework = matches!(&exception.what, Raised::Native(class, _) if class.as_str().starts_with("jax."));
        !(of_arrays || of_framework || self.is_exception(exception, "NameError"))
    }

    /// Whether an exception that came up in a library's source is what Python would raise there: nothing was lost before, and
    /// it is about types that are modelled whole.
    pub fn is_sure_in_library(&self, exception: &Exception) -> bool {
        const WHOLE: [&str; 14] = [
            "int",
            "float",
            "complex",
            "bool",
            "str",
            "bytes",
            "list",
            "tuple",
            "dict",
            "set",
            "function",
            "ArrayImpl",
            "jaxlib._jax.ArrayImpl",
            "DynamicJaxprTracer",
        ];
        // What holds others and has no hash.
        const HOLDING: [&str; 4] = ["numpy.ndarray", "list", "dict", "set"];
        let Raised::Native(class, message) = &exception.what else { return false };
        let quoted: Vec<&str> = message.split('\'').skip(1).step_by(2).collect();
        let about = match (class.as_str(), &quoted[..]) {
            ("TypeError", [left, right]) if message.starts_with("unsupported operand type(s) for ") => {
                vec![*left, *right]
            }
            ("AttributeError", [of, name])
                if message.contains("object has no attribute") && !name.starts_with("__") =>
            {
                vec![*of]
            }
            // What is hashed: objects of libraries hash what they hold.
            ("TypeError", [of])
                if message.starts_with("unhashable type: ") && (is_of_arrays(of) || HOLDING.contains(of)) =>
            {
                Vec::new()
            }
            // What a function is not given that has no default for it.
            ("TypeError", [_, ..])
                if message.contains("() missing ") && message.contains(" required ") && !message.starts_with("__") =>
            {
                Vec::new()
            }
            // More than a function takes.
            ("TypeError", [])
                if message.contains("() takes ")
                    && message.contains(" positional argument")
                    && !message.starts_with("__") =>
            {
                Vec::new()
            }
            // What is called, walked, measured or asked for an item and is plain.
            ("TypeError", [of])
                if message.ends_with("' object is not callable")
                    || message.ends_with("' object is not iterable")
                    || message.ends_with("' object is not subscriptable")
                    || message.ends_with("' has no len()") =>
            {
                vec![*of]
            }
            // Sizes that are fewer than a layer needs.
            ("IndexError", []) if &**message == "tuple index out of range" => Vec::new(),
            ("ValueError", [])
                if message.starts_with("not enough values to unpack (expected ")
                    || message.starts_with("too many values to unpack (expected ") =>
            {
                Vec::new()
            }
            // What is handed to a container that a library makes.
            ("TypeError", []) if message.starts_with("cannot convert dictionary update sequence element") => Vec::new(),
            _ => return false,
        };
        self.losses.get() == 0 && about.iter().all(|name| WHOLE.contains(name))
    }

    /// Whether an operation is said to find `None`.
    pub(super) fn is_about_none(&self, exception: &Exception) -> bool {
        match &exception.what {
            Raised::Native(class, message) => {
                matches!(class.as_str(), "AttributeError" | "TypeError") && message.contains("NoneType")
            }
            Raised::Instance(_) => false,
        }
    }

    /// Whether it ends the program by the program's own wish.
    pub fn is_exit(self: &Rc<Self>, exception: &Exception) -> bool {
        let is_exit = |name: Symbol| name == sym!("SystemExit") || name == sym!("KeyboardInterrupt");
        match &exception.what {
            Raised::Native(name, _) => is_exit(*name),
            Raised::Instance(instance) => {
                let class = instance.class_ref();
                // Neither has a subclass among the builtins.
                match class.is_builtin() {
                    true => is_exit(class.name),
                    false => class.mro.borrow().iter().any(|class| class.is_builtin() && is_exit(class.name)),
                }
            }
        }
    }

    /// The class name with its module, and the message.
    pub fn describe_exception(self: &Rc<Self>, exception: &Exception) -> (String, String) {
        match &exception.what {
            Raised::Native(name, message) => (name.to_string(), message.to_string()),
            Raised::Instance(instance) => {
                let class = instance.class();
                let name = match class.named_module().as_str() {
                    "builtins" => class.qualname.to_string(),
                    module => format!("{module}.{}", class.qualname),
                };
                let text = self.while_catching(|| self.str_of(&Value::Instance(instance.clone())));
                (name, text.ok().and_then(|t| t.as_str().map(str::to_owned)).unwrap_or_default())
            }
        }
    }

    /// The frames that an exception has passed, each once, and those that still run, innermost first.
    pub(crate) fn whole_stack(&self, passed: &[(Site, Symbol)]) -> Vec<(Site, Symbol)> {
        let mut frames: Vec<(Site, Symbol)> = Vec::with_capacity(passed.len());
        for (site, name) in passed {
            // A statement around the place within the same function says nothing new.
            let around = frames.last().is_some_and(|(inner, of)| {
                of == name
                    && inner.file == site.file
                    && site.span.start <= inner.span.start
                    && inner.span.end <= site.span.end
            });
            if !around {
                frames.push((*site, *name));
            }
        }
        let stack = self.user_stack.borrow();
        let own = stack.last().is_some_and(|(_, name)| frames.last().is_some_and(|(_, of)| of == name));
        frames.extend(stack.iter().rev().skip(usize::from(own)).copied());
        frames
    }

    /// Where the innermost frame of the user stands.
    pub fn standing(&self) -> Option<Site> {
        self.user_stack.borrow().last().map(|(site, _)| *site)
    }

    /// Whether an exception comes of an argument that was not given: its `None` is in the message, or the name of its type, or what the
    /// program raises names the argument.
    fn is_of_command_line(&self, exception: &Exception, message: &str) -> bool {
        let names = self.left_out.borrow();
        let words = || message.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        let is_named = |name: &Symbol| {
            let dashed = name.as_str().replace('_', "-");
            !dashed.is_empty() && words().any(|word| word == name.as_str() || word.trim_start_matches('-') == dashed)
        };
        !names.is_empty() && (message.contains("None") || exception.by_program && names.iter().any(is_named))
    }

    /// Reports an exception that would have ended the program.
    pub fn report(self: &Rc<Self>, exception: &Exception) {
        let (class, message) = self.describe_exception(exception);
        if self.is_of_command_line(exception, &message) {
            return;
        }
        self.note_ended();
        if self.repro.on.get() {
            self.recorded_report(exception);
        }
        let reported = Reported {
            class,
            message,
            frames: self.whole_stack(&exception.frames),
            by_program: exception.by_program,
            help: exception.help.clone(),
            related: exception.related.clone(),
            subject: exception.subject.clone(),
        };
        let mut all = self.reported.borrow_mut();
        // Behind an exception the same one again in the same function, and endless recursion, come of what is gone.
        let beside = self.recorder.is_beside.get();
        if beside && reported.class == "RecursionError" {
            return;
        }
        let function = |r: &Reported| r.frames.first().map(|(site, name)| (site.file, *name));
        let same = |r: &Reported| {
            r.class == reported.class
                && (r.frames.first() == reported.frames.first()
                    || beside && r.message == reported.message && function(r) == function(&reported))
        };
        if all.len() < MOST_REPORTS && !all.iter().any(same) {
            self.novelty.set(self.novelty.get() + 1);
            all.push(reported);
        }
    }
}

/// At most so many exceptions are reported of one run.
const MOST_REPORTS: usize = 200;

/// The key in a message of the engine's own `KeyError`, which is the key's `repr`; the text itself where that is not plain.
fn key_of_repr(text: &str) -> Value {
    if let Ok(number) = text.parse() {
        return Value::Int(number);
    }
    match text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        Some(inner) if !inner.contains(['\'', '\\']) => Value::str(inner),
        _ => Value::str(text),
    }
}

/// Whether a type's name is one of arrays, or of what stands for them in traces.
fn is_of_arrays(name: &str) -> bool {
    name.ends_with("ArrayImpl") || name.ends_with("Tracer")
}
