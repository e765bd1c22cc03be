//! `jitlens repro`: what it tells, and what the settings of a project change.

use crate::support::{Project, Ran};

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def predict(x):
    h = jnp.tanh(x) * 2.0
    unused = jnp.cos(h)
    return h.sum(), jnp.arange(5.0) + h.max()

predict(jnp.linspace(0.0, 1.0, 4))
";

fn settings(own: &str) -> String {
    format!("[tool.jitlens]\n{own}\n")
}

/// The lines of the log.
fn told(ran: &Ran) -> Vec<&str> {
    ran.err.lines().map(|line| line.trim_end().trim_start_matches("jitlens: ")).collect()
}

#[test]
fn what_was_recorded_is_told_where_that_is_asked_for() {
    let project = Project::new("repro_log", &[("p.py", PROGRAM), ("pyproject.toml", "")]);
    assert_eq!(told(&project.run(&["repro", "p.py::predict"])), [""; 0]);
    let calls = project.run(&["repro", "p.py::predict", "--log"]);
    let lines = told(&calls);
    assert!(lines.iter().any(|line| line.ends_with("  calls predict")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("jax.numpy.tanh -> f32[4]")), "{lines:#?}");
    let cos = "jax.numpy.cos -> f32[4] (left out: nothing that is kept needs what it gives)";
    assert!(lines.iter().any(|line| line.ends_with(cos)), "{lines:#?}");
    // Operations of arrays are told by `all` only.
    let all = project.run(&["repro", "p.py::predict", "--log=all"]);
    assert!(told(&all).len() > lines.len(), "{:#?}", told(&all));
    assert!(lines.iter().all(|line| told(&all).contains(line)));
    // The text is the same.
    assert_eq!(calls.out, all.out);
    // A setting asks for it, and the command line takes it back.
    project.write("pyproject.toml", &settings("log-calls = 'calls'"));
    assert_eq!(told(&project.run(&["repro", "p.py::predict"])), lines);
    assert_eq!(told(&project.run(&["repro", "p.py::predict", "--log=none"])), [""; 0]);
    // With JSON it stands beside the text.
    let json = project.run(&["repro", "p.py::predict", "--format", "json"]).json();
    let log = json["reproducers"][0]["log"].as_array().expect("a list");
    assert_eq!(log.iter().filter_map(|line| line.as_str()).collect::<Vec<_>>(), lines);
}

#[test]
fn settings_say_how_it_is_written() {
    let project =
        Project::new("repro_settings", &[("p.py", PROGRAM), ("pyproject.toml", &settings("level = 'primitive'"))]);
    let primitive = project.run(&["repro", "p.py::predict"]).out;
    assert!(primitive.contains("lax.tanh(x)") && !primitive.contains("jnp.tanh"), "{primitive}");
    let api = project.run(&["repro", "p.py::predict", "--level", "api"]).out;
    assert!(api.contains("jnp.tanh(x) * 2.0"), "{api}");
    let program =
        PROGRAM.replace("jnp.linspace(0.0, 1.0, 4)", "__import__('numpy').linspace(0.0, 1.0, 4, dtype='float32')");
    project.write("p.py", &program);
    project.write("pyproject.toml", &settings("literals = 3"));
    let ones = project.run(&["repro", "p.py::predict"]).out;
    assert!(ones.contains("ones((4,)"), "{ones}");
    let literal = project.run(&["repro", "p.py::predict", "--literals", "4"]).out;
    assert!(literal.contains("0.6666667"), "{literal}");
    project.write("pyproject.toml", &settings("literals = 3\ndata = 'exact'"));
    let exact = project.run(&["repro", "p.py::predict", "-o", "out"]);
    assert_eq!(exact.code, Some(0), "{}", exact.err);
    assert!(project.read("out/p_predict.py").contains("np.load(__file__"));
    let printed = project.run(&["repro", "p.py::predict"]);
    assert!(printed.out.contains("np.load(__file__"), "{}", printed.out);
    assert!(
        printed.err.contains("the file with its arrays is written where --output names a folder"),
        "{}",
        printed.err
    );
    assert!(
        project.folder.join("out/p_predict.npz").exists() && project.folder.join("out/p_predict.map.json").exists()
    );
    // Nothing is written over without being asked.
    let again = project.run(&["repro", "p.py::predict", "-o", "out"]);
    assert_eq!(again.code, Some(2));
    assert!(again.err.contains("is there already; --force writes over it"), "{}", again.err);
    assert_eq!(project.run(&["repro", "p.py::predict", "-o", "out", "--force"]).code, Some(0));
    for beside in ["mine/p_predict.npz", "mine/p_predict.map.json"] {
        let _ = std::fs::remove_dir_all(project.folder.join("mine"));
        std::fs::create_dir_all(project.folder.join("mine")).unwrap();
        project.write(beside, "kept");
        let ran = project.run(&["repro", "p.py::predict", "-o", "mine"]);
        assert_eq!(ran.code, Some(2));
        assert!(ran.err.contains(&beside["mine/".len()..]) && ran.err.contains("is there already"), "{}", ran.err);
        assert_eq!(project.read(beside), "kept");
        assert!(!project.folder.join("mine/p_predict.py").exists());
    }
    project.write("pyproject.toml", &settings("literals = 3\ndata = 'none'\nlevel = 'high'\nlog-calls = 'some'"));
    let ran = project.run(&["repro", "p.py::predict"]);
    for name in ["`data` is `ones`", "`level` is `api`", "`log-calls` is `none`"] {
        assert!(ran.err.contains(name), "{}", ran.err);
    }
}

#[test]
fn functions_of_one_name_have_a_file_each() {
    let program = "\
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(x):
    return x * 2


def make():
    @jax.jit
    def step(x):
        return x.sum()

    return step


step(np.linspace(0.0, 1.0, 4, dtype='float32'))
make()(np.linspace(1.0, 2.0, 5, dtype='float32'))
";
    let project = Project::new("repro_names", &[("p.py", program)]);
    let asked = ["repro", "p.py::step", "p.py::make.<locals>.step", "-o", "out", "--force"];
    let ran = project.run(&asked);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let files: Vec<&str> = ran.out.split_whitespace().collect();
    assert_eq!(files.len(), 2, "{}", ran.out);
    for (i, file) in files.iter().enumerate() {
        assert!(!files[..i].contains(file), "{}", ran.out);
        assert!(project.folder.join(file).exists() && project.folder.join(file).with_extension("map.json").exists());
    }
}

#[test]
fn what_hinders_a_reproducer_is_told() {
    let broken = "import jax\n\ndef f(:\n    pass\n";
    let names = "double = lambda x: 2 * x\n\n\ndef rows(x):\n    yield double(x)\n";
    let idle = "import jax\n\n@jax.jit\ndef half(x):\n    return x / 2\n\ndef twice(x):\n    return 2 * x\n";
    let files = [("p.py", PROGRAM), ("broken.py", broken), ("names.py", names), ("idle.py", idle), ("file", "")];
    let project = Project::new("repro_hindered", &files);
    for (arguments, message) in [
        (&["broken.py"][..], "broken.py:3:"),
        (&["broken.py::f"], "SyntaxError"),
        (&["p.py::nope"], "p.py: there is no function `nope` in it"),
        (&["names.py::double"], "names.py: `double` is a name that line 1 gives, and no function of its own"),
        (&["idle.py::half"], "idle.py: nothing calls `half`"),
        (&["idle.py::twice"], "idle.py: nothing calls `twice`"),
        (&["names.py::rows"], "names.py: `rows` is a generator; name the function that takes its items"),
        (&["p.py::"], "p.py::: name a function: FILE::FUNCTION"),
        (&["p.py::predict", "-o", "file"], "file: is a file; --output names a folder"),
    ] {
        let ran = project.run(&[&["repro"][..], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(message), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_reproducer_is_part_of_no_package() {
    let state = "\
import jax
import jax.numpy as jnp

def loss(w, x):
    return (jnp.tanh(x @ w) ** 2).mean()

step = jax.jit(jax.grad(loss))
step(jnp.ones(3), jnp.ones((2, 3)))
";
    let files = [("parts/__init__.py", "from .state import loss, step\n"), ("parts/state.py", state)];
    let project = Project::new("repro_package", &files);
    let ran = project.run(&["repro", "parts/state.py::loss"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn functions_that_another_program_calls() {
    let model = "\
import jax
import jax.numpy as jnp

@jax.jit
def step(w, x):
    return w - 0.1 * jax.grad(lambda w: (jnp.tanh(x @ w) ** 2).mean())(w)
";
    let train = "\
import jax
import jax.numpy as jnp
from parts.model import step as advance

@jax.jit
def step(x):
    return x * 2.0

w = step(jnp.ones(3))
for _ in range(2):
    w = advance(w, jnp.linspace(0.0, 1.0, 6).reshape(2, 3))
";
    let files = [("parts/model.py", model), ("train.py", train), ("parts/__init__.py", ""), ("pyproject.toml", "")];
    let project = Project::new("repro_callers", &files);
    let ran = project.run(&["repro", "parts/model.py::step"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("# Reproduces parts/model.py::step, as train.py calls it; "), "{}", ran.out);
    // It is the function of that file, not the one of the same name that is called first.
    assert!(ran.out.contains("lambda w: (jnp.tanh(x @ w) ** 2)") && !ran.out.contains("x * 2.0"), "{}", ran.out);
    let line = project.run(&["repro", "parts/model.py:6"]).out;
    assert!(line.contains("as train.py calls it") && line.contains("jnp.tanh(x @ w"), "{line}");
    // Where callers are not to be run, what the file itself tells has to do.
    project.write("pyproject.toml", &settings("callers = false"));
    assert!(!project.run(&["repro", "parts/model.py::step"]).out.contains("train.py"));
}

#[test]
fn functions_that_raise_where_another_program_calls_them() {
    let model = "import jax.numpy as jnp\n\ndef product(x):\n    return x @ jnp.ones(7)\n";
    let train = "import jax.numpy as jnp\nfrom model import product\n\nproduct(jnp.ones(3))\n";
    let project = Project::new("repro_raising", &[("model.py", model), ("train.py", train), ("pyproject.toml", "")]);
    let ran = project.run(&["repro", "model.py::product"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("# Reproduces model.py::product, as train.py calls it; "), "{}", ran.out);
    assert!(ran.out.contains("\n# TypeError: dot_general requires contracting dimensions"), "{}", ran.out);
}

/// What a module makes when it is imported, before anything is recorded, is made once more: specs, shardings, meshes, members of enumerations.
#[test]
fn values_of_the_framework_are_made_once_more() {
    let rules = "\
import jax
from jax import lax
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

MESH = jax.make_mesh((1, 1), (\"a\", \"b\"), axis_types=(AxisType.Auto,) * 2)
SPECS = {\"w\": P(\"a\", None), \"b\": P((\"a\", \"b\"))}
WHERE = [NamedSharding(MESH, SPECS[\"b\"])]
HOW = [lax.Precision.HIGH, lax.GatherScatterMode.CLIP]
";
    let train = "\
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
import rules

@jax.jit
def step(w, b):
    w = jax.lax.with_sharding_constraint(w, NamedSharding(rules.MESH, rules.SPECS[\"w\"]))
    b = jax.lax.with_sharding_constraint(b, rules.WHERE[0])
    return jnp.matmul(w, b, precision=rules.HOW[0]), b.at[jnp.array([1])].get(mode=rules.HOW[1])

b = jnp.ones(4)
print(b.sharding)
step(jnp.ones((2, 4)), b)
";
    let project = Project::new("repro_made", &[("rules.py", rules), ("train.py", train), ("pyproject.toml", "")]);
    let ran = project.run(&["repro", "train.py::step"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let parts = [
        "from jax.sharding import AxisType, NamedSharding\n",
        "from jax.sharding import PartitionSpec as P\n",
        "P(\"a\", None)",
        "P((\"a\", \"b\"))",
        "axis_types=(AxisType.Auto, AxisType.Auto)",
        "jax.make_mesh(",
        "precision=lax.Precision.HIGH",
        "mode=lax.GatherScatterMode.CLIP",
    ];
    for part in parts {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    assert!(!ran.out.contains("NOT VERIFIED") && !ran.out.contains("None.spec"), "{}", ran.out);
}

/// Items of tuples have the names that the program takes them apart into, and numbers stand only where names clash.
#[test]
fn names_are_those_of_the_program() {
    let train = "\
import jax
import jax.numpy as jnp

def loss_fn(p, x):
    loss = jnp.sum(p[\"w\"] * x)
    with jax.named_scope(\"more\"):
        loss = loss + 1
    return loss, ({\"twice\": loss * 2}, x * 3)

@jax.jit
def step(p, x):
    (loss, (metrics, tripled)), grads = jax.value_and_grad(loss_fn, has_aux=True)(p, x)
    p = {k: p[k] - 0.1 * grads[k] for k in p}
    return p, tripled, dict(metrics, loss=loss)

step({\"w\": jnp.ones(3), \"v\": jnp.ones(2)}, jnp.ones(3))
";
    let project = Project::new("repro_names_train", &[("train.py", train), ("pyproject.toml", "")]);
    let ran = project.run(&["repro", "train.py::step"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("(loss, (metrics, tripled)), grads = jax.value_and_grad(loss_fn, has_aux=True)(p, x)"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("_1"), "{}", ran.out);
}

/// What is made of a `lambda` and called again is one function: another one would be traced anew, and not find what the first one took.
#[test]
fn a_compiled_lambda_is_made_once() {
    let train = "\
import jax
import jax.numpy as jnp

step = jax.jit(lambda s, x: s + x, donate_argnums=0)
s = jnp.zeros(4)
for i in range(3):
    t = step(s, jnp.ones(4))
";
    let project = Project::new("repro_lambda", &[("train.py", train), ("pyproject.toml", "")]);
    let ran = project.run(&["repro", "train.py"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("step = jax.jit(lambda s, x: s + x, donate_argnums=0)"), "{}", ran.out);
    assert_eq!(ran.out.matches("lambda").count(), 1, "{}", ran.out);
}

/// What a body of the program's own `__call__` raises is raised there, also where its class is of another module.
#[test]
fn errors_of_callable_objects_are_raised() {
    let layers = "\
class SizeError(ValueError):
    pass

class Dense:
    def __init__(self, n):
        self.n = n
    def __call__(self, x):
        if x.shape[-1] != self.n:
            raise SizeError(f'expected {self.n} of flax.layers')
        return x * 2
";
    let train = "\
import jax
import jax.numpy as jnp
import layers

def make(n):
    return layers.Dense(n)

net = make(4)
net(jnp.ones((2, 3)) + 1)
";
    let project = Project::new("repro_call", &[("layers.py", layers), ("train.py", train), ("pyproject.toml", "")]);
    let ran = project.run(&["repro", "train.py"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("raise SizeError(\"expected 4 of flax.layers\")"), "{}", ran.out);
    assert!(!ran.out.contains("Dense()") && !ran.out.contains("import lax"), "{}", ran.out);
}

#[test]
fn a_name_means_the_function_of_the_file_before_those_of_others() {
    let solvers = "class Solver:\n    def step(self, x):\n        return x * 2.0\n";
    let program = "\
import jax
import jax.numpy as jnp
from solvers import Solver

class Model:
    def step(self, x):
        return x + 1.0

@jax.jit
def step(x):
    return jnp.sin(x)

@jax.jit
def run(x):
    return jax.vmap(Solver().step)(x) + jax.vmap(Model().step)(x)

run(jnp.ones(3))
step(jnp.ones(2))
";
    let project = Project::new("repro_names_methods", &[("p.py", program), ("solvers.py", solvers)]);
    let of = |name: &str| project.run(&["repro", &format!("p.py::{name}")]).out;
    assert!(of("step").contains("return jnp.sin(x)"), "{}", of("step"));
    assert!(of("Solver.step").contains("return x * 2.0"), "{}", of("Solver.step"));
    // Its methods come before those of others, too.
    project.write("p.py", &program.replace("def step(x)", "def other(x)").replace("\nstep(", "\nother("));
    assert!(of("step").contains("return x + 1.0"), "{}", of("step"));
}

#[test]
fn a_module_that_is_missing_is_why_a_function_has_no_reproducer() {
    let program = "import jax\nimport absent_nets\n\nmodel = absent_nets.Model()\n\ndef step(x):\n    return x * 2\n\nmodel.run(step)\n";
    let project = Project::new("repro_missing", &[("p.py", program)]);
    let ran = project.run(&["repro", "p.py::step"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("nothing calls `step`; module `absent_nets` is neither modelled nor found"),
        "{}",
        ran.err
    );
}
