//! What the folders of an environment tell.

use crate::support::Project;

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
