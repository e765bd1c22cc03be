//! What libraries that are installed raise for the program's own mistakes.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Analysis, Disk, Entry, Limits, Vfs, Wanted, analyze_for};
use tracer_core::diagnostics::diagnose;

/// The errors of a program beside a library `layers` of this text.
fn told(name: &str, library: &str, program: &str) -> Vec<String> {
    let analysis = analyzed(name, &[("layers/__init__.py", library)], program);
    analysis.problems.iter().map(|problem| format!("{}: {}", problem.class, problem.message)).collect()
}

/// The facts of a program beside these files of libraries.
fn analyzed(name: &str, libraries: &[(&str, &str)], program: &str) -> Analysis {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let environment = folder.join("site-packages");
    for (file, text) in libraries {
        let file = environment.join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let script = folder.join("main.py");
    std::fs::write(&script, program).unwrap();
    let entry = Entry { script, roots: Vec::new(), environment: vec![environment], fallback: Vec::new() };
    let cancel = Arc::new(AtomicBool::new(false));
    analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), Wanted::default(), cancel)
}

#[test]
fn shapes_that_functions_of_lax_refuse_are_told() {
    let library = "\
from jax import lax

def scale(a, x):
    return lax.mul(a, x)
";
    let program = "\
import jax.numpy as jnp
import layers
layers.scale(jnp.ones(3), jnp.ones(3))
layers.scale(jnp.ones(3), jnp.ones(2))
";
    assert_eq!(
        told("lax_in_libraries", library, program),
        ["TypeError: mul got incompatible shapes for broadcasting: (3,), (2,)."]
    );
}

#[test]
fn lengths_that_libraries_ask_for_are_told() {
    let library = "\
def check(window, strides, names):
    assert len(window) == len(strides), f'len({window}) must equal len({strides})'
    assert sorted(names) == list(names), 'not in order'

def pool(window, strides, names=()):
    return check(window, strides, names)

def table(*given):
    return dict(*given)
";
    let program = "\
import layers
layers.pool((2, 2), (1, 1))
layers.pool((2, 2), (2,))
layers.table([1, 2])
layers.pool((2,), (2,), ['b', 'a'])
";
    assert_eq!(
        told("lengths_in_libraries", library, program),
        [
            "AssertionError: len((2, 2)) must equal len((2,))",
            "TypeError: cannot convert dictionary update sequence element #0 to a sequence",
        ]
    );
}

#[test]
fn objects_whose_constructor_is_not_known_to_its_end_are_there() {
    let library = "\
import jax.numpy as jnp

STACK = []

class plate:
    dim = None

    def __init__(self, size):
        self.size = size
        if size <= 0:
            raise ValueError('no size')
        self.indices = jnp.arange(size)
        self.dim = -1 - len(STACK)

    def __enter__(self):
        STACK.append(self)
        return self

    def __exit__(self, *exc):
        STACK.pop()

def sample():
    shape = ()
    for around in STACK:
        shape = (around.indices.shape[0],) + shape
    return jnp.zeros(shape)
";
    let program = "\
import os
import layers

n = len(os.listdir())
with layers.plate(n) as rows:
    x = layers.sample()
    x[0], x.shape[0]
if rows.dim is None:
    raise ValueError('the default is gone')
rows.indices, rows.mean, isinstance(rows, layers.plate)
with layers.plate(3):
    layers.sample()[0, 0]
";
    let told = told("half_made_objects", library, program);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("IndexError: Too many indices: array is 1-dimensional"), "{told:?}");
}

#[test]
fn names_that_the_framework_has_not_are_missing_where_it_is_installed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("framework_installed").join("site-packages/jax");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("__init__.py"), "").unwrap();
    let place = folder.join("__init__.py");
    assert_eq!(
        told("framework_installed", "", "from jax import partial\n"),
        [format!("ImportError: cannot import name 'partial' from 'jax' ({})", place.display())]
    );
}

#[test]
fn a_library_that_has_a_part_compiled_is_there() {
    let library = "\
try:
    from ._core import fast
except ImportError:
    fast = None
import msgpack
";
    let program = "\
import jax.numpy as jnp
try:
    import layers
    size = 4
except ImportError:
    size = 3
jnp.ones(3) @ jnp.ones(size)
";
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiled_part").join("site-packages");
    std::fs::create_dir_all(environment.join("layers")).unwrap();
    std::fs::create_dir_all(environment.join("msgpack")).unwrap();
    std::fs::write(environment.join("layers/_core.cpython-311-x86_64-linux-gnu.so"), "").unwrap();
    std::fs::write(environment.join("msgpack/__init__.py"), "").unwrap();
    let errors = told("compiled_part", library, program);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].starts_with("TypeError: dot_general requires"), "{errors:?}");
    std::fs::remove_dir_all(environment.join("msgpack")).unwrap();
    assert!(told("compiled_part", library, program).is_empty(), "what it imports may be missing");
}

#[test]
fn arguments_that_a_function_of_a_library_is_not_given_are_told() {
    let library = "\
def search(update, *, value, grad, **extra):
    return update

def chain(*functions):
    def update(update, **extra):
        for function in functions:
            update = function(update, **extra)
        return update
    return update
";
    let program = "\
import jax.numpy as jnp
import layers
update = layers.chain(layers.search)
update(jnp.ones(3), value=1, grad=2)
update(jnp.ones(3), value=1)
";
    assert_eq!(
        told("arguments_of_libraries", library, program),
        ["TypeError: search() missing 1 required keyword-only argument: 'grad'"]
    );
}

#[test]
fn iterators_that_a_library_moves_on_are_its_own() {
    let library = "\
import itertools
import jax

numbers = itertools.count()

def numbered(f):
    def call(x):
        next(numbers)
        return f(x)
    return call

def mapped(f):
    return jax.vmap(numbered(f))
";
    let program = "\
import jax
import jax.numpy as jnp
import layers
layers.mapped(lambda x: x + 1)(jnp.ones(3))
own = iter(range(9))
jax.vmap(lambda x: x + next(own))(jnp.ones(3))
";
    let analysis = analyzed("iterators_of_libraries", &[("layers/__init__.py", library)], program);
    let found: Vec<_> = diagnose(&analysis).into_iter().map(|found| (found.rule, found.at.span.start)).collect();
    let own = program.find("next(own)").unwrap() as u32;
    assert_eq!(found, [("iterator-in-trace", own)]);
}

#[test]
fn traces_that_chex_counts_are_counted() {
    let asserts = "\
import inspect
import traceback
from chex._src import asserts_internal as _ai

def assert_scalar_non_negative(x):
    if x < 0:
        raise AssertionError(x)

def clear_trace_counter():
    _ai.TRACE_COUNTER.clear()

def assert_max_traces(fn=None, n=None):
    raise NotImplementedError(traceback.extract_stack(), inspect.getsource(fn))
";
    let internal = "\
import collections
TRACE_COUNTER = collections.Counter()
DISABLE_ASSERTIONS = False
ERR_PREFIX = '[Chex] '
";
    let chex = "from chex._src.asserts import assert_max_traces, clear_trace_counter\n";
    let program = "\
import chex
import jax
import jax.numpy as jnp

@jax.jit
@chex.assert_max_traces(n=2)
def f(x):
    return x * 2

for n in (1, 2, 2, 1):
    f(jnp.ones(n))
chex.clear_trace_counter()
f(jnp.ones(3))
f(jnp.ones(4))
f(jnp.ones(5))
";
    let files = [
        ("chex/__init__.py", chex),
        ("chex/_src/__init__.py", ""),
        ("chex/_src/asserts.py", asserts),
        ("chex/_src/asserts_internal.py", internal),
    ];
    let analysis = analyzed("traces_of_chex", &files, program);
    let told: Vec<_> = analysis.problems.iter().map(|problem| problem.message.lines().next().unwrap_or("")).collect();
    assert_eq!(told, ["[Chex] Function 'f' is traced > 2 times!"]);
}
