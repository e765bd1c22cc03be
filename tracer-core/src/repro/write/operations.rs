//! Operations: calls, operators, subscripts.

use super::access::is_callable;
use super::callables::{default_of, with_arguments};
use super::expression::{Ex, POSTFIX, UNARY, binary};
use super::pieces::Piece;
use super::{Line, Writer};
use crate::frameworks::jax::jit::jitted;
use crate::interp::compare::symbol;
use crate::interp::operator::{Way, named};
use crate::module::{BinaryOp, Symbol, UnaryOp};
use crate::python::{Site, Value};
use crate::repro::layout::split;
use crate::repro::tree::{Access, Arg, Op, Origin, Source};

/// Methods that a builtin function stands for.
const BUILTINS: [(&str, &str); 2] = [("__abs__", "abs"), ("__round__", "round")];

impl Writer<'_> {
    /// The expression of a statement.
    pub fn statement(&mut self, id: usize) -> Ex {
        if self.is_under_way(id) || self.calls.len() > 60 {
            self.approximate = true;
            return Ex::atom("None");
        }
        self.calls.push(id);
        let (ex, inner) = self.noted(|w| w.operation(id));
        self.calls.pop();
        self.pieces.push(Piece { text: ex.text.clone(), site: self.state.statements[id].site, inner });
        ex
    }

    /// Whether a statement is being written. What makes a function that calls itself is written once more for a call in the body of an
    /// earlier call of it: the function is another one there, since what it does is written for each call.
    pub fn is_under_way(&self, id: usize) -> bool {
        if !self.calls.contains(&id) {
            return false;
        }
        let result = self.state.statements[id].result.as_ref().map(|(_, result)| result);
        let is_made = matches!(result, Some(Arg::Leaf(made) | Arg::Callable(made)) if is_callable(made));
        let caller = self.calls.last().filter(|call| **call != id).map(|call| &self.state.statements[*call]);
        let is_inside = caller.is_some_and(|caller| self.scopes.iter().skip(1).any(|scope| scope.def == caller.parent));
        !is_made || !is_inside || self.effects.contains_key(&id)
    }

    pub fn operation(&mut self, id: usize) -> Ex {
        let statement = &self.state.statements[id];
        let args = &statement.args;
        self.emitted.insert(id);
        match &statement.op {
            Op::Bind(primitive, outputs) => {
                let avals = args.iter().filter_map(|arg| match arg {
                    Arg::Leaf(Value::Array(array)) => Some(&array.aval),
                    _ => None,
                });
                let avals: Vec<_> = avals.collect();
                let texts: Vec<String> = args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Leaf(Value::Array(array)) => self.operand(&**primitive, array, &avals),
                        arg => self.arg(arg).text,
                    })
                    .collect();
                self.applied(&**primitive, &texts, outputs, statement.site)
            }
            Op::Call(callee) => {
                let is_given = |(name, arg): &&(Symbol, Arg)| {
                    let is_said = !is_default(callee, *name, arg) || self.says(statement.site, name.as_str(), arg);
                    // Where the leaves of a library's maps are shows in what they give.
                    is_said && (!statement.is_map() || self.has_text(arg))
                };
                let keywords: Vec<_> = statement.keywords.iter().filter(is_given).cloned().collect();
                self.call(callee, args, &keywords)
            }
            Op::Binary(op) => self.binary(*op, &args[0], &args[1]),
            Op::Compare(op) => {
                let (left, right) = (self.arg(&args[0]), self.arg(&args[1]));
                Ex { text: format!("{} {} {}", left.within(3), symbol(*op), right.within(3)), strength: 2 }
            }
            Op::Unary(op) => {
                let value = self.arg(&args[0]);
                let sign = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Pos => "+",
                    UnaryOp::Invert => "~",
                    UnaryOp::Not => return Ex { text: format!("not {}", value.within(3)), strength: 1 },
                };
                // A power binds closer than the sign; formatters write parentheses all the same.
                let is_power = value.strength > UNARY && value.strength < POSTFIX;
                let operand = value.within(if is_power { POSTFIX } else { UNARY });
                Ex { text: format!("{sign}{operand}"), strength: UNARY }
            }
            Op::Attribute(name) => {
                let value = self.arg(&args[0]);
                Ex::atom(format!("{}.{name}", value.within(POSTFIX)))
            }
            Op::Method(name) => {
                let value = self.arg(&args[0]);
                Ex::atom(format!("{}.{name}()", value.within(POSTFIX)))
            }
            Op::Item => {
                let (value, index) = (self.arg(&args[0]), self.index(&args[1]));
                Ex::atom(format!("{}[{index}]", value.within(POSTFIX)))
            }
            Op::SetItem => {
                let (value, index) = (self.arg(&args[0]), self.index(&args[1]));
                let new = self.arg(&args[2]);
                Ex::atom(format!("{}[{index}] = {}", value.within(POSTFIX), new.text))
            }
            Op::Items => {
                let value = self.arg(&args[0]);
                Ex::atom(format!("list({})", value.text))
            }
            Op::Apply => {
                let callee = self.arg(&args[0]);
                let mut texts: Vec<String> = args[1..].iter().map(|arg| self.arg(arg).text).collect();
                for (name, arg) in &statement.keywords {
                    let value = self.arg(arg);
                    texts.push(format!("{}={}", self.parameter(&callee.text, name.as_str()), value.text));
                }
                Ex::atom(format!("{}({})", callee.within(POSTFIX), texts.join(", ")))
            }
            Op::SetAttribute(name) => {
                let (value, new) = (self.arg(&args[0]), self.arg(&args[1]));
                Ex::atom(format!("{}.{name} = {}", value.within(POSTFIX), new.text))
            }
            Op::DeleteItem => {
                let (value, index) = (self.arg(&args[0]), self.index(&args[1]));
                Ex::atom(format!("del {}[{index}]", value.within(POSTFIX)))
            }
            Op::Unpack(names, starred) => {
                let value = self.arg(&args[0]);
                let name = |i: usize| if Some(i) == *starred { "*_" } else { "_" };
                let targets: Vec<&str> = (0..*names).map(name).collect();
                match &targets[..] {
                    [one] => Ex::atom(format!("({one},) = {}", value.text)),
                    many => Ex::atom(format!("{} = {}", many.join(", "), value.text)),
                }
            }
            Op::Builtin(name) => {
                let texts: Vec<String> = args.iter().map(|arg| self.arg(arg).text).collect();
                Ex::atom(format!("{name}({})", texts.join(", ")))
            }
        }
    }

    /// An operator between two values.
    fn binary(&mut self, op: BinaryOp, left: &Arg, right: &Arg) -> Ex {
        let (text, strength) = binary(op);
        let (left, right) = (self.arg(left), self.arg(right));
        let holds = left.strength > strength && right.strength >= strength;
        if op == BinaryOp::Pow && holds && is_simple(&left.text) && is_simple(&right.text) {
            return Ex { text: format!("{}**{}", left.text, right.text), strength };
        }
        let (l, r) = if op == BinaryOp::Pow { (strength + 1, strength) } else { (strength, strength + 1) };
        Ex { text: format!("{} {text} {}", left.within(l), right.within(r)), strength }
    }

    /// The operator that a special method of an array, or of another object of the framework, stands for, where a wrapper calls it with
    /// another one or a number.
    fn operator(&mut self, name: &str, args: &[Arg]) -> Option<Ex> {
        if let ("__neg__", [own @ Arg::Leaf(Value::Instance(_))]) = (name, args) {
            return Some(Ex { text: format!("-{}", self.arg(own).within(UNARY)), strength: UNARY });
        }
        let [own @ Arg::Leaf(Value::Array(_) | Value::Instance(_)), other] = args else { return None };
        let is_number = |value: &Value| matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_));
        match other {
            Arg::Leaf(Value::Array(_) | Value::Instance(_)) => {}
            Arg::Leaf(value) | Arg::Plain(value) if is_number(value) => {}
            _ => return None,
        }
        match named(name)? {
            (op, Way::Plain) => Some(self.binary(op, own, other)),
            (op, Way::Reflected) => Some(self.binary(op, other, own)),
            (_, Way::InPlace) => None,
        }
    }

    /// Whether the program's text has a plain argument by its name at some place; what a variable hands on is nothing that it says.
    fn says(&self, site: Option<Site>, name: &str, arg: &Arg) -> bool {
        let text = site.and_then(|site| {
            let file = self.analysis.files.get(self.analysis.file_index(site.file)?)?;
            file.text.get(site.span.start as usize..site.span.end as usize)
        });
        let Some(text) = text else { return true };
        let literal = match arg {
            Arg::Plain(Value::None) => "None",
            Arg::Plain(Value::Bool(true)) => "True",
            _ => "False",
        };
        text.match_indices(name).any(|(at, _)| {
            let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let given = text[at + name.len()..].trim_start().strip_prefix('=');
            is_whole && given.is_some_and(|given| given.trim_start().starts_with(literal))
        })
    }

    /// A builtin function where the program calls the method of an array that is behind it, or Python does for it.
    fn builtin(&mut self, callee: &Value, args: &[Arg]) -> Option<Ex> {
        let origin = self.state.origins.get(&callee.identity());
        let (receiver, name, rest) = match (origin, args.split_first()) {
            (Some(Origin::Attribute(of @ Value::Array(_), name)), _) => (Arg::Leaf(of.clone()), *name, args),
            (None, Some((receiver @ Arg::Leaf(Value::Array(_)), rest))) => {
                let name = *self.state.methods.get(&callee.identity())?;
                (receiver.clone(), name, rest)
            }
            _ => return None,
        };
        let (_, builtin) = BUILTINS.iter().find(|(method, _)| *method == name.as_str())?;
        // A variable of that name would take its place.
        if self.scopes.iter().any(|scope| scope.taken.contains(*builtin)) {
            return None;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.builtins.insert(builtin);
        }
        let mut texts = vec![self.arg(&receiver).text];
        texts.extend(rest.iter().map(|arg| self.arg(arg).text));
        Some(Ex::atom(format!("{builtin}({})", texts.join(", "))))
    }

    pub fn call(&mut self, callee: &Value, args: &[Arg], keywords: &[(Symbol, Arg)]) -> Ex {
        if let Some(ex) = self.builtin(callee, args).filter(|_| keywords.is_empty()) {
            return ex;
        }
        let args = &args[..self.converted(callee).unwrap_or(args.len()).min(args.len())];
        let known = self.origin(callee).or_else(|| self.bound(callee)).or_else(|| self.leaked(callee));
        let known = known.or_else(|| with_arguments(callee).map(|_| self.callable(callee)));
        let (function, rest) = match (known, args.split_first()) {
            (Some(function), _) => (function.within(POSTFIX), args),
            (None, Some((receiver, rest))) => {
                let method = self.state.methods.get(&callee.identity());
                let name = match callee {
                    _ if method.is_some() => method.map(ToString::to_string).unwrap_or_default(),
                    // A wrapper that stands for a method has another name than that.
                    Value::Function(function) => match receiver {
                        Arg::Leaf(Value::Instance(instance)) => instance.class_ref().name_of(function),
                        _ => None,
                    }
                    .unwrap_or_else(|| function.name())
                    .to_string(),
                    Value::Native(native) => native.name.to_string(),
                    _ => "__call__".to_owned(),
                };
                if name == "__getitem__" && rest.len() == 1 {
                    let (value, index) = (self.arg(receiver), self.index(&rest[0]));
                    return Ex::atom(format!("{}[{index}]", value.within(POSTFIX)));
                }
                if name == "__setitem__" && rest.len() == 2 {
                    let (value, index) = (self.arg(receiver), self.index(&rest[0]));
                    let new = self.arg(&rest[1]);
                    return Ex::atom(format!("{}[{index}] = {}", value.within(POSTFIX), new.text));
                }
                if let Some(ex) = self.operator(&name, args).filter(|_| keywords.is_empty()) {
                    return ex;
                }
                let approximate = self.approximate;
                let value = self.arg(receiver).within(POSTFIX);
                let of_stream = of_numpys_stream(callee).filter(|_| value == "None");
                match (of_stream, name.as_str()) {
                    // The stream that NumPy has itself goes by the module's name.
                    (Some(path), _) => {
                        self.approximate = approximate;
                        (self.imports.spell(&path), rest)
                    }
                    (None, "__call__") => (value, rest),
                    (None, name) => (format!("{value}.{name}"), rest),
                }
            }
            (None, None) => {
                self.approximate = true;
                (self.it.callable_name(callee), args)
            }
        };
        let mut texts: Vec<String> = Vec::new();
        for (at, arg) in rest.iter().enumerate() {
            texts.push(match self.is_idle(callee, &function, Place::At(at), arg) {
                true => "None".to_owned(),
                false => self.arg(arg).text,
            });
        }
        for (name, arg) in keywords {
            let value = match self.is_idle(callee, &function, Place::Named(*name), arg) {
                true => "None".to_owned(),
                false if name.ends_with("_argnames") && !texts.is_empty() => {
                    let arg = self.as_written(&texts[0], arg);
                    self.arg(&arg).text
                }
                false => self.arg(arg).text,
            };
            texts.push(format!("{}={value}", self.parameter(&function, name.as_str())));
        }
        Ex::atom(format!("{function}({})", texts.join(", ")))
    }

    /// Whether an argument is a static container that the compiled function, as it is written, does not read: what a library tells its
    /// compiled functions apart by, and configurations that are dictionaries here, which nothing can hash.
    fn is_idle(&self, callee: &Value, written: &str, at: Place, arg: &Arg) -> bool {
        let is_container = match arg {
            Arg::Tuple(items) => !items.is_empty(),
            arg => matches!(arg, Arg::Dict(_) | Arg::List(_)),
        };
        // What fails before anything is traced may be about it.
        let is_traced = self.calls.last().is_some_and(|call| {
            let call = &self.state.statements[*call];
            !call.children.is_empty() || !call.answers.is_empty()
        });
        if !is_container || !is_traced {
            return false;
        }
        let compiled = self.compiled_in(callee);
        let is_static = compiled.as_ref().and_then(jitted).is_some_and(|jitted| match at {
            Place::At(at) => jitted.options().is_static(at),
            Place::Named(name) => jitted.options().is_static_by_name(name),
        });
        if !is_static {
            return false;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let heads: Vec<String> = written.split(|c| !is_word(c)).map(|name| format!("def {name}(")).collect();
        self.scopes.iter().flat_map(|scope| scope.slots.values()).any(|lines| {
            let head_at = |line: &Line| heads.iter().find(|head| line.text.starts_with(*head)).map(String::len);
            let found = lines.iter().enumerate().find_map(|(at, line)| head_at(line).map(|head| (at, head)));
            let Some((start, head)) = found else { return false };
            let params = lines[start].text[head..].trim_end_matches("):");
            let params = split(params);
            let param = match at {
                Place::At(at) => params.get(at).copied(),
                Place::Named(name) => {
                    let name = self.parameter(written, name.as_str());
                    params.iter().map(|param| param.split('=').next().unwrap_or(param)).find(|param| *param == name)
                }
            };
            let Some(param) = param else { return false };
            let body = lines[start + 1..].iter().take_while(|line| line.indent > lines[start].indent);
            param.chars().all(is_word)
                && !body.flat_map(|line| line.text.split(|c| !is_word(c))).any(|word| word == param)
        })
    }

    /// The compiled function that a function is, or that transformations have made it of (`jax.vmap(compiled)`).
    fn compiled_in(&self, callee: &Value) -> Option<Value> {
        let mut callee = callee.clone();
        for _ in 0..MOST_TRANSFORMATIONS {
            if jitted(&callee).is_some() {
                return Some(callee);
            }
            let id = callee.identity();
            let made = self.state.holders(id).find_map(|(_, access)| match access {
                Access { from: Source::Statement(made), path } if path.is_empty() => Some(*made),
                _ => None,
            });
            callee = match self.state.statements[made?].args.first()? {
                Arg::Leaf(of) | Arg::Callable(of) => of.clone(),
                _ => return None,
            };
        }
        None
    }

    /// So many arguments a function takes that `jax.closure_convert` has made in a body that is not written: it is made once more of numbers,
    /// none of which becomes an argument of its own.
    fn converted(&self, callee: &Value) -> Option<usize> {
        let id = callee.identity();
        if self.scopes.iter().any(|scope| self.state.defs[scope.def].bound.contains_key(&id)) {
            return None;
        }
        let (made, _) = self.made_elsewhere(callee)?;
        let made = &self.state.statements[made];
        let Op::Call(Value::Function(function)) = &made.op else { return None };
        let is_it = function.module.unit.ours && function.name().as_str() == "closure_convert";
        is_it.then(|| made.args.len().saturating_sub(1))
    }

    /// Names of parameters of a function as they are written there.
    fn as_written(&self, function: &str, names: &Arg) -> Arg {
        let all = |items: &[Arg]| items.iter().map(|item| self.as_written(function, item)).collect();
        match names {
            Arg::Plain(Value::Str(name)) => Arg::Plain(Value::str(self.parameter(function, name))),
            Arg::Tuple(items) => Arg::Tuple(all(items)),
            Arg::List(items) => Arg::List(all(items)),
            other => other.clone(),
        }
    }

    /// What a parameter is called where it is given by name to this function, or to what a framework makes of it: its own name may have
    /// been taken where the function is written.
    fn parameter<'a>(&'a self, function: &str, name: &'a str) -> &'a str {
        let mut words = function.split(|c: char| !c.is_alphanumeric() && c != '_');
        let written = words.find_map(|word| self.renamed.get(word));
        let found = written.and_then(|all| all.iter().find(|(own, _)| own == name));
        found.map_or(name, |(_, written)| written)
    }
}

/// So many transformations around a compiled function are looked through.
const MOST_TRANSFORMATIONS: usize = 4;

/// Where an argument stands in a call.
#[derive(Copy, Clone)]
enum Place {
    At(usize),
    Named(Symbol),
}

/// Whether an argument says what a function of the framework does without it: libraries hand on what they were not given.
fn is_default(callee: &Value, name: Symbol, arg: &Arg) -> bool {
    if let (Value::Native(native), Arg::Plain(Value::None | Value::Bool(false))) = (callee, arg) {
        // A sharding of None is one: where there is a mesh, what it is given for has a copy on each device.
        return native.name == "full_jit" && !name.as_str().ends_with("_shardings");
    }
    let (Value::Function(function), Arg::Plain(given)) = (callee, arg) else { return false };
    let slot = function.code().params.names.iter().position(|param| param.name == name);
    let default = slot.filter(|_| function.module.unit.ours).and_then(|slot| default_of(function, slot));
    match (default, given) {
        (Some(Value::None), Value::None) => true,
        (Some(Value::Bool(default)), Value::Bool(given)) => default == *given,
        _ => false,
    }
}

/// Whether an expression is a name, with or without attributes, or a number: formatters write no spaces beside those.
pub fn is_simple(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// `numpy.random.seed` of the method `seed` of a `RandomState`.
fn of_numpys_stream(callee: &Value) -> Option<String> {
    let Value::Function(function) = callee else { return None };
    let (class, name) = (function.qualname(), function.name());
    let is_own =
        function.module.name.as_str().starts_with("numpy.random") && class.as_str().starts_with("RandomState.");
    is_own.then(|| format!("numpy.random.{name}"))
}
