//! Formats that other programs read.

use serde_json::{Value, json};

use crate::support::Project;

/// A print with text on which the encodings differ, and shapes that do not fit.
const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def score(x, w):
    'é😀'; print('x is', x)
    return x @ w

score(jnp.ones((2, 5)), jnp.ones((5, 3)))
score(jnp.ones((8, 4)), jnp.ones((5, 3)))
";

fn sarif(project: &Project, arguments: &[&str]) -> Value {
    let ran = project.check(&[arguments, &["--format", "sarif"]].concat());
    assert_eq!(ran.err, "");
    ran.json()
}

#[test]
fn sarif_has_what_code_hosts_need() {
    let project = Project::new("sarif", &[("a folder/p.py", PROGRAM)]);
    let log = sarif(&project, &["."]);
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "utf16CodeUnits");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "jitlens");
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), 3);
    for result in results {
        let rule = &driver["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        for key in ["/shortDescription/text", "/help/text", "/help/markdown", "/helpUri", "/defaultConfiguration/level"]
        {
            assert!(rule.pointer(key).is_some_and(|text| text.as_str().is_some_and(|t| !t.is_empty())), "{key}");
        }
    }
    let print = &results[0];
    assert_eq!((&print["ruleId"], &print["level"]), (&"python-side-effect".into(), &"warning".into()));
    // `é` is one unit, `😀` two.
    let region = json!({"startLine": 6, "startColumn": 12, "endLine": 6, "endColumn": 28});
    let place = json!({"artifactLocation": {"uri": "a%20folder/p.py"}, "region": region});
    assert_eq!(print["locations"], json!([{"physicalLocation": place}]));
    let replacement = json!({"deletedRegion": region, "insertedContent": {"text": "jax.debug.print(\"x is {}\", x)"}});
    assert_eq!(
        print["fixes"][0]["artifactChanges"],
        json!([{"artifactLocation": {"uri": "a%20folder/p.py"}, "replacements": [replacement]}])
    );
    let mismatch = &results[1];
    assert_eq!((&mismatch["ruleId"], &mismatch["level"]), (&"shape-mismatch".into(), &"error".into()));
    assert_eq!(mismatch["relatedLocations"][0]["message"]["text"], "f32[8,4]");
    assert_eq!(mismatch["relatedLocations"][0]["physicalLocation"]["region"]["startColumn"], 12);
    assert_eq!(mismatch.get("fixes"), None, "an empty list is not allowed");
    assert_eq!((&results[2]["ruleId"], &results[2]["level"]), (&"retrace".into(), &"note".into()));
}

#[test]
fn sarif_of_nothing_and_of_a_file_that_is_not_there() {
    let project = Project::new("sarif_empty", &[("p.py", "x = 1\n")]);
    assert_eq!(sarif(&project, &["p.py"])["runs"][0]["results"], json!([]));
    let ran = project.check(&["p.py", "q.py", "--format", "sarif"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.json()["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn commands_of_a_github_workflow() {
    let project = Project::new("github", &[("p.py", PROGRAM)]);
    let ran = project.check(&["p.py", "--format", "github"]);
    assert_eq!(ran.code, Some(1));
    let lines: Vec<&str> = ran.out.lines().collect();
    let print = "::warning file=p.py,line=6,endLine=6,col=12,endColumn=28,title=python-side-effect::`print` runs once per \
                 trace, not at every call%0A%0Ahelp: ";
    assert!(lines[0].starts_with(print), "{}", lines[0]);
    let mismatch =
        "::error file=p.py,line=7,endLine=7,col=12,endColumn=17,title=shape-mismatch::TypeError: dot_general";
    assert!(lines[1].starts_with(mismatch), "{}", lines[1]);
    assert!(lines[2].starts_with("::notice file=p.py,line=10,"), "{}", lines[2]);
    assert_eq!(lines.len(), 3);
}

#[test]
fn values_of_a_text_that_python_cannot_parse() {
    let text = "import jax.numpy as jnp\nx = jnp.ones(3)\ny = x.reshape(\n";
    let project = Project::new("half-written", &[("p.py", text)]);
    let ran = project.run(&["values", "p.py"]);
    let said = "p.py:2:4: f32[3]\np.py:3:4: f32[3]\np.py:3: SyntaxError: '(' was never closed\n";
    assert_eq!((ran.out.as_str(), ran.code), (said, Some(1)));
}

#[test]
fn what_several_programs_run_into_is_told_once() {
    let lib = "import jax.numpy as jnp\n\ndef f(x):\n    return x + jnp.ones(3)\n";
    let program = |before: &str| format!("import jax.numpy as jnp\nfrom lib import f\n{before}f(jnp.ones(4))\n");
    let (a, b) = (program(""), program("\n\n"));
    let project = Project::new("told_once", &[("lib.py", lib), ("a.py", &a), ("b.py", &b)]);
    let told = |arguments: &[&str]| project.check(arguments).out.matches("lib.py:4:11: TypeError").count();
    assert_eq!(told(&["a.py"]), 1);
    assert_eq!(told(&["."]), 1);
}

#[test]
fn a_call_that_several_programs_make_anew_is_told_of_once() {
    let lib = "import jax\n\n@jax.jit\ndef g(x):\n    return x + 1\n\ndef f(x):\n    return g(x)\n";
    let program =
        |n: usize| format!("import jax.numpy as jnp\nfrom lib import f\nf(jnp.ones({n}))\nf(jnp.ones({}))\n", n + 1);
    let (a, b) = (program(2), program(5));
    let project = Project::new("anew_once", &[("lib.py", lib), ("a.py", &a), ("b.py", &b)]);
    let out = project.check(&["."]).out;
    assert_eq!(out.matches("lib.py:8:11: information[retrace]").count(), 1, "{out}");
    // Errors are told as often as they say something else.
    let lib = "import jax.numpy as jnp\n\ndef f(x):\n    return x + jnp.ones(3)\n";
    let project = Project::new("errors_twice", &[("lib.py", lib), ("a.py", &a), ("b.py", &b)]);
    let out = project.check(&["."]).out;
    assert_eq!(out.matches("lib.py:4:11: TypeError").count(), 2, "{out}");
}

#[test]
fn counts_that_a_cut_loop_leaves_open_are_not_given() {
    let program = "\
import jax
import jax.numpy as jnp

def ode(s):
    return s * 2.0

def integrate(s):
    def step(c, t):
        return c + ode(c), c
    return jax.lax.scan(step, s, jnp.arange(5))[1]

@jax.jit
def scaled(s):
    return ode(s)

def make(rounds):
    for i in range(rounds):
        integrate(scaled(jnp.ones(3)))

make(ROUNDS)
";
    let counts = |rounds: &str| {
        let project = Project::new("counts", &[("p.py", &program.replace("ROUNDS", rounds))]);
        let values = project.run(&["values", "p.py", "--format", "json", "--no-cache"]).json();
        let all = values["functions"].as_array().expect("functions").clone();
        let of = |name: &str| all.iter().find(|f| f["name"] == name).map(|f| f["traced"].clone());
        [of("step"), of("scaled")]
    };
    assert_eq!(counts("3"), [Some(json!(3)), Some(json!(1))]);
    // A function that is made anew is traced in each of the rounds, of which not all are run.
    assert_eq!(counts("4000"), [Some(json!(null)), Some(json!(1))]);
}
