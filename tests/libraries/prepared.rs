//! Runs that begin with libraries imported say what runs from nothing say, and begin anew where the imports are others.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Limits, Vfs, Wanted, analyze_for};

const LIBRARY: &str = "\
import jax
import jax.numpy as jnp
from heavy import layers
SCALE = jnp.ones((4, 2))
@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def tree_flatten(self):
        return (self.a, self.b), None
    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)
";

const LAYERS: &str = "\
import jax.numpy as jnp
import nowhere
SIZES = [4, 2]
def dense(x):
    return x @ jnp.ones((x.shape[-1], SIZES[-1]))
";

/// A program after imports of a library.
const PROGRAM: &str = "\
import jax.numpy as jnp
import heavy
from heavy import layers

def model(x):
    return layers.dense(x) * heavy.SCALE[0]

y = model(jnp.ones((3, 4)))
z = jax.tree.map(jnp.sum, heavy.Pair(y, y)).a
";

struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Project {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("site-packages/heavy")).unwrap();
        let project = Project(folder);
        project.write("site-packages/heavy/__init__.py", LIBRARY);
        project.write("site-packages/heavy/layers.py", LAYERS);
        project
    }
    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.join(file), text).unwrap();
    }
    /// What is shown of a program, and what goes wrong in it.
    fn told(&self, program: &str, again: bool) -> String {
        self.write("main.py", program);
        let environment = vec![self.0.join("site-packages")];
        let entry = Entry { script: self.0.join("main.py"), roots: vec![], environment, fallback: vec![] };
        let wanted = Wanted { again, ..Wanted::default() };
        let cancel = Arc::new(AtomicBool::new(false));
        let analysis = analyze_for(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), wanted, cancel);
        let facts = analysis.files.iter().map(|file| format!("{} {:?}\n", file.path.display(), file.exprs));
        let problems = analysis.problems.iter().map(|problem| format!("{}: {}\n", problem.class, problem.message));
        facts.chain(problems).collect()
    }
}

/// Texts one after the other, each of which the run of the one before has made ready for, beside runs from nothing.
fn are_told_alike(project: &Project, texts: &[&str]) {
    for text in texts {
        let after_another = project.told(text, true);
        let prepared = project.told(text, false);
        // The run before has made nothing ready.
        let anew = project.told(text, false);
        assert_eq!(prepared, anew, "{text}");
        assert_eq!(after_another, anew, "{text}");
        project.told(text, true);
    }
}

#[test]
fn texts_with_the_same_imports_are_told_alike() {
    let project = Project::new("prepared_same");
    let program = format!("import jax\n{PROGRAM}");
    assert!(project.told(&program, true).contains("f32[3,2]"));
    let edited = program.replace("(3, 4)", "(5, 4)");
    let broken = program.replace("(3, 4)", "(5, 4)").replace("SCALE[0]", "SCALE");
    assert!(project.told(&broken, true).contains("TypeError"));
    are_told_alike(&project, &[&program, &edited, &broken, &program]);
}

#[test]
fn texts_with_other_imports_begin_anew() {
    let project = Project::new("prepared_other");
    let program = format!("import jax\n{PROGRAM}");
    let wide = format!("import jax\njax.config.update('jax_enable_x64', True)\n{PROGRAM}");
    let fewer = "import jax\nimport jax.numpy as jnp\ntry:\n    jax.heavy\n    y = jnp.ones(3)\nexcept AttributeError:\n    y = jnp.ones(4)\n";
    are_told_alike(&project, &[&program, &wide, fewer, &program]);
    assert!(project.told(&wide, true).contains("f64[3,2]"));
}

#[test]
fn libraries_that_change_are_read_again() {
    let project = Project::new("prepared_changed");
    let program = format!("import jax\n{PROGRAM}");
    project.told(&program, true);
    project.write("site-packages/heavy/layers.py", &LAYERS.replace("[4, 2]", "[4, 1, 2, 2, 1]"));
    assert!(project.told(&program, true).contains("f32[3,1]"));
    project.write("heavy.py", "SCALE = 3\nclass layers:\n    dense = staticmethod(lambda x: x)\n");
    assert!(!project.told(&program, true).contains("f32[3,1]"));
}

#[test]
fn modules_of_the_users_lead_to_libraries() {
    let project = Project::new("prepared_own");
    let own = |more: &str| {
        format!(
            "from heavy import layers\nimport heavy\n{more}def scaled(x):\n    return layers.dense(x) * heavy.SCALE[0]\n"
        )
    };
    let program = "import jax.numpy as jnp\nimport own\ny = own.scaled(jnp.ones((3, 4)))\n";
    project.write("own.py", &own(""));
    assert!(project.told(program, true).contains("f32[3,2]"));
    let edited = program.replace("(3, 4)", "(5, 4)");
    are_told_alike(&project, &[program, &edited, program]);
    // What a module of the user's does before the library is imported is seen in the library.
    for loud in ["jax.config.update('jax_enable_x64', True)", "jnp.ones = lambda shape: jnp.zeros((*shape, 1))"] {
        project.write("own.py", &format!("import jax\nimport jax.numpy as jnp\n{loud}\n{}", own("")));
        are_told_alike(&project, &[program, &edited]);
        project.write("own.py", &own("import jax\n"));
        are_told_alike(&project, &[program, &edited]);
    }
    // A library that only a function imports is not there for others.
    let inside = "import jax\ndef f():\n    import heavy.layers\n    return heavy.layers.SIZES\ny = f()\n";
    let uncalled = inside.replace("y = f()", "import sys\nimport heavy\ny = 'heavy' in sys.modules, heavy.layers");
    are_told_alike(&project, &[inside, &uncalled, inside]);
}
