//! How often functions are traced: a number where it is certain, and none where something that is not known may have run them.

use serde_json::{Value, json};

use crate::support::Project;

/// The counts of all functions of a program, by name.
fn counts(name: &str, program: &str) -> Vec<(String, Value)> {
    let project = Project::new(name, &[("p.py", program)]);
    let values = project.run(&["values", "p.py", "--format", "json", "--no-cache"]).json();
    let all = values["functions"].as_array().expect("functions").clone();
    all.iter().map(|f| (f["name"].as_str().unwrap_or_default().to_owned(), f["traced"].clone())).collect()
}

fn of(all: &[(String, Value)], name: &str) -> Value {
    all.iter().find(|(other, _)| other == name).map(|(_, count)| count.clone()).expect("the function")
}

#[test]
fn what_a_lost_call_may_trace_has_no_count() {
    let all = counts(
        "lost_call",
        "\
import sys
import json
import jax
import jax.numpy as jnp

def inner(x):
    return x * 2

def body(carry, x):
    return inner(carry), x

def other(x):
    return x + 1

class Model:
    def loss(self, x):
        return jnp.sum(x)

    def apart(self, x):
        return x

def call(name, *args):
    return getattr(jax.lax, name)(*args)

which = json.loads(sys.stdin.read())
call(which, body, jnp.ones(3), jnp.ones(4))
which(Model())
jax.jit(other)(jnp.ones(3))
",
    );
    assert_eq!(of(&all, "body"), json!(null));
    // It is named in the body.
    assert_eq!(of(&all, "inner"), json!(null));
    assert_eq!(of(&all, "loss"), json!(null));
    assert_eq!(of(&all, "other"), json!(1));
}

#[test]
fn an_unknown_argument_may_be_another_one_the_next_time() {
    let all = counts(
        "unknown_argument",
        "\
import sys
import json
import jax
import jax.numpy as jnp

def inner(x):
    return x * 2

@jax.jit
def step(params, batch):
    return params + inner(params)

@jax.jit
def once(params, batch):
    return params + 1

@jax.jit
def known(params):
    return params + 1

for line in [1, 2]:
    batch = json.loads(sys.stdin.read())
    step(jnp.ones(3), batch)
    known(jnp.ones(3))
once(jnp.ones(3), batch)
",
    );
    assert_eq!(of(&all, "step"), json!(null));
    assert_eq!(of(&all, "inner"), json!(null));
    assert_eq!(of(&all, "known"), json!(1));
    assert_eq!(of(&all, "once"), json!(1));
}

#[test]
fn a_branch_on_what_is_not_known_may_not_be_taken() {
    let all = counts(
        "unknown_branch",
        "\
import sys
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    return x + 1

@jax.jit
def g(x):
    return x + 1

if sys.stdin.read() == 'f':
    f(jnp.ones(3))
g(jnp.ones(3))
",
    );
    assert_eq!(of(&all, "f"), json!(null));
    assert_eq!(of(&all, "g"), json!(1));
}
