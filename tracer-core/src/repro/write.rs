//! Expressions.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bodies::Scope;
use super::literal;
use super::names::Imports;
use super::tree::{Arg, Op, Origin, State};
use crate::frameworks::dtypes::DTypeObject;
use crate::interp::Interp;
use crate::interp::compare::symbol;
use crate::module::{BinaryOp, Symbol, UnaryOp};
use crate::python::{Function, Value};
use crate::trace::Val;

/// How strongly the parts of an expression hold together.
pub(super) const POSTFIX: u8 = 12;
const UNARY: u8 = 10;

/// The text of an expression.
#[derive(Clone, Debug)]
pub(super) struct Ex {
    pub text: String,
    strength: u8,
}

impl Ex {
    /// One that needs no parentheses.
    pub fn atom(text: impl Into<String>) -> Ex {
        Ex { text: text.into(), strength: POSTFIX }
    }
    /// In parentheses where it holds less than what is around it.
    pub fn within(&self, around: u8) -> String {
        match self.strength < around {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
    /// A tuple without its parentheses, as `return` has it.
    pub fn bare(&self, arg: &Arg) -> String {
        match arg {
            Arg::Tuple(items) if items.len() > 1 => self.text[1..self.text.len() - 1].to_owned(),
            _ => self.text.clone(),
        }
    }
    /// A function without a name.
    pub fn lambda(text: String) -> Ex {
        Ex { text, strength: 0 }
    }
}

/// What writes a reproducer.
pub(super) struct Writer<'a> {
    pub it: &'a Rc<Interp>,
    pub state: &'a State,
    pub most_literal: usize,
    pub imports: Imports,
    pub scopes: Vec<Scope>,
    /// Statements that are being written.
    pub calls: Vec<usize>,
    /// Statements that change what other statements gave (`f.defvjp`).
    pub effects: FxHashMap<usize, Vec<usize>>,
    pub uses: FxHashMap<(usize, usize, usize), usize>,
    /// Uses as the first writing counted them.
    pub seen_uses: Option<FxHashMap<(usize, usize, usize), usize>>,
    /// Functions that need nothing of what is around them.
    pub alone: FxHashSet<usize>,
    pub seen_alone: FxHashSet<usize>,
    /// Names of the program's functions, and those that were given.
    pub functions: BTreeSet<String>,
    pub given: BTreeSet<String>,
    /// Whether a function is called on its own: what is around it is not written.
    pub is_function: bool,
    /// Tracers that leave the bodies that made them, and those that the first writing found.
    pub leaks: Vec<(usize, Value)>,
    pub seen_leaks: Vec<(usize, Value)>,
    /// Arrays of the top level that take long to come by, and those that do not, by their statements.
    pub long: FxHashMap<usize, bool>,
    /// Whether something could not be written as it was.
    pub approximate: bool,
}

impl Writer<'_> {
    /// The expression of a statement.
    pub fn statement(&mut self, id: usize) -> Ex {
        if self.calls.contains(&id) || self.calls.len() > 60 {
            self.approximate = true;
            return Ex::atom("None");
        }
        self.calls.push(id);
        let ex = self.operation(id);
        self.calls.pop();
        ex
    }

    fn operation(&mut self, id: usize) -> Ex {
        let statement = &self.state.statements[id];
        let args = &statement.args;
        match &statement.op {
            Op::Call(callee) => self.call(callee, args, &statement.keywords),
            Op::Binary(op) => {
                let (text, strength) = binary(*op);
                let (left, right) = (self.arg(&args[0]), self.arg(&args[1]));
                let (l, r) = if *op == BinaryOp::Pow { (strength + 1, strength) } else { (strength, strength + 1) };
                Ex { text: format!("{} {text} {}", left.within(l), right.within(r)), strength }
            }
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
                Ex { text: format!("{sign}{}", value.within(UNARY)), strength: UNARY }
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
                let texts: Vec<String> = args[1..].iter().map(|arg| self.arg(arg).text).collect();
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

    fn call(&mut self, callee: &Value, args: &[Arg], keywords: &[(Symbol, Arg)]) -> Ex {
        let known = self.origin(callee).or_else(|| self.bound(callee)).or_else(|| self.leaked(callee));
        let (function, rest) = match (known, args.split_first()) {
            (Some(function), _) => (function.within(POSTFIX), args),
            (None, Some((receiver, rest))) => {
                let method = self.state.methods.get(&callee.identity());
                let name = match callee {
                    _ if method.is_some() => method.map(ToString::to_string).unwrap_or_default(),
                    Value::Function(function) => function.name().to_string(),
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
                let value = self.arg(receiver).within(POSTFIX);
                match name.as_str() {
                    "__call__" => (value, rest),
                    name => (format!("{value}.{name}"), rest),
                }
            }
            (None, None) => {
                self.approximate = true;
                (self.it.callable_name(callee), args)
            }
        };
        let mut texts: Vec<String> = rest.iter().map(|arg| self.arg(arg).text).collect();
        for (name, arg) in keywords {
            let value = self.arg(arg);
            texts.push(format!("{name}={}", value.text));
        }
        Ex::atom(format!("{function}({})", texts.join(", ")))
    }

    /// A name for what an operation gives.
    pub fn hint(&self, op: &Op) -> String {
        match op {
            Op::Call(Value::Function(f)) if !f.name().starts_with("__") && !f.name().starts_with('<') => {
                f.name().to_string()
            }
            Op::Attribute(name) => name.to_string(),
            _ => "v".to_owned(),
        }
        .trim_start_matches('_')
        .to_owned()
    }

    /// How the program came by a value of the framework.
    fn origin(&mut self, value: &Value) -> Option<Ex> {
        match self.state.origins.get(&value.identity())?.clone() {
            Origin::Path(path) => Some(Ex::atom(self.imports.spell(&path))),
            Origin::Attribute(of, name) => {
                let base = match &of {
                    Value::Array(_) => self.leaf(&of),
                    of => self.origin(of).or_else(|| self.bound(of))?,
                };
                Some(Ex::atom(format!("{}.{name}", base.within(POSTFIX))))
            }
        }
    }

    /// A value that a body has.
    fn bound(&mut self, value: &Value) -> Option<Ex> {
        let id = value.identity();
        for level in (0..self.scopes.len()).rev() {
            let found = self.state.defs[self.scopes[level].def].bound.get(&id).cloned();
            let Some(access) = found else { continue };
            let hidden = match access.from {
                super::tree::Source::Statement(statement) => self.calls.contains(&statement),
                // What a method is bound to is no parameter.
                param => !self.scopes[level].has(param),
            };
            if hidden {
                continue;
            }
            return Some(self.access(level, &access, value));
        }
        // A compiled function that another body has made: what it is made of may still be seen.
        if !matches!(value, Value::Array(_)) {
            for def in &self.state.defs {
                if let Some(access) = def.bound.get(&id)
                    && let super::tree::Source::Statement(statement) = access.from
                    && access.path.is_empty()
                {
                    return Some(self.statement(statement));
                }
            }
        }
        None
    }

    /// The text of an argument.
    pub fn arg(&mut self, arg: &Arg) -> Ex {
        match arg {
            Arg::Plain(value) => self.plain(value),
            Arg::Leaf(value) => self.leaf(value),
            Arg::Callable(value) => self.callable(value),
            Arg::Tree(value, tree) => match self.is_called(value) {
                true => self.callable(value),
                false => self.arg(tree),
            },
            Arg::Tuple(items) => {
                let texts: Vec<String> = items.iter().map(|item| self.arg(item).text).collect();
                match &texts[..] {
                    [one] => Ex::atom(format!("({one},)")),
                    many => Ex::atom(format!("({})", many.join(", "))),
                }
            }
            Arg::List(items) => {
                let texts: Vec<String> = items.iter().map(|item| self.arg(item).text).collect();
                Ex::atom(format!("[{}]", texts.join(", ")))
            }
            Arg::Dict(items) => {
                let mut texts = Vec::new();
                for (key, value) in items {
                    let (key, value) = (self.arg(key), self.arg(value));
                    texts.push(format!("{}: {}", key.text, value.text));
                }
                Ex::atom(format!("{{{}}}", texts.join(", ")))
            }
            Arg::Slice(parts) => {
                let texts: Vec<String> = parts.iter().map(|part| self.arg(part).text).collect();
                Ex::atom(format!("slice({})", texts.join(", ")))
            }
            Arg::Object(class) => {
                let name = self.class(class, "");
                Ex::atom(format!("{name}()"))
            }
            Arg::Class(class) => Ex::atom(self.class(class, "")),
            Arg::Generator => Ex::atom("(_ for _ in ())"),
            Arg::Set(items) => {
                let texts: Vec<String> = items.iter().map(|item| self.arg(item).text).collect();
                Ex::atom(if texts.is_empty() { "set()".into() } else { format!("{{{}}}", texts.join(", ")) })
            }
            Arg::Lost => self.lost(),
        }
    }

    fn lost(&mut self) -> Ex {
        self.approximate = true;
        Ex::atom("None")
    }

    fn index(&mut self, arg: &Arg) -> String {
        let part = |w: &mut Self, arg: &Arg| match arg {
            Arg::Plain(Value::None) => String::new(),
            other => w.arg(other).text,
        };
        match arg {
            Arg::Slice(parts) => {
                let (from, to) = (part(self, &parts[0]), part(self, &parts[1]));
                match part(self, &parts[2]) {
                    step if step.is_empty() => format!("{from}:{to}"),
                    step => format!("{from}:{to}:{step}"),
                }
            }
            Arg::Tuple(items) if !items.is_empty() => {
                let texts: Vec<String> = items.iter().map(|item| self.index_item(item)).collect();
                if texts.len() == 1 { format!("{},", texts[0]) } else { texts.join(", ") }
            }
            other => self.arg(other).text,
        }
    }

    fn index_item(&mut self, item: &Arg) -> String {
        match item {
            Arg::Slice(_) => self.index(item),
            other => self.arg(other).text,
        }
    }

    fn leaf(&mut self, value: &Value) -> Ex {
        if let Some(ex) = self.origin(value).or_else(|| self.bound(value)) {
            return ex;
        }
        match value {
            Value::Array(array) => {
                if array.is_tracer()
                    && let Some(ex) = self.leaked(value)
                {
                    return ex;
                }
                self.approximate |= array.is_tracer();
                self.number(array, self.most_literal)
            }
            Value::Class(class) if class.is_builtin() => Ex::atom(class.name.to_string()),
            Value::Native(native) if self.it.builtins.borrow().contains_key(&native.name) => {
                Ex::atom(native.name.to_string())
            }
            Value::Module(module) => Ex::atom(self.imports.spell(&module.name)),
            _ => self.lost(),
        }
    }

    /// An array by its numbers, if it has no more of them than this, or by ones.
    pub fn number(&mut self, array: &Val, most: usize) -> Ex {
        Ex::atom(literal::array(self.it, array, most, false).0)
    }

    /// A number, a text, an array of NumPy.
    fn plain(&mut self, value: &Value) -> Ex {
        Ex::atom(match value {
            Value::None => "None".to_owned(),
            Value::Ellipsis => "...".to_owned(),
            Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
            Value::Int(value) if *value < 0 => return Ex { text: value.to_string(), strength: UNARY },
            Value::Int(value) => value.to_string(),
            Value::BigInt(value) => value.to_string(),
            Value::Float(value) if value.is_finite() && *value < 0.0 => {
                return Ex { text: literal::float(*value), strength: UNARY };
            }
            Value::Float(value) => literal::float(*value),
            Value::Complex(value) => format!("complex({}, {})", literal::float(value.re), literal::float(value.im)),
            Value::Str(value) => literal::text(value),
            Value::Bytes(value) => format!("b{}", literal::text(&String::from_utf8_lossy(value))),
            Value::Range(range) => match (range.start, range.step) {
                (0, 1) => format!("range({})", range.stop),
                (_, 1) => format!("range({}, {})", range.start, range.stop),
                _ => format!("range({}, {}, {})", range.start, range.stop, range.step),
            },
            Value::Object(object) => match object.downcast::<DTypeObject>() {
                Some(dtype) if dtype.0.is_key() => return self.lost(),
                Some(dtype) => format!("jnp.dtype({})", literal::text(dtype.0.name())),
                None => {
                    let held = self.it.hooks.borrow().as_ref().and_then(|hooks| hooks.held(value));
                    match held {
                        Some(array) => literal::array(self.it, &array, self.most_literal, true).0,
                        None => return self.lost(),
                    }
                }
            },
            _ => return self.lost(),
        })
    }

    /// A function of the program.
    fn callable(&mut self, value: &Value) -> Ex {
        if let Value::Function(function) = value
            && function.module.unit.ours
        {
            return match self.origin(value).or_else(|| self.bound(value)) {
                Some(ex) => ex,
                None => self.lost(),
            };
        }
        if let Value::Instance(_) = value
            && let Some(ex) = self.bound(value)
        {
            return ex;
        }
        let Some((function, given, named)) = self.parts(value) else { return self.lost() };
        let Some(id) = self.find_def(&function) else {
            if let Value::Instance(instance) = value
                && instance.get(sym!("func")).is_none()
            {
                let name = self.class(&instance.class().name, "");
                return Ex::atom(format!("{name}()"));
            }
            return self.stub(&function, given, &named);
        };
        if self.scopes.iter().any(|scope| scope.def == id) || self.scopes.len() > 30 {
            return self.lost();
        }
        self.function(id, &|i, param| i < given || named.contains(&param.name))
    }

    /// Whether one of the statements that are being written calls an instance of the program's.
    fn is_called(&self, value: &Value) -> bool {
        let Some((function, ..)) = self.parts(value) else { return false };
        let is = |def: &&usize| self.state.defs[**def].function.as_ref().is_some_and(|f| Rc::ptr_eq(f, &function));
        self.calls.last().is_some_and(|call| self.state.statements[*call].children.iter().any(|def| is(&def)))
    }

    /// The function behind a callable, and which of its parameters it is given.
    fn parts(&self, value: &Value) -> Option<(Rc<Function>, usize, Vec<Symbol>)> {
        match value {
            Value::Function(function) => Some((function.clone(), 0, Vec::new())),
            Value::Method(method) => {
                let (function, given, named) = self.parts(&method.function)?;
                Some((function, given + 1, named))
            }
            Value::Instance(instance) => {
                if let (Some(inner), Some(Value::Tuple(args))) =
                    (instance.get(sym!("func")), instance.get(sym!("args")))
                {
                    let (function, given, mut named) = self.parts(&inner)?;
                    for keywords in [instance.get(sym!("keywords")), instance.get(sym!("kwargs"))] {
                        if let Some(Value::Dict(dict)) = keywords {
                            named.extend(dict.read().keys().filter_map(|k| k.value.as_str().map(Symbol::from)));
                        }
                    }
                    return Some((function, given + args.len(), named));
                }
                let method = instance.class().lookup(sym!("__call__"))?;
                let (function, given, named) = self.parts(&method)?;
                Some((function, given + 1, named))
            }
            _ => None,
        }
    }
}

fn binary(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Add => ("+", 7),
        BinaryOp::Sub => ("-", 7),
        BinaryOp::Mul => ("*", 8),
        BinaryOp::MatMul => ("@", 8),
        BinaryOp::Div => ("/", 8),
        BinaryOp::FloorDiv => ("//", 8),
        BinaryOp::Mod => ("%", 8),
        BinaryOp::Pow => ("**", 11),
        BinaryOp::LShift => ("<<", 6),
        BinaryOp::RShift => (">>", 6),
        BinaryOp::BitAnd => ("&", 5),
        BinaryOp::BitXor => ("^", 4),
        BinaryOp::BitOr => ("|", 3),
    }
}
