//! The whole text of a reproducer, and where its lines come from.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Request;
use super::bodies::{Line, Scope};
use super::layout::broken;
use super::tree::{Arg, Op, Raised, Source, State};
use super::write::Writer;
use crate::frameworks::jax::prelude_member;
use crate::interp::Interp;
use crate::python::{FileId, Value};
use crate::text::Span;

/// A small program out of a large one.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproducer {
    /// The program, without a header.
    pub text: String,
    /// What it is expected to do.
    pub outcome: Outcome,
    /// Where its lines come from.
    pub ties: Vec<Tie>,
    /// Whether something in it is not what it was.
    pub approximate: bool,
    /// The function that it calls, where one was asked for.
    pub function: Option<String>,
    /// The operation that raises, where there is one.
    pub operation: String,
    /// The functions on the way to it, outermost first, each as a program of its own with its ties; where a minimal one is wanted.
    pub inner: Vec<(String, Vec<Tie>)>,
}

/// What a reproducer does.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It raises: the class with its module, and the message.
    Error(String, String),
    /// It gives arrays of these types.
    Values(Vec<String>),
}

/// A line of a reproducer and the place that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Tie {
    /// The line, counted from 0.
    pub line: usize,
    /// The file: an index into the analysis' files.
    pub file: usize,
    /// The range.
    pub span: Span,
}

/// Writes the reproducer of a recorded run; `None` where there is nothing to reproduce.
pub fn build(it: &Rc<Interp>, request: &Request, file: &dyn Fn(FileId) -> Option<usize>) -> Option<Reproducer> {
    it.repro.on.set(false);
    let state = it.repro.state.borrow();
    let goal = match (&request.function, &state.reported) {
        (Some(_), _) => Goal::Function(state.wanted_def?),
        (None, Some(raised)) => Goal::Error(raised.clone()),
        (None, None) => return None,
    };
    let (text, ties, approximate, function) = written(it, &state, request, &goal, file);
    let outcome = match &goal {
        Goal::Error(raised) => Outcome::Error(raised.class.clone(), raised.message.clone()),
        Goal::Function(id) => match &state.defs[*id].error {
            Some(raised) => Outcome::Error(raised.class.clone(), raised.message.clone()),
            None => Outcome::Values(state.defs[*id].result.as_ref().map(types).unwrap_or_default()),
        },
    };
    let (way, operation) = match &goal {
        Goal::Error(raised) => way_to(it, &state, raised),
        Goal::Function(_) => Default::default(),
    };
    let inner = way.into_iter().filter(|_| request.minimal).map(|def| {
        let (text, ties, ..) = written(it, &state, request, &Goal::Function(def), file);
        (text, ties)
    });
    let inner = inner.collect();
    Some(Reproducer { text, outcome, ties, approximate, function, operation, inner })
}

/// The text for a goal, its ties, whether it is approximate, and the function that it calls.
fn written(
    it: &Rc<Interp>,
    state: &State,
    request: &Request,
    goal: &Goal,
    file: &dyn Fn(FileId) -> Option<usize>,
) -> (String, Vec<Tie>, bool, Option<String>) {
    let mut writer = Writer {
        it,
        state,
        most_literal: request.most_literal,
        imports: Default::default(),
        scopes: Vec::new(),
        calls: Vec::new(),
        effects: effects(state),
        uses: Default::default(),
        seen_uses: None,
        alone: Default::default(),
        seen_alone: Default::default(),
        functions: state.defs.iter().filter_map(|d| Some(d.function.as_ref()?.name().to_string())).collect(),
        given: Default::default(),
        is_function: matches!(goal, Goal::Function(_)),
        leaks: Vec::new(),
        seen_leaks: Vec::new(),
        long: Default::default(),
        approximate: false,
    };
    // Uses are counted first: what is used once needs no name.
    writer.whole(goal);
    if !writer.leaks.is_empty() {
        // What leaves a body by another way than its result is used there as well.
        writer.seen_leaks = writer.leaks.clone();
        writer.begin();
        writer.uses.clear();
        writer.whole(goal);
    }
    writer.seen_uses = Some(std::mem::take(&mut writer.uses));
    writer.seen_alone = std::mem::take(&mut writer.alone);
    writer.begin();
    let (lines, function) = writer.whole(goal);
    for line in &lines {
        writer.imports.see(&line.text);
    }
    let (text, ties) = printed(&writer.imports.lines(), &lines, file);
    (text, ties, writer.approximate, function)
}

/// The functions that an error came through, outermost first, and the operation that raised it.
fn way_to(it: &Rc<Interp>, state: &State, raised: &Raised) -> (Vec<usize>, String) {
    let (mut way, mut def, mut operation) = (Vec::new(), 0, String::new());
    loop {
        let failed =
            |ids: &[usize]| ids.iter().rev().find(|s| state.statements[**s].error.as_ref() == Some(raised)).copied();
        let Some(statement) = failed(&state.defs[def].statements) else { return (way, operation) };
        let statement = &state.statements[statement];
        operation = match &statement.op {
            Op::Call(callee) => it.callable_name(callee),
            op => format!("{op:?}"),
        };
        let inner = statement.children.iter().rev().find(|def| state.defs[**def].error.as_ref() == Some(raised));
        let Some(inner) = inner.filter(|def| !way.contains(*def)) else { return (way, operation) };
        way.push(*inner);
        def = *inner;
    }
}

/// The setting that says how many devices there are.
const DEVICES: &str = "jax_num_cpu_devices";

/// So many devices the run has had.
fn devices(it: &Rc<Interp>) -> usize {
    match prelude_member(it, "jax._engine", "_devices") {
        Ok(Value::List(devices)) => devices.read().len(),
        _ => 1,
    }
}

/// What is to be reproduced.
enum Goal {
    Error(Raised),
    Function(usize),
}

/// A result with its dictionaries sorted, as trees have them.
fn sorted(result: &Arg) -> Arg {
    match result {
        Arg::Tuple(items) | Arg::List(items) => Arg::Tuple(items.iter().map(sorted).collect()),
        Arg::Dict(items) => {
            let mut items: Vec<_> = items.iter().map(|(key, item)| (key.clone(), sorted(item))).collect();
            items.sort_by_cached_key(|(key, _)| match key {
                Arg::Plain(key) => key.as_str().unwrap_or_default().to_owned(),
                _ => String::new(),
            });
            Arg::Dict(items)
        }
        other => other.clone(),
    }
}

/// The types of the arrays in a result.
fn types(result: &Arg) -> Vec<String> {
    let mut all = Vec::new();
    let result = &sorted(result);
    result.leaves(&mut Vec::new(), &mut |value, _| {
        if let Value::Array(array) = value {
            all.push(array.aval.to_string());
        }
    });
    all
}

/// Statements that change what another one gave: rules of functions with derivatives of their own.
fn effects(state: &State) -> FxHashMap<usize, Vec<usize>> {
    let mut all: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (id, statement) in state.statements.iter().enumerate() {
        let Op::Call(callee) = &statement.op else { continue };
        let name = match callee {
            Value::Function(function) => function.name(),
            Value::Native(native) => native.name,
            _ => continue,
        };
        if !name.starts_with("def") {
            continue;
        }
        let Some(Arg::Leaf(receiver)) = statement.args.first() else { continue };
        let of = state.defs.iter().find_map(|def| def.bound.get(&receiver.identity()));
        if let Some(super::tree::Access { from: Source::Statement(of), .. }) = of {
            all.entry(*of).or_default().push(id);
        }
    }
    all
}

impl Writer<'_> {
    /// Begins to write again.
    fn begin(&mut self) {
        self.given.clear();
        self.imports = Default::default();
        self.approximate = false;
    }

    /// All lines, and the function that is called.
    fn whole(&mut self, goal: &Goal) -> (Vec<Line>, Option<String>) {
        self.scopes = vec![Scope::default()];
        self.calls.clear();
        self.settings();
        if !self.seen_leaks.is_empty() {
            self.put(0, 0, "leaked = {}".into(), None);
        }
        let devices = devices(self.it);
        if devices > 1 {
            self.put(0, 0, format!("jax.config.update(\"{DEVICES}\", {devices})"), None);
        }
        let mut function = None;
        match goal {
            Goal::Error(raised) => {
                let root = &self.state.defs[0].statements;
                let failed = root.iter().rev().find(|s| self.state.statements[**s].error.as_ref() == Some(raised));
                self.failure(0, failed.copied(), raised.clone(), None);
            }
            Goal::Function(id) => function = Some(self.called(*id)),
        }
        let scope = self.scopes.pop().unwrap_or_default();
        (scope.lines(), function)
    }

    /// Settings that the program makes.
    fn settings(&mut self) {
        for id in self.state.defs[0].statements.clone() {
            let statement = &self.state.statements[id];
            let Op::Call(Value::Function(function)) = &statement.op else { continue };
            if function.name().as_str() == "update"
                && function.module.name.contains("config")
                && statement.error.is_none()
                && !statement.args.iter().any(|arg| matches!(arg, Arg::Plain(name) if name.as_str() == Some(DEVICES)))
            {
                let ex = self.statement(id);
                self.put(0, id, ex.text, statement.site);
            }
        }
    }

    /// A function with a call of it on inputs like those that it was seen with.
    fn called(&mut self, id: usize) -> String {
        let def = &self.state.defs[id];
        self.scopes[0].current = usize::MAX - 2;
        let name = self.function(id, &|_, param| !param.given.holds_array());
        let mut traced = false;
        let mut texts = Vec::new();
        for param in def.params.iter().filter(|param| param.given.holds_array()) {
            param.given.leaves(&mut Vec::new(), &mut |value, _| {
                traced |= matches!(value, Value::Array(array) if array.is_tracer());
            });
            let value = self.arg(&param.given);
            texts.push(match param.kind {
                super::tree::ParamKind::Plain => value.text,
                super::tree::ParamKind::KeywordOnly => format!("{}={}", param.name, value.text),
                super::tree::ParamKind::Rest => format!("*{}", value.text),
                super::tree::ParamKind::RestKeywords => format!("**{}", value.text),
            });
        }
        let callee = if traced { format!("jax.jit({})", name.text) } else { name.within(super::write::POSTFIX) };
        let inside = self.contexts(0, usize::MAX - 2, &def.contexts);
        let call = Line { inside, ..Line::new(0, format!("{callee}({})", texts.join(", ")), def.site) };
        self.scopes[0].last.push(call);
        match name.text.starts_with("lambda") {
            true => "<lambda>".into(),
            false => name.text,
        }
    }
}

/// The text of lines with their imports, and the ties of its lines.
fn printed(imports: &[String], lines: &[Line], file: &dyn Fn(FileId) -> Option<usize>) -> (String, Vec<Tie>) {
    let mut out: Vec<String> = imports.to_vec();
    // NumPy is no part of JAX for those who sort imports, both are of third parties.
    out.sort_by_key(|line| line.starts_with("from"));
    out.push(String::new());
    let mut ties = Vec::new();
    let mut before: Option<&Line> = None;
    let mut definitions: Vec<usize> = Vec::new();
    for line in lines {
        let is_def = line.text.starts_with("def ") || line.text.starts_with("class ");
        // Definitions that end here.
        let ended = definitions.len();
        definitions.retain(|indent| *indent < line.indent);
        let left = definitions.len() < ended;
        if is_def {
            definitions.push(line.indent);
        }
        if line.indent == 0 && (is_def || left) {
            blank(&mut out, 2);
        } else if (is_def && before.is_some_and(|b| !(b.text.starts_with("def ") && b.indent < line.indent))) || left {
            blank(&mut out, 1);
        }
        let from = out.len();
        broken(line.indent, &line.text, &mut out);
        if let Some(site) = line.site
            && let Some(file) = file(site.file)
        {
            ties.extend((from..out.len()).map(|line| Tie { line, file, span: site.span }));
        }
        before = Some(line);
    }
    (out.join("\n") + "\n", ties)
}

fn blank(out: &mut Vec<String>, lines: usize) {
    let there = out.iter().rev().take_while(|line| line.is_empty()).count();
    out.extend((there..lines).map(|_| String::new()));
}
