//! A reproducer out of a recorded run.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::data::Datum;
use super::eager::{self, Told, Way};
use super::idle::without_idle;
use super::log::Logged;
use super::names::imported;
use super::print::printed;
use super::tree::{Access, Arg, Def, Op, Raised, Source, State, Statement};
use super::write::{Callers, Goal, Writer, decorated};
use super::{Data, Place, Request, Target};
use crate::analysis::Analysis;
use crate::array::Tensor;
use crate::frameworks::jax::jit::jitted;
use crate::frameworks::jax::prims;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::{FileId, Site, Value};
use crate::text::Span;
use crate::trace::Val;

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
    /// Whether a tree of the program stands in it as a dictionary whose leaves come in another order.
    pub reordered: bool,
    /// Whether a function is mapped over a tree in it.
    pub has_maps: bool,
    /// Functions that are, and do not do the same with all of its leaves.
    pub unalike: Vec<(FileId, Span)>,
    /// Whether it was made as small as it can be: sizes and values are others than the program's.
    pub is_minimal: bool,
    /// Whether it is the program's own text, without what its error does not need.
    pub is_own_text: bool,
    /// The operation that raises, where there is one.
    pub operation: String,
    /// What the text itself is a program for.
    pub target: Target,
    /// Arrays whose numbers stand in a file beside it.
    pub data: Vec<Datum>,
    /// Whether it is not known what all of its results are.
    pub unknown: bool,
    /// The numbers that it gives, where they are known and wanted.
    pub numbers: Vec<Option<Tensor>>,
    /// The functions on the way to it, outermost first, each as a program of its own with its ties; where a minimal one is wanted.
    pub inner: Vec<(String, Vec<Tie>)>,
    /// What was recorded, where that is to be told.
    pub log: Vec<Logged>,
    /// Numbers that the function is given and that are not known, by the ways to them.
    pub lacks: Vec<Way>,
    /// The numbers that were asked for.
    pub told: Vec<Told>,
    /// So many calls of the program's top level had begun when the function was called.
    pub begun: usize,
    /// Whether axes had names where the function was called.
    pub has_axes: bool,
    /// Whether it is of the whole call that the function is called in.
    pub is_around: bool,
    /// Arrays whose numbers are wanted and not known, so that ones stand for them: their names and types.
    pub stand_ins: Vec<String>,
    /// What a loop would have taken too much of to be run to its end.
    pub used_up: Option<&'static str>,
    /// Whether something stands in it for what is not known of the program.
    pub vague: bool,
    /// Primitives of the program's own that are bound.
    pub own: Vec<String>,
    /// Those of them that a transformation has asked for a rule.
    pub ruled: Vec<String>,
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

/// Writes the reproducer of a recorded run of a script; `None` where there is nothing to reproduce.
pub fn build(it: &Rc<Interp>, request: &Request, analysis: &Analysis, script: &Path) -> Option<Reproducer> {
    it.repro.on.set(false);
    let file = |id: FileId| analysis.file_index(id);
    let path = |id: FileId| Some(&*analysis.files[file(id)?].path);
    let is_in = |site: &Site, place: &Place| {
        let Span { start, end } = place.span;
        path(site.file) == Some(place.path.as_deref().unwrap_or(script))
            && site.span.start < end
            && start < site.span.end
    };
    // Of a call around a function all is given.
    if let Some(part) = request.part.as_ref().filter(|_| !request.around) {
        // What lies in it, or else what it is a part of.
        let within = |site: &Site| part.span.start <= site.span.start && site.span.end <= part.span.end;
        let mut state = it.repro.state.borrow_mut();
        let text = |site: &Site| Some(analysis.files.get(file(site.file)?)?.text.clone());
        let later = without_later_error(&mut state, |site| is_in(site, part));
        let is_narrowed = narrow_to_names(&mut state, text, |site| is_in(site, part) && within(site))
            || narrow(&mut state, |site| is_in(site, part) && within(site))
            || narrow(&mut state, |site| is_in(site, part));
        if let (false, Some(def)) = (is_narrowed, state.wanted_def) {
            state.defs[def].errors = later;
            // What a function gives is given by where it says so, whatever computes it.
            if state.defs[def].errors.is_empty() && !part.returns(analysis, script) {
                return None;
            }
        }
    }
    it.repro.state.borrow_mut().keep_calls_of_many_sizes();
    let state = it.repro.state.borrow();
    let goal = match &request.target {
        Target::Error => Goal::Error(state.reported.first()?.0.clone()),
        Target::Function(_) => match (state.wanted_def?, state.wanted_in.filter(|_| request.around)) {
            (_, Some(call)) => Goal::Calls(vec![call]),
            (def, None) => Goal::Function(def),
        },
        Target::Place(place) => match error_at(&state, |site| is_in(site, place)) {
            Some(raised) => Goal::Error(raised),
            None if place.function(analysis, script).is_some() => return None,
            None => {
                given_name(&state, |site| is_in(site, place)).or_else(|| calls(&state, |site| is_in(site, place)))?
            }
        },
    };
    if let (false, Goal::Function(id)) = (request.ask.is_empty(), &goal) {
        let told = told(it, &state, request, &goal, analysis, *id);
        return Some(Reproducer { told, ..nothing(request) });
    }
    // Of what nothing calls, and nothing is said of, nothing is known but its name.
    let says_nothing =
        |def: &Def| def.is_uncalled && def.statements.is_empty() && def.errors.is_empty() && is_lost(def);
    if matches!(&goal, Goal::Function(id) if says_nothing(&state.defs[*id])) {
        return None;
    }
    let written = written(it, &state, request, &goal, analysis);
    let raised = match &goal {
        Goal::Error(raised) => Some(raised),
        Goal::Function(id) => state.defs[*id].errors.first(),
        Goal::Calls(ids) => ids.iter().find_map(|id| state.statements[*id].errors.first()),
        Goal::Value(..) => None,
    };
    let results = results(it, &state, request, &goal, written.compiles);
    let outcome = match raised {
        Some(raised) => Outcome::Error(raised.class.clone(), raised.message.clone()),
        None => Outcome::Values(results.iter().map(|array| array.aval.to_string()).collect()),
    };
    // Where nothing stands for an array, numbers are the program's without a file beside the text, too.
    let has_numbers = request.data == Data::Exact || !written.made_up && !written.approximate && !request.minimal;
    let numbers = match &outcome {
        Outcome::Values(_) if has_numbers => numbers(it, &state, request, &goal, &results),
        _ => Vec::new(),
    };
    let (way, operation) = raised.map(|raised| way_to(it, &state, raised)).unwrap_or_default();
    let inner = way.into_iter().filter(|_| request.minimal).map(|def| {
        let written = self::written(it, &state, request, &Goal::Function(def), analysis);
        (written.text, written.ties)
    });
    let inner = inner.collect();
    let unknown = match &goal {
        // A limit may have ended the run in it; an exception gives nothing, and is known.
        Goal::Function(id) => {
            let def = &state.defs[*id];
            def.errors.is_empty() && is_lost(def)
        }
        Goal::Calls(ids) => {
            ids.iter().any(|id| state.statements[*id].result.as_ref().is_none_or(|(_, result)| result.is_lost()))
        }
        Goal::Value(value, _) => value.is_lost(),
        Goal::Error(_) => false,
    };
    let Written { text, ties, approximate, has_maps, unalike, vague, target, data, log, lacks, stand_ins, .. } =
        written;
    Some(Reproducer {
        unknown,
        text,
        outcome,
        ties,
        approximate,
        reordered: it.repro.reordered.get(),
        has_maps,
        unalike,
        is_minimal: false,
        is_own_text: false,
        operation,
        target,
        data,
        numbers,
        inner,
        log,
        lacks,
        told: Vec::new(),
        begun: state.wanted_at,
        has_axes: state.wanted_has_axes,
        is_around: request.around,
        stand_ins,
        used_up: it.patience.used_up(),
        vague,
        own: state.own.iter().cloned().collect(),
        ruled: state.ruled.iter().cloned().collect(),
    })
}

/// The error that is raised at some place, or else by what is called there.
fn error_at(state: &State, is_there: impl Fn(&Site) -> bool) -> Option<Raised> {
    let innermost = state.reported.iter().find(|(_, sites)| sites.first().is_some_and(&is_there));
    let through = || state.reported.iter().find(|(_, sites)| sites.iter().any(&is_there));
    innermost.or_else(through).map(|(raised, _)| raised.clone())
}

/// What the top level gives names at some place, each as it is given first: a call where that is all that one gives.
fn given_name(state: &State, is_there: impl Fn(&Site) -> bool) -> Option<Goal> {
    let mut named: Vec<&(Site, Value, Arg, Symbol)> = Vec::new();
    for given @ (site, _, value, name) in &state.assigned {
        if is_there(site) && value.holds_array() && named.iter().all(|(.., known)| known != name) {
            named.push(given);
        }
    }
    let (site, of, value, _) = named.first()?;
    if named.len() > 1 {
        let all = named.iter().filter_map(|(_, _, value, _)| of_arrays(value));
        return Some(Goal::Value(Arg::Tuple(all.collect()), *site));
    }
    let whole = state.defs[0].statements.iter().find(|id| {
        let statement = &state.statements[**id];
        statement.top.as_ref().is_some_and(&is_there)
            && statement.result.as_ref().is_some_and(|(result, _)| *result == of.identity())
    });
    Some(match whole {
        Some(id) if !matches!(state.statements[*id].op, Op::Items) => Goal::Calls(vec![*id]),
        _ => Goal::Value(value.clone(), *site),
    })
}

/// The statements of the top level at some place that give arrays which no other of them takes.
fn calls(state: &State, is_there: impl Fn(&Site) -> bool) -> Option<Goal> {
    let all = giving(state, 0, |statement| statement.top.as_ref().is_some_and(&is_there));
    (!all.is_empty()).then_some(Goal::Calls(all))
}

/// Takes away the errors of the wanted function, where none of them came through some place: what is computed there is computed before. They are
/// given back.
fn without_later_error(state: &mut State, is_there: impl Fn(&Site) -> bool) -> Vec<Raised> {
    let Some(def) = state.wanted_def else { return Vec::new() };
    let errors = std::mem::take(&mut state.defs[def].errors);
    let is_through = |(raised, sites): &(Raised, Vec<Site>)| errors.contains(raised) && sites.iter().any(&is_there);
    // One that is caught is not reported: where it was raised is not known.
    let is_reported = |raised: &Raised| state.reported.iter().any(|(other, _)| other == raised);
    if state.reported.iter().any(is_through) || !errors.iter().all(is_reported) {
        state.defs[def].errors = errors;
        return state.defs[def].errors.clone();
    }
    errors
}

/// Has the wanted function give what one statement of it gives names, where that is all that stands at some place; whether it is.
fn narrow_to_names(
    state: &mut State,
    text: impl Fn(&Site) -> Option<Arc<str>>,
    is_there: impl Fn(&Site) -> bool,
) -> bool {
    let Some(def) = state.wanted_def.filter(|def| state.defs[*def].errors.is_empty()) else { return false };
    let mut named: Vec<&(Site, Symbol, Arg)> = Vec::new();
    for given in state.given_inside.iter().filter(|(site, ..)| is_there(site)) {
        if named.iter().all(|(_, name, _)| *name != given.1) {
            named.push(given);
        }
    }
    let (Some(first), Some(last)) =
        (named.iter().map(|given| given.0.span.start).min(), named.iter().map(|given| given.0.span.end).max())
    else {
        return false;
    };
    let text = named.first().and_then(|(site, ..)| text(site));
    let is_one = text.is_some_and(|text| !text[first as usize..last as usize].contains(['\n', '=']));
    let mut kept: Vec<Arg> = named.iter().filter_map(|(.., given)| of_arrays(given)).collect();
    if !is_one || kept.len() != named.len() {
        return false;
    }
    let result = if kept.len() == 1 { kept.pop() } else { Some(Arg::Tuple(kept)) };
    state.defs[def].result = result;
    true
}

/// Has the wanted function give what it computes at some place; whether that is anything.
fn narrow(state: &mut State, is_there: impl Fn(&Site) -> bool) -> bool {
    let Some(def) = state.wanted_def.filter(|def| state.defs[*def].errors.is_empty()) else { return false };
    let ids = giving(state, def, |statement| statement.frames.iter().any(&is_there));
    let given = ids.iter().filter_map(|id| of_arrays(&state.statements[*id].result.as_ref()?.1));
    let mut given: Vec<Arg> = given.collect();
    if given.is_empty() {
        return false;
    }
    let result = if given.len() == 1 { given.pop() } else { Some(Arg::Tuple(given)) };
    state.defs[def].result = result;
    true
}

/// What of a result a compiled function may give; `None` where that is nothing.
fn of_arrays(result: &Arg) -> Option<Arg> {
    let all = |items: &[Arg]| items.iter().filter_map(of_arrays).collect::<Vec<_>>();
    let kept = match result {
        Arg::Tree(_, tree) if matches!(**tree, Arg::Fields(_)) => result.clone(),
        Arg::Tree(_, tree) => return of_arrays(tree),
        Arg::Tuple(items) => Arg::Tuple(all(items)),
        Arg::List(items) => Arg::List(all(items)),
        Arg::Dict(items) => {
            Arg::Dict(items.iter().filter_map(|(key, item)| Some((key.clone(), of_arrays(item)?))).collect())
        }
        Arg::Leaf(Value::Array(_)) => result.clone(),
        _ => return None,
    };
    kept.holds_array().then_some(kept)
}

/// The statements of a body, of those that are meant, that give arrays which no other of them takes: each as it ran first.
fn giving(state: &State, def: usize, is_meant: impl Fn(&Statement) -> bool) -> Vec<usize> {
    let root = &state.defs[def];
    let mut seen = FxHashSet::default();
    // Where primitives stand for a statement, they give what it gives.
    let is_expanded = |id: usize| {
        let result = state.statements[id].result.as_ref().map(|(_, result)| arrays(result)).unwrap_or_default();
        let mut from = result.into_iter().filter_map(|array| root.bound.get(&Value::from(array).identity()));
        let is_bind = |from: usize| matches!(state.statements[from].op, Op::Bind(..));
        from.any(|access| matches!(access.from, Source::Statement(from) if from != id && is_bind(from)))
    };
    let there = root.statements.iter().copied().filter(|id| {
        let statement = &state.statements[*id];
        // What a call gives that has traced functions of the program may be no array (`jax.make_jaxpr(f)(x)`).
        let traces =
            def == 0 && statement.errors.is_empty() && !(statement.children.is_empty() && statement.answers.is_empty());
        let gives = match &statement.result {
            Some((_, Arg::Plain(Value::None))) => false,
            Some((_, result)) => traces || result.holds_array() || result.is_lost(),
            // It is not known what a call gives.
            None => matches!(statement.op, Op::Call(_)) && statement.errors.is_empty(),
        };
        let site = statement.site.filter(|_| gives && is_meant(statement) && !is_expanded(*id));
        let primitive = match &statement.op {
            Op::Bind(primitive, _) => primitive.name(),
            _ => "",
        };
        site.is_some_and(|site| seen.insert((site.span.start, site.span.end, primitive)))
    });
    let there: Vec<usize> = there.collect();
    let mut taken = FxHashSet::default();
    for id in &there {
        let statement = &state.statements[*id];
        for arg in statement.args.iter().chain(statement.keywords.iter().map(|(_, arg)| arg)) {
            arg.leaves(&mut Vec::new(), &mut |value, _| {
                if let Some(Access { from: Source::Statement(from), .. }) = root.bound.get(&value.identity()) {
                    taken.insert(*from);
                }
            });
        }
    }
    there.into_iter().filter(|id| !taken.contains(id)).collect()
}

/// The arrays that a goal gives.
fn results(it: &Rc<Interp>, state: &State, request: &Request, goal: &Goal, compiles: bool) -> Vec<Val> {
    match goal {
        Goal::Error(_) => Vec::new(),
        Goal::Function(id) => {
            // What a compiled function gives are arrays, also where its body gives numbers, which stay that where it is called as it is.
            let call = compiled_call(state, request, *id).filter(|_| compiles);
            let given = call.and_then(|call| call.result.as_ref()).map(|(_, result)| result);
            match (given, &state.defs[*id].result) {
                (None, Some(result)) if compiles => {
                    let mut numbers = Vec::new();
                    sorted(result).numbers(&mut numbers);
                    numbers.iter().filter_map(|number| prims::input(it, number).ok()).collect()
                }
                (given, result) => given.or(result.as_ref()).map(arrays).unwrap_or_default(),
            }
        }
        Goal::Value(value, _) => arrays(value),
        Goal::Calls(ids) => {
            let results = ids.iter().filter_map(|id| state.statements[*id].result.as_ref());
            results.flat_map(|(_, result)| arrays(result)).collect()
        }
    }
}

/// The call of a compiled function that a body is of: what it gives is what the body gives.
fn compiled_call<'a>(state: &'a State, request: &Request, id: usize) -> Option<&'a Statement> {
    let def = &state.defs[id];
    let call = def.parent.filter(|_| request.part.is_none()).map(|call| &state.statements[call])?;
    let Op::Call(callee) = &call.op else { return None };
    let inner = match &jitted(callee)?.fun {
        Value::Method(method) => &method.function,
        fun => fun,
    };
    let is_own =
        matches!(inner, Value::Function(inner) if def.function.as_ref().is_some_and(|own| Rc::ptr_eq(own, inner)));
    is_own.then_some(call)
}

/// The numbers of results: what a compiled function gives in its call is what its body gives.
fn numbers(it: &Rc<Interp>, state: &State, request: &Request, goal: &Goal, results: &[Val]) -> Vec<Option<Tensor>> {
    let call = match goal {
        Goal::Function(id) => compiled_call(state, request, *id),
        _ => None,
    };
    let given = call.and_then(|call| call.result.as_ref()).map(|(_, result)| arrays(result)).unwrap_or_default();
    let same = given.len() == results.len() && given.iter().zip(results).all(|(a, b)| a.aval == b.aval);
    let results = if same { &given } else { results };
    results.iter().map(|array| it.engine.force(&array.concrete().filter(|_| !array.is_tracer())?).ok()).collect()
}

/// A text with all that belongs to it.
struct Written {
    text: String,
    ties: Vec<Tie>,
    approximate: bool,
    has_maps: bool,
    unalike: Vec<(FileId, Span)>,
    made_up: bool,
    compiles: bool,
    vague: bool,
    target: Target,
    data: Vec<Datum>,
    log: Vec<Logged>,
    lacks: Vec<Way>,
    stand_ins: Vec<String>,
}

/// A reproducer of nothing yet.
fn nothing(request: &Request) -> Reproducer {
    Reproducer {
        text: String::new(),
        outcome: Outcome::Values(Vec::new()),
        ties: Vec::new(),
        approximate: false,
        reordered: false,
        has_maps: false,
        unalike: Vec::new(),
        is_minimal: false,
        is_own_text: false,
        operation: String::new(),
        target: request.target.clone(),
        data: Vec::new(),
        unknown: false,
        numbers: Vec::new(),
        inner: Vec::new(),
        log: Vec::new(),
        lacks: Vec::new(),
        told: Vec::new(),
        begun: 0,
        has_axes: false,
        is_around: false,
        stand_ins: Vec::new(),
        used_up: None,
        vague: false,
        own: Vec::new(),
        ruled: Vec::new(),
    }
}

/// The numbers at the ends of the ways that are asked for.
fn told(it: &Rc<Interp>, state: &State, request: &Request, goal: &Goal, analysis: &Analysis, id: usize) -> Vec<Told> {
    let writer = writer(it, state, request, goal, analysis);
    let known = writer.given_to(id);
    let ways = request.ask.iter().filter_map(|way| {
        let value = match eager::end_of(state, id, way)? {
            Arg::Leaf(value) => writer.standing_for(value, &known)?,
            Arg::Plain(value) => value.clone(),
            _ => return None,
        };
        Some(Told { way: way.clone(), tensor: eager::tensor_of(it, &value)? })
    });
    ways.collect()
}

/// What writes the text for a goal.
fn writer<'a>(
    it: &'a Rc<Interp>,
    state: &'a State,
    request: &'a Request,
    goal: &Goal,
    analysis: &'a Analysis,
) -> Writer<'a> {
    let failing = match goal {
        Goal::Error(raised) => Some(raised.clone()),
        Goal::Function(id) => state.defs[*id].errors.first().cloned(),
        Goal::Calls(ids) => ids.iter().find_map(|id| state.statements[*id].errors.first().cloned()),
        Goal::Value(..) => None,
    };
    let has_to_fail = request.minimal && failing.is_some();
    Writer {
        it,
        into_rest: Default::default(),
        analysis,
        state,
        callers: Callers::of(state),
        most_literal: request.most_literal,
        data: Vec::new(),
        mode: request.data,
        data_name: String::new(),
        known: Default::default(),
        is_unsure: false,
        told: &request.told,
        lacks: Vec::new(),
        stand_ins: Vec::new(),
        randoms: 0,
        tops: Default::default(),
        constants: Default::default(),
        literals: Default::default(),
        seen_literals: Default::default(),
        wanted: match goal {
            Goal::Error(raised) => Some(raised.clone()),
            _ => None,
        },
        failing,
        imports: Default::default(),
        scopes: Vec::new(),
        repeated: Default::default(),
        ways: Vec::new(),
        derived: None,
        calls: Vec::new(),
        pieces: Vec::new(),
        effects: state.effects(),
        uses: Default::default(),
        seen_uses: None,
        alone: Default::default(),
        seen_alone: Default::default(),
        functions: state.defs.iter().filter_map(|d| Some(d.function.as_ref()?.name().to_string())).collect(),
        given: Default::default(),
        reads: Default::default(),
        seen_reads: Default::default(),
        spoken: Default::default(),
        renamed: Default::default(),
        is_function: matches!(goal, Goal::Function(_)),
        computes: matches!(goal, Goal::Function(_)) && request.data != Data::Exact && !has_to_fail,
        leaks: Vec::new(),
        seen_leaks: Vec::new(),
        long: Default::default(),
        direct: Default::default(),
        approximate: false,
        unalike: Vec::new(),
        made_up: false,
        vague: false,
        seen_made_up: false,
        compiles: false,
        emitted: Default::default(),
        bodies: Default::default(),
        numbered: Default::default(),
        reached: Default::default(),
    }
}

/// Whether nothing is known of what a function gives.
fn is_lost(def: &Def) -> bool {
    def.result.as_ref().is_none_or(Arg::is_lost)
}

/// The text for a goal.
fn written(it: &Rc<Interp>, state: &State, request: &Request, goal: &Goal, analysis: &Analysis) -> Written {
    let mut writer = writer(it, state, request, goal, analysis);
    writer.imports.own = imported(analysis);
    writer.functions.extend(writer.imports.own.iter().map(|(_, alias)| alias.clone()));
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
    writer.seen_made_up = writer.made_up;
    let counted = writer.bodies.clone();
    writer.keep_functions();
    writer.seen_reads = std::mem::take(&mut writer.reads);
    writer.begin();
    let (mut lines, mut function) = writer.whole(goal);
    // What is made once for several calls may be written of another one of them than at first, which may ask for something else.
    if !writer.bodies.is_subset(&counted) || !writer.reads.is_subset(&writer.seen_reads) {
        writer.count_more(&counted);
        let reads = std::mem::take(&mut writer.reads);
        writer.seen_reads.extend(reads);
        writer.begin();
        (lines, function) = writer.whole(goal);
    }
    if request.drops_idle {
        lines = without_idle(lines);
    }
    if request.decorates {
        lines = decorated(lines);
    }
    for line in &lines {
        writer.imports.see(&line.text);
    }
    let (text, ties, last) = printed(&writer.imports.lines(), &lines, &|id| {
        let file = analysis.file_index(id)?;
        Some((file, &*analysis.files[file].text))
    });
    let target = match goal {
        Goal::Error(_) => Target::Error,
        Goal::Function(_) => Target::of_function(function.as_deref()),
        Goal::Calls(_) | Goal::Value(..) => Target::Place(Place { path: None, span: last }),
    };
    let log = match request.log {
        true => super::log::log(it, state, &writer, &|id| analysis.file_index(id)),
        false => Vec::new(),
    };
    let (approximate, made_up, compiles, vague) = (writer.approximate, writer.made_up, writer.compiles, writer.vague);
    let lacks = match goal {
        Goal::Function(id) => writer.lacks.iter().filter_map(|value| eager::way_to(state, *id, value)).collect(),
        _ => Vec::new(),
    };
    let stand_ins = std::mem::take(&mut writer.stand_ins).into_iter().map(|(_, text)| text).collect();
    let has_maps = writer.emitted.iter().any(|id| state.statements[*id].is_map());
    let unalike = std::mem::take(&mut writer.unalike);
    Written {
        text,
        ties,
        approximate,
        has_maps,
        unalike,
        made_up,
        compiles,
        vague,
        target,
        data: writer.data,
        log,
        lacks,
        stand_ins,
    }
}

/// The functions that an error came through, outermost first, and the operation that raised it.
fn way_to(it: &Rc<Interp>, state: &State, raised: &Raised) -> (Vec<usize>, String) {
    let (mut way, mut def) = (Vec::new(), 0);
    loop {
        let failed = |ids: &[usize]| ids.iter().rev().find(|s| state.statements[**s].failed_with(raised)).copied();
        // Nothing that was called failed: the body itself raised.
        let Some(statement) = failed(&state.defs[def].statements) else { return (way, "raise".to_owned()) };
        let statement = &state.statements[statement];
        let operation = match &statement.op {
            // A function that a transformation has made has the name of the one that it was made of, which may be another in the text.
            Op::Call(Value::Function(made)) if made.module.unit.ours => {
                format!("{}.{}", made.module.name, made.code().name)
            }
            Op::Call(callee) => it.callable_name(callee),
            Op::Bind(primitive, _) => primitive.name().to_owned(),
            op => format!("{op:?}"),
        };
        let inner = statement.children.iter().rev().find(|def| state.defs[**def].errors.contains(raised));
        let Some(inner) = inner.filter(|def| !way.contains(*def)) else { return (way, operation) };
        way.push(*inner);
        def = *inner;
    }
}

/// A result with its dictionaries sorted, as trees have them.
pub fn sorted(result: &Arg) -> Arg {
    match result {
        Arg::Tree(_, tree) => sorted(tree),
        Arg::Tuple(items) | Arg::List(items) => Arg::Tuple(items.iter().map(sorted).collect()),
        Arg::Fields(fields) => Arg::Fields(fields.iter().map(|(name, field)| (*name, sorted(field))).collect()),
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

/// The arrays in a result.
fn arrays(result: &Arg) -> Vec<Val> {
    let mut all = Vec::new();
    let result = &sorted(result);
    result.leaves(&mut Vec::new(), &mut |value, _| {
        if let Value::Array(array) = value {
            all.push(array.clone());
        }
    });
    all
}
