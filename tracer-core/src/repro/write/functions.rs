//! Functions of the program that the framework calls.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::is_brief;
use super::callables::default_of;
use super::derived::DERIVED;
use super::expression::Ex;
use super::kinds;
use super::rebind::{Names, restore, tidied};
use super::{Line, Scope, Writer};
use crate::python::Value;
use crate::repro::layout::split;
use crate::repro::literal;
use crate::repro::names::{free_name, is_reserved};
use crate::repro::tree::{Arg, Def, Key, Op, Origin, Param, ParamKind, Source, Statement, place_of};

impl Writer<'_> {
    /// Writes a function of the program, and gives its name.
    pub fn function(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> Ex {
        // Written where each of its calls is, one that others call twice, which are called twice, takes as long as all of those together.
        let params = self.state.defs[id].params.iter().enumerate();
        let again = (id, params.map(|(i, param)| left_out(i, param)).collect::<Vec<_>>());
        if let Some(name) = self.repeated.get(&again).cloned()
            && let Some(placed) = self.scopes[0].placed.get(&name)
            && *placed <= self.scopes[0].current
        {
            let needs = *placed > 0;
            for scope in self.scopes.iter_mut().skip(1).filter(|_| needs) {
                scope.outer.insert(0);
            }
            return Ex::atom(name);
        }
        let (id, body) = self.by_first(id, left_out);
        let def: &Def = &self.state.defs[id];
        let hint = def.function.as_ref().map_or("f".to_owned(), |f| match f.name().as_str() {
            "<lambda>" => "fn".to_owned(),
            name => name.to_owned(),
        });
        let Body { params, renamed, lines: body, outer, .. } = body;
        let site = def.site;
        let target = outer.iter().next_back().copied().unwrap_or(0);
        if outer.is_empty() {
            self.alone.insert(id);
        }
        let is_lambda = def.function.as_ref().is_some_and(|f| f.name().as_str() == "<lambda>");
        if is_lambda
            && let [line] = &body[..]
            && let Some(result) = line.text.strip_prefix("return ")
            && is_brief(result)
            && !params.iter().any(|param| param == "*")
        {
            let params = params.join(", ");
            let space = if params.is_empty() { "" } else { " " };
            let tuple = matches!(&def.result, Some(Arg::Tuple(items)) if items.len() > 1) && split(result).len() > 1;
            let result = if tuple { format!("({result})") } else { result.to_owned() };
            self.pieces.extend(line.as_pieces());
            return Ex::lambda(format!("lambda{space}{params}: {result}"));
        }
        let texts: Vec<String> = body.iter().map(|line| format!("{}{}", " ".repeat(line.indent), line.text)).collect();
        let key = format!("{hint}({})\n{}", params.join(", "), texts.join("\n"));
        let at = if outer.is_empty() { 0 } else { self.scopes[target].current };
        if !outer.is_empty() {
            for scope in &mut self.scopes[target + 1..] {
                scope.outer.insert(target);
            }
        }
        if let Some(name) = self.scopes[target].functions.get(&key)
            && self.scopes[target].placed.get(name).is_some_and(|placed| *placed <= at)
        {
            return Ex::atom(name.clone());
        }
        let name = free_name(&hint, |name| {
            self.given.contains(name) || self.scopes.iter().any(|scope| scope.taken.contains(name))
        });
        self.give(name.clone());
        self.renamed.insert(name.clone(), renamed);
        self.scopes[target].functions.insert(key, name.clone());
        self.scopes[target].placed.insert(name.clone(), at);
        let is_deep = self.scopes.len() > MOST_AROUND;
        let is_again = target == 0
            && (is_deep
                || def.function.as_ref().is_some_and(|function| self.callers.calls_itself(self.state, function)));
        self.repeated.extend(is_again.then(|| (again, name.clone())));
        let qualified = def.function.as_ref().and_then(|function| self.qualified(function, &name));
        let slot = self.scopes[target].slots.entry(at).or_default();
        slot.push(Line::new(0, format!("def {name}({}):", params.join(", ")), site));
        slot.extend(body.into_iter().map(|line| Line { indent: line.indent + 4, ..line }));
        slot.extend(qualified.map(|line| Line::new(0, line, site)));
        Ex::atom(name)
    }

    /// A function as the first of the calls has it that it has cases for, and that call: the text of all of them is the same one, which stands once.
    fn by_first(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> (usize, Body) {
        if let Some(first) = self.first_of(id) {
            // What bodies ask for counts where they are taken.
            let asked = self.asked();
            let body = self.by_cases(first, left_out);
            if body.cases.iter().any(|case| self.has_same_plain(*case, id)) {
                return (first, body);
            }
            self.take_back(asked);
        }
        (id, self.by_cases(id, left_out))
    }

    /// The first of the other calls that a function may have cases for, where that comes before this one.
    fn first_of(&self, id: usize) -> Option<usize> {
        let def = &self.state.defs[id];
        let call = &self.state.statements[def.parent?];
        // What is tried and not taken is written in vain, with all that is inside of it.
        let is_deep = self.scopes.len() > MOST_AROUND;
        let is_alone = self.state.wanted_def == Some(id) || !def.errors.is_empty();
        if is_deep || is_alone || call.is_map() || self.is_once(id, call) {
            return None;
        }
        self.other_calls(id).into_iter().min().filter(|first| *first < id)
    }

    /// Whether two calls have been given the same plain arguments: what one is given as an array is no default of the other.
    fn has_same_plain(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.state.defs[a].params, &self.state.defs[b].params);
        let is_same = |a: &Arg, b: &Arg| is_same_plain(a, b) && a.holds_array() == b.holds_array();
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(&a.given, &b.given))
    }

    /// The body of a function, or of several calls of it: where the framework calls it with other plain arguments each time, what it does
    /// depends on them.
    fn by_cases(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> Body {
        if let Some(body) = self.mapped(id, left_out) {
            return body;
        }
        let def = &self.state.defs[id];
        let others = if def.errors.is_empty() { self.other_calls(id) } else { Vec::new() };
        if let Some(body) = self.by_numbers(id, &others, left_out) {
            return body;
        }
        let mut all = self.one_body(id, left_out);
        let mut cases = Vec::new();
        let is_once = def.parent.is_some_and(|call| self.is_once(id, &self.state.statements[call]));
        for other in others {
            let params = def.params.iter().zip(&self.state.defs[other].params).enumerate();
            let params = params.filter(|(i, (mine, _))| !left_out(*i, mine)).map(|(_, params)| params);
            let told = params.flat_map(|(mine, other)| {
                let renamed = all.renamed.iter().find(|(own, _)| *own == *mine.name).map(|(_, name)| name.clone());
                let name = renamed.unwrap_or_else(|| mine.name.to_string());
                match is_same_plain(&mine.given, &other.given) {
                    true => {
                        // Parts of what a rule is given (what the forward rule keeps).
                        let ways = if is_once { other_numbers(&mine.given, &other.given) } else { Vec::new() };
                        let part =
                            |way: &Vec<Key>| Some((format!("{name}{}", written(way)?), other.given.at(way)?.clone()));
                        let numbers = ways.iter().filter_map(part);
                        let kinds = is_once.then(|| kinds::told_apart(&name, &mine.given, &other.given)).flatten();
                        let kinds = kinds.into_iter().map(|condition| (condition, Arg::Lost));
                        numbers.chain(kinds).chain(other_sizes(&name, &mine.given, &other.given)).collect()
                    }
                    false => vec![(name, other.given.clone())],
                }
            });
            let (by_size, mut told): (Vec<_>, Vec<_>) = told.partition(|(name, _)| name.ends_with(SHAPE));
            if told.is_empty() {
                // One array tells sizes apart.
                told.extend(by_size.into_iter().next());
            }
            let next = self.one_body(other, left_out);
            if told.is_empty() || next.params != all.params || texts(&next.lines) == texts(&all.lines) {
                continue;
            }
            let conditions = told.iter().map(|(name, given)| match given {
                Arg::Plain(Value::None) => format!("{name} is None"),
                // It is the whole condition.
                Arg::Lost => name.clone(),
                given => format!("{name} == {}", self.arg(given).text),
            });
            let conditions: Vec<String> = conditions.collect();
            all.cases.push(other);
            cases.push((conditions, next));
        }
        // What holds for a case that differs in more from the last one can hold for one that differs in a part of it, too.
        cases.sort_by_key(|(conditions, _)| std::cmp::Reverse(conditions.len()));
        let mut lines = Vec::new();
        for (conditions, case) in cases {
            let condition = conditions.join(" and ");
            lines.push(Line::new(0, format!("if {condition}:"), def.site));
            lines.extend(case.lines.into_iter().map(|line| Line { indent: line.indent + 4, ..line }));
            all.outer.extend(case.outer);
        }
        all.lines.splice(0..0, lines);
        all
    }

    /// The body of a function that is mapped over a tree: it has to do the same with all leaves.
    fn mapped(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> Option<Body> {
        let state = self.state;
        let def = &state.defs[id];
        let call = def.parent.map(|call| &state.statements[call]).filter(|call| call.is_map())?;
        let is_other = |other: &&usize| {
            let of = &state.defs[**other];
            let is_it = of.function.as_ref().zip(def.function.as_ref()).is_some_and(|(a, b)| Rc::ptr_eq(a, b));
            **other != id && is_it
        };
        let others: Vec<usize> = call.children.iter().filter(is_other).copied().collect();
        if others.len() < MOST_LEAVES
            && let Some(body) = self.by_numbers(id, &others, left_out)
        {
            return Some(body);
        }
        let body = self.one_body(id, left_out);
        if self.seen_uses.is_some() {
            return Some(body);
        }
        // The first writing tells. What bodies ask for counts once.
        let asked = self.asked();
        let alike = others.len() < MOST_LEAVES
            && others.iter().all(|other| {
                let next = self.one_body(*other, left_out);
                next.params == body.params && texts(&next.lines) == texts(&body.lines)
            });
        self.take_back(asked);
        if !alike {
            self.unalike.extend(def.function.as_ref().map(|function| place_of(function)));
        }
        Some(body)
    }

    /// The body of several calls that differ in numbers of Python's and do the same with them: where what it does is written alike once
    /// its parameters stand for their numbers.
    fn by_numbers(&mut self, id: usize, others: &[usize], left_out: &dyn Fn(usize, &Param) -> bool) -> Option<Body> {
        let params = &self.state.defs[id].params;
        let mut ways: Vec<(usize, Vec<Key>)> = Vec::new();
        for other in others {
            for (i, (mine, other)) in params.iter().zip(&self.state.defs[*other].params).enumerate() {
                for way in other_numbers(&mine.given, &other.given) {
                    if !left_out(i, mine) && !ways.contains(&(i, way.clone())) {
                        ways.push((i, way));
                    }
                }
            }
        }
        if ways.is_empty() {
            return None;
        }
        let (before, outer) = (std::mem::take(&mut self.ways), self.derived);
        // What bodies ask for counts once.
        let asked = self.asked();
        // Functions inside of one that is tried are written once each time, and long bodies are not tried.
        let tried = if outer.is_none() { DERIVED } else { &[] };
        // A constant of the body may be the number of a parameter that it does not need.
        let single = ways.iter().filter(|_| (2..=MOST_NUMBERS).contains(&ways.len())).map(|way| vec![way.clone()]);
        let sets: Vec<Vec<_>> = std::iter::once(ways.clone()).chain(single).collect();
        let mut is_short = true;
        let mut found = None;
        for (derived, ways) in std::iter::once(None)
            .chain(tried.iter().map(Some))
            .flat_map(|derived| sets.iter().map(move |ways| (derived, ways)))
        {
            if !is_short {
                break;
            }
            self.derived = derived.or(outer);
            self.ways.clone_from(ways);
            let body = self.one_body(id, left_out);
            is_short = body.lines.len() <= MOST_TRIED;
            let alike = others.iter().all(|other| {
                let next = self.one_body(*other, left_out);
                next.params == body.params && texts(&next.lines) == texts(&body.lines)
            });
            if alike {
                found = Some(body);
                break;
            }
            self.take_back(asked.clone());
        }
        (self.ways, self.derived) = (before, outer);
        found
    }

    /// What has been asked for so far.
    fn asked(&self) -> Asked {
        (self.uses.clone(), self.literals.clone(), self.randoms, self.given.clone())
    }

    /// Takes back what a body asks for that is not taken. Functions that it has put around itself stay there, and so do their names, and what
    /// they ask for in themselves.
    fn take_back(&mut self, (uses, literals, randoms, given): Asked) {
        let open: FxHashSet<usize> = self.scopes.iter().map(|scope| scope.def).collect();
        let since = std::mem::replace(&mut self.uses, uses);
        self.uses.extend(since.into_iter().filter(|((def, ..), _)| !open.contains(def)));
        (self.literals, self.randoms, self.given) = (literals, randoms, given);
        self.given.extend(self.scopes.iter().flat_map(|scope| scope.functions.values().cloned()));
    }

    /// Whether a function that a statement calls is written once for all calls of it: a rule, or what has rules.
    fn is_once(&self, id: usize, call: &Statement) -> bool {
        self.is_rule(id) || matches!(&call.op, Op::Call(callee) if self.ruled(callee))
    }

    /// Other calls that the same statement, or another one of the same function of the framework, makes of the same function of the program,
    /// with other plain arguments.
    fn other_calls(&self, id: usize) -> Vec<usize> {
        let def = &self.state.defs[id];
        let (Some(call), Some(function)) = (def.parent, &def.function) else { return Vec::new() };
        let call = &self.state.statements[call];
        let is_like = |of: &Statement| match (&call.op, &of.op) {
            (Op::Call(callee), Op::Call(other)) => {
                callee.is(other) && !matches!(self.state.origins.get(&callee.identity()), Some(Origin::Path(_)))
            }
            _ => false,
        };
        // A rule is called by whatever calls the function that it is of.
        let is_rule = self.is_rule(id);
        let is_once = self.is_once(id, call);
        // Each call of one that calls itself is a function of its own, which has the next one in it.
        if !is_once && self.callers.calls_itself(self.state, function) {
            return Vec::new();
        }
        let calls = self.callers.calls_of(function).iter();
        let others = calls.filter(|(of, _)| is_rule || is_like(&self.state.statements[*of])).map(|(_, def)| def);
        let mut found: Vec<usize> = Vec::new();
        for other in call.children.iter().chain(others).copied() {
            if found.len() >= MOST_CASES {
                break;
            }
            let of = &self.state.defs[other];
            let is_it = of.function.as_ref().is_some_and(|of| Rc::ptr_eq(of, function)) && of.errors.is_empty();
            // Of one call (`associative_scan`), and of what is made once, sizes tell them apart as well.
            let by_size = is_once || call.children.contains(&other);
            let same = |seen: usize| {
                let seen = &self.state.defs[seen].params;
                let is_same = |(a, b): (&Param, &Param)| {
                    let is_plain =
                        is_same_plain(&a.given, &b.given) && (!is_once || other_numbers(&a.given, &b.given).is_empty());
                    let is_plain = is_plain && (!is_once || kinds::told_apart("", &a.given, &b.given).is_none());
                    is_plain && (!by_size || other_sizes("", &a.given, &b.given).is_empty())
                };
                seen.len() == of.params.len() && seen.iter().zip(&of.params).all(is_same)
            };
            // A default is no case of what another call is given as an array.
            let is_kind = is_once
                || of.params.iter().zip(&def.params).all(|(a, b)| a.given.holds_array() == b.given.holds_array());
            if is_it
                && is_kind
                && of.params.len() == def.params.len()
                && !same(id)
                && !found.iter().any(|seen| same(*seen))
            {
                found.push(other);
            }
        }
        found
    }

    /// The parameters and the body of one call.
    fn one_body(&mut self, id: usize, left_out: &dyn Fn(usize, &Param) -> bool) -> Body {
        let def: &Def = &self.state.defs[id];
        // What is written once more asks for what it has asked for before.
        if !self.bodies.insert(id) && self.seen_uses.is_none() {
            self.uses.retain(|(of, ..), _| *of != id);
        }
        self.scopes.push(Scope { def: id, ..Scope::default() });
        let level = self.scopes.len() - 1;
        let (mut params, mut renamed) = (Vec::new(), Vec::new());
        let mut starred = false;
        let ways = std::mem::take(&mut self.ways);
        for (i, param) in def.params.iter().enumerate() {
            if left_out(i, param) {
                continue;
            }
            let name = self.name(level, (Source::Param(i), 0), None, &param.name);
            for (_, way) in ways.iter().filter(|(of, _)| *of == i) {
                if let (Some(Arg::Plain(number)), Some(text)) = (param.given.at(way), written(way)) {
                    self.reads_parameter(level, i, &[]);
                    let part = self.part_of_parameter(level, i, way);
                    let text = part.map_or_else(|| format!("{name}{text}"), |part| part.text);
                    let derived = self.derived.and_then(|derived| derived.of(number, &text));
                    self.scopes[level].given.push((number.clone(), Ex::atom(text)));
                    self.scopes[level].given.extend(derived);
                }
            }
            if *name != *param.name {
                renamed.push((param.name.to_string(), name.clone()));
            }
            match param.kind {
                ParamKind::Rest => {
                    starred = true;
                    params.push(format!("*{name}"));
                }
                ParamKind::RestKeywords => params.push(format!("**{name}")),
                ParamKind::KeywordOnly if !starred && !def.params.iter().any(|p| p.kind == ParamKind::Rest) => {
                    starred = true;
                    params.push("*".into());
                    let default = def.function.as_ref().and_then(|f| default_of(f, i));
                    params.push(self.defaulted(name, default));
                }
                _ => {
                    let default = def.function.as_ref().and_then(|f| default_of(f, i));
                    params.push(self.defaulted(name, default));
                }
            }
        }
        // `*rest` stands before what is given by keyword.
        if let Some(rest) = params.iter().position(|p| p.len() > 1 && p.starts_with('*') && !p.starts_with("**")) {
            let is_written = |(i, p): &(usize, &Param)| p.kind == ParamKind::KeywordOnly && !left_out(*i, p);
            let keyword = def.params.iter().enumerate().filter(is_written).count();
            if keyword > 0 && rest >= keyword {
                let rest_param = params.remove(rest);
                params.insert(rest - keyword, rest_param);
            }
        }
        let calls = self.calls.clone();
        self.body(level, id);
        self.calls = calls;
        self.ways = ways;
        let scope = self.scopes.pop().unwrap_or_default();
        // Names of functions inside are free again: the same body, written once more, is the same text.
        scope.functions.values().for_each(|name| {
            self.given.remove(name);
        });
        let (made_up, numbered) = (scope.made_up.clone(), scope.numbered.clone());
        let outer = scope.outer.clone();
        let mut lines = scope.lines();
        let may = |name: &str| !self.functions.contains(name) && !is_reserved(name);
        restore(&mut lines, &mut params, &mut renamed, &may);
        let lines = tidied(lines, &params, &Names { made_up: &made_up, numbered: &numbered, may: &may });
        Body { params, renamed, outer, lines, cases: Vec::new() }
    }

    /// A parameter of the innermost body with its default, which is evaluated where the function is defined: it stands below what that needs.
    fn defaulted(&mut self, name: String, default: Option<Value>) -> String {
        let inner = self.scopes.pop();
        let before = std::mem::take(&mut self.reached);
        let text = self.with_default(name, default);
        let mut reached = std::mem::replace(&mut self.reached, before);
        // Functions that stand in a default have bodies of their own, which are done with.
        reached.retain(|level| *level < self.scopes.len());
        self.scopes.extend(inner.map(|mut inner| {
            inner.outer.extend(&reached);
            inner
        }));
        self.reached.extend(reached);
        text
    }
}

/// What asks for the sizes of an array.
const SHAPE: &str = ".shape";

/// Bodies of so many lines are written with numbers that are computed from those that they are given.
const MOST_TRIED: usize = 20;

/// Of so many numbers each is tried alone.
const MOST_NUMBERS: usize = 4;

/// A function that is mapped over so many leaves is not held to do the same with all of them.
const MOST_LEAVES: usize = 200;

/// So many other calls of a function are told apart.
const MOST_CASES: usize = 8;

/// In so many bodies a function is looked for its first call.
const MOST_AROUND: usize = 3;

/// What was asked for when a body was begun: uses, long literals, random arrays, names of functions.
type Asked = (FxHashMap<(usize, usize, usize), usize>, FxHashMap<String, usize>, usize, BTreeSet<String>);

/// A function that is written.
struct Body {
    params: Vec<String>,
    /// Parameters whose names were taken, with those that they have instead.
    renamed: Vec<(String, String)>,
    lines: Vec<Line>,
    /// Bodies around it that it needs something of.
    outer: BTreeSet<usize>,
    /// Other calls that it has cases for.
    cases: Vec<usize>,
}

/// The texts of lines.
fn texts(lines: &[Line]) -> Vec<(usize, &str)> {
    lines.iter().map(|line| (line.indent, line.text.as_str())).collect()
}

/// The sizes of arrays in an argument that are others than those in another one, by the expressions that ask for them.
fn other_sizes(name: &str, mine: &Arg, other: &Arg) -> Vec<(String, Arg)> {
    let known = |value: &Value| match value {
        Value::Array(array) => array.aval.shape.iter().map(|size| size.known()).collect::<Option<Vec<usize>>>(),
        _ => None,
    };
    let mut found = Vec::new();
    mine.leaves(&mut Vec::new(), &mut |value, path| {
        let Some(Arg::Leaf(other)) = other.at(path) else { return };
        if let (Some(own), Some(sizes)) = (known(value), known(other))
            && own != sizes
            && let Some(way) = written(path)
        {
            let sizes = sizes.iter().map(|size| Arg::Plain(Value::size(*size))).collect();
            found.push((format!("{name}{way}{SHAPE}"), Arg::Tuple(sizes)));
        }
    });
    found
}

/// The ways to numbers of Python's in an argument that are other numbers in another one.
fn other_numbers(mine: &Arg, other: &Arg) -> Vec<Vec<Key>> {
    fn walk(mine: &Arg, other: &Arg, path: &mut Vec<Key>, found: &mut Vec<Vec<Key>>) {
        match (mine, other) {
            (Arg::Plain(a), Arg::Plain(b)) => {
                let differ = is_number(a) && is_number(b) && !is_same_number(a, b);
                found.extend(differ.then(|| path.clone()));
            }
            (Arg::Tuple(all), Arg::Tuple(others)) | (Arg::List(all), Arg::List(others)) => {
                for (i, (a, b)) in all.iter().zip(others).enumerate() {
                    path.push(Key::Index(i));
                    walk(a, b, path, found);
                    path.pop();
                }
            }
            (Arg::Dict(all), Arg::Dict(others)) => {
                for ((key, a), (_, b)) in all.iter().zip(others) {
                    path.push(Key::Of(key.clone()));
                    walk(a, b, path, found);
                    path.pop();
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(mine, other, &mut Vec::new(), &mut found);
    found
}

/// Whether a value is a number that a parameter may stand for.
fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_))
}

/// Whether two values are the same number of the same type.
pub(super) fn is_same_number(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        _ => false,
    }
}

/// A way into a container as it is written.
pub(super) fn written(path: &[Key]) -> Option<String> {
    let step = |key: &Key| match key {
        Key::Index(i) => Some(format!("[{i}]")),
        Key::Of(Arg::Plain(Value::Str(key))) => Some(format!("[{}]", literal::text(key))),
        Key::Of(Arg::Plain(Value::Int(key))) => Some(format!("[{key}]")),
        Key::Field(name) => Some(format!(".{name}")),
        Key::Of(_) => None,
    };
    path.iter().map(step).collect()
}

/// Whether arguments are the same number or text, or are no numbers and texts.
fn is_same_plain(a: &Arg, b: &Arg) -> bool {
    match (a, b) {
        (Arg::Plain(Value::Int(a)), Arg::Plain(Value::Int(b))) => a == b,
        (Arg::Plain(Value::Bool(a)), Arg::Plain(Value::Bool(b))) => a == b,
        (Arg::Plain(Value::Float(a)), Arg::Plain(Value::Float(b))) => a == b,
        (Arg::Plain(Value::Str(a)), Arg::Plain(Value::Str(b))) => a == b,
        (Arg::Plain(Value::None), Arg::Plain(Value::None)) => true,
        (Arg::Plain(a), Arg::Plain(b)) => matches!((a, b), (Value::Object(_), Value::Object(_))),
        (Arg::Tuple(all), Arg::Tuple(others)) | (Arg::List(all), Arg::List(others)) => {
            !is_all_plain(a) || !is_all_plain(b) || {
                all.len() == others.len() && all.iter().zip(others).all(|(a, b)| is_same_plain(a, b))
            }
        }
        _ => true,
    }
}

/// Whether there is nothing in an argument but numbers and texts.
fn is_all_plain(arg: &Arg) -> bool {
    match arg {
        Arg::Tuple(items) | Arg::List(items) => items.iter().all(is_all_plain),
        arg => matches!(arg, Arg::Plain(value) if !matches!(value, Value::Object(_))),
    }
}
