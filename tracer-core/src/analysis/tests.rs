//! Tests of a file, where they are wanted: who reads a library sees what its tests give it.
//!
//! A file is one of tests by its name, as pytest sees it. Its tests are called one by one with what their fixtures and parameters give; one that is left does not
//! end the others. What they assert is not judged: the numbers of a test may differ by last bits. Told are errors of the framework alone.

use std::path::Path;
use std::rc::Rc;

use super::loader::ProjectLoader;
use super::run::Entry;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, ModuleObject, Stopped, Value};

/// Fuel that the tests of a file may take: seconds.
const FUEL: u64 = crate::interp::DEFAULT_FUEL / 8;
/// Tests that are called.
const MOST: usize = 400;

/// Whether a file is one of tests, by its name.
pub fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    path.extension().is_some_and(|e| e == "py") && (stem.starts_with("test_") || stem.ends_with("_test"))
}

/// Calls the tests of a module.
///
/// # Errors
/// That the run was cancelled.
pub fn run(it: &Rc<Interp>, loader: &Rc<ProjectLoader>, entry: &Entry, module: &Rc<ModuleObject>) -> Step<()> {
    if !is_test(&entry.script) {
        return Ok(());
    }
    // What a test does to the cache, and with keys, is its own affair.
    let before = it.events.take();
    let fuel = it.fuel.get();
    it.fuel.set(fuel.min(FUEL));
    let outcome = call(it, loader, entry, module);
    let spent = fuel.min(FUEL).saturating_sub(it.fuel.get());
    it.fuel.set(fuel.saturating_sub(spent));
    it.events.take();
    before.into_iter().for_each(|event| it.events.note(event));
    match outcome {
        Err(Halt::Stop(Stopped::Cancelled)) => outcome,
        _ => Ok(()),
    }
}

fn call(it: &Rc<Interp>, loader: &Rc<ProjectLoader>, entry: &Entry, module: &Rc<ModuleObject>) -> Step<()> {
    let conftests = conftests(it, loader, entry)?;
    let Value::Module(runner) = it.import(Symbol::from("unittest._run"))? else { return Ok(()) };
    let Some(cases) = runner.get(Symbol::from("cases")) else { return Ok(()) };
    let conftests = Value::list(conftests.iter().map(|module| names(module)).collect());
    let cases = it.call(&cases, Args::of([names(module), conftests]))?;
    let cases = it.iterate(&cases)?;
    for _ in 0..MOST {
        let Some(case) = it.next(&cases)? else { break };
        match it.call(&case, Args::none()) {
            Err(Halt::Raise(exception)) => {
                let class = it.describe_exception(&exception).0;
                let told = class.starts_with("jax.") || class == "TypeError" || class == "ValueError";
                if told && !exception.by_program {
                    it.report(&exception);
                }
            }
            Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
            Ok(_) | Err(Halt::Unknown(_)) => {}
        }
    }
    Ok(())
}

/// The names of a module with what they stand for, in the order of the text.
fn names(module: &ModuleObject) -> Value {
    let own = |value: &Value| match value {
        Value::Function(function) => function.code().span.start,
        _ => 0,
    };
    let mut all = module.names();
    all.sort_by_key(|(_, value)| own(value));
    Value::list(all.into_iter().map(|(name, value)| Value::tuple([Value::str(name.as_str()), value])).collect())
}

/// The modules `conftest.py` beside a file and above it, nearest first.
fn conftests(it: &Rc<Interp>, loader: &Rc<ProjectLoader>, entry: &Entry) -> Step<Vec<Rc<ModuleObject>>> {
    let above = entry.script.ancestors().skip(1);
    let mut found = Vec::new();
    for folder in above.take_while(|folder| entry.fallback.iter().any(|known| known == folder)) {
        let Some(unit) = loader.unit(&folder.join("conftest.py"), true) else { continue };
        let module = ModuleObject::new(Symbol::from("conftest"), unit, false);
        match it.run_module(&module) {
            Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
            // What it has defined until then is there.
            _ => found.push(module),
        }
    }
    Ok(found)
}
