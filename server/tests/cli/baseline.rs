//! `--baseline` and `--write-baseline`.

use serde_json::json;

use crate::support::Project;

const PROGRAM: &str = "\
import jax

@jax.jit
def f(x):
    print(x)
    print('é'); print('é')
    return x

f(1.0)
";

#[test]
fn what_is_known_is_not_told() {
    let project = Project::new("baseline", &[("src/p.py", PROGRAM), ("src/q.py", "import p\n")]);
    let ran = project.check(&["src", "--write-baseline", "known.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", Some(0)));
    assert_eq!(ran.err, "jitlens: 3 findings written to known.json\n");
    let message = "`print` runs once per trace, not at every call";
    let row = |line, count| json!({"file": "src/p.py", "rule": "python-side-effect", "line": line, "message": message, "count": count});
    let written: serde_json::Value = serde_json::from_str(&project.read("known.json")).expect("JSON");
    assert_eq!(written, json!({"version": 1, "findings": [row("print('é'); print('é')", 2), row("print(x)", 1)]}));
    // Lines above, and around, do not matter.
    project.write("src/p.py", &format!("# A new line.\n\n{}", PROGRAM.replace("    ", "  ")));
    let ran = project.check(&["src", "--baseline", "known.json"]);
    assert_eq!((ran.out.as_str(), ran.code), ("", Some(0)));
    assert_eq!(ran.err, "jitlens: 3 findings known from known.json\n");
    // It is written as it was, and in the same order.
    let before = project.read("known.json");
    project.check(&["src/q.py", "src/p.py", "--write-baseline", "known.json"]);
    assert_eq!(project.read("known.json"), before);
}

#[test]
fn what_is_new_is_told_and_what_is_gone_is_said() {
    let project = Project::new("baseline_new", &[("p.py", PROGRAM), ("q.py", PROGRAM)]);
    project.check(&[".", "--write-baseline", "known.json"]);
    // A third one like the two that are known, another one, and one that is gone.
    let changed = PROGRAM.replace("print('é'); print('é')", "print('é'); print('é')\n    print('é'); print('é')");
    project.write("p.py", &changed.replace("print(x)", "print(x, x)"));
    let ran = project.check(&["p.py", "--baseline", "known.json"]);
    let told: Vec<&str> = ran.out.lines().map(|line| line.split(" warning").next().unwrap_or(line)).collect();
    assert_eq!(told, ["p.py:5:4:", "p.py:7:4:", "p.py:7:17:"]);
    assert_eq!(ran.code, Some(1));
    let gone = "jitlens: 2 findings known from known.json\n\
                jitlens: 1 finding in known.json no more there: `--write-baseline known.json` takes them out\n";
    assert_eq!(ran.err, gone, "`q.py` was not looked at");
    // Nor are rules that were not asked for.
    let ran = project.check(&["p.py", "--baseline", "known.json", "--select", "retrace"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", "", Some(0)));
    std::fs::remove_file(project.folder.join("q.py")).expect("it was there");
    let ran = project.check(&["p.py", "--baseline", "known.json", "--format", "json"]);
    assert!(ran.err.contains("4 findings in known.json no more there"), "{}", ran.err);
    assert_eq!(ran.json()["diagnostics"].as_array().map(Vec::len), Some(3));
}

#[test]
fn files_are_named_from_the_folder_of_the_baseline() {
    let project =
        Project::new("baseline_folder", &[("src/p.py", PROGRAM), ("ci/deep/q.py", PROGRAM), ("ci/deep/here", "")]);
    assert_eq!(project.check(&[".", "--write-baseline", "ci/deep/known.json"]).code, Some(0));
    let written: serde_json::Value = serde_json::from_str(&project.read("ci/deep/known.json")).expect("JSON");
    let files: Vec<&str> =
        written["findings"].as_array().expect("a list").iter().filter_map(|row| row["file"].as_str()).collect();
    assert_eq!(files, ["../../src/p.py", "../../src/p.py", "q.py", "q.py"]);
    let ran = project.check(&["src/p.py", "--baseline", "ci/deep/known.json"]);
    assert_eq!((ran.err.as_str(), ran.code), ("jitlens: 3 findings known from ci/deep/known.json\n", Some(0)));
}

#[test]
fn a_file_that_is_no_baseline() {
    let project =
        Project::new("baseline_wrong", &[("p.py", PROGRAM), ("old.json", "{\"version\": 9, \"findings\": []}")]);
    for (file, said) in
        [("none.json", "`--write-baseline` makes a baseline"), ("p.py", "no baseline"), ("old.json", "version 9")]
    {
        let ran = project.check(&["p.py", "--baseline", file]);
        assert_eq!((ran.out.as_str(), ran.code), ("", Some(2)));
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}
