//! Statements as lines of a body, and the names of what they give.

use std::rc::Rc;

use super::access::MOST_UNPACKED;
use super::expression::Ex;
use super::hints::{given_by_parameter, updated};
use super::pieces::Piece;
use super::{Line, Writer};
use crate::module::Symbol;
use crate::python::{Site, Value};
use crate::repro::Data;
use crate::repro::names::free_name;
use crate::repro::tree::{Arg, Key, Op, Part, Source};

impl Writer<'_> {
    /// Writes a statement of the body at `level`, once.
    pub fn write_statement(&mut self, level: usize, id: usize) {
        if !self.scopes[level].written.insert(id) {
            return;
        }
        let statement = &self.state.statements[id];
        let def = self.scopes[level].def;
        let (ex, pieces) = self.noted(|w| {
            w.within(level, id, |w| match w.is_unpacking(id) {
                true => w.arg(&statement.args[0]),
                false => w.statement(id),
            })
        });
        let op_hint = match given_by_parameter(&statement.op, statement.args.first(), &ex.text) {
            Some(parameter) => format!("{parameter}_value"),
            None => {
                let of = match &statement.op {
                    Op::Call(_) | Op::Method(_) => updated(&ex.text).map(str::to_owned),
                    _ => None,
                };
                of.unwrap_or_else(|| self.hint(&statement.op, statement.args.first()))
            }
        };
        let hint = |w: &Self, item: &Arg| w.field_of(item).unwrap_or_else(|| op_hint.clone());
        let nothing = matches!(&statement.result, Some((_, Arg::Plain(Value::None))));
        let items = self.unpacked(id).filter(|items| !items.is_empty()).map(<[Arg]>::to_vec);
        let target = match (&statement.result, items) {
            (Some(_), _) if nothing => String::new(),
            (_, Some(items)) => {
                let mut names = Vec::new();
                for (i, item) in items.iter().enumerate() {
                    let used = self.seen_uses.as_ref().is_none_or(|uses| uses.contains_key(&(def, id, i)));
                    let name = match item {
                        _ if !used => "_".to_owned(),
                        Arg::Leaf(value) => {
                            let hint = hint(self, item);
                            self.name(level, (Source::Statement(id), i), Some(value), &hint)
                        }
                        Arg::Plain(_) | Arg::Vague(_) | Arg::Lost => "_".to_owned(),
                        item => self.container(level, id, i, item, &op_hint),
                    };
                    names.push(name);
                }
                match &names[..] {
                    [one] => format!("({one},) = "),
                    many => format!("{} = ", many.join(", ")),
                }
            }
            (Some((of, result)), None) => {
                let named = self.state.names.get(of).map(|name| name.to_string());
                let is_named = self.is_named_in(def, *of);
                let name =
                    self.name(level, (Source::Statement(id), 0), None, &named.unwrap_or_else(|| hint(self, result)));
                if is_named {
                    self.scopes[level].made_up.remove(&name);
                }
                format!("{name} = ")
            }
            (None, None) => String::new(),
        };
        self.put_pieces(level, id, (format!("{target}{}", ex.text), &pieces), statement.site);
        if let Some(effects) = self.effects.get(&id).cloned() {
            for effect in effects {
                self.scopes[level].written.insert(effect);
                let (ex, pieces) = self.noted(|w| w.within(level, id, |w| w.statement(effect)));
                self.put_pieces(level, id, (ex.text, &pieces), self.state.statements[effect].site);
            }
        }
    }

    /// What the program calls the field that it puts an array in.
    fn field_of(&self, item: &Arg) -> Option<String> {
        let Arg::Leaf(value) = item else { return None };
        let fields = self.it.repro.fields.borrow();
        fields.get(&value.identity()).map(|(name, _)| name.to_string())
    }

    /// A function that a body has made which is not written, alone or along a path into what a call gives: it is made at the top, where it
    /// is given its rules, too.
    pub fn hoisted(&mut self, id: usize, path: &[Key]) -> Ex {
        let (element, rest) = match (self.unpacked(id), path.split_first()) {
            (Some(_), Some((Key::Index(i), rest))) => (*i, rest),
            _ => (0, path),
        };
        let def = self.scopes[0].def;
        *self.uses.entry((def, id, element)).or_default() += 1;
        self.write_statement(0, id);
        self.needs_top();
        let name = self.scopes[0].names.get(&(Source::Statement(id), element)).cloned();
        self.along(Ex::atom(name.unwrap_or_else(|| "None".into())), rest)
    }

    /// Functions with rules that are called by one of their rules, which is called on its own.
    pub fn ruled_by(&self, def: usize) -> Vec<usize> {
        let def = &self.state.defs[def];
        let is_it = |arg: &Arg| match arg {
            Arg::Callable(value) => self
                .parts(value)
                .is_some_and(|(rule, ..)| def.function.as_ref().is_some_and(|function| Rc::ptr_eq(function, &rule))),
            _ => false,
        };
        let calls = |made: usize| {
            let of = self.state.statements[made].result.as_ref().map(|(of, _)| *of);
            let callees = def.statements.iter().map(|id| &self.state.statements[*id].op);
            callees.filter(|op| matches!(op, Op::Call(callee) if Some(callee.identity()) == of)).count() > 0
        };
        let found = self.effects.iter().filter(|(made, effects)| {
            calls(**made) && effects.iter().any(|effect| self.state.statements[*effect].args.iter().any(is_it))
        });
        let mut found: Vec<usize> = found.map(|(made, _)| *made).collect();
        found.sort_unstable();
        found
    }

    /// Puts a line in the body at `level`.
    pub fn put(&mut self, level: usize, at: usize, text: String, site: Option<Site>) {
        self.put_pieces(level, at, (text, &[]), site);
    }

    /// Puts a line that statements are a part of in the body at `level`.
    pub fn put_pieces(&mut self, level: usize, at: usize, (text, pieces): (String, &[Piece]), site: Option<Site>) {
        let contexts = self.contexts_of(at).to_vec();
        let (inside, _) = self.noted(|w| w.contexts(level, at, &contexts));
        self.scopes[level].slots.entry(at).or_default().push(Line { inside, ..Line::new(0, text, site).of(pieces) });
    }

    /// The contexts of a statement.
    pub fn contexts_of(&self, id: usize) -> &[usize] {
        self.state.statements.get(id).map_or(&[], |statement| &statement.contexts)
    }

    /// Contexts with their texts, as a statement of the body at `level` sees them: a body asks for what makes one once, before it enters it.
    pub fn contexts(&mut self, level: usize, id: usize, contexts: &[usize]) -> Vec<(usize, String)> {
        let all = &self.state.contexts;
        let mut texts = Vec::new();
        for at in contexts {
            if !self.scopes[level].entered.contains_key(at) {
                let made = self.made_here(level, &all[*at]).unwrap_or(id);
                let text = self.within(level, made, |w| w.arg(&all[*at])).text;
                self.scopes[level].entered.insert(*at, text);
            }
            texts.push((*at, self.scopes[level].entered[at].clone()));
        }
        texts
    }

    /// The statement of the body at `level` that gives a context.
    fn made_here(&self, level: usize, context: &Arg) -> Option<usize> {
        let (Arg::Leaf(value) | Arg::Callable(value)) = context else { return None };
        match self.state.defs[self.scopes[level].def].bound.get(&value.identity())?.from {
            Source::Statement(id) => Some(id),
            _ => None,
        }
    }

    /// The target of an item that is a container, as the program has named it; of a tuple whose items it has named, theirs.
    fn container(&mut self, level: usize, id: usize, at: usize, item: &Arg, hint: &str) -> String {
        let (state, from) = (self.state, Source::Statement(id));
        let name = match state.statements[id].parts.get(at) {
            Some(part) => self.taken_apart(level, (from, &mut vec![at]), item, part, hint),
            None => {
                let named = match item {
                    Arg::Callable(value) | Arg::Tree(value, _) => state.names.get(&value.identity()).copied(),
                    _ => None,
                };
                self.fresh(level, named, hint)
            }
        };
        self.scopes[level].names.insert((from, at), name.clone());
        name
    }

    fn taken_apart(
        &mut self,
        level: usize,
        place: (Source, &mut Vec<usize>),
        item: &Arg,
        part: &Part,
        hint: &str,
    ) -> String {
        let (from, path) = place;
        let named = self.state.names.get(&part.id).copied();
        let has_name = |id: usize| self.state.names.contains_key(&id);
        let name = match item {
            Arg::Tuple(items)
                if named.is_none()
                    && items.len() == part.items.len()
                    && items.len() <= MOST_UNPACKED
                    && part.any(&has_name) =>
            {
                let mut texts = Vec::new();
                for (i, (item, part)) in items.iter().zip(&part.items).enumerate() {
                    path.push(i);
                    texts.push(self.taken_apart(level, (from, path), item, part, hint));
                    path.pop();
                }
                match &texts[..] {
                    [one] => format!("({one},)"),
                    many => format!("({})", many.join(", ")),
                }
            }
            _ => self.fresh(level, named, hint),
        };
        self.scopes[level].inner_names.insert((from, path.clone()), name.clone());
        name
    }

    pub fn name(&mut self, level: usize, key: (Source, usize), value: Option<&Value>, hint: &str) -> String {
        let named = value.and_then(|value| self.state.names.get(&value.identity())).copied();
        let name = self.fresh(level, named, hint);
        let is_own = value.is_none_or(|value| self.is_named_in(self.scopes[level].def, value.identity()));
        match key.0 {
            Source::Statement(_) if is_own => {}
            Source::Statement(_) => _ = self.scopes[level].made_up.insert(name.clone()),
            _ => _ = self.scopes[level].made_up.remove(&name),
        }
        self.scopes[level].names.insert(key, name.clone());
        name
    }

    /// A function stands somewhere by this name.
    pub fn give(&mut self, name: String) {
        self.given.insert(name.clone());
        self.spoken.insert(name);
    }

    /// Of the functions of the program those that are written have their names to themselves.
    pub fn keep_functions(&mut self) {
        let (spoken, own) = (&self.spoken, &self.imports.own);
        self.functions.retain(|name| spoken.contains(name) || own.iter().any(|(_, alias)| alias == name));
    }

    /// A name that is not taken: the one that the program has, or one like the hint.
    pub fn fresh(&mut self, level: usize, named: Option<Symbol>, hint: &str) -> String {
        let hint = named.as_ref().map_or(hint, |name| name.as_str());
        // Functions keep their names.
        let hint = match self.functions.contains(hint) {
            true => format!("{hint}_value"),
            false => hint.to_owned(),
        };
        let hint = hint.as_str();
        let from = self.seen_from(level);
        // A function that needs nothing of what is around it may read the file all the same.
        let is_file = |name: &str| self.mode == Data::Exact && name == self.data_name;
        let name = free_name(hint, |name| {
            self.functions.contains(name)
                || self.given.contains(name)
                || is_file(name)
                || self.scopes[from..].iter().any(|scope| scope.taken.contains(name) || scope.builtins.contains(name))
        });
        let scope = &mut self.scopes[level];
        scope.taken.insert(name.clone());
        if named.is_none() {
            scope.made_up.insert(name.clone());
        }
        if name != hint {
            scope.numbered.insert(name.clone());
        }
        name
    }

    /// The outermost body whose names a body sees that is not alone.
    pub fn seen_from(&self, level: usize) -> usize {
        (0..=level).rev().find(|at| self.seen_alone.contains(&self.scopes[*at].def)).unwrap_or(0)
    }
}
