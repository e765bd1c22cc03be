//! Notebooks on the command line: cells are named, and mended where they are.

use crate::support::Project;

const NOTEBOOK: &str = r##"{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": ["# Shapes"]
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": [
    "%matplotlib inline\n",
    "import jax\n",
    "import jax.numpy as jnp\n",
    "\n",
    "files = !ls\n",
    "%time x = jnp.ones((2, 3))"
   ]
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": [
    "@jax.jit\n",
    "def f(x):\n",
    "    print('x is', x)\n",
    "    return x * 2\n",
    "f(x) @ x"
   ]
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": "y = f(x)\ny.mean("
  },
  {
   "cell_type": "code",
   "metadata": {},
   "outputs": [],
   "source": "f(x)\nawait x"
  }
 ],
 "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

#[test]
fn findings_are_in_cells() {
    let project = Project::new(
        "notebook",
        &[("a.ipynb", NOTEBOOK), ("r.ipynb", r#"{"cells": [], "metadata": {"kernelspec": {"language": "R"}}}"#)],
    );
    let ran = project.check(&["."]);
    let message = "dot_general requires contracting dimensions to have the same shape, got (3,) and (2,).";
    let lines: Vec<&str> = ran.out.lines().collect();
    let error = format!("a.ipynb:cell 3:5:0: TypeError: {message}");
    assert!(lines.contains(&&*error), "{}", ran.out);
    assert!(
        lines.iter().any(|line| line.starts_with("a.ipynb:cell 4:2:6: SyntaxError: '(' was never closed")),
        "{}",
        ran.out
    );
    assert!(lines.iter().any(|line| line.starts_with("a.ipynb:cell 3:3:4: warning[")), "{}", ran.out);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let ran = project.check(&["a.ipynb", "--format", "json"]);
    let row = &ran.json()["diagnostics"][0];
    let place = [&row["file"], &row["cell"], &row["range"][0]].map(ToString::to_string);
    assert_eq!(place, ["\"a.ipynb\"", "3", "3"]);
    let ran = project.check(&["a.ipynb", "--format", "github"]);
    assert!(ran.out.contains("::error file=a.ipynb,title=shape-mismatch::cell 3, line 5: TypeError"), "{}", ran.out);
    let ran = project.check(&["a.ipynb", "--color", "always"]);
    assert!(ran.out.contains("a.ipynb:cell 3:5:1"), "{}", ran.out);
    let ran = project.check(&["r.ipynb"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "jitlens: r.ipynb: a notebook of R, not of Python\n"));
}

#[test]
fn values_are_in_cells() {
    let project = Project::new("notebook-values", &[("a.ipynb", NOTEBOOK)]);
    let ran = project.run(&["values", "a.ipynb"]);
    assert!(ran.out.contains("a.ipynb:cell 2:6:10: f32[2,3]\n"), "{}", ran.out);
    assert!(ran.out.contains("a.ipynb:cell 5:1:0: f32[2,3]\n"), "{}", ran.out);
    let ran = project.run(&["trace", "a.ipynb"]);
    assert!(ran.out.contains("# a.ipynb:cell 3:2: f(x: f32[2,3])"), "{}", ran.out);
}

#[test]
fn fixes_are_made_in_cells() {
    let project = Project::new("notebook-fix", &[("a.ipynb", NOTEBOOK)]);
    let diff = project.check(&["a.ipynb", "--diff"]);
    let expected = "--- a.ipynb:cell 3\n+++ a.ipynb:cell 3\n@@ -1,5 +1,5 @@\n @jax.jit\n def f(x):\n-    print('x is', x)\n+    \
                    jax.debug.print(\"x is {}\", x)\n     return x * 2\n f(x) @ x\n";
    assert_eq!(diff.out, expected);
    let ran = project.check(&["a.ipynb", "--fix"]);
    assert_eq!((ran.err.as_str(), ran.code), ("jitlens: 1 fix in 1 file\n", Some(1)));
    let mended = NOTEBOOK.replace("    print('x is', x)", "    jax.debug.print(\\\"x is {}\\\", x)");
    assert_eq!(project.read("a.ipynb"), mended);
}

#[test]
fn a_reproducer_is_of_a_line_of_a_cell() {
    let project = Project::new("notebook-repro", &[("a.ipynb", NOTEBOOK)]);
    let ran = project.run(&["repro", "a.ipynb:cell 3:5"]);
    assert!(ran.code == Some(0) && ran.out.contains(") @ x\n"), "{ran:?}");
    let ran = project.run(&["repro", "a.ipynb:5"]);
    assert_eq!(ran.err, "jitlens: a.ipynb: name a cell of code, as in `a.ipynb:cell 1:5`\n");
}

#[test]
fn what_a_cell_shows_is_used() {
    let cell =
        |source: &str| format!(r#"{{"cell_type": "code", "metadata": {{}}, "outputs": [], "source": "{source}"}}"#);
    let cells = [
        cell(r"import jax.numpy as jnp\nx = jnp.zeros(3)"),
        cell(r"x.at[0].set(1.0)\n# what it would be"),
        cell(r"x.at[0].set(1.0);"),
        cell(r"x.at[1].set(1.0)\nx"),
    ];
    let text = format!(r#"{{"cells": [{}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#, cells.join(","));
    let project = Project::new("shown", &[("a.ipynb", &text)]);
    let found = project.check(&["a.ipynb"]).out;
    let lines: Vec<&str> = found.lines().filter_map(|line| line.split_once(": warning").map(|(at, _)| at)).collect();
    assert_eq!(lines, ["a.ipynb:cell 3:1:0", "a.ipynb:cell 4:1:0"], "{found}");
}
