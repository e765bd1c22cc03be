//! The whole program: settings, devices, and the statement or the function that it is for.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::is_callable;
use super::expression::POSTFIX;
use super::pieces::Piece;
use super::rebind::{Names, tidied};
use super::{Line, Scope, Writer};
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::python::{Site, Value};
use crate::repro::layout::split;
use crate::repro::names::{Imports, free_name, is_reserved};
use crate::repro::tree::{Access, Arg, Op, Param, ParamKind, Raised, Source};
use crate::trace::Repr;

/// What is to be reproduced.
pub enum Goal {
    Error(Raised),
    Function(usize),
    /// Statements of the program's top level.
    Calls(Vec<usize>),
    /// A value of the top level, and the place that makes it.
    Value(Arg, Site),
}

/// The setting that says how many devices there are.
const DEVICES: &str = "jax_num_cpu_devices";

/// So many devices the run has had.
fn devices(it: &Rc<Interp>) -> usize {
    match prelude_member(it, "jax._engine_devices", "_devices") {
        Ok(Value::List(devices)) => devices.read().len(),
        _ => 1,
    }
}

/// How settings begin that are about compiling, and change nothing that a function gives.
const BESIDE: [&str; 5] =
    ["jax_compilation_cache", "jax_persistent_cache", "jax_log_", "jax_explain_cache", "jax_dump_"];

/// Settings that look for numbers which are none.
const CHECKS: [&str; 2] = ["jax_debug_nans", "jax_debug_infs"];

impl Writer<'_> {
    /// Begins to write again.
    pub fn begin(&mut self) {
        self.given.clear();
        self.data.clear();
        self.randoms = 0;
        self.tops.clear();
        self.constants.clear();
        self.seen_literals = std::mem::take(&mut self.literals);
        self.long.clear();
        self.imports = Imports { own: std::mem::take(&mut self.imports.own), ..Imports::default() };
        self.approximate = false;
        self.made_up = false;
        self.vague = false;
        self.lacks.clear();
        self.stand_ins.clear();
        self.emitted.clear();
        self.bodies.clear();
        self.numbered.clear();
    }

    /// Counts what the bodies use that were not written when uses were counted.
    pub fn count_more(&mut self, counted: &FxHashSet<usize>) {
        let more = std::mem::take(&mut self.uses).into_iter().filter(|((def, ..), _)| !counted.contains(def));
        self.seen_uses.get_or_insert_default().extend(more);
        let alone = std::mem::take(&mut self.alone);
        self.seen_alone.extend(alone.iter().filter(|def| !counted.contains(*def)));
    }

    /// All lines, and the function that is called.
    pub fn whole(&mut self, goal: &Goal) -> (Vec<Line>, Option<String>) {
        self.scopes = vec![Scope::default()];
        self.calls.clear();
        self.repeated.clear();
        let devices = devices(self.it);
        if devices > 1 {
            self.put(0, 0, format!("jax.config.update(\"{DEVICES}\", {devices})"), None);
        }
        self.settings(goal);
        if !self.seen_leaks.is_empty() {
            self.put(0, 0, "leaked = {}".into(), None);
        }
        // The first statement of the program may read exact numbers.
        let settings = self.scopes[0].slots.get(&0).map_or(0, Vec::len);
        self.data_name = self.name_of_data();
        self.scopes[0].taken.insert(self.data_name.clone());
        let mut function = None;
        match goal {
            Goal::Error(raised) => {
                let root = &self.state.defs[0].statements;
                let failed = root.iter().rev().find(|s| self.state.statements[**s].failed_with(raised));
                self.failure(0, failed.copied(), raised.clone(), None);
            }
            Goal::Function(id) => function = Some(self.called(*id)),
            Goal::Calls(ids) => self.results(ids),
            Goal::Value(value, site) => {
                self.scopes[0].current = usize::MAX - 2;
                self.asks_for(value);
                let (ex, pieces) = self.noted(|w| w.arg(value));
                self.gives(&ex.text, &pieces, Some(*site), Vec::new());
            }
        }
        self.earlier_meshes();
        if !self.data.is_empty() {
            let text = format!("{} = np.load(__file__[:-2] + \"npz\")", self.data_name);
            let lines = self.scopes[0].slots.entry(0).or_default();
            lines.insert(settings.min(lines.len()), Line::new(0, text, None));
        }
        let scope = self.scopes.pop().unwrap_or_default();
        let (made_up, numbered) = (scope.made_up.clone(), scope.numbered.clone());
        let may = |name: &str| !self.functions.contains(name) && !is_reserved(name);
        (tidied(scope.lines(), &[], &Names { made_up: &made_up, numbered: &numbered, may: &may }), function)
    }

    /// Notes which statements give what is asked for. What none gives, and has numbers that are not known, is what a loop leaves that
    /// was not run to its end.
    fn asks_for(&mut self, value: &Arg) {
        let bound = &self.state.defs[0].bound;
        value.leaves(&mut Vec::new(), &mut |value, _| match (bound.get(&value.identity()), value) {
            (Some(Access { from: Source::Statement(id), .. }), _) => _ = self.direct.insert(*id),
            (None, Value::Array(array)) => self.approximate |= matches!(array.repr, Repr::Opaque(_)),
            _ => {}
        });
    }

    /// What statements of the top level give.
    fn results(&mut self, ids: &[usize]) {
        let site = ids.last().and_then(|id| self.state.statements[*id].site);
        let at = ids.last().copied().unwrap_or_default();
        let (ex, pieces) = match ids {
            [id] => self.noted(|w| w.within(0, *id, |w| w.statement(*id))),
            _ => {
                self.scopes[0].current = usize::MAX - 2;
                let results = ids.iter().filter_map(|id| Some(self.state.statements[*id].result.as_ref()?.1.clone()));
                let all = Arg::Tuple(results.collect());
                self.asks_for(&all);
                self.noted(|w| w.arg(&all))
            }
        };
        let contexts = self.state.statements.get(at).map_or(Vec::new(), |statement| statement.contexts.clone());
        let inside = self.contexts(0, at, &contexts);
        match inside.is_empty() {
            true => self.scopes[0].last.push(Line::new(0, ex.text, site).of(&pieces)),
            false => self.gives(&ex.text, &pieces, site, inside),
        }
    }

    /// Ends the program with a statement that can be found again, and what it gives: what stands under a `with` is no value of the file.
    fn gives(&mut self, text: &str, pieces: &[Piece], site: Option<Site>, inside: Vec<(usize, String)>) {
        let name = free_name("result", |name| self.given.contains(name) || self.scopes[0].taken.contains(name));
        let line = Line::new(0, format!("{name} = {text}"), site).of(pieces);
        self.scopes[0].last.push(Line { inside, ..line });
        self.scopes[0].last.push(Line::new(0, name, site));
    }

    /// Settings that the program makes, where they change something.
    pub fn settings(&mut self, goal: &Goal) {
        let mut made: FxHashMap<String, String> = FxHashMap::default();
        let all = self.state.defs[0].statements.clone();
        // Before the call that is wanted.
        let end = match goal {
            Goal::Calls(ids) => ids.iter().max().copied().unwrap_or_default(),
            Goal::Function(_) => self.state.wanted_in.unwrap_or(usize::MAX),
            Goal::Error(_) | Goal::Value(..) => 0,
        };
        let mesh = all.iter().rev().find(|id| **id < end && self.sets_mesh(**id)).copied();
        for id in all {
            let statement = &self.state.statements[id];
            if mesh == Some(id) {
                let text = self.statement(id).text;
                self.put(0, id, text, statement.site);
                continue;
            }
            let Op::Call(Value::Function(function)) = &statement.op else { continue };
            if function.name().as_str() == "update"
                && function.module.name.contains("config")
                && statement.errors.is_empty()
            {
                let option = statement.args.iter().find_map(|arg| match arg {
                    Arg::Plain(name) => name.as_str(),
                    _ => None,
                });
                let option = option.unwrap_or_default().to_owned();
                // Of numbers that are made up nothing is to be found.
                let is_check = self.failing.is_none() && self.seen_made_up && CHECKS.contains(&&*option);
                if option == DEVICES || is_check || BESIDE.iter().any(|prefix| option.starts_with(prefix)) {
                    continue;
                }
                let text = self.statement(id).text;
                if made.insert(option, text.clone()).as_ref() != Some(&text) {
                    self.put(0, id, text, statement.site);
                }
            }
        }
    }

    /// Sets meshes that the program has replaced by another one later, where what stands between the two asks for a mesh.
    fn earlier_meshes(&mut self) {
        let all = &self.state.defs[0].statements;
        let set: Vec<usize> = all.iter().copied().filter(|id| self.sets_mesh(*id)).collect();
        for pair in set.windows(2) {
            let mut between = self.scopes[0].slots.range(pair[0] + 1..pair[1]).flat_map(|(_, lines)| lines);
            if between.any(|line| line.indent == 0 && asks_for_mesh(&line.text)) {
                let text = self.statement(pair[0]).text;
                self.put(0, pair[0], text, self.state.statements[pair[0]].site);
            }
        }
    }

    /// Whether a statement sets the mesh for all that follows (`jax.set_mesh(mesh)` that is no context of a `with`).
    fn sets_mesh(&self, id: usize) -> bool {
        let statement = &self.state.statements[id];
        let Op::Call(Value::Class(class)) = &statement.op else { return false };
        let is_entered = |context: &Arg| match (context, &statement.result) {
            (Arg::Leaf(value) | Arg::Callable(value), Some((made, _))) => value.identity() == *made,
            _ => false,
        };
        class.name.as_str() == "set_mesh"
            && class.module.starts_with("jax")
            && statement.errors.is_empty()
            && !self.state.contexts.iter().any(is_entered)
    }

    /// A function with a call of it on inputs like those that it was seen with.
    pub fn called(&mut self, id: usize) -> String {
        let def = &self.state.defs[id];
        self.known = self.given_to(id);
        self.is_unsure = self.is_in_branch(id);
        self.add_told(id);
        self.scopes[0].current = usize::MAX - 2;
        for made in self.ruled_by(id) {
            self.hoisted(made, &[]);
        }
        // A function that a call of the framework gave is made once more, at the top.
        let is_made = |given: &Arg| match given {
            Arg::Tree(value, _) | Arg::Leaf(value) => is_callable(value) && self.made_elsewhere(value).is_some(),
            _ => false,
        };
        let mut is_left: Vec<bool> =
            def.params.iter().map(|param| !param.given.holds_array() || is_made(&param.given)).collect();
        // What the function does not ask for is not given to it, but for a function that asks for nothing.
        let asked: Vec<Option<Arg>> =
            def.params.iter().enumerate().map(|(i, param)| self.asked_of(id, i, &param.given)).collect();
        let is_idle = |(is_left, asked): (&bool, &Option<Arg>)| *is_left || asked.is_none();
        let all_idle = is_left.iter().zip(&asked).all(is_idle);
        if !all_idle {
            is_left.iter_mut().zip(&asked).for_each(|(is_left, asked)| *is_left |= asked.is_none());
        }
        let given = |i: usize, param: &Param| match &asked[i] {
            Some(asked) if !all_idle => asked.clone(),
            _ => param.given.clone(),
        };
        let name = self.function(id, &|i, _| is_left[i]);
        let mut traced = false;
        let mut texts = Vec::new();
        let mut written: Vec<(usize, &Param)> = def.params.iter().enumerate().filter(|(i, _)| !is_left[*i]).collect();
        // `*rest` is given in front of what is given by name.
        written.sort_by_key(|(_, param)| match param.kind {
            ParamKind::Plain => 0,
            ParamKind::Rest => 1,
            ParamKind::KeywordOnly => 2,
            ParamKind::RestKeywords => 3,
        });
        for (i, param) in written {
            let given = given(i, param);
            let mut is_traced = false;
            given.leaves(&mut Vec::new(), &mut |value, _| {
                is_traced |= matches!(value, Value::Array(array) if array.is_tracer());
            });
            traced |= is_traced;
            let value = match is_traced {
                true => self.arg(&without_functions(&given)),
                false => self.arg(&given),
            };
            texts.push(match param.kind {
                ParamKind::Plain => value.text,
                ParamKind::KeywordOnly => format!("{}={}", param.name, value.text),
                ParamKind::Rest => match value.text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
                    Some(items) if matches!(&given, Arg::Tuple(given) if given.len() == split(items).len()) => {
                        items.trim_end_matches(',').to_owned()
                    }
                    _ => format!("*{}", value.text),
                },
                ParamKind::RestKeywords => format!("**{}", value.text),
            });
        }
        self.approximate |= def.result.as_ref().is_some_and(|result| self.gives_unknown(result));
        // What gives a function, or a text, is not compiled.
        traced &= !def.errors.is_empty() || def.result.as_ref().is_none_or(is_traceable);
        self.compiles = traced;
        let callee = if traced { format!("jax.jit({})", name.text) } else { name.within(POSTFIX) };
        let inside = self.contexts(0, usize::MAX - 2, &def.contexts);
        let call = format!("{callee}({})", texts.join(", "));
        // An exception gives nothing.
        match inside.is_empty() || !def.errors.is_empty() {
            true => self.scopes[0].last.push(Line { inside, ..Line::new(0, call, def.site) }),
            false => self.gives(&call, &[], def.site, inside),
        }
        match name.text.starts_with("lambda") {
            true => "<lambda>".into(),
            false => name.text,
        }
    }
}

impl Writer<'_> {
    /// Whether there is a function of the program in a result that nobody has called: it is not known what that does.
    fn gives_unknown(&self, result: &Arg) -> bool {
        let mut any = false;
        result.leaves(&mut Vec::new(), &mut |value, _| {
            any |= matches!(value, Value::Function(function) if !function.module.unit.ours && self.find_def(function).is_none());
        });
        any
    }
}

/// Whether a statement has a spec without the mesh that it is for, or maps over a mesh that it does not name.
fn asks_for_mesh(text: &str) -> bool {
    let has_spec = ["P(", "PartitionSpec("].iter().any(|spec| text.contains(spec));
    has_spec && !text.contains("NamedSharding(") && !text.contains("mesh=")
}

/// Whether a compiled function may give a result.
fn is_traceable(result: &Arg) -> bool {
    match result {
        Arg::Callable(_) | Arg::Object(_) | Arg::Class(_) | Arg::Slice(_) | Arg::Generator | Arg::Set(_) => false,
        Arg::Leaf(Value::Array(_)) => true,
        Arg::Leaf(value) => !is_callable(value) && !matches!(value, Value::Class(_)),
        Arg::Plain(value) => !matches!(value, Value::Str(_) | Value::Bytes(_) | Value::Range(_) | Value::Ellipsis),
        Arg::Tuple(items) | Arg::List(items) => items.iter().all(is_traceable),
        Arg::Dict(items) => items.iter().all(|(_, item)| is_traceable(item)),
        Arg::Tree(..) | Arg::Fields(_) | Arg::Vague(_) | Arg::Lost => true,
    }
}

/// What a compiled function may be given of an argument: no functions. Its body names those that it calls.
fn without_functions(arg: &Arg) -> Arg {
    let all = |items: &[Arg]| items.iter().map(without_functions).collect();
    match arg {
        Arg::Callable(_) | Arg::Leaf(Value::Class(_)) => Arg::Plain(Value::None),
        Arg::Leaf(value) if is_callable(value) => Arg::Plain(Value::None),
        Arg::Tuple(items) => Arg::Tuple(all(items)),
        Arg::List(items) => Arg::List(all(items)),
        Arg::Dict(items) => Arg::Dict(items.iter().map(|(key, item)| (key.clone(), without_functions(item))).collect()),
        Arg::Tree(value, tree) if matches!(**tree, Arg::Fields(_)) => Arg::Tree(value.clone(), tree.clone()),
        Arg::Tree(value, tree) if is_callable(value) => without_functions(tree),
        Arg::Tree(value, tree) => Arg::Tree(value.clone(), Box::new(without_functions(tree))),
        other => other.clone(),
    }
}
