//! Which rules are told: the project's settings and the command line's.

use crate::support::Project;

/// Two warnings and an information.
const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    print(x)
    x.at[0].set(1.0)
    return x

f(jnp.ones(3))
f(jnp.ones(4))
";

fn rules(project: &Project, arguments: &[&str]) -> Vec<String> {
    let json = project.check(&[arguments, &["--format", "json"]].concat()).json();
    let all = json["diagnostics"].as_array().expect("a list").iter();
    all.map(|d| format!("{} {} {}", d["file"], d["severity"], d["rule"]).replace('"', "")).collect()
}

#[test]
fn levels_of_the_project() {
    let settings = "[tool.jitlens.rules]\npython-side-effect = 'off'\nretrace = 'error'\ndiscarded-update = 'hint'\n";
    let project = Project::new("levels", &[("p.py", PROGRAM), ("pyproject.toml", settings)]);
    assert_eq!(rules(&project, &["p.py"]), ["p.py hint discarded-update", "p.py error retrace"]);
    assert_eq!(project.check(&["p.py", "--fail-on", "error"]).code, Some(1));
    project.write("pyproject.toml", "[tool.jitlens.rules]\nretrace = 'off'\n");
    assert_eq!(
        project.check(&["p.py", "--fail-on", "information", "--ignore", "python-side-effect,discarded-update"]).code,
        Some(0)
    );
}

#[test]
fn rules_that_are_chosen() {
    let project =
        Project::new("chosen", &[("p.py", PROGRAM), ("pyproject.toml", "[tool.jitlens]\nrules.retrace = 'off'\n")]);
    assert_eq!(rules(&project, &["p.py", "--select", "retrace"]), ["p.py information retrace"]);
    let both = ["p.py warning python-side-effect", "p.py warning discarded-update"];
    assert_eq!(rules(&project, &["p.py", "--select", "python-side-effect", "--select", "discarded-update"]), both);
    assert_eq!(rules(&project, &["p.py"]), both);
    assert_eq!(rules(&project, &["p.py", "--ignore", "python-side-effect, retrace"]), both[1..]);
    let ran = project.check(&["p.py", "--ignore", "discard-update"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there is no rule `discard-update`; did you mean `discarded-update`?"), "{}", ran.err);
}

#[test]
fn files_of_which_rules_are_not_told() {
    let settings = "\
[tool.jitlens.per-file-ignores]
'tests' = ['python-side-effect', 'discarded-update']
'*_demo.py' = ['retrace']
";
    let files = [
        ("pyproject.toml", settings),
        ("tests/a.py", PROGRAM),
        ("tests/deep/b_demo.py", PROGRAM),
        ("src/c_demo.py", PROGRAM),
        // The settings of a file are those of its own project.
        ("tests/other/pyproject.toml", ""),
        ("tests/other/d_demo.py", PROGRAM),
    ];
    let project = Project::new("per_file", &files);
    let expected = [
        "src/c_demo.py warning python-side-effect",
        "src/c_demo.py warning discarded-update",
        "tests/a.py information retrace",
        "tests/other/d_demo.py warning python-side-effect",
        "tests/other/d_demo.py warning discarded-update",
        "tests/other/d_demo.py information retrace",
    ];
    assert_eq!(rules(&project, &["."]), expected);
}

#[test]
fn what_is_wrong_with_settings_is_said_once_and_the_rest_holds() {
    let settings = "[tool.jitlens.rules]\nretrce = 'off'\nretrace = 'off'\npython-side-effect = 'quiet'\n";
    let project = Project::new("misspelt", &[("a/p.py", "x = 1\n"), ("b/p.py", PROGRAM), ("pyproject.toml", settings)]);
    let ran = project.check(&["."]);
    assert_eq!(
        ran.err,
        "jitlens: pyproject.toml: there is no rule `retrce`; did you mean `retrace`?\n\
         jitlens: pyproject.toml: the level of `python-side-effect` is one of off, hint, information, warning and error\n"
    );
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 2), "{}", ran.out);
    project.write("pyproject.toml", "[tool.jitlens.rules]\nretrace = \n");
    let ran = project.check(&["."]);
    assert!(ran.err.starts_with("jitlens: pyproject.toml:2: no TOML, so that no setting is read: "), "{}", ran.err);
    assert_eq!((ran.code, ran.out.lines().count(), ran.err.lines().count()), (Some(1), 3, 1), "{}", ran.err);
}
