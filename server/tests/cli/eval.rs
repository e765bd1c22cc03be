//! `jitlens eval`. The numbers are those that JAX 0.10.2 prints.

use tracer_core::array::{Tensor, npy};

use crate::support::Project;

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def loss(w, x):
    def body(c, t):
        c = c - t
        return c, jnp.log(c)
    c, ys = jax.lax.scan(body, w, x)
    return ys.sum()

def plain(a, k):
    return {'b': a @ a.T, 'a': a.sum() * k}

@jax.jit
def outer(x):
    jax.debug.print('x {}', x)
    return inner(x * 2)

@jax.jit
def inner(y):
    return y + 1

# jitlens: y: f32[3]
@jax.jit
def uncalled(y):
    return y * 0 + 1

loss(5.0, jnp.arange(4.0))
plain(jax.random.normal(jax.random.key(0), (3, 4)), 2)
outer(jnp.ones(2))
";

#[test]
fn a_function_is_evaluated_with_what_the_program_gives_it() {
    let project = Project::new("eval", &[("p.py", PROGRAM)]);
    let ran = project.run(&["eval", "p.py::plain"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let expected = "# p.py:12:5: plain\n  \
        a      f32[3,4]       1.6226422 2.0252647 -0.43359444 -0.07861735 0.1760909 -0.97208923 …  \
        min -1.9552  max 2.1795  mean 0.1898  std 1.2206";
    assert!(ran.out.starts_with(expected), "{}", ran.out);
    let json = project.run(&["eval", "p.py::plain", "--format", "json"]).json();
    let row = &json["evaluated"][0];
    assert_eq!((&row["made_up"], &row["why"]), (&false.into(), &serde_json::Value::Null));
    assert_eq!(row["outputs"][1]["aval"], "f32[3,3]");
    let max = row["outputs"][1]["statistics"]["max"].as_f64().expect("a number");
    assert!((max - 9.917_149).abs() < 1e-4, "{max}");
    assert_eq!(row["outputs"][1]["statistics"]["histogram"].as_array().map(Vec::len), Some(16));
}

#[test]
fn a_function_within_another_gets_what_that_one_gives_it() {
    let project = Project::new("eval_within", &[("p.py", PROGRAM)]);
    let ran = project.run(&["eval", "p.py::inner"]);
    assert!(ran.out.contains("  y      f32[2]         2 2\n  result f32[2]         3 3\n"), "{}", ran.out);
    let ran = project.run(&["eval", "p.py::uncalled"]);
    assert!(ran.out.starts_with("# p.py:26:5: uncalled, for inputs that are made up\n"), "{}", ran.out);
    assert!(ran.out.ends_with("  result f32[3]         1 1 1\n"), "{}", ran.out);
}

const BOUND: &str = "\
import jax, jax.numpy as jnp
from functools import partial
def f(x): return (x ** 2).sum()
g = jax.jit(jax.grad(f))
h = jax.vmap(f)
double = partial(lambda a, x: a * x, 2.0)
uncalled = jax.jit(lambda x: x * 3)
def loss(params, pair): return params['w'] * pair[0] + pair[1]
class Model:
    def __init__(self, w): self.w = w
    def apply(self, x): return self.w * x
model = Model(jnp.full(3, 2.0))
g(jnp.arange(3.0)), h(jnp.ones((2, 2))), double(jnp.ones(1)), model.apply(jnp.ones(3))
";

#[test]
fn a_name_may_stand_for_what_a_transformation_gives() {
    let project = Project::new("eval_bound", &[("p.py", BOUND)]);
    for (name, inputs, result) in [
        ("g", "x      f32[3]         0 1 2", "f32[3]         0 2 4"),
        ("h", "x      f32[2,2]       1 1 1 1", "f32[2]         2 2"),
        ("double", "x      f32[1]         1", "f32[1]         2"),
        ("model.apply", "x      f32[3]         1 1 1", "f32[3]         2 2 2"),
    ] {
        let ran = project.run(&["eval", &format!("p.py::{name}")]);
        let expected = format!(": {name}\n  {inputs}\n  result {result}\n");
        assert!(ran.out.ends_with(&expected), "{name}: {} {}", ran.out, ran.err);
    }
    let ran = project.run(&["eval", "p.py::uncalled"]);
    assert!(ran.err.contains("`uncalled` has no graph: nothing calls it"), "{}", ran.err);
}

const COMPILED: &str = "\
import jax, jax.numpy as jnp
class Scale:
    def __init__(self, by): self.by = by
    def __call__(self, x): return x * self.by
def scale(x): return x
scaled = jax.jit(Scale(2.0))
class Steps: pass
steps = Steps()
steps.total = jax.jit(jnp.sum)
def main():
    largest = jax.jit(jnp.max)
    return largest(jnp.arange(3.0))
scaled(jnp.ones(2)), steps.total(jnp.ones(3)), main(), jnp.sum(jnp.ones(2))
";

#[test]
fn compiled_functions_of_others_go_by_the_name_that_is_called() {
    let project = Project::new("eval_compiled", &[("p.py", COMPILED)]);
    let ran = project.run(&["eval", "p.py"]);
    let names: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("# ")).collect();
    let expected = [
        "# p.py:13:1: scaled, called at p.py:13:1",
        "# p.py:13:22: steps.total, called at p.py:13:22",
        "# p.py:12:12: largest, called at p.py:12:12",
    ];
    assert_eq!(names, expected, "{}", ran.out);
    let ran = project.run(&["eval", "p.py::largest"]);
    assert!(ran.out.ends_with("  result f32[]          2\n"), "{} {}", ran.out, ran.err);
}

#[test]
fn a_file_gives_types_to_what_nothing_calls() {
    let project = Project::new("eval_file", &[("p.py", BOUND)]);
    let mut bytes = Vec::new();
    npy::write(&Tensor::new(&[2][..], vec![1.0f32, 2.0]), &mut bytes).expect("written");
    std::fs::write(project.folder.join("x.npy"), bytes).expect("written");
    let ran = project.run(&["eval", "p.py::uncalled", "--args", "x.npy"]);
    assert!(ran.out.contains("uncalled, for the inputs of the file\n"), "{} {}", ran.out, ran.err);
    assert!(ran.out.ends_with("  result f32[2]         3 6\n"), "{}", ran.out);
}

#[test]
fn the_first_number_that_is_none_has_a_place() {
    let project = Project::new("eval_nan", &[("p.py", PROGRAM)]);
    let ran = project.run(&["eval", "p.py", "--first-nonfinite"]);
    let expected = "p.py:8:19: `log` makes NaN of finite numbers, in round 3 of its loop (from 0)\n  \
        given  f32[]          -1\n  makes  f32[]          NaN  1 NaN\n  for    p.py:29:1\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), expected));
    let ran = project.run(&["eval", "p.py::outer", "--first-nonfinite"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
}

const MASKED: &str = "\
import jax, jax.numpy as jnp
@jax.jit
def attend(scores, mask):
    return jax.nn.softmax(jnp.where(mask, scores, -jnp.inf))
@jax.jit
def both(x):
    return jnp.inf - (jnp.where(x > 0, jnp.inf, x)) + jnp.log(x - x)
attend(jnp.ones((2, 2)), jnp.array([[True, False], [False, False]]))
both(jnp.array([1.0, 2.0]))
";

#[test]
fn what_is_no_number_may_come_of_infinities() {
    let project = Project::new("eval_masked", &[("p.py", MASKED)]);
    let ran = project.run(&["eval", "p.py::attend", "--first-nonfinite"]);
    let expected = "p.py:4:12: `sub` makes NaN of infinities\n";
    assert!(ran.code == Some(1) && ran.out.starts_with(expected), "{}", ran.out);
    // What finite numbers make comes before that.
    let ran = project.run(&["eval", "p.py::both", "--first-nonfinite"]);
    let expected = "p.py:7:55: `log` makes an infinity of finite numbers\n";
    assert!(ran.code == Some(1) && ran.out.starts_with(expected), "{}", ran.out);
}

/// Runs a program whose first number that is none is looked for.
fn first_nonfinite(name: &str, text: &str) -> (Option<i32>, String, String) {
    let head = "import jax, jax.numpy as jnp\n";
    let ran = Project::new(name, &[("p.py", &format!("{head}{text}"))]).run(&["eval", "p.py", "--first-nonfinite"]);
    (ran.code, ran.out, ran.err)
}

#[test]
fn functions_with_callbacks_and_on_devices_are_looked_into() {
    let (code, out, _) = first_nonfinite(
        "eval_printing",
        "@jax.jit\ndef f(x):\n    jax.debug.print('{x}', x=x)\n    return jnp.log(x)\nf(jnp.float32(0.))\n",
    );
    assert!(code == Some(1) && out.starts_with("p.py:5:12: `log` makes an infinity of finite numbers\n"), "{out}");
    assert!(out.ends_with("  for    p.py:6:1\n"), "{out}");
    let (code, out, _) = first_nonfinite(
        "eval_mapped_over_devices",
        "def f(x):\n    y = x * 2\n    return jnp.log(y)\ng = jax.pmap(f)\ng(jnp.zeros((1, 2)))\n",
    );
    assert!(code == Some(1) && out.starts_with("p.py:4:12: `log` makes an infinity of finite numbers\n"), "{out}");
    assert!(out.ends_with("  for    p.py:6:1\n"), "{out}");
}

#[test]
fn gradients_that_nothing_compiles_are_looked_at() {
    let (code, out, _) = first_nonfinite(
        "eval_eager_gradient",
        "@jax.jit\ndef f(x):\n    return jnp.where(x > 0, jnp.sqrt(x), 0.0).sum()\nx = jnp.array([0.0, 4.0])\nprint(f(x), jax.grad(f)(x))\n",
    );
    assert!(code == Some(1) && out.starts_with("p.py:4:29: `div` makes an infinity of finite numbers\n"), "{out}");
    assert!(out.ends_with("  for    p.py:6:13\n"), "{out}");
    let (code, out, _) = first_nonfinite(
        "eval_plain_gradient",
        "def loss(p):\n    return (jnp.log(p) * 3).sum()\np = jnp.array([0.3, 1.0])\nfor i in range(9):\n    v, g = jax.value_and_grad(loss)(p)\n    p = p - 0.1 * g\n",
    );
    assert!(code == Some(1) && out.starts_with("p.py:3:13: `log` makes NaN of finite numbers\n"), "{out}");
}

#[test]
fn the_call_is_found_that_goes_wrong() {
    let (code, out, _) = first_nonfinite(
        "eval_late_call",
        "@jax.jit\ndef step(w):\n    return w * w * 1e10\nw = jnp.float32(1.0)\nfor i in range(6):\n    w = step(w)\n",
    );
    assert!(code == Some(1) && out.starts_with("p.py:4:12: `mul` makes an infinity of finite numbers\n"), "{out}");
    let (code, out, _) =
        first_nonfinite("eval_eager_log", "x = jnp.array([0.0, 4.0])\ny = jnp.log(x)\nz = jnp.log(y - y)\n");
    assert!(code == Some(1) && out.starts_with("p.py:3:5: `log` makes an infinity of finite numbers\n"), "{out}");
}

#[test]
fn right_programs_are_no_findings() {
    // A call through a transformation has the numbers of the program, and what nobody reads is not computed.
    let (code, out, err) = first_nonfinite(
        "eval_right",
        "@jax.jit\ndef loss(w):\n    return jnp.sum(jnp.log(w))\nprint(jax.grad(loss)(jnp.array([1.0, 2.0])), jax.vmap(loss)(jnp.ones((3, 2))))\n\
         @jax.jit\ndef slope(x):\n    return jax.grad(lambda x: x**4)(x)\nslope(1e10)\n",
    );
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), "", ""));
    // Nobody gives this one anything.
    let unasked = "# jitlens: x: f32[4]\n@jax.jit\ndef f(x):\n    return jnp.log(x)\n";
    let (code, out, _) = first_nonfinite("eval_unasked", unasked);
    assert!(code == Some(0) && out.starts_with("p.py:5:12: `log` makes NaN of finite numbers\n"), "{out}");
    assert!(out.ends_with("  for    inputs that are made up: the program gives none that are known\n"), "{out}");
}

#[test]
fn what_is_not_evaluated_is_told() {
    let (code, out, err) = first_nonfinite(
        "eval_too_large",
        "@jax.jit\ndef big(x):\n    return (x[:, None] * x[None, :]).sum()\nbig(jnp.ones(200000))\n",
    );
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("p.py:3:5: big: not evaluated: needs 149 GiB, limit 2 GiB"), "{err}");
    let (code, _, err) = first_nonfinite("eval_no_python", "def (:\n");
    assert!(code == Some(1) && err.contains("p.py:2:7: SyntaxError"), "{err}");
}

#[test]
fn what_takes_too_long_says_so() {
    let project = Project::new("eval_long", &[("p.py", PROGRAM)]);
    let ran = project.run(&["eval", "p.py::outer", "--operations", "10"]);
    assert!(ran.out.contains("not evaluated: it takes more operations than are allowed"), "{}", ran.out);
    assert_eq!(project.run(&["eval", "p.py::nothing"]).code, Some(2));
}

const PRINTS: &str = "\
import random
import jax
import jax.numpy as jnp

@jax.jit
def step(w):
    jax.debug.print('w {}', w)
    return w * 0.5

@jax.jit
def scaled(w):
    return w * 2

w = step(step(jnp.float32(1.0)))
for i in range(2000):
    w = w + 0.5
print('end', scaled(w), flush=True)
if random.random() > 0.5:
    print('perhaps')
print(random.random(), f'known {random.random():.2f} {w:.2f}')
raise ValueError('the end')
";

#[test]
fn what_a_program_prints_is_known() {
    let project = Project::new("eval_printed", &[("p.py", PRINTS)]);
    let ran = project.run(&["eval", "p.py", "--printed"]);
    let expected = "w 1.0\nw 0.5\nend 2000.5\n<here may be more: it is not known whether, or how often>\n\
        <not known: a random number> known <not known: a random number> 1000.25\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), expected));
    assert!(ran.err.contains("ValueError: the end"), "{}", ran.err);
    let json = project.run(&["eval", "p.py", "--printed", "--format", "json"]).json();
    let row = &json["printed"][2];
    assert_eq!((&row["text"], &row["at"]["range"]), (&"end 2000.5\n".into(), &serde_json::json!([17, 0, 17, 35])));
    assert_eq!(json["printed"][3]["text"], serde_json::Value::Null);
    let ran = project.run(&["eval", "p.py::step", "--printed"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
}

#[test]
fn what_stands_behind_a_long_loop_has_its_numbers() {
    let project = Project::new("eval_behind", &[("p.py", PRINTS)]);
    let ran = project.run(&["eval", "p.py::scaled"]);
    let expected =
        "# p.py:11:5: scaled, called at p.py:17:14\n  w      f32[]          1000.25\n  result f32[]          2000.5\n";
    assert_eq!(ran.out, expected);
    let ran = project.run(&["eval", "p.py::scaled", "--operations", "100"]);
    assert!(ran.out.contains("made up"), "{}", ran.out);
}

#[test]
fn what_is_printed_without_end_is_cut() {
    let project = Project::new("eval_endless", &[("p.py", "while True:\n    print('x' * 1000)\n")]);
    let ran = project.run(&["eval", "p.py", "--printed"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.ends_with("xxx\n<cut>\n") || ran.out.ends_with("xxx<cut>\n"), "{}", ran.out.len());
    assert!((4 << 20) * 9 / 10 < ran.out.len() && ran.out.len() < 5 << 20, "{}", ran.out.len());
}

const ENDS: &str = "\
def checked(x):
    print('checks', x)
    if x > 1:
        raise ValueError('too large')
try:
    checked(2)
except ValueError:
    print('caught')
for i in range(5):
    checked(i)
print('never')
undefined
";

#[test]
fn an_exception_ends_what_is_printed() {
    let project = Project::new("eval_ends", &[("p.py", ENDS)]);
    let ran = project.run(&["eval", "p.py", "--printed"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "checks 2\ncaught\nchecks 0\nchecks 1\nchecks 2\n"));
    assert!(ran.err.starts_with("jitlens: ValueError: too large"), "{}", ran.err);
}

const UNPACKED: &str = "\
import jax
import jax.numpy as jnp
from jax import lax

def both(x):
    return jnp.sin(x), jnp.cos(x) * 2

def twice(x):
    return both(x)

@jax.jit
def f(x):
    a, b = both(x)
    (c, d), e = twice(a), b + 1
    q, r = jnp.linalg.qr(x.reshape(2, 2))
    s = lax.reduce(x, 1., lambda u, v: u * v + 1, (0,))
    return c, d, e, q, r, s

f(jnp.arange(4.))
";

#[test]
fn what_a_call_returns_has_the_names_that_it_is_unpacked_to() {
    let project = Project::new("eval_unpacked", &[("p.py", UNPACKED)]);
    assert_eq!(project.run(&["eval", "p.py", "--dump", "out"]).code, Some(0));
    let index = project.read("out/index.json");
    let index: serde_json::Value = serde_json::from_str(&index).unwrap();
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let rows = index["arrays"].as_array().unwrap().iter();
    let made: Vec<(Option<String>, String)> =
        rows.filter_map(|row| Some((text(&row["variable"]), text(&row["primitive"])?))).collect();
    let named: Vec<(&str, &str)> =
        made.iter().filter_map(|(name, made)| Some((name.as_deref()?, made.as_str()))).collect();
    let expected = [
        ("a", "sin"),
        ("b", "mul"),
        ("c", "sin"),
        ("d", "mul"),
        ("e", "add"),
        ("q", "qr"),
        ("r", "qr"),
        ("s", "reduce"),
    ];
    assert_eq!(named, expected);
    // The steps of a reduction are nothing that the program makes.
    assert_eq!(made.iter().filter(|(_, made)| made == "mul").count(), 2);
}

#[test]
fn a_folder_holds_what_was_written_last() {
    let project = Project::new("eval_again", &[("p.py", UNPACKED), ("out/mine.npy", ""), ("out/00001_mine/x", "")]);
    assert_eq!(project.run(&["eval", "p.py", "--dump", "out", "--operations", "1e9"]).code, Some(0));
    let ran = project.run(&["eval", "p.py", "--dump", "out", "--only", "primitive:^sin$"]);
    assert!(ran.err.contains("out: 2 arrays"), "{}", ran.err);
    assert_eq!(project.names("out"), ["00001_a_sin.npy", "00001_mine", "00002_c_sin.npy", "index.json", "mine.npy"]);
}

#[test]
fn a_loop_whose_rounds_change_nothing_is_endless() {
    let program =
        "import jax\n@jax.jit\ndef f(x):\n    return jax.lax.while_loop(lambda c: c > 0, lambda c: c + 0, x)\nf(1)\n";
    let project = Project::new("eval_unchanged", &[("p.py", program)]);
    let ran = project.run(&["eval", "p.py"]);
    assert!(ran.out.contains("not evaluated: an endless loop: its rounds change nothing"), "{}", ran.out);
    let counts = program.replace("c + 0", "c + 1 - c // 9").replace("c > 0", "c > -5");
    let project = Project::new("eval_rounds", &[("p.py", &counts)]);
    let ran = project.run(&["eval", "p.py", "--operations", "100000000"]);
    assert!(ran.out.contains("not evaluated: "), "{}", ran.out);
}

#[test]
fn results_are_told_beside_one_that_is_not_evaluated() {
    let program = "import jax\nimport jax.numpy as jnp\n@jax.jit\ndef f(x):\n    \
        return x * 2, jax.scipy.linalg.schur(jnp.outer(x, x))[0], jnp.cumsum(x)\nf(jnp.arange(3.0))\n";
    let project = Project::new("eval_one_by_one", &[("p.py", program)]);
    let ran = project.run(&["eval", "p.py::f"]);
    let lines: Vec<&str> = ran.out.lines().skip(2).collect();
    assert_eq!((lines[0], lines[2]), ("  result f32[3]         0 2 4", "  result f32[3]         0 1 3"));
    assert!(lines[1].starts_with("  result not evaluated: a Schur form"), "{}", ran.out);
    let row = &project.run(&["eval", "p.py::f", "--format", "json"]).json()["evaluated"][0];
    assert!(row["outputs"][1]["why"].is_string() && row["outputs"][0]["first"][1] == "2", "{row}");
}

const RAISES: &str = "\
import jax, jax.numpy as jnp
@jax.pmap
def mapped(x): return x * 2
mapped(jnp.ones((1, 3)))
@jax.jit
def never(x): return x @ jnp.ones((3, 2))
@jax.jit
def once(x): return x @ jnp.ones((3, 2))
for f in never, once:
    try: f(jnp.ones(4))
    except TypeError: pass
once(jnp.ones(3))
";

#[test]
fn functions_that_raise_and_those_of_a_map_over_devices_are_told() {
    let project = Project::new("eval_raises", &[("p.py", RAISES)]);
    let ran = project.run(&["eval", "p.py"]);
    let names: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("# ")).collect();
    let expected = [
        "# p.py:3:5: mapped, called at p.py:4:1",
        "# p.py:8:5: once, called at p.py:12:1",
        "# p.py:6:5: never, called at p.py:10:10",
    ];
    assert_eq!(names, expected, "{}", ran.out);
    assert!(ran.out.contains("result       f32[1,3]       2 2 2"), "{}", ran.out);
    assert!(ran.out.contains("not evaluated: its trace raises TypeError: dot_general requires"), "{}", ran.out);
    assert_eq!(ran.code, Some(0));
    let ran = project.run(&["eval", "p.py::mapped"]);
    assert!(ran.out.starts_with("# p.py:3:5: mapped, called at p.py:4:1\n"), "{}", ran.out);
}

#[test]
fn a_function_without_a_graph_is_told_with_the_reason() {
    let program = "import jax\nimport jax.numpy as jnp\nimport nowhere\n@jax.jit\ndef f(x):\n    \
        return jnp.zeros(nowhere.size())\n@jax.jit\ndef g(x):\n    return jax.grad(lambda a: nowhere.f(a))(x)\nf(1.0)\ng(2.0)\n";
    let project = Project::new("eval_untraced", &[("p.py", program)]);
    let ran = project.run(&["eval", "p.py"]);
    assert!(
        ran.out.contains("p.py:8:5: g, called at p.py:11:1\n  not evaluated: its trace comes to no end"),
        "{}",
        ran.out
    );
    let one = project.run(&["eval", "p.py::g"]);
    assert!(one.out.contains("not evaluated: its trace comes to no end"), "{} {}", one.out, one.err);
}
