//! Values: arguments, numbers, what has a name.

use super::Writer;
use super::access::is_callable;
use super::expression::{Ex, POSTFIX, UNARY};
use super::functions::is_same_number;
use super::operations::is_simple;
use crate::frameworks::dtypes::DTypeObject;
use crate::frameworks::is_framework;
use crate::frameworks::jax::core::tree::TreeDefObject;
use crate::frameworks::jax::jit::jitted;
use crate::frameworks::jax::prelude_member;
use crate::module::Symbol;
use crate::python::Value;
use crate::repro::tree::{Access, Arg, Key, Origin, Source};
use crate::repro::{literal, normalize};

/// Named tuples of `jax.lax` that its functions tell from plain tuples.
const RECORDS: [&str; 4] =
    ["ConvDimensionNumbers", "GatherDimensionNumbers", "ScatterDimensionNumbers", "DotAlgorithm"];

/// Named tuples of JAX that are trees of their own kind, by the names that users have for them.
const TREES: [(&str, &str); 1] = [("OptimizerState", "jax.example_libraries.optimizers.OptimizerState")];

/// The name of the class of such a tuple.
fn record_of(value: &Value) -> Option<&'static str> {
    let Value::Instance(instance) = value else { return None };
    let name = instance.class_ref().name;
    instance.payload()?;
    TREES.iter().find(|(record, _)| *record == name.as_str()).map(|(_, path)| *path)
}

/// The arguments that a function was made with, by position and by name.
fn parts_of_call(fields: &[(Symbol, Arg)]) -> (&[Arg], &[(Arg, Arg)]) {
    let (mut args, mut keywords): (&[Arg], &[(Arg, Arg)]) = (&[], &[]);
    for (_, field) in fields {
        match field {
            Arg::Tuple(items) => args = items,
            Arg::Dict(items) => keywords = items,
            _ => {}
        }
    }
    (args, keywords)
}

impl Writer<'_> {
    /// How the program came by a value of the framework.
    pub fn origin(&mut self, value: &Value) -> Option<Ex> {
        let Some(origin) = self.state.origins.get(&value.identity()).cloned() else {
            return self.public_path(value).map(|path| Ex::atom(self.imports.spell(&path)));
        };
        match origin {
            Origin::Path(path) => Some(Ex::atom(self.imports.spell(&path))),
            Origin::Attribute(of, name) => {
                let base = match &of {
                    Value::Array(_) => self.leaf(&of),
                    of => self.origin(of).or_else(|| self.bound(of))?,
                };
                Some(Ex::atom(format!("{}.{name}", base.within(POSTFIX))))
            }
            Origin::Item(of, i) => Some(Ex::atom(format!("{}[{i}]", self.origin(&of)?.within(POSTFIX)))),
        }
    }

    /// The name of a function that the program came by in another way than by its name (`jnp.__dict__.items()`): it stands in the package that its
    /// module is of.
    fn public_path(&self, value: &Value) -> Option<String> {
        let inner = jitted(value).map_or(value, |jitted| &jitted.fun);
        let Value::Function(function) = inner else { return None };
        let module = function.module.name;
        if !function.module.unit.ours || !is_framework(module.as_str()) {
            return None;
        }
        let package: Vec<&str> = module.as_str().split('.').take_while(|part| !part.starts_with('_')).collect();
        let (package, name) = (package.join("."), function.name());
        let found = prelude_member(self.it, &package, name.as_str()).ok()?;
        found.is(value).then(|| format!("{package}.{name}"))
    }

    /// A tuple that a module of the framework has, by its name there.
    fn named_tuple(&mut self, items: &[Arg]) -> Option<Ex> {
        let tuple = items.iter().enumerate().find_map(|(i, item)| match item {
            Arg::Leaf(value) | Arg::Callable(value) => match self.state.origins.get(&value.identity()) {
                Some(Origin::Item(tuple, at)) if *at == i => Some(tuple.clone()),
                _ => None,
            },
            _ => None,
        })?;
        let Value::Tuple(all) = &tuple else { return None };
        let is_it = |(item, own): (&Arg, &Value)| match item {
            Arg::Leaf(value) | Arg::Callable(value) | Arg::Plain(value) => value.is(own),
            _ => false,
        };
        let is_whole = all.len() == items.len() && items.iter().zip(all.iter()).all(is_it);
        is_whole.then(|| self.origin(&tuple)).flatten()
    }

    /// A value that a body has.
    pub fn bound(&mut self, value: &Value) -> Option<Ex> {
        let id = value.identity();
        for level in (0..self.scopes.len()).rev() {
            let found = self.state.defs[self.scopes[level].def].bound.get(&id).cloned();
            let Some(access) = found else { continue };
            let hidden = match access.from {
                Source::Statement(statement) => self.is_under_way(statement),
                // What a method is bound to is no parameter.
                param => !self.scopes[level].has(param),
            };
            if hidden {
                if let Source::Param(param) = access.from {
                    self.reads_parameter(level, param, &access.path);
                }
                continue;
            }
            return Some(self.access(level, &access, value));
        }
        // A function that another body has made with the framework: what it is made of may still be seen.
        if !matches!(value, Value::Array(_))
            && let Some((statement, path)) = self.made_elsewhere(value)
        {
            return Some(match path.is_empty() && !self.effects.contains_key(&statement) {
                true => self.statement(statement),
                false => self.hoisted(statement, &path),
            });
        }
        None
    }

    /// The statement of any body that gives a function of the framework's making, and where in what it gives the function is.
    pub fn made_elsewhere(&self, value: &Value) -> Option<(usize, Vec<Key>)> {
        let id = value.identity();
        self.state.holders(id).find_map(|(_, access)| match access {
            Access { from: Source::Statement(made), path } if path.is_empty() || is_callable(value) => {
                (!self.is_under_way(*made)).then(|| (*made, path.clone()))
            }
            _ => None,
        })
    }

    /// A container that a body has as a whole: it was given it, or a call gave it.
    fn whole_container(&mut self, arg: &Arg) -> Option<Ex> {
        let mut first = None;
        let mut given = None;
        arg.leaves(&mut Vec::new(), &mut |value, path| {
            let leaf = (value.identity(), path.len());
            first.get_or_insert(leaf);
            if given.is_none() && self.is_of_statement(leaf.0) {
                given = Some(leaf);
            }
        });
        let first = first?;
        // What a loop hands through is what it was given; what it makes tells where the whole comes from.
        let made = given.filter(|given| *given != first);
        self.whole_around(arg, first).or_else(|| self.whole_around(arg, made?))
    }

    /// Whether the innermost body that has a value has it of one of its statements.
    fn is_of_statement(&self, id: usize) -> bool {
        let access = self.scopes.iter().rev().find_map(|scope| self.state.defs[scope.def].bound.get(&id));
        access.is_some_and(|access| matches!(access.from, Source::Statement(_)))
    }

    /// The same, of the container around one of the leaves, with how deep that lies.
    fn whole_around(&mut self, arg: &Arg, (id, depth): (usize, usize)) -> Option<Ex> {
        for level in (0..self.scopes.len()).rev() {
            let def = &self.state.defs[self.scopes[level].def];
            let Some(access) = def.bound.get(&id) else { continue };
            let (whole, seen) = match access.from {
                Source::Param(i) => (&def.params[i].given, self.scopes[level].has(access.from)),
                // A statement of the top level may be written as what it gives.
                Source::Statement(id) if !self.calls.contains(&id) && !self.holds_given(level, id, arg) => {
                    (&self.state.statements[id].result.as_ref()?.1, true)
                }
                Source::Statement(_) => continue,
            };
            if !seen {
                continue;
            }
            let path = access.path.get(..access.path.len().checked_sub(depth)?)?;
            // The items of a tuple that a call gives have names of their own.
            let is_unpacked = |source| matches!(source, Source::Statement(id) if self.unpacked(id).is_some());
            let has_name = !path.is_empty() || !is_unpacked(access.from);
            let found = whole.at(path).filter(|_| has_name)?;
            if !matches!(found, Arg::Tuple(_) | Arg::List(_) | Arg::Dict(_)) || !found.is_like(arg, &Value::is) {
                return None;
            }
            let access = Access { from: access.from, path: path.to_vec() };
            return Some(self.access(level, &access, &Value::None));
        }
        None
    }

    /// Whether arrays in what a statement gives are written as numbers.
    fn holds_given(&mut self, level: usize, id: usize, arg: &Arg) -> bool {
        let mut arrays = Vec::new();
        arg.leaves(&mut Vec::new(), &mut |value, _| {
            if let Value::Array(array) = value {
                arrays.push(array.clone());
            }
        });
        let user = self.calls.last().copied();
        arrays.iter().any(|array| self.is_given(level, id, array, user))
    }

    /// A list of items that follow each other in another list, which a call gave (`jax.devices()[:4]`).
    fn run_of_list(&mut self, items: &[Arg]) -> Option<Ex> {
        let ids = items.iter().map(|item| match item {
            Arg::Leaf(value) => Some(value.identity()),
            _ => None,
        });
        let ids = ids.collect::<Option<Vec<usize>>>().filter(|ids| ids.len() > 1)?;
        let level = (0..self.scopes.len())
            .rev()
            .find(|level| self.state.defs[self.scopes[*level].def].bound.contains_key(&ids[0]))?;
        let bound = &self.state.defs[self.scopes[level].def].bound;
        let Access { from: Source::Statement(id), path } = bound.get(&ids[0])? else { return None };
        let (Key::Index(first), parent) = path.split_last()? else { return None };
        let follows = |(i, item): (usize, &usize)| {
            bound.get(item).is_some_and(|access| {
                let is_next = access
                    .path
                    .split_last()
                    .is_some_and(|(last, rest)| *last == Key::Index(first + i) && rest == parent);
                access.from == Source::Statement(*id) && is_next
            })
        };
        let Some(Arg::List(all)) = self.state.statements[*id].result.as_ref()?.1.at(parent) else { return None };
        let is_unpacked = parent.is_empty() && self.unpacked(*id).is_some();
        if is_unpacked || self.calls.contains(id) || !ids.iter().enumerate().all(follows) {
            return None;
        }
        let (first, count) = (*first, all.len());
        let whole = Access { from: Source::Statement(*id), path: parent.to_vec() };
        let list = self.access(level, &whole, &Value::None);
        let end = first + ids.len();
        Some(match (first, end == count) {
            (0, true) => list,
            (0, false) => Ex::atom(format!("{}[:{end}]", list.within(POSTFIX))),
            (_, true) => Ex::atom(format!("{}[{first}:]", list.within(POSTFIX))),
            (_, false) => Ex::atom(format!("{}[{first}:{end}]", list.within(POSTFIX))),
        })
    }

    /// The text of an argument.
    pub fn arg(&mut self, arg: &Arg) -> Ex {
        if let Arg::Tuple(_) | Arg::List(_) | Arg::Dict(_) = arg
            && let Some(whole) = self.whole_container(arg)
        {
            return whole;
        }
        match arg {
            Arg::Plain(value) => match self.given_number(value) {
                Some(ex) => ex,
                None => self.plain(value),
            },
            Arg::Leaf(value) => self.leaf(value),
            Arg::Callable(value) => self.callable(value),
            Arg::Tree(value, tree) if matches!(**tree, Arg::Fields(_)) => self.made_with_arguments(value, tree),
            Arg::Tree(value, tree) if self.is_hashed_in_vain() => self.hashed(value, tree),
            Arg::Tree(value, tree) => match record_of(value) {
                Some(path) => self.record(path, tree),
                None if self.is_called(value) => self.callable(value),
                None if self.is_transformed(value) => self.uncalled(value),
                None => self.arg(tree),
            },
            Arg::Tuple(items) => {
                if let Some(whole) = self.named_tuple(items).or_else(|| self.whole_result(arg)) {
                    return whole;
                }
                let texts: Vec<String> = items.iter().map(|item| self.arg(item).text).collect();
                match &texts[..] {
                    [one] => Ex::atom(format!("({one},)")),
                    many => Ex::atom(format!("({})", many.join(", "))),
                }
            }
            Arg::List(items) => {
                if let Some(run) = self.run_of_list(items).or_else(|| self.long_list(items)) {
                    return run;
                }
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
            Arg::Fields(fields) => {
                let (args, keywords) = parts_of_call(fields);
                self.arg(&Arg::Tuple(vec![Arg::Tuple(args.to_vec()), Arg::Dict(keywords.to_vec())]))
            }
            // A sentinel.
            Arg::Object(class) if class.as_str() == "object" => Ex::atom("object()"),
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
            Arg::Vague(empty) => {
                (self.approximate, self.vague) = (true, true);
                Ex::atom(*empty)
            }
            Arg::Lost => self.lost(),
        }
    }

    /// A function of the program with some of its arguments that is a tree (`jax.tree_util.Partial`): what a body has of it, or a call of its class.
    fn made_with_arguments(&mut self, value: &Value, tree: &Arg) -> Ex {
        if let Some(ex) = self.bound(value) {
            return ex;
        }
        let Arg::Fields(fields) = tree else { return self.lost() };
        let Some((_, function)) = fields.first() else { return self.lost() };
        let mut texts = vec![self.arg(function).text];
        let (args, keywords) = parts_of_call(fields);
        texts.extend(args.iter().map(|arg| self.arg(arg).text));
        for (name, given) in keywords {
            let Arg::Plain(name) = name else { continue };
            texts.push(format!("{}={}", name.as_str().unwrap_or_default(), self.arg(given).text));
        }
        let name = self.imports.spell("jax.tree_util.Partial");
        Ex::atom(format!("{name}({})", texts.join(", ")))
    }

    /// The parameter of the innermost body that stands for a number.
    fn given_number(&self, value: &Value) -> Option<Ex> {
        let given = &self.scopes.last()?.given;
        given.iter().find(|(number, _)| is_same_number(number, value)).map(|(_, ex)| ex.clone())
    }

    /// A named tuple of the framework's that is a tree of its own kind: what a body has of it, or a call of its class.
    fn record(&mut self, path: &str, tree: &Arg) -> Ex {
        let Arg::Tuple(items) = tree else { return self.arg(tree) };
        if let Some(whole) = self.whole_container(tree) {
            return whole;
        }
        let items: Vec<String> = items.iter().map(|item| self.arg(item).text).collect();
        Ex::atom(format!("{}({})", self.imports.spell(path), items.join(", ")))
    }

    /// The structure of a tree: that of one of numbers.
    fn structure(&mut self, value: &Value) -> Option<Ex> {
        let Value::Object(object) = value else { return None };
        let def = &object.downcast::<TreeDefObject>()?.0;
        let unflatten = self.it.getattr(value, sym!("unflatten")).ok()?;
        let leaves = vec![Value::Int(0); def.num_leaves()];
        let tree = self.it.call_with(&unflatten, [Value::list(leaves)]).ok()?;
        let tree = normalize::arg(self.it, &tree);
        let text = self.arg(&tree).text;
        Some(Ex::atom(format!("{}({text})", self.imports.spell("jax.tree.structure"))))
    }

    pub fn lost(&mut self) -> Ex {
        self.approximate = true;
        Ex::atom("None")
    }

    pub fn index(&mut self, arg: &Arg) -> String {
        let part = |w: &mut Self, arg: &Arg| match arg {
            Arg::Plain(Value::None) => String::new(),
            other => w.arg(other).text,
        };
        match arg {
            Arg::Slice(parts) => {
                let (from, to, step) = (part(self, &parts[0]), part(self, &parts[1]), part(self, &parts[2]));
                let parts = if step.is_empty() { vec![from, to] } else { vec![from, to, step] };
                // Beside what is more than a name or a number a colon has spaces.
                let is_number = |part: &str| part.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
                let is_plain = |part: &str| is_simple(part) && (is_number(part) || !part.contains('.'));
                match parts.iter().all(|part| part.is_empty() || is_plain(part)) {
                    true => parts.join(":"),
                    false => parts.join(" : ").trim().to_owned(),
                }
            }
            Arg::Tuple(items) if !items.is_empty() => {
                let texts: Vec<String> = items.iter().map(|item| self.index_item(item)).collect();
                if texts.len() == 1 { format!("{},", texts[0]) } else { texts.join(", ") }
            }
            other => self.arg(other).text,
        }
    }

    pub fn index_item(&mut self, item: &Arg) -> String {
        match item {
            Arg::Slice(_) => self.index(item),
            other => self.arg(other).text,
        }
    }

    pub fn leaf(&mut self, value: &Value) -> Ex {
        if let Some(ex) = self.constructed(value).or_else(|| self.origin(value)).or_else(|| self.bound(value)) {
            return ex;
        }
        if let Some(ex) = self.enumerated(value).or_else(|| self.structure(value)).or_else(|| self.set(value)) {
            return ex;
        }
        match value {
            Value::Array(array) => {
                if array.is_tracer()
                    && let Some(ex) = self.leaked(value)
                {
                    return ex;
                }
                if array.is_tracer() {
                    let is_known = self.known.contains_key(&value.identity());
                    self.approximate |= !is_known;
                    if !is_known || self.is_unsure && self.told.is_empty() {
                        self.lacks.push(value.clone());
                    }
                }
                match self.topped(value) {
                    Some(name) => Ex::atom(name),
                    None => {
                        let ex = self.number(value, array, self.most_literal, false);
                        self.at_top(value, array, ex)
                    }
                }
            }
            Value::Class(class) if class.is_builtin() => Ex::atom(class.name.to_string()),
            Value::Native(native) if self.it.builtins.borrow().contains_key(&native.name) => {
                Ex::atom(native.name.to_string())
            }
            Value::Module(module) => Ex::atom(self.imports.spell(&module.name)),
            Value::Instance(instance) if instance.payload().is_some() => {
                let payload = instance.payload().cloned().unwrap_or(Value::None);
                let class = instance.class();
                match (normalize::arg(self.it, &payload), RECORDS.contains(&class.name.as_str())) {
                    (Arg::Tuple(items), true) if crate::frameworks::is_framework(&class.module) => {
                        let items: Vec<String> = items.iter().map(|item| self.arg(item).text).collect();
                        let name = self.imports.spell(&format!("jax.lax.{}", class.name));
                        Ex::atom(format!("{name}({})", items.join(", ")))
                    }
                    (payload, _) => self.arg(&payload),
                }
            }
            _ => self.lost(),
        }
    }

    /// A number, a text, an array of NumPy.
    pub fn plain(&mut self, value: &Value) -> Ex {
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
            Value::Complex(value) => match literal::complex(**value) {
                text if text.starts_with('-') => return Ex { text, strength: UNARY },
                text => text,
            },
            Value::Str(value) => literal::text(value),
            Value::Bytes(value) => format!("b{}", literal::text(&String::from_utf8_lossy(value))),
            Value::Range(range) => match (range.start, range.step) {
                (0, 1) => format!("range({})", range.stop),
                (_, 1) => format!("range({}, {})", range.start, range.stop),
                _ => format!("range({}, {}, {})", range.start, range.stop, range.step),
            },
            Value::Object(object) => match object.downcast::<DTypeObject>() {
                Some(dtype) if dtype.0.is_key() => return self.lost(),
                // Wherever a type is taken, its scalar type is.
                Some(dtype) if dtype.0.name() == "bool" => self.imports.spell("jax.numpy.bool_"),
                Some(dtype) => self.imports.spell(&format!("jax.numpy.{}", dtype.0.name())),
                None => {
                    let then = self.state.held.get(&value.identity()).filter(|_| self.is_function).cloned();
                    let held = || self.it.hooks.borrow().as_ref().and_then(|hooks| hooks.held(value));
                    match then.or_else(held) {
                        Some(array) => {
                            let ex = self.number(value, &array, self.most_literal, true);
                            return self.at_top(value, &array, ex);
                        }
                        None => return self.lost(),
                    }
                }
            },
            _ => return self.lost(),
        })
    }
}
