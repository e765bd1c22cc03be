//! What programs may cost that run on what is not known: budgets that were spent many times over before there were these limits.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Limits, Vfs, Wanted, analyze_for};

/// Whether a program that raises nothing is run to its end with so much fuel.
fn ends(name: &str, fuel: u64, program: &str) -> bool {
    ends_behind(name, fuel, program, 0)
}

/// Whether a program is run to its end with so much fuel, behind so many exceptions.
fn ends_behind(name: &str, fuel: u64, program: &str, exceptions: usize) -> bool {
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.py"));
    std::fs::write(&script, program).expect("the program is written");
    let entry = Entry { script, roots: Vec::new(), environment: Vec::new(), fallback: Vec::new() };
    let limits = Limits { fuel, ..Limits::default() };
    let cancel = Arc::new(AtomicBool::new(false));
    let analysis = analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, limits, Wanted::default(), cancel);
    assert_eq!(analysis.problems.len(), exceptions, "{:?}", analysis.problems);
    analysis.stopped.is_none()
}

#[test]
fn a_loop_that_never_ends_is_left_soon() {
    let program = "\
def step(n):
    return n + 1

n = 0
while True:
    n = step(n)
";
    assert!(ends("endless", 10_000_000, program));
}

#[test]
fn a_loop_that_returns_runs_to_where_it_does() {
    let program = "\
import jax.numpy as jnp

def first(limit):
    n = 0
    while True:
        n += 1
        if n * n > limit:
            return n

x = jnp.zeros(first(2 ** 40))
assert x.shape == (1048577,)
";
    assert!(ends("returns", 100_000_000, program));
}

#[test]
fn a_loop_over_what_a_missing_package_gives_is_left_soon() {
    let program = "\
import sensors

seen = []
for i in range(10_000_000):
    value = sensors.read(i)
    seen = [i, i + 1, i + 2]
";
    assert!(ends("missing", 10_000_000, program));
}

#[test]
fn branches_on_what_is_not_known_count_as_work() {
    let program = "\
import sensors

def work(n):
    total = 0
    for i in range(n):
        total += i
    return total

def look(value):
    for i in range(200):
        if value > i:
            work(1000)
    return value

for step in range(1000):
    look(sensors.read(step))
";
    assert!(ends("doubts", 20_000_000, program));
}

#[test]
fn recursion_that_was_ended_before_goes_less_deep() {
    let program = "\
import sensors

def work(n):
    total = 0
    for i in range(n):
        total += i
    return total

def walk(node):
    work(2000)
    if node.leaf:
        return 0
    return walk(node.left) + walk(node.right)

roots = [walk(sensors.read(i)) for i in range(300)]
";
    assert!(ends("recursion", 20_000_000, program));
}

#[test]
fn objects_that_refer_to_each_other_are_forgotten_once() {
    let program = "\
import jax.numpy as jnp

class Node:
    def __init__(self, parent):
        self.parent = parent
        self.children = []
        if parent is not None:
            parent.children.append(self)

root = Node(None)
nodes = [Node(root) for _ in range(60)]
x = jnp.ones(3)
for node in nodes:
    for _ in range(100):
        x = jnp.sin(x)
";
    assert!(ends("graph", 10_000_000, program));
}

#[test]
fn a_loop_that_has_raised_is_left_soon() {
    let program = "\
class Rows:
    def __iter__(self):
        return self

    def __next__(self):
        yield {'x': 1}

count = 0
for row in Rows():
    count += 1
    row['x']
";
    assert!(ends_behind("raised", 10_000_000, program, 1));
}
