//! How a body comes by its values.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::expression::{Ex, POSTFIX};
use super::{Writer, words};
use crate::frameworks::jax::core::tree::TreeDefObject;
use crate::python::Value;
use crate::repro::tree::{Access, Arg, Key, Op, Source};
use crate::repro::{Data, Style, literal};
use crate::trace::Val;

/// What was computed on the way has seldom numbers that matter: so many are written out.
const MOST_GIVEN: usize = 12;

/// Arrays that more operations lead to are given as numbers.
const MOST_STEPS: usize = 8;

/// Expressions are nested no deeper than this.
const MOST_NESTED: usize = 40;

/// Stands for all items of a tuple among those that are used.
const WHOLE: usize = usize::MAX;

/// An expression that is read where it is computed is this long at most.
pub const MOST_INLINE: usize = 52;

/// Whether an expression is short enough to be read where it is computed. Numbers behind names do not count: a name that has one since a
/// body around has the name as well loses it when its own body is done.
pub fn is_brief(text: &str) -> bool {
    let mut numbers = 0;
    if text.len() > MOST_INLINE {
        words(text, |word, _| {
            let number = word.rfind('_').map(|at| &word[at..]).filter(|number| number.len() > 1);
            numbers += number.filter(|n| n[1..].bytes().all(|b| b.is_ascii_digit())).map_or(0, str::len);
        });
    }
    text.len() - numbers <= MOST_INLINE
}

/// So many items of a list are given names of their own.
pub const MOST_UNPACKED: usize = 8;

/// Whether a value is there to be called: what a transformation returns.
pub fn is_callable(value: &Value) -> bool {
    match value {
        Value::Instance(instance) => instance.class().lookup(sym!("__call__")).is_some(),
        Value::Object(object) => object.downcast::<TreeDefObject>().is_none(),
        value => matches!(value, Value::Function(_) | Value::Method(_) | Value::Native(_)),
    }
}

/// What puts arrays on devices.
const PLACING: [&str; 2] = ["device_put", "reshard"];

impl Writer<'_> {
    /// The value behind an access of the body at `level`.
    pub fn access(&mut self, level: usize, access: &Access, value: &Value) -> Ex {
        if let Source::Statement(id) = access.from
            && access.path.is_empty()
            && self.is_short(level, id, value)
        {
            return self.statement(id);
        }
        let here = self.scopes.len() - 1;
        self.reached.insert(level);
        for inner in &mut self.scopes[level + 1..] {
            inner.outer.insert(level);
        }
        let Source::Statement(id) = access.from else {
            if let Source::Param(param) = access.from {
                self.reads_parameter(level, param, &access.path);
            }
            if let Source::Param(param) = access.from
                && let Some(part) = self.part_of_parameter(level, param, &access.path)
            {
                return part;
            }
            let base = self.scopes[level].names.get(&(access.from, 0)).cloned().unwrap_or_else(|| "None".into());
            let Source::Param(param) = access.from else { return self.lost() };
            let Some(path) = self.way_into_rest(level, param, &access.path) else { return self.lost() };
            return self.along(Ex::atom(base), &path);
        };
        let statement = &self.state.statements[id];
        if let Op::Items = statement.op
            && !self.is_unpacking(id)
        {
            let base = self.within(level, id, |w| w.arg(&statement.args[0]));
            return self.along(base, &access.path);
        }
        // What a transformation returns is written where it is called.
        let is_made = access.path.is_empty() && is_callable(value) && !self.effects.contains_key(&id);
        if is_made && !self.is_entered(value) {
            let def = self.scopes[level].def;
            *self.uses.entry((def, id, 0)).or_default() += 1;
            let is_one =
                self.seen_uses.as_ref().is_none_or(|uses| uses.get(&(def, id, 0)).is_none_or(|count| *count < 2));
            // A function without a name is another one each time that it is written; what is made of it would be traced again.
            if is_one || self.calls.contains(&id) || !self.makes_nameless(id) {
                return self.statement(id);
            }
            self.write_statement(level, id);
            let name = self.scopes[level].names.get(&(access.from, 0)).cloned();
            return name.map_or_else(|| self.statement(id), Ex::atom);
        }
        if let Value::Array(array) = value
            && self.is_given(level, id, array, self.calls.last().copied())
        {
            self.numbered.insert(id);
            if let Some(name) = self.topped(value) {
                return Ex::atom(name);
            }
            let ex = self.number(value, array, self.most_literal.min(MOST_GIVEN), false);
            return self.at_top(value, array, ex);
        }
        self.prepare(level, id);
        let def = self.scopes[level].def;
        let (element, rest) = match (self.unpacked(id), access.path.split_first()) {
            (Some(_), Some((Key::Index(i), rest))) => (*i, rest),
            _ => (0, &access.path[..]),
        };
        *self.uses.entry((def, id, element)).or_default() += 1;
        let once =
            self.is_inline(def, id, element) && self.contexts_of(self.scopes[level].current) == self.contexts_of(id);
        if once && level == here && self.calls.len() < MOST_NESTED && !self.scopes[level].written.contains(&id) {
            let (ex, pieces) = self.noted(|w| w.within(level, id, |w| w.statement(id)));
            if is_brief(&ex.text) {
                self.pieces.extend(pieces);
                return ex;
            }
        }
        self.write_statement(level, id);
        let scope = &self.scopes[level];
        let mut places = vec![element];
        for (depth, key) in rest.iter().enumerate() {
            let Key::Index(item) = key else { break };
            places.push(*item);
            let name = scope.inner_names.get(&(access.from, places.clone()));
            // A tuple of names is what is asked for, or leads on to it.
            if let Some(name) = name.filter(|name| depth + 1 == rest.len() || !name.starts_with('(')) {
                return self.along(Ex::atom(name.clone()), &rest[depth + 1..]);
            }
        }
        let base = scope.names.get(&(access.from, element)).cloned().unwrap_or_else(|| "None".into());
        self.along(Ex::atom(base), rest)
    }

    /// Whether a value can be called, and is there for `with`: a mesh, which keeps the name that the program has for it.
    fn is_entered(&self, value: &Value) -> bool {
        let Value::Instance(instance) = value else { return false };
        instance.class().lookup(sym!("__enter__")).is_some() && self.state.names.contains_key(&value.identity())
    }

    /// Whether what a statement gives is no array, has no name in the program, is used once, and is made of constants: it stands where it is used,
    /// whatever body that is in.
    fn is_short(&mut self, level: usize, id: usize, value: &Value) -> bool {
        let def = self.scopes[level].def;
        let statement = &self.state.statements[id];
        let args = statement.args.iter().chain(statement.keywords.iter().map(|(_, arg)| arg));
        let is_constant = |arg: &Arg| match arg {
            Arg::Plain(_) => true,
            Arg::Tuple(items) => items.iter().all(|item| matches!(item, Arg::Plain(_))),
            _ => false,
        };
        let is_so = !matches!(value, Value::Array(_))
            && matches!(&statement.op, Op::Call(Value::Class(_)))
            && args.into_iter().all(is_constant)
            && self.is_inline(def, id, 0)
            && self.contexts_of(id).is_empty();
        if is_so {
            *self.uses.entry((def, id, 0)).or_default() += 1;
        }
        is_so
    }

    /// Whether a transformation is of a `lambda`.
    fn makes_nameless(&self, id: usize) -> bool {
        let statement = &self.state.statements[id];
        let is_nameless = |arg: &Arg| match arg {
            Arg::Callable(value) => {
                self.parts(value).is_some_and(|(function, ..)| function.name().as_str() == "<lambda>")
            }
            _ => false,
        };
        matches!(statement.op, Op::Call(_)) && statement.args.iter().any(is_nameless)
    }

    /// Whether an array of the program's top level is written as numbers for the statement that uses it: it takes functions of the program, or
    /// many steps.
    pub fn is_given(&mut self, level: usize, id: usize, array: &Val, user: Option<usize>) -> bool {
        if self.state.style != Style::Given || self.computes || array.is_tracer() || self.scopes[level].def != 0 {
            return false;
        }
        // Where they lay before is nothing to those that put them elsewhere.
        if self.is_placed(id) && !user.is_some_and(|user| self.is_placed(user)) && !self.calls.contains(&id) {
            return false;
        }
        if let Some(known) = self.long.get(&id) {
            return *known;
        }
        // What is asked for is computed, and nothing else stands for numbers.
        let is_result = self.direct.contains(&id);
        let is_known = || self.wanted.is_some() || self.has_numbers(array);
        if is_result || !is_known() {
            self.long.insert(id, false);
            return false;
        }
        let (mut wanted, mut seen) = (vec![id], FxHashSet::default());
        let mut is_long = false;
        while let Some(next) = wanted.pop().filter(|_| !is_long) {
            if !seen.insert(next) {
                continue;
            }
            let statement = &self.state.statements[next];
            is_long = seen.len() > MOST_STEPS || !statement.children.is_empty();
            self.made_of(0, next, &mut wanted);
        }
        self.long.insert(id, is_long);
        is_long
    }

    /// Whether a statement puts arrays where a sharding says: that is no part of their numbers, and what is compiled for a mesh asks for it.
    fn is_placed(&self, id: usize) -> bool {
        let statement = &self.state.statements[id];
        let Op::Call(Value::Function(function)) = &statement.op else { return false };
        if !function.module.unit.ours || !PLACING.contains(&function.name().as_str()) {
            return false;
        }
        let is_sharding = |arg: &Arg| match arg {
            Arg::Leaf(Value::Instance(instance)) | Arg::Plain(Value::Instance(instance)) => {
                matches!(instance.class().name.as_str(), "NamedSharding" | "PartitionSpec" | "P")
            }
            _ => false,
        };
        let mut given = statement.args.iter().chain(statement.keywords.iter().map(|(_, arg)| arg));
        given.any(is_sharding)
    }

    /// Whether the numbers of an array can be written.
    fn has_numbers(&self, array: &Val) -> bool {
        let sizes = literal::known_sizes(&array.aval).iter().product::<usize>();
        let fits = sizes <= self.most_literal.min(MOST_GIVEN) || self.mode == Data::Exact;
        fits && array.concrete().is_some_and(|array| self.it.engine.force(&array).is_ok())
    }

    /// The statements of a body that another one of it is made of.
    pub fn made_of(&self, def: usize, id: usize, found: &mut Vec<usize>) {
        self.values_of(def, id, &mut |from, _| found.push(from));
    }

    /// The values of a body that a statement of it is made of, each with the statement that gives it.
    fn values_of(&self, def: usize, id: usize, found: &mut dyn FnMut(usize, &Value)) {
        let statement = &self.state.statements[id];
        for arg in statement.args.iter().chain(statement.keywords.iter().map(|(_, arg)| arg)) {
            arg.leaves(&mut Vec::new(), &mut |value, _| {
                if let Some(Access { from: Source::Statement(from), .. }) =
                    self.state.defs[def].bound.get(&value.identity())
                {
                    found(*from, value);
                }
            });
        }
    }

    pub fn along(&mut self, base: Ex, path: &[Key]) -> Ex {
        let mut text = base.within(POSTFIX);
        for key in path {
            match key {
                Key::Index(i) => text.push_str(&format!("[{i}]")),
                Key::Of(key) => {
                    let key = self.arg(key);
                    text.push_str(&format!("[{}]", key.text));
                }
                Key::Field(name) => text.push_str(&format!(".{name}")),
            }
        }
        Ex::atom(text)
    }

    /// Runs `body` as in the body at `level`, for one of its statements.
    pub fn within<T>(&mut self, level: usize, id: usize, body: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.scopes.split_off(level + 1);
        let calls = if inner.is_empty() { Vec::new() } else { std::mem::take(&mut self.calls) };
        let before = std::mem::replace(&mut self.scopes[level].current, id);
        let result = body(self);
        self.scopes[level].current = before;
        if !inner.is_empty() {
            self.calls = calls;
        }
        self.scopes.extend(inner);
        result
    }

    /// The items of what a statement gives, where each has a name of its own: those of tuples, and of lists that the program unpacks.
    pub fn unpacked(&self, id: usize) -> Option<&[Arg]> {
        let is_named =
            |item: &Arg| matches!(item, Arg::Leaf(value) if self.state.names.contains_key(&value.identity()));
        let (of, result) = self.state.statements[id].result.as_ref()?;
        match result {
            // The program has a name for the whole, and none for what it is of.
            Arg::Tuple(items) if self.state.names.contains_key(of) && !self.is_taken_apart(id, items) => None,
            Arg::Tuple(items) => Some(items),
            Arg::List(items) if items.len() <= MOST_UNPACKED => {
                let are_leaves = items.iter().all(|item| matches!(item, Arg::Leaf(_)));
                (are_leaves && items.iter().any(is_named)).then_some(items)
            }
            _ => None,
        }
    }

    /// Whether the program has a name for an item of what a statement gives, or for a part of one.
    fn is_taken_apart(&self, id: usize, items: &[Arg]) -> bool {
        let has_name = |id: usize| self.state.names.contains_key(&id);
        let is_leaf = |item: &Arg| matches!(item, Arg::Leaf(value) | Arg::Callable(value) | Arg::Tree(value, _) if has_name(value.identity()));
        items.iter().any(is_leaf)
            || self.state.statements[id].parts.iter().any(|part| has_name(part.id) || part.any(&has_name))
    }

    /// Whether the items of an array are given names by a statement of the program, and not one after the other by a loop.
    pub fn is_unpacking(&self, id: usize) -> bool {
        let statement = &self.state.statements[id];
        let (Op::Items, Some((_, Arg::Tuple(items)))) = (&statement.op, &statement.result) else { return false };
        let name = |item: &Arg| match item {
            Arg::Leaf(value) => self.state.names.get(&value.identity()),
            _ => None,
        };
        let mut names: Vec<_> = items.iter().filter_map(name).collect();
        names.sort_unstable();
        let is_once = names.is_sorted_by(|a, b| a < b);
        is_once && !names.is_empty() && names.len() == items.len() && items.len() <= MOST_UNPACKED
    }

    /// Whether a result needs no name: it is used once, and the program has none for it.
    pub fn is_inline(&self, def: usize, id: usize, element: usize) -> bool {
        let once = self.seen_uses.as_ref().is_some_and(|uses| uses.get(&(def, id, element)) == Some(&1));
        let Some((of, result)) = &self.state.statements[id].result else { return false };
        once && matches!(result, Arg::Leaf(_)) && !self.is_named_in(def, *of)
    }

    /// Whether a body has given one of its values a name, or one inside of it: what a map over a tree gives may have a name around it.
    pub fn is_named_in(&self, def: usize, id: usize) -> bool {
        self.state.names.contains_key(&id) && self.state.named_in.get(&id).is_none_or(|body| *body >= def)
    }

    /// A tuple that a statement gives and that is only used as a whole, once: the statement itself.
    pub fn whole_result(&mut self, arg: &Arg) -> Option<Ex> {
        let level = self.scopes.len() - 1;
        let def = self.scopes[level].def;
        let mut first = None;
        arg.leaves(&mut Vec::new(), &mut |value, _| _ = first.get_or_insert(value.identity()));
        let access = self.state.defs[def].bound.get(&first?)?;
        let Access { from: Source::Statement(id), path } = access else { return None };
        let id = *id;
        let whole = &self.state.statements[id].result.as_ref()?.1;
        let is_it = matches!(whole, Arg::Tuple(_)) && path.len() == 1 && whole.is_like(arg, &Value::is);
        if !is_it || self.unpacked(id).is_none() || self.calls.contains(&id) || self.effects.contains_key(&id) {
            return None;
        }
        *self.uses.entry((def, id, WHOLE)).or_default() += 1;
        let items = self.unpacked(id)?.len();
        let seen = self.seen_uses.as_ref()?;
        let is_once = seen.get(&(def, id, WHOLE)) == Some(&1)
            && (0..items).all(|i| seen.get(&(def, id, i)).is_none_or(|count| *count == 1));
        let mut is_named = false;
        whole.leaves(&mut Vec::new(), &mut |value, _| {
            is_named |= matches!(value, Value::Array(_)) || self.state.names.contains_key(&value.identity());
        });
        let is_here = self.contexts_of(self.scopes[level].current) == self.contexts_of(id)
            && self.calls.len() < MOST_NESTED
            && !self.scopes[level].written.contains(&id);
        if !is_once || is_named || !is_here {
            return None;
        }
        let (ex, pieces) = self.noted(|w| w.within(level, id, |w| w.statement(id)));
        is_brief(&ex.text).then(|| {
            self.pieces.extend(pieces);
            ex
        })
    }

    /// Writes what a statement of the body at `level` is made of and gets a name, first things first: what is asked for backwards
    /// alone is as deep as the program is long.
    pub fn prepare(&mut self, level: usize, id: usize) {
        let def = self.scopes[level].def;
        let (mut wanted, mut found) = (vec![id], BTreeSet::new());
        while let Some(next) = wanted.pop() {
            let is_new = !self.scopes[level].written.contains(&next) && !self.calls.contains(&next);
            if !is_new || !found.insert(next) {
                continue;
            }
            let mut made_of = Vec::new();
            self.values_of(def, next, &mut |from, value| made_of.push((from, value.clone())));
            for (from, value) in made_of {
                // What is given as numbers is not computed.
                let is_given = matches!(&value, Value::Array(array) if self.is_given(level, from, array, Some(next)));
                if !is_given {
                    wanted.push(from);
                }
            }
        }
        found.remove(&id);
        for id in found {
            let statement = &self.state.statements[id];
            let is_array = statement.result.as_ref().is_some_and(|(_, result)| result.holds_array());
            if is_array && (!matches!(statement.op, Op::Items) || self.is_unpacking(id)) && !self.is_inline(def, id, 0)
            {
                self.write_statement(level, id);
            }
        }
    }
}
