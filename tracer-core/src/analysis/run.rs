//! One run: a program from its entry, on a thread with a large stack.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::asked;
use super::evaluate::{self, EvalFact};
use super::facts::{self, FileFacts, Problem};
use super::graphs::TraceFact;
use super::loader::{ProjectLoader, Vfs};
use super::ready::{Imported, Ready};
use super::recorded::Recorded;
use super::role::Role;
use super::tests;
use super::units;
use super::unreached;
use super::worker::{self, Kept, Reply};
use crate::frameworks::jax::recipes::Lasting;
use crate::interp::{Interp, Printed, Watched, events::Event};
use crate::module::Symbol;
use crate::notebook;
use crate::python::halt::{Halt, Step, Stopped};
use crate::python::{FileId, ModuleObject, Value};
use crate::text::Span;

/// What to run.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The file that is run: as a script (`__name__ == "__main__"`), or as the module of a package that it is.
    pub script: PathBuf,
    /// Folders of the user's modules, beside the script's own.
    pub roots: Vec<PathBuf>,
    /// `site-packages` folders of the user's environment.
    pub environment: Vec<PathBuf>,
    /// Folders where modules of the user are looked for that are nowhere else: those above the script, in its project.
    pub fallback: Vec<PathBuf>,
}

/// Bounds of a run.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Expressions that may be evaluated.
    pub fuel: u64,
    /// Tells whether the process holds more memory than a run may use; asked now and then.
    pub overdrawn: Option<fn() -> bool>,
    /// Tells whether it holds so much that nothing should be run for its numbers alone.
    pub crowded: Option<fn() -> bool>,
    /// When code that runs often is translated: it changes nothing but the time.
    pub translate: crate::interp::Translate,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { fuel: crate::interp::DEFAULT_FUEL, overdrawn: None, crowded: None, translate: Default::default() }
    }
}

/// What a run found out. Plain data: it can be shared between threads.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The user's files that were loaded.
    pub files: Vec<FileFacts>,
    /// Exceptions that would have ended the program.
    pub problems: Vec<Problem>,
    /// The graphs of traced functions, where they are wanted, in the order in which they were traced.
    pub traces: Vec<TraceFact>,
    /// Traced functions on numbers, where that is wanted.
    pub evaluated: Vec<EvalFact>,
    /// What makes the first NaN or infinity of the program as a whole, where that is wanted.
    pub nonfinite: Option<super::evaluate::FirstNonFinite>,
    /// What the program prints, piece by piece, with the expressions that print it, where that is wanted.
    pub printed: Vec<(Option<(usize, Span)>, Printed)>,
    /// Whether loops were summed up instead of run.
    pub summed_up: bool,
    /// What there was too little of for loops that were to be run to their end, if there was.
    pub used_up: Option<&'static str>,
    /// What watched expressions were, by file (an index into [`Analysis::files`]) and range.
    pub watched: Vec<(usize, Span, Vec<Watched>)>,
    /// Facts for rules.
    pub events: Vec<Event>,
    /// The reproducer, where one is wanted and there is something to reproduce.
    pub reproducer: Option<crate::repro::Reproducer>,
    /// The calls of the program, where they are wanted.
    pub calls: Vec<crate::repro::Call>,
    /// Why the run did not reach its end, if it did not.
    pub stopped: Option<Stopped>,
}

/// What a run is for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Whether functions are traced that the program does not call.
    pub unreached: bool,
    /// Whether the tests of a file of tests are called.
    pub tests: bool,
    /// Whether graphs are kept.
    pub graphs: bool,
    /// Expressions whose values are wanted as text, by their ranges, in whatever file.
    pub watched: Vec<Span>,
    /// The function of which a graph is wanted even if the program does not trace it.
    pub function: Option<String>,
    /// Whether the graphs of the function, or of all, are evaluated.
    pub evaluation: Option<super::evaluate::Evaluation>,
    /// Scalar operations for which loops are run to their end for their numbers' sake, where they are.
    pub patient: Option<u64>,
    /// Whether it is kept what the program prints.
    pub printed: bool,
    /// Whether all numbers of the program are looked at, for the first that is none.
    pub nonfinite: bool,
    /// A reproducer.
    pub reproducer: Option<crate::repro::Request>,
    /// The arrays in the file beside the program.
    pub data: Vec<crate::repro::Datum>,
    /// Whether the next text of the program will be run as well: it is made ready for meanwhile.
    pub again: bool,
    /// Whether it is run between texts of another program, for which the thread is ready.
    pub beside: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            unreached: true,
            tests: false,
            graphs: false,
            watched: Vec::new(),
            function: None,
            evaluation: None,
            patient: None,
            printed: false,
            nonfinite: false,
            reproducer: None,
            data: Vec::new(),
            again: false,
            beside: false,
        }
    }
}

impl Analysis {
    /// The index in [`Analysis::files`] of a file that a place names; `None` where it is not the user's.
    pub fn file_index(&self, id: FileId) -> Option<usize> {
        self.files.iter().position(|f| f.id == id)
    }
}

/// Runs an entry. `vfs` makes the view of the files on the run's own thread.
pub fn analyze(
    vfs: impl FnOnce() -> Rc<dyn Vfs> + Send + 'static,
    entry: Entry,
    limits: Limits,
    cancel: Arc<AtomicBool>,
) -> Analysis {
    analyze_for(vfs, entry, limits, Wanted::default(), cancel)
}

/// Runs an entry for something: see [`Wanted`].
pub fn analyze_for(
    vfs: impl FnOnce() -> Rc<dyn Vfs> + Send + 'static,
    entry: Entry,
    limits: Limits,
    wanted: Wanted,
    cancel: Arc<AtomicBool>,
) -> Analysis {
    match worker::run(move |kept, reply| run(vfs(), &entry, limits, &wanted, cancel, kept, reply)) {
        Some(Ok(analysis)) => analysis,
        // A panic is a bug of ours; the caller says so and keeps its last good answer.
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => Analysis { stopped: Some(Stopped::Budget), ..Analysis::default() },
    }
}

/// Answers with the analysis, lets go of the run, and begins the next one where there will be one.
fn run(
    vfs: Rc<dyn Vfs>,
    entry: &Entry,
    limits: Limits,
    wanted: &Wanted,
    cancel: Arc<AtomicBool>,
    kept: &mut Kept,
    reply: Reply<Analysis>,
) {
    // What is made ready for the next text of one program is not for another that is looked at meanwhile.
    let of_before = if wanted.beside { None } else { kept.take() };
    let mut ready = of_before.and_then(|kept| kept.downcast::<Ready>().ok());
    if limits.translate != Default::default() {
        // What was translated by other limits is not what is asked for.
        ready = None;
        units::forget();
    }
    // Who looks on sees what libraries do while they are imported.
    if wanted.reproducer.is_some() || wanted.evaluation.is_some() || wanted.nonfinite || wanted.printed {
        ready = ready.filter(|ready| !ready.has_libraries());
    }
    let role = match Role::of(&*vfs, entry) {
        // A reproducer stands there, which is part of no package: what the package imports of the file is not in it.
        Role::Imported { .. } if wanted.reproducer.is_some() && wanted.again => Role::Script,
        role => role,
    };
    let recorded = if wanted.unreached { Recorded::of_script(&*vfs, entry) } else { Recorded::default() };
    let ready = match ready.filter(|ready| ready.take_on(&vfs, entry, &role)) {
        Some(ready) => *ready,
        None => Ready::new(vfs.clone(), entry, &role),
    };
    jitlens_kernels::work::set_cancel(Some(cancel.clone()));
    ready.start(limits.fuel, cancel);
    let Ready { it, loader, .. } = ready;
    it.overdrawn.set(limits.overdrawn);
    it.translate.set(limits.translate);
    it.engine.overdrawn.set(limits.overdrawn);
    it.watch.on.set(!wanted.watched.is_empty());
    it.watch.spans.borrow_mut().extend(wanted.watched.iter().copied());
    it.keep_graphs(wanted.graphs);
    it.graphs.target.set(wanted.function.as_deref().map(Symbol::from));
    if let Some(request) = &wanted.reproducer {
        it.translate.set(crate::interp::Translate::NEVER);
        it.repro.begin(request);
        if request.level == crate::repro::Level::Primitive {
            it.record_primitives();
        }
    }
    *it.repro.data.borrow_mut() = wanted.data.clone();
    if let Some(evaluation) = &wanted.evaluation {
        it.engine.fuel.set(evaluation.fuel);
    }
    let exact = wanted.reproducer.as_ref().filter(|request| request.data == crate::repro::Data::Exact);
    let exact = exact.map(|request| request.operations).filter(|operations| *operations > 0);
    if let Some(operations) = wanted.patient.or(exact) {
        // Loops that would be widened have numbers as well.
        it.engine.fuel.set(operations);
        it.patience.begin(limits.fuel, limits.crowded);
    }
    it.keep_printed(wanted.printed);
    let watching = wanted.nonfinite.then(|| evaluate::Watching::begin(&it));
    let mut stopped = None;
    let before = if wanted.tests { tests::prepare(&it, &loader, entry).map(Some) } else { Ok(None) };
    let outcome =
        before.and_then(|before| Ok((run_entry(&it, &loader, entry, &role)?, before))).and_then(|(module, before)| {
            if let (Some(module), Some(before)) = (&module, &before) {
                it.recorder.is_beside.set(true);
                tests::run(&it, before, entry, module)?;
            }
            if let (Some(module), true) = (&module, wanted.unreached) {
                let text = loader.files().get(module.unit.file.0 as usize).map(|file| file.text.clone());
                it.recorder.is_beside.set(true);
                unreached::run(&it, module, &text.unwrap_or_default(), &recorded)?;
            }
            asked::trace(&it, module.as_ref(), wanted)
        });
    match outcome {
        Ok(()) | Err(Halt::Unknown(_)) => {}
        Err(Halt::Raise(exception)) => it.report(&exception),
        Err(Halt::Stop(Stopped::Exit | Stopped::Done)) => {}
        Err(Halt::Stop(stop)) => stopped = Some(stop),
    }
    it.keep_printed(false);
    let seen = evaluate::SeenOfAll::end(&it, watching);
    let summed_up = it.widened.get() > 0;
    let evaluated = wanted.evaluation.as_ref().map(|all| evaluate::run(&it, &loader, all, wanted.function.as_deref()));
    let mut analysis = facts::collect(&it, &loader.files(), stopped);
    analysis.summed_up = summed_up;
    analysis.used_up = it.patience.used_up();
    analysis.evaluated = evaluate::facts(&analysis, evaluated.unwrap_or_default());
    analysis.nonfinite = seen.fact(&analysis);
    if wanted.reproducer.as_ref().is_some_and(|request| request.hierarchy) {
        analysis.calls = crate::repro::calls(&it, &analysis);
    } else if let Some(request) = &wanted.reproducer {
        analysis.reproducer = crate::repro::build(&it, request, &analysis, &entry.script);
    }
    let fit = !it.was_deep.get();
    reply.send(analysis, fit);
    let left = (wanted.again && fit).then(|| (Imported::of(&it, &loader, entry, &role), Lasting::of(&it)));
    it.let_go();
    drop((it, loader));
    jitlens_kernels::pool::clear();
    if let Some((modules, lasting)) = left {
        *kept = Ready::with_modules(vfs, entry, &role, modules, lasting)
            .map(|ready| Box::new(ready) as Box<dyn std::any::Any>);
    }
}

/// Runs the entry's file; its module, if there is one.
fn run_entry(
    it: &Rc<Interp>,
    loader: &Rc<ProjectLoader>,
    entry: &Entry,
    role: &Role,
) -> Step<Option<Rc<ModuleObject>>> {
    if let Role::Imported { name, .. } = role {
        it.program.set(Some(*name));
        if let Value::Module(module) = it.import(*name)?
            && loader.files().get(module.unit.file.0 as usize).is_some_and(|file| file.path == entry.script)
        {
            return Ok(Some(module));
        }
        // The package makes something else of the name: the file runs beside it.
    }
    let Some(unit) = loader.unit(&entry.script, true) else { return Ok(None) };
    let main = sym!("__main__");
    let module = match role {
        Role::Script => ModuleObject::new(main, unit, false),
        Role::Main { name, .. } | Role::Imported { name, .. } => {
            // `python -m` imports the packages around it first.
            let package = name.as_str().rsplit_once('.').map(|(package, _)| Symbol::from(package));
            if let Some(package) = package {
                it.import(package)?;
            }
            ModuleObject::new_in(main, package, unit)
        }
    };
    if notebook::is_notebook(&entry.script) {
        bind_shell(&module);
    } else {
        module.set(sym!("__file__"), Value::str(entry.script.to_string_lossy()));
    }
    it.modules.borrow_mut().insert(main, Value::Module(module.clone()));
    it.run_module(&module)?;
    Ok(Some(module))
}

/// Binds what IPython gives to the cells of a notebook. Masked commands and magics give `_`.
fn bind_shell(module: &ModuleObject) {
    for name in [sym!("_"), sym!("__"), sym!("___"), sym!("get_ipython"), sym!("display"), sym!("In"), sym!("Out")] {
        module.set(name, Value::unknown("IPython knows it"));
    }
}
