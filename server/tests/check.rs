//! `jitlens check` as a program: what it prints for people, for line readers and as JSON, and its exit codes.

use std::path::PathBuf;
use std::process::{Command, Output};

const MISMATCH: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def score(x, w):
    return x @ w

w = jnp.ones((5, 3))
score(jnp.ones((2, 5)), w)
score(jnp.ones((8, 4)), w)
";

/// Runs `jitlens check` in a folder of its own that holds this text as `p.py`.
fn check(name: &str, text: &str, arguments: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("p.py"), text).expect("the program is written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_jitlens"));
    command.current_dir(&folder).env_remove("VIRTUAL_ENV").arg("check").args(arguments);
    command.output().expect("jitlens runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn lines_for_programs() {
    let output = check("lines", MISMATCH, &["p.py"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stdout),
        "p.py:6:11: TypeError: dot_general requires contracting dimensions to have the same shape, got (4,) and (5,).\n\
         p.py:10:0: information[retrace]: `score` is traced a second time: x: now f32[8,4], before f32[2,5]\n"
    );
}

#[test]
fn code_lines_for_people() {
    let output = check("people", MISMATCH, &["p.py", "--color", "always"]);
    let shown = anstream::adapter::strip_str(&text(&output.stdout)).to_string();
    let expected = "\
error[shape-mismatch]: TypeError: dot_general requires contracting dimensions to have the same shape, got (4,) and (5,).
  --> p.py:6:12
   |
 5 | def score(x, w):
   |           -  - `w` is an argument of `score`: f32[5,3]
   |           |
   |           `x` is an argument of `score`: f32[8,4]
 6 |     return x @ w
   |            -^^^-
   |            |   |
   |            |   f32[5,3]
   |            f32[8,4]
...
10 | score(jnp.ones((8, 4)), w)
   | -------------------------- `score` is called here
   |
   = help: the last axis on the left and the second-to-last on the right have to be equal: transpose or reshape one side
";
    assert!(shown.starts_with(expected), "{shown}");
    assert!(text(&output.stdout).contains("\u{1b}["), "coloured although no terminal");
}

#[test]
fn json_is_the_contract() {
    let output = check("json", MISMATCH, &["p.py", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(all["version"], 1);
    let first = &all["diagnostics"][0];
    assert_eq!(first["file"], "p.py");
    assert_eq!(first["range"], serde_json::json!([6, 11, 6, 16]));
    assert_eq!((&first["rule"], &first["severity"]), (&"shape-mismatch".into(), &"error".into()));
    assert_eq!(
        first["related"][0],
        serde_json::json!({"file": "p.py", "range": [6, 11, 6, 12], "message": "f32[8,4]"})
    );
    assert_eq!(first["related"].as_array().map(Vec::len), Some(5));
    assert_eq!(first["fixes"], serde_json::json!([]));
}

#[test]
fn a_print_in_a_trace_has_a_fix() {
    let program = "import jax\n\n@jax.jit\ndef f(x):\n    print(\"x is\", x)\n    return x\n\nf(1.0)\n";
    let output = check("print", program, &["p.py", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = &all["diagnostics"][0];
    assert_eq!((&found["rule"], &found["severity"]), (&"python-side-effect".into(), &"warning".into()));
    assert_eq!(
        found["fixes"][0]["edits"],
        serde_json::json!([{"file": "p.py", "range": [5, 4, 5, 20], "text": "jax.debug.print(\"x is {}\", x)"}])
    );
    // Under `grad` alone it prints at every call.
    let eager = program.replace("@jax.jit", "@jax.grad");
    assert_eq!(text(&check("print_eager", &eager, &["p.py"]).stdout), "");
}

#[test]
fn removed_names_are_told_with_their_replacement_and_the_run_goes_on() {
    let program =
        "import jax\nimport jax.numpy as jnp\n\nt = jax.tree_map(lambda a: a + 1, [jnp.ones(3)])\nt[0] @ jnp.ones(4)\n";
    let output = check("removed", program, &["p.py", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let found = all["diagnostics"].as_array().expect("a list");
    assert_eq!(found[0]["message"], "AttributeError: module 'jax' has no attribute 'tree_map'");
    assert_eq!(found[0]["help"], "`jax.tree_map` was removed from jax: use `jax.tree.map`");
    assert_eq!(found[1]["rule"], "shape-mismatch");
    // A program that supports both is right.
    let both = "import jax\ntry:\n    m = jax.tree_map\nexcept AttributeError:\n    m = jax.tree.map\n";
    assert_eq!(text(&check("removed_both", both, &["p.py"]).stdout), "");
}

#[test]
fn exit_codes_follow_the_failing_level() {
    let clean = "import jax.numpy as jnp\nx = jnp.ones(3)\n";
    assert_eq!(check("clean", clean, &["p.py"]).status.code(), Some(0));
    assert_eq!(check("missing", clean, &["q.py"]).status.code(), Some(2));
    let retraced = "import jax\nf = jax.jit(lambda x: x)\nf(1.0)\nf(1)\n";
    assert_eq!(check("retraced", retraced, &["p.py"]).status.code(), Some(0));
    assert_eq!(check("retraced", retraced, &["p.py", "--fail-on", "information"]).status.code(), Some(1));
}

#[test]
fn a_folder_stands_for_its_python_files() {
    let output = check("folder", "1 / 0\n", &["."]);
    assert_eq!(text(&output.stdout), "p.py:1:0: ZeroDivisionError: division by zero\n");
}

#[test]
fn settings_of_the_project_are_read() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("settings");
    std::fs::create_dir_all(folder.join("lib")).expect("a folder for the test");
    std::fs::write(folder.join("pyproject.toml"), "[tool.jitlens]\nsource-roots = ['lib']\n").expect("written");
    std::fs::write(folder.join("lib/shapes.py"), "N = 4\n").expect("written");
    let program = "import jax.numpy as jnp\nfrom shapes import N\njnp.ones(N) + jnp.ones(3)\n";
    let output = check("settings", program, &["p.py"]);
    assert_eq!(
        text(&output.stdout),
        "p.py:3:0: TypeError: add got incompatible shapes for broadcasting: (4,), (3,).\n"
    );
}

/// Files of a package import each other, whether the one that is checked is said to be a script or not.
#[test]
fn files_of_packages_are_modules_of_them() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("package");
    let files = [
        ("app/__init__.py", "from .model import forward\n"),
        ("app/logging.py", "import logging\nlog = logging.getLogger('app')\n"),
        (
            "app/model.py",
            "import jax.numpy as jnp\nfrom . import logging\n\ndef forward(x):\n    return x @ jnp.ones((4, 2))\n",
        ),
        (
            "app/train.py",
            "import jax.numpy as jnp\nfrom .model import forward\n\nif __name__ == '__main__':\n    \
             forward(jnp.ones((3, 5)))\n",
        ),
    ];
    std::fs::create_dir_all(folder.join("app")).expect("a folder for the test");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("the file is written");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_jitlens"));
    let output = command.current_dir(&folder).env_remove("VIRTUAL_ENV").args(["check", "."]).output().expect("it runs");
    assert_eq!(
        text(&output.stdout),
        "app/model.py:5:11: TypeError: dot_general requires contracting dimensions to have the same shape, got (5,) and (4,).\n"
    );
}

#[test]
fn what_a_function_is_traced_again_for_has_an_origin() {
    let program = "\
import jax
import numpy as np

@jax.jit
def loss(x):
    return x.sum()

data = np.ones((1000, 4), np.float32)
for i in range(0, 1000, 32):
    batch = data[i:i + 32]
    loss(batch)
for n in (3, 4):
    loss(np.ones(n))
";
    let output = check("origins", program, &["p.py", "--format", "json"]);
    let parsed: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    let related = |at: usize| {
        let all = parsed["diagnostics"][at]["related"].as_array().expect("an array").iter();
        all.map(|r| (r["range"][0].as_u64().expect("a line"), r["message"].as_str().expect("a text")))
            .collect::<Vec<_>>()
    };
    assert_eq!(related(0), [(5, "`loss` is defined here"), (10, "the last part of `data`: 1000 by 32 leaves 8")]);
    assert_eq!(related(1), [(5, "`loss` is defined here"), (13, "this is f64[3], then f64[4]")]);
    assert!(parsed["diagnostics"][0]["help"].as_str().expect("help").starts_with("fill the last part up"));

    let twice = "import jax\nf = jax.jit(lambda x: x)\nf(1.0)\nf(1)\n";
    let output = check("earlier", twice, &["p.py", "--format", "json"]);
    let parsed: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    let earlier = &parsed["diagnostics"][0]["related"][1];
    assert_eq!(earlier["range"][0], 3);
    assert_eq!(earlier["message"], "the trace that there was had been made for this call");
}

#[test]
fn an_object_that_compares_by_identity_is_told_where_it_is_made() {
    let program = "\
from functools import partial
import jax
import jax.numpy as jnp

class Config:
    def __init__(self, width):
        self.width = width

@partial(jax.jit, static_argnames='cfg')
def forward(x, cfg):
    return x * cfg.width

def make(width):
    return Config(width)

for step in range(4):
    forward(jnp.ones(3), cfg=make(5))

@partial(jax.jit, static_argnums=1)
def apply(x, f):
    return f(x)

def run(x):
    return apply(x, lambda y: y + 1)

run(jnp.ones(3))
run(jnp.ones(3))
";
    let output = check("identity", program, &["p.py", "--format", "json"]);
    let parsed: serde_json::Value = serde_json::from_str(&text(&output.stdout)).expect("JSON");
    let made = |at: usize| {
        let related = &parsed["diagnostics"][at]["related"][1];
        assert_eq!(related["message"], "the new object is made here");
        related["range"][0].as_u64().expect("a line")
    };
    assert_eq!((made(0), made(1)), (14, 24));
}
