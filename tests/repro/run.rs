//! Reproducers: what is written of a program, and that it does under jitlens what the program does. That it does the same under
//! JAX is what `tests/repro/run.py` looks at.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Limits, Vfs, Wanted, analyze_for};
use tracer_core::repro::{Outcome, Reproducer, Request};

/// Files of the disk, but for one.
struct Over(PathBuf, Arc<str>);

impl Vfs for Over {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        if path == self.0 { Some(self.1.clone()) } else { Disk.read(path) }
    }
    fn is_dir(&self, path: &Path) -> bool {
        Disk.is_dir(path)
    }
}

fn reproduce(path: &Path, text: &str, function: Option<&str>) -> Option<Reproducer> {
    let entry = Entry { script: path.to_owned(), roots: vec![], environment: vec![], fallback: vec![] };
    let request = Request { function: function.map(str::to_owned), ..Request::default() };
    let wanted = Wanted { unreached: false, reproducer: Some(request), ..Wanted::default() };
    let (path, text) = (path.to_owned(), Arc::from(text));
    let vfs = move || Rc::new(Over(path, text)) as Rc<dyn Vfs>;
    analyze_for(vfs, entry, Limits::default(), wanted, Arc::new(AtomicBool::new(false))).reproducer
}

fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("errors").join(name)
}

const LARGE: &str = "\
import jax, jax.numpy as jnp, numpy as np

def make(scale):
    big = np.full((20, 20), scale, np.float32)
    def inner(x):
        def body(c, t):
            @jax.jit
            def g(u): return u + x.sum() + c
            return g(t), t * scale
        return jax.lax.scan(body, jnp.float32(0), big[0])
    return inner

jax.jit(jax.vmap(make(2.0)))(np.ones((2, 5), np.float32))
";

#[test]
fn a_function_keeps_its_names_and_its_nesting() {
    let made = reproduce(&here("large.py"), LARGE, Some("inner")).expect("a reproducer");
    let expected = "\
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


def inner(x):
    def body(c, t):
        def g(u):
            return u + x.sum() + c

        return jax.jit(g)(t), t * 2.0

    scan, scan_1 = lax.scan(body, jnp.float32(0), np.full((20,), 2.0, dtype=np.float32))
    return scan, scan_1


jax.jit(inner)(jnp.ones((5,)))
";
    assert_eq!(made.text, expected);
    assert_eq!(made.outcome, Outcome::Values(vec!["f32[]".into(), "f32[20]".into()]));
}

#[test]
fn lines_know_where_they_come_from() {
    let made = reproduce(&here("large.py"), LARGE, Some("inner")).expect("a reproducer");
    let source = |wanted: &str| {
        let line = made.text.lines().position(|line| line.trim_start().starts_with(wanted)).expect("the line");
        let tie = made.ties.iter().find(|tie| tie.line == line).expect("a tie");
        LARGE[..tie.span.start as usize].lines().count()
    };
    assert_eq!(source("def inner"), 5);
    assert_eq!(source("def body"), 6);
    assert_eq!(source("def g"), 8);
    assert_eq!(source("scan, scan_1"), 10);
}

#[test]
fn an_error_keeps_what_leads_to_it() {
    let text = "\
import jax
import jax.numpy as jnp

w = jnp.ones((3, 4))
unused = jnp.sin(w)

@jax.jit
def predict(x):
    if x.ndim > 1:
        x = x * 2
    h = jnp.tanh(x)
    return h @ w

predict(jnp.ones((2, 3)))
predict(jnp.ones((2, 5)))
";
    let made = reproduce(&here("large.py"), text, None).expect("a reproducer");
    let expected = "\
import jax
import jax.numpy as jnp

w = jnp.ones((3, 4))


def predict(x):
    x_1 = x * 2
    h = jnp.tanh(x_1)
    h @ w


jax.jit(predict)(jnp.ones((2, 5)))
";
    assert_eq!(made.text, expected);
    assert!(matches!(&made.outcome, Outcome::Error(class, _) if class == "TypeError"));
}

#[test]
fn a_program_that_runs_has_no_error_to_reproduce() {
    assert_eq!(reproduce(&here("large.py"), "import jax\n\njax.numpy.ones(3)\n", None), None);
}

/// At least so many of a hundred reproducers of the programs of `tests/errors` fail as their programs do.
const FLOOR: usize = 93;

#[test]
fn reproducers_of_errors_raise_the_same() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(here(""))
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "py"))
        .collect();
    files.sort();
    let (mut all, mut bad) = (0, Vec::new());
    for path in files.iter().step_by(5) {
        let text = std::fs::read_to_string(path).expect("text");
        let Some(made) = reproduce(path, &text, None) else { continue };
        all += 1;
        let again = reproduce(path, &made.text, None);
        let first = |outcome: &Outcome| match outcome {
            Outcome::Error(class, message) => Some((class.clone(), message.lines().next().map(str::to_owned))),
            Outcome::Values(_) => None,
        };
        // Messages may say in which line a function stands.
        let plain = |outcome: &Outcome| {
            first(outcome).map(|(class, line)| (class, line.map(|l| l.split(".py:").next().map(str::to_owned))))
        };
        if again.as_ref().is_none_or(|again| plain(&again.outcome) != plain(&made.outcome)) {
            bad.push(path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
        }
    }
    assert!(all > 100, "{all} programs that raise");
    assert!((all - bad.len()) * 100 >= FLOOR * all, "{} of {all} do not raise the same: {bad:?}", bad.len());
}
