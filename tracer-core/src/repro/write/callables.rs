//! Functions of the program as arguments: which call stands for them, and what stands for those that nobody has called.

use std::rc::Rc;

use super::access::is_callable;
use super::expression::{Ex, POSTFIX};
use super::found::made_with;
use super::{Line, Writer};
use crate::frameworks::is_framework;
use crate::module::Symbol;
use crate::python::{Function, Key, Site, Value};
use crate::repro::literal;
use crate::repro::names::free_name;
use crate::repro::normalize;
use crate::repro::tree::{self, Arg, Op, Param, ParamKind, Source};

/// A function with some of its arguments: the function, those by position, those by name.
type WithArguments = (Value, Rc<[Value]>, Vec<(Symbol, Value)>);

/// The parts of a `functools.partial`, or of what a library has in its place: an object that keeps all three.
pub fn with_arguments(value: &Value) -> Option<WithArguments> {
    let Value::Instance(instance) = value else { return None };
    let function = instance.get(sym!("func"))?;
    let Some(Value::Tuple(args)) = instance.get(sym!("args")) else { return None };
    let keywords = instance.get(sym!("keywords")).or_else(|| instance.get(sym!("kwargs")));
    let Some(Value::Dict(keywords)) = keywords else { return None };
    let named = |(key, given): (&Key, &Value)| Some((Symbol::from(key.value.as_str()?), given.clone()));
    let keywords = keywords.read().iter().map(named).collect::<Option<_>>()?;
    Some((function, args, keywords))
}

/// The default of a parameter.
pub fn default_of(function: &Function, slot: usize) -> Option<Value> {
    let params = &function.code().params;
    let positional = params.positional as usize;
    match slot < positional {
        true => function.defaults.get((slot + function.defaults.len()).checked_sub(positional)?).cloned(),
        false => function.kw_defaults.get(slot - positional).filter(|default| !default.is_unbound()).cloned(),
    }
}

/// A function of Python's `operator`, as what it does.
fn operator(function: &Function) -> Option<Ex> {
    if function.module.name.as_str() != "operator" {
        return None;
    }
    let sign = match function.name().as_str() {
        "add" | "iadd" => "+",
        "sub" | "isub" => "-",
        "mul" | "imul" => "*",
        "truediv" | "itruediv" => "/",
        "floordiv" => "//",
        "mod" => "%",
        "pow" => "**",
        "matmul" => "@",
        "and_" => "&",
        "or_" => "|",
        "xor" => "^",
        "lshift" => "<<",
        "rshift" => ">>",
        "lt" => "<",
        "le" => "<=",
        "eq" => "==",
        "ne" => "!=",
        "ge" => ">=",
        "gt" => ">",
        "neg" => return Some(Ex::lambda("lambda a: -a".into())),
        "invert" | "inv" => return Some(Ex::lambda("lambda a: ~a".into())),
        "getitem" => return Some(Ex::lambda("lambda a, b: a[b]".into())),
        _ => return None,
    };
    let text = if sign == "**" { "a**b".to_owned() } else { format!("a {sign} b") };
    Some(Ex::lambda(format!("lambda a, b: {text}")))
}

/// The module that a message says a class is of (`<class 'models.Layer'>`).
fn module_of<'a>(message: &'a str, class: &str) -> Option<&'a str> {
    let before = &message[..message.find(&format!(".{class}'>"))?];
    before.rsplit_once("<class '").map(|(_, module)| module)
}

/// Whether an error is about an array that was to be hashed.
fn is_of_hash(message: &str) -> bool {
    let of = message.strip_prefix("unhashable type: '").and_then(|rest| rest.strip_suffix('\''));
    of.is_some_and(|name| name.ends_with("Tracer") || name.ends_with("ArrayImpl"))
}

impl Writer<'_> {
    /// A function of the program.
    pub fn callable(&mut self, value: &Value) -> Ex {
        if let Value::Function(function) = value
            && function.module.unit.ours
        {
            let found = self.origin(value).or_else(|| self.bound(value)).or_else(|| operator(function));
            return match found.or_else(|| self.zeros_of_callback(function)) {
                Some(ex) => ex,
                None => self.lost(),
            };
        }
        if let Value::Instance(_) = value
            && let Some(ex) = self.bound(value)
        {
            return ex;
        }
        if let Some(name) = self.given_as(value) {
            return Ex::atom(name);
        }
        if let Some(ex) = self.partial(value).or_else(|| self.method_of_framework(value)) {
            return ex;
        }
        let parts = self.parts(value);
        let made_with = made_with(value);
        let is_found = parts.as_ref().is_some_and(|(function, ..)| self.find_def(function).is_some());
        if !is_found && let Some(id) = self.called_on(value) {
            return self.written(id, &|i, _| i == 0);
        }
        let Some((function, given, named)) = parts else { return self.lost() };
        if given == 0
            && named.is_empty()
            && let Some(ex) = self.verbatim(&function)
        {
            return ex;
        }
        if let Value::Method(method) = value
            && let Some(ex) = self.verbatim_method(method)
        {
            return ex;
        }
        if let Some(ex) = self.zeros_of_callback(&function) {
            return ex;
        }
        let Some(id) = self.find_def_with(&function, &made_with) else {
            if let Value::Instance(instance) = value
                && instance.get(sym!("func")).is_none()
            {
                let name = self.class(&instance.class().name, "");
                return Ex::atom(format!("{name}()"));
            }
            if given == 0
                && named.is_empty()
                && let Some(ex) = self.short_text(&function)
            {
                return ex;
            }
            return self.stub(&function, given, &named);
        };
        let params = &self.state.defs[id].params;
        let plain = params.iter().take_while(|param| param.kind == ParamKind::Plain).count();
        if given > plain && params.iter().any(|param| param.kind == ParamKind::Rest) {
            self.into_rest.insert(id, given - plain);
        }
        let is_given = |i: usize, param: &Param| i < given && param.kind == ParamKind::Plain;
        self.written(id, &|i, param| is_given(i, param) || named.contains(&param.name))
    }

    /// A way into a parameter of the body at `level`, whose `*rest` does not have what the callable was made with; `None` for what it was made with.
    pub fn way_into_rest(&self, level: usize, param: usize, path: &[tree::Key]) -> Option<Vec<tree::Key>> {
        let def = self.scopes[level].def;
        let made_with = self.into_rest.get(&def).filter(|_| self.state.defs[def].params[param].kind == ParamKind::Rest);
        let mut path = path.to_vec();
        if let (Some(made_with), Some(tree::Key::Index(at))) = (made_with, path.first_mut()) {
            *at = at.checked_sub(*made_with)?;
        }
        Some(path)
    }

    /// A function that is not being written already.
    fn written(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> Ex {
        if self.scopes.iter().any(|scope| scope.def == id) || self.scopes.len() > 30 {
            return self.lost();
        }
        self.function(id, left_out)
    }

    /// The call of an object's `__call__`, where its class has something that the framework, or a library, has made of that function:
    /// under the statements that are being written, or anywhere.
    fn called_on(&self, value: &Value) -> Option<usize> {
        let Value::Instance(_) = value else { return None };
        let is = |id: &&usize| self.is_call_of(**id, value);
        let under = self.calls.iter().rev().find_map(|call| {
            let children = &self.state.statements[*call].children;
            children.iter().filter(is).find(|id| self.has_failed(**id)).or_else(|| children.iter().find(is)).copied()
        });
        under.or_else(|| (0..self.state.defs.len()).find(|id| is(&id)))
    }

    /// Whether a statement has called the `__call__` of an object.
    fn is_call_of(&self, id: usize, value: &Value) -> bool {
        let def = &self.state.defs[id];
        let is_call = def.parent.is_some() && def.function.as_ref().is_some_and(|f| f.name().as_str() == "__call__");
        let given = def.params.first().filter(|_| is_call).map(|param| &param.given);
        matches!(given, Some(Arg::Tree(first, _) | Arg::Callable(first)) if first.is(value))
    }

    /// A function of the framework with some of its arguments.
    fn partial(&mut self, value: &Value) -> Option<Ex> {
        let (function, args, keywords) = match value {
            // A method that the class has compiled.
            Value::Method(method) if matches!(method.function, Value::Object(_)) => {
                (method.function.clone(), Rc::from([method.receiver.clone()]), Vec::new())
            }
            _ => with_arguments(value)?,
        };
        let base = match &function {
            Value::Function(inner) if !inner.module.unit.ours => return None,
            Value::Function(inner) => {
                self.origin(&function).or_else(|| self.bound(&function)).or_else(|| operator(inner))?
            }
            Value::Native(_) | Value::Object(_) | Value::Class(_) => {
                self.origin(&function).or_else(|| self.bound(&function))?
            }
            // What a call has made (a function with rules of its own), one that has some of its arguments already, and an object of the
            // framework that is called (`jnp.multiply`).
            Value::Instance(_) => {
                self.bound(&function).or_else(|| self.partial(&function)).or_else(|| self.origin(&function))?
            }
            Value::Method(_) => self.method_of_framework(&function)?,
            _ => return None,
        };
        let mut texts = vec![base.text];
        for given in args.iter() {
            let given = normalize::arg(self.it, given);
            texts.push(self.arg(&given).text);
        }
        for (name, given) in keywords {
            let given = normalize::arg(self.it, &given);
            texts.push(format!("{name}={}", self.arg(&given).text));
        }
        let name = self.imports.spell("jax.tree_util.Partial");
        Some(Ex::atom(format!("{name}({})", texts.join(", "))))
    }

    /// A method of an array, or of an object of the framework's (`x.dot`, `jnp.add.reduce`).
    fn method_of_framework(&mut self, value: &Value) -> Option<Ex> {
        let Value::Method(method) = value else { return None };
        let name = match (self.state.methods.get(&method.function.identity()), &method.function) {
            (Some(name), _) => *name,
            (None, Value::Function(function)) if is_framework(function.module.name.as_str()) => function.name(),
            _ => return None,
        };
        let of = match &method.receiver {
            of @ Value::Array(_) => self.leaf(of),
            of => self.origin(of).or_else(|| self.bound(of))?,
        };
        Some(Ex::atom(format!("{}.{name}", of.within(POSTFIX))))
    }

    /// The parameter that a function of the program is given as, by the innermost body that is.
    fn given_as(&mut self, value: &Value) -> Option<String> {
        for level in (0..self.scopes.len()).rev() {
            let params = &self.state.defs[self.scopes[level].def].params;
            let is_it = |given: &Arg| matches!(given, Arg::Callable(other) if other.is(value));
            let Some(at) = params.iter().position(|param| is_it(&param.given)) else { continue };
            let Some(name) = self.scopes[level].names.get(&(Source::Param(at), 0)).cloned() else { continue };
            self.reads_parameter(level, at, &[]);
            self.reached.insert(level);
            for inner in &mut self.scopes[level + 1..] {
                inner.outer.insert(level);
            }
            return Some(name);
        }
        None
    }

    /// Whether the statement that is being written calls an instance of the program's; where it only makes a function of it (`vmap(net)`),
    /// whether the one that calls that function does.
    pub fn is_called(&self, value: &Value) -> bool {
        if self.calls.last().is_some_and(|call| self.is_own_call(*call, value)) {
            return false;
        }
        let function = self.parts(value).map(|(function, ..)| function);
        let is = |def: &usize| {
            let own = self.state.defs[*def].function.as_ref();
            let is_own = own.zip(function.as_ref()).is_some_and(|(own, function)| Rc::ptr_eq(own, function));
            is_own || self.is_call_of(*def, value)
        };
        for call in self.calls.iter().rev() {
            let statement = &self.state.statements[*call];
            if statement.children.iter().any(is) {
                return true;
            }
            let made = statement.result.as_ref().map(|(_, made)| made);
            if !matches!(made, Some(Arg::Leaf(made) | Arg::Callable(made)) if is_callable(made)) {
                return false;
            }
        }
        false
    }

    /// Whether the statement that is being written makes a function of an instance of the program's (`vmap(net)`).
    pub fn is_transformed(&self, value: &Value) -> bool {
        let Some(call) = self.calls.last().map(|call| &self.state.statements[*call]) else { return false };
        let is_first = matches!(call.args.first(), Some(Arg::Tree(first, _)) if first.is(value));
        let made = call.result.as_ref().map(|(_, made)| made);
        let is_made = matches!(made, Some(Arg::Leaf(made) | Arg::Callable(made)) if is_callable(made));
        is_first && is_made && matches!(&call.op, Op::Call(callee) if self.is_of_framework(callee))
    }

    fn is_of_framework(&self, callee: &Value) -> bool {
        matches!(callee, Value::Function(function) if is_framework(function.module.name.as_str()))
    }

    /// An instance of which a function is made that fails before it calls it, or that nobody calls.
    pub fn uncalled(&mut self, value: &Value) -> Ex {
        match self.parts(value) {
            Some((function, given, named)) => self.stub(&function, given, &named),
            None => Ex::lambda("lambda *args: None".into()),
        }
    }

    /// Whether a statement calls what an object's class has as its `__call__`: the object is an argument then.
    fn is_own_call(&self, call: usize, value: &Value) -> bool {
        let statement = &self.state.statements[call];
        let (Op::Call(callee), Value::Instance(instance)) = (&statement.op, value) else { return false };
        let is_first = matches!(statement.args.first(), Some(Arg::Tree(first, _)) if first.is(value));
        is_first && instance.class().lookup(sym!("__call__")).is_some_and(|own| own.is(callee))
    }

    /// The function behind a callable, and which of its parameters it is given.
    pub fn parts(&self, value: &Value) -> Option<(Rc<Function>, usize, Vec<Symbol>)> {
        match value {
            Value::Function(function) => Some((function.clone(), 0, Vec::new())),
            Value::Method(method) => {
                let (function, given, named) = self.parts(&method.function)?;
                Some((function, given + 1, named))
            }
            Value::Instance(instance) => {
                if let Some((inner, args, keywords)) = with_arguments(value) {
                    let (function, given, mut named) = self.parts(&inner)?;
                    named.extend(keywords.iter().map(|(name, _)| *name));
                    return Some((function, given + args.len(), named));
                }
                let method = instance.class().lookup(sym!("__call__"))?;
                let (function, given, named) = self.parts(&method)?;
                Some((function, given + 1, named))
            }
            _ => None,
        }
    }

    pub fn with_default(&mut self, name: String, default: Option<Value>) -> String {
        match default {
            Some(default) => {
                let default = normalize::arg(self.it, &default);
                format!("{name}={}", self.arg(&default).text)
            }
            None => name,
        }
    }

    /// A function that nobody called: its name and its parameters are all that matters.
    pub fn stub(&mut self, function: &Rc<Function>, given: usize, named: &[Symbol]) -> Ex {
        let code = function.code().clone();
        let all = &code.params;
        let mut params = Vec::new();
        for (slot, param) in all.names.iter().enumerate() {
            let at = Some(slot as u32);
            if at == all.var_positional || at == all.var_keyword || slot < given || named.contains(&param.name) {
                continue;
            }
            if slot == all.positional as usize {
                params.push(match all.var_positional {
                    Some(rest) => format!("*{}", all.names[rest as usize].name),
                    None => "*".into(),
                });
            }
            // Nobody calls it: an array as a default would have to stand above it.
            let default = default_of(function, slot).map(|default| match normalize::arg(self.it, &default) {
                Arg::Plain(_) => default,
                _ => Value::None,
            });
            params.push(self.with_default(param.name.to_string(), default));
        }
        if let Some(rest) = all.var_positional.filter(|_| all.keyword_only == 0) {
            params.push(format!("*{}", all.names[rest as usize].name));
        }
        params.extend(all.var_keyword.map(|rest| format!("**{}", all.names[rest as usize].name)));
        let params = params.join(", ");
        if function.name().as_str() == "<lambda>" {
            let space = if params.is_empty() { "" } else { " " };
            return Ex::lambda(format!("lambda{space}{params}: None"));
        }
        let hint = function.name().to_string();
        let key = format!("{hint}({params}) pass");
        if let Some(name) = self.scopes[0].functions.get(&key) {
            return Ex::atom(name.clone());
        }
        let name = free_name(&hint, |name| self.given.contains(name));
        self.give(name.clone());
        self.scopes[0].functions.insert(key, name.clone());
        let site = Some(Site { file: function.module.unit.file, span: code.name_span });
        let slot = self.scopes[0].slots.entry(0).or_default();
        slot.push(Line::new(0, format!("def {name}({params}):"), site));
        slot.push(Line::new(4, "pass", site));
        if let Some(line) = self.qualified(function, &name) {
            self.scopes[0].slots.entry(0).or_default().push(Line::new(0, line, site));
        }
        Ex::atom(name)
    }

    /// The line that calls a function what it is called in the message of the error (`Model.loss() takes 2 positional arguments`,
    /// `to <function Model.loss at 0x…>`).
    pub fn qualified(&self, function: &Function, name: &str) -> Option<String> {
        let qualname = function.qualname();
        let message = &self.failing.as_ref()?.message;
        let raised = message.strip_prefix(qualname.as_str()).is_some_and(|rest| rest.starts_with("()"));
        let is_called_so = raised || message.contains(&format!("<function {qualname} at "));
        (is_called_so && qualname.as_str() != name)
            .then(|| format!("{name}.__qualname__ = {}", literal::text(&qualname)))
    }

    /// Whether nothing of a result is known.
    fn gives_nothing(&self, result: &Arg) -> bool {
        result.is_lost() || matches!(result, Arg::Plain(Value::None))
    }

    /// What stands for the function of a callback of which nothing is known: zeros of the types that it declares.
    fn zeros_of_callback(&mut self, function: &Rc<Function>) -> Option<Ex> {
        let shapes = self.declared_by_callback(function)?;
        let (map, zeros) = (self.imports.spell("jax.tree.map"), self.imports.spell("numpy.zeros"));
        let shapes = self.arg(&shapes).text;
        self.approximate = true;
        Some(Ex::lambda(format!("lambda *args: {map}(lambda a: {zeros}(a.shape, a.dtype), {shapes})")))
    }

    /// What a callback declares that its function gives, where the statement that is being written is one of this function.
    fn declared_by_callback(&self, function: &Rc<Function>) -> Option<Arg> {
        let call = &self.state.statements[*self.calls.last()?];
        let Op::Call(Value::Function(callee)) = &call.op else { return None };
        if !callee.module.unit.ours || !matches!(callee.name().as_str(), "pure_callback" | "io_callback") {
            return None;
        }
        let Some(Arg::Callable(given)) = call.args.first() else { return None };
        let (own, ..) = self.parts(given)?;
        let result = self.find_def(function).and_then(|id| self.state.defs[id].result.as_ref());
        let is_lost = result.is_none_or(|result| self.gives_nothing(result));
        (is_lost && Rc::ptr_eq(&own, function)).then(|| call.args.get(1).cloned()).flatten()
    }

    /// Whether a statement that is being written has failed over an object that hashes arrays, and called nothing else.
    pub fn is_hashed_in_vain(&self) -> bool {
        self.calls.iter().any(|call| {
            let statement = &self.state.statements[*call];
            let hashes = |def: &usize| {
                self.state.defs[*def].function.as_ref().is_some_and(|function| function.name().as_str() == "__hash__")
            };
            statement.children.iter().all(hashes) && statement.errors.iter().any(|error| is_of_hash(&error.message))
        })
    }

    /// An object that is handed over to be called, and hashed by the arrays in it.
    pub fn hashed(&mut self, value: &Value, tree: &Arg) -> Ex {
        let Value::Instance(instance) = value else { return self.arg(tree) };
        let class = instance.class();
        let mut leaves = Vec::new();
        tree.leaves(&mut Vec::new(), &mut |leaf, _| {
            if matches!(leaf, Value::Array(_)) {
                leaves.push(leaf.clone());
            }
        });
        let texts: Vec<String> = leaves.iter().map(|leaf| self.leaf(leaf).text).collect();
        let key = format!("class {}, hashed", class.name);
        let name = match self.scopes[0].functions.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = free_name(&class.name, |name| self.given.contains(name));
                self.give(name.clone());
                self.scopes[0].functions.insert(key, name.clone());
                let slot = self.scopes[0].slots.entry(0).or_default();
                slot.push(Line::new(0, format!("class {name}:"), None));
                let methods = [
                    ("__init__(self, *leaves)", "self.leaves = leaves"),
                    ("__hash__(self)", "return hash(self.leaves)"),
                    ("__call__(self, *args)", "pass"),
                ];
                for (head, body) in methods {
                    slot.push(Line::new(4, format!("def {head}:"), None));
                    slot.push(Line::new(8, body, None));
                }
                name
            }
        };
        Ex::atom(format!("{name}({})", texts.join(", ")))
    }

    /// An instance of a class of the program's that the framework does not look into.
    pub fn class(&mut self, class: &str, bases: &str) -> String {
        let key = format!("class {class}");
        match self.scopes[0].functions.get(&key) {
            Some(name) => name.clone(),
            None => {
                let name = free_name(class, |name| self.given.contains(name));
                self.give(name.clone());
                self.scopes[0].functions.insert(key, name.clone());
                let module = self.failing.as_ref().and_then(|raised| module_of(&raised.message, class));
                let body = module.map_or("pass".to_owned(), |module| format!("__module__ = {}", literal::text(module)));
                let slot = self.scopes[0].slots.entry(0).or_default();
                slot.push(Line::new(0, format!("class {name}{bases}:"), None));
                slot.push(Line::new(4, body, None));
                name
            }
        }
    }
}
