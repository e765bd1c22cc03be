//! `--fix` and `--diff`.

use crate::support::Project;

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    'é😀'; print('x is', x); print(x)
    x.at[0].set(1.0)
    return x

f(jnp.ones(3))
";

const MENDED: &str = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    'é😀'; jax.debug.print(\"x is {}\", x); jax.debug.print(\"{}\", x)
    x = x.at[0].set(1.0)
    return x

f(jnp.ones(3))
";

const DIFF: &str = "\
--- p.py
+++ p.py
@@ -3,8 +3,8 @@
 
 @jax.jit
 def f(x):
-    'é😀'; print('x is', x); print(x)
-    x.at[0].set(1.0)
+    'é😀'; jax.debug.print(\"x is {}\", x); jax.debug.print(\"{}\", x)
+    x = x.at[0].set(1.0)
     return x
 
 f(jnp.ones(3))
";

#[test]
fn fixes_are_made_and_what_is_left_counts() {
    let project = Project::new("fix", &[("p.py", PROGRAM)]);
    let ran = project.check(&["p.py", "--fix"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", "jitlens: 3 fixes in 1 file\n", Some(0)));
    assert_eq!(project.read("p.py"), MENDED);
    let again = project.check(&["p.py", "--fix"]);
    assert_eq!((again.out.as_str(), again.err.as_str(), again.code), ("", "", Some(0)));
    project.write("p.py", &format!("{PROGRAM}f(jnp.ones(4)) + jnp.ones(3)\n"));
    let ran = project.check(&["p.py", "--fix", "--ignore", "discarded-update", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), "jitlens: 2 fixes in 1 file\n"));
    let left: Vec<serde_json::Value> =
        ran.json()["diagnostics"].as_array().expect("a list").iter().map(|d| d["rule"].clone()).collect();
    assert_eq!(left, ["retrace", "shape-mismatch"]);
    assert!(project.read("p.py").contains("\n    x.at[0].set(1.0)\n"), "what is ignored is not mended");
    let names: Vec<_> =
        std::fs::read_dir(&project.folder).expect("a folder").map(|e| e.expect("an entry").file_name()).collect();
    assert_eq!(names, ["p.py"], "nothing else is left behind");
}

#[test]
fn a_diff_changes_nothing() {
    let project = Project::new("diff", &[("p.py", PROGRAM)]);
    let ran = project.check(&["p.py", "--diff"]);
    assert_eq!((ran.out.as_str(), ran.code), (DIFF, Some(1)));
    assert_eq!(project.check(&["p.py", "--fix", "--diff"]).out, DIFF);
    assert_eq!(project.read("p.py"), PROGRAM);
}

#[test]
fn line_ends_and_marks_stay() {
    let text = format!("\u{feff}{}", PROGRAM.replace('\n', "\r\n"));
    let project = Project::new("crlf", &[("p.py", &text)]);
    assert_eq!(project.check(&["p.py", "--fix"]).code, Some(0));
    assert_eq!(project.read("p.py"), format!("\u{feff}{}", MENDED.replace('\n', "\r\n")));
    // A last line without an end stays without one.
    let text = "import jax.numpy as jnp\nx = jnp.zeros(3)\nx.at[0].set(1.0)";
    project.write("p.py", text);
    assert_eq!(
        project.check(&["p.py", "--diff"]).out,
        "--- p.py\n+++ p.py\n@@ -1,3 +1,3 @@\n import jax.numpy as jnp\n x = jnp.zeros(3)\n-x.at[0].set(1.0)\n\
         \\ No newline at end of file\n+x = x.at[0].set(1.0)\n\\ No newline at end of file\n"
    );
    assert_eq!(project.check(&["p.py", "--fix"]).code, Some(0));
    assert_eq!(project.read("p.py"), text.replace("\nx.at", "\nx = x.at"));
}

#[test]
fn only_files_that_are_named_are_changed() {
    let library = "import jax\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n";
    let main = "import library\n\nlibrary.f(1.0)\n";
    let project = Project::new("others", &[("app/main.py", main), ("app/library.py", library)]);
    let ran = project.check(&["app/main.py", "--fix"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(1)));
    assert!(ran.out.starts_with("app/library.py:5:4: warning[python-side-effect]"), "{}", ran.out);
    assert_eq!(project.read("app/library.py"), library);
    // Found by running another file, and mended once.
    let ran = project.check(&["app", "--fix"]);
    assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), ("", "jitlens: 1 fix in 1 file\n", Some(0)));
    assert_eq!(project.read("app/library.py"), library.replace("print(x)", "jax.debug.print(\"{}\", x)"));
    assert_eq!(project.read("app/main.py"), main);
}

#[cfg(unix)]
#[test]
fn permissions_stay_and_what_cannot_be_written_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new("permissions", &[("p.py", PROGRAM)]);
    let path = project.folder.join("p.py");
    let set = |mode| std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("permissions");
    set(0o751);
    assert_eq!(project.check(&["p.py", "--fix"]).code, Some(0));
    assert_eq!(path.metadata().expect("a file").permissions().mode() & 0o777, 0o751);
    project.write("p.py", PROGRAM);
    set(0o444);
    let ran = project.check(&["p.py", "--fix"]);
    assert_eq!((ran.err.as_str(), ran.code), ("jitlens: p.py: is left as it was: it is read-only\n", Some(2)));
    assert_eq!(ran.out.lines().count(), 3, "what is not mended is reported");
    assert_eq!(project.read("p.py"), PROGRAM);
}
