//! Tests of a file, where they are wanted: who reads a library sees what its tests give it.
//!
//! A file is one of tests by its name, as pytest sees it. Its tests are called one by one with what their fixtures and parameters give; one that is left does not
//! end the others. What they assert is not judged: the numbers of a test may differ by last bits, and what it makes of Python may be beyond us. Told is
//! alone what the framework says of shapes and of traced values.

use std::path::Path;
use std::rc::Rc;

use super::loader::ProjectLoader;
use super::run::Entry;
use crate::diagnostics::kinds;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, ModuleObject, Stopped, Value};

/// Fuel that the tests of a file may take: a second or two.
const FUEL: u64 = crate::interp::DEFAULT_FUEL / 32;
/// Tests that are called.
const MOST: usize = 400;

/// Whether a file is one of tests, by its name.
pub fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    path.extension().is_some_and(|e| e == "py") && (stem.starts_with("test_") || stem.ends_with("_test"))
}

/// Modules that pytest runs before a file of tests: `conftest.py` beside it and above, nearest first.
pub struct Before(Vec<Rc<ModuleObject>>);

/// Runs what comes before a file of tests.
///
/// # Errors
/// A stop.
pub fn prepare(it: &Rc<Interp>, loader: &Rc<ProjectLoader>, entry: &Entry) -> Step<Before> {
    let mut found = Vec::new();
    if !is_test(&entry.script) {
        return Ok(Before(found));
    }
    let above = entry.script.ancestors().skip(1);
    let folders: Vec<&Path> = above.take_while(|folder| entry.fallback.iter().any(|known| known == folder)).collect();
    for folder in folders.into_iter().rev() {
        let Some(unit) = loader.unit(&folder.join("conftest.py"), true) else { continue };
        let module = ModuleObject::new(Symbol::from("conftest"), unit, false);
        match it.run_module(&module) {
            Err(Halt::Stop(stop)) => return Err(Halt::Stop(stop)),
            // What it has defined until then is there.
            _ => found.insert(0, module),
        }
    }
    Ok(Before(found))
}

/// Calls the tests of a module.
///
/// # Errors
/// That the run was cancelled.
pub fn run(it: &Rc<Interp>, before: &Before, entry: &Entry, module: &Rc<ModuleObject>) -> Step<()> {
    if !is_test(&entry.script) {
        return Ok(());
    }
    // What a test does to the cache, and with keys, is its own affair.
    let events = it.events.take();
    let reported = it.reported.borrow().len();
    let fuel = it.fuel.get();
    it.fuel.set(fuel.min(FUEL));
    let outcome = call(it, before, module);
    let spent = fuel.min(FUEL).saturating_sub(it.fuel.get());
    it.fuel.set(fuel.saturating_sub(spent));
    it.events.take();
    events.into_iter().for_each(|event| it.events.note(event));
    let mut all = it.reported.borrow_mut();
    let known = reported.min(all.len());
    let of_tests = all.split_off(known);
    all.extend(of_tests.into_iter().filter(|one| !one.by_program && is_told(&one.class, &one.message)));
    match outcome {
        Err(Halt::Stop(Stopped::Cancelled)) => outcome,
        _ => Ok(()),
    }
}

/// Whether an exception that ends a test is told.
fn is_told(class: &str, message: &str) -> bool {
    kinds::of(class, message).is_some_and(|kind| kind.rule == "shape-mismatch" || kind.rule.starts_with("traced"))
}

fn call(it: &Rc<Interp>, before: &Before, module: &Rc<ModuleObject>) -> Step<()> {
    let Value::Module(runner) = it.import(Symbol::from("unittest._run"))? else { return Ok(()) };
    let Some(cases) = runner.get(Symbol::from("cases")) else { return Ok(()) };
    let conftests = Value::list(before.0.iter().map(|module| names(module)).collect());
    let cases = it.call(&cases, Args::of([names(module), conftests]))?;
    let cases = it.iterate(&cases)?;
    for _ in 0..MOST {
        let Some(case) = it.next(&cases)? else { break };
        match it.call(&case, Args::none()) {
            Err(Halt::Raise(exception)) => it.report(&exception),
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
