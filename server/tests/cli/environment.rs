//! What the folders of an environment tell.

use crate::support::Project;

/// The lines of errors in a program whose environment has a library `layers`.
fn errors(name: &str, library: &str, program: &str) -> Vec<String> {
    let project = Project::new(
        name,
        &[
            ("pyproject.toml", ""),
            (".venv/pyvenv.cfg", ""),
            (".venv/lib/python3.11/site-packages/layers/__init__.py", library),
            ("a.py", program),
        ],
    );
    let ran = project.run(&["check", "a.py"]);
    assert!(!ran.out.contains("panicked") && ran.code.is_some(), "{ran:?}");
    ran.out.lines().filter(|line| line.contains("Error: ")).map(str::to_owned).collect()
}

#[test]
fn versions_are_those_of_the_folders() {
    let project = Project::new(
        "versions",
        &[
            ("pyproject.toml", ""),
            (".venv/pyvenv.cfg", ""),
            (
                ".venv/lib/python3.11/site-packages/some_thing-3.4.1.dist-info/METADATA",
                "Name: some-thing\nVersion: 3.4.1\n",
            ),
            (
                "a.py",
                "from importlib.metadata import version\nimport jax.numpy as jnp\n\
                 major = int(version(\"some.thing\").split(\".\")[0])\na = jnp.zeros(major)\n\
                 b = jnp.zeros(int(version(\"another\")[0]))\n",
            ),
        ],
    );
    let ran = project.run(&["values", "a.py"]);
    assert!(ran.out.contains("a.py:4:4: f32[3]"), "{ran:?}");
    assert!(!ran.out.contains("a.py:5:4: f32[3]"), "{ran:?}");
}

#[test]
fn constructors_of_libraries_say_what_they_do_not_take() {
    let library = "\
class Meta(type):
    def __call__(cls, *args, **kwargs):
        return super().__call__(*args, **kwargs)

class Layer(metaclass=Meta):
    def __init__(self, width, *, bias=True):
        self.width = width

def wrong():
    return Layer(1, 2, 3)
";
    let program = "\
import layers
layers.Layer(3, bais=False)
layers.Layer()
layers.Layer(3, 4)
layers.Layer(3)
layers.wrong()
";
    assert_eq!(
        errors("constructors", library, program),
        [
            "a.py:2:0: TypeError: Layer.__init__() got an unexpected keyword argument 'bais'",
            "a.py:3:0: TypeError: Layer.__init__() missing 1 required positional argument: 'width'",
            "a.py:4:0: TypeError: Layer.__init__() takes 2 positional arguments but 3 were given",
            // A library's own mistake, which Python raises as well.
            "a.py:6:0: TypeError: Layer.__init__() takes 2 positional arguments but 4 were given",
        ]
    );
}

#[test]
fn containers_may_lack_what_a_library_was_to_put_there() {
    let library = "\
import jax.numpy as jnp

class Layer:
    def __init__(self, params):
        self.params = params

    def __call__(self, x):
        size = int(jnp.shape(x)[-1])
        self.params['w'] = jnp.zeros((size, 3))
        return x @ self.params['w']
";
    let program = "\
import jax, jax.numpy as jnp
import layers
import nowhere
params = {}
def init(x):
    y = layers.Layer(params)(x)
    return params
made = init(nowhere.load())
jax.vmap(lambda p: p)(made)
jax.tree.map(lambda a, b: a, made, {'w': 1})
jnp.stack(list(made.values()))
jnp.ones(2) + jnp.ones(3)
";
    assert_eq!(
        errors("undone", library, program),
        ["a.py:12:0: TypeError: add got incompatible shapes for broadcasting: (2,), (3,)."]
    );
}

#[test]
fn modules_that_python_has_loaded_are_not_found_beside_a_script() {
    let files = [("io.py", "WIDTH = 4\n"), ("random.py", "WIDTH = 5\n")];
    let program = "from io import TextIOBase, StringIO\nfrom random import WIDTH\n";
    let project = Project::new("loaded_modules", &[files[0], files[1], ("a.py", program)]);
    assert_eq!(project.check(&["a.py"]).out, "");
}
